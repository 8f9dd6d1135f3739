// Entries that are wrong: they must be absent from the registry, and evaluation must refute them.
#pragma once

#include <string>
#include <vector>

#include "tests/registry/claim.h"

namespace partir::testing {

struct WrongClaim {
  const char* name;
  std::string text;   ///< a module, as for instances
  const char* entry;  ///< "(#sum) -> (#sum)"
  Outcome::Kind how = Outcome::Kind::differs;
};

/// Returns the wrong claims about windows, library functions, normalisations, representations and wider computations.
std::vector<WrongClaim> wrong_claims_beyond_the_core();

}  // namespace partir::testing
