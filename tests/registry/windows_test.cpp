// Windows, paddings, scans and rolls decomposed in blocks. The decomposition gives the same values and is proved at its
// sizes; with a neighbour on the wrong side or with other padding it does neither.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "ir/by_offsets.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "semantics/interpreter.h"
#include "tests/registry/instances.h"
#include "verify/prove/instance.h"

namespace partir::windows {
namespace {

/// Windows over a dimension of n blocks. Each block holds as many positions as its windows step over.
struct Case {
  std::string kind;
  std::int64_t n = 2;
  std::int64_t input = 4;   ///< size of the dimension
  std::int64_t output = 4;  ///< number of windows
  std::int64_t taps = 3;
  std::int64_t stride = 1;
  std::int64_t base = 1;    ///< base dilation of the input
  std::int64_t spread = 1;  ///< window dilation
  std::int64_t low = 1;
  std::int64_t slack = 0;  ///< positions at the end that no window reaches
  std::int64_t groups = 1;
  bool reversed = false;
  bool backward = false;  ///< direction of a scan
  std::string combine = "add";
  // Of reduce_window: windows over the other dimension, of size 2.
  std::int64_t other_taps = 1;
  std::int64_t other_stride = 1;
  std::int64_t other_base = 1;
  std::int64_t other_low = 0;
  std::int64_t other_high = 0;

  [[nodiscard]] std::int64_t other_output() const {
    return (other_base + 1 + other_low + other_high - other_taps) / other_stride + 1;
  }
  [[nodiscard]] std::int64_t high() const {
    return (output - 1) * stride + (taps - 1) * spread + 1 - low - ((input - 1) * base + 1) + slack;
  }
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << fmt::format(
             "{} of {} in {} blocks to {}, {} taps, stride {}, dilations {} and {}, padding {} and {}, {} groups{}{}, "
             "by {}; {} taps beside",
             c.kind, c.input, c.n, c.output, c.taps, c.stride, c.base, c.spread, c.low, c.high(), c.groups,
             c.reversed ? ", reversed" : "", c.backward ? ", backward" : "", c.combine, c.other_taps);
}

std::string window_text(const Case& c) {
  return fmt::format(
      "window = {{stride = [{}, 1], pad = [[{}, {}], [0, 0]], lhs_dilate = [{}, 1], rhs_dilate = [{}, 1], reverse = "
      "[{}, false]}} "
      "{{batch_group_count = 1 : i64, feature_group_count = {} : i64}}",
      c.stride, c.low, c.high(), c.base, c.spread, c.reversed, c.groups);
}

std::string text_of(const Case& c) {
  if (c.kind == "convolution") {
    const std::string x = fmt::format("tensor<2x{}x2x{}xf32>", c.input, c.groups);
    const std::string k = fmt::format("tensor<{}x2x1x{}xf32>", c.taps, 2 * c.groups);
    const std::string y = fmt::format("tensor<2x{}x1x{}xf32>", c.output, 2 * c.groups);
    return fmt::format(
        "func.func @main(%x: {0}, %k: {1}) -> {2} {{\n%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, "
        "f]x[0, 1, i, "
        "o]->[b, 0, 1, f], {3} : ({0}, {1}) -> {2}\nreturn %0 : {2}\n}}\n",
        x, k, y, window_text(c));
  }
  if (c.kind == "kernel gradient") {
    const std::string x = fmt::format("tensor<2x{}x2x1xf32>", c.input);
    const std::string g = fmt::format("tensor<2x{}x2x2xf32>", c.taps);
    const std::string y = fmt::format("tensor<{}x1x1x2xf32>", c.output);
    return fmt::format(
        "func.func @main(%x: {0}, %g: {1}) -> {2} {{\n%0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, "
        "b]x[i, 0, 1, "
        "o]->[0, 1, b, f], {3} : ({0}, {1}) -> {2}\nreturn %0 : {2}\n}}\n",
        x, g, y, window_text(c));
  }
  if (c.kind == "pad") {
    const std::string x = fmt::format("tensor<2x{}xf32>", c.input);
    const std::string y = fmt::format("tensor<3x{}xf32>", c.input * c.base);
    return fmt::format(
        "func.func @main(%x: {0}, %v: tensor<f32>) -> {1} {{\n%0 = stablehlo.pad %x, %v, low = [1, {2}], high = [0, "
        "{3}], "
        "interior = [0, {4}] : ({0}, tensor<f32>) -> {1}\nreturn %0 : {1}\n}}\n",
        x, y, c.low, c.base - 1 - c.low, c.base - 1);
  }
  if (c.kind == "reverse") {
    const std::string x = fmt::format("tensor<{}x2xf32>", c.input);
    return fmt::format(
        "func.func @main(%x: {0}) -> {0} {{\n%0 = stablehlo.reverse %x, dims = [{1}] : {0}\nreturn %0 : {0}\n}}\n", x,
        c.backward ? "1, 0" : "0");
  }
  if (c.kind == "shift") {
    const std::string x = fmt::format("tensor<{}x2xf32>", c.input);
    const std::string part = fmt::format("tensor<{}x2xf32>", c.input - c.taps);
    return fmt::format(
        "func.func @main(%x: {0}, %v: tensor<f32>) -> {0} {{\n%b = stablehlo.slice %x [{1}:{2}, 0:2] : ({0}) -> "
        "{3}\n%0 = "
        "stablehlo.pad %b, %v, low = [{4}, 0], high = [{5}, 0], interior = [0, 0] : ({3}, tensor<f32>) -> {0}\nreturn "
        "%0 : "
        "{0}\n}}\n",
        x, c.backward ? c.taps : 0, c.backward ? c.input : c.input - c.taps, part, c.backward ? 0 : c.taps,
        c.backward ? c.taps : 0);
  }
  if (c.kind == "stretch") {  // cuts a padded value, or one with rows around it, by a slice or by a negative padding
    const std::int64_t behind = c.output;
    const std::int64_t whole = c.taps + c.input + behind;
    const std::string x = fmt::format("tensor<{}x2xf32>", c.input);
    const std::string y = fmt::format("tensor<{}x2xf32>", whole);
    const std::string joined =
        c.reversed ? fmt::format(
                         "%p = stablehlo.concatenate %a, %x, %b, dim = 0 : (tensor<{1}x2xf32>, {0}, tensor<{2}x2xf32>) "
                         "-> {3}\n",
                         x, c.taps, behind, y)
                   : fmt::format(
                         "%p = stablehlo.pad %x, %v, low = [{1}, 0], high = [{2}, 0], interior = [0, 0] : ({0}, "
                         "tensor<f32>) -> {3}\n",
                         x, c.taps, behind, y);
    const std::string arguments =
        c.reversed ? fmt::format(", %a: tensor<{}x2xf32>, %b: tensor<{}x2xf32>", c.taps, behind) : "";
    const std::int64_t start = c.low;
    const std::string cut =
        c.backward
            ? fmt::format(
                  "%0 = stablehlo.pad %p, %v, low = [{0}, 0], high = [{1}, 0], interior = [0, 0] : ({2}, "
                  "tensor<f32>) -> {3}\n",
                  -start, start + c.input - whole, y, x)
            : fmt::format("%0 = stablehlo.slice %p [{0}:{1}, 0:2] : ({2}) -> {3}\n", start, start + c.input, y, x);
    return fmt::format("func.func @main(%x: {0}, %v: tensor<f32>{1}) -> {0} {{\n{2}{3}return %0 : {0}\n}}\n", x,
                       arguments, joined, cut);
  }
  if (c.kind == "roll" || c.kind == "push") {
    const std::string x = fmt::format("tensor<{}x2xf32>", c.input);
    const std::string a = fmt::format("tensor<{}x2xf32>", c.taps);
    const std::string b = fmt::format("tensor<{}x2xf32>", c.input - c.taps);
    const bool rolls = c.kind == "roll";
    const std::string first =
        rolls ? fmt::format("%a = stablehlo.slice %x [{}:{}, 0:2] : ({}) -> {}\n", c.input - c.taps, c.input, x, a)
              : "";
    return fmt::format(
        "func.func @main(%x: {0}{1}) -> {0} {{\n{2}%b = stablehlo.slice %x [0:{3}, 0:2] : ({0}) -> {4}\n%0 = "
        "stablehlo.concatenate %a, %b, dim = 0 : ({5}, {4}) -> {0}\nreturn %0 : {0}\n}}\n",
        x, rolls ? "" : ", %a: " + a, first, c.input - c.taps, b, a);
  }
  const bool scans = c.kind == "scan";
  const bool from_identity = scans || c.combine == "multiply";
  const std::string type = c.combine == "add" ? "f32" : "i32";
  const std::map<std::string, std::string> identities = {
      {"add", "0.0"}, {"maximum", "-2147483648"}, {"minimum", "2147483647"}, {"multiply", "1"}, {"and", "-1"},
      {"or", "0"}};
  const std::string x = fmt::format("tensor<{}x2x{}>", c.input, type);
  const std::string y = fmt::format("tensor<{}x{}x{}>", c.output, c.other_output(), type);
  const std::string init =
      from_identity ? fmt::format("%i = stablehlo.constant dense<{}> : tensor<{}>\n", identities.at(c.combine), type)
                    : "";
  const std::int64_t taps = scans ? c.input : c.taps;
  const std::int64_t low = !scans ? c.low : c.backward ? 0 : c.input - 1;
  const std::int64_t high = !scans ? c.high() : c.backward ? c.input - 1 : 0;
  return fmt::format(
      "func.func @main(%x: {0}{1}) -> {2} {{\n{3}%0 = \"stablehlo.reduce_window\"(%x, %i) <{{window_dimensions = "
      "array<i64: "
      "{4}, {12}>, window_strides = array<i64: {5}, {13}>, base_dilations = array<i64: {6}, {14}>, window_dilations = "
      "array<i64: {7}, "
      "1>, padding = dense<[[{8}, {9}], [{15}, {16}]]> : tensor<2x2xi64>}}> ({{\n^bb0(%p: tensor<{10}>, %q: "
      "tensor<{10}>):\n%s = "
      "stablehlo.{11} %p, %q : tensor<{10}>\nstablehlo.return %s : tensor<{10}>\n}}) : ({0}, tensor<{10}>) -> "
      "{2}\nreturn %0 : "
      "{2}\n}}\n",
      x, from_identity ? "" : fmt::format(", %i: tensor<{}>", type), y, init, taps, c.stride, c.base, c.spread, low,
      high, type, c.combine, c.other_taps, c.other_stride, c.other_base, c.other_low, c.other_high);
}

/// Draws windows over the other dimension, half of the time.
void draw_windows_beside(Case& c) {
  if (*rc::gen::arbitrary<bool>()) return;
  c.other_taps = *rc::gen::inRange<std::int64_t>(1, 3);
  c.other_stride = *rc::gen::inRange<std::int64_t>(1, 3);
  c.other_base = *rc::gen::inRange<std::int64_t>(1, 3);
  c.other_low = *rc::gen::inRange<std::int64_t>(0, 2);
  c.other_high = *rc::gen::inRange<std::int64_t>(0, 3);
}

rc::Gen<Case> cases() {
  return rc::gen::exec([] {
    Case c;
    c.kind = *rc::gen::element<std::string>("convolution", "convolution", "kernel gradient", "reduce_window",
                                            "reduce_window", "scan", "scan", "pad", "roll", "push", "shift", "reverse",
                                            "stretch", "stretch");
    if (c.kind == "reduce_window" || c.kind == "scan") {
      draw_windows_beside(c);
      c.combine = *rc::gen::element<std::string>("add", "maximum", "minimum", "multiply", "and", "or");
    }
    c.n = *rc::gen::inRange<std::int64_t>(2, 5);
    const auto block = *rc::gen::inRange<std::int64_t>(1, 5);
    c.input = c.n * block;
    c.output = c.input;
    c.taps = *rc::gen::inRange<std::int64_t>(1, 5);
    if (c.kind == "roll" || c.kind == "push" || c.kind == "shift") {
      c.taps = *rc::gen::inRange<std::int64_t>(1, c.input);
      c.backward = *rc::gen::arbitrary<bool>();
      return c;
    }
    if (c.kind == "stretch") {
      c.taps = *rc::gen::inRange<std::int64_t>(1, c.input + 2);
      c.output = *rc::gen::inRange<std::int64_t>(1, c.input + 2);
      c.low = *rc::gen::inRange<std::int64_t>(0, c.taps + c.output + 1);
      c.backward = *rc::gen::arbitrary<bool>();
      c.reversed = *rc::gen::arbitrary<bool>();
      return c;
    }
    if (c.kind == "scan" || c.kind == "reverse") {
      c.backward = *rc::gen::arbitrary<bool>();
      return c;
    }
    c.base = *rc::gen::inRange<std::int64_t>(1, 4);
    if (c.kind == "pad") {
      c.low = *rc::gen::inRange<std::int64_t>(-2 * c.base, 2 * c.base + 1);
      return c;
    }
    c.spread = *rc::gen::inRange<std::int64_t>(1, 4);
    if (c.kind == "kernel gradient") {
      std::vector<std::int64_t> spreads;
      for (std::int64_t s = 1; s <= 3; ++s) {
        if (block * c.base % s == 0) spreads.push_back(s);
      }
      c.spread = *rc::gen::elementOf(spreads);
      c.taps = c.n * (block * c.base / c.spread);
      c.stride = *rc::gen::inRange<std::int64_t>(1, 3);
      c.output = *rc::gen::inRange<std::int64_t>(1, 4);
    } else {
      std::vector<std::int64_t> strides;
      for (std::int64_t s = 1; s <= 3; ++s) {
        if (block * c.base % s == 0) strides.push_back(s);
      }
      c.stride = *rc::gen::elementOf(strides);
      c.output = c.n * (block * c.base / c.stride);
    }
    c.low = *rc::gen::inRange<std::int64_t>(-2, (std::min<std::int64_t>(c.taps, 4) - 1) * c.spread + 3);
    c.slack = *rc::gen::inRange<std::int64_t>(0, c.stride);
    if (c.kind == "convolution") {
      c.groups = *rc::gen::inRange<std::int64_t>(1, 3);
      c.reversed = *rc::gen::arbitrary<bool>();
    }
    return c;
  });
}

struct Written {
  ByOffsetsSubject subject;
  std::optional<Function> others;
};

Written written(const Function& f, const Case& c) {
  const Op& op = f.body.ops[f.body.ops.size() - 2];
  Written out{ByOffsetsSubjects(f).of(op), {}};
  const bool joins = c.kind == "roll" || c.kind == "push" || (c.kind == "stretch" && c.reversed);
  const std::size_t operand = joins ? 1 : 0;
  const Dim dim = c.kind == "pad" || c.kind == "convolution" || c.kind == "kernel gradient" ? 1 : 0;
  out.others = out.subject.instance.decl->by_offsets(out.subject.instance, operand, dim, c.n);
  if (out.others) {
    const Function whole = written_by_offsets(f, {{op.results[0], {operand, dim, c.n}}});
    EXPECT_TRUE(verify_function(whole).has_value()) << verify_function(whole).error().text();
  }
  return out;
}

std::string text_of(const Function& f) {
  Module m;
  m.functions.push_back(f);
  return print_module(m);
}

/// Returns whether both functions give the same results on random operands.
bool same_values(const Function& f, const Function& others, unsigned seed) {
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < f.arguments().size(); ++k)
    inputs.push_back(random_tensor(*f.type(f.arguments()[k]), seed, k, modular_domain()));
  const auto a = run_sequential(f, inputs, modular_domain());
  const auto b = run_sequential(others, inputs, modular_domain());
  EXPECT_TRUE(a.has_value() && b.has_value());
  return a && b && difference(b->at(0), a->at(0), modular_domain()).elements == 0;
}

TEST(WindowsInBlocks, GiveTheSameAndAreProved) {
  EXPECT_TRUE(rc::check([] {
    const Case c = *cases();
    const auto module = read_module(text_of(c), "case");
    RC_LOG() << text_of(c);
    RC_ASSERT(module.has_value());
    const Function& f = module->functions.at(0);
    const Op& op = f.body.ops[f.body.ops.size() - 2];
    const Written w = written(f, c);
    // Skips windows that read nothing of their own block, and kernels as large as the dimension that they slide over.
    RC_PRE(w.others.has_value());
    RC_LOG() << text_of(*w.others);
    const bool joins = c.kind == "roll" || c.kind == "push" || (c.kind == "stretch" && c.reversed);
    const Dim dim = c.kind == "pad" || c.kind == "convolution" || c.kind == "kernel gradient" ? 1 : 0;
    const Function whole = written_by_offsets(f, {{op.results[0], {joins ? 1U : 0U, dim, c.n}}});
    for (unsigned seed = 1; seed <= 2; ++seed) RC_ASSERT(same_values(f, whole, seed));
    const auto verdict = prove::decide_same(w.subject.instance, *w.others);
    RC_LOG() << verdict.reason.substr(0, 2000);
    RC_ASSERT(verdict.verdict == Verdict::proved);
  }));
}

/// Returns variants of the function with one operation wrong: padding moved to the other side, a reversal of one
/// dimension fewer, or a slice moved by one row.
std::vector<Function> altered(const Function& right) {
  std::vector<Function> out;
  for (std::size_t i = 0; i < right.body.ops.size(); ++i) {
    const Op& op = right.body.ops[i];
    if (op.name() == "stablehlo.pad") {  // pads on the other side
      Function wrong = right;
      set(wrong.body.ops[i].attributes, "edge_padding_low", *find(op.attributes, "edge_padding_high"));
      set(wrong.body.ops[i].attributes, "edge_padding_high", *find(op.attributes, "edge_padding_low"));
      out.push_back(std::move(wrong));
    }
    if (op.name() == "stablehlo.reverse") {  // reverses one dimension fewer
      Function wrong = right;
      IntsAttr list = *find(op.attributes, "dimensions")->as<IntsAttr>();
      list.values.pop_back();
      set(wrong.body.ops[i].attributes, "dimensions", {std::move(list)});
      out.push_back(std::move(wrong));
    }
    if (op.name() == "stablehlo.slice") {  // is moved by one row
      for (const std::int64_t by : {-1, 1}) {
        Function wrong = right;
        for (const char* name : {"start_indices", "limit_indices"}) {
          IntsAttr list = *find(op.attributes, name)->as<IntsAttr>();
          for (std::size_t d = 0; d < list.values.size(); ++d) {
            if (right.type(op.operands[0])->dims[d] != right.type(op.results[0])->dims[d]) list.values[d] += by;
          }
          set(wrong.body.ops[i].attributes, name, {std::move(list)});
        }
        if (verify_function(wrong)) out.push_back(std::move(wrong));
      }
    }
  }
  return out;
}

TEST(WindowsInBlocks, WithOtherNeighboursAreNotProved) {
  std::size_t refused = 0;
  EXPECT_TRUE(rc::check([&] {
    const Case c = *cases();
    RC_PRE(c.kind != "roll" && c.kind != "push" && c.kind != "shift" && c.kind != "stretch");
    const auto module = read_module(text_of(c), "case");
    RC_ASSERT(module.has_value());
    const Function& f = module->functions.at(0);
    const Written w = written(f, c);
    RC_PRE(w.others.has_value() && w.others->arguments().size() == f.arguments().size());
    for (const Function& wrong : altered(*w.others)) {
      bool same = true;
      for (unsigned seed = 1; seed <= 6; ++seed) same = same && same_values(f, wrong, seed);
      RC_LOG() << text_of(wrong);
      if (same) continue;
      ++refused;
      RC_ASSERT(prove::decide_same(w.subject.instance, wrong).verdict != Verdict::proved);
    }
  }));
  EXPECT_GE(refused, 20U);
}

}  // namespace
}  // namespace partir::windows
