// infer_certificate: brings both programs into a common form, finds padding for uneven layouts, and runs the walk
// (Inferring), again with further operations decomposed by shard offsets as long as that gets it further.
#include "verify/validate/infer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/sharding/attributes.h"
#include "rewrite/state.h"
#include "verify/certificate/effects.h"
#include "verify/validate/deduplicate.h"
#include "verify/validate/fold_constants.h"
#include "verify/validate/general_forms.h"
#include "verify/validate/inferring.h"

namespace partir::validate {
namespace {

constexpr int kMostByOffsets = 32;  ///< most source operations that are decomposed

Module with_function(const Module& like, Function f) {
  Module out = like;
  out.functions.clear();
  f.is_public = true;
  f.name = "main";
  out.functions.push_back(std::move(f));
  return out;
}

bool is_uneven(const Layout& layout, const Type& own, const Mesh& mesh) { return !layout.divides(*own, mesh); }

bool has_uneven(const std::vector<Layout>& layouts, const std::vector<ValueId>& values, const Function& f,
                const Mesh& mesh) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (is_uneven(layouts[k], f.type(values[k]), mesh)) return true;
  }
  return false;
}

/// Appends the dimensions of a value that the layout tiles unevenly.
void uneven_dims(const Function& source, ValueId v, const Layout& layout, const Mesh& mesh,
                 std::vector<UnevenDim>& out) {
  const TensorType& own = source.tensor(v);
  for (Dim d = 0; d < own.rank(); ++d) {
    const std::int64_t parts = layout.parts(d, mesh);
    if (own.dims[d] % parts != 0) out.push_back({v, d, parts});
  }
}

/// The padding of the dimensions in `uneven`, requested in this order. Other arguments and results that this pads are
/// passed and returned without padding. Nothing if the devices' parts then have other shapes than the layouts describe.
std::optional<Padding> padding_in_order(const Function& source, const Layouts& layouts, std::vector<UnevenDim> uneven) {
  constexpr int kRounds = 8;  // padding one dimension may pad others
  Padding out{std::move(uneven), {}, {}};
  for (int round = 0; round < kRounds; ++round) {
    const Function wide = padded(source, out);
    const Padding before = out;
    bool fits = true;
    const auto compare = [&](const std::vector<ValueId>& own, const std::vector<ValueId>& padded,
                             const std::vector<Layout>& list, const std::vector<TensorType>& held,
                             std::set<std::size_t>& without) {
      for (std::size_t k = 0; k < own.size(); ++k) {
        const Type& type = source.type(own[k]);
        const Type& other = wide.type(padded[k]);
        const bool passes_padding = Type(held[k]) != type;
        if (other != type && !is_uneven(list[k], type, layouts.mesh) && !passes_padding) without.insert(k);
        if (other == type) uneven_dims(source, own[k], list[k], layouts.mesh, out.uneven);
        fits = fits && list[k].local(held[k], layouts.mesh) == list[k].local(other, layouts.mesh);
      }
    };
    compare(source.arguments(), wide.arguments(), layouts.arguments, layouts.padded_arguments, out.arguments);
    compare(source.returned(), wide.returned(), layouts.results, layouts.padded_results, out.results);
    if (out == before) return fits ? std::optional(out) : std::nullopt;
  }
  return std::nullopt;
}

/// Finds the padding with which the source's arguments and results have the parts that the layouts describe. The order
/// in which dimensions are requested matters if the padded size of one is a multiple of another's; among the orders
/// that fit, this takes one that pads the fewest other arguments and results.
Padding padding_of(const Function& source, const Layouts& layouts) {
  constexpr std::size_t kMostOrders = 24;
  std::vector<UnevenDim> uneven;
  for (std::size_t k = 0; k < source.arguments().size(); ++k)
    uneven_dims(source, source.arguments()[k], layouts.arguments[k], layouts.mesh, uneven);
  const auto kind = [&](const UnevenDim& u) { return std::pair(source.tensor(u.value).dims[u.dim], u.parts); };
  std::vector<std::pair<std::int64_t, std::int64_t>> kinds;
  for (const UnevenDim& u : uneven) kinds.push_back(kind(u));
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::optional<Padding> best;
  std::size_t tried = 0;
  do {
    std::vector<UnevenDim> ordered;
    for (const auto& wanted : kinds)
      std::copy_if(uneven.begin(), uneven.end(), std::back_inserter(ordered),
                   [&](const UnevenDim& u) { return kind(u) == wanted; });
    auto padding = padding_in_order(source, layouts, std::move(ordered));
    const auto others = [](const Padding& p) { return p.arguments.size() + p.results.size(); };
    if (padding && (!best || others(*padding) < others(*best))) best = std::move(padding);
  } while (++tried < kMostOrders && !(best && best->arguments.empty() && best->results.empty()) &&
           std::next_permutation(kinds.begin(), kinds.end()));
  return best.value_or(Padding{});
}

}  // namespace

void axes_of_parts(const Mesh& mesh, std::int64_t parts, std::vector<Axis>& so_far,
                   const std::function<bool(const std::vector<Axis>&)>& use, bool& done) {
  if (parts == 1) {
    done = done || use(so_far);
    return;
  }
  for (std::size_t a = 0; a < mesh.rank() && !done; ++a) {
    const std::int64_t n = mesh.size(Axis(a));
    if (n == 1 || parts % n != 0 || std::find(so_far.begin(), so_far.end(), Axis(a)) != so_far.end()) continue;
    so_far.emplace_back(a);
    axes_of_parts(mesh, parts / n, so_far, use, done);
    so_far.pop_back();
  }
}

Inferring::Inferring(const Function& source, const Function& target, const Layouts& layouts)
    : s_(source),
      t_(target),
      layouts_(layouts),
      mesh_(layouts.mesh),
      positions_(mesh_.devices()),
      splats_(source.types.size()),
      made_by_(target.types.size(), nullptr),
      open_(target.types.size(), false) {
  note_source(s_.body, {});
  note_target(t_.body);
}

Function Inferring::run(Inference& out) {
  Function written = t_;
  written.body.ops.clear();
  w_ = &written;
  out.certificate.mesh = mesh_.str();
  try {
    for (std::size_t k = 0; k < t_.arguments().size(); ++k) {
      const ValueId source = s_.arguments()[k];
      const Layout type = expressible(layouts_.arguments[k], s_.type(source));
      if (!type.pending.empty()) throw Unexplained{fmt::format("argument {} comes in with a pending reduction", k)};
      set_part(t_.arguments()[k], source, type);
    }
    for (std::size_t k = 0; k < t_.returned().size(); ++k)
      results_.push_back(expressible(layouts_.results[k], s_.type(s_.returned()[k])));
    block(t_.body, written.body, {}, {&s_.body});
  } catch (const Unexplained& u) {
    note_offsets();
    out.stop = {at_ != nullptr ? at_->place : t_.place, at_ != nullptr ? at_->name() : "arguments", u.why};
  }
  out.steps = steps_.size();
  out.certificate.steps = std::move(steps_);
  annotate(written);
  return written;
}

ValueId Inferring::resolved(ValueId v) const {
  const auto it = same_.find(v);
  return it == same_.end() ? v : it->second;
}

void Inferring::note_source(const Block& b, const OpPath& path) {
  for (std::size_t i = 0; i < b.ops.size(); ++i) {
    const Op& op = b.ops[i];
    OpPath here = path;
    here.push_back(i);
    if (is_sharding_constraint(op)) {
      same_[op.results[0]] = resolved(op.operands[0]);
    } else {
      if (op.results.size() == 1) {
        splats_[op.results[0]] = splat_of(op, splats_);
        splats_.places(op.results[0]) = places_of(s_, op, splats_);
      }
      for (std::size_t k = 0; k < op.operands.size(); ++k) users_[resolved(op.operands[k])].push_back({&op, k});
    }
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      here.push_back(r);
      note_source(op.regions[r], here);
      here.pop_back();
    }
    block_of_[&op] = &b;
    for (const ValueId v : op.results) origins_[v] = {&op, here};
    paths_[&op] = here;
  }
}

void Inferring::note_target(const Block& b) {
  for (const Op& op : b.ops) {
    for (const ValueId v : op.results) made_by_[v.index()] = &op;
    if (!runs_regions(op)) continue;
    for (const Block& inner : op.regions) note_target(inner);
  }
}

bool Inferring::stays_open(const Op& op) const {
  if (op.decl->kind == OpDecl::Kind::device) return true;
  if (op.decl->kind != OpDecl::Kind::array || depends_on_device_or_has_effects(op)) return false;
  const auto is_open = [&](ValueId v) { return open_[v.index()]; };
  const auto outside = captured(op);
  return std::all_of(op.operands.begin(), op.operands.end(), is_open) &&
         std::all_of(outside.begin(), outside.end(), is_open);
}

const Layout& Inferring::expressible(const Layout& layout, const Type& global) const {
  if (layout.only) throw Unexplained{"an array that some devices lack"};
  if (!layout.divides(*global, mesh_)) throw Unexplained{"tiles that do not divide their dimension"};
  return layout;
}

void Inferring::set_part(ValueId v, ValueId source, Layout type) {
  if (!is_layout_of(type, s_.type(source), mesh_) || type.local(s_.type(source), mesh_) != w_->type(v))
    throw Unexplained{fmt::format("{} is not of type {} on a device", type.str(mesh_), w_->type(v).str())};
  parts_[v] = {resolved(source), std::move(type)};
}

void Inferring::block(const Block& b, Block& into, const OpPath& path, const Enclosing& around) {
  into_.push_back({&into, path, entered_++});
  for (const Op& op : b.ops) {
    at_ = &op;
    decide_pending(op);
    if (op.decl->kind == OpDecl::Kind::terminator) {
      if (path.empty()) returned(op);
      continue;
    }
    if (stays_open(op)) {
      for (const ValueId v : op.results) open_[v.index()] = true;
      // Operations that compute device positions are kept in place.
      if (positions_.follow(t_, op)) into.ops.push_back(op);
      continue;
    }
    if (op.operands.empty()) throw Unexplained{"is computed of nothing, and differs between devices"};
    if (convert(op)) continue;
    if (op.decl->kind == OpDecl::Kind::control && op.decl->control != Control::scan) {
      control(op, around);
    } else {
      local(op, around);
    }
  }
  into_.pop_back();
}

CertificateStep& Inferring::emit(Op op) {
  Into& at = into_.back();
  CertificateStep step;
  step.op = at.path;
  step.op.push_back(at.block->ops.size());
  at.block->ops.push_back(std::move(op));
  steps_.push_back(std::move(step));
  return steps_.back();
}

void Inferring::returned(const Op& op) {
  Op out = op;
  for (std::size_t k = 0; k < op.operands.size(); ++k)
    out.operands[k] = require_part(op.operands[k], s_.returned()[k], results_[k], fmt::format("result {}", k));
  into_.back().block->ops.push_back(std::move(out));
}

ValueId Inferring::require_part(ValueId v, ValueId source, const Layout& type, const std::string& what) {
  if (open_[v.index()]) {
    const auto made = copy_as(v, resolved(source), type);
    if (!made) throw Unexplained{fmt::format("{} is not computed as the source's is", what)};
    return *made;
  }
  const auto it = parts_.find(v);
  if (it == parts_.end()) throw Unexplained{what + " is no part of a source value"};
  if (it->second.source != resolved(source)) throw Unexplained{what + " is a part of another value than the source's"};
  if (!(it->second.type == type))
    throw Unexplained{fmt::format("{} is {}, not {}", what, it->second.type.str(mesh_), type.str(mesh_))};
  return v;
}

void Inferring::annotate(Function& f) const {
  const auto say = [&](std::vector<AttributeList>& list, std::size_t k, const Layout& type) {
    if (list.size() <= k) list.resize(k + 1);
    set(list[k], "mhlo.frontend_attributes",
        {DictAttr{AttributeList{{"partir.sharding", {StringAttr{type.str(mesh_)}}}}}});
  };
  for (std::size_t k = 0; k < f.arguments().size(); ++k) {
    if (const auto it = parts_.find(f.arguments()[k]); it != parts_.end())
      say(f.argument_attributes, k, it->second.type);
  }
  for (std::size_t k = 0; k < results_.size(); ++k) say(f.result_attributes, k, results_[k]);
}

namespace {

/// Annotates padded arguments and results with their unpadded shape (partir.shape).
void note_shapes(const Function& own, const Function& wide, Function& written) {
  const auto say = [&](std::vector<AttributeList>& list, std::size_t k, ValueId v, ValueId padded) {
    if (own.type(v) == wide.type(padded) || k >= list.size()) return;
    set_frontend_attribute(list[k], "partir.shape", fmt::format("{}", fmt::join(own.tensor(v).dims, "x")));
  };
  for (std::size_t k = 0; k < own.arguments().size(); ++k)
    say(written.argument_attributes, k, own.arguments()[k], wide.arguments()[k]);
  for (std::size_t k = 0; k < own.returned().size(); ++k)
    say(written.result_attributes, k, own.returned()[k], wide.returned()[k]);
}

Inference inferred(const Module& source, const Module& partitioned, const Layouts& layouts, const Function& from,
                   const Function& to, const std::function<bool()>& stop) {
  // If the inference stops, the partitioner may have decomposed an operation of the source by shard offsets. The first
  // decomposition with which the inference gets further is kept.
  const Padding padding = padding_of(from, layouts);
  const Function wide = padded(from, padding);
  OperationsByOffsets by_offsets;
  Inference out;
  std::vector<std::pair<ValueId, ByOffsets>> open;
  const auto attempt = [&](const OperationsByOffsets& operations) {
    Inference made;
    const Function written_source = written_by_offsets(wide, operations);
    Inferring inferring(written_source, to, layouts);
    Function written = inferring.run(made);
    made.certificate.by_offsets = places_of(operations, wide);
    made.certificate.padding = places_of(padding, from);
    note_shapes(from, wide, written);
    made.partitioned = with_function(partitioned, std::move(written));
    return std::pair(std::move(made), inferring.offsets());
  };
  std::tie(out, open) = attempt(by_offsets);
  for (int tries = 0; out.stop && tries < kMostByOffsets; ++tries) {
    bool further = false;
    for (const auto& [result, how] : open) {
      OperationsByOffsets more = by_offsets;
      if ((stop && stop()) || !more.emplace(result, how).second) continue;
      auto [made, next] = attempt(more);
      if (made.stop && made.stop->place.line <= out.stop->place.line) continue;
      by_offsets = std::move(more);
      out = std::move(made);
      open = std::move(next);
      further = true;
      break;
    }
    if (!further) break;
  }
  out.source = with_function(source, from);
  const auto count = [](std::int64_t n) { return Attribute{IntAttr{n, "i32"}}; };
  set(out.partitioned.attributes, "mhlo.num_partitions", count(layouts.mesh.devices()));
  set(out.partitioned.attributes, "mhlo.num_replicas", count(1));
  set(out.partitioned.attributes, "mhlo.frontend_attributes",
      {DictAttr{AttributeList{{"partir.mesh", {StringAttr{layouts.mesh.str()}}}}}});
  return out;
}

}  // namespace

Inference infer_certificate(const Module& source, const Module& partitioned, const Layouts& layouts,
                            const std::function<bool()>& stop) {
  const Function& from = **source.main();
  const Function& to = **partitioned.main();
  // Padding propagates through operations. A broadcast with two uses would connect their dimensions, so each use gets
  // its own copy.
  const bool uneven = has_uneven(layouts.arguments, from.arguments(), from, layouts.mesh) ||
                      has_uneven(layouts.results, from.returned(), from, layouts.mesh);
  const auto simple = [&](const Function& f) {
    return uneven ? without_dead_code(with_own_broadcasts(deduplicated(f))) : deduplicated(f);
  };
  Inference out = inferred(source, partitioned, layouts, simple(from), without_dead_code(simple(to)), stop);
  if (!out.stop || (stop && stop())) return out;
  // Partitioners write data movement in several forms; the two programs may correspond once they use the same.
  const auto one_form = [](const Function& f) {
    return without_dead_code(deduplicated(with_folded_constants(with_one_form_of_movement(f))));
  };
  Inference other = inferred(source, partitioned, layouts, simple(one_form(from)), simple(one_form(to)), stop);
  return other.stop && other.stop->place.line <= out.stop->place.line ? out : other;
}

}  // namespace partir::validate
