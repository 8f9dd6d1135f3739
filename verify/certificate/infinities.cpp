// Abstract interpretation forwards; loops are repeated until nothing changes. For each value it has the infinities that
// an element may be, and a bound on the magnitude of the elements that are functions of constants alone. Where the bound
// exceeds the type, so may the element.
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

namespace partir {
namespace {

constexpr Infinities kBoth{true, true};
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

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
  /// A bound on the magnitude of elements that no argument changes; nothing if there are none.
  std::optional<double> constants;
  friend bool operator==(const Magnitude&, const Magnitude&) = default;
};

Magnitude either(const Magnitude& a, const Magnitude& b) {
  Magnitude out{a.infinities | b.infinities, a.constants ? a.constants : b.constants};
  if (a.constants && b.constants) out.constants = std::max(*a.constants, *b.constants);
  return out;
}

/// The largest magnitude of the integers of a type.
double largest_integer(ElementType type) {
  return type == ElementType::i1 ? 1 : std::ldexp(1.0, static_cast<int>(bit_width(type)));
}

/// The value with its bound checked against its type: what exceeds a float type is infinite, and integers wrap.
Magnitude in_type(Magnitude x, const Type& type) {
  if (!type.is_tensor() || !x.constants) return x;
  const ElementType part = is_complex(type->element) ? part_of(type->element) : type->element;
  if (!is_float(part)) {
    if (is_integer(part)) x.constants = std::min(*x.constants, largest_integer(part));
    return x;
  }
  if (!std::isfinite(*x.constants) || !std::isfinite(round_to(*x.constants, part))) x.infinities = kBoth;
  return x;
}

Magnitude in_literal(const Literal& l) {
  Magnitude out{{}, 0.0};
  const ElementType type = l.type.element;
  const std::int64_t count = l.splat ? std::min<std::int64_t>(l.type.elements(), 1) : l.type.elements();
  for (std::int64_t k = 0; k < count; ++k) {
    const std::complex<double> z = is_complex(type) ? l.as_complex(k) : l.as_double(k);
    for (const double x : {z.real(), z.imag()}) {
      if (std::isinf(x)) {
        (x < 0 ? out.infinities.lowest : out.infinities.highest) = true;
      } else if (!std::isnan(x)) {
        out.constants = std::max(*out.constants, std::fabs(x));
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
      if (type.is_tensor() && type->element == ElementType::i1) of_[v].constants = 1;
    }
    constexpr int kRounds = 8;  // a bound that grows for longer is given up
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
    Magnitude now = either(of(v), more);
    if (widens_ && now.constants != of(v).constants) now.constants = kUnbounded;
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

  /// The bound on elements of the result that are functions of constants alone.
  std::optional<double> constants(const Op& op, std::size_t k) {
    const std::string& n = op.name();
    const auto operand = [&](std::size_t i) { return of(op.operands[i]).constants; };
    if (n == "stablehlo.iota") return static_cast<double>(f_.tensor(op.results[k]).elements());
    if (f_.tensor(op.results[k]).element == ElementType::i1) return 1.0;
    if (n == "stablehlo.select" || is_among(kChoose, n)) {
      std::optional<double> out;
      for (std::size_t i = n == "stablehlo.select" ? 1 : 0; i < op.operands.size(); ++i) {
        if (!is_index_of(op, i) && operand(i)) out = std::max(out.value_or(0), *operand(i));
      }
      return out;
    }
    if (n == "stablehlo.reduce") return of_sum(op, k);
    for (const ValueId v : op.operands) {
      if (!of(v).constants) return std::nullopt;  // an argument changes all elements
    }
    if (op.operands.empty()) return std::nullopt;
    const double x = *operand(0);
    if (n == "stablehlo.convert" || n == "stablehlo.negate" || n == "stablehlo.abs" || n == "stablehlo.real" ||
        n == "stablehlo.imag")
      return x;
    if (is_among(kBounded, n) && n != "stablehlo.rsqrt") return 2.0;
    if (n == "stablehlo.sqrt" || n == "stablehlo.floor" || n == "stablehlo.ceil") return x + 1;
    if (n == "stablehlo.exponential" || n == "stablehlo.exponential_minus_one") return std::exp(x) + 1;
    if (op.operands.size() != 2) return kUnbounded;  // of bits and of other functions nothing is known
    const double y = *operand(1);
    if (n == "stablehlo.add" || n == "stablehlo.subtract" || n == "stablehlo.complex") return x + y;
    if (n == "stablehlo.multiply") return x * y;
    if (n == "stablehlo.divide" && splats_[op.operands[1]] != nullptr && y != 0) return x / y;
    if (n == "stablehlo.dot_general" || n == "stablehlo.convolution")
      return x * y * static_cast<double>(f_.tensor(op.operands[0]).elements());
    return kUnbounded;
  }

  std::optional<double> of_sum(const Op& op, std::size_t k) {
    const std::size_t count = op.operands.size() / 2;
    const auto member = of(op.operands[k]).constants;
    const auto monoid = instance_of(f_, op).monoid();
    if (!member) return std::nullopt;
    const double initial = of(op.operands[count + k]).constants.value_or(0);
    if (monoid == Monoid::max || monoid == Monoid::min) return *member;
    if (monoid != Monoid::sum) return kUnbounded;
    return *member * static_cast<double>(f_.tensor(op.operands[k]).elements()) + initial;
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
    if (std::isinf(value)) return Magnitude{Infinities{value<0, value> 0}, 0.0};
    return std::isnan(value) ? Magnitude{kBoth, 0.0} : Magnitude{{}, std::fabs(value)};
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
