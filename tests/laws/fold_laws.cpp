// Laws of loops that combine with a monoid, as random test cases. Each is checked in the sequential reading and in the
// parallel one (tests/laws/loop_program.h).
#include "tests/laws/law.h"
#include "tests/laws/loop_program.h"
#include "tests/laws/random_cases.h"

namespace partir::testing {
namespace {

using Both = LoopProgram::Both;
using Index = LoopProgram::Index;

/// A loop that combines f(chunk r of an argument) over all r.
struct Combination {
  Fold fold;
  LoopProgram p{{some_size()}};
  std::size_t rank = pick<std::size_t>(1, 4);
  Dim dim = pick<Dim>(0, rank);
  std::string f = some_unary(fold.element);
  TensorType whole = some_type(fold.element, rank, {{dim, p.size(0)}});
  TensorType part = whole;

  explicit Combination(Fold of) : fold(of) { part.dims[dim] /= p.size(0); }

  Both loop(const std::function<Both(const Index&)>& body) { return p.loop(0, fold.action(), body); }
  Both chunk(const Both& x, const Index& r) { return p.elementwise(f, {p.slice(dim, x, r)}); }
  /// Returns whether applying `after` to the combined value equals combining the results of `after`.
  bool passes(const std::function<Both(const Both&)>& after) {
    const Both x = p.argument(whole);
    return p.equal(after(loop([&](const Index& r) { return chunk(x, r); })),
                   loop([&](const Index& r) { return after(chunk(x, r)); }));
  }
};

Fold some_sum() { return {Monoid::sum, some_number()}; }

bool reduction_splitting() {
  Combination c(some_fold());
  const Both x = c.p.argument(c.whole);
  return c.p.equal(c.p.reduce(c.fold.monoid, x, c.dim),
                   c.loop([&](const Index& r) { return c.p.reduce(c.fold.monoid, c.p.slice(c.dim, x, r), c.dim); }));
}

bool contraction_splitting() {
  Combination c(some_sum());
  const std::int64_t k = c.p.size(0) * pick<std::int64_t>(1, 3);
  const Both x = c.p.argument(c.whole.with_dims({2, k}));
  const Both y = c.p.argument(c.whole.with_dims({k, 3}));
  const OpText dot{"stablehlo.dot_general", ", contracting_dims = [1] x [0]", c.whole.with_dims({2, 3})};
  return c.p.equal(c.p.apply(dot, {x, y}), c.loop([&](const Index& r) {
    return c.p.apply(dot, {c.p.slice(1, x, r), c.p.slice(0, y, r)});
  }));
}

bool linear_over_sum() {
  Combination c(some_sum());
  const std::int64_t last = c.part.dims.back();
  const OpText dot{"stablehlo.dot_general", fmt::format(", contracting_dims = [{}] x [0]", c.rank - 1), c.part};
  switch (pick(0, 4)) {
    case 0: return c.passes([&](const Both& v) { return c.p.elementwise("stablehlo.negate", {v}); });
    case 1: {
      const Both w = c.p.argument(c.part);
      return c.passes([&](const Both& v) { return c.p.elementwise("stablehlo.multiply", {w, v}); });
    }
    case 2: {
      const Both w = c.p.argument(c.part.with_dims({last, last}));
      return c.passes([&](const Both& v) { return c.p.apply(dot, {v, w}); });
    }
    default: return c.passes([&](const Both& v) { return c.p.elementwise("stablehlo.add", {v, v}); });
  }
}

bool moves_over_fold() {
  Combination c(some_fold());
  const OpText move = some_move(c.part);
  return c.passes([&](const Both& v) { return c.p.apply(move, {v}); });
}

bool reduce_over_fold() {
  Combination c(some_fold());
  const auto over = pick<Dim>(0, c.rank);
  return c.passes([&](const Both& v) { return c.p.reduce(c.fold.monoid, v, over); });
}

/// Compares `combiner` of two loops' results with one loop over `combiner` of their bodies.
bool joined(Combination c, const std::string& combiner) {
  const Both x = c.p.argument(c.whole);
  const Both y = c.p.argument(c.whole);
  return c.p.equal(c.p.elementwise(combiner, {c.loop([&](const Index& r) { return c.chunk(x, r); }),
                                              c.loop([&](const Index& r) { return c.p.slice(c.dim, y, r); })}),
                   c.loop([&](const Index& r) {
                     return c.p.elementwise(combiner, {c.chunk(x, r), c.p.slice(c.dim, y, r)});
                   }));
}

bool fold_of_combination() {
  const Fold fold = some_fold();
  return joined(Combination(fold), fold.combiner());
}

/// max and min, and conjunction and disjunction: each passes through a fold with itself and with the other of its pair.
bool lattice_over_fold() {
  const bool bits = *rc::gen::arbitrary<bool>();
  const Monoid pair[] = {bits ? Monoid::conj : Monoid::max, bits ? Monoid::disj : Monoid::min};
  Combination c({pair[pick(0, 2)], bits ? *rc::gen::element(ElementType::i1, ElementType::i32) : some_number()});
  const std::string outer(combiner_of(pair[pick(0, 2)]));
  const Both w = c.p.argument(c.part);
  return c.passes([&](const Both& v) { return c.p.elementwise(outer, {v, w}); });
}

/// Compares x with the combination of x with itself, once per iteration.
bool combined_with_itself(Fold fold) {
  Combination c(fold);
  const Both x = c.p.argument(c.whole);
  return c.p.equal(x, c.loop([&](const Index&) { return x; }));
}

bool idempotent_fold() {
  Fold fold = some_fold();
  while (fold.monoid == Monoid::sum || fold.monoid == Monoid::prod) fold = some_fold();
  return combined_with_itself(fold);
}

bool exp_of_sum() {
  Combination c({Monoid::sum, ElementType::f32});
  return c.passes([&](const Both& v) { return c.p.elementwise("stablehlo.exponential", {v}); });
}

bool product_of_sums() { return joined(Combination(some_sum()), "stablehlo.multiply"); }

bool whole_added_to_sum() {
  Combination c(some_sum());
  const Both w = c.p.argument(c.part);
  return c.passes([&](const Both& v) { return c.p.elementwise("stablehlo.add", {v, w}); });
}

bool maximum_of_sum() {
  Combination c(some_sum());
  const auto over = pick<Dim>(0, c.rank);
  return c.passes([&](const Both& v) { return c.p.reduce(Monoid::max, v, over); });
}

bool splitting_from_another_value() {
  Combination c({Monoid::sum, ElementType::i32});
  const Both x = c.p.argument(c.whole);
  return c.p.equal(c.p.reduce(Monoid::sum, x, c.dim, "7"),
                   c.loop([&](const Index& r) { return c.p.reduce(Monoid::sum, c.p.slice(c.dim, x, r), c.dim, "7"); }));
}

}  // namespace

Laws fold_laws() {
  return {{{"reduction-splitting", reduction_splitting},
           {"contraction-splitting", contraction_splitting},
           {"linear-over-sum", linear_over_sum},
           {"moves-over-fold", moves_over_fold},
           {"reduce-over-fold", reduce_over_fold},
           {"fold-of-combination", fold_of_combination},
           {"lattice-over-fold", lattice_over_fold},
           {"idempotent-fold", idempotent_fold}},
          {{"exp-of-sum", exp_of_sum},
           {"product-of-sums", product_of_sums},
           {"whole-added-to-sum", whole_added_to_sum},
           {"maximum-of-sum", maximum_of_sum},
           {"sum-of-invariant", [] { return combined_with_itself(some_sum()); }},
           {"splitting-from-another-value", splitting_from_another_value}}};
}

}  // namespace partir::testing
