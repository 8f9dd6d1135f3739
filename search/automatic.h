// Tactics that ask for a search, carried out.
#pragma once

#include "search/search.h"

namespace partir {

/// "80GB", "16GiB", "500MB" or a number of bytes.
Result<double> bytes_from(const std::string& text);

struct AutomaticOptions {
  std::function<double()> now;
  std::size_t threads = 1;
  NetworkOptions network;
  std::function<void(const SearchProgress&)> progress;
};

/// The schedule with each tactic that asks for a search replaced by what was found, behind the tactics before it; names
/// begin with the tactic's: "Auto: params/layers/*/qkv[2] over model". A schedule without such tactics stays as it is.
/// Errors: those of resolve and find_device; axes that the mesh lacks; memory that does not read.
Result<Schedule> searched(const Schedule& schedule, const Session& session, const AutomaticOptions& options);

}  // namespace partir
