#include "lowering/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/op_decl.h"
#include "ir/sharding/attributes.h"
#include "ir/sharding/manual.h"
#include "lowering/work.h"

namespace partir {
namespace {

/// Index of the operation's kind in CollectiveCounts, if it is counted.
std::optional<std::size_t> counted_kind(const Op& op) {
  const auto kind = op.decl->collective.kind;
  if (!kind || static_cast<std::size_t>(*kind) >= CollectiveCounts::kinds.size()) return std::nullopt;
  return static_cast<std::size_t>(*kind);
}

/// How often a region of a while runs: the condition runs once more than the body.
double runs_of(const Op& loop, std::size_t region, const TripCounts& trips) {
  return static_cast<double>(trips.of(loop).value_or(1)) + (region == 0 && trips.of(loop) ? 1 : 0);
}

class ExecutedCounter {
 public:
  explicit ExecutedCounter(const Function& f) : trips_(f) {}

  CollectiveCounts block(const Block& b) {
    CollectiveCounts out;
    for (const Op& op : b.ops) {
      if (const auto kind = counted_kind(op)) ++out.counts[*kind];
      if (is_manual_computation(op)) {
        const CollectiveCounts inner = block(op.regions[0]);
        for (std::size_t k = 0; k < inner.counts.size(); ++k) out.counts[k] += inner.counts[k];
      }
      if (!runs_regions(op)) continue;
      const bool loop = hands_operands_on(op);
      if (loop && !trips_.of(op)) uncounted.push_back(op.place);
      CollectiveCounts inner;
      for (std::size_t r = 0; r < op.regions.size(); ++r) {
        const CollectiveCounts once = block(op.regions[r]);
        for (std::size_t k = 0; k < once.counts.size(); ++k) {
          if (loop) {
            inner.counts[k] += once.counts[k] * static_cast<std::int64_t>(runs_of(op, r, trips_));
          } else {
            inner.counts[k] = std::max(inner.counts[k], once.counts[k]);
          }
        }
      }
      for (std::size_t k = 0; k < inner.counts.size(); ++k) out.counts[k] += inner.counts[k];
    }
    return out;
  }

  std::vector<Place> uncounted;

 private:
  TripCounts trips_;
};

class FlopCounter {
 public:
  explicit FlopCounter(const Function& f) : f_(f), work_(f), trips_(f) {}

  double block(const Block& b) {
    double total = 0;
    for (const Op& op : b.ops) {
      total += work_.of(op).flops;
      if (runs_regions(op)) {
        total += control_flow(op);
      } else if (is_manual_computation(op)) {
        total += block(op.regions[0]) * parts_of(op);
      } else if (op.decl->kind == OpDecl::Kind::opaque || op.decl->kind == OpDecl::Kind::control ||
                 op.decl->kind == OpDecl::Kind::core) {
        for (const Block& inner : op.regions) total += block(inner);
      }
    }
    return total;
  }

 private:
  double control_flow(const Op& op) {
    double total = 0;
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const double once = block(op.regions[r]);
      total = hands_operands_on(op) ? total + once * runs_of(op, r, trips_) : std::max(total, once);
    }
    return total;
  }

  /// The number of distinct parts on which the body of a manual computation runs: as many as its shardings make of the
  /// global values, or 1 if the program is already device-local.
  [[nodiscard]] double parts_of(const Op& op) const {
    const auto manual = manual_computation_of(f_, op);
    if (!manual) return 1;  // already at local sizes
    double out = 1;
    for (std::size_t a = 0; a < manual->mesh.rank(); ++a) {
      const auto tiles = [&](const Layout& l) { return l.tiled_by(Axis(a)).has_value(); };
      if (std::any_of(manual->operands.begin(), manual->operands.end(), tiles) ||
          std::any_of(manual->results.begin(), manual->results.end(), tiles))
        out *= static_cast<double>(manual->mesh.size(Axis(a)));
    }
    return out;
  }

  const Function& f_;
  WorkTable work_;
  TripCounts trips_;
};

}  // namespace

std::string CollectiveCounts::str() const {
  std::string out;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (counts[k] != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", counts[k], kinds[k]);
  }
  return out.empty() ? "none" : out;
}

namespace {
void count_in(const Block& block, CollectiveCounts& out) {
  for_each_op(block, [&](const Op& op) {
    if (const auto kind = counted_kind(op)) ++out.counts[*kind];
    if (is_manual_computation(op)) count_in(op.regions[0], out);
  });
}
}  // namespace

CollectiveCounts count_collectives(const Function& function) {
  CollectiveCounts out;
  count_in(function.body, out);
  return out;
}

ExecutedCounts executed_collectives(const Function& function) {
  ExecutedCounter counter(function);
  ExecutedCounts out;
  out.collectives = counter.block(function.body);
  out.uncounted = std::move(counter.uncounted);
  return out;
}

std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis(const Function& function) {
  std::map<std::pair<std::string, std::string>, std::int64_t> out;
  for_each_op(function.body, [&](const Op& op) {
    const Collective& how = op.decl->collective;
    if (how.expands_to == nullptr || !how.kind) return;
    for (const Attribute& axis : find(op.attributes, "axes")->as<ArrayAttr>()->items) {
      ++out[{std::string(name_of(*how.kind)), axis.as<StringAttr>()->value}];
    }
  });
  return out;
}

double flops_of(const Function& function) { return FlopCounter(function).block(function.body); }

namespace {
void write_types(Block& block, const SpmdProgram& program) {
  for (Op& op : block.ops) {
    if (op.results.size() == 1 && op.decl->kind != OpDecl::Kind::terminator) {
      set(op.attributes, "partir.sharding", {StringAttr{program.layouts[op.results[0].index()]->str(program.mesh)}});
    }
    if (!runs_regions(op)) continue;
    for (Block& b : op.regions) write_types(b, program);
  }
}
}  // namespace

Module spmd_module(const SpmdProgram& program, const Module& source) {
  Module out;
  out.name = source.name;
  out.attributes = source.attributes;
  set(out.attributes, "mhlo.num_partitions", {IntAttr{program.mesh.devices(), "i32"}});
  set(out.attributes, "mhlo.num_replicas", {IntAttr{1, "i32"}});
  set_frontend_attribute(out.attributes, "partir.mesh", program.mesh.str());
  Function f = program.function;
  f.name = "main";
  f.is_public = true;
  const Function& main = **source.main();
  const auto place = [&](std::vector<AttributeList>& attributes, const std::vector<ValueId>& values,
                         const std::vector<ValueId>& given) {
    attributes.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      // The source's own shardings refer to the global program.
      drop(attributes[i], "sdy.sharding");
      drop(attributes[i], "mhlo.sharding");
      const Layout& layout = program.layouts[values[i].index()];
      set_frontend_attribute(attributes[i], "partir.sharding", layout.str(program.mesh));
      const Type& own = main.type(given[i]);
      if (!own.is_tensor()) continue;
      // If the array is padded, partir.shape states the shape without padding.
      bool padded = false;
      for (Dim d = 0; d < own.rank(); ++d)
        padded = padded || f.tensor(values[i]).dims[d] * layout.parts(d, program.mesh) != own->dims[d];
      if (padded) set_frontend_attribute(attributes[i], "partir.shape", fmt::format("{}", fmt::join(own->dims, "x")));
    }
  };
  drop_shardings(f.body);
  place(f.argument_attributes, f.arguments(), main.arguments());
  place(f.result_attributes, f.returned(), main.returned());
  // A donated buffer must have the type of the result that reuses it.
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    const Attribute* alias = find(f.argument_attributes[i], "tf.aliasing_output");
    const IntAttr* number = alias != nullptr ? alias->as<IntAttr>() : nullptr;
    const bool fits = number != nullptr && number->value >= 0 &&
                      static_cast<std::size_t>(number->value) < f.returned().size() &&
                      f.type(f.arguments()[i]) == f.type(f.returned()[static_cast<std::size_t>(number->value)]);
    if (alias != nullptr && !fits) drop(f.argument_attributes[i], "tf.aliasing_output");
  }
  write_types(f.body, program);
  out.functions.push_back(std::move(f));
  for (const Function* named : named_functions(source)) out.functions.push_back(*named);
  return out;
}

}  // namespace partir
