// Programs: modules of functions of operations in SSA order. Values are referred to by id; a pass walks a function once
// and returns a new one.
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

/// Where an operation comes from, as loc(…) tells (as_text(debug_info=True)).
struct SourceLocation {
  std::string name;    ///< "jit(f)/layers/mul": scopes and the primitive; empty where there is none
  std::string source;  ///< "model.py:12:7", the innermost; empty where there is none
};

/// One block: its arguments and its operations, the last of which is a terminator.
struct Block {
  std::vector<ValueId> arguments;
  std::vector<Op> ops;
};

struct Op {
  explicit Op(OpId own, const OpDecl* what = nullptr) : id(own), decl(what) {}

  /// Stands for this operation of the source in whatever passes make of it: what is derived from an operation keeps its
  /// id, what a pass adds gets a new one (Function::new_op). Unique within a function.
  OpId id;
  const OpDecl* decl;  ///< never null in a finished program
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  AttributeList attributes;
  std::vector<Block> regions;
  Place place;
  std::shared_ptr<const SourceLocation> location;  ///< null where the text has none

  [[nodiscard]] const std::string& name() const;
};

struct Function {
  std::string name;
  bool is_public = true;
  std::vector<Type> types;  ///< by ValueId, for all values, also of nested blocks
  Block body;
  std::vector<AttributeList> argument_attributes;
  std::vector<AttributeList> result_attributes;
  std::vector<std::string> argument_locations;  ///< names from loc("…"), empty where there is none
  AttributeList attributes;
  Place place;
  std::size_t op_ids = 0;  ///< ids below this are taken, by this function or by one that it was made from

  OpId new_op() { return OpId(op_ids++); }
  [[nodiscard]] const Type& type(ValueId value) const { return types[value.index()]; }
  /// The type of a value that is a tensor.
  [[nodiscard]] const TensorType& tensor(ValueId value) const { return *types[value.index()]; }
  ValueId add_value(Type type);
  [[nodiscard]] const std::vector<ValueId>& arguments() const { return body.arguments; }
  /// Operands of the return.
  [[nodiscard]] const std::vector<ValueId>& returned() const { return body.ops.back().operands; }
};

/// The function's name, attributes, locations of arguments and taken ids; no values and no body.
Function signature_of(const Function& function);

struct Module {
  std::string name;
  AttributeList attributes;
  std::vector<std::string> declarations;  ///< other top-level lines (sdy.mesh), as written
  std::vector<Function> functions;
  std::size_t operations = 0;  ///< of the text, calls counted once, terminators and reduction bodies not

  [[nodiscard]] const Function* find(std::string_view function) const;
  /// `main`, or the only public function.
  [[nodiscard]] Result<const Function*> main() const;
};

/// Values of enclosing blocks that the regions of an operation read.
std::vector<ValueId> captured(const Op& op);

/// Whether the regions of two operations are the same computation, reading the same values from outside.
bool same_regions(const Function& f, const std::vector<Block>& a, const Function& g, const std::vector<Block>& b);

/// Replaces every func.call by the body of its callee, in all functions; keeps only public functions. Operations that
/// only say how a value is sharded (custom_call @Sharding, Shardy's reshards and collectives) become
/// sdy.sharding_constraint with what they say: "sharding" (Shardy's), "mhlo.sharding", "allowed_direction" (of a
/// barrier), "group_id" (of a sharding group). sdy.constant becomes stablehlo.constant.
/// Errors: no public function, an unknown callee, wrong types, recursion, more than a million operations.
Result<Module> inline_calls(Module module);

/// Same operations, attributes and types up to the numbering of values and the order of attributes.
bool same_program(const Module& a, const Module& b, std::string* difference = nullptr);

}  // namespace partir
