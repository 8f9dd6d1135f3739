// Instances of operations whose sizes are operands.
#include <fmt/format.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {

void add_dynamic(InstanceTable& table) {
  for (const char* index : {"i32", "i64", "ui8"}) {
    const std::string two = tensor_text({2}, index);
    table.add("dynamic_forms", "%s: " + two,
              fmt::format("  %0 = stablehlo.dynamic_iota %s, dim = 1 : ({}) -> tensor<4x6xf32>", two));
    table.add("dynamic_forms", "%x: tensor<6xf32>, %s: " + two,
              fmt::format("  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<6xf32>, {}) -> "
                          "tensor<4x6xf32>",
                          two));
    table.add("dynamic_forms", "%x: tensor<24xf32>, %s: " + two,
              fmt::format("  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<24xf32>, {}) -> tensor<4x6xf32>", two));
    table.add(
        "dynamic_forms", fmt::format("%x: tensor<6x4xf32>, %i: tensor<3x1x{}>, %s: {}", index, two),
        fmt::format("  %0 = \"stablehlo.dynamic_gather\"(%x, %i, %s) <{{dimension_numbers = #stablehlo.gather<"
                    "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
                    "indices_are_sorted = false}}> : (tensor<6x4xf32>, tensor<3x1x{}>, {}) -> tensor<3x4xf32>",
                    index, two));
    table.add("dynamic_forms", fmt::format("%x: tensor<4x3xi32>, %c: tensor<i32>, %l: {0}, %h: {0}, %i: {0}", two),
              fmt::format("  %0 = stablehlo.dynamic_pad %x, %c, %l, %h, %i : (tensor<4x3xi32>, tensor<i32>, {0}, {0}, "
                          "{0}) -> tensor<6x4xi32>",
                          two));
    table.add("dynamic_forms", fmt::format("%x: tensor<6x4xf32>, %a: {0}, %b: {0}, %s: {0}", two),
              fmt::format("  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %s : (tensor<6x4xf32>, {0}, {0}, {0}) -> "
                          "tensor<3x2xf32>",
                          two));
    table.add(
        "dynamic_forms", fmt::format("%x: tensor<2x6x3xf32>, %y: tensor<3x3x2xf32>, %p: tensor<1x2x{}>", index),
        fmt::format("  %0 = \"stablehlo.dynamic_conv\"(%x, %y, %p) <{{batch_group_count = 1 : i64, "
                    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 "
                    ": i64}}> : (tensor<2x6x3xf32>, tensor<3x3x2xf32>, tensor<1x2x{}>) -> tensor<2x5x2xf32>",
                    index));
  }
  for (int dim = 0; dim < 2; ++dim) {
    table.add("dynamic_forms", "%x: tensor<4x6xf32>",
              fmt::format("  %0 = stablehlo.get_dimension_size %x, dim = {} : (tensor<4x6xf32>) -> tensor<i32>", dim));
  }
}

}  // namespace partir::testing
