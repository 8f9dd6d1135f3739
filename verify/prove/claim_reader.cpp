// Parser for files of claims (claim.h). Programs inside claims are parsed only when sizes are known (Claim::at).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "verify/prove/claim.h"

namespace partir::prove {
namespace {

constexpr const char* kBlanks = " \n\t\r\v\f";

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
  /// Returns the text from an opening bracket to its closing one. Brackets inside comments and strings count, too.
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
      out.uneven = !out.is_rewrite && accept("uneven");
    }
    std::string conditions;
    if (accept("where")) {
      const std::size_t begin = at_;
      // Conditions end where the arguments begin: at a parenthesis followed by %name, or by ")" and "->".
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
      conditions = text_.substr(begin, at_ - begin);
    }
    const Place place = here();
    const std::string arguments = balanced('(', ')');
    expect("->");
    const std::string results = balanced('(', ')');
    std::string program;
    std::string target;
    if (out.is_rewrite) {
      expect("{");
      expect("source");
      const std::string head = "func.func @main" + without_whole(arguments, out.whole) + " -> " + results + " ";
      program = head + balanced('{', '}');
      expect("target");
      target = head + balanced('{', '}');
      expect("}");
    } else {
      const std::string body = balanced('{', '}');
      program = "func.func @main" + without_actions(arguments, place, out.arguments) + " -> " +
                without_actions(results, place, out.results) + " " + body;
    }
    out.symbols = out.axes;
    for (const std::string& side : {program, target}) add_symbols_of_types(side, out.symbols);
    out.program = SizedText(program, out.symbols);
    out.target = SizedText(target, out.symbols);
    for (const std::string& t : out.tiled) {
      if (std::find(out.symbols.begin(), out.symbols.end(), t) == out.symbols.end())
        fail("claim", out.place, "tiles " + t + ", which no type has", "size symbols of the types");
    }
    Sizes ones;
    for (const std::string& s : out.symbols) ones[s] = 1;
    for (const std::string& text : conditions_of(conditions)) {
      auto condition = Condition::parse(text);
      if (!condition || !condition->left.at(ones) || !condition->right.at(ones))
        fail("claim", out.place, "where " + text, "comparisons of size symbols of the types, as M % 2 == 0");
      out.where.push_back(std::move(*condition));
    }
    return out;
  }

  /// Splits conditions at ",", "&&" or "and".
  static std::vector<std::string> conditions_of(const std::string& text) {
    std::vector<std::string> out(1);
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = text.substr(at, end - at);
      if (word == "and" || text[at] == ',' || text.compare(at, 2, "&&") == 0) {
        out.emplace_back();
        at += word == "and" ? 3 : text[at] == ',' ? 1 : 2;
      } else {
        out.back() += word.empty() ? text.substr(at, 1) : word;
        at = std::max(end, at + 1);
      }
    }
    for (std::string& condition : out) condition = trimmed(condition);
    std::erase(out, "");
    return out;
  }

  static std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(kBlanks);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
  }

  /// Splits the inside of "(…)" at commas outside of other brackets.
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
    if (item.find_first_not_of(kBlanks) != std::string::npos) items.push_back(item);
    return items;
  }

  /// Returns "(%x: tensor<…> whole, …)" without the word `whole`; appends to `whole` which items had it.
  static std::string without_whole(const std::string& text, std::vector<bool>& whole) {
    std::string out = "(";
    for (std::string item : items_of(text)) {
      const std::size_t end = item.find_last_not_of(kBlanks) + 1;
      whole.push_back(end > 6 && item.compare(end - 5, 5, "whole") == 0 && !is_word(item[end - 6]));
      if (whole.back()) item.resize(end - 5);
      out += (out.size() > 1 ? ", " : "") + item;
    }
    return out + ")";
  }

  /// Returns "(%x: tensor<…> #tile<0>, …)" without its actions, which are appended to `actions`.
  static std::string without_actions(const std::string& text, Place place, std::vector<Action>& actions) {
    std::string out = "(";
    for (const std::string& i : items_of(text)) {
      std::string item = trimmed(i);
      const auto action = take_action(item);
      if (!action)
        fail("claim", place, item.substr(0, 200),
             "a type and an action: #tile<d>, #sum, #max, #min, #prod, #and, #or or any");
      actions.push_back(*action);
      out += (out.size() > 1 ? ", " : "") + item;
    }
    return out + ")";
  }

  /// Removes the action at the end of an item and returns it; nothing if there is none.
  static std::optional<Action> take_action(std::string& item) {
    static const std::pair<const char*, Action> kActions[] = {{"#sum", Action::partial(Monoid::sum)},
                                                              {"#max", Action::partial(Monoid::max)},
                                                              {"#min", Action::partial(Monoid::min)},
                                                              {"#prod", Action::partial(Monoid::prod)},
                                                              {"#and", Action::partial(Monoid::conj)},
                                                              {"#or", Action::partial(Monoid::disj)},
                                                              {"#any", Action::any()},
                                                              {"any", Action::any()}};
    const auto take = [&](std::size_t begin) { item = trimmed(item.substr(0, begin)); };
    for (const auto& [name, action] : kActions) {
      if (!item.ends_with(name)) continue;
      take(item.size() - std::string_view(name).size());
      return action;
    }
    constexpr std::string_view kTile = "#tile<";
    const auto begin = item.rfind(kTile);
    if (begin == std::string::npos || item.back() != '>') return std::nullopt;
    const std::string dim = trimmed(item.substr(begin + kTile.size(), item.size() - 1 - begin - kTile.size()));
    const bool is_number = !dim.empty() && dim.size() <= 3 && dim.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) return std::nullopt;
    take(begin);
    return Action::tile(static_cast<Dim>(std::stoul(dim)));
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

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
