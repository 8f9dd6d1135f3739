// The command line program. Exit status: 0 done, 1 refuted or different, 2 bad input or usage, 3 unknown or
// unsupported, 70 a defect of ours.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "support/check.h"
#include "support/file.h"
#include "support/version.h"
#include "tools/commands.h"

namespace {

using namespace partir;

int report(const Diagnostic& d, const std::string& json) {
  fmt::print(stderr, "{}\n", d.text());
  if (!json.empty()) (void)write_file(json, error_json(d));
  return d.code == "unsupported" ? 3 : d.code == "replicas" || d.code == "deadlock" ? 1 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "partir: partition StableHLO programs by schedules of tactics, with a check of every step.\n"
      "Exit status: 0 done, 1 refuted or different, 2 bad input, 3 unknown or unsupported, 70 a defect of ours.");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("partir ") + kVersion);
  std::string json;

  PartitionArguments p;
  CLI::App* partition =
      app.add_subcommand("partition", "partition a program by a schedule, check it, count its collectives");
  partition->add_option("program", p.program, "StableHLO text as JAX prints it")->required();
  partition->add_option("--mesh", p.mesh, "axes, outermost first: batch=4,model=2 (else the schedule's \"mesh\")");
  partition->add_option("--schedule", p.schedule, "JSON file of tactics")->required();
  partition->add_option("--names", p.names,
                        "JSON file of argument and result names (else NAME.json beside the program, else the text's)");
  partition->add_option("-o,--output", p.output, "where to write the partitioned program (- for standard output)");
  partition->add_option("--emit", p.emit, "stablehlo (what each device runs), core, spmd or sdy")
      ->check(CLI::IsMember({"stablehlo", "core", "spmd", "sdy"}));
  partition->add_option("--after", p.after, "stop behind this tactic");
  partition->add_option("--expect", p.expect,
                        "assert a count after the last tactic: all_reduce=418 (exit 1 otherwise)");
  partition->add_option("--forbid", p.forbid,
                        "assert that there is none: all_gather, or all_gather:batch (exit 1 otherwise)");
  partition->add_option("--explain", p.explain,
                        "say by which tactic, entry and source location a value lies as it does (its name, or a "
                        "pattern) or a collective is there (all_reduce, or all_reduce:3)");
  partition->add_option("--device", p.device, "simulate a step after each tactic: a device's name, or a device file");
  partition->add_option("--link", p.links, "the link that a mesh axis lies on: batch=network,model=nvlink")
      ->delimiter(',');
  partition->add_option("--topology", p.topology, "lengths of the device's torus: 4x4x4 (else near to a cube)");
  partition->add_option("--report", p.report, "write an HTML report that opens without network");
  partition->add_option("--trace", p.trace,
                        "with --device: write the step as a trace for Perfetto or chrome://tracing");
  partition->add_flag("--no-check", p.no_check, "do not prove or check the partition");
  partition->add_option("--certificate", p.certificate, "where to write why each step holds, for partir check");
  partition->add_option("--json", json, "write the report as JSON (- for standard output)");

  CheckArguments c;
  std::string solver = "forms";
  CLI::App* check =
      app.add_subcommand("check", "verify a certificate: a partitioned module computes what its source does");
  check->add_option("sequential", c.sequential, "the source program")->required();
  check->add_option("partitioned", c.partitioned, "the StableHLO module that partition wrote")->required();
  check->add_option("--certificate", c.certificate, "the JSON file that partition --certificate wrote")->required();
  check->add_option("--solver", solver, "forms, or both: Z3, too")->check(CLI::IsMember({"forms", "both"}));
  check->add_flag("--replay", c.replay, "check every step of each proof at small instances, by code of its own");
  check->add_option("--json", json, "write the verdict as JSON (- for standard output)");

  RunArguments r;
  CLI::App* run =
      app.add_subcommand("run", "interpret a module: on one device, or on all devices of a partitioned one");
  run->add_option("program", r.program, "StableHLO or PartIR:Core text")->required();
  CLI::Option* inputs = run->add_option("--inputs", r.inputs, ".npz with in_0, in_1, … (global arrays)");
  run->add_option("--seed", r.seed, "draw the inputs; integers from 0 to 3")->excludes(inputs);
  run->add_option("--outputs", r.outputs, ".npz to write out_0, out_1, … to");
  run->add_option("--expect", r.expect, ".npz with the wanted out_0, out_1, …");
  run->add_option("--domain", r.domain, "native, f64, rational (exact, where there is a rational value) or modular")
      ->check(CLI::IsMember({"native", "f64", "rational", "modular"}));
  run->add_option("--json", json, "write the report as JSON (- for standard output)");

  ProveArguments q;
  CLI::App* prove = app.add_subcommand("prove", "prove or refute claims about tile-mapping entries");
  prove->add_option("files", q.files, ".tmr files of claims");
  prove->add_flag("--laws", q.laws, "list the laws of the prover, the types they hold of and what they need");
  prove->add_option("--timeout", q.timeout, "seconds for a claim (60), after which it is unknown")
      ->check(CLI::PositiveNumber);
  prove->add_option("--solver", solver, "forms (normal forms), or both: Z3 confirms what proofs rely on about indices")
      ->check(CLI::IsMember({"forms", "both"}));
  prove->add_flag("--replay", q.replay, "check every step of each proof at small instances, by code of its own");
  prove->add_option("--json", json, "write the verdicts as JSON (- for standard output)");

  RegistryArguments g;
  CLI::App* registry =
      app.add_subcommand("registry", "every entry of the registry at symbolic sizes, with its verdict");
  registry->add_option("operation", g.operation, "one operation, as dot_general");
  registry->add_flag("--derive", g.derive, "find all entries that hold, declared or not");
  registry->add_option("--solver", solver, "forms, or both: Z3, too")->check(CLI::IsMember({"forms", "both"}));
  registry->add_flag("--replay", g.replay, "check every step of each proof at small instances, by code of its own");
  registry->add_option("--json", json, "write the table as JSON (- for standard output)");

  RulesArguments u;
  CLI::App* rules = app.add_subcommand(
      "rules", "prove or refute the sdy.sharding_rule of each operation of a module, factor by factor");
  rules->add_option("program", u.program, "StableHLO text with Shardy's rules on its operations")->required();
  rules->add_option("--timeout", u.timeout, "seconds for a claim (60), after which it is unknown")
      ->check(CLI::PositiveNumber);
  rules->add_option("--json", json, "write the verdicts as JSON (- for standard output)");

  SimulateArguments s;
  CLI::App* simulate = app.add_subcommand(
      "simulate", "time, memory and communication of a step of partitioned modules; several are compared and ranked");
  simulate->add_option("programs", s.programs, "partitioned StableHLO, as `partition -o` writes it");
  simulate
      ->add_option("--device", s.device,
                   "a100 h100 h200 b200 tpu_v3 tpu_v4 tpu_v5e tpu_v5p tpu_v6e, or a file of that form (devices/*.json)")
      ->required();
  simulate->add_option("--mesh", s.mesh, "axes, outermost first, in place of the module's partir.mesh");
  simulate->add_option("--names", s.names, "JSON file of argument and result names of the program before partitioning");
  simulate->add_option("--link", s.links, "the link that a mesh axis lies on: batch=network,model=nvlink")
      ->delimiter(',');
  simulate->add_option("--topology", s.topology, "lengths of the torus: 4x4x4 (else near to a cube)");
  simulate->add_option("--model-flops", s.model_flops, "matrix FLOPs of the whole model's step, for its utilisation")
      ->check(CLI::PositiveNumber);
  simulate->add_option("--software", s.software,
                       "what runs the step: xla (default) fsdp maxtext megatron, or a file (simulate/software/*.json)");
  simulate->add_flag("--fused-attention", s.fused_attention,
                     "with kernels for attention at the products' own speed, whatever the software has on the device");
  simulate->add_flag("--must-fit", s.must_fit, "exit 1 when the peak exceeds the device's memory");
  simulate->add_option("--report", s.report, "write an HTML report that opens without network");
  simulate->add_option(
      "--calibrate", s.calibrate,
      "measurements of your machine (CSV, examples/python/measure_device.py): write a device file; --device is "
      "what it starts from");
  simulate->add_option("-o,--output", s.output, "where --calibrate writes the device file (- for standard output)");
  simulate->add_option("--chakra", s.chakra, "write the step as a Chakra execution trace (protobuf, for ASTRA-sim)");
  simulate->add_option("--trace", s.trace, "write the step as a trace for Perfetto or chrome://tracing");
  simulate->add_option("--json", json, "write the figures as JSON (- for standard output)");

  ValidateArguments v;
  CLI::App* validate = app.add_subcommand(
      "validate", "decide without a certificate whether a partitioned module computes the source, for all inputs");
  validate->add_option("source", v.source, "the source program")->required();
  validate->add_option("partitioned", v.partitioned, "the device-local StableHLO module of any partitioner")
      ->required();
  validate->add_option(
      "--shardings", v.shardings,
      "JSON file {\"mesh\", \"arguments\", \"results\"} of shardings such as [{batch}, {}] (else what the "
      "modules say: partir.sharding, sdy.sharding, mhlo.sharding)");
  validate->add_option("--mesh", v.mesh, "axes, outermost first: batch=4,model=2 (else what the shardings say)");
  validate->add_option("--timeout", v.timeout, "seconds, after which the verdict is unknown")
      ->check(CLI::PositiveNumber);
  validate->add_option("--json", json, "write the verdict as JSON (- for standard output)");

  DimsArguments d;
  CLI::App* dims = app.add_subcommand(
      "dims", "the dimensions of a program that are sharded alike, where that conflicts, and what is to be decided");
  dims->add_option("program", d.program, "StableHLO text as JAX prints it")->required();
  dims->add_option("--names", d.names, "JSON file of argument and result names (else NAME.json beside the program)");
  dims->add_option("--json", json, "write the analysis as JSON (- for standard output)");

  SearchArguments f;
  CLI::App* search = app.add_subcommand("search", "find a schedule: the fastest simulated step that fits in memory");
  search->add_option("program", f.program, "StableHLO text as JAX prints it")->required();
  search->add_option("--mesh", f.mesh, "axes, outermost first: batch=4,model=2 (else the schedule's \"mesh\")");
  search->add_option("--device", f.device, "a device's name (partir simulate --help), or a device file")->required();
  search->add_option("--axes", f.axes, "axes that the search may use (else all)")->delimiter(',');
  search->add_option("--schedule", f.schedule, "JSON file of tactics that come first; the search completes them");
  search->add_option("--memory", f.memory, "of a device, as 80GB or 16GiB (else what the device has)");
  search->add_option("--seconds", f.seconds, "stop after so long (60, unless --evaluations is given)")
      ->check(CLI::PositiveNumber);
  search->add_option("--evaluations", f.evaluations, "stop after so many: with the same seed, the same schedule again")
      ->check(CLI::PositiveNumber);
  search->add_option("--seed", f.seed, "of what is drawn (0)");
  search->add_option("--threads", f.threads, "evaluations at a time (else one a core); the outcome is the same");
  search->add_option("-o,--output", f.output, "where to write the schedule (- for standard output)");
  search->add_option("--names", f.names, "JSON file of argument and result names (else NAME.json beside the program)");
  search->add_option("--link", f.links, "the link that a mesh axis lies on: batch=network,model=nvlink")->delimiter(',');
  search->add_option("--topology", f.topology, "lengths of the device's torus: 4x4x4 (else near to a cube)");
  search->add_option("--report", f.report, "write an HTML report of the schedule found");
  search->add_flag("--no-check", f.no_check, "do not prove the partition that is found");
  search->add_flag("--no-tree", f.no_tree, "local improvement alone, to measure what the tree buys");
  search->add_flag("--no-local-improvement", f.no_local, "the tree alone, to measure what local improvement buys");
  search->add_option("--json", json, "write what was found as JSON (- for standard output)");

  std::vector<CLI::App*> later;
  for (const char* name : {"fuzz"}) {
    later.push_back(app.add_subcommand(name, "to come")->allow_extras());
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : 2;
  }
  try {
    if (*partition) {
      const auto status = partition_command(p, json);
      return status ? *status : report(status.error(), json);
    }
    if (*check) {
      c.both = solver == "both";
      const auto status = check_command(c, json);
      return status ? *status : report(status.error(), json);
    }
    if (*run) {
      const auto status = run_command(r, json);
      return status ? *status : report(status.error(), json);
    }
    if (*prove) {
      q.both = solver == "both";
      const auto status = prove_command(q, json);
      return status ? *status : report(status.error(), json);
    }
    if (*registry) {
      g.both = solver == "both";
      const auto status = registry_command(g, json);
      return status ? *status : report(status.error(), json);
    }
    if (*rules) {
      const auto status = rules_command(u, json);
      return status ? *status : report(status.error(), json);
    }
    if (*simulate) {
      const auto status = simulate_command(s, json);
      return status ? *status : report(status.error(), json);
    }
    if (*validate) {
      const auto status = validate_command(v, json);
      return status ? *status : report(status.error(), json);
    }
    if (*search) {
      const auto status = search_command(f, json);
      return status ? *status : report(status.error(), json);
    }
    if (*dims) {
      const auto status = dims_command(d, json);
      return status ? *status : report(status.error(), json);
    }
    for (const CLI::App* command : later) {
      if (*command) {
        return report({"unsupported",
                       "",
                       {},
                       "the command '" + command->get_name() + "' is not there yet",
                       "partition, check, run, simulate, validate, prove, registry or rules"},
                      json);
      }
    }
    return 2;
  } catch (const UserError& e) {
    return report(e.diagnostic(), json);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\nPlease report this with the command line and the input.\n", e.what());
    return 70;
  }
}
