#include "verify/prove/patterns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "ir/op_decl.h"
#include "ir/ops/elementwise.h"

namespace partir::prove {
namespace {

using SymbolNames = std::vector<std::string>;

/// The first size symbols; n is the axis.
SymbolNames symbols(std::size_t count) {
  const SymbolNames all = {"A", "B", "C", "D", "E", "F"};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string tensor(const SymbolNames& dims, const std::string& element = "f32") {
  std::string out = "tensor<";
  for (const std::string& d : dims) out += d + "x";
  return out + element + ">";
}

std::string list(const std::vector<std::int64_t>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

class Collector {
 public:
  /// `types` of the operands %0, %1, … as arguments; `line` is the operation, its result %r.
  void add(const std::string& operation, const std::string& name, const SymbolNames& types, const std::string& line,
           const SymbolNames& results, const std::string& before = "") {
    std::string arguments;
    for (std::size_t k = 0; k < types.size(); ++k)
      arguments += fmt::format("{}%x{}: {} any", k != 0 ? ", " : "", k, types[k]);
    std::string out;
    for (const std::string& t : results) out += (out.empty() ? "" : ", ") + t + " any";
    std::string values = "%r";
    if (results.size() > 1) {
      values.clear();
      for (std::size_t k = 0; k < results.size(); ++k) values += fmt::format("{}%r#{}", k != 0 ? ", " : "", k);
    }
    all_.push_back({operation, name,
                    fmt::format("({}) -> ({}) {{\n{}  {} = {}\n  return {} : {}\n}}", arguments, out, before,
                                results.size() > 1 ? fmt::format("%r:{}", results.size()) : "%r", line, values,
                                fmt::join(results, ", "))});
  }
  std::vector<Pattern> take() { return std::move(all_); }

 private:
  std::vector<Pattern> all_;
};

std::string constant(const std::string& name, const std::string& value, const std::string& element) {
  return fmt::format("  %{} = stablehlo.constant dense<{}> : tensor<{}>\n", name, value, element);
}

std::string region(const std::string& fn, const std::string& element) {
  const std::string t = "tensor<" + element + ">";
  return fmt::format(
      "({{\n  ^bb0(%a: {0}, %b: {0}):\n    %s = stablehlo.{1} %a, %b : {0}\n    stablehlo.return %s : {0}\n  }})", t,
      fn);
}

/// Element types that an elementwise function takes, one of each kind.
void elementwise(Collector& c) {
  for (const ops::ElementwiseRow& row : ops::elementwise_rows()) {
    for (const char* element : {"f32", "i32", "i1", "complex<f32>"}) {
      const std::string t = tensor({"A", "B"}, element);
      std::string result = element;
      if (row.fn == ScalarFn::is_finite || row.fn == ScalarFn::is_inf || row.fn == ScalarFn::is_pos_inf ||
          row.fn == ScalarFn::is_neg_inf)
        result = "i1";
      if ((row.fn == ScalarFn::abs || row.fn == ScalarFn::real || row.fn == ScalarFn::imag) && result == "complex<f32>")
        result = "f32";
      if (row.fn == ScalarFn::complex) result = "complex<f32>";
      const SymbolNames operands(static_cast<std::size_t>(row.arity), t);
      const std::string uses = row.arity == 1 ? "%x0" : "%x0, %x1";
      c.add(
          std::string(row.name), element, operands,
          fmt::format("\"{}\"({}) : ({}) -> {}", row.name, uses, fmt::join(operands, ", "), tensor({"A", "B"}, result)),
          {tensor({"A", "B"}, result)});
    }
  }
  for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
    const std::string t = tensor({"A", "B"});
    c.add("stablehlo.compare", direction, {t, t},
          fmt::format("stablehlo.compare {}, %x0, %x1 : ({}, {}) -> {}", direction, t, t, tensor({"A", "B"}, "i1")),
          {tensor({"A", "B"}, "i1")});
  }
  for (const char* element : {"f32", "i32", "i1"}) {
    for (const bool scalar : {false, true}) {
      const std::string t = tensor({"A", "B"}, element);
      const std::string p = scalar ? "tensor<i1>" : tensor({"A", "B"}, "i1");
      c.add("stablehlo.select", fmt::format("{}{}", element, scalar ? " scalar" : ""), {p, t, t},
            fmt::format("stablehlo.select %x0, %x1, %x2 : {}, {}", p, t), {t});
    }
  }
  for (const bool scalar : {false, true}) {
    const std::string t = tensor({"A", "B"});
    const std::string b = scalar ? "tensor<f32>" : t;
    c.add("stablehlo.clamp", scalar ? "scalar" : "full", {b, t, b},
          fmt::format("stablehlo.clamp %x0, %x1, %x2 : ({}, {}, {}) -> {}", b, t, b, t), {t});
  }
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"f32", "f64"},
                                                                                 {"bf16", "f32"},
                                                                                 {"f32", "bf16"},
                                                                                 {"f32", "i32"},
                                                                                 {"i32", "f32"},
                                                                                 {"i32", "i64"},
                                                                                 {"i1", "f32"},
                                                                                 {"f32", "f32"}}) {
    c.add("stablehlo.convert", from + " to " + to, {tensor({"A", "B"}, from)},
          fmt::format("stablehlo.convert %x0 : ({}) -> {}", tensor({"A", "B"}, from), tensor({"A", "B"}, to)),
          {tensor({"A", "B"}, to)});
  }
}

void movement(Collector& c) {
  for (std::size_t rank = 1; rank <= 4; ++rank) {
    const SymbolNames dims = symbols(rank);
    const std::string t = tensor(dims);
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    do {
      SymbolNames to;
      for (const std::int64_t k : order) to.push_back(dims[static_cast<std::size_t>(k)]);
      c.add("stablehlo.transpose", list(order), {t},
            fmt::format("stablehlo.transpose %x0, dims = {} : ({}) -> {}", list(order), t, tensor(to)), {tensor(to)});
    } while (std::next_permutation(order.begin(), order.end()));
    for (std::size_t bits = 0; bits < (std::size_t{1} << rank); ++bits) {
      std::vector<std::int64_t> chosen;
      SymbolNames rest;
      for (std::size_t k = 0; k < rank; ++k) {
        if ((bits >> k & 1) != 0) {
          chosen.push_back(static_cast<std::int64_t>(k));
        } else {
          rest.push_back(dims[k]);
        }
      }
      c.add("stablehlo.reverse", list(chosen), {t},
            fmt::format("stablehlo.reverse %x0, dims = {} : {}", list(chosen), t), {t});
      // The dimensions chosen are those of the operand.
      SymbolNames from;
      for (const std::int64_t k : chosen) from.push_back(dims[static_cast<std::size_t>(k)]);
      c.add("stablehlo.broadcast_in_dim", fmt::format("rank {} {}", rank, list(chosen)), {tensor(from)},
            fmt::format("stablehlo.broadcast_in_dim %x0, dims = {} : ({}) -> {}", list(chosen), tensor(from), t), {t});
      if (chosen.empty()) continue;
      for (const auto& [fn, value, element] :
           std::vector<std::tuple<std::string, std::string, std::string>>{{"add", "0.0", "f32"},
                                                                          {"maximum", "0xFF800000", "f32"},
                                                                          {"minimum", "0x7F800000", "f32"},
                                                                          {"multiply", "1.0", "f32"},
                                                                          {"or", "false", "i1"},
                                                                          {"and", "true", "i1"},
                                                                          {"add", "1.0", "f32"}}) {
        c.add("stablehlo.reduce", fmt::format("{} from {} rank {} {}", fn, value, rank, list(chosen)),
              {tensor(dims, element)},
              fmt::format(
                  "stablehlo.reduce(%x0 init: %c) applies stablehlo.{} across dimensions = {} : ({}, tensor<{}>) -> {}",
                  fn, list(chosen), tensor(dims, element), element, tensor(rest, element)),
              {tensor(rest, element)}, constant("c", value, element));
      }
    }
    for (std::size_t k = 0; k < rank; ++k) {
      c.add("stablehlo.iota", fmt::format("rank {} dim {}", rank, k), {},
            fmt::format("stablehlo.iota dim = {} : {}", k, tensor(dims, "i32")), {tensor(dims, "i32")});
      // One dimension is cut, padded, joined; the others are whole.
      std::string cut;
      SymbolNames smaller = dims;
      SymbolNames larger = dims;
      std::vector<std::int64_t> low(rank, 0);
      const std::vector<std::int64_t> none(rank, 0);
      for (std::size_t d = 0; d < rank; ++d)
        cut += fmt::format("{}{}", d != 0 ? ", " : "", d == k ? "1:" + dims[d] + "+1" : "0:" + dims[d]);
      SymbolNames whole = dims;
      whole[k] = dims[k] + "+2";
      c.add("stablehlo.slice", fmt::format("rank {} dim {}", rank, k), {tensor(whole)},
            fmt::format("stablehlo.slice %x0 [{}] : ({}) -> {}", cut, tensor(whole), t), {t});
      SymbolNames one = dims;
      one[k] = "1";
      std::string first;
      for (std::size_t d = 0; d < rank; ++d)
        first += fmt::format("{}{}", d != 0 ? ", " : "", d == k ? "0:1" : "0:" + dims[d]);
      c.add("stablehlo.slice", fmt::format("rank {} first of dim {}", rank, k), {t},
            fmt::format("stablehlo.slice %x0 [{}] : ({}) -> {}", first, t, tensor(one)), {tensor(one)});
      low[k] = 1;
      larger[k] = dims[k] + "+1";
      if (k == 0) {  // pieces, of which one element stays or which become pieces
        SymbolNames pieces = dims;
        pieces[k] = "2*" + dims[k];
        std::string all = "1:2*" + dims[k] + ":2";
        std::vector<std::int64_t> between(rank, 0);
        between[k] = 1;
        for (std::size_t d = 1; d < rank; ++d) all += ", 0:" + dims[d];
        c.add("stablehlo.slice", fmt::format("rank {} pieces of dim {}", rank, k), {tensor(pieces)},
              fmt::format("stablehlo.slice %x0 [{}] : ({}) -> {}", all, tensor(pieces), t), {t});
        c.add("stablehlo.pad", fmt::format("rank {} pieces of dim {}", rank, k), {t, "tensor<f32>"},
              fmt::format("stablehlo.pad %x0, %x1, low = {}, high = {}, interior = {} : ({}, tensor<f32>) -> {}",
                          list(between), list(none), list(between), t, tensor(pieces)),
              {tensor(pieces)});
      }
      for (const char* value : {"0.0", "2.0"}) {
        c.add("stablehlo.pad", fmt::format("rank {} dim {} with {}", rank, k, value), {t},
              fmt::format("stablehlo.pad %x0, %c, low = {}, high = {}, interior = {} : ({}, tensor<f32>) -> {}",
                          list(low), list(none), list(none), t, tensor(larger)),
              {tensor(larger)}, constant("c", value, "f32"));
      }
      SymbolNames other = dims;
      other[k] = "E";
      SymbolNames joined = dims;
      joined[k] = dims[k] + "+E";
      c.add(
          "stablehlo.concatenate", fmt::format("rank {} dim {}", rank, k), {t, tensor(other)},
          fmt::format("stablehlo.concatenate %x0, %x1, dim = {} : ({}, {}) -> {}", k, t, tensor(other), tensor(joined)),
          {tensor(joined)});
      SymbolNames starts(rank, "tensor<i32>");
      std::string sizes;
      for (std::size_t d = 0; d < rank; ++d) sizes += (d != 0 ? ", " : "") + (d == k ? "1" : dims[d]);
      smaller[k] = "1";
      SymbolNames operands = {t};
      operands.insert(operands.end(), starts.begin(), starts.end());
      std::string uses;
      for (std::size_t d = 0; d < rank; ++d) uses += fmt::format(", %x{}", d + 1);
      c.add("stablehlo.dynamic_slice", fmt::format("rank {} dim {}", rank, k), operands,
            fmt::format("stablehlo.dynamic_slice %x0{}, sizes = [{}] : ({}) -> {}", uses, sizes,
                        fmt::join(operands, ", "), tensor(smaller)),
            {tensor(smaller)});
      operands.insert(operands.begin() + 1, tensor(smaller));
      uses.clear();
      for (std::size_t d = 0; d <= rank; ++d) uses += fmt::format(", %x{}", d + 1);
      c.add("stablehlo.dynamic_update_slice", fmt::format("rank {} dim {}", rank, k), operands,
            fmt::format("stablehlo.dynamic_update_slice %x0{} : ({}) -> {}", uses, fmt::join(operands, ", "), t), {t});
    }
  }
  for (const auto& [from, to] :
       std::vector<std::pair<SymbolNames, SymbolNames>>{{{"A", "B"}, {"A*B"}},
                                                        {{"A*B"}, {"A", "B"}},
                                                        {{"A", "B", "C"}, {"A*B", "C"}},
                                                        {{"A", "B", "C"}, {"A", "B*C"}},
                                                        {{"A*B", "C"}, {"A", "B", "C"}},
                                                        {{"A", "B*C"}, {"A", "B", "C"}},
                                                        {{"A", "B", "C"}, {"A*B*C"}},
                                                        {{"A*B*C"}, {"A", "B", "C"}},
                                                        {{"A", "1", "B"}, {"A", "B"}},
                                                        {{"A", "B"}, {"1", "A", "B", "1"}},
                                                        {{"A", "B*C", "D"}, {"A*B", "C", "D"}}})
    c.add("stablehlo.reshape", fmt::format("{} to {}", fmt::join(from, "x"), fmt::join(to, "x")), {tensor(from)},
          fmt::format("stablehlo.reshape %x0 : ({}) -> {}", tensor(from), tensor(to)), {tensor(to)});
}

void contractions(Collector& c) {
  // Batching, contracting and free dimensions of each side, in this order on the left and contracting first on the
  // right.
  for (std::size_t batch = 0; batch <= 2; ++batch) {
    for (std::size_t contract = 0; contract <= 2; ++contract) {
      for (std::size_t rows = 0; rows <= 1; ++rows) {
        for (std::size_t columns = 0; columns <= 1; ++columns) {
          if (batch + contract + rows > 4 || batch + contract + columns > 4) continue;
          const SymbolNames b = {"A", "B"};
          const SymbolNames k = {"C", "D"};
          SymbolNames lhs(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(batch));
          SymbolNames rhs = lhs;
          SymbolNames out = lhs;
          std::vector<std::int64_t> batching(batch);
          std::iota(batching.begin(), batching.end(), 0);
          std::vector<std::int64_t> left;
          std::vector<std::int64_t> right;
          if (rows != 0) {
            lhs.push_back("M");
            out.push_back("M");
          }
          for (std::size_t d = 0; d < contract; ++d) {
            left.push_back(static_cast<std::int64_t>(lhs.size()));
            lhs.push_back(k[d]);
            right.push_back(static_cast<std::int64_t>(rhs.size()));
            rhs.push_back(k[d]);
          }
          if (columns != 0) {
            rhs.push_back("N");
            out.push_back("N");
          }
          c.add("stablehlo.dot_general",
                fmt::format("batch {} contract {} rows {} columns {}", batch, contract, rows, columns),
                {tensor(lhs), tensor(rhs)},
                fmt::format("stablehlo.dot_general %x0, %x1, batching_dims = {} x {}, contracting_dims = {} x {} : "
                            "({}, {}) -> {}",
                            list(batching), list(batching), list(left), list(right), tensor(lhs), tensor(rhs),
                            tensor(out)),
                {tensor(out)});
        }
      }
    }
  }
  for (const auto& [x, y, out] :
       std::vector<std::tuple<SymbolNames, SymbolNames, SymbolNames>>{{{"A"}, {"A"}, {}},
                                                                      {{"A", "B"}, {"B"}, {"A"}},
                                                                      {{"A"}, {"A", "B"}, {"B"}},
                                                                      {{"A", "B"}, {"B", "C"}, {"A", "C"}}})
    c.add("stablehlo.dot", fmt::format("{} by {}", fmt::join(x, "x"), fmt::join(y, "x")), {tensor(x), tensor(y)},
          fmt::format("stablehlo.dot %x0, %x1 : ({}, {}) -> {}", tensor(x), tensor(y), tensor(out)), {tensor(out)});
  const auto convolution = [&](const char* name, const std::string& x, const std::string& k, const std::string& y,
                               const char* window, int features, int batches) {
    c.add("stablehlo.convolution", name, {x, k},
          fmt::format("stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{}}} "
                      "{{batch_group_count = {} : i64, feature_group_count = {} : i64}} : ({}, {}) -> {}",
                      window, batches, features, x, k, y),
          {y});
  };
  convolution("same", "tensor<AxHxCxf32>", "tensor<3xCxOxf32>", "tensor<AxHxOxf32>", "stride = [1], pad = [[1, 1]]", 1,
              1);
  convolution("valid", "tensor<AxH+2xCxf32>", "tensor<3xCxOxf32>", "tensor<AxHxOxf32>", "stride = [1], pad = [[0, 0]]",
              1, 1);
  convolution("strided", "tensor<Ax2*HxCxf32>", "tensor<2xCxOxf32>", "tensor<AxHxOxf32>",
              "stride = [2], pad = [[0, 0]]", 1, 1);
  convolution("dilated", "tensor<AxHxCxf32>", "tensor<3xCxOxf32>", "tensor<Ax2*H-1xOxf32>",
              "stride = [1], pad = [[1, 1]], lhs_dilate = [2]", 1, 1);
  convolution("feature groups", "tensor<AxHx2*Cxf32>", "tensor<3xCx2*Oxf32>", "tensor<AxHx2*Oxf32>",
              "stride = [1], pad = [[1, 1]]", 2, 1);
  convolution("batch groups", "tensor<2*AxHxCxf32>", "tensor<3xCx2*Oxf32>", "tensor<AxHx2*Oxf32>",
              "stride = [1], pad = [[1, 1]]", 1, 2);
}

void data_dependent(Collector& c) {
  c.add("stablehlo.gather", "rows", {"tensor<VxDxf32>", "tensor<Ixi32>"},
        "\"stablehlo.gather\"(%x0, %x1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, "
        "slice_sizes = array<i64: 1, D>}> : (tensor<VxDxf32>, tensor<Ixi32>) -> tensor<IxDxf32>",
        {"tensor<IxDxf32>"});
  c.add("stablehlo.gather", "batched rows", {"tensor<BxVxDxf32>", "tensor<BxIx1xi32>"},
        "\"stablehlo.gather\"(%x0, %x1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], "
        "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = "
        "[1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, D>}> : "
        "(tensor<BxVxDxf32>, tensor<BxIx1xi32>) -> tensor<BxIxDxf32>",
        {"tensor<BxIxDxf32>"});
  for (const auto& [fn, value] :
       std::vector<std::pair<std::string, std::string>>{{"add", ""}, {"add", "0.0"}, {"maximum", "0xFF800000"}}) {
    const bool zero = !value.empty();
    const std::string before = zero ? "  %acc = stablehlo.constant dense<" + value + "> : tensor<VxDxf32>\n" : "";
    SymbolNames operands = {"tensor<Ixi32>", "tensor<IxDxf32>"};
    if (!zero) operands.insert(operands.begin(), "tensor<VxDxf32>");
    c.add("stablehlo.scatter", fn + (zero ? " onto " + value : ""), operands,
          fmt::format("\"stablehlo.scatter\"({}) <{{indices_are_sorted = false, scatter_dimension_numbers = "
                      "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
                      "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}}> {} : "
                      "(tensor<VxDxf32>, tensor<Ixi32>, tensor<IxDxf32>) -> tensor<VxDxf32>",
                      zero ? "%acc, %x0, %x1" : "%x0, %x1, %x2", region(fn, "f32")),
          {"tensor<VxDxf32>"}, before);
  }
}

void mixing(Collector& c) {
  const std::string compare =
      "({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %s = stablehlo.compare LT, %a, %b : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n    stablehlo.return %s : tensor<i1>\n  })";
  for (int dim = 0; dim < 3; ++dim)
    c.add("stablehlo.sort", fmt::format("dim {}", dim), {"tensor<AxBxCxf32>"},
          fmt::format("\"stablehlo.sort\"(%x0) <{{dimension = {} : i64, is_stable = true}}> {} : (tensor<AxBxCxf32>) "
                      "-> tensor<AxBxCxf32>",
                      dim, compare),
          {"tensor<AxBxCxf32>"});
  c.add("chlo.top_k", "1", {"tensor<AxBxf32>"},
        "\"chlo.top_k\"(%x0) <{k = 1 : i64}> : (tensor<AxBxf32>) -> (tensor<Ax1xf32>, tensor<Ax1xi32>)",
        {"tensor<Ax1xf32>", "tensor<Ax1xi32>"});
  c.add("stablehlo.fft", "FFT", {"tensor<AxBx8xcomplex<f32>>"},
        "stablehlo.fft %x0, type = FFT, length = [8] : (tensor<AxBx8xcomplex<f32>>) -> tensor<AxBx8xcomplex<f32>>",
        {"tensor<AxBx8xcomplex<f32>>"});
  c.add("stablehlo.cholesky", "lower", {"tensor<AxBxBxf32>"},
        "stablehlo.cholesky %x0, lower = true : (tensor<AxBxBxf32>) -> tensor<AxBxBxf32>", {"tensor<AxBxBxf32>"});
  c.add("stablehlo.triangular_solve", "left", {"tensor<AxBxBxf32>", "tensor<AxBxCxf32>"},
        "\"stablehlo.triangular_solve\"(%x0, %x1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose "
        "NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<AxBxBxf32>, tensor<AxBxCxf32>) -> tensor<AxBxCxf32>",
        {"tensor<AxBxCxf32>"});
  c.add("stablehlo.reduce_window", "sums of 3", {"tensor<AxB+2xf32>"},
        "\"stablehlo.reduce_window\"(%x0, %c) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, "
        "1>}> " +
            region("add", "f32") + " : (tensor<AxB+2xf32>, tensor<f32>) -> tensor<AxBxf32>",
        {"tensor<AxBxf32>"}, constant("c", "0.0", "f32"));
  c.add("stablehlo.reduce_window", "maxima of 2 by 2", {"tensor<Ax2*Bxf32>"},
        "\"stablehlo.reduce_window\"(%x0, %c) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, "
        "2>}> " +
            region("maximum", "f32") + " : (tensor<Ax2*Bxf32>, tensor<f32>) -> tensor<AxBxf32>",
        {"tensor<AxBxf32>"}, constant("c", "0xFF800000", "f32"));
}

void representations(Collector& c) {
  const std::string two = tensor({"A", "B"});
  c.add("stablehlo.constant", "splat", {}, "stablehlo.constant dense<2.0> : " + two, {two});
  c.add("stablehlo.constant", "of 4 numbers", {}, "stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>",
        {"tensor<4xf32>"});
  for (const auto& [from, to, name] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {two, tensor({"A", "B"}, "i32"), "f32 to i32"},
           {two, two, "f32 to f32"},
           {two, tensor({"A", "B", "2"}, "i16"), "f32 to parts"},
           {tensor({"A", "B", "2"}, "i16"), two, "parts to f32"}})
    c.add("stablehlo.bitcast_convert", name, {from},
          fmt::format("stablehlo.bitcast_convert %x0 : ({}) -> {}", from, to), {to});
  c.add("stablehlo.reduce_precision", "e5m10", {two}, "stablehlo.reduce_precision %x0, format = e5m10 : " + two, {two});
  for (const char* fn : {"add", "maximum"})
    c.add("stablehlo.map", fn, {two, two},
          fmt::format("\"stablehlo.map\"(%x0, %x1) <{{dimensions = array<i64: 0, 1>}}> {} : ({}, {}) -> {}",
                      region(fn, "f32"), two, two, two),
          {two});
  c.add("sdy.sharding_constraint", "f32", {two}, "sdy.sharding_constraint %x0 <@mesh, [{}, {}]> : " + two, {two});
}

/// Two groups of rows; the ragged dimension is free, contracted, or batching.
void ragged_products(Collector& c) {
  struct Case {
    const char* name;
    SymbolNames lhs, rhs, out;
    const char* numbers;  ///< batching, contracting (left, then right of each), ragged, groups
  };
  for (const Case& k : std::vector<Case>{
           {"rows", {"A", "C"}, {"2", "C", "B"}, {"A", "B"}, "[], [], [1], [1], [0], [0]"},
           {"batched rows", {"D", "A", "C"}, {"D", "2", "C", "B"}, {"D", "A", "B"}, "[0], [0], [2], [2], [1], [1]"},
           {"contracted", {"A", "C"}, {"C", "B"}, {"2", "A", "B"}, "[], [], [1], [0], [1], []"},
           {"batches", {"D", "A", "C"}, {"D", "C", "B"}, {"D", "A", "B"}, "[0], [0], [2], [1], [0], []"}}) {
    std::vector<std::string> lists;
    const std::string numbers = k.numbers;
    for (std::size_t at = 0; at < numbers.size(); at = numbers.find('[', at + 1))
      lists.push_back(numbers.substr(at, numbers.find(']', at) - at + 1));
    const std::string x = tensor(k.lhs);
    const std::string y = tensor(k.rhs);
    c.add("chlo.ragged_dot", k.name, {x, y, "tensor<2xi32>"},
          fmt::format("\"chlo.ragged_dot\"(%x0, %x1, %x2) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<"
                      "lhs_batching_dimensions = {}, rhs_batching_dimensions = {}, lhs_contracting_dimensions = {}, "
                      "rhs_contracting_dimensions = {}, lhs_ragged_dimensions = {}, rhs_group_dimensions = {}>}}> : "
                      "({}, {}, tensor<2xi32>) -> {}",
                      lists[0], lists[1], lists[2], lists[3], lists[4], lists[5], x, y, tensor(k.out)),
          {tensor(k.out)});
  }
}

void scattered_windows(Collector& c) {
  const std::string select =
      "({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n    stablehlo.return %s : tensor<i1>\n  }, ";
  for (const char* value : {"0.0", "1.0"})
    c.add("stablehlo.select_and_scatter", fmt::format("pieces of 2 onto {}", value),
          {"tensor<Ax2*Bxf32>", "tensor<AxBxf32>"},
          "\"stablehlo.select_and_scatter\"(%x0, %x1, %c) <{window_dimensions = array<i64: 1, 2>, window_strides = "
          "array<i64: 1, 2>}> " +
              select + region("add", "f32").substr(1) +
              " : (tensor<Ax2*Bxf32>, tensor<AxBxf32>, tensor<f32>) -> tensor<Ax2*Bxf32>",
          {"tensor<Ax2*Bxf32>"}, constant("c", value, "f32"));
}

void norms(Collector& c) {
  const std::string x = tensor({"A", "B", "C"});
  for (int feature = 0; feature < 3; ++feature) {
    const std::string f = tensor({SymbolNames{"A", "B", "C"}[static_cast<std::size_t>(feature)]});
    const std::string attributes = fmt::format("<{{epsilon = 0.5 : f32, feature_index = {} : i64}}>", feature);
    const std::string name = fmt::format("feature {}", feature);
    c.add("stablehlo.batch_norm_inference", name, {x, f, f, f, f},
          fmt::format("\"stablehlo.batch_norm_inference\"(%x0, %x1, %x2, %x3, %x4) {2} : ({0}, {1}, {1}, {1}, {1}) -> "
                      "{0}",
                      x, f, attributes),
          {x});
    c.add("stablehlo.batch_norm_training", name, {x, f, f},
          fmt::format("\"stablehlo.batch_norm_training\"(%x0, %x1, %x2) {2} : ({0}, {1}, {1}) -> ({0}, {1}, {1})", x, f,
                      attributes),
          {x, f, f});
    c.add("stablehlo.batch_norm_grad", name, {x, f, f, f, x},
          fmt::format("\"stablehlo.batch_norm_grad\"(%x0, %x1, %x2, %x3, %x4) {2} : ({0}, {1}, {1}, {1}, {0}) -> ({0}, "
                      "{1}, {1})",
                      x, f, attributes),
          {x, f, f});
  }
}

/// Operations whose sizes are operands, and random numbers.
void sizes_and_draws(Collector& c) {
  const std::string two = tensor({"A", "B"});
  const std::string s = "tensor<2xi32>";
  c.add("stablehlo.dynamic_iota", "dim 1", {s}, fmt::format("stablehlo.dynamic_iota %x0, dim = 1 : ({}) -> {}", s, two),
        {two});
  c.add("stablehlo.dynamic_broadcast_in_dim", "[1]", {tensor({"B"}), s},
        fmt::format("stablehlo.dynamic_broadcast_in_dim %x0, %x1, dims = [1] : ({}, {}) -> {}", tensor({"B"}), s, two),
        {two});
  c.add("stablehlo.dynamic_reshape", "A*B to AxB", {tensor({"A*B"}), s},
        fmt::format("stablehlo.dynamic_reshape %x0, %x1 : ({}, {}) -> {}", tensor({"A*B"}), s, two), {two});
  c.add(
      "stablehlo.dynamic_gather", "rows", {two, "tensor<Ix1xi32>", s},
      fmt::format("\"stablehlo.dynamic_gather\"(%x0, %x1, %x2) <{{dimension_numbers = #stablehlo.gather<offset_dims = "
                  "[1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
                  "indices_are_sorted = false}}> : ({}, tensor<Ix1xi32>, {}) -> tensor<IxBxf32>",
                  two, s),
      {"tensor<IxBxf32>"});
  c.add("stablehlo.dynamic_pad", "rank 2", {two, "tensor<f32>", s, s, s},
        fmt::format("stablehlo.dynamic_pad %x0, %x1, %x2, %x3, %x4 : ({0}, tensor<f32>, {1}, {1}, {1}) -> {2}", two, s,
                    tensor({"C", "D"})),
        {tensor({"C", "D"})});
  c.add("stablehlo.real_dynamic_slice", "rank 2", {two, s, s, s},
        fmt::format("stablehlo.real_dynamic_slice %x0, %x1, %x2, %x3 : ({0}, {1}, {1}, {1}) -> {2}", two, s,
                    tensor({"C", "D"})),
        {tensor({"C", "D"})});
  c.add("stablehlo.get_dimension_size", "dim 0", {two},
        fmt::format("stablehlo.get_dimension_size %x0, dim = 0 : ({}) -> tensor<i32>", two), {"tensor<i32>"});
  c.add("stablehlo.dynamic_conv", "valid", {"tensor<AxH+2xCxf32>", "tensor<3xCxOxf32>", "tensor<1x2xi32>"},
        "\"stablehlo.dynamic_conv\"(%x0, %x1, %x2) <{batch_group_count = 1 : i64, dimension_numbers = "
        "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<AxH+2xCxf32>, "
        "tensor<3xCxOxf32>, tensor<1x2xi32>) -> tensor<AxHxOxf32>",
        {"tensor<AxHxOxf32>"});
  c.add(
      "stablehlo.rng", "UNIFORM", {"tensor<f32>", "tensor<f32>", "tensor<2xi64>"},
      fmt::format("stablehlo.rng %x0, %x1, %x2, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> "
                  "{}",
                  two),
      {two});
  c.add("stablehlo.rng_bit_generator", "THREE_FRY", {"tensor<2xui64>"},
        fmt::format("stablehlo.rng_bit_generator %x0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, {})",
                    tensor({"A", "B"}, "ui32")),
        {"tensor<2xui64>", tensor({"A", "B"}, "ui32")});
}

}  // namespace

std::vector<Pattern> patterns() {
  Collector c;
  elementwise(c);
  movement(c);
  contractions(c);
  data_dependent(c);
  mixing(c);
  representations(c);
  ragged_products(c);
  scattered_windows(c);
  norms(c);
  sizes_and_draws(c);
  return c.take();
}

}  // namespace partir::prove
