#include "verify/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/validate/comparison.h"
#include "verify/validate/explain.h"

namespace partir::validate {
Result<Validation> validate_partition(const Module& source, const Module& partitioned,
                                      const std::vector<std::string>& result_names, const Options& options) {
  auto s = inline_calls(source);
  if (!s) return tl::unexpected(s.error());
  auto listed = with_listed_groups(partitioned);
  if (!listed) return tl::unexpected(listed.error());
  auto p = inline_calls(std::move(*listed));
  if (!p) return tl::unexpected(p.error());
  auto layouts = layouts_of(*s, *p, options.shardings, options.mesh);
  if (!layouts) return tl::unexpected(layouts.error());
  Validation out;
  out.layouts = std::move(*layouts);
  const Function& from = **s->main();
  const Function& to = **p->main();
  for (std::size_t k = 0; k < from.returned().size(); ++k)
    out.results.push_back({k < result_names.size() ? result_names[k] : fmt::format("result{}", k), Verdict::unknown});
  std::vector<bool> agree;
  try {
    Comparison comparison(from, to, out.layouts, options.seed, false, options.stop);
    agree = comparison.run();
    for (std::size_t k = 0; k < agree.size(); ++k)
      out.results[k].verdict = agree[k] ? Verdict::proved : Verdict::unknown;
    if (std::all_of(agree.begin(), agree.end(), [](bool b) { return b; })) {
      // What a device divides by and the source does not must not be zero: looked for on inputs, and said.
      if (comparison.own_divisors() > 0) {
        out.counterexample = find_counterexample(from, to, out.layouts, options.seed, options.stop);
        if (out.counterexample) {
          out.verdict = Verdict::refuted;
          out.reason = "a device divides by zero where the source does not";
          if (out.counterexample->note.empty()) out.results[out.counterexample->result].verdict = Verdict::refuted;
          return out;
        }
        out.conditions.push_back(
            fmt::format("{} divisors that the source does not divide by are not zero", comparison.own_divisors()));
      }
      out.verdict = Verdict::proved;
      out.scope = "all inputs, error below 2^-80";
      out.reason = "by random algebraic evaluation";
      try {
        const auto exactly = Comparison(from, to, out.layouts, options.seed, true, options.stop).run();
        if (std::all_of(exactly.begin(), exactly.end(), [](bool b) { return b; })) {
          out.scope = "all inputs";
          out.reason = "by exact normal forms";
        }
      } catch (const Ring::TooLarge&) {
      } catch (const Unknown&) {
      }
      return out;
    }
    out.reason = "results differ in normal form";
  } catch (const Unknown& u) {
    out.reason = u.reason;
  } catch (const Program::Deadlock& d) {
    out.reason = d.reason;
    out.at = Defect{d.place, d.operation, d.reason};
  } catch (const UserError& e) {
    return tl::unexpected(e.diagnostic());
  }
  if (!out.at) out.at = locate_defect(from, to, out.layouts, options.seed, options.stop);
  out.counterexample = find_counterexample(from, to, out.layouts, options.seed, options.stop);
  if (out.counterexample) {
    out.verdict = Verdict::refuted;
    if (out.counterexample->note.empty()) out.results[out.counterexample->result].verdict = Verdict::refuted;
  }
  return out;
}

}  // namespace partir::validate
