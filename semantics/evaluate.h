// Evaluates index notation (ir/meaning.h) over a scalar domain, for the interpreters.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ir/meaning.h"
#include "semantics/tensor.h"

namespace partir {

/// A meaning prepared for evaluation, reused for all devices and runs. Elements of a result are computed in blocks
/// along its largest dimension, so that one traversal of the term computes many elements; affine indices become a base
/// and a step. A reduction visits its ranges in row-major order.
class CompiledMeaning {
 public:
  CompiledMeaning(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value);
  ~CompiledMeaning();
  CompiledMeaning(CompiledMeaning&&) noexcept;
  CompiledMeaning& operator=(CompiledMeaning&&) noexcept;

  /// The cost of one run; see Meaning::steps.
  [[nodiscard]] double steps() const;
  /// Returns the results. `pause` is called about once per million steps, and may throw to abort the run.
  [[nodiscard]] std::vector<Tensor> run(const std::vector<const Tensor*>& operands, const Domain& domain,
                                        const std::function<void()>& pause = nullptr) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace partir
