#include "rewrite/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "rewrite/json_text.h"
#include "support/near.h"

namespace partir {
namespace {

constexpr std::pair<Request::Kind, std::string_view> kWords[] = {
    {Request::Kind::first_divisible, "first_divisible_dim"},
    {Request::Kind::replicated, "replicated"},
    {Request::Kind::unknown, "unknown"},
};

[[noreturn]] void schedule_error(const std::string& file, Place place, std::string found, std::string wanted) {
  throw UserError(Diagnostic{"schedule", file, place, std::move(found), std::move(wanted)});
}

Request request_from(const Json& value, const std::string& file, Place place) {
  std::string wanted = "a dimension from 0";
  for (const auto& [kind, word] : kWords)
    wanted += fmt::format("{}\"{}\"", kind == std::prev(std::end(kWords))->first ? " or " : ", ", word);
  if (value.is_number_integer()) {
    const auto dim = value.get<std::int64_t>();
    if (dim < 0) schedule_error(file, place, fmt::format("dimension {}", dim), wanted);
    return {Request::Kind::dim, static_cast<Dim>(dim)};
  }
  if (value.is_string()) {
    if (const auto kind = request_kind(value.get_ref<const std::string&>())) return {*kind, 0};
  }
  schedule_error(file, place, value.dump(), wanted);
}

/// The tactic's "axes" and "search".
AutomaticSearch automatic_from(const Json& tactic, const std::string& text, const std::string& file,
                               std::size_t cursor) {
  const auto wrong = [&](const std::string& key, const std::string& found, const char* wanted) {
    schedule_error(file, place_of(text, fmt::format("\"{}\"", key), cursor), found, wanted);
  };
  AutomaticSearch out;
  for (const auto& [key, value] : tactic.items()) {
    if (key != "name" && key != "axes" && key != "search")
      wrong(key, fmt::format("the key \"{}\" beside \"search\"", key), "name, axes and search");
  }
  const Json axes = tactic.value("axes", Json());
  if (!axes.is_array() || axes.empty() ||
      !std::all_of(axes.begin(), axes.end(), [](const Json& a) { return a.is_string(); }))
    wrong("search", "a search without \"axes\"", "\"axes\": [\"model\"]");
  out.axes = axes.get<std::vector<std::string>>();
  const Json& search = tactic["search"];
  if (!search.is_object() || !search.contains("device") || !search["device"].is_string())
    wrong("search", "a search without \"device\"",
          "{\"device\": \"a100\", \"memory\": \"80GB\", \"seconds\": 60, \"seed\": 0}");
  for (const auto& [key, value] : search.items()) {
    const bool positive = value.is_number() && value.get<double>() > 0;
    if (key == "device") {
      out.device = value.get<std::string>();
    } else if (key == "memory" && (value.is_string() || positive)) {
      out.memory = value.is_string() ? value.get<std::string>() : value.dump();
    } else if (key == "seconds" && positive) {
      out.seconds = value.get<double>();
    } else if (key == "evaluations" && value.is_number_unsigned() && positive) {
      out.evaluations = value.get<std::size_t>();
    } else if (key == "seed" && value.is_number_unsigned()) {
      out.seed = value.get<std::uint64_t>();
    } else {
      wrong(key, fmt::format("\"{}\": {}", key, value.dump()),
            "device, memory, seconds, evaluations or seed of a search");
    }
  }
  return out;
}

Tactic tactic_from(const Json& json, const std::string& text, const std::string& file, std::size_t& cursor) {
  Tactic out;
  const auto string = [&](const char* key) {
    if (!json.contains(key))
      schedule_error(file, place_of(text, "{", cursor), fmt::format("a tactic without \"{}\"", key), "a string");
    if (!json[key].is_string() || json[key].get<std::string>().empty()) {
      schedule_error(file, place_of(text, fmt::format("\"{}\"", key), cursor),
                     fmt::format("\"{}\": {}", key, json[key].dump().substr(0, 60)),
                     json[key].is_array() ? "a string; a tactic is along one axis, so write one for each" : "a string");
    }
    return json[key].get<std::string>();
  };
  out.name = string("name");
  out.place = place_of(text, fmt::format("\"{}\"", out.name), cursor);
  if (json.contains("search")) {
    out.search = automatic_from(json, text, file, cursor);
    return out;
  }
  out.axis = string("axis");
  for (const auto& [key, value] : json.items()) {
    if (key == "name" || key == "axis") continue;
    if (key == "uneven") {
      if (!value.is_boolean())
        schedule_error(file, place_of(text, "\"uneven\"", cursor), value.dump().substr(0, 60), "true or false");
      out.uneven = value.get<bool>();
      continue;
    }
    if (key != "inputs" && key != "results" && key != "values") {
      schedule_error(file, place_of(text, fmt::format("\"{}\"", key), cursor), fmt::format("the key \"{}\"", key),
                     "name, axis, inputs, results, values or uneven");
    }
    if (!value.is_object()) {
      schedule_error(file, place_of(text, fmt::format("\"{}\"", key), cursor),
                     fmt::format("\"{}\" that is no object", key), "patterns and what to do with what they match");
    }
    for (const auto& [pattern, action] : value.items()) {
      const std::string needle = Json(pattern).dump();
      const Place place = place_of(text, needle, cursor);
      auto& list = key == "inputs" ? out.inputs : key == "results" ? out.results : out.values;
      list.push_back({pattern, request_from(action, file, place), place});
    }
  }
  // Later tactics are searched for after the last pattern of this one.
  for (const auto* list : {&out.inputs, &out.results, &out.values}) {
    for (const PatternRequest& r : *list) {
      const auto at = text.find(Json(r.pattern).dump(), cursor);
      if (at != std::string::npos) cursor = std::max(cursor, at + 1);
    }
  }
  return out;
}

/// For each name the first pattern that matches it. Errors: a pattern that is not the first match of any name.
std::vector<std::optional<PatternRequest>> match(const std::vector<PatternRequest>& patterns,
                                                 const std::vector<std::string>& names, const char* what,
                                                 const std::string& file, bool named,
                                                 const std::function<bool(std::size_t, std::string_view)>& is_called) {
  std::vector<std::optional<PatternRequest>> out(names.size());
  std::vector<bool> used(patterns.size(), false);
  std::vector<std::string> taken_by(patterns.size());  // the pattern that shadows it
  for (std::size_t v = 0; v < names.size(); ++v) {
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      if (!is_called(v, patterns[p].pattern)) continue;
      if (!out[v]) {
        out[v] = patterns[p];
        used[p] = true;
      } else {
        taken_by[p] = out[v]->pattern;
      }
    }
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (used[p]) continue;
    if (!taken_by[p].empty()) {
      schedule_error(file, patterns[p].place,
                     fmt::format("the pattern '{}' is wholly shadowed by patterns before it", patterns[p].pattern),
                     fmt::format("it before '{}', as the first that matches counts", taken_by[p]));
    }
    if (names.empty() || names[0].empty()) {
      schedule_error(file, patterns[p].place, fmt::format("the pattern '{}' matches no {}", patterns[p].pattern, what),
                     names.empty() ? fmt::format("no pattern: the program has no {}", what)
                                   : fmt::format("'*', as the only {} has no name", what));
    }
    std::string some;
    for (std::size_t v = 0; v < names.size() && v < 3; ++v) some += fmt::format("{}'{}'", v != 0 ? ", " : "", names[v]);
    schedule_error(
        file, patterns[p].place, fmt::format("the pattern '{}' matches no {}", patterns[p].pattern, what),
        named ? meant(patterns[p].pattern, names,
                      fmt::format("a pattern over the {}s' names, such as {}{}", what, some,
                                  names.size() > 3 ? ", …" : ""))
              : fmt::format("the program's text with names in it, jax.jit(f).lower(…).as_text(debug_info=True), or its "
                            "own: {}{}",
                            some, names.size() > 3 ? ", …" : ""));
  }
  return out;
}

/// Whether all names are the default ones of a program without names: arg0, result1.
bool are_numbers(const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& n) {
    const std::size_t digits = n.find_first_of("0123456789");
    return digits != std::string::npos && (n.substr(0, digits) == "arg" || n.substr(0, digits) == "result");
  });
}

}  // namespace

std::optional<Request::Kind> request_kind(std::string_view word) {
  for (const auto& [kind, text] : kWords) {
    if (text == word) return kind;
  }
  return std::nullopt;
}

std::string_view word_of(Request::Kind kind) {
  for (const auto& [k, text] : kWords) {
    if (k == kind) return text;
  }
  return "";
}

Result<Schedule> read_schedule(const std::string& text, const std::string& file) {
  try {
    const Json json = value_or_throw(parse_json(text, file));
    const JsonSource source{text, file, json};
    Schedule out;
    out.file = file;
    if (!json.is_object() || !json.contains("tactics") || !json["tactics"].is_array()) {
      schedule_error(file, {1, 1}, "no list \"tactics\"", "{\"tactics\": […]}");
    }
    for (const auto& [key, value] : json.items()) {
      if (key == "tactics" || key == kSchemaKey) continue;
      const Place place = source.place_of(value);
      if (key != "mesh") schedule_error(file, place, fmt::format("the key \"{}\"", key), "tactics or mesh");
      if (!value.is_string()) schedule_error(file, place, "\"mesh\": " + shortened(value), "text: \"batch=4,model=2\"");
      out.mesh = value.get<std::string>();
    }
    std::size_t cursor = text.find("\"tactics\"");
    for (const Json& tactic : json["tactics"]) {
      if (!tactic.is_object())
        schedule_error(file, source.place_of(tactic), shortened(tactic), "a tactic {\"name\", \"axis\", \"inputs\"}");
      out.tactics.push_back(tactic_from(tactic, text, file, cursor));
      for (std::size_t i = 0; i + 1 < out.tactics.size(); ++i) {
        if (out.tactics[i].name == out.tactics.back().name) {
          schedule_error(file, out.tactics.back().place, fmt::format("two tactics called '{}'", out.tactics[i].name),
                         "a name for each");
        }
      }
    }
    return out;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<std::vector<ResolvedTactic>> resolve(const Schedule& schedule, const Mesh& mesh, const Names& names,
                                            const Function& function) {
  try {
    std::vector<ResolvedTactic> out;
    const bool inside = std::any_of(schedule.tactics.begin(), schedule.tactics.end(),
                                    [](const Tactic& t) { return !t.values.empty(); });
    const std::vector<NamedValue> named = inside ? named_values(function) : std::vector<NamedValue>();
    std::vector<std::string> inner_names;
    std::vector<ValueId> inner;
    for (const NamedValue& v : named) {
      inner_names.push_back(v.name);
      inner.push_back(v.value);
    }
    std::map<std::pair<std::string, std::string>, std::string> asked;  // (axis, value) -> tactic
    for (const Tactic& tactic : schedule.tactics) {
      if (tactic.search) {
        schedule_error(schedule.file, tactic.place, fmt::format("tactic {}, which asks for a search", tactic.name),
                       "explicit tactics here; partir partition and partir search carry searches out");
      }
      const auto axis = mesh.find(tactic.axis);
      if (!axis) {
        schedule_error(schedule.file, tactic.place, fmt::format("tactic {} on axis '{}'", tactic.name, tactic.axis),
                       fmt::format("an axis of the mesh {}", mesh.str()));
      }
      const auto matched = [&](const std::vector<PatternRequest>& patterns, const std::vector<std::string>& list,
                               const char* what) {
        return match(patterns, list, what, schedule.file, !are_numbers(list),
                     [&](std::size_t v, std::string_view pattern) { return glob_matches(pattern, list[v]); });
      };
      ResolvedTactic resolved{*axis,
                              matched(tactic.inputs, names.arguments, "argument"),
                              matched(tactic.results, names.results, "result"),
                              {},
                              tactic.uneven};
      const auto check = [&](const std::vector<std::optional<PatternRequest>>& requests,
                             const std::vector<ValueId>& values, const std::vector<std::string>& value_names,
                             const char* what) {
        for (std::size_t v = 0; v < requests.size(); ++v) {
          if (!requests[v] || requests[v]->request.kind == Request::Kind::unknown) continue;
          const auto [it, fresh] = asked.emplace(std::pair(tactic.axis, fmt::format("{} {}", what, v)), tactic.name);
          if (!fresh) {
            schedule_error(schedule.file, requests[v]->place,
                           fmt::format("axis {} asked for twice on {} '{}' (by {} and {})", tactic.axis, what,
                                       value_names[v], it->second, tactic.name),
                           "one request for an axis on a value");
          }
          const Type& type = function.type(values[v]);
          if (requests[v]->request.kind == Request::Kind::dim && requests[v]->request.dim >= type.rank()) {
            schedule_error(schedule.file, requests[v]->place,
                           fmt::format("dimension {} of {} '{}'", requests[v]->request.dim, what, value_names[v]),
                           fmt::format("a dimension of {}", type.str()));
          }
        }
      };
      check(resolved.arguments, function.arguments(), names.arguments, "argument");
      check(resolved.results, function.returned(), names.results, "result");
      if (!tactic.values.empty()) {
        const auto requests =
            match(tactic.values, inner_names, "value", schedule.file, has_names_inside(function),
                  [&](std::size_t v, std::string_view pattern) { return is_called(named[v], pattern); });
        check(requests, inner, inner_names, "value");
        for (std::size_t v = 0; v < requests.size(); ++v) {
          if (requests[v]) resolved.values.emplace_back(named[v], *requests[v]);
        }
      }
      out.push_back(std::move(resolved));
    }
    return out;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

std::vector<NamedValue> asked_values(const std::vector<ResolvedTactic>& tactics) {
  std::vector<NamedValue> out;
  std::set<std::pair<ValueId, std::optional<std::size_t>>> known;
  for (const ResolvedTactic& t : tactics) {
    for (const auto& [value, request] : t.values) {
      if (known.emplace(value.value, value.result).second) out.push_back(value);
    }
    for (const LayoutRequest& layout : t.layouts) {
      const NamedValue& value = layout.value;
      if (layout.of != LayoutRequest::Of::value) continue;
      if (known.emplace(value.value, value.result).second) out.push_back(value);
    }
  }
  return out;
}

}  // namespace partir
