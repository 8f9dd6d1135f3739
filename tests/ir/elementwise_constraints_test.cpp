// Constraints of elementwise operations, constant and iota; each row breaks one. The labels that do not occur are those
// of quantised types.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

TEST(Constraints, Elementwise) {
  const char* const x = "%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %c: tensor<2x3xcomplex<f32>>";
  expect_verdicts({
      {"", x, "%0 = stablehlo.add %x, %x : tensor<2x3xf32>"},
      {"", x, "%0 = stablehlo.abs %c : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>"},
      {"", x, "%0 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2x3xi1>"},
      {"add (arity)", x, "%0 = stablehlo.add %x : tensor<2x3xf32>"},
      {"negate (arity)", x, "%0 = stablehlo.negate %x, %x : tensor<2x3xf32>"},
      {"negate (arity)", x, "%0:2 = stablehlo.negate %x : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)"},
      {"add (C1)", x, "%0 = stablehlo.add %x, %i : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>"},
      {"add (C1)", x, "%0 = stablehlo.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>"},
      {"sine (C1)", x, "%0 = stablehlo.sine %x : (tensor<2x3xf32>) -> tensor<2x3xf64>"},
      {"abs (C1)", x, "%0 = stablehlo.abs %c : (tensor<2x3xcomplex<f32>>) -> tensor<2xf32>"},
      {"abs (C2)", x, "%0 = stablehlo.abs %c : tensor<2x3xcomplex<f32>>"},
      {"abs (C2)", x, "%0 = stablehlo.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf64>"},
      {"is_finite (type)", x, "%0 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2x3xf32>"},
      {"is_finite (C1)", x, "%0 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2xi1>"},
      {"erf (C1)", x, "%0 = chlo.erf %x : tensor<2x3xf32> -> tensor<2xf32>"},
  });
}

/// The operations grouped by the element types that the specification's Inputs tables allow, with examples of allowed
/// and of refused types. Operands and result have the same type (C1), so that a wrong element type is reported once, by
/// (I1) of the first operand.
TEST(Constraints, ElementTypesOfElementwise) {
  struct Family {
    std::vector<const char*> unary;
    std::vector<const char*> binary;
    std::vector<const char*> taken;
    std::vector<const char*> refused;
  };
  const Family families[] = {
      {{}, {"add", "multiply", "maximum", "minimum"}, {"i1", "i8", "ui8", "f32", "complex<f32>"}, {}},
      {{"negate"}, {"subtract", "divide", "remainder", "power"}, {"i8", "ui8", "bf16", "complex<f64>"}, {"i1"}},
      {{"not"}, {"and", "or", "xor"}, {"i1", "i4", "ui64"}, {"f32", "complex<f32>"}},
      {{"popcnt", "count_leading_zeros"},
       {"shift_left", "shift_right_arithmetic", "shift_right_logical"},
       {"i8", "ui32"},
       {"i1", "f32", "complex<f32>"}},
      {{"sign"}, {}, {"i8", "f64", "complex<f32>"}, {"i1", "ui8"}},
      {{"abs"}, {}, {"i8", "f64"}, {"i1", "ui8"}},
      {{"exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "sqrt", "rsqrt", "cbrt", "tanh",
        "tan", "sine", "cosine"},
       {"atan2"},
       {"f16", "f8E4M3FN", "complex<f32>"},
       {"i1", "i32", "ui8"}},
      {{"floor", "ceil", "round_nearest_afz", "round_nearest_even"},
       {},
       {"bf16", "f64"},
       {"i1", "i32", "complex<f32>"}},
  };
  for (const Family& family : families) {
    const auto expect = [&](const char* element, bool taken) {
      const std::string type = std::string("tensor<3x") + element + ">";
      const auto one = [&](const char* name, const char* operands) {
        expect_verdict("func.func @main(%x: " + type + ") {\n  %0 = stablehlo." + name + operands + " : " + type +
                           "\n  return\n}\n",
                       taken ? "" : std::string(name) + " (I1)");
      };
      for (const char* name : family.unary) one(name, " %x");
      for (const char* name : family.binary) one(name, " %x, %x");
    };
    for (const char* element : family.taken) expect(element, true);
    for (const char* element : family.refused) expect(element, false);
  }
  expect_verdicts({
      {"is_finite (I1)", "%x: tensor<3xi32>", "%0 = stablehlo.is_finite %x : (tensor<3xi32>) -> tensor<3xi1>"},
      {"is_finite (I1)", "%x: tensor<3xcomplex<f32>>",
       "%0 = stablehlo.is_finite %x : (tensor<3xcomplex<f32>>) -> tensor<3xi1>"},
      {"erf (I1)", "%x: tensor<3xi32>", "%0 = chlo.erf %x : tensor<3xi32> -> tensor<3xi32>"},
      {"", "%x: tensor<3xi32>", "%0 = chlo.square %x : tensor<3xi32> -> tensor<3xi32>"},
  });
}

TEST(Constraints, CompareTypes) {
  const auto compare = [&](const char* code, const std::string& element, const std::string& type) {
    const std::string t = "tensor<3x" + element + ">";
    expect_verdict("func.func @main(%x: " + t + ") {\n  %0 = stablehlo.compare EQ, %x, %x, " + type + " : (" + t +
                       ", " + t + ") -> tensor<3xi1>\n  return\n}\n",
                   code);
  };
  const std::vector<std::pair<const char*, std::vector<const char*>>> allowed = {
      {"i8", {"SIGNED"}},          {"ui8", {"UNSIGNED"}}, {"i1", {"UNSIGNED"}}, {"f32", {"FLOAT", "TOTALORDER"}},
      {"complex<f32>", {"FLOAT"}},
  };
  for (const auto& [element, types] : allowed) {
    for (const char* type : {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}) {
      const bool fits = std::any_of(types.begin(), types.end(), [&](const std::string& t) { return t == type; });
      compare(fits ? "" : "compare (C3)", element, type);
    }
    compare("", element, "NOTYPE");
    compare("compare (I4)", element, "OTHER");
  }
}

TEST(Constraints, CompareSelectClampConvert) {
  const char* const x =
      "%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %q: tensor<5xi1>, %s: tensor<i1>, "
      "%l: tensor<f32>";
  expect_verdicts({
      {"", x, "%0 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"},
      {"compare (attributes)", x,
       R"(%0 = "stablehlo.compare"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>)"},
      {"compare (arity)", x,
       R"(%0 = "stablehlo.compare"(%x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xf32>) -> tensor<4xi1>)"},
      {"compare (C1)", x, "%0 = stablehlo.compare LT, %x, %i : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>"},
      {"compare (C2)", x, "%0 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>"},
      {"compare (C2)", x, "%0 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>"},
      {"compare (type)", x, "%0 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>"},
      {"compare (I3)", x, "%0 = stablehlo.compare XX, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"},
      {"", x, "%0 = stablehlo.select %s, %x, %x : tensor<i1>, tensor<4xf32>"},
      {"select (arity)", x, R"(%0 = "stablehlo.select"(%p, %x) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>)"},
      {"select (I1)", x, "%0 = stablehlo.select %i, %x, %x : tensor<4xi32>, tensor<4xf32>"},
      {"select (C1)", x, "%0 = stablehlo.select %q, %x, %x : tensor<5xi1>, tensor<4xf32>"},
      {"select (C2)", x,
       R"(%0 = "stablehlo.select"(%p, %x, %i) : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>)"},
      {"select (C2)", x,
       R"(%0 = "stablehlo.select"(%p, %x, %x) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>)"},
      {"", x, "%0 = stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"},
      {"clamp (arity)", x, "%0 = stablehlo.clamp %x, %x : tensor<4xf32>"},
      {"clamp (C1)", x,
       "%0 = stablehlo.clamp %y, %x, %x : (tensor<5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"},
      {"clamp (C2)", x,
       "%0 = stablehlo.clamp %x, %x, %y : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>"},
      {"clamp (C3)", x,
       "%0 = stablehlo.clamp %i, %x, %x : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"},
      {"clamp (C4)", x, "%0 = stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<5xf32>"},
      {"", x, "%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>"},
      {"convert (arity)", x, "%0 = stablehlo.convert %x, %x : tensor<4xf32>"},
      {"convert (C1)", x, "%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<5xf32>"},
  });
}

TEST(Constraints, BitcastAndReducePrecision) {
  const auto bitcast = [](const std::string& from, const std::string& to) {
    return "%0 = \"stablehlo.bitcast_convert\"(%x) : (" + from + ") -> " + to;
  };
  const auto expect = [&](const char* code, const std::string& from, const std::string& to) {
    expect_verdicts({{code, ("%x: " + from).c_str(), bitcast(from, to)}});
  };
  expect("", "tensor<3xf32>", "tensor<3xi32>");
  expect("", "tensor<3xf32>", "tensor<3x4xi8>");
  expect("", "tensor<3x2xf32>", "tensor<3xf64>");
  expect("", "tensor<2xcomplex<f32>>", "tensor<complex<f64>>");
  expect("bitcast_convert (C1)", "tensor<3xf32>", "tensor<4xi32>");
  expect("bitcast_convert (C1)", "tensor<3xf32>", "tensor<3x2xi8>");
  expect("bitcast_convert (C1)", "tensor<3xf32>", "tensor<3xi8>");
  expect("bitcast_convert (C1)", "tensor<3x2xf32>", "tensor<2xf64>");
  expect("bitcast_convert (C1)", "tensor<3xf32>", "tensor<3xf64>");
  expect("bitcast_convert (C1)", "tensor<f32>", "tensor<f64>");
  expect("bitcast_convert (C1)", "tensor<4xf4E2M1FN>", "tensor<4xf6E2M3FN>");
  expect("bitcast_convert (C2)", "tensor<3xcomplex<f32>>", "tensor<3xf64>");
  expect("bitcast_convert (C2)", "tensor<3x2xf64>", "tensor<3xcomplex<f64>>");
  const char* const x = "%x: tensor<4xf32>, %i: tensor<4xi32>";
  const auto reduce = [](const std::string& exponent, const std::string& mantissa,
                         const std::string& out = "tensor<4xf32>") {
    return "%0 = \"stablehlo.reduce_precision\"(%x) <{exponent_bits = " + exponent + ", mantissa_bits = " + mantissa +
           "}> : (tensor<4xf32>) -> " + out;
  };
  expect_verdicts({
      {"bitcast_convert (arity)", x,
       R"(%0 = "stablehlo.bitcast_convert"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)"},
      {"", x, reduce("8 : i32", "0 : i32")},
      {"reduce_precision (attributes)", x,
       R"(%0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32}> : (tensor<4xf32>) -> tensor<4xf32>)"},
      {"reduce_precision (arity)", x,
       R"(%0 = "stablehlo.reduce_precision"() <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : () -> tensor<4xf32>)"},
      {"reduce_precision (I1)", x, "%0 = stablehlo.reduce_precision %i, format = e8m7 : tensor<4xi32>"},
      {"reduce_precision (I2)", x, reduce("true", "7 : i32")},
      {"reduce_precision (I3)", x, reduce("8 : i32", "7.0 : f32")},
      {"reduce_precision (C1)", x, reduce("8 : i32", "7 : i32", "tensor<4xbf16>")},
      {"reduce_precision (C1)", x, reduce("8 : i32", "7 : i32", "tensor<5xf32>")},
      {"reduce_precision (C2)", x, reduce("0 : i32", "7 : i32")},
      {"reduce_precision (C3)", x, reduce("8 : i32", "-1 : i32")},
  });
}

TEST(Constraints, Map) {
  const std::string form = R"(func.func @main(%x: tensor<2x3xf32>, %i: $i$) {
  $name$ = "stablehlo.map"($operands$) <{dimensions = array<i64: $dims$>}>$body$ : ($types$) -> $out$
  return
})";
  const auto body = [](const std::string& arguments, const std::string& returned) {
    return " ({ ^bb0(" + arguments + "): stablehlo.return " + returned + " })";
  };
  const std::string both = "%p: tensor<f32>, %q: tensor<i32>";
  expect_verdicts(form,
                  {{"name", "%0"},
                   {"operands", "%x, %i"},
                   {"types", "tensor<2x3xf32>, $i$"},
                   {"i", "tensor<2x3xi32>"},
                   {"dims", "0, 1"},
                   {"body", body(both, "%q : tensor<i32>")},
                   {"out", "tensor<2x3xi32>"}},
                  {
                      {"", {}},
                      {"map (arity)", {{"name", "%0:2"}, {"out", "(tensor<2x3xi32>, tensor<2x3xi32>)"}}},
                      {"map (C1)", {{"i", "tensor<3x2xi32>"}}},
                      {"map (C1)", {{"out", "tensor<3x2xi32>"}}},
                      {"map (C2)", {{"operands", ""}, {"types", ""}}},
                      {"map (C3)", {{"dims", "0"}}},
                      {"map (C3)", {{"dims", "1, 0"}}},
                      {"map (C3)", {{"dims", "0, -1"}}},
                      {"map (C4)", {{"body", ""}}},
                      {"map (C4)", {{"body", body("%p: tensor<f32>", "%p : tensor<f32>")}}},
                      {"map (C4)", {{"body", body("%p: tensor<f32>, %q: tensor<1xi32>", "%q : tensor<1xi32>")}}},
                      {"map (C4)", {{"body", body("%p: tensor<i32>, %q: tensor<i32>", "%q : tensor<i32>")}}},
                      {"map (C4)", {{"body", body(both, "%p : tensor<f32>")}}},
                      {"map (C4)", {{"body", body(both, "%q, %q : tensor<i32>, tensor<i32>")}}},
                      {"map (C4)", {{"out", "tensor<2x3xf32>"}}},
                  });
}

TEST(Constraints, ComplexPartsAndShardings) {
  const char* const x =
      "%x: tensor<4xf32>, %h: tensor<4xf16>, %i: tensor<4xi32>, %d: tensor<4xf64>, %c: tensor<4xcomplex<f32>>";
  const auto complex = [](const std::string& operands, const std::string& types,
                          const std::string& out = "tensor<4xcomplex<f32>>") {
    return "%0 = \"stablehlo.complex\"(" + operands + ") : (" + types + ") -> " + out;
  };
  const std::string two = "tensor<4xf32>, tensor<4xf32>";
  std::vector<Row> rows = {
      {"", x, complex("%x, %x", two)},
      {"complex (arity)", x, complex("%x", "tensor<4xf32>")},
      {"complex (I1)", x, complex("%h, %h", "tensor<4xf16>, tensor<4xf16>")},
      {"complex (C1)", x, complex("%x, %d", "tensor<4xf32>, tensor<4xf64>")},
      {"complex (C2)", x, complex("%x, %x", two, "tensor<5xcomplex<f32>>")},
      {"complex (C3)", x, complex("%x, %x", two, "tensor<4xcomplex<f64>>")},
      {"complex (C3)", x, complex("%x, %x", two, "tensor<4xf32>")},
      {"", x, R"(%0 = "sdy.sharding_constraint"(%x) : (tensor<4xf32>) -> tensor<4xf32>)"},
      {"sharding_constraint (C1)", x, R"(%0 = "sdy.sharding_constraint"(%x) : (tensor<4xf32>) -> tensor<5xf32>)"},
      {"sharding_constraint (C1)", x, R"(%0 = "sdy.sharding_constraint"() : () -> tensor<5xf32>)"},
      {"is_inf (type)", x, "%0 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xf32>"},
      {"is_inf (I1)", x, "%0 = chlo.is_inf %i : tensor<4xi32> -> tensor<4xi1>"},
      {"mulhi (I1)", x, "%0 = chlo.mulhi %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>"},
      {"zeta (C1)", x, "%0 = chlo.zeta %x, %d : tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>"},
      {"next_after (arity)", x, R"(%0 = "chlo.next_after"(%x) : (tensor<4xf32>) -> tensor<4xf32>)"},
  };
  for (const std::string name : {"real", "imag"}) {
    const auto part = [&](const std::string& operand, const std::string& type, const std::string& out) {
      return "%0 = \"stablehlo." + name + "\"(" + operand + ") : (" + type + ") -> " + out;
    };
    const bool real = name == "real";
    rows.push_back({"", x, part("%c", "tensor<4xcomplex<f32>>", "tensor<4xf32>")});
    rows.push_back({"", x, part("%x", "tensor<4xf32>", "tensor<4xf32>")});
    rows.push_back({real ? "real (I1)" : "imag (I1)", x, part("%i", "tensor<4xi32>", "tensor<4xi32>")});
    rows.push_back({real ? "real (C1)" : "imag (C1)", x, part("%c", "tensor<4xcomplex<f32>>", "tensor<5xf32>")});
    rows.push_back({real ? "real (C2)" : "imag (C2)", x, part("%c", "tensor<4xcomplex<f32>>", "tensor<4xf64>")});
    rows.push_back({real ? "real (C2)" : "imag (C2)", x, part("%x", "tensor<4xf32>", "tensor<4xf64>")});
  }
  for (const char* name : {"acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma",
                           "erf", "erf_inv", "erfc", "lgamma", "sinh", "tan"}) {
    const std::string unary = std::string("%0 = chlo.") + name;
    const std::string c1 = std::string(name) + " (C1)";
    const std::string i1 = std::string(name) + " (I1)";
    expect_verdicts({{"", x, unary + " %x : tensor<4xf32> -> tensor<4xf32>"},
                     {c1.c_str(), x, unary + " %x : tensor<4xf32> -> tensor<5xf32>"},
                     {c1.c_str(), x, unary + " %x : tensor<4xf32> -> tensor<4xf64>"},
                     {i1.c_str(), x, unary + " %i : tensor<4xi32> -> tensor<4xi32>"}});
  }
  expect_verdicts(rows);
}

TEST(Constraints, ConstantAndIota) {
  const char* const x = "%x: tensor<4xf32>";
  expect_verdicts({
      {"", "", R"(%0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>)"},
      {"constant (attributes)", "", R"(%0 = "stablehlo.constant"() : () -> tensor<2xi32>)"},
      {"constant (I1)", "", R"(%0 = "stablehlo.constant"() <{value = 1 : i32}> : () -> tensor<i32>)"},
      {"", "", R"(%0 = "stablehlo.constant"() <{value = dense_resource<w> : tensor<2xi32>}> : () -> tensor<2xi32>)"},
      {"constant (C1)", "",
       R"(%0 = "stablehlo.constant"() <{value = dense_resource<w> : tensor<2xi32>}> : () -> tensor<3xi32>)"},
      {"constant (arity)", x,
       R"(%0 = "stablehlo.constant"(%x) <{value = dense<1> : tensor<2xi32>}> : (tensor<4xf32>) -> tensor<2xi32>)"},
      {"constant (C1)", "",
       R"(%0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<3xi32>)"},
      {"", "", "%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>"},
      {"iota (attributes)", "", R"(%0 = "stablehlo.iota"() : () -> tensor<2xi32>)"},
      {"iota (arity)", x, "%0 = stablehlo.iota %x, dim = 0 : tensor<4xf32>"},
      {"iota (C1)", "", "%0 = stablehlo.iota dim = 2 : tensor<2x3xi32>"},
      {"iota (C1)", "", "%0 = stablehlo.iota dim = -1 : tensor<2x3xi32>"},
      {"iota (C1)", "", "%0 = stablehlo.iota dim = 0 : tensor<i32>"},
      {"iota (type)", "", "%0 = stablehlo.iota dim = 0 : tensor<3xi1>"},
  });
}

}  // namespace
}  // namespace partir::testing
