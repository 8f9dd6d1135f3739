// What scalar functions do to elements: the laws by which two programs are recognised as one.
//
// Sums, products and quotients are those of the ring. What a law must hold for beyond that has a normal form here:
//   exp          exp(a + b) = exp a exp b, exp(log s) = s, log(exp s) = s       (exponentials.cpp)
//   max, min     associative, commutative, idempotent: a set of members          (extrema.cpp)
//   and, or, xor sets of members, too                                            (bitwise.cpp)
//   roots        sqrt(4 x) = 2 sqrt(x)                                           (roots.cpp)
//   complex      by real and imaginary parts                                     (complex_numbers.cpp)
//   comparisons  the sign of a difference, a variable with the values -1, 0, 1    (cases.cpp)
//   integers     linear in one variable on intervals of it; wrapping splits them  (linear.cpp)
// Everything else is an unknown that the complete record of function, types and arguments stands for.
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
#include "verify/validate/ring.h"
#include "verify/validate/signs.h"
#include "verify/validate/time_limit.h"

namespace partir::validate {

using VariableId = std::uint32_t;

/// An unknown integer that takes all values from low to high.
struct Variable {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::uint64_t record = 0;  ///< number of the key it stands for
};

/// From behind the piece before (or the variable's low) to `upto`, what the element is.
struct Piece {
  std::int64_t upto = 0;
  Element value;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// What floats are read as: real numbers, or what they are. By bits no law holds of arithmetic on them but that sums
/// and products of two commute; maxima, and all that moves them, are exact.
enum class Arithmetic : std::uint8_t { reals, bits };

class Algebra {
 public:
  /// `is_up` says whether time is up: what takes long then throws Unknown.
  explicit Algebra(std::uint64_t seed, bool exact, Arithmetic arithmetic = Arithmetic::reals,
                   std::function<bool()> is_up = nullptr);

  [[nodiscard]] const Ring& ring() const { return ring_; }
  [[nodiscard]] bool by_bits() const { return arithmetic_ == Arithmetic::bits; }
  /// Steps that are taken beside functions, which count by themselves (TimeLimit).
  void spend(std::size_t steps) { time_.spend(steps); }

  // --- Where elements come from -------------------------------------------------------------------------------------

  /// Element `position` (row-major) of argument `number` of the source: any value of its type.
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
    if (a.is_plain() && b.is_plain() && is_ring_of(type)) return ring_.add(a, b);
    return apply(ScalarFn::add, type, type, {a, b});
  }
  Element multiply(Element a, Element b, ElementType type) {
    if (a.is_plain() && b.is_plain() && a != b && is_ring_of(type)) return ring_.multiply(a, b);
    return apply(ScalarFn::multiply, type, type, {a, b});
  }
  /// Quotients, of which the divisors are inverted together.
  void divide_all(const std::vector<Element>& a, const std::vector<Element>& b, ElementType type,
                  std::vector<Element>& out);
  Element select(Element predicate, Element a, Element b, ElementType type) {
    return apply(ScalarFn::select, type, type, {predicate, a, b});
  }
  /// The greatest (or least) of many.
  Element extremum(ScalarFn fn, std::vector<Element> of, ElementType type);
  /// An unknown of the type that the record and the arguments stand for.
  Element opaque(const std::string& record, ElementType type, std::span<const Element> args);
  /// Over the reals, what an operation that looks at bits gave in the evaluation by bits: `by_bits` is known, or
  /// canonical there.
  Element imported(Element by_bits, ElementType type);
  /// These are the bits of the number: taken as a float of its type they are the number again.
  void note_bits_of(Element bits, Element number, ElementType type) {
    floats_of_.try_emplace(bits, Float{number, type});
  }
  /// Calls f(values) for each case of the elements and joins what it gives; nothing where there are too many.
  using Leaf = std::function<std::optional<Element>(std::span<const Element>)>;
  std::optional<Element> by_cases(std::span<const Element> args, const Leaf& leaf);
  /// As by_cases, where every argument of `leaf` is a known integer: those outside [0, limit) are given as poison.
  std::optional<Element> by_index(Element index, std::int64_t limit, const std::function<Element(std::int64_t)>& leaf);

  /// What stands beside the greatest (or least) value; of several, beside the first, the last, or the smallest of what
  /// stands there. Nothing where the values are cases, or the order of what stands beside is open.
  enum class Ties : std::uint8_t { first, last, smallest };
  std::optional<Element> at_greatest(std::vector<Element> values, std::vector<Element> payloads, bool least, Ties ties,
                                     ElementType type);
  /// The `count` greatest of plain elements, and their places; of equal ones the first comes first.
  std::vector<Element> top_values(std::vector<Element> of, std::int64_t count);
  std::vector<Element> top_places(std::vector<Element> of, std::int64_t count, ElementType of_type, ElementType type);

  // --- Normal forms -------------------------------------------------------------------------------------------------

  /// The plain element that stands for any element: equal elements have equal ones.
  Element canonical(Element e);
  bool equal(Element a, Element b) { return a == b || canonical(a) == canonical(b); }
  /// A known number or integer, as far as it is one.
  [[nodiscard]] std::optional<double> known(Element e) const;

  /// Sums that exponentials are taken of, or that logarithms stand in, are followed while this is set.
  void track_sums(bool on) { tracks_sums_ = on; }
  /// While this is set, no number is NaN: for asking what a computation does to numbers.
  void take_numbers(bool on) { takes_numbers_ = on; }
  /// While this is set, what a computation is defined on is noted: divisors that are not known to differ from zero, and
  /// arguments of functions that some numbers have no value of.
  void note_conditions(bool on) { notes_conditions_ = on; }
  /// These must have a value of the function, unless conditions are not noted.
  void note_partial(std::string_view function, std::span<const Element> args);
  /// While this is set, it is followed which elements are positive: a divisor that is, is noted no more.
  void follow_signs(bool on) { follows_signs_ = on; }
  [[nodiscard]] const std::unordered_set<Element, ElementHash>& divisors() const { return divisors_; }
  /// Applications of log, sqrt and the like, one element for each function and argument.
  [[nodiscard]] const std::unordered_set<Element, ElementHash>& partial_applications() const {
    return partial_applications_;
  }
  [[nodiscard]] const Variable& variable(VariableId v) const { return variables_[v]; }
  [[nodiscard]] bool contains(Element e, Special s) const;
  [[nodiscard]] std::string str(Element e) const;

 private:
  struct Linear {
    VariableId variable = 0;
    std::int64_t slope = 1;
    std::int64_t offset = 0;
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
  struct Exponential {
    Element value;
    bool has_roots = false;  ///< rational powers of it exist
  };

  /// The precision in which plain floats were computed, as far as it counts: the type, of which all arithmetic is that
  /// of the reals, or none where they are numbers of the type. What gives no float of the type back depends on it.
  ///   x < y of bf16 x and y is the same in f32: none;  x + y < z is not: bf16 or f32
  using Precision = std::uint64_t;
  Precision precision(std::span<const Element> args, ElementType type);
  /// As text: " bf16", or nothing.
  std::string precision_name(Element e, ElementType type);

  // Records and variables.
  std::uint64_t record(const std::string& text);
  /// Of a string literal.
  std::uint64_t record(const char* text);
  /// Valid until the next call.
  const Key& key(std::uint64_t record, std::span<const Element> args);
  VariableId variable_of(const Key& key, std::int64_t low, std::int64_t high);
  Element as_element(VariableId v) { return linear({v, 1, 0}); }
  Element integer_unknown(const Key& key, ElementType type);

  // Cases (cases.cpp).
  Element linear(Linear l);
  Element node(VariableId v, std::vector<Piece> pieces);
  [[nodiscard]] std::optional<VariableId> top_variable(Element e) const;
  [[nodiscard]] Element restricted(Element e, VariableId v, Interval in) const;
  void cut_points(Element e, VariableId v, std::vector<std::int64_t>& out) const;
  std::optional<Element> split(std::span<const Element> args, const Leaf& leaf, ScalarFn fn, ElementType in,
                               ElementType type, bool has_fn, int depth);
  Element collapsed(Element e);
  Element value_at(const std::vector<Piece>& pieces, VariableId v, std::int64_t at);
  [[nodiscard]] std::vector<VariableId> support(Element e) const;
  /// As node, of elements that may depend on this variable, too, or on earlier ones.
  Element join(VariableId v, std::vector<Piece> pieces);
  Element sign_of(Element difference, Precision precision);
  Element compare_plain(ScalarFn fn, ElementType in, Element a, Element b);

  // Linear integers on an interval (linear.cpp).
  /// What stands for an integer in sums and products, which wrap: of pieces that differ by what wraps the line that
  /// they all lie on, else the canonical element. wrap(v + 3), which is v + 3 or v + 3 - 2^32, is V + 3.
  Element unwrapped(Element e, ElementType type);
  bool linear_case(ScalarFn fn, ElementType in, ElementType type, VariableId v, Interval in_v,
                   std::span<const Element> args, std::vector<Piece>& out);

  /// The form in which a function that is not linear met this number first: cases, or what stands for them.
  Element representative(Element e);
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
  bool is_representable(Element e, ElementType type);

  // Integers bit by bit (bitwise.cpp).
  /// a + b where in each case one of them is zero, as a case distinction.
  std::optional<Element> sum_without_overlap(Element a, Element b, int depth = 0);
  /// The float of these bits, where in each case it is known of which it is.
  std::optional<Element> number_of_bits(Element bits, ElementType in, ElementType type);
  /// And, or, xor of integers of the type, none of them cases.
  Element bitwise(ScalarFn fn, std::span<const Element> of, ElementType type);

  // Complex numbers (complex_numbers.cpp).
  struct ComplexParts {
    Element re;
    Element im;
  };
  Element of_parts(Element re, Element im);
  ComplexParts parts_of(Element e, ElementType type);
  /// What the key stands for: two unknown parts.
  Element unknown_parts(Key key);
  /// Arithmetic by parts; nothing for other functions, and where a part is an infinity or none.
  std::optional<Element> complex_function(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);

  // Square roots (roots.cpp).
  struct Rooted {
    Element of;
    double scale = 1;  ///< a power of two
  };
  /// x as scale^2 times an element of which a root was taken, or x itself.
  Rooted rooted(Element x);
  /// sqrt or rsqrt.
  Element root(ScalarFn fn, Element a, ElementType type);

  // Signs (element_signs.cpp).
  [[nodiscard]] Sign sign_of_element(Element e) const;
  void note_sign(Element e, Sign sign);
  void note_sign_of(ScalarFn fn, std::span<const Element> args, Element out);
  /// Whether sums and products of the type are the ring's, and nothing else is asked of them.
  [[nodiscard]] bool is_ring_of(ElementType type) const {
    return is_float(type) && !tracks_sums_ && !follows_signs_ && !by_bits();
  }

  // Floats as they are (bits.cpp).
  Element apply_by_bits(ScalarFn fn, ElementType in, ElementType type, std::span<const Element> args);
  Element float_by_bits(double value, ElementType type);
  Element literal_by_bits(const Literal& literal, std::int64_t position);

  // Exponentials (exponentials.cpp).
  Exponential exponential(Element a);
  Element exp(Element a);
  Element log(Element a);
  Element tracked(Element sum, Exponential exponential);

  // Conditions on many variables, and counts of conditions (booleans.cpp).
  Element any_of(const std::vector<Element>& of);
  Element all_of(const std::vector<Element>& of);
  Element opposite(Element condition);
  void disjuncts(Element e, std::vector<Element>& out);
  [[nodiscard]] bool is_condition(Element e) const;
  [[nodiscard]] std::optional<std::vector<Element>> bits_of(Element e) const;
  void note_bits(Element sum, Element a, Element b);
  std::optional<Element> compare_count(ScalarFn fn, Element count, Element with);

  /// The integer that an element is at the type. A plain element is a number modulo 2^width, in which sums of all types
  /// are the same; what is no function of that (an order, a wider type, a place) is taken of the integer:
  ///   a + b of i8, with a and b of i8     an unknown of [-128, 127], another than that of a + b in ui8
  ///   a + b of i32, with a and b of i8    a + b itself, which is known not to wrap
  Element as_value(Element e, ElementType type);
  /// Least or greatest of integers of the type, none of them cases.
  Element integer_extremum(bool least, std::span<const Element> of, ElementType type);

  // Bounds of plain integers.
  struct Bounds {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  /// Of an integer of the type, where it does not wrap.
  [[nodiscard]] std::optional<Bounds> bounds(Element e, ElementType type) const;
  void bound(Element e, std::optional<Bounds> b, ElementType type);

  // Places of the greatest (winners.cpp).
  struct Winner {
    std::int64_t rank = 0;
    std::vector<Element> values;  ///< one for each value of the variable
    Precision precision = 0;
  };
  struct Top {
    std::int64_t rank = 0;
    std::vector<Element> list;
  };
  Element of_rank(std::int64_t rank, std::vector<Element> values, std::vector<Element> payloads, Precision precision);
  std::optional<Element> in_order_of_ties(std::vector<Element> values, std::vector<Element> payloads, bool least,
                                          Ties ties, Precision precision);
  /// What two orders of floats have in common; nothing where they are of different types.
  static std::optional<Precision> joined(Precision a, Precision b);
  std::optional<Element> flattened(VariableId v, const std::vector<Piece>& pieces);
  std::optional<Element> least_of_marked(const std::vector<Element>& of);
  [[nodiscard]] std::optional<Bounds> integer_range(Element e) const;
  [[nodiscard]] bool has_members(Element greatest, std::vector<Element> list) const;
  /// The element where the variable has this value.
  Element given(Element e, VariableId v, std::int64_t at);

  Ring ring_;
  Arithmetic arithmetic_;
  TimeLimit time_;
  bool tracks_sums_ = false;
  bool notes_conditions_ = true;
  bool takes_numbers_ = false;
  bool follows_signs_ = false;
  ElementMap<Sign> element_signs_;
  std::unordered_map<std::string, std::uint64_t> records_;
  std::unordered_map<const char*, std::uint64_t> literal_records_;
  Key key_;
  std::unordered_map<std::uint64_t, Element> comparisons_;  ///< of signs with zero
  std::vector<Variable> variables_;
  std::unordered_map<Key, VariableId, KeyHasher> variable_numbers_;
  std::vector<Linear> linears_;
  std::map<Linear, std::uint64_t> linear_numbers_;
  std::vector<Node> nodes_;
  std::unordered_map<Key, std::uint64_t, KeyHasher> node_numbers_;
  std::vector<std::vector<VariableId>> supports_;  ///< by node
  std::unordered_map<std::uint64_t, Element> collapsed_nodes_;
  ElementMap<Element> representatives_;  ///< by canonical element: the form that functions take it in
  std::unordered_map<Element, std::vector<Element>, ElementHash> members_;  ///< of greatest elements
  std::unordered_map<Element, std::vector<Element>, ElementHash>
      integer_members_[2];  ///< of least, of greatest integers
  std::map<ScalarFn, std::unordered_map<Element, std::vector<Element>, ElementHash>> bitwise_members_;
  ElementMap<Exponential> exponentials_;
  ElementMap<Element> logarithms_;
  struct Square {
    Element of;
    bool inverse = false;
  };
  ElementMap<Square> squares_;  ///< of square roots and their inverses
  ElementMap<bool> roots_;      ///< of what square roots were taken
  ElementMap<ElementType> representable_;
  ElementMap<Element> narrow_;  ///< of what widening gave
  struct Float {
    Element number;
    ElementType type = ElementType::f32;
  };
  std::unordered_map<Element, Float, ElementHash> floats_of_;  ///< by bits: the number that has them
  std::unordered_map<Element, ComplexParts, ElementHash> complex_parts_;
  ElementMap<double> known_;
  std::unordered_set<Element, ElementHash> rounded_;  ///< functions of known numbers that no type has exactly
  ElementMap<Bounds> bounds_;
  ElementMap<ElementType> values_;  ///< integers that do not wrap at the type, whatever their bounds
  std::unordered_set<Element, ElementHash> divisors_;
  std::unordered_set<Element, ElementHash> partial_applications_;
  std::unordered_map<VariableId, Element> finite_;                       ///< whether what is finite
  std::unordered_map<VariableId, std::vector<Element>> any_;             ///< of which any holds
  std::unordered_map<Element, std::vector<Element>, ElementHash> bits_;  ///< of which a sum counts those that hold
  std::unordered_map<VariableId, Winner> winners_;
  struct Order {
    Element x;
    Element y;
    Precision precision = 0;
  };
  std::unordered_map<VariableId, Order> signs_;  ///< of two plain elements, in some order
  std::unordered_map<Element, Top, ElementHash> tops_;
};

/// Whether all integers from low to high are numbers of the float type.
bool has_integers(ElementType type, std::int64_t low, std::int64_t high);

/// Least and greatest value of an integer type (of i64 for index); booleans are 0 and 1.
std::pair<std::int64_t, std::int64_t> range_of(ElementType type);

}  // namespace partir::validate
