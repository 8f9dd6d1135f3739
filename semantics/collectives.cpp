#include "semantics/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "semantics/exchange.h"
#include "support/check.h"

namespace partir {
namespace {

std::vector<std::vector<std::int64_t>> rows(const Op& op, const char* name) {
  const Attribute* a = find(op.attributes, name);
  const DenseAttr* dense = a != nullptr ? a->as<DenseAttr>() : nullptr;
  if (dense == nullptr) fail("collective", op.place, fmt::format("no {}", name), "a dense matrix of devices");
  const Literal& l = *dense->literal;
  std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(l.type.dims[0]));
  std::int64_t next = 0;
  for (auto& row : out) {
    for (std::int64_t k = 0; k < l.type.dims[1]; ++k) {
      const std::int64_t id = l.as_int(next++);
      if (id >= 0) row.push_back(id);  // -1 pads uneven groups
    }
  }
  return out;
}

/// Fails if a device occurs twice in the groups; for pairs, if a source or a target occurs twice.
void require_distinct(const Op& op, const std::vector<std::vector<std::int64_t>>& groups, const Devices& devices,
                      bool permutes) {
  const auto count = static_cast<std::size_t>(devices.count());
  std::vector<std::vector<bool>> seen(permutes ? 2 : 1, std::vector<bool>(count, false));
  for (const auto& group : groups) {
    if (permutes && group.size() != 2)
      fail("collective", op.place, fmt::format("{} devices", group.size()), "a source and a target");
    for (std::size_t k = 0; k < group.size(); ++k) {
      auto named = seen[permutes ? k : 0].begin() + group[k];
      if (*named) fail("collective", op.place, fmt::format("device {} twice", group[k]), "each device once");
      *named = true;
    }
  }
}

}  // namespace

std::vector<std::vector<std::int64_t>> process_groups(const Op& op, const Devices& devices) {
  const Collective& how = op.decl->collective;
  if (how.expands_to != nullptr) fail("unsupported", op.place, op.name(), "its expansion (--emit stablehlo)");
  const bool permutes = how.pairs;
  const bool channel = ops::channel_id(op.attributes, op.place) > 0;
  const bool global = ops::is_set(op.attributes, "use_global_device_ids");
  const std::int64_t p = devices.partitions;
  std::vector<std::vector<std::int64_t>> out;
  auto groups = rows(op, permutes ? "source_target_pairs" : "replica_groups");
  const auto in_range = [&](std::int64_t id, std::int64_t limit) {
    if (id >= limit) fail("collective", op.place, fmt::format("device {}", id), fmt::format("devices below {}", limit));
  };
  const bool by_partition = channel && how.by_partition;
  if (groups.empty() && !permutes) {  // one group of all ids
    groups.emplace_back();
    const std::int64_t limit = channel && global ? devices.count() : by_partition ? p : devices.replicas;
    for (std::int64_t id = 0; id < limit; ++id) groups[0].push_back(id);
  }
  for (const auto& group : groups) {
    if (channel && global) {  // flattened ids
      for (const std::int64_t id : group) in_range(id, devices.count());
      out.push_back(group);
    } else if (by_partition) {  // cross_partition
      for (std::int64_t r = 0; r < devices.replicas; ++r) {
        std::vector<std::int64_t> ids;
        for (const std::int64_t id : group) {
          in_range(id, p);
          ids.push_back(r * p + id);
        }
        out.push_back(std::move(ids));
      }
    } else if (channel) {  // cross_replica_and_partition
      std::vector<std::int64_t> ids;
      for (std::int64_t q = 0; q < p; ++q) {
        for (const std::int64_t id : group) {
          in_range(id, devices.replicas);
          ids.push_back(id * p + q);
        }
      }
      out.push_back(std::move(ids));
    } else {  // cross_replica
      for (std::int64_t q = 0; q < p; ++q) {
        std::vector<std::int64_t> ids;
        for (const std::int64_t id : group) {
          in_range(id, devices.replicas);
          ids.push_back(id * p + q);
        }
        out.push_back(std::move(ids));
      }
    }
  }
  require_distinct(op, out, devices, permutes);
  return out;
}

std::vector<std::vector<std::int64_t>> meetings(const Op& op, const Devices& devices) {
  auto groups = process_groups(op, devices);
  const auto count = static_cast<std::size_t>(devices.count());
  // Union-find: the representative of each device's meeting. Pairs that share a device are merged.
  std::vector<std::size_t> root(count);
  std::iota(root.begin(), root.end(), 0);
  const auto root_of = [&](std::size_t d) {
    while (root[d] != d) d = root[d] = root[root[d]];
    return d;
  };
  for (const auto& group : groups) {
    for (const std::int64_t id : group)
      root[root_of(static_cast<std::size_t>(id))] = root_of(static_cast<std::size_t>(group[0]));
  }
  if (op.decl->collective.pairs) groups.clear();
  std::vector<bool> placed(count, false);
  for (const auto& group : groups) {
    for (const std::int64_t id : group) placed[static_cast<std::size_t>(id)] = true;
  }
  std::map<std::size_t, std::vector<std::int64_t>> rest;
  for (std::size_t d = 0; d < count; ++d) {
    if (!placed[d]) rest[root_of(d)].push_back(static_cast<std::int64_t>(d));
  }
  for (auto& [of, members] : rest) groups.push_back(std::move(members));
  return groups;
}

std::vector<Tensor> collective(const Op& op, const Meeting& meeting, const std::vector<const Tensor*>& held,
                               const TensorType& result, const Devices& devices,
                               const std::function<Tensor(const Tensor&, const Tensor&)>& fold, const Domain& domain) {
  const Collective& how = op.decl->collective;
  const std::vector<std::int64_t>& group = meeting.group;
  const std::size_t n = held.size();
  const auto root = static_cast<std::size_t>(meeting.root);
  if (root >= n) fail("collective", op.place, fmt::format("root {}", meeting.root), fmt::format("one below {}", n));
  std::vector<Tensor> out;
  const auto zeros = [&](const Tensor& like) {
    return Tensor{like.type, std::vector<Scalar>(like.data.size(), domain.from_index(0, like.type->element)), {}};
  };
  const auto is_grouped = [&] {  // false for a device in no group, which is alone
    const auto groups = process_groups(op, devices);
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  };
  if (how.pairs) {
    for (const Tensor* t : held) out.push_back(zeros(*t));
    const auto place = [&](std::int64_t id) {
      return static_cast<std::size_t>(std::find(group.begin(), group.end(), id) - group.begin());
    };
    for (const auto& pair : process_groups(op, devices)) {
      if (place(pair[1]) < n) out[place(pair[1])] = *held[place(pair[0])];
    }
  } else if (how.from_root && !is_grouped()) {
    out.assign(n, zeros(*held[0]));
  } else if (n == 1 && !is_grouped()) {
    fail("collective", op.place, fmt::format("device {} in no group", group[0]), "a group for each device");
  } else {
    using Shared = std::shared_ptr<const Tensor>;
    std::vector<Shared> operands;
    for (const Tensor* t : held) operands.emplace_back(Shared(), t);  // the caller owns them
    const auto combined = [&] {
      const auto promoted = [&](const Tensor& t) {  // converted to the computation's element type
        Tensor to = t;
        to.type->element = result.element;
        const Scalar* args[] = {t.data.data()};
        if (to.type != t.type)
          domain.apply(ScalarFn::convert, t.type->element, result.element, args, to.data.size(), to.data.data());
        return to;
      };
      Tensor total = promoted(*held[0]);
      for (std::size_t k = 1; k < n; ++k) total = fold(total, promoted(*held[k]));
      return std::make_shared<const Tensor>(std::move(total));
    };
    const auto like = [&](const Tensor& x) { return std::make_shared<const Tensor>(zeros(x)); };
    for (const Shared& t : exchanged(op, operands, root, combined, like)) out.push_back(*t);
  }
  for (const Tensor& t : out) {
    if (t.type != result) fail("collective", op.place, t.type.str() + " for this group", result.str());
  }
  return out;
}

}  // namespace partir
