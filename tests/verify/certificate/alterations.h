// Random partitions, and random alterations of a partitioned module or of its certificate. The mutation test of the
// checker (mutants_test.cpp) and the hunt (tests/hunt) use them: an altered partition that is still proved must still
// compute what the source does.
#pragma once

#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "ir/mesh.h"
#include "ir/program.h"
#include "lowering/certificate.h"

namespace partir::testing {

using Random = std::mt19937_64;
inline std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

struct Subject {
  Module source;
  Module partitioned;
  Certificate certificate;
};

/// Partitions a random program by a random schedule. Returns nothing if the schedule tiles a dimension that its axis
/// does not divide.
std::optional<Subject> subject(Random& random);

/// An alteration of one operation; returns whether it changed anything.
using Alteration = bool (*)(Function&, Block&, std::size_t op, Random&);
const std::vector<std::pair<const char*, Alteration>>& alterations();
/// Exchanges the first operand with another one of its type; it is one of alterations().
bool swap_operands(Function& f, Block& b, std::size_t at, Random& random);

/// Returns the function's body or, equally often if there is any, a random block of control flow.
Block& some_block(Function& f, Random& random);

/// An alteration of one step of a certificate; returns whether it changed anything.
using CertificateAlteration = bool (*)(Certificate&, std::size_t step, const Mesh&, Random&);
const std::vector<std::pair<const char*, CertificateAlteration>>& certificate_alterations();

/// Remove a random operation of the main body together with its step, or repeat it with its step. The steps of later
/// operations are renumbered. Uses of a removed operation read one of its operands; some uses of a repeated one read
/// the copy.
bool drop_with_step(Subject& s, Random& random);
bool repeat_with_step(Subject& s, Random& random);

}  // namespace partir::testing
