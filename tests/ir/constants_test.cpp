// Dense constants: every notation (nested lists, splats, hexadecimal blobs) is read to the right bits, and printing
// loses none of them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "round_trip.h"

namespace partir {
namespace {

using testing::main_of;
using testing::op_at;
using testing::read_text;
using testing::refusal;
using testing::round_trip;

std::string constant(const std::string& value) { return main_of("", "  %0 = stablehlo.constant " + value); }

Literal literal(const std::string& value) {
  const Module module = read_text(constant(value));
  if (module.functions.empty()) return {};
  round_trip(constant(value));
  return *find(op_at(module, 0).attributes, "value")->as<DenseAttr>()->literal;
}

using Bytes = std::vector<std::uint8_t>;

TEST(Constants, SplatHoldsOneElement) {
  const Literal l = literal("dense<7.500000e+00> : tensor<4x5xf32>");
  EXPECT_TRUE(l.splat);
  EXPECT_EQ(l.bytes.size(), 4U);
  EXPECT_EQ(l.as_double(19), 7.5);
}

TEST(Constants, NestedListsAreRowMajor) {
  const Literal l = literal("dense<[[0.0, 1.25, 2.5], [3.75, 5.0, 6.25]]> : tensor<2x3xf32>");
  EXPECT_FALSE(l.splat);
  EXPECT_EQ(l.as_double(4), 5.0);
  EXPECT_EQ(literal("dense<[[[1], [2]]]> : tensor<1x2x1xi8>").bytes, (Bytes{1, 2}));
}

TEST(Constants, Booleans) {
  EXPECT_EQ(literal("dense<true> : tensor<i1>").bytes, Bytes{1});
  EXPECT_EQ(literal("dense<[true, false, true]> : tensor<3xi1>").bytes, (Bytes{1, 0, 1}));
}

TEST(Constants, HexBlobOfBooleansHasOneByteAnElement) {
  EXPECT_EQ(literal("dense<\"0x000100FF\"> : tensor<2x2xi1>").bytes, (Bytes{0, 1, 0, 1}));
}

TEST(Constants, HexBlobIsLittleEndian) {
  const Literal l = literal("dense<\"0x0000803F000000C0\"> : tensor<2xf32>");
  EXPECT_EQ(l.as_double(0), 1.0);
  EXPECT_EQ(l.as_double(1), -2.0);
}

TEST(Constants, HexBlobOfOneElementIsASplat) {
  const Literal l = literal("dense<\"0x07000000\"> : tensor<3xi32>");
  EXPECT_TRUE(l.splat);
  EXPECT_EQ(l.as_int(2), 7);
}

TEST(Constants, BlobOfAScalarIsTheScalar) {
  EXPECT_EQ(literal("dense<\"0x0000803F\"> : tensor<f32>"), literal("dense<1.0> : tensor<f32>"));
}

TEST(Constants, MoreThanAHundredElementsPrintAsABlob) {
  std::string list;
  for (int i = 0; i < 101; ++i) list += (i != 0 ? ", " : "") + std::to_string(i);
  const std::string printed = round_trip(constant("dense<[" + list + "]> : tensor<101xi16>"));
  EXPECT_NE(printed.find("dense<\"0x000001000200"), std::string::npos) << printed;
}

TEST(Constants, InfinitiesAndNotANumberKeepTheirBits) {
  EXPECT_EQ(literal("dense<0x7F800000> : tensor<f32>").as_double(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(literal("dense<0xFF800000> : tensor<f32>").as_double(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(literal("dense<[0x7FC00001, 1.0]> : tensor<2xf32>").bytes,
            (Bytes{0x01, 0x00, 0xC0, 0x7F, 0, 0, 0x80, 0x3F}));
  EXPECT_EQ(literal("dense<0x7FF0000000000000> : tensor<f64>").as_double(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(literal("dense<0xFF80> : tensor<bf16>").as_double(0), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(literal("dense<0x7E00> : tensor<f16>").as_double(0)));
}

TEST(Constants, NegativeZeroKeepsItsSign) {
  EXPECT_TRUE(std::signbit(literal("dense<-0.000000e+00> : tensor<f32>").as_double(0)));
  EXPECT_EQ(literal("dense<-0.0> : tensor<bf16>").bytes, (Bytes{0x00, 0x80}));
}

TEST(Constants, Complex) {
  const Literal l = literal("dense<[(1.000000e+00,2.000000e+00), (0.5,-0.0)]> : tensor<2xcomplex<f32>>");
  EXPECT_EQ(l.bytes.size(), 16U);
  EXPECT_EQ(l.bytes[15], 0x80);
  EXPECT_EQ(literal("dense<(1.0,0x7FF0000000000000)> : tensor<complex<f64>>").bytes.size(), 16U);
}

TEST(Constants, EmptyTensorsHaveNoBytes) {
  for (const char* text :
       {"dense<> : tensor<0x4xf32>", "dense<[]> : tensor<0xf32>", "dense<[[], []]> : tensor<2x0xf32>",
        "dense<1.0> : tensor<0xf32>", "dense<\"0x\"> : tensor<0xf32>", "dense<\"0x00000000\"> : tensor<0xf32>"}) {
    const Literal l = literal(text);
    EXPECT_TRUE(l.bytes.empty()) << text;
    EXPECT_FALSE(l.splat) << text;
  }
}

TEST(Constants, IntegersAtTheEndsOfTheirRange) {
  EXPECT_EQ(literal("dense<-9223372036854775808> : tensor<i64>").as_int(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(literal("dense<18446744073709551615> : tensor<ui64>").bytes, Bytes(8, 0xFF));
  EXPECT_EQ(literal("dense<[-8, 7]> : tensor<2xi4>").as_int(0), -8);
  EXPECT_EQ(literal("dense<[0, 15]> : tensor<2xui4>").as_int(1), 15);
  EXPECT_EQ(literal("dense<0xF> : tensor<i4>").as_int(0), -1);
  EXPECT_EQ(literal("dense<0xFF> : tensor<i8>").as_int(0), -1);
}

TEST(Constants, BlobsOfNarrowIntegersHaveOneSpelling) {
  EXPECT_EQ(literal("dense<\"0x0FF8\"> : tensor<2xi4>"), literal("dense<[-1, -8]> : tensor<2xi4>"));
  EXPECT_EQ(refusal(constant("dense<\"0x1F00\"> : tensor<2xi4>")).code, "dense");
  EXPECT_EQ(refusal(constant("dense<\"0xF000\"> : tensor<2xui4>")).code, "dense");
  EXPECT_EQ(refusal(constant("dense<\"0x1000\"> : tensor<2xf4E2M1FN>")).code, "dense");
}

TEST(Constants, EveryHalfSurvivesThePrint) {
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Literal l{
          TensorType{type, {}}, true, {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)}};
      const std::string text = l.str();  // dense<…>
      const auto back = scalar_bytes(type, text.substr(6, text.size() - 7));
      ASSERT_TRUE(back.has_value()) << text;
      ASSERT_EQ(*back, l.bytes) << text;
    }
  }
}

TEST(Constants, FloatsAndDoublesSurviveThePrint) {
  const auto expect_bits = [](ElementType type, std::uint64_t bits) {
    Bytes bytes(byte_width(type));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
    const std::string text = Literal{TensorType{type, {}}, true, bytes}.str();
    const auto back = scalar_bytes(type, text.substr(6, text.size() - 7));
    ASSERT_TRUE(back.has_value()) << text;
    EXPECT_EQ(*back, bytes) << text;
  };
  std::uint64_t state = 1;  // a fixed sequence (Knuth's MMIX generator)
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    expect_bits(ElementType::f32, state >> 32);
    expect_bits(ElementType::f64, state);
  }
  for (const double v : {5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1.0 / 3}) {
    expect_bits(ElementType::f64, std::bit_cast<std::uint64_t>(v));
  }
  for (const float v : {1e-45F, 1.17549435e-38F, 3.40282347e38F, 0.1F})
    expect_bits(ElementType::f32, std::bit_cast<std::uint32_t>(v));
}

TEST(Constants, EightBitFloatsKeepTheirBits) {
  EXPECT_EQ(literal("dense<0x3F> : tensor<2xf8E4M3FN>").bytes, Bytes{0x3F});
  EXPECT_EQ(literal("dense<[0x00, 0xFF]> : tensor<2xf8E5M2>").bytes, (Bytes{0x00, 0xFF}));
}

TEST(Constants, HugeSplatsTakeNoSpace) {
  EXPECT_EQ(literal("dense<3.25> : tensor<1125899906842624xf32>").bytes.size(), 4U);
}

TEST(Constants, ValuesOfOtherKindsAreCarried) {
  const std::string printed = round_trip(constant("dense_resource<weights> : tensor<2xf32>"));
  EXPECT_NE(printed.find("stablehlo.constant dense_resource<weights> : tensor<2xf32>"), std::string::npos) << printed;
}

TEST(Constants, WrongValuesAreRefused) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"dense<[1, 2]> : tensor<3xi32>", "values of shape [2]"},
      {"dense<[[1, 2], [3]]> : tensor<2x2xi32>", "a list of 1"},
      {"dense<[1, [2]]> : tensor<2xi32>", ""},
      {"dense<[1]> : tensor<i32>", "values of shape [1]"},
      {"dense<> : tensor<2xi32>", "no values"},
      {"dense<300> : tensor<i8>", "'300'"},
      {"dense<-1> : tensor<ui8>", "'-1'"},
      {"dense<2> : tensor<i1>", "'2'"},
      {"dense<1.5> : tensor<i32>", "'1.5'"},
      {"dense<inf> : tensor<f32>", "'inf'"},
      {"dense<-0x10> : tensor<f32>", "'-0x10'"},
      {"dense<0x1FFFF> : tensor<f16>", "'0x1FFFF'"},
      {"dense<(1.0,2.0)> : tensor<f32>", "a complex value"},
      {"dense<9223372036854775808> : tensor<i64>", "'9223372036854775808'"},
      {"dense<\"0x00\"> : tensor<2xi32>", "1 bytes"},
      {"dense<\"0x000\"> : tensor<2xi32>", "hexadecimal"},
      {"dense<\"0x0G\"> : tensor<i8>", "hexadecimal"},
      {"dense<\"abcd\"> : tensor<2xi8>", "hexadecimal"},
      {"dense<1> : tensor<?xi32>", "tensor<?xi32>"},
      {"dense<1> : i32", "i32"},
  };
  for (const auto& [text, found] : rows) {
    const Diagnostic d = refusal(constant(text));
    EXPECT_NE(d.found.find(found), std::string::npos) << text << "\n" << d.text();
    EXPECT_EQ(d.place.line, 2U) << text << "\n" << d.text();
  }
}

}  // namespace
}  // namespace partir
