// Small programs for which all schedules over arguments can be tried: chains of matrix products, perceptrons with and
// without their gradients, attention, convolutions and transformer blocks.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace partir {

struct SmallProgram {
  std::string name;
  std::string text;
  std::string mesh;
};

/// Writes a function on f32 values, one operation after another.
class SmallProgramWriter {
 public:
  using Sizes = std::vector<int>;
  struct Value {
    std::string name;
    Sizes sizes;
  };

  Value argument(Sizes sizes) {
    const Value out{fmt::format("%a{}", arguments_++), std::move(sizes)};
    signature_ += fmt::format("{}{}: {}", signature_.empty() ? "" : ", ", out.name, type(out.sizes));
    return out;
  }
  Value tanh(const Value& x) { return line(fmt::format("stablehlo.tanh {} : {}", x.name, type(x.sizes)), x.sizes); }
  Value binary(const char* op, const Value& x, const Value& y) {
    return line(fmt::format("stablehlo.{} {}, {} : {}", op, x.name, y.name, type(x.sizes)), x.sizes);
  }
  /// Returns the product that contracts dimension `i` of x with `k` of y; the first `batch` dimensions of both are
  /// batch dimensions.
  Value dot(const Value& x, const Value& y, int i, int k, int batch = 0) {
    Sizes sizes(x.sizes.begin(), x.sizes.begin() + batch);
    for (int d = batch; d < static_cast<int>(x.sizes.size()); ++d) {
      if (d != i) sizes.push_back(x.sizes[static_cast<std::size_t>(d)]);
    }
    for (int d = batch; d < static_cast<int>(y.sizes.size()); ++d) {
      if (d != k) sizes.push_back(y.sizes[static_cast<std::size_t>(d)]);
    }
    std::string batching;
    if (batch == 1) batching = "batching_dims = [0] x [0], ";
    if (batch == 2) batching = "batching_dims = [0, 1] x [0, 1], ";
    return line(fmt::format("stablehlo.dot_general {}, {}, {}contracting_dims = [{}] x [{}] : ({}, {}) -> {}", x.name,
                            y.name, batching, i, k, type(x.sizes), type(y.sizes), type(sizes)),
                sizes);
  }
  Value convolution(const Value& x, const Value& w) {
    const Sizes sizes{x.sizes[0], x.sizes[1], x.sizes[2], w.sizes[3]};
    return line(
        fmt::format("stablehlo.convolution({}, {}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
                    "{{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
                    "({}, {}) -> {}",
                    x.name, w.name, type(x.sizes), type(w.sizes), type(sizes)),
        sizes);
  }
  [[nodiscard]] std::string returning(const std::vector<Value>& results) const {
    std::string names;
    std::string types;
    for (const Value& v : results) {
      names += (names.empty() ? "" : ", ") + v.name;
      types += (types.empty() ? "" : ", ") + type(v.sizes);
    }
    return fmt::format("func.func @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n", signature_, types, body_, names,
                       types);
  }

 private:
  static std::string type(const Sizes& sizes) {
    std::string out = "tensor<";
    for (const int s : sizes) out += fmt::format("{}x", s);
    return out + "f32>";
  }
  Value line(const std::string& text, Sizes sizes) {
    Value out{fmt::format("%{}", values_++), std::move(sizes)};
    body_ += fmt::format("  {} = {}\n", out.name, text);
    return out;
  }

  int arguments_ = 0;
  int values_ = 0;
  std::string signature_;
  std::string body_;
};

/// Appends self-attention with one head and, if `perceptron`, a perceptron after it.
inline SmallProgramWriter::Value small_block(SmallProgramWriter& w, const SmallProgramWriter::Value& x, int features,
                                             bool perceptron) {
  const auto q = w.dot(x, w.argument({features, features}), 2, 0);
  const auto k = w.dot(x, w.argument({features, features}), 2, 0);
  const auto v = w.dot(x, w.argument({features, features}), 2, 0);
  const auto scores = w.tanh(w.dot(q, k, 2, 2, 1));
  const auto mixed = w.binary("add", x, w.dot(scores, v, 2, 1, 1));
  if (!perceptron) return mixed;
  const auto up = w.tanh(w.dot(mixed, w.argument({features, 4 * features}), 2, 0));
  return w.binary("add", mixed, w.dot(up, w.argument({4 * features, features}), 2, 0));
}

/// Returns forty programs. Without `quick`, searching them takes minutes; with it, only the first few are returned.
inline std::vector<SmallProgram> small_programs(bool quick) {
  std::vector<SmallProgram> out;
  const auto add = [&](const std::string& name, const std::string& text, const char* mesh) {
    out.push_back({fmt::format("{} on {}", name, mesh), text, mesh});
  };
  // Sizes of batch, features and hidden dimension. Which one is largest differs, and so does the best dimension to
  // tile.
  const std::vector<std::vector<int>> shapes = {
      {4096, 512, 1024}, {64, 2048, 4096}, {512, 512, 512}, {8192, 64, 256}, {16, 4096, 512}};
  for (const auto& s : shapes) {
    for (const int length : {2, 3}) {
      SmallProgramWriter w;
      auto x = w.argument({s[0], s[1]});
      for (int k = 0; k < length; ++k) x = w.dot(x, w.argument({x.sizes[1], k % 2 == 0 ? s[2] : s[1]}), 1, 0);
      add(fmt::format("chain of {} at {} {} {}", length, s[0], s[1], s[2]), w.returning({x}), "a=4,b=2");
    }
    SmallProgramWriter m;
    const auto x = m.argument({s[0], s[1]});
    const auto h = m.tanh(m.dot(x, m.argument({s[1], s[2]}), 1, 0));
    add(fmt::format("perceptron at {} {} {}", s[0], s[1], s[2]),
        m.returning({m.tanh(m.dot(h, m.argument({s[2], s[1]}), 1, 0))}), "a=2,b=4");
    SmallProgramWriter g;  // a product and a gradient step on its weights
    const auto gx = g.argument({s[0], s[1]});
    const auto gw = g.argument({s[1], s[2]});
    const auto gy = g.argument({s[0], s[2]});
    const auto d = g.binary("subtract", g.dot(gx, gw, 1, 0), gy);
    add(fmt::format("gradient at {} {} {}", s[0], s[1], s[2]),
        g.returning({g.binary("subtract", gw, g.dot(gx, d, 0, 0))}), "a=2,b=2");
    if (quick && out.size() >= 4) return out;
  }
  for (const auto& s : std::vector<std::vector<int>>{{8, 256, 256}, {1, 1024, 256}, {4, 512, 1024}, {2, 2048, 128}}) {
    SmallProgramWriter w;
    add(fmt::format("attention at {} {} {}", s[0], s[1], s[2]),
        w.returning({small_block(w, w.argument({s[0], s[1], s[2]}), s[2], false)}), "a=2,b=2");
    SmallProgramWriter t;
    add(fmt::format("transformer block at {} {} {}", s[0], s[1], s[2]),
        t.returning({small_block(t, t.argument({s[0], s[1], s[2]}), s[2], true)}), "a=8");
    SmallProgramWriter c;
    const auto h = c.tanh(c.convolution(c.argument({s[0] * 4, 32, 32, s[2] / 4}), c.argument({3, 3, s[2] / 4, s[2]})));
    add(fmt::format("convolutions at {} {}", s[0] * 4, s[2]),
        c.returning({c.convolution(h, c.argument({3, 3, s[2], s[2] / 4}))}), "a=2,b=2");
    SmallProgramWriter two;
    const auto first = small_block(two, two.argument({s[0], s[1], s[2]}), s[2], false);
    add(fmt::format("two attention layers at {} {} {}", s[0], s[1], s[2]),
        two.returning({small_block(two, first, s[2], false)}), "a=4");
    SmallProgramWriter p;
    auto y = p.argument({s[0] * s[1], s[2]});
    for (int k = 0; k < 4; ++k) y = p.tanh(p.dot(y, p.argument({s[2], s[2]}), 1, 0));
    add(fmt::format("four equal layers at {} {}", s[0] * s[1], s[2]), p.returning({y}), "a=4");
  }
  return out;
}

}  // namespace partir
