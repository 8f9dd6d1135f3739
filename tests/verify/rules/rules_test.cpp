// Sharding rules of Shardy: which are read, which are refused and where, and the verdict on each factor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "ir/text/read.h"
#include "support/file.h"
#include "verify/prove/claim.h"
#include "verify/rules/judge.h"

namespace partir::rules {
namespace {

constexpr const char* kRules[] = {
    "#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>",
    "#sdy.op_sharding_rule<([], [])->([])>",
    "#sdy.op_sharding_rule<()->([i]) {i=8}>",
    "#sdy.op_sharding_rule<([ij], [])->([i, j]) {i=2, j=4} need_replication={i} permutation={j} "
    "blocked_propagation={i, j}, custom>",
    "#sdy.op_sharding_rule<([z, z_1])->([zz_1]) {i=1, j=1, k=1, l=1, m=1, n=1, o=1, p=1, q=1, r=1, s=1, t=1, u=1, v=1, "
    "w=1, x=1, y=1, z=2, z_1=3}>",
};

/// Returns the reader's refusal of a rule, or an empty string. The last of kRules is accepted here although some of its
/// factors are in no dimension.
std::string refusal(const std::string& text) {
  const auto rule = read_sharding_rule(text, {7, 11});
  return rule ? ""
              : fmt::format("{}:{} {}; {}", rule.error().place.line, rule.error().place.column, rule.error().found,
                            rule.error().wanted);
}

TEST(ShardingRule, PrintsWhatItRead) {
  for (std::size_t k = 0; k < 4; ++k) {
    const auto rule = read_sharding_rule(kRules[k], {1, 1});
    ASSERT_TRUE(rule.has_value()) << kRules[k] << rule.error().text();
    EXPECT_EQ(fmt::format("#sdy.op_sharding_rule<{}>", rule->str()), kRules[k]);
  }
}

TEST(ShardingRule, KnowsItsFactors) {
  const auto rule = read_sharding_rule(kRules[3], {1, 1});
  ASSERT_TRUE(rule.has_value());
  EXPECT_EQ(rule->kind(0), FactorKind::need_replication);
  EXPECT_EQ(rule->kind(1), FactorKind::permutation);
  EXPECT_TRUE(rule->is_blocked(0) && rule->is_blocked(1) && rule->custom);
  EXPECT_EQ(rule->operands[0][0], (DimFactors{0, 1}));
  EXPECT_EQ(factor_name(17), "z");
  EXPECT_EQ(factor_name(18), "z_1");
}

TEST(ShardingRule, SaysWhereItIsWrong) {
  const std::string head = "#sdy.op_sharding_rule<";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"([i, h])->([i]) {i=8}>", "7:38 'h'; factors, i to z, then z_1, …"},
      {"([*])->([i]) {i=8}>", "7:35 '*'; factors, i to z, then z_1, …"},
      {"([i])->([j]) {i=8}>", "7:42 j without a size; a size of j in braces"},
      {"([i])->([i]) {j=8}>", "7:47 'j'; the size of i: all factors in order"},
      {"([i])->([i]) {i=-1}>", "7:49 '-'; a size"},
      {"([i])->([i]) {i=8} reduction={i} permutation={i}>",
       "7:79 i in two groups; a factor in one of reduction, need_replication and permutation"},
      {"([i, j])->([i, j]) {i=8, j=2} permutation={j, i}>", "7:79 i behind j; factors in order, each once"},
      {"([ij])->([i]) {i=8, j=1}>", "7:35 j, of size 1, beside other factors; a dimension of its own"},
      {"([i])->([i]) {i=8, j=1}>", "7:11 j in no dimension; factors of the operands or results"},
      {"([i])->([i]) {i=8}, costum>", "7:53 'costum'; 'custom'"},
      {"([z_0])->([i]) {i=8}>", "7:35 'z_0'; a number behind z_, from 1 without leading zeros"},
      {"([i])->([i]) {i=8} reduction={ii}>", "7:63 several factors in one word; one factor"},
  };
  for (const auto& [rule, wanted] : rows) EXPECT_EQ(refusal(head + rule), wanted) << rule;
  EXPECT_EQ(refusal("#sdy.sharding<@mesh, []>"), "7:11 '#sdy.sharding'; #sdy.op_sharding_rule<…>");
  EXPECT_EQ(refusal(head + "([i])->\n ([i])\n {i=h}>"), "9:5 'h'; a size");
}

TEST(ShardingRule, RefusesEveryTruncation) {
  for (const std::string text : kRules) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto rule = read_sharding_rule(text.substr(0, length), {3, 5});
      ASSERT_FALSE(rule.has_value()) << text.substr(0, length);
      EXPECT_EQ(rule.error().place.line, 3U);
      EXPECT_GE(rule.error().place.column, 5U);
      EXPECT_LE(rule.error().place.column, 5 + length);
      EXPECT_FALSE(rule.error().wanted.empty());
    }
  }
}

TEST(ShardingRule, SurvivesGarbling) {
  constexpr unsigned kSeed = 20260801;
  std::mt19937_64 random(kSeed);
  const std::string pieces = "ijkz_19=,{}[]()<>->*#. custompermutation\"\n";
  std::size_t read = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = kRules[random() % std::size(kRules)];
    for (std::uint64_t change = 0; change <= random() % 3; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = pieces[random() % pieces.size()];
      } else {
        text.erase(at, 1 + random() % 4);
      }
      if (text.empty()) text = "#";
    }
    const auto rule = read_sharding_rule(text, {1, 1});
    if (!rule) continue;
    ++read;
    const auto again = read_sharding_rule(fmt::format("#sdy.op_sharding_rule<{}>", rule->str()), {1, 1});
    ASSERT_TRUE(again.has_value()) << "seed " << kSeed << ": " << text;
    EXPECT_EQ(again->str(), rule->str()) << "seed " << kSeed << ": " << text;
  }
  EXPECT_GT(read, 0U);
}

Result<RulesTable> judged(const std::string& text) {
  auto module = read_module(text, "test.mlir");
  if (!module) return tl::unexpected(module.error());
  return judge_rules(*module);
}

std::string negate_with(const std::string& rule) {
  return "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n  %0 = stablehlo.negate %x {sdy.sharding_rule = " +
         rule + "} : tensor<8x4xf32>\n  return %0 : tensor<8x4xf32>\n}";
}

TEST(ShardingRule, MustFitItsOperation) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"#sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=4}>", "2 operands; 1"},
      {"#sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=4}>", "1 dimensions of result 0; 2, those of tensor<8x4xf32>"},
      {"#sdy.op_sharding_rule<([i, i])->([i, j]) {i=8, j=4}>", "i twice in operand 0; each factor once"},
      {"#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} reduction={j}>",
       "the reduction factor j in a result; reduction factors of operands alone"},
      {"\"a rule\"", "\"a rule\"; sdy.sharding_rule = #sdy.op_sharding_rule<…>"},
  };
  for (const auto& [rule, wanted] : rows) {
    const auto table = judged(negate_with(rule));
    ASSERT_FALSE(table.has_value()) << rule;
    EXPECT_EQ(table.error().found + "; " + table.error().wanted, wanted);
    EXPECT_EQ(table.error().place.line, 2U);
  }
}

TEST(ShardingRule, GarbledModulesAreRefusedOrJudged) {
  const std::string text = negate_with(kRules[3]);
  for (std::size_t length = 0; length < text.size(); length += 3)
    EXPECT_FALSE(judged(text.substr(0, length)).has_value());
}

/// Returns what each EXPECT comment states about each factor, by the line of the operation that follows it.
std::map<std::uint32_t, std::map<std::string, std::string>> expectations(const std::string& text) {
  std::map<std::uint32_t, std::map<std::string, std::string>> out;
  std::istringstream lines(text);
  std::string line;
  std::map<std::string, std::string> next;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    const auto at = line.find("EXPECT: ");
    if (at == std::string::npos) {
      // An operation's rule may follow its region.
      const bool inner = line.find("([], [])->([])") != std::string::npos;
      if (!next.empty() && !inner && line.find("sdy.sharding_rule") != std::string::npos)
        out[number] = std::exchange(next, {});
      continue;
    }
    static const std::regex one("(\\w+) (proved|refuted|unknown|skipped)");
    const std::string said = line.substr(at + 8);
    for (auto it = std::sregex_iterator(said.begin(), said.end(), one); it != std::sregex_iterator(); ++it)
      next[(*it)[1].str()] = (*it)[2].str();
  }
  return out;
}

void expect_verdicts(const std::string& name) {
  const std::string path = fmt::format("{}/tests/verify/rules/{}", PARTIR_SOURCE_DIR, name);
  const std::string text = value_or_throw(read_file(path));
  // Each operation is judged by itself, so that no two of them share a row.
  const auto wanted = expectations(text);
  ASSERT_GT(wanted.size(), 10U);
  auto module = value_or_throw(read_module(text, path));
  std::map<std::uint32_t, std::map<std::string, std::string>> got;
  for (Op& op : module.functions.at(0).body.ops) {
    const Attribute* rule = find(op.attributes, "sdy.sharding_rule");
    if (rule == nullptr) continue;
    const std::uint32_t line = rule->as<RawAttr>()->place.line;
    Module alone = module;
    for (Op& other : alone.functions.at(0).body.ops) {
      const Attribute* r = find(other.attributes, "sdy.sharding_rule");
      if (r != nullptr && r->as<RawAttr>()->place.line != line) drop(other.attributes, "sdy.sharding_rule");
    }
    for (const FactorRow& row : value_or_throw(judge_rules(alone)).rows) {
      got[line][row.factor] = name_of(row.verdict);
      EXPECT_EQ(row.count, 1U);
      EXPECT_EQ(row.verdict == Verdict::refuted, row.counterexample.has_value()) << line << " " << row.factor;
      if (row.claim.empty()) continue;
      EXPECT_TRUE(prove::read_claims(row.claim, "claim").has_value()) << row.claim;
    }
  }
  for (const auto& [line, factors] : wanted) EXPECT_EQ(got[line], factors) << path << ":" << line;
  EXPECT_EQ(got.size(), wanted.size());
}

TEST(RuleVerdicts, OfRightRules) { expect_verdicts("right.mlir"); }
TEST(RuleVerdicts, OfWrongRules) { expect_verdicts("wrong.mlir"); }

TEST(RuleVerdicts, EqualRulesAreDecidedOnce) {
  std::string text = "func.func @main(%x: tensor<8x4xf32>, %y: tensor<2x6xf32>) -> tensor<8x4xf32> {\n";
  for (int k = 0; k < 5; ++k) {
    text += fmt::format(
        "  %a{0} = stablehlo.negate %x {{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {{i=8, j=4}}>}} "
        ": "
        "tensor<8x4xf32>\n  %b{0} = stablehlo.negate %y {{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) "
        "{{i=2, j=6}}>}} : tensor<2x6xf32>\n",
        k);
  }
  const auto table = judged(text + "  return %x : tensor<8x4xf32>\n}");
  ASSERT_TRUE(table.has_value()) << table.error().text();
  EXPECT_EQ(table->operations, 10U);
  EXPECT_EQ(table->distinct_claims, 2U);
  ASSERT_EQ(table->rows.size(), 2U);
  EXPECT_EQ(table->rows[0].count, 10U);
  EXPECT_EQ(table->rows[1].count, 10U);
}

TEST(RuleVerdicts, TellOperationsApartByTheirComputations) {
  std::string text =
      "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n  %c = stablehlo.constant dense<0.0> : "
      "tensor<f32>\n";
  for (const char* combine : {"add %p, %q", "subtract %p, %q", "subtract %q, %p"}) {
    text += fmt::format(
        "  %{0} = stablehlo.reduce(%x init: %c) across dimensions = [1] {{sdy.sharding_rule = "
        "#sdy.op_sharding_rule<([i, j], [])->([i]) {{i=8, j=4}} reduction={{j}}>}} : (tensor<8x4xf32>, tensor<f32>) -> "
        "tensor<8xf32>\n   reducer(%p: tensor<f32>, %q: tensor<f32>) {{\n    %s = stablehlo.{1} : tensor<f32>\n    "
        "stablehlo.return %s : tensor<f32>\n  }}\n",
        combine[0] == 'a'    ? 0
        : combine[10] == 'p' ? 1
                             : 2,
        combine);
  }
  const auto table = judged(text + "  return %x : tensor<8x4xf32>\n}");
  ASSERT_TRUE(table.has_value()) << table.error().text();
  std::multiset<std::string> verdicts;
  for (const FactorRow& row : table->rows) {
    if (row.factor == "j") verdicts.insert(std::string(name_of(row.verdict)));
  }
  // 0 - a - b equals -(a + b), so the devices' results do add up to the source's; the prover does not find that.
  EXPECT_EQ(verdicts, (std::multiset<std::string>{"proved", "refuted", "unknown"}));
}

TEST(RuleVerdicts, ReductionsSayWhatIsLeftToTheLowering) {
  const auto table = judged(
      "func.func @main(%x: tensor<8x4xf32>) -> tensor<8xf32> {\n  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] {sdy.sharding_rule = "
      "#sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=4} reduction={j}>} : (tensor<8x4xf32>, tensor<f32>) -> "
      "tensor<8xf32>\n  return %0 : tensor<8xf32>\n}");
  ASSERT_TRUE(table.has_value()) << table.error().text();
  const FactorRow& row = table->rows.at(1);
  EXPECT_EQ(row.entry, "(#tile<1>, any) -> (#sum)");
  EXPECT_EQ(row.left, (std::vector<std::string>{"the monoid that combines the devices' results",
                                                "initial values, which enter on every device"}));
}

}  // namespace
}  // namespace partir::rules
