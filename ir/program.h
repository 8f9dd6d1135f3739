// The program representation: a module holds functions, a function holds blocks, a block holds operations in SSA order.
// Values are referred to by id. A pass walks a function once and returns a new one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/attribute.h"
#include "ir/types.h"
#include "support/diagnostic.h"
#include "support/ids.h"

namespace partir {

struct OpDecl;
struct Op;

/// The origin of an operation, read from its loc(…). JAX prints locations with as_text(debug_info=True).
struct SourceLocation {
  std::string name;    ///< "jit(f)/layers/mul": named scopes and the primitive; empty if there is none
  std::string source;  ///< "model.py:12:7", the innermost source position; empty if there is none
};

/// One block: its arguments and its operations, the last of which is a terminator.
struct Block {
  std::vector<ValueId> arguments;
  std::vector<Op> ops;
};

struct Op {
  explicit Op(OpId own, const OpDecl* what = nullptr) : id(own), decl(what) {}

  /// Identifies the operation across passes: an operation that a pass derives from this one keeps the id, and an
  /// operation that a pass adds gets a new one (Function::new_op). Unique within a function.
  OpId id;
  const OpDecl* decl;  ///< never null in a finished program
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  AttributeList attributes;
  std::vector<Block> regions;
  Place place;
  std::shared_ptr<const SourceLocation> location;  ///< null if the source has no loc(…)

  [[nodiscard]] const std::string& name() const;
};

struct Function {
  std::string name;
  bool is_public = true;
  std::vector<Type> types;  ///< by ValueId, for all values including those of nested blocks
  Block body;
  std::vector<AttributeList> argument_attributes;
  std::vector<AttributeList> result_attributes;
  std::vector<std::string> argument_locations;  ///< argument names from loc("…"); empty if there is none
  AttributeList attributes;
  Place place;
  std::size_t op_ids = 0;  ///< ids below this are in use, here or in a function that this one derives from

  OpId new_op() { return OpId(op_ids++); }
  [[nodiscard]] const Type& type(ValueId value) const { return types[value.index()]; }
  /// The type of a value, which must be a tensor.
  [[nodiscard]] const TensorType& tensor(ValueId value) const { return *types[value.index()]; }
  ValueId add_value(Type type);
  [[nodiscard]] const std::vector<ValueId>& arguments() const { return body.arguments; }
  /// The operands of the return operation.
  [[nodiscard]] const std::vector<ValueId>& returned() const { return body.ops.back().operands; }
};

/// Returns a function with the same name, visibility, attributes, argument locations, place and op_ids, but without
/// values and without a body.
Function signature_of(const Function& function);

struct Module {
  std::string name;
  AttributeList attributes;
  std::vector<std::string> declarations;  ///< other top-level lines (sdy.mesh), as written
  std::vector<Function> functions;
  std::size_t operations = 0;  ///< in the source; each call counts once, terminators do not count

  [[nodiscard]] const Function* find(std::string_view function) const;
  /// `main`, or the only public function.
  [[nodiscard]] Result<const Function*> main() const;
};

/// Returns the values of enclosing blocks that the regions of `op` read: each once, in the order of first use.
std::vector<ValueId> captured(const Op& op);

/// True if the regions of two operations perform the same computation and read the same values from outside. Regions
/// of different functions may not read any.
bool same_regions(const Function& f, const std::vector<Block>& a, const Function& g, const std::vector<Block>& b);

/// Functions of the module other than `main` that attributes of its operations name, as the called_computations of a
/// custom_call do; also those that these functions name in turn. A module without them is incomplete.
std::vector<const Function*> named_functions(const Module& module);

/// The name of a function that attributes of both modules' operations name, and that is another one in each.
std::optional<std::string> differing_function(const Module& a, const Module& b);

/// Replaces every func.call and every stablehlo.composite by the body of its callee, in all functions, and keeps only
/// public functions, `main`, and named_functions. Operations that only specify how a value is sharded (custom_call
/// @Sharding, Shardy's reshards, barriers, groups and collectives) become sdy.sharding_constraint, an identity that
/// carries the specification in its attributes: "sharding" (Shardy's), "mhlo.sharding", "backend_config",
/// "allowed_direction" (of a propagation barrier), "group_id" (of a sharding group). sdy.constant becomes
/// stablehlo.constant.
/// Errors: no public function, an unknown callee, types that do not match the callee's, recursion, more than a million
/// operations, calls and regions nested more than 1000 deep.
Result<Module> inline_calls(Module module);

/// The first difference between two functions, of which their names are part; nullopt if there is none up to the
/// numbering of values and the order of attributes.
std::optional<std::string> difference_of(const Function& f, const Function& g);

/// True if two modules have the same operations, attributes and types, up to the numbering of values and the order of
/// attributes. Otherwise `difference`, if given, describes the first difference.
bool same_program(const Module& a, const Module& b, std::string* difference = nullptr);

}  // namespace partir
