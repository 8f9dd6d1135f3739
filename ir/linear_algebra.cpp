#include "ir/linear_algebra.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/meaning.h"
#include "ir/ops/common.h"

namespace partir {
namespace {

/// All but the last two dimensions of the first operand. (Of vectors one more would be; it is not used.)
std::size_t batch_dims(const Type& first) { return first.rank() < 2 ? 0 : first.rank() - 2; }

void define_batch_by_batch(const OpInstance& op, MeaningBuilder& b) {
  const std::size_t batch = batch_dims(op.operands[0]);
  // The layouts, among its attributes, count: a library reads the matrix in memory, in one order or the other.
  const std::string function = fmt::format("{} {}", kLinearAlgebra, text_of_call(op.attributes));
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const auto i = b.result(r);
    const auto inner = i.begin() + static_cast<std::ptrdiff_t>(batch);
    std::vector<MeaningBuilder::Array> matrices;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      std::vector<Index> at(i.begin(), inner);
      std::vector<Index> over;
      for (std::size_t d = batch; d < op.operands[k].rank(); ++d) {
        over.push_back(b.range(op.operands[k]->dims[d]));
        at.push_back(over.back());
      }
      matrices.push_back({over, b.read(k, at)});
    }
    b.define(r, b.library(function, r, op.results[r]->element, matrices, {inner, i.end()}));
  }
}

std::vector<Entry> tiled_by_batches(const OpInstance& op) {
  std::vector<Entry> out;
  for (Dim d = 0; d < batch_dims(op.operands[0]); ++d) {
    out.push_back({std::vector<Action>(op.operands.size(), Action::tile(d)),
                   std::vector<Action>(op.results.size(), Action::tile(d))});
  }
  return out;
}

/// The numbers of a list such as dense<[1, 2, 0]> : tensor<3xindex>.
std::vector<std::int64_t> listed(const std::string& text) {
  std::vector<std::int64_t> out;
  for (std::size_t at = text.find('<'); at < text.size() && text[at] != '>';) {
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), out.emplace_back());
    if (error != std::errc()) out.pop_back();
    at = error == std::errc() ? static_cast<std::size_t>(end - text.data()) : at + 1;
  }
  return out;
}

/// Whether the batch dimensions of all arrays are the outermost ones in memory, in their order, so that each matrix is
/// read apart from the others. A layout lists dimensions from the innermost on; without one they are as in the type.
bool batches_are_outermost(const Op& op, const char* layouts, std::size_t batch) {
  const Attribute* attribute = find(op.attributes, layouts);
  if (attribute == nullptr) return true;
  const ArrayAttr* arrays = attribute->as<ArrayAttr>();
  return arrays != nullptr && std::all_of(arrays->items.begin(), arrays->items.end(), [&](const Attribute& layout) {
           const std::vector<std::int64_t> order = listed(layout.str());
           if (order.size() < batch) return false;
           for (std::size_t d = 0; d < batch; ++d) {
             if (order[order.size() - 1 - d] != static_cast<std::int64_t>(d)) return false;
           }
           return true;
         });
}

}  // namespace

bool calls_linear_algebra(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return false;
  const std::string* name = call_target(op.attributes);
  if (name == nullptr || ops::is_set(op.attributes, "has_side_effect") || !name->ends_with("_ffi")) return false;
  return name->starts_with("lapack_") || name->starts_with("cusolver_") || name->starts_with("hipsolver_");
}

const OpDecl* linear_algebra_decl(const Function& function, const Op& op) {
  if (!calls_linear_algebra(op) || op.operands.empty()) return nullptr;
  const auto is_array = [&](ValueId v) { return function.type(v).is_tensor(); };
  const bool arrays = std::all_of(op.operands.begin(), op.operands.end(), is_array) &&
                      std::all_of(op.results.begin(), op.results.end(), is_array);
  if (!arrays) return nullptr;
  const auto& first = function.tensor(op.operands[0]).dims;
  const std::size_t batch = batch_dims(function.type(op.operands[0]));
  const auto agrees = [&](ValueId v) {
    const auto& dims = function.tensor(v).dims;
    return dims.size() >= batch &&
           std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(batch), dims.begin());
  };
  if (!std::all_of(op.operands.begin(), op.operands.end(), agrees) ||
      !std::all_of(op.results.begin(), op.results.end(), agrees))
    return nullptr;
  if (!batches_are_outermost(op, "operand_layouts", batch) || !batches_are_outermost(op, "result_layouts", batch))
    return nullptr;
  static const OpDecl decl = [] {
    OpDecl d = *find_decl("stablehlo.custom_call");
    d.kind = OpDecl::Kind::array;
    d.pure = true;
    d.covers = ops::all_have_arithmetic;
    d.meaning = define_batch_by_batch;
    d.entries = tiled_by_batches;
    return d;
  }();
  return &decl;
}

}  // namespace partir
