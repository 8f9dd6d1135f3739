// Random elementwise expressions for claims that are nearly laws: trees over arguments, constants and folds over
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
    argument,  ///< argument `number`, of `type`
    wide,      ///< inside a fold: the device's slice of the tiled argument `number`
    constant,  ///< the literal `text`
    position,  ///< iota
    apply,     ///< the operation `text` on args, elementwise; `detail` is a comparison's direction
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

/// Returns a literal of the type: a small number, one at an end of its range, or one that programs typically compare
/// with.
std::string some_constant(ElementType type, Random& random);
/// Returns a random tree of at most this depth, with any operation that the type allows.
NodePtr some_tree(ElementType type, int depth, bool in_fold, Random& random);
/// Returns an operation with one operand, or with two, whose operands and result have this type.
std::string some_unary(ElementType type, Random& random);
std::string some_binary(ElementType type, Random& random);
ElementType some_type(Random& random);

/// Returns the nodes of a tree, the root first.
std::vector<NodePtr> nodes_of(const NodePtr& root);
/// Returns the tree with every occurrence of one node replaced.
NodePtr replaced(const NodePtr& root, const Node* what, const NodePtr& by);

/// Returns "rewrite @name axes A (…) -> (…) { source {…} target {…} }"; both trees have the same type.
std::string rewrite_text(const std::string& name, const NodePtr& source, const NodePtr& target);

}  // namespace partir::hunt
