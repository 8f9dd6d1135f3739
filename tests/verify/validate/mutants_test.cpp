// Random programs partitioned by random schedules, validated without their certificates. The lowered programs are
// proved, also after edits that change nothing; when one place is altered, whatever is still proved must compute what
// the source does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "semantics/domain_native.h"
#include "semantics/interpreter.h"
#include "tests/verify/certificate/alterations.h"
#include "verify/check_values.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

using testing::Alteration;
using testing::below;
using testing::Random;
using testing::Subject;
using testing::subject;
using testing::swap_operands;

Verdict verdict_of(const Subject& s, const Module& partitioned) {
  return value_or_throw(validate_partition(s.source, partitioned, {}, Options{})).verdict;
}

/// Changes one element of a constant, or exchanges two.
bool change_constant(Function&, Block& b, std::size_t at, Random& random) {
  for (const auto& [name, value] : b.ops[at].attributes) {
    const DenseAttr* dense = value.as<DenseAttr>();
    if (dense == nullptr || !is_integer(dense->literal->type.element) || dense->literal->type.elements() == 0) continue;
    const Literal& l = *dense->literal;
    std::vector<std::int64_t> numbers;
    for (std::int64_t k = 0; k < l.type.elements(); ++k) numbers.push_back(l.as_int(l.splat ? 0 : k));
    std::int64_t& one = numbers[below(random, numbers.size())];
    const std::int64_t other = numbers[below(random, numbers.size())];
    if (other != one)
      std::swap(one,
                numbers[static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), other) - numbers.begin())]);
    else
      one += 1;
    set(b.ops[at].attributes, name, {DenseAttr{int_literal(l.type, numbers)}});
    return true;
  }
  return false;
}

/// Exchanges the operands of a commutative operation; like the next two edits, this changes no value.
bool commute(Function& f, Block& b, std::size_t at, Random& random) {
  const std::string& n = b.ops[at].name();
  const bool commutes =
      n == "stablehlo.add" || n == "stablehlo.multiply" || n == "stablehlo.maximum" || n == "stablehlo.minimum";
  return commutes && swap_operands(f, b, at, random);
}

/// Replaces a - b by a + (-b).
bool subtract_by_adding(Function& f, Block& b, std::size_t at, Random&) {
  if (b.ops[at].name() != "stablehlo.subtract") return false;
  Op negate(f.new_op(), find_decl("stablehlo.negate"));
  negate.operands = {b.ops[at].operands[1]};
  negate.results = {f.add_value(f.type(b.ops[at].operands[1]))};
  b.ops[at].decl = find_decl("stablehlo.add");
  b.ops[at].operands[1] = negate.results[0];
  b.ops.insert(b.ops.begin() + static_cast<std::ptrdiff_t>(at), std::move(negate));
  return true;
}

/// Replaces a value by -(-a).
bool negate_twice(Function& f, Block& b, std::size_t at, Random&) {
  if (b.ops[at].results.size() != 1) return false;
  const ValueId v = b.ops[at].results[0];
  if (!f.type(v).is_tensor() || (!is_float(f.tensor(v).element) && !is_signed(f.tensor(v).element))) return false;
  const auto negated = [&](ValueId of) {
    Op op(f.new_op(), find_decl("stablehlo.negate"));
    op.operands = {of};
    op.results = {f.add_value(f.type(of))};
    return op;
  };
  Op once = negated(v);
  Op twice = negated(once.results[0]);
  for (std::size_t i = at + 1; i < b.ops.size(); ++i)
    std::replace(b.ops[i].operands.begin(), b.ops[i].operands.end(), v, twice.results[0]);
  b.ops.insert(b.ops.begin() + static_cast<std::ptrdiff_t>(at) + 1, {once, twice});
  return true;
}

/// Returns how the two programs differ, or an empty string. They are compared modulo a prime, where most functions are
/// uninterpreted, and if they differ there, in double precision, where abs(2) is 2.
std::string difference_of(const Module& source, const Module& partitioned) {
  const Judgement exact = check_values(source, partitioned);
  if (exact.verdict == Verdict::passed) return "";
  const Function& f = **source.main();
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < f.arguments().size(); ++k)
    inputs.push_back(random_tensor(f.tensor(f.arguments()[k]), 1, k, f64_domain()));
  const auto wanted = run_sequential(f, inputs, f64_domain());
  const auto got = run_module(partitioned, inputs, f64_domain());
  if (!wanted || !got) return exact.reason;
  for (std::size_t k = 0; k < wanted->size(); ++k) {
    if ((*got)[k].type != (*wanted)[k].type) return exact.reason;
    if (!(difference((*got)[k], (*wanted)[k], f64_domain()).relative() <= 1e-9)) return exact.reason;
  }
  return "";
}

struct Count {
  std::size_t altered = 0;
  std::size_t proved = 0;
  std::size_t refuted = 0;
};

TEST(ValidatedPartitions, AreProvedWithoutACertificateAlsoAfterEditsThatChangeNothing) {
  const Alteration edits[] = {commute, subtract_by_adding, negate_twice};
  Random random(21);
  std::size_t subjects = 0;
  std::size_t proved = 0;
  for (int i = 0; i < 150; ++i) {
    const auto s = subject(random);
    if (!s) continue;
    ++subjects;
    const Verdict plain = verdict_of(*s, s->partitioned);
    EXPECT_NE(plain, Verdict::refuted) << print_module(s->source) << print_module(s->partitioned);
    proved += plain == Verdict::proved ? 1 : 0;
    Module edited = s->partitioned;
    Function& f = edited.functions[0];
    for (int k = 0; k < 4; ++k) {
      const std::size_t at = below(random, f.body.ops.size() - 1);
      (void)edits[below(random, std::size(edits))](f, f.body, at, random);
    }
    const auto again = read_module(print_module(edited), "edited.mlir");
    if (!again) continue;
    ++subjects;
    const Verdict v = verdict_of(*s, *again);
    EXPECT_NE(v, Verdict::refuted) << print_module(s->source) << print_module(*again);
    proved += v == Verdict::proved ? 1 : 0;
  }
  fmt::print("{} of {} proved\n", proved, subjects);
  EXPECT_GT(proved * 100, subjects * 97);
}

TEST(ValidatedPartitions, AreNotProvedWhereOnePlaceIsAlteredAndValuesDiffer) {
  std::vector<std::pair<const char*, Alteration>> alterations = testing::alterations();
  alterations.emplace_back("change constant", change_constant);
  std::map<std::string, Count> counts;
  Random random(22);
  for (int i = 0; i < 120 && !::testing::Test::HasFailure(); ++i) {
    const auto s = subject(random);
    if (!s || s->partitioned.functions[0].body.ops.size() < 2) continue;
    for (const auto& [kind, alter] : alterations) {
      Module mutant = s->partitioned;
      Function& f = mutant.functions[0];
      if (!alter(f, f.body, below(random, f.body.ops.size() - 1), random)) continue;
      const auto again = read_module(print_module(mutant), "mutant.mlir");
      if (!again) continue;
      const auto validation = validate_partition(s->source, *again, {}, Options{});
      if (!validation) continue;  // the altered program no longer runs
      Count& count = counts[kind];
      ++count.altered;
      if (validation->verdict == Verdict::refuted) ++count.refuted;
      if (validation->verdict != Verdict::proved) continue;
      ++count.proved;
      EXPECT_EQ(difference_of(s->source, *again), "") << kind << " is proved " << validation->reason << "\n"
                                                      << print_module(s->source) << print_module(*again);
    }
  }
  for (const auto& [kind, c] : counts)
    fmt::print("{:<18} {:>4} altered: {:>4} refuted, {:>4} proved, and equal\n", kind, c.altered, c.refuted, c.proved);
}

/// Returns a program whose loop counts to three by this step.
Module counting(const std::string& step) {
  return value_or_throw(read_module(
      R"(module attributes {mhlo.num_partitions = 1 : i32} { func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %step = stablehlo.constant dense<)" +
          step + R"(> : tensor<i32>
    %j = stablehlo.add %i, %step : tensor<i32>
    %t = stablehlo.sine %s : tensor<4xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}})",
      "counting.mlir"));
}

TEST(ValidatedPartitions, ThatNeverEndAreNotProvedAndGivenUp) {
  Options options;
  options.mesh = value_or_throw(Mesh::parse("a=1"));
  options.shardings = R"({"mesh": "a=1", "arguments": ["[{}]"], "results": ["[{}]"]})";
  const auto verdict = [&](const std::string& step) {
    return value_or_throw(validate_partition(counting("1"), counting(step), {}, options)).verdict;
  };
  EXPECT_EQ(verdict("1"), Verdict::proved);
  EXPECT_EQ(verdict("3"), Verdict::refuted);
  EXPECT_EQ(verdict("0"), Verdict::unknown);
}

}  // namespace
}  // namespace partir::validate
