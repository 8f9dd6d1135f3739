#include "verify/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/replay/match.h"

namespace partir::replay {
namespace {

bool has_no_value(const Number& x) { return x.is_nothing() || std::isinf(x.magnitude()); }

std::string text(const Number& x) {
  if (x.is_whole()) return fmt::format("{}", x.integer());
  const auto v = x.parts();
  return v.imag() == 0 ? fmt::format("{}", v.real()) : fmt::format("({}, {})", v.real(), v.imag());
}

std::string text(const Instance& instance) {
  std::string out;
  for (const auto& [name, value] : instance.sizes)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value);
  return fmt::format("{}, seed {}", out, instance.seed);
}

class ProofChecker {
 public:
  ProofChecker(const Proof& proof, const std::vector<Trial>& trials) : proof_(proof), trials_(trials) {}

  Replay run() {
    for (const Step& s : proof_.steps) {
      if (!step(s)) return out_;
    }
    for (const End& e : proof_.ends) {
      if (!end(e)) return out_;
    }
    if (proof_.ends.empty()) out_.defect = "a proof without results";
    return out_;
  }

 private:
  bool step(const Step& s) {
    ++out_.steps;
    bool has_value = s.before == s.after;
    for (const Trial& r : trials_) {
      if (s.before == s.after) break;
      Evaluator left(proof_.terms, r.instance);
      Evaluator right(proof_.terms, r.instance);
      const Number before = left.value(s.before);
      const Number after = right.value(s.after);
      if (has_no_value(before) || has_no_value(after)) continue;
      has_value = true;
      if (is_near(before, after, std::max(left.largest(), right.largest()))) continue;
      out_.defect = fmt::format("step {}, {}: {} is {}, not {} that {} is, at {}", out_.steps, name_of(s.rule),
                                proof_.terms.text(s.before), text(before), text(after), proof_.terms.text(s.after),
                                text(r.instance));
      return false;
    }
    if (!has_value) ++out_.silent;
    return true;
  }

  bool end(const End& e) {
    const auto same = same_up_to_names(proof_.terms, e.left, e.right);
    if (!same) ++out_.unmatched;
    if (same == false) {
      out_.defect = fmt::format("result {} ends in two forms: {} and {}", e.result, proof_.terms.text(e.left),
                                proof_.terms.text(e.right));
      return false;
    }
    for (const Trial& r : trials_) {
      Evaluator evaluator(proof_.terms, r.instance);
      const Number got = evaluator.value(e.left);
      if (evaluator.met_uninterpreted() || has_no_value(got)) continue;
      std::vector<std::int64_t> at;
      for (const TermId i : e.at) {
        const auto index = evaluator.integer(i);
        if (!index) break;
        at.push_back(*index);
      }
      const auto wanted = r.wanted && at.size() == e.at.size() ? r.wanted(e.result, at) : std::nullopt;
      if (!wanted || has_no_value(*wanted)) continue;
      ++out_.compared;
      if (is_near(got, *wanted, evaluator.largest())) continue;
      out_.defect = fmt::format("result {} ends in {}, which is {} where the interpreter has {}, at {}", e.result,
                                proof_.terms.text(e.left), text(got), text(*wanted), text(r.instance));
      return false;
    }
    return true;
  }

  const Proof& proof_;
  const std::vector<Trial>& trials_;
  Replay out_;
};

}  // namespace

Replay replay(const Proof& proof, const std::vector<Trial>& trials) { return ProofChecker(proof, trials).run(); }

}  // namespace partir::replay
