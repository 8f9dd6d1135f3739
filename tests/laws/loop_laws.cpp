// Laws of loops that tile, or that yield replicated values, as random test cases. Each is checked in the sequential
// reading and in the parallel one (tests/laws/loop_program.h).
#include "tests/laws/law.h"
#include "tests/laws/loop_program.h"
#include "tests/laws/random_cases.h"

namespace partir::testing {
namespace {

using Both = LoopProgram::Both;
using Index = LoopProgram::Index;

/// Returns a random action for values of the fold's type: tiling of some dimension, or combination by the monoid.
Action some_action(const Fold& fold, std::size_t rank) {
  return *rc::gen::arbitrary<bool>() ? Action::tile(pick<Dim>(0, rank)) : fold.action();
}

/// Compares two nestings of the same loops, a outside b and b outside a. Their body is an elementwise function of chunk
/// r along one dimension and chunk s along another.
bool commute(ElementType element, std::size_t rank, const Action& over_a, const Action& over_b) {
  LoopProgram p({some_size(), some_size()});
  const auto [d, e] = two_dims(rank);
  const Both x = p.argument(some_type(element, rank, {{d, p.size(0)}, {e, p.size(1)}}));
  const std::string f = some_unary(element);
  const auto body = [&, d = d, e = e](const Index& r, const Index& s) {
    return p.elementwise(f, {p.slice(e, p.slice(d, x, r), s)});
  };
  const Both y =
      p.loop(0, over_a, [&](const Index& r) { return p.loop(1, over_b, [&](const Index& s) { return body(r, s); }); });
  const Both z =
      p.loop(1, over_b, [&](const Index& s) { return p.loop(0, over_a, [&](const Index& r) { return body(r, s); }); });
  return p.equal(y, z);
}

/// Random parameters of a program whose loops slice one dimension.
struct Cut {
  LoopProgram p;
  std::size_t rank = pick<std::size_t>(1, 4);
  Dim dim = pick<Dim>(0, rank);
  Fold fold = some_fold();
  std::string f = some_unary(fold.element);
  explicit Cut(const std::vector<std::int64_t>& sizes) : p(sizes) {}
  Both argument(std::int64_t n) { return p.argument(some_type(fold.element, rank, {{dim, n}})); }
};

bool tile_of_slice() {
  Cut c({some_size()});
  const Both x = c.argument(c.p.size(0));
  return c.p.equal(x, c.p.loop(0, Action::tile(c.dim), [&](const Index& r) { return c.p.slice(c.dim, x, r); }));
}

/// Compares a loop that tiles followed by a loop that reads its chunks, applying a second function if `after`, with one
/// loop that does both.
bool fused(bool after) {
  Cut c({some_size()});
  const auto from = pick<Dim>(0, c.rank);  // the dimension that the first loop slices
  const Both x = c.p.argument(some_type(c.fold.element, c.rank, {{from, c.p.size(0)}}));
  const std::string g = some_unary(c.fold.element);
  const auto first = [&](const Index& r) { return c.p.elementwise(g, {c.p.slice(from, x, r)}); };
  const auto second = [&](const Both& v) { return after ? c.p.elementwise(c.f, {v}) : v; };
  const Action action = some_action(c.fold, c.rank);
  const Both y = c.p.loop(0, Action::tile(c.dim), first);
  return c.p.equal(c.p.loop(0, action, [&](const Index& r) { return second(c.p.slice(c.dim, y, r)); }),
                   c.p.loop(0, action, [&](const Index& r) { return second(first(r)); }));
}

bool elementwise_over_tile() {
  Cut c({some_size()});
  const TensorType type = some_type(c.fold.element, c.rank, {{c.dim, c.p.size(0)}});
  const Both x = c.p.argument(type);
  const Both y = c.p.argument(type);
  const auto tile = [&](const std::function<Both(const Index&)>& body) {
    return c.p.loop(0, Action::tile(c.dim), body);
  };
  const auto chunk_x = [&](const Index& r) { return c.p.elementwise(c.f, {c.p.slice(c.dim, x, r)}); };
  const auto chunk_y = [&](const Index& r) { return c.p.slice(c.dim, y, r); };
  return c.p.equal(c.p.elementwise(c.fold.combiner(), {tile(chunk_x), tile(chunk_y)}), tile([&](const Index& r) {
                     return c.p.elementwise(c.fold.combiner(), {chunk_x(r), chunk_y(r)});
                   }));
}

/// Compares loops over two axes that slice the same dimension, the outer axis major, with one loop over an axis of the
/// product of their sizes.
bool nested_axes(bool tiles) {
  const std::int64_t n = some_size();
  const std::int64_t m = pick<std::int64_t>(1, 3);
  Cut c({n, m, n * m});
  const Both x = c.argument(n * m);
  const Action action = tiles ? Action::tile(pick<Dim>(0, c.rank)) : c.fold.action();
  const Both y = c.p.loop(0, action, [&](const Index& r) {
    const Both part = c.p.slice(c.dim, x, r);
    return c.p.loop(1, action, [&](const Index& s) { return c.p.elementwise(c.f, {c.p.slice(c.dim, part, s)}); });
  });
  return c.p.equal(y,
                   c.p.loop(2, action, [&](const Index& t) { return c.p.elementwise(c.f, {c.p.slice(c.dim, x, t)}); }));
}

bool any_of_invariant() {
  Cut c({some_size(), some_size()});
  const Both x = c.argument(c.p.size(1));
  // A value that varies along another axis may be computed inside the loop.
  const auto inner = [&] {
    return c.p.loop(1, Action::tile(c.dim),
                    [&](const Index& s) { return c.p.elementwise(c.f, {c.p.slice(c.dim, x, s)}); });
  };
  return c.p.equal(c.p.loop(0, Action::any(), [&](const Index&) { return inner(); }), inner());
}

bool invariant_moves_out() {
  Cut c({some_size()});
  const Both x = c.argument(c.p.size(0));
  const Action action = some_action(c.fold, c.rank);
  TensorType part = x.type();
  part.dims[c.dim] /= c.p.size(0);
  const Both w = c.p.argument(part);
  const auto with = [&](const Index& r, const Both& v) {
    return c.p.elementwise(c.fold.combiner(), {c.p.slice(c.dim, x, r), v});
  };
  const Both outside = c.p.elementwise(c.f, {w});
  return c.p.equal(c.p.loop(0, action, [&](const Index& r) { return with(r, c.p.elementwise(c.f, {w})); }),
                   c.p.loop(0, action, [&](const Index& r) { return with(r, outside); }));
}

bool nested_axes_swapped() {
  Cut c({some_size(), some_size()});
  const Both x = c.argument(c.p.size(0) * c.p.size(1));
  const Action tile = Action::tile(c.dim);
  return c.p.equal(x, c.p.loop(1, tile, [&](const Index& s) {
    return c.p.loop(0, tile, [&](const Index& r) { return c.p.slice(c.dim, c.p.slice(c.dim, x, r), s); });
  }));
}

bool slice_of_wrong_dim() {
  LoopProgram p({some_size()});
  const std::int64_t k = p.size(0) * pick<std::int64_t>(1, 3);
  const Both x = p.argument(TensorType{some_element(), {k, k}});
  const TensorType rows = x.type().with_dims({k / p.size(0), k});
  return p.equal(x, p.loop(0, Action::tile(0), [&](const Index& r) {
    return p.apply({"stablehlo.reshape", "", rows}, {p.slice(1, x, r)});
  }));
}

/// A wrong law: reverse mixes the elements along the tiled dimension.
bool reverse_of_tile() {
  Cut c({some_size()});
  const Both x = c.argument(c.p.size(0));
  const auto reversed = [&](const Both& v) {
    return c.p.apply({"stablehlo.reverse", fmt::format(", dims = [{}]", c.dim), v.type()}, {v});
  };
  return c.p.equal(reversed(x),
                   c.p.loop(0, Action::tile(c.dim), [&](const Index& r) { return reversed(c.p.slice(c.dim, x, r)); }));
}

bool tiles_commute(bool same_dim) {
  const auto rank = pick<std::size_t>(2, 4);
  const auto [d, e] = two_dims(rank);
  return commute(some_element(), rank, Action::tile(d), Action::tile(same_dim ? d : e));
}

bool fold_of_tile() {
  const Fold fold = some_fold();
  const auto rank = pick<std::size_t>(2, 4);
  return commute(fold.element, rank, fold.action(), Action::tile(pick<Dim>(0, rank)));
}

bool folds_commute(bool same_monoid) {
  const Fold fold = some_fold();
  Fold other = fold;
  while (!same_monoid && (other.monoid == fold.monoid || other.element != fold.element)) other = some_fold();
  return commute(fold.element, pick<std::size_t>(2, 4), fold.action(), other.action());
}

}  // namespace

Laws loop_laws() {
  return {{{"tile-of-slice", tile_of_slice},
           {"slice-of-tile", [] { return fused(false); }},
           {"loop-fusion", [] { return fused(true); }},
           {"elementwise-over-tile", elementwise_over_tile},
           {"nested-tiles", [] { return nested_axes(true); }},
           {"nested-folds", [] { return nested_axes(false); }},
           {"tiles-commute", [] { return tiles_commute(false); }},
           {"fold-of-tile", fold_of_tile},
           {"folds-commute", [] { return folds_commute(true); }},
           {"any-of-invariant", any_of_invariant},
           {"invariant-moves-out", invariant_moves_out}},
          {{"nested-axes-swapped", nested_axes_swapped},
           {"slice-of-wrong-dim", slice_of_wrong_dim},
           {"reverse-of-tile", reverse_of_tile},
           {"tiles-of-one-dimension-commute", [] { return tiles_commute(true); }},
           {"different-folds-commute", [] { return folds_commute(false); }}}};
}

}  // namespace partir::testing
