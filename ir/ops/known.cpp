// Declares operations that are known by name and syntax, but whose meaning is not declared: they are read and printed,
// stop propagation with a conflict that gives the reason, and are rejected by `partir run`. Also declares terminators,
// calls and control flow (while, if, case, optimization_barrier).
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"

namespace partir::ops {
namespace {

OpDecl opaque(std::string name, std::vector<AttrSpec> attributes = {}) {
  OpDecl d;
  d.name = std::move(name);
  d.attributes = std::move(attributes);
  return d;
}

void print_terminator(text::OpPrinter& p, const Function& f, const Op& op, const char* name) {
  p.text(name);
  p.dictionary(op);
  if (op.operands.empty()) return;
  std::string types;
  for (const ValueId v : op.operands) types += (types.empty() ? "" : ", ") + f.type(v).str();
  p.text(fmt::format(" {} : {}", p.values(op.operands), types));
}

OpDecl terminator(const char* name) {
  OpDecl d;
  d.name = name;
  d.kind = OpDecl::Kind::terminator;
  d.prints = [](const Function&, const Op& op) { return op.results.empty() && op.regions.empty(); };
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    p.optional_dictionary(op.attributes);
    if (p.kind() != text::Token::Kind::percent) return;
    op.operands = p.uses();
    p.optional_dictionary(op.attributes);
    p.expect(":");
    p.finish(f, op, p.types_until_end(), {});
  };
  return d;
}

OpDecl call() {
  OpDecl d = opaque("func.call", {raw_attr("callee")});
  d.pure = false;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    set(op.attributes, "callee", {SymbolAttr{p.symbol()}});
    p.expect("(");
    if (!p.accept(")")) {
      op.operands = p.uses();
      p.expect(")");
    }
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    p.text(fmt::format("func.call {}({})", find(op.attributes, "callee")->str(), p.values(op.operands)));
    p.dictionary(op);
    p.functional_type(f, op);
  };
  d.prints = [](const Function&, const Op& op) {
    const Attribute* callee = find(op.attributes, "callee");
    return callee != nullptr && callee->as<SymbolAttr>() != nullptr && op.regions.empty();
  };
  return d;
}

std::vector<Type> types_of(const OpInstance& op, const std::vector<ValueId>& values) {
  std::vector<Type> out;
  for (const ValueId v : values) out.push_back(op.function->type(v));
  return out;
}

/// Whether the types are equal. Tensors of dynamic shape, which are kept as text, agree with every type.
bool agree(const std::vector<Type>& a, const std::vector<Type>& b) {
  const auto dynamic = [](const Type& t) {
    return t.as<ForeignType>() != nullptr && t.as<ForeignType>()->text.starts_with("tensor<");
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Type& x, const Type& y) { return x == y || dynamic(x) || dynamic(y); });
}

std::vector<Type> output_types(const OpInstance& op, const Block& region) {
  return region.ops.empty() ? std::vector<Type>{} : types_of(op, region.ops.back().operands);
}

/// Fails unless the types of the loop-carried values, of the regions' arguments and of the values that the body returns
/// agree (specification, "while").
void verify_while(const OpInstance& op) {
  require(op.results == op.operands, op, "C3", "results of the operands' types");
  if (op.regions == nullptr || op.function == nullptr) return;  // an instance without a function
  require(op.regions->size() == 2, op, "arity", "a condition and a body");
  const Block& condition = op.regions->at(0);
  const Block& body = op.regions->at(1);
  const std::vector<Type> predicate = {TensorType{ElementType::i1, {}}};
  require(agree(types_of(op, condition.arguments), op.operands) && agree(output_types(op, condition), predicate), op,
          "C1", "a condition from the operands' types to tensor<i1>");
  require(agree(types_of(op, body.arguments), op.operands) && agree(output_types(op, body), op.operands), op, "C2",
          "a body from the operands' types to the same types");
}

/// Fails unless the branches have no arguments and yield the operation's results. The parameters are the labels of the
/// constraints "no arguments", "results of all branches alike" and "results' types" (specification, "if" and "case").
void verify_branches(const OpInstance& op, const char* no_arguments, const char* alike, const char* results) {
  if (op.regions == nullptr || op.function == nullptr) return;  // an instance without a function
  for (const Block& branch : *op.regions)
    require(branch.arguments.empty(), op, no_arguments, "branches without arguments", "a branch with arguments");
  const std::vector<Type> first = output_types(op, op.regions->front());
  for (const Block& branch : *op.regions)
    require(agree(output_types(op, branch), first), op, alike, "branches with results of the same types");
  require(agree(op.results, first), op, results, "results of the branches' types");
}

void verify_if(const OpInstance& op) {
  require(op.operands.size() == 1 && (op.regions == nullptr || op.regions->size() == 2), op, "arity",
          "a predicate and two branches");
  require(op.operands[0] == TensorType{ElementType::i1, {}}, op, "I1", "a predicate of type tensor<i1>");
  verify_branches(op, "C1", "C2", "C3");
}

void verify_case(const OpInstance& op) {
  require(op.operands.size() == 1, op, "arity", "an index");
  require(op.operands[0] == TensorType{ElementType::i32, {}}, op, "I1", "an index of type tensor<i32>");
  require(op.regions == nullptr || !op.regions->empty(), op, "C1", "at least one branch", "no branch");
  verify_branches(op, "C2", "C3", "C4");
}

void verify_barrier(const OpInstance& op) {
  require(op.results == op.operands, op, "C1", "results of the operands' types");
}

/// Pretty form: while(%a = %x, …) : types cond { … } do { … }
OpDecl while_loop() {
  OpDecl d = opaque("stablehlo.while");
  d.kind = OpDecl::Kind::control;
  d.control = Control::loop;
  d.pure = false;
  d.verify = verify_while;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    std::vector<std::pair<std::string, Type>> arguments;
    p.expect("(");
    if (!p.accept(")")) {
      do {
        arguments.emplace_back(p.definition(), TensorType{});
        p.expect("=");
        op.operands.push_back(p.use());
      } while (p.accept(","));
      p.expect(")");
    }
    if (!arguments.empty()) {
      p.expect(":");
      const auto types = p.types_until_end();
      p.finish(f, op, types, types);
      for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i].second = types[i];
    }
    if (p.accept("attributes")) p.optional_dictionary(op.attributes);
    p.expect("cond");
    op.regions.push_back(p.region(f, arguments));
    p.expect("do");
    op.regions.push_back(p.region(f, arguments));
  };
  return d;
}

/// Pretty form: composite "name" %x, … {…} : …
OpDecl composite() {
  OpDecl d = opaque("stablehlo.composite", {raw_attr("name"), raw_attr("composite_attributes"),
                                            raw_attr("decomposition"), raw_attr("version")});
  d.generic = true;
  d.pure = false;
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    set(op.attributes, "name", {StringAttr{p.string()}});
    if (p.kind() == text::Token::Kind::percent) op.operands = p.uses();
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
  };
  return d;
}

}  // namespace

std::vector<OpDecl> known_without_meaning() {
  std::vector<OpDecl> out;
  OpDecl ret = terminator("func.return");
  ret.print = [](text::OpPrinter& p, const Function& f, const Op& op) { print_terminator(p, f, op, "return"); };
  out.push_back(std::move(ret));
  OpDecl inner = terminator("stablehlo.return");
  inner.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    print_terminator(p, f, op, "stablehlo.return");
  };
  out.push_back(std::move(inner));
  OpDecl shardy = terminator("sdy.return");
  shardy.print = [](text::OpPrinter& p, const Function& f, const Op& op) { print_terminator(p, f, op, "sdy.return"); };
  out.push_back(std::move(shardy));
  out.push_back(call());
  out.push_back(while_loop());
  out.push_back(composite());

  for (const char* name : {"uniform_quantize", "uniform_dequantize"})
    out.push_back(opaque(fmt::format("stablehlo.{}", name)));
  for (const char* name : {"set_dimension_size", "torch_index_select", "einsum", "unary_einsum", "cross-replica-sum",
                           "broadcast", "trace", "async_start", "async_done"}) {
    OpDecl d = opaque(fmt::format("stablehlo.{}", name));
    d.generic = true;
    out.push_back(std::move(d));
  }
  OpDecl barrier = opaque("stablehlo.optimization_barrier");
  barrier.kind = OpDecl::Kind::control;
  barrier.control = Control::barrier;
  barrier.types = OpDecl::TypeForm::list;
  barrier.verify = verify_barrier;
  out.push_back(std::move(barrier));
  for (const char* name : {"stablehlo.case", "stablehlo.if"}) {
    OpDecl d = opaque(name);
    d.generic = true;
    d.kind = OpDecl::Kind::control;
    d.control = Control::branch;
    d.verify = d.name == "stablehlo.case" ? verify_case : verify_if;
    d.pure = false;
    out.push_back(std::move(d));
  }
  for (const char* name : {"constant_like",
                           "asin_acos_kernel",
                           "broadcast_add",
                           "broadcast_multiply",
                           "_asin_acos_kernel",
                           "broadcast_and",
                           "broadcast_atan2",
                           "broadcast_compare",
                           "broadcast_complex",
                           "broadcast_divide",
                           "broadcast_maximum",
                           "broadcast_minimum",
                           "broadcast_next_after",
                           "broadcast_or",
                           "broadcast_polygamma",
                           "broadcast_power",
                           "broadcast_remainder",
                           "broadcast_select",
                           "broadcast_shift_left",
                           "broadcast_shift_right_arithmetic",
                           "broadcast_shift_right_logical",
                           "broadcast_subtract",
                           "broadcast_xor",
                           "broadcast_zeta",
                           "constant",
                           "dynamic_reshape"}) {
    OpDecl d = opaque(fmt::format("chlo.{}", name));
    d.types = OpDecl::TypeForm::arrow;
    d.generic = std::string_view(name).starts_with("broadcast_");
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace partir::ops
