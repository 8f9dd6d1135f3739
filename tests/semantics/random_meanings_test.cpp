// Compares the block evaluator with the definition on random meanings: nested folds of several values, guarded reads
// under masks, reads of indices, complex numbers, and dimensions larger than a block.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>

#include "semantics/evaluate.h"
#include "tests/registry/claim.h"
#include "tests/semantics/naive.h"

namespace partir {
namespace {

using E = ElementType;
using F = ScalarFn;
using testing::Naive;
using testing::varied_tensor;

const std::vector<Type> kOperands = {TensorType{E::f32, {5, 3}}, TensorType{E::c64, {4}},   TensorType{E::i32, {3, 2}},
                                     TensorType{E::f32, {}},     TensorType{E::i32, {6}},   TensorType{E::i1, {2, 3}},
                                     TensorType{E::c64, {2, 2}}, TensorType{E::f32, {270}}, TensorType{E::bf16, {3}}};

/// Writes random terms. Reads are within their operand, or guarded to be.
class Author {
 public:
  Author(std::uint64_t seed, const std::vector<Type>& results) : random_(seed), results_(results) {}

  Meaning write() {
    MeaningBuilder b(kOperands, results_);
    b_ = &b;
    for (std::size_t r = 0; r < results_.size(); ++r) {
      scope_ = b.result(r);
      b.define(r, term(results_[r]->element, 4));
    }
    return b.take();
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  bool chance(std::size_t in) { return below(in) == 0; }

  Index index(int depth) {
    if (depth == 0 || chance(4)) {
      if (scope_.empty() || chance(6)) return b_->constant(static_cast<std::int64_t>(below(7)) - 2);
      return scope_[below(scope_.size())];
    }
    switch (below(8)) {
      case 0: return index(depth - 1) + index(depth - 1);
      case 1: return index(depth - 1) - index(depth - 1);
      case 2: return index(depth - 1) * (static_cast<std::int64_t>(below(5)) - 2);
      case 3: return floor_div(index(depth - 1), static_cast<std::int64_t>(below(4)) + 1);
      case 4: return mod(index(depth - 1), static_cast<std::int64_t>(below(4)) + 1);
      case 5: return clamp(index(depth - 1), -1, static_cast<std::int64_t>(below(5)));
      case 6: return index(depth - 1) + static_cast<std::int64_t>(below(4));
      default: {
        const std::size_t operand = chance(2) ? 2 : 4;
        std::vector<Index> at;
        for (const std::int64_t size : kOperands[operand]->dims) at.push_back(clamp(index(depth - 1), 0, size - 1));
        return b_->read_index(operand, at);
      }
    }
  }

  Guard guard() {
    const Index i = index(2);
    return chance(3) ? zero(i) : non_negative(i);
  }
  std::vector<Guard> guards() {
    std::vector<Guard> out(below(3));
    for (Guard& g : out) g = guard();
    return out;
  }

  Term read(E type, int depth) {
    std::vector<std::size_t> of_type;
    for (std::size_t k = 0; k < kOperands.size(); ++k) {
      if (kOperands[k]->element == type) of_type.push_back(k);
    }
    if (of_type.empty()) return b_->from_index(index(1), type);
    const std::size_t operand = of_type[below(of_type.size())];
    std::vector<Index> at;
    std::vector<Guard> inside;
    for (const std::int64_t size : kOperands[operand]->dims) {
      at.push_back(index(2));
      if (chance(2)) {
        at.back() = clamp(at.back(), 0, size - 1);
      } else {
        inside.push_back(non_negative(at.back()));
        inside.push_back(non_negative(b_->constant(size - 1) - at.back()));
      }
    }
    const Term value = b_->read(operand, at);
    return inside.empty() ? value : b_->guarded(inside, value, term(type, depth - 1));
  }

  /// Returns a function of the type on terms that `make` creates.
  template <class Make>
  Term function(E type, Make&& make) {
    if (type == E::i1) {
      const F fns[] = {F::logical_and, F::logical_or, F::logical_xor};
      return b_->apply(fns[below(3)], type, {make(), make()});
    }
    if (is_complex(type) && chance(4)) return b_->apply(F::conj, type, {make()});
    const F fns[] = {F::add, F::subtract, F::multiply, F::maximum};
    return b_->apply(fns[below(is_complex(type) ? 3 : 4)], type, {make(), make()});
  }

  Term term(E type, int depth) {
    if (depth <= 0) return chance(2) ? b_->from_index(index(1), type) : read_plainly(type);
    switch (below(9)) {
      case 0:
      case 1: return read(type, depth);
      case 2: return function(type, [&] { return term(type, depth - 1); });
      case 3: {
        const E other = chance(2) ? E::f32 : E::i32;
        const Term question = b_->apply(F::compare_lt, E::i1, {term(other, depth - 1), term(other, depth - 1)});
        return b_->apply(F::select, type, {question, term(type, depth - 1), term(type, depth - 1)});
      }
      case 4: return b_->guarded(guards(), term(type, depth - 1), term(type, depth - 1));
      case 5: return parts(type, depth);
      default: return fold(type, depth);
    }
  }
  Term read_plainly(E type) {
    for (std::size_t k = 0; k < kOperands.size(); ++k) {
      if (kOperands[k]->element != type) continue;
      std::vector<Index> at;
      for (const std::int64_t size : kOperands[k]->dims) at.push_back(clamp(index(1), 0, size - 1));
      return b_->read(k, at);
    }
    return b_->from_index(index(1), type);
  }
  Term parts(E type, int depth) {
    if (type == E::c64) return b_->apply(F::complex, type, {term(E::f32, depth - 1), term(E::f32, depth - 1)});
    if (type == E::f32) return b_->apply(chance(2) ? F::real : F::imag, type, {term(E::c64, depth - 1)});
    return b_->apply(F::convert, type, {term(E::i32, depth - 1)});
  }

  Term fold(E type, int depth) {
    const std::size_t outside = scope_.size();
    std::vector<Index> over;
    for (std::size_t k = 0; k < 1 + below(2); ++k) over.push_back(b_->range(static_cast<std::int64_t>(below(4))));
    std::vector<E> types = {type};
    const E others[] = {E::i1, E::f32, E::i32, E::c64};
    while (types.size() < 3 && chance(2)) types.push_back(others[below(4)]);
    const std::size_t number = below(types.size());
    std::swap(types[0], types[number]);
    std::vector<Term> init;
    for (const E t : types) init.push_back(term(t, depth - 2));
    scope_.insert(scope_.end(), over.begin(), over.end());
    std::vector<Term> bodies;
    for (const E t : types) bodies.push_back(term(t, depth - 1));
    const std::vector<Guard> where = guards();
    scope_.resize(outside);
    std::vector<Term> arguments;
    for (std::size_t k = 0; k < 2 * types.size(); ++k) arguments.push_back(b_->argument(k, types[k % types.size()]));
    std::vector<Term> combine;
    for (std::size_t k = 0; k < types.size(); ++k) {
      Term both = function(types[k], [&] { return arguments[k + (chance(2) ? types.size() : 0)]; });
      for (std::size_t j = 0; j < arguments.size(); ++j) {
        if (types[j % types.size()] == E::i1 && chance(2))
          both = b_->apply(F::select, types[k], {arguments[j], both, arguments[k]});
      }
      combine.push_back(both);
    }
    return b_->reduce(number, over, where, combine, init, bodies);
  }

  std::mt19937_64 random_;
  const std::vector<Type>& results_;
  MeaningBuilder* b_ = nullptr;
  std::vector<Index> scope_;  ///< the bound ranges
};

TEST(RandomMeanings, AreTheSameByBlocksAndByElements) {
  std::size_t folds = 0;
  std::size_t several = 0;
  EXPECT_TRUE(rc::check("blocks and elements agree", [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const E types[] = {E::f32, E::c64, E::i32, E::i1, E::bf16};
    const std::vector<std::vector<std::int64_t>> shapes = {{}, {3}, {2, 3}, {4, 1, 2}, {260}, {2, 257}};
    for (int trial = 0; trial < 6; ++trial) {
      const std::size_t shape = random() % (trial == 0 ? shapes.size() : 4);
      const std::vector<Type> results = {TensorType{types[random() % std::size(types)], shapes[shape]}};
      const Meaning meaning = Author(random(), results).write();
      for (const ScalarTerm& t : meaning.scalars) {
        folds += t.kind == ScalarTerm::Kind::reduce ? 1 : 0;
        several += t.combine.size() > 1 ? 1 : 0;
      }
      for (const Domain* domain : {&native_domain(), &modular_domain()}) {
        std::vector<Tensor> operands;
        for (const Type& t : kOperands) operands.push_back(varied_tensor(*t, random(), *domain));
        std::vector<const Tensor*> pointers;
        for (const Tensor& t : operands) pointers.push_back(&t);
        const Tensor blocks = CompiledMeaning(meaning, kOperands, results, nullptr).run(pointers, *domain)[0];
        const Tensor wanted = Naive(meaning, operands, nullptr, *domain).result(0, *results[0]);
        RC_ASSERT(blocks.data.size() == wanted.data.size());
        for (std::size_t k = 0; k < wanted.data.size(); ++k) {
          if (domain->equal(wanted.data[k], blocks.data[k], results[0]->element)) continue;
          RC_FAIL(fmt::format("element {}: want {}, found {}; {}\n{}", k,
                              domain->to_double(wanted.data[k], results[0]->element),
                              domain->to_double(blocks.data[k], results[0]->element), domain->name(), meaning.str()));
        }
      }
    }
  }));
  fmt::print("{} folds, {} of several values\n", folds, several);
  EXPECT_GT(several, 100U);
}

}  // namespace
}  // namespace partir
