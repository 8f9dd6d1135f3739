#include "lowering/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <string_view>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "rewrite/json_text.h"

namespace partir {
namespace {

/// Calls f(op, path) for all operations of a block and of the regions in it.
template <class F>
void for_each_place(const Block& block, OpPath& path, const F& f) {
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    path.push_back(i);
    f(block.ops[i], path);
    for (std::size_t r = 0; r < block.ops[i].regions.size(); ++r) {
      path.push_back(r);
      for_each_place(block.ops[i].regions[r], path, f);
      path.pop_back();
    }
    path.pop_back();
  }
}

/// The first results of the operations at these places; nullopt if an operation does not exist, has no results or is
/// listed twice.
std::optional<std::map<OpPath, ValueId>> first_results(const std::vector<OpPath>& list, const Function& function) {
  std::map<OpPath, ValueId> out;
  if (list.empty()) return out;
  const std::set<OpPath> places(list.begin(), list.end());
  OpPath path;
  for_each_place(function.body, path, [&](const Op& op, const OpPath& here) {
    if (!op.results.empty() && places.contains(here)) out.emplace(here, op.results[0]);
  });
  return out.size() == list.size() ? std::optional(std::move(out)) : std::nullopt;
}

class Writer {
 public:
  Writer(const SpmdProgram& program, const State& state, const Function& source) : p_(program), s_(state) {
    OpPath path;
    for_each_place(source.body, path, [&](const Op& op, const OpPath& here) { place_[op.id] = here; });
  }

  Certificate run(const Function& written) {
    out_.mesh = p_.mesh.str();
    block(written.body, {});
    return std::move(out_);
  }

 private:
  void block(const Block& b, const OpPath& path) {
    for (std::size_t i = 0; i < b.ops.size(); ++i) {
      const Op& op = b.ops[i];
      if (op.decl->kind == OpDecl::Kind::terminator) continue;
      const bool local = p_.is_local_part(op);
      // An operation that neither the source has nor has a layout computes device positions.
      if (!local && (op.results.empty() || op.results[0].index() >= p_.layouts.size())) continue;
      CertificateStep step;
      step.op = path;
      step.op.push_back(i);
      if (local) {
        step.source = place_.at(op.id);
        const std::size_t site = s_.site_of(op.id);
        // Operations inside a manual computation are not sites: devices run them as they are. Shifted chunks use no
        // entry.
        if (const auto instead = p_.instead.find(op.id); instead != p_.instead.end()) {
          for (const auto& [axis, entry] : instead->second) step.along.push_back({p_.mesh.name(axis), entry});
        } else if (s_.op(site).id == op.id) {
          const State::Computation computed = s_.computed(site);
          for (const Step* s : computed.steps) {
            if (!computed.shift) step.along.push_back({p_.mesh.name(s->axis), s->entry});
          }
        }
        if (const auto passed = p_.passed_on.find(op.id); passed != p_.passed_on.end()) {
          for (const auto& [axis, entry] : passed->second) step.along.push_back({p_.mesh.name(axis), entry});
        }
      }
      const bool control = runs_regions(op) || hands_operands_on(op);
      if (control) step.along.clear();
      if (!local || control) {
        for (const ValueId v : op.results) step.types.push_back(p_.layouts[v.index()]->str(p_.mesh));
      }
      OpPath inside = step.op;
      out_.steps.push_back(std::move(step));
      if (!runs_regions(op)) continue;
      for (std::size_t r = 0; r < op.regions.size(); ++r) {
        inside.push_back(r);
        block(op.regions[r], inside);
        inside.pop_back();
      }
    }
  }

  const SpmdProgram& p_;
  const State& s_;
  std::map<OpId, OpPath> place_;
  Certificate out_;
};

Json actions_json(const std::vector<Action>& actions) {
  Json out = Json::array();
  for (const Action& a : actions) out.push_back(a.str());
  return out;
}

[[noreturn]] void certificate_error(const JsonSource& in, const Json& at, std::string found, const char* wanted) {
  throw UserError(Diagnostic{"certificate", in.file, in.place_of(at), std::move(found), wanted});
}
[[noreturn]] void certificate_error(const JsonSource& in, const Json& at, const char* wanted) {
  certificate_error(in, at, shortened(at), wanted);
}

OpPath path_from(const Json& json, const JsonSource& in) {
  const char* wanted = "the place of an operation: \"12\", or \"12.0.3\" inside its regions";
  if (!json.is_string()) certificate_error(in, json, wanted);
  const auto text = json.get<std::string>();
  OpPath out;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    std::size_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) certificate_error(in, json, wanted);
    out.push_back(number);
    if (next == end) break;
    if (*next != '.') certificate_error(in, json, wanted);
    at = next + 1;
  }
  if (out.size() % 2 == 0) certificate_error(in, json, wanted);
  return out;
}

std::string text_from(const Json& json, const JsonSource& in, const char* wanted) {
  if (!json.is_string()) certificate_error(in, json, wanted);
  return json.get<std::string>();
}

std::vector<Action> actions_from(const Json& json, const JsonSource& in) {
  const char* wanted = "a list of actions: \"#tile<0>\", \"#sum\", \"any\"";
  if (!json.is_array()) certificate_error(in, json, wanted);
  std::vector<Action> out;
  for (const Json& item : json) {
    const auto action = Action::parse(text_from(item, in, wanted));
    if (!action) certificate_error(in, item, wanted);
    out.push_back(*action);
  }
  return out;
}

const Json& list(const Json& json, const char* key, const JsonSource& in) {
  static const Json none = Json::array();
  if (!json.contains(key)) return none;
  if (!json[key].is_array()) certificate_error(in, json[key], "a list");
  return json[key];
}

void require_known(const Json& json, std::initializer_list<std::string_view> keys, const JsonSource& in) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      certificate_error(in, value, "the key \"" + key + "\"", fmt::format("{}", fmt::join(keys, ", ")).c_str());
  }
}

CertificateStep step_from(const Json& json, const JsonSource& in) {
  if (!json.is_object() || !json.contains("op")) certificate_error(in, json, "a step {\"op\", …}");
  CertificateStep out;
  require_known(json, {"op", "source", "along", "types"}, in);
  out.op = path_from(json["op"], in);
  if (json.contains("source")) out.source = path_from(json["source"], in);
  for (const Json& item : list(json, "along", in)) {
    if (!item.is_object() || !item.contains("axis") || !item.contains("operands") || !item.contains("results"))
      certificate_error(in, item, "{\"axis\", \"operands\", \"results\"}");
    require_known(item, {"axis", "operands", "results"}, in);
    out.along.push_back({text_from(item["axis"], in, "the name of an axis"),
                         {actions_from(item["operands"], in), actions_from(item["results"], in)}});
  }
  for (const Json& item : list(json, "types", in))
    out.types.push_back(text_from(item, in, "a layout: \"[{batch}, {}]\""));
  return out;
}

/// The unsigned number under a key of an object. `wanted` describes the object in the error message.
std::int64_t number_from(const Json& json, const char* key, const char* wanted, const JsonSource& in) {
  if (!json.is_object() || !json.contains(key) || !json[key].is_number_unsigned()) certificate_error(in, json, wanted);
  return json[key].get<std::int64_t>();
}

WrittenByOffsets by_offsets_from(const Json& json, const JsonSource& in) {
  const auto number = [&](const char* key) {
    return number_from(json, key, "{\"source\", \"operand\", \"dim\", \"devices\"}", in);
  };
  if (!json.is_object() || !json.contains("source")) certificate_error(in, json, "{\"source\", …}");
  const ByOffsets how{static_cast<std::size_t>(number("operand")), static_cast<Dim>(number("dim")), number("devices")};
  return {path_from(json["source"], in), how};
}

std::set<std::size_t> numbers_from(const Json& json, const char* key, const JsonSource& in) {
  std::set<std::size_t> out;
  for (const Json& item : list(json, key, in)) {
    if (!item.is_number_unsigned()) certificate_error(in, item, "a number of an argument or result");
    out.insert(item.get<std::size_t>());
  }
  return out;
}

WrittenPadded padding_from(const Json& json, const JsonSource& in) {
  if (!json.is_object()) certificate_error(in, json, "{\"uneven\", \"arguments\", \"results\"}");
  require_known(json, {"uneven", "arguments", "results"}, in);
  WrittenPadded out{{}, numbers_from(json, "arguments", in), numbers_from(json, "results", in)};
  for (const Json& item : list(json, "uneven", in)) {
    const auto number = [&](const char* key) {
      return number_from(item, key, "{\"argument\" or \"source\" and \"result\", \"dim\", \"parts\"}", in);
    };
    WrittenPadded::Uneven uneven;
    uneven.dim = static_cast<Dim>(number("dim"));
    uneven.parts = number("parts");
    if (uneven.parts < 1 || uneven.parts > (std::int64_t{1} << 31)) certificate_error(in, item, "parts from 1");
    if (item.contains("argument")) {
      require_known(item, {"argument", "dim", "parts"}, in);
      uneven.argument = static_cast<std::size_t>(number("argument"));
    } else {
      require_known(item, {"source", "result", "dim", "parts"}, in);
      uneven.result = static_cast<std::size_t>(number("result"));
      uneven.source = path_from(item.contains("source") ? item["source"] : item, in);
    }
    out.uneven.push_back(std::move(uneven));
  }
  return out;
}

constexpr const char* kFormat = "partir certificate 1";

}  // namespace

std::string path_text(const OpPath& path) { return fmt::format("{}", fmt::join(path, ".")); }

Certificate certificate_of(const SpmdProgram& program, const Module& written, const State& state,
                           const Function& source, std::vector<WrittenByOffsets> by_offsets) {
  Certificate out = Writer(program, state, source).run(written.functions.at(0));
  out.by_offsets = std::move(by_offsets);
  return out;
}

std::vector<WrittenByOffsets> places_of(const OperationsByOffsets& operations, const Function& function) {
  std::vector<WrittenByOffsets> out;
  if (operations.empty()) return out;
  OpPath path;
  for_each_place(function.body, path, [&](const Op& op, const OpPath& here) {
    const auto it = op.results.empty() ? operations.end() : operations.find(op.results[0]);
    if (it != operations.end()) out.push_back({here, it->second});
  });
  return out;
}

std::optional<OperationsByOffsets> operations_of(const std::vector<WrittenByOffsets>& list, const Function& function) {
  std::vector<OpPath> places;
  for (const WrittenByOffsets& w : list) places.push_back(w.source);
  const auto results = first_results(places, function);
  if (!results) return std::nullopt;
  OperationsByOffsets out;
  for (const WrittenByOffsets& w : list) out.emplace(results->at(w.source), w.how);
  return out;
}

std::vector<OpPath> places_of(const std::set<ValueId>& results, const Function& function) {
  std::vector<OpPath> out;
  if (results.empty()) return out;
  OpPath path;
  for_each_place(function.body, path, [&](const Op& op, const OpPath& here) {
    if (!op.results.empty() && results.contains(op.results[0])) out.push_back(here);
  });
  return out;
}

std::optional<std::set<ValueId>> results_of(const std::vector<OpPath>& list, const Function& function) {
  const auto results = first_results(list, function);
  if (!results) return std::nullopt;
  std::set<ValueId> out;
  for (const auto& [place, result] : *results) out.insert(result);
  return out;
}

WrittenPadded places_of(const Padding& padding, const Function& function) {
  WrittenPadded out{{}, padding.arguments, padding.results};
  if (padding.empty()) return out;
  std::map<ValueId, WrittenPadded::Uneven> places;
  for (std::size_t i = 0; i < function.arguments().size(); ++i) places[function.arguments()[i]] = {i, {}, 0, 0, 1};
  OpPath path;
  for_each_place(function.body, path, [&](const Op& op, const OpPath& here) {
    for (std::size_t r = 0; r < op.results.size(); ++r) places[op.results[r]] = {std::nullopt, here, r, 0, 1};
  });
  for (const UnevenDim& u : padding.uneven) {
    WrittenPadded::Uneven uneven = places.at(u.value);
    uneven.dim = u.dim;
    uneven.parts = u.parts;
    out.uneven.push_back(std::move(uneven));
  }
  return out;
}

std::optional<Padding> padding_of(const WrittenPadded& places, const Function& function) {
  Padding out{{}, places.arguments, places.results};
  std::map<OpPath, const Op*> operations;
  OpPath path;
  if (!places.uneven.empty())
    for_each_place(function.body, path, [&](const Op& op, const OpPath& here) { operations[here] = &op; });
  for (const WrittenPadded::Uneven& u : places.uneven) {
    std::optional<ValueId> value;
    if (u.argument) {
      if (*u.argument < function.arguments().size()) value = function.arguments()[*u.argument];
    } else if (const auto it = operations.find(u.source); it != operations.end()) {
      if (u.result < it->second->results.size()) value = it->second->results[u.result];
    }
    if (!value || u.dim >= function.type(*value).rank()) return std::nullopt;
    out.uneven.push_back({*value, u.dim, u.parts});
  }
  return out;
}

std::string to_json(const Certificate& certificate) {
  std::string out = fmt::format("{{\"format\": \"{}\", \"mesh\": {},\n", kFormat, Json(certificate.mesh).dump());
  if (!certificate.batching.empty()) {
    Json list = Json::array();
    for (const OpPath& path : certificate.batching) list.push_back(path_text(path));
    out += fmt::format(" \"batching\": {},\n", list.dump());
  }
  if (!certificate.padding.uneven.empty()) {
    Json padding = {{"uneven", Json::array()}};
    for (const WrittenPadded::Uneven& u : certificate.padding.uneven) {
      Json item;
      if (u.argument) {
        item["argument"] = *u.argument;
      } else {
        item["source"] = path_text(u.source);
        item["result"] = u.result;
      }
      item["dim"] = u.dim;
      item["parts"] = u.parts;
      padding["uneven"].push_back(std::move(item));
    }
    if (!certificate.padding.arguments.empty()) padding["arguments"] = certificate.padding.arguments;
    if (!certificate.padding.results.empty()) padding["results"] = certificate.padding.results;
    out += fmt::format(" \"padding\": {},\n", padding.dump());
  }
  for (const auto& [key, operations] :
       {std::pair("by_offsets", &certificate.by_offsets), {"by_offsets_again", &certificate.by_offsets_again}}) {
    if (operations->empty()) continue;
    Json list = Json::array();
    for (const WrittenByOffsets& w : *operations)
      list.push_back({{"source", path_text(w.source)},
                      {"operand", w.how.operand},
                      {"dim", w.how.dim},
                      {"devices", w.how.devices}});
    out += fmt::format(" \"{}\": {},\n", key, list.dump());
  }
  out += " \"steps\": [";
  for (std::size_t i = 0; i < certificate.steps.size(); ++i) {
    const CertificateStep& s = certificate.steps[i];
    Json step = {{"op", path_text(s.op)}};
    if (s.source) step["source"] = path_text(*s.source);
    for (const auto& a : s.along) {
      step["along"].push_back(
          {{"axis", a.axis}, {"operands", actions_json(a.entry.operands)}, {"results", actions_json(a.entry.results)}});
    }
    if (!s.types.empty()) step["types"] = s.types;
    out += (i == 0 ? "\n  " : ",\n  ") + step.dump();
  }
  return out + "\n ]}\n";
}

Result<Certificate> read_certificate(const std::string& text, const std::string& file) {
  const auto json = parse_json(text, file);
  if (!json) return tl::unexpected(json.error());
  const JsonSource in{text, file, *json};
  try {
    if (!json->is_object() || !json->contains("format") || (*json)["format"] != kFormat || !json->contains("mesh") ||
        !json->contains("steps"))
      certificate_error(in, *json, "{\"format\": \"partir certificate 1\", \"mesh\", \"steps\"}");
    require_known(*json, {"format", "mesh", "batching", "padding", "by_offsets", "by_offsets_again", "steps"}, in);
    Certificate out;
    out.mesh = text_from((*json)["mesh"], in, "a mesh: \"batch=4,model=2\"");
    for (const Json& item : list(*json, "batching", in)) out.batching.push_back(path_from(item, in));
    if (json->contains("padding")) out.padding = padding_from((*json)["padding"], in);
    for (const Json& item : list(*json, "by_offsets", in)) out.by_offsets.push_back(by_offsets_from(item, in));
    for (const Json& item : list(*json, "by_offsets_again", in))
      out.by_offsets_again.push_back(by_offsets_from(item, in));
    for (const Json& step : list(*json, "steps", in)) out.steps.push_back(step_from(step, in));
    return out;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
