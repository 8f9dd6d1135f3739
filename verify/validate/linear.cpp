// Functions of integers that are linear in one variable on an interval. Wrapping at the width of a type, comparisons
// and divisions by constants split the interval; a function that would split it into too many parts is not followed.
//
//   i32 v in [-5, 5]:  max(v + 2, 0)   is  0 for v <= -2,  v + 2 for the rest
//   i8  v in [100, 127]: v + 20        is  v + 20 for v <= 107,  v - 236 for the rest
#include <algorithm>
#include <limits>

#include "ir/types.h"
#include "semantics/domain.h"
#include "verify/validate/algebra.h"

namespace partir::validate {

std::pair<std::int64_t, std::int64_t> range_of(ElementType type) {
  if (type == ElementType::i1) return {0, 1};
  if (type == ElementType::index || type == ElementType::ui64)
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  const unsigned bits = bit_width(type);
  if (is_unsigned(type)) return {0, static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1)};
  const auto high = static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1);
  return {-high - 1, high};
}

namespace {

using Int = Signed;
constexpr std::size_t kMostSegments = 512;  ///< most parts of an interval

Int floor_div(Int a, Int b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

/// The line slope * v + offset, before wrapping.
struct Line {
  Int slope = 0;
  Int offset = 0;
  [[nodiscard]] Int at(Int v) const { return slope * v + offset; }
};

/// A line on the interval from after the previous segment to `upto`.
struct LineSegment {
  std::int64_t upto = 0;
  Line line;
};

/// Splits [low, high] where floor((slope v + offset) / divisor) changes and calls f(upto, quotient) for each part.
/// Returns false if there are too many parts.
template <class F>
bool by_quotient(const Line& line, Int divisor, std::int64_t low, std::int64_t high, F&& f) {
  Int at = low;
  for (std::size_t count = 0; at <= high; ++count) {
    if (count > kMostSegments) return false;
    const Int q = floor_div(line.at(at), divisor);
    // The last v with the same quotient q.
    Int last = high;
    if (line.slope > 0) last = std::min<Int>(last, floor_div((q + 1) * divisor - 1 - line.offset, line.slope));
    if (line.slope < 0) last = std::min<Int>(last, floor_div(line.offset - q * divisor, -line.slope));
    f(static_cast<std::int64_t>(last), q);
    at = last + 1;
  }
  return true;
}

bool wraps(ElementType type) { return type != ElementType::index; }

/// Appends the segments of the line wrapped at the type's width on [low, high]. Returns false if it wraps in a type
/// wider than 32 bits, or too often.
bool wrapped(const Line& line, ElementType type, std::int64_t low, std::int64_t high, std::vector<LineSegment>& out) {
  const auto range = range_of(type);
  const auto fits = [&](Int x) { return x >= range.first && x <= range.second; };
  if (fits(line.at(low)) && fits(line.at(high))) {
    out.push_back({high, line});
    return true;
  }
  if (!wraps(type) || bit_width(type) > 32) return false;
  const Int width = Int{1} << bit_width(type);
  return by_quotient({line.slope, line.offset - range.first}, width, low, high, [&](std::int64_t upto, Int q) {
    out.push_back({upto, {line.slope, line.offset - q * width}});
  });
}

bool is_small(Int x) { return x > -(Int{1} << 62) && x < (Int{1} << 62); }

}  // namespace

bool Algebra::linear_case(ScalarFn fn, ElementType in, ElementType type, VariableId v, Interval i,
                          std::span<const Element> args, std::vector<Piece>& out) {
  // select with a known predicate is one of its operands, unchanged.
  if (fn == ScalarFn::select) {
    if (!args[0].is(Element::Kind::integer)) return false;
    const Element chosen = args[0].as_int() != 0 ? args[1] : args[2];
    out.push_back({i.high, chosen});
    return true;
  }
  std::vector<Line> lines;
  for (const Element e : args) {
    if (e.is(Element::Kind::integer)) {
      lines.push_back({0, e.as_int()});
    } else if (e.is(Element::Kind::linear) && linears_[e.index()].variable == v) {
      lines.push_back({linears_[e.index()].slope, linears_[e.index()].offset});
    } else if (e.is(Element::Kind::number) &&
               e.as_number() == static_cast<double>(static_cast<std::int64_t>(e.as_number())) && e.as_number() < 9e15 &&
               e.as_number() > -9e15) {
      lines.push_back({0, static_cast<std::int64_t>(e.as_number())});
    } else {
      return false;
    }
  }
  const bool floats = is_float(in);
  if (in == ElementType::ui64) return false;
  std::vector<LineSegment> segments;
  std::vector<Piece> constants;
  const auto emit = [&](const std::vector<LineSegment>& from) {
    for (const LineSegment& s : from) {
      if (!is_small(s.line.slope) || !is_small(s.line.offset)) return false;
      out.push_back(
          {s.upto, linear({v, static_cast<std::int64_t>(s.line.slope), static_cast<std::int64_t>(s.line.offset)})});
    }
    return true;
  };
  const auto ring = [&](const Line& line) {
    return !floats && is_small(line.slope) && is_small(line.offset) && wrapped(line, type, i.low, i.high, segments) &&
           emit(segments);
  };
  // Calls f(upto, sign of a - b) for each part of the interval on which the sign is constant.
  const auto by_order = [&](const Line& a, const Line& b, auto&& f) {
    const Line d{a.slope - b.slope, a.offset - b.offset};
    const auto sign = [&](Int x) { return d.at(x) > 0 ? 1 : d.at(x) < 0 ? -1 : 0; };
    Int at = i.low;
    while (at <= i.high) {
      const int s = sign(at);
      Int last = i.high;
      if (d.slope != 0) {
        if (s == 0) last = at;
        // The sign s holds up to where d crosses zero, if d moves towards zero.
        else if ((d.slope > 0) != (s > 0))
          last = std::min<Int>(last, s > 0 ? floor_div(d.offset - 1, -d.slope) : floor_div(-d.offset - 1, d.slope));
      }
      f(static_cast<std::int64_t>(last), s);
      at = last + 1;
    }
  };
  switch (fn) {
    case ScalarFn::add: return ring({lines[0].slope + lines[1].slope, lines[0].offset + lines[1].offset});
    case ScalarFn::subtract: return ring({lines[0].slope - lines[1].slope, lines[0].offset - lines[1].offset});
    case ScalarFn::negate: return ring({-lines[0].slope, -lines[0].offset});
    case ScalarFn::multiply: {
      const Line& a = lines[0].slope == 0 ? lines[1] : lines[0];
      const Line& c = lines[0].slope == 0 ? lines[0] : lines[1];
      return c.slope == 0 && c.offset > -(Int{1} << 31) && c.offset < (Int{1} << 31) &&
             ring({a.slope * c.offset, a.offset * c.offset});
    }
    case ScalarFn::compare_eq:
    case ScalarFn::compare_ne:
    case ScalarFn::compare_lt:
    case ScalarFn::compare_le:
    case ScalarFn::compare_gt:
    case ScalarFn::compare_ge:
      by_order(lines[0], lines[1], [&](std::int64_t upto, int s) {
        const bool holds = fn == ScalarFn::compare_eq   ? s == 0
                           : fn == ScalarFn::compare_ne ? s != 0
                           : fn == ScalarFn::compare_lt ? s < 0
                           : fn == ScalarFn::compare_le ? s <= 0
                           : fn == ScalarFn::compare_gt ? s > 0
                                                        : s >= 0;
        out.push_back({upto, Element::integer(holds ? 1 : 0)});
      });
      return true;
    case ScalarFn::maximum:
    case ScalarFn::minimum:
      if (floats) return false;
      by_order(lines[0], lines[1], [&](std::int64_t upto, int s) {
        const bool first = fn == ScalarFn::maximum ? s >= 0 : s <= 0;
        segments.push_back({upto, first ? lines[0] : lines[1]});
      });
      return emit(segments);
    case ScalarFn::abs:
      if (floats) return false;
      by_order(lines[0], {0, 0}, [&](std::int64_t upto, int s) {
        segments.push_back({upto, s >= 0 ? lines[0] : Line{-lines[0].slope, -lines[0].offset}});
      });
      return lines[0].at(i.low) > range_of(type).first && lines[0].at(i.high) > range_of(type).first && emit(segments);
    case ScalarFn::sign:
      if (floats) return false;
      by_order(lines[0], {0, 0}, [&](std::int64_t upto, int s) { out.push_back({upto, Element::integer(s)}); });
      return true;
    case ScalarFn::divide:
    case ScalarFn::remainder: {
      const Int c = lines[1].offset;
      if (floats || lines[1].slope != 0 || c <= 0) return false;
      // Division rounds towards zero: for a negative line, divide its negation and negate the quotient.
      std::vector<LineSegment> halves;
      by_order(lines[0], {0, 0}, [&](std::int64_t upto, int s) { halves.push_back({upto, {s, 0}}); });
      std::int64_t low = i.low;
      for (const LineSegment& half : halves) {
        const bool negative = half.line.slope < 0;
        const Line line = negative ? Line{-lines[0].slope, -lines[0].offset} : lines[0];
        const bool done = by_quotient(line, c, low, half.upto, [&](std::int64_t upto, Int q) {
          const Int quotient = negative ? -q : q;
          if (fn == ScalarFn::divide)
            segments.push_back({upto, {0, quotient}});
          else
            segments.push_back({upto, {lines[0].slope, lines[0].offset - quotient * c}});
        });
        if (!done) return false;
        low = half.upto + 1;
      }
      return emit(segments);
    }
    case ScalarFn::shift_right_arithmetic:
    case ScalarFn::shift_right_logical: {
      if (lines[1].slope != 0 || lines[1].offset < 0 || lines[1].offset > 62) return false;
      if (fn == ScalarFn::shift_right_logical && std::min(lines[0].at(i.low), lines[0].at(i.high)) < 0) return false;
      // An arithmetic shift would take the highest bit of an unsigned integer for a sign.
      const bool has_sign = fn == ScalarFn::shift_right_logical || is_signed(type);
      if (!has_sign && std::max(lines[0].at(i.low), lines[0].at(i.high)) >= Int{1} << (bit_width(type) - 1))
        return false;
      return by_quotient(lines[0], Int{1} << static_cast<unsigned>(lines[1].offset), i.low, i.high,
                         [&](std::int64_t upto, Int q) {
                           segments.push_back({upto, {0, q}});
                         }) &&
             emit(segments);
    }
    case ScalarFn::convert:
      if (floats) return false;
      if (type == ElementType::i1) {
        by_order(lines[0], {0, 0}, [&](std::int64_t upto, int s) {
          out.push_back({upto, Element::integer(s != 0 ? 1 : 0)});
        });
        return true;
      }
      if (is_float(type)) {
        const Int a = lines[0].at(i.low);
        const Int b = lines[0].at(i.high);
        if (!is_small(a) || !is_small(b)) return false;
        if (!has_integers(type, static_cast<std::int64_t>(std::min(a, b)), static_cast<std::int64_t>(std::max(a, b))))
          return false;
        out.push_back({i.high, args[0]});
        return true;
      }
      return (is_integer(type) || type == ElementType::index) && wrapped(lines[0], type, i.low, i.high, segments) &&
             emit(segments);
    default: return false;
  }
}

std::optional<Algebra::Linear> Algebra::line_of(Element e, ElementType type) const {
  if (e.is(Element::Kind::linear)) return linears_[e.index()];
  if (!e.is(Element::Kind::node)) return std::nullopt;
  const Node& n = nodes_[e.index()];
  std::optional<Linear> line;
  for (const Piece& p : n.pieces) {
    if (!p.value.is(Element::Kind::linear)) continue;
    Linear own = linears_[p.value.index()];
    own.offset = wrap(static_cast<std::uint64_t>(own.offset), type);
    if (line && *line != own) return std::nullopt;
    line = own;
  }
  // At a single point the value is an integer: v + 1 is -2^31 at the greatest v.
  std::int64_t low = variables_[n.variable].low;
  for (const Piece& p : n.pieces) {
    const auto on_line = [&](const Linear& l) {
      const auto value =
          static_cast<std::uint64_t>(l.slope) * static_cast<std::uint64_t>(low) + static_cast<std::uint64_t>(l.offset);
      return l.variable == n.variable && low == p.upto && p.value.is(Element::Kind::integer) &&
             p.value.as_int() == wrap(value, type);
    };
    if (!p.value.is(Element::Kind::linear) && !(line && on_line(*line))) return std::nullopt;
    if (p.upto != variables_[n.variable].high) low = p.upto + 1;
  }
  return line;
}

std::optional<std::int64_t> Algebra::integer_distance(Element a, Element b, ElementType type) {
  if (equal(a, b)) return 0;
  if (a.is(Element::Kind::integer) && b.is(Element::Kind::integer))
    return wrap(static_cast<std::uint64_t>(a.as_int()) - static_cast<std::uint64_t>(b.as_int()), type);
  const auto x = line_of(a, type);
  const auto y = line_of(b, type);
  if (!x || !y || x->variable != y->variable || x->slope != y->slope) return std::nullopt;
  return wrap(static_cast<std::uint64_t>(x->offset) - static_cast<std::uint64_t>(y->offset), type);
}

Element Algebra::unwrapped(Element e, ElementType type) {
  const auto line = line_of(e, type);
  if (!e.is(Element::Kind::node) || !line) return canonical(e);
  const Element v = canonical(as_element(line->variable));
  return ring_.add(ring_.multiply(ring_.constant(line->slope), v), ring_.constant(line->offset));
}

}  // namespace partir::validate
