// Functions rewritten for padded values (rewrite/padding.h): the checker proves each rewritten example, and proves none
// of its alterations that computes something else.
#include "rewrite/padding.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "driver/partition.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "semantics/interpreter.h"
#include "verify/certificate/check.h"
#include "verify/certificate/checker.h"
#include "verify/certificate/padding.h"

namespace partir::certificate_padding_test {
namespace {

struct Example {
  const char* name;
  const char* program;
  std::vector<std::pair<std::size_t, Dim>> uneven;  ///< argument and dimension
};

const std::vector<Example> kExamples = {
    {"sums, maxima and minima",
     R"(func.func @main(%x: tensor<5x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %h = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
  %m = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
  %n = stablehlo.reduce(%x init: %h) applies stablehlo.minimum across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %s, %m, %n : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
})",
     {{0, 0}}},
    {"a product over the dimension, and what reads its result",
     R"(func.func @main(%x: tensor<3x5xf32>, %y: tensor<5x2xf32>) -> tensor<3x2xf32> {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x2xf32>) -> tensor<3x2xf32>
  %t = stablehlo.tanh %p : tensor<3x2xf32>
  return %t : tensor<3x2xf32>
})",
     {{0, 1}, {0, 0}}},
    {"a table, its rows and their gradient",
     R"(func.func @main(%x: tensor<5x3xf32>, %i: tensor<4xi32>, %u: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<5x3xf32>) {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
  %s = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  return %g, %s : tensor<4x3xf32>, tensor<5x3xf32>
})",
     {{0, 0}}},
    {"rows at sorted indices",
     R"(func.func @main(%x: tensor<5x3xf32>, %i: tensor<4xi32>) -> tensor<4x3xf32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
  return %g : tensor<4x3xf32>
})",
     {{0, 0}}},
    {"slices, and an update",
     R"(func.func @main(%x: tensor<5x3xf32>, %u: tensor<1x3xf32>, %i: tensor<i32>, %z: tensor<i32>) -> (tensor<2x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>) {
  %d = stablehlo.dynamic_slice %x, %i, %z, sizes = [2, 3] : (tensor<5x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %w = stablehlo.dynamic_update_slice %x, %u, %i, %z : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
  %s = stablehlo.slice %x [2:5, 0:3] : (tensor<5x3xf32>) -> tensor<3x3xf32>
  return %d, %w, %s : tensor<2x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>
})",
     {{0, 0}}},
    {"what no entry takes in parts",
     R"(func.func @main(%x: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<10x3xf32>) {
  %r = stablehlo.reverse %x, dims = [0] : tensor<5x3xf32>
  %c = stablehlo.concatenate %x, %r, dim = 0 : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<10x3xf32>
  return %r, %c : tensor<5x3xf32>, tensor<10x3xf32>
})",
     {{0, 0}}},
    {"windows",
     R"(func.func @main(%x: tensor<1x5x2xf32>, %k: tensor<3x2x2xf32>) -> (tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x2xf32>, tensor<3x2x2xf32>) -> tensor<1x5x2xf32>
  %m = "stablehlo.reduce_window"(%x, %l) <{window_dimensions = array<i64: 1, 3, 1>, padding = dense<[[0, 0], [1, 1], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<1x5x2xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  %s = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 5, 1>, padding = dense<[[0, 0], [4, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<1x5x2xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  %b = "stablehlo.reduce_window"(%x, %l) <{window_dimensions = array<i64: 1, 5, 1>, padding = dense<[[0, 0], [0, 4], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<1x5x2xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  return %c, %m, %s, %b : tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>
})",
     {{0, 1}}},
    {"a loop",
     R"(func.func @main(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.constant dense<0.0> : tensor<3xf32>
  %k = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %1:3 = stablehlo.while(%i = %k, %v = %x, %s = %a) : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.add %v, %y : tensor<5x3xf32>
    %t = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
    %u = stablehlo.add %s, %t : tensor<3xf32>
    stablehlo.return %j, %w, %u : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>
  }
  return %1#1, %1#2 : tensor<5x3xf32>, tensor<3xf32>
})",
     {{0, 0}}},
};

const Mesh kOne = value_or_throw(Mesh::parse("a=1"));

/// Returns whether the checker proves that `wide` is `source` on padded values.
bool is_proved(const Function& source, const Function& wide) {
  LocalPrograms programs(kOne, {});
  try {
    return check_padding(source, wide, programs).unproved.empty();
  } catch (const Refused&) {
    return false;
  }
}

/// Returns whether both functions give the same results on a few inputs, with arbitrary values in the padding.
bool computes_the_same(const Function& source, const Function& wide) {
  const Domain& domain = modular_domain();
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::vector<Tensor> own;
    std::vector<Tensor> padded;
    for (std::size_t i = 0; i < source.arguments().size(); ++i) {
      own.push_back(random_tensor(source.tensor(source.arguments()[i]), seed, i, domain));
      padded.push_back(padded_to(own.back(), wide.tensor(wide.arguments()[i]), domain));
    }
    const auto wanted = value_or_throw(run_sequential(source, own, domain));
    const auto got = run_sequential(wide, padded, domain);
    if (!got) return false;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (difference(cut_to((*got)[k], *wanted[k].type), wanted[k], domain).elements != 0) return false;
    }
  }
  return true;
}

/// Calls f with every alteration of one operation that the padding rewrite added: a mask or a clamp removed, a bound or
/// an end changed by one, another fill value.
void for_each_alteration(const Function& source, const Function& wide,
                         const std::function<void(const Function&, const std::string&)>& f) {
  const auto altered = [&](std::size_t number, const auto& change) -> Function {
    Function out = wide;
    std::size_t at = 0;
    const std::function<void(Block&)> visit = [&](Block& block) {
      for (Op& op : block.ops) {
        if (at++ == number) change(out, op);
        if (!runs_regions(op)) continue;
        for (Block& b : op.regions) visit(b);
      }
    };
    visit(out.body);
    return out;
  };
  std::size_t number = 0;
  for_each_op(wide.body, [&](const Op& op) {
    const std::size_t here = number++;
    if (op.id.index() < source.op_ids) return;
    const std::string& name = op.name();
    // The operation is replaced by an identity (optimization_barrier) on one operand, so that the ids of values stay
    // the same.
    const auto pass = [&](std::size_t operand) {
      if (wide.type(op.operands[operand]) != wide.type(op.results[0])) return;
      f(altered(here,
                [&](Function&, Op& o) {
                  const ValueId kept = o.operands[operand];
                  o.decl = find_decl("stablehlo.optimization_barrier");
                  o.attributes = {};
                  o.operands = {kept};
                }),
        "without " + name);
    };
    if (name == "stablehlo.select" || name == "stablehlo.clamp") pass(1);
    if (name == "stablehlo.compare") {
      f(altered(here, [](Function&, Op& o) { set(o.attributes, "comparison_direction", {KeywordAttr{"LE"}}); }),
        "LE for LT");
    }
    if (name == "stablehlo.constant") {
      for (const std::int64_t value : {-1, 0, 1, 4, 6}) {
        f(altered(here, [&](Function& g,
                            Op& o) { set(o.attributes, "value", {DenseAttr{splat(g.tensor(o.results[0]), value)}}); }),
          fmt::format("the constant {}", value));
      }
    }
    if (name == "stablehlo.slice") {
      f(altered(here,
                [](Function&, Op& o) {
                  IntsAttr starts = *find(o.attributes, "start_indices")->as<IntsAttr>();
                  IntsAttr limits = *find(o.attributes, "limit_indices")->as<IntsAttr>();
                  ++starts.values[0];
                  ++limits.values[0];
                  set(o.attributes, "start_indices", {starts});
                  set(o.attributes, "limit_indices", {limits});
                }),
        "a slice one further");
    }
  });
}

TEST(Padding, IsProvedAndWhatIsAlteredIsNot) {
  std::size_t wrong = 0;
  for (const Example& example : kExamples) {
    const Module module = value_or_throw(read_module(example.program, "example.mlir"));
    const Function& source = module.functions.at(0);
    Padding padding;
    for (const auto& [argument, dim] : example.uneven) padding.uneven.push_back({source.arguments()[argument], dim, 4});
    const Function wide = padded(source, padding);
    ASSERT_TRUE(verify_function(wide).has_value()) << example.name;
    EXPECT_TRUE(computes_the_same(source, wide)) << example.name;
    EXPECT_TRUE(is_proved(source, wide)) << example.name;
    for_each_alteration(source, wide, [&](const Function& other, const std::string& what) {
      // One mask of a product is not enough although 0 times a number is 0, because the padding may hold NaN.
      const bool unmasked = what == "without stablehlo.select";
      if (!verify_function(other) || (!unmasked && computes_the_same(source, other))) return;
      ++wrong;
      Module text;
      text.functions.push_back(other);
      EXPECT_FALSE(is_proved(source, other)) << example.name << ": " << what << "\n" << print_module(text);
    });
  }
  EXPECT_GE(wrong, 50U);
}

/// The partition of a sum over 5 rows on 4 devices, and its certificate.
struct Checked {
  Module source;
  Module written;
  Certificate certificate;
  [[nodiscard]] CertificateReport report() const { return check_certificate(source, written, certificate); }
};
Checked checked_sum() {
  PartitionInput input;
  input.text = kExamples[0].program;
  input.file = "sum.mlir";
  input.mesh = "a=4";
  input.schedule = R"({"tactics": [{"name": "T", "axis": "a", "inputs": {"arg0": 0}, "uneven": true}]})";
  const Partition p = value_or_throw(partition(input, Emit::stablehlo, [] { return 0.0; }));
  return {value_or_throw(read_module(input.text, "sum.mlir")), value_or_throw(read_module(p.stablehlo, "out.mlir")),
          p.certificate};
}

TEST(Padding, OfACertificateIsOfTheModule) {
  EXPECT_EQ(checked_sum().report().verdict, Verdict::proved);

  Checked other_parts = checked_sum();
  other_parts.certificate.padding.uneven.at(0).parts = 2;
  EXPECT_EQ(other_parts.report().verdict, Verdict::refuted);

  Checked no_parts = checked_sum();
  no_parts.certificate.padding.uneven.at(0).parts = (std::int64_t{1} << 31) - 1;
  EXPECT_NE(no_parts.report().reason.find("that the devices do not make"), std::string::npos);

  Checked other_dim = checked_sum();
  other_dim.certificate.padding.uneven.at(0).dim = 1;
  EXPECT_EQ(other_dim.report().verdict, Verdict::refuted);

  Checked none = checked_sum();
  none.certificate.padding = {};
  EXPECT_EQ(none.report().verdict, Verdict::refuted);

  Checked not_there = checked_sum();
  not_there.certificate.padding.uneven.at(0).dim = 2;
  EXPECT_NE(not_there.report().reason.find("that the source lacks"), std::string::npos);
}

/// A value that a reduction's region reads stays unpadded, because the rewrite cannot tell how the region reads the
/// padding.
TEST(Padding, IsNotGivenToWhatAReductionsRegionReads) {
  PartitionInput input;
  input.text = R"(func.func @main(%t: tensor<6xf32>, %x: tensor<3x5xi32>) -> (tensor<6xf32>, tensor<3xi32>) {
  %s = stablehlo.add %t, %t : tensor<6xf32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<3x5xi32>, tensor<i32>) -> tensor<3xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %c = "stablehlo.dynamic_slice"(%s, %b) <{slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
    %d = stablehlo.reshape %c : (tensor<1xf32>) -> tensor<f32>
    %e = stablehlo.convert %d : (tensor<f32>) -> tensor<i32>
    %g = stablehlo.add %a, %e : tensor<i32>
    stablehlo.return %g : tensor<i32>
  }
  return %s, %r : tensor<6xf32>, tensor<3xi32>
})";
  input.file = "read_inside.mlir";
  input.mesh = "a=4";
  input.schedule = R"({"tactics": [{"name": "T", "axis": "a", "inputs": {"arg0": 0}, "uneven": true}]})";
  const Partition p = value_or_throw(partition(input, Emit::stablehlo, [] { return 0.0; }));
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
}

TEST(Padding, IsSaidOfArguments) {
  for (const char* shape : {"6x3", "4x3", "5", ""}) {
    Checked c = checked_sum();
    AttributeList& attributes = c.written.functions.at(0).argument_attributes.at(0);
    DictAttr said = *find(attributes, "mhlo.frontend_attributes")->as<DictAttr>();
    drop(said.entries, "partir.shape");
    if (*shape != '\0') set(said.entries, "partir.shape", {StringAttr{shape}});
    set(attributes, "mhlo.frontend_attributes", {said});
    EXPECT_NE(c.report().reason.find("partir.shape of argument 0"), std::string::npos) << shape << c.report().reason;
  }
}

}  // namespace
}  // namespace partir::certificate_padding_test
