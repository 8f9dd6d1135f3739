// Inserts transposes before the operands of dot_general and convolution, and after convolutions
// (BufferRules::ordered_operands). A transpose that defines the operand is composed with the new one; operands of
// dot_general of rank 2 only get other contracting dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "ir/op_decl.h"
#include "ir/ops/convolution_numbers.h"
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
      if (const auto numbers = convolution_of(op)) {
        convolve(std::move(op), *numbers, ops);
        continue;
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

  [[nodiscard]] std::optional<ops::ConvolutionNumbers> convolution_of(const Op& op) const {
    if (!op.decl->traits.contracts || find(op.attributes, "dimension_numbers") == nullptr) return std::nullopt;
    return ops::convolution_numbers(instance_of(f_, op));
  }

  /// Writes the convolution as [b, spatial, f] x [spatial, i, o] -> [b, spatial, f].
  void convolve(Op op, const ops::ConvolutionNumbers& numbers, std::vector<Op>& into) {
    const auto image = [](const ops::ConvolutionSide& side) {
      Dims out = {static_cast<std::int64_t>(side.first)};
      for (const Dim d : side.spatial) out.push_back(static_cast<std::int64_t>(d));
      out.push_back(static_cast<std::int64_t>(side.second));
      return out;
    };
    Dims kernel(numbers.rhs.spatial.begin(), numbers.rhs.spatial.end());
    kernel.push_back(static_cast<std::int64_t>(numbers.rhs.first));
    kernel.push_back(static_cast<std::int64_t>(numbers.rhs.second));
    op.operands[0] = in_order(op.operands[0], image(numbers.lhs), op.place, into);
    op.operands[1] = in_order(op.operands[1], std::move(kernel), op.place, into);
    std::string spatial;
    for (std::size_t k = 0; k < numbers.out.spatial.size(); ++k) spatial += fmt::format("{}, ", k);
    set(op.attributes, "dimension_numbers",
        {RawAttr{fmt::format("#stablehlo.conv<[b, {0}f]x[{0}i, o]->[b, {0}f]>", spatial)}});
    const Dims written = image(numbers.out);
    if (std::is_sorted(written.begin(), written.end())) {
      into.push_back(std::move(op));
      return;
    }
    Dims back(written.size());  // the inverse
    TensorType type = f_.tensor(op.results[0]);
    for (std::size_t k = 0; k < written.size(); ++k) {
      back[static_cast<std::size_t>(written[k])] = static_cast<std::int64_t>(k);
      type.dims[k] = f_.tensor(op.results[0]).dims[static_cast<std::size_t>(written[k])];
    }
    Op transposed(f_.new_op(), find_decl("stablehlo.transpose"));
    transposed.place = op.place;
    transposed.results = {op.results[0]};
    op.results = {f_.add_value(Type(std::move(type)))};
    transposed.operands = {op.results[0]};
    transposed_[transposed.results[0]] = {transposed.operands[0], back};
    set(transposed.attributes, "permutation", {IntsAttr{std::move(back)}});
    into.push_back(std::move(op));
    into.push_back(std::move(transposed));
  }

  /// The value with its dimensions in this order, composed with a transpose that defines it.
  ValueId in_order(ValueId v, Dims permutation, const Place& place, std::vector<Op>& into) {
    if (const auto it = transposed_.find(v); it != transposed_.end()) {
      v = it->second.first;
      for (std::int64_t& d : permutation) d = it->second.second[static_cast<std::size_t>(d)];
    }
    return std::is_sorted(permutation.begin(), permutation.end()) ? v
                                                                  : transpose(v, std::move(permutation), place, into);
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
