// Which element of a source program stands where: for saying what a value of the partitioned program is.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/mesh.h"
#include "verify/validate/program.h"

namespace partir::validate {

/// What a value of the partitioned program is to the source.
struct Explanation {
  bool constant = false;  ///< known numbers
  std::size_t value = 0;  ///< of the index
  std::vector<Axis> pending{};
  Monoid monoid = Monoid::sum;               ///< by which it is pending
  std::vector<std::int64_t> axis_strides{};  ///< by mesh axis: how far its parts lie apart in the source's value
  double factor = 1;                         ///< it is so many times that: a product of axis sizes, or one over it
};

class SourceIndex {
 public:
  SourceIndex(const Mesh& mesh, Algebra& algebra) : mesh_(mesh), algebra_(algebra) {}

  void add(std::string name, const Array& value);
  [[nodiscard]] const std::string& name(std::size_t value) const { return names_[value]; }

  /// Nothing where the arrays are no parts of a value of the source, laid out along mesh axes, and do not combine to
  /// such over some axes. `misplaced` gets a value of which each device has some part, though no layout says which.
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
