// Evaluates index notation over a scalar domain.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ir/meaning.h"
#include "semantics/tensor.h"

namespace partir {

/// A meaning made ready for evaluation; reused for all devices and runs. Elements of a result are computed in blocks
/// along its largest dimension, so that one walk over the term serves many elements; affine indices become a base and a
/// step. The order of a reduction is that of its ranges, last fastest.
class CompiledMeaning {
 public:
  CompiledMeaning(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value);
  ~CompiledMeaning();
  CompiledMeaning(CompiledMeaning&&) noexcept;
  CompiledMeaning& operator=(CompiledMeaning&&) noexcept;

  /// Of one run; see Meaning::steps.
  [[nodiscard]] double steps() const;
  /// `pause` is called every million steps or so; what it throws ends the run.
  [[nodiscard]] std::vector<Tensor> run(const std::vector<const Tensor*>& operands, const Domain& domain,
                                        const std::function<void()>& pause = nullptr) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace partir
