// Properties that hold for every instance of an operation, as its declaration states them. Passes test these traits
// rather than operation names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace partir {

struct OpTraits {
  bool constant = false;    ///< the value is the attribute "value"
  bool rearranges = false;  ///< each result element is an element of operand 0, chosen by types and attributes alone
  bool permutes = false;    ///< the result has every element of operand 0 once: the same bytes, possibly reordered
  bool cuts = false;        ///< the result is a part of operand 0, possibly at indices given by other operands
  bool repeats = false;     ///< the result repeats elements of operand 0
  bool looks_up = false;    ///< the result has elements of operand 0, at indices that another operand holds
  bool converts = false;    ///< the result has the numbers of operand 0 in another element type
  bool contracts = false;   ///< computes sums of products of two operands, as matrix units do
  std::optional<std::size_t> update = std::nullopt;   ///< the result is operand 0 with some elements replaced, in place
                                                      ///< where aliasing permits, by those of this operand
  std::optional<std::size_t> indices = std::nullopt;  ///< the operand about which the attributes indices_are_sorted and
                                                      ///< unique_indices promise something
  bool selects = false;    ///< elements of operand 0 are compared in its padded form, which holds for finite ones only
  bool by_places = false;  ///< its entries also depend on the KnownPlaces of its operands (ir/splat.h)
};

/// How an operation uses its regions, or forwards its operands to its results.
enum class Control : std::uint8_t {
  none,
  loop,     ///< region 0 is the condition, region 1 the body; the operands are loop-carried (stablehlo.while)
  branch,   ///< runs one of its regions, which read values of enclosing blocks (stablehlo.if, case)
  barrier,  ///< forwards its operands to its results (stablehlo.optimization_barrier)
  scan,     ///< chlo.scan
};

enum class CollectiveKind : std::uint8_t {
  all_gather,
  all_reduce,
  reduce_scatter,
  all_to_all,
  collective_permute,
  collective_broadcast,
  collective_reduce,
};

/// How the bytes of a collective move between the n members of a group, which decides its time (simulate/network.h and
/// nccl.h). V is the larger of operand and result of a member.
enum class Traffic : std::uint8_t {
  pass,        ///< each member's part passes through all others: V (n-1)/n
  two_passes,  ///< the same for a reduction and then for its result
  exchange,    ///< each member sends another part of V to each other member
  send,        ///< each member sends V to one other member
};

/// What is known of a kind of collective apart from its semantics (Collective, below): a row of the table in traits.cpp.
struct CollectiveFacts {
  CollectiveKind kind;
  std::string_view name;
  Traffic traffic;
  unsigned chakra;       ///< its number in Chakra's CollectiveCommType
  std::string_view why;  ///< why a program has it, for reports: {from}, {axes} and {to} are the parts of the sentence
};
std::span<const CollectiveFacts> collective_kinds();
const CollectiveFacts& facts_of(CollectiveKind kind);
std::string_view name_of(CollectiveKind kind);
/// The kind of this name, such as "all_gather".
std::optional<CollectiveKind> collective_kind(std::string_view name);

/// The data exchange of a collective. Member i of a group receives a piece of each member's operand: all of it, or its
/// chunk i along `split`. The pieces are combined, or concatenated along `join` in the order of the members.
///
///   reduce_scatter  split = scatter_dimension, combines
///   all_to_all      split = split_dimension, join = concat_dimension
struct Collective {
  /// nullopt: each device keeps a piece of its own operand, and nothing is sent (spmd.all_slice).
  std::optional<CollectiveKind> kind = std::nullopt;
  const char* split = nullptr;  ///< name of the attribute that holds the split dimension; null: not split
  const char* join = nullptr;   ///< name of the attribute that holds the concatenated dimension; null: not concatenated
  bool combines = false;        ///< the pieces are combined by the operation's computation
  bool from_root = false;       ///< only the root's piece is received
  bool to_root = false;         ///< only the root receives; the others hold zeros
  bool pairs = false;           ///< groups are (source, target) pairs; a device that is no target holds zeros
  bool by_partition = false;    ///< with a channel, the ids in groups are partitions (specification, "Grouping")
  const char* expands_to = nullptr;  ///< for an operation over mesh axes: the one over replica groups

  /// Whether it names mesh axes and not replica groups (spmd.*).
  [[nodiscard]] bool over_axes() const { return expands_to != nullptr; }
  /// Whether a device may hold zeros afterwards that no member sent.
  [[nodiscard]] bool may_leave_zeros() const { return from_root || to_root || pairs; }
  /// Whether every member ends with what the pieces of all combine to, or its chunk of it.
  [[nodiscard]] bool reduces() const { return combines && !to_root; }
};

}  // namespace partir
