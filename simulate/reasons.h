// Where collectives come from, in words: "dot_general (line 12) gives partial values along batch; combined for add".
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rewrite/names.h"
#include "simulate/network.h"

namespace partir {

/// Who makes and who first reads each value of a block.
struct BlockReasons {
  explicit BlockReasons(const Block& block);
  std::unordered_map<ValueId, const Op*> made_by;
  std::unordered_map<ValueId, const Op*> first_reader;
};

class Reasons {
 public:
  /// Both outlive it.
  Reasons(const Function& function, const Names& names) : f_(function), names_(names) {}
  [[nodiscard]] std::string of(const Op& op, CollectiveKind kind, const std::vector<std::string>& axes,
                               const BlockReasons& block) const;
  /// The name of an argument; of another value what is known of it.
  [[nodiscard]] std::string argument(ValueId v) const;
  /// "layers/0/mlp/dot_general (line 12)", by the named scopes around it; "dot_general (line 12)" where there are none.
  static std::string described(const Op& op);

 private:
  [[nodiscard]] std::string source(ValueId v, const BlockReasons& block) const;
  const Function& f_;
  const Names& names_;
};

}  // namespace partir
