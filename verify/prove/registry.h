// The registry at symbolic sizes: every declared entry of the patterns as a claim, and the entries that hold, by
// search.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/action.h"
#include "verify/prove/patterns.h"
#include "verify/prove/prove.h"

namespace partir::prove {

struct RegistryRow {
  std::string operation;
  std::string pattern;
  Entry entry;  ///< over the operation's arguments; constants are part of the pattern
  Verdict verdict;
  bool by_offsets =
      false;             ///< no entry, but the operation written in others for operands tiled so (OpDecl::by_offsets)
  bool declared = true;  ///< in the registry; with `derive`, entries that hold and are not are listed, too
  /// "(#tile<1>, any) -> (#sum)"; "by offsets where its operands are (#tile<0>, any)".
  [[nodiscard]] std::string text() const;
};

struct RegistryTable {
  std::vector<RegistryRow> rows;
  std::vector<std::string> whole;        ///< operations whose patterns have no entries: never tiled
  std::vector<std::string> without;      ///< operations with entries that no pattern covers
  std::vector<std::string> not_derived;  ///< patterns with too many candidates to try
  /// Patterns with so many that those were tried in which whatever is partial is so by one monoid.
  std::vector<std::string> derived_by_one_monoid;
};

/// Of one operation ("stablehlo.transpose" or "transpose"), or of all for "". `derive` adds what is found by trying all
/// actions. `progress` is told each pattern.
RegistryTable registry(const std::string& operation, bool derive, const Doubts& doubts = {},
                       const std::function<void(const Pattern&)>& progress = nullptr);

}  // namespace partir::prove
