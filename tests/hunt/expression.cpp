#include "tests/hunt/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace partir::hunt {
namespace {

NodePtr made(Node n) { return std::make_shared<const Node>(std::move(n)); }

bool is_real(ElementType t) { return is_float(t); }

std::string tensor(ElementType t, const char* dims = "N") { return fmt::format("tensor<{}x{}>", dims, name_of(t)); }

}  // namespace

NodePtr argument(std::size_t number, ElementType type) {
  return made({Node::Kind::argument, type, "", "", number, {}});
}
NodePtr constant(const std::string& text, ElementType type) {
  return made({Node::Kind::constant, type, text, "", 0, {}});
}
NodePtr apply(const std::string& op, ElementType type, std::vector<NodePtr> args, const std::string& detail) {
  return made({Node::Kind::apply, type, op, detail, 0, std::move(args)});
}
NodePtr fold(const std::string& monoid, NodePtr body) {
  const ElementType type = body->type;
  return made({Node::Kind::fold, type, monoid, "", 0, {std::move(body)}});
}

ElementType some_type(Random& random) {
  static const std::vector<ElementType> types = {
      ElementType::f32,  ElementType::f32,  ElementType::f32, ElementType::f64, ElementType::bf16, ElementType::f8E5M2,
      ElementType::i8,   ElementType::ui8,  ElementType::i32, ElementType::i32, ElementType::ui32, ElementType::i64,
      ElementType::ui64, ElementType::ui16, ElementType::i1,  ElementType::c64};
  return one_of(types, random);
}

std::string some_constant(ElementType type, Random& random) {
  if (type == ElementType::i1) return below(random, 2) == 0 ? "true" : "false";
  if (is_complex(type)) return one_of<std::string>({"(0.0, 0.0)", "(1.0, 0.0)", "(0.0, 1.0)", "(2.0, -1.0)"}, random);
  if (is_real(type)) {
    const std::string inf = type == ElementType::f32   ? "0x7F800000"
                            : type == ElementType::f64 ? "0x7FF0000000000000"
                                                       : "3.0";
    const std::string low = type == ElementType::f32   ? "0xFF800000"
                            : type == ElementType::f64 ? "0xFFF0000000000000"
                                                       : "-3.0";
    return one_of<std::string>({"0.0", "1.0", "-1.0", "2.0", "0.5", "-0.0", "0.1", "-2.5", inf, low}, random);
  }
  const unsigned bits = bit_width(type);
  const bool sign = is_signed(type);
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  const std::string highest = sign ? fmt::format("{}", half - 1) : fmt::format("{}", half - 1 + half);
  const std::string lowest = sign ? fmt::format("-{}", half) : "0";
  std::vector<std::string> all = {"0", "1", "2", "3", highest, lowest, fmt::format("{}", half / 2 + 1)};
  if (sign) all.emplace_back("-1");
  if (bits >= 32) all.insert(all.end(), {"77777", "65536"});
  return one_of(all, random);
}

std::string some_unary(ElementType type, Random& random) {
  if (type == ElementType::i1) return "stablehlo.not";
  if (is_complex(type))
    return one_of<std::string>({"stablehlo.negate", "stablehlo.exponential", "stablehlo.tanh"}, random);
  if (is_real(type))
    return one_of<std::string>(
        {"stablehlo.negate", "stablehlo.abs", "stablehlo.exponential", "stablehlo.log", "stablehlo.sqrt",
         "stablehlo.rsqrt", "stablehlo.tanh", "stablehlo.logistic", "stablehlo.floor", "stablehlo.sign",
         "stablehlo.cosine", "stablehlo.cbrt", "stablehlo.log_plus_one", "stablehlo.round_nearest_even",
         "stablehlo.exponential_minus_one"},
        random);
  std::vector<std::string> all = {"stablehlo.negate", "stablehlo.not", "stablehlo.popcnt"};
  if (is_signed(type)) all.insert(all.end(), {"stablehlo.abs", "stablehlo.sign"});
  return one_of(all, random);
}

std::string some_binary(ElementType type, Random& random) {
  if (type == ElementType::i1)
    return one_of<std::string>({"stablehlo.and", "stablehlo.or", "stablehlo.xor", "stablehlo.maximum", "stablehlo.add"},
                               random);
  if (is_complex(type))
    return one_of<std::string>({"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", "stablehlo.maximum"},
                               random);
  std::vector<std::string> all = {"stablehlo.add",     "stablehlo.add",     "stablehlo.subtract", "stablehlo.multiply",
                                  "stablehlo.maximum", "stablehlo.maximum", "stablehlo.minimum"};
  if (is_real(type)) {
    all.insert(all.end(), {"stablehlo.divide", "stablehlo.power"});
  } else {
    all.insert(all.end(), {"stablehlo.and", "stablehlo.or", "stablehlo.xor", "stablehlo.divide", "stablehlo.remainder",
                           "stablehlo.shift_left"});
  }
  return one_of(all, random);
}

NodePtr some_tree(ElementType type, int depth, bool in_fold, Random& random) {
  const auto deeper = [&](ElementType t) { return some_tree(t, depth - 1, in_fold, random); };
  if (depth <= 0) {
    switch (below(random, in_fold ? 6 : 5)) {
      case 0: return constant(some_constant(type, random), type);
      case 1:
        if (type != ElementType::i1 && below(random, 2) == 0) return made({Node::Kind::position, type, "", "", 0, {}});
        [[fallthrough]];
      default: return argument(below(random, 2), type);
      case 4:
      case 5: return in_fold ? made({Node::Kind::wide, type, "", "", 0, {}}) : argument(below(random, 2), type);
    }
  }
  switch (below(random, 10)) {
    case 0:
    case 1: return apply(some_unary(type, random), type, {deeper(type)});
    case 2: {
      const ElementType from = some_type(random);
      if (from == type || is_complex(from) != is_complex(type)) break;
      return apply("stablehlo.convert", type, {deeper(from)});
    }
    case 3: {
      if (type == ElementType::i1) {
        const ElementType of = some_type(random);
        const std::string direction = of == ElementType::i1 || is_complex(of)
                                          ? "EQ"
                                          : one_of<std::string>({"GT", "GE", "LT", "LE", "EQ", "NE"}, random);
        return apply("stablehlo.compare", type, {deeper(of), deeper(of)}, direction);
      }
      return apply("stablehlo.select", type, {deeper(ElementType::i1), deeper(type), deeper(type)});
    }
    case 4:
      if (!in_fold && !is_complex(type)) {
        const std::string monoid = type == ElementType::i1
                                       ? one_of<std::string>({"and", "or"}, random)
                                       : one_of<std::string>({"sum", "max", "max", "min", "prod"}, random);
        return fold(monoid, some_tree(type, depth - 1, true, random));
      }
      break;
    case 5: {
      static const std::vector<std::pair<ElementType, ElementType>> same = {{ElementType::f32, ElementType::ui32},
                                                                            {ElementType::f32, ElementType::i32},
                                                                            {ElementType::f64, ElementType::ui64},
                                                                            {ElementType::i8, ElementType::ui8},
                                                                            {ElementType::bf16, ElementType::ui16}};
      for (const auto& [a, b] : same) {
        if (type == a) return apply("stablehlo.bitcast_convert", type, {deeper(b)});
        if (type == b && below(random, 2) == 0) return apply("stablehlo.bitcast_convert", type, {deeper(a)});
      }
      break;
    }
    default: break;
  }
  return apply(some_binary(type, random), type, {deeper(type), deeper(type)});
}

std::vector<NodePtr> nodes_of(const NodePtr& root) {
  std::vector<NodePtr> out{root};
  for (const NodePtr& a : root->args) {
    for (NodePtr& n : nodes_of(a)) out.push_back(std::move(n));
  }
  return out;
}

NodePtr replaced(const NodePtr& root, const Node* what, const NodePtr& by) {
  if (root.get() == what) return by;
  Node out = *root;
  for (NodePtr& a : out.args) a = replaced(a, what, by);
  return made(std::move(out));
}

namespace {

/// Writes one side of a rewrite as a program.
class Writer {
 public:
  std::string value(const NodePtr& n, std::string& body, const std::string& indent) {
    const std::string type = tensor(n->type);
    const auto line = [&](const std::string& text) {
      const std::string name = fmt::format("%v{}", count_++);
      body += fmt::format("{}{} = {}\n", indent, name, text);
      return name;
    };
    switch (n->kind) {
      case Node::Kind::argument: return fmt::format("%x{}_{}", n->number, alias(n->type));
      case Node::Kind::wide:
        return line(fmt::format("slice 0 %w_{}[%r] : {} -> {}", alias(n->type), tensor(n->type, "A*N"), type));
      case Node::Kind::constant: return line(fmt::format("stablehlo.constant dense<{}> : {}", n->text, type));
      case Node::Kind::position: return line(fmt::format("stablehlo.iota dim = 0 : {}", type));
      case Node::Kind::fold: {
        std::string inside;
        const std::string result = value(n->args[0], inside, indent + "  ");
        return line(fmt::format("loop \"A\" [#{}] (%r: range<A>) {{\n{}{}  yield {} : {}\n{}}} : {}", n->text, inside,
                                indent, result, type, indent, type));
      }
      case Node::Kind::apply: break;
    }
    std::vector<std::string> args;
    for (const NodePtr& a : n->args) args.push_back(value(a, body, indent));
    const std::string of = n->args.empty() ? "" : tensor(n->args[0]->type);
    if (n->text == "stablehlo.convert" || n->text == "stablehlo.bitcast_convert" || n->text == "stablehlo.is_finite" ||
        n->text == "stablehlo.real" || n->text == "stablehlo.imag")
      return line(fmt::format("{} {} : ({}) -> {}", n->text, args[0], of, type));
    if (n->text == "stablehlo.compare")
      return line(
          fmt::format("stablehlo.compare {}, {}, {} : ({}, {}) -> {}", n->detail, args[0], args[1], of, of, type));
    if (n->text == "stablehlo.select")
      return line(fmt::format("stablehlo.select {}, {}, {} : {}, {}", args[0], args[1], args[2], of, type));
    std::string list;
    for (const std::string& a : args) list += (list.empty() ? "" : ", ") + a;
    return line(fmt::format("{} {} : {}", n->text, list, type));
  }

  static std::string alias(ElementType t) {
    std::string out(name_of(t));
    std::erase_if(out, [](char c) { return c == '<' || c == '>'; });
    return out;
  }

 private:
  std::size_t count_ = 0;
};

}  // namespace

std::string rewrite_text(const std::string& name, const NodePtr& source, const NodePtr& target) {
  std::map<std::string, std::string> arguments;
  for (const NodePtr& root : {source, target}) {
    for (const NodePtr& n : nodes_of(root)) {
      if (n->kind == Node::Kind::argument)
        arguments[fmt::format("%x{}_{}", n->number, Writer::alias(n->type))] = tensor(n->type);
      if (n->kind == Node::Kind::wide) arguments["%w_" + Writer::alias(n->type)] = tensor(n->type, "A*N") + " whole";
    }
  }
  if (arguments.empty()) arguments["%u"] = tensor(ElementType::f32);
  std::string list;
  for (const auto& [argument, type] : arguments)
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", argument, type);
  std::string out = fmt::format("rewrite @{} axes A ({}) -> ({}) {{\n", name, list, tensor(source->type));
  for (const auto& [side, root] : {std::pair("source", source), std::pair("target", target)}) {
    std::string body;
    const std::string result = Writer().value(root, body, "    ");
    out += fmt::format("  {} {{\n{}    return {} : {}\n  }}\n", side, body, result, tensor(root->type));
  }
  return out + "}\n";
}

}  // namespace partir::hunt
