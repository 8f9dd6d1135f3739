// Dimensions as digits, for looking at some positions of large arrays.
//
// A dimension of 4096 that a mesh axis of 4 tiles, and that a reshape splits into 32 heads of 128, has the digits
// [4][8][128], major to minor. Dimensions that programs index alike share their digits. Of each digit some values are
// looked at, both ends among them, and each stands for as many as its weight: weights are random numbers that add up to
// the size, so that sums over a dimension keep their value for terms that do not depend on it, and those over tiles add
// up to those over the whole.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "ir/mesh.h"
#include "verify/validate/evaluate.h"

namespace partir::validate {

class Digits {
 public:
  using Digit = std::uint32_t;
  using List = std::vector<Digit>;  ///< major to minor; a dimension of size 1 has none

  List dimension(std::int64_t size);
  List axis(Axis axis, std::int64_t size);
  static List joined(List a, const List& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  /// Makes two lists of one product the same, splitting digits where they must; false where they have no common digits.
  bool unify(const List& a, const List& b);
  /// All positions are looked at.
  void take_whole(const List& list);
  /// Positions at which something may change.
  void take(const List& list, std::int64_t position);

  /// Sets what is looked at of each axis, by axis: coordinates and weights.
  void choose(std::vector<Sample> axes, const Ring& ring);
  /// The positions of a dimension, and their weights where they are not all of them.
  [[nodiscard]] Sample sample(const List& list);
  [[nodiscard]] std::int64_t size(const List& list);

 private:
  struct Node {
    std::int64_t size = 1;
    Digit parent = 0;
    bool split = false;
    Digit major = 0;
    Digit minor = 0;
    bool whole = false;
    bool is_axis = false;
    std::size_t axis = 0;
    std::set<std::int64_t> extra;
  };
  Digit fresh(std::int64_t size);
  Digit find(Digit d);
  void expand(Digit d, List& out);
  List expanded(const List& list);
  bool merge(Digit a, Digit b);
  bool cut(Digit d, std::int64_t minor);
  const Sample& of_digit(Digit d);

  std::vector<Node> nodes_;
  std::map<std::size_t, Digit> axes_;
  std::vector<Sample> chosen_;
  const Ring* ring_ = nullptr;
  std::map<Digit, Sample> samples_;
};

/// The sample of `size` values: all where they are few, else both ends, one between them, and `extra`; with random
/// weights that add up to the size. It depends on the size and `extra` alone.
Sample sample_of_size(std::int64_t size, const std::set<std::int64_t>& extra, const Ring& ring);

}  // namespace partir::validate
