// Replaces tactics that request a search by the tactics that the search finds. Called by partir partition and the
// Python package.
#pragma once

#include "search/search.h"

namespace partir {

/// Parses "80GB", "16GiB", "500MB" or a number of bytes.
Result<double> bytes_from(const std::string& text);

struct AutomaticOptions {
  std::function<double()> now;
  std::size_t threads = 1;
  NetworkOptions network;
  std::function<void(const SearchProgress&)> progress;
};

/// Returns the schedule with each tactic that requests a search replaced by what the search found, given the tactics
/// before it. The new names begin with the tactic's name: "Auto: params/layers/*/qkv[2] over model". A schedule without
/// such tactics is returned unchanged. Errors: those of resolve and find_device; axes that the mesh lacks; invalid
/// memory sizes.
Result<Schedule> searched(const Schedule& schedule, const Session& session, const AutomaticOptions& options);

}  // namespace partir
