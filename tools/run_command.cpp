#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "ir/op_decl.h"
#include "ir/text/read.h"
#include "semantics/interpreter.h"
#include "semantics/npz.h"
#include "support/file.h"
#include "tools/commands.h"
#include "tools/run_tests.h"

namespace partir {
namespace {

using Json = nlohmann::ordered_json;

/// Largest difference that counts as equal, relative to a result's range; a running error bound is to come.
double tolerance_of(ElementType type) { return type == ElementType::bf16 || type == ElementType::f16 ? 5e-2 : 1e-4; }

Result<std::vector<Tensor>> arrays(const std::string& path, const char* prefix, const std::vector<TensorType>& types,
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

/// spmd.* operations are written over mesh axes; only their expansion runs.
Result<void> refuse_unrunnable(const Block& block, const std::string& file) {
  for (const Op& op : block.ops) {
    const bool runs = op.decl->kind == OpDecl::Kind::collective ? !op.name().starts_with("spmd.")
                                                                : op.decl->kind != OpDecl::Kind::opaque;
    if (!runs) {
      return tl::unexpected(Diagnostic{"unsupported", file, op.place,
                                       fmt::format("{}, which has no meaning here yet", op.name()),
                                       "operations that `partir run` interprets (for spmd.*: --emit stablehlo)"});
    }
    for (const Block& b : op.regions) {
      if (auto ok = refuse_unrunnable(b, file); !ok) return ok;
    }
  }
  return {};
}

}  // namespace

Result<int> run_command(const RunArguments& a, const std::string& json) {
  for (const auto& path : {a.outputs, json.empty() ? std::nullopt : std::optional(json)}) {
    if (!path) continue;
    if (auto ok = check_writable(*path); !ok) return tl::unexpected(ok.error());
  }
  const auto in_file = [&](Diagnostic d) {
    if (d.file.empty()) d.file = a.program;
    return tl::unexpected(std::move(d));
  };
  const auto text = read_file(a.program);
  if (!text) return tl::unexpected(text.error());
  const auto domain = domain_named(a.domain);
  if (!domain) return tl::unexpected(domain.error());
  if (is_test_file(*text)) return run_tests(*text, a.program, **domain, json);
  auto read = read_module(*text, a.program);
  if (!read) return tl::unexpected(read.error());
  const auto module = inline_calls(std::move(*read));
  if (!module) return in_file(module.error());
  const auto main = module->main();
  if (!main) return in_file(main.error());
  const Function& f = **main;
  if (auto ok = refuse_unrunnable(f.body, a.program); !ok) return tl::unexpected(ok.error());
  const auto layout = layout_of(*module);
  if (!layout) return in_file(layout.error());
  for (const TensorType& t : layout->global_arguments) {
    if (!t.is_tensor())
      return in_file({"unsupported", "", f.place, "an argument of type " + t.str(), "tensors of static shape"});
  }

  std::vector<Tensor> inputs;
  if (a.inputs) {
    auto loaded = arrays(*a.inputs, "in", layout->global_arguments, **domain);
    if (!loaded) return tl::unexpected(loaded.error());
    inputs = std::move(*loaded);
  } else if (a.seed) {
    for (std::size_t i = 0; i < layout->global_arguments.size(); ++i)
      inputs.push_back(random_tensor(layout->global_arguments[i], *a.seed, i, **domain));
  } else if (!layout->global_arguments.empty()) {
    return tl::unexpected(Diagnostic{"usage", a.program, f.place,
                                     fmt::format("{} arguments and no inputs", layout->global_arguments.size()),
                                     "--inputs A.npz or --seed N"});
  }
  std::vector<Tensor> wanted;
  if (a.expect) {
    auto loaded = arrays(*a.expect, "out", layout->global_results, **domain);
    if (!loaded) return tl::unexpected(loaded.error());
    wanted = std::move(*loaded);
  }
  const auto outputs = run_module(*module, inputs, **domain);
  if (!outputs) return in_file(outputs.error());

  FILE* people = json == "-" ? stderr : stdout;
  Json report = {
      {"program", a.program}, {"devices", layout->devices.count()}, {"domain", a.domain}, {"results", outputs->size()}};
  fmt::print(people, "{} results on {} device{}, {} arithmetic\n", outputs->size(), layout->devices.count(),
             layout->devices.count() == 1 ? "" : "s", a.domain);
  int status = 0;
  if (a.expect) {
    double worst = 0;
    std::size_t worst_result = 0;
    std::size_t over = 0;
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      const double d = difference((*outputs)[i], wanted[i], **domain).relative();
      if (d > worst) {
        worst = d;
        worst_result = i;
      }
      if (!(d <= tolerance_of(wanted[i].type.element))) ++over;
    }
    status = over == 0 ? 0 : 1;
    fmt::print(people,
               "largest difference {:.2e} of its result's range (out_{}); {} of {} results over the fixed tolerance "
               "(1e-4, 5e-2 for 16 bits)\n",
               worst, worst_result, over, outputs->size());
    report["largest_difference"] = worst;
    report["largest_difference_result"] = worst_result;
    report["over_tolerance"] = over;
  } else if (!a.outputs) {
    for (std::size_t i = 0; i < outputs->size() && i < 20; ++i) {
      const Tensor& t = (*outputs)[i];
      std::string values;
      for (std::size_t k = 0; k < t.data.size() && k < 8; ++k)
        values += fmt::format("{}{:g}", k != 0 ? ", " : "", (*domain)->to_double(t.data[k], t.type.element));
      fmt::print(people, "out_{}: {} [{}{}]\n", i, t.type.str(), values, t.data.size() > 8 ? ", …" : "");
    }
  }
  if (a.outputs) {
    if (a.domain == "modular")
      return tl::unexpected(
          Diagnostic{"usage", *a.outputs, {}, "outputs of the modular domain", "--domain native or f64"});
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
