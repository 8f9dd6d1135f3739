// Laws as random tests. A law has an id, which is the heading of its proof in proofs_notes/, and draws a random case of
// itself; laws_test.cpp runs all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace partir::testing {

struct Law {
  std::string id;
  /// Draws a case (inside rc::check) and returns whether its two sides are equal.
  std::function<bool()> equal;
};

/// The laws of one family, and plausible but wrong ones, each of which some case must refute.
struct Laws {
  std::vector<Law> hold;
  std::vector<Law> wrong;
};

Laws loop_laws();
Laws fold_laws();
Laws collective_laws();
Laws group_laws();
Laws permute_laws();

}  // namespace partir::testing
