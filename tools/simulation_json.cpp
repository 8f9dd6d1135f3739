#include "tools/simulation_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrite/json_text.h"

namespace partir {
namespace {

Json by_kind(const MemoryByKind& bytes) {
  Json out = Json::object();
  for (std::size_t k = 0; k < kMemoryKinds; ++k) out[std::string(name_of(static_cast<MemoryKind>(k)))] = bytes[k];
  return out;
}

std::string scaled(double value, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t p = 0;
  while (value >= 999.5 && p + 1 < std::size(prefixes)) {
    value /= 1000;
    ++p;
  }
  return fmt::format("{:.3g} {}{}", value, prefixes[p], unit);
}

/// Total seconds of collectives by kind and axes, such as "all_reduce batch".
std::vector<std::pair<std::string, double>> by_axes(const Simulation& s) {
  std::vector<std::pair<std::string, double>> out;
  for (const CollectiveCost& c : s.collectives) {
    std::string key(name_of(c.kind));
    for (const std::string& a : c.axes) key += " " + a;
    const auto it = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.first == key; });
    const double seconds = c.seconds * static_cast<double>(c.executed);
    if (it != out.end())
      it->second += seconds;
    else
      out.emplace_back(key, seconds);
  }
  return out;
}

}  // namespace

double utilization_of(const Simulation& s) { return s.model_utilization.value_or(s.hardware_utilization); }

std::string does_not_fit(const std::string& program, const Simulation& s) {
  if (s.fits()) return "";
  const std::string largest = s.live.empty() ? ""
                                             : fmt::format("; the largest live buffer is {} of {}", s.live[0].name,
                                                           bytes_text(s.live[0].bytes));
  return fmt::format("--must-fit: {} needs {} of {}'s {}{}\n", program, bytes_text(total(s.peak)), s.device,
                     bytes_text(s.device_memory), largest);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}
std::string bytes_text(double bytes) { return scaled(bytes, "B"); }
std::string flops_text(double flops) { return scaled(flops, "FLOP"); }

Json simulation_json(const Simulation& s) {
  Json out;
  out["device"] = s.device;
  out["mesh"] = Json::array();
  for (std::size_t i = 0; i < s.mesh.rank(); ++i)
    out["mesh"].push_back(
        {{"axis", s.mesh.axes()[i].name}, {"size", s.mesh.axes()[i].size}, {"link", s.axis_links[i]}});
  out["seconds"] = {{"overlapped", s.overlapped},
                    {"sequential", s.sequential},
                    {"compute", s.compute},
                    {"memory", s.memory},
                    {"launch", s.launch},
                    {"communication", s.communication},
                    {"exposed_communication", s.exposed()},
                    {"exposed_offload", s.offloaded.seconds}};
  out["flops"] = {{"device", s.flops}, {"matrix", s.matrix_flops}, {"peak_per_second", s.peak_flops}};
  out["utilization"] = {{"hardware", s.hardware_utilization},
                        {"model", s.model_utilization ? Json(*s.model_utilization) : Json()}};
  out["memory_traffic"] = s.memory_traffic;
  out["kernels"] = s.kernels;
  out["axis_bytes"] = Json::object();
  for (const auto& [axis, bytes] : s.axis_bytes) out["axis_bytes"][axis] = bytes;
  out["collective_seconds"] = Json::object();
  for (const auto& [key, seconds] : by_axes(s)) out["collective_seconds"][key] = seconds;
  out["collectives"] = Json::array();
  for (const CollectiveCost& c : s.collectives) {
    out["collectives"].push_back({{"kind", name_of(c.kind)},
                                  {"axes", c.axes},
                                  {"devices", c.group},
                                  {"type", c.type},
                                  {"bytes", c.bytes},
                                  {"count", c.count},
                                  {"executed", c.executed},
                                  {"seconds", c.seconds},
                                  {"sent", c.sent},
                                  {"line", c.place.line},
                                  {"why", c.why}});
  }
  Json live = Json::array();
  for (std::size_t i = 0; i < s.live.size() && i < 40000; ++i) {
    const NamedBuffer& b = s.live[i];
    live.push_back({{"name", b.name}, {"kind", name_of(b.kind)}, {"type", b.type}, {"bytes", b.bytes}});
  }
  out["pipelines"] = Json::array();
  for (const Pipeline& p : s.pipelines) {
    out["pipelines"].push_back({{"axis", p.axis},
                                {"stages", p.stages},
                                {"microbatches", p.microbatches()},
                                {"iterations", p.iterations},
                                {"loops", p.loops},
                                {"seconds", p.seconds},
                                {"bubble", p.bubble()}});
  }
  out["memory"] = {
      {"device", s.device_memory},
      {"peak", total(s.peak)},
      {"slack", s.slack},
      {"gaps", s.gaps},
      {"margin", s.margin()},
      {"fits", s.fits()},
      {"by_kind", by_kind(s.peak)},
      {"arguments", total(s.arguments)},
      {"arguments_by_kind", by_kind(s.arguments)},
      {"offloaded", {{"optimizer_state", s.offloaded.optimizer_state}, {"activations", s.offloaded.activations}}},
      {"peak_at_seconds", s.peak_seconds},
      {"live_buffers", s.live.size()},
      {"live", std::move(live)}};
  out["notes"] = s.notes;
  return out;
}

Json timeline_json(const Simulation& s, std::size_t points) {
  Json out = Json::array();
  const std::size_t n = s.timeline.size();
  const std::size_t step = std::max<std::size_t>(1, (n + points - 1) / std::max<std::size_t>(1, points));
  for (std::size_t i = 0; i < n; i += step) {  // the moment with the most bytes represents each interval
    const auto* best = &s.timeline[i];
    for (std::size_t k = i; k < std::min(n, i + step); ++k) {
      if (total(s.timeline[k].bytes) > total(best->bytes)) best = &s.timeline[k];
    }
    Json moment = {best->seconds};
    for (const double b : best->bytes) moment.push_back(b);
    out.push_back(std::move(moment));
  }
  return out;
}

Json arrays_json(const ModuleLayout& layout, const Names& names) {
  Json out = Json::array();
  const auto side = [&](const char* role, const std::vector<std::string>& list, const std::vector<Type>& globals,
                        const std::vector<Layout>& types) {
    for (std::size_t i = 0; i < globals.size(); ++i) {
      Json dims = Json::array();
      for (const auto& axes : types[i].dims) {
        Json names_of_axes = Json::array();
        for (const Factor& f : axes) names_of_axes.push_back(f.str(layout.mesh));
        dims.push_back(std::move(names_of_axes));
      }
      out.push_back({{"name", i < list.size() ? list[i] : fmt::format("{} {}", role, i)},
                     {"role", role},
                     {"shape", globals[i]->dims},
                     {"element", name_of(globals[i]->element)},
                     {"axes", std::move(dims)},
                     {"type", types[i].str(layout.mesh)}});
    }
  };
  side("argument", names.arguments, layout.global_arguments, layout.arguments);
  side("result", names.results, layout.global_results, layout.results);
  return out;
}

std::string simulation_text(const Simulation& s) {
  std::string out;
  std::string links;
  for (std::size_t i = 0; i < s.mesh.rank(); ++i)
    links += fmt::format("{}{} on {}", links.empty() ? "" : ", ", s.mesh.axes()[i].name, s.axis_links[i]);
  out += fmt::format("on {}: {}\n", s.device, links);
  out += fmt::format("  step           {:>10}   ({} without overlap)\n", seconds_text(s.overlapped),
                     seconds_text(s.sequential));
  out += fmt::format("  arithmetic     {:>10}   {} a device, {} in matrix products; {:.1f} % of the peak",
                     seconds_text(s.compute), flops_text(s.flops), flops_text(s.matrix_flops),
                     100 * s.hardware_utilization);
  if (s.model_utilization) out += fmt::format(", {:.1f} % by the model's FLOPs", 100 * *s.model_utilization);
  out += fmt::format("\n  memory traffic {:>10}   {} in {} kernels, launches {}\n", seconds_text(s.memory),
                     bytes_text(s.memory_traffic), s.kernels, seconds_text(s.launch));
  out += fmt::format("  communication  {:>10}   {} of it not hidden\n", seconds_text(s.communication),
                     seconds_text(s.exposed()));
  for (const auto& [key, seconds] : by_axes(s)) out += fmt::format("    {:<32}{:>10}\n", key, seconds_text(seconds));
  for (const auto& [axis, bytes] : s.axis_bytes)
    out += fmt::format("    sent along {:<21}{:>10}\n", axis, bytes_text(bytes));
  for (const Pipeline& p : s.pipelines) {
    out += fmt::format(
        "  bubble         {:>10}   {:.1f} % of {} loops of {} iterations, a pipeline of {} stages along {} "
        "and {} microbatches\n",
        seconds_text(p.bubble() * p.seconds), 100 * p.bubble(), p.loops, p.iterations, p.stages, p.axis,
        p.microbatches());
  }
  out += fmt::format("  peak memory    {:>10}   of {}{}\n", bytes_text(total(s.peak)), bytes_text(s.device_memory),
                     s.fits() ? fmt::format(": fits, {} to spare", bytes_text(s.margin())) : ": DOES NOT FIT");
  out += fmt::format("    {:<32}{:>10}\n", "beside it, gathers issued early", bytes_text(s.slack - s.gaps));
  out += fmt::format("    {:<32}{:>10}\n", "beside it, an allocator's gaps", bytes_text(s.gaps));
  for (std::size_t k = 0; k < kMemoryKinds; ++k) {
    if (s.peak[k] > 0)
      out += fmt::format("    {:<32}{:>10}\n", name_of(static_cast<MemoryKind>(k)), bytes_text(s.peak[k]));
  }
  if (const Offloaded& o = s.offloaded; o.optimizer_state + o.activations > 0) {
    out += fmt::format(
        "  offloaded      {:>10}   to the host: optimizer state {}, activations {}; the step waits {} for it\n",
        bytes_text(o.optimizer_state + o.activations), bytes_text(o.optimizer_state), bytes_text(o.activations),
        seconds_text(o.seconds));
  }
  for (const std::string& n : s.notes) out += fmt::format("  note: {}\n", n);
  return out;
}

}  // namespace partir
