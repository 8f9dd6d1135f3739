#include "verify/certificate/batching.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/builder.h"
#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "verify/certificate/checker.h"
#include "verify/certificate/effects.h"

namespace partir {
namespace {

constexpr std::size_t kOperations = 64;  ///< of the computation of indices; what lies further back is arbitrary

/// The operations of a function, by result.
using Definitions = std::unordered_map<ValueId, const Op*>;
Definitions definitions_of(const Function& f) {
  Definitions out;
  for_each_op(f.body, [&out](const Op& op) {
    for (const ValueId v : op.results) out[v] = &op;
  });
  return out;
}

/// An operation with the integer operations that compute its operands.
class Computation {
 public:
  Computation(const Function& f, const Definitions& definitions, ValueId result)
      : f_(f), definitions_(definitions), root_(definitions.at(result)) {}

  [[nodiscard]] const Op& operation() const { return *root_; }

  /// Includes the operations that compute the integer operands.
  void reach_back() {
    for (const ValueId v : root_->operands) include(v, [this](const Op& op) { return is_of_indices(op); });
  }
  /// Includes the operations of `other`, and those whose results `other`'s function does not have.
  void reach_back_to(const Computation& other) {
    for (const ValueId v : root_->operands) {
      include(v, [&](const Op& op) {
        return other.seen_.contains(op.results[0]) || op.results[0].index() >= other.f_.types.size();
      });
    }
  }

  /// The values that the operations read and do not define.
  [[nodiscard]] std::vector<ValueId> read() const {
    std::vector<ValueId> out;
    const auto add = [&](ValueId v) {
      if (!seen_.contains(v) && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    for (const Op* op : operations_) std::for_each(op->operands.begin(), op->operands.end(), add);
    std::for_each(root_->operands.begin(), root_->operands.end(), add);
    return out;
  }

  /// The results as a function of `arguments`, which must include read().
  [[nodiscard]] Function function(const std::vector<ValueId>& arguments) const {
    Function out;
    Builder b(out, out.body);
    Cloner cloner(f_, out);
    for (const ValueId v : arguments) cloner.map(v, b.argument(f_.type(v)));
    for (const Op* op : operations_) out.body.ops.push_back(cloner.op(*op));
    out.body.ops.push_back(cloner.op(*root_));
    std::vector<ValueId> results;
    for (const ValueId v : root_->results) results.push_back(cloner.at(v));
    b.give(std::move(results));
    return out;
  }

 private:
  template <class Is>
  void include(ValueId v, const Is& is_included) {
    const auto it = definitions_.find(v);
    if (it == definitions_.end() || seen_.contains(v) || !is_included(*it->second)) return;
    seen_.insert(v);
    for (const ValueId operand : it->second->operands) include(operand, is_included);
    operations_.push_back(it->second);
  }

  [[nodiscard]] bool is_of_indices(const Op& op) const {
    if (op.decl->kind != OpDecl::Kind::array || op.results.size() != 1 || !op.regions.empty() ||
        seen_.size() >= kOperations || depends_on_device_or_has_effects(op))
      return false;
    const TensorType* type = f_.type(op.results[0]).as<TensorType>();
    return type != nullptr && (is_integer(type->element) || type->element == ElementType::i1) && is_elementwise(op);
  }

  /// Whether no element of the result combines many. A product of indices is data: nothing is known of its positions, and
  /// written out it is as large as the product of what it multiplies.
  [[nodiscard]] bool is_elementwise(const Op& op) const {
    const OpInstance instance = instance_of(f_, op);
    if (!has_meaning(instance)) return false;
    const Meaning meaning = meaning_of(instance);
    return std::none_of(meaning.scalars.begin(), meaning.scalars.end(), [](const ScalarTerm& t) {
      return t.kind == ScalarTerm::Kind::reduce || t.kind == ScalarTerm::Kind::library;
    });
  }

  const Function& f_;
  const Definitions& definitions_;
  const Op* root_;
  std::vector<const Op*> operations_;  ///< in the order of use-def
  std::set<ValueId> seen_;             ///< their results
};

}  // namespace

RewritingReport check_batching(const Function& source, const Function& batched, const std::set<ValueId>& operations,
                               LocalPrograms& programs) {
  RewritingReport out;
  const Definitions before = definitions_of(source);
  const Definitions after = definitions_of(batched);
  for (const ValueId result : operations) {
    Computation one(source, before, result);
    one.reach_back();
    Computation other(batched, after, result);
    other.reach_back_to(one);
    std::vector<ValueId> arguments = one.read();
    for (const ValueId v : other.read()) {
      if (v.index() >= source.types.size()) throw Refused{"batching: reads a value that the source lacks"};
      if (std::find(arguments.begin(), arguments.end(), v) == arguments.end()) arguments.push_back(v);
    }
    out.note(one.operation(), "on batching dimensions",
             programs.same(one.function(arguments), other.function(arguments)));
  }
  return out;
}

}  // namespace partir
