// Replaces operations by their decompositions. Decompositions of different operations share equal slices and shifts,
// such as a neighbour's rows that several operations read, so that each is communicated once.
#include "ir/by_offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/window.h"
#include "ir/splat.h"
#include "support/check.h"

namespace partir {
namespace {

class Decomposer {
 public:
  Decomposer(const Function& source, Function& function, const OperationsByOffsets& operations)
      : subjects_(source), f_(function), wanted_(operations) {}

  void block(Block& b) {
    std::vector<Op> ops = std::exchange(b.ops, {});
    const auto outside = shared_;  // values defined in a region are not visible after it
    for (Op& op : ops) {
      if (runs_regions(op)) {
        for (Block& inner : op.regions) block(inner);
      }
      const auto it = op.results.empty() ? wanted_.end() : wanted_.find(op.results[0]);
      if (it == wanted_.end()) {
        b.ops.push_back(std::move(op));
        continue;
      }
      const auto decomposed = subjects_.decompose(op, it->second);
      PARTIR_CHECK(decomposed, "an operation cannot be decomposed as requested: " + op.name());
      append(decomposed->function, decomposed->subject.operands, op, b);
    }
    shared_ = outside;
  }

 private:
  /// Appends the body of `decomposition`, applied to `operands`. The values that it returns become the results of `op`.
  void append(const Function& decomposition, const std::vector<ValueId>& operands, const Op& op, Block& into) {
    Cloner cloner(decomposition, f_);
    for (std::size_t k = 0; k < operands.size(); ++k) cloner.map(decomposition.arguments()[k], operands[k]);
    for (std::size_t k = 0; k < op.results.size(); ++k) cloner.map(decomposition.returned()[k], op.results[k]);
    for (const Op& o : decomposition.body.ops) {
      if (o.decl->kind == OpDecl::Kind::terminator) break;
      if (is_shared(o, decomposition) && std::find(decomposition.returned().begin(), decomposition.returned().end(),
                                                   o.results[0]) == decomposition.returned().end()) {
        const auto [it, fresh] = shared_.try_emplace(text_of(o, decomposition, cloner));
        if (!fresh) {
          cloner.map(o.results[0], it->second);
          continue;
        }
        it->second = cloner.declare(o.results[0]);
        cloner.map(o.results[0], it->second);
      }
      into.ops.push_back(cloner.op(o));
      number(into.ops.back());
      into.ops.back().place = op.place;
      into.ops.back().location = op.location;
    }
  }

  /// True if several decompositions share one copy of this operation: scalar constants, slices, permutations and
  /// shifts, which yield a neighbour's rows. Operations that concatenate such rows are not shared, because their
  /// results are as large as the complete operand.
  static bool is_shared(const Op& op, const Function& decomposition) {
    if (op.results.size() != 1) return false;
    const OpTraits& is = op.decl->traits;
    const bool scalar = is.constant && decomposition.type(op.results[0]).rank() == 0;
    return scalar || is.permutes || is.cuts || op.decl->shift != nullptr;
  }

  /// A text that is equal for equal operations on the same values of the function, used as a key.
  static std::string text_of(const Op& op, const Function& decomposition, const Cloner& cloner) {
    std::string out = op.name();
    for (const ValueId v : op.operands) out += fmt::format(" {}", cloner.at(v).index());
    for (const auto& [name, value] : op.attributes) out += fmt::format(" {}={}", name, value.str());
    return out + " > " + decomposition.type(op.results[0]).str();
  }

  void number(Op& op) {
    op.id = f_.new_op();
    for (Block& b : op.regions) {
      for (Op& inner : b.ops) number(inner);
    }
  }

  const ByOffsetsSubjects subjects_;
  Function& f_;
  std::map<std::string, ValueId> shared_;  ///< the results of shared operations, by text_of
  const OperationsByOffsets& wanted_;
};

/// True if the slice has unit strides and cuts no dimension but `dim`.
bool is_stretch(const Function& f, const Op& slice, Dim dim) {
  const OpInstance instance = instance_of(f, slice);
  for (Dim d = 0; d < instance.operands[0].rank(); ++d) {
    if (instance.ints("strides")[d] != 1) return false;
    if (d != dim && instance.operands[0]->dims[d] != instance.results[0]->dims[d]) return false;
  }
  return true;
}

bool is_concatenate(const OpDecl* decl) {
  static const OpDecl* const concatenate = find_decl("stablehlo.concatenate");
  return decl == concatenate;
}

bool is_pad(const OpDecl* decl) {
  static const OpDecl* const pad = find_decl("stablehlo.pad");
  return decl == pad;
}

/// The dimension along which an operation concatenates its operands, or the only one that it pads at its edges.
std::optional<Dim> joined_dim(const OpInstance& op) {
  if (is_concatenate(op.decl)) return static_cast<Dim>(op.integer("dimension"));
  if (!is_pad(op.decl)) return std::nullopt;
  std::optional<Dim> out;
  for (Dim d = 0; d < op.operands[0].rank(); ++d) {
    if (op.ints("interior_padding")[d] != 0) return std::nullopt;
    if (op.ints("edge_padding_low")[d] == 0 && op.ints("edge_padding_high")[d] == 0) continue;
    if (out) return std::nullopt;
    out = d;
  }
  return out;
}

/// The start along `dim` of a slice (or of a pad with negative padding only) that cuts no other dimension.
std::optional<std::int64_t> start_of_cut(const Function& f, const Op& op, Dim dim) {
  static const OpDecl* const slice = find_decl("stablehlo.slice");
  if (op.decl == slice && is_stretch(f, op, dim)) return instance_of(f, op).ints("start_indices")[dim];
  if (!is_pad(op.decl)) return std::nullopt;
  const OpInstance instance = instance_of(f, op);
  const std::int64_t low = instance.ints("edge_padding_low").at(dim);
  if (joined_dim(instance) != dim || low > 0 || instance.ints("edge_padding_high").at(dim) > 0) return std::nullopt;
  return -low;
}

}  // namespace

ByOffsetsSubjects::ByOffsetsSubjects(const Function& function) : function_(function), splats_(function.types.size()) {
  static const OpDecl* const slice = find_decl("stablehlo.slice");
  static const OpDecl* const select_and_scatter = find_decl("stablehlo.select_and_scatter");
  for_each_op(function.body, [&](const Op& op) {
    if (op.results.size() != 1) return;
    if (function.type(op.results[0]).rank() == 0) splats_[op.results[0]] = splat_of(op, splats_);
    if (op.decl == slice) slices_.emplace(op.results[0], &op);
    if (is_concatenate(op.decl) || is_pad(op.decl)) joins_.emplace(op.results[0], &op);
    if (op.decl == select_and_scatter) selections_.emplace(op.results[0], &op);
    if (op.decl->traits.constant) constants_.insert(op.results[0]);
  });
}

ByOffsetsSubject ByOffsetsSubjects::of(const Op& op) const {
  if (auto out = stretch(op)) return std::move(*out);
  auto out = selection(op);
  return out ? std::move(*out) : with_slices(op);
}

std::optional<Decomposed> ByOffsetsSubjects::decompose(const Op& op, const ByOffsets& how) const {
  const auto as = [&](ByOffsetsSubject subject) -> std::optional<Decomposed> {
    const OpInstance& instance = subject.instance;
    if (instance.decl->by_offsets == nullptr || tiled_type(how, instance) == nullptr) return std::nullopt;
    auto function = instance.decl->by_offsets(instance, how.operand, how.dim, how.devices);
    if (!function) return std::nullopt;
    return Decomposed{std::move(subject), std::move(*function)};
  };
  for (auto& fused : {stretch(op), selection(op)}) {
    if (!fused) continue;
    if (auto out = as(*fused)) return out;
  }
  return as(with_slices(op));
}

ByOffsetsSubject ByOffsetsSubjects::with_slices(const Op& op) const {
  ByOffsetsSubject out{instance_of(function_, op, splats_), op.operands};
  const auto dim = joined_dim(out.instance);
  if (!dim) return out;
  std::vector<std::int64_t> places = {static_cast<std::int64_t>(*dim)};
  for (std::size_t k = 0; k < op.operands.size() && out.instance.operands[k].rank() > 0; ++k) {
    places.insert(places.end(), {0, out.instance.operands[k]->dims[*dim]});
    const auto it = slices_.find(op.operands[k]);
    if (it == slices_.end() || !is_stretch(function_, *it->second, *dim)) continue;
    // Of a longer value only the slice is of use.
    const TensorType& whole = function_.tensor(it->second->operands[0]);
    if (whole.dims[*dim] > out.instance.results[0]->dims[*dim]) continue;
    places[2 * k + 1] = instance_of(function_, *it->second).ints("start_indices")[*dim];
    out.operands[k] = it->second->operands[0];
    out.instance.operands[k] = function_.type(out.operands[k]);
  }
  if (out.operands != op.operands) set(out.instance.attributes, "partir.slices", {IntsAttr{std::move(places)}});
  return out;
}

/// The subject of a slice (or of a pad that only cuts) of a concatenate or pad, along the dimension of the latter. One
/// operand of the concatenate or pad must have the type of the slice's result.
std::optional<ByOffsetsSubject> ByOffsetsSubjects::stretch(const Op& op) const {
  const auto joined = op.operands.empty() ? joins_.end() : joins_.find(op.operands[0]);
  if (joined == joins_.end()) return std::nullopt;
  const auto dim = joined_dim(instance_of(function_, *joined->second));
  const auto start = dim ? start_of_cut(function_, op, *dim) : std::nullopt;
  if (!start) return std::nullopt;
  ByOffsetsSubject out = of(*joined->second);
  const Type& result = function_.type(op.results[0]);
  const auto& operands = out.instance.operands;
  if (stretch_of(out.instance) ||
      std::none_of(operands.begin(), operands.end(), [&](const Type& t) { return t == result; }))
    return std::nullopt;
  if (find(out.instance.attributes, "partir.slices") == nullptr) {
    std::vector<std::int64_t> places = {static_cast<std::int64_t>(*dim)};
    for (const Type& t : operands) {
      if (t.rank() > 0) places.insert(places.end(), {0, t->dims[*dim]});
    }
    set(out.instance.attributes, "partir.slices", {IntsAttr{std::move(places)}});
  }
  set(out.instance.attributes, "partir.stretch", {IntAttr{*start, ""}});
  out.instance.results[0] = result;
  return out;
}

/// The subject of a slice of a select_and_scatter of a pad by a constant, which JAX writes for the gradient of a pooling
/// with padding: the select_and_scatter of the pad's operand, if the slice takes the positions of that.
std::optional<ByOffsetsSubject> ByOffsetsSubjects::selection(const Op& op) const {
  static const OpDecl* const slice = find_decl("stablehlo.slice");
  const auto selected = op.decl == slice ? selections_.find(op.operands[0]) : selections_.end();
  if (selected == selections_.end()) return std::nullopt;
  const auto padded = joins_.find(selected->second->operands[0]);
  if (padded == joins_.end() || !is_pad(padded->second->decl)) return std::nullopt;
  if (!constants_.contains(padded->second->operands[1])) return std::nullopt;
  const OpInstance cut = instance_of(function_, op);
  const OpInstance pad = instance_of(function_, *padded->second, splats_);
  ByOffsetsSubject out{instance_of(function_, *selected->second, splats_), selected->second->operands};
  const std::size_t rank = cut.results[0].rank();
  if (pad.operands[0] != cut.results[0] || pad.splats[1] == nullptr ||
      cut.ints("start_indices") != pad.ints("edge_padding_low") ||
      cut.ints("strides") != std::vector<std::int64_t>(rank, 1) ||
      pad.ints("interior_padding") != std::vector<std::int64_t>(rank, 0))
    return std::nullopt;
  std::vector<std::vector<std::int64_t>> padding;
  for (Dim d = 0; d < rank; ++d) {
    const std::int64_t low = pad.ints("edge_padding_low")[d];
    const std::int64_t high = pad.ints("edge_padding_high")[d];
    if (low < 0 || high < 0 || ops::padding_of(out.instance, d) != std::pair(std::int64_t{0}, std::int64_t{0}))
      return std::nullopt;
    padding.push_back({low, high});
  }
  out.operands[0] = padded->second->operands[0];
  out.instance.operands[0] = pad.operands[0];
  out.instance.results[0] = cut.results[0];
  set(out.instance.attributes, "padding", {DenseAttr{int_matrix(padding)}});
  set(out.instance.attributes, "partir.filling", {DenseAttr{pad.splats[1]}});
  return out;
}

std::optional<Op> ByOffsetsSubjects::fused_selection(const Op& slice) const {
  const auto subject = selection(slice);
  if (!subject) return std::nullopt;
  Op out = *selections_.at(slice.operands[0]);
  out.id = slice.id;
  out.operands = subject->operands;
  out.results = slice.results;
  out.attributes = subject->instance.attributes;
  return out;
}

LiteralPtr filling_of(const OpInstance& op) {
  const Attribute* filling = find(op.attributes, "partir.filling");
  return filling == nullptr ? nullptr : filling->as<DenseAttr>()->literal;
}

std::optional<std::int64_t> stretch_of(const OpInstance& op) {
  if (find(op.attributes, "partir.stretch") == nullptr) return std::nullopt;
  return op.integer("partir.stretch");
}

const TensorType* tiled_type(const ByOffsets& how, const OpInstance& op) {
  const bool of_result = how.operand == op.operands.size() && op.results.size() == 1;
  if (how.operand >= op.operands.size() && !of_result) return nullptr;
  const Type& type = of_result ? op.results[0] : op.operands[how.operand];
  return how.dim < type.rank() ? &*type : nullptr;
}

std::string text_of(const ByOffsets& how, const Op& op) {
  return how.operand < op.operands.size() ? fmt::format("operand {} #tile<{}>", how.operand, how.dim)
                                          : fmt::format("result #tile<{}>", how.dim);
}

OperationsByOffsets writable(const Function& function, const OperationsByOffsets& operations) {
  OperationsByOffsets out;
  if (operations.empty()) return out;
  const ByOffsetsSubjects subjects(function);
  for_each_op(function.body, [&](const Op& op) {
    const auto it = op.results.empty() ? operations.end() : operations.find(op.results[0]);
    if (it != operations.end() && subjects.decompose(op, it->second)) out.insert(*it);
  });
  return out;
}

Function written_by_offsets(const Function& function, const OperationsByOffsets& operations) {
  Function out = function;
  if (!operations.empty()) Decomposer(function, out, operations).block(out.body);
  return out;
}

}  // namespace partir
