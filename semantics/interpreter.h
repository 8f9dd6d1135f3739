// The two interpreters: sequential (one device) and SPMD (every device runs the same program; collectives meet by
// replica group). Both run the same declarations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "semantics/tensor.h"

namespace partir {

/// Devices of a run: `replicas` x `partitions`; device id = replica * partitions + partition.
struct Devices {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  [[nodiscard]] std::int64_t count() const { return replicas * partitions; }
};

/// Results of one function on one device. PartIR:Core loops run their iterations one after another.
/// Errors: code "unsupported" for an operation without a meaning here.
Result<std::vector<Tensor>> run_sequential(const Function& function, const std::vector<Tensor>& inputs,
                                           const Domain& domain);

/// Results per device. Deterministic; `shuffle` other than 0 permutes the order in which devices are stepped, which
/// changes nothing. Errors: "unsupported"; "deadlock", naming who waits where.
Result<std::vector<std::vector<Tensor>>> run_spmd(const Function& function,
                                                  const std::vector<std::vector<Tensor>>& inputs,
                                                  const Devices& devices, const Domain& domain,
                                                  std::uint64_t shuffle = 0);

class Host;
/// As run_spmd, with a program for each device and a host that they share. Throws UserError.
std::vector<std::vector<Tensor>> run_programs(const std::vector<const Function*>& programs,
                                              const std::vector<std::vector<Tensor>>& inputs, const Devices& devices,
                                              const Domain& domain, Host& host, std::uint64_t shuffle = 0);

/// How the global arrays of a module map to devices, from its attributes (mhlo.num_partitions, partir.mesh,
/// partir.sharding, and partir.shape where devices hold padding behind the array's end).
struct ModuleLayout {
  Devices devices;
  Mesh mesh;
  std::vector<Layout> arguments;
  std::vector<Layout> results;
  std::vector<Type> global_arguments;
  std::vector<Type> global_results;
  std::vector<Type> padded_arguments;  ///< what devices hold together
  std::vector<Type> padded_results;
};
Result<ModuleLayout> module_layout(const Module& module);

/// Runs a module on global inputs, on as many devices as it says, and gathers global outputs.
/// Errors: as above, and "replicas" when devices disagree on a part that they share.
Result<std::vector<Tensor>> run_module(const Module& module, const std::vector<Tensor>& inputs, const Domain& domain,
                                       std::uint64_t shuffle = 0);

/// Steps that a run of the function takes, for deciding whether it is small enough; loops of unknown trip count once.
/// Stops counting above `limit`.
double work_of(const Function& function, double limit);

}  // namespace partir
