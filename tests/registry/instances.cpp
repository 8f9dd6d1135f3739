// The instances of the core operations, enumerated over small shapes, attributes and element types.
#include "tests/registry/instances.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "ir/ops/elementwise.h"
#include "ir/text/read.h"
#include "rewrite/state.h"
#include "tests/registry/instance_table.h"

namespace partir::testing {

std::string tensor_text(const std::vector<std::int64_t>& dims, const std::string& element) {
  std::string out = "tensor<";
  for (const std::int64_t d : dims) out += fmt::format("{}x", d);
  return out + element + ">";
}

std::string module_text(const std::string& arguments, const std::string& lines) {
  return "func.func @main(" + arguments + ") {\n" + lines + "\n  return\n}\n";
}

ReadInstance::ReadInstance(const std::string& text)
    : module_(std::make_unique<Module>(value_or_throw(read_module(text, "instance.mlir")))) {
  const Function& f = function();
  op_ = State(f, Mesh({{"a", 2}})).global(f.body.ops.size() - 2);
}

std::string list(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }
std::string array_text(const Dims& dims) {
  return dims.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(dims, ", "));
}

Init known(const std::string& value, const std::string& element) {
  return {"", fmt::format("  %c = stablehlo.constant dense<{}> : tensor<{}>\n", value, element)};
}
Init unknown(const std::string& element) { return {fmt::format(", %c: tensor<{}>", element), ""}; }

std::string body(const std::string& fn, const std::string& element) {
  const std::string t = "tensor<" + element + ">";
  return fmt::format("({{\n  ^bb0(%a: {0}, %b: {0}):\n    %s = {1} %a, %b : {0}\n    stablehlo.return %s : {0}\n  }})",
                     t, fn);
}
std::string region(const std::string& arguments, const std::string& lines, const std::string& returned) {
  return fmt::format("{{\n  ^bb0({}):\n{}    stablehlo.return {}\n  }}", arguments, lines, returned);
}

namespace {

/// Returns all lists of these sizes, of every length up to `rank`.
std::vector<Dims> shapes_of(const Dims& sizes, std::size_t rank) {
  std::vector<Dims> out = {{}};
  for (std::size_t begin = 0, r = 0; r < rank; ++r) {
    const std::size_t end = out.size();
    for (; begin < end; ++begin) {
      for (const std::int64_t s : sizes) {
        out.push_back(out[begin]);
        out.back().push_back(s);
      }
    }
  }
  return out;
}

std::int64_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

/// Returns all subsets of 0, …, n - 1.
std::vector<Dims> subsets(std::int64_t n) {
  std::vector<Dims> out;
  for (std::int64_t bits = 0; bits < (std::int64_t{1} << n); ++bits) {
    out.emplace_back();
    for (std::int64_t k = 0; k < n; ++k) {
      if ((bits >> k & 1) != 0) out.back().push_back(k);
    }
  }
  return out;
}

class Table : public InstanceTable {
 public:
  void elementwise() {
    for (const ops::ElementwiseRow& row : ops::elementwise_rows()) {
      for (const char* element : {"f32", "bf16", "i32", "ui8", "i8", "i1"}) {
        for (const Dims& dims : {Dims{4, 6}, Dims{3}, Dims{}}) {
          const std::string t = tensor_text(dims, element);
          const bool chlo = row.name.starts_with("chlo.");
          const std::string operands = row.arity == 1 ? "%x" : "%x, %y";
          std::string type = t;
          const bool asks = row.fn == ScalarFn::is_finite || row.fn == ScalarFn::is_inf ||
                            row.fn == ScalarFn::is_pos_inf || row.fn == ScalarFn::is_neg_inf;
          const std::string out = asks ? tensor_text(dims, "i1") : t;
          if (chlo) type = (row.arity == 1 ? t : t + ", " + t) + " -> " + out;
          if (!chlo && asks) type = "(" + t + ") -> " + out;
          std::string text = fmt::format("  %0 = {} {} : {}", row.name, operands, type);
          // Not every function is defined on every type.
          const std::string arguments = fmt::format("%x: {0}, %y: {0}", t);
          if (read_module(module_text(arguments, text), "")) add("elementwise", arguments, text);
        }
      }
    }
    for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
      for (const char* element : {"f32", "i32", "ui8", "i1"}) {
        const std::string t = tensor_text({4, 6}, element);
        add("compare", fmt::format("%x: {0}, %y: {0}", t),
            fmt::format("  %0 = stablehlo.compare {0}, %x, %y : ({1}, {1}) -> tensor<4x6xi1>", direction, t));
      }
    }
    for (const char* element : {"f32", "i32", "i1"}) {
      const std::string t = tensor_text({4, 6}, element);
      for (const char* p : {"tensor<i1>", "tensor<4x6xi1>"}) {
        add("select", fmt::format("%p: {0}, %x: {1}, %y: {1}", p, t),
            fmt::format("  %0 = stablehlo.select %p, %x, %y : {}, {}", p, t));
      }
      const std::string s = tensor_text({}, element);
      for (const auto& [low, high] : {std::pair(s, s), {t, s}, {s, t}, {t, t}}) {
        add("clamp", fmt::format("%l: {}, %x: {}, %h: {}", low, t, high),
            fmt::format("  %0 = stablehlo.clamp %l, %x, %h : ({}, {}, {}) -> {}", low, t, high, t));
      }
    }
    const char* elements[] = {"f64", "f32", "bf16", "f16", "i64", "i32", "i8", "ui8", "ui32", "i1"};
    for (const char* from : elements) {
      for (const char* to : elements) {
        const std::string t = tensor_text({4, 6}, from);
        add("convert", "%x: " + t, fmt::format("  %0 = stablehlo.convert %x : ({}) -> {}", t, tensor_text({4, 6}, to)));
      }
    }
  }

  void without_operands() {
    for (const auto& [value, element] :
         {std::pair("1.5", "f32"), {"-7", "i32"}, {"true", "i1"}, {"0xFF800000", "f32"}}) {
      for (const Dims& dims : {Dims{4, 6}, Dims{3}, Dims{}}) {
        add("constant", "", fmt::format("  %0 = stablehlo.constant dense<{}> : {}", value, tensor_text(dims, element)));
      }
    }
    add("constant", "", "  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>");
    add("constant", "", "  %0 = stablehlo.constant dense<[0.5, -0.25, 3.0]> : tensor<3xf32>");
    for (const char* element : {"f32", "i32", "ui8", "i8"}) {
      for (int dim = 0; dim < 3; ++dim)
        add("iota", "", fmt::format("  %0 = stablehlo.iota dim = {} : {}", dim, tensor_text({4, 6, 3}, element)));
    }
  }

  void broadcast() {
    std::vector<Dims> results = shapes_of({1, 4, 6}, 2);
    results.push_back({2, 3, 6});
    results.push_back({6, 1, 4});
    for (const Dims& out : results) {
      // Each operand dimension is mapped to a result dimension of its own, and has its size or 1.
      for (const Dims& to : subsets(static_cast<std::int64_t>(out.size()))) {
        Dims map = to;
        do {
          for (const Dims& ones : subsets(static_cast<std::int64_t>(map.size()))) {
            Dims from;
            for (const std::int64_t d : map) from.push_back(out[static_cast<std::size_t>(d)]);
            for (const std::int64_t k : ones) from[static_cast<std::size_t>(k)] = 1;
            const std::string t = tensor_text(from, "f32");
            add("broadcast_in_dim", "%x: " + t,
                fmt::format("  %0 = stablehlo.broadcast_in_dim %x, dims = {} : ({}) -> {}", list(map), t,
                            tensor_text(out, "f32")));
          }
        } while (std::next_permutation(map.begin(), map.end()));
      }
    }
    add("broadcast_in_dim", "%x: tensor<4xi1>",
        "  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xi1>) -> tensor<4x6xi1>");
  }

  void reshape() {
    const std::vector<Dims> shapes = shapes_of({1, 2, 3, 4, 6}, 3);
    for (const Dims& from : shapes) {
      for (const Dims& to : shapes) {
        if (product(from) != product(to) || product(from) > 24) continue;
        const std::string t = tensor_text(from, "i32");
        add("reshape", "%x: " + t, fmt::format("  %0 = stablehlo.reshape %x : ({}) -> {}", t, tensor_text(to, "i32")));
      }
    }
    for (const auto& [from, to] : {std::pair(Dims{2, 6, 2, 4}, Dims{12, 8}),
                                   {Dims{12, 8}, Dims{2, 6, 2, 4}},
                                   {Dims{4, 6, 4}, Dims{4, 3, 2, 4}}}) {
      const std::string t = tensor_text(from, "f32");
      add("reshape", "%x: " + t, fmt::format("  %0 = stablehlo.reshape %x : ({}) -> {}", t, tensor_text(to, "f32")));
    }
  }

  void movement() {
    Dims p = {0, 1, 2};
    const Dims sizes = {4, 6, 3};
    do {
      Dims to;
      for (const std::int64_t d : p) to.push_back(sizes[static_cast<std::size_t>(d)]);
      add("transpose", "%x: tensor<4x6x3xf32>",
          fmt::format("  %0 = stablehlo.transpose %x, dims = {} : (tensor<4x6x3xf32>) -> {}", list(p),
                      tensor_text(to, "f32")));
    } while (std::next_permutation(p.begin(), p.end()));
    for (const Dims& dims : subsets(3)) {
      add("reverse", "%x: tensor<4x6x3xi32>",
          fmt::format("  %0 = stablehlo.reverse %x, dims = {} : tensor<4x6x3xi32>", list(dims)));
    }
    for (std::int64_t start = 0; start <= 6; ++start) {
      for (std::int64_t limit = start; limit <= 6; ++limit) {
        for (std::int64_t stride = 1; stride <= 3; ++stride) {
          const std::int64_t size = (limit - start + stride - 1) / stride;
          add("slice", "%x: tensor<6x4xf32>",
              fmt::format("  %0 = stablehlo.slice %x [{}:{}:{}, 0:4] : (tensor<6x4xf32>) -> {}", start, limit, stride,
                          tensor_text({size, 4}, "f32")));
        }
      }
    }
    for (const char* element : {"f32", "i1"}) {
      for (int dim = 0; dim < 2; ++dim) {
        for (const Dims& parts : {Dims{4}, Dims{2, 4}, Dims{0, 4, 2}, Dims{3, 3, 3}}) {
          std::string arguments;
          std::string operands;
          std::string types;
          for (std::size_t k = 0; k < parts.size(); ++k) {
            const std::string t = tensor_text(dim == 0 ? Dims{parts[k], 6} : Dims{6, parts[k]}, element);
            const char* comma = k == 0 ? "" : ", ";
            arguments += fmt::format("{}%x{}: {}", comma, k, t);
            operands += fmt::format("{}%x{}", comma, k);
            types += comma + t;
          }
          const std::int64_t total = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
          add("concatenate", arguments,
              fmt::format("  %0 = stablehlo.concatenate {}, dim = {} : ({}) -> {}", operands, dim, types,
                          tensor_text(dim == 0 ? Dims{total, 6} : Dims{6, total}, element)));
        }
      }
    }
  }

  void pad() {
    const auto one = [&](const std::string& element, const Init& value, std::int64_t low, std::int64_t high,
                         std::int64_t interior) {
      const std::int64_t size = 4 + low + high + 3 * interior;
      if (size < 0) return;
      const std::string t = tensor_text({4, 6}, element);
      add("pad", "%x: " + t + value.argument,
          value.line + fmt::format("  %0 = stablehlo.pad %x, %c, low = [{}, 0], high = [{}, 0], interior = [{}, 0] : "
                                   "({}, tensor<{}>) -> {}",
                                   low, high, interior, t, element, tensor_text({size, 6}, element)));
    };
    for (const std::int64_t low : {-2, -1, 0, 1, 2}) {
      for (const std::int64_t high : {-2, -1, 0, 1, 2}) {
        for (const std::int64_t interior : {0, 1, 2}) {
          one("f32", known("0.0", "f32"), low, high, interior);
          one("i32", unknown("i32"), low, high, interior);
        }
      }
    }
    for (const auto& [value, element] : {std::pair("1.0", "f32"),
                                         {"0xFF800000", "f32"},
                                         {"0x7F800000", "f32"},
                                         {"-0.0", "f32"},
                                         {"0", "i32"},
                                         {"1", "i32"},
                                         {"-1", "i32"},
                                         {"-2147483648", "i32"},
                                         {"2147483647", "i32"},
                                         {"255", "ui8"},
                                         {"0", "ui8"},
                                         {"5", "i32"},
                                         {"true", "i1"},
                                         {"false", "i1"}}) {
      one(element, known(value, element), 1, 0, 1);
    }
  }

  void dynamic() {
    for (const char* index : {"i32", "i64", "ui8"}) {
      const std::string s = tensor_text({}, index);
      for (const Dims& window : {Dims{4, 6}, Dims{2, 6}, Dims{4, 3}, Dims{1, 1}, Dims{0, 6}}) {
        const std::string w = tensor_text(window, "f32");
        add("dynamic_slice", fmt::format("%x: tensor<4x6xf32>, %i: {0}, %j: {0}", s),
            fmt::format("  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = {} : (tensor<4x6xf32>, {}, {}) -> {}",
                        list(window), s, s, w));
        add("dynamic_update_slice", fmt::format("%x: tensor<4x6xf32>, %u: {1}, %i: {0}, %j: {0}", s, w),
            fmt::format("  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<4x6xf32>, {}, {}, {}) -> "
                        "tensor<4x6xf32>",
                        w, s, s));
      }
    }
  }

  void reduce() {
    struct Case {
      const char* fn;
      const char* element;
      const char* identity;
      const char* other;
    };
    const Case cases[] = {{"add", "f32", "0.0", "2.0"},
                          {"multiply", "f32", "1.0", "0.0"},
                          {"maximum", "f32", "0xFF800000", "0.0"},
                          {"minimum", "f32", "0x7F800000", "1.0"},
                          {"add", "i32", "0", "1"},
                          {"multiply", "i32", "1", "3"},
                          {"maximum", "i32", "-2147483648", "0"},
                          {"minimum", "i32", "2147483647", "0"},
                          {"maximum", "ui8", "0", "255"},
                          {"minimum", "ui8", "255", "0"},
                          {"and", "i32", "-1", "0"},
                          {"or", "i32", "0", "1"},
                          {"and", "ui8", "255", "254"},
                          {"and", "i1", "true", "false"},
                          {"or", "i1", "false", "true"},
                          {"add", "i1", "false", "true"},
                          {"maximum", "i1", "false", "true"},
                          {"multiply", "i1", "true", "false"},
                          {"minimum", "i1", "true", "false"},
                          {"subtract", "f32", "0.0", "1.0"},
                          {"xor", "i1", "false", "true"}};
    for (const Case& c : cases) {
      const std::string e = c.element;
      for (const Init& init : {known(c.identity, e), known(c.other, e), unknown(e)}) {
        for (const Dims& dims : {Dims{}, Dims{0}, Dims{1}, Dims{0, 2}, Dims{2, 1}, Dims{0, 1, 2}}) {
          Dims kept;
          const Dims sizes = {4, 3, 2};
          for (std::int64_t k = 0; k < 3; ++k) {
            if (std::find(dims.begin(), dims.end(), k) == dims.end())
              kept.push_back(sizes[static_cast<std::size_t>(k)]);
          }
          const std::string t = tensor_text(sizes, e);
          add("reduce", "%x: " + t + init.argument,
              init.line + fmt::format("  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.{} across dimensions = "
                                      "{} : ({}, tensor<{}>) -> {}",
                                      c.fn, list(dims), t, e, tensor_text(kept, e)));
        }
      }
    }
    const auto with_body = [&](const std::string& lines) {
      add("reduce", "%x: tensor<4x6xf32>",
          known("0.0", "f32").line +
              "  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> "
              "tensor<6xf32>\n"
              "   reducer(%a: tensor<f32>, %b: tensor<f32>) {\n" +
              lines + "    stablehlo.return %s : tensor<f32>\n  }");
    };
    with_body("    %s = stablehlo.add %b, %a : tensor<f32>\n");
    with_body("    %s = stablehlo.add %a, %a : tensor<f32>\n");
    with_body("    %s = stablehlo.add %b, %b : tensor<f32>\n");
    with_body("    %t = stablehlo.add %a, %b : tensor<f32>\n    %s = stablehlo.negate %t : tensor<f32>\n");
    with_body(
        "    %t = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    %s = stablehlo.select %t, %a, %b : tensor<i1>, tensor<f32>\n");
    // Two values reduced at once: a maximum with its position, and two values that are reduced independently.
    const auto pair = [&](const Dims& dims, const Dims& kept, const std::string& element, const std::string& lines) {
      const std::string t = tensor_text({4, 3, 2}, element);
      const std::string i = tensor_text({4, 3, 2}, "i32");
      const std::string k = tensor_text(kept, element);
      add("reduce", fmt::format("%x: {}, %i: {}, %c: tensor<{}>, %d: tensor<i32>", t, i, element),
          fmt::format("  %0:2 = stablehlo.reduce(%x init: %c), (%i init: %d) across dimensions = {0} : ({1}, {2}, "
                      "tensor<{3}>, tensor<i32>) -> ({4}, {5})\n"
                      "   reducer(%a: tensor<{3}>, %b: tensor<{3}>) (%p: tensor<i32>, %q: tensor<i32>) {{\n{6}    "
                      "stablehlo.return %s, %t : tensor<{3}>, tensor<i32>\n  }}",
                      list(dims), t, i, element, k, tensor_text(kept, "i32"), lines));
    };
    const std::string largest =
        "    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    %s = stablehlo.select %g, %a, %b : tensor<i1>, tensor<f32>\n    %t = stablehlo.select %g, %p, %q : "
        "tensor<i1>, tensor<i32>\n";
    const std::string apart =
        "    %s = stablehlo.add %a, %b : tensor<f32>\n    %t = stablehlo.maximum %p, %q : tensor<i32>\n";
    for (const std::string& lines : {largest, apart}) {
      pair({1}, {4, 2}, "f32", lines);
      pair({0, 2}, {3}, "f32", lines);
      pair({0, 1, 2}, {}, "f32", lines);
    }
  }

  void dot() {
    struct Case {
      Dims lhs;
      Dims rhs;
      Dims lhs_batch;
      Dims rhs_batch;
      Dims lhs_contract;
      Dims rhs_contract;
    };
    const Case cases[] = {{{4, 6}, {6, 4}, {}, {}, {1}, {0}},
                          {{6, 4}, {6, 3}, {}, {}, {0}, {0}},
                          {{4, 6}, {3, 6}, {}, {}, {1}, {1}},
                          {{2, 4, 6}, {2, 6, 3}, {0}, {0}, {2}, {1}},
                          {{4, 2, 6}, {6, 3, 2}, {1}, {2}, {2}, {0}},
                          {{2, 3, 4}, {3, 4, 2}, {}, {}, {1, 2}, {0, 1}},
                          {{2, 3, 4}, {4, 6, 3}, {}, {}, {2, 1}, {0, 2}},
                          {{2, 3, 4, 2}, {3, 2, 2, 4}, {0, 1}, {1, 0}, {3}, {2}},
                          {{6}, {6}, {}, {}, {0}, {0}},
                          {{4}, {6}, {}, {}, {}, {}},
                          {{6}, {6}, {0}, {0}, {}, {}},
                          {{}, {6}, {}, {}, {}, {}},
                          {{2, 0}, {0, 4}, {}, {}, {1}, {0}}};
    const std::pair<const char*, const char*> types[] = {
        {"f32", "f32"}, {"i32", "i32"}, {"i1", "i1"},  {"ui8", "ui8"}, {"bf16", "f32"}, {"f32", "bf16"},
        {"i8", "i32"},  {"ui8", "i32"}, {"i1", "i32"}, {"i32", "i8"},  {"i32", "i1"},   {"i8", "f32"}};
    for (const Case& c : cases) {
      const auto in = [](const Dims& dims, std::size_t k) {
        return std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(k)) != dims.end();
      };
      Dims out;
      for (const std::int64_t d : c.lhs_batch) out.push_back(c.lhs[static_cast<std::size_t>(d)]);
      for (std::size_t k = 0; k < c.lhs.size(); ++k) {
        if (!in(c.lhs_batch, k) && !in(c.lhs_contract, k)) out.push_back(c.lhs[k]);
      }
      for (std::size_t k = 0; k < c.rhs.size(); ++k) {
        if (!in(c.rhs_batch, k) && !in(c.rhs_contract, k)) out.push_back(c.rhs[k]);
      }
      for (const auto& [from, to] : types) {
        const std::string l = tensor_text(c.lhs, from);
        const std::string r = tensor_text(c.rhs, from);
        const std::string batching =
            c.lhs_batch.empty() ? "" : fmt::format(", batching_dims = {} x {}", list(c.lhs_batch), list(c.rhs_batch));
        add("dot_general", fmt::format("%x: {}, %y: {}", l, r),
            fmt::format("  %0 = stablehlo.dot_general %x, %y{}, contracting_dims = {} x {} : ({}, {}) -> {}", batching,
                        list(c.lhs_contract), list(c.rhs_contract), l, r, tensor_text(out, to)));
      }
    }
  }

  void convolution() {
    struct Case {
      Dims input;
      Dims kernel;
      Dims out;
      std::string numbers;
      std::string window;
      int feature_groups = 1;
      int batch_groups = 1;
    };
    const std::string line = "[b, 0, f]x[0, i, o]->[b, 0, f]";
    const Case cases[] = {{{4, 6, 6}, {3, 6, 4}, {4, 4, 4}, line, ""},
                          {{4, 6, 6}, {3, 6, 4}, {4, 6, 4}, line, "pad = [[1, 1]]"},
                          {{4, 6, 6}, {3, 6, 4}, {4, 3, 4}, line, "stride = [2], pad = [[2, 0]]"},
                          {{4, 6, 6}, {3, 6, 4}, {4, 2, 4}, line, "pad = [[-1, -1]]"},
                          {{4, 6, 6}, {3, 6, 4}, {4, 2, 4}, line, "rhs_dilate = [2]"},
                          {{4, 3, 6}, {3, 6, 4}, {4, 5, 4}, line, "pad = [[1, 1]], lhs_dilate = [2]"},
                          {{4, 6, 6}, {3, 6, 4}, {4, 4, 4}, line, "reverse = [true]"},
                          {{4, 6, 6}, {3, 3, 4}, {4, 4, 4}, line, "", 2, 1},
                          {{4, 6, 6}, {3, 1, 6}, {4, 4, 6}, line, "", 6, 1},
                          {{4, 6, 6}, {3, 6, 4}, {2, 4, 4}, line, "", 1, 2},
                          {{4, 6, 6}, {6, 4, 3}, {4, 4, 4}, "[b, 0, f]x[i, o, 0]->[b, f, 0]", ""},
                          {{6, 6, 4}, {4, 6, 3}, {4, 6, 4}, "[f, b, 0]x[o, i, 0]->[0, b, f]", "pad = [[1, 1]]"},
                          {{2, 4, 3, 6}, {2, 3, 6, 4}, {2, 3, 1, 4}, "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", ""},
                          {{2, 4, 3, 6},
                           {3, 2, 6, 4},
                           {2, 3, 2, 4},
                           "[b, 1, 0, f]x[0, 1, i, o]->[b, 0, 1, f]",
                           "stride = [1, 2], pad = [[1, 1], [0, 1]], reverse = [false, true]"},
                          {{4, 6}, {6, 4}, {4, 4}, "[b, f]x[i, o]->[b, f]", ""}};
    for (const Case& c : cases) {
      for (const auto& [from, to] : {std::pair("f32", "f32"), {"bf16", "f32"}, {"i8", "f32"}}) {
        const std::string x = tensor_text(c.input, from);
        const std::string y = tensor_text(c.kernel, from);
        add("convolution", fmt::format("%x: {}, %y: {}", x, y),
            fmt::format("  %0 = stablehlo.convolution(%x, %y) dim_numbers = {}, window = {{{}}} {{batch_group_count = "
                        "{} : i64, feature_group_count = {} : i64}} : ({}, {}) -> {}",
                        c.numbers, c.window, c.batch_groups, c.feature_groups, x, y, tensor_text(c.out, to)));
      }
    }
  }

  void gather() {
    struct Case {
      Dims operand;
      Dims indices;
      Dims out;
      Dims offset;
      Dims collapsed;
      Dims operand_batching;
      Dims indices_batching;
      Dims map;
      std::int64_t vector;
      Dims sizes;
    };
    const Case cases[] = {
        {{6, 4}, {2, 3, 1}, {2, 3, 4}, {2}, {0}, {}, {}, {0}, 2, {1, 4}},    // embedding
        {{6, 4}, {2, 3}, {2, 3, 4}, {2}, {0}, {}, {}, {0}, 2, {1, 4}},       // the index vector is implied
        {{6, 4}, {1, 4}, {4, 4}, {1}, {0}, {}, {}, {0}, 0, {1, 4}},          // the index vector is the first dimension
        {{6, 4}, {4, 1, 3}, {4, 4, 3}, {1}, {0}, {}, {}, {0}, 1, {1, 4}},    // in the middle, offset in the middle
        {{6, 4}, {4, 2}, {4}, {}, {0, 1}, {}, {}, {0, 1}, 1, {1, 1}},        // single elements
        {{6, 4}, {4, 2}, {4}, {}, {0, 1}, {}, {}, {1, 0}, 1, {1, 1}},        // components swapped
        {{6, 4}, {4, 1}, {4, 2, 4}, {1, 2}, {}, {}, {}, {0}, 1, {2, 4}},     // windows of 2 rows
        {{6, 4}, {4, 1}, {2, 4, 4}, {0, 2}, {}, {}, {}, {0}, 1, {2, 4}},     // offsets around the batch
        {{6, 4}, {4, 1}, {6, 2, 4}, {0, 1}, {}, {}, {}, {1}, 1, {6, 2}},     // a partial window in the other dimension
        {{6, 4}, {4, 1}, {4, 6, 4}, {1, 2}, {}, {}, {}, {0}, 1, {6, 4}},     // a full window, its start clamped to 0
        {{6, 4}, {4, 2}, {4, 3, 2}, {1, 2}, {}, {}, {}, {0, 1}, 1, {3, 2}},  // partial in both dimensions
        {{6, 4}, {4, 0}, {4, 6, 4}, {1, 2}, {}, {}, {}, {}, 1, {6, 4}},      // an empty index vector
        {{4, 6, 3}, {4, 2, 1}, {4, 2, 3}, {2}, {1}, {0}, {0}, {1}, 2, {1, 1, 3}},    // a batching dimension
        {{6, 4, 3}, {2, 4, 1}, {2, 4, 3}, {2}, {0}, {1}, {1}, {0}, 2, {1, 1, 3}},    // which is not the first
        {{2, 6, 3}, {1, 3, 2}, {3, 2}, {}, {1}, {0, 2}, {2, 1}, {1}, 0, {1, 1, 1}},  // two, crossed, index vector first
        {{4, 6}, {4, 2}, {4, 2}, {}, {1}, {0}, {0}, {1}, 2, {1, 1}},                 // take_along_axis
        {{3, 4}, {}, {4}, {0}, {0}, {}, {}, {0}, 0, {1, 4}},                         // a scalar index
        {{6, 4}, {2, 0, 1}, {2, 0, 4}, {2}, {0}, {}, {}, {0}, 2, {1, 4}}};           // empty batch
    for (const Case& c : cases) {
      for (const auto& [element, index] : {std::pair("f32", "i32"), {"i1", "i64"}, {"i32", "ui8"}}) {
        const std::string x = tensor_text(c.operand, element);
        const std::string s = tensor_text(c.indices, index);
        add("gather", fmt::format("%x: {}, %s: {}", x, s),
            fmt::format("  %0 = \"stablehlo.gather\"(%x, %s) <{{dimension_numbers = #stablehlo.gather<offset_dims = "
                        "{}, collapsed_slice_dims = {}, "
                        "operand_batching_dims = {}, start_indices_batching_dims = {}, start_index_map = {}, "
                        "index_vector_dim = {}>, "
                        "indices_are_sorted = false, slice_sizes = array<i64{}{}>}}> : ({}, {}) -> {}",
                        list(c.offset), list(c.collapsed), list(c.operand_batching), list(c.indices_batching),
                        list(c.map), c.vector, c.sizes.empty() ? "" : ": ", fmt::join(c.sizes, ", "), x, s,
                        tensor_text(c.out, element)));
      }
    }
  }

  void scatter() {
    struct Case {
      Dims input;
      Dims indices;
      Dims updates;
      Dims window;
      Dims inserted;
      Dims input_batching;
      Dims indices_batching;
      Dims map;
      std::int64_t vector;
    };
    const Case cases[] = {
        {{6, 4}, {2, 3, 1}, {2, 3, 4}, {2}, {0}, {}, {}, {0}, 2},         // embedding gradient
        {{6, 4}, {4}, {4, 4}, {1}, {0}, {}, {}, {0}, 1},                  // implied index vector
        {{6, 4}, {1, 4}, {4, 4}, {0}, {0}, {}, {}, {0}, 0},               // index vector first, window first
        {{6, 4}, {4, 2}, {4}, {}, {0, 1}, {}, {}, {1, 0}, 1},             // single elements, components swapped
        {{6, 4}, {4, 1}, {4, 2, 4}, {1, 2}, {}, {}, {}, {0}, 1},          // windows of 2 rows, partly outside
        {{6, 4}, {4, 1}, {4, 3, 2}, {1, 2}, {}, {}, {}, {1}, 1},          // partial in the dimension without an index
        {{6, 4}, {4, 1}, {4, 6, 4}, {1, 2}, {}, {}, {}, {0}, 1},          // a full window may be out of bounds
        {{4, 6, 3}, {4, 2, 1}, {4, 2, 3}, {2}, {1}, {0}, {0}, {1}, 2},    // a batching dimension
        {{6, 4}, {2, 4, 1}, {2, 4}, {}, {0}, {1}, {1}, {0}, 2},           // which is not the first
        {{2, 6, 3}, {1, 3, 2}, {3, 2}, {}, {1}, {0, 2}, {2, 1}, {1}, 0},  // two, crossed
        {{4}, {1}, {}, {}, {0}, {}, {}, {0}, 0},                          // one update
        {{6, 4}, {0, 1}, {0, 4}, {1}, {0}, {}, {}, {0}, 1}};              // no update
    struct Fold {
      const char* element;
      std::string body;
      const char* identity;
      const char* other;
    };
    const auto replace = [](const std::string& e) {
      return fmt::format("({{\n  ^bb0(%a: tensor<{0}>, %b: tensor<{0}>):\n    stablehlo.return %b : tensor<{0}>\n  }})",
                         e);
    };
    const Fold folds[] = {{"f32", body("stablehlo.add", "f32"), "0.0", "1.0"},
                          {"f32", body("stablehlo.maximum", "f32"), "0xFF800000", "0.0"},
                          {"f32", body("stablehlo.multiply", "f32"), "1.0", "0.0"},
                          {"i32", body("stablehlo.minimum", "i32"), "2147483647", "0"},
                          {"i32", body("stablehlo.add", "i32"), "0", "-1"},
                          {"i1", body("stablehlo.or", "i1"), "false", "true"},
                          {"f32", body("stablehlo.subtract", "f32"), "0.0", "1.0"},
                          {"f32", replace("f32"), "0.0", "1.0"}};
    for (const Case& c : cases) {
      for (const Fold& fold : folds) {
        const std::string x = tensor_text(c.input, fold.element);
        const std::string s = tensor_text(c.indices, "i32");
        const std::string u = tensor_text(c.updates, fold.element);
        const std::string constant = "  %x = stablehlo.constant dense<{}> : {}\n";
        const std::string scalar =
            "  %c = stablehlo.constant dense<{0}> : tensor<{1}>\n"
            "  %x = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<{1}>) -> {2}\n";
        const std::pair<std::string, std::string> accumulators[] = {
            {"%x: " + x + ", ", ""},
            {"", fmt::format(fmt::runtime(constant), fold.identity, x)},
            {"", fmt::format(fmt::runtime(constant), fold.other, x)},
            {"", fmt::format(fmt::runtime(scalar), fold.identity, fold.element, x)}};
        for (const auto& [argument, lines] : accumulators) {
          add("scatter", argument + fmt::format("%s: {}, %u: {}", s, u),
              lines +
                  fmt::format(
                      "  %0 = \"stablehlo.scatter\"(%x, %s, %u) <{{indices_are_sorted = false, "
                      "scatter_dimension_numbers = "
                      "#stablehlo.scatter<update_window_dims = {}, inserted_window_dims = {}, input_batching_dims = "
                      "{}, "
                      "scatter_indices_batching_dims = {}, scatter_dims_to_operand_dims = {}, index_vector_dim = {}>, "
                      "unique_indices = false}}> {} : ({}, {}, {}) -> {}",
                      list(c.window), list(c.inserted), list(c.input_batching), list(c.indices_batching), list(c.map),
                      c.vector, fold.body, x, s, u, x));
        }
      }
    }
  }
};

}  // namespace

const std::vector<Instance>& instances() {
  static const std::vector<Instance> all = [] {
    Table table;
    table.elementwise();
    table.without_operands();
    table.broadcast();
    table.reshape();
    table.movement();
    table.pad();
    table.dynamic();
    table.reduce();
    table.dot();
    table.convolution();
    table.gather();
    table.scatter();
    add_windows(table);
    add_library(table);
    add_norms(table);
    add_bits(table);
    add_types(table);
    add_contractions(table);
    add_promotions(table);
    add_dynamic(table);
    return table.instances;
  }();
  return all;
}

std::vector<std::string> families() {
  std::vector<std::string> out;
  for (const Instance& i : instances()) {
    if (std::find(out.begin(), out.end(), i.family) == out.end()) out.push_back(i.family);
  }
  return out;
}

}  // namespace partir::testing
