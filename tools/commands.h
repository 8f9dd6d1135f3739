// The commands behind the command line: they read files, call the libraries, print for people and write JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace partir {

/// How a step is simulated, and where it is shown.
struct SimulationArguments {
  std::vector<std::string> links;  ///< "batch=network"
  std::string topology;            ///< "4x4x4"
  std::optional<double> model_flops;
  std::string software = "xla";  ///< a name, or a file
  bool fused_attention = false;
  bool must_fit = false;
  std::optional<std::string> report;
  std::optional<std::string> trace;
  std::string command;                ///< the command line, for the report
  std::optional<std::string> chakra;  ///< where to write the step as a Chakra execution trace
};

struct PartitionArguments {
  std::string program;
  std::optional<std::string> mesh;
  std::optional<std::string> schedule;  ///< else the program's annotations
  bool ignore_annotations = false;
  std::optional<std::string> device;  ///< a name, or a file: simulate each tactic on it
  SimulationArguments simulation;
  bool shardings = false;  ///< print them
  std::optional<std::string> names;
  std::optional<std::string> output;
  std::string emit = "stablehlo";
  std::optional<std::string> after;
  bool no_check = false;
  std::optional<std::string> certificate;  ///< where to write it
  std::vector<std::string> expect;         ///< "all_reduce=418": assertions on the final counts
  std::vector<std::string> forbid;         ///< "all_gather" or "all_gather:batch"
  std::vector<std::string> explain;        ///< a value's name or pattern, "all_reduce" or "all_reduce:3"
};

struct CheckArguments {
  std::string sequential;
  std::string partitioned;
  std::string certificate;
  bool both = false;    ///< ask Z3, too
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
  double timeout = 60;  ///< seconds for a claim
  bool both = false;    ///< Z3 is asked, too
  bool replay = false;  ///< proofs are replayed
  bool laws = false;    ///< the laws of the prover are listed instead
};

struct RegistryArguments {
  std::string operation;  ///< empty: all
  bool derive = false;
  bool both = false;
  bool replay = false;
};

struct RulesArguments {
  std::string program;
  double timeout = 60;  ///< seconds for a claim
};

struct SimulateArguments {
  std::vector<std::string> programs;
  std::string device;  ///< a name, or a file
  std::optional<std::string> mesh;
  std::optional<std::string> names;
  SimulationArguments simulation;
  std::optional<std::string> calibrate;  ///< measurements (CSV) of which a device file is made
  std::optional<std::string> output;     ///< where that goes, or the program with recomputation
  std::vector<std::string> offload;      ///< "optimizer_state", "activations"
  std::string remat = "none";            ///< what the backward pass computes again (simulate/recompute.h)
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
  std::string device;                   ///< a name, or a file
  std::vector<std::string> axes;        ///< that the search may use; empty: all
  std::optional<std::string> schedule;  ///< whose tactics come first
  std::optional<std::string> memory;    ///< "80GB"; else the device's
  std::optional<double> seconds;
  std::optional<std::size_t> evaluations;
  std::uint64_t seed = 0;
  std::size_t threads = 0;            ///< 0: as many as the machine has
  std::optional<std::string> output;  ///< the schedule
  std::optional<std::string> report;
  std::vector<std::string> links;
  std::string topology;
  bool no_check = false;
  std::vector<std::string> without;  ///< parts of the search
};

/// The exit status. `json`: where to write the report, empty for nowhere.
Result<int> partition_command(const PartitionArguments& arguments, const std::string& json);
Result<int> check_command(const CheckArguments& arguments, const std::string& json);
Result<int> run_command(const RunArguments& arguments, const std::string& json);
Result<int> registry_command(const RegistryArguments& arguments, const std::string& json);
Result<int> simulate_command(const SimulateArguments& arguments, const std::string& json);
/// `simulate --calibrate`.
Result<int> calibrate_command(const SimulateArguments& arguments);
Result<int> names_command(const NamesArguments& arguments, const std::string& json);
Result<int> prove_command(const ProveArguments& arguments, const std::string& json);
Result<int> rules_command(const RulesArguments& arguments, const std::string& json);
Result<int> dims_command(const DimsArguments& arguments, const std::string& json);
Result<int> search_command(const SearchArguments& arguments, const std::string& json);
Result<int> validate_command(const ValidateArguments& arguments, const std::string& json);

/// {"error": {"file", "line", "column", "found", "wanted"}}.
std::string error_json(const Diagnostic& diagnostic);

}  // namespace partir
