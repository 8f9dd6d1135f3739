#include "ir/control_flow.h"

#include <algorithm>
#include <limits>

#include "ir/op_decl.h"

namespace partir {
namespace {

/// The smallest and largest value of an integer type; nullopt if they do not fit in a signed 64-bit integer.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(ElementType type) {
  const auto bits = [](int n) { return (std::int64_t{1} << n) - 1; };
  switch (type) {
    case ElementType::i8: return std::pair(-bits(7) - 1, bits(7));
    case ElementType::i16: return std::pair(-bits(15) - 1, bits(15));
    case ElementType::i32: return std::pair(-bits(31) - 1, bits(31));
    case ElementType::i64:
      return std::pair(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    case ElementType::ui8: return std::pair(std::int64_t{0}, bits(8));
    case ElementType::ui16: return std::pair(std::int64_t{0}, bits(16));
    case ElementType::ui32: return std::pair(std::int64_t{0}, bits(32));
    default: return std::nullopt;
  }
}

/// A bound on magnitudes for which the sums and differences below do not overflow 64 bits.
constexpr std::int64_t kMost = std::int64_t{1} << 60;

/// The number of iterations for which `counter DIRECTION limit` holds while the counter runs from `first` in steps of
/// `step`; nullopt if the counter leaves the range of its type before that. trips("LT", 0, 10, 3, i32) is 4.
std::optional<std::int64_t> trips(std::string_view direction, std::int64_t first, std::int64_t limit, std::int64_t step,
                                  ElementType type) {
  const auto range = range_of(type);
  if (!range) return std::nullopt;
  // Counting down is counting up with all signs reversed.
  if (limit < -kMost || limit > kMost || first < -kMost || first > kMost || step < -kMost || step > kMost)
    return std::nullopt;
  const std::int64_t sign = direction.starts_with('L') ? 1 : -1;
  const std::int64_t distance = sign * (limit - first) + (direction.ends_with('E') ? 1 : 0);
  if (distance <= 0) return 0;
  const std::int64_t by = sign * step;
  if (by <= 0) return std::nullopt;
  const std::int64_t count = (distance + by - 1) / by;
  const std::int64_t last = first + count * step;
  if (last < range->first || last > range->second) return std::nullopt;
  return count;
}

}  // namespace

bool runs_regions(const Op& op) {
  return !op.regions.empty() && (op.decl->control == Control::loop || op.decl->control == Control::branch);
}

bool hands_operands_on(const Op& op) {
  return op.decl->control == Control::loop || op.decl->control == Control::barrier;
}

bool hands_on_from(const Op& op, std::size_t region) { return op.decl->control != Control::loop || region == 1; }

std::vector<Flow> flows_of(const Op& op) {
  std::vector<Flow> out;
  if (!runs_regions(op) && !hands_operands_on(op)) return out;
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    Flow flow;
    if (hands_operands_on(op)) flow.from.push_back(op.operands[k]);
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const Block& b = op.regions[r];
      if (hands_on_from(op, r)) flow.from.push_back(b.ops.back().operands[k]);
      if (!b.arguments.empty()) flow.to.push_back(b.arguments[k]);
    }
    flow.to.push_back(op.results[k]);
    out.push_back(std::move(flow));
  }
  return out;
}

TripCounts::TripCounts(const Function& function) : function_(function), sources_(function.types.size()) {
  read(function.body);
}

void TripCounts::read(const Block& block) {
  for (const Op& op : block.ops) {
    for (const ValueId v : op.results) sources_[v.index()] = {&op, std::nullopt};
    if (!runs_regions(op)) continue;
    for (const Block& b : op.regions) {
      for (std::size_t k = 0; k < b.arguments.size(); ++k) sources_[b.arguments[k].index()] = {&op, k};
      read(b);
    }
  }
}

std::optional<std::int64_t> TripCounts::constant(ValueId v) const {
  // Terminates because a value is defined before it is used.
  while (true) {
    const Source& s = sources_[v.index()];
    if (s.op == nullptr) return std::nullopt;
    if (s.slot) {  // loop-carried unchanged
      const Block& body = s.op->regions.back();
      if (body.ops.back().operands[*s.slot] != body.arguments[*s.slot]) return std::nullopt;
      v = s.op->operands[*s.slot];
    } else if (s.op->decl->traits.constant) {
      const Attribute* value = find(s.op->attributes, "value");
      const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
      if (dense == nullptr || dense->literal->type.rank() != 0 || !range_of(dense->literal->type.element))
        return std::nullopt;
      return dense->literal->as_int(0);
    } else if (s.op->decl->traits.converts && function_.type(v) == function_.type(s.op->operands[0])) {
      v = s.op->operands[0];
    } else if (s.op->decl->control == Control::loop) {  // the result of a loop that carries it unchanged
      const auto slot =
          static_cast<std::size_t>(std::find(s.op->results.begin(), s.op->results.end(), v) - s.op->results.begin());
      const Block& body = s.op->regions.back();
      if (body.ops.back().operands[slot] != body.arguments[slot]) return std::nullopt;
      v = s.op->operands[slot];
    } else {
      return std::nullopt;
    }
  }
}

std::optional<std::int64_t> TripCounts::step(const Op& loop, std::size_t slot) const {
  const Block& body = loop.regions.back();
  const ValueId counter = body.arguments[slot];
  const Op* next = sources_[body.ops.back().operands[slot].index()].op;
  if (next == nullptr || next->operands.size() != 2) return std::nullopt;
  const ValueId a = next->operands[0];
  const ValueId b = next->operands[1];
  if (next->name() == "stablehlo.add") return a == counter ? constant(b) : b == counter ? constant(a) : std::nullopt;
  if (next->name() != "stablehlo.subtract" || a != counter) return std::nullopt;
  const auto by = constant(b);
  if (!by || *by == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  return -*by;
}

std::optional<std::int64_t> TripCounts::of(const Op& loop) const {
  if (loop.decl->control != Control::loop || !runs_regions(loop)) return std::nullopt;
  const Block& condition = loop.regions.front();
  const Op* compare = sources_[condition.ops.back().operands[0].index()].op;
  if (compare == nullptr || compare->name() != "stablehlo.compare") return std::nullopt;
  const Attribute* attribute = find(compare->attributes, "comparison_direction");
  const KeywordAttr* keyword = attribute != nullptr ? attribute->as<KeywordAttr>() : nullptr;
  if (keyword == nullptr || keyword->value == "EQ" || keyword->value == "NE") return std::nullopt;
  std::string direction = keyword->value;
  std::size_t counter = 0;
  const auto slot_of = [&](ValueId v) {
    return static_cast<std::size_t>(std::find(condition.arguments.begin(), condition.arguments.end(), v) -
                                    condition.arguments.begin());
  };
  // The counter is the side of the comparison that the body changes by a constant.
  for (std::size_t side = 0; side < 2; ++side) {
    counter = slot_of(compare->operands[side]);
    if (counter == condition.arguments.size()) continue;
    const auto by = step(loop, counter);
    const auto first = constant(loop.operands[counter]);
    const auto limit = constant(compare->operands[1 - side]);
    if (!by || !first || !limit) continue;
    if (side == 1) direction[0] = direction[0] == 'L' ? 'G' : 'L';
    return trips(direction, *first, *limit, *by, function_.type(condition.arguments[counter])->element);
  }
  return std::nullopt;
}

}  // namespace partir
