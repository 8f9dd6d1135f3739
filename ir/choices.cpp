// Decides folds_in_blocks by exhaustive evaluation: each element type is represented by a few samples that realise
// every relative order of three values, and the combiner is tabulated on all pairs of sample tuples.
#include "ir/choices.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace partir {
namespace {

/// The maximum number of sample tuples; the table has one entry per pair, and associativity is tested on all triples.
constexpr std::size_t kMostTuples = 128;

/// A representative number of a type, as far as comparisons distinguish it.
struct Sample {
  int rank = 0;
  bool is_nan = false;
  bool is_zero = false;
};

/// Samples that suffice for three numbers of a type to occur in any order: for floats two negative numbers, both zeros,
/// two positive numbers and three NaNs. (Three different numbers may have the same sign, but then no zero is among
/// them, and their order is realised by other samples.)
std::vector<Sample> samples_of(ElementType type) {
  if (type == ElementType::i1) return {{0}, {1}};
  if (is_integer(type)) return {{0}, {1}, {2}};
  if (!is_float(type)) return {};
  return {{0}, {1}, {2, false, true}, {2, false, true}, {3}, {4}, {5, true}, {5, true}, {5, true}};
}

class Choices {
 public:
  Choices(const Meaning& meaning, const std::vector<ScalarId>& combine) : m_(meaning), combine_(combine) {}

  bool decide(const std::vector<bool>& zeros) {
    std::size_t tuples = 1;
    for (std::size_t k = 0; k < combine_.size(); ++k) {
      const ElementType type = m_.at(combine_[k]).type;
      samples_.push_back(samples_of(type));
      tuples *= samples_.back().size();
      if (tuples == 0 || tuples > kMostTuples || chosen_value(combine_[k]) != k) return false;
    }
    if (zeros.size() != combine_.size()) return false;
    tabulate(tuples);
    return is_associative() && ignores_trailing_initial(zeros);
  }

 private:
  using Tuple = std::vector<int>;  ///< the index of a sample for each value of the fold

  /// The value k if the term chooses among the arguments for value k alone, by valid comparisons; otherwise nullopt.
  std::optional<std::size_t> chosen_value(ScalarId id) {
    const ScalarTerm& t = m_.at(id);
    if (t.kind == ScalarTerm::Kind::argument) return t.operand % combine_.size();
    if (t.kind != ScalarTerm::Kind::apply || t.fn != ScalarFn::select || !is_bool(t.args[0])) return std::nullopt;
    const auto then = chosen_value(t.args[1]);
    return then == chosen_value(t.args[2]) ? then : std::nullopt;
  }

  bool is_bool(ScalarId id) {
    const ScalarTerm& t = m_.at(id);
    if (t.type != ElementType::i1) return false;
    if (t.kind == ScalarTerm::Kind::argument) return true;
    if (t.kind != ScalarTerm::Kind::apply) return false;
    if (is_comparison(t.fn)) {
      const auto a = chosen_value(t.args[0]);
      return a && a == chosen_value(t.args[1]);
    }
    switch (t.fn) {
      case ScalarFn::logical_and:
      case ScalarFn::logical_or:
      case ScalarFn::logical_xor:
      case ScalarFn::logical_not:
      case ScalarFn::select: return std::all_of(t.args.begin(), t.args.end(), [&](ScalarId a) { return is_bool(a); });
      default: return false;
    }
  }

  /// Evaluates a term for the arguments a and b. Returns the index of a sample; for booleans this is their value 0 or
  /// 1.
  int value(ScalarId id, const Tuple& a, const Tuple& b) {
    const ScalarTerm& t = m_.at(id);
    const std::size_t k = combine_.size();
    if (t.kind == ScalarTerm::Kind::argument) return t.operand < k ? a[t.operand] : b[t.operand - k];
    const int x = value(t.args[0], a, b);
    if (t.fn == ScalarFn::select) return value(t.args[x != 0 ? 1 : 2], a, b);
    if (t.fn == ScalarFn::logical_not) return 1 - x;
    const int y = value(t.args[1], a, b);
    if (t.fn == ScalarFn::logical_and) return x & y;
    if (t.fn == ScalarFn::logical_or) return x | y;
    if (t.fn == ScalarFn::logical_xor) return x ^ y;
    return compares(t, x, y) ? 1 : 0;
  }

  bool compares(const ScalarTerm& t, int x, int y) {
    const auto& samples = samples_[chosen_value(t.args[0]).value()];
    const Sample a = samples[static_cast<std::size_t>(x)];
    const Sample b = samples[static_cast<std::size_t>(y)];
    if (a.is_nan || b.is_nan) return t.fn == ScalarFn::compare_ne;
    switch (t.fn) {
      case ScalarFn::compare_eq: return a.rank == b.rank;
      case ScalarFn::compare_ne: return a.rank != b.rank;
      case ScalarFn::compare_lt: return a.rank < b.rank;
      case ScalarFn::compare_le: return a.rank <= b.rank;
      case ScalarFn::compare_gt: return a.rank > b.rank;
      default: return a.rank >= b.rank;
    }
  }

  [[nodiscard]] Tuple tuple(std::size_t number) const {
    Tuple out;
    for (const auto& samples : samples_) {
      out.push_back(static_cast<int>(number % samples.size()));
      number /= samples.size();
    }
    return out;
  }

  void tabulate(std::size_t tuples) {
    table_.assign(tuples, std::vector<std::size_t>(tuples));
    for (std::size_t i = 0; i < tuples; ++i) {
      for (std::size_t j = 0; j < tuples; ++j) {
        std::size_t out = 0;
        for (std::size_t k = combine_.size(); k-- > 0;)
          out = out * samples_[k].size() + static_cast<std::size_t>(value(combine_[k], tuple(i), tuple(j)));
        table_[i][j] = out;
      }
    }
  }

  [[nodiscard]] bool is_associative() const {
    const std::size_t n = table_.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) {
          if (table_[table_[i][j]][k] != table_[i][table_[j][k]]) return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool ignores_trailing_initial(const std::vector<bool>& zeros) const {
    for (std::size_t e = 0; e < table_.size(); ++e) {
      const Tuple initial = tuple(e);
      bool may_be = true;
      for (std::size_t k = 0; k < initial.size(); ++k)
        may_be = may_be && (zeros[k] || !samples_[k][static_cast<std::size_t>(initial[k])].is_zero);
      for (std::size_t i = 0; may_be && i < table_.size(); ++i) {
        if (table_[table_[e][i]][e] != table_[e][i]) return false;
      }
    }
    return true;
  }

  const Meaning& m_;
  const std::vector<ScalarId>& combine_;
  std::vector<std::vector<Sample>> samples_;
  std::vector<std::vector<std::size_t>> table_;  ///< the combination of two tuples, all by number
};

}  // namespace

bool folds_in_blocks(const Meaning& meaning, const std::vector<ScalarId>& combine, const std::vector<bool>& zeros) {
  return Choices(meaning, combine).decide(zeros);
}

}  // namespace partir
