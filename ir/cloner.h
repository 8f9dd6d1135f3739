// Copies operations of one function into another, or to another place of the same one. Copies keep their OpId: they stand
// for the same operation of the source program.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace partir {

/// A map from the values of one function to those of another, and copying under it.
///
///   Cloner cloner(callee, caller);
///   cloner.map(callee.arguments()[0], call.operands[0]);
///   Block body = cloner.block(callee.body);
class Cloner {
 public:
  Cloner(const Function& from, Function& to) : from_(from), to_(to) {}

  void map(ValueId from, ValueId to) { map_[from] = to; }
  /// What a value of the first function is in the second, if anything yet.
  [[nodiscard]] std::optional<ValueId> find(ValueId v) const;
  /// The same of a value that must have been mapped.
  [[nodiscard]] ValueId at(ValueId v) const;
  /// What a value that is defined here becomes: what it was mapped to beforehand, else a new value of its type.
  ValueId declare(ValueId v);

  /// The operation with mapped operands, its regions copied, its results declared.
  Op op(const Op& op) {
    return this->op(op, [this](const Op& inner, Block& into) { into.ops.push_back(this->op(inner)); });
  }
  /// The block with declared arguments and copies of its operations.
  Block block(const Block& block) {
    return this->block(block, [this](const Op& inner, Block& into) { into.ops.push_back(op(inner)); });
  }

  /// The same where each(op, into) appends what becomes of an operation inside.
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

  /// The operation with mapped operands, without regions; its results are still those of the first function.
  [[nodiscard]] Op head(const Op& op) const;

 private:
  const Function& from_;
  Function& to_;
  std::unordered_map<ValueId, ValueId> map_;
};

}  // namespace partir
