// Copies operations of one function into another function, or to another place in the same one. A copy keeps its OpId,
// because it represents the same operation of the source program.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace partir {

/// Copies operations and renames their values by a map from the values of one function to those of another.
///
///   Cloner cloner(callee, caller);
///   cloner.map(callee.arguments()[0], call.operands[0]);
///   Block body = cloner.block(callee.body);
class Cloner {
 public:
  Cloner(const Function& from, Function& to) : from_(from), to_(to) {}

  void map(ValueId from, ValueId to) { map_[from] = to; }
  /// The value that `v` is mapped to; nullopt if it is not mapped yet.
  [[nodiscard]] std::optional<ValueId> find(ValueId v) const;
  /// The value that `v`, which must be mapped, is mapped to.
  [[nodiscard]] ValueId at(ValueId v) const;
  /// The value that the definition of `v` becomes in the copy: the one it is mapped to already, or a new value of the
  /// same type.
  ValueId declare(ValueId v);

  /// A copy of the operation, with mapped operands, copied regions and declared results.
  Op op(const Op& op) {
    return this->op(op, [this](const Op& inner, Block& into) { into.ops.push_back(this->op(inner)); });
  }
  /// A copy of the block, with declared arguments and copied operations.
  Block block(const Block& block) {
    return this->block(block, [this](const Op& inner, Block& into) { into.ops.push_back(op(inner)); });
  }

  /// As above, but each(op, into) appends the replacement of a nested operation to block `into`.
  template <class F>
  Op op(const Op& op, const F& each) {
    Op out = head(op);
    out.regions.reserve(op.regions.size());
    for (const Block& b : op.regions) out.regions.push_back(block(b, each));
    for (ValueId& v : out.results) v = declare(v);
    return out;
  }
  template <class F>
  Block block(const Block& block, const F& each) {
    Block out;
    out.arguments.reserve(block.arguments.size());
    for (const ValueId v : block.arguments) out.arguments.push_back(declare(v));
    out.ops.reserve(block.ops.size());
    for (const Op& inner : block.ops) each(inner, out);
    return out;
  }

  /// A copy of the operation with mapped operands and without regions; its results are not mapped yet.
  [[nodiscard]] Op head(const Op& op) const;

 private:
  const Function& from_;
  Function& to_;
  std::unordered_map<ValueId, ValueId> map_;
};

}  // namespace partir
