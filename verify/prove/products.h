// What two sides have of each product of factors, and where: terms that differ in their guards and coefficients alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/prove/expr_detail.h"
#include "verify/prove/regions.h"

namespace partir::prove {

/// A product of factors over ranges, and where each side has it.
struct Product {
  Term body;
  std::vector<Region> regions;
};

/// Terms are given with their guards among their factors.
class Products {
 public:
  Products(Overlap overlap, ElementType type, Context& c) : overlap_(overlap), type_(type), c_(c) {}

  /// Whether the sides agree, each product for itself.
  bool agree(const std::vector<Term>& left, const std::vector<Term>& right);
  /// The same, where products are told by the positions of arrays that they read.
  bool agree_by_positions(std::vector<Term> left, std::vector<Term> right);

 private:
  bool all_agree(const std::vector<AtomId>& positions);
  void absorb(const std::vector<AtomId>& positions);
  void merged(Term& t);
  void add(Term body, bool is_left);
  void drop_unread(Term& body, Region& region);

  Overlap overlap_;
  ElementType type_;
  Context& c_;
  std::map<std::string, Product> products_;
};

}  // namespace partir::prove
