// The algebra of elements: applies scalar functions to elements so that equal results of two programs become equal
// elements. Program and Kernel (program.h, evaluate.h) call it for every scalar operation.
//
// Sums, products and quotients are those of the ring. Other functions that obey laws have normal forms:
//   exp          exp(a + b) = exp a exp b, exp(log s) = s, log(exp s) = s       (exponentials.cpp)
//   max, min     associative, commutative, idempotent: a set of members          (extrema.cpp)
//   and, or, xor also sets of members                                            (bitwise.cpp)
//   roots        sqrt(4 x) = 2 sqrt(x)                                           (roots.cpp)
//   complex      by real and imaginary parts                                     (complex_numbers.cpp)
//   NaN          numbers that are NaN under known conditions                     (numbers_or_nan.cpp)
//   comparisons  the sign of a difference, a variable with the values -1, 0, 1    (signs_of_differences.cpp)
//   integers     linear in one variable on intervals of it; wrapping splits them  (linear.cpp)
//                quotients, remainders, shifts and masks by constants             (integer_parts.cpp)
// Any other function application is an unknown, identified by the complete record of function, types and arguments.
//
// One class declares all of it, in more than 500 lines, because each law reads what others have recorded of an element.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/literal.h"
#include "ir/scalar_fn.h"
#include "verify/validate/element_map.h"
#include "verify/validate/element_sets.h"
#include "verify/validate/obligations.h"
#include "verify/validate/ring.h"
#include "verify/validate/signs.h"
#include "verify/validate/time_limit.h"

namespace partir::validate {

using VariableId = std::uint32_t;

/// An unknown integer that may have any value from `low` to `high`.
struct Variable {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// A piece of a case distinction: the element's value for variables up to `upto`, from just after the previous piece's
/// `upto` or, for the first, from the variable's `low`.
struct Piece {
  std::int64_t upto = 0;
  Element value;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// How floats are modelled: as real numbers, or by their bits. By bits, the only law of arithmetic is that sums and
/// products of two floats commute; maxima and data movement are exact.
enum class Arithmetic : std::uint8_t { reals, bits };

class Algebra {
 public:
  /// `is_up` returns true once time is up; long computations then throw Unknown.
  explicit Algebra(Seed seed, bool exact, Arithmetic arithmetic = Arithmetic::reals,
                   std::function<bool()> is_up = nullptr);

  [[nodiscard]] const Ring& ring() const { return ring_; }
  [[nodiscard]] bool by_bits() const { return arithmetic_ == Arithmetic::bits; }
  /// Counts steps of the caller towards the time limit (TimeLimit). Function applications are counted by themselves.
  void spend(std::size_t steps) { time_.spend(steps); }

  // --- Sources of elements ------------------------------------------------------------------------------------------

  /// Element `position` (row-major) of argument `number` of the source: an unknown with any value of its type.
  Element input(std::size_t number, std::int64_t position, ElementType type);
  Element from_literal(const Literal& literal, std::int64_t position);
  Element from_index(std::int64_t index, ElementType type);

  // --- Functions ----------------------------------------------------------------------------------------------------

  /// fn(args); `in` is the element type of the arguments (of the values, for select), `type` of the result.
  Element apply(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  Element apply(ScalarFn fn, ElementType in, ElementType type, std::initializer_list<Element> args) {
    return apply(fn, in, type, std::span<const Element>(args.begin(), args.size()));
  }
  Element add(Element a, Element b, ElementType type) {
    if (is_number(a) && is_number(b) && is_ring_of(type)) return ring_.add(a, b);
    return apply(ScalarFn::add, type, type, {a, b});
  }
  Element multiply(Element a, Element b, ElementType type) {
    if (is_number(a) && is_number(b) && a != b && is_ring_of(type)) return ring_.multiply(a, b);
    return apply(ScalarFn::multiply, type, type, {a, b});
  }
  /// While one exists, products are parts of a larger operation (a dot, a fold, a power), which the machine rounds as
  /// it likes: those of known numbers are known only if they are exact.
  class Inside {
   public:
    explicit Inside(Algebra& algebra) : algebra_(algebra) { ++algebra_.inside_; }
    ~Inside() { --algebra_.inside_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Algebra& algebra_;
  };
  /// Element-wise quotients a[k] / b[k]. The divisors are inverted together, which is faster.
  void divide_all(const std::vector<Element>& a, const std::vector<Element>& b, ElementType type,
                  std::vector<Element>& out);
  Element select(Element predicate, Element a, Element b, ElementType type) {
    return apply(ScalarFn::select, type, type, {predicate, a, b});
  }
  /// The maximum or minimum, by `fn`, of several elements.
  Element extremum(ScalarFn fn, std::vector<Element> of, ElementType type);
  /// An unknown of the type, identified by the record and the arguments. Poison if an argument is.
  Element opaque(const std::string& record, ElementType type, std::span<const Element> args);
  /// The element over the reals for a result that an operation on bits had in the evaluation by bits. `by_bits` is a
  /// known constant, or canonical in that evaluation.
  Element imported(Element by_bits, ElementType type);
  /// Records that `bits` is the bit pattern of `number`, so that a bitcast back to the type yields `number`.
  void note_bits_of(Element bits, Element number, ElementType type) {
    floats_of_.try_emplace(bits, Float{number, type});
  }
  /// Calls `leaf` for each case of the elements and joins the results into one case distinction. Nothing if there are
  /// too many cases or `leaf` returns nothing.
  using Leaf = std::function<std::optional<Element>(std::span<const Element>)>;
  std::optional<Element> by_cases(std::span<const Element> args, const Leaf& leaf);
  /// As by_cases for one index, but `leaf` is only called with known integers in [0, limit); an index outside that
  /// range yields poison.
  std::optional<Element> by_index(Element index, std::int64_t limit, const std::function<Element(std::int64_t)>& leaf);

  /// The payload of the greatest (or least) value. Among equal values, it is that of the first or the last, or the
  /// smallest payload. Nothing if a value is NaN, poison or a case distinction with special values, or if the order of
  /// the payloads is needed but unknown.
  enum class Ties : std::uint8_t { first, last, smallest };
  std::optional<Element> at_greatest(std::vector<Element> values, std::vector<Element> payloads, bool least, Ties ties,
                                     ElementType type);
  /// The `count` greatest of plain elements in descending order, and their positions. Equal ones keep their order.
  std::vector<Element> top_values(std::vector<Element> of, std::int64_t count);
  std::vector<Element> top_places(std::vector<Element> of, std::int64_t count, ElementType of_type, ElementType type);
  /// The first `count` payloads in the descending (or ascending) order of plain keys of the type. Those of equal keys
  /// keep theirs.
  std::vector<Element> carried(std::vector<Element> keys, const std::vector<Element>& payloads, std::int64_t count,
                               bool least, ElementType type);

  // --- Normal forms -------------------------------------------------------------------------------------------------

  /// The plain element that represents an element. Equal elements have equal canonical elements.
  Element canonical(Element e);
  bool equal(Element a, Element b) { return a == b || canonical(a) == canonical(b); }
  /// The value of a known number or integer; nothing for other elements.
  [[nodiscard]] std::optional<double> known(Element e) const;

  /// While set, sums are tracked along with their exponentials, for exp and log (exponentials.cpp).
  void track_sums(bool on) { tracks_sums_ = on; }
  /// While set, no number is taken to be NaN. Used to determine what a fold's computation does to numbers.
  void take_numbers(bool on) { takes_numbers_ = on; }
  /// While set, conditions of definedness are recorded: divisors that are not known to differ from zero, and arguments
  /// of partial functions.
  void note_conditions(bool on) { notes_conditions_ = on; }
  /// While set, radicands are known not to be negative, so that only the zeros of 1 / sqrt are recorded.
  void take_radicands(bool on) { takes_radicands_ = on; }
  /// Records that the function must be defined at these arguments, if conditions are recorded.
  void note_partial(std::string_view function, std::span<const Element> args);
  /// While set, the signs of elements are tracked, and divisors known to be positive are not recorded.
  void follow_signs(bool on) { follows_signs_ = on; }
  /// Divisors that may be zero.
  [[nodiscard]] const Obligations& divisors() const { return divisors_; }
  /// Applications of partial functions such as log and sqrt, one element for each function and argument.
  [[nodiscard]] const Obligations& partial_applications() const { return partial_applications_; }
  /// Whether calling `f` records conditions of definedness; they are forgotten.
  template <class F>
  bool records_conditions(F&& f) {
    Obligations divisors = std::exchange(divisors_, {});
    Obligations applications = std::exchange(partial_applications_, {});
    f();
    std::swap(divisors_, divisors);
    std::swap(partial_applications_, applications);
    return !divisors.empty() || !applications.empty();
  }
  /// Forgets both; another program follows.
  void clear_obligations();
  /// Enters what is evaluated only if an i1 is true, and leaves it.
  void enter(Element condition) { path_.push_back(is_true(condition)); }
  void leave() { path_.pop_back(); }
  /// Evaluates `f` where an i1 is true.
  template <class F>
  auto under(Element condition, F&& f) {
    struct Entered {
      Algebra& algebra;
      ~Entered() { algebra.leave(); }
    };
    enter(condition);
    const Entered entered{*this};
    return f();
  }
  [[nodiscard]] const PathCondition& path() const { return path_; }
  /// a - b modulo 2^width for integers whose distance does not depend on inputs.
  std::optional<std::int64_t> integer_distance(Element a, Element b, ElementType type);
  [[nodiscard]] const Variable& variable(VariableId v) const { return variables_[v]; }
  [[nodiscard]] bool contains(Element e, Special s) const;
  /// Whether it is, or may be, an infinity or NaN, or poison.
  [[nodiscard]] bool contains_special(Element e) const;
  /// Whether it is never an infinity, and where it is NaN is known.
  bool is_number_or_nan(Element e);
  /// Whether it is, or may be, NaN or poison.
  [[nodiscard]] bool may_be_nan(Element e) const;
  /// Records that a plain element may be an infinity or NaN.
  void note_no_number(Element e) {
    if (e.is_plain()) not_numbers_.emplace(e, {});
  }
  /// An unknown function of floats, identified by the record, that is NaN wherever an argument is.
  Element unknown_of_numbers(const std::string& record, ElementType type, std::span<const Element> args);
  [[nodiscard]] std::string str(Element e) const;

 private:
  struct Linear {
    VariableId variable = 0;
    std::int64_t slope = 1;
    std::int64_t offset = 0;
    /// The number for this value of the variable, which fits; the product alone may not: -1 - v at the least v.
    [[nodiscard]] std::int64_t at(std::int64_t v) const {
      return static_cast<std::int64_t>(static_cast<Signed>(slope) * v + offset);
    }
    friend auto operator<=>(const Linear&, const Linear&) = default;
  };
  struct Node {
    VariableId variable = 0;
    std::vector<Piece> pieces;
  };
  struct Interval {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  /// Bounds of a plain integer.
  struct Bounds {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  struct Exponential {
    Element value;
    bool has_roots = false;  ///< rational powers of it exist
  };

  /// The precision in which plain floats were computed, if it matters: the element type, or 0 if they are numbers of
  /// that type exactly. Functions that do not return a float of the type depend on it.
  ///   x < y for inputs x and y of bf16 is the same in f32: 0;  x + y < z is not: bf16 or f32
  using Precision = std::uint64_t;
  Precision precision(std::span<const Element> args, ElementType type);
  /// The precision of an element as text: " bf16", or "" if it does not matter.
  std::string precision_name(Element e, ElementType type);

  // Records and variables.
  std::uint64_t record(const std::string& text);
  /// As above for a string literal, cached by its address.
  std::uint64_t record(const char* text);
  /// The key of a record and canonical arguments. The reference is valid until the next call.
  const Key& key(std::uint64_t record, std::span<const Element> args);
  VariableId variable_of(const Key& key, std::int64_t low, std::int64_t high);
  Element as_element(VariableId v) { return linear({v, 1, 0}); }
  Element integer_unknown(const Key& key, ElementType type);

  // Cases (cases.cpp, signs_of_differences.cpp).
  Element linear(Linear l);
  Element node(VariableId v, std::vector<Piece> pieces);
  [[nodiscard]] std::optional<VariableId> top_variable(Element e) const;
  [[nodiscard]] Element restricted(Element e, VariableId v, Interval in) const;
  void cut_points(Element e, VariableId v, std::vector<std::int64_t>& out) const;
  /// The unknown that represents max(v - t, 0).
  Element ramp(VariableId v, std::int64_t t);
  /// Whether a is a known multiple of d. Rounding does not decide it: 0.01 x - x counts, (x y) / y x does not.
  [[nodiscard]] bool is_multiple(Element a, Element d) const;
  /// The canonical element of a case distinction by the sign `v` of a difference d: `below` for d < 0, `at` for d = 0,
  /// `above` for d > 0. If the step between them is a multiple of d, the function is continuous, and the precision in
  /// which the sign was found does not matter: x for x > y, else y, is max(x, y).
  Element by_sign(Element below, Element at, Element above, VariableId v);
  /// The element restricted to signs of other differences that follow from those of `v`: x > 1 if x > 2.
  Element implied(Element e, VariableId v, Interval signs);
  /// k != 0 if the difference whose sign is u equals k plus that of v, or k minus it if `opposite`.
  [[nodiscard]] std::optional<double> distance(VariableId u, VariableId v, bool opposite) const;
  /// Notes that an element is compared with a known number, so that distances between such numbers are known.
  void note_threshold(Element of, double value);
  /// The other member of a maximum of two, one of which is a known number; nothing otherwise.
  [[nodiscard]] std::optional<Element> other_of_pair(Element part, Element greatest) const;
  std::optional<Element> split(std::span<const Element> args, const Leaf& leaf, ScalarFn fn, ElementType in,
                               ElementType type, bool has_fn, int depth);
  Element collapsed(Element e);
  Element value_at(const std::vector<Piece>& pieces, VariableId v, std::int64_t at);
  [[nodiscard]] std::vector<VariableId> support(Element e) const;
  /// A case distinction on `v` whose pieces may themselves depend on `v` or on variables that precede it.
  Element join(VariableId v, std::vector<Piece> pieces);
  Element sign_of(Element difference, Precision precision);
  Element compare_plain(ScalarFn fn, ElementType in, Element a, Element b);

  // Linear integers on an interval (linear.cpp).
  /// The line on which all pieces of an integer lie modulo 2^width. For i32, wrap(v + 3) has the pieces v + 3 and
  /// v + 3 - 2^32, on the line v + 3.
  [[nodiscard]] std::optional<Linear> line_of(Element e, ElementType type) const;
  /// The representative of an integer in sums and products, which wrap: its line, in terms of the canonical element of
  /// the variable, else the canonical element.
  Element unwrapped(Element e, ElementType type);
  bool linear_case(ScalarFn fn, ElementType in, ElementType type, VariableId v, Interval in_v,
                   std::span<const Element> args, std::vector<Piece>& out);

  /// The form, a case distinction or its canonical element, in which a function that is not linear met this number
  /// first.
  Element representative(Element e);
  /// The function as an unknown one if an argument may be no number; nothing otherwise.
  std::optional<Element> of_no_number(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  Element apply_to_forms(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);

  // Functions of elements without cases.
  Element base(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  std::optional<Element> concrete(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  Element function_of_plain(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  Element converted(Element a, ElementType in, ElementType type);
  Element power(Element a, Element b, ElementType type);
  Element quotient(Element a, Element b, std::optional<Element> inverse = std::nullopt);
  Element product(Element a, Element b, ElementType type);
  Element sum(Element a, Element b, ElementType type);
  bool is_representable(Element e, ElementType type, int depth = 0);

  // Integers bit by bit (bitwise.cpp).
  /// a + b as a case distinction, if in each case one of them is zero; nothing otherwise.
  std::optional<Element> sum_without_overlap(Element a, Element b, int depth = 0);
  /// The float with these bits, if it is known in each case; nothing otherwise.
  std::optional<Element> number_of_bits(Element bits, ElementType in, ElementType type);
  /// and, or or xor of integers of the type, none of them case distinctions.
  Element bitwise(ScalarFn fn, std::span<const Element> of, ElementType type);

  // Maxima and minima (extrema.cpp).
  /// d = +-scale * root, where the scale is a power of two. Multiples by 2 and -1 have the same root.
  struct Ray {
    Element root;
    double scale = 1;
    bool turned = false;  ///< the sign is negative
  };
  Ray ray_of(Element d);
  /// low + max(x - low, 0) - max(x - high, 0) for the members min(x, high) and low of a maximum, which is also the
  /// minimum of max(x, low) and high. Nothing for other members.
  std::optional<Element> clamp(const std::vector<Element>& members, ElementType type);
  /// max(d, 0) of a plain float.
  Element positive_part(Element d, ElementType type);
  /// The minimum or maximum of integers of the type, none of them case distinctions.
  Element integer_extremum(bool least, std::span<const Element> of, ElementType type);

  // Parts of integers (integer_parts.cpp).
  struct Division {
    Element quotient;
    Element remainder;
  };
  /// Quotient and remainder of an integer within `range` by c > 0, rounded down or towards zero.
  Division division(Element a, std::int64_t c, Bounds range, bool down);
  /// A quotient, remainder, shift or mask of an integer by a known one; nothing for other functions, and if the integer
  /// may wrap.
  std::optional<Element> integer_part(ScalarFn fn, Element a, Element b, ElementType type);
  /// How many of the lowest bits of an integer are known to be zero.
  [[nodiscard]] int low_zeros(Element e) const;
  void note_low_zeros(Element e, int zeros);
  /// a + b if no bit can be set in both, which is then their or and xor.
  std::optional<Element> joined_bits(Element a, Element b, ElementType type);

  // Numbers or NaN (numbers_or_nan.cpp).
  /// A float that is a number except where one of the set's conditions holds, and is NaN there. Without a number, NaN.
  struct NumberOrNan {
    std::optional<Element> number;
    ElementSetId where = 0;  ///< in nan_sets_
  };
  /// A plain element that may be an infinity or NaN. If `has_number` it is `number`, or NaN by the set `where`.
  struct NoNumber {
    bool has_number = false;
    Element number;
    ElementSetId where = 0;
  };
  struct NanCondition {
    Element condition;
    Condition otherwise;  ///< what holds where the condition is false
  };
  /// Whether it is plain, and never an infinity or NaN.
  [[nodiscard]] bool is_number(Element e) const {
    return e.is_plain() && (not_numbers_.size() == 0 || !not_numbers_.contains(e));
  }
  /// Whether the result of floats is NaN wherever an argument is. (The power NaN^0 is 1.)
  static bool propagates_nan(ScalarFn fn, ElementType in, ElementType type);
  /// Nothing if it may be an infinity, or where it is NaN is unknown.
  std::optional<NumberOrNan> number_or_nan(Element e);
  std::optional<NumberOrNan> number_of_cases(const Node& of);
  Element or_nan(Element number, ElementSetId where);
  /// The identity of an i1 in sets of conditions.
  Element nan_condition(Element condition);
  /// Whether any condition of a set holds that is not in another set.
  Element any_in(std::span<const Element> set, std::span<const Element> except);
  /// f of the numbers, or NaN where an argument is; nothing if an argument or the result is not a number or NaN.
  std::optional<Element> apply_to_numbers(std::span<const Element> args,
                                          const std::function<Element(std::span<const Element>)>& f);
  /// Nothing for functions that may be another value than NaN of NaN.
  std::optional<Element> function_of_numbers_or_nan(ScalarFn fn, ElementType in, ElementType type,
                                                    std::span<const Element> args);
  std::optional<Element> select_or_nan(Element p, Element x, Element y, ElementType type);

  // Complex numbers (complex_numbers.cpp).
  struct ComplexParts {
    Element re;
    Element im;
  };
  Element of_parts(Element re, Element im);
  ComplexParts parts_of(Element e, ElementType type);
  /// The complex unknown for a key, with two unknown parts.
  Element unknown_parts(Key key);
  /// Arithmetic by parts. Nothing for other functions, and if an argument is an infinity, NaN or a case distinction.
  std::optional<Element> complex_function(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);

  // Square roots (roots.cpp).
  struct Rooted {
    Element of;
    double scale = 1;  ///< a power of two
  };
  /// Writes x as scale^2 times an element whose root was taken before, or as x itself with scale 1.
  Rooted rooted(Element x);
  /// sqrt(a) or rsqrt(a), by `fn`.
  Element root(ScalarFn fn, Element a, ElementType type);
  /// A root r or 1 / r, and what it is multiplied by. Elements of which such factors are known:
  ///   r, r t, r t + r s, 1 / (r t)
  struct RootFactor {
    Element root;
    Element rest;
  };
  using RootFactors = std::vector<RootFactor>;
  [[nodiscard]] const RootFactors& root_factors(Element e) const;
  void note_root(Element root, Element radicand, bool inverse);
  void note_root_factors(Element e, RootFactors factors);
  /// x y of two floats; the square of a root that is a factor of both is its radicand.
  Element product_of_roots(Element x, Element y, int depth = 0);
  /// Notes which roots are factors of `opposite`, which is -x, `sum`, which is x + y, or `inverse`, which is 1 / x.
  void note_roots_of_opposite(Element opposite, Element x);
  void note_roots_of_sum(Element sum, Element x, Element y);
  void note_roots_of_inverse(Element inverse, Element x);

  // Signs (element_signs.cpp).
  [[nodiscard]] Sign sign_of_element(Element e) const;
  Condition is_true(Element condition);
  void note_sign(Element e, Sign sign);
  void note_sign_of(ScalarFn fn, std::span<const Element> args, Element out);
  /// Whether sums and products of the type are just those of the ring, with nothing to track.
  [[nodiscard]] bool is_ring_of(ElementType type) const {
    return is_float(type) && !tracks_sums_ && !follows_signs_ && !by_bits() && root_factors_.size() == 0;
  }

  // Floats by their bits (bits.cpp).
  Element apply_by_bits(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  Element float_by_bits(double value, ElementType type);
  Element literal_by_bits(const Literal& literal, std::int64_t position);
  /// The record of a float that has these bits.
  static std::string record_of_bits(std::uint64_t bits, ElementType type);

  // Exponentials (exponentials.cpp).
  Exponential exponential(Element a);
  Element exp(Element a);
  Element log(Element a);
  Element tracked(Element sum, Exponential exponential);
  /// The exponents of exp(a) + exp(b).
  struct Exponents {
    Element a;
    Element b;
  };
  /// Notes `sum`, which is x + y, if both are exponentials.
  void note_exponents(Element sum, Element x, Element y);
  Element log_of_pair(const Exponents& of);
  /// d if the element is |d|, which is max(d, -d).
  [[nodiscard]] std::optional<Element> of_magnitude(Element e) const;
  /// log(exp(a) + exp(b)) if x is max(a, b) and y is log(1 + exp(-|a - b|)); nothing otherwise.
  std::optional<Element> log_of_sum(Element x, Element y);
  /// Whether `is_nan` asks if a - b is NaN, and `sum` is a + b, for some a and b of which `e` was found by log_of_sum.
  bool guards_log_of_sum(Element is_nan, Element sum, Element e);

  // Conditions on many variables, and counts of conditions (booleans.cpp).
  Element any_of(const std::vector<Element>& of);
  Element all_of(const std::vector<Element>& of);
  Element opposite(Element condition);
  void disjuncts(Element e, std::vector<Element>& out);
  [[nodiscard]] bool is_condition(Element e) const;
  [[nodiscard]] std::optional<std::vector<Element>> bits_of(Element e) const;
  void note_bits(Element sum, Element a, Element b);
  std::optional<Element> compare_count(ScalarFn fn, Element count, Element with);

  /// The integer value of an element at the type. A plain element is a number modulo 2^width, so sums are the same in
  /// all types. Functions that do not depend on the residue alone (orders, conversions to wider types, positions) apply
  /// to this value:
  ///   a + b of i8, with a and b of i8     an unknown in [-128, 127], different from that of a + b in ui8
  ///   a + b of i32, with a and b of i8    a + b itself, which is known not to wrap
  Element as_value(Element e, ElementType type);

  /// Bounds of an integer that does not wrap at the type; nothing if none are known.
  [[nodiscard]] std::optional<Bounds> bounds(Element e, ElementType type) const;
  void bound(Element e, std::optional<Bounds> b, ElementType type);

  // Positions of greatest elements (winners.cpp).
  struct Winner {
    std::int64_t rank = 0;
    std::vector<Element> values;  ///< one for each value of the variable
    Precision precision = 0;
  };
  struct Top {
    std::int64_t rank = 0;
    std::size_t list = 0;  ///< in top_lists_
  };
  Element of_rank(std::int64_t rank, std::vector<Element> values, std::vector<Element> payloads, Precision precision);
  std::optional<Element> in_order_of_ties(std::vector<Element> values, std::vector<Element> payloads, bool least,
                                          Ties ties, Precision precision);
  /// The precision of a comparison that combines two; nothing if they are of different types.
  static std::optional<Precision> joined(Precision a, Precision b);
  std::optional<Element> flattened(VariableId v, const std::vector<Piece>& pieces);
  std::optional<Element> least_of_marked(const std::vector<Element>& of);
  [[nodiscard]] std::optional<Bounds> integer_range(Element e) const;
  [[nodiscard]] bool has_members(Element greatest, std::vector<Element> list) const;
  /// The element restricted to the value `at` of the variable.
  Element given(Element e, VariableId v, std::int64_t at);

  Ring ring_;
  Arithmetic arithmetic_;
  TimeLimit time_;
  bool tracks_sums_ = false;
  bool notes_conditions_ = true;
  bool takes_numbers_ = false;
  bool takes_radicands_ = false;
  bool follows_signs_ = false;
  struct KnownSign {
    Sign sign = Sign::any;
    PathCondition path;  ///< exp(log x) is positive where log x has a value: there x is, too, but not everywhere
  };
  ElementMap<std::vector<KnownSign>> element_signs_;
  ElementMap<Exponents> exponents_;  ///< by sum of two exponentials
  std::unordered_map<Element, std::vector<std::pair<Element, Element>>, ElementHash> logs_of_sums_;
  std::unordered_map<VariableId, Element> nan_;  ///< x by the variable that tells whether it is NaN
  std::unordered_map<std::string, std::uint64_t> records_;
  std::unordered_map<const char*, std::uint64_t> literal_records_;
  Key key_;
  std::unordered_map<std::uint64_t, Element> comparisons_;  ///< comparisons of a sign with zero: by sign and function
  std::vector<Variable> variables_;
  std::unordered_map<Key, VariableId, KeyHasher> variable_numbers_;
  std::vector<Linear> linears_;
  std::map<Linear, std::uint64_t> linear_numbers_;
  std::vector<Node> nodes_;
  std::unordered_map<Key, std::uint64_t, KeyHasher> node_numbers_;
  std::vector<std::vector<VariableId>> supports_;  ///< by node
  std::unordered_map<std::uint64_t, Element> collapsed_nodes_;
  ElementMap<Element> representatives_;  ///< by canonical element: see representative()
  std::unordered_map<Element, std::vector<Element>, ElementHash> members_;  ///< of maxima of floats
  std::unordered_map<Element, std::vector<Element>, ElementHash>
      integer_members_[2];  ///< of minima, of maxima of integers
  std::map<ScalarFn, std::unordered_map<Element, std::vector<Element>, ElementHash>> bitwise_members_;
  ElementMap<Exponential> exponentials_;
  ElementMap<Element> logarithms_;
  struct Square {
    Element of;
    bool inverse = false;
  };
  ElementMap<Square> squares_;  ///< by square root, or its inverse: the radicand
  ElementMap<RootFactors> root_factors_;
  ElementMap<bool> roots_;                 ///< elements of which a square root was taken
  ElementMap<ElementType> representable_;  ///< floats that are exactly numbers of the type
  ElementMap<Element> narrow_;             ///< by widened element: the element before widening
  struct Float {
    Element number;
    ElementType type = ElementType::f32;
  };
  std::unordered_map<Element, Float, ElementHash> floats_of_;  ///< by bits: the number with them
  std::unordered_map<Element, ComplexParts, ElementHash> complex_parts_;
  ElementMap<double> known_;
  std::size_t pieces_ = 0;                            ///< of all nodes
  int inside_ = 0;                                    ///< objects of class Inside
  std::unordered_set<Element, ElementHash> rounded_;  ///< functions of known numbers, rounded by the program
  ElementMap<Bounds> bounds_;
  ElementMap<int> low_zeros_;
  std::unordered_map<VariableId, Element> bottoms_;  ///< remainder r -> the element of r - low, as a - c q - low
  ElementMap<ElementType> values_;                   ///< integers that are values of the type and do not wrap
  Obligations divisors_;
  Obligations partial_applications_;
  std::optional<std::size_t> joined_;  ///< pieces that join() took in the innermost function of cases that is split
  PathCondition path_;
  /// Plain elements that may be an infinity or NaN: unknown functions of one. No law of numbers holds for them.
  ElementMap<NoNumber> not_numbers_;
  ElementSets nan_sets_;                                                            ///< of identities of conditions
  ElementMap<NanCondition> nan_conditions_;                                         ///< by identity
  std::unordered_map<ElementSetId, Element> any_in_set_;                            ///< by set of conditions
  std::unordered_map<std::uint64_t, std::optional<NumberOrNan>> numbers_of_nodes_;  ///< by case distinction
  std::unordered_map<VariableId, Element> finite_;                                  ///< variable of is_finite(x) -> x
  std::unordered_map<VariableId, std::vector<Element>> any_;             ///< variable of a disjunction -> its members
  std::unordered_map<Element, std::vector<Element>, ElementHash> bits_;  ///< sum of conditions -> its conditions
  std::unordered_map<VariableId, Winner> winners_;
  struct Order {
    Element x;
    Element y;
    Precision precision = 0;
  };
  std::unordered_map<VariableId, Order> signs_;  ///< variable of a comparison -> the compared elements
  struct Difference {
    Element value;
    Precision precision = 0;
  };
  std::unordered_map<VariableId, Difference> differences_;  ///< variable of a sign -> the difference that has this sign
  std::unordered_map<Element, std::vector<double>, ElementHash> thresholds_;
  std::unordered_set<Element, ElementHash> rays_;  ///< the roots that ray_of() returned
  std::unordered_map<Element, Top, ElementHash> tops_;
  std::vector<std::vector<Element>> top_lists_;
};

/// The number, infinity or NaN as an element.
Element from_double(double v);

/// Whether s is exactly a + b, without rounding.
bool exact_sum(double a, double b, double s);

/// Whether all integers from `low` to `high` are representable in the float type.
bool has_integers(ElementType type, std::int64_t low, std::int64_t high);

/// The least and greatest value of an integer type; 0 and 1 for booleans, those of i64 for index and for ui64, whose
/// values are held as 64 bits.
std::pair<std::int64_t, std::int64_t> range_of(ElementType type);

}  // namespace partir::validate
