// An index of the elements of a source program's values, by canonical element. explain.cpp uses it to describe what a
// value of the partitioned program is in terms of the source, to locate the operation at fault.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/mesh.h"
#include "verify/validate/program.h"

namespace partir::validate {

/// How a value of the partitioned program relates to the source: a part of a source value, perhaps pending or scaled.
struct Explanation {
  bool constant = false;                     ///< all elements are known numbers
  std::size_t value = 0;                     ///< number of the source value in the index
  std::vector<Axis> pending{};               ///< axes over which the value is still to be reduced
  Monoid monoid = Monoid::sum;               ///< of the pending reduction
  std::vector<std::int64_t> axis_strides{};  ///< by mesh axis: distance of neighbouring parts, in elements
  double factor = 1;                         ///< times that value: a product of axis sizes, or its inverse
};

class SourceIndex {
 public:
  SourceIndex(const Mesh& mesh, Algebra& algebra) : mesh_(mesh), algebra_(algebra) {}

  /// Adds a value of the source. `name` describes it in messages.
  void add(std::string name, const Array& value);
  [[nodiscard]] const std::string& name(std::size_t value) const { return names_[value]; }

  /// Explains the arrays that the devices hold as parts of one source value, sharded along mesh axes, perhaps after a
  /// reduction over some axes. Nothing if they are not. `misplaced` receives a source value of which every device has a
  /// part, but not in a layout along mesh axes.
  std::optional<Explanation> explain(const DeviceArrays& arrays, std::optional<std::size_t>* misplaced = nullptr);

 private:
  using Elements = std::vector<Element>;
  struct Where {
    std::uint32_t value = 0;
    std::uint32_t position = 0;
  };
  std::vector<Elements> canonical(const DeviceArrays& arrays);
  std::optional<Explanation> placed(const std::vector<Elements>& arrays, const std::vector<std::int64_t>& dims,
                                    const std::vector<bool>& represents, std::optional<std::size_t>* misplaced);
  std::vector<Elements> combined(const std::vector<Elements>& own, const std::vector<Axis>& axes, Monoid monoid,
                                 ElementType type, std::vector<bool>& represents);
  [[nodiscard]] std::optional<std::int64_t> position_in(std::size_t value, Element e) const;

  const Mesh& mesh_;
  Algebra& algebra_;
  std::vector<std::string> names_;
  std::vector<Elements> values_;
  std::unordered_map<Element, std::vector<Where>, ElementHash> where_;
};

}  // namespace partir::validate
