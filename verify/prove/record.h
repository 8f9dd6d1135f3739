// Records the steps by which forms are brought to canonical form, translated into the replayer's language
// (verify/replay), which then checks them independently.
#pragma once

#include "verify/prove/expr.h"
#include "verify/replay/proof.h"

namespace partir::prove {

class Recorder {
 public:
  explicit Recorder(const Context& c) : c_(c) {}

  replay::TermId term(const Poly& p);
  replay::TermId term(const Factor& f);
  replay::TermId term(const Expr& e);
  replay::TermId atom(AtomId a);
  replay::TermId number(std::int64_t value, ElementType type) { return proof.terms.number(value, type); }
  replay::TermId join(Monoid m, ElementType type, std::vector<replay::TermId> args) {
    return proof.terms.join(m, std::move(args), type);
  }
  replay::TermId apply(ScalarFn fn, ElementType type, std::vector<replay::TermId> args) {
    return proof.terms.function(fn, std::move(args), type);
  }
  replay::TermId apply(Symbol symbol, ElementType type, std::vector<replay::TermId> args);
  /// Returns the term that folds the body over ranges where the conditions hold.
  replay::TermId over(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& conditions,
                      const Expr& body);
  replay::TermId quotient(const Poly& p, const Poly& q);
  replay::TermId at_least_zero(const Poly& p);
  replay::TermId product(const std::vector<Factor>& factors);
  replay::TermId with(replay::TermId t, const Substitution& s);

  void step(replay::Rule rule, replay::TermId before, replay::TermId after) {
    proof.steps.push_back({rule, before, after});
  }

  replay::Proof proof;

 private:
  replay::TermId over(Monoid m, ElementType type, const std::vector<AtomId>& ranges,
                      const std::vector<Factor>& conditions, replay::TermId body);
  replay::TermId array(const Factor& f, std::size_t k);
  replay::TermId folded(const Factor& f);
  replay::TermId applied(const Factor& f, std::vector<replay::TermId> args);
  std::vector<replay::TermId> indices(const std::vector<AtomId>& ranges);

  const Context& c_;
};

/// If steps are recorded, records the step `before` = `after`, where `before` computes its term from the recorder.
/// Returns `after`.
template <class After, class Before>
After noted(replay::Rule rule, Context& c, const Before& before, After after) {
  if (c.recorder != nullptr) c.recorder->step(rule, before(*c.recorder), c.recorder->term(after));
  return after;
}

}  // namespace partir::prove
