// Instances of operations that are library functions of the dimensions that they mix: sort, top_k, fft, linear algebra.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

void sort(InstanceTable& table) {
  const auto one = [&](const Dims& dims, std::int64_t dimension, const std::vector<std::string>& elements,
                       const std::string& direction, const std::string& kind, bool stable) {
    std::vector<std::string> arguments;
    std::vector<std::string> operands;
    std::vector<std::string> types;
    std::vector<std::string> scalars;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      operands.push_back(fmt::format("%x{}", k));
      types.push_back(tensor_text(dims, elements[k]));
      arguments.push_back(operands.back() + ": " + types.back());
      scalars.push_back(fmt::format("%a{0}: tensor<{1}>, %b{0}: tensor<{1}>", k, elements[k]));
    }
    const std::string types_text = joined(types);
    table.add("sort", joined(arguments),
              fmt::format(
                  "  %0{} = \"stablehlo.sort\"({}) <{{dimension = {} : i64, is_stable = {}}}> ({}) : ({}) -> {}",
                  elements.size() == 1 ? "" : fmt::format(":{}", elements.size()), joined(operands), dimension, stable,
                  region(joined(scalars),
                         fmt::format("    %r = stablehlo.compare {1}, %a0, %b0{2} : (tensor<{0}>, tensor<{0}>) "
                                     "-> tensor<i1>\n",
                                     elements[0], direction, kind.empty() ? "" : ", " + kind),
                         "%r : tensor<i1>"),
                  types_text, elements.size() == 1 ? types_text : "(" + types_text + ")"));
  };
  for (const std::int64_t dimension : {-3, -2, -1, 0, 1, 2})
    one({4, 6, 3}, dimension, {"f32"}, "LT", "FLOAT", dimension % 2 == 0);
  for (const char* direction : {"LT", "GT", "GE"}) {
    one({6, 4}, 0, {"f32"}, direction, "TOTALORDER", true);
    one({6, 4}, 1, {"i8", "f32"}, direction, "", true);
    one({4, 6}, 1, {"ui8", "i1", "f32"}, direction, "", false);
  }
  one({6}, 0, {"f32"}, "LT", "", true);
  one({4, 1}, 1, {"f32"}, "LT", "", true);
  one({4, 0}, 1, {"f32"}, "LT", "", true);
  one({0, 4}, 1, {"i32"}, "LT", "", true);
  one({2, 3, 4}, 1, {"bf16", "i32"}, "GT", "TOTALORDER", true);
}

void top_k(InstanceTable& table) {
  for (const char* element : {"f32", "bf16", "i32", "ui8", "i8"}) {
    for (const Dims& dims : {Dims{4, 6}, Dims{6}, Dims{2, 3, 4}}) {
      for (const std::int64_t k : {0, 1, 2, 4}) {
        Dims out = dims;
        out.back() = k;
        const std::string t = tensor_text(dims, element);
        table.add("top_k", "%x: " + t,
                  fmt::format("  %v, %i = chlo.top_k(%x, k = {}) : {} -> ({}, {})", k, t, tensor_text(out, element),
                              tensor_text(out, "i32")));
      }
    }
  }
}

void fft(InstanceTable& table) {
  struct Case {
    Dims dims;  ///< sizes of the real side; of both sides if both are complex
    std::size_t length;
  };
  const Case cases[] = {{{4}, 1},       {{4, 6}, 1},    {{6, 5}, 1},       {{4, 3}, 2}, {{6, 2, 4}, 1},
                        {{6, 2, 4}, 2}, {{2, 3, 4}, 3}, {{2, 3, 2, 3}, 3}, {{3, 1}, 1}, {{4, 2, 3, 2}, 2}};
  for (const Case& c : cases) {
    for (const auto& [real, complex] : {std::pair("f32", "complex<f32>"), {"f64", "complex<f64>"}}) {
      Dims half = c.dims;
      half.back() = half.back() / 2 + 1;
      const Dims length(c.dims.end() - static_cast<std::ptrdiff_t>(c.length), c.dims.end());
      const auto one = [&](const char* kind, const std::string& from, const std::string& to) {
        table.add(
            "fft", "%x: " + from,
            fmt::format("  %0 = stablehlo.fft %x, type = {}, length = {} : ({}) -> {}", kind, list(length), from, to));
      };
      const std::string whole = tensor_text(c.dims, complex);
      one("FFT", whole, whole);
      one("IFFT", whole, whole);
      one("RFFT", tensor_text(c.dims, real), tensor_text(half, complex));
      one("IRFFT", tensor_text(half, complex), tensor_text(c.dims, real));
    }
  }
}

void linear_algebra(InstanceTable& table) {
  for (const char* element : {"f32", "f64", "complex<f32>", "bf16"}) {
    for (const Dims& dims : {Dims{3, 3}, Dims{4, 2, 2}, Dims{2, 3, 4, 4}, Dims{6, 1, 1}}) {
      for (const bool lower : {true, false}) {
        const std::string t = tensor_text(dims, element);
        table.add("cholesky", "%x: " + t,
                  fmt::format("  %0 = stablehlo.cholesky %x, lower = {} : ({}) -> {}", lower, t, t));
      }
    }
  }
  for (const Dims& batch : {Dims{}, Dims{4}, Dims{3, 2}}) {
    for (int flags = 0; flags < 8; ++flags) {
      for (const char* transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
        for (const char* element : {"f32", "complex<f32>"}) {
          const bool left = (flags & 1) != 0;
          Dims a = batch;
          a.insert(a.end(), {3, 3});
          Dims b = batch;
          b.insert(b.end(), {left ? 3 : 6, left ? 6 : 3});
          const std::string s = tensor_text(a, element);
          const std::string t = tensor_text(b, element);
          table.add("triangular_solve", fmt::format("%a: {}, %b: {}", s, t),
                    fmt::format("  %0 = \"stablehlo.triangular_solve\"(%a, %b) <{{left_side = {}, lower = {}, "
                                "unit_diagonal = {}, transpose_a = #stablehlo<transpose {}>}}> : ({}, {}) -> {}",
                                left, (flags & 2) != 0, (flags & 4) != 0, transpose, s, t, t));
        }
      }
    }
  }
}

void random_numbers(InstanceTable& table) {
  for (const char* algorithm : {"DEFAULT", "THREE_FRY", "PHILOX"}) {
    for (const std::string words : {"2", "3"}) {
      if (words == "3" && std::string_view(algorithm) == "THREE_FRY") continue;
      for (const char* element : {"ui32", "ui64", "ui8", "i32"}) {
        const std::string out = tensor_text({4, 6}, element);
        table.add("rng_bit_generator", "%s: tensor<" + words + "xui64>",
                  fmt::format("  %t, %0 = stablehlo.rng_bit_generator %s, algorithm = {0} : (tensor<{1}xui64>) -> "
                              "(tensor<{1}xui64>, {2})",
                              algorithm, words, out));
      }
    }
  }
  for (const auto& [distribution, element] :
       {std::pair("UNIFORM", "f32"), {"NORMAL", "f32"}, {"UNIFORM", "bf16"}, {"UNIFORM", "i32"}}) {
    table.add("rng", fmt::format("%a: tensor<{0}>, %b: tensor<{0}>", element),
              fmt::format("  %s = stablehlo.constant dense<[4, 6]> : tensor<2xi64>\n"
                          "  %0 = stablehlo.rng %a, %b, %s, distribution = {1} : (tensor<{0}>, tensor<{0}>, "
                          "tensor<2xi64>) -> tensor<4x6x{0}>",
                          element, distribution));
  }
}

}  // namespace

void add_library(InstanceTable& table) {
  sort(table);
  top_k(table);
  fft(table);
  linear_algebra(table);
  random_numbers(table);
}

}  // namespace partir::testing
