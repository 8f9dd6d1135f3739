// Writes the result of a search as a readable schedule.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "search/patterns.h"
#include "search/search.h"

namespace partir {
namespace {

std::vector<std::optional<Request>> requests_of(const std::vector<std::optional<PatternRequest>>& asked) {
  std::vector<std::optional<Request>> out;
  for (const auto& r : asked) out.push_back(r ? std::optional(r->request) : std::nullopt);
  return out;
}

nlohmann::ordered_json json_of(const std::vector<PatternRequest>& patterns) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const PatternRequest& p : patterns) {
    if (p.request.kind == Request::Kind::dim) {
      out[p.pattern] = p.request.dim;
    } else {
      out[p.pattern] = word_of(p.request.kind);
    }
  }
  return out;
}

}  // namespace

Schedule schedule_of(const SearchResult& result, const Session& session, const std::vector<Tactic>& prefix) {
  const SearchSpace& space = *result.space;
  Schedule out;
  out.tactics = prefix;
  std::set<std::string> names;
  for (const Tactic& t : prefix) names.insert(t.name);
  for (const RealizedStep& s : result.steps) {
    Tactic t;
    t.axis = session.mesh().name(s.step.axis);
    t.uneven = s.tactic.uneven;
    t.name = space.name_of(s.step);
    for (int k = 2; !names.insert(t.name).second; ++k) t.name = fmt::format("{} ({})", space.name_of(s.step), k);
    t.inputs = patterns_for(session.names().arguments, requests_of(s.tactic.arguments));
    if (!s.tactic.values.empty()) {
      std::vector<std::string> values;
      std::vector<std::optional<Request>> requests;
      for (const NamedValue& v : named_values(session.main())) {
        const auto it = std::find_if(s.tactic.values.begin(), s.tactic.values.end(),
                                     [&](const auto& asked) { return asked.first.value == v.value; });
        for (const std::string& name : names_for_requests(v)) {
          const bool asked = it != s.tactic.values.end() && it->first.name == name;
          values.push_back(name);
          requests.push_back(asked ? std::optional(it->second.request) : std::nullopt);
        }
      }
      t.values = patterns_for(values, requests);
    }
    out.tactics.push_back(std::move(t));
  }
  return out;
}

std::string schedule_json(const Schedule& schedule) {
  nlohmann::ordered_json tactics = nlohmann::ordered_json::array();
  for (const Tactic& t : schedule.tactics) {
    nlohmann::ordered_json one = {{"name", t.name}, {"axis", t.axis}};
    if (!t.inputs.empty() || (t.results.empty() && t.values.empty())) one["inputs"] = json_of(t.inputs);
    if (!t.results.empty()) one["results"] = json_of(t.results);
    if (!t.values.empty()) one["values"] = json_of(t.values);
    if (t.uneven) one["uneven"] = true;
    tactics.push_back(std::move(one));
  }
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (schedule.mesh) out["mesh"] = *schedule.mesh;
  out["tactics"] = std::move(tactics);
  return out.dump(1) + "\n";
}

}  // namespace partir
