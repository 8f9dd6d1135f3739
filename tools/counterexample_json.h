// Counterexamples of the prover in JSON reports.
#pragma once

#include <nlohmann/json.hpp>

#include "verify/prove/prove.h"

namespace partir {

inline nlohmann::ordered_json to_json(const prove::Counterexample& c) {
  return {{"n", c.n}, {"sizes", c.sizes}, {"devices", c.devices}, {"wanted", c.wanted}, {"got", c.got}};
}

}  // namespace partir
