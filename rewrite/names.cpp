#include "rewrite/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/json_text.h"
#include "support/near.h"

namespace partir {

std::string normalized_path(std::string_view key_path) {
  std::string out;
  std::string part;
  const auto flush = [&] {
    if (part.empty()) return;
    out += (out.empty() ? "" : "/") + part;
    part.clear();
  };
  for (std::size_t i = 0; i < key_path.size(); ++i) {
    const char c = key_path[i];
    if (c == '\'' || c == '"') {
      const auto end = key_path.find(c, i + 1);
      flush();
      part = key_path.substr(i + 1, end == std::string_view::npos ? end : end - i - 1);
      flush();
      if (end == std::string_view::npos) break;
      i = end;
    } else if (c == '[' || c == ']' || c == '.' || c == '/') {
      flush();
    } else {
      part += c;
    }
  }
  flush();
  if (out == "result") return "";
  if (out.starts_with("result/")) out.erase(0, 7);
  return out;
}

namespace {

/// Refuses a key that is nearly one of these and stands where that one is absent. Other keys are ignored: programs that
/// write names files note more in them.
Result<void> check_keys(const Json& object, const std::vector<std::string>& keys, const JsonSource& source) {
  std::vector<std::string> absent;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(absent),
               [&](const std::string& key) { return !object.contains(key); });
  for (const auto& [key, value] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end() || near_matches(key, absent).empty()) continue;
    return tl::unexpected(Diagnostic{"names", source.file, source.place_of(value), fmt::format("the key \"{}\"", key),
                                     meant(key, absent, "")});
  }
  return {};
}

/// The normalised names in one list of a names file, checked against the program's number of values and their shapes.
Result<std::vector<std::string>> listed(const Json& json, const char* key, const Function& f,
                                        const std::vector<ValueId>& values, const JsonSource& source) {
  const auto wrong = [&](const Json& at, std::string found, std::string wanted) {
    return tl::unexpected(Diagnostic{"names", source.file, source.place_of(at), std::move(found), std::move(wanted)});
  };
  std::vector<std::string> out;
  if (!json.contains(key)) return out;
  const auto& list = json[key];
  if (!list.is_array()) return wrong(list, fmt::format("\"{}\": {}", key, shortened(list)), "a list of names");
  if (list.size() != values.size()) {
    return wrong(list, fmt::format("{} {}", list.size(), key),
                 fmt::format("{}, as the program has (is this the names file of another program?)", values.size()));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& item = list[i];
    if (item.is_object()) {
      if (auto ok = check_keys(item, {"name", "shape"}, source); !ok) return tl::unexpected(ok.error());
    }
    if (!item.is_object() || !item.contains("name") || !item["name"].is_string()) {
      return wrong(item, fmt::format("{}[{}] without a name", key, i), "{\"name\": …}");
    }
    const auto name = item["name"].get<std::string>();
    if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
      return wrong(item["name"], shortened(item["name"]), "a name without control characters");
    if (item.contains("shape")) {
      const Type& type = f.type(values[i]);
      bool same = item["shape"].is_array() && item["shape"].size() == type.rank();
      for (std::size_t d = 0; same && d < type.rank(); ++d) {
        same = item["shape"][d].is_number_integer() && item["shape"][d].get<std::int64_t>() == type->dims[d];
      }
      if (!same) {
        return wrong(item["shape"], fmt::format("{} '{}' of shape {}", key, name, shortened(item["shape"])),
                     fmt::format("{}, as the program has (is this the names file of another program?)", type.str()));
      }
    }
    out.push_back(normalized_path(name));
  }
  return out;
}

}  // namespace

Result<Names> names_of(const Function& function, const std::optional<std::string>& json, const std::string& file) {
  Names out;
  if (json) {
    const auto parsed = parse_json(*json, file);
    if (!parsed) return tl::unexpected(parsed.error());
    const JsonSource source{*json, file, *parsed};
    if (parsed->is_object()) {
      if (auto ok = check_keys(*parsed, {"args", "results"}, source); !ok) return tl::unexpected(ok.error());
    }
    if (!parsed->is_object() || (!parsed->contains("args") && !parsed->contains("results"))) {
      return tl::unexpected(
          Diagnostic{"names",
                     file,
                     {1, 1},
                     R"(neither "args" nor "results")",
                     R"({"args": [{"name": "params/w"}, …], "results": […]}: docs/reference/names.md)"});
    }
    auto arguments = listed(*parsed, "args", function, function.arguments(), source);
    if (!arguments) return tl::unexpected(arguments.error());
    auto results = listed(*parsed, "results", function, function.returned(), source);
    if (!results) return tl::unexpected(results.error());
    out.arguments = std::move(*arguments);
    out.results = std::move(*results);
  }
  if (out.arguments.empty()) {
    for (std::size_t i = 0; i < function.arguments().size(); ++i) {
      const bool located = i < function.argument_locations.size() && !function.argument_locations[i].empty();
      out.arguments.push_back(located ? normalized_path(function.argument_locations[i]) : fmt::format("arg{}", i));
    }
  }
  if (out.results.empty()) {
    for (std::size_t i = 0; i < function.returned().size(); ++i) {
      const Attribute* info =
          i < function.result_attributes.size() ? find(function.result_attributes[i], "jax.result_info") : nullptr;
      const StringAttr* text = info != nullptr ? info->as<StringAttr>() : nullptr;
      out.results.push_back(text != nullptr ? normalized_path(text->value) : fmt::format("result{}", i));
    }
  }
  return out;
}

// --- Globs ----------------------------------------------------------------------------------------------------------

namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (true) {
    const auto slash = path.find('/');
    out.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return out;
    path.remove_prefix(slash + 1);
  }
}

bool part_matches(std::string_view pattern, std::string_view part) {
  if (pattern.empty()) return part.empty();
  if (pattern[0] == '*') {
    for (std::size_t skip = 0; skip <= part.size(); ++skip) {
      if (part_matches(pattern.substr(1), part.substr(skip))) return true;
    }
    return false;
  }
  if (part.empty()) return false;
  if (pattern[0] == '[') {
    const auto close = pattern.find(']', 1);
    if (close != std::string_view::npos) {
      return pattern.substr(1, close - 1).find(part[0]) != std::string_view::npos &&
             part_matches(pattern.substr(close + 1), part.substr(1));
    }
  }
  return pattern[0] == part[0] && part_matches(pattern.substr(1), part.substr(1));
}

bool parts_match(const std::vector<std::string_view>& pattern, std::size_t p, const std::vector<std::string_view>& path,
                 std::size_t q) {
  if (p == pattern.size()) return q == path.size();
  if (pattern[p] == "**") {
    for (std::size_t skip = q; skip <= path.size(); ++skip) {
      if (parts_match(pattern, p + 1, path, skip)) return true;
    }
    return false;
  }
  return q < path.size() && part_matches(pattern[p], path[q]) && parts_match(pattern, p + 1, path, q + 1);
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  return parts_match(parts_of(pattern), 0, parts_of(path), 0);
}

}  // namespace partir
