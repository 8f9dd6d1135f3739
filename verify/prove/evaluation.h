// The recursive evaluation behind `element` (elements.h): it walks from a value of a symbolic program to the arguments
// and builds canonical forms. One instance evaluates one program on one device. Its methods are spread over
// elements.cpp, combinations.cpp, scalar_functions.cpp and device_elements.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verify/prove/elements.h"
#include "verify/prove/expr_detail.h"

namespace partir::prove {

/// Recognises a masked fold, whose computation is `counts ? accumulated (+) value : accumulated`, as that of
/// select_and_scatter is; returns its monoid (+).
std::optional<Monoid> passes_over(const ScalarTerm& t, const Meaning& m);
/// Returns all values of indices in ranges of these extents; nothing if they depend on sizes or are too many.
std::optional<std::vector<std::vector<std::int64_t>>> indices_of(const std::vector<Poly>& extents);

/// Sets the arithmetic in which floats are read for the lifetime of the object.
class ArithmeticScope {
 public:
  ArithmeticScope(Context& c, Arithmetic arithmetic) : c_(c), before_(std::exchange(c.arithmetic, arithmetic)) {}
  ~ArithmeticScope() { c_.arithmetic = before_; }
  ArithmeticScope(const ArithmeticScope&) = delete;
  ArithmeticScope& operator=(const ArithmeticScope&) = delete;

 private:
  Context& c_;
  Arithmetic before_;
};

class Evaluation {
 public:
  Evaluation(const SymbolicProgram& program, const DeviceElement& argument, DeviceAt device, Context& c,
             const OutOfTime& out_of_time)
      : p_(program), argument_(argument), device_(std::move(device)), c_(c), out_of_time_(out_of_time) {}

  /// Returns the canonical form of a value's element.
  Expr element(ValueId v, const std::vector<Poly>& at);

  /// Receives one application, in any operation of the program, of a function that is not defined everywhere: a boolean
  /// form that states whether the arguments are in the domain, the ranges that occur in it, and the guards under which
  /// it is evaluated.
  using Note =
      std::function<void(const Expr& defined, const std::vector<AtomId>& ranges, const std::vector<Factor>& where)>;
  /// Calls `note` for each such application. An application that is evaluated only where guards fail has no condition
  /// that could be reported: `certain` omits it, otherwise it is reported as if it were always evaluated. `around`: the
  /// ranges that occur in the arguments' elements, such as the device's coordinate.
  void each_domain(bool certain, std::vector<AtomId> around, const Note& note);

 private:
  /// The operation being evaluated, and the values of the ranges in its meaning.
  struct Frame {
    const SymbolicOp* op;
    std::map<RangeId, Poly> at;
  };
  /// State of each_domain, while it evaluates one operation.
  struct Domains {
    bool certain = false;
    const Note* note = nullptr;
    std::vector<AtomId> ranges;
    std::vector<Factor> where;
  };

  [[nodiscard]] const Function& function() const { return p_.module.functions.at(0); }
  [[nodiscard]] const std::vector<Poly>& dims(ValueId v) const { return p_.dims[v.index()]; }
  [[nodiscard]] ElementType type_of(ValueId v) const { return function().type(v)->element; }

  // Loops, slices and collectives over mesh axes (device_elements.cpp).
  Expr core(const SymbolicOp& op, std::size_t number, ValueId v, std::vector<Poly> at);
  Expr collective(const Op& op, ValueId v, std::vector<Poly> at);
  Expr element_on(DeviceAt there, ValueId v, const std::vector<Poly>& at);
  Expr over_devices(Monoid m, const std::vector<AtomId>& devices, const Expr& body);
  std::pair<Poly, Poly> split_index(const Poly& index, const Poly& size);

  // Index notation (elements.cpp).
  Expr element_of(const SymbolicOp& op, const ResultMeaning& result, Frame& f);
  const std::vector<Poly>& sizes();
  Poly index(IndexId id, Frame& f);
  Poly divisor(IndexId id, Frame& f);
  Expr operand(std::size_t k, const std::vector<IndexId>& at, Frame& f);
  std::vector<Factor> guards(const std::vector<Guard>& list, Frame& f);
  std::vector<AtomId> bind(const std::vector<RangeId>& ranges, Frame& f);
  Expr scalar(ScalarId id, Frame& f);
  Expr guarded(const ScalarTerm& t, Frame& f);
  Expr attribute(const ScalarTerm& t, Frame& f);
  static Expr literal(const Literal& l, std::int64_t position, Arithmetic arithmetic);
  Expr library(const ScalarTerm& t, Frame& f);

  // Folds and reductions (combinations.cpp).
  Expr folded(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& where, const Expr& body,
              int cuts = 0);
  // Folds that select an element (selections.cpp).
  /// How such a fold compares a value with the next one.
  struct Keeps {
    ScalarFn fn;
    bool exchanged;  ///< whether the next one is on the left
  };
  std::optional<Keeps> keeps_of(const Factor& fold);
  Expr kept(const Keeps& by, const Expr& value, const Expr& next);
  /// Returns whether the fold `selected` selects this place, as a conjunction of comparisons (selected-place); nothing
  /// if it is no such fold, or if that is not requested (Context::selections_by_comparison).
  std::optional<Expr> is_selected(const Expr& selected, const Expr& place);
  Expr where_counted(const Expr& holds);
  /// Returns a masked sum with one addend for each index; nothing if it is no sum, or over too many indices. Each addend
  /// asks whether one place of its window is selected, which is_selected can tell.
  std::optional<Expr> written_out(const ScalarTerm& t, Monoid monoid, Frame& f);

  /// Combines two forms by a monoid; nothing if no law allows it.
  std::optional<Expr> combined(Monoid m, const Expr& a, const Expr& b);
  Expr reduce(const ScalarTerm& t, Frame& f);
  Expr reduce_unknown(const ScalarTerm& t, Frame& f, std::vector<AtomId> ranges, const std::vector<Factor>& where);
  void take_single_steps(std::vector<AtomId>& ranges, std::vector<Factor>& where, std::vector<Expr>& bodies);
  std::vector<Expr> combination(const std::vector<ScalarId>& combine, Frame& f);
  std::string combination_text(const std::vector<Expr>& combination);

  // Functions of scalars (scalar_functions.cpp).
  Expr apply(const ScalarTerm& t, Frame& f);
  Expr arithmetic(const ScalarTerm& t, const std::vector<Expr>& args);
  Expr convert(const Expr& x, ElementType to, bool computed);
  Expr compare(ScalarFn fn, const Expr& a, const Expr& b);
  Expr complement(const Expr& x);
  void note_arithmetic(ElementType type) { computed_ = computed_ || is_float(type) || is_complex(type); }
  Expr plain(ScalarFn fn, ElementType to, const std::vector<Expr>& args);
  void note_domain(ScalarFn fn, const std::vector<Expr>& args);

  const SymbolicProgram& p_;
  const DeviceElement& argument_;
  DeviceAt device_;
  std::optional<std::vector<Poly>> sizes_;
  std::map<ValueId, Poly> iteration_;  ///< iteration number of each enclosing loop
  Context& c_;
  const OutOfTime& out_of_time_;
  std::size_t steps_ = 0;
  /// True if the current element was computed by additions or multiplications, so that its rounding and the sign of a
  /// zero depend on their order.
  bool computed_ = false;
  Domains* domains_ = nullptr;
  std::vector<Factor> counted_;  ///< guards of the addend that is being written out
};

}  // namespace partir::prove
