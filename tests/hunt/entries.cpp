#include "tests/hunt/entries.h"

#include <fmt/format.h>

namespace partir::hunt {
namespace {

using Dims = std::vector<std::string>;

std::string tensor(const Dims& dims, ElementType t) {
  std::string out = "tensor<";
  for (const std::string& d : dims) out += d + "x";
  return out + std::string(name_of(t)) + ">";
}

struct Value {
  std::string name;
  Dims dims;
  ElementType type;
};

/// Writes one random entry as text, value by value.
class Program {
 public:
  explicit Program(Random& random) : random_(random) {}

  std::string text() {
    const ElementType type = some_type(random_);
    const Dims dims = {"M", "N"};
    const std::string tiled = below(random_, 2) == 0 ? "" : dims[below(random_, 2)];
    const std::size_t count = 1 + below(random_, 2);
    std::string arguments;
    for (std::size_t k = 0; k < count; ++k) {
      const Dims d = below(random_, 6) == 0 ? Dims{"N", "M"} : dims;
      const std::string action = some_action(d, tiled, type, true);
      arguments += fmt::format("{}%x{}: {} {}", k == 0 ? "" : ", ", k, tensor(d, type), action);
      values_.push_back({fmt::format("%x{}", k), d, type});
    }
    const std::size_t steps = 1 + below(random_, 4);
    for (std::size_t k = 0; k < steps; ++k) step();
    const Value& last = values_.back();
    return fmt::format("entry @hunted{} ({}) -> ({} {}) {{\n{}  return {} : {}\n}}\n",
                       tiled.empty() ? "" : " tiles " + tiled, arguments, tensor(last.dims, last.type),
                       some_action(last.dims, tiled, last.type, false), body_, last.name, tensor(last.dims, last.type));
  }

 private:
  std::string some_action(const Dims& dims, const std::string& tiled, ElementType type, bool argument) {
    if (!tiled.empty()) {
      for (std::size_t d = 0; d < dims.size(); ++d) {
        if (dims[d] == tiled) return fmt::format("#tile<{}>", d);
      }
      if (argument) return "any";
    }
    if (below(random_, 4) == 0) return "any";
    if (type == ElementType::i1) return one_of<std::string>({"#and", "#or"}, random_);
    if (is_complex(type)) return "#sum";
    return one_of<std::string>({"#sum", "#sum", "#max", "#min", "#prod"}, random_);
  }

  void line(const std::string& text, const Dims& dims, ElementType type) {
    values_.push_back({fmt::format("%v{}", values_.size()), dims, type});
    body_ += fmt::format("  {} = {}\n", values_.back().name, text);
  }
  std::string scalar(const std::string& text, ElementType type) {
    const std::string name = fmt::format("%c{}", constants_++);
    body_ += fmt::format("  {} = stablehlo.constant dense<{}> : {}\n", name, text, tensor({}, type));
    return name;
  }

  void step() {
    const Value v = below(random_, 3) == 0 ? one_of(values_, random_) : values_.back();
    const std::string t = tensor(v.dims, v.type);
    const auto alike = [&]() -> Value {
      std::vector<Value> all;
      for (const Value& o : values_) {
        if (o.dims == v.dims && o.type == v.type) all.push_back(o);
      }
      return one_of(all, random_);
    };
    switch (below(random_, 11)) {
      case 0:
      case 1: return line(fmt::format("{} {} : {}", some_unary(v.type, random_), v.name, t), v.dims, v.type);
      case 2:
      case 3:
        return line(fmt::format("{} {}, {} : {}", some_binary(v.type, random_), v.name, alike().name, t), v.dims,
                    v.type);
      case 4: {
        const ElementType to = some_type(random_);
        if (to == v.type || is_complex(to) != is_complex(v.type)) return;
        return line(fmt::format("stablehlo.convert {} : ({}) -> {}", v.name, t, tensor(v.dims, to)), v.dims, to);
      }
      case 5: {
        if (v.dims.empty() || is_complex(v.type)) return;
        const std::size_t d = below(random_, v.dims.size());
        Dims rest = v.dims;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(d));
        const std::string op = v.type == ElementType::i1
                                   ? one_of<std::string>({"and", "or"}, random_)
                                   : one_of<std::string>({"add", "maximum", "minimum", "multiply"}, random_);
        const std::string init = scalar(some_constant(v.type, random_), v.type);
        return line(
            fmt::format("stablehlo.reduce({} init: {}) applies stablehlo.{} across dimensions = [{}] : ({}, {}) -> {}",
                        v.name, init, op, d, t, tensor({}, v.type), tensor(rest, v.type)),
            rest, v.type);
      }
      case 6: {
        if (v.dims.size() != 2) return;
        const Dims out = {v.dims[1], v.dims[0]};
        return line(fmt::format("stablehlo.transpose {}, dims = [1, 0] : ({}) -> {}", v.name, t, tensor(out, v.type)),
                    out, v.type);
      }
      case 7: {
        const std::string direction =
            v.type == ElementType::i1 || is_complex(v.type) ? "EQ" : one_of<std::string>({"GT", "LE", "EQ"}, random_);
        return line(fmt::format("stablehlo.compare {}, {}, {} : ({}, {}) -> {}", direction, v.name, alike().name, t, t,
                                tensor(v.dims, ElementType::i1)),
                    v.dims, ElementType::i1);
      }
      case 8: {
        for (const Value& p : values_) {
          if (p.type != ElementType::i1 || p.dims != v.dims) continue;
          return line(fmt::format("stablehlo.select {}, {}, {} : {}, {}", p.name, v.name, alike().name,
                                  tensor(v.dims, p.type), t),
                      v.dims, v.type);
        }
        return;
      }
      case 9: {
        if (v.dims.size() != 2 || v.type == ElementType::i1) return;
        const Dims out = {v.dims[0], v.dims[0]};
        return line(fmt::format("stablehlo.dot_general {}, {}, contracting_dims = [1] x [1] : ({}, {}) -> {}", v.name,
                                alike().name, t, t, tensor(out, v.type)),
                    out, v.type);
      }
      default: {
        if (v.dims.empty()) return;
        return line(fmt::format("stablehlo.reverse {}, dims = [{}] : {}", v.name, below(random_, v.dims.size()), t),
                    v.dims, v.type);
      }
    }
  }

  Random& random_;
  std::vector<Value> values_;
  std::string body_;
  std::size_t constants_ = 0;
};

}  // namespace

std::string some_entry(Random& random) { return Program(random).text(); }

}  // namespace partir::hunt
