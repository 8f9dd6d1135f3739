// Instances of computations on types wider than their inputs', and of scatters with several inputs.
#include <fmt/format.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

struct Promotion {
  const char* fn;
  const char* from;
  const char* to;
  const char* identity;  ///< a literal of type `from`
};
const Promotion kPromotions[] = {
    {"add", "bf16", "f32", "0.0"},       {"add", "i8", "i32", "0"},
    {"maximum", "i8", "i32", "-128"},    {"minimum", "ui8", "ui32", "255"},
    {"maximum", "f16", "f32", "0xFC00"}, {"multiply", "f32", "f64", "1.0"},
    {"multiply", "i8", "i16", "1"},      {"and", "ui8", "ui32", "255"},
    {"and", "i8", "i32", "-1"},          {"or", "i8", "i64", "0"},
    {"add", "ui8", "i32", "0"},          {"add", "i8", "ui32", "0"},
    {"maximum", "i8", "ui32", "-128"},   {"add", "complex<f32>", "complex<f64>", "(0.0, 0.0)"}};

void promoted(InstanceTable& table) {
  for (const Promotion& p : kPromotions) {
    const std::string wide = body("stablehlo." + std::string(p.fn), p.to);
    const std::string x = tensor_text({4, 6}, p.from);
    for (const Init& init : {known(p.identity, p.from), unknown(p.from)}) {
      for (const Dims& dims : {Dims{0}, Dims{1}, Dims{0, 1}}) {
        Dims kept;
        if (dims == Dims{0}) kept = {6};
        if (dims == Dims{1}) kept = {4};
        table.add("promoted", "%x: " + x + init.argument,
                  init.line + fmt::format("  %0 = \"stablehlo.reduce\"(%x, %c) <{{dimensions = {}}}> {} : ({}, "
                                          "tensor<{}>) -> {}",
                                          array_text(dims), wide, x, p.from, tensor_text(kept, p.to)));
      }
      table.add(
          "promoted", "%x: " + x + init.argument,
          init.line + fmt::format("  %0 = \"stablehlo.reduce_window\"(%x, %c) <{{padding = dense<[[0, 0], [1, 0]]> "
                                  ": tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>}}> {} : ({}, "
                                  "tensor<{}>) -> {}",
                                  wide, x, p.from, tensor_text({4, 6}, p.to)));
    }
    const std::string updates = fmt::format("%s: tensor<3x1xi32>, %u: {}", tensor_text({3, 6}, p.from));
    const std::string scatter = fmt::format(
        "  %0 = \"stablehlo.scatter\"(%x, %s, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims "
        "= [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {} : ({}, "
        "tensor<3x1xi32>, {}) -> {}",
        wide, x, tensor_text({3, 6}, p.from), tensor_text({4, 6}, p.to));
    table.add("promoted", fmt::format("%x: {}, {}", x, updates), scatter);
    table.add("promoted", updates, fmt::format("  %x = stablehlo.constant dense<{}> : {}\n{}", p.identity, x, scatter));
    if (std::string_view(p.from).starts_with("complex")) continue;  // complex numbers are not ordered
    const std::string select = fmt::format(
        "({{\n  ^bb0(%a: tensor<{0}>, %b: tensor<{0}>):\n    %s = stablehlo.compare GE, %a, %b : (tensor<{0}>, "
        "tensor<{0}>) -> tensor<i1>\n    stablehlo.return %s : tensor<i1>\n  }}, ",
        p.from);
    table.add(
        "promoted", fmt::format("%x: {}, %s: {}{}", x, tensor_text({4, 3}, p.from), unknown(p.from).argument),
        fmt::format("  %0 = \"stablehlo.select_and_scatter\"(%x, %s, %c) <{{window_dimensions = array<i64: 1, 2>, "
                    "window_strides = array<i64: 1, 2>}}> {}{} : ({}, {}, tensor<{}>) -> {}",
                    select, wide.substr(1), x, tensor_text({4, 3}, p.from), p.from, tensor_text({4, 6}, p.to)));
  }
}

void several_scattered(InstanceTable& table) {
  struct Case {
    Dims input, indices, updates, window, inserted, input_batching, indices_batching, map;
    std::int64_t vector;
  };
  const Case cases[] = {{{6, 4}, {2, 3, 1}, {2, 3, 4}, {2}, {0}, {}, {}, {0}, 2},
                        {{6, 4}, {1, 4}, {4, 4}, {0}, {0}, {}, {}, {0}, 0},
                        {{6, 4}, {4, 2}, {4}, {}, {0, 1}, {}, {}, {1, 0}, 1},
                        {{6, 4}, {4, 1}, {4, 3, 2}, {1, 2}, {}, {}, {}, {1}, 1},
                        {{4, 6, 3}, {4, 2, 1}, {4, 2, 3}, {2}, {1}, {0}, {0}, {1}, 2},
                        {{4}, {1}, {}, {}, {0}, {}, {}, {0}, 0}};
  const std::string scalars = "%a: tensor<f32>, %p: tensor<i32>, %b: tensor<f32>, %q: tensor<i32>";
  const std::string apart =
      "    %s = stablehlo.add %a, %b : tensor<f32>\n    %t = stablehlo.maximum %p, %q : tensor<i32>\n";
  const std::string together =
      "    %g = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "    %s = stablehlo.select %g, %b, %a : tensor<i1>, tensor<f32>\n"
      "    %t = stablehlo.select %g, %q, %p : tensor<i1>, tensor<i32>\n";
  for (const Case& c : cases) {
    for (const std::string& lines : {apart, together}) {
      const std::string x = tensor_text(c.input, "f32");
      const std::string y = tensor_text(c.input, "i32");
      const std::string s = tensor_text(c.indices, "i32");
      const std::string u = tensor_text(c.updates, "f32");
      const std::string v = tensor_text(c.updates, "i32");
      table.add(
          "scatter", fmt::format("%x: {}, %y: {}, %s: {}, %u: {}, %v: {}", x, y, s, u, v),
          fmt::format("  %0:2 = \"stablehlo.scatter\"(%x, %y, %s, %u, %v) <{{scatter_dimension_numbers = "
                      "#stablehlo.scatter<update_window_dims = {}, inserted_window_dims = {}, input_batching_dims "
                      "= {}, scatter_indices_batching_dims = {}, scatter_dims_to_operand_dims = {}, "
                      "index_vector_dim = {}>}}> ({}) : ({}, {}, {}, {}, {}) -> ({}, {})",
                      list(c.window), list(c.inserted), list(c.input_batching), list(c.indices_batching), list(c.map),
                      c.vector, region(scalars, lines, "%s, %t : tensor<f32>, tensor<i32>"), x, y, s, u, v, x, y));
    }
  }
}

}  // namespace

void add_promotions(InstanceTable& table) {
  promoted(table);
  several_scattered(table);
}

}  // namespace partir::testing
