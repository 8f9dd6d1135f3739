// The operations at symbolic sizes for which the registry's entries are proved (registry.h): attribute patterns up to
// rank 4, exhaustively where there are few.
#pragma once

#include <string>
#include <vector>

namespace partir::prove {

struct Pattern {
  std::string operation;  ///< "stablehlo.transpose"
  std::string name;       ///< distinguishes it from other patterns of the operation: "1,0,2"
  /// The text of a claim with one operation after constants: "(%x: tensor<AxBxf32>) -> (tensor<BxAxf32>) { … }".
  std::string text;
};

std::vector<Pattern> patterns();

}  // namespace partir::prove
