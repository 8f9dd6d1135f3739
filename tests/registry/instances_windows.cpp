// Instances of reduce_window, select_and_scatter and map.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

struct Along {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t base = 1;
  std::int64_t spread = 1;

  /// Counts the windows by enumerating their starts.
  [[nodiscard]] std::int64_t count(std::int64_t extent) const {
    const std::int64_t end = low + (extent == 0 ? 0 : (extent - 1) * base + 1) + high;
    std::int64_t out = 0;
    for (std::int64_t start = 0; end > 0 && start + (size - 1) * spread < end; start += stride) ++out;
    return out;
  }
};

using Windows = std::vector<Along>;

Dims each(const Windows& windows, std::int64_t Along::*member) {
  Dims out;
  for (const Along& w : windows) out.push_back(w.*member);
  return out;
}

std::string padding(const Windows& windows) {
  std::vector<std::string> pairs;
  for (const Along& w : windows) pairs.push_back(fmt::format("[{}, {}]", w.low, w.high));
  const std::string all = windows.empty() ? "" : fmt::format("[{}]", fmt::join(pairs, ", "));
  return fmt::format("dense<{}> : tensor<{}x2xi64>", all, windows.size());
}

Dims counts(const Dims& dims, const Windows& windows) {
  Dims out;
  for (std::size_t k = 0; k < dims.size(); ++k) out.push_back(windows[k].count(dims[k]));
  return out;
}

std::string attributes(const Windows& windows) {
  return fmt::format(
      "<{{base_dilations = {}, padding = {}, window_dilations = {}, window_dimensions = {}, window_strides = {}}}>",
      array_text(each(windows, &Along::base)), padding(windows), array_text(each(windows, &Along::spread)),
      array_text(each(windows, &Along::size)), array_text(each(windows, &Along::stride)));
}

class Sample {
 public:
  explicit Sample(std::uint64_t seed) : random_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  Dims dims(std::int64_t rank) {
    const std::int64_t sizes[] = {2, 3, 4, 6};
    Dims out;
    for (std::int64_t k = 0; k < rank; ++k) out.push_back(sizes[between(0, 3)]);
    return out;
  }
  Along along(bool dilates) {
    if (between(0, 1) == 0) return {};
    return {between(1, 3),
            between(1, 3),
            between(-1, 2),
            between(-1, 2),
            dilates ? between(1, 2) : 1,
            dilates ? between(1, 2) : 1};
  }
  Windows windows(std::size_t rank, bool dilates) {
    Windows out;
    for (std::size_t k = 0; k < rank; ++k) out.push_back(along(dilates));
    return out;
  }

 private:
  std::mt19937_64 random_;
};

struct Fold {
  const char* fn;
  const char* element;
  const char* identity;
  const char* other;
};
const Fold kFolds[] = {{"add", "f32", "0.0", "2.0"},
                       {"maximum", "f32", "0xFF800000", "0.0"},
                       {"minimum", "bf16", "0x7F80", "1.0"},
                       {"multiply", "f64", "1.0", "0.0"},
                       {"add", "i32", "0", "1"},
                       {"maximum", "i8", "-128", "0"},
                       {"minimum", "ui8", "255", "0"},
                       {"and", "i32", "-1", "0"},
                       {"or", "i1", "false", "true"},
                       {"add", "complex<f32>", "(0.0, 0.0)", "(1.0, 0.0)"},
                       {"subtract", "f32", "0.0", "1.0"}};

void reduce_window(InstanceTable& table) {
  const auto one = [&](const Dims& dims, const Windows& windows, const Fold& fold, const Init& init) {
    const std::string t = tensor_text(dims, fold.element);
    table.add("reduce_window", "%x: " + t + init.argument,
              init.line + fmt::format("  %0 = \"stablehlo.reduce_window\"(%x, %c) {} {} : ({}, tensor<{}>) -> {}",
                                      attributes(windows), body("stablehlo." + std::string(fold.fn), fold.element), t,
                                      fold.element, tensor_text(counts(dims, windows), fold.element)));
  };
  const Along pool{2, 2};
  const Along running{6, 1, 5, 0};
  for (const Fold& fold : kFolds) {
    const std::string e = fold.element;
    for (const Init& init : {known(fold.identity, e), known(fold.other, e), unknown(e)}) {
      one({4, 6, 3}, {{}, pool, {}}, fold, init);
      one({6, 4}, {running, {}}, fold, init);
    }
  }
  one({}, {}, kFolds[0], known("0.0", "f32"));
  one({6}, {{3, 1, 0, 0, 1, 3}}, kFolds[0], known("0.0", "f32"));    // one window that does not fit
  one({6, 4}, {{1, 2}, {}}, kFolds[1], unknown("f32"));              // a window of one element with a stride
  one({6, 4}, {{1, 1, 1, -1}, {}}, kFolds[1], unknown("f32"));       // with a shift
  one({6, 4}, {{1, 1, 0, 0, 2, 1}, {}}, kFolds[0], unknown("f32"));  // with a base dilation
  one({6, 4}, {{1, 1, 0, 0, 1, 3}, {}}, kFolds[0], unknown("f32"));  // with a window dilation, which has no effect
  Sample sample(1);
  for (int k = 0; k < 60; ++k) {
    const Dims dims = sample.dims(sample.between(1, 3));
    const Fold& fold = kFolds[k % std::size(kFolds)];
    const std::string e = fold.element;
    const Init inits[] = {known(fold.identity, e), known(fold.other, e), unknown(e)};
    one(dims, sample.windows(dims.size(), true), fold, inits[sample.between(0, 2)]);
  }
  // Two values at once: a maximum with its position, and two values that are reduced independently.
  const std::string scalars = "%a: tensor<f32>, %p: tensor<i32>, %b: tensor<f32>, %q: tensor<i32>";
  const std::string largest =
      "    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "    %s = stablehlo.select %g, %a, %b : tensor<i1>, tensor<f32>\n"
      "    %t = stablehlo.select %g, %p, %q : tensor<i1>, tensor<i32>\n";
  const std::string apart =
      "    %s = stablehlo.add %a, %b : tensor<f32>\n    %t = stablehlo.maximum %p, %q : tensor<i32>\n";
  for (int k = 0; k < 12; ++k) {
    const Dims dims = sample.dims(sample.between(1, 2));
    const Windows windows = sample.windows(dims.size(), true);
    const Dims out = counts(dims, windows);
    table.add("reduce_window",
              fmt::format("%x: {}, %i: {}, %c: tensor<f32>, %d: tensor<i32>", tensor_text(dims, "f32"),
                          tensor_text(dims, "i32")),
              fmt::format("  %0:2 = \"stablehlo.reduce_window\"(%x, %i, %c, %d) {} ({}) : ({}, {}, tensor<f32>, "
                          "tensor<i32>) -> ({}, {})",
                          attributes(windows),
                          region(scalars, k % 2 == 0 ? largest : apart, "%s, %t : tensor<f32>, tensor<i32>"),
                          tensor_text(dims, "f32"), tensor_text(dims, "i32"), tensor_text(out, "f32"),
                          tensor_text(out, "i32")));
  }
}

void select_and_scatter(InstanceTable& table) {
  const auto one = [&](const Dims& dims, const Windows& windows, const std::string& direction, const Fold& fold,
                       const Init& init) {
    const std::string e = fold.element;
    const std::string x = tensor_text(dims, e);
    const std::string source = tensor_text(counts(dims, windows), e);
    const std::string select =
        region(fmt::format("%a: tensor<{0}>, %b: tensor<{0}>", e),
               fmt::format("    %s = stablehlo.compare {1}, %a, %b : (tensor<{0}>, tensor<{0}>) -> tensor<i1>\n", e,
                           direction),
               "%s : tensor<i1>");
    table.add("select_and_scatter", fmt::format("%x: {}, %s: {}{}", x, source, init.argument),
              init.line +
                  fmt::format("  %0 = \"stablehlo.select_and_scatter\"(%x, %s, %c) <{{padding = {}, window_dimensions "
                              "= {}, window_strides = {}}}> ({}, {} : ({}, {}, tensor<{}>) -> {}",
                              padding(windows), array_text(each(windows, &Along::size)),
                              array_text(each(windows, &Along::stride)), select,
                              body("stablehlo." + std::string(fold.fn), e).substr(1), x, source, e, x));
  };
  const Along pool{2, 2};
  const Along overlapping{3, 1, 1, 1};
  for (const Fold& fold : kFolds) {
    if (std::string_view(fold.element) == "complex<f32>") continue;  // complex numbers are not ordered
    const std::string e = fold.element;
    for (const Init& init : {known(fold.identity, e), unknown(e)}) {
      one({4, 6}, {{}, pool}, "GE", fold, init);
      one({6, 4}, {overlapping, {}}, "GT", fold, init);
    }
  }
  one({}, {}, "GE", kFolds[0], unknown("f32"));
  one({4, 6, 3}, {{}, overlapping, pool}, "LT", kFolds[0], known("0.0", "f32"));
  Sample sample(2);
  for (int k = 0; k < 40; ++k) {
    const Dims dims = sample.dims(sample.between(1, 3));
    const char* const directions[] = {"GE", "LT", "EQ", "NE"};
    const Fold& fold = kFolds[k % 9];
    const std::string e = fold.element;
    one(dims, sample.windows(dims.size(), false), directions[k % 4], fold,
        k % 3 == 0 ? unknown(e) : known(fold.identity, e));
  }
}

void map(InstanceTable& table) {
  struct Case {
    std::vector<std::string> operands;
    std::string lines;
    std::string result;
  };
  const Case cases[] = {
      {{"f32"}, "    %r = stablehlo.exponential %a0 : tensor<f32>\n", "f32"},
      {{"f32", "f32"}, "    %r = stablehlo.multiply %a1, %a0 : tensor<f32>\n", "f32"},
      {{"i32", "f32"}, "    %r = stablehlo.convert %a0 : (tensor<i32>) -> tensor<f32>\n", "f32"},
      {{"i1", "ui8", "ui8"}, "    %r = stablehlo.select %a0, %a2, %a1 : tensor<i1>, tensor<ui8>\n", "ui8"},
      {{"f32", "f32"},
       "    %c = stablehlo.constant dense<2.0> : tensor<f32>\n    %t = stablehlo.add %a0, %c : tensor<f32>\n"
       "    %r = stablehlo.compare LE, %t, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>\n",
       "i1"}};
  for (const Case& c : cases) {
    for (const Dims& dims : {Dims{4, 6}, Dims{3}, Dims{}, Dims{2, 1, 3}}) {
      std::vector<std::string> arguments;
      std::vector<std::string> operands;
      std::vector<std::string> scalars;
      std::vector<std::string> types;
      Dims all;
      for (std::size_t k = 0; k < dims.size(); ++k) all.push_back(static_cast<std::int64_t>(k));
      for (std::size_t k = 0; k < c.operands.size(); ++k) {
        types.push_back(tensor_text(dims, c.operands[k]));
        operands.push_back(fmt::format("%x{}", k));
        arguments.push_back(operands.back() + ": " + types.back());
        scalars.push_back(fmt::format("%a{}: tensor<{}>", k, c.operands[k]));
      }
      table.add("map", fmt::format("{}", fmt::join(arguments, ", ")),
                fmt::format("  %0 = \"stablehlo.map\"({}) <{{dimensions = {}}}> ({}) : ({}) -> {}",
                            fmt::join(operands, ", "), array_text(all),
                            region(fmt::format("{}", fmt::join(scalars, ", ")), c.lines,
                                   fmt::format("%r : tensor<{}>", c.result)),
                            fmt::join(types, ", "), tensor_text(dims, c.result)));
    }
  }
}

}  // namespace

void add_windows(InstanceTable& table) {
  reduce_window(table);
  select_and_scatter(table);
  map(table);
}

}  // namespace partir::testing
