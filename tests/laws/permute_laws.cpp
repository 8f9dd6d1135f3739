// Laws of collective_permute, as random test cases, with ids of replicas and of partitions.
#include "tests/laws/law.h"
#include "tests/laws/random_cases.h"

namespace partir::testing {
namespace {

/// The target of each id; some ids have none.
using Map = std::vector<std::optional<std::int64_t>>;

struct Permutes {
  Devices devices = some_devices();
  Reading reading = *rc::gen::element(Reading::cross_replica, Reading::cross_partition);
  std::int64_t ids = reading == Reading::cross_replica ? devices.replicas : devices.partitions;
  DeviceProgram p{devices};
  Value x = p.argument(some_type(*rc::gen::element(ElementType::f32, ElementType::i32), pick<std::size_t>(0, 3)));

  [[nodiscard]] Map some_map(bool total = false) const {
    Map out;
    for (const std::int64_t to : some_order(ids)) {
      out.emplace_back(to);
      if (!total && pick(0, 4) == 0) out.back().reset();
    }
    return out;
  }
  Value permute(const Value& v, const Map& map) {
    std::vector<Ids> pairs;
    for (std::size_t id = 0; id < map.size(); ++id) {
      if (map[id]) pairs.push_back({static_cast<std::int64_t>(id), *map[id]});
    }
    return p.permute(v, read_groups(std::move(pairs), reading, devices));
  }
  /// Returns v on the devices whose id is in the set, and zeros elsewhere.
  Value where(const std::vector<bool>& set, const Value& v) {
    Ids numbers;
    for (std::int64_t d = 0; d < devices.count(); ++d) {
      const std::int64_t id = reading == Reading::cross_replica ? d / devices.partitions : d % devices.partitions;
      numbers.push_back(set[static_cast<std::size_t>(id)] ? 1 : 0);
    }
    return p.where(numbers, v);
  }
};

Map after(const Map& second, const Map& first) {
  Map out;
  for (const auto& to : first) out.push_back(to ? second[static_cast<std::size_t>(*to)] : std::nullopt);
  return out;
}

Map inverse(const Map& map) {
  Map out(map.size());
  for (std::size_t id = 0; id < map.size(); ++id) {
    if (map[id]) out[static_cast<std::size_t>(*map[id])] = static_cast<std::int64_t>(id);
  }
  return out;
}

std::vector<bool> defined(const Map& map) {
  std::vector<bool> out;
  for (const auto& to : map) out.push_back(to.has_value());
  return out;
}

bool permutes_compose(bool in_order) {
  Permutes c;
  const Map first = c.some_map();
  const Map second = c.some_map();
  return c.p.equal(c.permute(c.permute(c.x, first), second),
                   c.permute(c.x, in_order ? after(second, first) : after(first, second)));
}

/// A permute followed by its inverse: a device that sent nothing gets zeros back.
bool permute_inverts(bool total) {
  Permutes c;
  const Map map = c.some_map();
  const Value back = c.permute(c.permute(c.x, map), inverse(map));
  return c.p.equal(total ? c.x : c.where(defined(map), c.x), back);
}

bool permute_leaves_zeros() {
  Permutes c;
  const Map total = c.some_map(true);
  Map map = total;
  for (auto& to : map) {
    if (pick(0, 2) == 0) to.reset();
  }
  return c.p.equal(c.where(defined(inverse(map)), c.permute(c.x, total)), c.permute(c.x, map));
}

bool permute_to_itself() {
  Permutes c;
  Map map;
  for (std::int64_t id = 0; id < c.ids; ++id) map.emplace_back(id);
  return c.p.equal(c.x, c.permute(c.x, map));
}

bool permute_selects() {
  Permutes c;
  const Map map = c.some_map(true);
  const Map source = inverse(map);
  const std::int64_t partitions = c.devices.partitions;
  Ids from;
  for (std::int64_t d = 0; d < c.devices.count(); ++d) {
    const bool replicas = c.reading == Reading::cross_replica;
    const std::int64_t id = *source[static_cast<std::size_t>(replicas ? d / partitions : d % partitions)];
    from.push_back(replicas ? id * partitions + d % partitions : d / partitions * partitions + id);
  }
  return c.p.equal(c.permute(c.x, map), c.p.held_by(from, c.x));
}

/// Partitions the ids into random groups of equal size.
std::vector<Ids> some_id_groups(std::int64_t ids) {
  std::int64_t size = pick<std::int64_t>(1, ids + 1);
  while (ids % size != 0) --size;
  std::vector<Ids> out;
  for (const std::int64_t id : some_order(ids)) {
    if (out.empty() || static_cast<std::int64_t>(out.back().size()) == size) out.emplace_back();
    out.back().push_back(id);
  }
  return out;
}

/// Moves an all_to_all from after a permute to before it, where its groups are those of the sources (`groups_go_back`);
/// with unchanged groups the law is wrong.
bool permute_past_exchange(bool groups_go_back) {
  Permutes c;
  const Map map = c.some_map(true);
  const std::vector<Ids> groups = some_id_groups(c.ids);
  std::vector<Ids> before = groups;
  if (groups_go_back) {
    const Map source = inverse(map);
    for (Ids& group : before) {
      for (std::int64_t& id : group) id = *source[static_cast<std::size_t>(id)];
    }
  }
  const auto rank = pick<std::size_t>(1, 4);
  const Dim split = pick<Dim>(0, rank);
  const Dim concat = pick<Dim>(0, rank);
  const Value x =
      c.p.argument(some_type(ElementType::i32, rank, {{split, static_cast<std::int64_t>(groups[0].size())}}));
  const auto exchanged = [&](const Value& v, const std::vector<Ids>& list) {
    return c.p.all_to_all(v, split, concat, read_groups(list, c.reading, c.devices));
  };
  return c.p.equal(exchanged(c.permute(x, map), groups), c.permute(exchanged(x, before), map));
}

/// Permuting chunks of a replicated value equals slicing it with the source's chunk number (`sources_numbers`); slicing
/// with the device's own number is wrong.
bool permute_of_parts(bool sources_numbers) {
  Permutes c;
  const Map map = c.some_map(true);
  const Map source = inverse(map);
  std::vector<Ids> all(1);
  for (std::int64_t d = 0; d < c.devices.count(); ++d) all[0].push_back(d);
  const auto n = pick<std::int64_t>(1, 4);
  const auto rank = pick<std::size_t>(1, 4);
  const Dim dim = pick<Dim>(0, rank);
  const Value whole = c.p.argument(some_type(ElementType::i32, rank, {{dim, n}}), all);
  Ids of_id;
  for (std::int64_t id = 0; id < c.ids; ++id) of_id.push_back(pick<std::int64_t>(0, n));
  const auto chunks = [&](bool moved) {
    Ids numbers;
    for (std::int64_t d = 0; d < c.devices.count(); ++d) {
      const bool replicas = c.reading == Reading::cross_replica;
      const auto id = static_cast<std::size_t>(replicas ? d / c.devices.partitions : d % c.devices.partitions);
      numbers.push_back(of_id[moved ? static_cast<std::size_t>(*source[id]) : id]);
    }
    return c.p.chunk(whole, dim, n, c.p.per_device(numbers));
  };
  return c.p.equal(chunks(sources_numbers), c.permute(chunks(false), map));
}

}  // namespace

Laws permute_laws() {
  return {{{"permutes-compose", [] { return permutes_compose(true); }},
           {"permute-inverts", [] { return permute_inverts(false); }},
           {"permute-leaves-zeros", permute_leaves_zeros},
           {"permute-to-itself", permute_to_itself},
           {"permute-selects", permute_selects},
           {"permute-of-parts", [] { return permute_of_parts(true); }},
           {"permute-past-exchange", [] { return permute_past_exchange(true); }}},
          {{"permutes-compose-backwards", [] { return permutes_compose(false); }},
           {"partial-permute-inverts", [] { return permute_inverts(true); }},
           {"permute-leaves-parts", [] { return permute_of_parts(false); }},
           {"permute-past-same-exchange", [] { return permute_past_exchange(false); }}}};
}

}  // namespace partir::testing
