// A few instances of each operation on element types that the other families omit: complex numbers and floats of at
// most 16 bits.
#include <fmt/format.h>

#include "ir/ops/elementwise.h"
#include "ir/text/read.h"
#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

const char* const kSmall[] = {"f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E8M0FNU", "f16"};
const char* const kOthers[] = {"complex<f32>", "complex<f64>", "f8E4M3FN", "f16", "i4", "ui2", "ui64", "i64"};

void elementwise(InstanceTable& table) {
  for (const ops::ElementwiseRow& row : ops::elementwise_rows()) {
    for (const char* element : kOthers) {
      const bool complex = std::string_view(element).starts_with("complex");
      if (complex && row.fn == ScalarFn::remainder) continue;  // not specified
      const std::string t = tensor_text({4, 3}, element);
      const std::string operands = row.arity == 1 ? "%x" : "%x, %y";
      const std::string type = !row.name.starts_with("chlo.") ? t : (row.arity == 1 ? t : t + ", " + t) + " -> " + t;
      const std::string arguments = fmt::format("%x: {0}, %y: {0}", t);
      const std::string text = fmt::format("  %0 = {} {} : {}", row.name, operands, type);
      // Not every function is defined on every type.
      if (read_module(module_text(arguments, text), "")) table.add("other_types", arguments, text);
    }
  }
  for (const char* from : {"complex<f32>", "complex<f64>", "f8E4M3FN", "f4E2M1FN", "f32", "i32", "i4", "i1"}) {
    for (const char* to : {"complex<f32>", "complex<f64>", "f8E5M2", "f8E8M0FNU", "f64", "ui2", "i1"}) {
      const std::string t = tensor_text({4, 3}, from);
      table.add("other_types", "%x: " + t,
                fmt::format("  %0 = stablehlo.convert %x : ({}) -> {}", t, tensor_text({4, 3}, to)));
    }
  }
  for (const char* element : {"complex<f32>", "f8E4M3FN", "i4"}) {
    for (const char* direction : {"EQ", "NE"}) {
      table.add("other_types", fmt::format("%x: {0}, %y: {0}", tensor_text({4, 3}, element)),
                fmt::format("  %0 = stablehlo.compare {1}, %x, %y : (tensor<4x3x{0}>, tensor<4x3x{0}>) -> "
                            "tensor<4x3xi1>",
                            element, direction));
    }
    table.add("other_types", fmt::format("%p: tensor<4x3xi1>, %x: tensor<4x3x{0}>, %y: tensor<4x3x{0}>", element),
              fmt::format("  %0 = stablehlo.select %p, %x, %y : tensor<4x3xi1>, tensor<4x3x{}>", element));
  }
  for (const char* direction : {"LT", "GE"}) {
    table.add("other_types", "%x: tensor<4x3xf16>, %y: tensor<4x3xf16>",
              fmt::format("  %0 = stablehlo.compare {}, %x, %y, TOTALORDER : (tensor<4x3xf16>, tensor<4x3xf16>) -> "
                          "tensor<4x3xi1>",
                          direction));
  }
}

void others(InstanceTable& table) {
  const auto add = [&](const std::string& arguments, const std::string& lines) {
    table.add("other_types", arguments, lines);
  };
  std::vector<std::string> elements(std::begin(kSmall), std::end(kSmall));
  elements.insert(elements.end(), {"complex<f32>", "complex<f64>", "i4"});
  for (const std::string& e : elements) {
    const bool complex = e.starts_with("complex");
    const auto t = [&](const Dims& dims) { return tensor_text(dims, e); };
    const std::string x = "%x: " + t({4, 6});
    const std::string zero = complex ? "(0.0, 0.0)" : e == "i4" ? "0" : e == "f8E8M0FNU" ? "1.0" : "0.0";
    const std::string one = complex ? "(1.0, 0.0)" : e == "i4" ? "1" : "1.0";
    add(x, fmt::format("  %0 = stablehlo.transpose %x, dims = [1, 0] : ({}) -> {}", t({4, 6}), t({6, 4})));
    add(x, fmt::format("  %0 = stablehlo.reshape %x : ({}) -> {}", t({4, 6}), t({2, 12})));
    add(x, fmt::format("  %0 = stablehlo.reverse %x, dims = [1] : {}", t({4, 6})));
    add(x, fmt::format("  %0 = stablehlo.slice %x [0:4, 1:5] : ({}) -> {}", t({4, 6}), t({4, 4})));
    add(x, fmt::format("  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({}) -> {}", t({4, 6}), t({4, 3, 6})));
    add(fmt::format("{}, %y: {}", x, t({4, 2})),
        fmt::format("  %0 = stablehlo.concatenate %x, %y, dim = 1 : ({}, {}) -> {}", t({4, 6}), t({4, 2}), t({4, 8})));
    add("", fmt::format("  %0 = stablehlo.constant dense<{}> : {}", one, t({4, 6})));
    add(x + ", %s: tensor<3x1xi32>",
        fmt::format(
            "  %0 = \"stablehlo.gather\"(%x, %s) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
            "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: "
            "1, 6>}}> : ({}, tensor<3x1xi32>) -> {}",
            t({4, 6}), t({3, 6})));
    add(fmt::format("{}, %u: {}, %i: tensor<i32>, %j: tensor<i32>", x, t({4, 2})),
        fmt::format(
            "  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : ({0}, {1}, tensor<i32>, tensor<i32>) -> {0}",
            t({4, 6}), t({4, 2})));
    add(fmt::format("{}, %y: {}", x, t({6, 3})),
        fmt::format("  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({}, {}) -> {}", t({4, 6}),
                    t({6, 3}), t({4, 3})));
    for (const auto& [fn, value] : {std::pair("add", zero), {"multiply", one}, {"add", one}}) {
      add(x, known(value, e).line +
                 fmt::format("  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.{} across dimensions = [1] : ({}, "
                             "tensor<{}>) -> {}",
                             fn, t({4, 6}), e, t({4})));
      add(x, known(value, e).line +
                 fmt::format("  %0 = stablehlo.pad %x, %c, low = [1, 0], high = [0, 0], interior = [1, 0] : ({}, "
                             "tensor<{}>) -> {}",
                             t({4, 6}), e, t({8, 6})));
      add(fmt::format("%s: tensor<4x1xi32>, %u: {}", t({4, 3})),
          fmt::format("  %x = stablehlo.constant dense<{0}> : {3}\n"
                      "  %0 = \"stablehlo.scatter\"(%x, %s, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<"
                      "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
                      "index_vector_dim = 1>}}> {1} : ({3}, tensor<4x1xi32>, {2}) -> {3}",
                      value, body(std::string("stablehlo.") + fn, e), t({4, 3}), t({6, 3})));
    }
    if (e != "i4") {
      add(fmt::format("%x: {}, %y: {}", t({2, 5, 3}), t({3, 3, 4})),
          fmt::format(
              "  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} "
              "{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({}, {}) -> {}",
              t({2, 5, 3}), t({3, 3, 4}), t({2, 3, 4})));
    }
  }
}

}  // namespace

void add_types(InstanceTable& table) {
  elementwise(table);
  others(table);
}

}  // namespace partir::testing
