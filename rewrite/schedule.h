// Schedules: an ordered list of tactics, written in JSON and kept apart from the model (PartIR). `read_schedule` parses
// one; `resolve` matches its patterns against the names of a program, which gives the requests that propagation carries
// out (rewrite/propagate.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/mesh.h"
#include "rewrite/layout_request.h"
#include "rewrite/named_values.h"
#include "rewrite/names.h"

namespace partir {

/// What a tactic requests for a value along its axis.
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

/// The kind that a word of a schedule requests, such as "first_divisible_dim"; a dimension is a number, not a word.
std::optional<Request::Kind> request_kind(std::string_view word);
/// The word for a kind other than `dim`.
std::string_view word_of(Request::Kind kind);

struct PatternRequest {
  std::string pattern;
  Request request;
  Place place;  ///< in the schedule's JSON
};

/// A tactic that requests a search: {"name": "Auto", "axes": ["model"], "search": {"device": "a100", "memory": "80GB",
/// "seconds": 60, "evaluations": 2000, "seed": 0}}. Memory, seconds, evaluations and seed may be omitted.
struct AutomaticSearch {
  std::vector<std::string> axes;
  std::string device;  ///< name of a device or path of its file
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
  std::vector<PatternRequest> values;  ///< internal values (rewrite/named_values.h)
  bool uneven = false;                 ///< the axis need not divide tiled dimensions (rewrite/padding.h)
  Place place;
  std::optional<AutomaticSearch> search;  ///< if set, the tactic has no axis and no requests
};

struct Schedule {
  std::string file;
  std::optional<std::string> mesh;
  std::vector<Tactic> tactics;
};

/// Reads a schedule's JSON. Errors: syntax, unknown keys, missing or invalid values, two tactics of the same name.
Result<Schedule> read_schedule(const std::string& text, const std::string& file);

/// The requests of one tactic resolved against names: for each argument and result, that of the first pattern that
/// matches.
struct ResolvedTactic {
  Axis axis;
  std::vector<std::optional<PatternRequest>> arguments = {};
  std::vector<std::optional<PatternRequest>> results = {};
  std::vector<std::pair<NamedValue, PatternRequest>> values = {};  ///< the internal values that a pattern matches
  bool uneven = false;                                             ///< the axis need not divide tiled dimensions

  // A tactic made from the program's annotations has these members instead (rewrite/annotations.h).
  std::vector<LayoutRequest> layouts = {};  ///< first put into the state
  std::vector<Axis> along = {};             ///< then propagated along each of these axes
};

/// Errors: an axis that the mesh lacks, a pattern that matches nothing or is entirely shadowed by earlier ones, a
/// dimension out of range, two requests for the same axis and value, a tactic that requests a search
/// (search/automatic.h replaces such tactics by the ones it finds).
Result<std::vector<ResolvedTactic>> resolve(const Schedule& schedule, const Mesh& mesh, const Names& names,
                                            const Function& function);

/// The internal values for which tactics request something, each once.
std::vector<NamedValue> asked_values(const std::vector<ResolvedTactic>& tactics);

}  // namespace partir
