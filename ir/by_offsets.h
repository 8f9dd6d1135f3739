// Decomposes operations (OpDecl::by_offsets): replaces an operation by equivalent ones that have tile-mapping entries
// for the requested tiling, so that each device can compute its part by using its shard offset. rewrite/offsets.h
// chooses the operations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/splat.h"

namespace partir {

/// The tiling for which an operation is decomposed.
struct ByOffsets {
  std::size_t operand = 0;   ///< the tiled operand; the number of operands if the result is requested tiled instead
  Dim dim = 0;               ///< the tiled dimension
  std::int64_t devices = 1;  ///< the number of chunks
};
/// The operation that is decomposed in place of a given one. It has the scalars that its operands are known to equal. A
/// concatenate or pad of slices is fused with the slices: it reads the values that they slice. A slice of a concatenate
/// or pad is fused with it: the subject is the concatenate or pad, restricted to that stretch of its result. A slice of
/// a select_and_scatter of a pad that takes the positions of the operand of that pad is fused with both: the subject is
/// the select_and_scatter of that operand, with padding of its own.
///
///   pad(%x, low = [1], high = [0]), slice [0:16]      the pad of %x, with the stretch 0, 16 of its 17 positions
struct ByOffsetsSubject {
  OpInstance instance;  ///< "partir.slices" holds the dimension, then the start and size of the slice of each operand
                        ///< that is not a scalar; "partir.stretch" holds the start of the stretch;
                        ///< "partir.filling" holds the value with which the operand of a select_and_scatter is padded
  std::vector<ValueId> operands;  ///< the operands of the instance
};
/// The decomposition of an operation as requested.
struct Decomposed {
  ByOffsetsSubject subject;
  Function function;  ///< of the operands of the subject
};
/// Finds the subjects of the operations of a function.
class ByOffsetsSubjects {
 public:
  /// `function` must outlive the object.
  explicit ByOffsetsSubjects(const Function& function);
  /// The subject that is fused with the most operations.
  [[nodiscard]] ByOffsetsSubject of(const Op& op) const;
  /// Decomposes that subject or, if it cannot be decomposed as requested, the one that is not restricted to a stretch:
  /// the request may have been made where the concatenate or pad was decomposed.
  [[nodiscard]] std::optional<Decomposed> decompose(const Op& op, const ByOffsets& how) const;
  /// The select_and_scatter that a slice is fused with, as an operation with the slice's result.
  [[nodiscard]] std::optional<Op> fused_selection(const Op& slice) const;

 private:
  [[nodiscard]] ByOffsetsSubject with_slices(const Op& op) const;
  [[nodiscard]] std::optional<ByOffsetsSubject> stretch(const Op& op) const;
  [[nodiscard]] std::optional<ByOffsetsSubject> selection(const Op& op) const;

  const Function& function_;
  Splats splats_;                                      ///< known values of scalars
  std::unordered_map<ValueId, const Op*> slices_;      ///< by result
  std::unordered_map<ValueId, const Op*> joins_;       ///< concatenates and pads, by result
  std::unordered_map<ValueId, const Op*> selections_;  ///< select_and_scatters, by result
  std::unordered_set<ValueId> constants_;              ///< the results of constants
};
/// The start of the stretch to which a subject is restricted; nullopt if it is not restricted.
std::optional<std::int64_t> stretch_of(const OpInstance& op);
/// The value with which the operand of a select_and_scatter is padded before it, if the subject is fused with the pad;
/// null otherwise.
LiteralPtr filling_of(const OpInstance& op);
/// The type of the operand or result that is tiled; null if the operation has no such operand, result or dimension.
const TensorType* tiled_type(const ByOffsets& how, const OpInstance& op);
/// "operand 0 #tile<1>", "result #tile<1>".
std::string text_of(const ByOffsets& how, const Op& op);
/// The operations to decompose, by their first results.
using OperationsByOffsets = std::map<ValueId, ByOffsets>;

/// Returns those of `operations` that the function contains and that can be decomposed as requested.
OperationsByOffsets writable(const Function& function, const OperationsByOffsets& operations);
/// Returns the function with these operations decomposed. All values of `function`, including the results of decomposed
/// operations, keep their ids.
/// @pre `operations` are writable.
Function written_by_offsets(const Function& function, const OperationsByOffsets& operations);

}  // namespace partir
