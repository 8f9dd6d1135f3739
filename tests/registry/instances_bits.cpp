// Instances of operations on the representation of numbers: bitcast_convert, reduce_precision, parts of complex
// numbers.
#include <fmt/format.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

void bitcast(InstanceTable& table) {
  const auto one = [&](const Dims& from, const std::string& element, const Dims& to, const std::string& other) {
    const std::string t = tensor_text(from, element);
    table.add("bitcast_convert", "%x: " + t,
              fmt::format("  %0 = stablehlo.bitcast_convert %x : ({}) -> {}", t, tensor_text(to, other)));
  };
  for (const auto& [a, b] : {std::pair("f32", "i32"),
                             {"f32", "ui32"},
                             {"f32", "f32"},
                             {"f64", "i64"},
                             {"bf16", "f16"},
                             {"f16", "ui16"},
                             {"i8", "ui8"},
                             {"f8E4M3FN", "i8"},
                             {"f8E5M2", "f8E4M3"},
                             {"i4", "ui4"},
                             {"i1", "i1"},
                             {"complex<f32>", "complex<f32>"},
                             {"complex<f64>", "complex<f64>"}}) {
    for (const Dims& dims : {Dims{4, 6}, Dims{}}) {
      one(dims, a, dims, b);
      if (std::string_view(a) != b) one(dims, b, dims, a);
    }
  }
  struct Widths {
    const char* wide;
    const char* narrow;
    std::int64_t parts;
  };
  for (const Widths& w : {Widths{"f32", "bf16", 2},
                          {"i32", "i8", 4},
                          {"ui64", "ui32", 2},
                          {"f64", "f32", 2},
                          {"i16", "f8E4M3FN", 2},
                          {"f32", "ui8", 4},
                          {"i8", "i4", 2},
                          {"i8", "ui2", 4},
                          {"ui8", "i1", 8},
                          {"i4", "i1", 4},
                          {"complex<f64>", "complex<f32>", 2}}) {
    for (const Dims& dims : {Dims{4, 6}, Dims{3}, Dims{}}) {
      Dims longer = dims;
      longer.push_back(w.parts);
      one(dims, w.wide, longer, w.narrow);
      one(longer, w.narrow, dims, w.wide);
    }
  }
}

void reduce_precision(InstanceTable& table) {
  for (const char* element : {"f32", "f64", "bf16", "f16", "f8E4M3FN"}) {
    const std::string t = tensor_text({4, 6}, element);
    for (const auto& [e, m] : {std::pair(8, 7), {5, 10}, {5, 2}, {1, 0}, {11, 52}, {8, 23}, {4, 3}}) {
      table.add("reduce_precision", "%x: " + t,
                fmt::format("  %0 = stablehlo.reduce_precision %x, format = e{}m{} : {}", e, m, t));
    }
  }
}

void complex(InstanceTable& table) {
  for (const auto& [real, complex] : {std::pair("f32", "complex<f32>"), {"f64", "complex<f64>"}}) {
    for (const Dims& dims : {Dims{4, 6}, Dims{3}, Dims{}}) {
      const std::string r = tensor_text(dims, real);
      const std::string c = tensor_text(dims, complex);
      for (const char* name : {"stablehlo.real", "stablehlo.imag", "stablehlo.abs"}) {
        table.add("complex", "%x: " + c, fmt::format("  %0 = {} %x : ({}) -> {}", name, c, r));
      }
      for (const char* name : {"stablehlo.real", "stablehlo.imag"})
        table.add("complex", "%x: " + r, fmt::format("  %0 = {0} %x : ({1}) -> {1}", name, r));
      table.add("complex", fmt::format("%x: {0}, %y: {0}", r), fmt::format("  %0 = stablehlo.complex %x, %y : {}", c));
      table.add("complex", "%x: " + c, fmt::format("  %0 = chlo.conj %x : {0} -> {0}", c));
    }
  }
}

void sharding_constraint(InstanceTable& table) {
  for (const char* element : {"f32", "i32", "i1", "complex<f32>"}) {
    const std::string t = tensor_text({4, 6}, element);
    table.add("sharding_constraint", "%x: " + t,
              fmt::format("  %0 = sdy.sharding_constraint %x <@mesh, [{{\"x\"}}, {{?}}]> : {}", t));
  }
  table.add("sharding_constraint", "%x: tensor<f32>", "  %0 = sdy.sharding_constraint %x <@mesh, []> : tensor<f32>");
}

}  // namespace

void add_bits(InstanceTable& table) {
  bitcast(table);
  reduce_precision(table);
  complex(table);
  sharding_constraint(table);
}

}  // namespace partir::testing
