#include "verify/prove/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/read.h"
#include "support/checked.h"

namespace partir::prove {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Sums, products and remainders of numbers and symbols, with parentheses.
class SizeArithmetic {
 public:
  SizeArithmetic(const std::string& text, const Sizes& sizes) : text_(text), sizes_(sizes) {}

  std::optional<std::int64_t> all() {
    const auto value = sum();
    blank();
    return at_ == text_.size() ? value : std::nullopt;
  }
  std::optional<std::int64_t> sum() {
    auto left = product();
    while (left) {
      blank();
      if (at_ == text_.size() || (text_[at_] != '+' && text_[at_] != '-')) return left;
      const bool minus = text_[at_++] == '-';
      const auto right = product();
      if (!right) return std::nullopt;
      std::int64_t value = 0;
      if (minus ? __builtin_sub_overflow(*left, *right, &value) : __builtin_add_overflow(*left, *right, &value))
        return std::nullopt;
      left = value;
    }
    return left;
  }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  std::optional<std::int64_t> product() {
    auto left = one();
    while (left) {
      blank();
      if (at_ == text_.size() || (text_[at_] != '*' && text_[at_] != '/' && text_[at_] != '%')) return left;
      const char op = text_[at_++];
      const auto right = one();
      if (!right || (op != '*' && *right == 0)) return std::nullopt;
      left = op == '*'   ? checked_multiply(*left, *right)
             : op == '/' ? std::optional(floor_divide(*left, *right))
                         : std::optional(*left - floor_divide(*left, *right) * *right);
    }
    return left;
  }
  std::optional<std::int64_t> one() {
    blank();
    if (at_ == text_.size() || ++depth_ > 200) return std::nullopt;
    const auto value = nested();
    --depth_;
    return value;
  }
  std::optional<std::int64_t> nested() {
    if (text_[at_] == '(') {
      ++at_;
      const auto value = sum();
      blank();
      if (at_ == text_.size() || text_[at_] != ')') return std::nullopt;
      ++at_;
      return value;
    }
    if (text_[at_] == '-') {
      ++at_;
      const auto value = one();
      return value ? checked_multiply(*value, -1) : std::nullopt;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string word = text_.substr(at_, end - at_);
    at_ = end;
    if (word.empty() || word.size() > 18) return std::nullopt;
    if (std::all_of(word.begin(), word.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
      return std::stoll(word);
    const auto it = sizes_.find(word);
    return it == sizes_.end() ? std::nullopt : std::optional(it->second);
  }
  void blank() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  const std::string& text_;
  const Sizes& sizes_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The dimension part of "MxN*2xf32": pieces up to the element type, which begins with a lower-case letter.
std::vector<std::string> dimensions(const std::string& inside, std::string& element) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin < inside.size()) {
    if (std::islower(static_cast<unsigned char>(inside[begin])) != 0) break;
    int depth = 0;
    std::size_t end = begin;
    while (end < inside.size() && (inside[end] != 'x' || depth > 0)) {
      if (inside[end] == '(') ++depth;
      if (inside[end] == ')') --depth;
      ++end;
    }
    if (end == inside.size()) break;
    out.push_back(inside.substr(begin, end - begin));
    begin = end + 1;
  }
  element = inside.substr(begin);
  return out;
}

void words_of(const std::string& text, std::vector<std::string>& into) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
        std::find(into.begin(), into.end(), word) == into.end())
      into.push_back(word);
    at = std::max(end, at + 1);
  }
}

/// Calls f with the begin and end of what stands inside each tensor<…> of the text.
template <class F>
void for_each_tensor(const std::string& text, F&& f) {
  for (std::size_t at = 0; (at = text.find("tensor<", at)) != std::string::npos;) {
    const std::size_t begin = at + 7;
    int depth = 1;
    std::size_t end = begin;
    for (; end < text.size() && depth > 0; ++end) depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
    if (depth > 0) return;  // no end: the reader of programs says so
    f(begin, end - 1);
    at = end;
  }
}

/// The end of the longest arithmetic on numbers and symbols from `at`, `at` where there is none; notes whether a symbol
/// is in it.
std::size_t arithmetic_end(const std::string& text, std::size_t at, const std::vector<std::string>& symbols,
                           bool& symbol, int depth = 0) {
  const auto blank = [&](std::size_t k) {
    while (k < text.size() && text[k] == ' ') ++k;
    return k;
  };
  std::size_t good = at;
  for (std::size_t k = at; k < text.size();) {
    std::size_t end = k;
    bool has = false;
    if (text[k] == '(' && depth < 50) {
      const std::size_t inside = blank(k + 1);
      const std::size_t close = blank(arithmetic_end(text, inside, symbols, has, depth + 1));
      if (close == inside || close == text.size() || text[close] != ')') return good;
      end = close + 1;
    } else {
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = text.substr(k, end - k);
      has = std::find(symbols.begin(), symbols.end(), word) != symbols.end();
      if (word.empty() || (!has && !std::all_of(word.begin(), word.end(), [](char c) {
            return std::isdigit(static_cast<unsigned char>(c)) != 0;
          })))
        return good;
    }
    symbol = symbol || has;
    good = end;
    const std::size_t next = blank(end);
    const bool arrow = text.compare(next, 2, "->") == 0;
    if (next == text.size() || arrow || std::string("*+-/%").find(text[next]) == std::string::npos) return good;
    k = blank(next + 1);
  }
  return good;
}

/// The text with sizes for its symbols.
std::string with_sizes(const std::string& text, const std::vector<std::string>& symbols, const Sizes& sizes,
                       Place place) {
  // Types first: in "MxNxf32" symbols stand in one word.
  std::string typed;
  std::size_t from = 0;
  for_each_tensor(text, [&](std::size_t begin, std::size_t end) {
    typed += text.substr(from, begin - from);
    std::string element;
    for (const std::string& d : dimensions(text.substr(begin, end - begin), element)) {
      const auto value = evaluate_size(d, sizes);
      if (!value || *value < 0) fail("claim", place, "a size " + d, "sums and products of size symbols, at least 0");
      typed += fmt::format("{}x", *value);
    }
    typed += element;
    from = end;
  });
  typed += text.substr(from);
  // Then expressions in attributes, around each symbol that stands as a word of its own.
  std::string out;
  for (std::size_t at = 0; at < typed.size();) {
    const char before = at == 0 ? ' ' : typed[at - 1];
    const bool apart = !is_word(before) && std::string("%@#^\"!").find(before) == std::string::npos;
    if (apart && (is_word(typed[at]) || typed[at] == '(')) {
      bool symbol = false;
      const std::size_t stop = arithmetic_end(typed, at, symbols, symbol);
      if (symbol) {
        const auto value = evaluate_size(typed.substr(at, stop - at), sizes);
        if (!value) fail("claim", place, typed.substr(at, stop - at), "a size");
        out += fmt::format("{}", *value);
        at = stop;
        continue;
      }
      while (at < typed.size() && is_word(typed[at])) out += typed[at++];
      if (typed[at] != '(') continue;
    }
    out += typed[at++];
  }
  return out;
}

class ClaimReader {
 public:
  ClaimReader(const std::string& text) : text_(text) {}

  std::vector<Claim> all() {
    std::vector<Claim> out;
    std::optional<std::string> expected;
    while (true) {
      skip_blank(&expected);
      if (at_ == text_.size()) return out;
      out.push_back(claim());
      out.back().expected = std::exchange(expected, std::nullopt);
      for (std::size_t k = 0; k + 1 < out.size(); ++k) {
        if (out[k].name == out.back().name)
          fail("claim", out.back().place, "@" + out.back().name + " twice", "each name once");
      }
    }
  }

 private:
  [[nodiscard]] Place here() const {
    Place out{1, 1};
    for (std::size_t k = 0; k < at_ && k < text_.size(); ++k) {
      if (text_[k] == '\n') {
        ++out.line;
        out.column = 1;
      } else {
        ++out.column;
      }
    }
    return out;
  }
  void skip_blank(std::optional<std::string>* expected = nullptr) {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_.compare(at_, 2, "//") == 0) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::size_t from = at_ + 2;
        const auto blanks = [&] {
          while (from < end && (text_[from] == ' ' || text_[from] == '\t')) ++from;
        };
        blanks();
        if (expected != nullptr && text_.compare(from, 7, "EXPECT:") == 0) {
          from += 7;
          blanks();
          std::size_t stop = from;
          while (stop < end && is_word(text_[stop])) ++stop;
          const std::string verdict = text_.substr(from, stop - from);
          if (verdict != "proved" && verdict != "refuted" && verdict != "unknown" && verdict != "skipped")
            fail("claim", here(), "EXPECT: " + verdict, "proved, refuted, unknown or skipped");
          *expected = verdict;
        }
        at_ = end;
      } else {
        return;
      }
    }
  }
  std::string word() {
    skip_blank();
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string out = text_.substr(at_, end - at_);
    at_ = end;
    return out;
  }
  bool accept(const std::string& what) {
    skip_blank();
    if (text_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  void expect(const std::string& what) {
    if (!accept(what))
      fail("claim", here(), at_ == text_.size() ? "the end of the text" : "'" + text_.substr(at_, 20) + "'",
           "'" + what + "'");
  }
  /// The text from an opening bracket to the one that closes it; comments and strings count as text.
  std::string balanced(char open, char close) {
    skip_blank();
    const Place place = here();
    if (at_ == text_.size() || text_[at_] != open) expect(std::string(1, open));
    int depth = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == open) ++depth;
      if (text_[at_] == close && --depth == 0) {
        ++at_;
        return text_.substr(begin, at_ - begin);
      }
    }
    fail("claim", place, fmt::format("'{}' without its end", open), fmt::format("'{}'", close));
  }

  Claim claim() {
    Claim out;
    out.place = here();
    out.is_rewrite = accept("rewrite");
    if (!out.is_rewrite && !accept("entry"))
      fail("claim", here(), "'" + text_.substr(at_, 20) + "'", "entry @name … or rewrite @name …");
    expect("@");
    out.name = word();
    if (accept(out.is_rewrite ? "axes" : "tiles")) {
      do (out.is_rewrite ? out.axes : out.tiled).push_back(word());
      while (accept(","));
    }
    if (accept("where")) {
      const std::size_t begin = at_;
      // Conditions end where the arguments begin: a parenthesis that holds a %name or nothing.
      const auto after = [&](std::size_t k) {
        while (k < text_.size() && std::isspace(static_cast<unsigned char>(text_[k])) != 0) ++k;
        return k;
      };
      std::size_t end = begin;
      for (; end < text_.size(); ++end) {
        if (text_[end] != '(') continue;
        const std::size_t next = after(end + 1);
        if (next < text_.size() && text_[next] == '%') break;
        if (next < text_.size() && text_[next] == ')' && text_.compare(after(next + 1), 2, "->") == 0) break;
      }
      if (end >= text_.size()) fail("claim", here(), "no arguments", "(%x: tensor<…> action, …)");
      if (end - begin > 2000) fail("claim", here(), "conditions that do not end", "a few comparisons");
      at_ = end;
      std::string conditions = text_.substr(begin, at_ - begin);
      static const std::regex separator("\\s*(,|&&|\\band\\b)\\s*");
      for (auto it = std::sregex_token_iterator(conditions.begin(), conditions.end(), separator, -1);
           it != std::sregex_token_iterator(); ++it) {
        Condition condition{std::regex_replace(it->str(), std::regex("^\\s+|\\s+$"), "")};
        if (!condition.text.empty()) out.where.push_back(std::move(condition));
      }
    }
    const Place place = here();
    const std::string arguments = balanced('(', ')');
    expect("->");
    const std::string results = balanced('(', ')');
    std::vector<std::string> symbols = out.axes;
    if (out.is_rewrite) {
      expect("{");
      expect("source");
      const std::string head = "func.func @main" + without_whole(arguments, out.whole) + " -> " + results + " ";
      out.text = head + balanced('{', '}');
      expect("target");
      out.target = head + balanced('{', '}');
      expect("}");
    } else {
      const std::string body = balanced('{', '}');
      out.text = "func.func @main" + without_actions(arguments, place, out.arguments) + " -> " +
                 without_actions(results, place, out.results) + " " + body;
    }
    for (const std::string* side : {&out.text, &out.target}) {
      for_each_tensor(*side, [&](std::size_t begin, std::size_t end) {
        std::string element;
        for (const std::string& d : dimensions(side->substr(begin, end - begin), element)) words_of(d, symbols);
      });
    }
    out.symbols = symbols;
    for (const std::string& t : out.tiled) {
      if (std::find(symbols.begin(), symbols.end(), t) == symbols.end())
        fail("claim", out.place, "tiles " + t + ", which no type has", "size symbols of the types");
    }
    Sizes ones;
    for (const std::string& s : symbols) ones[s] = 1;
    for (const Condition& c : out.where) {
      static const std::regex comparison("^(.*?)(==|!=|<=|>=|<|>)(.*)$");
      std::smatch sides;
      if (!std::regex_match(c.text, sides, comparison) || !evaluate_size(sides[1].str() + "+0", ones) ||
          !evaluate_size(sides[3].str() + "+0", ones))
        fail("claim", out.place, "where " + c.text, "comparisons of size symbols of the types, as M % 2 == 0");
    }
    return out;
  }

  /// What commas separate in "(…)", outside of other brackets.
  static std::vector<std::string> items_of(const std::string& text) {
    const std::string inside = text.substr(1, text.size() - 2);
    std::vector<std::string> items;
    int depth = 0;
    std::string item;
    for (const char c : inside) {
      if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
      if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
      if (c == ',' && depth == 0) {
        items.push_back(std::exchange(item, ""));
      } else {
        item += c;
      }
    }
    if (item.find_first_not_of(" \n\t") != std::string::npos) items.push_back(item);
    return items;
  }

  /// "(%x: tensor<…> whole, …)" without the word, which goes to `whole`.
  static std::string without_whole(const std::string& text, std::vector<bool>& whole) {
    std::string out = "(";
    for (std::string item : items_of(text)) {
      const std::size_t end = item.find_last_not_of(" \n\t") + 1;
      whole.push_back(end > 6 && item.compare(end - 5, 5, "whole") == 0 && !is_word(item[end - 6]));
      if (whole.back()) item.resize(end - 5);
      out += (out.size() > 1 ? ", " : "") + item;
    }
    return out + ")";
  }

  /// "(%x: tensor<…> #tile<0>, …)" without its actions, which go to `actions`.
  static std::string without_actions(const std::string& text, Place place, std::vector<Action>& actions) {
    std::string out = "(";
    static const std::regex action(
        "^\\s*(.*?)\\s*(#tile<\\s*(\\d{1,3})\\s*>|#sum|#max|#min|#prod|#and|#or|#any|any)\\s*$");
    for (const std::string& i : items_of(text)) {
      std::smatch found;
      std::string flat = i;
      std::replace(flat.begin(), flat.end(), '\n', ' ');
      if (flat.size() > 2000 || !std::regex_match(flat, found, action))
        fail("claim", place, flat.substr(0, 200),
             "a type and an action: #tile<d>, #sum, #max, #min, #prod, #and, #or or any");
      const std::string name = found[2].str();
      if (name.starts_with("#tile")) {
        actions.push_back(Action::tile(static_cast<Dim>(std::stoul(found[3].str()))));
      } else if (name == "any" || name == "#any") {
        actions.push_back(Action::any());
      } else {
        const std::map<std::string, Monoid> monoids = {{"#sum", Monoid::sum},  {"#max", Monoid::max},
                                                       {"#min", Monoid::min},  {"#prod", Monoid::prod},
                                                       {"#and", Monoid::conj}, {"#or", Monoid::disj}};
        actions.push_back(Action::partial(monoids.at(name)));
      }
      out += (out.size() > 1 ? ", " : "") + found[1].str();
    }
    return out + ")";
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> evaluate_size(const std::string& text, const Sizes& sizes) {
  return SizeArithmetic(text, sizes).all();
}

bool Condition::holds(const Sizes& sizes) const {
  static const std::regex comparison("^(.*?)(==|!=|<=|>=|<|>)(.*)$");
  std::smatch sides;
  if (!std::regex_match(text, sides, comparison)) return false;
  const auto a = evaluate_size(sides[1].str(), sizes);
  const auto b = evaluate_size(sides[3].str(), sizes);
  if (!a || !b) return false;
  const std::string op = sides[2].str();
  return op == "=="   ? *a == *b
         : op == "!=" ? *a != *b
         : op == "<=" ? *a <= *b
         : op == ">=" ? *a >= *b
         : op == "<"  ? *a < *b
                      : *a > *b;
}

bool Claim::allows(const Sizes& sizes) const {
  return std::all_of(where.begin(), where.end(), [&](const Condition& c) { return c.holds(sizes); });
}

bool Claim::is_for_one_device() const {
  return std::any_of(where.begin(), where.end(), [&](const Condition& c) {
    static const std::regex one("^(\\w+)\\s*==\\s*1$");
    std::smatch found;
    return std::regex_match(c.text, found, one) && std::find(tiled.begin(), tiled.end(), found[1].str()) != tiled.end();
  });
}

namespace {

/// Collectives go over axes that the claim names. Throws UserError: no size makes that right, on either side.
void check_axes(const Block& block, const Claim& claim) {
  find_op(block, [&](const Op& op) {
    const Attribute* axes = find(op.attributes, "axes");
    if (op.decl->kind != OpDecl::Kind::collective || axes == nullptr || axes->as<ArrayAttr>() == nullptr) return false;
    for (const Attribute& a : axes->as<ArrayAttr>()->items) {
      const StringAttr* name = a.as<StringAttr>();
      if (name == nullptr || std::find(claim.axes.begin(), claim.axes.end(), name->value) == claim.axes.end())
        fail("claim", claim.place, fmt::format("{} over axis '{}'", op.name(), name != nullptr ? name->value : ""),
             claim.is_rewrite ? "an axis of the rewrite" : "no collectives in an entry");
    }
    return false;
  });
}

Result<Module> read_at(const std::string& text, const Claim& claim, const Sizes& sizes) {
  try {
    auto module = read_module(with_sizes(text, claim.symbols, sizes, claim.place), "");
    auto inlined = module ? inline_calls(std::move(*module)) : tl::unexpected(module.error());
    if (!inlined) inlined.error().place = claim.place;  // that of the text with sizes says nothing
    return inlined;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<Module> program_at(const std::string& text, const Claim& claim, const Sizes& sizes) {
  auto out = read_at(text, claim, sizes);
  if (out) check_axes(out->functions.at(0).body, claim);
  return out;
}

}  // namespace

Result<Module> Claim::at(const Sizes& sizes) const { return program_at(text, *this, sizes); }
Result<Module> Claim::target_at(const Sizes& sizes) const { return program_at(target, *this, sizes); }

Result<std::vector<Claim>> read_claims(const std::string& text, const std::string& file) {
  try {
    return ClaimReader(text).all();
  } catch (const UserError& error) {
    Diagnostic d = error.diagnostic();
    d.file = file;
    return tl::unexpected(std::move(d));
  }
}

}  // namespace partir::prove
