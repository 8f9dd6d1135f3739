#include "ir/scope_path.h"

#include <algorithm>
#include <array>
#include <vector>

namespace partir {
namespace {

/// The parts of a path between slashes outside parentheses.
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && path[i] == '(') ++depth;
    if (i < path.size() && path[i] == ')') --depth;
    if (i < path.size() && (path[i] != '/' || depth > 0)) continue;
    if (i > start) out.push_back(path.substr(start, i - start));
    start = i + 1;
  }
  return out;
}

/// The facts read from the scopes of a location.
struct Scopes {
  std::vector<std::string> parts;
  bool backward = false;
  bool recomputed = false;
  bool restated = false;  ///< a transformation follows scopes: JAX repeats the scopes from the outermost one
};

/// Removes the second half of the path if it repeats the first: "layers/0/layers/0" becomes "layers/0".
void drop_repetition(Scopes& scopes) {
  const std::size_t half = scopes.parts.size() / 2;
  const auto middle = scopes.parts.begin() + static_cast<std::ptrdiff_t>(half);
  if (scopes.restated && scopes.parts.size() % 2 == 0 && std::equal(scopes.parts.begin(), middle, middle))
    scopes.parts.resize(half);
}

bool is_transformation(std::string_view name) {
  constexpr std::array<std::string_view, 10> known = {"jit",  "pjit",  "pmap",       "xla_pmap",  "jvp",
                                                      "vmap", "remat", "checkpoint", "transpose", "shard_map"};
  return std::find(known.begin(), known.end(), name) != known.end();
}

void add(Scopes& out, std::string_view part, bool is_primitive) {
  const std::size_t open = part.find('(');
  const std::string_view transformation = part.substr(0, open);
  // A person's own scope may have parentheses, too: jax.named_scope("block(0)").
  if (open != std::string_view::npos && part.ends_with(')') && is_transformation(transformation)) {
    if (transformation == "jit" || transformation == "pjit") return;
    out.restated = out.restated || !out.parts.empty();
    out.backward = out.backward || transformation == "transpose";
    for (const std::string_view inner : parts_of(part.substr(open + 1, part.size() - open - 2))) add(out, inner, false);
    return;
  }
  if (is_primitive || part == "checkpoint") drop_repetition(out);
  if (!is_primitive && (part == "checkpoint" || part == "rematted_computation")) {
    out.recomputed = out.recomputed || part == "rematted_computation";
    return;
  }
  out.parts.emplace_back(part);
}

}  // namespace

std::string scope_path(std::string_view location) {
  Scopes scopes;
  const auto parts = parts_of(location);
  for (std::size_t k = 0; k < parts.size(); ++k) add(scopes, parts[k], k + 1 == parts.size());
  std::string out;
  for (const std::string& part : scopes.parts) out += (out.empty() ? "" : "/") + part;
  if (out.empty()) return out;
  return (scopes.recomputed ? "recomputed/" : scopes.backward ? "backward/" : "") + out;
}

std::string location_within(std::string_view call, std::string_view location) {
  const auto outer = parts_of(call);
  const auto inner = parts_of(location);
  if (outer.size() < 2 || (!inner.empty() && inner[0] == outer[0])) return std::string(location);
  std::string out;
  for (std::size_t k = 0; k + 1 < outer.size(); ++k) out += std::string(outer[k]) + "/";
  return out + std::string(location);
}

}  // namespace partir
