// Certificates: the reasons why a partitioned module computes what its source does, as data that an independent checker
// verifies (verify/certificate/check.h). The lowering writes them; nothing in them is trusted.
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

/// The position of an operation in a function: its index in the body; then, for an operation in a region, the index of
/// the region and of the operation in it, and so on. Written "12", "12.0.3".
using OpPath = std::vector<std::size_t>;
std::string path_text(const OpPath& path);

/// The reason for one operation of the partitioned module. It has a source, or layouts, or both (control flow).
struct CertificateStep {
  /// An entry used along an axis.
  struct Along {
    std::string axis;
    Entry entry;
  };
  OpPath op;                       ///< in the partitioned module
  std::optional<OpPath> source;    ///< operation of which it is the device-local part; none for a conversion
  std::vector<Along> along;        ///< the entries used, outermost first
  std::vector<std::string> types;  ///< layouts of the results, for conversions and control flow
};

/// An operation that was decomposed first, using the shard offset (OpDecl::by_offsets).
struct WrittenByOffsets {
  OpPath source;  ///< position in the function before decomposition
  ByOffsets how;
};

/// How the source was rewritten on padded values (rewrite/padding.h). Positions refer to the source without padding.
struct WrittenPadded {
  struct Uneven {
    std::optional<std::size_t> argument;  ///< this argument, if set; otherwise
    OpPath source;                        ///< a result of the operation at this position
    std::size_t result = 0;
    Dim dim = 0;
    std::int64_t parts = 1;
  };
  std::vector<Uneven> uneven;
  std::set<std::size_t> arguments;  ///< arguments that are passed without padding
  std::set<std::size_t> results;    ///< results that are returned without padding
};

/// A certificate. Operations of the partitioned module without a step compute device positions. The source is rewritten
/// in this order: calls are inlined, the operations of `batching` are rewritten (ir/batching.h), values are padded, the
/// operations of `by_offsets` are decomposed, and then those of `by_offsets_again`, which decompositions contain.
/// Positions in each list refer to the source as rewritten before it, and those of steps to the source after all of
/// them.
struct Certificate {
  std::string mesh;  ///< "batch=4,model=2"
  std::vector<OpPath> batching;
  WrittenPadded padding;
  std::vector<WrittenByOffsets> by_offsets;
  std::vector<WrittenByOffsets> by_offsets_again;
  std::vector<CertificateStep> steps;
};

/// Returns the certificate of `written` (stablehlo_module of `program`, which was lowered from `state`) as a partition
/// of `source`. The state's function must be `source` without dead code, with the same operation ids. `by_offsets`: the
/// operations that were decomposed to obtain `source`.
Certificate certificate_of(const SpmdProgram& program, const Module& written, const State& state,
                           const Function& source, std::vector<WrittenByOffsets> by_offsets = {});
/// The positions of these operations in a function.
std::vector<WrittenByOffsets> places_of(const OperationsByOffsets& operations, const Function& function);
/// The inverse of places_of; nothing if an operation does not exist or is listed twice.
std::optional<OperationsByOffsets> operations_of(const std::vector<WrittenByOffsets>& list, const Function& function);

/// The same for gathers and scatters on batching dimensions, which are listed by their first results.
std::vector<OpPath> places_of(const std::set<ValueId>& results, const Function& function);
/// The inverse; nullopt if an operation does not exist or is listed twice.
std::optional<std::set<ValueId>> results_of(const std::vector<OpPath>& list, const Function& function);

/// The same for padding.
WrittenPadded places_of(const Padding& padding, const Function& function);
std::optional<Padding> padding_of(const WrittenPadded& places, const Function& function);

/// JSON with one step per line.
std::string to_json(const Certificate& certificate);
/// Errors: invalid JSON, or JSON that is not a certificate.
Result<Certificate> read_certificate(const std::string& text, const std::string& file);

}  // namespace partir
