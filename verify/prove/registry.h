// Proves the tile-mapping registry at symbolic sizes: every declared entry, for each pattern (patterns.h), as a claim.
// It can also search for undeclared entries that hold. `partir registry` prints the table.
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
  Entry entry;  ///< actions on the pattern's arguments; constants belong to the pattern
  Decision decision;
  /// True for a decomposition (OpDecl::by_offsets) instead of an entry; `entry` then has the tiled operands.
  bool by_offsets = false;
  bool declared = true;  ///< false for a proved entry, found by `derive`, that the registry lacks
  /// Returns "(#tile<1>, any) -> (#sum)" or "by offsets where its operands are (#tile<0>, any)".
  [[nodiscard]] std::string text() const;
};

struct RegistryTable {
  std::vector<RegistryRow> rows;
  std::vector<std::string> whole;        ///< operations whose patterns have no entries: always replicated
  std::vector<std::string> without;      ///< operations with entries for which there is no pattern
  std::vector<std::string> not_derived;  ///< patterns with too many candidate entries to try
  /// Patterns with so many candidates that only those were tried in which all pending reductions use one monoid.
  std::vector<std::string> derived_by_one_monoid;
};

/// Returns the table for one operation ("stablehlo.transpose" or "transpose"), or for all if it is "". `derive` adds
/// the entries found by trying all actions. `progress` is called with each pattern.
RegistryTable registry(const std::string& operation, bool derive, const CrossChecks& cross_checks = {},
                       const std::function<void(const Pattern&)>& progress = nullptr);

}  // namespace partir::prove
