// Random partitions, and alterations of a partitioned module or its certificate in one place, for those who attack the
// checker.
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

/// A random program partitioned by a random schedule; nothing where the schedule asks for what does not divide.
std::optional<Subject> subject(Random& random);

/// Alterations of one operation; each says whether it did anything.
using Alteration = bool (*)(Function&, Block&, std::size_t op, Random&);
const std::vector<std::pair<const char*, Alteration>>& alterations();
/// One of them: the first operand and another of its type.
bool swap_operands(Function& f, Block& b, std::size_t at, Random& random);

/// The function's body, or as often a block of control flow where there is one.
Block& some_block(Function& f, Random& random);

/// Alterations of one step.
using CertificateAlteration = bool (*)(Certificate&, std::size_t step, const Mesh&, Random&);
const std::vector<std::pair<const char*, CertificateAlteration>>& certificate_alterations();

/// An operation of the main body left out with its step, or done twice with it: what follows is renumbered, and its
/// result is one of its operands, or the first one's.
bool drop_with_step(Subject& s, Random& random);
bool repeat_with_step(Subject& s, Random& random);

}  // namespace partir::testing
