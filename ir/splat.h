// Scalars that all elements of a value are known to be.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/program.h"

namespace partir {

/// By value of a function: the scalar that all its elements are known to be, or null.
class Splats {
 public:
  explicit Splats(std::size_t values = 0) : known_(values) {}

  [[nodiscard]] const LiteralPtr& operator[](ValueId v) const { return known_.at(v.index()); }
  LiteralPtr& operator[](ValueId v) { return known_.at(v.index()); }

 private:
  std::vector<LiteralPtr> known_;
};

/// The scalar that all elements of an operation's result are known to be by those of its operands, or null.
LiteralPtr splat_of(const Op& op, const Splats& known);

}  // namespace partir
