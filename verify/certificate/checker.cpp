// The checker's walk over blocks and operations: each operation is a local operation, a conversion, a shift, control
// flow or arithmetic on device positions. Arguments and results are in checker_parts.cpp, manual computations in
// checker_manual.cpp, the exactness of results in checker_exactness.cpp; the laws of conversions are in conversions.cpp.
#include "verify/certificate/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/text/print.h"
#include "ir/zeros.h"
#include "semantics/collectives.h"

namespace partir {
namespace {

std::vector<Layout> replicated(const std::vector<Type>& types) {
  std::vector<Layout> out;
  for (const Type& t : types) out.push_back(Layout::replicated(t.rank()));
  return out;
}

/// Whether the operation may be done by a collective_permute of whole chunks (Checker::shift).
bool moves_chunks(const Op& op) { return op.name() == "stablehlo.pad" || op.name() == "stablehlo.reverse"; }

/// The checker keeps its own list, as for all names below: it does not trust what the declarations state for the
/// partitioner's use.
bool is_control(const Op& op) {
  const std::string& n = op.name();
  return n == "stablehlo.while" || n == "stablehlo.if" || n == "stablehlo.case" ||
         n == "stablehlo.optimization_barrier";
}

std::vector<std::vector<std::int64_t>> pairs_of(const Op& op, const Mesh& mesh) {
  try {
    return process_groups(op, Devices{1, mesh.devices()});
  } catch (const UserError& error) {
    throw Refused{error.diagnostic().text()};
  }
}

}  // namespace

Checker::Checker(const Function& source, const Function& target, const Mesh& mesh, const Certificate& certificate,
                 LocalPrograms& programs, const Rewritten& rewritten)
    : s_(source),
      t_(target),
      mesh_(mesh),
      positions_(mesh.devices()),
      programs_(programs),
      rewritten_(rewritten),
      splats_(source.types.size()),
      given_infinities_(rewritten.given),
      infinities_(given_infinities_, source) {
  for (const CertificateStep& step : certificate.steps) {
    if (!steps_.emplace(step.op, &step).second) throw Refused{"two steps for operation " + path_text(step.op)};
  }
  note_source(s_.body, {});
}

CertificateReport Checker::run() {
  CertificateReport& out = report_;
  try {
    if (const auto ok = verify_function(t_); !ok) throw Refused{ok.error().text()};
    arguments();
    Blocks sources;
    sources.push_back({&s_.body, EffectSequence(s_.body)});
    block(t_.body, {}, sources);
    if (used_ != steps_.size())
      throw Refused{
          fmt::format("{} steps of the certificate are about operations that are not there", steps_.size() - used_)};
    out.verdict = out.unknown == 0 ? Verdict::proved : Verdict::unknown;
  } catch (const Refused& refused) {
    out.verdict = Verdict::refuted;
    out.step = at_text();
    out.reason = refused.reason;
  }
  out.proofs = programs_.proofs();
  out.tally = programs_.tally();
  return out;
}

void Checker::block(const Block& b, const OpPath& path, Blocks& sources) {
  for (std::size_t i = 0; i < b.ops.size(); ++i) {
    const Op& op = b.ops[i];
    OpPath here = path;
    here.push_back(i);
    at_ = {&op, here};
    if (op.decl->kind == OpDecl::Kind::terminator) {
      if (const auto wrong = sources.back().effects.ends()) throw Refused{*wrong};
      if (path.empty()) returned(op);
      continue;
    }
    const auto it = steps_.find(here);
    if (it == steps_.end()) {
      if (!positions_.follow(t_, op)) throw Refused{"stands in no step of the certificate"};
      continue;
    }
    ++used_;
    const CertificateStep& step = *it->second;
    if (!step.source) {
      convert(op, step);
      continue;
    }
    const auto source = sources_.find(*step.source);
    if (source == sources_.end()) throw Refused{"its source operation is not there"};
    check_step(source->second, op, step, here, sources);
  }
}

void Checker::check_step(const Source& source, const Op& op, const CertificateStep& step, const OpPath& path,
                         Blocks& sources) {
  const Block* const home = home_of(source.block);
  const bool in_manual = home != source.block;
  const bool around =
      std::any_of(sources.begin(), sources.end(), [&](const MatchedBlock& b) { return b.source == home; });
  if (!around) throw Refused{"its source operation stands in another block"};
  if (source.op->name() == "sdy.manual_computation") {
    boundary(*source.op, op);
    return;
  }
  // An operation that is a function of its operands may be computed repeatedly, and in a more deeply nested block.
  // Effects must happen as in the source, and control flow must correspond one to one, in the same nesting, so that
  // every loop ends when the source's does. (A value inside a loop is a part of the source's value in the same
  // iteration. A second loop for the same source loop, inside the body of the first, would yield parts of the
  // iteration around it and never end.)
  const bool effects = has_effects(*source.op);
  const bool meets = source.op->decl->kind == OpDecl::Kind::collective;  // in a manual computation
  if ((effects || meets || in_manual || is_control_flow(*source.op)) && home != sources.back().source)
    throw Refused{"effects or control flow of the source that stand in another nesting"};
  if (is_control_flow(*source.op) && !entered_.insert(source.op).second)
    throw Refused{"control flow of the source that stands twice"};
  if (in_manual && effects) {
    not_proved("effects in a manual computation");
  } else if (effects) {
    if (const auto wrong = sources.back().effects.meets(*source.op)) throw Refused{*wrong};
  }
  // Control flow whose step has no types is checked as a local operation: its regions must equal the source's.
  if (is_control(op) && (op.regions.empty() || !step.types.empty())) {
    control(*source.op, op, step, path, sources);
  } else if (op.name() == "stablehlo.collective_permute" && moves_chunks(*source.op)) {
    shift(*source.op, op, step);
  } else {
    local(*source.op, op, step);
  }
}

void Checker::convert(const Op& op, const CertificateStep& step) {
  if (op.results.size() != 1 || step.types.size() > 1 || op.operands.empty())
    throw Refused{"a conversion of other than one value"};
  const ValueId result = op.results[0];
  const Part from = part(op.operands[0]);
  if (manual_values_.contains(from.source)) throw Refused{"a conversion of a value that each device has its own of"};
  const TensorType& global = s_.tensor(from.source);
  const auto monoid = op.regions.empty() ? std::nullopt : instance_of(t_, op).monoid();
  const bool reassociates =
      (monoid == Monoid::sum || monoid == Monoid::prod) && (is_float(global.element) || is_complex(global.element));
  const Exactness exactness = from.exactness.with({reassociates, false});
  std::optional<Layout> claimed;
  if (!step.types.empty()) {
    claimed = parsed(step.types[0], from.source);
    set_part(result, from.source, *claimed, exactness);
  }
  const Converted c = converted(t_, op, from.layout, claimed, global, mesh_, positions_);
  if (c.wrong) {
    throw Refused{fmt::format("from {} to {}: {}", from.layout.str(mesh_),
                              claimed ? claimed->str(mesh_) : "parts that no step names", *c.wrong)};
  }
  if (!claimed) set_part(result, from.source, c.layout, exactness);
  ++report_.laws[c.law];
}

void Checker::require_same_shape(const Op& source, const Op& op) const {
  if (source.decl != op.decl || source.operands.size() != op.operands.size() ||
      source.results.size() != op.results.size() || source.regions.size() != op.regions.size())
    throw Refused{fmt::format("not the operation that its source is: {}", source.name())};
}

void Checker::require_operand(const Op& source, const Op& op, std::size_t k) const {
  if (the(part(op.operands[k]).source) != the(source.operands[k]))
    throw Refused{fmt::format("operand {} is a part of another value than the source's", k)};
}

void Checker::local(const Op& source, const Op& op, const CertificateStep& step) {
  require_same_shape(source, op);
  ++report_.local;
  const OpInstance global = instance_of(s_, source, splats_);
  const LocalProgram plain{global, replicated(global.operands), replicated(global.results), {}, Verdict::proved, ""};
  const LocalProgram& p = step.along.empty() ? plain : programs_.of(global, step.along);
  if (p.verdict == Verdict::refuted) throw Refused{p.reason};
  if (p.verdict == Verdict::unknown) not_proved(p.reason);
  const bool own = !source.results.empty() && manual_values_.contains(source.results[0]);
  if (own && !step.along.empty()) throw Refused{"an entry of a value that each device has its own of"};
  if (const auto why = depends_on_device_or_has_effects(op); why && !own) not_proved(*why);
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    require_operand(source, op, k);
    const Layout& held = part(op.operands[k]).layout;
    if (!(held == p.operands[k]) && !enters_as_zeros(part(op.operands[k]), p.operands[k])) {
      throw Refused{
          fmt::format("operand {} is {}, its entries take it as {}", k, held.str(mesh_), p.operands[k].str(mesh_))};
    }
    if (t_.type(op.operands[k]) != p.instance.operands[k])
      throw Refused{fmt::format("operand {} of another local type", k)};
  }
  const auto compared = [own, &op](AttributeList list) {
    // The module chooses its own channel ids. Only whether there is one is compared: it decides what groups denote.
    const bool on_channel = own && ops::channel_id(list, op.place) > 0;
    if (own) drop(list, "channel_handle");
    if (on_channel) set(list, "channel_handle", {IntAttr{1, ""}});
    return list.sorted();
  };
  if (!(compared(p.instance.attributes) == compared(op.attributes)))
    throw Refused{fmt::format("attributes that are not the local program's: {}, not {}", dictionary_text(op.attributes),
                              dictionary_text(p.instance.attributes))};
  const auto same = [&](ValueId x, ValueId y) {  // values that a region captures
    const auto it = parts_.find(y);
    return it != parts_.end() && the(it->second.source) == the(x) && it->second.layout.is_replicated();
  };
  for (std::size_t r = 0; r < op.regions.size(); ++r) {
    if (!same_block(s_, source.regions[r], t_, op.regions[r], same)) throw Refused{"a region that is not the source's"};
  }
  if (needs_finite_operands(source, p))
    not_proved("a product of a partial sum and a value that may be infinite, which does not distribute");
  const Exactness exactness = exactness_of(source, op, p);
  for (std::size_t k = 0; k < op.results.size(); ++k)
    set_part(op.results[k], source.results[k], p.results[k], exactness);
}

/// Whether the entries of the operation's step assume finite operands that may be infinite (needs_finite).
bool Checker::needs_finite_operands(const Op& source, const LocalProgram& p) {
  std::vector<std::optional<Monoid>> partial;
  bool any = false;
  for (const Layout& layout : p.operands) {
    partial.push_back(layout.pending.empty() ? std::nullopt : std::optional(layout.pending[0].monoid));
    any = any || partial.back();
  }
  if (!any || partial.size() < 2) return false;
  return needs_finite(source, partial, infinities_);
}

/// How a pad that moves a value and fills with zeros, or a reversal, maps positions along its one dimension. A pad with
/// low = [2, 0], high = [-2, 0] is {dim 0, by 2, not reversed}.
Checker::ChunkMove Checker::chunk_move_of(const Op& source) const {
  const OpInstance global = instance_of(s_, source);
  if (source.name() == "stablehlo.reverse") {
    const auto& dims = global.ints("dimensions");
    if (dims.size() != 1) throw Refused{"a reversal of other than one dimension"};
    return {static_cast<Dim>(dims[0]), 0, true};
  }
  if (!is_zeros(splats_[source.operands[1]])) throw Refused{"a shift that lets in what is not known to be zero"};
  const auto& low = global.ints("edge_padding_low");
  const auto& high = global.ints("edge_padding_high");
  const auto& interior = global.ints("interior_padding");
  std::optional<Dim> dim;
  for (Dim d = 0; d < low.size(); ++d) {
    if (interior[d] != 0 || low[d] != -high[d] || (low[d] != 0 && dim))
      throw Refused{"a padding that is no shift along one dimension"};
    if (low[d] != 0) dim = d;
  }
  if (!dim) throw Refused{"a shift along no dimension"};
  return {*dim, low[*dim], false};
}

/// Checks a collective_permute that moves a value along a dimension by whole chunks: each device must be sent exactly
/// the chunk that becomes its own, or nothing where that is all zeros (proofs_notes/shifts.md). A shift by one chunk on
/// 4 devices has the pairs (0, 1), (1, 2), (2, 3): device 0 is sent nothing and holds zeros.
void Checker::shift(const Op& source, const Op& op, const CertificateStep& step) {
  if (!step.along.empty() || !step.types.empty() || op.operands.size() != 1 || op.results.size() != 1)
    throw Refused{"a shift with entries, types, or of other than one value"};
  require_operand(source, op, 0);
  if (manual_values_.contains(source.results[0])) throw Refused{"a shift of a value that each device has its own of"};
  const auto [dim, by, reversed] = chunk_move_of(source);
  const Layout& layout = part(op.operands[0]).layout;
  if (!layout.pending.empty()) throw Refused{"a shift of a value that is partial"};
  const std::int64_t size = s_.type(source.operands[0])->dims[dim];
  const std::int64_t parts = layout.parts(dim, mesh_);
  const std::int64_t chunk = size / parts;
  const auto is_tiled = [](const Factor& f) { return f.is_tiled(); };
  if (chunk == 0 || chunk * parts != size || (reversed ? chunk != 1 : by % chunk != 0) ||
      !std::all_of(layout.dims[dim].begin(), layout.dims[dim].end(), is_tiled))
    throw Refused{"a shift that is not by whole chunks"};
  const auto devices = static_cast<std::size_t>(mesh_.devices());
  std::vector<std::optional<std::size_t>> sender(devices);
  for (const auto& pair : pairs_of(op, mesh_)) {
    auto& from = sender.at(static_cast<std::size_t>(pair.at(1)));
    if (from) throw Refused{"a device that is sent two chunks"};
    from = static_cast<std::size_t>(pair.at(0));
  }
  for (std::size_t to = 0; to < devices; ++to) {
    const std::int64_t own = layout.chunk(dim, DeviceId(to), mesh_);
    const std::int64_t wanted = reversed ? parts - 1 - own : own - by / chunk;
    const bool inside = wanted >= 0 && wanted < parts;
    if (sender[to].has_value() != inside)
      throw Refused{fmt::format("device {} is {}", to, inside ? "sent nothing" : "sent what is zero")};
    for (Dim d = 0; inside && d < layout.dims.size(); ++d) {
      const std::int64_t held = layout.chunk(d, DeviceId(*sender[to]), mesh_);
      if (held != (d == dim ? wanted : layout.chunk(d, DeviceId(to), mesh_)))
        throw Refused{fmt::format("device {} is sent chunk {} of dimension {}", to, held, d)};
    }
  }
  set_part(op.results[0], source.results[0], layout, part(op.operands[0]).exactness);
  ++report_.laws["shift"];
}

void Checker::not_proved(const std::string& reason) {
  if (report_.unknown++ != 0) return;
  report_.step = at_text();
  report_.reason = reason;
}

/// Law zeros-pending: a value that is zero everywhere is the pending sum of the zeros that the devices hold. True if
/// `held` is such a value and `type` is its layout with additional pending sums.
bool Checker::enters_as_zeros(const Part& held, const Layout& type) {
  Layout reduced = type;
  reduced.pending.clear();
  const auto is_sum = [](const Pending& p) { return p.monoid == Monoid::sum; };
  if (!(held.layout == reduced) || !std::all_of(type.pending.begin(), type.pending.end(), is_sum) ||
      !is_zeros(splats_[the(held.source)]))
    return false;
  ++report_.laws["zeros-pending"];
  return true;
}

void Checker::control(const Op& source, const Op& op, const CertificateStep& step, const OpPath& path,
                      Blocks& sources) {
  require_same_shape(source, op);
  if (step.types.size() != op.results.size()) throw Refused{"another number of types than of results"};
  if (!step.along.empty()) throw Refused{"entries of control flow"};
  if (!(source.attributes.sorted() == op.attributes.sorted())) throw Refused{"other attributes than the source"};
  const auto here = at_;
  std::vector<Layout> types;
  for (std::size_t k = 0; k < op.results.size(); ++k) types.push_back(parsed(step.types[k], source.results[k]));
  const bool branches = op.name() == "stablehlo.if" || op.name() == "stablehlo.case";
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    require_operand(source, op, k);
    const Layout& held = part(op.operands[k]).layout;
    if (branches ? !held.is_replicated() : !(held == types[k] || enters_as_zeros(part(op.operands[k]), types[k])))
      throw Refused{fmt::format("operand {} enters as {}", k, held.str(mesh_))};
  }
  if (branches && part(op.operands[0]).exactness.are_bits)
    expect_exact(op.name(), "looks at the bits", part(op.operands[0]).exactness.over_reals);
  // Loop-carried values and results of branches are only as exact as the least exact value inside.
  Exactness entering;
  for (const ValueId v : op.operands) entering = entering.with(part(v).exactness);
  const Exactness around = std::exchange(exactness_within_, entering);
  const bool loops = op.name() == "stablehlo.while";
  loops_ += loops ? 1 : 0;
  std::vector<bool> are_bits(op.results.size(), false);
  for (std::size_t k = 0; loops && k < op.operands.size(); ++k) are_bits[k] = part(op.operands[k]).exactness.are_bits;
  bool carries_bits = false;  // a loop-carried value does not hold bits initially, but does in a later iteration
  for (std::size_t r = 0; r < op.regions.size(); ++r) {
    const Block& b = op.regions[r];
    const Block& of = source.regions[r];
    if (b.arguments.size() != of.arguments.size() || (!branches && b.arguments.size() != types.size()))
      throw Refused{"a region with another number of arguments"};
    for (std::size_t k = 0; k < b.arguments.size(); ++k)
      set_part(b.arguments[k], of.arguments[k], types[k], {entering.over_reals, are_bits[k]});
    OpPath inside = path;
    inside.push_back(r);
    sources.push_back({&of, EffectSequence(of)});
    block(b, inside, sources);
    sources.pop_back();
    at_ = here;
    const bool condition = op.name() == "stablehlo.while" && r == 0;
    const auto& yielded = b.ops.back().operands;
    const auto& wanted = of.ops.back().operands;
    if (yielded.size() != wanted.size()) throw Refused{"a region that yields another number of values"};
    for (std::size_t k = 0; k < yielded.size(); ++k) {
      const Part& p = part(yielded[k]);
      if (the(p.source) != the(wanted[k])) throw Refused{fmt::format("region {} yields a part of another value", r)};
      if (condition ? !p.layout.is_replicated() : !(p.layout == types[k]))
        throw Refused{fmt::format("region {} yields value {} as {}", r, k, p.layout.str(mesh_))};
      if (condition || !p.exactness.are_bits || are_bits[k]) continue;
      are_bits[k] = true;
      carries_bits = loops;
    }
  }
  const Exactness leaving = std::exchange(exactness_within_, exactness_within_.with(around));
  loops_ -= loops ? 1 : 0;
  if (loops && carries_bits) expect_exact(op.name(), "carries the bits", leaving.over_reals);
  if (loops && leaving.over_reals) {
    if (bit_use_in_loops_) not_proved(*bit_use_in_loops_);
    report_.jumps.insert(jumps_in_loops_.begin(), jumps_in_loops_.end());
  }
  if (loops_ == 0) {
    bit_use_in_loops_.reset();
    jumps_in_loops_.clear();
  }
  for (std::size_t k = 0; k < op.results.size(); ++k)
    set_part(op.results[k], source.results[k], types[k], {leaving.over_reals, are_bits[k]});
}

std::string Checker::at_text() const {
  if (at_.first == nullptr) return "arguments";
  std::string out = fmt::format("step {}: {}", path_text(at_.second), print_op(t_, *at_.first));
  return out.substr(0, std::min(out.find('\n'), std::size_t{200}));
}

}  // namespace partir
