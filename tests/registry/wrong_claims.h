// Claims that must not be in the registry and that evaluation refutes.
#pragma once

#include <string>
#include <vector>

#include "tests/registry/claim.h"

namespace partir::testing {

struct WrongClaim {
  const char* name;
  std::string text;   ///< a module, as instances are
  const char* entry;  ///< "(#sum) -> (#sum)"
  Outcome::Kind how = Outcome::Kind::differs;
};

/// About windows, library functions, normalisations, representations and wider computations.
std::vector<WrongClaim> wrong_claims_beyond_the_core();

}  // namespace partir::testing
