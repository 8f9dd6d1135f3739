// Declares StableHLO's collectives and device ids: what they exchange (Collective in ir/traits.h), their attributes and
// their constraints. semantics/collectives.cpp reads the replica groups and executes collectives as declared here.
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/ops/pairs.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

OpDecl collective(Collective how, std::vector<AttrSpec> own, void (*verify)(const OpInstance&)) {
  OpDecl d;
  d.name = fmt::format("stablehlo.{}", name_of(*how.kind));
  d.kind = OpDecl::Kind::collective;
  d.collective = how;
  d.generic = true;
  d.attributes = std::move(own);
  d.attributes.push_back(raw_attr("channel_handle"));
  d.attributes.push_back(raw_attr("replica_groups"));
  d.attributes.push_back(raw_attr("source_target_pairs"));
  d.attributes.push_back(raw_attr("use_global_device_ids"));
  d.verify = verify;
  return d;
}

/// Labels of the constraints that collectives share under different numbers; empty where a collective lacks one.
struct Labels {
  std::string_view kind = "";     ///< the form of replica_groups
  std::string_view unique = "";   ///< each process occurs at most once
  std::string_view range = "";    ///< 0 <= replica_groups < size(replica_groups)
  std::string_view channel = "";  ///< use_global_device_ids requires a channel
  bool padded = false;            ///< groups may differ in size: shorter ones are filled with -1
  bool covers_all = true;         ///< every id from 0 on occurs
};

/// Returns the matrix of replica groups; null if the groups are given as mesh axes, whose mesh is defined elsewhere.
const Literal* groups_of(const OpInstance& op) {
  const DenseAttr* dense = find(op.attributes, "replica_groups")->as<DenseAttr>();
  return dense != nullptr ? dense->literal.get() : nullptr;
}

/// Checks replica_groups. The program does not state the number of processes that the groups must cover (C2, C6), so
/// only what the ids themselves show is checked.
void require_groups(const OpInstance& op, const Labels& labels) {
  const Attribute* groups = find(op.attributes, "replica_groups");
  const DenseAttr* dense = groups != nullptr ? groups->as<DenseAttr>() : nullptr;
  const RawAttr* axes = groups != nullptr ? groups->as<RawAttr>() : nullptr;
  const bool matrix =
      dense != nullptr && dense->literal->type.rank() == 2 && dense->literal->type.element == ElementType::i64;
  require(matrix || (axes != nullptr && axes->text.starts_with("#stablehlo.replica_group_mesh_axes<")), op, labels.kind,
          "replica_groups as a dense matrix of i64 or as mesh axes", groups == nullptr ? "none" : "other groups");
  if (!labels.channel.empty() && is_set(op.attributes, "use_global_device_ids")) {
    require(channel_id(op.attributes, op.place) > 0, op, labels.channel,
            "a channel above 0 beside use_global_device_ids",
            fmt::format("channel {}", channel_id(op.attributes, op.place)));
  }
  if (!matrix) return;
  const Literal& ids = *dense->literal;
  const std::int64_t count = ids.type.elements();
  require(!ids.splat || count <= 1, op, labels.unique, "each process in one group, once", "one id for all");
  std::vector<std::int64_t> named;
  named.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t id = ids.as_int(k);
    if (id != -1 || !labels.padded) named.push_back(id);
  }
  for (const std::int64_t id : named) {
    const bool ok = id >= 0 && (!labels.covers_all || id < static_cast<std::int64_t>(named.size()));
    if (!ok) require(false, op, labels.range, "ids from 0 on, without gaps", fmt::format("id {}", id));
  }
  require(is_unique(std::move(named)), op, labels.unique, "each process in one group, once", "an id twice");
}

/// Whether `whole` is `part` times the number of processes in a group, as far as the program determines that number. It
/// does not without groups (one group of all processes), nor with a channel but no global device ids (each id
/// represents all of its partitions); only divisibility is then checked.
bool is_group_multiple(const OpInstance& op, std::int64_t whole, std::int64_t part) {
  const Literal* groups = groups_of(op);
  const std::int64_t written = groups != nullptr && groups->type.elements() != 0 ? groups->type.dims[1] : 0;
  const bool by_partition = channel_id(op.attributes, op.place) > 0 && !is_set(op.attributes, "use_global_device_ids");
  if (written != 0 && !by_partition) return checked_multiply(part, written) == whole;
  if (part == 0) return whole == 0;
  return whole > 0 && whole % part == 0 && (written == 0 || whole / part % written == 0);
}

/// True if the shapes are equal except for the size of dimension `dim`.
bool same_shape_but(std::size_t dim, const TensorType& a, const TensorType& b) {
  if (a.rank() != b.rank()) return false;
  for (std::size_t k = 0; k < a.rank(); ++k) {
    if (k != dim && a.dims[k] != b.dims[k]) return false;
  }
  return true;
}

bool is_dim(std::int64_t dim, const TensorType& type) { return dim >= 0 && at(dim) < type.rank(); }

void require_paired_results(const OpInstance& op) {
  require(!op.operands.empty() && op.results.size() == op.operands.size(), op, "arity", "as many results as operands");
}

void verify_all_reduce(const OpInstance& op) {
  require_paired_results(op);
  require_groups(op, {.kind = "I2", .unique = "C1", .range = "C3", .channel = "C4", .padded = true});
  const ElementType computed = require_combiner(op, "C5", {op.operands[0]->element})[0];
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    require(is_promotable(op.operands[i]->element, computed), op, "C5",
            "operands of types promotable to the computation's");
    require(op.results[i]->dims == op.operands[i]->dims, op, "C6", "results of the operands' shapes");
    require(op.results[i]->element == computed, op, "C7", "results of the computation's element type");
  }
}

void verify_all_gather(const OpInstance& op) {
  require_paired_results(op);
  const std::int64_t dim = op.integer("all_gather_dim");
  for (const Type& t : op.operands) require(is_dim(dim, *t), op, "C1", "0 <= all_gather_dim < rank");
  require_groups(op, {.kind = "I3", .unique = "C2", .range = "C4", .channel = "C5"});
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const TensorType& x = *op.operands[i];
    const TensorType& out = *op.results[i];
    require(out.element == x.element && same_shape_but(at(dim), out, x), op, "C6",
            "results of the operands' types but for all_gather_dim");
    require(is_group_multiple(op, out.dims[at(dim)], x.dims[at(dim)]), op, "C6",
            "a size multiplied by the group's along all_gather_dim");
  }
}

void verify_reduce_scatter(const OpInstance& op) {
  require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
  const TensorType& x = *op.operands[0];
  const TensorType& out = *op.results[0];
  const std::int64_t dim = op.integer("scatter_dimension");
  require(is_dim(dim, x), op, "C2", "0 <= scatter_dimension < rank");
  require_groups(op, {.kind = "I3", .unique = "C3", .range = "C5", .channel = "C6"});
  const Literal* groups = groups_of(op);
  const bool divides = groups == nullptr || groups->type.elements() == 0 || x.dims[at(dim)] % groups->type.dims[1] == 0;
  require(divides, op, "C1", "a size that the group divides");
  const ElementType computed = require_combiner(op, "C7", {x.element})[0];
  require(same_shape_but(at(dim), out, x), op, "C8", "a result of the operand's shape but for scatter_dimension");
  require(is_group_multiple(op, x.dims[at(dim)], out.dims[at(dim)]), op, "C8",
          "a size divided by the group's along scatter_dimension");
  require(out.element == computed, op, "C9", "a result of the computation's element type");
}

void verify_all_to_all(const OpInstance& op) {
  require_paired_results(op);
  const std::int64_t split = op.integer("split_dimension");
  const std::int64_t concat = op.integer("concat_dimension");
  const std::int64_t count = op.integer("split_count");
  require(count > 0, op, "C4", "a split_count of at least 1", fmt::format("{}", count));
  for (const Type& t : op.operands) {
    require(is_dim(split, *t), op, "C1", "0 <= split_dimension < rank");
    require(t->dims[at(split)] % count == 0, op, "C2", "a size that split_count divides");
    require(is_dim(concat, *t), op, "C3", "0 <= concat_dimension < rank");
  }
  require_groups(op, {.kind = "I5", .unique = "C5", .range = "C7"});
  const Literal* groups = groups_of(op);
  require(groups == nullptr || groups->type.dims[1] == count, op, "C8", "groups of split_count processes",
          groups != nullptr ? groups->type.str() : "");
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    TensorType wanted = *op.operands[i];
    if (split != concat) {
      wanted.dims[at(split)] /= count;
      wanted.dims[at(concat)] = checked_multiply(wanted.dims[at(concat)], count).value_or(-1);
    }
    require(op.results[i] == wanted, op, "C9", "sizes divided and multiplied by split_count");
  }
}

void verify_collective_permute(const OpInstance& op) {
  require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
  require_pairs(op, "I2");
  require(op.operands[0] == op.results[0], op, "C5", "a result of the operand's type");
}

/// With has_dynamic_root, the last operand names the root process of each group (C6, which can be checked at run time
/// only).
void verify_collective_broadcast(const OpInstance& op) {
  require_groups(op, {.kind = "I2", .unique = "C1", .range = "C2", .padded = true, .covers_all = false});
  const bool rooted = is_set(op.attributes, "has_dynamic_root");
  const std::size_t n = op.operands.size() - (rooted && !op.operands.empty() ? 1 : 0);
  const std::string_view label = rooted ? "C4" : "C3";
  require(n >= 1, op, label, "at least one operand to send");
  require(op.results.size() == n, op, "C5", "a result for each operand to send");
  for (std::size_t i = 0; i < n; ++i) {
    require(op.results[i] == op.operands[i], op, label, "results of the operands' types");
  }
  if (!rooted) return;
  require(op.operands[n] == TensorType{ElementType::i32, {static_cast<std::int64_t>(n)}}, op, "C4",
          "a root of type i32 for each operand to send");
}

/// Like collective_broadcast, with other numbers of the constraints.
void verify_collective_reduce(const OpInstance& op) {
  require_groups(op, {.kind = "I2", .unique = "C1", .range = "C2", .padded = true, .covers_all = false});
  const bool rooted = is_set(op.attributes, "has_dynamic_root");
  const std::size_t n = op.operands.size() - (rooted && !op.operands.empty() ? 1 : 0);
  require(n >= 1 && op.results.size() == n, op, "C3", "operands to reduce, and a result for each");
  for (std::size_t i = 0; i < n; ++i)
    require(op.results[i]->dims == op.operands[i]->dims, op, "C3", "results of the operands' shapes");
  require(!rooted || op.operands[n] == TensorType{ElementType::i32, {static_cast<std::int64_t>(n)}}, op, "C3",
          "a root of type i32 for each operand to reduce");
  const ElementType computed = require_combiner(op, "C4", {op.operands[0]->element})[0];
  const bool inside = op.regions != nullptr && op.function != nullptr;
  for (std::size_t i = 0; i < n; ++i) {
    const ElementType from = op.operands[i]->element;
    require(is_promotable(from, inside ? computed : op.results[i]->element), op, "C4",
            "operands of types promotable to the computation's");
    require(!inside || op.results[i]->element == computed, op, "C4", "results of the computation's element type");
  }
}

}  // namespace

void require_pairs(const OpInstance& op, std::string_view kind) {
  const Attribute* a = find(op.attributes, "source_target_pairs");
  const DenseAttr* dense = a != nullptr ? a->as<DenseAttr>() : nullptr;
  require(dense != nullptr && dense->literal->type.rank() == 2 && dense->literal->type.element == ElementType::i64, op,
          kind, "source_target_pairs as a dense matrix of i64", a == nullptr ? "none" : "other pairs");
  const Literal& pairs = *dense->literal;
  const std::int64_t count = pairs.type.dims[0];
  require(pairs.type.dims[1] == 2, op, "C1", "pairs of processes", pairs.type.str());
  require(!pairs.splat || count <= 1, op, "C2", "distinct sources", "one id for all");
  std::vector<std::int64_t> ends[2];
  for (std::int64_t k = 0; k < 2 * count; ++k) ends[k % 2].push_back(pairs.as_int(k));
  require(is_unique(ends[0]), op, "C2", "distinct sources", "a source twice");
  require(is_unique(ends[1]), op, "C3", "distinct targets", "a target twice");
  for (const auto& list : ends) {
    const bool ids = std::all_of(list.begin(), list.end(), [](std::int64_t id) { return id >= 0; });
    require(ids, op, "C4", "ids from 0 on", "an id below 0");
  }
}

std::vector<OpDecl> collectives() {
  std::vector<OpDecl> out;
  using Kind = CollectiveKind;
  out.push_back(collective({.kind = Kind::all_reduce, .combines = true}, {}, verify_all_reduce));
  out.push_back(collective({.kind = Kind::all_gather, .join = "all_gather_dim"}, {integer_attr("all_gather_dim")},
                           verify_all_gather));
  out.push_back(collective({.kind = Kind::reduce_scatter, .split = "scatter_dimension", .combines = true},
                           {integer_attr("scatter_dimension")}, verify_reduce_scatter));
  out.push_back(collective(
      {.kind = Kind::all_to_all, .split = "split_dimension", .join = "concat_dimension", .by_partition = true},
      {integer_attr("concat_dimension"), integer_attr("split_count"), integer_attr("split_dimension")},
      verify_all_to_all));
  out.push_back(collective({.kind = Kind::collective_permute, .pairs = true, .by_partition = true}, {},
                           verify_collective_permute));
  out.push_back(collective({.kind = Kind::collective_broadcast, .from_root = true, .by_partition = true}, {},
                           verify_collective_broadcast));
  out.push_back(collective({.kind = Kind::collective_reduce, .combines = true, .to_root = true, .by_partition = true},
                           {}, verify_collective_reduce));
  for (const char* name : {"stablehlo.partition_id", "stablehlo.replica_id"}) {
    OpDecl d;
    d.name = name;
    d.kind = OpDecl::Kind::device;
    d.types = OpDecl::TypeForm::same;
    d.verify = [](const OpInstance& op) {
      require(op.operands.empty() && op.results.size() == 1 && op.results[0].rank() == 0 &&
                  op.results[0]->element == ElementType::ui32,
              op, "type", "tensor<ui32>");
    };
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace partir::ops
