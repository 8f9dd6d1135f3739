// Explains in words why a collective exists, for reports: "dot_general (line 12) gives partial values along batch;
// combined for add".
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rewrite/names.h"
#include "simulate/network.h"

namespace partir {

/// The defining operation and the first reader of each value of a block.
struct BlockReasons {
  explicit BlockReasons(const Block& block);
  std::unordered_map<ValueId, const Op*> made_by;
  std::unordered_map<ValueId, const Op*> first_reader;
};

class Reasons {
 public:
  /// Both references must outlive the object.
  Reasons(const Function& function, const Names& names) : f_(function), names_(names) {}
  [[nodiscard]] std::string of(const Op& op, CollectiveKind kind, const std::vector<std::string>& axes,
                               const BlockReasons& block) const;
  /// The name of an argument; for other values a description.
  [[nodiscard]] std::string argument(ValueId v) const;
  /// An operation with its named scopes and line, such as "layers/0/mlp/dot_general (line 12)".
  static std::string described(const Op& op);

 private:
  [[nodiscard]] std::string source(ValueId v, const BlockReasons& block) const;
  const Function& f_;
  const Names& names_;
};

}  // namespace partir
