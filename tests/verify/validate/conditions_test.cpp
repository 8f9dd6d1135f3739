// Validation proves nothing unless device computations are shown to be defined wherever the source is, and promises of
// operations to be kept. The conditions that are not shown are named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/text/read.h"
#include "verify/validate/validate.h"

namespace partir::validate {
namespace {

/// Validates a source and a device program that compute %1 from %x = a + 100000 by these lines. Random inputs are near
/// 0, so that no trial meets an argument on which a root or a logarithm is undefined.
Validation validated(const std::string& source, const std::string& device) {
  const auto program = [](const std::string& size, const std::string& lines) {
    return fmt::format(R"(module {{
  func.func @main(%a: tensor<{0}xf32>) -> tensor<{0}xf32> {{
    %c = stablehlo.constant dense<100000.0> : tensor<{0}xf32>
    %x = stablehlo.add %a, %c : tensor<{0}xf32>
    {1}
    return %1 : tensor<{0}xf32>
  }}
}})",
                       size, fmt::format(fmt::runtime(lines), fmt::format("tensor<{}xf32>", size)));
  };
  Options options;
  options.shardings = R"({"mesh": "d=2", "arguments": ["[{d}]"], "results": ["[{d}]"]})";
  return value_or_throw(validate_partition(value_or_throw(read_module(program("4", source), "source")),
                                           value_or_throw(read_module(program("2", device), "device")), {}, options));
}

const char* const kItself = "%1 = stablehlo.reshape %x : ({0}) -> {0}";

TEST(Conditions, NameWhatADeviceAloneTakesLogarithmsAndRootsOf) {
  for (const char* device : {"%0 = stablehlo.log %x : {0}\n    %1 = stablehlo.exponential %0 : {0}",
                             "%0 = stablehlo.sqrt %x : {0}\n    %1 = stablehlo.multiply %0, %0 : {0}",
                             "%z = stablehlo.constant dense<0.0> : {0}\n    %l = chlo.acosh %x : {0} -> {0}\n    %0 = "
                             "stablehlo.multiply %l, %z : "
                             "{0}\n    %1 = stablehlo.add %x, %0 : {0}",
                             "%z = stablehlo.constant dense<0.3> : {0}\n    %l = stablehlo.power %x, %z : {0}\n    %0 "
                             "= stablehlo.subtract %l, %l "
                             ": {0}\n    %1 = stablehlo.add %x, %0 : {0}"}) {
    const Validation v = validated(kItself, device);
    EXPECT_EQ(v.verdict, Verdict::unknown) << device << v.reason;
    ASSERT_EQ(v.conditions.size(), 1U) << device;
    EXPECT_NE(v.conditions[0].find("logarithms, roots or powers"), std::string::npos) << v.conditions[0];
  }
}

TEST(Conditions, AreOfEveryFunctionThatSomeNumbersLackAValueOf) {
  for (const char* hidden : {"%l = chlo.lgamma %x : {0} -> {0}", "%l = chlo.digamma %x : {0} -> {0}",
                             "%l = chlo.zeta %x, %x : {0}, {0} -> {0}", "%l = stablehlo.tan %x : {0}",
                             "%l = stablehlo.log_plus_one %x : {0}", "%l = chlo.polygamma %x, %x : {0}, {0} -> {0}"}) {
    const Validation v =
        validated(kItself, std::string(hidden) +
                               "\n    %z = stablehlo.constant dense<0.0> : {0}\n    %0 = stablehlo.multiply %l, %z : "
                               "{0}\n    %1 = stablehlo.add %x, %0 : {0}");
    EXPECT_NE(v.verdict, Verdict::proved) << hidden << v.reason;
  }
}

TEST(Conditions, LeaveToTheCallerWhatTheSourceDoes) {
  const auto program = [](const std::string& attributes) {
    return value_or_throw(read_module("module {\nfunc.func @main(%a: tensor<4xf32>" + attributes +
                                          ") -> tensor<4xf32> {\n  %0 = stablehlo.add %a, %a : tensor<4xf32>\n  return "
                                          "%0 : tensor<4xf32>\n}\n}",
                                      "program"));
  };
  Options options;
  options.shardings = R"({"mesh": "d=2", "arguments": ["[{}]"], "results": ["[{}]"]})";
  const auto verdict = [&](const std::string& source, const std::string& device) {
    return value_or_throw(validate_partition(program(source), program(device), {}, options)).verdict;
  };
  const std::string given = " {tf.aliasing_output = 0 : i32}";
  const std::string donor = " {jax.buffer_donor = true}";
  EXPECT_EQ(verdict(given, given), Verdict::proved);
  EXPECT_EQ(verdict(donor, given), Verdict::proved);
  EXPECT_EQ(verdict(given, ""), Verdict::proved);
  EXPECT_EQ(verdict("", given), Verdict::unknown);
  EXPECT_EQ(verdict("", donor), Verdict::unknown);
}

TEST(Conditions, NameWhatADeviceAloneDividesBy) {
  const Validation v =
      validated(kItself, "%0 = stablehlo.divide %x, %x : {0}\n    %1 = stablehlo.multiply %0, %x : {0}");
  EXPECT_EQ(v.verdict, Verdict::unknown) << v.reason;
  ASSERT_EQ(v.conditions.size(), 1U);
  EXPECT_NE(v.conditions[0].find("divisors"), std::string::npos);
}

TEST(Conditions, AreNoneWhereTheSourceHasThemToo) {
  const char* const same = "%0 = stablehlo.log %x : {0}\n    %1 = stablehlo.add %0, %0 : {0}";
  const char* const twice =
      "%0 = stablehlo.log %x : {0}\n    %z = stablehlo.constant dense<2.0> : {0}\n    %1 = stablehlo.multiply %0, %z : "
      "{0}";
  const Validation v = validated(same, twice);
  EXPECT_EQ(v.verdict, Verdict::proved) << v.reason;
  EXPECT_TRUE(v.conditions.empty());
}

TEST(Conditions, AreNoneOfWhatIsPositiveOnAllInputs) {
  const Validation v = validated(kItself,
                                 "%e = stablehlo.exponential %a : {0}\n    %l = stablehlo.log %e : {0}\n    "
                                 "%1 = stablehlo.add %l, %c : {0}");
  EXPECT_EQ(v.verdict, Verdict::proved) << v.reason;
  EXPECT_TRUE(v.conditions.empty());
}

/// Validates a program against two devices that hold all of its arguments and run the other program.
Validation compared(const std::string& source, const std::string& device) {
  Options options;
  options.mesh = value_or_throw(Mesh::parse("d=2"));
  options.infer = false;
  return value_or_throw(validate_partition(value_or_throw(read_module(source, "source")),
                                           value_or_throw(read_module(device, "device")), {}, options));
}

/// The same with the program itself, in which some text is replaced.
Validation with_text(const std::string& program, const std::string& text, const std::string& by) {
  std::string device = program;
  device.replace(device.find(text), text.size(), by);
  return compared(program, device);
}

TEST(Conditions, NameSortsThatMayExchangeEqualKeys) {
  const std::string program = R"(module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})";
  const Validation unstable = with_text(program, "is_stable = true", "is_stable = false");
  EXPECT_EQ(unstable.verdict, Verdict::unknown);
  ASSERT_EQ(unstable.conditions.size(), 1U);
  EXPECT_NE(unstable.conditions[0].find("not stable"), std::string::npos) << unstable.conditions[0];
  EXPECT_TRUE(with_text(program, "@main", "@main").conditions.empty());
}

/// A function of two scalars by these lines.
std::string of_scalars(const std::string& lines) {
  return "func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n"
         "%c = stablehlo.constant dense<100000.0> : tensor<f32>\n"
         "%x = stablehlo.add %a, %c : tensor<f32>\n" +
         lines + "return %r : tensor<f32>\n}\n";
}

const char* const kLogarithm = "%l = stablehlo.log %x : tensor<f32>\n";
const char* const kOfLogarithm = "%r = stablehlo.exponential %l : tensor<f32>\n";

/// `if p` with the exponential of the logarithm of x in the first region (of p) or the second, and x in the other.
std::string branch(bool first) {
  const std::string of_logarithm =
      std::string(kLogarithm) + "%e = stablehlo.exponential %l : tensor<f32>\nstablehlo.return %e : tensor<f32>\n";
  const std::string itself = "stablehlo.return %x : tensor<f32>\n";
  return "%r = \"stablehlo.if\"(%p) ({\n" + (first ? of_logarithm : itself) + "}, {\n" +
         (first ? itself : of_logarithm) + "}) : (tensor<i1>) -> tensor<f32>\n";
}

TEST(Conditions, OfABranchHoldInThatBranchOnly) {
  const std::string always = of_scalars(std::string(kLogarithm) + kOfLogarithm);
  EXPECT_EQ(compared(of_scalars(branch(true)), always).verdict, Verdict::unknown);
  EXPECT_EQ(compared(of_scalars(branch(true)), of_scalars(branch(false))).verdict, Verdict::unknown);
  EXPECT_EQ(compared(of_scalars(branch(true)), of_scalars(branch(true))).verdict, Verdict::proved);
  EXPECT_EQ(compared(always, of_scalars(branch(false))).verdict, Verdict::proved);
}

TEST(Conditions, AreNoneOfWhatIsNotUsed) {
  const std::string unused = of_scalars(std::string(kLogarithm) + "%r = stablehlo.add %x, %x : tensor<f32>\n");
  const std::string plain = of_scalars("%r = stablehlo.add %x, %x : tensor<f32>\n");
  const std::string device = of_scalars(std::string(kLogarithm) + "%e = stablehlo.exponential %l : tensor<f32>\n" +
                                        "%r = stablehlo.add %e, %x : tensor<f32>\n");
  EXPECT_EQ(compared(unused, device).verdict, Verdict::unknown);
  EXPECT_EQ(compared(plain, unused).verdict, Verdict::proved);
}

/// A sort of %NAME and its positions by these keys (#0 or #1).
std::string sort(const std::string& name, const std::string& of, int key, bool is_stable) {
  return fmt::format(R"(%{0}:2 = "stablehlo.sort"({1}) <{{dimension = 0 : i64, is_stable = {2}}}> ({{
    ^bb0(%x0: tensor<f32>, %y0: tensor<f32>, %x1: tensor<f32>, %y1: tensor<f32>):
      %1 = stablehlo.compare LT, %x{3}, %y{3} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }}) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
)",
                     name, of, is_stable, key);
}

TEST(Conditions, ThatASourcePromisesOfOtherElementsDoNotHold) {
  const auto program = [](const std::string& first, const std::string& second) {
    return "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n" + first +
           second + "return %s#1, %t#1 : tensor<4xf32>, tensor<4xf32>\n}\n";
  };
  for (const auto& [of, key] : {std::pair("%b, %a", 0), {"%a, %b", 1}}) {
    const std::string one = program(sort("s", "%a, %b", 0, false), sort("t", of, key, true));
    const std::string other = program(sort("s", "%a, %b", 0, true), sort("t", of, key, false));
    EXPECT_EQ(compared(one, other).verdict, Verdict::unknown) << one << other;
    EXPECT_EQ(compared(one, one).verdict, Verdict::proved) << one;
  }
}

/// Adds updates to %to at indices of one component, with a promise.
std::string scatter(const std::string& name, const std::string& to, const std::string& indices,
                    const std::string& updates, int count, const std::string& promise, int size = 8) {
  return fmt::format(R"(%q{0} = stablehlo.reshape {2} : (tensor<{4}xi32>) -> tensor<{4}x1xi32>
    %{0} = "stablehlo.scatter"({1}, %q{0}, {3}) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>{5}}}> ({{
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<{6}xf32>, tensor<{4}x1xi32>, tensor<{4}xf32>) -> tensor<{6}xf32>
)",
                     name, to, indices, updates, count, promise, size);
}

/// A function that adds %v to %a at %i by these lines, which compute %r.
std::string adding(const std::string& lines, int size = 8) {
  return fmt::format(
      "func.func @main(%a: tensor<{0}xf32>, %i: tensor<4xi32>, %v: tensor<4xf32>) -> tensor<{0}xf32> "
      "{{\n{1}return %r : tensor<{0}xf32>\n}}\n",
      size, lines);
}

/// Slices %i and %v to %iNAME and %vNAME, from `from` to `to` or backwards.
std::string part(const std::string& name, int from, int to) {
  return fmt::format(
      "%i{0} = stablehlo.slice %i [{1}:{2}] : (tensor<4xi32>) -> tensor<{3}xi32>\n"
      "%v{0} = stablehlo.slice %v [{1}:{2}] : (tensor<4xf32>) -> tensor<{3}xf32>\n",
      name, from, to, to - from);
}

const char* const kUnique = ", unique_indices = true";
const char* const kSorted = ", indices_are_sorted = true";

TEST(Promises, OfSomeOfTheIndicesFollow) {
  for (const std::string promise : {kUnique, kSorted}) {
    const std::string source = adding(scatter("r", "%a", "%i", "%v", 4, promise));
    const std::string parts = adding(part("0", 0, 2) + part("1", 2, 4) + scatter("t", "%a", "%i0", "%v0", 2, promise) +
                                     scatter("r", "%t", "%i1", "%v1", 2, promise));
    EXPECT_EQ(compared(source, parts).verdict, Verdict::proved) << promise;
    EXPECT_EQ(compared(adding(scatter("r", "%a", "%i", "%v", 4, "")), parts).verdict, Verdict::unknown) << promise;
    EXPECT_EQ(
        compared(adding(scatter("r", "%a", "%i", "%v", 4, promise == kUnique ? kSorted : kUnique)), parts).verdict,
        Verdict::unknown)
        << promise;
  }
}

TEST(Promises, ThatIndicesAreSortedDependOnTheirOrder) {
  const std::string backwards =
      "%i0 = stablehlo.reverse %i, dims = [0] : tensor<4xi32>\n"
      "%v0 = stablehlo.reverse %v, dims = [0] : tensor<4xf32>\n";
  const auto reversed = [&](const std::string& promise) {
    return compared(adding(scatter("r", "%a", "%i", "%v", 4, promise)),
                    adding(backwards + scatter("r", "%a", "%i0", "%v0", 4, promise)))
        .verdict;
  };
  EXPECT_EQ(reversed(kUnique), Verdict::proved);
  EXPECT_EQ(reversed(kSorted), Verdict::unknown);
}

TEST(Promises, OfAnIndexThatOccursTwiceDoNotFollow) {
  const std::string twice =
      "%h = stablehlo.constant dense<0.5> : tensor<4xf32>\n"
      "%u = stablehlo.multiply %v, %h : tensor<4xf32>\n"
      "%i0 = stablehlo.concatenate %i, %i, dim = 0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>\n"
      "%v0 = stablehlo.concatenate %u, %u, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>\n";
  const auto doubled = [&](const std::string& promise) {
    return compared(adding(scatter("r", "%a", "%i", "%v", 4, kUnique)),
                    adding(twice + scatter("r", "%a", "%i0", "%v0", 8, promise)))
        .verdict;
  };
  EXPECT_EQ(doubled(""), Verdict::proved);
  EXPECT_EQ(doubled(kUnique), Verdict::unknown);
}

TEST(Promises, ThatIndicesAreUniqueFollowForIndicesThatAreMoved) {
  const auto device = [](const std::string& promise) {
    return adding(
        "%d = stablehlo.partition_id : tensor<ui32>\n%e = stablehlo.convert %d : (tensor<ui32>) -> tensor<i32>\n"
        "%f = stablehlo.constant dense<4> : tensor<i32>\n%g = stablehlo.multiply %e, %f : tensor<i32>\n"
        "%o = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<i32>) -> tensor<4xi32>\n"
        "%m = stablehlo.subtract %i, %o : tensor<4xi32>\n" +
            scatter("r", "%a", "%m", "%v", 4, promise, 4),
        4);
  };
  Options options;
  options.infer = false;
  options.shardings = R"({"mesh": "d=2", "arguments": ["[{d}]", "[{}]", "[{}]"], "results": ["[{d}]"]})";
  const auto moved = [&](const std::string& promise) {
    const std::string source = adding(scatter("r", "%a", "%i", "%v", 4, promise));
    return value_or_throw(validate_partition(value_or_throw(read_module(source, "source")),
                                             value_or_throw(read_module(device(promise), "device")), {}, options))
        .verdict;
  };
  EXPECT_EQ(moved(kUnique), Verdict::proved);
  EXPECT_EQ(moved(kSorted), Verdict::unknown);  // i - 4 wraps for the least integers
}

TEST(Promises, OfABranchHoldInThatBranchOnly) {
  const auto program = [](const std::string& lines) {
    return "func.func @main(%p: tensor<i1>, %a: tensor<8xf32>, %i: tensor<4xi32>, %v: tensor<4xf32>) -> tensor<8xf32> "
           "{\n" +
           lines + "return %z : tensor<8xf32>\n}\n";
  };
  const auto branch = [&](const std::string& promise) {
    const std::string other = scatter("r", "%a", "%i", "%v", 4, "") + "stablehlo.return %r : tensor<8xf32>\n";
    return program("%z = \"stablehlo.if\"(%p) ({\n" + scatter("r", "%a", "%i", "%v", 4, promise) +
                   "stablehlo.return %r : tensor<8xf32>\n}, {\n" + other + "}) : (tensor<i1>) -> tensor<8xf32>\n");
  };
  EXPECT_EQ(compared(branch(kUnique), branch(kUnique)).verdict, Verdict::proved);
  EXPECT_EQ(compared(branch(kUnique), program(scatter("z", "%a", "%i", "%v", 4, kUnique))).verdict, Verdict::unknown);
}

TEST(Promises, OfOtherIndicesDoNotFollow) {
  // The source promises that i is unique; the device that (i[0], i[1] + 1) is.
  const auto program = [](const std::string& promise) {
    return adding("%one = stablehlo.constant dense<[0, 1]> : tensor<2xi32>\n" + part("0", 0, 2) +
                  "%moved = stablehlo.add %i0, %one : tensor<2xi32>\n" + scatter("t", "%a", "%i", "%v", 4, kUnique) +
                  scatter("r", "%t", "%moved", "%v0", 2, promise));
  };
  EXPECT_EQ(compared(program(""), program("")).verdict, Verdict::proved);
  EXPECT_EQ(compared(program(""), program(kUnique)).verdict, Verdict::unknown);
}

TEST(Promises, OfWindowsAreNotThoseOfPositions) {
  // Distinct indices write distinct places only if their windows are single positions: 0 and 1 overlap at 1.
  const auto program = [](const std::string& promise) {
    return fmt::format(R"(func.func @main(%a: tensor<8xf32>, %v: tensor<2x2xf32>) -> tensor<8xf32> {{
    %i = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
    %r = "stablehlo.scatter"(%a, %i, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>{0}}}> ({{
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<8xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }})",
                       promise);
  };
  EXPECT_EQ(compared(program(""), program("")).verdict, Verdict::proved);
  EXPECT_EQ(compared(program(""), program(kUnique)).verdict, Verdict::unknown);
}

TEST(Conditions, OfABranchAreThoseOfItsRegion) {
  // Region 0 of `if` runs where p is true, that of `case` where the index is 0; the last region of a case runs for all
  // other indices.
  const std::string logarithm =
      std::string(kLogarithm) + "%e = stablehlo.exponential %l : tensor<f32>\nstablehlo.return %e : tensor<f32>\n";
  const std::string itself = "stablehlo.return %x : tensor<f32>\n";
  const auto by_case = [&](const std::vector<std::string>& regions) {
    std::string text = "%i = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>\n%r = \"stablehlo.case\"(%i) (";
    for (const std::string& r : regions) text += (text.ends_with("}") ? ", {\n" : "{\n") + r + "}";
    return of_scalars(text + ") : (tensor<i32>) -> tensor<f32>\n");
  };
  const auto verdict = [&](const std::string& source, const std::string& device) {
    return compared(source, device).verdict;
  };
  EXPECT_EQ(verdict(by_case({logarithm, itself}), of_scalars(branch(true))), Verdict::unknown);
  EXPECT_EQ(verdict(by_case({logarithm, itself}), of_scalars(branch(false))), Verdict::proved);
  EXPECT_EQ(verdict(of_scalars(branch(true)), by_case({itself, logarithm})), Verdict::proved);
  const auto of_integers = [](std::string text) {
    text.replace(text.find("%p: tensor<i1>"), 14, "%i: tensor<i32>");
    return text.erase(text.find("%i = "), text.find("%r = ") - text.find("%i = "));
  };
  const std::string two = of_integers(by_case({itself, logarithm}));
  const std::string three = of_integers(by_case({itself, logarithm, itself}));
  EXPECT_EQ(verdict(three, two), Verdict::unknown);
}

TEST(Conditions, OfDevicesThatChooseApartHoldAlways) {
  const auto program = [](int size, const std::string& lines) {
    return fmt::format(
        "func.func @main(%p: tensor<{0}xi1>, %a: tensor<{0}xf32>) -> tensor<{0}xf32> {{\n"
        "%c = stablehlo.constant dense<100000.0> : tensor<{0}xf32>\n"
        "%x = stablehlo.add %a, %c : tensor<{0}xf32>\n"
        "%s = stablehlo.slice %p [0:1] : (tensor<{0}xi1>) -> tensor<1xi1>\n"
        "%q = stablehlo.reshape %s : (tensor<1xi1>) -> tensor<i1>\n"
        "%r = \"stablehlo.if\"(%q) ({{\n%l = stablehlo.log %x : tensor<{0}xf32>\n"
        "%e = stablehlo.exponential %l : tensor<{0}xf32>\nstablehlo.return %e : tensor<{0}xf32>\n}}, {{\n"
        "stablehlo.return %x : tensor<{0}xf32>\n}}) : (tensor<i1>) -> tensor<{0}xf32>\n{1}",
        size, lines);
  };
  // The source chooses by p[0] for both elements, each device by its own element of p.
  Options options;
  options.infer = false;
  options.shardings = R"({"mesh": "d=2", "arguments": ["[{d}]", "[{d}]"], "results": ["[{d}]"]})";
  const Validation v = value_or_throw(validate_partition(
      value_or_throw(read_module(program(2, "return %r : tensor<2xf32>\n}\n"), "source")),
      value_or_throw(read_module(program(1, "return %r : tensor<1xf32>\n}\n"), "device")), {}, options));
  EXPECT_EQ(v.verdict, Verdict::unknown) << v.reason;
}

TEST(Conditions, OfAnArgumentThatIsGuardedHoldWithTheGuard) {
  const std::string guarded =
      "%one = stablehlo.constant dense<1.0> : tensor<f32>\n"
      "%g = stablehlo.select %p, %x, %one : tensor<i1>, tensor<f32>\n"
      "%r = stablehlo.log %g : tensor<f32>\n";
  const std::string masked = "%m = stablehlo.convert %p : (tensor<i1>) -> tensor<f32>\n" + std::string(kLogarithm) +
                             "%r = stablehlo.multiply %m, %l : tensor<f32>\n";
  EXPECT_EQ(compared(of_scalars(guarded), of_scalars(masked)).verdict, Verdict::unknown);
  EXPECT_EQ(compared(of_scalars(guarded), of_scalars(guarded)).verdict, Verdict::proved);
}

TEST(Conditions, AreThatNoDivisorIsZero) {
  const std::string device =
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%q = stablehlo.divide %x, %z : tensor<f32>\n"
      "%r = stablehlo.select %p, %q, %x : tensor<i1>, tensor<f32>\n";
  const std::string source =
      "%n = stablehlo.constant dense<0x7FC00000> : tensor<f32>\n"
      "%r = stablehlo.select %p, %n, %x : tensor<i1>, tensor<f32>\n";
  EXPECT_NE(compared(of_scalars(source), of_scalars(device)).verdict, Verdict::proved);
}

}  // namespace
}  // namespace partir::validate
