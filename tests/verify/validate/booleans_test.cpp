// Arithmetic on booleans: for each pair of functions of two booleans, in each place where a program may combine them,
// the verdict is that of the truth table. Addition is `or`, not addition modulo 2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "ir/text/read.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

struct Function2 {
  const char* name;
  std::array<bool, 4> of;  ///< for (0, 0), (0, 1), (1, 0), (1, 1)
};
constexpr Function2 kFunctions[] = {
    {"add", {false, true, true, true}},     {"or", {false, true, true, true}},
    {"maximum", {false, true, true, true}}, {"multiply", {false, false, false, true}},
    {"and", {false, false, false, true}},   {"minimum", {false, false, false, true}},
    {"xor", {false, true, true, false}},
};

/// How a program combines the booleans: the text that computes %r: tensor<Nxi1> from %a and %b by stablehlo.{0}.
constexpr const char* kPlaces[] = {
    "  %r = stablehlo.{0} %a, %b : tensor<{1}xi1>\n",
    "  %p = stablehlo.reshape %a : (tensor<{1}xi1>) -> tensor<1x{1}xi1>\n"
    "  %q = stablehlo.reshape %b : (tensor<{1}xi1>) -> tensor<1x{1}xi1>\n"
    "  %c = stablehlo.concatenate %q, dim = 0 : (tensor<1x{1}xi1>) -> tensor<1x{1}xi1>\n"
    "  %w = \"stablehlo.reduce_window\"(%p, %z) <{{window_dimensions = array<i64: 1, 1>}}> ({{\n"
    "  ^bb0(%s: tensor<i1>, %t: tensor<i1>):\n    %u = stablehlo.{0} %s, %t : tensor<i1>\n"
    "    stablehlo.return %u : tensor<i1>\n  }}) : (tensor<1x{1}xi1>, tensor<i1>) -> tensor<1x{1}xi1>\n"
    "  %v = stablehlo.{0} %w, %c : tensor<1x{1}xi1>\n"
    "  %r = stablehlo.reshape %v : (tensor<1x{1}xi1>) -> tensor<{1}xi1>\n",
    "  %i = stablehlo.iota dim = 0 : tensor<{1}x1xi32>\n"
    "  %r = \"stablehlo.scatter\"(%a, %i, %b) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = "
    "[0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{\n"
    "  ^bb0(%s: tensor<i1>, %t: tensor<i1>):\n    %u = stablehlo.{0} %s, %t : tensor<i1>\n"
    "    stablehlo.return %u : tensor<i1>\n  }}) : (tensor<{1}xi1>, tensor<{1}x1xi32>, tensor<{1}xi1>) -> "
    "tensor<{1}xi1>\n",
};

/// The results count only where %n * %n is 12544, which no trial on random inputs meets: only the evaluation decides.
std::string body(const char* place, const char* function, int size) {
  return "  %m = stablehlo.multiply %n, %n : tensor<i32>\n  %k = stablehlo.constant dense<12544> : tensor<i32>\n"
         "  %z = stablehlo.constant dense<false> : tensor<i1>\n"
         "  %g = stablehlo.compare EQ, %m, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" +
         fmt::format(fmt::runtime(place), function, size) +
         fmt::format(
             "  %h = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<i1>) -> tensor<{0}xi1>\n"
             "  %o = stablehlo.and %r, %h : tensor<{0}xi1>\n  return %o : tensor<{0}xi1>\n",
             size);
}

TEST(Booleans, VerdictsAreThoseOfTheTruthTables) {
  const std::string part = " {mhlo.frontend_attributes = {partir.sharding = \"[{x}]\"}}";
  const std::string all = " {mhlo.frontend_attributes = {partir.sharding = \"[]\"}}";
  int proved = 0;
  for (const char* place : kPlaces) {
    for (const Function2& f : kFunctions) {
      const std::string source =
          "func.func @main(%n: tensor<i32>, %a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {\n" +
          body(place, f.name, 4) + "}";
      for (const Function2& g : kFunctions) {
        const std::string device =
            "module attributes {mhlo.frontend_attributes = {partir.mesh = \"x=2\"}, mhlo.num_partitions = 2 : i32, "
            "mhlo.num_replicas = 1 : i32} {\nfunc.func @main(%n: tensor<i32>" +
            all + ", %a: tensor<2xi1>" + part + ", %b: tensor<2xi1>" + part + ") -> (tensor<2xi1>" + part + ") {\n" +
            body(place, g.name, 2) + "}}";
        const auto report =
            value_or_throw(validate_partition(value_or_throw(read_module(source, "source.mlir")),
                                              value_or_throw(read_module(device, "spmd.mlir")), {"r"}, Options()));
        const std::string what = std::string(f.name) + " and " + g.name + " in\n" + device;
        if (f.of != g.of) {
          EXPECT_NE(report.verdict, Verdict::proved) << what;
        } else if (report.verdict == Verdict::proved) {
          ++proved;
        } else {
          EXPECT_EQ(report.verdict, Verdict::unknown) << what << report.reason;
        }
      }
    }
  }
  // 19 pairs of equal functions in each place; where they are in regions, other names may be left unknown.
  EXPECT_GE(proved, 33);
}

}  // namespace
}  // namespace partir::validate
