// Inserts transposes before the operands of dot_general (BufferRules::ordered_operands). A transpose that defines the
// operand is composed with the new one; operands of rank 2 only get other contracting dimensions.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "ir/op_decl.h"
#include "simulate/buffer_rules.h"

namespace partir {
namespace {

using Dims = std::vector<std::int64_t>;

class Ordering {
 public:
  explicit Ordering(Function& f) : f_(f) {}

  void block(Block& b) {
    std::vector<Op> ops;
    ops.reserve(b.ops.size());
    for (Op& op : b.ops) {
      for (Block& region : op.regions) block(region);
      if (op.decl->traits.contracts && find(op.attributes, "lhs_contracting_dimensions") != nullptr) {
        order(op, 0, "lhs", ops);
        order(op, 1, "rhs", ops);
      }
      if (Dims permutation = dims(op, "permutation"); !permutation.empty())
        transposed_[op.results[0]] = {op.operands[0], std::move(permutation)};
      ops.push_back(std::move(op));
    }
    b.ops = std::move(ops);
  }

 private:
  static Dims dims(const Op& op, const std::string& name) {
    const Attribute* found = find(op.attributes, name);
    const IntsAttr* ints = found != nullptr ? found->as<IntsAttr>() : nullptr;
    return ints != nullptr ? ints->values : Dims{};
  }

  void order(Op& op, std::size_t operand, const std::string& side, std::vector<Op>& into) {
    const Dims batch = dims(op, side + "_batching_dimensions");
    const Dims depth = dims(op, side + "_contracting_dimensions");
    ValueId from = op.operands[operand];
    const auto rank = static_cast<std::int64_t>(f_.type(from).rank());
    Dims permutation = batch;
    const auto append = [&](const Dims& more) { permutation.insert(permutation.end(), more.begin(), more.end()); };
    Dims rest;
    for (std::int64_t d = 0; d < rank; ++d) {
      if (std::count(batch.begin(), batch.end(), d) + std::count(depth.begin(), depth.end(), d) == 0) rest.push_back(d);
    }
    append(operand == 0 ? rest : depth);
    append(operand == 0 ? depth : rest);
    // Compose with a transpose that defines the operand.
    if (const auto it = transposed_.find(from); it != transposed_.end()) {
      from = it->second.first;
      for (std::int64_t& d : permutation) d = it->second.second[static_cast<std::size_t>(d)];
    }
    const bool matrix = rank <= 2 && batch.empty();
    if (matrix) {
      op.operands[operand] = from;
      const std::size_t at = operand == 0 ? rest.size() : 0;
      const auto first = permutation.begin() + static_cast<std::ptrdiff_t>(at);
      set(op.attributes, side + "_contracting_dimensions",
          {IntsAttr{{first, first + static_cast<std::ptrdiff_t>(depth.size())}}});
      return;
    }
    set(op.attributes, side + "_batching_dimensions", numbered(0, batch.size()));
    set(op.attributes, side + "_contracting_dimensions",
        numbered(batch.size() + (operand == 0 ? rest.size() : 0), depth.size()));
    op.operands[operand] = from;
    if (!std::is_sorted(permutation.begin(), permutation.end()))
      op.operands[operand] = transpose(from, std::move(permutation), op.place, into);
  }

  static Attribute numbered(std::size_t from, std::size_t count) {
    Dims out(count);
    std::iota(out.begin(), out.end(), static_cast<std::int64_t>(from));
    return {IntsAttr{std::move(out)}};
  }

  ValueId transpose(ValueId v, Dims permutation, const Place& place, std::vector<Op>& into) {
    TensorType type = f_.tensor(v);
    for (std::size_t k = 0; k < permutation.size(); ++k)
      type.dims[k] = f_.tensor(v).dims[static_cast<std::size_t>(permutation[k])];
    Op op(f_.new_op(), find_decl("stablehlo.transpose"));
    op.operands = {v};
    op.place = place;
    set(op.attributes, "permutation", {IntsAttr{std::move(permutation)}});
    op.results = {f_.add_value(Type(std::move(type)))};
    into.push_back(std::move(op));
    return into.back().results[0];
  }

  Function& f_;
  std::unordered_map<ValueId, std::pair<ValueId, Dims>> transposed_;  ///< by result: operand and permutation
};

}  // namespace

Function ordered_operands(const Function& function) {
  Function out = function;
  Ordering(out).block(out.body);
  return out;
}

}  // namespace partir
