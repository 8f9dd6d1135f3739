// Patterns of operations that only move elements: broadcasts, reshapes, slices, pads and the like.
#include <algorithm>
#include <numeric>

#include "verify/prove/pattern_text.h"

namespace partir::prove {

void movement_patterns(Collector& c) {
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
      // The chosen dimensions are the operand's.
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
      // One dimension is sliced, padded or concatenated; the others are taken completely.
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
      if (k == 0) {  // strided: of each group of 2 elements one is kept, or each element becomes such a group
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

}  // namespace partir::prove
