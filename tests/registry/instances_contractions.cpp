// Instances of ragged_dot, dot_general and convolutions of integers.
#include <fmt/format.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

void ragged_dot(InstanceTable& table) {
  struct Case {
    Dims lhs;
    Dims rhs;
    Dims out;
    std::int64_t groups;
    Dims lhs_batch, rhs_batch, lhs_contract, rhs_contract;
    std::int64_t ragged;
    Dims group;
  };
  const Case cases[] = {
      {{6, 4}, {2, 4, 3}, {6, 3}, 2, {}, {}, {1}, {1}, 0, {0}},              // rows of a group times its matrix
      {{6, 4}, {3, 4, 6}, {6, 6}, 3, {}, {}, {1}, {1}, 0, {0}},              //
      {{4, 6}, {6, 2, 4}, {6, 2}, 6, {}, {}, {0}, {2}, 1, {0}},              // other group and contracting dims
      {{6, 4}, {6, 3}, {2, 4, 3}, 2, {}, {}, {0}, {0}, 0, {}},               // the ragged dimension is contracted
      {{4, 6}, {6, 2}, {3, 4, 2}, 3, {}, {}, {1}, {0}, 1, {}},               //
      {{2, 6, 4}, {3, 2, 4, 2}, {2, 6, 2}, 3, {0}, {1}, {2}, {2}, 1, {0}},   // a batch in addition to groups
      {{4, 6, 2}, {4, 6, 3}, {3, 4, 2, 3}, 3, {0}, {0}, {1}, {1}, 1, {}},    // a batch, ragged contraction
      {{4, 6}, {4, 6, 2}, {4, 2}, 2, {0}, {0}, {1}, {1}, 0, {}},             // the batch is ragged
      {{6, 4, 2}, {2, 2, 4, 3}, {6, 3}, 2, {}, {}, {1, 2}, {2, 1}, 0, {0}},  // two contractions
      {{2, 6, 4}, {1, 4, 3}, {2, 6, 3}, 1, {}, {}, {2}, {1}, 1, {0}}};       // one group, two free rows
  for (const Case& c : cases) {
    for (const auto& [from, to, index] : {std::tuple("f32", "f32", "i32"),
                                          {"bf16", "f32", "i64"},
                                          {"i8", "i32", "ui8"},
                                          {"complex<f32>", "complex<f32>", "i32"}}) {
      const std::string x = tensor_text(c.lhs, from);
      const std::string y = tensor_text(c.rhs, from);
      const std::string g = tensor_text({c.groups}, index);
      table.add("ragged_dot", fmt::format("%x: {}, %y: {}, %g: {}", x, y, g),
                fmt::format("  %0 = \"chlo.ragged_dot\"(%x, %y, %g) <{{ragged_dot_dimension_numbers = "
                            "#chlo.ragged_dot<lhs_batching_dimensions = {}, rhs_batching_dimensions = {}, "
                            "lhs_contracting_dimensions = {}, rhs_contracting_dimensions = {}, lhs_ragged_dimensions = "
                            "[{}], rhs_group_dimensions = {}>}}> : ({}, {}, {}) -> {}",
                            list(c.lhs_batch), list(c.rhs_batch), list(c.lhs_contract), list(c.rhs_contract), c.ragged,
                            list(c.group), x, y, g, tensor_text(c.out, to)));
    }
  }
}

void dots(InstanceTable& table) {
  for (const auto& [x, y, out] :
       {std::tuple(Dims{6}, Dims{6}, Dims{}), {{4, 6}, {6}, {4}}, {{6}, {6, 4}, {4}}, {{4, 6}, {6, 2}, {4, 2}}}) {
    for (const char* element : {"f32", "i32"}) {
      table.add("dot", fmt::format("%x: {}, %y: {}", tensor_text(x, element), tensor_text(y, element)),
                fmt::format("  %0 = stablehlo.dot %x, %y : ({}, {}) -> {}", tensor_text(x, element),
                            tensor_text(y, element), tensor_text(out, element)));
    }
  }
}

void convolution_of_integers(InstanceTable& table) {
  for (const auto& [from, to] :
       {std::pair("i8", "i32"), {"ui8", "ui32"}, {"i32", "i32"}, {"i32", "i64"}, {"ui8", "i32"}, {"i1", "i1"}}) {
    for (const auto& [window, size] :
         {std::pair("", 4), {"pad = [[1, 1]]", 6}, {"stride = [2], lhs_dilate = [2]", 5}}) {
      const std::string x = tensor_text({4, 6, 3}, from);
      const std::string y = tensor_text({3, 3, 2}, from);
      table.add(
          "convolution", fmt::format("%x: {}, %y: {}", x, y),
          fmt::format("  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
                      "{{{}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({}, {}) -> {}",
                      window, x, y, tensor_text({4, size, 2}, to)));
    }
  }
}

}  // namespace

void add_contractions(InstanceTable& table) {
  dots(table);
  ragged_dot(table);
  convolution_of_integers(table);
}

}  // namespace partir::testing
