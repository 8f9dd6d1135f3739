// Builds programs with symbolic sizes from programs at concrete ones.
//
// An operation's declaration builds its index notation (meaning) for concrete sizes only. The program is therefore
// built at several randomly drawn sizes; the notation must have the same structure at all of them, and each number in
// it is recovered as a polynomial in the sizes from some of the samples and checked on the others (ADR 7). So the
// prover uses the same definition of an operation as the interpreters do.
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

/// Expresses a claim's size symbols by atoms that can be chosen freely: M is n * (M/n) if it is tiled, 2 * (M/2) if it
/// must be even, a number if a condition fixes it.
class Symbols {
 public:
  /// Throws GiveUp if a size in the claim's programs is no polynomial of the symbols.
  Symbols(const Claim& claim, Context& c);

  struct Drawn {
    std::int64_t n = 1;
    Sizes global;
    Sizes local;
    std::vector<std::int64_t> values;  ///< values of `atoms`, in order
  };
  /// Draws atoms from [low, high] such that the claim allows the sizes, and n up to `devices`; nothing if none were
  /// found.
  std::optional<Drawn> draw(std::mt19937_64& random, std::int64_t low, std::int64_t high, std::int64_t devices) const;
  /// A number that the text of the claim determines.
  [[nodiscard]] std::uint64_t hash() const { return claim_.program.hash() ^ (claim_.target.hash() << 1); }

  [[nodiscard]] AtomId n() const { return atoms_[0]; }
  [[nodiscard]] const std::vector<AtomId>& atoms() const { return atoms_; }  ///< n is the first
  /// Returns the value of an untiled symbol.
  [[nodiscard]] Poly value(const std::string& name) const;

 private:
  struct Symbol {
    std::string name;
    std::optional<std::int64_t> fixed;
    std::int64_t factor = 1;
    bool tiled = false;
    std::optional<std::string> follows;  ///< another symbol that a condition equates with this one
    std::size_t atom = 0;
  };
  const Claim& claim_;
  std::vector<Symbol> symbols_;
  std::vector<AtomId> atoms_;
};

/// Programs at drawn sizes, and these sizes. Polynomials are fitted on the first of them, small ones, and checked on the
/// others, larger by orders of magnitude. All sizes in a claim being polynomials, a wrong one of degree d survives a
/// check with a probability of d by the range of the sizes (Schwartz and Zippel).
struct Samples {
  std::size_t fitted = 0;
  std::vector<std::vector<std::int64_t>> values;  ///< of the symbols' atoms, per sample
  std::vector<Module> left;
  std::vector<Module> right;
};

/// Returns the two sides of a claim at varied sizes at which the left one is well-formed. Throws GiveUp if there are
/// too few such sizes, small and large, or if the right side (called `right_is` in the message) is not well-formed at
/// one of them.
Samples sample(const Symbols& symbols, const std::function<Result<Module>(const Symbols::Drawn&)>& left,
               const std::function<Result<Module>(const Symbols::Drawn&)>& right, const std::string& right_is);

/// Recovers polynomials in the atoms from their values at the drawn sizes. With samples 2, 3, 5 of an atom n, the
/// values 5, 7, 11 give 2 * n + 1.
class Fit {
 public:
  /// Finds polynomials on the first `fitted` samples.
  Fit(std::vector<AtomId> atoms, std::vector<std::vector<std::int64_t>> samples, std::size_t fitted);
  /// Returns the polynomial with at most two terms and a constant that has these values at all samples. Throws GiveUp if
  /// there is none.
  Poly operator()(const std::vector<std::int64_t>& values);

 private:
  struct Candidate {
    Poly poly;
    std::vector<std::int64_t> values;
  };
  std::vector<std::vector<std::int64_t>> samples_;
  std::size_t fitted_;
  std::vector<Candidate> monomials_;
  std::map<std::vector<std::int64_t>, Poly> known_;
};

/// One operation at symbolic sizes: its meaning at the first drawn sizes, and the numbers in it as polynomials. Loops
/// and slices of PartIR:Core, and collectives over mesh axes, have no meaning in index notation; device_elements.cpp
/// evaluates them.
struct SymbolicOp {
  const Op* op = nullptr;
  Meaning meaning;
  Poly iterations;     ///< number of iterations of a loop
  std::string record;  ///< identifies its uninterpreted terms (opaque.h), at all drawn sizes
  LiteralPtr value;
  bool finite = true;         ///< whether all elements of `value` are finite
  std::optional<Poly> splat;  ///< of `value`, if all its elements are one integer that depends on the sizes
  std::vector<std::optional<Poly>> literals;       ///< likewise for each scalar term that is a literal
  std::vector<Poly> extents;                       ///< of each range
  std::vector<Poly> constants;                     ///< of each index term that is a constant
  Continuity continuity = Continuity::continuous;  ///< of its meaning
  std::string precision;                           ///< of the products that it computes (ir/products.h)
};

struct SymbolicProgram {
  Module module;                        ///< at the first drawn sizes
  std::vector<std::vector<Poly>> dims;  ///< of each value, by dimension
  std::vector<SymbolicOp> ops;          ///< of the body and of loops in it, in order, without terminators
  std::vector<int> defined_by;    ///< index in `ops` of the operation that defines each value, or -1 for arguments
  bool mixes_precisions = false;  ///< whether its products use more than one precision
};

/// Returns the symbolic program of `modules`, which are one program at the drawn sizes of `fit`, in their order. Throws
/// GiveUp.
SymbolicProgram lift(std::vector<Module> modules, Fit& fit);

}  // namespace partir::prove
