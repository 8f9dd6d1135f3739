// What holds of every instance of an operation, as its declaration says it. Who asks about a kind of operation asks for
// these, not for names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace partir {

struct OpTraits {
  bool constant = false;    ///< its value stands in its attribute "value"
  bool rearranges = false;  ///< each element of the result is one of operand 0's, found by types and attributes alone
  bool permutes = false;    ///< all elements of operand 0, each once: the same bytes, at most in another order
  bool cuts = false;        ///< a part of operand 0, perhaps at indices that other operands give
  bool repeats = false;     ///< elements of operand 0, each for several of the result
  bool looks_up = false;    ///< elements of operand 0 at indices that another operand holds
  bool converts = false;    ///< operand 0's numbers in another type
  bool contracts = false;   ///< sums of products of two operands: what matrix units are for
  std::optional<std::size_t> update = std::nullopt;  ///< operand 0 with elements replaced, in place where it may be, by
                                                     ///< those of this operand
  bool by_places = false;  ///< its entries follow from what is known of places of its operands (ir/splat.h), too
};

/// What an operation does with its regions, or with operands that it hands on.
enum class Control : std::uint8_t {
  none,
  loop,     ///< region 0 says whether to go on, region 1 is the body; operands are carried (stablehlo.while)
  branch,   ///< runs one of its regions, which read what is outside (stablehlo.if, case)
  barrier,  ///< hands its operands on (stablehlo.optimization_barrier)
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
std::string_view name_of(CollectiveKind kind);

/// How devices exchange what they hold. Member i of a group receives a piece of each member's operand (all of it, or
/// its chunk i along `split`); these are combined, or joined along `join` in the order of members.
///
///   reduce_scatter  split = scatter_dimension, combines
///   all_to_all      split = split_dimension, join = concat_dimension
struct Collective {
  /// Nothing: each device keeps a piece of its own operand, and nothing is sent (spmd.all_slice).
  std::optional<CollectiveKind> kind = std::nullopt;
  const char* split = nullptr;  ///< attribute with the dimension
  const char* join = nullptr;   ///< attribute with the dimension
  bool combines = false;        ///< by the operation's computation
  bool from_root = false;       ///< only the root's piece is received
  bool to_root = false;         ///< only the root receives; the others hold zeros
  bool pairs = false;           ///< groups are pairs of a source and a target, and who is no target holds zeros
  bool by_partition = false;    ///< ids in groups are partitions where there is a channel (specification, "Grouping")
  const char* expands_to = nullptr;  ///< of an operation over mesh axes: the one over replica groups
};

}  // namespace partir
