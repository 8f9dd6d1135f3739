// Laws of replica groups, as random test cases: how ids are interpreted, how groups over two axes refine into groups
// over one, and where the order of the devices in a group matters.
#include <algorithm>

#include "tests/laws/law.h"
#include "tests/laws/random_cases.h"

namespace partir::testing {
namespace {

// --- Refinement: axes a and b of a mesh whose devices are in a random order ------------------------------------------

struct TwoAxes {
  Mesh mesh{{{"a", some_size()}, {"b", some_size()}, {"c", some_size()}}};
  Ids order = some_order(mesh.devices());
  DeviceProgram p{{1, mesh.devices()}};
  Fold fold = some_fold();
  std::size_t rank = pick<std::size_t>(1, 4);
  Dim dim = pick<Dim>(0, rank);
  Groups a = along({Axis(0)});
  Groups b = along({Axis(1)});
  Groups both = along({Axis(0), Axis(1)});  ///< a is the major one

  [[nodiscard]] Groups along(const std::vector<Axis>& axes) const {
    std::vector<Ids> out = mesh.groups(axes);
    for (Ids& group : out) {
      for (std::int64_t& id : group) id = order[static_cast<std::size_t>(id)];
    }
    return read_groups(std::move(out), Reading::flattened, p.devices());
  }
  Value argument(std::int64_t divisor = 1) { return p.argument(some_type(fold.element, rank, {{dim, divisor}})); }
};

bool all_reduces_compose() {
  TwoAxes c;
  const Value x = c.argument();
  return c.p.equal(c.p.all_reduce(c.p.all_reduce(x, c.fold.monoid, c.a), c.fold.monoid, c.b),
                   c.p.all_reduce(x, c.fold.monoid, c.both));
}

bool reduce_scatters_compose(bool major_first) {
  TwoAxes c;
  const Value x = c.argument(c.both.size());
  const Groups& first = major_first ? c.a : c.b;
  const Groups& second = major_first ? c.b : c.a;
  return c.p.equal(c.p.reduce_scatter(c.p.reduce_scatter(x, c.fold.monoid, c.dim, first), c.fold.monoid, c.dim, second),
                   c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.both));
}

bool gathers_compose(bool minor_first) {
  TwoAxes c;
  const Value x = c.argument();
  const Groups& first = minor_first ? c.b : c.a;
  const Groups& second = minor_first ? c.a : c.b;
  return c.p.equal(c.p.all_gather(c.p.all_gather(x, c.dim, first), c.dim, second), c.p.all_gather(x, c.dim, c.both));
}

/// Reductions by two different monoids, one along each axis.
bool different_all_reduces_commute() {
  TwoAxes c;
  Fold other = c.fold;
  while (other.monoid == c.fold.monoid || other.element != c.fold.element) other = some_fold();
  const Value x = c.argument();
  return c.p.equal(c.p.all_reduce(c.p.all_reduce(x, c.fold.monoid, c.a), other.monoid, c.b),
                   c.p.all_reduce(c.p.all_reduce(x, other.monoid, c.b), c.fold.monoid, c.a));
}

// --- Order within groups ---------------------------------------------------------------------------------------------

/// Flattened groups in `groups`; `other` is the same with each group's devices permuted by `by`.
struct Reordered {
  Devices devices = some_devices();
  Groups groups = some_groups(devices, {Reading::flattened});
  Ids by = some_order(groups.size());
  Groups other = groups;
  DeviceProgram p{devices};
  Fold fold = some_fold();
  std::size_t rank = pick<std::size_t>(1, 4);
  Dim dim = pick<Dim>(0, rank);

  Reordered() {
    for (std::size_t g = 0; g < groups.written.size(); ++g) {
      for (std::size_t k = 0; k < by.size(); ++k)
        other.written[g][k] = groups.written[g][static_cast<std::size_t>(by[k])];
    }
    other = read_groups(other.written, Reading::flattened, devices);
  }
  Value argument(std::int64_t divisor = 1) { return p.argument(some_type(fold.element, rank, {{dim, divisor}})); }
};

bool all_reduce_in_any_order() {
  Reordered c;
  std::reverse(c.other.written.begin(), c.other.written.end());
  const Value x = c.argument();
  return c.p.equal(c.p.all_reduce(x, c.fold.monoid, c.groups), c.p.all_reduce(x, c.fold.monoid, c.other));
}

/// The groups are listed in another order; each group itself is unchanged.
bool groups_in_any_order() {
  Reordered c;
  c.other = c.groups;
  std::reverse(c.other.written.begin(), c.other.written.end());
  const Value x = c.argument(c.groups.size());
  if (pick(0, 2) == 0) return c.p.equal(c.p.all_gather(x, c.dim, c.groups), c.p.all_gather(x, c.dim, c.other));
  return c.p.equal(c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.groups),
                   c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.other));
}

bool gather_in_other_order(bool same) {
  Reordered c;
  const Value x = c.argument();
  const Value y = c.p.all_gather(x, c.dim, c.groups);
  if (same) return c.p.equal(y, c.p.all_gather(x, c.dim, c.other));
  std::vector<Value> chunks;
  for (const std::int64_t k : c.by)
    chunks.push_back(
        c.p.chunk(y, c.dim, c.groups.size(), c.p.constant(TensorType{ElementType::i32, {}}, fmt::format("{}", k))));
  return c.p.equal(c.p.all_gather(x, c.dim, c.other),
                   c.p.apply({"stablehlo.concatenate", fmt::format(", dim = {}", c.dim), y.type}, chunks));
}

bool scatter_in_other_order(bool same) {
  Reordered c;
  const Value x = c.argument(c.groups.size());
  const Value y = c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.groups);
  const Value z = c.p.reduce_scatter(x, c.fold.monoid, c.dim, c.other);
  if (same) return c.p.equal(y, z);
  // Chunk k is on the device at position k: of c.groups on the one side, of c.other on the other side.
  Ids from(static_cast<std::size_t>(c.devices.count()));
  for (std::size_t g = 0; g < c.groups.devices.size(); ++g) {
    for (std::size_t k = 0; k < c.by.size(); ++k)
      from[static_cast<std::size_t>(c.other.devices[g][k])] = c.groups.devices[g][k];
  }
  return c.p.equal(z, c.p.held_by(from, y));
}

// --- Readings: groups as written against the devices that the specification assigns to them ------------------------

bool read_as(Reading reading, const std::function<Groups(const Groups&, const Devices&)>& devices_of) {
  const Devices devices = some_devices();
  const Groups groups = some_groups(devices, {reading});
  const Groups listed = flattened(devices_of(groups, devices));
  DeviceProgram p(devices);
  const Fold fold = some_fold();
  const auto rank = pick<std::size_t>(2, 4);
  const auto [d, e] = two_dims(rank);
  const Value x = p.argument(some_type(fold.element, rank, {{d, groups.size()}}));
  const auto split = [&, d = d, e = e] {
    return p.chunk(p.all_gather(x, e, listed), d, listed.size(), p.position(listed));
  };
  if (reading == Reading::cross_partition) return p.equal(p.all_to_all(x, d, e, groups), split());
  switch (pick(0, reading == Reading::cross_replica ? 4 : 3)) {
    case 0: return p.equal(p.all_reduce(x, fold.monoid, groups), p.all_reduce(x, fold.monoid, listed));
    case 1: return p.equal(p.all_gather(x, e, groups), p.all_gather(x, e, listed));
    case 2: return p.equal(p.reduce_scatter(x, fold.monoid, d, groups), p.reduce_scatter(x, fold.monoid, d, listed));
    default: return p.equal(p.all_to_all(x, d, e, groups), split());
  }
}

bool read_right(Reading reading) {
  return read_as(reading, [](const Groups& g, const Devices&) { return g; });
}

/// Gathers the flattened id that each device computes for itself, and compares it with the ids of its group.
bool flattened_ids() {
  const Devices devices = some_devices();
  const Groups groups = some_groups(devices, {Reading::flattened});
  DeviceProgram p(devices);
  const TensorType id{ElementType::ui32, {}};
  const Value partitions = p.constant(id, fmt::format("{}", devices.partitions));
  const Value replica = p.apply({"stablehlo.replica_id", "", id}, {});
  const Value partition = p.apply({"stablehlo.partition_id", "", id}, {});
  const Value own =
      p.elementwise("stablehlo.add", {p.elementwise("stablehlo.multiply", {replica, partitions}), partition});
  std::vector<Ids> rows(static_cast<std::size_t>(devices.count()));  // by device: the ids of its group
  Ids row_numbers;
  for (const Ids& group : groups.written) {
    for (const std::int64_t d : group) rows[static_cast<std::size_t>(d)] = group;
  }
  for (std::int64_t d = 0; d < devices.count(); ++d) row_numbers.push_back(d);
  const Value table = p.constant(id.with_dims({devices.count(), groups.size()}), fmt::format("{}", rows));
  const Value row = p.chunk(table, 0, devices.count(), p.per_device(row_numbers));
  const TensorType list = id.with_dims({groups.size()});
  const Value gathered = p.all_gather(p.apply({"stablehlo.reshape", "", id.with_dims({1})}, {own}), 0, groups);
  return p.equal(p.apply({"stablehlo.reshape", "", list}, {row}), gathered);
}

/// Lists each group's devices with replicas as the major order; the specification has partitions major.
bool replicas_before_partitions() {
  return read_as(Reading::cross_replica_and_partition, [](const Groups& g, const Devices& devices) {
    Groups out = g;
    for (Ids& group : out.devices) {
      std::vector<std::int64_t> replicas(
          group.begin(), group.begin() + static_cast<std::ptrdiff_t>(group.size()) / devices.partitions);
      group.clear();
      for (const std::int64_t r : replicas) {
        for (std::int64_t q = 0; q < devices.partitions; ++q) group.push_back(r + q);
      }
    }
    return out;
  });
}

/// A channel makes the ids those of partitions. The grid is square, so that both interpretations are well-formed.
bool channel_changes_nothing() {
  const auto n = pick<std::int64_t>(1, 4);
  const Devices devices{n, n};
  Groups groups = some_groups(devices, {Reading::cross_replica});
  DeviceProgram p(devices);
  const Value x = p.argument(some_type(some_element(), 2, {{0, groups.size()}}));
  Groups other = groups;
  other.reading = Reading::cross_partition;
  return p.equal(p.all_to_all(x, 0, 1, groups), p.all_to_all(x, 0, 1, other));
}

/// An empty list of groups means one group of all ids, in order.
bool no_groups() {
  const Devices devices = some_devices();
  const Reading reading =
      *rc::gen::element(Reading::cross_replica, Reading::cross_replica_and_partition, Reading::flattened);
  Ids ids(static_cast<std::size_t>(reading == Reading::flattened ? devices.count() : devices.replicas));
  for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<std::int64_t>(k);
  const Groups all = read_groups({ids}, reading, devices);
  Groups none = all;
  none.written.clear();
  DeviceProgram p(devices);
  const Fold fold = some_fold();
  const Value x = p.argument(some_type(fold.element, 1, {{0, all.size()}}));
  switch (pick(0, 3)) {
    case 0: return p.equal(p.all_reduce(x, fold.monoid, all), p.all_reduce(x, fold.monoid, none));
    case 1: return p.equal(p.all_gather(x, 0, all), p.all_gather(x, 0, none));
    default: return p.equal(p.reduce_scatter(x, fold.monoid, 0, all), p.reduce_scatter(x, fold.monoid, 0, none));
  }
}

}  // namespace

Laws group_laws() {
  return {{{"all-reduces-compose", all_reduces_compose},
           {"reduce-scatters-compose", [] { return reduce_scatters_compose(true); }},
           {"gathers-compose", [] { return gathers_compose(true); }},
           {"all-reduce-in-any-order", all_reduce_in_any_order},
           {"groups-in-any-order", groups_in_any_order},
           {"gather-in-other-order", [] { return gather_in_other_order(false); }},
           {"scatter-in-other-order", [] { return scatter_in_other_order(false); }},
           {"flattened-ids", flattened_ids},
           {"cross-replica", [] { return read_right(Reading::cross_replica); }},
           {"cross-partition", [] { return read_right(Reading::cross_partition); }},
           {"cross-replica-and-partition", [] { return read_right(Reading::cross_replica_and_partition); }},
           {"no-groups", no_groups}},
          {{"reduce-scatters-compose-minor-first", [] { return reduce_scatters_compose(false); }},
           {"gathers-compose-major-first", [] { return gathers_compose(false); }},
           {"different-all-reduces-commute", different_all_reduces_commute},
           {"gather-in-any-order", [] { return gather_in_other_order(true); }},
           {"scatter-in-any-order", [] { return scatter_in_other_order(true); }},
           {"replicas-before-partitions", replicas_before_partitions},
           {"channel-changes-nothing", channel_changes_nothing}}};
}

}  // namespace partir::testing
