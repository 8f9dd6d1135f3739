// Writes patterns (patterns.h) as text.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "verify/prove/patterns.h"

namespace partir::prove {

using SymbolNames = std::vector<std::string>;

/// Returns the first `count` size symbols. (n is reserved for the axis.)
inline SymbolNames symbols(std::size_t count) {
  const SymbolNames all = {"A", "B", "C", "D", "E", "F"};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

inline std::string tensor(const SymbolNames& dims, const std::string& element = "f32") {
  std::string out = "tensor<";
  for (const std::string& d : dims) out += d + "x";
  return out + element + ">";
}

inline std::string list(const std::vector<std::int64_t>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

class Collector {
 public:
  /// Adds a pattern. `types`: those of the operands, which become arguments %x0, %x1, …; `line`: the operation, whose
  /// result is %r; `results`: types of its results; `before`: constants that precede it.
  void add(const std::string& operation, const std::string& name, const SymbolNames& types, const std::string& line,
           const SymbolNames& results, const std::string& before = "") {
    std::string arguments;
    for (std::size_t k = 0; k < types.size(); ++k)
      arguments += fmt::format("{}%x{}: {} any", k != 0 ? ", " : "", k, types[k]);
    std::string out;
    for (const std::string& t : results) out += (out.empty() ? "" : ", ") + t + " any";
    std::string values = "%r";
    if (results.size() > 1) {
      values.clear();
      for (std::size_t k = 0; k < results.size(); ++k) values += fmt::format("{}%r#{}", k != 0 ? ", " : "", k);
    }
    all_.push_back({operation, name,
                    fmt::format("({}) -> ({}) {{\n{}  {} = {}\n  return {} : {}\n}}", arguments, out, before,
                                results.size() > 1 ? fmt::format("%r:{}", results.size()) : "%r", line, values,
                                fmt::join(results, ", "))});
  }
  std::vector<Pattern> take() { return std::move(all_); }

 private:
  std::vector<Pattern> all_;
};

inline std::string constant(const std::string& name, const std::string& value, const std::string& element) {
  return fmt::format("  %{} = stablehlo.constant dense<{}> : tensor<{}>\n", name, value, element);
}

inline std::string region(const std::string& fn, const std::string& element) {
  const std::string t = "tensor<" + element + ">";
  return fmt::format(
      "({{\n  ^bb0(%a: {0}, %b: {0}):\n    %s = stablehlo.{1} %a, %b : {0}\n    stablehlo.return %s : {0}\n  }})", t,
      fn);
}

/// Adds the patterns of operations that only move elements (patterns_movement.cpp).
void movement_patterns(Collector& c);

}  // namespace partir::prove
