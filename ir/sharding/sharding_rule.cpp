// Parser, printer and verifier for Shardy's sharding rules (sharding_rule.h).
#include "ir/sharding/sharding_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/text/lexer.h"

namespace partir::rules {
namespace {

constexpr std::size_t kLetters = 'z' - 'i' + 1;
constexpr std::string_view kRuleHead = "#sdy.op_sharding_rule";

bool contains(const std::vector<FactorIndex>& list, FactorIndex factor) {
  return std::find(list.begin(), list.end(), factor) != list.end();
}

class RuleReader {
 public:
  RuleReader(std::string_view text, Place place) : lexer_(text), place_(place) {}

  ShardingRule rule() {
    if (lexer_.peek().text != kRuleHead) unexpected(std::string(kRuleHead) + "<…>");
    lexer_.take();
    ShardingRule out;
    expect("<");
    out.operands = tensors();
    expect("->");
    out.results = tensors();
    if (at("{")) out.sizes = sizes();
    out.reduction = group("reduction", out);
    out.need_replication = group("need_replication", out);
    out.permutation = group("permutation", out);
    out.blocked_propagation = group("blocked_propagation", out);
    if (accept(",")) {
      expect("custom");
      out.custom = true;
    }
    expect(">");
    if (lexer_.peek().kind != text::Token::Kind::end) unexpected("nothing behind the rule");
    check_mapped(out);
    return out;
  }

 private:
  [[nodiscard]] Place here() const {
    const Place p = lexer_.peek().place;
    return p.line <= 1 ? Place{place_.line, place_.column + p.column - 1} : Place{place_.line + p.line - 1, p.column};
  }
  [[nodiscard]] bool at(std::string_view what) const { return lexer_.peek().text == what; }
  bool accept(std::string_view what) {
    if (!at(what)) return false;
    lexer_.take();
    return true;
  }
  void expect(std::string_view what) {
    if (!accept(what)) unexpected(fmt::format("'{}'", what));
  }
  [[noreturn]] void unexpected(const std::string& wanted) const {
    const text::Token& t = lexer_.peek();
    fail("sharding_rule", here(),
         t.kind == text::Token::Kind::end ? "the end of the rule" : fmt::format("'{}'", t.text), wanted);
  }

  /// Parses "ijz_1" as a list of factors.
  DimFactors factors() {
    if (lexer_.peek().kind != text::Token::Kind::identifier) unexpected("factors, i to z, then z_1, …");
    const std::string_view word = lexer_.peek().text;
    DimFactors out;
    for (std::size_t k = 0; k < word.size();) {
      if (word.substr(k).starts_with("z_")) {
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(word.data() + k + 2, word.data() + word.size(), number);
        if (error != std::errc() || number == 0 || number > 10000 || word[k + 2] == '0')
          unexpected("a number behind z_, from 1 without leading zeros");
        out.push_back(kLetters - 1 + number);
        k = static_cast<std::size_t>(end - word.data());
      } else if (word[k] >= 'i' && word[k] <= 'z') {
        out.push_back(static_cast<FactorIndex>(word[k++] - 'i'));
      } else {
        unexpected("factors, i to z, then z_1, …");
      }
    }
    mapped_.push_back({out, here()});
    lexer_.take();
    return out;
  }
  FactorIndex factor() {
    const Place place = here();
    const DimFactors one = factors();
    mapped_.pop_back();
    if (one.size() != 1) fail("sharding_rule", place, "several factors in one word", "one factor");
    return one[0];
  }

  std::vector<TensorFactors> tensors() {
    std::vector<TensorFactors> out;
    expect("(");
    if (accept(")")) return out;
    do {
      TensorFactors tensor;
      expect("[");
      if (!accept("]")) {
        do tensor.push_back(factors());
        while (accept(","));
        expect("]");
      }
      out.push_back(std::move(tensor));
    } while (accept(","));
    expect(")");
    return out;
  }

  std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> out;
    expect("{");
    if (accept("}")) return out;
    do {
      if (at(factor_name(out.size()))) {
        lexer_.take();
      } else {
        unexpected(fmt::format("the size of {}: all factors in order", factor_name(out.size())));
      }
      expect("=");
      const text::Token& t = lexer_.peek();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(t.text.data(), t.text.data() + t.text.size(), size);
      if (t.kind != text::Token::Kind::number || error != std::errc() || end != t.text.data() + t.text.size() ||
          size < 0)
        unexpected("a size");
      lexer_.take();
      out.push_back(size);
    } while (accept(","));
    expect("}");
    return out;
  }

  /// Parses " reduction={i, j}" if present. The factors must be sorted, without repetition, and have a size.
  std::vector<FactorIndex> group(std::string_view name, const ShardingRule& rule) {
    std::vector<FactorIndex> out;
    if (!accept(name)) return out;
    expect("=");
    expect("{");
    if (accept("}")) return out;
    do {
      const Place place = here();
      const FactorIndex f = factor();
      const auto refuse = [&](const std::string& found, const std::string& wanted) {
        fail("sharding_rule", place, fmt::format("{} {}", factor_name(f), found), wanted);
      };
      if (f >= rule.sizes.size()) refuse("without a size", fmt::format("a size of {} in braces", factor_name(f)));
      if (!out.empty() && out.back() >= f) refuse("behind " + factor_name(out.back()), "factors in order, each once");
      const bool typed =
          contains(rule.reduction, f) || contains(rule.need_replication, f) || contains(rule.permutation, f);
      if (name != "blocked_propagation" && typed)
        refuse("in two groups", "a factor in one of reduction, need_replication and permutation");
      out.push_back(f);
    } while (accept(","));
    expect("}");
    return out;
  }

  /// Checks that dimensions use only factors with a size, and that each factor occurs in a dimension.
  void check_mapped(const ShardingRule& rule) const {
    std::vector<bool> used(rule.sizes.size(), false);
    for (const auto& [dim, place] : mapped_) {
      for (const FactorIndex f : dim) {
        if (f >= rule.sizes.size())
          fail("sharding_rule", place, factor_name(f) + " without a size",
               fmt::format("a size of {} in braces", factor_name(f)));
        if (rule.sizes[f] == 1 && dim.size() > 1)
          fail("sharding_rule", place, factor_name(f) + ", of size 1, beside other factors", "a dimension of its own");
        used[f] = true;
      }
    }
    for (std::size_t f = 0; f < used.size(); ++f) {
      if (!used[f])
        fail("sharding_rule", place_, factor_name(f) + " in no dimension", "factors of the operands or results");
    }
  }

  text::Lexer lexer_;
  Place place_;
  std::vector<std::pair<DimFactors, Place>> mapped_;
};

void verify_mappings(const std::vector<TensorFactors>& mappings, const std::vector<Type>& types, std::string_view what,
                     Place place) {
  if (mappings.size() != types.size())
    fail("sharding_rule", place, fmt::format("{} {}s", mappings.size(), what), fmt::format("{}", types.size()));
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (types[k].is_tensor() && mappings[k].size() != types[k].rank())
      fail("sharding_rule", place, fmt::format("{} dimensions of {} {}", mappings[k].size(), what, k),
           fmt::format("{}, those of {}", types[k].rank(), types[k].str()));
    std::vector<FactorIndex> seen;
    for (const DimFactors& dim : mappings[k]) {
      for (const FactorIndex f : dim) {
        if (contains(seen, f))
          fail("sharding_rule", place, fmt::format("{} twice in {} {}", factor_name(f), what, k), "each factor once");
        seen.push_back(f);
      }
    }
  }
}

}  // namespace

std::string_view name_of(FactorKind kind) {
  switch (kind) {
    case FactorKind::pass_through: return "pass_through";
    case FactorKind::reduction: return "reduction";
    case FactorKind::need_replication: return "need_replication";
    case FactorKind::permutation: return "permutation";
  }
  return "";
}

std::string factor_name(FactorIndex factor) {
  if (factor < kLetters) return std::string(1, static_cast<char>('i' + factor));
  return fmt::format("z_{}", factor - kLetters + 1);
}

FactorKind ShardingRule::kind(FactorIndex factor) const {
  return contains(reduction, factor)          ? FactorKind::reduction
         : contains(need_replication, factor) ? FactorKind::need_replication
         : contains(permutation, factor)      ? FactorKind::permutation
                                              : FactorKind::pass_through;
}

bool ShardingRule::is_blocked(FactorIndex factor) const { return contains(blocked_propagation, factor); }

std::string ShardingRule::str(bool with_sizes) const {
  const auto names = [](const std::vector<FactorIndex>& list, std::string_view separator) {
    std::string out;
    for (const FactorIndex f : list) out += fmt::format("{}{}", out.empty() ? "" : separator, factor_name(f));
    return out;
  };
  const auto tensors = [&](const std::vector<TensorFactors>& list) {
    std::string out;
    for (const TensorFactors& tensor : list) {
      std::string dims;
      for (const DimFactors& dim : tensor) dims += (dims.empty() ? "" : ", ") + names(dim, "");
      out += fmt::format("{}[{}]", out.empty() ? "" : ", ", dims);
    }
    return "(" + out + ")";
  };
  std::string out = tensors(operands) + "->" + tensors(results);
  if (with_sizes && !sizes.empty()) {
    std::string list;
    for (std::size_t f = 0; f < sizes.size(); ++f)
      list += fmt::format("{}{}={}", list.empty() ? "" : ", ", factor_name(f), sizes[f]);
    out += " {" + list + "}";
  }
  const auto group = [&](std::string_view name, const std::vector<FactorIndex>& list) {
    if (!list.empty()) out += fmt::format(" {}={{{}}}", name, names(list, ", "));
  };
  group("reduction", reduction);
  group("need_replication", need_replication);
  group("permutation", permutation);
  group("blocked_propagation", blocked_propagation);
  return custom ? out + ", custom" : out;
}

Result<ShardingRule> read_sharding_rule(std::string_view text, Place place) {
  try {
    return RuleReader(text, place).rule();
  } catch (const UserError& error) {
    Diagnostic d = error.diagnostic();
    if (d.code != "sharding_rule") d = {"sharding_rule", "", place, d.found, d.wanted};  // an error of the lexer
    return tl::unexpected(std::move(d));
  }
}

Result<void> verify_sharding_rule(const ShardingRule& rule, const OpInstance& op, Place place) {
  try {
    if (rule.operands.empty() && rule.results.empty())
      fail("sharding_rule", place, "no operand and no result", "a mapping of at least one");
    verify_mappings(rule.operands, op.operands, "operand", place);
    verify_mappings(rule.results, op.results, "result", place);
    for (const TensorFactors& tensor : rule.results) {
      for (const DimFactors& dim : tensor) {
        for (const FactorIndex f : dim) {
          if (rule.kind(f) == FactorKind::reduction)
            fail("sharding_rule", place, fmt::format("the reduction factor {} in a result", factor_name(f)),
                 "reduction factors of operands alone");
        }
      }
    }
    return {};
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir::rules
