// Random expressions on elements, for claims that are nearly laws: trees over arguments, constants and folds over
// devices, of any element type.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ir/types.h"

namespace partir::hunt {

using Random = std::mt19937_64;
inline std::size_t below(Random& random, std::size_t limit) { return random() % limit; }
template <class T>
const T& one_of(const std::vector<T>& list, Random& random) {
  return list[below(random, list.size())];
}

struct Node;
using NodePtr = std::shared_ptr<const Node>;

struct Node {
  enum class Kind {
    argument,  ///< number `number`, of `type`
    wide,      ///< within a fold: the device's slice of the wide argument `number`
    constant,  ///< `text`
    position,  ///< iota
    apply,     ///< the operation `text` of args, elementwise; compare: its direction is `detail`
    fold,      ///< args[0] combined over devices by the monoid `text`
  };
  Kind kind = Kind::argument;
  ElementType type = ElementType::f32;
  std::string text;
  std::string detail;
  std::size_t number = 0;
  std::vector<NodePtr> args;
};

NodePtr argument(std::size_t number, ElementType type);
NodePtr constant(const std::string& text, ElementType type);
NodePtr apply(const std::string& op, ElementType type, std::vector<NodePtr> args, const std::string& detail = "");
NodePtr fold(const std::string& monoid, NodePtr body);

/// A number of a type: small, at an end of it, or one that programs compare with.
std::string some_constant(ElementType type, Random& random);
/// A tree of this depth, with all that the type has.
NodePtr some_tree(ElementType type, int depth, bool in_fold, Random& random);
/// An operation of one argument of the type, or of two, that keeps it.
std::string some_unary(ElementType type, Random& random);
std::string some_binary(ElementType type, Random& random);
ElementType some_type(Random& random);

/// Nodes of a tree, the root first.
std::vector<NodePtr> nodes_of(const NodePtr& root);
/// The tree with one node, wherever it stands, replaced.
NodePtr replaced(const NodePtr& root, const Node* what, const NodePtr& by);

/// "rewrite @name axes A (…) -> (…) { source {…} target {…} }"; both trees are of one type.
std::string rewrite_text(const std::string& name, const NodePtr& source, const NodePtr& target);

}  // namespace partir::hunt
