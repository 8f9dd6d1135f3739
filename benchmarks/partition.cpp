// Measures the processor time of each stage of `partir partition` on full-size train steps with BP+MP, and the peak
// memory of a process that does nothing else. (Processor time hardly depends on other load on the machine.)
//
//   build/benchmarks/partition [SHARED [MESH [PROGRAM …]]]
//
// SHARED is a folder with corpus/ (default ../shared); without it, prints "skipped". benchmarks/shardy.py parses the
// output.
#include "driver/partition.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "benchmarks/measure.h"
#include "support/file.h"

namespace {

using namespace partir;
using benchmarks::processor_seconds;

constexpr int kRuns = 5;

double peak_mebibytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const std::string& corpus, const std::string& program, const std::string& mesh) {
  PartitionInput in;
  in.file = corpus + program + ".mlir";
  in.text = value_or_throw(read_file(in.file));
  in.names = value_or_throw(read_file(corpus + program + ".json"));
  const bool llama = program.starts_with("llama");
  in.schedule = value_or_throw(read_file(corpus + "schedules/" + (llama ? "llama_bp_mp.json" : "t_bp_mp.json")));
  in.mesh = mesh;
  // Report the run with the fastest propagation, lowering and optimisation: the times of reading and printing vary by
  // more than those take.
  const auto rewriting = [](const StageSeconds& s) { return s.propagate + s.lower + s.optimize; };
  StageSeconds best;
  double best_total = 0;
  std::size_t operations = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double start = processor_seconds();
    const auto p = value_or_throw(partition(in, Emit::stablehlo, processor_seconds));
    const double total = processor_seconds() - start;
    if (run == 0 || rewriting(p.seconds) < rewriting(best)) {
      best_total = total;
      best = p.seconds;
      operations = p.operations;
    }
  }
  fmt::print("{:<20}{:>12}{:>9.3f}{:>11.3f}{:>9.3f}{:>10.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>11.0f}\n", program, operations,
             best.parse, best.propagate, best.lower, best.optimize, best.print, best.check, best_total,
             peak_mebibytes());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string corpus = std::string(argc > 1 ? argv[1] : "../shared") + "/corpus/";
  if (!std::filesystem::exists(corpus)) {
    fmt::print("skipped: no corpus at {}\n", corpus);
    return 0;
  }
  const std::string mesh = argc > 2 ? argv[2] : "batch=4,model=2";
  std::vector<std::string> programs(argv + std::min(argc, 3), argv + argc);
  if (programs.empty()) programs = {"t32_train", "t48_train", "llama3_8b_train"};
  fmt::print("BP+MP on {}; seconds of the fastest of {} runs\n\n", mesh, kRuns);
  fmt::print("{:<20}{:>12}{:>9}{:>11}{:>9}{:>10}{:>9}{:>9}{:>9}{:>11}\n", "program", "operations", "read", "propagate",
             "lower", "optimize", "print", "check", "total", "peak MiB");
  std::fflush(stdout);
  for (const std::string& program : programs) {
    // A process per program, so that each peak is that of one program.
    const pid_t child = ::fork();
    if (child == 0) {
      measure(corpus, program, mesh);
      std::fflush(stdout);
      std::_Exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
  }
}
