// Effects must happen as in the source, operations that depend on the device are not proved in whatever region they
// are, and every loop must end when the source's does. Each refused case is next to a similar one that holds.
#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_effects_test {
namespace {

using namespace testing;

/// Returns the steps of a module whose operations are the source's own, at the same paths and on replicated values.
std::string same_places(const std::vector<std::string>& places) {
  std::string out;
  for (const std::string& p : places)
    out += std::string(out.empty() ? "" : ", ") + R"({"op": ")" + p + R"(", "source": ")" + p + "\"}";
  return out;
}
std::string stands(const std::string& op, const std::string& source, const std::string& types = "") {
  return R"({"op": ")" + op + R"(", "source": ")" + source + "\"" +
         (types.empty() ? "" : R"(, "types": [)" + types + "]") + "}";
}

/// Returns a function of %x with this body, which returns %r: the source, or a device-local program in which all values
/// are replicated.
std::string function(const std::string& body, const std::string& attributes) {
  return "func.func @main(%x: tensor<4xf32>" + attributes + ") -> (tensor<4xf32>" + attributes + ") {\n" + body +
         "  return %r : tensor<4xf32>\n}";
}
CertificateReport carried(const std::string& source, const std::string& target, const std::string& steps) {
  return checked(function(source, ""), function(target, is_part("[{}]")), steps);
}
CertificateReport carried(const std::string& body, const std::vector<std::string>& places) {
  return carried(body, body, same_places(places));
}

const std::string kPrint = "  stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()\n";
const std::string kOther = "  stablehlo.custom_call @other(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()\n";
const std::string kTanh = "  %r = stablehlo.tanh %x : tensor<4xf32>\n";

TEST(Effects, AreNotLeftOut) {
  expect_proved(carried(kTanh, {"0"}));
  expect_unknown(carried(kPrint + kTanh, {"0", "1"}), "has effects");
  expect_refused(carried(kPrint + kTanh, kTanh, stands("0", "1")), "leaves out stablehlo.custom_call");
  expect_refused(carried(kTanh + kPrint, kTanh, stands("0", "0")), "leaves out stablehlo.custom_call");
  expect_refused(carried(kPrint + kOther + kTanh, kOther + kTanh, stands("0", "1") + ", " + stands("1", "2")),
                 "stands out of the source's order");
  expect_refused(carried(kPrint + kOther + kTanh, kPrint + kTanh, stands("0", "0") + ", " + stands("1", "2")),
                 "leaves out stablehlo.custom_call");
}

TEST(Effects, AreNotAddedRepeatedOrReordered) {
  expect_refused(carried(kTanh, kPrint + kTanh, stands("1", "0")), "stands in no step");
  expect_refused(carried(kPrint + kTanh, kPrint + kPrint + kTanh,
                         stands("0", "0") + ", " + stands("1", "0") + ", " + stands("2", "1")),
                 "stands twice");
  expect_refused(carried(kPrint + kOther + kTanh, kOther + kPrint + kTanh,
                         stands("0", "1") + ", " + stands("1", "0") + ", " + stands("2", "2")),
                 "stands out of the source's order");
}

TEST(Effects, AreThoseOfGeneratorsWithAHiddenState) {
  const std::string rng =
      "  %a = stablehlo.constant dense<0.0> : tensor<f32>\n  %b = stablehlo.constant dense<1.0> : tensor<f32>\n"
      "  %s = stablehlo.constant dense<4> : tensor<1xi64>\n"
      "  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> "
      "tensor<4xf32>\n";
  expect_unknown(carried(rng, {"0", "1", "2", "3"}), "stablehlo.rng has effects");
  // This generator's state is an operand, so that it has no effect.
  const std::string bits =
      "  %k = stablehlo.constant dense<[1, 2]> : tensor<2xui64>\n"
      "  %t, %d = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, "
      "tensor<4xui32>)\n  %r = stablehlo.convert %d : (tensor<4xui32>) -> tensor<4xf32>\n";
  expect_proved(carried(bits, {"0", "1", "2"}));
}

/// Returns a branch around `inside`, whose lines define %y.
std::string branches(const std::string& inside) {
  return "  %p = stablehlo.constant dense<true> : tensor<i1>\n"
         "  %r = \"stablehlo.if\"(%p) ({\n" +
         inside +
         "    stablehlo.return %y : tensor<4xf32>\n  }, {\n    stablehlo.return %x : tensor<4xf32>\n"
         "  }) : (tensor<i1>) -> tensor<4xf32>\n";
}

TEST(Effects, AreLookedForInRegions) {
  expect_proved(carried(branches("    %y = stablehlo.tanh %x : tensor<4xf32>\n"), {"0", "1"}));
  const std::string device =
      "    %i = stablehlo.partition_id : tensor<ui32>\n    %f = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>\n"
      "    %y = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4xf32>\n";
  expect_unknown(carried(branches(device), {"0", "1"}), "stablehlo.partition_id in it depends on the device");
  expect_unknown(
      carried(branches("    %i = stablehlo.replica_id : tensor<ui32>\n    %y = stablehlo.tanh %x : tensor<4xf32>\n"),
              {"0", "1"}),
      "depends on the device");
  const std::string reduced =
      "    %y = \"stablehlo.all_reduce\"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({\n"
      "    ^bb0(%p0: tensor<f32>, %q0: tensor<f32>):\n      %s = stablehlo.add %p0, %q0 : tensor<f32>\n"
      "      stablehlo.return %s : tensor<f32>\n    }) : (tensor<4xf32>) -> tensor<4xf32>\n";
  expect_unknown(carried(branches(reduced), {"0", "1"}), "stablehlo.all_reduce in it depends on the device");
  expect_unknown(carried(branches("  " + kPrint + "    %y = stablehlo.tanh %x : tensor<4xf32>\n"), {"0", "1"}),
                 "stablehlo.custom_call in it has effects");
  // The operation is two regions deep.
  const std::string deep =
      "    %q = stablehlo.constant dense<true> : tensor<i1>\n    %y = \"stablehlo.if\"(%q) ({\n"
      "      %j = stablehlo.partition_id : tensor<ui32>\n"
      "      stablehlo.return %x : tensor<4xf32>\n    }, {\n"
      "      stablehlo.return %x : tensor<4xf32>\n    }) : (tensor<i1>) -> tensor<4xf32>\n";
  expect_unknown(carried(branches(deep), {"0", "1"}), "depends on the device");
}

TEST(Effects, AreLookedForInTheRegionsOfArrayOperations) {
  const auto map = [](const std::string& inside) {
    return "  %r = \"stablehlo.map\"(%x) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%e: tensor<f32>):\n" + inside +
           "    stablehlo.return %y : tensor<f32>\n  }) : (tensor<4xf32>) -> tensor<4xf32>\n";
  };
  expect_proved(carried(map("    %y = stablehlo.tanh %e : tensor<f32>\n"), {"0"}));
  const std::string device =
      "    %i = stablehlo.partition_id : tensor<ui32>\n"
      "    %y = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>\n";
  expect_unknown(carried(map(device), {"0"}), "depends on the device");
  const std::string random =
      "    %s = stablehlo.constant dense<> : tensor<0xi64>\n"
      "    %y = stablehlo.rng %e, %e, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> "
      "tensor<f32>\n";
  expect_unknown(carried(map(random), {"0"}), "stablehlo.rng in it has effects");
  const auto sort = [](const std::string& inside) {
    return "  %r = \"stablehlo.sort\"(%x) <{dimension = 0 : i64, is_stable = true}> ({\n"
           "  ^bb0(%e: tensor<f32>, %g: tensor<f32>):\n" +
           inside +
           "    %y = stablehlo.compare LT, %e, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
           "    stablehlo.return %y : tensor<i1>\n  }) : (tensor<4xf32>) -> tensor<4xf32>\n";
  };
  expect_proved(carried(sort(""), {"0"}));
  expect_unknown(carried(sort("    %i = stablehlo.partition_id : tensor<ui32>\n"), {"0"}), "depends on the device");
}

/// Returns the loop while (u < 3) { v, u = tanh v, u + 1 }, whose body may hold more operations; %r is the final v.
std::string loop(const std::string& inside, const std::string& yields) {
  return "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "  %r, %n = stablehlo.while(%v = %x, %u = %z) : tensor<4xf32>, tensor<f32>\n   cond {\n"
         "    %c = stablehlo.constant dense<3.0> : tensor<f32>\n"
         "    %p = stablehlo.compare LT, %u, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
         "    stablehlo.return %p : tensor<i1>\n  } do {\n"
         "    %o = stablehlo.constant dense<1.0> : tensor<f32>\n"
         "    %w = stablehlo.tanh %v : tensor<4xf32>\n    %t = stablehlo.add %u, %o : tensor<f32>\n" +
         inside + "    stablehlo.return " + yields + " : tensor<4xf32>, tensor<f32>\n  }\n";
}
const std::string kTypes = R"("[{}]", "[]")";
const std::string kLoop = stands("0", "0") + ", " + stands("1", "1", kTypes) + ", " +
                          same_places({"1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.1.2"});

TEST(Termination, IsThatOfTheSourcesLoops) {
  expect_proved(carried(loop("", "%w, %t"), loop("", "%w, %t"), kLoop));
  // The body contains the same loop again. It yields what the surrounding iteration computed, so that u never changes
  // and the loop does not end.
  const std::string again =
      "    %r2, %n2 = stablehlo.while(%v2 = %x, %u2 = %z) : tensor<4xf32>, tensor<f32>\n     cond {\n"
      "      %c2 = stablehlo.constant dense<3.0> : tensor<f32>\n"
      "      %p2 = stablehlo.compare LT, %u2, %c2 : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "      stablehlo.return %p2 : tensor<i1>\n    } do {\n"
      "      stablehlo.return %w, %t : tensor<4xf32>, tensor<f32>\n    }\n";
  const std::string steps = kLoop + ", " + stands("1.1.3", "1", kTypes) + ", " + stands("1.1.3.0.0", "1.0.0") + ", " +
                            stands("1.1.3.0.1", "1.0.1");
  expect_refused(carried(loop("", "%w, %t"), loop(again, "%w, %t"), steps), "in another nesting");
}

TEST(Termination, IsRefusedForASecondLoopBehindTheFirst) {
  const std::string source = loop("", "%w, %t");
  std::string second = source.substr(source.find("  %r, %n"));
  for (const char* name : {"%r,", "%n ", "%v", "%u", "%c", "%p", "%o", "%w", "%t"}) {
    std::string from = name;
    std::string to =
        from.back() == ',' || from.back() == ' ' ? from.substr(0, from.size() - 1) + "9" + from.back() : from + "9";
    for (auto at = second.find(from); at != std::string::npos; at = second.find(from, at + to.size()))
      second.replace(at, from.size(), to);
  }
  const std::string steps = kLoop + ", " + stands("2", "1", kTypes) + ", " + stands("2.0.0", "1.0.0") + ", " +
                            stands("2.0.1", "1.0.1") + ", " + stands("2.1.0", "1.1.0") + ", " +
                            stands("2.1.1", "1.1.1") + ", " + stands("2.1.2", "1.1.2");
  expect_refused(carried(source, source + second, steps), "stands twice");
}

TEST(Termination, IsRefusedForALoopMovedIntoAnother) {
  // In the source one loop follows another; here it is computed in the other's body.
  const std::string inner =
      "  %r5, %n5 = stablehlo.while(%v5 = %x, %u5 = %z) : tensor<4xf32>, tensor<f32>\n   cond {\n"
      "    %c5 = stablehlo.constant dense<3.0> : tensor<f32>\n"
      "    %p5 = stablehlo.compare LT, %u5, %c5 : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "    stablehlo.return %p5 : tensor<i1>\n  } do {\n"
      "    %t5 = stablehlo.add %u5, %u5 : tensor<f32>\n"
      "    stablehlo.return %v5, %t5 : tensor<4xf32>, tensor<f32>\n  }\n";
  const std::string one = loop("", "%w, %t");
  const auto at = one.find("  %r, %n");
  const std::string source = one.substr(0, at) + inner + one.substr(at);
  const std::string steps = stands("0", "0") + ", " + stands("1", "2", kTypes) + ", " + stands("1.0.0", "2.0.0") +
                            ", " + stands("1.0.1", "2.0.1") + ", " + stands("1.1.0", "2.1.0") + ", " +
                            stands("1.1.1", "2.1.1") + ", " + stands("1.1.2", "2.1.2") + ", " +
                            stands("1.1.3", "1", kTypes) + ", " + stands("1.1.3.0.0", "1.0.0") + ", " +
                            stands("1.1.3.0.1", "1.0.1") + ", " + stands("1.1.3.1.0", "1.1.0");
  expect_refused(carried(source, loop(inner, "%w, %t"), steps), "in another nesting");
}

TEST(Termination, IsRefusedForALoopCarriedWholeInItsOwnBody) {
  const std::string source = loop("", "%w, %t");
  std::string copy = source.substr(source.find("  %r, %n"));
  for (const char* from : {"%r,", "%n ", "%v", "%u", "%c", "%p", "%o", "%w", "%t"}) {
    const std::string name = from;
    const bool ends = name.back() == ',' || name.back() == ' ';
    const std::string to = ends ? name.substr(0, name.size() - 1) + "8" + name.back() : name + "8";
    for (auto k = copy.find(name); k != std::string::npos; k = copy.find(name, k + to.size()))
      copy.replace(k, name.size(), to);
  }
  expect_refused(carried(source, loop(copy, "%w, %t"), kLoop + ", " + stands("1.1.3", "1")), "in another nesting");
}

/// A donated argument can no longer be read by the caller, so only what the source donates may be donated.
TEST(CertificatesOfEffects, DonateOnlyWhatTheSourceDoes) {
  const auto program = [](const std::string& argument, const std::string& result) {
    return "func.func @main(%x: tensor<4xf32>" + argument + ") -> (tensor<4xf32>" + result +
           ") {\n  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}";
  };
  const std::string part = R"(mhlo.frontend_attributes = {partir.sharding = "[{}]"})";
  const auto report = [&](const std::string& source, const std::string& device) {
    return checked(program(source.empty() ? "" : " {" + source + "}", ""),
                   program(" {" + part + (device.empty() ? "" : ", " + device) + "}", " {" + part + "}"),
                   R"({"op": "0", "source": "0"})");
  };
  const std::string alias = "tf.aliasing_output = 0 : i32";
  expect_proved(report("", ""));
  expect_proved(report(alias, alias));
  expect_proved(report("jax.buffer_donor = true", alias));
  expect_proved(report(alias, ""));
  expect_refused(report("", alias), "argument 0 is donated");
  expect_refused(report("jax.buffer_donor = false", "jax.buffer_donor = true"), "argument 0 is donated");
  expect_refused(report(alias, "tf.aliasing_output = 1 : i32"), "a result that is not there");
}

/// Results share the memory of arguments of their type, one each.
TEST(CertificatesOfEffects, StoreEachArgumentInAResultOfItsType) {
  const std::string part = R"(mhlo.frontend_attributes = {partir.sharding = "[{}]"})";
  const auto stored = [&](const std::string& x, const std::string& y, const std::string& attributes) {
    const auto argument = [&](const std::string& name, const std::string& type, const std::string& place) {
      return "%" + name + ": " + type + " {" + (attributes.empty() ? "" : attributes + ", ") +
             "tf.aliasing_output = " + place + " : i32}";
    };
    const std::string own = attributes.empty() ? "" : " {" + attributes + "}";
    return "func.func @main(" + argument("x", "tensor<4xf32>", x) + ", " + argument("y", "tensor<4xi32>", y) + ", " +
           argument("z", "tensor<4xf32>", "2") + ") -> (tensor<4xf32>" + own + ", tensor<4xi32>" + own +
           ", tensor<4xf32>" + own + ") {\n  return %x, %y, %z : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>\n}";
  };
  const std::string source = stored("0", "1", "");
  expect_proved(checked(source, stored("0", "1", part), ""));
  expect_refused(checked(source, stored("1", "0", part), ""), "argument 0 shares memory with result 1");
  expect_refused(checked(source, stored("2", "1", part), ""), "which is another argument's");
}

}  // namespace
}  // namespace partir::certificate_effects_test
