// The wrong claims about operations beyond the core, one function for each group of operations.
#include "tests/registry/wrong_claims.h"

#include <fmt/format.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {
namespace {

constexpr auto kIllFormed = Outcome::Kind::ill_formed;

class Claims {
 public:
  void add(const char* name, const std::string& arguments, const std::string& lines, const char* entry,
           Outcome::Kind how = Outcome::Kind::differs) {
    claims.push_back({name, module_text(arguments, lines), entry, how});
  }
  std::vector<WrongClaim> claims;
};

const std::string kMatrix = "%x: tensor<6x6xf32>";
const std::string kZero = "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n";
const std::string kOne = "  %c = stablehlo.constant dense<1.0> : tensor<f32>\n";

std::string window(const char* fn, const char* attributes, const char* out) {
  return fmt::format("  %0 = \"stablehlo.reduce_window\"(%x, %c) <{{{}}}> {} : (tensor<6x6xf32>, tensor<f32>) -> {}",
                     attributes, body(fn, "f32"), out);
}

void windows(Claims& c) {
  const char* const running =
      "padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 6, 1>";
  const char* const same = "padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>";
  const char* const whole = "tensor<6x6xf32>";
  c.add("running sums of chunks", kMatrix, kZero + window("stablehlo.add", running, whole),
        "(#tile<0>, any) -> (#tile<0>)");
  c.add("running sums of chunks as a sum", kMatrix, kZero + window("stablehlo.add", running, whole),
        "(#tile<0>, any) -> (#sum)", kIllFormed);
  c.add("a window over tiles without their neighbours", kMatrix, kZero + window("stablehlo.add", same, whole),
        "(#tile<0>, any) -> (#tile<0>)");
  c.add("pooled windows across chunks", "%x: tensor<12x6xf32>, %c: tensor<f32>",
        fmt::format("  %0 = \"stablehlo.reduce_window\"(%x, %c) <{{window_dimensions = array<i64: 3, 1>, "
                    "window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}}> {} : "
                    "(tensor<12x6xf32>, tensor<f32>) -> tensor<6x6xf32>",
                    body("stablehlo.add", "f32")),
        "(#tile<0>, any) -> (#tile<0>)");
  c.add("windows of sums from one", kMatrix, kOne + window("stablehlo.add", same, whole), "(#sum, any) -> (#sum)");
  c.add("windows of sums from an unknown value", kMatrix + ", %c: tensor<f32>", window("stablehlo.add", same, whole),
        "(#sum, any) -> (#sum)");
  c.add("largest of windows of sums", kMatrix, kZero + window("stablehlo.maximum", same, whole),
        "(#sum, any) -> (#sum)");
  c.add("windows whose padding is no identity of maxima", kMatrix, kOne + window("stablehlo.add", same, whole),
        "(#max, any) -> (#max)");
  c.add("an element of each that skips some", kMatrix,
        kZero + window("stablehlo.add", "window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 4>",
                       "tensor<6x2xf32>"),
        "(#tile<1>, any) -> (#tile<1>)");
  c.add("elements that are shifted", kMatrix,
        kZero + window("stablehlo.add",
                       "padding = dense<[[0, 0], [1, -1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1>",
                       whole),
        "(#tile<1>, any) -> (#tile<1>)");
  const auto scattered = [](const char* init, const char* fn) {
    return fmt::format(
        "{}  %0 = \"stablehlo.select_and_scatter\"(%x, %s, %c) <{{window_dimensions = array<i64: 2, 1>, window_strides "
        "= array<i64: 2, 1>}}> ({{\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %s = stablehlo.compare GE, %a, %b : "
        "(tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %s : tensor<i1>\n  }}, {} : (tensor<6x6xf32>, "
        "tensor<3x6xf32>, tensor<f32>) -> tensor<6x6xf32>",
        init, body(fn, "f32").substr(1));
  };
  const std::string pooled = "%x: tensor<6x6xf32>, %s: tensor<3x6xf32>";
  const std::string added = scattered(kZero.c_str(), "stablehlo.add");
  c.add("a selection among sums", pooled, added, "(#sum, any, any) -> (#sum)");
  c.add("a selection among maxima", pooled, added, "(#max, any, any) -> (#max)");
  c.add("a partial source and a partial selection", pooled, added, "(#sum, #sum, any) -> (#sum)");
  c.add("a partial source added to ones", pooled, scattered(kOne.c_str(), "stablehlo.add"),
        "(any, #sum, any) -> (#sum)");
  c.add("a partial source added to something", pooled + ", %c: tensor<f32>", scattered("", "stablehlo.add"),
        "(any, #sum, any) -> (#sum)");
  c.add("a sum as the source of maxima", pooled, scattered(kZero.c_str(), "stablehlo.maximum"),
        "(any, #sum, any) -> (#sum)");
  c.add("a source tiled alone", pooled, added, "(any, #tile<1>, any) -> (#sum)", kIllFormed);
}

void library(Claims& c) {
  const char* const sorted =
      "  %0 = \"stablehlo.sort\"(%x) <{dimension = 1 : i64}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %s = "
      "stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %s : tensor<i1>\n "
      " "
      "}) : (tensor<6x6xf32>) -> tensor<6x6xf32>";
  c.add("a sort along the tiled dimension", kMatrix, sorted, "(#tile<1>) -> (#tile<1>)");
  c.add("a sort of a sum", kMatrix, sorted, "(#sum) -> (#sum)");
  c.add("a sort of a maximum", kMatrix, sorted, "(#max) -> (#max)");
  const char* const top = "  %v, %i = chlo.top_k(%x, k = 2) : tensor<6x6xf32> -> (tensor<6x2xf32>, tensor<6x2xi32>)";
  c.add("the largest of chunks", kMatrix, top, "(#tile<1>) -> (#max, #max)");
  c.add("the largest, tiled along themselves", kMatrix, top, "(#tile<1>) -> (#tile<1>, #tile<1>)", kIllFormed);
  c.add("the largest of sums", kMatrix, top, "(#sum) -> (#sum, any)");
  c.add("the largest of maxima, and where they stand", kMatrix, top, "(#max) -> (#max, #max)");
  const char* const fft =
      "  %0 = stablehlo.fft %x, type = FFT, length = [6] : (tensor<6x6xcomplex<f32>>) -> tensor<6x6xcomplex<f32>>";
  c.add("a transform along the tiled dimension", "%x: tensor<6x6xcomplex<f32>>", fft, "(#tile<1>) -> (#tile<1>)");
  c.add("a transform of chunks added", "%x: tensor<6x6xcomplex<f32>>", fft, "(#tile<1>) -> (#sum)", kIllFormed);
  c.add("a transform of a product", "%x: tensor<6x6xcomplex<f32>>", fft, "(#prod) -> (#prod)");
  c.add("a real transform to the tiled half", kMatrix,
        "  %0 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<6x6xf32>) -> tensor<6x4xcomplex<f32>>",
        "(#tile<1>) -> (#tile<1>)", kIllFormed);
  const char* const cholesky = "  %0 = stablehlo.cholesky %x, lower = true : (tensor<6x6xf32>) -> tensor<6x6xf32>";
  c.add("a factor of rows", kMatrix, cholesky, "(#tile<0>) -> (#tile<0>)", kIllFormed);
  c.add("a factor of columns", kMatrix, cholesky, "(#tile<1>) -> (#tile<1>)", kIllFormed);
  c.add("a factor of a sum", kMatrix, cholesky, "(#sum) -> (#sum)");
  const char* const solve =
      "  %0 = \"stablehlo.triangular_solve\"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, "
      "transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>";
  const std::string system = "%a: tensor<6x6xf32>, %b: tensor<6x6xf32>";
  c.add("a system by rows", system, solve, "(#tile<0>, #tile<0>) -> (#tile<0>)", kIllFormed);
  c.add("a system by rows of the right side", system, solve, "(any, #tile<0>) -> (#tile<0>)", kIllFormed);
  c.add("a system that is a sum", system, solve, "(#sum, any) -> (#sum)");
  c.add("both sides as sums", system, solve, "(#sum, #sum) -> (#sum)");
  const char* const bits =
      "  %t, %0 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, "
      "tensor<6xui32>)";
  c.add("random bits of each device", "%s: tensor<2xui64>", bits, "(any) -> (any, #tile<0>)");
  c.add("an iota of a size that is data", "%s: tensor<1xi64>",
        "  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<6xi32>", "(any) -> (#tile<0>)");
  c.add("the size of a tile", kMatrix,
        "  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<6x6xf32>) -> tensor<i32>", "(#tile<0>) -> (any)");
}

void norms(Claims& c) {
  const char* const attributes = "<{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}>";
  const std::string training = fmt::format(
      "  %0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) {} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> "
      "(tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>)",
      attributes);
  const std::string trained = "%x: tensor<6x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>";
  c.add("statistics of a part of the batch", trained, training, "(#tile<0>, any, any) -> (#tile<0>, any, any)");
  c.add("statistics of parts added", trained, training, "(#tile<0>, any, any) -> (#tile<0>, #sum, #sum)");
  c.add("a normalised sum", trained, training, "(#sum, any, any) -> (#sum, #sum, #sum)");
  const std::string grad = fmt::format(
      "  %0:3 = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) {} : (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>, "
      "tensor<4xf32>, tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<4xf32>)",
      attributes);
  c.add("gradients of a part of the batch", trained + ", %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<6x4xf32>",
        grad, "(#tile<0>, any, any, any, #tile<0>) -> (#tile<0>, #sum, #sum)");
  c.add("an inference over a sum", trained + ", %m: tensor<4xf32>, %v: tensor<4xf32>",
        fmt::format("  %0 = \"stablehlo.batch_norm_inference\"(%x, %s, %o, %m, %v) {} : (tensor<6x4xf32>, "
                    "tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<6x4xf32>",
                    attributes),
        "(#sum, any, any, any, any) -> (#sum)");
  c.add("a mapped function of sums", "%x: tensor<6xf32>",
        "  %0 = \"stablehlo.map\"(%x) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%a: tensor<f32>):\n    %s = "
        "stablehlo.multiply %a, %a : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) : (tensor<6xf32>) -> "
        "tensor<6xf32>",
        "(#sum) -> (#sum)");
}

void representations(Claims& c) {
  const std::string complex = "%x: tensor<6x6xcomplex<f32>>";
  c.add("an imaginary part of a product", complex,
        "  %0 = stablehlo.imag %x : (tensor<6x6xcomplex<f32>>) -> tensor<6x6xf32>", "(#prod) -> (#prod)");
  c.add("a real part of a product", complex, "  %0 = stablehlo.real %x : (tensor<6x6xcomplex<f32>>) -> tensor<6x6xf32>",
        "(#prod) -> (#prod)");
  c.add("a magnitude of a sum", complex, "  %0 = stablehlo.abs %x : (tensor<6x6xcomplex<f32>>) -> tensor<6x6xf32>",
        "(#sum) -> (#sum)");
  c.add("a sum with a whole imaginary part", "%x: tensor<6xf32>, %y: tensor<6xf32>",
        "  %0 = stablehlo.complex %x, %y : tensor<6xcomplex<f32>>", "(#sum, any) -> (#sum)");
  c.add("bits of a sum", kMatrix, "  %0 = stablehlo.bitcast_convert %x : (tensor<6x6xf32>) -> tensor<6x6xi32>",
        "(#sum) -> (#sum)");
  c.add("bits of a maximum", kMatrix, "  %0 = stablehlo.bitcast_convert %x : (tensor<6x6xf32>) -> tensor<6x6xi32>",
        "(#max) -> (#max)");
  c.add("halves of words, tiled along the halves", "%x: tensor<6x2xui32>",
        "  %0 = stablehlo.bitcast_convert %x : (tensor<6x2xui32>) -> tensor<6xui64>", "(#tile<1>) -> (#tile<0>)",
        kIllFormed);
  c.add("parts of words, tiled", "%x: tensor<6xi32>",
        "  %0 = stablehlo.bitcast_convert %x : (tensor<6xi32>) -> tensor<6x4xi8>", "(any) -> (#tile<1>)", kIllFormed);
  c.add("a rounded sum", kMatrix, "  %0 = stablehlo.reduce_precision %x, format = e5m2 : tensor<6x6xf32>",
        "(#sum) -> (#sum)");
  c.add("a maximum and a whole in a sum", "%x: tensor<6xf32>, %y: tensor<6xf32>",
        "  %0 = stablehlo.add %x, %y : tensor<6xf32>", "(#max, #max) -> (#max)");
  c.add("a largest of a sum and a whole", "%x: tensor<6xf32>, %y: tensor<6xf32>",
        "  %0 = stablehlo.maximum %x, %y : tensor<6xf32>", "(#sum, any) -> (#sum)");
  c.add("a relu of a sum", "%x: tensor<6xf32>",
        "  %y = stablehlo.constant dense<0.0> : tensor<6xf32>\n  %0 = stablehlo.maximum %x, %y : tensor<6xf32>",
        "(#sum, any) -> (#sum)");
  c.add("a slice that begins behind a stride", "%x: tensor<6xf32>",
        "  %0 = stablehlo.slice %x [2:6:2] : (tensor<6xf32>) -> tensor<2xf32>", "(#tile<0>) -> (#tile<0>)");
  c.add("a pad within that begins too late", "%x: tensor<6xf32>, %c: tensor<f32>",
        "  %0 = stablehlo.pad %x, %c, low = [2], high = [-1], interior = [1] : (tensor<6xf32>, tensor<f32>) -> "
        "tensor<12xf32>",
        "(#tile<0>, any) -> (#tile<0>)");
  c.add("a smallest of a maximum that is whole", "%x: tensor<6xf32>, %y: tensor<6xf32>",
        "  %0 = stablehlo.minimum %x, %y : tensor<6xf32>", "(#max, #min) -> (#max)");
  c.add("a narrowed maximum", "%x: tensor<6xi32>", "  %0 = stablehlo.convert %x : (tensor<6xi32>) -> tensor<6xi8>",
        "(#max) -> (#max)");
  c.add("an unsigned view of a maximum", "%x: tensor<6xi32>",
        "  %0 = stablehlo.convert %x : (tensor<6xi32>) -> tensor<6xui32>", "(#max) -> (#max)");
  c.add("a signed view of a minimum", "%x: tensor<6xui8>",
        "  %0 = stablehlo.convert %x : (tensor<6xui8>) -> tensor<6xi8>", "(#min) -> (#min)");
}

void wider_computations(Claims& c) {
  const auto reduce = [](const char* fn, const char* from, const char* to, const char* init) {
    return fmt::format(
        "  %c = stablehlo.constant dense<{}> : tensor<{}>\n  %0 = \"stablehlo.reduce\"(%x, %c) "
        "<{{dimensions = array<i64: 1>}}> {} : (tensor<4x6x{}>, tensor<{}>) -> tensor<4x{}>",
        init, from, body(fn, to), from, from, to);
  };
  const std::string bytes = "%x: tensor<4x6xi8>";
  c.add("a wide sum of narrow sums", bytes, reduce("stablehlo.add", "i8", "i32", "0"), "(#sum, any) -> (#sum)");
  c.add("a wide product of narrow products", bytes, reduce("stablehlo.multiply", "i8", "i32", "1"),
        "(#prod, any) -> (#prod)");
  c.add("a largest unsigned number of signed maxima", bytes, reduce("stablehlo.maximum", "i8", "ui32", "-128"),
        "(#max, any) -> (#max)");
  c.add("a wide sum from one", bytes, reduce("stablehlo.add", "i8", "i32", "1"), "(#tile<1>, any) -> (#sum)");
  c.add("a wide maximum added", bytes, reduce("stablehlo.maximum", "i8", "i32", "-128"), "(#tile<1>, any) -> (#sum)");
  const std::string updates =
      "%x: tensor<6x4xf32>, %y: tensor<6x4xi32>, %s: tensor<6x1xi32>, %u: tensor<6x4xf32>, %v: "
      "tensor<6x4xi32>";
  const std::string scatter = fmt::format(
      "  %0:2 = \"stablehlo.scatter\"(%x, %y, %s, %u, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<"
      "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = "
      "1>}}> ({}) : (tensor<6x4xf32>, tensor<6x4xi32>, tensor<6x1xi32>, tensor<6x4xf32>, tensor<6x4xi32>) -> "
      "(tensor<6x4xf32>, tensor<6x4xi32>)",
      region("%a: tensor<f32>, %p: tensor<i32>, %b: tensor<f32>, %q: tensor<i32>",
             "    %s = stablehlo.add %a, %b : tensor<f32>\n    %t = stablehlo.maximum %p, %q : tensor<i32>\n",
             "%s, %t : tensor<f32>, tensor<i32>"));
  c.add("two scatters by rows", updates, scatter, "(#tile<0>, #tile<0>, any, any, any) -> (#tile<0>, #tile<0>)");
  c.add("two scatters of tiled updates", updates, scatter, "(any, any, #tile<0>, #tile<0>, #tile<0>) -> (#sum, #max)");
  c.add("two scatters of which one is tiled", updates, scatter,
        "(#tile<1>, any, any, #tile<1>, any) -> (#tile<1>, any)", kIllFormed);
  const char* const ragged =
      "  %0 = \"chlo.ragged_dot\"(%x, %y, %g) <{ragged_dot_dimension_numbers = "
      "#chlo.ragged_dot<lhs_batching_dimensions "
      "= [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
      "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x6xf32>, tensor<6x6x4xf32>, "
      "tensor<6xi32>) "
      "-> tensor<6x4xf32>";
  const std::string groups = "%x: tensor<6x6xf32>, %y: tensor<6x6x4xf32>, %g: tensor<6xi32>";
  c.add("rows of another device's groups", groups, ragged, "(#tile<0>, any, any) -> (#tile<0>)");
  c.add("groups by device", groups, ragged, "(any, #tile<0>, #tile<0>) -> (#sum)");
  c.add("group sizes as sums", groups, ragged, "(any, any, #sum) -> (#sum)");
}

}  // namespace

std::vector<WrongClaim> wrong_claims_beyond_the_core() {
  Claims c;
  windows(c);
  library(c);
  norms(c);
  representations(c);
  wider_computations(c);
  return c.claims;
}

}  // namespace partir::testing
