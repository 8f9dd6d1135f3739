// Combines the three methods of proofs_notes/validation.md: an inferred certificate, evaluation on elements (random,
// then exact for small programs), and trials on inputs. If evaluation proves the results equal, it also checks that the
// devices' results are defined and that promises hold.
#include "verify/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/uuid/detail/sha1.hpp>
#include <cstring>
#include <set>
#include <utility>

#include "ir/control_flow.h"
#include "ir/declared_calls.h"
#include "ir/text/print.h"
#include "rewrite/state.h"
#include "semantics/interpreter.h"
#include "verify/certificate/check.h"
#include "verify/certificate/effects.h"
#include "verify/prove/reach.h"
#include "verify/validate/comparison.h"
#include "verify/validate/explain.h"
#include "verify/validate/general_forms.h"
#include "verify/validate/infer.h"

namespace partir::validate {
namespace {

constexpr double kExact = 400'000;        ///< most elements of both programs for which exact evaluation is tried
constexpr double kPossible = 30'000'000;  ///< most elements for which evaluation is tried at all
constexpr double kMostOperations =
    200'000'000;  ///< most operations on elements (a product of matrices has more than elements)

/// The number of elements of all values in a block. The body of a loop counts once per iteration; a loop with an
/// unknown trip count counts as one iteration.
double elements_of(const Function& f, const Block& block, const TripCounts& trips) {
  double out = 0;
  for (const Op& op : block.ops) {
    for (const ValueId v : op.results) {
      if (f.type(v).is_tensor()) out += static_cast<double>(f.tensor(v).elements());
    }
    if (!runs_regions(op)) continue;
    double once = 0;
    for (const Block& b : op.regions) once += elements_of(f, b, trips);
    out += once * static_cast<double>(trips.of(op).value_or(1));
  }
  return out;
}

/// Inputs tried before evaluation if an operation is unexplained: of kinds for which nothing overflows that is a number
/// over the reals.
constexpr std::size_t kFirstTrials = 3;

/// Decides the verdict on one pair of main functions and fills in a Validation.
class Decision {
 public:
  Decision(const Module& source, const Module& partitioned, Validation& out, const Options& options)
      : source_module_(source),
        partitioned_module_(partitioned),
        source_(**source.main()),
        partitioned_(**partitioned.main()),
        out_(out),
        options_(options) {
    work_ = work_of(source_, kMostOperations) +
            static_cast<double>(out.layouts.devices.count()) * work_of(partitioned_, kMostOperations);
    size_ = elements_of(source_, source_.body, TripCounts(source_)) +
            static_cast<double>(out.layouts.devices.count()) *
                elements_of(partitioned_, partitioned_.body, TripCounts(partitioned_));
  }

  void decide() {
    if (certified()) return;
    if (!options_.evaluate) {
      out_.reason = no_certificate_;
      return;
    }
    const auto& arguments = out_.layouts.arguments;
    const auto pending = [](const Layout& l) { return !l.pending.empty(); };
    if (const auto it = std::find_if(arguments.begin(), arguments.end(), pending); it != arguments.end()) {
      // Evaluation and inputs give every device the argument itself, not its part of a reduction.
      out_.reason = fmt::format("argument {} comes in with a pending reduction", it - arguments.begin());
      return;
    }
    if (size_ > kPossible) {
      out_.reason = fmt::format("{}; with about {:.0e} elements the programs are too large to be evaluated",
                                no_certificate_, size_);
      return;
    }
    if (work_ > kMostOperations) {
      out_.reason =
          fmt::format("{}; with about {:.0e} operations on elements the programs are too large to be evaluated",
                      no_certificate_, work_);
      return;
    }
    const std::optional<Defect> unexplained = std::exchange(out_.at, std::nullopt);
    // If an operation is not explained, a few inputs often refute the partition, at far less cost than evaluation.
    if (unexplained) refute(kFirstTrials);
    if (out_.verdict == Verdict::refuted) {
      out_.reason = "results differ on inputs";
    } else if (attempt()) {
      if (size_ <= kExact && out_.verdict == Verdict::proved) prove_exactly();
      if (out_.verdict == Verdict::proved) name_arithmetic();
      return;
    }
    if (out_.reason.empty()) out_.reason = "results differ in normal form";
    if (!no_certificate_.empty()) out_.reason += "; operation by operation: " + no_certificate_;
    if (!out_.at) out_.at = locate_defect(source_, partitioned_, out_.layouts, seed(), options_.stop);
    if (out_.verdict != Verdict::refuted) refute();
    if (!out_.at) out_.at = unexplained;
  }

 private:
  /// Infers a certificate and checks it. Returns true if that proves the partition.
  bool certified() {
    if (!options_.infer) return false;
    if (out_.layouts.devices.replicas != 1 || out_.layouts.mesh.devices() != out_.layouts.devices.partitions) {
      no_certificate_ = "replicas are not followed operation by operation";
      return false;
    }
    const Inference inference = infer_certificate(source_module_, partitioned_module_, out_.layouts, options_.stop);
    if (inference.stop) {
      const auto& stop = *inference.stop;
      no_certificate_ = fmt::format("line {}: {} {}", stop.place.line, stop.operation, stop.why);
      out_.at = Defect{stop.place, stop.operation, stop.why};
      return false;
    }
    const CertificateReport report = check_certificate(inference.source, inference.partitioned, inference.certificate,
                                                       {nullptr, false, false, options_.stop});
    if (report.verdict != Verdict::proved) {
      no_certificate_ =
          fmt::format("an inferred certificate is {}: {}: {}", name_of(report.verdict), report.step, report.reason);
      return false;
    }
    out_.verdict = Verdict::proved;
    out_.scope = "all inputs";
    const std::string arithmetic = report.scope().substr(report.scope().find("; ") + 2);
    out_.reason = fmt::format("by an inferred certificate of {} steps, {} entries proved; {}", inference.steps,
                              report.proofs, arithmetic);
    for (std::size_t k = 0; k < out_.results.size(); ++k)
      out_.results[k] = {out_.results[k].name, Verdict::proved, report.over_reals[k]};
    return true;
  }

  /// After a proof over the reals, determines which results also hold bit by bit, if the programs are small enough to
  /// evaluate by bits, and appends that to the reason.
  void name_arithmetic() {
    std::vector<bool> by_bits(out_.results.size(), false);
    if (size_ <= kExact) {
      try {
        by_bits = Comparison(source_, partitioned_, out_.layouts, seed(), false, options_.stop, Arithmetic::bits).run();
      } catch (const Unknown&) {
      }
    }
    for (std::size_t k = 0; k < by_bits.size(); ++k) out_.results[k].over_reals = !by_bits[k];
    const bool reals = std::find(by_bits.begin(), by_bits.end(), false) != by_bits.end();
    out_.reason += "; " + text_of_declared_calls(declared_calls(source_));
    out_.reason += reals ? prove::text_of_jumps(jumps_) + "over the reals, reassociated" : std::string("bit-exact");
  }

  /// Whether the devices' results are defined wherever the source's are, and the promises of the partitioned program
  /// (unique or sorted indices, and the like) hold. If that is not shown, results that agree are `unknown`, or refuted
  /// if an input shows the contrary.
  bool is_defined(const Comparison& comparison) {
    std::size_t divisors = comparison.own_divisors();
    std::size_t arguments = comparison.own_partial_applications();
    if (divisors + arguments > 0) {
      Comparison with_signs(source_, partitioned_, out_.layouts, seed(), false, options_.stop);
      with_signs.algebra().follow_signs(true);
      (void)with_signs.run();
      divisors = with_signs.own_divisors();
      arguments = with_signs.own_partial_applications();
    }
    if (divisors + arguments > 0) {
      refute();
      if (out_.verdict == Verdict::refuted) {
        out_.reason =
            "a device computes what has no value (a division by zero, a logarithm, a root) where the source does not";
        return false;
      }
      if (divisors > 0)
        out_.conditions.push_back(fmt::format("{} divisors that the source does not divide by are not zero", divisors));
      if (arguments > 0)
        out_.conditions.push_back(fmt::format(
            "{} logarithms, roots or powers and the like, which the source does not compute, have a value", arguments));
    }
    if (comparison.has_padding() && !agrees_on_any_padding(false))
      out_.conditions.emplace_back(
          "what stands beside devices' parts of arguments is a number, and neither NaN nor an infinity");
    const auto& promises = comparison.own_promises();
    out_.conditions.insert(out_.conditions.end(), promises.begin(), promises.end());
    if (out_.conditions.empty()) return true;
    for (ResultVerdict& r : out_.results) r.verdict = Verdict::unknown;
    out_.reason = "results agree only where " + out_.conditions[0];
    return false;
  }

  /// Whether all results agree if the padding may be an infinity or NaN, for which 0 * x is not 0.
  bool agrees_on_any_padding(bool exact) {
    Comparison comparison(source_, partitioned_, out_.layouts, seed(), exact, options_.stop);
    comparison.pad_with_anything();
    const auto agree = comparison.run();
    return std::all_of(agree.begin(), agree.end(), [](bool b) { return b; });
  }

  /// Compares the results by random evaluation. Returns true if all of them agree.
  bool attempt() {
    try {
      Comparison comparison(source_, partitioned_, out_.layouts, seed(), false, options_.stop);
      const std::vector<bool> agree = comparison.run();
      for (std::size_t k = 0; k < agree.size(); ++k)
        out_.results[k].verdict = agree[k] ? Verdict::proved : Verdict::unknown;
      if (!std::all_of(agree.begin(), agree.end(), [](bool b) { return b; })) return false;
      if (!is_defined(comparison)) return true;
      jumps_ = comparison.jumps();
      out_.verdict = Verdict::proved;
      out_.scope = "all inputs, error below 2^-80";
      out_.reason = "by random algebraic evaluation";
      if (!no_certificate_.empty()) out_.reason += "; operation by operation: " + no_certificate_;
      return true;
    } catch (const Unknown& u) {
      out_.reason = u.reason;
    } catch (const Program::Deadlock& d) {
      out_.reason = d.reason;
      out_.at = Defect{d.place, d.operation, d.reason};
    }
    return false;
  }

  /// Repeats the evaluation with polynomials instead of residues, so that the proof has no probability of error.
  void prove_exactly() {
    try {
      Comparison comparison(source_, partitioned_, out_.layouts, seed(), true, options_.stop);
      const auto agree = comparison.run();
      if (!std::all_of(agree.begin(), agree.end(), [](bool b) { return b; })) return;
      if (comparison.has_padding() && !agrees_on_any_padding(true)) return;
      out_.scope = "all inputs";
      out_.reason = "by exact normal forms";
    } catch (const Ring::TooLarge&) {
    } catch (const Unknown&) {
    }
  }

  void refute(std::size_t trials = kTrials) {
    out_.counterexample =
        find_counterexample(source_, partitioned_, out_.layouts, options_.seed, options_.stop, trials);
    if (!out_.counterexample) return;
    out_.verdict = Verdict::refuted;
    if (out_.counterexample->note.empty()) out_.results[out_.counterexample->result].verdict = Verdict::refuted;
  }

  Seed seed() {
    if (!seed_) seed_ = seed_of(source_module_, partitioned_module_);
    return *seed_;
  }

  const Module& source_module_;
  const Module& partitioned_module_;
  const Function& source_;
  const Function& partitioned_;
  Validation& out_;
  const Options& options_;
  double size_ = 0;
  double work_ = 0;
  std::optional<Seed> seed_;
  std::string no_certificate_;
  std::set<std::string> jumps_;  ///< jumping operations of both programs
};

bool is_collective(const Op& op) { return op.decl->kind == OpDecl::Kind::collective; }

/// Whether the groups of a collective name fewer than all devices.
bool leaves_devices_out(const Op& op, std::int64_t devices) {
  const Attribute* groups = find(op.attributes, "replica_groups");
  const DenseAttr* dense = groups != nullptr ? groups->as<DenseAttr>() : nullptr;
  if (dense == nullptr || op.decl->collective.from_root || op.decl->collective.to_root) return false;
  std::int64_t named = 0;
  for (std::int64_t k = 0; k < dense->literal->type.elements(); ++k) named += dense->literal->as_int(k) >= 0 ? 1 : 0;
  return named != 0 && named < devices;
}

/// Whether a function has a collective that its `live` part lacks, because the result is not used, and that some devices
/// may not reach: in a branch or a loop, or without a group for each device.
bool drops_collective_for_some(const Function& f, const Function& live, std::int64_t devices) {
  std::set<OpId> used;
  for_each_op(live.body, [&](const Op& op) {
    if (is_collective(op)) used.insert(op.id);
  });
  std::set<OpId> outer;
  for (const Op& op : f.body.ops) outer.insert(op.id);
  return find_op(f.body, [&](const Op& op) {
           return is_collective(op) && !used.contains(op.id) &&
                  (!outer.contains(op.id) || leaves_devices_out(op, devices));
         }) != nullptr;
}

/// Why a verdict would say nothing: an operation of the modules means something else in each, or nothing that is
/// specified, as a complex transform of another length than its operand has.
std::optional<std::string> not_comparable(const Module& source, const Module& partitioned) {
  if (const auto name = differing_function(source, partitioned))
    return "@" + *name + " is another function in each module";
  for (const Module* m : {&source, &partitioned}) {
    const Function& f = **m->main();
    const auto is_of_other_length = [&](const Op& op) {
      if (op.name() != "stablehlo.fft") return false;
      const OpInstance instance = instance_of(f, op);
      const auto& length = instance.ints("fft_length");
      const std::vector<std::int64_t>& dims = instance.operands[0]->dims;
      return instance.operands[0] == instance.results[0] && !std::equal(length.rbegin(), length.rend(), dims.rbegin());
    };
    if (const Op* op = find_op(f.body, is_of_other_length))
      return fmt::format("line {}: stablehlo.fft, whose length is not the operand's", op->place.line);
  }
  return std::nullopt;
}

}  // namespace

Seed seed_of(const Module& source, const Module& partitioned) {
  boost::uuids::detail::sha1 hash;
  for (const Module* m : {&source, &partitioned}) {
    const std::string text = print_module(*m);
    hash.process_bytes(text.data(), text.size());
  }
  boost::uuids::detail::sha1::digest_type digest;
  hash.get_digest(digest);
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), &digest, sizeof words);
  return {words[0], words[1]};
}

Result<Validation> validate_partition(const Module& source, const Module& partitioned,
                                      const std::vector<std::string>& result_names, const Options& options) {
  auto s = inline_calls(source);
  if (!s) return tl::unexpected(s.error());
  auto listed = with_listed_groups(partitioned);
  if (!listed) return tl::unexpected(listed.error());
  auto p = inline_calls(std::move(*listed));
  if (!p) return tl::unexpected(p.error());
  auto layouts = layouts_of(*s, *p, options.shardings, options.mesh, options.shardings_file);
  if (!layouts) return tl::unexpected(layouts.error());
  // What a program computes and does not use has no value that anything relies on. But devices wait for each other in
  // collectives, also in unused ones: these are kept where not all devices may reach them.
  for (Module* m : {&*s, &*p}) *m = with_general_forms(std::move(*m));
  for (Function& f : s->functions) f = without_dead_code(f);
  bool may_wait = false;
  for (Function& f : p->functions) {
    Function live = without_dead_code(f);
    const bool waits = drops_collective_for_some(f, live, layouts->devices.count());
    f = waits ? without_dead_code(f, is_collective) : std::move(live);
    may_wait = may_wait || waits;
  }
  Validation out;
  out.layouts = std::move(*layouts);
  const Function& from = **s->main();
  for (std::size_t k = 0; k < from.returned().size(); ++k)
    out.results.push_back({k < result_names.size() ? result_names[k] : fmt::format("result{}", k), Verdict::unknown});
  auto wrong = donates_more(source, partitioned);
  if (!wrong) wrong = not_comparable(*s, *p);
  if (wrong) {
    out.reason = *wrong;
    out.conditions = {*wrong};
    return out;
  }
  try {
    Options how = options;
    how.infer = how.infer && !may_wait;  // a certificate relates values that are used
    Decision(*s, *p, out, how).decide();
  } catch (const UserError& e) {
    return tl::unexpected(e.diagnostic());
  }
  return out;
}

}  // namespace partir::validate
