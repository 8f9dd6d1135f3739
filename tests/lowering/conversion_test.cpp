// Conversions between layouts as complete programs: they are lowered, written, checked and run by both interpreters.
#include <gtest/gtest.h>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "lowering/lower.h"
#include "tests/lowering/random_types.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir {
namespace {

/// A program that returns its argument, whose layout as an argument differs from its layout as a result.
struct ConversionCase {
  Module source;
  std::unique_ptr<State> state;
  SpmdProgram spmd;

  explicit ConversionCase(const Case& c) {
    const std::string type = c.global.str();
    source = value_or_throw(
        read_module(fmt::format("func.func @main(%x: {}) -> {} {{\nreturn %x : {}\n}}", type, type, type), "source"));
    state = std::make_unique<State>(source.functions[0], c.mesh);
    Units units = units_of(*state, LazyInfinities(source.functions[0]));
    units.arguments[0] = c.source;
    units.all.back().operands[0].needed = c.target;
    Redistributions plans(c.mesh);
    spmd = lower(*state, units, plans);
  }
  /// Returns why the certificate does not prove the program, or nothing if it does.
  [[nodiscard]] std::optional<std::string> refuted() const {
    const Module emitted = stablehlo_module(spmd, source);
    const Certificate certificate = certificate_of(spmd, emitted, *state, source.functions[0]);
    const auto written = read_module(print_module(emitted), "written");
    if (!written) return written.error().text();
    const auto report = check_certificate(source, *written, certificate);
    return report.verdict == Verdict::proved ? std::nullopt : std::optional(report.step + ": " + report.reason);
  }
};

/// Law normal-form, tested on complete programs.
TEST(Conversions, RunAsTheIdentityOnRandomPairsOfTypes) {
  std::size_t permutes = 0;
  std::size_t between = 0;
  const bool held = rc::check("the value comes out as it went in", [&] {
    const Case c = some_case();
    if (c.mesh.devices() > 64) return;
    const ConversionCase p(c);
    RC_LOG() << c.str() << "\n" << print_module(spmd_module(p.spmd, p.source)) << "\n";
    RC_ASSERT(!p.refuted().has_value());
    const std::string text = print_module(spmd_module(p.spmd, p.source));
    const auto read = read_module(text, "spmd");
    RC_ASSERT(read.has_value());
    RC_ASSERT(print_module(*read) == text);
    const Module written = stablehlo_module(p.spmd, p.source);
    const auto again = read_module(print_module(written), "written");
    RC_ASSERT(again.has_value());
    RC_ASSERT(check_values(p.source, *again).verdict == Verdict::passed);
    permutes += static_cast<std::size_t>(count_collectives(p.spmd.function).counts[4]);
    between += p.spmd.layouts.size();
  });
  EXPECT_TRUE(held);
  EXPECT_GT(permutes, 0U);
  EXPECT_GT(between, 0U);
}

Case papers_example() {
  Case c;
  c.mesh = Mesh({{"x1", 2}, {"x2", 2}, {"y1", 3}, {"y2", 2}});
  c.source = Layout::parse("[{x1, x2}, {y1, y2}]", c.mesh, 2).value();
  c.target = Layout::parse("[{y1, y2}, {x1, x2}]", c.mesh, 2).value();
  c.global = TensorType{ElementType::f32, {12, 12}};
  return c;
}

/// Every step of the paper's example is refuted if one number in it is changed.
TEST(Conversions, WithAWrongGroupOrPairAreRefuted) {
  const Case c = papers_example();
  const ConversionCase p(c);
  EXPECT_EQ(p.refuted(), std::nullopt);
  EXPECT_EQ(count_collectives(p.spmd.function).str(), "2 all_to_all, 1 collective_permute");
  std::size_t tried = 0;
  for (std::size_t i = 0; i < p.spmd.function.body.ops.size(); ++i) {
    for (const char* key : {"replica_groups", "source_target_pairs"}) {
      ConversionCase wrong(c);
      Op& op = wrong.spmd.function.body.ops[i];
      const Attribute* table = find(op.attributes, key);
      if (table == nullptr) continue;
      const Literal& old = *table->as<DenseAttr>()->literal;
      std::vector<std::int64_t> values;
      for (std::int64_t k = 0; k < old.type.elements(); ++k) values.push_back(old.as_int(k));
      std::swap(values[1], values[3]);
      set(op.attributes, key, {DenseAttr{int_literal(old.type, values)}});
      EXPECT_NE(wrong.refuted(), std::nullopt) << op.name();
      ++tried;
    }
  }
  EXPECT_GE(tried, 2U);
}

}  // namespace
}  // namespace partir
