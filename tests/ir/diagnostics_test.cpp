// Malformed input yields exactly one diagnostic, which states the place, what was found and what was expected. Input
// that is deeply nested, truncated or garbled never crashes the reader.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "round_trip.h"

namespace partir {
namespace {

using testing::main_of;
using testing::read_text;
using testing::refusal;

struct Row {
  std::string text;
  std::uint32_t line;
  std::uint32_t column;
  const char* code;
  const char* found;
  const char* wanted;
};

void expect_diagnostics(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Diagnostic d = refusal(row.text);
    EXPECT_EQ(d.file, "test.mlir") << row.text;
    EXPECT_EQ(d.place.line, row.line) << row.text << "\n" << d.text();
    EXPECT_EQ(d.place.column, row.column) << row.text << "\n" << d.text();
    EXPECT_EQ(d.code, row.code) << row.text << "\n" << d.text();
    EXPECT_NE(d.found.find(row.found), std::string::npos) << row.text << "\n" << d.text();
    EXPECT_NE(d.wanted.find(row.wanted), std::string::npos) << row.text << "\n" << d.text();
  }
}

/// Returns a function @main whose body is `text`, on line 2 from column 3.
std::string line(const std::string& text) { return main_of("%x: tensor<2x3xf32>", "  " + text); }

TEST(Diagnostics, TextSaysPlaceFoundAndWanted) {
  EXPECT_EQ(refusal(line("%0 = stablehlo.sine %y : tensor<2x3xf32>")).text(),
            "test.mlir:2:23: error [parse]: %y before it is defined; wanted a value defined above");
}

TEST(Diagnostics, ModulesAndFunctions) {
  expect_diagnostics({
      {"", 1, 1, "module", "no function", "@main"},
      {"// nothing\n", 1, 1, "module", "no function", "@main"},
      {"module {\n}", 1, 1, "module", "no function", "@main"},
      {"modul {\n}", 1, 1, "parse", "'modul'", "a module or a function"},
      {"module {\n  x\n}", 2, 3, "parse", "'x'", "a function or '}'"},
      {"module {\n  func.func @main() {\n    return\n  }\n", 5, 1, "parse", "the end of the text", "a function or '}'"},
      {"func.func @main() { return }\n}", 2, 1, "parse", "'}'", "a module or a function"},
      {"func.func main() { return }", 1, 11, "parse", "'main'", "a symbol"},
      {"func.func @f() { return }\nfunc.func @f() { return }", 2, 1, "module", "@f twice", "once"},
      {"func.func @f(%x: tensor<f32>, %x: tensor<f32>) { return }", 1, 31, "parse", "%x twice", "once"},
      {"func.func @f() {\n}", 2, 1, "parse", "'}'", "a return"},
      {"func.func @f() {\n  return\n  return\n}", 3, 3, "parse", "'return'", "'}' behind the terminator"},
      {"func.func @f() -> tensor<f32> {\n  return\n}", 2, 3, "types", "0 values returned", "1"},
      {"func.func @f(%x: tensor<f32>) -> tensor<i32> {\n  return %x : tensor<f32>\n}", 2, 3, "types", "tensor<f32>",
       "tensor<i32>"},
      {"func.func @f(%x: tensor<f32> {a, a}) { return }", 1, 34, "parse", "attribute a twice", "once"},
      {"\"func.func\"() ({\n  \"func.return\"() : () -> ()\n}) : () -> ()", 1, 1, "parse", "without sym_name", "name"},
  });
}

TEST(Diagnostics, Operations) {
  expect_diagnostics({
      {line("%0 = stablehlo.sin %x : tensor<2x3xf32>"), 2, 8, "operation", "'stablehlo.sin'", "of the specification"},
      {line("%0 = \"stablehlo.sin\"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>"), 2, 8, "operation", "'stablehlo.sin'",
       "of the specification"},
      {line("%0 = chlo.nothing %x : tensor<2x3xf32>"), 2, 8, "operation", "'chlo.nothing'", "of the specification"},
      {line("%0 = other.op %x : tensor<2x3xf32>"), 2, 8, "operation", "'other.op'", "generic form"},
      {line("%0 = stablehlo.add %x, %1 : tensor<2x3xf32>"), 2, 26, "parse", "%1 before it is defined",
       "a value defined above"},
      {line("%0 = stablehlo.add %x, %0 : tensor<2x3xf32>"), 2, 26, "parse", "%0 before it is defined",
       "a value defined above"},
      {line("%0 = stablehlo.add %x, %x#1 : tensor<2x3xf32>"), 2, 26, "parse", "result 1 of %x", "one of its 1"},
      {line("%0 = stablehlo.add %x, %x#99999999999999999999 : tensor<2x3xf32>"), 2, 26, "parse", "of %x",
       "one of its 1"},
      {line("%0 = stablehlo.add %x, 5 : tensor<2x3xf32>"), 2, 26, "parse", "'5'", "a name"},
      {line("%0 = stablehlo.add %x %x : tensor<2x3xf32>"), 2, 25, "parse", "'%x'", "','"},
      {line("%0 = stablehlo.add %x, %x"), 3, 3, "parse", "'return'", "','"},
      {line("%0 = stablehlo.add %x, %x : tensor<3x2xf32>"), 2, 8, "types", "operand 0 written as tensor<3x2xf32>",
       "tensor<2x3xf32>"},
      {line("%0 = stablehlo.add %x, %x : (tensor<2x3xf32>) -> tensor<2x3xf32>"), 2, 8, "types",
       "2 operands and 1 operand types", "each operand"},
      {line("%0 = stablehlo.add %x, %x : tensor<2x3xf32>, tensor<2x3xf32>"), 2, 31, "parse", "2 types", "one type"},
      {line("%0, %1 = stablehlo.sine %x : tensor<2x3xf32>"), 2, 12, "parse", "2 names for 1 results",
       "a name for each"},
      {line("%0:3 = \"other.op\"() : () -> (tensor<f32>, tensor<f32>)"), 2, 10, "parse", "3 names for 2 results",
       "a name for each"},
      {line("%0:0 = stablehlo.sine %x : tensor<2x3xf32>"), 2, 3, "parse", "0 results", "1 to"},
      {line("%0:99999999 = stablehlo.sine %x : tensor<2x3xf32>"), 2, 3, "parse", "99999999 results", "1 to"},
      {line("%x = stablehlo.sine %x : tensor<2x3xf32>"), 2, 3, "parse", "%x twice", "once"},
      {line("%0 = stablehlo.sine %x {a = } : tensor<2x3xf32>"), 2, 31, "parse", "'}'", "an attribute"},
      {line("%0 = stablehlo.transpose %x, dim = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"), 2, 32, "parse",
       "'dim'", "an operand or an attribute"},
      {line("%0 = stablehlo.transpose %x, dims = [1, a] : (tensor<2x3xf32>) -> tensor<3x2xf32>"), 2, 43, "parse", "'a'",
       "an integer"},
      {line("%0 = stablehlo.transpose %x, dims = [1, 0 : (tensor<2x3xf32>) -> tensor<3x2xf32>"), 2, 45, "parse", "':'",
       "']'"},
      {line("%0 = stablehlo.iota dim = 9223372036854775808 : tensor<4xi32>"), 2, 29, "parse", "'9223372036854775808'",
       "64 bits"},
      {line("%0 = stablehlo.reduce_precision %x, format = e8m : tensor<2x3xf32>"), 2, 48, "parse", "e8m", "e8m7"},
      {line("%0 = stablehlo.slice %x [0:2, 0:4] : (tensor<2x3xf32>) -> tensor<2x4xf32>"), 2, 8, "slice (C3)",
       "[0:4] of dimension 1 in tensor<2x3xf32>", "limit <= size"},
      {line("%0 = \"other.op\"(%x)[^bb1] : (tensor<2x3xf32>) -> ()"), 2, 22, "parse", "'['", "without successors"},
      {line("%0 = \"other.op\"(%x) : tensor<2x3xf32>"), 2, 25, "parse", "'tensor'", "a type such as ("},
      {line("\"stablehlo.custom_call\"(%x) {a = array<i64: 1, z>} : (tensor<2x3xf32>) -> ()"), 2, 36, "parse",
       "array<i64: 1, z>", "an integer"},
      {line("\"other.op\"() {a = 9223372036854775808 : i64} : () -> ()"), 2, 21, "parse", "'9223372036854775808'",
       "64 bits"},
      {line("\"other.op\"() {a = -9223372036854775809 : i64} : () -> ()"), 2, 21, "parse", "'-9223372036854775809'",
       "64 bits"},
      {line("%0 = stablehlo.constant foo"), 2, 27, "constant", "foo", "dense<"},
      {line("%0 = \"stablehlo.transpose\"(%x) <{permutation = \"a\"}> : (tensor<2x3xf32>) -> tensor<3x2xf32>"), 2, 8,
       "attributes", "permutation = \"a\"", "a list of integers"},
      {line("%0 = \"stablehlo.transpose\"(%x) <{permutation = dense<0> : tensor<1000000xi64>}> : (tensor<2x3xf32>) -> "
            "tensor<3x2xf32>"),
       2, 8, "attributes", "permutation", "a shorter list"},
      {line("%0 = \"stablehlo.gather\"(%x, %x) <{dimension_numbers = #stablehlo.gather<offset_dim = [0]>, slice_sizes "
            "= array<i64: 1>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"),
       2, 8, "attributes", "field offset_dim", "#stablehlo.gather"},
  });
}

TEST(Diagnostics, TypesAndConstants) {
  expect_diagnostics({
      {line("%0 = stablehlo.constant dense<0> : tensor<2x3xg32>"), 2, 38, "type", "tensor<2x3xg32>", "an element type"},
      {line("%0 = stablehlo.constant dense<0> : tensor<2,3xf32>"), 2, 38, "type", "tensor<2,3xf32>", "dimensions"},
      {line("%0 = stablehlo.constant dense<0> : tensor<99999999999999999999xi1>"), 2, 38, "type",
       "99999999999999999999", "64 bits"},
      {line("%0 = stablehlo.constant dense<0> : tensor<4294967296x4294967296xi1>"), 2, 38, "type",
       "4294967296x4294967296", "2^59"},
      {line("%0 = stablehlo.constant dense<0> : tensor<576460752303423488xi1>"), 2, 38, "type", "576460752303423488",
       "2^59"},
      {line("%0 = stablehlo.constant dense<0> : tensor 5"), 2, 45, "parse", "'5'", "'<'"},
      {line("%0 = stablehlo.constant dense<0> : 5"), 2, 38, "parse", "'5'", "a type"},
      {line("%0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>"), 2, 27, "dense", "[2]",
       "the shape of tensor<3xi32>"},
      {line("%0 = stablehlo.constant dense<[[1], [2, 3]]> : tensor<2x2xi32>"), 2, 39, "dense", "a list of 2",
       "1, as before"},
      {line("%0 = stablehlo.constant dense<\"0x010203\"> : tensor<4xi16>"), 2, 27, "dense", "3 bytes",
       "8 of tensor<4xi16>"},
      {line("%0 = stablehlo.constant dense<1"), 3, 3, "parse", "'return'", "'>'"},
  });
}

TEST(Diagnostics, UnclosedStringsAndBrackets) {
  expect_diagnostics({
      {line("\"other.op() : () -> ()"), 2, 3, "parse", "a string that does not end", "a closing quote"},
      {line("\"other.op\\\n\"() : () -> ()"), 2, 3, "parse", "a string that does not end", "a closing quote"},
      {"func.func @main() { \"a", 1, 21, "parse", "a string that does not end", "a closing quote"},
      {"func.func @main() { \"a\\", 1, 21, "parse", "a string that does not end", "a closing quote"},
      {"func.func @\"main", 1, 11, "parse", "a string that does not end", "a closing quote"},
      {"func.func @ main", 1, 11, "parse", "'@' without a name", "a name"},
      {line("%0 = stablehlo.sine %x : tensor<2x3xf32"), 4, 1, "parse", "'}'", "'>' for the bracket at 2:34"},
      {line("%0 = stablehlo.sine %x {a = #b<[1)>} : tensor<2x3xf32>"), 2, 36, "parse", "')'", "']'"},
      {line("%0 = stablehlo.sine %x : tensor<2x3xf32> loc(\"a\""), 4, 1, "parse", "'}'", "')' for the bracket at 2:47"},
      {"func.func @main(%x: tensor<2x3xf32", 1, 27, "parse", "a bracket that does not close", "its closing bracket"},
      {line("%0 = stablehlo.sine %x : tensor<2x3xf32> loc 5"), 2, 48, "parse", "'5'", "'('"},
  });
}

TEST(Diagnostics, NestingTooDeep) {
  const auto repeated = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  for (const int n : {101, 5000}) {
    const Diagnostic attributes =
        refusal(line("\"other.op\"() {a = " + repeated("[", n) + repeated("]", n) + "} : () -> ()"));
    EXPECT_NE(attributes.found.find("100 deep"), std::string::npos) << attributes.text();
    EXPECT_EQ(attributes.place.line, 2U);
    const Diagnostic regions = refusal(
        line(repeated("\"other.op\"() ({ ", n) + "stablehlo.return" + repeated(" stablehlo.return }) : () -> ()", n)));
    EXPECT_NE(regions.found.find("100 deep"), std::string::npos) << regions.text();
    const Diagnostic lists = refusal(
        line("%0 = stablehlo.constant dense<" + repeated("[", n) + "1" + repeated("]", n) + "> : tensor<1xi32>"));
    EXPECT_NE(lists.found.find("64 deep"), std::string::npos) << lists.text();
    // Brackets inside an attribute that is kept as text are matched without recursion.
    EXPECT_FALSE(
        print_module(read_text(line("\"other.op\"() {a = #b<" + repeated("[", n) + repeated("]", n) + ">} : () -> ()")))
            .empty());
  }
  EXPECT_EQ(refusal(line("%0 = stablehlo.constant dense<0> : tensor<" + repeated("1x", 65) + "i1>")).code, "type");
}

const char* const kSmall = R"(#loc1 = loc("w")
module @m attributes {a.b = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<2x3xf32> {k = "v"} loc(#loc1), %arg1: tensor<i32>) -> (tensor<3xf32> {r}) {
    %cst = stablehlo.constant dense<[[1.0, -2.5e-1, 0x7F800000], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
    %0 = stablehlo.add %arg0, %cst {p = [@f, #o<1>]} : tensor<2x3xf32> loc("add"(#loc1))
    %z = stablehlo.constant dense<"0x00000000"> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.case"(%arg1) ({
      %3 = func.call @f(%1) : (tensor<3xf32>) -> tensor<3xf32>
      stablehlo.return %3 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %4 = loop "x" [#any] (%r: range<2>) {
      %5 = slice 0 %arg0[%r] : tensor<2x3xf32> -> tensor<1x3xf32>
      yield %2 : tensor<3xf32>
    } : tensor<3xf32>
    return %4 : tensor<3xf32>
  }
  func.func private @f(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    return %arg0 : tensor<3xf32>
  }
})";

TEST(Diagnostics, TextCutAnywhereIsRefusedWithItsPlace) {
  const std::string whole = kSmall;
  testing::round_trip(whole);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const Diagnostic d = refusal(whole.substr(0, n));
    EXPECT_GE(d.place.line, 1U) << n << "\n" << d.text();
    EXPECT_GE(d.place.column, 1U) << n << "\n" << d.text();
    EXPECT_FALSE(d.found.empty()) << n;
    EXPECT_FALSE(d.wanted.empty()) << n;
  }
}

TEST(Diagnostics, GarbledTextReadsOrIsRefusedWithItsPlace) {
  const std::string whole = kSmall;
  for (const char garbage : {'"', '<', '}', '%', '-', '9', 'x', '\0', '\n', '\xFF'}) {
    for (std::size_t n = 0; n < whole.size(); ++n) {
      std::string text = whole;
      text[n] = garbage;
      const auto read = read_module(text, "garbled.mlir");
      if (read) {
        const auto again = read_module(print_module(*read), "printed.mlir");
        std::string difference;
        EXPECT_TRUE(again && same_program(*read, *again, &difference)) << text << difference;
        continue;
      }
      EXPECT_GE(read.error().place.line, 1U) << text << read.error().text();
      EXPECT_FALSE(read.error().found.empty() || read.error().wanted.empty()) << text << read.error().text();
    }
  }
}

TEST(Diagnostics, BytesWithoutMeaning) {
  for (const char* text : {"\xEF\xBB\xBFmodule {}", "\x01\x02", "{{{{", ")", "%", "\"", "//", "#", "#x",
                           "#x =", "!t = ", "@", "loc", "loc(", "module module"}) {
    EXPECT_GE(refusal(text).place.line, 1U) << text;
  }
}

}  // namespace
}  // namespace partir
