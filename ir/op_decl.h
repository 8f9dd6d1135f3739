// The declaration of an operation: everything the project knows about it, in one place.
//
// To add an operation: write one file in ir/ops with its constraints, meaning, entries and local program, and name its
// list in ir/ops/ops.h.
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

/// An operation apart from any function: what its declaration is asked about. Local programs are instances too.
struct OpInstance {
  const OpDecl* decl = nullptr;
  AttributeList attributes;
  std::vector<Type> operands;
  std::vector<Type> results;
  std::vector<LiteralPtr> splats;      ///< per operand: the scalar all of whose elements it is known to be, or null
  std::vector<KnownPlaces> places;     ///< per operand, of what `traits.by_places`; else none (ir/splat.h)
  const Function* function = nullptr;  ///< owner of the regions
  const std::vector<Block>* regions = nullptr;
  Place place;

  [[nodiscard]] const std::vector<std::int64_t>& ints(std::string_view attribute) const;  ///< empty if absent
  [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise = 0) const;
  [[nodiscard]] std::string keyword(std::string_view attribute) const;  ///< "" if absent
  /// The monoid of region 0, when its body is one combiner of its two arguments.
  [[nodiscard]] std::optional<Monoid> monoid() const;
};

/// The instance of an operation in a function, without known splats, and with those of its operands (ir/splat.h).
OpInstance instance_of(const Function& function, const Op& op);
OpInstance instance_of(const Function& function, const Op& op, const Splats& splats);

/// How an attribute is spelled in the pretty form and in properties.
struct AttrSpec {
  enum class Kind : std::uint8_t { integer, ints, boolean, keyword, keywords, raw };
  std::string name;    ///< StableHLO's property name
  std::string pretty;  ///< the key of the pretty form ("dims"); empty if it has none
  Kind kind = Kind::raw;
  std::string enumeration;  ///< of keywords: "precision" in #stablehlo<precision DEFAULT>
  std::string group;        ///< the structured property it is a field of: "dimension_numbers"
  std::string head;         ///< of that property: "#stablehlo.gather"
  bool required = false;
};

/// Along `dim`, place i of the result is place i - by of the operand, zero where there is none; or where places are
/// reversed, place size - 1 - i.
struct Shift {
  Dim dim = 0;
  std::int64_t by = 0;
  bool reverses = false;

  /// Whether chunks of so many places are moved whole.
  [[nodiscard]] bool moves_chunks(std::int64_t chunk) const { return reverses ? chunk == 1 : by % chunk == 0; }
};

struct OpDecl {
  enum class Kind : std::uint8_t {
    array,       ///< has a meaning in index notation
    collective,  ///< meets other devices; semantics in semantics/collectives
    device,      ///< depends on the device: partition_id
    core,        ///< loops and slices of PartIR:Core
    control,     ///< while, if, case, optimization_barrier (ir/control_flow.h), and scan, which is carried whole
    host,        ///< the interpreter's own: tokens, tuples, channels, feeds, checks; carried whole like control
    terminator,
    opaque,  ///< known by name; its meaning is not there yet
  };
  /// What stands after the colon of the pretty form.
  enum class TypeForm : std::uint8_t {
    same,    ///< one type for all operands and results
    select,  ///< predicate type, value type
    list,    ///< one type per operand, results alike
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
  Collective collective;  ///< of such a kind
  bool generic = false;   ///< printed in the generic form, as JAX does
  bool pure = true;       ///< may be dropped when unused

  /// Reads what follows the name, and prints it; null: by the tables above.
  void (*parse)(text::Parser&, Function&, Op&) = nullptr;
  void (*print)(text::OpPrinter&, const Function&, const Op&) = nullptr;
  /// Whether `print` can say all of the operation, which else prints in the generic form. Null: it always can.
  bool (*prints)(const Function&, const Op&) = nullptr;

  /// Shape rule and constraints; throws UserError labelled "name (C3)". Null: no rule yet.
  void (*verify)(const OpInstance&) = nullptr;
  void (*meaning)(const OpInstance&, MeaningBuilder&) = nullptr;
  /// Whether the meaning covers this instance; null: all of them.
  bool (*covers)(const OpInstance&) = nullptr;
  /// All tile-mapping entries along an axis, also those with partial operands. Null: none.
  std::vector<Entry> (*entries)(const OpInstance&) = nullptr;
  /// Attributes of the operation at other sizes of the dimension that an entry tiles; `local` has its types already.
  /// Null: unchanged.
  void (*localize)(const OpInstance& global, const Entry&, OpInstance& local) = nullptr;
  /// The same written in other operations, whose entries take what its own do not: an operand that is in n chunks along
  /// `dim`, or behind the operands the result that is wanted so (ir/ops/offsets.h). Arguments are the operands. Null,
  /// or nothing: there is none.
  std::optional<Function> (*by_offsets)(const OpInstance&, std::size_t operand, Dim dim, std::int64_t n) = nullptr;
  /// The same of an operand that has `size` elements along `dim`, of which those behind its own end may be anything;
  /// or, behind the operands, of a result that is wanted so (ir/ops/padded.h). Arguments are the operands; what is a
  /// result goes on along with the operand where it has the operand's type. Null, or nothing: there is none.
  std::optional<Function> (*padded)(const OpInstance&, std::size_t operand, Dim dim, std::int64_t size) = nullptr;
  /// Entries that hold once the operation is written so for the first operand that they tile: of windows, which reach
  /// beyond a chunk. Propagation goes by them where an operand comes tiled; no device computes by them. Null: none.
  std::vector<Entry> (*in_blocks)(const OpInstance&) = nullptr;
  /// How the operation moves operand 0, if that is all it does. Null, or nothing: it does not.
  std::optional<Shift> (*shift)(const OpInstance&) = nullptr;
};

/// The declaration of a name; null when no specification has it.
const OpDecl* find_decl(std::string_view name);
/// A declaration for a name of another dialect, kept as opaque.
const OpDecl* foreign_decl(std::string_view name);
const std::vector<const OpDecl*>& all_decls();

/// Checks an operation against its declaration.
Result<void> verify_op(const OpInstance& op);
/// Checks every operation of a function, and uses before definitions.
Result<void> verify_function(const Function& function);

/// Whether the operation has a meaning here: types and attributes included.
bool has_meaning(const OpInstance& op);
/// Meaning of an operation; it must have one.
Meaning meaning_of(const OpInstance& op);
std::vector<Entry> entries_of(const OpInstance& op);

/// The operation with the dimensions that an entry tiles times / over as long; nothing where that is no whole number.
std::optional<OpInstance> resized(const OpInstance& op, const Entry& entry, std::int64_t times, std::int64_t over);
/// The device-local operation of an entry on n devices, or nothing when a tiled slot is not divisible by n.
std::optional<OpInstance> localize(const OpInstance& op, const Entry& entry, std::int64_t n);

/// Fails with the label of a constraint of the specification.
void require(bool condition, const OpInstance& op, std::string_view label, std::string_view wanted,
             const std::string& found = "");

}  // namespace partir
