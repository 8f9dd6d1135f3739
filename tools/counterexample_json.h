// JSON of counterexamples (of the prover and the validator) and of judged sharding rules, as reports contain them.
#pragma once

#include <nlohmann/json.hpp>

#include "verify/prove/prove.h"
#include "verify/rules/judge.h"
#include "verify/validate/validate.h"

namespace partir {

inline nlohmann::ordered_json to_json(const prove::Counterexample& c) {
  return {{"n", c.n}, {"sizes", c.sizes}, {"devices", c.devices}, {"wanted", c.wanted}, {"got", c.got}};
}

/// The values of each argument of the source, at most 4096 per argument: [{"type": "tensor<2xf32>", "values": [1, 2],
/// "truncated": false}, …].
nlohmann::ordered_json inputs_json(const validate::Counterexample& c);

/// The inputs together with the element that differs, or with the failure of the run.
nlohmann::ordered_json to_json(const validate::Counterexample& c, const std::vector<validate::ResultVerdict>& results);

/// One factor of a judged sharding rule, as `partir rules --json` lists it.
nlohmann::ordered_json to_json(const rules::FactorRow& row);

}  // namespace partir
