#include "driver/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/parallelism.h"
#include "driver/plan.h"
#include "ir/control_flow.h"
#include "ir/text/print.h"
#include "lowering/work.h"
#include "support/near.h"

namespace partir {
namespace {

/// Measures stages: to(stage) adds the seconds since the last call to `stage`.
class Stopwatch {
 public:
  explicit Stopwatch(double (*now)()) : now_(now), last_(now()) {}
  void to(double& stage) {
    const double t = now_();
    stage += t - last_;
    last_ = t;
  }

 private:
  double (*now_)();
  double last_;
};

/// The number of tactics to apply: up to and including the one that --after names.
Result<std::size_t> tactics_wanted(const Schedule& schedule, const PartitionInput& input) {
  if (!input.after) return schedule.tactics.size();
  std::vector<std::string> names;
  for (const Tactic& t : schedule.tactics) names.push_back(t.name);
  const auto it = std::find(names.begin(), names.end(), *input.after);
  if (it != names.end()) return static_cast<std::size_t>(it - names.begin()) + 1;
  return tl::unexpected(Diagnostic{"schedule",
                                   input.schedule_file,
                                   {},
                                   fmt::format("no tactic called '{}'", *input.after),
                                   meant(*input.after, names, "--after a tactic of the schedule: " + listed(names))});
}

/// Applies the schedule's tactics and reports on the program after each.
class Run {
 public:
  Run(const PartitionInput& input, Plan& plan, Stopwatch& watch, Partition& out)
      : input_(input), session_(plan.session), parts_(plan.parts), watch_(watch), out_(out) {}

  Result<void> apply(const Schedule& schedule, const std::vector<ResolvedTactic>& tactics) {
    for (std::size_t t = 0; t < tactics.size(); ++t) names_.push_back(schedule.tactics[t].name);
    for (std::size_t t = 0; t < tactics.size(); ++t) {
      const std::string label =
          fmt::format("{} ({}:{})", names_[t], input_.schedule_file, schedule.tactics[t].place.text());
      auto ok = session_.apply(tactics[t], label, input_.schedule_file);
      if (!ok) return tl::unexpected(ok.error());
      if (auto added = add_report(); !added) return added;
    }
    // Decompose operations whose tiled operands have no entry, and replay the tactics.
    const auto settled = session_.settle([&] { return add_report(); });
    if (!settled) return tl::unexpected(settled.error());
    return {};
  }

 private:
  /// Adds a report on the state after the last applied (or replayed) tactic.
  Result<void> add_report() {
    const std::size_t number = session_.conflicts().size() - 1;
    out_.tactics.resize(number);  // drop the reports of an earlier round
    watch_.to(out_.seconds.propagate);
    TacticReport report{names_.at(number),
                        session_.mesh().name(session_.applied()[number].tactic.axis),
                        session_.collectives(),
                        {},
                        flops_of(session_.lowered().function),
                        {}};
    watch_.to(out_.seconds.lower);
    for (const Conflict& c : session_.conflicts().back()) report.conflicts.push_back(text_of(c, session_.state()));
    if (input_.device) {
      SimulationOptions options = input_.simulation;
      options.network.links = links_of_parts();
      options.events = options.events && number + 1 == names_.size();
      auto simulation = session_.simulate(*input_.device, options);
      if (!simulation) return tl::unexpected(simulation.error());
      report.simulation = std::move(*simulation);
      watch_.to(out_.seconds.simulate);
    }
    out_.tactics.push_back(std::move(report));
    return {};
  }

  /// The links that the user chose for axes, by the axes that these are in parts.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> links_of_parts() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& link : input_.simulation.network.links) {
      const std::size_t before = out.size();
      for (const auto& [name, part] : parts_) {
        if (part.axis == link.first) out.emplace_back(name, link.second);
      }
      if (out.size() == before) out.push_back(link);
    }
    return out;
  }

  const PartitionInput& input_;
  Session& session_;
  const std::map<std::string, AxisPart>& parts_;
  Stopwatch& watch_;
  Partition& out_;
  std::vector<std::string> names_;
};

std::vector<std::string> decomposed_operations(const Session& session) {
  std::vector<std::string> out;
  const OperationsByOffsets& operations = session.by_offsets();
  for_each_op(session.main().body, [&](const Op& op) {
    const auto it = op.results.empty() ? operations.end() : operations.find(op.results[0]);
    if (it == operations.end()) return;
    out.push_back(fmt::format("line {}: {}, {}", op.place.line, op.name(), text_of(it->second, op)));
  });
  return out;
}

/// Finds the operations with the most work that are not divided along each axis.
class Undivided {
 public:
  Undivided(const State& state, Partition& out) : s_(state), out_(out), work_(s_.function()), trips_(s_.function()) {}

  void block(const Block& block, double runs) {
    for (const Op& op : block.ops) {
      const double flops = work_.of(op).flops * runs;
      total_ += flops;
      for (std::size_t a = 0; a < s_.mesh().rank() && flops > 0; ++a) {
        if (s_.step(s_.site_of(op.id), Axis(a)) != nullptr) continue;
        auto& [found, most] = heaviest_[a];
        if (found == nullptr || flops > most) heaviest_[a] = {&op, flops};
      }
      if (!runs_regions(op)) continue;
      for (const Block& b : op.regions) this->block(b, runs * static_cast<double>(trips_.of(op).value_or(1)));
    }
  }
  void report() {
    for (const auto& [axis, heaviest] : heaviest_) {
      out_.undivided[s_.mesh().axes()[axis].name] = {described_operation(s_.function(), *heaviest.first),
                                                     heaviest.second / total_};
    }
  }

 private:
  const State& s_;
  Partition& out_;
  WorkTable work_;
  TripCounts trips_;
  double total_ = 0;
  std::map<std::size_t, std::pair<const Op*, double>> heaviest_;  ///< by axis
};

std::vector<Layout> types_of(const SpmdProgram& program, const std::vector<ValueId>& values) {
  std::vector<Layout> out;
  for (const ValueId v : values) out.push_back(program.layouts[v.index()]);
  return out;
}

}  // namespace

StageSeconds& StageSeconds::operator+=(const StageSeconds& other) {
  for (double StageSeconds::*const stage :
       {&StageSeconds::parse, &StageSeconds::propagate, &StageSeconds::lower, &StageSeconds::optimize,
        &StageSeconds::print, &StageSeconds::simulate, &StageSeconds::check})
    this->*stage += other.*stage;
  return *this;
}

Result<Mesh> mesh_of(const PartitionInput& input, const Schedule& schedule) {
  if (input.mesh || schedule.mesh) return Mesh::parse(input.mesh ? *input.mesh : *schedule.mesh);
  const auto session = Session::open_annotated(input, std::nullopt);
  if (!session) return tl::unexpected(session.error());
  if (session->has_annotations()) return session->mesh();
  return tl::unexpected(Diagnostic{"mesh",
                                   input.schedule_file,
                                   {},
                                   "no mesh",
                                   "--mesh batch=4,model=2, \"mesh\" in the schedule, or a program with shardings"});
}

namespace {

/// A plan whose tactics are applied, and the report on it.
struct Applied {
  Plan plan;
  Partition report;
};

/// Applies the input's tactics, with these axes in parts (rewrite/sub_axes.h).
Result<Applied> applied(const PartitionInput& input, const std::vector<AxisPart>& parts, Stopwatch& watch) {
  auto planned = plan(input, parts);
  if (!planned) return tl::unexpected(planned.error());
  Applied result{std::move(*planned), {}};
  Partition& out = result.report;
  Session* const session = &result.plan.session;
  std::vector<ResolvedTactic>& tactics = result.plan.tactics;
  const auto last = tactics_wanted(result.plan.schedule, input);
  if (!last) return tl::unexpected(last.error());
  session->expect(asked_values(tactics));
  tactics.resize(*last);
  out.name = session->name();
  out.mesh = session->mesh();
  out.annotations = result.plan.annotations;
  out.annotations_ignored = result.plan.annotations_ignored;
  out.operations = session->operations();
  out.names = session->names();
  watch.to(out.seconds.parse);

  if (auto ok = Run(input, result.plan, watch, out).apply(result.plan.schedule, tactics); !ok)
    return tl::unexpected(ok.error());
  const SpmdProgram& spmd = session->lowered();
  watch.to(out.seconds.lower);
  Undivided undivided(session->state(), out);
  undivided.block(session->state().function().body, 1);
  undivided.report();
  out.flops_sequential = session->flops_sequential();
  out.flops_per_device = flops_of(spmd.function);
  return result;
}

/// The axes along which devices repeat work because the axis does not divide the sizes of an operation, each with the
/// size of its largest part that does.
std::map<std::string, std::int64_t> blocked_axes(const PartitionInput& input, const Applied& of) {
  std::map<std::string, std::int64_t> out;
  if (!input.by_annotations) {
    for (const LostParallelism& lost : lost_parallelism(of.report)) out.emplace(lost.axis, lost.part);
    for (const ResolvedTactic& t : of.plan.tactics) {
      if (t.uneven) out.erase(of.report.mesh.name(t.axis));  // its dimensions are padded instead
    }
  } else if (of.report.flops_per_device * static_cast<double>(of.report.mesh.devices()) >
             2 * of.report.flops_sequential) {
    for (const Mesh::AxisInfo& a : of.report.mesh.axes()) {
      if (const ConflictText* c = first_conflict(of.report, a.name)) out.emplace(a.name, c->part);
    }
  }
  std::erase_if(out, [](const auto& axis) { return axis.second == 1; });
  return out;
}

/// The parts of the given mesh's axes along which a better partition may exist.
std::vector<AxisPart> promising_parts(const PartitionInput& input, const Applied& of) {
  std::vector<AxisPart> out;
  for (const auto& [name, size] : blocked_axes(input, of)) {
    const auto known = of.plan.parts.find(name);
    const AxisPart axis = known == of.plan.parts.end() ? AxisPart{name, 1, 0} : known->second;
    out.push_back({axis.axis, axis.before, size});
  }
  return out;
}

/// Applies the input's tactics; then, as long as that divides more of the work, with axes in parts.
Result<Applied> applied_in_parts(const PartitionInput& input, Stopwatch& watch) {
  auto best = applied(input, {}, watch);
  std::vector<AxisPart> parts;
  const auto may_be_cut = [&] {  // tactics beside annotations are along the axes that these name
    return input.by_annotations || best->plan.annotations.empty() || best->plan.annotations_ignored;
  };
  while (best && input.axes_in_parts && may_be_cut()) {
    const std::vector<AxisPart> more = promising_parts(input, *best);
    if (more.empty()) break;
    parts.insert(parts.end(), more.begin(), more.end());
    auto next = applied(input, parts, watch);
    if (!next || next->report.flops_per_device >= best->report.flops_per_device) break;
    next->report.seconds += best->report.seconds;
    best = std::move(next);
    for (const auto& [name, part] : best->plan.parts) {
      const auto is_ours = [&axis = part.axis](const AxisPart& p) { return p.axis == axis; };
      if (std::any_of(parts.begin(), parts.end(), is_ours)) best->report.parts.push_back({name, part.axis, part.size});
    }
  }
  return best;
}

}  // namespace

Result<Partition> partition(const PartitionInput& input, Emit emit, double (*now)()) {
  Stopwatch watch(now);
  auto found = applied_in_parts(input, watch);
  if (!found) return tl::unexpected(found.error());
  Session* const session = &found->plan.session;
  Partition out = std::move(found->report);
  const SpmdProgram& spmd = session->lowered();
  out.by_offsets = decomposed_operations(*session);
  out.arguments = types_of(spmd, spmd.function.arguments());
  out.results = types_of(spmd, spmd.function.returned());
  const auto padded = [&](const std::vector<ValueId>& values) {
    std::vector<Type> types;
    for (const ValueId v : values) types.push_back(session->source().type(v));
    return types;
  };
  out.padded_arguments = padded(session->source().arguments());
  out.padded_results = padded(session->source().returned());
  out.named_values = session->named_types();
  out.collectives = count_collectives(spmd.function);
  out.executed = executed_collectives(spmd.function);
  out.collectives_by_axis = collectives_by_axis(spmd.function);
  watch.to(out.seconds.optimize);
  for (const std::string& what : input.explain) {
    auto texts = session->explain(what);
    if (!texts) return tl::unexpected(texts.error());
    out.explanations.emplace_back(what, std::move(*texts));
  }

  const Module device_local = session->stablehlo();
  out.stablehlo = print_module(device_local);
  out.certificate = session->certificate(device_local);
  if (emit == Emit::core) {
    Module alone;
    alone.name = session->module().name;
    alone.functions.push_back(session->core());
    out.core = print_module(alone);
  } else if (emit == Emit::spmd) {
    out.spmd = print_module(session->spmd());
  } else if (emit == Emit::sdy) {
    out.sdy = print_module(session->sdy());
  }
  watch.to(out.seconds.print);
  out.judgement = input.check ? session->check(out.stablehlo, out.certificate)
                              : Judgement{Verdict::skipped, "all inputs", "--no-check"};
  watch.to(out.seconds.check);
  return out;
}

}  // namespace partir
