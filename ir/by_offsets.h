// Replaces operations by the same written in others (OpDecl::by_offsets).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/splat.h"

namespace partir {

/// What an operation is written in others for.
struct ByOffsets {
  std::size_t operand = 0;   ///< comes tiled; behind the operands, the result that is wanted tiled
  Dim dim = 0;               ///< along this dimension
  std::int64_t devices = 1;  ///< in so many chunks
};
/// An operation as it is written in others: with the scalars that its operands are known to be, and where it joins or
/// pads slices with what these are slices of. A stretch of what is joined or padded is that operation, which gives the
/// stretch alone.
///
///   pad(%x, low = [1], high = [0]), slice [0:16]      the pad of %x, with the stretch 0, 16 of its 17 places
struct ByOffsetsSubject {
  OpInstance instance;  ///< of slices: with their dimension, starts and sizes in "partir.slices"; of a stretch:
                        ///< with its start in "partir.stretch"
  std::vector<ValueId> operands;  ///< of the instance
};
class ByOffsetsSubjects {
 public:
  /// The function outlives it.
  explicit ByOffsetsSubjects(const Function& function);
  [[nodiscard]] ByOffsetsSubject of(const Op& op) const;

 private:
  [[nodiscard]] std::optional<ByOffsetsSubject> stretch(const Op& op) const;

  const Function& function_;
  Splats splats_;                                  ///< of scalars
  std::unordered_map<ValueId, const Op*> slices_;  ///< by result
  std::unordered_map<ValueId, const Op*> joins_;   ///< likewise: concatenations and pads
};
/// Where the stretch that is taken of what is joined or padded begins; nothing where the subject is no such stretch.
std::optional<std::int64_t> stretch_of(const OpInstance& op);
/// The type of what comes or is wanted tiled; null where the operation has no such operand or dimension.
const TensorType* tiled_type(const ByOffsets& how, const OpInstance& op);
/// "operand 0 #tile<1>", "result #tile<1>".
std::string text_of(const ByOffsets& how, const Op& op);
/// Operations by their first results.
using OperationsByOffsets = std::map<ValueId, ByOffsets>;

/// Those of them that the function has and that can be written so.
OperationsByOffsets writable(const Function& function, const OperationsByOffsets& operations);
/// The function with these operations written in others. Other values, and what the operations gave, keep their
/// numbers. An operation that cannot be written so is left.
Function written_by_offsets(const Function& function, const OperationsByOffsets& operations);

}  // namespace partir
