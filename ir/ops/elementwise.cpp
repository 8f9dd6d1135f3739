// Declares the elementwise operations, out[i] = f(x[i], …), and compare, select, clamp and convert (specification, the
// section of each operation). Constraint C1 is that all types agree.
#include "ir/ops/elementwise.h"

#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"

namespace partir::ops {

const std::vector<ElementwiseRow>& elementwise_rows() {
  using F = ScalarFn;
  using L = Linearity;
  static const std::vector<ElementwiseRow> rows = {
      {"stablehlo.add", F::add, 2, L::jointly},
      {"stablehlo.subtract", F::subtract, 2, L::jointly},
      {"stablehlo.multiply", F::multiply, 2, L::each},
      {"stablehlo.divide", F::divide, 2, L::first},
      {"stablehlo.remainder", F::remainder, 2},
      {"stablehlo.power", F::power, 2},
      {"stablehlo.maximum", F::maximum, 2, L::own},
      {"stablehlo.minimum", F::minimum, 2, L::own},
      {"stablehlo.atan2", F::atan2, 2},
      {"stablehlo.and", F::logical_and, 2, L::own},
      {"stablehlo.or", F::logical_or, 2, L::own},
      {"stablehlo.xor", F::logical_xor, 2},
      {"stablehlo.shift_left", F::shift_left, 2},
      {"stablehlo.shift_right_arithmetic", F::shift_right_arithmetic, 2},
      {"stablehlo.shift_right_logical", F::shift_right_logical, 2},
      {"stablehlo.not", F::logical_not, 1},
      {"stablehlo.negate", F::negate, 1, L::jointly},
      {"stablehlo.abs", F::abs, 1},
      {"stablehlo.sign", F::sign, 1},
      {"stablehlo.exponential", F::exponential, 1},
      {"stablehlo.exponential_minus_one", F::exponential_minus_one, 1},
      {"stablehlo.log", F::log, 1},
      {"stablehlo.log_plus_one", F::log_plus_one, 1},
      {"stablehlo.logistic", F::logistic, 1},
      {"stablehlo.sqrt", F::sqrt, 1},
      {"stablehlo.rsqrt", F::rsqrt, 1},
      {"stablehlo.cbrt", F::cbrt, 1},
      {"stablehlo.tanh", F::tanh, 1},
      {"stablehlo.tan", F::tan, 1},
      {"stablehlo.sine", F::sine, 1},
      {"stablehlo.cosine", F::cosine, 1},
      {"stablehlo.floor", F::floor, 1},
      {"stablehlo.ceil", F::ceil, 1},
      {"stablehlo.round_nearest_afz", F::round_nearest_afz, 1},
      {"stablehlo.round_nearest_even", F::round_nearest_even, 1},
      {"stablehlo.popcnt", F::popcnt, 1},
      {"stablehlo.count_leading_zeros", F::count_leading_zeros, 1},
      {"stablehlo.is_finite", F::is_finite, 1},
      {"stablehlo.real", F::real, 1, L::jointly},
      {"stablehlo.imag", F::imag, 1, L::jointly},
      {"stablehlo.complex", F::complex, 2, L::jointly},
      {"chlo.square", F::multiply, 1},
      {"chlo.conj", F::conj, 1, L::jointly},
      {"chlo.tan", F::tan, 1},
      {"chlo.acos", F::acos, 1},
      {"chlo.acosh", F::acosh, 1},
      {"chlo.asin", F::asin, 1},
      {"chlo.asinh", F::asinh, 1},
      {"chlo.atan", F::atan, 1},
      {"chlo.atanh", F::atanh, 1},
      {"chlo.cosh", F::cosh, 1},
      {"chlo.sinh", F::sinh, 1},
      {"chlo.erf", F::erf, 1},
      {"chlo.erfc", F::erfc, 1},
      {"chlo.erf_inv", F::erf_inv, 1},
      {"chlo.lgamma", F::lgamma, 1},
      {"chlo.digamma", F::digamma, 1},
      {"chlo.bessel_i1e", F::bessel_i1e, 1},
      {"chlo.polygamma", F::polygamma, 2},
      {"chlo.zeta", F::zeta, 2},
      {"chlo.next_after", F::next_after, 2},
      {"chlo.mulhi", F::mulhi, 2},
      {"chlo.is_inf", F::is_inf, 1},
      {"chlo.is_pos_inf", F::is_pos_inf, 1},
      {"chlo.is_neg_inf", F::is_neg_inf, 1},
  };
  return rows;
}

std::optional<ScalarFn> comparison_fn(std::string_view direction) {
  if (direction == "EQ") return ScalarFn::compare_eq;
  if (direction == "NE") return ScalarFn::compare_ne;
  if (direction == "LT") return ScalarFn::compare_lt;
  if (direction == "LE") return ScalarFn::compare_le;
  if (direction == "GT") return ScalarFn::compare_gt;
  if (direction == "GE") return ScalarFn::compare_ge;
  return std::nullopt;
}

namespace {

const ElementwiseRow& row_of(const OpInstance& op) {
  for (const ElementwiseRow& row : elementwise_rows()) {
    if (row.name == op.decl->name) return row;
  }
  throw std::logic_error("no such elementwise operation");
}

/// The element types that an operation accepts, as in the Inputs tables of the specification.
struct Accepted {
  bool (*holds)(ElementType);
  const char* wanted;
};

Accepted accepted_by(ScalarFn fn) {
  using F = ScalarFn;
  switch (fn) {
    case F::logical_and:
    case F::logical_or:
    case F::logical_xor:
    case F::logical_not:
      return {[](ElementType t) { return !is_float(t) && !is_complex(t); }, "boolean or integer operands"};
    case F::popcnt:
    case F::count_leading_zeros:
    case F::shift_left:
    case F::shift_right_arithmetic:
    case F::shift_right_logical:
    case F::mulhi: return {is_integer, "integer operands"};
    case F::subtract:
    case F::divide:
    case F::remainder:
    case F::power:
    case F::negate:
      return {[](ElementType t) { return t != ElementType::i1; }, "integer, floating-point or complex operands"};
    case F::abs:
    case F::sign:
      return {[](ElementType t) { return t != ElementType::i1 && !is_unsigned(t); },
              "signed integer, floating-point or complex operands"};
    case F::complex:
      return {[](ElementType t) { return t == ElementType::f32 || t == ElementType::f64; }, "f32 or f64 operands"};
    case F::add:
    case F::multiply:
    case F::maximum:
    case F::minimum: return {[](ElementType) { return true; }, "any operands"};
    case F::floor:
    case F::ceil:
    case F::round_nearest_afz:
    case F::round_nearest_even:
    case F::is_finite:
    case F::is_inf:
    case F::is_pos_inf:
    case F::is_neg_inf:
    case F::erf:
    case F::erfc:
    case F::erf_inv:
    case F::lgamma:
    case F::digamma:
    case F::bessel_i1e:
    case F::polygamma:
    case F::zeta:
    case F::next_after: return {is_float, "floating-point operands"};
    default: return {[](ElementType t) { return is_float(t) || is_complex(t); }, "floating-point or complex operands"};
  }
}

void verify_alike(const OpInstance& op) {
  using F = ScalarFn;
  const ElementwiseRow& row = row_of(op);
  require(op.operands.size() == static_cast<std::size_t>(row.arity) && op.results.size() == 1, op, "arity",
          row.arity == 1 ? "one operand and one result" : "two operands and one result");
  const TensorType& x = *op.operands[0];
  const TensorType& out = *op.results[0];
  for (const Type& t : op.operands) {
    require(t == x, op, "C1", "operands of one type");
    require(t->dims == out.dims, op, row.fn == F::complex ? "C2" : "C1", "operands and result of one shape");
  }
  const Accepted accepted = accepted_by(row.fn);
  require(accepted.holds(x.element), op, "I1", accepted.wanted, x.str());
  switch (row.fn) {
    case F::is_finite:
    case F::is_inf:
    case F::is_pos_inf:
    case F::is_neg_inf: require(out.element == ElementType::i1, op, "type", "a result of type i1", out.str()); break;
    case F::abs:
    case F::real:
    case F::imag:
      require(out.element == part_of(x.element), op, "C2", "a result of the operand's element type, real if complex",
              out.str());
      break;
    case F::complex:
      require(is_complex(out.element) && part_of(out.element) == x.element, op, "C3",
              "a complex result of the operands' element type", out.str());
      break;
    default: require(out == x, op, "C1", "operands and result of one type", out.str());
  }
}

void elementwise_meaning(const OpInstance& op, MeaningBuilder& b) {
  const auto i = b.result();
  std::vector<Term> args;
  for (std::size_t k = 0; k < op.operands.size(); ++k) args.push_back(b.read(k, i));
  if (op.decl->name == "chlo.square") args.push_back(args[0]);
  b.define(0, b.apply(row_of(op).fn, op.results[0]->element, std::move(args)));
}

std::vector<Entry> elementwise_entries(const OpInstance& op) {
  std::vector<Entry> out = tiled_alike(op);
  const ElementType type = op.results[0]->element;
  const ElementwiseRow& row = row_of(op);
  const Action sum = Action::partial(Monoid::sum);
  const bool additive = combines(Monoid::sum, type);
  switch (row.linearity) {
    case Linearity::none: break;
    case Linearity::jointly:
      if (additive) out.push_back({std::vector<Action>(op.operands.size(), sum), {sum}});
      break;
    case Linearity::each:
      if (!additive) break;
      out.push_back({{sum, Action::any()}, {sum}});
      out.push_back({{Action::any(), sum}, {sum}});
      break;
    case Linearity::first:
      if (is_float(type) || is_complex(type)) out.push_back({{sum, Action::any()}, {sum}});
      break;
    case Linearity::own: {
      std::optional<Monoid> own = monoid_of(row.fn);
      if (own == Monoid::max && type == ElementType::i1) own = Monoid::disj;
      if (own == Monoid::min && type == ElementType::i1) own = Monoid::conj;
      if (!own || !combines(*own, type)) break;
      const Action partial = Action::partial(*own);
      out.push_back({{partial, partial}, {partial}});
      out.push_back({{partial, Action::any()}, {partial}});  // idempotent: a replicated operand may enter n times
      out.push_back({{Action::any(), partial}, {partial}});
      break;
    }
  }
  return out;
}

}  // namespace

std::vector<Entry> tiled_alike(const OpInstance& op) {
  std::vector<Entry> out;
  const std::size_t rank = op.results.at(0).rank();
  for (Dim d = 0; d < rank; ++d) {
    Entry entry{{}, {Action::tile(d)}};
    for (const Type& t : op.operands) entry.operands.push_back(t.rank() == rank ? Action::tile(d) : Action::any());
    out.push_back(std::move(entry));
  }
  return out;
}

bool covers_elementwise(const OpInstance& op) {
  // The specification leaves open what the remainder of complex numbers is.
  const bool open = op.decl->name == "stablehlo.remainder" && is_complex(op.operands[0]->element);
  return all_have_arithmetic(op) && !open;
}

std::vector<OpDecl> elementwise() {
  std::vector<OpDecl> out;
  for (const ElementwiseRow& row : elementwise_rows()) {
    OpDecl d;
    d.name = row.name;
    d.kind = OpDecl::Kind::array;
    d.types = row.name.starts_with("chlo.") ? OpDecl::TypeForm::arrow
              : row.fn == ScalarFn::complex ? OpDecl::TypeForm::complex
                                            : OpDecl::TypeForm::same;
    d.verify = verify_alike;
    d.meaning = elementwise_meaning;
    d.entries = elementwise_entries;
    d.covers = covers_elementwise;
    out.push_back(std::move(d));
  }
  return out;
}

Term comparison(const AttributeList& attributes, Term a, Term b, MeaningBuilder& builder) {
  const Attribute* direction = find(attributes, "comparison_direction");
  const Attribute* type = find(attributes, "compare_type");
  const bool total = type != nullptr && type->str() == "TOTALORDER" && is_float(builder.type_of(a));
  if (total) {
    a = builder.apply(ScalarFn::order_key, ElementType::i64, {a});
    b = builder.apply(ScalarFn::order_key, ElementType::i64, {b});
  }
  return builder.apply(*comparison_fn(direction->as<KeywordAttr>()->value), ElementType::i1, {a, b});
}

// --- compare: out[i] = lhs[i] ~ rhs[i] -------------------------------------------------------------------------------

OpDecl compare() {
  OpDecl d;
  d.name = "stablehlo.compare";
  d.kind = OpDecl::Kind::array;
  d.attributes = {keyword_attr("comparison_direction", "", "comparison_direction"),
                  keyword_attr("compare_type", "", "comparison_type")};
  d.attributes[0].required = true;
  // GT, %x, %y, FLOAT : …
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    set(op.attributes, "comparison_direction", {KeywordAttr{p.keyword()}});
    p.expect(",");
    op.operands.push_back(p.use());
    p.expect(",");
    op.operands.push_back(p.use());
    if (p.accept(",")) set(op.attributes, "compare_type", {KeywordAttr{p.keyword()}});
    p.optional_dictionary(op.attributes);
    p.types(f, op);
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    p.text("stablehlo.compare " + find(op.attributes, "comparison_direction")->str() + ", " + p.values(op.operands));
    if (const Attribute* type = find(op.attributes, "compare_type")) p.text(", " + type->str());
    p.dictionary(op);
    p.functional_type(f, op);
  };
  d.prints = [](const Function&, const Op& op) {
    return is_plain(op, 2) && find(op.attributes, "comparison_direction") != nullptr;
  };
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 2 && op.results.size() == 1, op, "arity", "two operands and one result");
    require(op.operands[0]->element == op.operands[1]->element, op, "C1", "operands of one element type");
    require(op.operands[0]->dims == op.operands[1]->dims && op.operands[0]->dims == op.results[0]->dims, op, "C2",
            "operands and result of one shape");
    require(op.results[0]->element == ElementType::i1, op, "type", "a result of type i1");
    const std::string direction = op.keyword("comparison_direction");
    require(comparison_fn(direction).has_value(), op, "I3", "EQ, NE, GE, GT, LE or LT", "direction " + direction);
    const std::string type = op.keyword("compare_type");
    if (type.empty() || type == "NOTYPE") return;  // the dialect leaves it open
    const bool known = type == "FLOAT" || type == "TOTALORDER" || type == "SIGNED" || type == "UNSIGNED";
    require(known, op, "I4", "FLOAT, TOTALORDER, SIGNED or UNSIGNED", "comparison type " + type);
    const ElementType of = op.operands[0]->element;
    const bool suits = of == ElementType::index ? type == "SIGNED" || type == "UNSIGNED"
                       : is_signed(of)          ? type == "SIGNED"
                       : is_float(of)           ? type == "FLOAT" || type == "TOTALORDER"
                       : is_complex(of)         ? type == "FLOAT"
                                                : type == "UNSIGNED";
    require(suits, op, "C3", "the comparison type of the operands' element type", type);
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    b.define(0, comparison(op.attributes, b.read(0, i), b.read(1, i), b));
  };
  d.covers = covers_elementwise;
  d.entries = tiled_alike;
  return d;
}

// --- select: out[i] = pred[i] ? on_true[i] : on_false[i]; pred may be of rank 0 --------------------------------------

OpDecl select() {
  OpDecl d;
  d.name = "stablehlo.select";
  d.kind = OpDecl::Kind::array;
  d.types = OpDecl::TypeForm::select;
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 3 && op.results.size() == 1, op, "arity", "three operands and one result");
    require(op.operands[0]->element == ElementType::i1, op, "I1", "a predicate of type i1");
    require(op.operands[0].rank() == 0 || op.operands[0]->dims == op.operands[1]->dims, op, "C1",
            "a predicate of rank 0 or of the value's shape");
    require(op.operands[1] == op.operands[2] && op.operands[1] == op.results[0], op, "C2",
            "values and result of one type");
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const Term pred = b.read(0, op.operands[0].rank() == 0 ? std::vector<Index>{} : i);
    b.define(0, b.apply(ScalarFn::select, op.results[0]->element, {pred, b.read(1, i), b.read(2, i)}));
  };
  d.covers = covers_elementwise;
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out = tiled_alike(op);
    index_only_entries(op, {1, 2}, out);
    return out;
  };
  return d;
}

// --- clamp: out[i] = min(max(operand[i], min[i]), max[i]); the bounds may be of rank 0 -------------------------------

OpDecl clamp() {
  OpDecl d;
  d.name = "stablehlo.clamp";
  d.kind = OpDecl::Kind::array;
  d.types = OpDecl::TypeForm::same;
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 3 && op.results.size() == 1, op, "arity", "three operands and one result");
    require(op.operands[0].rank() == 0 || op.operands[0]->dims == op.operands[1]->dims, op, "C1",
            "a minimum of rank 0 or of the operand's shape");
    require(op.operands[2].rank() == 0 || op.operands[2]->dims == op.operands[1]->dims, op, "C2",
            "a maximum of rank 0 or of the operand's shape");
    require(op.operands[0]->element == op.operands[1]->element && op.operands[2]->element == op.operands[1]->element,
            op, "C3", "one element type");
    require(op.operands[1] == op.results[0], op, "C4", "a result of the operand's type");
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const ElementType type = op.results[0]->element;
    const auto bound = [&](std::size_t k) { return b.read(k, op.operands[k].rank() == 0 ? std::vector<Index>{} : i); };
    const Term low = b.apply(ScalarFn::maximum, type, {b.read(1, i), bound(0)});
    b.define(0, b.apply(ScalarFn::minimum, type, {low, bound(2)}));
  };
  d.covers = covers_elementwise;
  d.entries = tiled_alike;
  return d;
}

// --- convert: out[i] = operand[i] in the result's type ---------------------------------------------------------------

OpDecl convert() {
  OpDecl d;
  d.name = "stablehlo.convert";
  d.kind = OpDecl::Kind::array;
  d.traits = {.converts = true};
  d.types = OpDecl::TypeForm::same;
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    require(op.operands[0]->dims == op.results[0]->dims, op, "C1", "a result of the operand's shape");
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    b.define(0, b.apply(ScalarFn::convert, op.results[0]->element, {b.read(0, i)}));
  };
  d.covers = covers_elementwise;
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out = tiled_alike(op);
    const ElementType from = op.operands[0]->element;
    const ElementType to = op.results[0]->element;
    if (from == to) {
      index_only_entries(op, {0}, out);
    } else if (converts_additively(from, to)) {
      out.push_back({{Action::partial(Monoid::sum)}, {Action::partial(Monoid::sum)}});
    }
    for (const Monoid m : {Monoid::max, Monoid::min}) {
      if (from != to && converts_monotonically(from, to)) out.push_back({{Action::partial(m)}, {Action::partial(m)}});
    }
    return out;
  };
  return d;
}

}  // namespace partir::ops
