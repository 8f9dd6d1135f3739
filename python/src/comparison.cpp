#include "python/src/comparison.h"

#include <fmt/format.h>

#include <chrono>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "semantics/interpreter.h"
#include "tools/expect.h"
#include "verify/check_values.h"

namespace partir::python {
namespace {

void set_frontend(AttributeList& list, std::string_view key, const std::string& value) {
  AttributeList entries;
  if (const Attribute* old = find(list, "mhlo.frontend_attributes"); old != nullptr && old->as<DictAttr>() != nullptr)
    entries = old->as<DictAttr>()->entries;
  set(entries, key, {StringAttr{value}});
  set(list, "mhlo.frontend_attributes", {DictAttr(std::move(entries))});
}

Result<Module> flat(const std::string& text, const std::string& file) {
  auto module = read_module(text, file);
  if (!module) return tl::unexpected(module.error());
  return inline_calls(std::move(*module));
}

Result<Module> annotated(const Local& local) {
  auto module = flat(local.text, "the partitioned module");
  if (!module) return tl::unexpected(module.error());
  const auto main = module->main();
  if (!main) return tl::unexpected(main.error());
  Function& f = module->functions[static_cast<std::size_t>(*main - module->functions.data())];
  if (f.arguments().size() != local.arguments.size() || f.returned().size() != local.results.size()) {
    return tl::unexpected(
        Diagnostic{"shardings", "the partitioned module", f.place,
                   fmt::format("{} arguments and {} results", f.arguments().size(), f.returned().size()),
                   fmt::format("{} and {}, as there are shardings", local.arguments.size(), local.results.size())});
  }
  const auto mesh = Mesh::parse(local.mesh);
  if (!mesh) return tl::unexpected(mesh.error());
  set(module->attributes, "mhlo.num_partitions", {IntAttr{mesh->devices(), "i32"}});
  set_frontend(module->attributes, "partir.mesh", local.mesh);
  f.argument_attributes.resize(local.arguments.size());
  f.result_attributes.resize(local.results.size());
  for (std::size_t i = 0; i < local.arguments.size(); ++i)
    set_frontend(f.argument_attributes[i], "partir.sharding", local.arguments[i]);
  for (std::size_t i = 0; i < local.results.size(); ++i)
    set_frontend(f.result_attributes[i], "partir.sharding", local.results[i]);
  return module;
}

/// Returns a function that is true once so many seconds have passed since this call.
std::function<bool()> time_limit(double seconds) {
  using Clock = std::chrono::steady_clock;
  return
      [start = Clock::now(), seconds] { return std::chrono::duration<double>(Clock::now() - start).count() > seconds; };
}

}  // namespace

Result<std::string> with_shardings(const Local& local) {
  auto module = annotated(local);
  if (!module) return tl::unexpected(module.error());
  return print_module(*module);
}

Result<validate::Validation> validate_local(const std::string& program, const Local& local,
                                            const std::vector<std::string>& result_names, double seconds,
                                            bool evaluate) {
  const auto source = read_module(program, "the function");
  if (!source) return tl::unexpected(source.error());
  const auto partitioned = annotated(local);
  if (!partitioned) return tl::unexpected(partitioned.error());
  validate::Options options;
  options.stop = time_limit(seconds);
  options.evaluate = evaluate;
  return validate::validate_partition(*source, *partitioned, result_names, options);
}

Result<Comparison> compare(const std::string& program, const Local& local, std::uint64_t seed) {
  const auto source = flat(program, "the function");
  if (!source) return tl::unexpected(source.error());
  const auto partitioned = annotated(local);
  if (!partitioned) return tl::unexpected(partitioned.error());
  const auto layout = module_layout(*partitioned);
  if (!layout) return tl::unexpected(layout.error());
  if (const auto large = too_large(*source, layout->devices.count()))
    return tl::unexpected(Diagnostic{"too large", "", {}, large->reason, ""});
  const auto main = source->main();
  if (!main) return tl::unexpected(main.error());
  std::vector<Tensor> whole;
  for (std::size_t i = 0; i < (*main)->arguments().size(); ++i)
    whole.push_back(random_tensor((*main)->tensor((*main)->arguments()[i]), seed, i, f64_domain()));
  const auto wanted = run_module(*source, whole, f64_domain());
  if (!wanted) return tl::unexpected(wanted.error());
  const auto got = run_module(*partitioned, whole, f64_domain());
  if (!got) return tl::unexpected(got.error());
  const Expectation e = expect_near(*got, *wanted, f64_domain());
  return Comparison{e.largest_difference, e.over};
}

Result<rules::RulesTable> judged_rules(const std::string& program, double seconds) {
  const auto module = read_module(program, "the program");
  if (!module) return tl::unexpected(module.error());
  return rules::judge_rules(*module, [&] { return time_limit(seconds); });
}

}  // namespace partir::python
