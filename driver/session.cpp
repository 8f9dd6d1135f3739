// A session rewrites the program (padding, named identities, decompositions) before it partitions it. Each combination
// of rewrites is a Version with a partitioning state of its own. If a tactic requires another rewrite, the session
// builds a new version and replays the earlier tactics on it; undo() returns to the version before the tactic.
#include "driver/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "driver/one_device.h"
#include "ir/control_flow.h"
#include "ir/ops/padded.h"
#include "ir/sharding/attributes.h"
#include "ir/sharding/manual.h"
#include "ir/static_shapes.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "lowering/emit_sdy.h"
#include "lowering/explain.h"
#include "lowering/verify_spmd.h"
#include "rewrite/materialize.h"
#include "rewrite/offsets.h"
#include "rewrite/propagate.h"
#include "support/check.h"
#include "verify/certificate/check.h"
#include "verify/certificate/effects.h"
#include "verify/check_values.h"

namespace partir {
namespace {

std::string program_name(const std::string& file) {
  std::string name = file.substr(file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

tl::unexpected<Diagnostic> in_file(Diagnostic error, const std::string& file) {
  error.file = file;
  return tl::unexpected(std::move(error));
}

}  // namespace

Session::Version::Version(const Program& program, Writing writing, std::vector<NamedValue> values)
    : how(std::move(writing)),
      named(std::move(values)),
      padded(how.padding.empty() ? std::nullopt : std::optional(partir::padded(*program.main, how.padding))),
      written(with_offsets(base(program))),
      source(with_identities(without_dead_code(main(program)), named)),
      state(source, program.mesh) {}

std::optional<Function> Session::Version::with_offsets(const Function& function) {
  if (!how.padding.empty()) how.by_offsets = writable(function, how.by_offsets);
  if (how.by_offsets.empty()) return std::nullopt;
  return written_by_offsets(function, how.by_offsets);
}

Session::Session(std::shared_ptr<const Program> program, std::shared_ptr<Version> version)
    : program_(std::move(program)),
      version_(std::move(version)),
      plans_(std::make_unique<Redistributions>(program_->mesh)) {}

Result<std::shared_ptr<Session::Program>> Session::read(const ProgramInput& input) {
  auto program = std::make_shared<Program>();
  program->name = program_name(input.file);
  program->file = input.file;
  auto module = read_module(input.text, input.file);
  if (!module) return tl::unexpected(module.error());
  program->operations = module->operations;
  auto inlined = inline_calls(std::move(*module));
  if (!inlined) return in_file(inlined.error(), input.file);
  program->module = std::move(*inlined);
  const auto main = program->module.main();
  if (!main) return in_file(main.error(), input.file);
  program->main = *main;
  if (auto ok = require_static(**main); !ok) return in_file(ok.error(), input.file);
  program->batching = batchable(**main);
  if (!program->batching.empty()) program->main = &program->batched.emplace(with_batching(**main, program->batching));
  const Function live = without_dead_code(*program->main);
  if (const auto wrong = not_for_one_device(live)) return in_file(*wrong, input.file);
  auto names =
      input.given_names ? Result<Names>(*input.given_names) : names_of(*program->main, input.names, input.names_file);
  if (!names) return tl::unexpected(names.error());
  program->names = std::move(*names);
  return program;
}

Session Session::start(std::shared_ptr<Program> program, Mesh mesh) {
  program->mesh = std::move(mesh);
  auto version = std::make_shared<Version>(*program, Writing(), std::vector<NamedValue>());
  program->matrix_flops = matrix_flops_of(version->source);
  return Session(std::move(program), std::move(version));
}

Result<Session> Session::open(const ProgramInput& input, const Mesh& mesh) {
  auto program = read(input);
  if (!program) return tl::unexpected(program.error());
  return start(std::move(*program), mesh);
}

Result<Session> Session::open_annotated(const ProgramInput& input, const std::optional<Mesh>& mesh) {
  auto program = read(input);
  if (!program) return tl::unexpected(program.error());
  const auto annotations = read_annotations((*program)->module, *(*program)->main, mesh);
  if (!annotations) return in_file(annotations.error(), input.file);
  return start(std::move(*program), annotations->mesh);
}

bool Session::has_annotations() const {
  const auto has = [](const AttributeList& list) {
    return find(list, "sdy.sharding") != nullptr || find(list, "mhlo.sharding") != nullptr;
  };
  return std::any_of(main().argument_attributes.begin(), main().argument_attributes.end(), has) ||
         std::any_of(main().result_attributes.begin(), main().result_attributes.end(), has) ||
         find_op(main().body, [&](const Op& op) {
           return has(op.attributes) || find(op.attributes, "sharding") != nullptr || is_manual_computation(op);
         }) != nullptr;
}

Result<Annotations> Session::annotations() const {
  auto out = read_annotations(module(), main(), mesh());
  if (!out) return in_file(out.error(), program_->file);
  return out;
}

void Session::expect(std::vector<NamedValue> values) {
  PARTIR_CHECK(applied_.empty(), "identities that come too late");
  if (!values.empty()) version_ = std::make_shared<Version>(*program_, version_->how, std::move(values));
  lowered_.reset();
}

Result<const AppliedTactic*> Session::apply(const ResolvedTactic& tactic, std::string label, std::string file) {
  const Point before{version_, version_->state.mark()};
  std::vector<NamedValue> named = version_->named;
  for (const NamedValue& v : asked_values({tactic})) {
    const auto same = [&](const NamedValue& known) { return known.value == v.value && known.result == v.result; };
    if (std::none_of(named.begin(), named.end(), same)) named.push_back(v);
  }
  // Padding for this tactic may change the effects of earlier tactics, and so the dimensions that do not divide.
  for (auto uneven = uneven_dims(tactic); named.size() != version_->named.size() || !uneven.empty();
       uneven = uneven_dims(tactic)) {
    auto ok = replay(padded_more(uneven, named), {});
    if (!ok) {
      version_ = before.version;
      return tl::unexpected(ok.error());
    }
  }
  if (auto ok = advance(tactic, file); !ok) {
    version_ = before.version;
    return tl::unexpected(ok.error());
  }
  applied_.push_back({tactic, std::move(label), std::move(file)});
  points_.push_back(before);
  return &applied_.back();
}

std::vector<UnevenDim> Session::uneven_dims(const ResolvedTactic& tactic) const {
  std::vector<UnevenDim> out;
  const State& state = version_->state;
  const Function& written = version_->main(*program_);
  // A result may be returned without the padding of its value.
  const auto type_of = [&](ValueId v, std::optional<std::size_t> result) -> const Type& {
    return result ? version_->source.type(version_->source.returned()[*result]) : written.type(v);
  };
  const auto want = [&](ValueId v, std::optional<std::size_t> result, Dim dim, std::int64_t parts) {
    const std::int64_t size = type_of(v, result)->dims.at(dim);
    const UnevenDim wanted{v, dim, parts};
    const auto& known = version_->how.padding.uneven;  // padding that did not help is not tried again
    if (size > 0 && size % parts != 0 && std::find(known.begin(), known.end(), wanted) == known.end())
      out.push_back(wanted);
  };
  for (const LayoutRequest& layout : tactic.layouts) {
    if (layout.of == LayoutRequest::Of::manual) continue;  // their shardings always divide
    const bool of_argument = layout.of == LayoutRequest::Of::argument;
    const std::optional<std::size_t> result = of_argument ? std::nullopt : layout.value.result;
    const ValueId v = of_argument ? main().arguments()[layout.number]
                      : result    ? main().returned()[*result]
                                  : layout.value.value;
    std::map<Dim, std::int64_t> parts;
    for (const LayoutRequest::Tile& t : layout.tiles) parts.try_emplace(t.dim, 1).first->second *= mesh().size(t.axis);
    for (const auto& [dim, n] : parts) want(v, result, dim, n);
  }
  if (!tactic.uneven) return out;
  const auto ask = [&](ValueId v, std::optional<std::size_t> result, const std::vector<TileDecision>& placed,
                       const PatternRequest& r) {
    if (r.request.kind != Request::Kind::dim) return;
    std::int64_t parts = mesh().size(tactic.axis);
    for (const TileDecision& p : placed) {
      if (p.axis == tactic.axis) return;  // decided already
      if (p.dim == r.request.dim) parts *= mesh().size(p.axis);
    }
    want(v, result, r.request.dim, parts);
  };
  const auto ask_result = [&](std::size_t k, const PatternRequest& r) {
    ask(main().returned()[k], k, state.returned(k), r);
  };
  for (std::size_t i = 0; i < tactic.arguments.size(); ++i) {
    if (tactic.arguments[i]) ask(main().arguments()[i], std::nullopt, state.argument(i), *tactic.arguments[i]);
  }
  for (std::size_t k = 0; k < tactic.results.size(); ++k) {
    if (tactic.results[k]) ask_result(k, *tactic.results[k]);
  }
  for (const auto& [value, request] : tactic.values) {
    if (value.result) {
      ask_result(*value.result, request);
    } else {
      ask(value.value, std::nullopt, state.natural(value.value), request);
    }
  }
  return out;
}

Padding Session::without_idle_padding() const {
  Padding out = version_->how.padding;
  if (out.empty()) return out;
  const State& state = version_->state;
  const bool asked = std::any_of(applied_.begin(), applied_.end(),
                                 [](const AppliedTactic& a) { return a.tactic.uneven || !a.tactic.layouts.empty(); });
  const auto idle = [&](const Type& own, const Type& wide, const std::vector<TileDecision>& placed) {
    if (own == wide) return false;
    if (!asked) return true;  // padded only for the results of windows
    for (Dim d = 0; d < own.rank(); ++d) {
      const bool tiled = std::any_of(placed.begin(), placed.end(), [d](const TileDecision& p) { return p.dim == d; });
      if (own->dims[d] != wide->dims[d] && tiled) return false;
    }
    return true;
  };
  const Function& source = version_->source;
  for (std::size_t i = 0; i < main().arguments().size(); ++i) {
    if (idle(main().type(main().arguments()[i]), source.type(source.arguments()[i]), state.argument(i)))
      out.arguments.insert(i);
  }
  for (std::size_t k = 0; k < main().returned().size(); ++k) {
    if (idle(main().type(main().returned()[k]), source.type(source.returned()[k]), state.returned(k)))
      out.results.insert(k);
  }
  return out;
}

namespace {

/// Whether windows slide over a dimension and their results go on where it does, or, if `slices`, a slice takes nearly
/// all of it.
bool is_shorter(const OpInstance& op, Dim dim, bool slices) {
  if (op.decl->in_blocks == nullptr) return slices && ops::is_nearly_whole(op, dim);
  const auto goes_on = op.decl->padded(op, 0, dim, 2 * op.operands[0]->dims[dim]);
  return goes_on && goes_on->type(goes_on->returned().at(0)) != op.results[0];
}

}  // namespace

bool Session::settling_may_pad() const {
  return find_op(main().body, [&](const Op& op) {
           if (op.decl->padded == nullptr || op.operands.empty() || op.results.empty()) return false;
           const OpInstance instance = instance_of(main(), op);
           for (Dim d = 0; d < instance.operands[0].rank(); ++d) {
             if (instance.operands[0]->dims[d] > 1 && is_shorter(instance, d, true)) return true;
           }
           return false;
         }) != nullptr;
}

std::vector<UnevenDim> Session::uneven_windows(bool slices) const {
  std::vector<UnevenDim> out;
  const State& state = version_->state;
  const auto& known = version_->how.padding.uneven;  // padding that did not help is not tried again
  // A region's argument has no name in a certificate; the result that it becomes is padded alike.
  std::unordered_map<ValueId, ValueId> named;
  for_each_op(program_->main->body, [&](const Op& op) {
    for (const Flow& flow : flows_of(op)) {
      for (const ValueId v : flow.to) named.emplace(v, flow.to.back());
    }
  });
  std::unordered_set<ValueId> used;
  for_each_op(version_->source.body, [&](const Op& op) { used.insert(op.operands.begin(), op.operands.end()); });
  for (std::size_t site = 0; site < state.operations(); ++site) {
    const Op& op = state.op(site);
    if (op.decl->padded == nullptr || op.operands.empty()) continue;
    const ValueId x = op.operands[0];
    const std::size_t given = program_->main->types.size();  // only operations of the given program
    if (x.index() >= given || op.results.empty() || op.results[0].index() >= given || !used.contains(op.results[0]))
      continue;
    std::map<Dim, std::int64_t> parts;
    for (const TileDecision& p : state.natural(x)) {
      if (p.dim && state.step(site, p.axis) == nullptr)
        parts.try_emplace(*p.dim, 1).first->second *= mesh().size(p.axis);
    }
    for (const auto& [dim, n] : parts) {
      const OpInstance instance = state.global(site);
      const auto result = named.find(x);
      const UnevenDim wanted{result == named.end() ? x : result->second, dim, n};
      if (std::find(known.begin(), known.end(), wanted) == known.end() && is_shorter(instance, dim, slices))
        out.push_back(wanted);
    }
  }
  return out;
}

void Session::keep_given(OperationsByOffsets& operations) const {
  std::erase_if(operations, [&](const auto& o) { return o.first.index() >= program_->main->types.size(); });
}

std::shared_ptr<Session::Version> Session::padded_more(const std::vector<UnevenDim>& dims,
                                                       std::vector<NamedValue> named) const {
  Writing how = version_->how;
  how.padding.uneven.insert(how.padding.uneven.end(), dims.begin(), dims.end());
  keep_given(how.by_offsets);
  return std::make_shared<Version>(*program_, std::move(how), std::move(named));
}

Result<void> Session::advance(const ResolvedTactic& tactic, const std::string& file) {
  auto conflicts = apply_tactic(version_->state, tactic, program_->names, file);
  if (!conflicts) return tl::unexpected(conflicts.error());
  version_->conflicts.push_back(std::move(*conflicts));
  lowered_.reset();
  return {};
}

void Session::undo() {
  PARTIR_CHECK(!applied_.empty(), "no tactic to undo");
  version_ = points_.back().version;
  version_->state.undo_to(points_.back().mark);
  points_.pop_back();
  applied_.pop_back();
  version_->conflicts.resize(applied_.size());
  lowered_.reset();
}

Result<void> Session::replay(std::shared_ptr<Version> version, const std::function<Result<void>()>& after_each) {
  const std::shared_ptr<Version> before = std::exchange(version_, std::move(version));
  lowered_.reset();
  for (std::size_t t = 0; t < applied_.size();) {
    // In the new version, values may be tiled differently and need padding of their own: restart with the first tactic.
    if (const auto uneven = uneven_dims(applied_[t].tactic); !uneven.empty()) {
      version_ = padded_more(uneven, version_->named);
      t = 0;
      continue;
    }
    auto ok = advance(applied_[t].tactic, applied_[t].file);
    if (ok && after_each) ok = after_each();
    if (!ok) {
      version_ = before;
      lowered_.reset();
      return ok;
    }
    ++t;
  }
  return {};
}

Result<bool> Session::settle(const std::function<Result<void>()>& after_each) {
  constexpr std::size_t kRounds = 100;  // a rewrite may change which rewrites are requested
  for (std::size_t round = 0;; ++round) {
    Writing how{without_idle_padding(), wanted_by_offsets()};
    for (const UnevenDim& dim : uneven_windows(how.by_offsets.empty())) how.padding.uneven.push_back(dim);
    const bool settled = how.by_offsets.empty() && how.padding == version_->how.padding;
    if (settled || round == kRounds) return round > 0;
    how.by_offsets.insert(version_->how.by_offsets.begin(), version_->how.by_offsets.end());
    if (how.padding != version_->how.padding) keep_given(how.by_offsets);
    auto ok = replay(std::make_shared<Version>(*program_, std::move(how), version_->named), after_each);
    if (!ok) return tl::unexpected(ok.error());
  }
}

OperationsByOffsets Session::wanted_by_offsets() const {
  OperationsByOffsets out;
  // A mask's iota over a padded dimension is cheaper to slice than to compute in blocks.
  std::unordered_set<ValueId> masks;
  if (version_->padded) {
    for_each_op(version_->padded->body, [&](const Op& op) {
      if (op.operands.empty() && op.results.size() == 1 && op.results[0].index() >= main().types.size())
        masks.insert(op.results[0]);
    });
  }
  for (const auto& [result, how] : to_write_by_offsets(version_->state)) {
    // Once only: operations of the given program and those that padding makes of it.
    const bool given = result.index() < version_->base(*program_).types.size();
    if (given && !masks.contains(result) && !version_->how.by_offsets.contains(result)) out.emplace(result, how);
  }
  return out;
}

Session Session::again(std::vector<NamedValue> values, OperationsByOffsets offsets) const {
  Writing how{version_->how.padding, std::move(offsets)};
  Session out(program_, std::make_shared<Version>(*program_, std::move(how), std::move(values)));
  return out;
}

namespace {

/// In debug and sanitizer builds, checks a stage's result with the stage's verifier.
void check_stage([[maybe_unused]] const char* stage, [[maybe_unused]] const std::function<Result<void>()>& verify) {
#ifdef PARTIR_VERIFY_STAGES
  const Result<void> ok = verify();
  PARTIR_CHECK(ok.has_value(), std::string(stage) + ": " + (ok ? "" : ok.error().text()));
#endif
}

}  // namespace

const SpmdProgram& Session::lowered() {
  if (!lowered_) {
    lowered_ = lower(version_->state, *plans_);
    check_stage("lowering", [&] { return verify_spmd(*lowered_); });
  }
  return *lowered_;
}

Function Session::core() const {
  Function out = materialize(version_->state);
  check_stage("core", [&] { return verify_function(out); });
  return out;
}

Module Session::stablehlo_module(const SpmdProgram& program) const {
  Module out = partir::stablehlo_module(program, program_->module);
  set_frontend_attribute(out.attributes, "partir.model_flops", fmt::format("{:.0f}", program_->matrix_flops));
  check_stage("emission", [&] { return verify_function(**out.main()); });
  return out;
}

Module Session::spmd() { return spmd_module(lowered(), program_->module); }

Module Session::sdy() {
  std::vector<Conflict> conflicts;
  for (const auto& of : version_->conflicts) conflicts.insert(conflicts.end(), of.begin(), of.end());
  return sdy_module(lowered(), program_->module, version_->state, conflicts);
}

std::vector<std::pair<std::string, Layout>> Session::named_types() const {
  std::vector<std::pair<std::string, Layout>> out;
  for_each_op(version_->source.body, [&](const Op& op) {
    if (!names_value(op) || names_result(op)) return;
    const ValueId v = op.results[0];
    out.emplace_back(find(op.attributes, "partir.name")->as<StringAttr>()->value,
                     layout_of(version_->state.natural(v), version_->source.type(v).rank()));
  });
  return out;
}

Certificate Session::certificate(const Module& written) {
  Certificate out = certificate_of(lowered(), written, version_->state, version_->main(*program_),
                                   places_of(version_->how.by_offsets, version_->base(*program_)));
  out.padding = places_of(version_->how.padding, *program_->main);
  if (program_->batched) out.batching = places_of(program_->batching, **program_->module.main());
  return out;
}

double Session::flops_sequential() const {
  return flops_of(version_->padded || version_->written ? without_dead_code(*program_->main) : version_->source);
}

Result<StepCost> Session::cost(StepModel& model) {
  const Function& function = lowered().function;
  if (find_op(function.body, is_sharding_constraint) == nullptr) return model.cost(function);
  Function written = function;
  drop_sharding_constraints(written);
  return model.cost(written);
}

Result<Simulation> Session::simulate(const Device& device, SimulationOptions options) {
  if (!options.model_flops) options.model_flops = program_->matrix_flops;
  return partir::simulate(stablehlo(), program_->names, device, options);
}

Judgement Session::check(const std::string& text, const Certificate& certificate) const {
  const auto written = read_module(text, "the partitioned module");
  PARTIR_CHECK(written.has_value(), "a module that we wrote does not read: " + (written ? "" : written.error().text()));
  const CertificateReport report = check_certificate(program_->module, *written, certificate);
  if (report.verdict == Verdict::proved) {
    return {Verdict::proved, report.scope(),
            fmt::format("{} local operations by {} proved entries", report.local, report.proofs), report.over_reals};
  }
  const std::string reason = fmt::format("{}: {}", report.step, report.reason);
  if (report.verdict == Verdict::refuted) return {Verdict::refuted, "types only", reason};
  if (too_large(program_->module, program_->mesh.devices())) return {Verdict::unknown, "all inputs", reason};
  // What the interpreters do for an operation with effects, such as rng, or for one that depends on the device, says
  // nothing about what the devices do.
  const Block& body = program_->main->body;
  const auto depends_on_device = [](const Op& op) { return op.decl->kind == OpDecl::Kind::device; };
  if (find_op(body, has_effects) != nullptr || find_outside_manual(body, depends_on_device) != nullptr)
    return {Verdict::unknown, "all inputs", reason};
  Judgement values = check_values(program_->module, *written);
  if (values.verdict == Verdict::passed) values.reason = "not proved for all: " + reason;
  // A program with operations that are kept unpartitioned cannot be run here, so neither verdict is justified.
  if (values.verdict == Verdict::skipped) return {Verdict::unknown, "all inputs", reason};
  return values;
}

Judgement Session::check() {
  const Module written = stablehlo();
  return check(print_module(written), certificate(written));
}

Result<std::vector<std::string>> Session::explain(const std::string& what) {
  Explained explained{lowered(), version_->state, program_->names, {}};
  for (const AppliedTactic& t : applied_) explained.tactics.push_back(t.label);
  return partir::explain(what, explained);
}

}  // namespace partir
