#include "search/automatic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace partir {

Result<double> bytes_from(const std::string& text) {
  static const std::pair<const char*, double> units[] = {{"KiB", 1024.0},
                                                         {"MiB", 1048576.0},
                                                         {"GiB", 1073741824.0},
                                                         {"TiB", 1099511627776.0},
                                                         {"KB", 1e3},
                                                         {"kB", 1e3},
                                                         {"MB", 1e6},
                                                         {"GB", 1e9},
                                                         {"TB", 1e12},
                                                         {"B", 1},
                                                         {"", 1}};
  std::size_t used = 0;
  double number = -1;
  try {
    number = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  for (const auto& [unit, factor] : units) {
    if (used > 0 && std::isfinite(number) && number > 0 && text.substr(used) == unit) return number * factor;
  }
  return tl::unexpected(Diagnostic{"usage", text, {}, "memory '" + text + "'", "bytes such as 80GB, 16GiB or 500MB"});
}

Result<Schedule> searched(const Schedule& schedule, const Session& session, const AutomaticOptions& options) {
  Schedule out = schedule;
  out.tactics.clear();
  for (const Tactic& tactic : schedule.tactics) {
    if (!tactic.search) {
      out.tactics.push_back(tactic);
      continue;
    }
    const AutomaticSearch& asked = *tactic.search;
    const auto in_schedule = [&](Diagnostic d) {
      d.file = schedule.file;
      d.place = tactic.place;
      return tl::unexpected(std::move(d));
    };
    SearchOptions search_options;
    auto prefix = resolve(out, session.mesh(), session.names(), session.main());
    if (!prefix) return tl::unexpected(prefix.error());
    search_options.prefix = std::move(*prefix);
    for (const std::string& name : asked.axes) {
      const auto axis = session.mesh().find(name);
      if (!axis) {
        return in_schedule({"schedule",
                            "",
                            {},
                            fmt::format("tactic {} on axis '{}'", tactic.name, name),
                            "an axis of the mesh " + session.mesh().str()});
      }
      search_options.axes.push_back(*axis);
    }
    auto device = find_device(asked.device);
    if (!device) return in_schedule(device.error());
    search_options.device = std::move(*device);
    search_options.step.network = options.network;
    if (asked.memory) {
      auto bytes = bytes_from(*asked.memory);
      if (!bytes) return in_schedule(bytes.error());
      search_options.memory_bytes = *bytes;
    }
    search_options.seed = asked.seed;
    search_options.evaluations = asked.evaluations;
    if (asked.seconds || !asked.evaluations) search_options.seconds = asked.seconds.value_or(60);
    search_options.now = options.now;
    search_options.threads = options.threads;
    const auto found = search(session, search_options, options.progress);
    if (!found) return tl::unexpected(found.error());
    Schedule whole = schedule_of(*found, session, {});
    for (Tactic& t : whole.tactics) {
      t.name = fmt::format("{}: {}", tactic.name, t.name);
      t.place = tactic.place;
      out.tactics.push_back(std::move(t));
    }
  }
  return out;
}

}  // namespace partir
