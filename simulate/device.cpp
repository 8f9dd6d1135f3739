#include "simulate/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "rewrite/json_text.h"
#include "simulate/embedded.h"
#include "support/file.h"

namespace partir {
namespace {

using Json = nlohmann::ordered_json;

/// Reads the keys of one object, each once, and fails on what is left.
class Reader {
 public:
  Reader(const Json& json, std::string path, const std::string& text, const std::string& file)
      : json_(json), path_(std::move(path)), text_(text), file_(file) {
    if (!json_.is_object()) fail_at("", "no object", "an object");
  }

  [[nodiscard]] const Json& get(const char* key, const char* wanted) {
    if (!json_.contains(key)) fail_at(key, "no such key", wanted);
    read_.emplace_back(key);
    return json_[key];
  }
  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }
  double number(const char* key, double otherwise, bool required = true) {
    if (!required && !has(key)) return otherwise;
    const Json& value = get(key, "a number above 0");
    if (!value.is_number() || !(value.get<double>() > 0) || !std::isfinite(value.get<double>()))
      fail_at(key, value.dump(), "a number above 0");
    figures.push_back(path_ + key);
    return value.get<double>();
  }
  std::int64_t integer(const char* key, std::int64_t otherwise) {
    const double value = number(key, static_cast<double>(otherwise), false);
    if (value != std::floor(value) || value > 1 << 24) fail_at(key, fmt::format("{}", value), "a whole number");
    return static_cast<std::int64_t>(value);
  }
  bool boolean(const char* key) {
    if (!has(key)) return false;
    const Json& value = get(key, "true or false");
    if (!value.is_boolean()) fail_at(key, value.dump(), "true or false");
    figures.push_back(path_ + key);
    return value.get<bool>();
  }
  std::string string(const char* key, const char* wanted) {
    const Json& value = get(key, wanted);
    if (!value.is_string()) fail_at(key, value.dump(), wanted);
    return value.get<std::string>();
  }
  Curve curve(const char* key) {
    const Json& list = get(key, "[[size, fraction], …]");
    std::vector<std::pair<double, double>> points;
    bool good = list.is_array() && !list.empty();
    for (std::size_t i = 0; good && i < list.size(); ++i) {
      good = list[i].is_array() && list[i].size() == 2 && list[i][0].is_number() && list[i][1].is_number();
      if (!good) break;
      points.emplace_back(list[i][0].get<double>(), list[i][1].get<double>());
      good = points.back().first > (i == 0 ? 0 : points[i - 1].first) && points.back().second > 0 &&
             points.back().second <= 1;
    }
    if (!good) fail_at(key, list.dump(), "[[size, fraction], …], sizes ascending, fractions above 0 and at most 1");
    figures.push_back(path_ + key);
    return Curve(std::move(points));
  }
  std::map<std::string, double> numbers(const char* key, const char* required) {
    const Json& object = get(key, "{\"f32\": FLOP/s, …}");
    std::map<std::string, double> out;
    if (!object.is_object() || !object.contains(required))
      fail_at(key, object.dump(), fmt::format("an object with \"{}\"", required));
    for (const auto& [name, value] : object.items()) {
      if (!value.is_number() || !(value.get<double>() > 0)) fail_at(key, value.dump(), "numbers above 0");
      out[name] = value.get<double>();
    }
    figures.push_back(path_ + key);
    return out;
  }
  /// {"f8": {"as": "bf16", "operations": 1}}; absent: none.
  std::map<std::string, Emulation> emulations(const char* key) {
    std::map<std::string, Emulation> out;
    if (!has(key)) return out;
    const char* wanted = "{\"f8\": {\"as\": \"bf16\", \"operations\": 1}}";
    const Json& object = get(key, wanted);
    if (!object.is_object()) fail_at(key, object.dump(), wanted);
    for (const auto& [name, value] : object.items()) {
      const bool good = value.is_object() && value.size() == 2 && value.contains("as") && value["as"].is_string() &&
                        value.contains("operations") && value["operations"].is_number() &&
                        value["operations"].get<double>() > 0;
      if (!good) fail_at(key, value.dump(), wanted);
      out[name] = {value["as"].get<std::string>(), value["operations"].get<double>()};
    }
    figures.push_back(path_ + key);
    return out;
  }
  Reader object(const char* key) { return {get(key, "an object"), path_ + key + ".", text_, file_}; }
  void done() const {
    for (const auto& [key, value] : json_.items()) {
      if (std::find(read_.begin(), read_.end(), key) == read_.end())
        fail_at(key, "an unknown key", "the keys of devices/a100.json");
    }
  }
  [[noreturn]] void fail_at(const std::string& key, const std::string& found, const std::string& wanted) const {
    throw UserError(
        {"device", file_, place_of(text_, "\"" + key + "\""), fmt::format("{}{}: {}", path_, key, found), wanted});
  }
  void rename(const std::string& path) { path_ = path; }

  std::vector<std::string> figures;  ///< that must have a source

 private:
  const Json& json_;
  std::string path_;
  const std::string& text_;
  const std::string& file_;
  std::vector<std::string> read_;
};

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
  Device out;
  std::vector<std::string> figures;
  Reader top(json, "", text, file);
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
    if (!t.is_number_integer() || t.get<std::int64_t>() < 1)
      matrix.fail_at("tile", tile.dump(), "whole numbers above 0");
    out.tile.push_back(t.get<std::int64_t>());
  }
  out.matrix_efficiency = matrix.curve("efficiency");
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
  const Json& links = top.get("links", "a list of links, innermost first");
  if (!links.is_array() || links.empty()) top.fail_at("links", links.dump(), "a list of links, innermost first");
  for (const Json& link : links) {
    Reader r(link, "links.", text, file);
    out.links.push_back(read_link(r));
    keep(r);
  }
  keep(top);
  const Json& sources = top.get("sources", "an object that names where each figure is from");
  for (const std::string& figure : figures) {
    if (!sources.contains(figure) || !sources[figure].is_string())
      top.fail_at("sources", "no source of " + figure, fmt::format("\"{}\": \"where it is from\"", figure));
  }
  top.done();
  return out;
}

/// The name under which a peak stands: all 8-bit floats share one, and so do signed and unsigned integers.
std::string peak_name(std::string_view numbers) {
  if (numbers.starts_with("f8")) return "f8";
  if (numbers.starts_with("ui")) return std::string(numbers.substr(1));
  if (numbers == "i1") return "i8";
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
    if (f.name.ends_with(".json")) out.emplace_back(f.name.substr(0, f.name.size() - 5));
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
