// `partir run`: interprets a module on one device, or a partitioned one on all devices, and compares its results.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/read.h"
#include "rewrite/json_text.h"
#include "semantics/interpreter.h"
#include "semantics/npz.h"
#include "support/file.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/expect.h"
#include "tools/run_tests.h"

namespace partir {
namespace {

Result<std::vector<Tensor>> arrays(const std::string& path, const char* prefix, const std::vector<Type>& types,
                                   const Domain& domain) {
  const auto file = read_npz(path);
  if (!file) return tl::unexpected(file.error());
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = fmt::format("{}_{}", prefix, i);
    const auto it = file->find(name);
    if (it == file->end())
      return tl::unexpected(Diagnostic{"npz", path, {}, fmt::format("no array {}", name), types[i].str()});
    if (it->second->type != types[i]) {
      return tl::unexpected(
          Diagnostic{"npz", path, {}, fmt::format("{} of type {}", name, it->second->type.str()), types[i].str()});
    }
    out.push_back(from_literal(*it->second, domain));
  }
  return out;
}

/// False for operations without a meaning. spmd.* operations are over mesh axes: only their expansions can be run.
bool runs(const Op& op) {
  return op.decl->kind == OpDecl::Kind::collective ? !op.decl->collective.over_axes()
                                                   : op.decl->kind != OpDecl::Kind::opaque;
}

}  // namespace

Result<ExitStatus> run_command(const RunArguments& a, const std::string& json) {
  CommandFiles files;
  files.reads(a.program);
  files.reads(a.inputs);
  files.reads(a.expect);
  files.writes("--outputs", a.outputs);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  const std::string program = input_name(a.program);
  const auto in_file = [&](Diagnostic d) {
    if (d.file.empty()) d.file = program;
    return tl::unexpected(std::move(d));
  };
  const auto text = read_file(a.program);
  if (!text) return tl::unexpected(text.error());
  const auto domain = domain_named(a.domain);
  if (!domain) return tl::unexpected(domain.error());
  if (is_test_file(*text)) return run_tests(*text, program, **domain, json);
  auto read = read_module(*text, program);
  if (!read) return tl::unexpected(read.error());
  const auto module = inline_calls(std::move(*read));
  if (!module) return in_file(module.error());
  const auto main = module->main();
  if (!main) return in_file(main.error());
  const Function& f = **main;
  if (const Op* op = find_op(f.body, std::not_fn(runs))) {
    return in_file({"unsupported", "", op->place, fmt::format("{}, which has no meaning here yet", op->name()),
                    "operations that `partir run` interprets (for spmd.*: --emit stablehlo)"});
  }
  const auto layout = module_layout(*module);
  if (!layout) return in_file(layout.error());
  for (const Type& t : layout->global_arguments) {
    if (!t.is_tensor())
      return in_file({"unsupported", "", f.place, "an argument of type " + t.str(), "tensors of static shape"});
  }

  if (a.outputs && (a.domain == "modular" || a.domain == "rational"))
    return tl::unexpected(
        Diagnostic{"usage", *a.outputs, {}, "outputs of the domain " + a.domain, "--domain native or f64"});
  const bool bounds = a.expect && *domain == &native_domain();
  if (a.expect && *domain == &modular_domain())
    return tl::unexpected(
        Diagnostic{"usage", *a.expect, {}, "--expect in the modular domain", "native, f64 or rational"});
  const Domain& in = bounds ? error_domain() : **domain;
  const auto inputs_in = [&](const Domain& d) -> Result<std::vector<Tensor>> {
    if (a.inputs) return arrays(*a.inputs, "in", layout->global_arguments, d);
    std::vector<Tensor> out;
    for (std::size_t i = 0; a.seed && i < layout->global_arguments.size(); ++i)
      out.push_back(random_tensor(*layout->global_arguments[i], *a.seed, i, d));
    return out;
  };
  if (!a.inputs && !a.seed && !layout->global_arguments.empty()) {
    return tl::unexpected(Diagnostic{"usage", program, f.place,
                                     fmt::format("{} arguments and no inputs", layout->global_arguments.size()),
                                     "--inputs A.npz or --seed N"});
  }
  const auto inputs = inputs_in(in);
  if (!inputs) return tl::unexpected(inputs.error());
  std::vector<Tensor> wanted;
  if (a.expect) {
    auto loaded = arrays(*a.expect, "out", layout->global_results, in);
    if (!loaded) return tl::unexpected(loaded.error());
    wanted = std::move(*loaded);
  }
  const auto outputs = run_module(*module, *inputs, in);
  if (!outputs) return in_file(outputs.error());

  FILE* people = files.people();
  Json report = {
      {"program", a.program}, {"devices", layout->devices.count()}, {"domain", a.domain}, {"results", outputs->size()}};
  fmt::print(people, "{} results on {} device{}, {} arithmetic\n", outputs->size(), layout->devices.count(),
             layout->devices.count() == 1 ? "" : "s", a.domain);
  auto status = ExitStatus::done;
  if (a.expect) {
    const auto in_f64 = [&]() -> Result<std::vector<Tensor>> {
      const auto again = inputs_in(f64_domain());
      if (!again) return tl::unexpected(again.error());
      return run_module(*module, *again, f64_domain());
    };
    const Result<Expectation> e =
        bounds ? expect_results(*outputs, wanted, in_f64) : Result<Expectation>(expect_near(*outputs, wanted, in));
    if (!e) return in_file(e.error());
    if (!e->over.empty()) status = ExitStatus::refuted;
    fmt::print(people, "largest difference {:.2e}{}, relative to the range of each result (out_{})\n",
               e->largest_difference, bounds ? fmt::format(", largest bound {:.2e}", e->largest_bound) : "", e->worst);
    if (e->by_bound != 0) fmt::print(people, "{} results held to their error bounds\n", e->by_bound);
    if (e->by_f64 != 0) {
      fmt::print(people, "{} results {} 1e-4 of the range (5e-2 for 16 bits)\n", e->by_f64,
                 bounds ? "with no useful bound: both sides held to an f64 run, to" : "held to");
    }
    if (!e->over.empty()) {
      fmt::print(people, "{} of {} results differ, the first of them out_{}\n", e->over.size(), outputs->size(),
                 e->over[0]);
    }
    report["largest_difference"] = e->largest_difference;
    report["largest_difference_result"] = e->worst;
    if (bounds) report["largest_bound"] = e->largest_bound;
    report["by_bound"] = e->by_bound;
    report["by_f64"] = e->by_f64;
    report["over_tolerance"] = e->over.size();
  } else if (!a.outputs) {
    for (std::size_t i = 0; i < outputs->size() && i < 20; ++i) {
      const Tensor& t = (*outputs)[i];
      std::string values;
      for (std::size_t k = 0; k < t.data.size() && k < 8; ++k)
        values += fmt::format("{}{:g}", k != 0 ? ", " : "", (*domain)->to_double(t.data[k], t.type->element));
      fmt::print(people, "out_{}: {} [{}{}]\n", i, t.type.str(), values, t.data.size() > 8 ? ", …" : "");
    }
  }
  if (a.outputs) {
    std::map<std::string, LiteralPtr> out;
    for (std::size_t i = 0; i < outputs->size(); ++i) out[fmt::format("out_{}", i)] = to_literal((*outputs)[i]);
    if (auto ok = write_npz(*a.outputs, out); !ok) return tl::unexpected(ok.error());
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, report.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return status;
}

}  // namespace partir
