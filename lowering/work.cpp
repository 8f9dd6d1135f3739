#include "lowering/work.h"

#include <algorithm>
#include <set>

#include "ir/operation_key.h"
#include "ir/ops/common.h"

namespace partir {
namespace {

/// Elements of each operand touched by evaluating all results: the product of the ranges that occur in a read's
/// indices.
class Touched {
 public:
  Touched(const Meaning& meaning, const OpInstance& op) : m_(meaning), op_(op), elements_(op.operands.size(), 0) {
    for (const ScalarTerm& t : m_.scalars) {
      if (t.kind == ScalarTerm::Kind::read) add(t.operand, t.indices);
    }
    for (const IndexTerm& t : m_.indices) {
      if (t.kind == IndexTerm::Kind::read) add(static_cast<std::size_t>(t.value), t.indices);
    }
  }
  [[nodiscard]] std::vector<double> elements() const { return elements_; }

 private:
  void add(std::size_t operand, const std::vector<IndexId>& indices) {
    std::set<RangeId> ranges;
    for (const IndexId i : indices) collect(i, ranges);
    double points = 1;
    for (const RangeId r : ranges) points *= static_cast<double>(m_.extent(r));
    elements_[operand] = std::min(static_cast<double>(op_.operands[operand]->elements()), elements_[operand] + points);
  }

  void collect(IndexId id, std::set<RangeId>& ranges) const {
    const IndexTerm& t = m_.at(id);
    using Kind = IndexTerm::Kind;
    switch (t.kind) {
      case Kind::constant: return;
      case Kind::range: ranges.insert(t.range); return;
      case Kind::read:
        for (const IndexId i : t.indices) collect(i, ranges);
        return;
      default: collect(t.a, ranges); collect(t.b, ranges);
    }
  }

  const Meaning& m_;
  const OpInstance& op_;
  std::vector<double> elements_;
};

Work work_of(const Function& f, const Op& op) {
  Work out;
  const OpInstance instance = instance_of(f, op);
  if (op.decl->meaning != nullptr && has_meaning(instance)) {
    const Meaning meaning = meaning_of(instance);
    out.known = true;
    out.flops = meaning.flops();
    out.read = Touched(meaning, instance).elements();
    out.folds = std::any_of(meaning.scalars.begin(), meaning.scalars.end(), [](const ScalarTerm& t) {
      return t.kind == ScalarTerm::Kind::reduce || t.kind == ScalarTerm::Kind::library;
    });
    return out;
  }
  for (const Type& t : instance.operands) out.read.push_back(t.is_tensor() ? static_cast<double>(t->elements()) : 0);
  return out;
}

}  // namespace

const Work& WorkTable::of(const Op& op) {
  write_operation_key(f_, op, key_);
  const auto [it, fresh] = known_.try_emplace(key_);
  if (fresh) it->second = work_of(f_, op);
  return it->second;
}

}  // namespace partir
