// The two interpreters: sequential (one device) and SPMD (every device runs the same program; collectives synchronise
// replica groups). Both evaluate the meanings of the operations' declarations.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/program.h"
#include "semantics/tensor.h"

namespace partir {

/// The devices of a run: `replicas` x `partitions`; the device id is replica * partitions + partition.
struct Devices {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  [[nodiscard]] std::int64_t count() const { return replicas * partitions; }
};

/// Returns the results of a function on one device. PartIR:Core loops run their iterations one after another.
/// Errors: code "unsupported" for an operation without a meaning.
Result<std::vector<Tensor>> run_sequential(const Function& function, const std::vector<Tensor>& inputs,
                                           const Domain& domain);

/// Returns the results of each device. Deterministic: a nonzero `shuffle` permutes the order in which devices are
/// stepped, which does not affect the results. Errors: "unsupported"; "deadlock", which lists where each device waits.
Result<std::vector<std::vector<Tensor>>> run_spmd(const Function& function,
                                                  const std::vector<std::vector<Tensor>>& inputs,
                                                  const Devices& devices, const Domain& domain,
                                                  std::uint64_t shuffle = 0);

class CompiledMeanings;
/// Is shown an operation that a device has executed (also in regions; control flow and loops are not shown themselves).
using Observer =
    std::function<void(const Op& op, const std::vector<const Tensor*>& operands, const std::vector<Tensor>& results)>;

/// A function prepared for many runs over one domain: the meanings of its operations are compiled at their first run
/// only. Keeps references to the function and the domain.
class PreparedFunction {
 public:
  PreparedFunction(const Function& function, const Domain& domain);
  ~PreparedFunction();
  PreparedFunction(PreparedFunction&&) noexcept;
  PreparedFunction& operator=(PreparedFunction&&) noexcept;

  [[nodiscard]] const Function& function() const;
  /// As the functions above. `observer` is shown every operation that a device has executed.
  [[nodiscard]] Result<std::vector<Tensor>> run_sequential(const std::vector<Tensor>& inputs) const;
  [[nodiscard]] Result<std::vector<std::vector<Tensor>>> run_spmd(const std::vector<std::vector<Tensor>>& inputs,
                                                                  const Devices& devices, std::uint64_t shuffle = 0,
                                                                  const Observer& observer = nullptr) const;

 private:
  std::unique_ptr<CompiledMeanings> meanings_;
};

class Host;
/// As run_spmd, but each device has its own program, and the caller provides the shared host. Throws UserError.
std::vector<std::vector<Tensor>> run_programs(const std::vector<const Function*>& programs,
                                              const std::vector<std::vector<Tensor>>& inputs, const Devices& devices,
                                              const Domain& domain, Host& host, std::uint64_t shuffle = 0);

/// The mapping of a module's global arrays to devices, read from its attributes (mhlo.num_partitions, partir.mesh,
/// partir.sharding, and partir.shape for arrays that devices hold with padding).
struct ModuleLayout {
  Devices devices;
  Mesh mesh;
  std::vector<Layout> arguments;
  std::vector<Layout> results;
  std::vector<Type> global_arguments;
  std::vector<Type> global_results;
  std::vector<Type> padded_arguments;  ///< the global types including padding
  std::vector<Type> padded_results;
};
Result<ModuleLayout> module_layout(const Module& module);

/// Runs a module on global inputs, on the devices of its module_layout, and gathers global outputs.
/// Errors: as above, and "replicas" if devices hold different values of a part that they share.
Result<std::vector<Tensor>> run_module(const Module& module, const std::vector<Tensor>& inputs, const Domain& domain,
                                       std::uint64_t shuffle = 0);

/// An estimate of the work of running a function: elements of arguments and results plus floating-point operations.
/// Used to decide whether a program is small enough to run. Loops of unknown trip count count once. Stops counting
/// above `limit`.
double work_of(const Function& function, double limit);

}  // namespace partir
