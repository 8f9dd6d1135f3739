// A program on a mesh and what tactics have made of it so far: the pipeline, for every client (command line, Python,
// search, tests, benchmarks).
//
//   auto session = Session::open({.text = text, .file = "step.mlir"}, mesh);
//   session->apply(tactic);                 // propagation; conflicts are data
//   session->collectives();                 // of the program lowered as it is now
//   session->cost(model);                   // seconds and peak memory, nothing printed or checked
//   session->undo();                        // as if the tactic had not been there
//   session->check();                       // the verdict on the StableHLO module
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/by_offsets.h"
#include "lowering/certificate.h"
#include "lowering/lower.h"
#include "rewrite/annotations.h"
#include "rewrite/conflict.h"
#include "rewrite/padding.h"
#include "rewrite/schedule.h"
#include "simulate/simulate.h"
#include "simulate/step.h"
#include "verify/verdict.h"

namespace partir {

/// A program as its user has it.
struct ProgramInput {
  std::string text;                                 ///< StableHLO
  std::string file;                                 ///< for messages
  std::optional<std::string> names = std::nullopt;  ///< content of a names file
  std::string names_file = {};
  std::optional<Names> given_names = std::nullopt;  ///< instead of a names file
};

/// A tactic that has been applied.
struct AppliedTactic {
  ResolvedTactic tactic;
  std::string label;  ///< "MP (schedule.json:3:4)", for explanations
  std::string file;   ///< of the schedule, for messages
};

class Session {
 public:
  /// Reads a program and inlines its calls. Errors: text that does not read, names of another program, a program that
  /// is partitioned already.
  static Result<Session> open(const ProgramInput& program, const Mesh& mesh);

  /// The same on the mesh of the program's annotations, whose axes `mesh` names if it is given. Errors also:
  /// annotations that do not read (rewrite/annotations.h).
  static Result<Session> open_annotated(const ProgramInput& program, const std::optional<Mesh>& mesh);
  /// Whether the program's text has shardings of its own.
  [[nodiscard]] bool has_annotations() const;
  /// Those shardings, in axes of the mesh or of one that refines it.
  [[nodiscard]] Result<Annotations> annotations() const;

  [[nodiscard]] const std::string& name() const { return program_->name; }
  /// Operations of the text, calls counted once.
  [[nodiscard]] std::size_t operations() const { return program_->operations; }
  [[nodiscard]] const Module& module() const { return program_->module; }  ///< calls inlined
  [[nodiscard]] const Function& main() const { return *program_->main; }
  [[nodiscard]] const Names& names() const { return program_->names; }
  [[nodiscard]] const Mesh& mesh() const { return program_->mesh; }

  /// Puts identities behind the values that later tactics name, so that they need not be put when those are applied. No
  /// tactic has been applied yet.
  void expect(std::vector<NamedValue> values);

  // --- Tactics -------------------------------------------------------------------------------------------------------
  /// Does a tactic's actions and propagates. `label` and `file` are for messages. Errors: a dimension that the axis
  /// does not divide, of a tactic that does not allow it; the session is then as before. Cost: proportional to what
  /// changes.
  Result<const AppliedTactic*> apply(const ResolvedTactic& tactic, std::string label = {}, std::string file = {});
  /// Takes back the last tactic. The session must have one.
  void undo();
  [[nodiscard]] const std::vector<AppliedTactic>& applied() const { return applied_; }
  /// By applied tactic, what it could not do in the state as it is. While settle() applies tactics again there are as
  /// many as it has come to.
  [[nodiscard]] const std::vector<std::vector<Conflict>>& conflicts() const { return version_->conflicts; }
  /// Writes operations of which each device can do its part by its offset in others, where the tactics so far call for
  /// it (rewrite/offsets.h), takes padding from arguments and results that no axis tiles, and applies the tactics
  /// again; `after_each` is called after each of them. Returns whether anything changed. undo() afterwards also undoes
  /// the writing, where it came with the tactic.
  Result<bool> settle(const std::function<Result<void>()>& after_each = {});

  /// What settle() would write by offsets in the state as it is, beside what is written so already.
  [[nodiscard]] OperationsByOffsets wanted_by_offsets() const;
  /// Another session of the program, without tactics: with identities behind these values, and these operations by
  /// offsets in place. Sessions of one program may be used by several threads.
  [[nodiscard]] Session again(std::vector<NamedValue> values, OperationsByOffsets offsets) const;

  [[nodiscard]] const State& state() const { return version_->state; }
  /// The function that is partitioned: main without dead code, with identities behind named values and operations by
  /// offsets in place.
  [[nodiscard]] const Function& source() const { return version_->source; }
  [[nodiscard]] const OperationsByOffsets& by_offsets() const { return version_->how.by_offsets; }

  // --- What the state stands for. Lowered once for each state. -----------------------------------------------------
  [[nodiscard]] const SpmdProgram& lowered();
  [[nodiscard]] CollectiveCounts collectives() { return count_collectives(lowered().function); }
  [[nodiscard]] Function core() const;
  [[nodiscard]] Module stablehlo() { return stablehlo_module(lowered()); }
  [[nodiscard]] Module spmd();
  [[nodiscard]] Module sdy();
  /// Distributed types of internal values that tactics name; several may share a name.
  [[nodiscard]] std::vector<std::pair<std::string, Layout>> named_types() const;
  /// The justification of a module that stablehlo() gave.
  [[nodiscard]] Certificate certificate(const Module& written);
  /// FLOPs of one run of the whole program on one device.
  [[nodiscard]] double flops_sequential() const;

  /// Seconds and peak memory of a step, for searches. The model must be for this mesh.
  Result<StepCost> cost(StepModel& model) { return model.cost(lowered().function); }
  /// All that is known of a step.
  Result<Simulation> simulate(const Device& device, SimulationOptions options);
  /// Verdict on a printed module that stablehlo() gave: by its certificate, else by running small programs.
  [[nodiscard]] Judgement check(const std::string& written, const Certificate& certificate) const;
  Judgement check();
  /// lowering/explain.h, of the state as it is.
  Result<std::vector<std::string>> explain(const std::string& what);

 private:
  struct Program {
    std::string name;
    std::string file;  ///< for messages
    std::size_t operations = 0;
    Module module;
    const Function* main = nullptr;  ///< of the module
    Names names;
    Mesh mesh;
    double matrix_flops = 0;  ///< of one run on one device
  };
  /// What differs in how the program is written: on padded values, then with operations by offsets in place.
  struct Writing {
    Padding padding;
    OperationsByOffsets by_offsets;
  };
  /// A way to write the program, and its state.
  struct Version {
    Writing how;
    std::vector<NamedValue> named;
    std::optional<Function> padded;   ///< main on padded values, if there are any
    std::optional<Function> written;  ///< the same with operations by offsets in place, if there are any
    Function source;
    State state;
    /// By tactic applied to the state; they name the source's operations.
    std::vector<std::vector<Conflict>> conflicts;

    Version(const Program& program, Writing writing, std::vector<NamedValue> values);
    /// Padded otherwise, an operation may be one that cannot be written so: then it is not.
    std::optional<Function> with_offsets(const Function& function);
    /// The program that is written by offsets.
    [[nodiscard]] const Function& base(const Program& program) const { return padded ? *padded : *program.main; }
    [[nodiscard]] const Function& main(const Program& program) const { return written ? *written : base(program); }
    Version(const Version&) = delete;
    Version& operator=(const Version&) = delete;
  };
  /// Where a tactic was applied first.
  struct Point {
    std::shared_ptr<Version> version;
    std::size_t mark = 0;
  };

  static Result<std::shared_ptr<Program>> read(const ProgramInput& input);
  static Session start(std::shared_ptr<Program> program, Mesh mesh);
  Session(std::shared_ptr<const Program> program, std::shared_ptr<Version> version);
  [[nodiscard]] Module stablehlo_module(const SpmdProgram& program) const;
  /// How a result comes out, and what was asked of it.
  [[nodiscard]] std::vector<TileDecision> returned_tiles(std::size_t k) const;
  /// What a tactic asks for that does not divide.
  [[nodiscard]] std::vector<UnevenDim> uneven_dims(const ResolvedTactic& tactic) const;
  /// What windows are slid over, tiled, where what they give does not divide so: VALID ones give fewer rows. It goes on
  /// behind its end, up to as many.
  [[nodiscard]] std::vector<UnevenDim> uneven_windows() const;
  /// The version with these dimensions padded, too, and these values named.
  [[nodiscard]] std::shared_ptr<Version> padded_more(const std::vector<UnevenDim>& dims,
                                                     std::vector<NamedValue> named) const;
  /// Arguments and results that no axis tiles where they are padded.
  [[nodiscard]] Padding without_idle_padding() const;
  /// Applies a tactic to the current version.
  Result<void> advance(const ResolvedTactic& tactic, const std::string& file);
  /// Applies the tactics so far to another version, which is then the current one; nothing changes on an error.
  Result<void> replay(std::shared_ptr<Version> version, const std::function<Result<void>()>& after_each);

  std::shared_ptr<const Program> program_;
  std::shared_ptr<Version> version_;
  std::vector<AppliedTactic> applied_;
  std::vector<Point> points_;  ///< as applied_
  std::unique_ptr<Redistributions> plans_;
  std::optional<SpmdProgram> lowered_;
};

}  // namespace partir
