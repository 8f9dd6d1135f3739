// Declares batch_norm_inference, batch_norm_training and batch_norm_grad. Their meanings are the specification's
// decompositions, written in index notation.
#include <fmt/format.h>

#include <cstdlib>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"

namespace partir::ops {
namespace {

std::size_t feature(const OpInstance& op) { return at(op.integer("feature_index")); }

/// Builds arithmetic on terms of one element type.
class Arithmetic {
 public:
  Arithmetic(MeaningBuilder& builder, ElementType type) : b_(builder), type_(type) {}
  Term add(Term x, Term y) { return b_.apply(ScalarFn::add, type_, {x, y}); }
  Term subtract(Term x, Term y) { return b_.apply(ScalarFn::subtract, type_, {x, y}); }
  Term multiply(Term x, Term y) { return b_.apply(ScalarFn::multiply, type_, {x, y}); }
  Term divide(Term x, Term y) { return b_.apply(ScalarFn::divide, type_, {x, y}); }
  Term sqrt(Term x) { return b_.apply(ScalarFn::sqrt, type_, {x}); }
  Term count(std::int64_t value) { return b_.from_index(b_.constant(value), type_); }
  Term epsilon(const OpInstance& op) {
    const Attribute* a = find(op.attributes, "epsilon");
    const FloatAttr* f = a != nullptr ? a->as<FloatAttr>() : nullptr;
    const double value = f != nullptr ? value_of(*f).value_or(0) : 0;
    const Term wide = b_.literal(std::make_shared<Literal>(double_literal(value)));
    return type_ == ElementType::f64 ? wide : b_.apply(ScalarFn::convert, type_, {wide});
  }
  /// Returns the sum of body(indices) over the indices of all elements of a feature.
  template <class Body>
  Term sum(const OpInstance& op, Index of_feature, Body&& body) {
    std::vector<Index> at;
    std::vector<Index> over;
    for (std::size_t k = 0; k < op.operands[0].rank(); ++k) {
      if (k != feature(op)) over.push_back(b_.range(op.operands[0]->dims[k]));
      at.push_back(k == feature(op) ? of_feature : over.back());
    }
    return b_.reduce(Monoid::sum, over, count(0), body(at));
  }

 private:
  MeaningBuilder& b_;
  ElementType type_;
};

std::int64_t elements_per_feature(const OpInstance& op) {
  std::int64_t out = 1;
  for (std::size_t k = 0; k < op.operands[0].rank(); ++k) {
    if (k != feature(op)) out *= op.operands[0]->dims[k];
  }
  return out;
}

Term mean(const OpInstance& op, Index f, MeaningBuilder& b, Arithmetic& a) {
  const Term total = a.sum(op, f, [&](const std::vector<Index>& at) { return b.read(0, at); });
  return a.divide(total, a.count(elements_per_feature(op)));
}

Term variance(const OpInstance& op, Index f, MeaningBuilder& b, Arithmetic& a) {
  const Term total = a.sum(op, f, [&](const std::vector<Index>& at) {
    const Term centered = a.subtract(b.read(0, at), mean(op, f, b, a));
    return a.multiply(centered, centered);
  });
  return a.divide(total, a.count(elements_per_feature(op)));
}

Term normalized(const OpInstance& op, const std::vector<Index>& i, Term mean_term, Term variance_term,
                MeaningBuilder& b, Arithmetic& a) {
  const Index f = i[feature(op)];
  const Term deviation = a.sqrt(a.add(variance_term, a.epsilon(op)));
  const Term unit = a.divide(a.subtract(b.read(0, i), mean_term), deviation);
  return a.add(a.multiply(b.read(1, {f}), unit), b.read(2, {f}));
}

/// The shape that an operand or a result must have, and the label of that constraint.
struct NormOperand {
  const char* label;
  bool full_shape = false;  ///< the shape of operand 0; if false, one element per feature
};

/// Checks the constraints. `operands` describes the operands after operand 0; `epsilon` is the label of that
/// attribute's constraint.
void verify(const OpInstance& op, const std::vector<NormOperand>& operands, const std::vector<NormOperand>& results,
            const char* epsilon) {
  require(op.operands.size() == operands.size() + 1 && op.results.size() == results.size(), op, "arity",
          fmt::format("{} operands and {} results", operands.size() + 1, results.size()));
  const TensorType& x = *op.operands[0];
  const std::int64_t f = op.integer("feature_index", -1);
  require(f >= 0 && f < static_cast<std::int64_t>(x.rank()), op, "C1", "0 <= feature_index < rank",
          fmt::format("feature_index {} of {}", f, x.str()));
  require(is_float(x.element), op, "I1", "floating-point operands", x.str());
  const Attribute* a = find(op.attributes, "epsilon");
  const FloatAttr* number = a != nullptr ? a->as<FloatAttr>() : nullptr;
  require(number != nullptr && value_of(*number).has_value(), op, epsilon, "an epsilon of type f32",
          a != nullptr ? a->str() : "none");
  const auto check = [&](const TensorType& t, const NormOperand& slot) {
    require(t.element == x.element, op, "C2", "one element type", t.str());
    require(t.dims == (slot.full_shape ? x.dims : std::vector<std::int64_t>{x.dims[feature(op)]}), op, slot.label,
            slot.full_shape ? "the operand's shape" : "one element a feature", t.str());
  };
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const TensorType& t = *op.operands[k + 1];
    require(operands[k].full_shape || t.rank() == 1, op, fmt::format("I{}", k + 2), "a list with an element a feature",
            t.str());
    check(t, operands[k]);
  }
  for (std::size_t k = 0; k < results.size(); ++k) check(*op.results[k], results[k]);
}

/// The entry that tiles all operands and results along the feature dimension.
Entry by_feature(const OpInstance& op) {
  Entry out;
  const auto action = [&](const Type& t) {
    return Action::tile(t.rank() == 1 && op.operands[0].rank() != 1 ? 0 : feature(op));
  };
  for (const Type& t : op.operands) out.operands.push_back(action(t));
  for (const Type& t : op.results) out.results.push_back(action(t));
  return out;
}

OpDecl batch_norm_declaration(const char* name) {
  OpDecl d;
  d.name = name;
  d.kind = OpDecl::Kind::array;
  d.generic = true;
  d.attributes = {{"epsilon", "", AttrSpec::Kind::raw, "", "", "", true}, integer_attr("feature_index")};
  d.covers = all_have_arithmetic;
  d.entries = [](const OpInstance& op) { return std::vector<Entry>{by_feature(op)}; };
  return d;
}

OpDecl inference() {
  OpDecl d = batch_norm_declaration("stablehlo.batch_norm_inference");
  d.verify = [](const OpInstance& op) { verify(op, {{"C3"}, {"C4"}, {"C5"}, {"C6"}}, {{"C7", true}}, "I6"); };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    Arithmetic a(b, op.operands[0]->element);
    const auto i = b.result();
    const Index f = i[feature(op)];
    b.define(0, normalized(op, i, b.read(3, {f}), b.read(4, {f}), b, a));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out = {by_feature(op)};
    for (Dim k = 0; k < op.operands[0].rank(); ++k) {
      if (k == feature(op)) continue;
      Entry entry{std::vector<Action>(5), {Action::tile(k)}};
      entry.operands[0] = Action::tile(k);
      out.push_back(std::move(entry));
    }
    return out;
  };
  return d;
}

OpDecl training() {
  OpDecl d = batch_norm_declaration("stablehlo.batch_norm_training");
  d.verify = [](const OpInstance& op) { verify(op, {{"C3"}, {"C4"}}, {{"C7", true}, {"C5"}, {"C6"}}, "I4"); };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    Arithmetic a(b, op.operands[0]->element);
    const auto i = b.result(0);
    const Index f = i[feature(op)];
    b.define(0, normalized(op, i, mean(op, f, b, a), variance(op, f, b, a), b, a));
    b.define(1, mean(op, b.result(1)[0], b, a));
    b.define(2, variance(op, b.result(2)[0], b, a));
  };
  return d;
}

/// Operands: operand, scale, mean, variance, grad_output.
OpDecl grad() {
  OpDecl d = batch_norm_declaration("stablehlo.batch_norm_grad");
  d.verify = [](const OpInstance& op) {
    verify(op, {{"C5"}, {"C4"}, {"C4"}, {"C3", true}}, {{"C3", true}, {"C4"}, {"C4"}}, "I6");
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    Arithmetic a(b, op.operands[0]->element);
    const auto centered = [&](const std::vector<Index>& at) {
      return a.subtract(b.read(0, at), b.read(2, {at[feature(op)]}));
    };
    const auto spread = [&](Index f) { return a.add(b.read(3, {f}), a.epsilon(op)); };
    const auto grad_sum = [&](Index f) {
      return a.sum(op, f, [&](const std::vector<Index>& at) { return b.read(4, at); });
    };
    const auto i = b.result(0);
    const Index f = i[feature(op)];
    const Term n = a.count(elements_per_feature(op));
    const Term i3 = a.sum(op, f, [&](const std::vector<Index>& at) { return a.multiply(b.read(4, at), centered(at)); });
    const Term i5 = a.divide(a.multiply(i3, centered(i)), spread(f));
    const Term i6 = a.subtract(a.subtract(a.multiply(b.read(4, i), n), grad_sum(f)), i5);
    b.define(0, a.multiply(a.divide(a.divide(b.read(1, {f}), a.sqrt(spread(f))), n), i6));
    const Index g = b.result(1)[0];
    b.define(1, a.sum(op, g, [&](const std::vector<Index>& at) {
      return a.multiply(b.read(4, at), a.divide(centered(at), a.sqrt(spread(g))));
    }));
    b.define(2, grad_sum(b.result(2)[0]));
  };
  return d;
}

}  // namespace

std::vector<OpDecl> batch_norm() { return {inference(), training(), grad()}; }

}  // namespace partir::ops
