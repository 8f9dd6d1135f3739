// Helpers shared by the source files of the parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/text/parser.h"

namespace partir::text {

/// The maximum number of dimensions of a tensor type, and of nested lists in a literal.
constexpr std::size_t kMaxRank = 64;

/// Counts the nesting depth while in scope; fails beyond 100 levels.
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

/// The value of an integer literal; nullopt if it does not fit in 64 bits. Hexadecimal text denotes the bits.
std::optional<std::int64_t> integer_value(bool negative, std::string_view text, bool is_unsigned);

/// True for the name of an enumeration case: letters, digits and _, not starting with a digit.
bool is_case(std::string_view text);

}  // namespace partir::text
