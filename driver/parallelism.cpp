#include "driver/parallelism.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/op_decl.h"

namespace partir {
namespace {

constexpr double kNegligible = 0.02;  ///< a part of the work that does not explain a loss

/// The position in the program; what is only named comes last.
std::uint32_t line_of(const ConflictText& c) { return c.place.line != 0 ? c.place.line : ~0U; }

std::string advice_for(const ConflictText& c) {
  const std::string at = c.place.line != 0 ? fmt::format("line/{}", c.place.line) : "its result";
  static const OpDecl* const reshape = find_decl("stablehlo.reshape");
  if (c.declaration == reshape) {
    return fmt::format(
        "a reshape keeps a tiled dimension where the tiled part stays the major one: write reshape (batch) -> (batch / "
        "m, m) and a transpose instead of (m, batch / m), or tile the result: \"values\": {{\"{}\": DIM}}",
        at);
  }
  const OpTraits traits = c.declaration != nullptr ? c.declaration->traits : OpTraits{};
  if (traits.cuts || traits.looks_up || traits.update)
    return fmt::format("tile another dimension there: \"values\": {{\"{}\": DIM}}", at);
  return fmt::format("tile its result: \"values\": {{\"{}\": DIM}}, or ask why: --explain {}", at, at);
}

}  // namespace

const ConflictText* first_conflict(const Partition& p, const std::string& axis) {
  const ConflictText* first = nullptr;
  for (const TacticReport& t : p.tactics) {
    for (const ConflictText& c : t.conflicts) {
      if (c.axis != axis || c.requested) continue;
      if (first == nullptr || line_of(c) < line_of(*first)) first = &c;
    }
  }
  return first;
}

std::vector<LostParallelism> lost_parallelism(const Partition& p) {
  std::vector<LostParallelism> out;
  std::map<std::string, double> speedup;
  double before = p.flops_sequential;
  for (const TacticReport& t : p.tactics) {
    const auto [it, fresh] = speedup.emplace(t.axis, 1.0);
    if (t.flops_per_device > 0) it->second *= before / t.flops_per_device;
    before = t.flops_per_device;
  }
  for (const auto& a : p.mesh.axes()) {
    const auto it = speedup.find(a.name);
    if (it == speedup.end() || a.size <= 1 || p.flops_sequential <= 0) continue;
    const double even = static_cast<double>(a.size);
    if (it->second - 1 >= (even - 1) / 2) continue;
    LostParallelism lost;
    lost.axis = a.name;
    lost.size = a.size;
    lost.speedup = it->second;
    if (const ConflictText* c = first_conflict(p, a.name)) {
      lost.operation = c->operation;
      lost.reason = c->reason;
      lost.part = c->part;
      lost.advice = advice_for(*c);
    } else if (const auto heaviest = p.undivided.find(a.name);
               heaviest == p.undivided.end() || heaviest->second.part < kNegligible) {
      lost.advice = fmt::format(
          "all of the work is tiled along {0}, in sizes that {1} does not divide, and the largest chunk counts "
          "(4 rows over 3 devices are 2, 2 and 0): a larger size, or fewer devices along {0}; or an operation takes "
          "more work in parts than as a whole, as the gradient of overlapping maxima does",
          a.name, a.size);
    } else {
      lost.operation = heaviest->second.operation;
      lost.role = "most of it in";
      lost.reason =
          fmt::format("{:.0f} % of the work: no operand of it is tiled along {}, so each device does all of it",
                      100 * heaviest->second.part, a.name);
      lost.advice =
          "tile an argument or a value that it reads (`partir names` lists them); where a loop takes single positions "
          "of "
          "the tiled dimension, as in a batch cut into small ones, cut it (batch / m, m) and swap: "
          "docs/cookbook/microbatching.md";
    }
    out.push_back(std::move(lost));
  }
  return out;
}

std::string text_of(const std::vector<LostParallelism>& lost) {
  std::string out;
  for (const LostParallelism& l : lost) {
    out += fmt::format(
        "LOST PARALLELISM along {}: its {} devices each do {:.0f} % of the work ({:.0f} % would be an even share)",
        l.axis, l.size, 100 / l.speedup, 100.0 / static_cast<double>(l.size));
    if (!l.operation.empty()) out += fmt::format("\n  {} {}\n    {}", l.role, l.operation, l.reason);
    out += fmt::format("\n  try: {}\n", l.advice);
  }
  return out;
}

}  // namespace partir
