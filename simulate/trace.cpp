#include <map>
#include <nlohmann/json.hpp>

#include "simulate/simulate.h"

namespace partir {

// Format: "Trace Event Format" (documentation of catapult, chrome://tracing): complete events "X" in microseconds,
// threads named by metadata events "M".
std::string chrome_trace(const Simulation& simulation) {
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  std::map<std::string, int> tracks = {{"compute", 1}};
  for (const auto& a : simulation.mesh.axes()) tracks.emplace(a.name, static_cast<int>(tracks.size()) + 1);
  const auto name = [&](const char* what, int track, const std::string& text) {
    events.push_back({{"ph", "M"}, {"name", what}, {"pid", 1}, {"tid", track}, {"args", {{"name", text}}}});
  };
  name("process_name", 0, simulation.device + ", one device of " + simulation.mesh.str());
  for (const auto& [track, id] : tracks) name("thread_name", id, track == "compute" ? track : "axis " + track);
  for (const StepEvent& e : simulation.events) {
    events.push_back({{"ph", "X"},
                      {"name", e.name},
                      {"pid", 1},
                      {"tid", tracks.at(e.track)},
                      {"ts", e.start * 1e6},
                      {"dur", e.seconds * 1e6},
                      {"args", {{"detail", e.detail}}}});
  }
  return nlohmann::ordered_json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump() + "\n";
}

}  // namespace partir
