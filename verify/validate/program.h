// Evaluates a function on elements: on one device, or on all devices of a mesh in lockstep. Comparison runs the source
// and the partitioned program with it; program_control.cpp and program_collectives.cpp hold the respective operations.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/op_decl.h"
#include "semantics/interpreter.h"
#include "verify/validate/bits.h"
#include "verify/validate/evaluate.h"
#include "verify/validate/products.h"
#include "verify/validate/promises.h"
#include "verify/validate/signs.h"

namespace partir::validate {

/// Called after each operation with its results, by result and device; null on devices that did not run it.
using Observer = std::function<void(const Op& op, const std::vector<DeviceArrays>& results)>;

class Program {
 public:
  /// `function` must outlive the object. The results of operations on bits are recorded in `bits` if the algebra is by
  /// bits, and taken from there if it is over the reals.
  Program(const Function& function, const Devices& devices, Algebra& algebra, ObservedBits& bits,
          const Products& products);

  /// Runs the function and returns its results, by result and device. Throws Unknown, Deadlock, and UserError for
  /// malformed attributes.
  std::vector<DeviceArrays> run(const std::vector<DeviceArrays>& arguments, const Observer& observer = nullptr);

  /// The promises of the operations that ran.
  [[nodiscard]] const Promises& promises() const { return promises_; }
  /// Operations that jump (ir/continuity.h) and read floats that depend on inputs.
  [[nodiscard]] const std::set<std::string>& jumps() const { return jumps_; }

  /// Whether data decided a branch that contains collectives: all devices must then take the same branch, bit by bit.
  [[nodiscard]] bool decides_collectives() const { return decides_collectives_; }

  /// Thrown if not all devices of a group reach a collective.
  struct Deadlock {
    Place place;
    std::string operation;
    std::string reason;
  };

 private:
  using Active = std::vector<std::size_t>;  ///< the devices that run the current block

  std::vector<DeviceArrays> block(const Block& b, const Active& active);
  /// Whether an operand of the operation has an element that may be an infinity.
  bool has_infinities(const Op& op, const Active& active);
  void step(const Op& op, const Active& active);
  void array_op(const Op& op, const Active& active);
  void collective(const Op& op, const Active& active);
  void loop(const Op& op, const Active& active);
  void branch(const Op& op, const Active& active);
  void opaque_op(const Op& op, const Active& active);
  /// Applies the unknown function of a precision of products to each element; it maps 0 to 0.
  ArrayPtr in_precision(const Array& of, const std::string& precision);
  /// Marks each float as chosen by the machine, by an order of sums or within an accuracy, which `order` identifies.
  ArrayPtr in_order(const Array& of, const std::string& order);
  void device_id(const Op& op, const Active& active);
  void note_jump(const Op& op, const std::vector<ArrayPtr>& operands);
  void note_bits(const Op& op, const Active& active);
  void take_bits(const Op& op, const Active& active);
  Kernel& kernel_of_op(const Op& op);
  /// Combines arrays element by element, by the computation of a collective.
  ArrayPtr folded(const Op& op, const std::vector<ArrayPtr>& of, const TensorType& result);
  void set(ValueId v, std::size_t device, ArrayPtr a) { values_[v.index()][device] = std::move(a); }
  [[nodiscard]] const ArrayPtr& at(ValueId v, std::size_t device) const { return values_[v.index()][device]; }
  void mark_sums();

  const Function& function_;
  Devices devices_;
  std::size_t count_;  ///< number of devices
  Algebra& algebra_;
  ObservedBits& bits_;
  const Products& products_;
  Promises promises_{algebra_};
  std::set<std::string> jumps_;
  bool decides_collectives_ = false;
  std::uint64_t course_ = 0;  ///< hash of the blocks entered so far, and on which devices
  std::vector<DeviceArrays> values_;
  std::unordered_set<ValueId> used_;  ///< operands of some operation; other results are dropped
  std::vector<Sign> signs_;           ///< by value
  std::vector<bool> tracked_;         ///< by value: whether sums are tracked for exp and log
  std::unordered_map<const Op*, Kernel> kernels_;
  const Observer* observer_ = nullptr;
};

}  // namespace partir::validate
