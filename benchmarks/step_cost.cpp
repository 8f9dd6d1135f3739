// Milliseconds that the cost of one state takes a search: StepModel::cost of lowered train steps, the first time and
// once their operations are known.
//
//   build/benchmarks/step_cost [SHARED [PROGRAM …]]
//
// SHARED has corpus/ (default ../shared); without it: "skipped".
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <vector>

#include "ir/text/read.h"
#include "simulate/step.h"
#include "support/file.h"
#include "driver/partition.h"

namespace {

using namespace partir;

double now() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void measure(const std::string& corpus, const std::string& program) {
  PartitionInput in;
  in.file = corpus + program + ".mlir";
  in.text = value_or_throw(read_file(in.file));
  in.names = value_or_throw(read_file(corpus + program + ".json"));
  const std::string schedule = program.starts_with("llama") ? "llama_bp_mp"
                               : program.starts_with("mlp") ? "mlp_bp_mp"
                                                            : "t_bp_mp_z3";
  in.schedule = value_or_throw(read_file(corpus + "schedules/" + schedule + ".json"));
  in.mesh = "batch=4,model=2";
  const double start = now();
  const auto p = value_or_throw(partition(in, Emit::spmd, now));
  const double partitioning = now() - start;
  const Module module = value_or_throw(read_module(p.stablehlo, "partitioned"));
  const Function& main = *value_or_throw(module.main());
  auto model = value_or_throw(StepModel::of(value_or_throw(find_device("a100")), p.mesh, {}));
  std::vector<double> seconds;
  StepCost cost;
  for (int run = 0; run < 20; ++run) {
    const double before = now();
    cost = value_or_throw(model->cost(main));
    seconds.push_back(now() - before);
  }
  const double first = seconds[0];
  std::nth_element(seconds.begin(), seconds.begin() + 10, seconds.end());
  fmt::print(
      "{:<24}{:>8} operations{:>10.1f} ms first{:>10.1f} ms again   (partitioning {:.0f} ms; step {:.3f} s, peak "
      "{:.1f} GB)\n",
      program, main.body.ops.size(), first * 1e3, seconds[10] * 1e3, partitioning * 1e3, cost.seconds,
      cost.peak_bytes / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string shared = argc > 1 ? argv[1] : "../shared";
  if (!std::filesystem::exists(shared + "/corpus")) {
    fmt::print("skipped: no corpus in {}\n", shared);
    return 0;
  }
  std::vector<std::string> programs(argv + std::min(argc, 2), argv + argc);
  if (programs.empty()) programs = {"mlp_train", "t32_train", "llama3_405b_train"};
  for (const std::string& program : programs) measure(shared + "/corpus/", program);
  return 0;
}
