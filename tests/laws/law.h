// A law is a way to draw a random case of it, and an id: the heading of its proof in proofs_notes/.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace partir::testing {

struct Law {
  std::string id;
  /// Draws a case (inside rc::check) and says whether its two sides are equal.
  std::function<bool()> equal;
};

/// Laws, and what is easily taken for one: some case must refute it.
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
