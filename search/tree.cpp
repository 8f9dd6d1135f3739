#include "search/tree.h"

#include <cmath>

namespace partir {

Plan DecisionTree::plan_of(const std::vector<std::size_t>& options) const {
  Plan out;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const Plan& part = decisions_[k][options[k]];
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

double DecisionTree::plans() const {
  double out = 1;
  for (const Decision& d : decisions_) out *= static_cast<double>(d.size());
  return out;
}

DecisionTree::Path DecisionTree::select() {
  Path path;
  Node* node = &root_;
  ++node->visits;
  while (path.options.size() < decisions_.size()) {
    const std::size_t count = decisions_[path.options.size()].size();
    if (node->children.empty()) node->children.resize(count);
    std::size_t chosen = count;
    double highest = -HUGE_VAL;
    for (std::size_t k = 0; k < count; ++k) {
      const Node* child = node->children[k].get();
      if (child == nullptr) {
        chosen = k;
        break;
      }
      const double value = (child->valued ? child->best : node->best) +
                           options_.exploration * std::sqrt(std::log(static_cast<double>(node->visits)) /
                                                            static_cast<double>(child->visits));
      if (value > highest) {
        highest = value;
        chosen = k;
      }
    }
    path.options.push_back(chosen);
    auto& next = node->children[chosen];
    const bool fresh = next == nullptr;
    if (fresh) next = std::make_unique<Node>();
    node = next.get();
    ++node->visits;
    if (fresh) break;
  }
  complete(path);
  return path;
}

DecisionTree::Path DecisionTree::draw() {
  Path path;
  complete(path);
  return path;
}

void DecisionTree::complete(Path& path) {
  path.known = path.options.size();
  while (path.options.size() < decisions_.size()) {
    const std::size_t count = decisions_[path.options.size()].size();
    const bool nothing = static_cast<double>(random_() >> 11) * 0x1p-53 < options_.stop;
    path.options.push_back(nothing ? 0 : random_() % count);
  }
  path.plan = plan_of(path.options);
}

void DecisionTree::tell(const Path& path, double reward) {
  Node* node = &root_;
  for (std::size_t k = 0;; ++k) {
    if (!node->valued || reward > node->best) node->best = reward;
    node->valued = true;
    if (k == path.known) return;
    node = node->children[path.options[k]].get();
  }
}

}  // namespace partir
