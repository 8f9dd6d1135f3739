#include "verify/prove/size_expr.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "support/checked.h"

namespace partir::prove {
namespace {

constexpr int kMostNested = 100;
constexpr std::size_t kMostDigits = 18;  // any number of so many digits fits in 64 bits

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A recursive-descent parser. If an operator has no right operand, parsing stops before the operator.
class SizeExpr::Parser {
 public:
  /// `symbols`: the known symbols; null if any word is one.
  Parser(std::string_view text, std::size_t at, const std::vector<std::string>* symbols)
      : text_(text), at_(at), symbols_(symbols) {}

  std::optional<SizeExpr> sum() { return chain(&Parser::product, "+-"); }
  [[nodiscard]] std::size_t at() const { return at_; }
  void blank() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

 private:
  std::optional<SizeExpr> product() { return chain(&Parser::one, "*/%"); }

  static Kind kind_of(char op) {
    switch (op) {
      case '+': return Kind::add;
      case '-': return Kind::subtract;
      case '*': return Kind::multiply;
      case '/': return Kind::divide;
      default: return Kind::remainder;
    }
  }

  std::optional<SizeExpr> chain(std::optional<SizeExpr> (Parser::*part)(), std::string_view operators) {
    auto left = (this->*part)();
    while (left) {
      const std::size_t before = at_;
      blank();
      std::optional<SizeExpr> right;
      const char op = at_ < text_.size() ? text_[at_] : ' ';
      if (operators.find(op) != std::string_view::npos) {
        ++at_;
        right = (this->*part)();
      }
      if (!right) {
        at_ = before;
        return left;
      }
      left = of(kind_of(op), {std::move(*left), std::move(*right)});
    }
    return left;
  }

  std::optional<SizeExpr> one() {
    blank();
    if (at_ == text_.size() || depth_ == kMostNested) return std::nullopt;
    ++depth_;
    auto out = nested();
    --depth_;
    return out;
  }

  std::optional<SizeExpr> nested() {
    if (text_[at_] == '(') {
      ++at_;
      auto out = sum();
      blank();
      if (at_ == text_.size() || text_[at_] != ')') return std::nullopt;
      ++at_;
      return out;
    }
    if (text_[at_] == '-') {
      ++at_;
      auto out = one();
      return out ? std::optional(of(Kind::negate, {std::move(*out)})) : std::nullopt;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string word(text_.substr(at_, end - at_));
    SizeExpr out;
    if (word.empty()) return std::nullopt;
    if (std::all_of(word.begin(), word.end(), is_digit)) {
      if (word.size() > kMostDigits) return std::nullopt;
      out.number_ = std::stoll(word);
    } else {
      const bool known = symbols_ == nullptr || std::find(symbols_->begin(), symbols_->end(), word) != symbols_->end();
      if (is_digit(word[0]) || !known) return std::nullopt;
      out.kind_ = Kind::symbol;
      out.symbol_ = word;
    }
    at_ = end;
    return out;
  }

  static SizeExpr of(Kind kind, std::vector<SizeExpr> operands) {
    SizeExpr out;
    out.kind_ = kind;
    out.operands_ = std::move(operands);
    return out;
  }

  std::string_view text_;
  std::size_t at_;
  const std::vector<std::string>* symbols_;
  int depth_ = 0;
};

std::optional<SizeExpr> SizeExpr::parse(std::string_view text) {
  Parser parser(text, 0, nullptr);
  auto out = parser.sum();
  parser.blank();
  return parser.at() == text.size() ? out : std::nullopt;
}

std::optional<SizeExpr> SizeExpr::parse_prefix(std::string_view text, std::size_t& at,
                                               const std::vector<std::string>& symbols) {
  Parser parser(text, at, &symbols);
  auto out = parser.sum();
  if (out) at = parser.at();
  return out;
}

std::optional<std::int64_t> SizeExpr::at(const Sizes& sizes) const {
  if (kind_ == Kind::number) return number_;
  if (kind_ == Kind::symbol) {
    const auto it = sizes.find(symbol_);
    return it == sizes.end() ? std::nullopt : std::optional(it->second);
  }
  const auto a = operands_[0].at(sizes);
  if (!a) return std::nullopt;
  if (kind_ == Kind::negate) return checked_multiply(*a, -1);
  const auto b = operands_[1].at(sizes);
  if (!b) return std::nullopt;
  std::int64_t out = 0;
  switch (kind_) {
    case Kind::add: return __builtin_add_overflow(*a, *b, &out) ? std::nullopt : std::optional(out);
    case Kind::subtract: return __builtin_sub_overflow(*a, *b, &out) ? std::nullopt : std::optional(out);
    case Kind::multiply: return checked_multiply(*a, *b);
    case Kind::divide: return *b > 0 ? std::optional(floor_divide(*a, *b)) : std::nullopt;
    case Kind::remainder: return *b > 0 ? std::optional((*a % *b + *b) % *b) : std::nullopt;
    default: return std::nullopt;
  }
}

void SizeExpr::add_symbols(std::vector<std::string>& into) const {
  if (kind_ == Kind::symbol && std::find(into.begin(), into.end(), symbol_) == into.end()) into.push_back(symbol_);
  for (const SizeExpr& e : operands_) e.add_symbols(into);
}

bool SizeExpr::has_symbols() const {
  return kind_ == Kind::symbol ||
         std::any_of(operands_.begin(), operands_.end(), [](const SizeExpr& e) { return e.has_symbols(); });
}

std::optional<SizeExpr::Terms> SizeExpr::terms(const std::map<std::string, Known>& known) const {
  constexpr std::size_t kMostTerms = 100;
  if (kind_ == Kind::number) return Terms{{{}, number_}};
  if (kind_ == Kind::symbol) {
    const auto it = known.find(symbol_);
    if (it == known.end()) return Terms{{{symbol_}, 1}};
    return it->second.value ? Terms{{{}, *it->second.value}} : Terms{{{symbol_}, it->second.divisor}};
  }
  const auto a = operands_[0].terms(known);
  const auto b = kind_ == Kind::negate ? Terms{{{}, -1}} : operands_[1].terms(known);
  if (!a || !b) return std::nullopt;
  Terms out;
  const auto add = [&](const std::vector<std::string>& of, std::optional<std::int64_t> coefficient) {
    std::int64_t& sum = out[of];
    const auto next = coefficient ? checked_add(sum, *coefficient) : std::nullopt;
    if (next) sum = *next;
    return next.has_value();
  };
  if (kind_ == Kind::add || kind_ == Kind::subtract) {
    for (const auto& [of, coefficient] : *a) {
      if (!add(of, coefficient)) return std::nullopt;
    }
    for (const auto& [of, coefficient] : *b) {
      if (!add(of, checked_multiply(coefficient, kind_ == Kind::add ? 1 : -1))) return std::nullopt;
    }
  } else if (kind_ == Kind::multiply || kind_ == Kind::negate) {
    for (const auto& [x, p] : *a) {
      for (const auto& [y, q] : *b) {
        std::vector<std::string> of = x;
        of.insert(of.end(), y.begin(), y.end());
        std::sort(of.begin(), of.end());
        if (of.size() > kMostDegree || !add(of, checked_multiply(p, q))) return std::nullopt;
      }
    }
  } else {
    const std::int64_t by = b->size() == 1 && b->begin()->first.empty() ? b->begin()->second : 0;
    if (by <= 0) return std::nullopt;
    for (const auto& [of, coefficient] : *a) {
      const std::int64_t quotient = floor_divide(coefficient, by);
      if (!of.empty() && coefficient % by != 0) return std::nullopt;
      if (kind_ == Kind::divide) out[of] = quotient;
      if (kind_ == Kind::remainder && of.empty()) out[of] = coefficient - quotient * by;
    }
  }
  std::erase_if(out, [](const auto& term) { return term.second == 0; });
  if (out.size() > kMostTerms) return std::nullopt;
  return out;
}

bool SizeExpr::is_polynomial(const std::map<std::string, Known>& known) const { return terms(known).has_value(); }

std::optional<Condition> Condition::parse(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisons = {{{"==", Comparison::eq},
                                                                                           {"!=", Comparison::ne},
                                                                                           {"<=", Comparison::le},
                                                                                           {">=", Comparison::ge},
                                                                                           {"<", Comparison::lt},
                                                                                           {">", Comparison::gt}}};
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const auto& [sign, comparison] : kComparisons) {
      if (!text.substr(at).starts_with(sign)) continue;
      auto left = SizeExpr::parse(text.substr(0, at));
      auto right = SizeExpr::parse(text.substr(at + sign.size()));
      if (!left || !right) return std::nullopt;
      return Condition{std::move(*left), comparison, std::move(*right)};
    }
  }
  return std::nullopt;
}

bool Condition::holds(const Sizes& sizes) const {
  const auto a = left.at(sizes);
  const auto b = right.at(sizes);
  if (!a || !b) return false;
  switch (comparison) {
    case Comparison::eq: return *a == *b;
    case Comparison::ne: return *a != *b;
    case Comparison::le: return *a <= *b;
    case Comparison::ge: return *a >= *b;
    case Comparison::lt: return *a < *b;
    case Comparison::gt: return *a > *b;
  }
  return false;
}

const std::string* Condition::equal_symbol(std::string_view symbol) const {
  const bool both = left.kind() == SizeExpr::Kind::symbol && right.kind() == SizeExpr::Kind::symbol;
  if (comparison != Comparison::eq || !both || left.symbol() == right.symbol()) return nullptr;
  return left.is(symbol) ? &right.symbol() : right.is(symbol) ? &left.symbol() : nullptr;
}

std::optional<std::int64_t> Condition::equal_number(std::string_view symbol) const {
  if (comparison != Comparison::eq || !left.is(symbol) || right.kind() != SizeExpr::Kind::number) return std::nullopt;
  return right.number();
}

std::optional<std::int64_t> Condition::divisor(std::string_view symbol) const {
  const bool is = comparison == Comparison::eq && right.is(0) && left.kind() == SizeExpr::Kind::remainder &&
                  left.operands()[0].is(symbol) && left.operands()[1].kind() == SizeExpr::Kind::number;
  return is ? std::optional(left.operands()[1].number()) : std::nullopt;
}

}  // namespace partir::prove
