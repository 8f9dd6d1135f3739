// Compares the schedules that the search finds on small programs with the best of all schedules over arguments, found
// exhaustively.
//
//   build/benchmarks/search_cases [DEVICE [EVALUATIONS]]
//
// Exit status 1 if more than two programs miss the best schedule, one is more than 2 % slower, or one is below the
// lower bound.
#include <fmt/format.h>

#include <cstdlib>

#include "search/bound.h"
#include "search/search.h"
#include "tests/search/exhaustive.h"
#include "tests/search/small_programs.h"

int main(int argc, char** argv) {
  using namespace partir;
  const Device device = value_or_throw(find_device(argc > 1 ? argv[1] : "a100"));
  SearchOptions options;
  options.device = device;
  options.evaluations = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 6000;
  std::size_t reached = 0;
  std::size_t near = 0;
  std::size_t all = 0;
  for (const SmallProgram& p : small_programs(false)) {
    const Session session = value_or_throw(Session::open({p.text, p.name}, value_or_throw(Mesh::parse(p.mesh))));
    const ExhaustiveBest best = ExhaustiveSearch(session, device).run();
    const SearchResult found = value_or_throw(search(session, options));
    const double ratio = found.cost.seconds / best.cost.seconds;
    const double bound = lower_bound_seconds(session.state(), device, {});
    ++all;
    reached += ratio <= 1 + 1e-9 ? 1 : 0;
    near += ratio <= 1.02 ? 1 : 0;
    fmt::print(
        "{:<48} {:>9} schedules, best {:>9.2f} us; found {:>9.2f} us ({:.4f}), {:>5} evaluations, {:.2f} of the "
        "bound{}\n",
        p.name, best.schedules, best.cost.seconds * 1e6, found.cost.seconds * 1e6, ratio, found.evaluations,
        found.cost.seconds / bound, found.cost.seconds < bound ? " BELOW THE BOUND" : "");
    if (ratio > 1 + 1e-9) {
      fmt::print("  the best is {}\n  found was\n{}  from\n{}", best.tactics,
                 schedule_json(schedule_of(found, session, {})), p.text);
    }
    std::fflush(stdout);
    if (found.cost.seconds < bound) return 1;
  }
  fmt::print("{} of {} reach the best, {} within 2 %\n", reached, all, near);
  return reached + 2 >= all && near == all ? 0 : 1;
}
