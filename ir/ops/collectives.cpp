// StableHLO's collectives and device ids. What they do is in semantics/collectives.cpp; here are their forms and the
// constraints on shapes.
#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "support/checked.h"

namespace partir::ops {
namespace {

AttrSpec raw_attr(std::string name) { return {std::move(name), "", AttrSpec::Kind::raw, "", "", "", false}; }

OpDecl collective(const char* name, std::vector<AttrSpec> own, void (*verify)(const OpInstance&)) {
  OpDecl d;
  d.name = name;
  d.kind = OpDecl::Kind::collective;
  d.generic = true;
  d.attributes = std::move(own);
  d.attributes.push_back(raw_attr("channel_handle"));
  d.attributes.push_back(raw_attr("replica_groups"));
  d.attributes.push_back(raw_attr("source_target_pairs"));
  d.attributes.push_back(raw_attr("use_global_device_ids"));
  d.verify = verify;
  return d;
}

void require_groups(const OpInstance& op) {
  const Attribute* groups = find(op.attributes, "replica_groups");
  const DenseAttr* dense = groups != nullptr ? groups->as<DenseAttr>() : nullptr;
  require(dense != nullptr && dense->literal->type.rank() == 2 && dense->literal->type.element == ElementType::i64, op,
          "I2", "replica_groups as a dense matrix of i64", groups == nullptr ? "none" : "other groups");
}

/// Devices of a group. No groups stand for all devices, and replicas may come with all their partitions: there it is
/// the ratio of two sizes.
std::int64_t group_size(const OpInstance& op, std::int64_t larger, std::int64_t smaller) {
  const std::int64_t written = find(op.attributes, "replica_groups")->as<DenseAttr>()->literal->type.dims[1];
  if (smaller <= 0) return written;
  const std::int64_t ratio = larger / smaller;
  const bool with_partitions = channel_of(op.attributes) > 0 && find(op.attributes, "use_global_device_ids") == nullptr;
  return written == 0 || (with_partitions && ratio % written == 0) ? ratio : written;
}

/// -1, which no size is, on overflow.
std::int64_t product(std::int64_t a, std::int64_t b) { return checked_multiply(a, b).value_or(-1); }

void verify_one(const OpInstance& op) {
  require(!op.operands.empty() && op.results.size() == op.operands.size(), op, "arity", "as many results as operands");
  require_groups(op);
}

}  // namespace

std::vector<OpDecl> collectives() {
  std::vector<OpDecl> out;
  out.push_back(collective("stablehlo.all_reduce", {}, [](const OpInstance& op) {
    verify_one(op);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      require(op.operands[i] == op.results[i], op, "C6", "results of the operands' types");
    }
    require(op.regions != nullptr && op.regions->size() == 1 && op.regions->front().arguments.size() == 2, op, "C5",
            "a computation of two scalars");
  }));
  out.push_back(collective("stablehlo.all_gather", {integer_attr("all_gather_dim")}, [](const OpInstance& op) {
    verify_one(op);
    const std::int64_t dim = op.integer("all_gather_dim");
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      require(dim >= 0 && at(dim) < op.operands[i].rank(), op, "C1", "0 <= all_gather_dim < rank");
      require(op.results[i].rank() == op.operands[i].rank(), op, "C6", "results of the operands' ranks");
      const std::int64_t group = group_size(op, op.results[i].dims[at(dim)], op.operands[i].dims[at(dim)]);
      std::vector<std::int64_t> dims = op.operands[i].dims;
      dims[at(dim)] = product(dims[at(dim)], group);
      require(op.results[i] == op.operands[i].with_dims(dims), op, "C6",
              "the operand's type, a size multiplied by the group's along all_gather_dim");
    }
  }));
  out.push_back(collective("stablehlo.reduce_scatter", {integer_attr("scatter_dimension")}, [](const OpInstance& op) {
    verify_one(op);
    require(op.operands.size() == 1, op, "arity", "one operand");
    const std::int64_t dim = op.integer("scatter_dimension");
    require(dim >= 0 && at(dim) < op.operands[0].rank(), op, "C2", "0 <= scatter_dimension < rank");
    require(op.results[0].rank() == op.operands[0].rank(), op, "C8", "a result of the operand's rank");
    const std::int64_t group = group_size(op, op.operands[0].dims[at(dim)], op.results[0].dims[at(dim)]);
    std::vector<std::int64_t> dims = op.operands[0].dims;
    require(group > 0 && dims[at(dim)] % group == 0, op, "C1", "a size that the group divides");
    dims[at(dim)] /= group;
    require(op.results[0] == op.operands[0].with_dims(dims), op, "C8",
            "the operand's type, a size divided by the group's along scatter_dimension");
    require(op.regions != nullptr && op.regions->size() == 1 && op.regions->front().arguments.size() == 2, op, "C7",
            "a computation of two scalars");
  }));
  out.push_back(collective(
      "stablehlo.all_to_all",
      {integer_attr("concat_dimension"), integer_attr("split_count"), integer_attr("split_dimension")},
      [](const OpInstance& op) {
        verify_one(op);
        const std::int64_t split = op.integer("split_dimension");
        const std::int64_t concat = op.integer("concat_dimension");
        const std::int64_t count = op.integer("split_count");
        for (std::size_t i = 0; i < op.operands.size(); ++i) {
          require(split >= 0 && at(split) < op.operands[i].rank(), op, "C1", "0 <= split_dimension < rank");
          require(concat >= 0 && at(concat) < op.operands[i].rank(), op, "C3", "0 <= concat_dimension < rank");
          std::vector<std::int64_t> dims = op.operands[i].dims;
          require(count > 0 && dims[at(split)] % count == 0, op, "C2", "a size that split_count divides");
          dims[at(split)] /= count;
          dims[at(concat)] = product(dims[at(concat)], count);
          require(op.results[i] == op.operands[i].with_dims(dims), op, "C9",
                  "the operand's type, sizes divided and multiplied by split_count");
        }
      }));
  out.push_back(collective("stablehlo.collective_permute", {}, [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1 && op.operands[0] == op.results[0], op, "C5",
            "a result of the operand's type");
    const Attribute* pairs = find(op.attributes, "source_target_pairs");
    require(pairs != nullptr && pairs->as<DenseAttr>() != nullptr &&
                pairs->as<DenseAttr>()->literal->type.rank() == 2 && pairs->as<DenseAttr>()->literal->type.dims[1] == 2,
            op, "C1", "pairs of devices");
  }));
  for (const char* name : {"stablehlo.collective_broadcast", "stablehlo.collective_reduce"}) {
    out.push_back(collective(name, {raw_attr("has_dynamic_root")}, [](const OpInstance& op) {
      // With a dynamic root, the last operand says which device of the group it is, for each result.
      const std::size_t n = op.results.size();
      const bool dynamic = op.operands.size() == n + 1;
      require(n > 0 && (dynamic || op.operands.size() == n), op, "C3", "a result for each operand but the roots");
      require_groups(op);
      for (std::size_t k = 0; k < n; ++k)
        require(op.results[k] == op.operands[k], op, "C3", "results of the operands' types", op.results[k].str());
      if (dynamic) {
        require(op.operands[n] == (TensorType{ElementType::i32, {static_cast<std::int64_t>(n)}, ""}), op, "C4",
                "roots as an i32 for each result", op.operands[n].str());
      }
    }));
  }
  for (const char* name : {"stablehlo.partition_id", "stablehlo.replica_id"}) {
    OpDecl d;
    d.name = name;
    d.kind = OpDecl::Kind::device;
    d.types = OpDecl::TypeForm::same;
    d.verify = [](const OpInstance& op) {
      require(op.operands.empty() && op.results.size() == 1 && op.results[0].rank() == 0 &&
                  op.results[0].element == ElementType::ui32,
              op, "type", "tensor<ui32>");
    };
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace partir::ops
