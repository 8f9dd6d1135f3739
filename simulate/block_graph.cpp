#include "simulate/block_graph.h"

#include <numeric>

namespace partir {
namespace {

bool is_view(const Op& op) {
  if (op.name() == "stablehlo.custom_call") {
    const std::string* target = call_target(op.attributes);
    return target != nullptr && *target == "Sharding" && op.operands.size() == op.results.size();
  }
  return op.decl->traits.permutes || op.decl->control == Control::barrier;
}

Part part_of(const Function& f, const Op& op, const OperationCost& cost) {
  using Kind = OpDecl::Kind;
  if (op.decl->kind == Kind::device) return Part::recomputed;
  // Slices out the device's own chunk.
  if (op.decl->kind == Kind::collective && !op.decl->collective.kind) return Part::loop;
  if (op.decl->kind != Kind::array || !cost.known || cost.matrix) return Part::alone;
  if (cost.folds) return Part::fold;
  if (op.results.size() != 1) return Part::alone;
  const double result = elements_of(f, op.results[0]);
  if (op.operands.empty() || f.type(op.results[0]).rank() == 0) return Part::recomputed;
  if (op.decl->traits.repeats && elements_of(f, op.operands[0]) < result) return Part::recomputed;
  return Part::loop;
}

}  // namespace

double elements_of(const Function& function, ValueId v) {
  const Type& t = function.type(v);
  return t.is_tensor() ? static_cast<double>(t->elements()) : 0;
}

bool moves_elements(const Function& function, const Op& op) {
  const Attribute* a = find(op.attributes, "permutation");
  const IntsAttr* permutation = a != nullptr ? a->as<IntsAttr>() : nullptr;
  if (permutation == nullptr) return false;
  std::int64_t before = -1;
  for (const std::int64_t d : permutation->values) {
    if (function.type(op.operands[0])->dims.at(static_cast<std::size_t>(d)) == 1) continue;
    if (d < before) return true;
    before = d;
  }
  return false;
}

double bytes_of(const Function& function, ValueId v) { return static_cast<double>(function.type(v).bytes()); }

BlockGraph::BlockGraph(const Function& function, const Block& block, OperationCosts& costs, bool transposes_move)
    : f_(function),
      block_(block),
      roots_(function.types.size()),
      barred_(function.types.size(), false),
      makers_(function.types.size(), none) {
  for (std::size_t v = 0; v < roots_.size(); ++v) roots_[v] = ValueId(v);
  classify(costs, transposes_move);
  link();
}

void BlockGraph::classify(OperationCosts& costs, bool transposes_move) {
  static const OperationCost nothing;
  parts.reserve(size());
  costs_.reserve(size());
  reads_at_.reserve(size() + 1);
  for (std::size_t i = 0; i < size(); ++i) {
    const Op& op = block_.ops[i];
    reads_at_.push_back(static_cast<std::uint32_t>(reads_.size()));
    const bool terminator = op.decl->kind == OpDecl::Kind::terminator;
    if (!terminator && is_view(op) && !(transposes_move && moves_elements(f_, op))) {
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        const ValueId from = root(op.operands.at(k));
        roots_[op.results[k].index()] = from;
        if (op.decl->control == Control::barrier) barred_[from.index()] = true;
      }
      parts.push_back(Part::view);
      costs_.push_back(&nothing);
      continue;
    }
    costs_.push_back(terminator ? &nothing : &costs.of(f_, op));
    parts.push_back(terminator ? Part::terminator : part_of(f_, op, *costs_.back()));
    for (const ValueId v : op.results) makers_[v.index()] = static_cast<std::uint32_t>(i);
    for (const ValueId v : op.operands) reads_.push_back(root(v));
    if (!op.regions.empty() && parts.back() == Part::alone) {
      for (const ValueId v : captured(op)) reads_.push_back(root(v));
    }
  }
  reads_at_.push_back(static_cast<std::uint32_t>(reads_.size()));
}

void BlockGraph::link() {
  readers_at_.assign(f_.types.size() + 1, 0);
  for (const ValueId v : reads_) ++readers_at_[v.index() + 1];
  std::partial_sum(readers_at_.begin(), readers_at_.end(), readers_at_.begin());
  readers_.resize(reads_.size());
  std::vector<std::uint32_t> next(readers_at_.begin(), readers_at_.end() - 1);
  for (std::size_t i = 0; i < size(); ++i) {
    for (const ValueId v : reads(i)) {
      if (makers_[v.index()] == none && next[v.index()] == readers_at_[v.index()]) inputs_.push_back(v);
      readers_[next[v.index()]++] = static_cast<std::uint32_t>(i);
    }
  }
}

std::span<const std::uint32_t> BlockGraph::readers(ValueId buffer) const {
  const std::size_t from = readers_at_[buffer.index()];
  return {readers_.data() + from, readers_at_[buffer.index() + 1] - from};
}

std::span<const ValueId> BlockGraph::reads(std::size_t i) const {
  return {reads_.data() + reads_at_[i], reads_at_[i + 1] - reads_at_[i]};
}

}  // namespace partir
