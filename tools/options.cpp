#include "tools/options.h"

#include <fmt/format.h>

#include <memory>

#include "support/file.h"
#include "tools/commands.h"

namespace partir {
namespace {

const std::vector<std::string> kSolvers = {"forms", "both"};
const std::vector<std::string> kDomains = {"native", "f64", "rational", "modular"};
const std::vector<std::string> kRecomputation = {"full", "selective", "none"};
const std::vector<std::string> kForms = {"stablehlo", "core", "spmd", "sdy"};
const std::vector<std::string> kSearchParts = {"analysis", "sharing", "tree", "local"};
const std::vector<std::string> kShells = {"bash", "zsh", "fish"};

/// Accepts text that does not begin with a minus: CLI11 reads -1 as the largest unsigned number.
CLI::Validator not_negative() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.starts_with('-') ? text + " not in {a number from 0}" : std::string();
      },
      "");
}

/// Accepts numbers above 0.
CLI::Validator positive() {
  return CLI::Validator(
      [](const std::string& text) {
        double number = 0;
        const bool above = CLI::detail::lexical_cast(text, number) && number > 0;
        return above ? std::string() : text + " not in {a number above 0}";
      },
      "");
}

/// An option for a file to write, or "-" for standard output.
CLI::Option* file_option(CLI::App* app, const char* name, std::string& to, const char* help) {
  return app->add_option(name, to, help)->type_name("FILE");
}
CLI::Option* file_option(CLI::App* app, const char* name, std::optional<std::string>& to, const char* help) {
  return app->add_option(name, to, help)->type_name("FILE");
}
CLI::Option* program_option(CLI::App* app, const char* name, std::string& to, const char* help) {
  return app->add_option(name, to, help)->required()->type_name("FILE");
}

void json_option(CLI::App* app, std::string& json, const char* what) {
  app->add_option("--json", json, fmt::format("write {} as JSON (- for standard output)", what))->type_name("FILE");
}

void mesh_option(CLI::App* app, std::optional<std::string>& mesh, const char* help) {
  app->add_option("--mesh", mesh, help)->type_name("AXIS=SIZE,…");
}

/// The options that `partition --device` and `simulate` share.
void simulation_options(CLI::App* app, SimulationArguments& s) {
  app->add_option("--link", s.links, "the link that a mesh axis lies on: batch=network,model=nvlink")
      ->delimiter(',')
      ->type_name("AXIS=LINK,…");
  app->add_option("--topology", s.topology, "lengths of the device's torus: 4x4x4 (else near to a cube)")
      ->type_name("NxN…");
  app->add_option("--model-flops", s.model_flops,
                  "matrix FLOPs of the whole model's step, for its utilisation (else of the source program)")
      ->check(positive());
  app->add_option(
         "--software", s.software,
         "what runs the step: xla (default) fsdp llm_foundry maxtext megatron, or a file (simulate/software/*.json)")
      ->type_name("NAME|FILE");
  app->add_flag("--fused-attention", s.fused_attention,
                "with kernels for attention at the products' own speed, whatever the software has on the device");
  app->add_option("--remat", s.remat,
                  "what the step would be if its backward pass computed activations again: full, selective (keeps "
                  "products) or none; says whether values stay")
      ->check(CLI::IsMember(kRecomputation))
      ->type_name("full|selective|none");
  app->add_option("--offload", s.offload,
                  "what the step would be if this lay in the host's memory: optimizer_state, activations")
      ->delimiter(',')
      ->check(CLI::IsMember({"optimizer_state", "activations"}))
      ->type_name("optimizer_state,activations");
  app->add_flag("--must-fit", s.must_fit, "exit 1 when the peak exceeds the device's memory");
  file_option(app, "--report", s.report, "write an HTML report that opens without network");
  file_option(app, "--trace", s.trace, "write the step as a trace for Perfetto or chrome://tracing");
  file_option(app, "--chakra", s.chakra,
              "write the step as Chakra execution traces for ASTRA-sim: device 0's as T.et, or all as T.0.et, …");
}

void proof_options(CLI::App* app, bool& both, bool& replay) {
  app->add_option_function<std::string>(
         "--solver", [&both](const std::string& solver) { both = solver == "both"; },
         "forms (normal forms), or both: Z3 confirms what proofs rely on about indices")
      ->check(CLI::IsMember(kSolvers))
      ->type_name("forms|both");
  app->add_flag("--replay", replay, "check every step of each proof at small instances, by code of its own");
}

Command partition(CLI::App& program, std::string& json, const std::string& command_line) {
  CLI::App* app =
      program.add_subcommand("partition", "partition a program by a schedule, check it, count its collectives");
  auto a = std::make_shared<PartitionArguments>();
  a->simulation.command = command_line;
  program_option(app, "program", a->program, "StableHLO text as JAX prints it (- for standard input)");
  mesh_option(app, a->mesh, "axes, outermost first: batch=4,model=2 (else the schedule's \"mesh\")");
  file_option(app, "--schedule", a->schedule,
              "JSON file of tactics (else the program's own shardings are the schedule)");
  app->add_flag("--ignore-annotations", a->ignore_annotations, "drop the program's own shardings beside a schedule");
  file_option(app, "--names", a->names,
              "JSON file of argument and result names (else NAME.json beside the program, else the text's)");
  file_option(app, "-o,--output", a->output, "where to write the partitioned program (- for standard output)");
  app->add_option("--emit", a->emit, "stablehlo (what each device runs), core, spmd or sdy")
      ->check(CLI::IsMember(kForms))
      ->type_name("FORM");
  app->add_option("--after", a->after, "stop behind this tactic")->type_name("TACTIC");
  app->add_option("--expect", a->expect, "assert a count after the last tactic: all_reduce=418 (exit 1 otherwise)")
      ->type_name("KIND=COUNT");
  app->add_option("--forbid", a->forbid,
                  "assert that there is none: all_gather, or all_gather:batch (exit 1 otherwise)")
      ->type_name("KIND[:AXIS]");
  app->add_option("--explain", a->explain,
                  "say by which tactic, entry and source location a value has its sharding (its name, or a pattern) or "
                  "a collective is there (all_reduce, or all_reduce:3)")
      ->type_name("NAME");
  app->add_flag("--shardings", a->shardings,
                "print the sharding of each argument and result, also as a PartitionSpec, and its tiles on the mesh");
  app->add_option("--device", a->device, "simulate a step after each tactic: a device's name, or a device file")
      ->type_name("NAME|FILE");
  simulation_options(app, a->simulation);
  app->add_flag("--no-check", a->no_check, "do not prove or check the partition");
  file_option(app, "--certificate", a->certificate, "where to write why each step holds, for partir check");
  json_option(app, json, "the report");
  return {app, [a, &json] { return partition_command(*a, json); }};
}

Command check(CLI::App& program, std::string& json) {
  CLI::App* app =
      program.add_subcommand("check", "verify a certificate: a partitioned module computes what its source does");
  auto a = std::make_shared<CheckArguments>();
  program_option(app, "sequential", a->sequential, "the source program");
  program_option(app, "partitioned", a->partitioned, "the StableHLO module that partition wrote");
  file_option(app, "--certificate", a->certificate, "the JSON file that partition --certificate wrote")->required();
  proof_options(app, a->both, a->replay);
  json_option(app, json, "the verdict");
  return {app, [a, &json] { return check_command(*a, json); }};
}

Command validate(CLI::App& program, std::string& json) {
  CLI::App* app = program.add_subcommand(
      "validate", "decide without a certificate whether a partitioned module computes the source, for all inputs");
  auto a = std::make_shared<ValidateArguments>();
  program_option(app, "source", a->source, "the source program");
  program_option(app, "partitioned", a->partitioned, "the device-local StableHLO module of any partitioner");
  file_option(app, "--shardings", a->shardings,
              "JSON file {\"mesh\", \"arguments\", \"results\"} of shardings such as [{batch}, {}] (else what the "
              "modules say: partir.sharding, sdy.sharding, mhlo.sharding)");
  mesh_option(app, a->mesh, "axes, outermost first: batch=4,model=2 (else what the shardings say)");
  app->add_option("--timeout", a->timeout, "seconds, after which the verdict is unknown")->check(positive());
  json_option(app, json, "the verdict");
  return {app, [a, &json] { return validate_command(*a, json); }};
}

Command run(CLI::App& program, std::string& json) {
  CLI::App* app =
      program.add_subcommand("run", "interpret a module: on one device, or on all devices of a partitioned one");
  auto a = std::make_shared<RunArguments>();
  program_option(app, "program", a->program, "StableHLO or PartIR:Core text (- for standard input)");
  CLI::Option* inputs = file_option(app, "--inputs", a->inputs, ".npz with in_0, in_1, … (global arrays)");
  app->add_option("--seed", a->seed, "draw the inputs; integers from 0 to 3")->excludes(inputs)->check(not_negative());
  file_option(app, "--outputs", a->outputs, ".npz to write out_0, out_1, … to");
  file_option(app, "--expect", a->expect, ".npz with the wanted out_0, out_1, …");
  app->add_option("--domain", a->domain, "native, f64, rational (exact, where there is a rational value) or modular")
      ->check(CLI::IsMember(kDomains))
      ->type_name("DOMAIN");
  json_option(app, json, "the report");
  return {app, [a, &json] { return run_command(*a, json); }};
}

Command simulate(CLI::App& program, std::string& json, const std::string& command_line) {
  CLI::App* app = program.add_subcommand(
      "simulate", "time, memory and communication of a step of partitioned modules; several are compared and ranked");
  auto a = std::make_shared<SimulateArguments>();
  a->simulation.command = command_line;
  app->add_option("programs", a->programs, "partitioned StableHLO, as `partition -o` writes it")->type_name("FILE");
  app->add_option("--device", a->device,
                  "a100 h100 h200 b200 tpu_v3 tpu_v4 tpu_v5e tpu_v5p tpu_v6e, or a file of that form (devices/*.json)")
      ->required()
      ->type_name("NAME|FILE");
  mesh_option(app, a->mesh, "axes, outermost first, in place of the module's partir.mesh");
  file_option(app, "--names", a->names, "JSON file of argument and result names of the program before partitioning");
  simulation_options(app, a->simulation);
  file_option(app, "--calibrate", a->calibrate,
              "measurements of your machine (CSV, examples/python/measure_device.py): write a device file; --device is "
              "what it starts from");
  file_option(app, "-o,--output", a->output,
              "where --calibrate writes the device file, --remat the program (- for standard output)");
  json_option(app, json, "the figures");
  return {app, [a, &json] { return simulate_command(*a, json); }};
}

Command names(CLI::App& program, std::string& json) {
  CLI::App* app = program.add_subcommand(
      "names", "what a schedule can name in a program: arguments, results and internal values, with types");
  auto a = std::make_shared<NamesArguments>();
  program_option(app, "program", a->program, "StableHLO text as JAX prints it (- for standard input)");
  app->add_option("patterns", a->patterns, "only names that match: params/**, **/dot_general")->type_name("PATTERN");
  file_option(app, "--names", a->names,
              "JSON file of argument and result names (else NAME.json beside the program, else the text's)");
  json_option(app, json, "the names");
  return {app, [a, &json] { return names_command(*a, json); }};
}

Command dims(CLI::App& program, std::string& json) {
  CLI::App* app = program.add_subcommand(
      "dims", "the dimensions of a program that are sharded alike, where that conflicts, and what is to be decided");
  auto a = std::make_shared<DimsArguments>();
  program_option(app, "program", a->program, "StableHLO text as JAX prints it (- for standard input)");
  file_option(app, "--names", a->names,
              "JSON file of argument and result names (else NAME.json beside the program, else the text's)");
  json_option(app, json, "the analysis");
  return {app, [a, &json] { return dims_command(*a, json); }};
}

Command search(CLI::App& program, std::string& json, const std::string& command_line) {
  CLI::App* app = program.add_subcommand("search", "find a schedule: the fastest simulated step that fits in memory");
  auto a = std::make_shared<SearchArguments>();
  a->command = command_line;
  program_option(app, "program", a->program, "StableHLO text as JAX prints it (- for standard input)");
  mesh_option(app, a->mesh, "axes, outermost first: batch=4,model=2 (else the schedule's \"mesh\")");
  app->add_option("--device", a->device, "a device's name (partir simulate --help), or a device file")
      ->required()
      ->type_name("NAME|FILE");
  app->add_option("--axes", a->axes, "axes that the search may use (else all)")->delimiter(',')->type_name("AXIS,…");
  file_option(app, "--schedule", a->schedule, "JSON file of tactics that come first; the search completes them");
  app->add_option("--memory", a->memory, "of a device, as 80GB or 16GiB (else what the device has)")->type_name("SIZE");
  app->add_flag("--must-fit", a->must_fit, "exit 1 when no plan that was found fits in memory");
  app->add_option("--seconds", a->seconds, "stop after so long (60, unless --evaluations is given)")->check(positive());
  app->add_option("--evaluations", a->evaluations, "stop after so many: with the same seed, the same schedule again")
      ->check(positive());
  app->add_option("--seed", a->seed, "of what is drawn (0)")->check(not_negative());
  app->add_option("--threads", a->threads, "evaluations at a time (else one a core); the outcome is the same")
      ->check(not_negative());
  file_option(app, "-o,--output", a->output, "where to write the schedule (- for standard output)");
  file_option(app, "--names", a->names,
              "JSON file of argument and result names (else NAME.json beside the program, else the text's)");
  app->add_option("--link", a->links, "the link that a mesh axis lies on: batch=network,model=nvlink")
      ->delimiter(',')
      ->type_name("AXIS=LINK,…");
  app->add_option("--topology", a->topology, "lengths of the device's torus: 4x4x4 (else near to a cube)")
      ->type_name("NxN…");
  file_option(app, "--report", a->report, "write an HTML report of the schedule found");
  app->add_flag("--no-check", a->no_check, "do not prove the partition that is found");
  app->add_option("--without", a->without,
                  "leave parts of the search out, to measure what they buy: analysis, sharing, tree, local")
      ->delimiter(',')
      ->check(CLI::IsMember(kSearchParts))
      ->type_name("PART,…");
  json_option(app, json, "what was found");
  return {app, [a, &json] { return search_command(*a, json); }};
}

Command prove(CLI::App& program, std::string& json) {
  CLI::App* app = program.add_subcommand("prove", "prove or refute claims about tile-mapping entries");
  auto a = std::make_shared<ProveArguments>();
  app->add_option("files", a->files, ".tmr files of claims")->type_name("FILE");
  app->add_flag("--laws", a->laws, "list the laws of the prover, the types they hold of and what they need");
  app->add_option("--timeout", a->timeout, "seconds for a claim (60), after which it is unknown")->check(positive());
  proof_options(app, a->both, a->replay);
  json_option(app, json, "the verdicts");
  return {app, [a, &json] { return prove_command(*a, json); }};
}

Command registry(CLI::App& program, std::string& json) {
  CLI::App* app = program.add_subcommand("registry", "every entry of the registry at symbolic sizes, with its verdict");
  auto a = std::make_shared<RegistryArguments>();
  app->add_option("operation", a->operation, "one operation, as dot_general");
  app->add_flag("--derive", a->derive, "find all entries that hold, declared or not");
  proof_options(app, a->both, a->replay);
  json_option(app, json, "the table");
  return {app, [a, &json] { return registry_command(*a, json); }};
}

Command rules(CLI::App& program, std::string& json) {
  CLI::App* app = program.add_subcommand(
      "rules", "prove or refute the sdy.sharding_rule of each operation of a module, factor by factor");
  auto a = std::make_shared<RulesArguments>();
  program_option(app, "program", a->program, "StableHLO text with Shardy's rules on its operations");
  app->add_option("--timeout", a->timeout, "seconds for a claim (60), after which it is unknown")->check(positive());
  json_option(app, json, "the verdicts");
  return {app, [a, &json] { return rules_command(*a, json); }};
}

Command completion(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("completion", "print a shell's completion script: source <(partir completion bash)");
  auto shell = std::make_shared<std::string>("bash");
  app->add_option("shell", *shell, "bash, zsh or fish")->check(CLI::IsMember(kShells))->type_name("SHELL");
  return {app, [shell, &program]() -> Result<ExitStatus> {
            if (auto ok = write_file("-", completion_script(program, *shell)); !ok) return tl::unexpected(ok.error());
            return ExitStatus::done;
          }};
}

Command manual(CLI::App& program) {
  CLI::App* app = program.add_subcommand("manual", "print the man page: partir manual | man -l -");
  return {app, [&program]() -> Result<ExitStatus> {
            if (auto ok = write_file("-", manual_page(program)); !ok) return tl::unexpected(ok.error());
            return ExitStatus::done;
          }};
}

}  // namespace

std::vector<Command> add_commands(CLI::App& program, std::string& json, const std::string& command_line) {
  return {partition(program, json, command_line),
          check(program, json),
          validate(program, json),
          run(program, json),
          simulate(program, json, command_line),
          names(program, json),
          dims(program, json),
          prove(program, json),
          registry(program, json),
          rules(program, json),
          completion(program),
          manual(program),
          search(program, json, command_line)};
}

}  // namespace partir
