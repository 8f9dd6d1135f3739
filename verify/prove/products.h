// Compares two sums (or folds) product by product: terms that differ only in their guards and coefficients belong to
// one product, and for each product regions.h decides whether both sides have it equally often at every point. Used by
// same_by_regions.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/prove/expr_detail.h"
#include "verify/prove/regions.h"

namespace partir::prove {

/// A product of factors over ranges, and the regions in which each side has it.
struct Product {
  Term body;
  std::vector<Region> regions;
};

/// Terms are passed with their guards among their factors.
class Products {
 public:
  Products(Overlap overlap, ElementType type, Context& c) : overlap_(overlap), type_(type), c_(c) {}

  /// True if both sides agree on each product.
  bool agree(const std::vector<Term>& left, const std::vector<Term>& right);
  /// Likewise, with each product identified by the array positions that it reads instead of by its ranges.
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
