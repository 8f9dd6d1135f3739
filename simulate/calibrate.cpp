#include "simulate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "rewrite/json_text.h"
#include "simulate/nccl.h"
#include "simulate/network.h"

namespace partir {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line) {
    if (c == ',')
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  }
  return out;
}

tl::unexpected<Diagnostic> wrong_measurement(const std::string& file, std::size_t line, std::string found,
                                             std::string wanted) {
  return tl::unexpected(
      Diagnostic{"calibrate", file, {static_cast<std::uint32_t>(line), 1}, std::move(found), std::move(wanted)});
}

/// The columns that each kind needs in addition to "seconds".
const std::map<std::string, std::vector<std::string>>& needs() {
  static const auto out = [] {
    std::map<std::string, std::vector<std::string>> all = {{"matmul", {"type", "rows", "columns", "depth"}},
                                                           {"copy", {"bytes"}},
                                                           {"vector", {"type", "operations"}},
                                                           {"step", {"module"}},
                                                           {"special", {"type", "operations"}},
                                                           {"launch", {}}};
    for (const CollectiveFacts& kind : collective_kinds())
      all.emplace(kind.name, std::vector<std::string>{"bytes", "devices"});
    return all;
  }();
  return out;
}

/// Returns the best value for each size, ascending; sizes within 10% of each other count as one. The values need not
/// grow with size: small arrays may be faster because they fit in caches. (100, 5), (105, 7), (200, 6) -> (100, 7),
/// (200, 6).
std::vector<std::pair<double, double>> reached(std::vector<std::pair<double, double>> points) {
  std::sort(points.begin(), points.end());
  std::vector<std::pair<double, double>> out;
  for (const auto& [size, value] : points) {
    if (!out.empty() && size < 1.1 * out.back().first) {
      out.back().second = std::max(out.back().second, value);
    } else {
      out.emplace_back(size, value);
    }
  }
  return out;
}

Curve fractions(const std::vector<std::pair<double, double>>& points, double best) {
  std::vector<std::pair<double, double>> out;
  for (const auto& [size, value] : points) out.emplace_back(size, std::min(1.0, value / best));
  return Curve(std::move(out));
}

double best_of(const std::vector<std::pair<double, double>>& points) {
  double out = 0;
  for (const auto& [size, value] : points) out = std::max(out, value);
  return out;
}

/// Replaces the links by one switch whose bandwidth and efficiency reproduce the measured collectives. The launch time
/// is that of the smallest collective.
void fit_link(const std::vector<Measurement>& measured, Device& device) {
  std::vector<std::pair<double, double>> rates;
  double smallest = 0;
  double launch = 0;
  double devices = 0;
  for (const Measurement& m : measured) {
    const auto kind = collective_kind(m.kind);
    if (!kind || m.devices < 2) continue;
    if (launch == 0 || m.bytes < smallest || (m.bytes == smallest && m.seconds < launch)) {
      smallest = m.bytes;
      launch = m.seconds;
    }
    devices = std::max(devices, m.devices);
  }
  if (launch == 0) return;
  for (const Measurement& m : measured) {
    const auto kind = collective_kind(m.kind);
    if (!kind || m.devices < 2 || facts_of(*kind).traffic == Traffic::send) continue;
    const double seconds = std::max(m.seconds - launch, m.seconds * 0.05);
    rates.emplace_back(m.bytes, collective_bytes(*kind, m.bytes, m.devices) / seconds);
  }
  if (rates.empty()) return;
  // The kinds of collectives differ in speed: the curve passes through their geometric mean at each size.
  std::map<double, std::pair<double, int>> logs;
  for (const auto& [bytes, rate] : rates) {
    logs[bytes].first += std::log(rate);
    ++logs[bytes].second;
  }
  std::vector<std::pair<double, double>> means;
  for (const auto& [bytes, sum] : logs) means.emplace_back(bytes, std::exp(sum.first / sum.second));
  means = reached(std::move(means));
  Link link;
  link.name = "measured";
  link.shape = Link::Shape::switch_fabric;
  link.devices = 0;
  link.bandwidth = best_of(means);
  link.efficiency = fractions(means, link.bandwidth);
  link.latency = 1e-9;
  link.launch = launch;
  device.links = {link};
}

Json curve_json(const Curve& curve) {
  Json out = Json::array();
  for (const auto& [size, fraction] : curve.points()) out.push_back({size, fraction});
  return out;
}

Json emulations_json(const std::map<std::string, Emulation>& emulated) {
  Json out = Json::object();
  for (const auto& [type, e] : emulated) out[type] = {{"as", e.numbers}, {"operations", e.operations}};
  return out;
}

Json link_json(const Link& l) {
  constexpr const char* shapes[] = {"ring", "torus", "switch", "network"};
  Json out = {{"name", l.name}, {"shape", shapes[static_cast<std::size_t>(l.shape)]}};
  if (l.devices > 0) out["devices"] = l.devices;
  if (l.dimensions > 1) out["dimensions"] = l.dimensions;
  if (l.closes_at > 1) out["closes_at"] = l.closes_at;
  out["bandwidth"] = l.bandwidth;
  out["latency"] = l.latency;
  out["launch"] = l.launch;
  if (l.decomposes) out["decomposes"] = true;
  if (l.occupies > 0) out["occupies"] = l.occupies;
  if (l.further_dimension < 1) out["further_dimension"] = l.further_dimension;
  if (l.nccl) out["nccl"] = true;
  if (l.ll_bandwidth > 0) out["ll_bandwidth"] = l.ll_bandwidth;
  if (l.switch_reduces > 0) out["switch_reduces"] = l.switch_reduces;
  out["efficiency"] = curve_json(l.efficiency);
  return out;
}

/// Adds a source for every figure of an object, under its path.
void add_sources(const Json& object, const std::string& path, const std::string& source, Json& sources) {
  for (const auto& [key, value] : object.items()) {
    if (key == "name" || key == "shape" || key == "title") continue;
    sources[path + key] = source;
  }
}

}  // namespace

Result<std::vector<Measurement>> read_measurements(const std::string& text, const std::string& file) {
  std::vector<Measurement> out;
  std::vector<std::string> columns;
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.empty() || line == "\r") continue;
    auto fields = fields_of(line);
    if (columns.empty()) {
      columns = std::move(fields);
      if (std::find(columns.begin(), columns.end(), "kind") == columns.end() ||
          std::find(columns.begin(), columns.end(), "seconds") == columns.end())
        return wrong_measurement(file, number, line, "a header with kind, seconds and what the kinds need");
      continue;
    }
    Measurement m;
    m.line = number;
    std::map<std::string, std::string> known;
    for (std::size_t k = 0; k < columns.size() && k < fields.size(); ++k) known[columns[k]] = fields[k];
    m.kind = known["kind"];
    const auto wanted = needs().find(m.kind);
    if (wanted == needs().end()) {
      std::string kinds;
      for (const auto& [kind, fields_needed] : needs()) kinds += (kinds.empty() ? "" : " ") + kind;
      return wrong_measurement(file, number, "kind '" + m.kind + "'", "one of: " + kinds);
    }
    const auto value = [&](const std::string& column) -> std::optional<double> {
      const std::string& field = known[column];
      double v = 0;
      const auto [at, ec] = std::from_chars(field.data(), field.data() + field.size(), v);
      if (ec != std::errc() || at != field.data() + field.size() || !(v > 0) || !std::isfinite(v)) return std::nullopt;
      return v;
    };
    const std::pair<const char*, double*> numbers[] = {
        {"rows", &m.rows},       {"columns", &m.columns},       {"depth", &m.depth},    {"bytes", &m.bytes},
        {"devices", &m.devices}, {"operations", &m.operations}, {"seconds", &m.seconds}};
    std::vector<std::string> required = wanted->second;
    required.emplace_back("seconds");
    for (const std::string& column : required) {
      if (column == "type" || column == "module") {
        if (known[column].empty())
          return wrong_measurement(file, number, "no " + column, "the " + column + " of a " + m.kind);
        if (column == "type" && known[column] != "tf32" && !element_type_from(known[column])) {
          return wrong_measurement(file, number, fmt::format("type '{}'", known[column]),
                                   "an element type as StableHLO names it: f32, bf16, i8, or tf32");
        }
        continue;
      }
      const auto v = value(column);
      if (!v) return wrong_measurement(file, number, fmt::format("{} '{}'", column, known[column]), "a number above 0");
      for (const auto& [name, place] : numbers) {
        if (column == name) *place = *v;
      }
    }
    m.type = known["type"];
    m.module = known["module"];
    out.push_back(std::move(m));
  }
  return out;
}

Result<std::string> calibrated(const std::vector<Measurement>& measured, const Device& base, const std::string& name,
                               const std::string& file) {
  Device out = base;
  out.name = name;
  out.title = fmt::format("measured ({}), the rest as {}", file, base.name);
  std::map<std::string, std::vector<std::pair<double, double>>> products;
  std::map<std::string, double> vectors;
  double special = 0;
  double smallest_copy = 0;
  std::vector<std::pair<double, double>> copies;
  double launch = 0;
  for (const Measurement& m : measured) {
    if (m.kind == "matmul") {
      const double flops = 2 * m.rows * m.columns * m.depth;
      products[m.type].emplace_back(flops, flops / m.seconds);
    } else if (m.kind == "copy") {
      smallest_copy = smallest_copy == 0 ? m.seconds : std::min(smallest_copy, m.seconds);
    } else if (m.kind == "launch") {
      launch = launch == 0 ? m.seconds : std::min(launch, m.seconds);
    } else if (m.kind == "special") {
      special = std::max(special, m.operations / m.seconds);
    } else if (m.kind == "vector") {
      vectors[m.type] = std::max(vectors[m.type], m.operations / m.seconds);
    }
  }
  if (products.empty() || smallest_copy == 0) {
    return tl::unexpected(Diagnostic{"calibrate",
                                     file,
                                     {},
                                     products.empty() ? "no matmul" : "no copy",
                                     "rows of kind matmul and copy, such as examples/python/measure_device.py writes"});
  }
  for (const Measurement& m : measured) {
    // The time of the smallest copy counts as launch overhead and is subtracted.
    if (m.kind == "copy") copies.emplace_back(m.bytes, m.bytes / std::max(m.seconds - smallest_copy, m.seconds * 0.05));
  }
  copies = reached(std::move(copies));
  out.memory_bandwidth = best_of(copies);
  out.memory_efficiency = fractions(copies, out.memory_bandwidth);
  out.launch = launch == 0 ? smallest_copy : launch;
  out.tile = {1, 1, 1};
  out.sustained = 1;
  out.epilogue = Epilogue::none;
  out.matrix_peak.clear();
  out.matrix_emulated.clear();
  std::size_t most = 0;
  for (auto& [type, points] : products) {
    const std::size_t count = points.size();
    points = reached(std::move(points));
    out.matrix_peak[type] = best_of(points);
    if (count <= most && type != "f32") continue;
    most = count;
    out.matrix_efficiency = fractions(points, out.matrix_peak[type]);
  }
  if (out.matrix_peak.count("f32") == 0) out.matrix_peak["f32"] = out.matrix_peak.begin()->second;
  for (const auto& [type, rate] : vectors) out.vector_peak[type] = rate;
  if (vectors.count("f32") != 0) {
    // The measured vector peaks replace those of the base device, and its emulations no longer apply. A special
    // function costs the ratio of the two measured rates.
    for (auto it = out.vector_peak.begin(); it != out.vector_peak.end();)
      it = vectors.count(it->first) != 0 ? std::next(it) : out.vector_peak.erase(it);
    out.vector_emulated.clear();
    if (special > 0) out.special = std::max(1.0, vectors["f32"] / special);
  }
  fit_link(measured, out);
  return device_json(out, fmt::format("measured: {}; what it lacks is as {}", file, base.name));
}

Device scaled(const Device& device, double factor) {
  Device out = device;
  const auto scale = [&](const Curve& curve) {
    auto points = curve.points();
    for (auto& [size, fraction] : points) fraction = std::clamp(fraction * factor, 1e-6, 1.0);
    return Curve(std::move(points));
  };
  // A fraction of a peak cannot exceed 1: the peaks grow instead.
  const double beyond = std::max(1.0, factor);
  if (factor > 1) {
    for (auto& [type, peak] : out.matrix_peak) peak *= beyond;
    for (auto& [type, peak] : out.vector_peak) peak *= beyond;
    out.memory_bandwidth *= beyond;
    return out;
  }
  out.matrix_efficiency = scale(out.matrix_efficiency);
  out.memory_efficiency = scale(out.memory_efficiency);
  return out;
}

std::string device_json(const Device& d, const std::string& source) {
  Json out = {{"name", d.name}, {"title", d.title}};
  out["memory"] = {
      {"bytes", d.memory_bytes}, {"bandwidth", d.memory_bandwidth}, {"efficiency", curve_json(d.memory_efficiency)}};
  out["matrix"] = {{"peak", d.matrix_peak}, {"tile", d.tile}, {"efficiency", curve_json(d.matrix_efficiency)}};
  if (d.sustained < 1) out["matrix"]["sustained"] = d.sustained;
  if (d.epilogue != Epilogue::none) out["matrix"]["epilogue"] = d.epilogue == Epilogue::add ? "add" : "elementwise";
  if (!d.matrix_emulated.empty()) out["matrix"]["emulated"] = emulations_json(d.matrix_emulated);
  out["vector"] = {{"peak", d.vector_peak}, {"special", d.special}};
  if (!d.vector_emulated.empty()) out["vector"]["emulated"] = emulations_json(d.vector_emulated);
  out["launch"] = d.launch;
  out["links"] = Json::array();
  Json sources = Json::object();
  for (const char* part : {"memory", "matrix", "vector"})
    add_sources(out[part], std::string(part) + ".", source, sources);
  sources["launch"] = source;
  for (const Link& l : d.links) {
    out["links"].push_back(link_json(l));
    add_sources(out["links"].back(), "links." + l.name + ".", source, sources);
  }
  out["sources"] = std::move(sources);
  return out.dump(1) + "\n";
}

}  // namespace partir
