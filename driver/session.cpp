// A session rewrites the program (padding, named identities, decompositions) before it partitions it. Each combination
// of rewrites is a Version with a partitioning state of its own. If a tactic requires another rewrite, the session
// builds a new version and replays the earlier tactics on it; undo() returns to the version before the tactic.
#include "driver/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/one_device.h"
#include "ir/control_flow.h"
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
      decomposed(writable(base(program), how.by_offsets)),
      written(decomposed.empty() ? std::nullopt : std::optional(written_by_offsets(base(program), decomposed))),
      decomposed_again(written ? writable(*written, how.again) : OperationsByOffsets()),
      written_again(decomposed_again.empty() ? std::nullopt
                                             : std::optional(written_by_offsets(*written, decomposed_again))),
      source(with_identities(without_dead_code(main(program)), named)),
      state(source, program.mesh) {}

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
  program->infinities = std::make_unique<LazyInfinities>(*program->main);
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
    lowered_ = lower(version_->state, *plans_, *program_->infinities);
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
                                   places_of(version_->decomposed, version_->base(*program_)));
  if (version_->written_again) out.by_offsets_again = places_of(version_->decomposed_again, *version_->written);
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
