// What the parts of the parser share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/text/parser.h"

namespace partir::text {

/// Dimensions of a tensor type, and nested lists of a literal.
constexpr std::size_t kMaxRank = 64;

/// Counts nesting while in scope.
class Depth {
 public:
  Depth(int& depth, Place place) : depth_(depth) {
    if (++depth_ > kMost) {
      --depth_;
      fail("parse", place, "nesting more than 100 deep", "less");
    }
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  static constexpr int kMost = 100;

  int& depth_;
};

/// The value of a number's text; nothing where 64 bits do not hold it. Hexadecimal text stands for bits.
std::optional<std::int64_t> integer_value(bool negative, std::string_view text, bool is_unsigned);

/// An enumeration's case: letters, digits and _.
bool is_case(std::string_view text);

}  // namespace partir::text
