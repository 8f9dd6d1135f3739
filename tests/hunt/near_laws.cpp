// The near-laws, one function each. Each rewrites a node as some law would, but with operations, monoids or constants
// for which the law may not hold; it returns nothing where it does not apply.
#include "tests/hunt/near_laws.h"

namespace partir::hunt {
namespace {

bool is_apply(const NodePtr& n, std::size_t args) { return n->kind == Node::Kind::apply && n->args.size() == args; }
bool is_binary(const NodePtr& n) { return is_apply(n, 2) && n->text != "stablehlo.compare"; }

NodePtr with_op(const NodePtr& n, const std::string& op, std::vector<NodePtr> args) {
  return apply(op, n->type, std::move(args), n->detail);
}

using Law = std::optional<NodePtr> (*)(const NodePtr&, Random&);

std::optional<NodePtr> commuted(const NodePtr& n, Random&) {
  if (!is_apply(n, 2)) return std::nullopt;
  return with_op(n, n->text, {n->args[1], n->args[0]});
}

std::optional<NodePtr> regrouped(const NodePtr& n, Random&) {
  if (!is_binary(n) || !is_binary(n->args[0])) return std::nullopt;
  const NodePtr& left = n->args[0];
  return with_op(left, left->text, {left->args[0], with_op(n, n->text, {left->args[1], n->args[1]})});
}

/// (a + b) * c becomes a * c + b * c, for whatever two operations the tree has.
std::optional<NodePtr> distributed(const NodePtr& n, Random&) {
  if (!is_binary(n) || !is_binary(n->args[0])) return std::nullopt;
  const NodePtr& inner = n->args[0];
  return with_op(
      inner, inner->text,
      {with_op(n, n->text, {inner->args[0], n->args[1]}), with_op(n, n->text, {inner->args[1], n->args[1]})});
}

/// f(a + b) becomes f(a) + f(b), sometimes with another operation or with the dual one.
std::optional<NodePtr> through(const NodePtr& n, Random& random) {
  if (!is_apply(n, 1) || !is_binary(n->args[0])) return std::nullopt;
  const NodePtr& inner = n->args[0];
  std::string op = inner->text;
  if (below(random, 3) == 0) op = some_binary(n->type, random);
  if (op == "stablehlo.maximum" && below(random, 3) == 0) op = "stablehlo.minimum";
  return apply(op, n->type, {with_op(n, n->text, {inner->args[0]}), with_op(n, n->text, {inner->args[1]})});
}

/// f(fold of a) becomes a fold of f(a), sometimes by another monoid.
std::optional<NodePtr> into_fold(const NodePtr& n, Random& random) {
  if (!is_apply(n, 1) || n->args[0]->kind != Node::Kind::fold) return std::nullopt;
  std::string monoid = n->args[0]->text;
  if (below(random, 3) == 0)
    monoid = monoid == "max" ? "min" : monoid == "sum" ? "prod" : monoid == "or" ? "and" : "max";
  return fold(monoid, with_op(n, n->text, {n->args[0]->args[0]}));
}

/// c + fold of a becomes a fold of c + a.
std::optional<NodePtr> operand_into_fold(const NodePtr& n, Random& random) {
  if (!is_apply(n, 2)) return std::nullopt;
  const std::size_t k = n->args[0]->kind == Node::Kind::fold ? 0 : 1;
  if (n->args[k]->kind != Node::Kind::fold || n->args[1 - k]->kind == Node::Kind::fold) return std::nullopt;
  std::vector<NodePtr> args = n->args;
  args[k] = n->args[k]->args[0];
  std::string monoid = n->args[k]->text;
  if (n->text == "stablehlo.compare") monoid = below(random, 2) == 0 ? "or" : "and";
  return fold(monoid, with_op(n, n->text, std::move(args)));
}

/// A fold of f(a) becomes f of the fold, sometimes by another monoid.
std::optional<NodePtr> out_of_fold(const NodePtr& n, Random& random) {
  if (n->kind != Node::Kind::fold || !is_apply(n->args[0], 1)) return std::nullopt;
  std::string monoid = n->text;
  if (below(random, 4) == 0) monoid = monoid == "max" ? "min" : "max";
  return with_op(n->args[0], n->args[0]->text, {fold(monoid, n->args[0]->args[0])});
}

/// An operation becomes one of its operands, 0 or 1, or its second operand becomes 0 or 1.
std::optional<NodePtr> cancelled(const NodePtr& n, Random& random) {
  if (!is_binary(n)) return std::nullopt;
  const std::string zero = is_float(n->type)            ? "0.0"
                           : is_complex(n->type)        ? "(0.0, 0.0)"
                           : n->type == ElementType::i1 ? "false"
                                                        : "0";
  const std::string one = is_float(n->type)            ? "1.0"
                          : is_complex(n->type)        ? "(1.0, 0.0)"
                          : n->type == ElementType::i1 ? "true"
                                                       : "1";
  switch (below(random, 4)) {
    case 0: return n->args[below(random, 2)];
    case 1: return constant(zero, n->type);
    case 2: return constant(one, n->type);
    default: return with_op(n, n->text, {n->args[0], constant(below(random, 2) == 0 ? zero : one, n->type)});
  }
}

/// a becomes an operation on a that may be the identity: a + 0, -(-a), a conversion and back, max(a, a), (a + b) - b.
std::optional<NodePtr> with_nothing(const NodePtr& n, Random& random) {
  const std::string zero = is_float(n->type)            ? "0.0"
                           : is_complex(n->type)        ? "(0.0, 0.0)"
                           : n->type == ElementType::i1 ? "false"
                                                        : "0";
  switch (below(random, 6)) {
    case 0: return apply("stablehlo.add", n->type, {n, constant(zero, n->type)});
    case 1: {
      if (n->type == ElementType::i1) return std::nullopt;
      return apply("stablehlo.negate", n->type, {apply("stablehlo.negate", n->type, {n})});
    }
    case 2: {
      const ElementType t = some_type(random);
      if (t == n->type || is_complex(t) != is_complex(n->type)) return std::nullopt;
      return apply("stablehlo.convert", n->type, {apply("stablehlo.convert", t, {n})});
    }
    case 3: return apply("stablehlo.select", n->type, {argument(0, ElementType::i1), n, n});
    case 4: return apply("stablehlo.maximum", n->type, {n, n});
    default: {
      const NodePtr a = argument(below(random, 2), n->type);
      if (n->type == ElementType::i1) return std::nullopt;
      return apply("stablehlo.subtract", n->type, {apply("stablehlo.add", n->type, {n, a}), a});
    }
  }
}

/// An operation on p ? a : b becomes a choice between the operation on a and on b.
std::optional<NodePtr> choice_moved(const NodePtr& n, Random&) {
  if (n->kind != Node::Kind::apply || n->args.empty()) return std::nullopt;
  for (std::size_t k = 0; k < n->args.size(); ++k) {
    const NodePtr& choice = n->args[k];
    if (choice->kind != Node::Kind::apply || choice->text != "stablehlo.select") continue;
    std::vector<NodePtr> then = n->args;
    std::vector<NodePtr> otherwise = n->args;
    then[k] = choice->args[1];
    otherwise[k] = choice->args[2];
    return apply("stablehlo.select", n->type,
                 {choice->args[0], with_op(n, n->text, std::move(then)), with_op(n, n->text, std::move(otherwise))});
  }
  return std::nullopt;
}

/// Replaces an operation, a constant or a monoid by another of the same type, which is mostly wrong.
std::optional<NodePtr> mistaken(const NodePtr& n, Random& random) {
  switch (n->kind) {
    case Node::Kind::constant: return constant(some_constant(n->type, random), n->type);
    case Node::Kind::fold: return fold(n->text == "max" ? "min" : n->text == "or" ? "and" : "max", n->args[0]);
    case Node::Kind::apply:
      if (is_binary(n)) return with_op(n, some_binary(n->type, random), n->args);
      if (n->args.size() == 1 && n->args[0]->type == n->type) return with_op(n, some_unary(n->type, random), n->args);
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// Two conversions become one, or one becomes two.
std::optional<NodePtr> conversions(const NodePtr& n, Random& random) {
  if (!is_apply(n, 1) || n->text != "stablehlo.convert") return std::nullopt;
  const NodePtr& inner = n->args[0];
  if (is_apply(inner, 1) && inner->text == "stablehlo.convert") {
    if (inner->args[0]->type == n->type) return inner->args[0];
    return apply("stablehlo.convert", n->type, {inner->args[0]});
  }
  const ElementType between = some_type(random);
  if (between == n->type || between == inner->type || is_complex(between) != is_complex(n->type)) return std::nullopt;
  return apply("stablehlo.convert", n->type, {apply("stablehlo.convert", between, {inner})});
}

/// Converts the value to its bits and back.
std::optional<NodePtr> bits_there_and_back(const NodePtr& n, Random&) {
  const bool real = n->type == ElementType::f32 || n->type == ElementType::i32;
  if (!real) return std::nullopt;
  return apply("stablehlo.bitcast_convert", n->type, {apply("stablehlo.bitcast_convert", ElementType::ui32, {n})});
}

/// max(a, b) > c becomes a > c or b > c, or the same with "and"; for any operation and direction.
std::optional<NodePtr> comparison_split(const NodePtr& n, Random& random) {
  if (!is_apply(n, 2) || n->text != "stablehlo.compare") return std::nullopt;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const NodePtr& inner = n->args[k];
    if (!is_binary(inner)) continue;
    std::vector<NodePtr> a = n->args;
    std::vector<NodePtr> b = n->args;
    a[k] = inner->args[0];
    b[k] = inner->args[1];
    return apply(below(random, 2) == 0 ? "stablehlo.or" : "stablehlo.and", ElementType::i1,
                 {with_op(n, n->text, std::move(a)), with_op(n, n->text, std::move(b))});
  }
  return std::nullopt;
}

/// exp(a + b) becomes exp(a) * exp(b), log(a * b) becomes log(a) + log(b), and likewise for any operations.
std::optional<NodePtr> homomorphism(const NodePtr& n, Random& random) {
  if (!is_apply(n, 1) || !is_binary(n->args[0]) || n->args[0]->type != n->type) return std::nullopt;
  const std::string op = one_of<std::string>({"stablehlo.multiply", "stablehlo.add"}, random);
  return apply(op, n->type, {with_op(n, n->text, {n->args[0]->args[0]}), with_op(n, n->text, {n->args[0]->args[1]})});
}

constexpr Law kLaws[] = {commuted,          regrouped,   distributed,         through,          into_fold,
                         operand_into_fold, out_of_fold, cancelled,           with_nothing,     choice_moved,
                         mistaken,          conversions, bits_there_and_back, comparison_split, homomorphism};

}  // namespace

std::optional<NodePtr> nearly_the_same(const NodePtr& root, Random& random) {
  const std::vector<NodePtr> nodes = nodes_of(root);
  const NodePtr& at = one_of(nodes, random);
  const auto by = kLaws[below(random, std::size(kLaws))](at, random);
  if (!by || (*by)->type != at->type) return std::nullopt;
  return replaced(root, at.get(), *by);
}

void put_behind_a_gate(NodePtr& source, NodePtr& target, Random& random) {
  const ElementType of = one_of<ElementType>({ElementType::i32, ElementType::f32, ElementType::ui8}, random);
  NodePtr key = argument(3, of);
  if (below(random, 2) == 0) key = apply("stablehlo.add", of, {key, constant(some_constant(of, random), of)});
  const NodePtr gate =
      apply("stablehlo.compare", ElementType::i1, {key, constant(some_constant(of, random), of)}, "EQ");
  const NodePtr closed = constant(some_constant(source->type, random), source->type);
  source = apply("stablehlo.select", source->type, {gate, source, closed});
  target = apply("stablehlo.select", target->type, {gate, target, closed});
}

}  // namespace partir::hunt
