// Conversions as programs: lowered, written, checked and run by both interpreters.
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

/// A nest of loops over slices of a value: what places it as a type says. The name of its result.
std::string placed(std::string& text, const std::string& value, const DistributedType& type, const Mesh& mesh,
                   const TensorType& global, int& next) {
  std::vector<std::pair<Axis, Dim>> loops;
  for (Dim d = 0; d < type.dims.size(); ++d) {
    for (const Axis a : type.dims[d]) loops.emplace_back(a, d);
  }
  if (loops.empty()) return value;
  const std::function<std::string(std::size_t, const std::string&, TensorType)> nest =
      [&](std::size_t k, const std::string& x, TensorType from) -> std::string {
    if (k == loops.size()) return x;
    const auto [axis, dim] = loops[k];
    const std::string index = fmt::format("%{}", next++);
    const std::string out = fmt::format("%{}", next++);
    const std::string part = fmt::format("%{}", next++);
    TensorType to = from;
    to.dims[dim] /= mesh.size(axis);
    text += fmt::format("{} = loop \"{}\" [#tile<{}>] ({}: range<{}>) {{\n{} = slice {} {}[{}] : {} -> {}\n", out,
                        mesh.name(axis), dim, index, mesh.size(axis), part, dim, x, index, from.str(), to.str());
    const std::string inner = nest(k + 1, part, to);
    text += fmt::format("yield {} : {}\n}} : {}\n", inner, to.str(), from.str());
    return out;
  };
  return nest(0, value, global);
}

struct ConversionCase {
  Module source;
  Module core;
  SpmdProgram spmd;

  explicit ConversionCase(const Case& c) {
    const std::string type = c.global.str();
    const std::string head = fmt::format("func.func @main(%x: {}) -> {} {{\n", type, type);
    source = value_or_throw(read_module(fmt::format("{}return %x : {}\n}}", head, type), "source"));
    std::string text = head;
    int next = 0;
    const std::string in = placed(text, "%x", c.source, c.mesh, c.global, next);
    const std::string out = placed(text, in, c.target, c.mesh, c.global, next);
    core = value_or_throw(read_module(fmt::format("{}return {} : {}\n}}", text, out, type), "core"));
    const Function& f = core.functions[0];
    const State state(source.functions[0], c.mesh);
    spmd = lower(CoreProgram{f, std::vector<std::optional<std::size_t>>(f.body.ops.size())}, state);
  }
  /// Why its certificate does not prove it.
  [[nodiscard]] std::optional<std::string> refuted() const {
    const Module emitted = stablehlo_module(spmd, source);
    const Certificate certificate = certificate_of(spmd, emitted, source.functions[0], source.functions[0]);
    const auto written = read_module(print_module(emitted), "written");
    if (!written) return written.error().text();
    const auto report = check_certificate(source, *written, certificate);
    return report.verdict == Verdict::proved ? std::nullopt : std::optional(report.step + ": " + report.reason);
  }
};

/// Law normal-form, of whole programs.
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
  c.source = DistributedType::parse("[{x1, x2}, {y1, y2}]", c.mesh, 2).value();
  c.target = DistributedType::parse("[{y1, y2}, {x1, x2}]", c.mesh, 2).value();
  c.global = TensorType{ElementType::f32, {12, 12}};
  return c;
}

/// Each step of the paper's example, with one number changed in it, is refuted.
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
