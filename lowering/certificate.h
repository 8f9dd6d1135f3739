// Certificates: why a partitioned module computes what its source does, as data that an independent checker verifies
// (verify/certificate/check.h).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/action.h"
#include "ir/by_offsets.h"
#include "lowering/program.h"
#include "rewrite/padding.h"
#include "support/diagnostic.h"

namespace partir {

/// A place in a function: number of an operation in the body; then, for one inside, number of the region and of the
/// operation in it, and so on. "12", "12.0.3".
using OpPath = std::vector<std::size_t>;
std::string path_text(const OpPath& path);

/// What one operation of the partitioned module is. It has a source, or a type, or both (control flow).
struct CertificateStep {
  /// An entry used along an axis.
  struct Along {
    std::string axis;
    Entry entry;
  };
  OpPath op;                       ///< in the partitioned module
  std::optional<OpPath> source;    ///< the operation it is a device-local part of; none for a conversion of its operand
  std::vector<Along> along;        ///< by these entries, outermost first
  std::vector<std::string> types;  ///< layouts of the results: of conversions that give one, of control flow
};

/// A source operation that was written in others first (OpDecl::by_offsets).
struct WrittenByOffsets {
  OpPath source;  ///< as the source has it
  ByOffsets how;
};

/// How the source was written on padded values first (rewrite/padding.h): places as the source has them.
struct WrittenPadded {
  struct Uneven {
    std::optional<std::size_t> argument;  ///< this one; else
    OpPath source;                        ///< what this operation gives
    std::size_t result = 0;
    Dim dim = 0;
    std::int64_t parts = 1;
  };
  std::vector<Uneven> uneven;
  std::set<std::size_t> arguments;  ///< that come without padding
  std::set<std::size_t> results;    ///< that are returned without
};

/// Operations of the partitioned module that stand in no step compute positions of devices. Paths in the source count
/// its main function with calls inlined, on padded values, and what is written by offsets in place.
struct Certificate {
  std::string mesh;  ///< "batch=4,model=2"
  WrittenPadded padding;
  std::vector<WrittenByOffsets> by_offsets;
  std::vector<CertificateStep> steps;
};

/// The justification of `written` (stablehlo_module of `program`, which was lowered from `state`) as a partition of
/// `source`, of which the state's function is a part: without dead code, operations with the same ids. `by_offsets`:
/// how `source` was made of what was given.
Certificate certificate_of(const SpmdProgram& program, const Module& written, const State& state,
                           const Function& source, std::vector<WrittenByOffsets> by_offsets = {});
/// The places of operations in a function.
std::vector<WrittenByOffsets> places_of(const OperationsByOffsets& operations, const Function& function);
/// The other way round; nothing where an operation is not there or stands twice.
std::optional<OperationsByOffsets> operations_of(const std::vector<WrittenByOffsets>& list, const Function& function);

/// The same of padding.
WrittenPadded places_of(const Padding& padding, const Function& function);
std::optional<Padding> padding_of(const WrittenPadded& places, const Function& function);

/// JSON, a step on a line.
std::string to_json(const Certificate& certificate);
/// Errors: JSON that does not read, or is no certificate.
Result<Certificate> read_certificate(const std::string& text, const std::string& file);

}  // namespace partir
