// Abstract interpretation forwards; loops are repeated until nothing changes. For each value it has the infinities that
// an element may be, and the range of the elements that are functions of constants alone (constant_range.h). Where the
// range exceeds the type, so may the element.
#include "verify/certificate/infinities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "ir/control_flow.h"
#include "ir/float_format.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/splat.h"
#include "semantics/splat_function.h"
#include "verify/certificate/constant_range.h"

namespace partir {
namespace {

constexpr Infinities kBoth{true, true};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool has_infinities(const Type& type) {
  return type.is_tensor() && (is_float(type->element) || is_complex(type->element));
}

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What an element of a value may be.
struct Magnitude {
  Infinities infinities;
  /// The finite numbers that an element may be that no argument changes; nothing if there are no such elements.
  std::optional<NumberRange> constants;
  friend bool operator==(const Magnitude&, const Magnitude&) = default;

  /// The range with the infinities as its ends.
  [[nodiscard]] NumberRange extended() const {
    NumberRange out = constants.value_or(NumberRange{});
    if (infinities.lowest) out = hull(out, {-kInfinity, -kInfinity});
    if (infinities.highest) out = hull(out, {kInfinity, kInfinity});
    return out;
  }
};

Magnitude either(const Magnitude& a, const Magnitude& b) {
  Magnitude out{a.infinities | b.infinities, a.constants ? a.constants : b.constants};
  if (a.constants && b.constants) out.constants = hull(*a.constants, *b.constants);
  return out;
}

double largest_finite(ElementType type) {
  const std::uint64_t beyond = to_float_bits(kInfinity, type);  // infinity, NaN, or the largest number
  const double value = from_float_bits(beyond, type);
  return std::isfinite(value) ? value : from_float_bits(beyond - 1, type);
}

/// The value with its range rounded to its type: what exceeds a float type is infinite, and integers wrap.
Magnitude in_type(Magnitude x, const Type& type) {
  if (!type.is_tensor() || !x.constants || x.constants->empty()) return x;
  const ElementType part = is_complex(type->element) ? part_of(type->element) : type->element;
  NumberRange& range = *x.constants;
  if (!is_float(part)) {
    const NumberRange all = numbers_of_type(part);
    if (!(hull(all, range) == all)) range = all;
    return x;
  }
  const double largest = largest_finite(part);
  range = {round_to(range.low, part), round_to(range.high, part)};
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) {
    x.infinities = kBoth;
    range = NumberRange::within(largest);
  }
  return x;
}

Magnitude in_literal(const Literal& l) {
  Magnitude out{{}, NumberRange{}};
  const ElementType type = l.type.element;
  const std::int64_t count = l.splat ? std::min<std::int64_t>(l.type.elements(), 1) : l.type.elements();
  for (std::int64_t k = 0; k < count; ++k) {
    const std::complex<double> z = is_complex(type) ? l.as_complex(k) : l.as_double(k);
    for (const double x : {z.real(), is_complex(type) ? z.imag() : z.real()}) {
      if (std::isinf(x)) {
        (x < 0 ? out.infinities.lowest : out.infinities.highest) = true;
      } else if (!std::isnan(x)) {
        out.constants = hull(*out.constants, {x, x});
      }
    }
  }
  if (is_complex(type) && !out.infinities.none()) out.infinities = kBoth;
  return out;
}

class Analysis {
 public:
  explicit Analysis(const Function& f) : f_(f), of_(f.types.size()), splats_(f.types.size()) {}

  std::vector<Infinities> run() {
    for (std::size_t v = 0; v < of_.size(); ++v) {  // a boolean is one of two constants, whatever it depends on
      const Type& type = f_.types[v];
      if (type.is_tensor() && type->element == ElementType::i1) of_[v].constants = numbers_of_type(ElementType::i1);
    }
    constexpr int kRounds = 8;  // the end of a range that grows for longer is given up
    int round = 0;
    do {
      changed_ = false;
      widens_ = ++round > kRounds;
      block(f_.body);
    } while (changed_);
    std::vector<Infinities> out;
    for (const Magnitude& k : of_) out.push_back(k.infinities);
    return out;
  }

 private:
  Magnitude& of(ValueId v) { return of_[v.index()]; }

  void note(ValueId v, const Magnitude& more) {
    const Type& type = f_.type(v);
    if (!type.is_tensor()) return;
    Magnitude now = either(of(v), in_type(more, type));
    if (widens_ && of(v).constants && !of(v).constants->empty()) {
      if (now.constants->low < of(v).constants->low) now.constants->low = -kInfinity;
      if (now.constants->high > of(v).constants->high) now.constants->high = kInfinity;
    }
    now = in_type(now, type);
    if (!has_infinities(type)) now.infinities = {};
    changed_ = changed_ || !(now == of(v));
    of(v) = now;
  }

  void flow(const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
    for (std::size_t k = 0; k < std::min(from.size(), to.size()); ++k) note(to[k], of(from[k]));
  }

  void block(const Block& b) {
    for (const Op& op : b.ops) {
      if (op.decl->kind == OpDecl::Kind::terminator) continue;
      if (runs_regions(op) || !flows_of(op).empty()) {
        for (const Block& inner : op.regions) block(inner);
        for (const Flow& each : flows_of(op)) {
          for (const ValueId from : each.from) {
            for (const ValueId to : each.to) note(to, of(from));
          }
        }
      } else if (op.name() == "sdy.manual_computation") {
        flow(op.operands, op.regions[0].arguments);
        block(op.regions[0]);
        flow(op.regions[0].ops.back().operands, op.results);
      } else {
        for (std::size_t k = 0; k < op.results.size(); ++k) {
          const Type& type = f_.type(op.results[k]);
          if (!type.is_tensor()) continue;
          const auto constant = of_constants(op);
          note(op.results[k], constant ? *constant : Magnitude{infinities(op, k), constants(op, k)});
        }
      }
    }
  }

  Infinities infinities(const Op& op, std::size_t k) {
    const std::string& n = op.name();
    if (!has_infinities(f_.type(op.results[k]))) return {};
    const auto operand = [&](std::size_t i) { return of(op.operands[i]).infinities; };
    Infinities all = computes_with_constants(op) ? kBoth : Infinities{};
    for (const ValueId v : op.operands) all = all | of(v).infinities;
    for (const ValueId v : captured(op)) all = all | of(v).infinities;
    if (all.none()) return all;
    if (n == "stablehlo.reduce" && all != kBoth) return of_reduce(op, k);
    if (n == "stablehlo.select") return operand(1) | operand(2);
    if (n == "stablehlo.negate") return operand(0).negated();
    if (n == "stablehlo.subtract") return operand(0) | operand(1).negated();
    if (n == "stablehlo.divide") return operand(0).none() ? Infinities{} : kBoth;
    if (n == "stablehlo.abs") return {false, true};
    if (n == "stablehlo.exponential" || n == "stablehlo.exponential_minus_one") return {false, all.highest};
    if (is_among(kBounded, n) && !is_complex(f_.tensor(op.operands[0]).element)) return {};
    return n == "stablehlo.add" || n == "stablehlo.convert" || is_among(kChoose, n) ? all : kBoth;
  }

  /// A maximum starts at minus infinity, which is the result only if all members are, or if there are none.
  Infinities of_reduce(const Op& op, std::size_t k) {
    const std::size_t count = op.operands.size() / 2;
    const Infinities members = of(op.operands[k]).infinities;
    Infinities initial = of(op.operands[count + k]).infinities;
    const auto monoid = instance_of(f_, op).monoid();
    if (f_.tensor(op.operands[k]).elements() > 0 && monoid == Monoid::max) initial.lowest = false;
    if (f_.tensor(op.operands[k]).elements() > 0 && monoid == Monoid::min) initial.highest = false;
    return monoid == Monoid::max || monoid == Monoid::min || monoid == Monoid::sum ? members | initial : kBoth;
  }

  /// The range of the elements of the result that are functions of constants alone.
  std::optional<NumberRange> constants(const Op& op, std::size_t k) {
    const std::string& n = op.name();
    const TensorType& type = f_.tensor(op.results[k]);
    const auto operand = [&](std::size_t i) { return of(op.operands[i]).constants; };
    if (n == "stablehlo.iota") {
      const std::int64_t size = type.dims.at(ops::at(instance_of(f_, op).integer("iota_dimension")));
      return NumberRange{0, static_cast<double>(std::max<std::int64_t>(size, 1) - 1)};
    }
    if (type.element == ElementType::i1) return numbers_of_type(type.element);
    if (n == "stablehlo.select" || is_among(kChoose, n)) {
      std::optional<NumberRange> out;
      for (std::size_t i = n == "stablehlo.select" ? 1 : 0; i < op.operands.size(); ++i) {
        if (!is_index_of(op, i) && operand(i)) out = hull(out.value_or(NumberRange{}), *operand(i));
      }
      return out;
    }
    if (n == "stablehlo.reduce") return of_reduction(op, k);
    std::vector<NumberRange> finite;
    std::vector<NumberRange> extended;
    for (const ValueId v : op.operands) {
      if (!of(v).constants) return std::nullopt;  // an argument changes all elements
      finite.push_back(*of(v).constants);
      extended.push_back(of(v).extended());
    }
    if (op.operands.empty()) return std::nullopt;
    if (n == "stablehlo.dot_general" || n == "stablehlo.convolution") {
      const double terms =
          static_cast<double>(f_.tensor(op.operands[0]).elements()) * (is_complex(type.element) ? 2 : 1);
      return NumberRange::within(finite[0].magnitude() * finite[1].magnitude() * terms);
    }
    if (op.results.size() != 1) return numbers_of_type(type.element);
    const OpInstance instance = instance_of(f_, op);
    const NumberRange out = range_of_result(instance, finite);
    if (finite == extended || !is_float(type.element)) return finite == extended ? out : numbers_of_type(type.element);
    // Of infinities there may be further numbers: exp(-inf) is 0.
    const double largest = largest_finite(type.element);
    NumberRange more = range_of_result(instance, extended);
    if (!more.empty()) more = {std::clamp(more.low, -largest, largest), std::clamp(more.high, -largest, largest)};
    return hull(out, more);
  }

  std::optional<NumberRange> of_reduction(const Op& op, std::size_t k) {
    const std::size_t count = op.operands.size() / 2;
    const auto member = of(op.operands[k]).constants;
    const auto monoid = instance_of(f_, op).monoid();
    if (!member) return std::nullopt;
    const NumberRange initial = of(op.operands[count + k]).constants.value_or(NumberRange{});
    if (monoid == Monoid::max || monoid == Monoid::min) return hull(*member, initial);
    if (monoid != Monoid::sum) return numbers_of_type(f_.tensor(op.results[k]).element);
    const auto members = static_cast<double>(f_.tensor(op.operands[k]).elements());
    const NumberRange sum{std::min(member->low, 0.0) * members, std::max(member->high, 0.0) * members};
    return initial.empty() ? sum
                           : NumberRange{sum.low + std::min(initial.low, 0.0), sum.high + std::max(initial.high, 0.0)};
  }

  /// Whether the operand only says which elements are taken.
  static bool is_index_of(const Op& op, std::size_t i) {
    const std::string& n = op.name();
    return (n == "stablehlo.gather" && i == 1) || (n == "stablehlo.dynamic_slice" && i >= 1) ||
           (n == "stablehlo.dynamic_update_slice" && i >= 2);
  }

  /// Whether a region of the operation has constants other than booleans. What it makes of them is not followed.
  bool computes_with_constants(const Op& op) const {
    return std::any_of(op.regions.begin(), op.regions.end(), [&](const Block& b) {
      return find_op(b, [&](const Op& o) {
               return o.decl->traits.constant && f_.tensor(o.results[0]).element != ElementType::i1;
             }) != nullptr;
    });
  }

  /// Of a constant, or of a scalar function of constants that are the same everywhere, which is evaluated.
  std::optional<Magnitude> of_constants(const Op& op) {
    if (op.results.size() != 1) return std::nullopt;
    splats_[op.results[0]] = splat_of(op, splats_);
    if (op.decl->traits.constant) {
      const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
      return dense != nullptr ? std::optional(in_literal(*dense->literal)) : std::nullopt;
    }
    return splats_[op.results[0]] == nullptr ? computed(op) : std::nullopt;
  }

  std::optional<Magnitude> computed(const Op& op) {
    const auto fn = ops::scalar_fn_of(op.name());
    const ElementType to = f_.tensor(op.results[0]).element;
    if (!fn || !is_float(to) || *fn == ScalarFn::bitcast || *fn == ScalarFn::reduce_precision) return std::nullopt;
    const auto out = applied_to_splats(*fn, f_, op, splats_);
    if (!out) return std::nullopt;
    splats_[op.results[0]] = to_literal(*out);
    const double value = round_to(out->data[0].f, to);
    if (std::isinf(value)) return Magnitude{Infinities{value<0, value> 0}, NumberRange{}};
    return std::isnan(value) ? Magnitude{kBoth, NumberRange{}} : Magnitude{{}, NumberRange{value, value}};
  }

  static constexpr std::array<std::string_view, 9> kBounded = {
      "stablehlo.logistic", "stablehlo.tanh", "stablehlo.sign", "stablehlo.sine", "stablehlo.cosine",
      "stablehlo.rsqrt",    "chlo.erf",       "chlo.erfc",      "chlo.atan"};
  /// Operations of which each element of the result is an element of an operand.
  static constexpr std::array<std::string_view, 16> kChoose = {
      "stablehlo.maximum",          "stablehlo.minimum",       "stablehlo.clamp",
      "stablehlo.concatenate",      "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice",
      "stablehlo.gather",           "stablehlo.pad",           "stablehlo.slice",
      "stablehlo.broadcast_in_dim", "stablehlo.reshape",       "stablehlo.transpose",
      "stablehlo.reverse",          "sdy.sharding_constraint", "stablehlo.all_gather",
      "stablehlo.all_to_all"};

  const Function& f_;
  std::vector<Magnitude> of_;
  Splats splats_;
  bool changed_ = false;
  bool widens_ = false;
};

}  // namespace

std::vector<Infinities> infinities_of(const Function& function) { return Analysis(function).run(); }

bool needs_finite(const Op& op, const std::vector<std::optional<Monoid>>& partial,
                  const std::vector<Infinities>& infinities) {
  const auto of = [&](std::size_t k) { return infinities[op.operands[k].index()]; };
  const std::string& n = op.name();
  const bool adds = n == "stablehlo.add" || n == "stablehlo.subtract";
  static constexpr std::array<std::string_view, 11> kAnyOperands = {
      "stablehlo.select",  "stablehlo.concatenate", "stablehlo.pad",           "stablehlo.dynamic_update_slice",
      "stablehlo.divide",  "stablehlo.reduce",      "stablehlo.reduce_window", "stablehlo.scatter",
      "stablehlo.maximum", "stablehlo.minimum",     "stablehlo.clamp"};
  const bool any = is_among(kAnyOperands, n);
  for (std::size_t k = 0; k < partial.size(); ++k) {
    if (!partial[k]) continue;
    const bool is_extremum = partial[k] == Monoid::max || partial[k] == Monoid::min;
    for (std::size_t other = 0; other < partial.size(); ++other) {
      if (other == k || partial[other]) continue;
      Infinities x = of(k);
      Infinities y = of(other);
      if (n == "stablehlo.subtract") (k == 0 ? y : x) = (k == 0 ? y : x).negated();
      const bool opposite = (x.lowest && y.highest) || (x.highest && y.lowest);
      if (adds ? is_extremum && opposite : !any && !y.none()) return true;
    }
  }
  return false;
}

}  // namespace partir
