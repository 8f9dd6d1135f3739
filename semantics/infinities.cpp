// Abstract interpretation forwards; loops are repeated until nothing changes. For each value it has the infinities that
// an element may be, and the range of the elements that are functions of constants alone (constant_range.h). Where the
// range exceeds the type, so may the element.
#include "semantics/infinities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "ir/control_flow.h"
#include "ir/float_format.h"
#include "ir/linear_algebra.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/ops/window.h"
#include "ir/splat.h"
#include "semantics/constant_range.h"
#include "semantics/splat_function.h"

namespace partir {
namespace {

constexpr Infinities kBoth{true, true};

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
};

std::optional<NumberRange> either(const std::optional<NumberRange>& a, const std::optional<NumberRange>& b) {
  return a && b ? hull(*a, *b) : a ? a : b;
}

Magnitude either(const Magnitude& a, const Magnitude& b) {
  return {a.infinities | b.infinities, either(a.constants, b.constants)};
}

double largest_finite(ElementType type) {
  const std::uint64_t beyond = to_float_bits(kUnbounded, type);  // infinity, NaN, or the largest number
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
    if (!(hull(all, range) == all) || range.magnitude() >= 0x1p53) range = all;  // a double does not hold it exactly
    return x;
  }
  const double largest = largest_finite(part);
  range = {round_to(range.low, part), round_to(range.high, part)};
  // A device may take numbers with less than full precision for zero.
  const FloatFormat format = float_format(part);
  const double least = format.exponent_bits >= 8 ? std::ldexp(1.0, 1 - format.bias) : 0;
  if (range.low > 0 && range.low < least) range.low = 0;
  if (range.high < 0 && range.high > -least) range.high = 0;
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
        const bool is_rounded = !is_float(type) && !is_complex(type) && std::fabs(x) >= 0x1p53;
        out.constants = hull(*out.constants, is_rounded ? numbers_of_type(type) : NumberRange{x, x});
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
      if (now.constants->low < of(v).constants->low) now.constants->low = -kUnbounded;
      if (now.constants->high > of(v).constants->high) now.constants->high = kUnbounded;
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
          if (pads_nothing(op)) {
            note(op.results[k], of(op.operands[0]));
            continue;
          }
          const auto constant = of_constants(op);
          note(op.results[k], constant ? *constant : Magnitude{infinities(op, k), constants(op, k)});
        }
      }
    }
  }

  /// Whether it is a pad without a position that takes the padding value, as JAX writes it before each gradient of a pool.
  bool pads_nothing(const Op& op) {
    if (op.name() != "stablehlo.pad") return false;
    const OpInstance pad = instance_of(f_, op);
    const auto none = [](const std::vector<std::int64_t>& of) {
      return std::all_of(of.begin(), of.end(), [](std::int64_t n) { return n <= 0; });
    };
    return none(pad.ints("edge_padding_low")) && none(pad.ints("edge_padding_high")) &&
           none(pad.ints("interior_padding"));
  }

  Infinities infinities(const Op& op, std::size_t k) {
    const std::string& n = op.name();
    if (!has_infinities(f_.type(op.results[k]))) return {};
    const auto operand = [&](std::size_t i) { return of(op.operands[i]).infinities; };
    Infinities all;
    for (const ValueId v : op.operands) all = all | of(v).infinities;
    for (const ValueId v : captured(op)) all = all | of(v).infinities;
    if (all.none()) return all;
    if ((n == "stablehlo.reduce" || n == "stablehlo.reduce_window") && all != kBoth) return of_reduce(op, k);
    if (n == "stablehlo.select") return operand(1) | operand(2);
    if (n == "stablehlo.maximum") return {operand(0).lowest && operand(1).lowest, all.highest};
    if (n == "stablehlo.minimum") return {all.lowest, operand(0).highest && operand(1).highest};
    if (n == "stablehlo.negate") return operand(0).negated();
    if (n == "stablehlo.subtract") return operand(0) | operand(1).negated();
    if (n == "stablehlo.divide") return operand(0).none() ? Infinities{} : kBoth;
    if (n == "stablehlo.abs") return {false, true};
    if (n == "stablehlo.exponential" || n == "stablehlo.exponential_minus_one") return {false, all.highest};
    if (is_among(kBounded, n) && !is_complex(f_.tensor(op.operands[0]).element)) return {};
    return n == "stablehlo.add" || n == "stablehlo.convert" || is_among(kChoose, n) ? all : kBoth;
  }

  /// The least and the largest number of members that an element of the result combines with the initial value.
  struct MemberCount {
    double fewest = 0;
    double most = 0;
  };
  MemberCount members_of(const Op& op, std::size_t k) {
    const TensorType& x = f_.tensor(op.operands[k]);
    if (op.name() == "stablehlo.reduce") {
      const auto results = static_cast<double>(std::max<std::int64_t>(f_.tensor(op.results[k]).elements(), 1));
      const double each = static_cast<double>(x.elements()) / results;
      return {each, each};
    }
    const OpInstance instance = instance_of(f_, op);
    MemberCount out{1, 1};
    for (std::size_t d = 0; d < x.rank(); ++d) {
      const ops::Window w = ops::window_of(instance, d);
      out.most *= static_cast<double>(std::min(w.size, x.dims[d]));
      // A window may lie in the padding alone, or between dilated elements.
      const std::int64_t last = (w.count(x.dims[d]) - 1) * w.stride;
      if (x.dims[d] == 0 || w.base_dilation != 1 || w.window_dilation != 1 || w.low >= w.size ||
          last >= w.low + x.dims[d])
        out.fewest = 0;
    }
    return out;
  }

  /// A maximum starts at minus infinity, which is the result only if all members are, or if there are none.
  Infinities of_reduce(const Op& op, std::size_t k) {
    const std::size_t count = op.operands.size() / 2;
    const Infinities members = of(op.operands[k]).infinities;
    Infinities initial = of(op.operands[count + k]).infinities;
    const auto monoid = instance_of(f_, op).monoid();
    const bool any = members_of(op, k).fewest > 0;
    if (any && monoid == Monoid::max) initial.lowest = false;
    if (any && monoid == Monoid::min) initial.highest = false;
    return monoid == Monoid::max || monoid == Monoid::min || monoid == Monoid::sum ? members | initial : kBoth;
  }

  /// The range of the elements of the result that are functions of constants alone.
  std::optional<NumberRange> constants(const Op& op, std::size_t k) {
    const std::string& n = op.name();
    const TensorType& type = f_.tensor(op.results[k]);
    if (n == "stablehlo.iota") {
      const std::int64_t size = type.dims.at(ops::at(instance_of(f_, op).integer("iota_dimension")));
      return NumberRange{0, static_cast<double>(std::max<std::int64_t>(size, 1) - 1)};
    }
    if (type.element == ElementType::i1 || computes_with_constants(op)) return numbers_of_type(type.element);
    if (n == "stablehlo.select" || n == "stablehlo.complex" || is_among(kChoose, n)) return of_operands(op);
    if (n == "stablehlo.sort" || (n == "chlo.top_k" && k == 0)) return of(op.operands[k]).constants;
    if (function_of(n)) return of_elements(op);
    if (n == "stablehlo.dot_general" || n == "stablehlo.convolution") return of_products(op);
    if (n == "stablehlo.reduce" || n == "stablehlo.reduce_window") return of_reduction(op, k);
    if (n == "stablehlo.scatter") return of_scatter(op, k);
    if (n == "stablehlo.select_and_scatter" && !of(op.operands[1]).constants) return of(op.operands[2]).constants;
    return of_unknown(op, k);
  }

  /// Of an operation whose elements are elements of operands, or of parts of them.
  std::optional<NumberRange> of_operands(const Op& op) {
    std::optional<NumberRange> out;
    for (std::size_t i = op.name() == "stablehlo.select" ? 1 : 0; i < op.operands.size(); ++i) {
      if (!is_index_of(op, i)) out = either(out, of(op.operands[i]).constants);
    }
    return out;
  }

  /// Of an operation of which nothing else is known: any number, if it computes with a constant.
  std::optional<NumberRange> of_unknown(const Op& op, std::size_t k) {
    const NumberRange all = numbers_of_type(f_.tensor(op.results[k]).element);
    if (op.operands.empty() || !has_infinities(f_.type(op.results[k])) || find(op.attributes, "value") != nullptr)
      return all;
    // Solvers and factorisations compute no number of NaN.
    const bool of_nan_is_nan =
        calls_linear_algebra(op) || op.name() == "stablehlo.triangular_solve" || op.name() == "stablehlo.cholesky";
    const auto may_be_constant = [&](ValueId v) {
      if (!f_.type(v).is_tensor() || !of(v).infinities.none()) return true;
      return of(v).constants && !(of_nan_is_nan && of(v).constants->empty());
    };
    const bool any = std::any_of(op.operands.begin(), op.operands.end(), may_be_constant);
    return any ? std::optional(all) : std::nullopt;
  }

  /// Of a scalar function of elements of all operands. An argument changes all its elements, except where an infinity
  /// absorbs the argument: x / inf is 0.
  std::optional<NumberRange> of_elements(const Op& op) {
    const ElementType type = f_.tensor(op.results[0]).element;
    bool vary = false;
    bool infinite = false;
    for (const ValueId v : op.operands) {
      vary = vary || (!of(v).constants && of(v).infinities.none());
      infinite = infinite || !of(v).infinities.none();
    }
    if (vary && !infinite) return std::nullopt;
    const std::string& n = op.name();
    const bool is_ring = n == "stablehlo.add" || n == "stablehlo.subtract" || n == "stablehlo.multiply";
    if (vary && is_ring) return std::nullopt;
    if (vary) return n == "stablehlo.divide" && !is_complex(type) ? NumberRange{0, 0} : numbers_of_type(type);
    if (infinite && !is_float(type)) return numbers_of_type(type);
    NumberRange out;
    std::vector<NumberRange> chosen;
    of_pieces(op, instance_of(f_, op), is_ring, chosen, out);
    return out;
  }

  /// Adds to `out` the numbers of an elementwise function for each choice of an operand's finite numbers or one of its
  /// infinities, given the choices for the first operands.
  void of_pieces(const Op& op, const OpInstance& instance, bool is_ring, std::vector<NumberRange>& chosen,
                 NumberRange& out) {
    if (chosen.size() == op.operands.size()) {
      const auto is_infinity = [](const NumberRange& x) { return x.low == x.high && std::isinf(x.low); };
      const bool infinite = std::any_of(chosen.begin(), chosen.end(), is_infinity);
      if (infinite && is_ring) return;  // an infinity or NaN
      const NumberRange more = range_of_result(instance, chosen);
      if (!infinite || !is_infinity(more)) out = hull(out, more);
      return;
    }
    const Magnitude& x = of(op.operands[chosen.size()]);
    std::vector<NumberRange> pieces;
    if (x.constants) pieces.push_back(*x.constants);
    if (x.infinities.lowest) pieces.push_back({-kUnbounded, -kUnbounded});
    if (x.infinities.highest) pieces.push_back({kUnbounded, kUnbounded});
    for (const NumberRange& piece : pieces) {
      chosen.push_back(piece);
      of_pieces(op, instance, is_ring, chosen, out);
      chosen.pop_back();
    }
  }

  /// The range of a sum of `fewest` to `most` numbers of a range, each addition being rounded to the type.
  static NumberRange sum_of(const NumberRange& member, double fewest, double most, ElementType type) {
    const ElementType part = is_complex(type) ? part_of(type) : type;
    const double rounding = is_float(part) ? std::exp(most * std::exp2(-float_format(part).mantissa_bits)) : 1;
    return {member.low < 0 ? member.low * most * rounding : member.low * fewest / rounding,
            member.high > 0 ? member.high * most * rounding : member.high * fewest / rounding};
  }

  /// The range of a product of numbers of a range, each multiplication being rounded to the type.
  static NumberRange product_of(const NumberRange& member, MemberCount members, ElementType type) {
    const double rounding = std::exp(members.most * std::exp2(-float_format(type).mantissa_bits));
    const auto largest = [&](double x) { return std::pow(x, x > 1 ? members.most : members.fewest) * rounding; };
    if (member.low < 0) return NumberRange::within(largest(member.magnitude()));
    return {std::pow(member.low, member.low < 1 ? members.most : members.fewest) / rounding, largest(member.high)};
  }

  std::optional<NumberRange> of_products(const Op& op) {
    const auto& x = of(op.operands[0]).constants;
    const auto& y = of(op.operands[1]).constants;
    const ElementType type = f_.tensor(op.results[0]).element;
    if (!x || !y) return f_.tensor(op.operands[0]).elements() == 0 ? std::optional(NumberRange{0, 0}) : std::nullopt;
    const double terms = static_cast<double>(f_.tensor(op.operands[0]).elements()) * (is_complex(type) ? 2 : 1);
    return sum_of(NumberRange::within(x->magnitude() * y->magnitude()), 0, terms, type);
  }

  std::optional<NumberRange> of_reduction(const Op& op, std::size_t k) {
    const std::size_t count = op.results.size();
    const auto& member = of(op.operands[k]).constants;
    const auto& initial = of(op.operands[count + k]).constants;
    const ElementType type = f_.tensor(op.results[k]).element;
    const auto monoid = count == 1 ? instance_of(f_, op).monoid() : std::nullopt;
    if (monoid == Monoid::max || monoid == Monoid::min) return either(member, initial);
    if (!monoid) return only_decides(op) ? of_same_type(op, type) : of_unknown(op, k);
    const MemberCount members = members_of(op, k);
    if (!member) return members.fewest == 0 ? initial : std::nullopt;
    const bool is_product = monoid == Monoid::prod && is_float(type);
    if (monoid != Monoid::sum && !is_product) return numbers_of_type(type);
    if (member->empty()) return members.fewest == 0 ? either(member, initial) : member;
    const NumberRange all =
        is_product ? product_of(*member, members, type) : sum_of(*member, members.fewest, members.most, type);
    if (!std::isfinite(all.low) || !std::isfinite(all.high)) return numbers_of_type(type);
    if (!initial || initial->empty()) return all;
    return is_product ? product(all, *initial) : NumberRange{all.low + initial->low, all.high + initial->high};
  }

  std::optional<NumberRange> of_scatter(const Op& op, std::size_t k) {
    const std::size_t count = op.results.size();
    const auto& input = of(op.operands[k]).constants;
    const auto& update = of(op.operands[count + 1 + k]).constants;
    const ElementType type = f_.tensor(op.results[k]).element;
    const auto monoid = count == 1 ? instance_of(f_, op).monoid() : std::nullopt;
    if (monoid == Monoid::sum && input && update) {
      const NumberRange sum =
          sum_of(*update, 0, static_cast<double>(f_.tensor(op.operands[count + 1 + k]).elements()), type);
      return NumberRange{input->low + sum.low, input->high + sum.high};
    }
    if (monoid == Monoid::sum || (monoid == Monoid::prod && !update)) return input;
    const bool takes = monoid == Monoid::max || monoid == Monoid::min || only_decides(op);
    return takes ? of_same_type(op, type) : of_unknown(op, k);
  }

  /// Of an operation of which each element of the result is an element of an operand of its type.
  std::optional<NumberRange> of_same_type(const Op& op, ElementType type) {
    std::optional<NumberRange> out;
    for (const ValueId v : op.operands) {
      if (f_.tensor(v).element == type) out = either(out, of(v).constants);
    }
    return out;
  }

  /// Whether the computation of an operation only decides which of its arguments it returns. Operations on bits decide
  /// if they are of booleans; of integers, they compute others.
  bool only_decides(const Op& op) const {
    if (op.regions.empty() || !captured(op).empty()) return false;
    return find_op(op.regions[0], [&](const Op& o) {
             if (o.decl->kind == OpDecl::Kind::terminator || is_among(kDecide, o.name())) return false;
             return !is_among(kDecideBooleans, o.name()) || f_.tensor(o.results[0]).element != ElementType::i1;
           }) == nullptr;
  }

  /// Whether the operand only says which elements are taken.
  static bool is_index_of(const Op& op, std::size_t i) {
    const std::string& n = op.name();
    return (n == "stablehlo.gather" && i == 1) || (n == "stablehlo.dynamic_slice" && i >= 1) ||
           (n == "stablehlo.dynamic_update_slice" && i >= 2);
  }

  /// Whether a region of the operation has numbers that no argument changes: constants, or booleans as numbers. What it
  /// makes of them is not followed.
  bool computes_with_constants(const Op& op) const {
    return std::any_of(op.regions.begin(), op.regions.end(), [&](const Block& b) {
      return find_op(b, [&](const Op& o) {
               const bool number = !o.results.empty() && f_.type(o.results[0]).is_tensor() &&
                                   f_.tensor(o.results[0]).element != ElementType::i1;
               const auto is_boolean = [&](ValueId v) {
                 return f_.type(v).is_tensor() && f_.tensor(v).element == ElementType::i1;
               };
               return number && (o.operands.empty() || (o.name() != "stablehlo.select" &&
                                                        std::any_of(o.operands.begin(), o.operands.end(), is_boolean)));
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

  /// Operations of a computation that decides by comparing.
  static constexpr std::array<std::string_view, 4> kDecide = {"stablehlo.compare", "stablehlo.select",
                                                              "stablehlo.maximum", "stablehlo.minimum"};
  static constexpr std::array<std::string_view, 4> kDecideBooleans = {"stablehlo.and", "stablehlo.or", "stablehlo.xor",
                                                                      "stablehlo.not"};

  const Function& f_;
  std::vector<Magnitude> of_;
  Splats splats_;
  bool changed_ = false;
  bool widens_ = false;
};

}  // namespace

std::vector<Infinities> infinities_of(const Function& function) { return Analysis(function).run(); }

bool needs_finite(const Op& op, std::span<const std::optional<Monoid>> partial, const RewrittenInfinities& infinities) {
  const auto of = [&](std::size_t k) { return infinities.of(op.operands[k]); };
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
      if (!adds) {
        if (!any && !of(other).none()) return true;
      } else if (is_extremum) {
        Infinities x = of(k);
        Infinities y = of(other);
        if (n == "stablehlo.subtract") (k == 0 ? y : x) = (k == 0 ? y : x).negated();
        if ((x.lowest && y.highest) || (x.highest && y.lowest)) return true;
      }
    }
  }
  return false;
}

}  // namespace partir
