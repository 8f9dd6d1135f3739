#include "simulate/json_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/near.h"

namespace partir {
namespace {

/// Whether peaks of devices are listed under this name: a type of real numbers, where floats of one width below 16 bits
/// share a name (device.h), or f32 at a precision that StableHLO asks for: "f32_high".
bool is_peak_name(std::string_view name) {
  for (const std::string_view precision : {"_highest", "_high"}) {
    if (name.ends_with(precision)) name.remove_suffix(precision.size());
  }
  constexpr std::array<std::string_view, 4> shared = {"tf32", "f8", "f6", "f4"};
  if (std::find(shared.begin(), shared.end(), name) != shared.end()) return true;
  const auto type = element_type_from(name);
  return type && !is_complex(*type);
}

}  // namespace

Reader::Reader(const Json& json, std::string path, const JsonSource& source, const char* label)
    : json_(json), path_(std::move(path)), source_(source), label_(label) {
  if (!json_.is_object()) fail_at("", "no object", "an object");
}

bool Reader::has(const char* key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  return json_.contains(key);
}

const Json& Reader::get(const char* key, const char* wanted) {
  if (!has(key)) fail_at(key, "no such key", wanted);
  read_.emplace_back(key);
  return json_[key];
}

double Reader::number(const char* key, double otherwise, bool required) {
  if (!required && !has(key)) return otherwise;
  const Json& value = get(key, "a number above 0");
  if (!value.is_number() || !(value.get<double>() > 0) || !std::isfinite(value.get<double>()))
    fail_at(key, value.dump(), "a number above 0");
  figures.push_back(path_ + key);
  return value.get<double>();
}

std::int64_t Reader::integer(const char* key, std::int64_t otherwise) {
  const double value = number(key, static_cast<double>(otherwise), false);
  if (value != std::floor(value) || value > 1 << 24) fail_at(key, fmt::format("{}", value), "a whole number");
  return static_cast<std::int64_t>(value);
}

bool Reader::boolean(const char* key) {
  if (!has(key)) return false;
  const Json& value = get(key, "true or false");
  if (!value.is_boolean()) fail_at(key, value.dump(), "true or false");
  figures.push_back(path_ + key);
  return value.get<bool>();
}

std::string Reader::string(const char* key, const char* wanted) {
  const Json& value = get(key, wanted);
  if (!value.is_string()) fail_at(key, value.dump(), wanted);
  return value.get<std::string>();
}

Curve Reader::curve(const char* key) {
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

std::map<std::string, double> Reader::numbers(const char* key, const char* required) {
  const Json& object = get(key, "{\"f32\": FLOP/s, …}");
  std::map<std::string, double> out;
  if (!object.is_object() || !object.contains(required))
    fail_at(key, object.dump(), fmt::format("an object with \"{}\"", required));
  for (const auto& [name, value] : object.items()) {
    const std::string own = fmt::format("{}.{}", key, name);
    if (!is_peak_name(name))
      fail_at(own, "no type",
              "f64, f32, f32_high, f32_highest, tf32, bf16, f16, f8, f6, f4, or an integer type such as i8", value);
    if (!value.is_number() || !(value.get<double>() > 0)) fail_at(own, shortened(value), "numbers above 0", value);
    out[name] = value.get<double>();
  }
  figures.push_back(path_ + key);
  return out;
}

std::map<std::string, Emulation> Reader::emulations(const char* key) {
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

void Reader::done() const {
  for (const auto& [key, value] : json_.items()) {
    if (key == kSchemaKey || std::find(read_.begin(), read_.end(), key) != read_.end()) continue;
    fail_at(key, "an unknown key", meant(key, asked_, fmt::format("one of {}", fmt::join(asked_, ", "))));
  }
}

void Reader::fail_at(const std::string& key, const std::string& found, const std::string& wanted) const {
  fail_at(key, found, wanted, json_.is_object() && json_.contains(key) ? json_.at(key) : json_);
}

void Reader::fail_at(const std::string& key, const std::string& found, const std::string& wanted,
                     const Json& value) const {
  const Place place = source_.place_of(value);
  std::string name = path_ + key;
  if (name.ends_with('.')) name.pop_back();
  throw UserError({label_, source_.file, place, (name.empty() ? "" : name + ": ") + found, wanted});
}

void Reader::require_sources() {
  const Json& sources = get("sources", "an object that names where each figure is from");
  for (const std::string& figure : figures) {
    if (!sources.contains(figure) || !sources[figure].is_string())
      fail_at("sources", "no source of " + figure, fmt::format("\"{}\": \"where it is from\"", figure));
  }
}

}  // namespace partir
