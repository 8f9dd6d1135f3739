// Abstract interpretation over the sets of infinities, forwards; loops are repeated until nothing changes.
#include "verify/certificate/infinities.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/splat.h"
#include "semantics/domain_native.h"
#include "semantics/tensor.h"

namespace partir {
namespace {

constexpr Infinities kBoth{true, true};

Infinities in_literal(const Literal& l) {
  Infinities out;
  const ElementType type = l.type.element;
  if (!is_float(type) && !is_complex(type)) return out;
  const std::int64_t count = l.splat ? std::min<std::int64_t>(l.type.elements(), 1) : l.type.elements();
  for (std::int64_t k = 0; k < count && !(out == kBoth); ++k) {
    if (is_complex(type)) {
      const auto z = l.as_complex(k);
      if (std::isinf(z.real()) || std::isinf(z.imag())) return kBoth;
    } else if (const double x = l.as_double(k); std::isinf(x)) {
      (x < 0 ? out.lowest : out.highest) = true;
    }
  }
  return out;
}

class Analysis {
 public:
  explicit Analysis(const Function& f) : f_(f), of_(f.types.size()), splats_(f.types.size()) {}

  std::vector<Infinities> run() {
    do {
      changed_ = false;
      block(f_.body);
    } while (changed_);
    return std::move(of_);
  }

 private:
  Infinities& of(ValueId v) { return of_[v.index()]; }

  void note(ValueId v, Infinities more) {
    const Type& type = f_.type(v);
    if (!type.is_tensor() || !(is_float(type->element) || is_complex(type->element))) return;
    const Infinities now = of(v) | more;
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
        for (std::size_t k = 0; k < op.results.size(); ++k) note(op.results[k], of_result(op, k));
      }
    }
  }

  Infinities of_result(const Op& op, std::size_t k) {
    if (const auto constant = of_constants(op)) return *constant;
    const std::string& n = op.name();
    const auto operand = [&](std::size_t i) { return of(op.operands[i]); };
    Infinities all = of_regions(op);
    for (const ValueId v : op.operands) all = all | of(v);
    if (all.none()) return all;
    if (n == "stablehlo.reduce" && all != kBoth) return of_reduce(op, k);
    if (n == "stablehlo.select") return operand(1) | operand(2);
    if (n == "stablehlo.negate") return operand(0).negated();
    if (n == "stablehlo.subtract") return operand(0) | operand(1).negated();
    if (n == "stablehlo.divide") return operand(0).none() ? Infinities{} : kBoth;
    if (n == "stablehlo.abs") return {false, true};
    if (n == "stablehlo.exponential" || n == "stablehlo.exponential_minus_one") return {false, all.highest};
    static constexpr std::array kBounded = {"stablehlo.logistic", "stablehlo.tanh",   "stablehlo.sign",
                                            "stablehlo.sine",     "stablehlo.cosine", "stablehlo.rsqrt",
                                            "chlo.erf",           "chlo.erfc",        "chlo.atan"};
    if (op.operands.size() == 1 && std::find(kBounded.begin(), kBounded.end(), n) != kBounded.end() &&
        !is_complex(f_.tensor(op.operands[0]).element))
      return {};
    static constexpr std::array kKeepSigns = {
        "stablehlo.add",     "stablehlo.maximum",     "stablehlo.minimum",       "stablehlo.clamp",
        "stablehlo.convert", "stablehlo.concatenate", "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice",
        "stablehlo.gather",  "stablehlo.pad",         "stablehlo.slice",         "stablehlo.broadcast_in_dim",
        "stablehlo.reshape", "stablehlo.transpose",   "stablehlo.reverse",       "sdy.sharding_constraint"};
    return std::find(kKeepSigns.begin(), kKeepSigns.end(), n) != kKeepSigns.end() ? all : kBoth;
  }

  /// A maximum starts at minus infinity, which is the result only if all members are, or if there are none.
  Infinities of_reduce(const Op& op, std::size_t k) {
    const std::size_t count = op.operands.size() / 2;
    const Infinities members = of(op.operands[k]);
    Infinities initial = of(op.operands[count + k]);
    const auto monoid = instance_of(f_, op).monoid();
    if (f_.tensor(op.operands[k]).elements() > 0 && monoid == Monoid::max) initial.lowest = false;
    if (f_.tensor(op.operands[k]).elements() > 0 && monoid == Monoid::min) initial.highest = false;
    const bool extremum = monoid == Monoid::max || monoid == Monoid::min;
    return extremum || monoid == Monoid::sum || (members | initial).none() ? members | initial : kBoth;
  }

  /// The infinities of the constants in regions, and of the values that these capture.
  Infinities of_regions(const Op& op) {
    Infinities out;
    for (const Block& b : op.regions) {
      find_op(b, [&](const Op& inner) {
        if (const auto constant = of_constants(inner)) out = out | *constant;
        return false;
      });
    }
    if (!op.regions.empty()) {
      for (const ValueId v : captured(op)) out = out | of(v);
    }
    return out;
  }

  /// Of a constant, or of a scalar function of constants that are the same everywhere, which is evaluated.
  std::optional<Infinities> of_constants(const Op& op) {
    if (op.name() == "stablehlo.constant") {
      const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
      if (dense == nullptr) return std::nullopt;
      splats_[op.results[0]] = splat_of(op, splats_);
      return in_literal(*dense->literal);
    }
    if (op.results.size() != 1 || !f_.type(op.results[0]).is_tensor()) return std::nullopt;
    LiteralPtr known = splat_of(op, splats_);
    if (known == nullptr) known = computed(op);
    if (known == nullptr) return std::nullopt;
    splats_[op.results[0]] = known;
    return in_literal(*known);
  }

  LiteralPtr computed(const Op& op) {
    const auto fn = ops::scalar_fn_of(op.name());
    if (!fn || op.operands.empty() || op.operands.size() != static_cast<std::size_t>(arity_of(*fn))) return nullptr;
    const ElementType in = f_.tensor(op.operands[0]).element;
    const ElementType to = f_.tensor(op.results[0]).element;
    if (!is_float(to)) return nullptr;
    std::array<Scalar, 3> scalars;
    std::array<const Scalar*, 3> pointers{};
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const LiteralPtr& known = splats_[op.operands[k]];
      if (known == nullptr || known->type.element != in) return nullptr;
      scalars[k] = native_domain().from_literal(*known, 0);
      pointers[k] = &scalars[k];
    }
    Tensor out{TensorType{to, {}}, {Scalar{}}};
    native_domain().apply(*fn, in, to, pointers.data(), 1, out.data.data());
    return to_literal(out);
  }

  const Function& f_;
  std::vector<Infinities> of_;
  Splats splats_;
  bool changed_ = false;
};

}  // namespace

std::vector<Infinities> infinities_of(const Function& function) { return Analysis(function).run(); }

bool needs_finite(const Op& op, const std::vector<std::optional<Monoid>>& partial,
                  const std::vector<Infinities>& infinities) {
  const auto of = [&](std::size_t k) { return infinities[op.operands[k].index()]; };
  const std::string& n = op.name();
  const bool adds = n == "stablehlo.add" || n == "stablehlo.subtract";
  static constexpr std::array kAnyOperands = {
      "stablehlo.select",  "stablehlo.concatenate", "stablehlo.pad",           "stablehlo.dynamic_update_slice",
      "stablehlo.divide",  "stablehlo.reduce",      "stablehlo.reduce_window", "stablehlo.scatter",
      "stablehlo.maximum", "stablehlo.minimum",     "stablehlo.clamp"};
  const bool any = std::find(kAnyOperands.begin(), kAnyOperands.end(), n) != kAnyOperands.end();
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
