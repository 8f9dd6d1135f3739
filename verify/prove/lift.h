// Programs with symbolic sizes, from the declarations' meanings.
//
// A declaration builds its index notation for sizes that are numbers. Built at several drawn sizes, the notation has
// one structure and each of its numbers is a polynomial in the sizes, which is recovered from the values and checked on
// others (ADR 7). So there is one source of what an operation means, the one that the interpreters evaluate.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ir/continuity.h"
#include "ir/meaning.h"
#include "ir/op_decl.h"
#include "verify/prove/claim.h"
#include "verify/prove/poly.h"

namespace partir::prove {

/// A claim's symbols in terms of sizes that may be chosen freely: M is n * (M/n) where it is tiled, 2 * (M/2) where it
/// must be even, a number where it must be that.
class Symbols {
 public:
  Symbols(const Claim& claim, Context& c);

  struct Drawn {
    std::int64_t n = 1;
    Sizes global;
    Sizes local;
    std::vector<std::int64_t> values;  ///< of `atoms`, in order
  };
  /// Sizes drawn from [low, high] that the claim allows; nothing when none was found.
  std::optional<Drawn> draw(std::mt19937_64& random, std::int64_t low, std::int64_t high) const;

  [[nodiscard]] AtomId n() const { return atoms_[0]; }
  [[nodiscard]] const std::vector<AtomId>& atoms() const { return atoms_; }  ///< n first
  /// An untiled symbol.
  [[nodiscard]] Poly value(const std::string& name) const;

 private:
  struct Symbol {
    std::string name;
    std::optional<std::int64_t> fixed;
    std::int64_t factor = 1;
    bool tiled = false;
    std::optional<std::string> follows;  ///< a symbol that is equal
    std::size_t atom = 0;
  };
  const Claim& claim_;
  std::vector<Symbol> symbols_;
  std::vector<AtomId> atoms_;
};

/// Programs at drawn sizes, and the sizes.
struct Samples {
  std::vector<std::vector<std::int64_t>> values;  ///< of the symbols' atoms
  std::vector<Module> left;
  std::vector<Module> right;
};

/// The two sides of a claim at varied sizes at which the left one is well-formed. Throws GiveUp: too few, or a right
/// side that is not.
Samples sample(const Symbols& symbols, const std::function<Result<Module>(const Symbols::Drawn&)>& left,
               const std::function<Result<Module>(const Symbols::Drawn&)>& right, const std::string& right_is);

/// Recovers polynomials in the atoms from their values at drawn sizes.
class Fit {
 public:
  Fit(std::vector<AtomId> atoms, std::vector<std::vector<std::int64_t>> samples);
  /// The polynomial of at most two terms and a constant that has these values. Throws GiveUp.
  Poly operator()(const std::vector<std::int64_t>& values);

 private:
  struct Candidate {
    Poly poly;
    std::vector<std::int64_t> values;
  };
  std::vector<std::vector<std::int64_t>> samples_;
  std::vector<Candidate> monomials_;
  std::map<std::vector<std::int64_t>, Poly> known_;
};

/// One operation at symbolic sizes: its meaning at the first drawn sizes, the numbers in it as polynomials. Loops and
/// slices of PartIR:Core, and collectives over mesh axes, have no meaning in index notation: see elements.cpp.
struct SymbolicOp {
  const Op* op = nullptr;
  Meaning meaning;
  Poly iterations;     ///< of a loop
  std::string record;  ///< what decides its uninterpreted terms (opaque.h), at all drawn sizes
  LiteralPtr value;
  bool finite = true;                              ///< all elements of `value`
  std::optional<Poly> splat;                       ///< of `value` where it is one integer everywhere
  std::vector<std::optional<Poly>> literals;       ///< the same of each scalar term that is a literal
  std::vector<Poly> extents;                       ///< of each range
  std::vector<Poly> constants;                     ///< of each index term that is a number
  Continuity continuity = Continuity::continuous;  ///< of the meaning
  std::string precision;                           ///< of the products that it takes (ir/products.h)
};

struct SymbolicProgram {
  Module module;                        ///< at the first drawn sizes
  std::vector<std::vector<Poly>> dims;  ///< of each value
  std::vector<SymbolicOp> ops;          ///< of the body and of loops in it, without terminators
  std::vector<int> defined_by;          ///< of each value: the operation, or -1 for arguments
  bool mixes_precisions = false;        ///< whether products are taken in several
};

/// `modules` are one program at the drawn sizes of `fit`, in their order. Throws GiveUp.
SymbolicProgram lift(std::vector<Module> modules, Fit& fit);

}  // namespace partir::prove
