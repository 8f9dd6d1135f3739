// How random cases are drawn. Each run of the suite draws the same ones, so that a failure is due to the change at hand;
// `./run properties` draws new ones. RC_PARAMS of the caller comes first: RC_PARAMS="seed=7 max_success=20000".
#pragma once

#include <string>

namespace partir::testing {

/// Adds "key=value" to RapidCheck's settings unless they have the key. Returns true, to initialise constants with.
bool set_random_default(const std::string& key, const std::string& value);

/// Draws this many cases of each property of the program.
inline bool draw_cases(int count) { return set_random_default("max_success", std::to_string(count)); }

}  // namespace partir::testing
