// Random programs partitioned by random schedules: what the lowering gives is proved without its certificate, also
// after edits that change nothing; with one place altered, what is still proved must compute what the source does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "lowering/lower.h"
#include "rewrite/propagate.h"
#include "verify/check_values.h"
#include "verify/generator.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

struct Subject {
  Module source;
  Module partitioned;
};

/// Nothing where the schedule asks for what does not divide.
std::optional<Subject> subject(Random& random) {
  std::vector<std::uint32_t> choices(120);
  for (auto& c : choices) c = static_cast<std::uint32_t>(below(random, 5040));
  const GeneratedCase c = generate(choices);
  Subject out;
  out.source = value_or_throw(inline_calls(value_or_throw(read_module(c.program, "random.mlir"))));
  const Function& main = **out.source.main();
  const Mesh mesh = value_or_throw(Mesh::parse(c.mesh));
  const auto names = value_or_throw(names_of(main, std::nullopt, ""));
  const auto schedule = value_or_throw(read_schedule(c.schedule, "random.json"));
  const Function live = without_dead_code(main);
  State state(live, mesh);
  for (const auto& tactic : value_or_throw(resolve(schedule, mesh, names, main))) {
    if (!apply_tactic(state, tactic, names, "random.json")) return std::nullopt;
  }
  const Module emitted = stablehlo_module(lower(state), out.source);
  out.partitioned = value_or_throw(read_module(print_module(emitted), "spmd.mlir"));
  return out;
}

Verdict verdict_of(const Subject& s, const Module& partitioned) {
  return value_or_throw(validate_partition(s.source, partitioned, {}, Options{})).verdict;
}

using Alteration = bool (*)(Function&, Block&, std::size_t op, Random&);

bool skip_operation(Function& f, Block& b, std::size_t at, Random&) {
  Op& op = b.ops[at];
  if (op.operands.empty() || op.results.size() != 1 || f.type(op.operands[0]) != f.type(op.results[0])) return false;
  for (std::size_t i = at + 1; i < b.ops.size(); ++i)
    std::replace(b.ops[i].operands.begin(), b.ops[i].operands.end(), op.results[0], op.operands[0]);
  return true;
}

bool redirect_operand(Function& f, Block& b, std::size_t at, Random& random) {
  Op& op = b.ops[at];
  if (op.operands.empty()) return false;
  ValueId& operand = op.operands[below(random, op.operands.size())];
  std::vector<ValueId> others;
  const auto offer = [&](ValueId v) {
    if (v != operand && f.type(v) == f.type(operand)) others.push_back(v);
  };
  for (const ValueId v : b.arguments) offer(v);
  for (std::size_t i = 0; i < at; ++i) {
    for (const ValueId v : b.ops[i].results) offer(v);
  }
  if (others.empty()) return false;
  operand = others[below(random, others.size())];
  return true;
}

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

bool change_function(Function&, Block& b, std::size_t at, Random& random) {
  static const char* const family[] = {"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply",
                                       "stablehlo.maximum"};
  Op& op = b.ops[at];
  Op& target = op.regions.empty() || op.regions[0].ops.empty() ? op : op.regions[0].ops[0];
  for (const char* name : family) {
    if (target.name() != name) continue;
    target.decl = find_decl(family[below(random, 4)]);
    return target.name() != name;
  }
  return false;
}

bool swap_operands(Function& f, Block& b, std::size_t at, Random&) {
  auto& operands = b.ops[at].operands;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (operands[k] == operands[0] || f.type(operands[k]) != f.type(operands[0])) continue;
    std::swap(operands[k], operands[0]);
    return true;
  }
  return false;
}

/// Edits after which every device computes the same.
bool commute(Function& f, Block& b, std::size_t at, Random& random) {
  const std::string& n = b.ops[at].name();
  const bool commutes =
      n == "stablehlo.add" || n == "stablehlo.multiply" || n == "stablehlo.maximum" || n == "stablehlo.minimum";
  return commutes && swap_operands(f, b, at, random);
}

/// a - b as a + (-b).
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

/// The opposite of the opposite.
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
  const std::pair<const char*, Alteration> alterations[] = {{"skip operation", skip_operation},
                                                            {"redirect operand", redirect_operand},
                                                            {"change constant", change_constant},
                                                            {"change function", change_function},
                                                            {"swap operands", swap_operands}};
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
      if (!validation) continue;  // no longer a program that runs
      Count& count = counts[kind];
      ++count.altered;
      if (validation->verdict == Verdict::refuted) ++count.refuted;
      if (validation->verdict != Verdict::proved) continue;
      ++count.proved;
      const Judgement values = check_values(s->source, *again);
      EXPECT_EQ(values.verdict, Verdict::passed)
          << kind << " is proved " << validation->reason << ", yet " << values.reason << "\n"
          << print_module(s->source) << print_module(*again);
    }
  }
  for (const auto& [kind, c] : counts)
    fmt::print("{:<18} {:>4} altered: {:>4} refuted, {:>4} proved, and equal\n", kind, c.altered, c.refuted, c.proved);
}

}  // namespace
}  // namespace partir::validate
