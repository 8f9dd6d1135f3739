// Operations at symbolic sizes, as the registry is asked about them: attribute patterns to rank 4, all where they are
// few.
#pragma once

#include <string>
#include <vector>

namespace partir::prove {

struct Pattern {
  std::string operation;  ///< "stablehlo.transpose"
  std::string name;       ///< what tells it from the operation's others: "1,0,2"
  std::string text;       ///< "(%x: tensor<AxBxf32>) -> (tensor<BxAxf32>) { … }": one operation, after constants
};

std::vector<Pattern> patterns();

}  // namespace partir::prove
