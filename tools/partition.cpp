#include "tools/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "ir/control_flow.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "lowering/explain.h"
#include "lowering/lower.h"
#include "lowering/work.h"
#include "rewrite/materialize.h"
#include "rewrite/offsets.h"
#include "support/check.h"
#include "support/near.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir {
namespace {

/// Adds the seconds since the last call to a stage.
class Stopwatch {
 public:
  explicit Stopwatch(double (*now)()) : now_(now), last_(now()) {}
  void to(double& stage) {
    const double t = now_();
    stage += t - last_;
    last_ = t;
  }

 private:
  double (*now_)();
  double last_;
};

std::string program_name(const std::string& file) {
  std::string name = file.substr(file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

/// What we write is no input: what devices do together has no meaning on one device.
bool is_distributed(const Op& op) {
  return op.decl->kind == OpDecl::Kind::collective || op.decl->kind == OpDecl::Kind::core;
}

/// How many tactics are applied: up to the one that --after names.
Result<std::size_t> tactics_wanted(const Schedule& schedule, const PartitionInput& input) {
  if (!input.after) return schedule.tactics.size();
  std::vector<std::string> names;
  for (const Tactic& t : schedule.tactics) names.push_back(t.name);
  const auto it = std::find(names.begin(), names.end(), *input.after);
  if (it != names.end()) return static_cast<std::size_t>(it - names.begin()) + 1;
  return tl::unexpected(Diagnostic{"schedule",
                                   input.schedule_file,
                                   {},
                                   fmt::format("no tactic called '{}'", *input.after),
                                   meant(*input.after, names, "--after a tactic of the schedule")});
}

/// What is judged is what is written.
Judgement judged(Partition& partition, const Module& source) {
  const auto written = read_module(partition.stablehlo, "the partitioned module");
  PARTIR_CHECK(written.has_value(), "a module that we wrote does not read: " + (written ? "" : written.error().text()));
  const CertificateReport report = check_certificate(source, *written, partition.certificate);
  if (report.verdict == Verdict::proved) {
    partition.over_reals = report.over_reals;
    return {Verdict::proved, report.scope(),
            fmt::format("{} local operations by {} proved entries", report.local, report.proofs)};
  }
  const std::string reason = fmt::format("{}: {}", report.step, report.reason);
  if (report.verdict == Verdict::refuted) return {Verdict::refuted, "types only", reason};
  if (too_large(source, partition.mesh.devices())) return {Verdict::unknown, "all inputs", reason};
  Judgement values = check_values(source, *written);
  if (values.verdict == Verdict::passed) values.reason = "not proved for all: " + reason;
  return values;
}

}  // namespace

Result<Partition> partition(const PartitionInput& input, Emit emit, double (*now)()) {
  Stopwatch watch(now);
  Partition out;
  out.name = program_name(input.file);
  const auto schedule = input.given_schedule ? Result<Schedule>(*input.given_schedule)
                                             : read_schedule(input.schedule, input.schedule_file);
  if (!schedule) return tl::unexpected(schedule.error());
  if (!input.mesh && !schedule->mesh) {
    return tl::unexpected(
        Diagnostic{"mesh", input.schedule_file, {}, "no mesh", "--mesh batch=4,model=2, or \"mesh\" in the schedule"});
  }
  const auto mesh = Mesh::parse(input.mesh ? *input.mesh : *schedule->mesh);
  if (!mesh) return tl::unexpected(mesh.error());
  out.mesh = *mesh;

  auto module = read_module(input.text, input.file);
  if (!module) return tl::unexpected(module.error());
  out.operations = module->operations;
  auto inlined = inline_calls(std::move(*module));
  if (!inlined) {
    inlined.error().file = input.file;
    return tl::unexpected(inlined.error());
  }
  const auto main = inlined->main();
  if (!main) {
    Diagnostic error = main.error();
    error.file = input.file;
    return tl::unexpected(error);
  }
  if (const Op* op = find_op((*main)->body, is_distributed)) {
    return tl::unexpected(Diagnostic{"unsupported", input.file, op->place, op->name() + " in a program to partition",
                                     "a program for one device, not one that is partitioned already"});
  }
  const auto names =
      input.given_names ? Result<Names>(*input.given_names) : names_of(**main, input.names, input.names_file);
  if (!names) return tl::unexpected(names.error());
  const auto tactics = resolve(*schedule, *mesh, *names, **main);
  if (!tactics) return tl::unexpected(tactics.error());
  const auto last = tactics_wanted(*schedule, input);
  if (!last) return tl::unexpected(last.error());
  watch.to(out.seconds.parse);

  out.names = *names;
  const double model_flops = input.device ? matrix_flops_of(without_dead_code(**main)) : 0;
  Function source;
  std::optional<State> state;
  CoreProgram core;
  SpmdProgram spmd;
  const auto lowered = [&] {
    core = materialize(*state);
    spmd = lower(core, *state);
    watch.to(out.seconds.lower);
  };
  const auto simulated = [&](bool is_last) -> Result<std::optional<Simulation>> {
    if (!input.device) return std::optional<Simulation>();
    SimulationOptions options = input.simulation;
    options.model_flops = model_flops;
    options.events = options.events && is_last;
    auto simulation = simulate(stablehlo_module(spmd, *inlined), *names, *input.device, options);
    watch.to(out.seconds.simulate);
    if (!simulation) return tl::unexpected(simulation.error());
    return std::move(*simulation);
  };
  const auto tiled = [&](const Function& f) -> Result<void> {
    source = with_identities(without_dead_code(f), asked_values(*tactics));
    state.emplace(source, *mesh);
    watch.to(out.seconds.propagate);
    if (*last == 0) lowered();
    for (std::size_t t = 0; t < *last; ++t) {
      auto conflicts = apply_tactic(*state, (*tactics)[t], *names, input.schedule_file);
      if (!conflicts) return tl::unexpected(conflicts.error());
      watch.to(out.seconds.propagate);
      lowered();
      auto simulation = simulated(t + 1 == *last);
      if (!simulation) return tl::unexpected(simulation.error());
      out.tactics.push_back(
          {schedule->tactics[t].name, count_collectives(spmd.function), std::move(*conflicts), std::move(*simulation)});
    }
    return {};
  };
  // Where tactics tile what an operation takes whole, and the device's offset helps, they start again.
  OperationsByOffsets by_offsets;
  const Function* program = *main;
  Function written;
  while (true) {
    if (auto ok = tiled(*program); !ok) return tl::unexpected(ok.error());
    const std::size_t before = by_offsets.size();
    for (const auto& [result, how] : to_write_by_offsets(*state)) {
      if (result.index() < (*main)->types.size()) by_offsets.emplace(result, how);  // of the given program, once
    }
    if (by_offsets.size() == before) break;
    written = written_by_offsets(**main, by_offsets);
    program = &written;
    out.tactics.clear();
  }
  for_each_op((*main)->body, [&](const Op& op) {
    const auto it = op.results.empty() ? by_offsets.end() : by_offsets.find(op.results[0]);
    if (it == by_offsets.end()) return;
    out.by_offsets.push_back(fmt::format("line {}: {}, {}", op.place.line, op.name(), text_of(it->second, op)));
  });
  for (const ValueId v : spmd.function.arguments()) out.arguments.push_back(spmd.types[v.index()]);
  for (const ValueId v : spmd.function.returned()) out.results.push_back(spmd.types[v.index()]);
  for_each_op(source.body, [&](const Op& op) {
    if (!names_value(op)) return;
    DistributedType type = DistributedType::whole(source.tensor(op.results[0]).rank());
    for (const Placement& p : state->natural(op.results[0])) {
      if (p.dim) type.dims[*p.dim].push_back(p.axis);
    }
    out.named_values.emplace_back(find(op.attributes, "partir.name")->as<StringAttr>()->value, std::move(type));
  });
  out.flops_sequential = flops_of(by_offsets.empty() ? source : without_dead_code(**main));
  out.flops_per_device = flops_of(spmd.function);
  out.collectives = count_collectives(spmd.function);
  out.executed = executed_collectives(spmd.function);
  out.collectives_by_axis = collectives_by_axis(spmd.function);
  watch.to(out.seconds.optimize);
  Explained explained{spmd, *state, *names, {}};
  for (const Tactic& t : schedule->tactics) {
    explained.tactics.push_back(fmt::format("{} ({}:{})", t.name, input.schedule_file, t.place.text()));
  }
  for (const std::string& what : input.explain) {
    auto texts = explain(what, explained);
    if (!texts) return tl::unexpected(texts.error());
    out.explanations.emplace_back(what, std::move(*texts));
  }

  const Module device_local = stablehlo_module(spmd, *inlined);
  out.stablehlo = print_module(device_local);
  out.certificate = certificate_of(spmd, device_local, source, *program, places_of(by_offsets, **main));
  if (emit == Emit::core) {
    Module alone;
    alone.name = inlined->name;
    alone.functions.push_back(core.function);
    out.core = print_module(alone);
  } else if (emit == Emit::spmd) {
    out.spmd = print_module(spmd_module(spmd, *inlined));
  } else if (emit == Emit::sdy) {
    std::vector<Conflict> conflicts;
    for (const TacticReport& t : out.tactics) conflicts.insert(conflicts.end(), t.conflicts.begin(), t.conflicts.end());
    out.sdy = print_module(sdy_module(spmd, *inlined, source, *state, conflicts));
  }
  watch.to(out.seconds.print);
  if (input.check) {
    out.judgement = judged(out, *inlined);
  } else {
    out.judgement = {Verdict::skipped, "all inputs", "--no-check"};
  }
  watch.to(out.seconds.check);
  return out;
}

}  // namespace partir
