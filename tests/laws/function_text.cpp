#include "tests/laws/function_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace partir::testing {
namespace {

std::string types_of(const std::vector<TensorType>& types) {
  std::vector<std::string> out;
  for (const TensorType& t : types) out.push_back(t.str());
  return fmt::format("{}", fmt::join(out, ", "));
}

std::vector<TensorType> types_of(const std::vector<Value>& values) {
  std::vector<TensorType> out;
  for (const Value& v : values) out.push_back(v.type);
  return out;
}

}  // namespace

std::string names_of(const std::vector<Value>& values) {
  std::vector<std::string> out;
  for (const Value& v : values) out.push_back(v.name);
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string identity_text(Monoid monoid, ElementType element) {
  const bool is_float_type = is_float(element);
  switch (monoid) {
    case Monoid::sum: return is_float_type ? "0.0" : "0";
    case Monoid::prod: return is_float_type ? "1.0" : "1";
    case Monoid::max: return is_float_type ? "0xFF800000" : "-2147483648";
    case Monoid::min: return is_float_type ? "0x7F800000" : "2147483647";
    case Monoid::conj: return element == ElementType::i1 ? "true" : "-1";
    case Monoid::disj: return element == ElementType::i1 ? "false" : "0";
  }
  return "";
}

Value FunctionText::argument(const TensorType& type) {
  arguments_.push_back({fresh(), type});
  return arguments_.back();
}

std::vector<Value> FunctionText::line(const std::string& op, const std::vector<Value>& operands,
                                      const std::vector<TensorType>& results) {
  const std::string name = fresh();
  std::vector<Value> out;
  for (std::size_t k = 0; k < results.size(); ++k)
    out.push_back({results.size() == 1 ? name : fmt::format("{}#{}", name, k), results[k]});
  const std::string count = results.size() == 1 ? "" : fmt::format(":{}", results.size());
  const std::string from = operands.empty() ? "" : fmt::format("({}) -> ", types_of(types_of(operands)));
  const std::string to = results.size() == 1 ? types_of(results) : fmt::format("({})", types_of(results));
  append(fmt::format("  {}{} = {} : {}{}\n", name, count, op, from, to));
  return out;
}

Value FunctionText::apply(const OpText& op, const std::vector<Value>& operands) {
  return line(fmt::format("{} {}{}", op.name, names_of(operands), op.rest), operands, {op.result})[0];
}

Value FunctionText::elementwise(const std::string& name, const std::vector<Value>& operands) {
  return apply({name, "", operands.front().type}, operands);
}

Value FunctionText::constant(const TensorType& type, const std::string& value) {
  return apply({fmt::format("stablehlo.constant dense<{}>", value), "", type}, {});
}

Value FunctionText::reduce(Monoid monoid, const Value& x, Dim dim, const std::string& initial) {
  const Value from = constant(x.type.with_dims({}), initial.empty() ? identity_text(monoid, x.type.element) : initial);
  std::vector<std::int64_t> dims = x.type.dims;
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dim));
  return line(fmt::format("stablehlo.reduce({} init: {}) applies {} across dimensions = [{}]", x.name, from.name,
                          combiner_of(monoid), dim),
              {x, from}, {x.type.with_dims(dims)})[0];
}

std::string FunctionText::returning(const std::vector<Value>& results) const {
  std::vector<std::string> arguments;
  for (const Value& v : arguments_) arguments.push_back(fmt::format("{}: {}", v.name, v.type.str()));
  const std::string types = types_of(types_of(results));
  return fmt::format("func.func @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n", fmt::join(arguments, ", "), types,
                     lines_, names_of(results), types);
}

}  // namespace partir::testing
