// Schedules: an ordered list of tactics, kept apart from the model (PartIR).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/mesh.h"
#include "rewrite/layout_request.h"
#include "rewrite/named_values.h"
#include "rewrite/names.h"

namespace partir {

/// What a tactic asks for a value along its axis.
struct Request {
  enum class Kind : std::uint8_t {
    dim,              ///< tile this dimension
    first_divisible,  ///< tile the first dimension whose local size the axis divides
    replicated,       ///< PartIR's atomic: stays replicated
    unknown,          ///< left to propagation
  };
  Kind kind = Kind::unknown;
  Dim dim = 0;
};

struct PatternRequest {
  std::string pattern;
  Request request;
  Place place;  ///< in the schedule's text
};

/// What a tactic asks a search for: {"name": "Auto", "axes": ["model"], "search": {"device": "a100", "memory": "80GB",
/// "seconds": 60, "evaluations": 2000, "seed": 0}}. Memory, seconds, evaluations and seed may be left out.
struct AutomaticSearch {
  std::vector<std::string> axes;
  std::string device;  ///< a name or a file
  std::optional<std::string> memory;
  std::optional<double> seconds;
  std::optional<std::size_t> evaluations;
  std::uint64_t seed = 0;
};

struct Tactic {
  std::string name;
  std::string axis;
  std::vector<PatternRequest> inputs;
  std::vector<PatternRequest> results;
  std::vector<PatternRequest> values;  ///< internal ones (rewrite/named_values.h)
  bool uneven = false;                 ///< its dimensions need not divide (rewrite/padding.h)
  Place place;
  std::optional<AutomaticSearch> search;  ///< then there is no axis and there are no requests
};

struct Schedule {
  std::string file;
  std::optional<std::string> mesh;
  std::vector<Tactic> tactics;
};

/// Reads a schedule's JSON. Errors: syntax, unknown keys, missing or wrong values, tactics of one name.
Result<Schedule> read_schedule(const std::string& text, const std::string& file);

/// Requests of one tactic resolved against names: per argument and result, the first pattern that matches.
struct ResolvedTactic {
  Axis axis;
  std::vector<std::optional<PatternRequest>> arguments = {};
  std::vector<std::optional<PatternRequest>> results = {};
  std::vector<std::pair<NamedValue, PatternRequest>> values = {};  ///< those that a pattern matches
  bool uneven = false;                                             ///< dimensions need not divide

  // A tactic that the program's annotations are has these instead (rewrite/annotations.h).
  std::vector<LayoutRequest> layouts = {};  ///< put in place first
  std::vector<Axis> along = {};             ///< then propagated along each of these
};

/// Errors: an axis that the mesh lacks, a pattern that matches nothing or is wholly shadowed, a dimension out of range,
/// one axis asked for twice on one value, a tactic that asks for a search (search/automatic.h puts what it finds
/// there).
Result<std::vector<ResolvedTactic>> resolve(const Schedule& schedule, const Mesh& mesh, const Names& names,
                                            const Function& function);

/// The internal values that tactics ask something for, each once.
std::vector<NamedValue> asked_values(const std::vector<ResolvedTactic>& tactics);

}  // namespace partir
