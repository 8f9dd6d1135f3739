// Laws of collectives, as random test cases: a grid of replicas and partitions, and groups read in each way that the
// operation allows. Their proofs are in proofs_notes/.
#include <algorithm>

#include "tests/laws/law.h"
#include "tests/laws/random_cases.h"

namespace partir::testing {
namespace {

/// Random groups on a random grid of devices, and a program for that grid on values of a random type.
struct Case {
  Devices devices = some_devices();
  Groups groups;
  DeviceProgram p{devices};
  std::size_t rank;
  Dim dim;
  Fold fold = some_fold();
  explicit Case(Groups (*some)(const Devices&), std::size_t least_rank = 1)
      : groups(some(devices)), rank(pick<std::size_t>(least_rank, 4)), dim(pick<Dim>(0, rank)) {}
  [[nodiscard]] std::int64_t n() const { return groups.size(); }
  [[nodiscard]] TensorType type(std::int64_t divisor = 1) const {
    return some_type(fold.element, rank, {{dim, divisor}});
  }
  Value own_chunk(const Value& x, Dim along) { return p.chunk(x, along, n(), p.position(groups)); }
};

// --- Gathering and slicing -------------------------------------------------------------------------------------------

bool gather_of_slices() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type(c.n()), c.groups.devices);
  return c.p.equal(x, c.p.all_gather(c.own_chunk(x, c.dim), c.dim, c.groups));
}

bool slice_of_gather() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type());
  return c.p.equal(x, c.own_chunk(c.p.all_gather(x, c.dim, c.groups), c.dim));
}

bool gather_of_elementwise() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type());
  const std::string f = some_unary(c.fold.element);
  return c.p.equal(c.p.elementwise(f, {c.p.all_gather(x, c.dim, c.groups)}),
                   c.p.all_gather(c.p.elementwise(f, {x}), c.dim, c.groups));
}

bool gather_of_transpose() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type());
  const Ids order = some_order(static_cast<std::int64_t>(c.rank));
  const auto transposed = [&](const Value& v) {
    TensorType to = v.type;
    for (std::size_t d = 0; d < c.rank; ++d) to.dims[d] = v.type.dims[static_cast<std::size_t>(order[d])];
    return c.p.apply({"stablehlo.transpose", fmt::format(", dims = {}", order), to}, {v});
  };
  const auto after =
      static_cast<Dim>(std::find(order.begin(), order.end(), static_cast<std::int64_t>(c.dim)) - order.begin());
  return c.p.equal(transposed(c.p.all_gather(x, c.dim, c.groups)), c.p.all_gather(transposed(x), after, c.groups));
}

/// The gathered value is reshaped so that both sides have the same type.
bool gather_of_wrong_dim() {
  Case c(some_replica_groups, 2);
  const Value x = c.p.argument(c.type(c.n()), c.groups.devices);
  const Dim other = (c.dim + 1) % c.rank;
  const Value y = c.p.all_gather(c.own_chunk(x, c.dim), other, c.groups);
  return c.p.equal(x, c.p.apply({"stablehlo.reshape", "", x.type}, {y}));
}

// --- Reducing and scattering -----------------------------------------------------------------------------------------

bool reduce_scatter_splits() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type(c.n()));
  return c.p.equal(c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.groups),
                   c.own_chunk(c.p.all_reduce(x, c.fold.monoid, c.groups), c.dim));
}

bool all_reduce_splits() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type(c.n()));
  return c.p.equal(c.p.all_reduce(x, c.fold.monoid, c.groups),
                   c.p.all_gather(c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.groups), c.dim, c.groups));
}

bool all_reduce_gathers() {
  Case c(some_replica_groups);
  const Value x = c.p.argument(c.type());
  TensorType row = x.type;
  row.dims.insert(row.dims.begin(), 1);
  const Value rows = c.p.all_gather(c.p.apply({"stablehlo.reshape", "", row}, {x}), 0, c.groups);
  return c.p.equal(c.p.all_reduce(x, c.fold.monoid, c.groups), c.p.reduce(c.fold.monoid, rows, 0));
}

/// Returns whether `after` gives the same value before and after an all_reduce.
bool passes(Case& c, const TensorType& type, const std::function<Value(const Value&)>& after) {
  const Value x = c.p.argument(type);
  return c.p.equal(after(c.p.all_reduce(x, c.fold.monoid, c.groups)),
                   c.p.all_reduce(after(x), c.fold.monoid, c.groups));
}

bool moves_over_all_reduce() {
  Case c(some_replica_groups);
  const TensorType type = c.type();
  const OpText move = some_move(type);
  return passes(c, type, [&](const Value& v) { return c.p.apply(move, {v}); });
}

bool reduce_over_all_reduce() {
  Case c(some_replica_groups);
  return passes(c, c.type(), [&](const Value& v) { return c.p.reduce(c.fold.monoid, v, c.dim); });
}

bool linear_over_all_reduce() {
  Case c(some_replica_groups);
  c.fold = {Monoid::sum, some_number()};
  const TensorType type = c.type();
  const Value w = c.p.argument(type, c.groups.devices);
  const bool scales = pick(0, 2) == 0;
  return passes(c, type, [&](const Value& v) {
    return scales ? c.p.elementwise("stablehlo.multiply", {v, w}) : c.p.elementwise("stablehlo.negate", {v});
  });
}

bool all_reduce_of(const std::string& combiner, const Fold& fold) {
  Case c(some_replica_groups);
  c.fold = fold;
  const Value x = c.p.argument(c.type());
  const Value y = c.p.argument(x.type);
  const auto reduced = [&](const Value& v) { return c.p.all_reduce(v, fold.monoid, c.groups); };
  return c.p.equal(reduced(c.p.elementwise(combiner, {x, y})), c.p.elementwise(combiner, {reduced(x), reduced(y)}));
}

bool all_reduce_of_combination() {
  const Fold fold = some_fold();
  return all_reduce_of(fold.combiner(), fold);
}

bool all_reduce_twice(bool idempotent) {
  Case c(some_replica_groups);
  if (!idempotent) c.fold = {Monoid::sum, some_number()};
  while (idempotent && (c.fold.monoid == Monoid::sum || c.fold.monoid == Monoid::prod)) c.fold = some_fold();
  const Value once = c.p.all_reduce(c.p.argument(c.type()), c.fold.monoid, c.groups);
  return c.p.equal(once, c.p.all_reduce(once, c.fold.monoid, c.groups));
}

bool scaled_by_own_value() {
  Case c(some_replica_groups);
  c.fold = {Monoid::sum, some_number()};
  const TensorType type = c.type();
  const Value w = c.p.argument(type);
  return passes(c, type, [&](const Value& v) { return c.p.elementwise("stablehlo.multiply", {v, w}); });
}

bool whole_added_before_all_reduce() {
  Case c(some_replica_groups);
  c.fold = {Monoid::sum, some_number()};
  const TensorType type = c.type();
  const Value w = c.p.argument(type, c.groups.devices);
  return passes(c, type, [&](const Value& v) { return c.p.elementwise("stablehlo.add", {v, w}); });
}

bool exp_before_all_reduce() {
  Case c(some_replica_groups);
  c.fold = {Monoid::sum, ElementType::f32};
  return passes(c, c.type(), [&](const Value& v) { return c.p.elementwise("stablehlo.exponential", {v}); });
}

// --- All to all ------------------------------------------------------------------------------------------------------

bool all_to_all_splits() {
  Case c(some_channel_groups, 2);
  const auto [split, concat] = two_dims(c.rank);
  const Value x = c.p.argument(some_type(c.fold.element, c.rank, {{split, c.n()}}));
  return c.p.equal(c.p.all_to_all(x, split, concat, c.groups),
                   c.own_chunk(c.p.all_gather(x, concat, flattened(c.groups)), split));
}

/// The two dimensions may be the same one, in which case all_to_all is its own inverse.
bool all_to_all_inverts() {
  Case c(some_channel_groups);
  const Dim concat = pick<Dim>(0, c.rank);
  const Value x = c.p.argument(c.type(c.n()));
  return c.p.equal(x, c.p.all_to_all(c.p.all_to_all(x, c.dim, concat, c.groups), concat, c.dim, c.groups));
}

/// The same all_to_all twice, without exchanging the two dimensions. The result is reshaped so that both sides have the
/// same type.
bool all_to_all_twice() {
  Case c(some_channel_groups, 2);
  const auto [split, concat] = two_dims(c.rank);
  const Value x = c.p.argument(some_type(c.fold.element, c.rank, {{split, c.n() * c.n()}}));
  const Value y = c.p.all_to_all(c.p.all_to_all(x, split, concat, c.groups), split, concat, c.groups);
  return c.p.equal(x, c.p.apply({"stablehlo.reshape", "", x.type}, {y}));
}

// --- Broadcast, several operands -------------------------------------------------------------------------------------

/// The groups need not name all devices; the others receive zeros.
bool broadcast_selects(bool first) {
  Case c(some_channel_groups);
  c.fold = {*rc::gen::element(Monoid::sum, Monoid::max), ElementType::ui32};
  if (c.groups.written.size() > 1 && pick(0, 2) == 0) c.groups.written.pop_back();
  c.groups = read_groups(c.groups.written, c.groups.reading, c.devices);
  const auto count = static_cast<std::size_t>(c.devices.count());
  Ids is_source(count, 0);
  Ids named(count, 0);
  Groups all = flattened(c.groups);
  for (const Ids& group : c.groups.devices) {
    is_source[static_cast<std::size_t>(first ? group.front() : group.back())] = 1;
    for (const std::int64_t id : group) named[static_cast<std::size_t>(id)] = 1;
  }
  const Value x = c.p.argument(c.type());
  for (std::size_t d = 0; d < count; ++d) {  // each unnamed device gets a group of its own, padded with -1
    if (named[d] != 0) continue;
    all.written.emplace_back(static_cast<std::size_t>(c.n()), -1);
    all.written.back()[0] = static_cast<std::int64_t>(d);
  }
  return c.p.equal(c.p.broadcast(x, c.groups), c.p.all_reduce(c.p.where(is_source, x), c.fold.monoid, all));
}

/// Collectives with two operands of different shapes, against one collective for each.
bool operands_together() {
  const std::string name = *rc::gen::element<std::string>("all_reduce", "all_gather", "all_to_all");
  Case c(name == "all_to_all" ? some_channel_groups : some_replica_groups);
  std::optional<Monoid> fold;
  std::string attributes;
  if (name == "all_reduce") fold = c.fold.monoid;
  if (name == "all_gather") attributes = fmt::format("all_gather_dim = {} : i64", c.dim);
  if (name == "all_to_all")
    attributes =
        fmt::format("concat_dimension = {0} : i64, split_count = {1} : i64, split_dimension = {0} : i64", c.dim, c.n());
  std::vector<Value> x;
  std::vector<TensorType> results;
  for (int k = 0; k < 2; ++k) {
    x.push_back(c.p.argument(c.type(c.n())));
    results.push_back(x.back().type);
    if (name == "all_gather") results.back().dims[c.dim] *= c.n();
  }
  const auto together = c.p.collective(name, attributes, c.groups, fold, x, results);
  bool out = true;
  for (std::size_t k = 0; k < 2; ++k)
    out = c.p.equal(together[k], c.p.collective(name, attributes, c.groups, fold, {x[k]}, {results[k]})[0]) && out;
  return out;
}

}  // namespace

Laws collective_laws() {
  return {{{"gather-of-slices", gather_of_slices},
           {"slice-of-gather", slice_of_gather},
           {"gather-of-elementwise", gather_of_elementwise},
           {"gather-of-transpose", gather_of_transpose},
           {"reduce-scatter-splits", reduce_scatter_splits},
           {"all-reduce-splits", all_reduce_splits},
           {"all-reduce-gathers", all_reduce_gathers},
           {"moves-over-all-reduce", moves_over_all_reduce},
           {"reduce-over-all-reduce", reduce_over_all_reduce},
           {"linear-over-all-reduce", linear_over_all_reduce},
           {"all-reduce-of-combination", all_reduce_of_combination},
           {"idempotent-all-reduce", [] { return all_reduce_twice(true); }},
           {"all-to-all-splits", all_to_all_splits},
           {"all-to-all-inverts", all_to_all_inverts},
           {"broadcast-selects", [] { return broadcast_selects(true); }},
           {"operands-together", operands_together}},
          {{"gather-of-wrong-dim", gather_of_wrong_dim},
           {"all-reduce-twice", [] { return all_reduce_twice(false); }},
           {"product-of-all-reduces",
            [] {
              return all_reduce_of("stablehlo.multiply", {Monoid::sum, some_number()});
            }},
           {"scaled-by-own-value", scaled_by_own_value},
           {"whole-added-before-all-reduce", whole_added_before_all_reduce},
           {"exp-before-all-reduce", exp_before_all_reduce},
           {"all-to-all-twice", all_to_all_twice},
           {"broadcast-of-the-last", [] { return broadcast_selects(false); }}}};
}

}  // namespace partir::testing
