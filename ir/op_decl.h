// The declaration of an operation (OpDecl): its syntax, constraints, meaning, tile-mapping entries and decompositions,
// in one place. The parser, printer, verifier, propagation, lowering, interpreters and prover all read declarations.
//
// To add an operation, write one file in ir/ops with its constraints, meaning, entries and local program, and add its
// list to ir/ops/ops.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/action.h"
#include "ir/meaning.h"
#include "ir/program.h"
#include "ir/splat.h"
#include "ir/traits.h"

namespace partir {

namespace text {
class Parser;
class OpPrinter;
}  // namespace text

/// An operation detached from any block: its attributes and the types of its operands and results. The callbacks of a
/// declaration take instances. A device-local operation is represented as an instance, too.
struct OpInstance {
  const OpDecl* decl = nullptr;
  AttributeList attributes;
  std::vector<Type> operands;
  std::vector<Type> results;
  std::vector<LiteralPtr> splats;      ///< per operand: the scalar that all its elements are known to equal, or null
  std::vector<KnownPlaces> places;     ///< per operand if `traits.by_places`, else empty (ir/splat.h)
  const Function* function = nullptr;  ///< the function that owns the regions
  const std::vector<Block>* regions = nullptr;
  Place place;

  [[nodiscard]] const std::vector<std::int64_t>& ints(std::string_view attribute) const;  ///< empty if absent
  [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise = 0) const;
  [[nodiscard]] std::string keyword(std::string_view attribute) const;  ///< "" if absent
  /// The monoid that region 0 combines by, if its body is a single combiner applied to its two arguments. On booleans
  /// add and maximum are disj, multiply and minimum are conj.
  [[nodiscard]] std::optional<Monoid> monoid() const;
};

/// The instance of an operation of a function: without facts about its operands, or with those in `splats`
/// (ir/splat.h).
OpInstance instance_of(const Function& function, const Op& op);
OpInstance instance_of(const Function& function, const Op& op, const Splats& splats);

/// How an attribute is spelled in the pretty form and in properties.
struct AttrSpec {
  enum class Kind : std::uint8_t { integer, ints, boolean, keyword, keywords, raw };
  std::string name;    ///< StableHLO's property name
  std::string pretty;  ///< the key of the pretty form ("dims"); empty if it has none
  Kind kind = Kind::raw;
  std::string enumeration;  ///< for keywords, the enumeration: "precision" in #stablehlo<precision DEFAULT>
  std::string group;        ///< the structured property that the attribute is a field of: "dimension_numbers"
  std::string head;         ///< the spelling of that property: "#stablehlo.gather"
  bool required = false;
};

/// A movement of elements along `dim`: element i of the result is element i - by of the operand, or zero if the operand
/// has no such element. If `reverses`, element i of the result is element size - 1 - i of the operand.
struct Shift {
  Dim dim = 0;
  std::int64_t by = 0;
  bool reverses = false;

  /// True if chunks of `chunk` elements are moved as units, so that a collective_permute implements the shift. A
  /// reversal reorders elements within a chunk, so its chunks must have one element.
  [[nodiscard]] bool moves_chunks(std::int64_t chunk) const { return reverses ? chunk == 1 : by % chunk == 0; }
};

struct OpDecl {
  enum class Kind : std::uint8_t {
    array,       ///< has a meaning in index notation
    collective,  ///< communicates with other devices; semantics in semantics/collectives
    device,      ///< depends on the executing device: partition_id
    core,        ///< loops and slices of PartIR:Core
    control,     ///< while, if, case, optimization_barrier (ir/control_flow.h), and scan, which is kept unpartitioned
    host,        ///< runs on the interpreter's host: tokens, tuples, channels, feeds, checks; kept unpartitioned
    terminator,
    opaque,  ///< known by name only, without a meaning
  };
  /// The types after the colon of the pretty form.
  enum class TypeForm : std::uint8_t {
    same,    ///< one type for all operands and results
    select,  ///< predicate type, value type
    list,    ///< one type per operand; the results have the same types
    functional,
    complex,  ///< the complex type; operands have its real type
    arrow,    ///< chlo: operand types -> result types
  };

  std::string name;
  Kind kind = Kind::opaque;
  TypeForm types = TypeForm::functional;
  std::vector<AttrSpec> attributes;
  OpTraits traits;
  Control control = Control::none;
  Collective collective;  ///< for operations of kind `collective`
  bool generic = false;   ///< printed in the generic form, as JAX does
  bool pure = true;       ///< may be dropped when unused

  /// Reads and prints what follows the operation's name. Null: the tables above determine the form.
  void (*parse)(text::Parser&, Function&, Op&) = nullptr;
  void (*print)(text::OpPrinter&, const Function&, const Op&) = nullptr;
  /// True if `print` can express the operation completely; otherwise it is printed in the generic form. Null: it
  /// always can.
  bool (*prints)(const Function&, const Op&) = nullptr;

  /// Checks the shape rule and the constraints of the specification; throws UserError labelled "name (C3)". Null: no
  /// rule is implemented.
  void (*verify)(const OpInstance&) = nullptr;
  void (*meaning)(const OpInstance&, MeaningBuilder&) = nullptr;
  /// True if the meaning covers this instance. Null: it covers all instances.
  bool (*covers)(const OpInstance&) = nullptr;
  /// All tile-mapping entries along one axis, including those with partial operands. Null: there are none.
  std::vector<Entry> (*entries)(const OpInstance&) = nullptr;
  /// Sets the attributes of `local` for the changed size of the dimension that the entry tiles; the types of `local`
  /// are already set. Returns false if there is no such operation: a group may not be divided. Null: the attributes do
  /// not depend on the size.
  bool (*localize)(const OpInstance& global, const Entry&, OpInstance& local) = nullptr;
  /// Sets the attributes that only repeat sizes of the types, before `localize`. Null: there are none.
  void (*repeat_sizes)(OpInstance&) = nullptr;
  /// Returns an equivalent function whose operations have entries where this operation has none: for operand `operand`
  /// in n chunks along `dim`, or, if `operand` equals the number of operands, for a result requested in n chunks
  /// (ir/ops/offsets.h). Its arguments are the operands. Null or nullopt: there is no such decomposition.
  std::optional<Function> (*by_offsets)(const OpInstance&, std::size_t operand, Dim dim, std::int64_t n) = nullptr;
  /// Returns an equivalent function for operand `operand` padded to `size` elements along `dim`, whatever the padding
  /// contains; or, if `operand` equals the number of operands, for a result requested with such padding
  /// (ir/ops/padded.h). Its arguments are the operands; a result is padded like the operand if it has the operand's
  /// type. Null or nullopt: there is no such function.
  std::optional<Function> (*padded)(const OpInstance&, std::size_t operand, Dim dim, std::int64_t size) = nullptr;
  /// Entries that hold only once `by_offsets` has decomposed the operation for the first operand that the entry tiles:
  /// windows have them, because a window reaches beyond its chunk. Propagation uses them if an operand is tiled; no
  /// device-local operation is derived from them. Null: there are none.
  std::vector<Entry> (*in_blocks)(const OpInstance&) = nullptr;
  /// The shift by which the operation moves operand 0, if that is all it does. Null or nullopt: it does something else.
  std::optional<Shift> (*shift)(const OpInstance&) = nullptr;
};

/// The declaration of the operation `name`; null if no supported specification defines it.
const OpDecl* find_decl(std::string_view name);
/// An opaque declaration for an operation of another dialect, created on first use. Thread-safe.
const OpDecl* foreign_decl(std::string_view name);
const std::vector<const OpDecl*>& all_decls();

/// Checks an operation against the constraints of its declaration.
Result<void> verify_op(const OpInstance& op);
/// Checks every operation of a function, and that every value is defined before it is used.
Result<void> verify_function(const Function& function);

/// True if the operation has a meaning at its types and attributes.
bool has_meaning(const OpInstance& op);
/// The meaning of an operation, which must have one.
Meaning meaning_of(const OpInstance& op);
std::vector<Entry> entries_of(const OpInstance& op);

/// The operation with the dimensions that the entry tiles scaled by times / over; nullopt if a size is then no integer,
/// or if the operation has no such form.
std::optional<OpInstance> resized(const OpInstance& op, const Entry& entry, std::int64_t times, std::int64_t over);
/// The device-local operation of an entry on n devices; nullopt if n does not divide what the entry tiles. For
/// add : tensor<8xf32> and (#tile<0>, #tile<0>) -> (#tile<0>) on 4 devices it is add : tensor<2xf32>.
std::optional<OpInstance> localize(const OpInstance& op, const Entry& entry, std::int64_t n);

/// Throws UserError with the label of a constraint of the specification unless `condition` holds.
void require(bool condition, const OpInstance& op, std::string_view label, std::string_view wanted,
             const std::string& found = "");

}  // namespace partir
