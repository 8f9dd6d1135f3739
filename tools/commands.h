// The commands of the command line program: they read files, call the libraries, print human-readable text and write
// JSON. tools/options.cpp fills in their arguments from the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "tools/exit_status.h"

namespace partir {

/// How a step is simulated, and where the results are written.
struct SimulationArguments {
  std::vector<std::string> links;  ///< axis and link, such as "batch=network"
  std::string topology;            ///< lengths of the torus, such as "4x4x4"
  std::optional<double> model_flops;
  std::string software = "xla";  ///< a software name, or a file
  bool fused_attention = false;
  std::string remat = "none";        ///< recomputation policy of the backward pass (simulate/recompute.h)
  std::vector<std::string> offload;  ///< "optimizer_state", "activations"
  bool must_fit = false;
  std::optional<std::string> report;
  std::optional<std::string> trace;
  std::string command;                ///< the command line, for the report
  std::optional<std::string> chakra;  ///< where to write the step as a Chakra execution trace
};

struct PartitionArguments {
  std::string program;
  std::optional<std::string> mesh;
  std::optional<std::string> schedule;  ///< absent: use the program's sharding annotations
  bool ignore_annotations = false;
  std::optional<std::string> device;  ///< a device name, or a file: simulate the step after each tactic
  SimulationArguments simulation;
  bool shardings = false;  ///< print the shardings of arguments and results
  std::optional<std::string> names;
  std::optional<std::string> output;
  std::string emit = "stablehlo";
  std::optional<std::string> after;
  bool no_check = false;
  std::optional<std::string> certificate;  ///< where to write the certificate
  std::vector<std::string> expect;         ///< assertions on the final counts, such as "all_reduce=418"
  std::vector<std::string> forbid;         ///< "all_gather" or "all_gather:batch": assertions that there are none
  /// Name or pattern of a value, or a collective: "all_reduce" or "all_reduce:3".
  std::vector<std::string> explain;
};

struct CheckArguments {
  std::string sequential;
  std::string partitioned;
  std::string certificate;
  bool both = false;    ///< cross-check with Z3
  bool replay = false;  ///< replay each proof
};

struct RunArguments {
  std::string program;
  std::optional<std::string> inputs;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> outputs;
  std::optional<std::string> expect;
  std::string domain = "native";
};

struct ProveArguments {
  std::vector<std::string> files;
  double timeout = 60;  ///< seconds per claim
  bool both = false;    ///< cross-check with Z3
  bool replay = false;  ///< replay proofs
  bool laws = false;    ///< list the laws of the prover instead
};

struct RegistryArguments {
  std::string operation;  ///< empty: all operations
  bool derive = false;
  bool both = false;
  bool replay = false;
};

struct RulesArguments {
  std::string program;
  double timeout = 60;  ///< seconds per claim
};

struct SimulateArguments {
  std::vector<std::string> programs;
  std::string device;  ///< a device name, or a file
  std::optional<std::string> mesh;
  std::optional<std::string> names;
  SimulationArguments simulation;
  std::optional<std::string> calibrate;  ///< measurements (CSV) to make a device file from
  std::optional<std::string> output;     ///< where to write the device file, or the program with recomputation
};

struct NamesArguments {
  std::string program;
  std::vector<std::string> patterns;
  std::optional<std::string> names;
};

struct ValidateArguments {
  std::string source;
  std::string partitioned;
  std::optional<std::string> shardings;  ///< a JSON file
  std::optional<std::string> mesh;
  std::optional<double> timeout;  ///< seconds
};

struct DimsArguments {
  std::string program;
  std::optional<std::string> names;
};

struct SearchArguments {
  std::string program;
  std::optional<std::string> names;
  std::optional<std::string> mesh;
  std::string device;                   ///< a device name, or a file
  std::vector<std::string> axes;        ///< axes that the search may use; empty: all
  std::optional<std::string> schedule;  ///< schedule whose tactics are applied first
  std::optional<std::string> memory;    ///< memory per device, such as "80GB"; absent: that of the device
  std::optional<double> seconds;
  std::optional<std::size_t> evaluations;
  std::uint64_t seed = 0;
  std::size_t threads = 0;            ///< 0: one per core
  std::optional<std::string> output;  ///< where to write the schedule
  std::optional<std::string> report;
  std::vector<std::string> links;
  std::string topology;
  bool no_check = false;
  std::vector<std::string> without;  ///< parts of the search to disable
  bool must_fit = false;
  std::string command;  ///< the command line, for the report
};

/// Each command returns its exit status. `json` is the path of the JSON report; empty: none.
Result<ExitStatus> partition_command(const PartitionArguments& arguments, const std::string& json);
Result<ExitStatus> check_command(const CheckArguments& arguments, const std::string& json);
Result<ExitStatus> run_command(const RunArguments& arguments, const std::string& json);
Result<ExitStatus> registry_command(const RegistryArguments& arguments, const std::string& json);
Result<ExitStatus> simulate_command(const SimulateArguments& arguments, const std::string& json);
/// `simulate --calibrate`.
Result<ExitStatus> calibrate_command(const SimulateArguments& arguments);
Result<ExitStatus> names_command(const NamesArguments& arguments, const std::string& json);
Result<ExitStatus> prove_command(const ProveArguments& arguments, const std::string& json);
Result<ExitStatus> rules_command(const RulesArguments& arguments, const std::string& json);
Result<ExitStatus> dims_command(const DimsArguments& arguments, const std::string& json);
Result<ExitStatus> search_command(const SearchArguments& arguments, const std::string& json);
Result<ExitStatus> validate_command(const ValidateArguments& arguments, const std::string& json);

/// An error in the options of a command.
tl::unexpected<Diagnostic> wrong_usage(std::string found, std::string wanted);

/// Returns {"error": {"file", "line", "column", "found", "wanted", "code"}} as text.
std::string error_json(const Diagnostic& diagnostic);

}  // namespace partir
