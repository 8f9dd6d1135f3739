#include "simulate/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "simulate/embedded.h"
#include "simulate/json_reader.h"
#include "support/file.h"

namespace partir {
namespace {

constexpr std::pair<const char*, Link::Shape> kShapes[] = {{"ring", Link::Shape::ring},
                                                           {"torus", Link::Shape::torus},
                                                           {"switch", Link::Shape::switch_fabric},
                                                           {"network", Link::Shape::network}};

Link read_link(Reader& r) {
  Link out;
  out.name = r.string("name", "the link's name");
  r.rename("links." + out.name + ".");
  const std::string shape = r.string("shape", "ring, torus, switch or network");
  const auto* known =
      std::find_if(std::begin(kShapes), std::end(kShapes), [&](const auto& s) { return s.first == shape; });
  if (known == std::end(kShapes)) r.fail_at("shape", shape, "ring, torus, switch or network");
  out.shape = known->second;
  out.devices = r.integer("devices", 0);
  out.dimensions = r.integer("dimensions", 1);
  if (out.dimensions > 6) r.fail_at("dimensions", fmt::format("{}", out.dimensions), "at most 6");
  out.closes_at = r.integer("closes_at", 1);
  out.bandwidth = r.number("bandwidth", 0);
  out.latency = r.number("latency", 0);
  out.launch = r.number("launch", 0);
  out.efficiency = r.curve("efficiency");
  out.decomposes = r.boolean("decomposes");
  out.occupies = r.number("occupies", 0, false);
  if (out.occupies >= 1) r.fail_at("occupies", fmt::format("{}", out.occupies), "a share below 1");
  out.further_dimension = r.number("further_dimension", 1, false);
  if (out.further_dimension > 1)
    r.fail_at("further_dimension", fmt::format("{}", out.further_dimension), "a share of at most 1");
  out.nccl = r.boolean("nccl");
  out.ll_bandwidth = r.number("ll_bandwidth", 0, false);
  out.switch_reduces = r.number("switch_reduces", 0, false);
  r.done();
  return out;
}

Device read(const Json& json, const std::string& text, const std::string& file) {
  const JsonSource source{text, file, json};
  Device out;
  std::vector<std::string> figures;
  Reader top(json, "", source, "device");
  const auto keep = [&](const Reader& r) { figures.insert(figures.end(), r.figures.begin(), r.figures.end()); };
  out.name = top.string("name", "the device's name");
  out.title = top.has("title") ? top.string("title", "text") : out.name;
  Reader memory = top.object("memory");
  out.memory_bytes = memory.number("bytes", 0);
  out.memory_bandwidth = memory.number("bandwidth", 0);
  out.memory_efficiency = memory.curve("efficiency");
  memory.done();
  keep(memory);
  Reader matrix = top.object("matrix");
  out.matrix_peak = matrix.numbers("peak", "f32");
  out.matrix_emulated = matrix.emulations("emulated");
  const Json& tile = matrix.get("tile", "[rows, columns, depth]");
  if (!tile.is_array() || tile.size() != 3) matrix.fail_at("tile", tile.dump(), "[rows, columns, depth]");
  for (const Json& t : tile) {
    if (!t.is_number_integer() || t.get<std::int64_t>() < 1 || t.get<std::int64_t>() > 1 << 20)
      matrix.fail_at("tile", tile.dump(), "whole numbers from 1 to 1048576");
    out.tile.push_back(t.get<std::int64_t>());
  }
  out.matrix_efficiency = matrix.curve("efficiency");
  out.sustained = matrix.number("sustained", 1, false);
  if (out.sustained > 1) matrix.fail_at("sustained", fmt::format("{}", out.sustained), "a share of at most 1");
  if (matrix.has("epilogue")) {
    const std::string epilogue = matrix.string("epilogue", "add or elementwise");
    if (epilogue != "add" && epilogue != "elementwise") matrix.fail_at("epilogue", epilogue, "add or elementwise");
    out.epilogue = epilogue == "add" ? Epilogue::add : Epilogue::elementwise;
    matrix.figures.emplace_back("matrix.epilogue");
  }
  matrix.done();
  keep(matrix);
  figures.emplace_back("matrix.tile");
  Reader vector = top.object("vector");
  out.vector_peak = vector.numbers("peak", "f32");
  out.vector_emulated = vector.emulations("emulated");
  out.special = vector.number("special", 1, false);
  vector.done();
  keep(vector);
  const auto known = [&](Reader& r, const std::map<std::string, Emulation>& emulated) {
    for (const auto& [name, e] : emulated) {
      const bool vectors = e.numbers.starts_with("vector.");
      const auto& peaks = vectors || &r == &vector ? out.vector_peak : out.matrix_peak;
      if (peaks.count(vectors ? e.numbers.substr(7) : e.numbers) == 0)
        r.fail_at("emulated", name + " as " + e.numbers, "a type that has a peak");
    }
  };
  known(matrix, out.matrix_emulated);
  known(vector, out.vector_emulated);
  out.launch = top.number("launch", 0);
  if (top.has("host")) {
    Reader host = top.object("host");
    const double efficiency = host.number("efficiency", 1, false);
    if (efficiency > 1) host.fail_at("efficiency", fmt::format("{}", efficiency), "a share of at most 1");
    out.host_bandwidth = host.number("bandwidth", 0) * efficiency;
    host.done();
    keep(host);
  }
  const Json& links = top.get("links", "a list of links, innermost first");
  if (!links.is_array() || links.empty()) top.fail_at("links", links.dump(), "a list of links, innermost first");
  for (const Json& link : links) {
    Reader r(link, "links.", source, "device");
    out.links.push_back(read_link(r));
    keep(r);
  }
  top.figures.insert(top.figures.end(), figures.begin(), figures.end());
  top.require_sources();
  top.done();
  return out;
}

/// The key of a type in the peak tables: floats of 8, 6 and 4 bits share "f8", "f6" and "f4", and unsigned integers the
/// key of signed ones.
std::string peak_name(std::string_view numbers) {
  for (const char* narrow : {"f8E", "f6E", "f4E"}) {
    if (numbers.starts_with(narrow)) return std::string(narrow, 2);
  }
  if (numbers.starts_with("ui")) return std::string(numbers.substr(1));
  return std::string(numbers);
}

bool is_integer_name(const std::string& name) { return name.starts_with("i"); }

}  // namespace

double Curve::at(double size) const {
  if (points_.empty()) return 1;
  if (size <= points_.front().first) return points_.front().second;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const auto& [x0, y0] = points_[i - 1];
    const auto& [x1, y1] = points_[i];
    if (size < x1) return y0 + (y1 - y0) * (std::log(size) - std::log(x0)) / (std::log(x1) - std::log(x0));
  }
  return points_.back().second;
}

const Link* Device::link(std::string_view link_name) const {
  for (const Link& l : links) {
    if (l.name == link_name) return &l;
  }
  return nullptr;
}

std::optional<Rate> Device::matrix_rate(const std::string& numbers, Precision precision) const {
  const std::string type = peak_name(numbers);
  const char* suffix = precision == Precision::high ? "_high" : precision == Precision::highest ? "_highest" : "";
  for (const std::string& key : {type + suffix, type}) {
    if (const auto it = matrix_peak.find(key); it != matrix_peak.end()) return Rate{it->second, 1, false, ""};
  }
  if (const auto it = matrix_emulated.find(type); it != matrix_emulated.end()) {
    const Emulation& e = it->second;
    const bool vectors = e.numbers.starts_with("vector.");
    const double peak = vectors ? vector_peak.at(e.numbers.substr(7)) : matrix_peak.at(e.numbers);
    return Rate{peak, e.operations, vectors, fmt::format("{} as {}", numbers, e.numbers)};
  }
  const auto element = element_type_from(numbers);
  if (element && is_integer(*element) && bit_width(*element) > 8) {
    if (auto rate = vector_rate(*element)) {
      rate->on_vector_units = true;
      rate->emulation = numbers + " on vector units";
      return rate;
    }
  }
  return std::nullopt;
}

std::optional<Rate> Device::vector_rate(ElementType type) const {
  const std::string key = peak_name(name_of(part_of(type)));
  if (const auto it = vector_peak.find(key); it != vector_peak.end()) return Rate{it->second, 1, true, ""};
  if (const auto it = vector_emulated.find(key); it != vector_emulated.end()) {
    const Emulation& e = it->second;
    const std::string& as = e.numbers.starts_with("vector.") ? e.numbers.substr(7) : e.numbers;
    return Rate{vector_peak.at(as), e.operations, true, fmt::format("{} as {}", name_of(type), as)};
  }
  if (is_integer_name(key)) {
    const auto it = vector_peak.find("i32");
    const double peak = it != vector_peak.end() ? it->second : vector_peak.at("f32");
    return Rate{peak, bit_width(type) > 32 ? 2.0 : 1.0, true, ""};
  }
  if (is_float(part_of(type)) && bit_width(part_of(type)) <= 32) return Rate{vector_peak.at("f32"), 1, true, ""};
  return std::nullopt;
}

std::vector<std::string> device_names() {
  std::vector<std::string> out;
  for (const EmbeddedFile& f : embedded_files()) {
    if (f.name.ends_with(".json") && !f.name.ends_with(".software.json"))
      out.emplace_back(f.name.substr(0, f.name.size() - 5));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<Device> read_device(const std::string& text, const std::string& file) {
  const auto json = parse_json(text, file);
  if (!json) return tl::unexpected(json.error());
  try {
    return read(*json, text, file);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<Device> find_device(const std::string& name_or_file) {
  for (const EmbeddedFile& f : embedded_files()) {
    if (f.name == name_or_file + ".json") return read_device(std::string(f.content), std::string(f.name));
  }
  const auto text = read_file(name_or_file);
  if (text) return read_device(*text, name_or_file);
  std::string names;
  for (const std::string& n : device_names()) names += (names.empty() ? "" : " ") + n;
  return tl::unexpected(Diagnostic{"device",
                                   name_or_file,
                                   {},
                                   fmt::format("'{}': {}", name_or_file, text.error().found),
                                   names + ", or a device file"});
}

}  // namespace partir
