#include "verify/replay/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace partir::replay {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
/// Above and below all that occurs, and with room in a double for what is added to it.
constexpr double kHighest = 1099511627776.0;  // 2^40
/// Of one evaluation; more says nothing.
constexpr std::size_t kMostSteps = 200'000;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ULL + b + 0x7f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
std::uint64_t mixed(std::uint64_t a, const std::string& text) {
  for (const char c : text) a = mixed(a, static_cast<unsigned char>(c));
  return a;
}
/// Between 0.25 and 1.25.
double weight(std::uint64_t bits) { return 0.25 + static_cast<double>(bits % 4096) / 4096; }

bool is_nothing(Number x) { return std::isnan(x.real()) || std::isnan(x.imag()); }
/// Complex numbers are in the order of their real, then their imaginary parts.
bool below(Number a, Number b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); }
std::int64_t whole(Number x) { return static_cast<std::int64_t>(std::llround(x.real())); }

using Function = Number (*)(Number);
/// Functions of one number, by their name in the index notation.
const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> out = {
      {"abs", [](Number x) { return Number(std::abs(x)); }},
      {"acos", [](Number x) { return Number(std::acos(x.real())); }},
      {"acosh", [](Number x) { return Number(std::acosh(x.real())); }},
      {"asin", [](Number x) { return Number(std::asin(x.real())); }},
      {"asinh", [](Number x) { return Number(std::asinh(x.real())); }},
      {"atan", [](Number x) { return Number(std::atan(x.real())); }},
      {"atanh", [](Number x) { return Number(std::atanh(x.real())); }},
      {"cbrt", [](Number x) { return Number(std::cbrt(x.real())); }},
      {"ceil", [](Number x) { return Number(std::ceil(x.real())); }},
      {"conj", [](Number x) { return std::conj(x); }},
      {"cosine", [](Number x) { return std::cos(x); }},
      {"erf", [](Number x) { return Number(std::erf(x.real())); }},
      {"erfc", [](Number x) { return Number(std::erfc(x.real())); }},
      {"exponential", [](Number x) { return std::exp(x); }},
      {"exponential_minus_one", [](Number x) { return Number(std::expm1(x.real())); }},
      {"floor", [](Number x) { return Number(std::floor(x.real())); }},
      {"imag", [](Number x) { return Number(x.imag()); }},
      {"log", [](Number x) { return x.imag() == 0 ? Number(std::log(x.real())) : std::log(x); }},
      {"log_plus_one", [](Number x) { return Number(std::log1p(x.real())); }},
      {"logistic", [](Number x) { return 1.0 / (1.0 + std::exp(-x)); }},
      {"real", [](Number x) { return Number(x.real()); }},
      {"reciprocal", [](Number x) { return x == 0.0 ? Number(kNothing) : 1.0 / x; }},
      {"round_nearest_afz", [](Number x) { return Number(std::round(x.real())); }},
      {"round_nearest_even", [](Number x) { return Number(std::nearbyint(x.real())); }},
      {"rsqrt", [](Number x) { return Number(1 / std::sqrt(x.real())); }},
      {"sign", [](Number x) { return Number(x.real() > 0   ? 1
                                            : x.real() < 0 ? -1
                                                           : 0); }},
      {"sine", [](Number x) { return std::sin(x); }},
      {"sinh", [](Number x) { return Number(std::sinh(x.real())); }},
      {"sqrt", [](Number x) { return Number(std::sqrt(x.real())); }},
      {"tan", [](Number x) { return std::tan(x); }},
      {"tanh", [](Number x) { return Number(std::tanh(x.real())); }},
      {"indicator", [](Number x) { return x; }},
      {"truth", [](Number x) { return x; }},
  };
  return out;
}

bool is_choice(const Term& t) {
  return t.kind == Term::Kind::at_least_zero || t.kind == Term::Kind::is_zero ||
         (t.kind == Term::Kind::apply && t.name == "indicator");
}

/// The name of a comparison "compare_lt f32 to i1"; nothing of other functions.
std::optional<bool> compared(const std::string& name, double a, double b) {
  const std::string fn = name.substr(0, name.find(' '));
  if (fn == "compare_lt") return a < b;
  if (fn == "compare_le") return a <= b;
  if (fn == "compare_gt") return a > b;
  if (fn == "compare_ge") return a >= b;
  if (fn == "compare_eq") return a == b;
  if (fn == "compare_ne") return a != b;
  return std::nullopt;
}

std::optional<ElementType> type_at_end(const std::string& name) {
  const auto place = name.rfind(" to ");
  return place == std::string::npos ? std::nullopt : element_type_from(name.substr(place + 4));
}

}  // namespace

bool is_near(Number a, Number b, double largest) {
  if (a == b) return true;
  const double infinite = kHighest / 1024;
  if (std::abs(a.real()) > infinite && std::abs(b.real()) > infinite) return (a.real() > 0) == (b.real() > 0);
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}) + 1e-14 * largest;
}

Number Evaluator::joined(Monoid m, const std::vector<Number>& values) const {
  if (values.empty()) {
    switch (m) {
      case Monoid::sum: return 0;
      case Monoid::prod: return 1;
      case Monoid::max: return -kHighest;
      case Monoid::min: return kHighest;
      default: return kNothing;  // of truths and of bits it differs
    }
  }
  Number out = values[0];
  for (std::size_t k = 1; k < values.size(); ++k) {
    const Number x = values[k];
    switch (m) {
      case Monoid::sum: out += x; break;
      case Monoid::prod: out = out.imag() == 0 && x.imag() == 0 ? Number(out.real() * x.real()) : out * x; break;
      case Monoid::max: out = is_nothing(x) || is_nothing(out) ? kNothing : below(out, x) ? x : out; break;
      case Monoid::min: out = is_nothing(x) || is_nothing(out) ? kNothing : below(x, out) ? x : out; break;
      case Monoid::conj:
        out = is_nothing(x) || is_nothing(out) ? Number(kNothing) : Number(static_cast<double>(whole(out) & whole(x)));
        break;
      case Monoid::disj:
        out = is_nothing(x) || is_nothing(out) ? Number(kNothing) : Number(static_cast<double>(whole(out) | whole(x)));
        break;
    }
  }
  return out;
}

std::optional<std::int64_t> Evaluator::integer(TermId t) {
  const Number x = value(t);
  if (is_nothing(x) || std::abs(x.real()) > kHighest) return std::nullopt;
  return whole(x);
}

template <class Visit>
bool Evaluator::each(const std::vector<TermId>& bound, std::size_t from, const Visit& visit) {
  if (from == bound.size()) return visit();
  const auto extent = integer(terms_.at(bound[from]).args[0]);
  if (!extent) return false;
  const auto before = indices_.find(bound[from]);
  const auto outer = before == indices_.end() ? std::nullopt : std::optional(before->second);
  bool good = true;
  for (std::int64_t i = 0; i < *extent && good; ++i) {
    indices_[bound[from]] = i;
    good = each(bound, from + 1, visit);
  }
  if (outer) {
    indices_[bound[from]] = *outer;
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
      if (is_nothing(holds)) return false;
      if (holds == 0.0) return true;
    }
    values.push_back(value(t.args[0]));
    return !is_nothing(values.back());
  });
  return good ? joined(t.monoid, values) : kNothing;
}

Number Evaluator::with(const Term& t) {
  std::map<TermId, std::int64_t> inner = indices_;
  for (std::size_t k = 0; k < t.bound.size(); ++k) {
    const auto i = integer(t.args[k + 1]);
    if (!i) return kNothing;
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
  if (!extent || *extent < 1) return kNothing;
  return static_cast<double>(mixed(instance_.seed, static_cast<std::uint64_t>(t.value)) %
                             static_cast<std::uint64_t>(*extent));
}

Number Evaluator::read(const Term& t) {
  std::vector<std::int64_t> at;
  for (const TermId a : t.args) {
    const auto i = integer(a);
    if (!i) return kNothing;
    at.push_back(*i);
  }
  const auto array = static_cast<std::size_t>(t.value);
  if (instance_.element) {
    if (const auto given = instance_.element(array, at)) return *given;
  }
  std::uint64_t bits = mixed(instance_.seed, array + 1);
  for (const std::int64_t i : at) bits = mixed(bits, static_cast<std::uint64_t>(i));
  const ElementType type = array < instance_.arrays.size() ? instance_.arrays[array] : ElementType::f32;
  if (type == ElementType::i1) return static_cast<double>(bits % 2);
  if (is_integer(type)) return static_cast<double>(bits % 5) - (is_signed(type) && !instance_.positive ? 2 : 0);
  const double x = instance_.positive ? static_cast<double>(bits % 16 + 1) / 4 : static_cast<double>(bits % 25) / 4 - 3;
  return is_complex(type) ? Number(x, static_cast<double>(bits / 32 % 9) / 4 - 1) : Number(x);
}

Number Evaluator::applied(const Term& t) {
  if (t.name == "true") return 1;
  if (t.name == "false") return 0;
  if (t.name == "lowest") return -kHighest;
  if (t.name == "highest") return kHighest;
  if (t.name == "imaginary unit") return {0, 1};
  if (t.name == "choose") {
    const Number condition = value(t.args[0]);
    return is_nothing(condition) ? Number(kNothing) : value(t.args[condition == 0.0 ? 2 : 1]);
  }
  std::vector<Number> args;
  for (const TermId a : t.args) {
    if (terms_.at(a).kind == Term::Kind::array) {
      // Of an array only what is additive and homogeneous is seen: a function that is linear in it is one of these.
      const Term& array = terms_.at(a);
      Number total = 0;
      const bool good = each(array.bound, 0, [&] {
        std::uint64_t bits = mixed(7, t.name);
        for (const TermId i : array.bound) bits = mixed(bits, static_cast<std::uint64_t>(indices_.at(i)));
        total += weight(mixed(bits, args.size())) * value(array.args[0]);
        return !is_nothing(total);
      });
      args.push_back(good ? total : Number(kNothing));
    } else {
      args.push_back(value(a));
    }
    if (is_nothing(args.back())) return kNothing;
  }
  if (args.size() == 1) {
    const auto it = functions().find(t.name);
    if (it != functions().end()) return it->second(args[0]);
    if (t.name == "widen") {  // any function that rises; this one does nothing else
      met_uninterpreted_ = true;
      return args[0] + 0.25 * args[0] * args[0] * args[0];
    }
    if (t.name == "not") return 1.0 - args[0];
    if (t.name == "complement") return static_cast<double>(~whole(args[0]));
    if (t.name.starts_with("convert ")) {
      const auto to = type_at_end(t.name);
      if (to == ElementType::i1) return args[0] == 0.0 ? 0 : 1;
      return to && is_integer(*to) ? Number(std::trunc(args[0].real())) : args[0];
    }
  }
  if (args.size() == 2) {
    if (const auto holds = compared(t.name, args[0].real(), args[1].real())) return *holds ? 1 : 0;
  }
  met_uninterpreted_ = true;
  // Linear in each array, and smooth, so that rounding does not show, in all else.
  const std::uint64_t name = mixed(11, t.name);
  Number arrays = 1;
  double smooth = weight(name);
  for (std::size_t k = 0; k < args.size(); ++k) {
    if (terms_.at(t.args[k]).kind == Term::Kind::array) {
      arrays *= args[k];
    } else {
      smooth += weight(mixed(name, k)) * (args[k].real() + 0.5 * args[k].imag());
    }
  }
  const double x = 1.5 + std::sin(smooth);
  const auto to = type_at_end(t.name);
  if (to == ElementType::i1) return x > 1.5 ? 1 : 0;
  if (to && is_integer(*to)) return std::floor(2 * x);
  if (t.name.starts_with("constant ")) return std::floor(2 * x);
  return x * arrays;
}

Number Evaluator::value(TermId id) {
  if (++steps_ > kMostSteps) return kNothing;
  const Number out = evaluated(id);
  if (!is_nothing(out)) largest_ = std::max(largest_, std::abs(out));
  return out;
}

Number Evaluator::evaluated(TermId id) {
  const Term& t = terms_.at(id);
  switch (t.kind) {
    case Term::Kind::number: return static_cast<double>(t.value);
    case Term::Kind::size: {
      const auto it = instance_.sizes.find(t.name);
      return it != instance_.sizes.end() ? Number(static_cast<double>(it->second)) : Number(kNothing);
    }
    case Term::Kind::index: {
      const auto it = indices_.find(id);
      return it != indices_.end() ? Number(static_cast<double>(it->second)) : free_index(id);
    }
    case Term::Kind::any_index: {
      const Number x = value(t.args[0]);
      return is_nothing(x) ? x : Number(static_cast<double>(whole(x)));
    }
    case Term::Kind::join: {
      // Where a choice is 0 nothing else counts: what is not chosen may have no value.
      if (t.monoid == Monoid::prod) {
        for (const TermId a : t.args) {
          if (is_choice(terms_.at(a)) && value(a) == 0.0) return 0;
        }
      }
      std::vector<Number> values;
      for (const TermId a : t.args) {
        values.push_back(value(a));
        if (is_nothing(values.back())) return kNothing;
      }
      return joined(t.monoid, values);
    }
    case Term::Kind::over: return over(t);
    case Term::Kind::with: return with(t);
    case Term::Kind::array: return kNothing;
    case Term::Kind::quotient: {
      const auto a = integer(t.args[0]);
      const auto b = integer(t.args[1]);
      if (!a || !b || *b < 1) return kNothing;
      return static_cast<double>((*a - ((*a % *b) + *b) % *b) / *b);
    }
    case Term::Kind::at_least_zero:
    case Term::Kind::is_zero: {
      const auto a = integer(t.args[0]);
      if (!a) return kNothing;
      return (t.kind == Term::Kind::is_zero ? *a == 0 : *a >= 0) ? 1 : 0;
    }
    case Term::Kind::read: return read(t);
    case Term::Kind::apply: return applied(t);
  }
  return kNothing;
}

}  // namespace partir::replay
