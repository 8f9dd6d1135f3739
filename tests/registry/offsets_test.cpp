// Operations decomposed using the shard offset (ir/ops/offsets.h). The decomposition gives the same values as the
// operation, also for starts and indices that are out of bounds, and is proved; decompositions with another number in
// them are not.
#include "ir/ops/offsets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "ir/by_offsets.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "semantics/interpreter.h"
#include "tests/registry/instances.h"
#include "verify/prove/instance.h"

namespace partir {
namespace {

/// Runs a function: the operation, or its decomposition.
std::vector<Tensor> run(const Function& f, const std::vector<Tensor>& inputs) {
  const auto out = run_sequential(f, inputs, modular_domain());
  EXPECT_TRUE(out.has_value()) << (out ? "" : out.error().text());
  return out ? *out : std::vector<Tensor>();
}

/// Returns the function with its last operation decomposed by offsets, or nothing if it cannot be.
std::optional<Function> written(const Function& f, std::size_t operand, Dim dim, std::int64_t n) {
  const Op& op = f.body.ops[f.body.ops.size() - 2];
  const OpInstance instance = instance_of(f, op);
  if (op.decl->by_offsets == nullptr || tiled_type({operand, dim, n}, instance) == nullptr ||
      !op.decl->by_offsets(instance, operand, dim, n))
    return std::nullopt;
  return written_by_offsets(f, {{op.results[0], {operand, dim, n}}});
}

std::string text_of(const Function& f) {
  Module m;
  m.functions.push_back(f);
  return print_module(m);
}

struct Case {
  std::string kind;
  std::vector<std::int64_t> dims;
  Dim dim = 0;
  std::int64_t n = 2;
  std::int64_t part = 1;     ///< size of the slice or of the update
  std::int64_t start = 0;    ///< of a slice with static starts
  std::int64_t indices = 1;  ///< number of lookups or updates
  bool column = false;       ///< whether indices have a dimension for their one component
  std::int64_t place = 0;    ///< of windows: the dimension of the result or the updates that comes from the indices
  bool both = false;         ///< of windows: whether another component addresses another dimension
  std::string element = "f32";
  std::string combine = "stablehlo.add";
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << fmt::format("{} of [{}] along {}, n = {}, part {}, start {}, {} indices{}, {}, {}", c.kind,
                            fmt::join(c.dims, ", "), c.dim, c.n, c.part, c.start, c.indices,
                            c.column ? " (column)" : "", c.element, c.combine);
}

std::string tensor(const std::vector<std::int64_t>& dims, const std::string& element) {
  return testing::tensor_text(dims, element);
}

/// Returns a function that returns the operation's result; its arguments are the operands.
std::string text_of(const Case& c) {
  const std::string x = tensor(c.dims, c.element);
  if (c.kind == "iota")
    return fmt::format("func.func @main() -> {0} {{\n%0 = stablehlo.iota dim = {1} : {0}\nreturn %0 : {0}\n}}\n", x,
                       c.dim);
  std::vector<std::int64_t> small = c.dims;
  small[c.dim] = c.part;
  const std::string y = tensor(small, c.element);
  std::string arguments = "%x: " + x;
  std::string types = x;
  std::string uses = "%x";
  const auto argument = [&](const std::string& name, const std::string& type) {
    arguments += ", " + name + ": " + type;
    types += ", " + type;
    uses += ", " + name;
  };
  std::string op;
  std::string result = y;
  std::vector<std::size_t> others;
  for (std::size_t d = 0; d < c.dims.size(); ++d) {
    if (d != c.dim) others.push_back(d);
  }
  const std::string indices =
      tensor(c.column ? std::vector<std::int64_t>{c.indices, 1} : std::vector{c.indices}, "i32");
  const auto gather = [&](const std::string& dimensions, const std::vector<std::int64_t>& sizes) {
    return fmt::format(
        "\"stablehlo.gather\"({}) <{{dimension_numbers = #stablehlo.gather<{}, index_vector_dim = 1>, "
        "indices_are_sorted = false, slice_sizes = array<i64: {}>}}> : ({}) -> {}",
        uses, dimensions, fmt::join(sizes, ", "), types, result);
  };
  const auto scatter = [&](const std::string& dimensions) {
    return fmt::format(
        "\"stablehlo.scatter\"({0}) <{{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{1}, "
        "index_vector_dim = 1>, unique_indices = false}}> ({{\n^bb0(%p: tensor<{2}>, %q: tensor<{2}>):\n  %t = {3} %p, "
        "%q : tensor<{2}>\n  stablehlo.return %t : tensor<{2}>\n}}) : ({4}) -> {5}",
        uses, dimensions, c.element, c.combine, types, result);
  };
  if (c.kind == "windows" || c.kind == "updates") {
    std::vector<std::int64_t> dims = small;
    dims.insert(dims.begin() + c.place, c.indices);
    std::vector<std::int64_t> windows;
    for (std::int64_t d = 0; d <= static_cast<std::int64_t>(c.dims.size()); ++d) {
      if (d != c.place) windows.push_back(d);
    }
    const std::vector<std::size_t> map = c.both ? std::vector{others[0], c.dim} : std::vector{c.dim};
    const std::string given = c.both ? tensor({c.indices, 2}, "i32") : indices;
    argument("%i", given);
    if (c.kind == "windows") {
      result = tensor(dims, c.element);
      op = gather(
          fmt::format("offset_dims = [{}], start_index_map = [{}]", fmt::join(windows, ", "), fmt::join(map, ", ")),
          small);
    } else {
      argument("%u", tensor(dims, c.element));
      result = x;
      op = scatter(fmt::format("update_window_dims = [{}], scatter_dims_to_operand_dims = [{}]",
                               fmt::join(windows, ", "), fmt::join(map, ", ")));
    }
  } else if (c.kind == "slice") {
    std::string ranges;
    for (std::size_t d = 0; d < c.dims.size(); ++d)
      ranges += fmt::format("{}{}:{}", d != 0 ? ", " : "", d == c.dim ? c.start : 0,
                            d == c.dim ? c.start + c.part : c.dims[d]);
    op = fmt::format("stablehlo.slice %x [{}] : ({}) -> {}", ranges, x, y);
  } else if (c.kind == "dynamic_slice" || c.kind == "dynamic_update_slice") {
    if (c.kind == "dynamic_update_slice") {
      argument("%u", y);
      result = x;
    }
    for (std::size_t d = 0; d < c.dims.size(); ++d) argument(fmt::format("%s{}", d), "tensor<i32>");
    const std::string sizes = c.kind == "dynamic_slice" ? fmt::format(", sizes = [{}]", fmt::join(small, ", ")) : "";
    op = fmt::format("stablehlo.{} {}{} : ({}) -> {}", c.kind, uses, sizes, types, result);
  } else if (c.kind == "gather") {
    argument("%i", indices);
    std::vector<std::int64_t> out = c.dims;
    out[c.dim] = c.indices;
    std::vector<std::int64_t> sizes = c.dims;
    sizes[c.dim] = 1;
    result = tensor(out, c.element);
    op = gather(
        fmt::format("{}collapsed_slice_dims = [{}], start_index_map = [{}]",
                    others.empty() ? "" : fmt::format("offset_dims = [{}], ", fmt::join(others, ", ")), c.dim, c.dim),
        sizes);
  } else {
    std::vector<std::int64_t> updates = c.dims;
    updates[c.dim] = c.indices;
    argument("%i", indices);
    argument("%u", tensor(updates, c.element));
    result = x;
    op = scatter(fmt::format("{}inserted_window_dims = [{}], scatter_dims_to_operand_dims = [{}]",
                             others.empty() ? "" : fmt::format("update_window_dims = [{}], ", fmt::join(others, ", ")),
                             c.dim, c.dim));
  }
  return fmt::format("func.func @main({}) -> {} {{\n%0 = {}\nreturn %0 : {}\n}}\n", arguments, result, op, result);
}

rc::Gen<Case> cases() {
  return rc::gen::exec([] {
    Case c;
    c.kind = *rc::gen::element<std::string>("slice", "dynamic_slice", "dynamic_update_slice", "gather", "scatter",
                                            "iota", "windows", "windows", "updates");
    const auto rank = *rc::gen::inRange<std::size_t>(1, 4);
    for (std::size_t d = 0; d < rank; ++d) c.dims.push_back(*rc::gen::inRange<std::int64_t>(1, 4));
    c.dim = *rc::gen::inRange<std::size_t>(0, rank);
    c.n = *rc::gen::inRange<std::int64_t>(2, 5);
    const bool positions = c.kind == "iota";
    const auto chunk = *rc::gen::inRange<std::int64_t>(positions ? 3 : 1, 6);
    c.dims[c.dim] = c.n * chunk;
    const bool updates = c.kind == "dynamic_update_slice";
    c.part = *rc::gen::inRange<std::int64_t>(1, updates ? c.dims[c.dim] : std::min(chunk + 1, c.dims[c.dim]));
    c.start = *rc::gen::inRange<std::int64_t>(0, c.dims[c.dim] - c.part + 1);
    c.indices = *rc::gen::inRange<std::int64_t>(1, 5);
    c.column = *rc::gen::arbitrary<bool>();
    c.element = *rc::gen::element<std::string>("f32", "f32", "i32", "f64", "bf16");
    if (positions)
      c.element = *rc::gen::element<std::string>("f32", "i32", "i64", "ui32", "ui8", "bf16", "complex<f32>");
    if (c.kind == "windows" || c.kind == "updates") {
      // A result of at most half of the operand, so that sending it is less than gathering the operand.
      c.dims[c.dim] *= 2;
      c.part = c.kind == "updates" ? 1 : *rc::gen::inRange<std::int64_t>(1, c.dims[c.dim] / 2 + 1);
      c.indices = *rc::gen::inRange<std::int64_t>(1, c.dims[c.dim] / 2 / c.part + 1);
      c.place = *rc::gen::inRange<std::int64_t>(0, static_cast<std::int64_t>(rank) + 1);
      c.both = rank > 1 && *rc::gen::arbitrary<bool>();
    }
    if (c.element == "f32" && (c.kind == "scatter" || c.kind == "updates"))
      c.combine = *rc::gen::element<std::string>("stablehlo.add", "stablehlo.multiply", "stablehlo.maximum");
    return c;
  });
}

/// Returns values for the arguments. Starts and indices range from before the first position to after the last.
std::vector<Tensor> inputs_of(const Function& f, std::int64_t size, unsigned seed) {
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < f.arguments().size(); ++k) {
    const TensorType& t = *f.type(f.arguments()[k]);
    if (k == 0 || t.element != ElementType::i32) {
      out.push_back(random_tensor(t, seed, k, modular_domain()));
      continue;
    }
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < t.elements(); ++i)
      values.push_back(
          static_cast<std::int64_t>((seed * 7919 + static_cast<unsigned>(i * 31 + static_cast<std::int64_t>(k) * 17)) %
                                    static_cast<unsigned>(size + 7)) -
          3);
    out.push_back(from_literal(*int_literal(t, values), modular_domain()));
  }
  return out;
}

TEST(ByOffsets, GiveTheSameAndAreProved) {
  EXPECT_TRUE(rc::check([] {
    const Case c = *cases();
    const auto module = read_module(text_of(c), "case");
    RC_ASSERT(module.has_value());
    const Function& f = module->functions.at(0);
    const auto others = written(f, 0, c.dim, c.n);
    RC_ASSERT(others.has_value());
    RC_LOG() << text_of(*others);
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const auto inputs = inputs_of(f, c.dims[c.dim], seed);
      RC_ASSERT(difference(run(*others, inputs).at(0), run(f, inputs).at(0), modular_domain()).elements == 0);
    }
    const Op& op = f.body.ops[0];
    const OpInstance instance = instance_of(f, op);
    const auto verdict = prove::decide_same(instance, *op.decl->by_offsets(instance, 0, c.dim, c.n));
    RC_LOG() << verdict.reason;
    RC_ASSERT(verdict.verdict == Verdict::proved);
  }));
}

/// Decomposes the only operation of a program for operand 0 in 4 chunks along `dim`, which has 12 positions.
void expect_same_and_proved(const char* program, Dim dim) {
  const auto module = read_module(program, "case");
  ASSERT_TRUE(module.has_value()) << module.error().text();
  const Function& f = module->functions.at(0);
  const OpInstance instance = instance_of(f, f.body.ops[0]);
  const auto others = f.body.ops[0].decl->by_offsets(instance, 0, dim, 4);
  ASSERT_TRUE(others.has_value()) << program;
  const auto well_formed = verify_function(*others);
  EXPECT_TRUE(well_formed.has_value()) << well_formed.error().text();
  const auto verdict = prove::decide_same(instance, *others);
  EXPECT_EQ(verdict.verdict, Verdict::proved) << verdict.reason << text_of(*others);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const auto inputs = inputs_of(f, 12, seed);
    EXPECT_EQ(difference(run(*others, inputs).at(0), run(f, inputs).at(0), modular_domain()).elements, 0);
  }
}

/// One index vector: the attribute index_vector_dim is 0, and left out.
TEST(ByOffsets, AreProvedForOneIndexVector) {
  const char* programs[] = {
      R"(func.func @main(%x: tensor<12x3xf32>, %i: tensor<1xi32>) -> tensor<2x3xf32> {
        %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<12x3xf32>, tensor<1xi32>) -> tensor<2x3xf32>
        return %0 : tensor<2x3xf32>
      })",
      R"(func.func @main(%x: tensor<12x3xf32>, %i: tensor<1xi32>) -> tensor<3xf32> {
        %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<12x3xf32>, tensor<1xi32>) -> tensor<3xf32>
        return %0 : tensor<3xf32>
      })",
      R"(func.func @main(%x: tensor<12x3xf32>, %i: tensor<2xi32>, %u: tensor<3xf32>) -> tensor<12x3xf32> {
        %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = false}> ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %t = stablehlo.add %p, %q : tensor<f32>
          stablehlo.return %t : tensor<f32>
        }) : (tensor<12x3xf32>, tensor<2xi32>, tensor<3xf32>) -> tensor<12x3xf32>
        return %0 : tensor<12x3xf32>
      })"};
  for (const char* program : programs) expect_same_and_proved(program, 0);
}

/// Batching dimensions before and after the dimension that is in blocks, with the index component's dimension between
/// them.
TEST(ByOffsets, AreProvedBesideBatchingDimensions) {
  const char* programs[] = {
      R"(func.func @main(%x: tensor<2x12x3xf32>, %i: tensor<3x1x4x2xi32>) -> tensor<3x4x2xf32> {
        %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [3, 0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x12x3xf32>, tensor<3x1x4x2xi32>) -> tensor<3x4x2xf32>
        return %0 : tensor<3x4x2xf32>
      })",
      R"(func.func @main(%x: tensor<2x12x3xf32>, %i: tensor<3x1x4x2xi32>, %u: tensor<3x4x2xf32>) -> tensor<2x12x3xf32> {
        %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0, 2], scatter_indices_batching_dims = [3, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %t = stablehlo.add %p, %q : tensor<f32>
          stablehlo.return %t : tensor<f32>
        }) : (tensor<2x12x3xf32>, tensor<3x1x4x2xi32>, tensor<3x4x2xf32>) -> tensor<2x12x3xf32>
        return %0 : tensor<2x12x3xf32>
      })"};
  for (const char* program : programs) expect_same_and_proved(program, 1);
}

/// A pad of `size` positions in the first of two dimensions.
std::string pad_text(std::int64_t size, std::int64_t low, std::int64_t high) {
  return fmt::format(
      "func.func @main(%x: tensor<{0}x2xf32>, %z: tensor<f32>) -> tensor<{1}x3xf32> {{\n"
      "%0 = stablehlo.pad %x, %z, low = [{2}, 1], high = [{3}, 0], interior = [0, 0] : (tensor<{0}x2xf32>, "
      "tensor<f32>) -> tensor<{1}x3xf32>\nreturn %0 : tensor<{1}x3xf32>\n}}\n",
      size, size + low + high, low, high);
}

/// Pads that add few positions make chunks longer.
TEST(ByOffsets, OfLongerChunksGiveTheSameAndAreProved) {
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<std::int64_t>(2, 6);
    const auto chunk = *rc::gen::inRange<std::int64_t>(3, 8);
    const auto more = *rc::gen::inRange<std::int64_t>(1, chunk / 3 + 1);
    const auto low = *rc::gen::inRange<std::int64_t>(0, n * more + 1);
    const auto module = read_module(pad_text(n * chunk, low, n * more - low), "case");
    RC_ASSERT(module.has_value());
    const Function& f = module->functions.at(0);
    const OpInstance instance = instance_of(f, f.body.ops[0]);
    const auto others = f.body.ops[0].decl->by_offsets(instance, 0, 0, n);
    RC_ASSERT(others.has_value());
    const auto inputs = inputs_of(f, n * chunk, 1);
    RC_ASSERT(difference(run(*others, inputs).at(0), run(f, inputs).at(0), modular_domain()).elements == 0);
    RC_ASSERT(prove::decide_same(instance, *others).verdict == Verdict::proved);
  }));
}

TEST(ByOffsets, AreNotThereForChunksThatAreNotWholeOrReachFar) {
  const auto none = [](std::int64_t size, std::int64_t low, std::int64_t high, std::int64_t n) {
    const auto module = value_or_throw(read_module(pad_text(size, low, high), "case"));
    const OpInstance instance = instance_of(module.functions.at(0), module.functions.at(0).body.ops[0]);
    return !instance.decl->by_offsets(instance, 0, 0, n).has_value();
  };
  EXPECT_FALSE(none(16, 0, 4, 4));
  EXPECT_TRUE(none(15, 1, 4, 4)) << "chunks of the operand";
  EXPECT_TRUE(none(16, 0, 5, 4)) << "chunks of the result";
  EXPECT_TRUE(none(96, 0, 32, 32)) << "11 neighbours";
  EXPECT_TRUE(none(8, 0, 8, 4)) << "most of the result is added";
}

/// A decomposition with one number changed is not proved, unless it still gives the same values.
TEST(ByOffsets, WithAnotherNumberAreNotProved) {
  for (const std::string kind :
       {"slice", "dynamic_slice", "dynamic_update_slice", "gather", "scatter", "iota", "windows", "updates"}) {
    Case c;
    c.kind = kind;
    c.dims = {12, 2};
    c.n = 3;
    c.part = kind == "updates" ? 1 : 2;
    c.start = 5;
    c.indices = 3;
    const auto module = read_module(text_of(c), "case");
    ASSERT_TRUE(module.has_value()) << module.error().text();
    const Function& f = module->functions.at(0);
    const OpInstance instance = instance_of(f, f.body.ops[0]);
    const auto right = f.body.ops[0].decl->by_offsets(instance, 0, 0, 3);
    ASSERT_TRUE(right.has_value());
    ASSERT_EQ(prove::decide_same(instance, *right).verdict, Verdict::proved);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < right->body.ops.size(); ++i) {
      const Op& o = right->body.ops[i];
      const DenseAttr* value =
          o.name() == "stablehlo.constant" ? find(o.attributes, "value")->as<DenseAttr>() : nullptr;
      if (value == nullptr || value->literal->type.element != ElementType::i32) continue;
      for (const std::int64_t by : {-1, 1}) {
        Function wrong = *right;
        const Literal& was = *value->literal;
        set(wrong.body.ops[i].attributes, "value", {DenseAttr{int_splat(was.type, was.as_int(0) + by)}});
        bool same = true;
        for (unsigned seed = 1; seed <= 40; ++seed) {
          const auto inputs = inputs_of(f, 12, seed);
          same = same && difference(run(wrong, inputs).at(0), run(f, inputs).at(0), modular_domain()).elements == 0;
        }
        const bool proved = prove::decide_same(instance, wrong).verdict == Verdict::proved;
        EXPECT_FALSE(proved && !same) << kind << "\n" << text_of(wrong);
        refused += same ? 0 : 1;
      }
    }
    EXPECT_GE(refused, 2U) << kind;
  }
}

TEST(ByOffsets, AreNotThereWhereOffsetsDoNotHelp) {
  const auto none = [](Case c, std::size_t operand, std::int64_t n) {
    const auto module = read_module(text_of(c), "case");
    return module && !written(module->functions.at(0), operand, c.dim, n);
  };
  Case slice;
  slice.kind = "slice";
  slice.dims = {8, 2};
  slice.part = 3;
  EXPECT_TRUE(none(slice, 0, 4)) << "more than a device's part";
  EXPECT_TRUE(none(slice, 0, 1)) << "one device";
  slice.part = 2;
  EXPECT_FALSE(none(slice, 0, 4));
  EXPECT_TRUE(none(slice, 0, 3)) << "chunks that are not whole";
  Case update = slice;
  update.kind = "dynamic_update_slice";
  EXPECT_TRUE(none(update, 1, 2)) << "an update that is tiled";
  Case iota;
  iota.kind = "iota";
  iota.dims = {8, 6};
  EXPECT_FALSE(none(iota, 0, 2));
  EXPECT_TRUE(none(iota, 0, 8)) << "a number to each device";
  EXPECT_TRUE(none(iota, 0, 3)) << "chunks that are not whole";
  EXPECT_TRUE(none(iota, 1, 2)) << "no such operand";
  iota.dim = 1;
  EXPECT_FALSE(none(iota, 0, 2));
  Case gather = slice;
  gather.kind = "gather";
  EXPECT_TRUE(none(gather, 0, 3));
  EXPECT_TRUE(none(gather, 1, 2)) << "indices that are tiled have an entry";
  gather.element = "i1";
  EXPECT_TRUE(none(gather, 0, 2)) << "booleans have no sum";
}

}  // namespace
}  // namespace partir
