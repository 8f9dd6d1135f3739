#include "verify/check_values.h"

#include <fmt/format.h>

#include "semantics/interpreter.h"

namespace partir {

std::optional<Judgement> too_large(const Module& sequential, std::int64_t devices, const ValueCheckOptions& options) {
  // Each device executes at most as many steps as the sequential program.
  const double limit = options.limit / static_cast<double>(devices + 1);
  if (work_of(**sequential.main(), limit) <= limit) return std::nullopt;
  return Judgement{Verdict::skipped, "types only",
                   fmt::format("too large to run here (over {:.0e} steps a device)", limit)};
}

Judgement check_values(const Module& sequential, const Module& partitioned, const ValueCheckOptions& options) {
  const auto layout = module_layout(partitioned);
  if (!layout) return {Verdict::refuted, "these inputs", layout.error().text()};
  const Function& f = **sequential.main();
  const Domain& domain = modular_domain();
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    const Type& type = f.type(f.arguments()[i]);
    if (!type.is_tensor()) return {Verdict::skipped, "types only", fmt::format("an argument of type {}", type.str())};
    inputs.push_back(random_tensor(*type, options.seed, i, domain));
  }
  const auto failed = [](Diagnostic d) -> Judgement {
    d.file = "the program";
    if (d.code == "unsupported") return {Verdict::skipped, "types only", d.text()};
    return {Verdict::refuted, "these inputs", d.text()};
  };
  const auto wanted = run_sequential(f, inputs, domain);
  if (!wanted) return failed(wanted.error());
  const auto got = run_module(partitioned, inputs, domain);
  if (!got) return failed(got.error());
  for (std::size_t k = 0; k < wanted->size(); ++k) {
    if ((*got)[k].type != (*wanted)[k].type) {
      return {Verdict::refuted, "these inputs",
              fmt::format("result {} of type {}, wanted {}", k, (*got)[k].type.str(), (*wanted)[k].type.str())};
    }
    const Difference d = difference((*got)[k], (*wanted)[k], domain);
    if (d.elements != 0) {
      return {Verdict::refuted, "these inputs",
              fmt::format("result {} differs in {} of {} elements (seed {})", k, d.elements, (*wanted)[k].data.size(),
                          options.seed)};
    }
  }
  return {Verdict::passed, "these inputs",
          fmt::format("{} results equal modulo 2^61 - 1, seed {}", wanted->size(), options.seed)};
}

}  // namespace partir
