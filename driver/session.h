// A session is a program on a mesh together with the tactics applied so far. It is the pipeline as a library, for all
// clients (command line, Python, search, tests, benchmarks).
//
//   auto session = Session::open({.text = text, .file = "step.mlir"}, mesh);
//   session->apply(tactic);                 // propagates; conflicts are data, not errors
//   session->collectives();                 // the collectives of the program lowered in its current state
//   session->cost(model);                   // seconds and peak memory; prints and checks nothing
//   session->undo();                        // restores the state before the tactic
//   session->check();                       // the verdict on the StableHLO module
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/batching.h"
#include "ir/by_offsets.h"
#include "lowering/certificate.h"
#include "lowering/lower.h"
#include "rewrite/annotations.h"
#include "rewrite/conflict.h"
#include "rewrite/padding.h"
#include "rewrite/schedule.h"
#include "semantics/infinities.h"
#include "simulate/simulate.h"
#include "simulate/step.h"
#include "verify/verdict.h"

namespace partir {

/// A program as the user provides it.
struct ProgramInput {
  std::string text;                                 ///< StableHLO
  std::string file;                                 ///< for messages
  std::optional<std::string> names = std::nullopt;  ///< the content of a names file
  std::string names_file = {};
  std::optional<Names> given_names = std::nullopt;  ///< used instead of a names file
};

/// A tactic that has been applied.
struct AppliedTactic {
  ResolvedTactic tactic;
  std::string label;  ///< "MP (schedule.json:3:4)", for explanations
  std::string file;   ///< the schedule's file, for messages
};

class Session {
 public:
  /// Parses a program and inlines its calls. Errors: text that does not parse, names that do not match the program,
  /// dynamic shapes, a program that is partitioned already.
  static Result<Session> open(const ProgramInput& program, const Mesh& mesh);

  /// As open, on the mesh of the program's annotations; `mesh`, if given, names its axes. Additional errors: malformed
  /// annotations (rewrite/annotations.h).
  static Result<Session> open_annotated(const ProgramInput& program, const std::optional<Mesh>& mesh);
  /// True if the program has shardings of its own.
  [[nodiscard]] bool has_annotations() const;
  /// The program's own shardings, in axes of the mesh or of a refinement of it.
  [[nodiscard]] Result<Annotations> annotations() const;

  [[nodiscard]] const std::string& name() const { return program_->name; }
  /// The number of operations in the source, counting each call once.
  [[nodiscard]] std::size_t operations() const { return program_->operations; }
  [[nodiscard]] const Module& module() const { return program_->module; }  ///< calls inlined
  /// The main function of the source, on batching dimensions where possible (ir/batching.h).
  [[nodiscard]] const Function& main() const { return *program_->main; }
  [[nodiscard]] const Names& names() const { return program_->names; }
  [[nodiscard]] const Mesh& mesh() const { return program_->mesh; }

  /// Inserts identities for the values that later tactics name, which saves rebuilding the program when those are
  /// applied. Must be called before the first tactic.
  void expect(std::vector<NamedValue> values);

  // --- Tactics -------------------------------------------------------------------------------------------------------
  /// Performs the actions of a tactic and propagates. `label` and `file` are used in messages. Errors: a dimension that
  /// the axis does not divide, if the tactic does not allow padding; the session is unchanged then. Takes time
  /// proportional to the changes, unless padding or new named values require the earlier tactics to be replayed.
  Result<const AppliedTactic*> apply(const ResolvedTactic& tactic, std::string label = {}, std::string file = {});
  /// Undoes the last tactic. There must be one.
  void undo();
  [[nodiscard]] const std::vector<AppliedTactic>& applied() const { return applied_; }
  /// For each applied tactic, the requests that it could not meet. While settle() replays the tactics, only those
  /// replayed so far are included.
  [[nodiscard]] const std::vector<std::vector<Conflict>>& conflicts() const { return version_->conflicts; }
  /// Decomposes operations by shard offsets where the current tilings require it (rewrite/offsets.h), pads the operands
  /// of windows if their results do not divide, removes padding from arguments and results that no axis tiles, and
  /// replays the tactics, until nothing changes, at most 100 times. Calls `after_each` after each replayed tactic.
  /// Returns whether anything changed. A later undo() also undoes the rewrites made since the undone tactic was
  /// applied.
  Result<bool> settle(const std::function<Result<void>()>& after_each = {});
  /// Whether settle() pads values whose length differs from their neighbours' (windows, slices of a stencil, joins).
  [[nodiscard]] bool settling_pads() const { return !uneven_windows(true).empty(); }
  /// Whether the program has operations for which settle() does so under some tactics.
  [[nodiscard]] bool settling_may_pad() const;

  struct WantedByOffsets {
    OperationsByOffsets given;   ///< of the program, padding included
    OperationsByOffsets inside;  ///< inside of decompositions, tiled along a further dimension: a window's second one
  };
  /// The operations that settle() would decompose in the current state, in addition to those already decomposed.
  [[nodiscard]] WantedByOffsets wanted_by_offsets() const;
  /// Returns another session of the program, without tactics, with identities for `values` and with the operations
  /// `offsets` decomposed. Several threads may use sessions of one program.
  [[nodiscard]] Session again(std::vector<NamedValue> values, OperationsByOffsets offsets) const;

  [[nodiscard]] const State& state() const { return version_->state; }
  /// The function that is partitioned: main without dead code, with padding, with identities for named values and with
  /// decomposed operations replaced.
  [[nodiscard]] const Function& source() const { return version_->source; }
  [[nodiscard]] const OperationsByOffsets& by_offsets() const { return version_->decomposed; }

  // --- Results for the current state. The lowered program is cached. ------------------------------------------------
  [[nodiscard]] const SpmdProgram& lowered();
  [[nodiscard]] CollectiveCounts collectives() { return count_collectives(lowered().function); }
  [[nodiscard]] Function core() const;
  [[nodiscard]] Module stablehlo() { return stablehlo_module(lowered()); }
  [[nodiscard]] Module spmd();
  [[nodiscard]] Module sdy();
  /// The layouts of internal values that tactics name; several values may share a name.
  [[nodiscard]] std::vector<std::pair<std::string, Layout>> named_types() const;
  /// The certificate of a module that stablehlo() returned.
  [[nodiscard]] Certificate certificate(const Module& written);
  /// The FLOPs of one run of the complete program on one device.
  [[nodiscard]] double flops_sequential() const;

  /// The time in seconds and the peak memory of a step, for searches. The model must be for this mesh.
  Result<StepCost> cost(StepModel& model);
  /// The detailed simulation of a step.
  Result<Simulation> simulate(const Device& device, SimulationOptions options);
  /// The verdict on a printed module that stablehlo() returned: by its certificate, or else by running the program if
  /// it is small.
  [[nodiscard]] Judgement check(const std::string& written, const Certificate& certificate) const;
  Judgement check();
  /// Explains a value or a collective of the current state (lowering/explain.h).
  Result<std::vector<std::string>> explain(const std::string& what);

 private:
  struct Program {
    std::string name;
    std::string file;  ///< for messages
    std::size_t operations = 0;
    Module module;
    std::set<ValueId> batching;                  ///< operations rewritten on batching dimensions (ir/batching.h)
    std::optional<Function> batched;             ///< main of `module` with these rewritten; nullopt if there are none
    const Function* main = nullptr;              ///< `batched`, or a function of `module`
    std::unique_ptr<LazyInfinities> infinities;  ///< of `main`
    Names names;
    Mesh mesh;
    double matrix_flops = 0;  ///< matrix_flops_of a run of the complete program
  };
  /// The rewrites of the program before it is partitioned: padding first, then decompositions, and then those of
  /// operations that decompositions contain.
  struct Writing {
    Padding padding;
    OperationsByOffsets by_offsets;  ///< requests; one that cannot be met beside the others is not repeated
    OperationsByOffsets again = {};  ///< likewise; their numbers depend on those decomposed before
  };
  /// A rewritten program and the partitioning state of it.
  struct Version {
    Writing how;
    std::vector<NamedValue> named;
    std::optional<Function> padded;   ///< main with padding; nullopt if there is none
    OperationsByOffsets decomposed;   ///< the requests that could be met
    std::optional<Function> written;  ///< the same with operations decomposed; nullopt if there are none
    OperationsByOffsets decomposed_again;
    std::optional<Function> written_again;
    Function source;
    State state;
    /// By tactic applied to the state; they refer to operations of `source`.
    std::vector<std::vector<Conflict>> conflicts;

    Version(const Program& program, Writing writing, std::vector<NamedValue> values);
    /// The program before decomposition.
    [[nodiscard]] const Function& base(const Program& program) const { return padded ? *padded : *program.main; }
    [[nodiscard]] const Function& main(const Program& program) const {
      return written_again ? *written_again : written ? *written : base(program);
    }
    Version(const Version&) = delete;
    Version& operator=(const Version&) = delete;
  };
  /// The version and the position on its trail at which a tactic was first applied, for undo().
  struct Point {
    std::shared_ptr<Version> version;
    std::size_t mark = 0;
  };

  static Result<std::shared_ptr<Program>> read(const ProgramInput& input);
  static Session start(std::shared_ptr<Program> program, Mesh mesh);
  Session(std::shared_ptr<const Program> program, std::shared_ptr<Version> version);
  [[nodiscard]] Module stablehlo_module(const SpmdProgram& program) const;
  /// The dimensions that a tactic requests to tile and that do not divide.
  [[nodiscard]] std::vector<UnevenDim> uneven_dims(const ResolvedTactic& tactic) const;
  /// Tiled operands of windows whose results do not divide, because VALID windows yield fewer rows than they read, and,
  /// if `slices`, of slices of nearly all rows, as in a stencil, and of concatenations, whose length their operands
  /// get. The results are padded to as many rows.
  [[nodiscard]] std::vector<UnevenDim> uneven_windows(bool slices) const;
  /// Removes those operations that padding made: their ids are those of one padding.
  void keep_given(OperationsByOffsets& operations) const;
  /// The version in which these dimensions are padded, too, and these values are named.
  [[nodiscard]] std::shared_ptr<Version> padded_more(const std::vector<UnevenDim>& dims,
                                                     std::vector<NamedValue> named) const;
  /// The current padding, with unpadded arguments and results where no axis tiles the padded dimensions.
  [[nodiscard]] Padding without_idle_padding() const;
  /// Applies a tactic to the current version.
  Result<void> advance(const ResolvedTactic& tactic, const std::string& file);
  /// Makes another version the current one and applies the tactics so far to it. On an error nothing changes.
  Result<void> replay(std::shared_ptr<Version> version, const std::function<Result<void>()>& after_each);

  std::shared_ptr<const Program> program_;
  std::shared_ptr<Version> version_;
  std::vector<AppliedTactic> applied_;
  std::vector<Point> points_;  ///< one per element of applied_
  std::unique_ptr<Redistributions> plans_;
  std::optional<SpmdProgram> lowered_;
};

}  // namespace partir
