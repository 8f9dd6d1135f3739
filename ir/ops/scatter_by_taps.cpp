// Decomposes select_and_scatter (ir/ops/window.h), whose windows reach beyond a device's chunk, into operations that
// exchange neighbours' rows: a window has few taps, so each is a value of its own, shifted to its window.
#include <algorithm>
#include <map>
#include <numeric>

#include "ir/ops/decomposition.h"
#include "ir/ops/window.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

/// The most taps of a window. Each pair of them is compared.
constexpr std::int64_t kMostTaps = 16;

/// The comparison of two arguments, in their order or exchanged.
struct Order {
  std::string direction;
  bool exchanged = false;
};

/// The comparison by which the region `select` orders elements; nothing if it is something else.
std::optional<Order> order_of(const OpInstance& op) {
  static const OpDecl* const compare = find_decl("stablehlo.compare");
  if (op.regions == nullptr) return std::nullopt;
  const Block& select = op.regions->front();
  if (select.ops.size() != 2) return std::nullopt;
  const Op& first = select.ops.front();
  if (first.decl != compare || select.ops.back().operands != first.results) return std::nullopt;
  const bool exchanged = first.operands == std::vector{select.arguments[1], select.arguments[0]};
  if (!exchanged && first.operands != select.arguments) return std::nullopt;
  const Attribute* type = find(first.attributes, "compare_type");
  if (type != nullptr && type->as<KeywordAttr>()->value == "TOTALORDER") return std::nullopt;
  const std::string& direction = find(first.attributes, "comparison_direction")->as<KeywordAttr>()->value;
  if (direction == "EQ" || direction == "NE") return std::nullopt;
  return Order{direction, exchanged};
}

/// Builds the decomposition.
class ByTaps {
 public:
  /// `op` may be `given` with longer dimensions, whose additional elements may be anything.
  ByTaps(const OpInstance& op, const OpInstance& given, Order order, Dim first)
      : op_(op), given_(given), order_(std::move(order)), d_(op), b_(d_.builder()), source_(*op.operands[1]) {
    const TensorType& x = *op.operands[0];
    for (Dim k = 0; k < x.rank(); ++k) windows_.push_back(window_of(op, k));
    // The tiled dimension comes first, so that only one shift per tap of it crosses devices.
    dims_.resize(x.rank());
    std::iota(dims_.begin(), dims_.end(), Dim{0});
    std::rotate(dims_.begin(), dims_.begin() + static_cast<std::ptrdiff_t>(first),
                dims_.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    taps_ = {Tap(x.rank(), 0)};
    for (Dim k = 0; k < x.rank(); ++k) {
      std::vector<Tap> longer;
      for (const Tap& t : taps_) {
        for (std::int64_t place = 0; place < windows_[k].size; ++place) {
          longer.push_back(t);
          longer.back()[k] = place;
        }
      }
      taps_ = std::move(longer);
    }
    zero_ = b_.constant({x.element, {}}, 0);
    compared_ = d_.operand(0);
    added_ = d_.operand(1);
    for (Dim k = 0; k < x.rank(); ++k) {
      const std::int64_t extent = given.operands[0]->dims[k];
      const std::int64_t windows = given.operands[1]->dims[k];
      const Window& w = windows_[k];
      const bool reads_beyond_end = (windows - 1) * w.stride + w.size - w.low > extent;
      if (extent != x.dims[k] && reads_beyond_end) compared_ = d_.masked(compared_, k, extent, zero_);
      if (windows != source_.dims[k]) added_ = d_.masked(added_, k, windows, zero_);
    }
  }

  Function scattered() { return d_.done(contributions({}, 0)); }

 private:
  using Tap = std::vector<std::int64_t>;  ///< the place in the window along each dimension

  /// Element w of the result is the element at place `tap` of window w along dimension k; zero in the padding.
  ValueId shifted_to_windows(ValueId x, Dim k, std::int64_t tap) {
    const Window& w = windows_[k];
    const std::int64_t count = source_.dims[k];
    const std::int64_t size = d_.type(x).dims[k];
    const std::size_t rank = windows_.size();
    std::vector<std::int64_t> low(rank, 0);
    std::vector<std::int64_t> high(rank, 0);
    low[k] = w.low - tap;
    high[k] = count * w.stride - size - low[k];
    if (low[k] != 0 || high[k] != 0) x = b_.pad(x, zero_, low, high);
    if (w.stride == 1) return x;
    std::vector<std::int64_t> strides(rank, 1);
    strides[k] = w.stride;
    return b_.slice(x, std::vector<std::int64_t>(rank, 0), d_.type(x).dims, strides);
  }

  /// The inverse: element w moves to place `tap` of window w along dimension k. Other elements are zero.
  ValueId shifted_back(ValueId y, Dim k, std::int64_t tap) {
    const Window& w = windows_[k];
    const std::int64_t size = op_.operands[0]->dims[k];
    const std::int64_t reached = (source_.dims[k] - 1) * w.stride + 1;
    const std::size_t rank = windows_.size();
    std::vector<std::int64_t> low(rank, 0);
    std::vector<std::int64_t> high(rank, 0);
    std::vector<std::int64_t> interior(rank, 0);
    low[k] = tap - w.low;
    high[k] = size - reached - low[k];
    interior[k] = w.stride - 1;
    return low[k] == 0 && high[k] == 0 && interior[k] == 0 ? y : b_.pad(y, zero_, low, high, interior);
  }

  /// The element at place `tap` of each window, as far as the first `level` of dims_ are concerned.
  ValueId element(Tap tap, std::size_t level) {
    for (std::size_t k = level; k < dims_.size(); ++k) tap[dims_[k]] = 0;
    if (level == 0) return compared_;
    const auto known = elements_.find({level, tap});
    if (known != elements_.end()) return known->second;
    const Dim k = dims_[level - 1];
    const ValueId out = shifted_to_windows(element(tap, level - 1), k, tap[k]);
    return elements_[{level, tap}] = out;
  }
  ValueId element(const Tap& tap) { return element(tap, dims_.size()); }

  /// Whether `select` keeps the element at place a rather than that at place b.
  ValueId keeps(const Tap& a, const Tap& b) {
    const auto [it, fresh] = kept_.try_emplace({a, b});
    if (!fresh) return it->second;
    const ValueId x = element(a);
    const ValueId y = element(b);
    return it->second = order_.exchanged ? b_.compare(order_.direction, y, x) : b_.compare(order_.direction, x, y);
  }

  std::optional<ValueId> either(std::optional<ValueId> a, std::optional<ValueId> b) {
    return a && b ? b_.elementwise("stablehlo.or", {*a, *b}) : a ? a : b;
  }

  /// For each window whether place `tap` is in the padding along dimension k; nothing if that is so for none.
  std::optional<ValueId> outside(Dim k, std::int64_t tap) {
    const auto [it, fresh] = outside_.try_emplace({k, tap});
    if (!fresh) return it->second;
    const Window& w = windows_[k];
    const std::int64_t from = tap - w.low;
    const std::int64_t last = given_.operands[0]->dims[k] - 1;
    const std::int64_t last_start = (given_.operands[1]->dims[k] - 1) * w.stride + from;
    const TensorType positions{ElementType::i32, source_.dims};
    const auto starts = [&](const char* direction, std::int64_t limit) {
      const ValueId start = b_.multiply(b_.iota(positions, k), b_.constant(positions, w.stride));
      return b_.compare(direction, start, b_.constant(positions, limit));
    };
    std::optional<ValueId> out;
    if (from < 0) out = starts("LT", -from);
    if (last_start > last) out = either(out, starts("GT", last - from));
    return it->second = out;
  }

  /// For each window whether place `tap` is in the padding, given that place `mine` is not; nothing if that is so for
  /// none.
  std::optional<ValueId> outside(const Tap& tap, const Tap& mine) {
    std::optional<ValueId> out;
    for (Dim k = 0; k < windows_.size(); ++k) {
      if (tap[k] != mine[k]) out = either(out, outside(k, tap[k]));
    }
    return out;
  }

  /// For each window whether `select` selects the place, provided that this is no padding: it replaces each element
  /// before, and is kept at each later one.
  ValueId is_selected(const Tap& tap) {
    std::optional<ValueId> out;
    for (const Tap& other : taps_) {
      if (other == tap) continue;
      const ValueId wins = other < tap ? b_.elementwise("stablehlo.not", {keeps(other, tap)}) : keeps(tap, other);
      const ValueId passes = *either(outside(other, tap), wins);
      out = out ? b_.logical_and(*out, passes) : passes;
    }
    return out ? *out : b_.constant({ElementType::i1, source_.dims}, 1);
  }

  /// The sum of the source's elements at the selected places that agree with `tap` in the first `level` of dims_.
  ValueId contributions(Tap tap, std::size_t level) {
    tap.resize(windows_.size(), 0);
    if (level == dims_.size()) return b_.select(is_selected(tap), added_, b_.constant(source_, 0));
    const Dim k = dims_[level];
    std::optional<ValueId> sum;
    for (tap[k] = 0; tap[k] < windows_[k].size; ++tap[k]) {
      const ValueId here = shifted_back(contributions(tap, level + 1), k, tap[k]);
      sum = sum ? b_.add(*sum, here) : here;
    }
    return *sum;
  }

  const OpInstance& op_;
  const OpInstance& given_;
  Order order_;
  Decomposition d_;
  Builder& b_;
  TensorType source_;
  std::vector<Window> windows_;
  std::vector<Dim> dims_;  ///< in the order in which they are shifted
  std::vector<Tap> taps_;  ///< in the order in which `select` visits them
  std::map<std::pair<std::size_t, Tap>, ValueId> elements_;
  std::map<std::pair<Tap, Tap>, ValueId> kept_;
  std::map<std::pair<Dim, std::int64_t>, std::optional<ValueId>> outside_;
  ValueId zero_;
  ValueId compared_;  ///< the operand, zero in additional elements, as it is in the padding
  ValueId added_;     ///< the source, zero in additional windows
};

bool has_few_taps(const OpInstance& op) {
  std::int64_t taps = 1;
  for (Dim k = 0; k < op.operands[0].rank(); ++k) {
    const auto more = checked_multiply(taps, window_of(op, k).size);
    if (!more || *more > kMostTaps) return false;
    taps = *more;
  }
  return true;
}

/// Returns the order of the elements, if the decomposition applies to the operation: it selects by an order, and adds
/// up few taps.
std::optional<Order> order_of_taps(const OpInstance& op) {
  const ElementType type = op.operands[0]->element;
  const bool adds = scattered_monoid(op) == Monoid::sum && is_identity(op.splats[2], Monoid::sum);
  if (!adds || !(is_float(type) || is_integer(type)) || op.results[0]->element != type || !has_few_taps(op))
    return std::nullopt;
  return order_of(op);
}

/// Whether chunk b of the windows starts at chunk b of the operand.
bool chunks_align(const OpInstance& op, Dim k) {
  const std::int64_t extent = op.operands[0]->dims[k];
  const Window w = window_of(op, k);
  return counts(ElementType::i32, extent) && checked_multiply(op.operands[1]->dims[k], w.stride) == extent &&
         !is_cut_by_strides(w, extent);
}

}  // namespace

std::vector<Entry> scatter_entries_by_taps(const OpInstance& op) {
  std::vector<Entry> out;
  if (!order_of_taps(op)) return out;
  for (Dim k = 0; k < op.operands[0].rank(); ++k) {
    if (chunks_align(op, k)) out.push_back({{Action::tile(k), Action::tile(k), Action::any()}, {Action::tile(k)}});
  }
  return out;
}

std::optional<Function> scatter_by_taps(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  if (operand > 1 || n < 2 || !chunks_align(op, dim) || op.operands[1]->dims[dim] % n != 0) return std::nullopt;
  const auto order = order_of_taps(op);
  return order ? std::optional(ByTaps(op, op, *order, dim).scattered()) : std::nullopt;
}

std::optional<Function> scatter_over_padded(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t size) {
  if (operand > 1) return std::nullopt;
  const std::int64_t extent = op.operands[0]->dims[dim];
  const std::int64_t stride = window_of(op, dim).stride;
  const auto wide = operand == 0 ? size : checked_multiply(size, stride);
  // Where windows step over the dimension as it is, only the source has padding.
  if (!wide || !counts(ElementType::i32, *wide) || *wide % stride != 0 || *wide < extent ||
      *wide / stride < op.operands[1]->dims[dim] || (operand == 1 && *wide != extent))
    return std::nullopt;
  const auto order = order_of_taps(op);
  if (!order) return std::nullopt;
  OpInstance out = op;
  out.operands[0]->dims[dim] = out.results[0]->dims[dim] = *wide;
  out.operands[1]->dims[dim] = *wide / stride;
  return ByTaps(out, op, *order, dim).scattered();
}

}  // namespace partir::ops
