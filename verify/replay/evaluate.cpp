// The replayer's evaluator (evaluate.h): typed arithmetic on terms, written independently of the prover and the
// interpreters.
#include "verify/replay/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace partir::replay {
namespace {

/// Steps per evaluation; beyond that the result is `nothing`.
constexpr std::size_t kMostSteps = 200'000;

std::uint64_t mixed_hash(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ULL + b + 0x7f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
std::uint64_t mixed_hash(std::uint64_t a, const std::string& text) {
  for (const char c : text) a = mixed_hash(a, static_cast<unsigned char>(c));
  return a;
}
/// Returns a number between 0.25 and 1.25.
double weight(std::uint64_t bits) { return 0.25 + static_cast<double>(bits % 4096) / 4096; }

bool is_zero(const Number& x) { return x == Number::whole(0) || (!x.is_whole() && x.parts() == 0.0); }

/// True if the term's value is always 0 or 1.
bool is_condition(const Term& t) {
  return t.kind == Term::Kind::at_least_zero || t.kind == Term::Kind::is_zero || t.type == ElementType::i1;
}

/// Returns a value for a function of which only the name is known. Laws must hold for any such function.
Number made_up_value(std::uint64_t name, double x, ElementType type) {
  if (type == ElementType::i1) return Number::whole(x > 1.5 ? 1 : 0);
  if (is_integer(type))
    return Number::whole(wrapped(static_cast<std::int64_t>(mixed_hash(name, std::bit_cast<std::uint64_t>(x))), type));
  return x;
}

}  // namespace

bool is_near(const Number& a, const Number& b, double largest) {
  if (a.is_whole() && b.is_whole()) return a.integer() == b.integer();
  const auto x = a.parts();
  const auto y = b.parts();
  if (x == y) return true;
  const double infinite = kHighest / 1024;
  if (std::abs(x.real()) > infinite && std::abs(y.real()) > infinite) return (x.real() > 0) == (y.real() > 0);
  return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)}) + 1e-14 * largest;
}

std::optional<std::int64_t> Evaluator::integer(TermId t) {
  const Number x = value(t);
  if (x.is_nothing() || (!x.is_whole() && x.magnitude() > kHighest)) return std::nullopt;
  return x.integer();
}

template <class Visit>
bool Evaluator::each(const std::vector<TermId>& bound, std::size_t from, const Visit& visit) {
  if (from == bound.size()) return visit();
  const auto extent = integer(terms_.at(bound[from]).args[0]);
  if (!extent) return false;
  const auto before = indices_.find(bound[from]);
  const bool hidden = before != indices_.end();
  const std::int64_t outer = hidden ? before->second : 0;
  bool good = true;
  for (std::int64_t i = 0; i < *extent && good; ++i) {
    indices_[bound[from]] = i;
    good = each(bound, from + 1, visit);
  }
  if (hidden) {
    indices_[bound[from]] = outer;
  } else {
    indices_.erase(bound[from]);
  }
  return good;
}

Number Evaluator::over(const Term& t) {
  std::vector<Number> values;
  const bool good = each(t.bound, 0, [&] {
    for (std::size_t k = 1; k < t.args.size(); ++k) {
      const Number holds = value(t.args[k]);
      if (holds.is_nothing()) return false;
      if (is_zero(holds)) return true;
    }
    values.push_back(value(t.args[0]));
    return !values.back().is_nothing();
  });
  return good ? joined(t.monoid, values, t.type) : Number::nothing();
}

Number Evaluator::with(const Term& t) {
  std::map<TermId, std::int64_t> inner = indices_;
  for (std::size_t k = 0; k < t.bound.size(); ++k) {
    const auto i = integer(t.args[k + 1]);
    if (!i) return Number::nothing();
    inner[t.bound[k]] = *i;
  }
  std::swap(inner, indices_);
  const Number out = value(t.args[0]);
  std::swap(inner, indices_);
  return out;
}

Number Evaluator::free_index(TermId id) {
  const Term& t = terms_.at(id);
  const auto extent = integer(t.args[0]);
  if (!extent || *extent < 1) return Number::nothing();
  return Number::whole(static_cast<std::int64_t>(mixed_hash(instance_.seed, static_cast<std::uint64_t>(t.value)) %
                                                 static_cast<std::uint64_t>(*extent)));
}

Number Evaluator::read(const Term& t) {
  std::vector<std::int64_t> at;
  for (const TermId a : t.args) {
    const auto i = integer(a);
    if (!i) return Number::nothing();
    at.push_back(*i);
  }
  const auto array = static_cast<std::size_t>(t.value);
  if (instance_.element) {
    if (const auto given = instance_.element(array, at)) return *given;
  }
  std::uint64_t bits = mixed_hash(instance_.seed, array + 1);
  for (const std::int64_t i : at) bits = mixed_hash(bits, static_cast<std::uint64_t>(i));
  const ElementType type = array < instance_.arrays.size() ? instance_.arrays[array] : t.type;
  if (type == ElementType::i1) return Number::whole(static_cast<std::int64_t>(bits % 2));
  if (is_integer(type)) {
    const std::int64_t small = static_cast<std::int64_t>(bits % 5) - (is_signed(type) && !instance_.positive ? 2 : 0);
    // For even seeds, about a third are at the extremes of the type, where sums wrap.
    const bool at_end = !instance_.positive && bits / 8 % 3 == 0 && instance_.seed % 2 == 0;
    const std::int64_t end = std::int64_t{1} << (bit_width(type) - 1);
    return Number::whole(wrapped(at_end ? end + small - 1 : small, type));
  }
  const double x = instance_.positive ? static_cast<double>(bits % 16 + 1) / 4 : static_cast<double>(bits % 25) / 4 - 3;
  return is_complex(type) ? Number(std::complex<double>(x, static_cast<double>(bits / 32 % 9) / 4 - 1)) : Number(x);
}

/// Returns a made-up value for a function of arrays or numbers of which nothing is known but that it is linear in each
/// array.
Number Evaluator::opaque(const Term& t) {
  met_uninterpreted_ = true;
  const std::uint64_t name = mixed_hash(11, t.name);
  std::complex<double> arrays = 1;
  double smooth = weight(name);
  for (std::size_t k = 0; k < t.args.size(); ++k) {
    const Term& arg = terms_.at(t.args[k]);
    if (arg.kind != Term::Kind::array) {
      const Number x = value(t.args[k]);
      if (x.is_nothing()) return x;
      // Smooth in its arguments, so that rounding errors are not amplified.
      smooth += weight(mixed_hash(name, k)) * (x.parts().real() + 0.5 * x.parts().imag());
      continue;
    }
    std::complex<double> total = 0;
    const bool good = each(arg.bound, 0, [&] {
      std::uint64_t bits = mixed_hash(7, t.name);
      for (const TermId i : arg.bound) bits = mixed_hash(bits, static_cast<std::uint64_t>(indices_.at(i)));
      const Number x = value(arg.args[0]);
      total += weight(mixed_hash(bits, k)) * x.parts();
      return !x.is_nothing();
    });
    if (!good) return Number::nothing();
    arrays *= total;
  }
  const double x = 1.5 + std::sin(smooth);
  if (is_integer(t.type) || t.type == ElementType::i1) return made_up_value(name, x + arrays.real(), t.type);
  return x * arrays;
}

Number Evaluator::fold(const Term& t) {
  const std::size_t k = t.args.size() / 3;
  const auto values = [&](std::size_t from, std::vector<Number>& into) {
    for (std::size_t v = 0; v < k; ++v) {
      into.push_back(value(t.args[from + v]));
      if (into.back().is_nothing()) return false;
    }
    return true;
  };
  std::vector<Number> so_far;
  const bool good = values(0, so_far) && each(t.bound, 0, [&] {
                      std::vector<Number> arguments = so_far;
                      if (!values(k, arguments)) return false;
                      so_far.clear();
                      std::swap(arguments_, arguments);
                      const bool combined = values(2 * k, so_far);
                      std::swap(arguments_, arguments);
                      return combined;
                    });
  return good ? so_far.at(static_cast<std::size_t>(t.value)) : Number::nothing();
}

Number Evaluator::largest_first(const Term& t) {
  const Term& array = terms_.at(t.args[1]);
  std::vector<std::pair<Number, std::int64_t>> places;
  const bool good = each(array.bound, 0, [&] {
    places.emplace_back(value(array.args[0]), static_cast<std::int64_t>(places.size()));
    return !places.back().first.is_nothing();
  });
  const auto at = integer(t.args[0]);
  if (!good || !at || *at < 0 || *at >= static_cast<std::int64_t>(places.size())) return Number::nothing();
  const auto is_greater = [](const Number& a, const Number& b) {
    if (a.is_whole() && b.is_whole()) return a.integer() > b.integer();
    const double x = a.parts().real();
    const double y = b.parts().real();
    const auto beyond = [](double v) { return !std::isnan(v) ? 0 : std::signbit(v) ? -1 : 1; };  // in the total order
    return beyond(x) != beyond(y) ? beyond(x) > beyond(y) : x > y;
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](const auto& a, const auto& b) { return is_greater(a.first, b.first); });
  const auto& [number, place] = places[static_cast<std::size_t>(*at)];
  return t.value == 1 ? as(Number::whole(place), t.type) : number;
}

Number Evaluator::function(const Term& t) {
  std::vector<Number> args;
  std::vector<ElementType> types;
  for (const TermId a : t.args) {
    args.push_back(value(a));
    types.push_back(terms_.at(a).type);
    if (args.back().is_nothing()) return Number::nothing();
  }
  return function_of(t.fn, args, types, t.type);
}

Number Evaluator::value(TermId id) {
  if (++steps_ > kMostSteps) return Number::nothing();
  const Number out = evaluated(id);
  if (!out.is_nothing() && !out.is_whole()) largest_ = std::max(largest_, out.magnitude());
  return out;
}

Number Evaluator::evaluated(TermId id) {
  const Term& t = terms_.at(id);
  switch (t.kind) {
    case Term::Kind::number: return as(Number::whole(t.value), t.type);
    case Term::Kind::literal: {
      const auto bounded = [](double v) { return std::isinf(v) ? std::copysign(kHighest, v) : v; };
      return Number(std::complex<double>(bounded(t.real), bounded(t.imaginary)));
    }
    case Term::Kind::imaginary_unit: return Number(std::complex<double>(0, 1));
    case Term::Kind::size: {
      const auto it = instance_.sizes.find(t.name);
      return it != instance_.sizes.end() ? Number::whole(it->second) : Number::nothing();
    }
    case Term::Kind::index: {
      const auto it = indices_.find(id);
      return it != indices_.end() ? Number::whole(it->second) : free_index(id);
    }
    case Term::Kind::any_index: {
      const Number x = value(t.args[0]);
      return x.is_nothing() ? x : Number::whole(x.integer());
    }
    case Term::Kind::as_number: {
      const Number x = value(t.args[0]);
      return x.is_nothing() ? x : function_of(ScalarFn::convert, {x}, {ElementType::i64}, t.type);
    }
    case Term::Kind::join: {
      // If a condition is 0 the product is 0: factors that are not selected may have no value.
      if (t.monoid == Monoid::prod) {
        for (const TermId a : t.args) {
          if (is_condition(terms_.at(a)) && is_zero(value(a))) return as(Number::whole(0), t.type);
        }
      }
      std::vector<Number> values;
      for (const TermId a : t.args) {
        values.push_back(value(a));
        if (values.back().is_nothing()) return Number::nothing();
      }
      return joined(t.monoid, values, t.type);
    }
    case Term::Kind::over: return over(t);
    case Term::Kind::with: return with(t);
    case Term::Kind::array: return Number::nothing();
    case Term::Kind::quotient: {
      const auto a = integer(t.args[0]);
      const auto b = integer(t.args[1]);
      if (!a || !b || *b < 1) return Number::nothing();
      return Number::whole((*a - ((*a % *b) + *b) % *b) / *b);
    }
    case Term::Kind::at_least_zero:
    case Term::Kind::is_zero: {
      const auto a = integer(t.args[0]);
      if (!a) return Number::nothing();
      return Number::whole((t.kind == Term::Kind::is_zero ? *a == 0 : *a >= 0) ? 1 : 0);
    }
    case Term::Kind::read: return read(t);
    case Term::Kind::function: return function(t);
    case Term::Kind::reciprocal: {
      const Number x = value(t.args[0]);
      if (x.is_nothing() || is_zero(x)) return Number::nothing();
      const auto out = 1.0 / x.parts();
      largest_ = std::max(largest_, std::norm(out));  // a rounding error of x grows by 1 / x^2
      return Number(out);
    }
    case Term::Kind::choose: {
      const Number condition = value(t.args[0]);
      return condition.is_nothing() ? condition : as(value(t.args[is_zero(condition) ? 2 : 1]), t.type);
    }
    case Term::Kind::fold: return fold(t);
    case Term::Kind::argument:
      return static_cast<std::size_t>(t.value) < arguments_.size() ? arguments_[static_cast<std::size_t>(t.value)]
                                                                   : Number::nothing();
    case Term::Kind::largest: return largest_first(t);
    case Term::Kind::opaque: return opaque(t);
  }
  return Number::nothing();
}

}  // namespace partir::replay
