// Writes one random case, choice by choice: mesh, program text and schedule.
#include "tests/generator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "ir/attribute.h"
#include "ir/types.h"

namespace partir {
namespace {

struct Value {
  std::string name;
  TensorType type;
};

class Generator {
 public:
  Generator(const std::vector<std::uint32_t>& choices, bool uneven) : choices_(choices), uneven_(uneven) {}

  GeneratedCase run() {
    GeneratedCase out;
    // Sizes are products of axis sizes, so that most tilings divide.
    const std::size_t axes = 1 + pick(3);
    for (std::size_t a = 0; a < axes; ++a) {
      sizes_.push_back(pick(3) == 2 ? 3 : 2);
      out.mesh += fmt::format("{}{}={}", a != 0 ? "," : "", std::string(1, static_cast<char>('a' + a)), sizes_.back());
    }
    element_ = pick(2) == 0 ? ElementType::i32 : ElementType::f32;
    const std::size_t arguments = 1 + pick(3);
    std::string header;
    for (std::size_t i = 0; i < arguments; ++i) {
      TensorType type = tensor(shape());
      header += fmt::format("{}%arg{}: {}", i != 0 ? ", " : "", i, type.str());
      values_.push_back({fmt::format("%arg{}", i), std::move(type)});
    }
    const std::vector<Value> inputs = values_;
    const std::size_t operations = 1 + pick(16);
    for (std::size_t i = 0; i < operations; ++i) operation();
    // The last value, and perhaps another.
    std::vector<Value> results = {values_.back()};
    if (pick(3) == 1) results.push_back(any());
    std::string types;
    std::string names;
    for (const Value& v : results) {
      types += (types.empty() ? "" : ", ") + v.type.str();
      names += (names.empty() ? "" : ", ") + v.name;
    }
    out.program =
        fmt::format("module @random {{\n  func.func public @main({}) -> ({}) {{\n{}    return {} : {}\n  }}\n}}\n",
                    header, types, text_, names, types);
    out.schedule = schedule(inputs, results, out.mesh);
    if (pick(4) == 1) out.mesh += device_ids();
    return out;
  }

 private:
  std::size_t pick(std::size_t n) {
    if (at_ >= choices_.size()) return 0;
    return choices_[at_++] % n;
  }
  /// Returns a random order of devices.
  std::string device_ids() {
    std::vector<std::size_t> ids(static_cast<std::size_t>(
        std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{1}, std::multiplies<std::int64_t>())));
    std::iota(ids.begin(), ids.end(), 0);
    for (std::size_t k = ids.size(); k > 1; --k) std::swap(ids[k - 1], ids[pick(k)]);
    return fmt::format(",device_ids=[{}]", fmt::join(ids, ","));
  }
  std::int64_t size() {
    static constexpr std::int64_t list[] = {2, 6, 4, 1, 12, 3};
    return list[pick(6)];
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> out(pick(8) == 7 ? 0 : 1 + pick(4));
    std::int64_t elements = 1;
    for (std::int64_t& d : out) {
      d = size();
      elements *= d;
      if (elements > 300) d = 1;
    }
    return out;
  }
  TensorType tensor(std::vector<std::int64_t> dims) const { return {element_, std::move(dims)}; }
  Value any() { return values_[values_.size() - 1 - pick(values_.size())]; }
  Value any_of_rank(std::size_t rank) {
    for (int tries = 0; tries < 4; ++tries) {
      const Value v = any();
      if (v.type.rank() >= rank) return v;
    }
    return constant(shape_of_rank(rank));
  }
  std::vector<std::int64_t> shape_of_rank(std::size_t rank) {
    std::vector<std::int64_t> out(rank);
    for (std::int64_t& d : out) d = size();
    return out;
  }

  std::string zero() const { return element_ == ElementType::i32 ? "0" : "0.0"; }

  Value add(const std::string& line, TensorType type) {
    const std::string name = fmt::format("%{}", next_++);
    text_ += fmt::format("    {} = {}\n", name, line);
    values_.push_back({name, std::move(type)});
    return values_.back();
  }
  /// Appends a value that is not a candidate for later operands (predicates, indices, scalars of another type).
  std::string aside(const std::string& line) {
    const std::string name = fmt::format("%{}", next_++);
    text_ += fmt::format("    {} = {}\n", name, line);
    return name;
  }
  Value constant(const std::vector<std::int64_t>& dims) {
    const TensorType type = tensor(dims);
    const int value = static_cast<int>(pick(4));
    return add(
        fmt::format("stablehlo.constant dense<{}{}> : {}", value, element_ == ElementType::i32 ? "" : ".0", type.str()),
        type);
  }
  std::string scalar(const std::string& value) {
    return aside(fmt::format("stablehlo.constant dense<{}> : {}", value, tensor({}).str()));
  }
  /// Returns a value of the given shape: an existing one, or a broadcast constant.
  Value like(const TensorType& type) {
    const std::size_t start = pick(values_.size());
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const Value& v = values_[(start + k) % values_.size()];
      if (v.type == type) return v;
    }
    return constant(type.dims);
  }

  void operation() {
    switch (pick(26)) {
      case 0: return binary();
      case 1: return unary();
      case 2: return dot();
      case 3: return reduce();
      case 4: return transpose();
      case 5: return broadcast();
      case 6: return reshape();
      case 7: return slice();
      case 8: return pad();
      case 9: return concatenate();
      case 10: return gather();
      case 11: return scatter();
      case 12: return select();
      case 13: return iota();
      case 14: return reverse();
      case 15: return dynamic_slice();
      case 16: return dot();
      case 17: return reduce();
      case 18: return dot();
      case 19: return dynamic_update_slice();
      case 20: return depth_ < 2 ? loop() : binary();
      case 21: return depth_ < 2 ? loop() : dynamic_slice();
      case 22: return depth_ < 2 ? branches() : unary();
      case 23: return barrier();
      default: return binary();
    }
  }

  void binary() {
    static constexpr const char* names[] = {"add", "multiply", "subtract", "maximum", "minimum", "add"};
    const Value x = any();
    const Value y = like(x.type);
    add(fmt::format("stablehlo.{} {}, {} : {}", names[pick(6)], x.name, y.name, x.type.str()), x.type);
  }
  void unary() {
    const Value x = any();
    const std::size_t which = pick(3);
    if (which == 2 && element_ == ElementType::f32) {
      add(fmt::format("stablehlo.tanh {} : {}", x.name, x.type.str()), x.type);
    } else if (which == 1) {
      add(fmt::format("stablehlo.abs {} : {}", x.name, x.type.str()), x.type);
    } else {
      add(fmt::format("stablehlo.negate {} : {}", x.name, x.type.str()), x.type);
    }
  }
  void select() {
    const Value x = any();
    const Value y = like(x.type);
    TensorType pred = x.type;
    pred.element = ElementType::i1;
    const std::string p = aside(fmt::format("stablehlo.compare GT, {}, {} : ({}, {}) -> {}", x.name, y.name,
                                            x.type.str(), x.type.str(), pred.str()));
    const Value z = like(x.type);
    add(fmt::format("stablehlo.select {}, {}, {} : {}, {}", p, x.name, z.name, pred.str(), x.type.str()), x.type);
  }
  void iota() {
    TensorType type = tensor(shape_of_rank(1 + pick(2)));
    add(fmt::format("stablehlo.iota dim = {} : {}", pick(type.rank()), type.str()), type);
  }
  void transpose() {
    const Value x = any_of_rank(2);
    std::vector<std::int64_t> p;
    for (std::size_t d = 0; d < x.type.rank(); ++d)
      p.insert(p.begin() + static_cast<std::ptrdiff_t>(pick(p.size() + 1)), static_cast<std::int64_t>(d));
    TensorType type = x.type;
    for (std::size_t d = 0; d < p.size(); ++d) type.dims[d] = x.type.dims[static_cast<std::size_t>(p[d])];
    add(fmt::format("stablehlo.transpose {}, dims = {} : ({}) -> {}", x.name, ints_text(p), x.type.str(), type.str()),
        type);
  }
  void broadcast() {
    const Value x = any();
    TensorType type = x.type;
    std::vector<std::int64_t> dims;
    for (std::size_t d = 0; d < type.rank(); ++d) dims.push_back(static_cast<std::int64_t>(d));
    if (type.rank() < 4 && type.elements() <= 100) {
      const std::size_t at = pick(type.rank() + 1);
      type.dims.insert(type.dims.begin() + static_cast<std::ptrdiff_t>(at), size());
      for (std::int64_t& d : dims) d += d >= static_cast<std::int64_t>(at) ? 1 : 0;
    }
    add(fmt::format("stablehlo.broadcast_in_dim {}, dims = {} : ({}) -> {}", x.name, ints_text(dims), x.type.str(),
                    type.str()),
        type);
  }
  void reshape() {
    const Value x = any();
    TensorType type = x.type;
    const std::size_t how = pick(3);
    if (how == 0 && type.rank() >= 2) {
      const std::size_t d = pick(type.rank() - 1);
      type.dims[d] *= type.dims[d + 1];
      type.dims.erase(type.dims.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    } else if (how == 1 && type.rank() >= 1 && type.rank() < 4) {
      const std::size_t d = pick(type.rank());
      const std::int64_t factor = type.dims[d] % 2 == 0 ? 2 : type.dims[d] % 3 == 0 ? 3 : 1;
      type.dims[d] /= factor;
      type.dims.insert(type.dims.begin() + static_cast<std::ptrdiff_t>(d), factor);
    } else if (type.rank() < 4) {
      type.dims.insert(type.dims.begin() + static_cast<std::ptrdiff_t>(pick(type.rank() + 1)), 1);
    }
    add(fmt::format("stablehlo.reshape {} : ({}) -> {}", x.name, x.type.str(), type.str()), type);
  }
  void slice() {
    const Value x = any_of_rank(1);
    TensorType type = x.type;
    std::string ranges;
    const std::size_t cut = pick(type.rank());
    for (std::size_t d = 0; d < type.rank(); ++d) {
      std::int64_t start = 0;
      std::int64_t limit = type.dims[d];
      std::int64_t step = 1;
      if (d == cut && limit > 1) {
        start = static_cast<std::int64_t>(pick(2));
        step = 1 + static_cast<std::int64_t>(pick(2));
        type.dims[d] = (limit - start + step - 1) / step;
      }
      ranges += fmt::format("{}{}:{}:{}", d != 0 ? ", " : "", start, limit, step);
    }
    add(fmt::format("stablehlo.slice {} [{}] : ({}) -> {}", x.name, ranges, x.type.str(), type.str()), type);
  }
  void pad() {
    const Value x = any_of_rank(1);
    TensorType type = x.type;
    if (type.elements() > 150) return binary();
    const std::size_t where = pick(type.rank());
    std::vector<std::int64_t> low(type.rank(), 0);
    std::vector<std::int64_t> high(type.rank(), 0);
    std::vector<std::int64_t> interior(type.rank(), 0);
    low[where] = static_cast<std::int64_t>(pick(3));
    high[where] = static_cast<std::int64_t>(pick(3));
    interior[where] = static_cast<std::int64_t>(pick(2));
    type.dims[where] += low[where] + high[where] + (type.dims[where] - 1) * interior[where];
    const std::string value = scalar(pick(2) == 0 ? zero() : element_ == ElementType::i32 ? "3" : "3.0");
    add(fmt::format("stablehlo.pad {}, {}, low = {}, high = {}, interior = {} : ({}, {}) -> {}", x.name, value,
                    ints_text(low), ints_text(high), ints_text(interior), x.type.str(), tensor({}).str(), type.str()),
        type);
  }
  void concatenate() {
    const Value x = any_of_rank(1);
    if (x.type.elements() > 150) return binary();
    const Value y = like(x.type);
    const std::size_t dim = pick(x.type.rank());
    TensorType type = x.type;
    type.dims[dim] *= 2;
    add(fmt::format("stablehlo.concatenate {}, {}, dim = {} : ({}, {}) -> {}", x.name, y.name, dim, x.type.str(),
                    y.type.str(), type.str()),
        type);
  }
  void reverse() {
    const Value x = any_of_rank(1);
    add(fmt::format("stablehlo.reverse {}, dims = [{}] : {}", x.name, pick(x.type.rank()), x.type.str()), x.type);
  }
  void dynamic_slice() {
    const Value x = any_of_rank(1);
    TensorType type = x.type;
    const std::size_t cut = pick(type.rank());
    type.dims[cut] = (type.dims[cut] + 1) / 2;
    const auto [starts, start_types] = starts_of(type.rank(), cut);
    add(fmt::format("stablehlo.dynamic_slice {}{}, sizes = {} : ({}{}) -> {}", x.name, starts, ints_text(type.dims),
                    x.type.str(), start_types, type.str()),
        type);
  }
  void dynamic_update_slice() {
    const Value x = any_of_rank(1);
    TensorType type = x.type;
    const std::size_t cut = pick(type.rank());
    type.dims[cut] = (type.dims[cut] + 1) / 2;
    const Value u = like(type);
    const auto [starts, start_types] = starts_of(type.rank(), cut);
    add(fmt::format("stablehlo.dynamic_update_slice {}, {}{} : ({}, {}{}) -> {}", x.name, u.name, starts, x.type.str(),
                    type.str(), start_types, x.type.str()),
        x.type);
  }
  /// Returns start indices and their types. Some are out of bounds; along `cut`, one may be a loop's counter.
  std::pair<std::string, std::string> starts_of(std::size_t rank, std::size_t cut) {
    std::pair<std::string, std::string> out;
    for (std::size_t d = 0; d < rank; ++d) {
      const bool counts = d == cut && !counters_.empty() && pick(3) != 0;
      out.first += ", " + (counts ? counters_.back() : index(static_cast<std::int64_t>(pick(5)) - 1));
      out.second += ", tensor<i32>";
    }
    return out;
  }
  std::string index(std::int64_t value) {
    return aside(fmt::format("stablehlo.constant dense<{}> : tensor<i32>", value));
  }

  /// A sum that a loop accumulates: the sums of a value over a dimension.
  struct Sum {
    Value carried;
    Value of;
    std::size_t dim;
  };
  /// Appends the next sum, which may be scaled in each iteration, and returns its name.
  std::string sum_with_more(const Sum& sum) {
    const std::string type = sum.carried.type.str();
    std::string so_far = sum.carried.name;
    if (pick(4) == 3)
      so_far = aside(fmt::format("stablehlo.multiply {}, {} : {}", so_far, like(sum.carried.type).name, type));
    const std::string zero_scalar = scalar(zero());
    const std::string square =
        aside(fmt::format("stablehlo.multiply {}, {} : {}", sum.of.name, sum.of.name, sum.of.type.str()));
    const std::string more = aside(
        fmt::format("stablehlo.reduce({} init: {}) applies stablehlo.add across dimensions = [{}] : ({}, {}) -> {}",
                    square, zero_scalar, sum.dim, sum.of.type.str(), tensor({}).str(), type));
    return aside(fmt::format("stablehlo.add {}, {} : {}", more, so_far, type));
  }

  /// Appends the operations of a region that returns values of these types and, at the end, a sum. Values defined in
  /// the region are not visible after it.
  void region(const std::vector<Value>& arguments, const std::vector<TensorType>& wanted, const std::string& before,
              const std::optional<Sum>& sum = std::nullopt) {
    const std::size_t outside = values_.size();
    values_.insert(values_.end(), arguments.begin(), arguments.end());
    ++depth_;
    const std::size_t operations = pick(5);
    for (std::size_t i = 0; i < operations; ++i) operation();
    --depth_;
    std::string names = before;
    std::string types = before.empty() ? "" : "tensor<i32>";
    for (const TensorType& type : wanted) {
      // Prefers a value that was computed last.
      const auto fits = std::find_if(values_.rbegin(), values_.rend(), [&](const Value& v) { return v.type == type; });
      const Value v = pick(4) != 0 && fits != values_.rend() ? *fits : like(type);
      names += (names.empty() ? "" : ", ") + v.name;
      types += (types.empty() ? "" : ", ") + type.str();
    }
    if (sum) {
      names += ", " + sum_with_more(*sum);
      types += ", " + sum->carried.type.str();
    }
    text_ += fmt::format("    stablehlo.return {} : {}\n", names, types);
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(outside), values_.end());
  }
  /// Names the results of an operation and makes them candidates for operands, except the first `hidden` ones.
  void several(const std::string& name, const std::vector<TensorType>& types, std::size_t hidden) {
    const bool one = types.size() + hidden == 1;
    for (std::size_t k = 0; k < types.size(); ++k)
      values_.push_back({one ? name : fmt::format("{}#{}", name, k + hidden), types[k]});
  }

  /// Appends a counted loop that carries values and may accumulate sums.
  void loop() {
    const std::size_t carried = 1 + pick(3);
    const std::string start = index(static_cast<std::int64_t>(pick(2)));
    const std::string limit = index(static_cast<std::int64_t>(pick(4)));
    const std::string name = fmt::format("%{}", next_++);
    const std::string counter = fmt::format("%i{}", next_);
    std::string head = fmt::format("{} = {}", counter, start);
    std::string type_list = "tensor<i32>";
    std::vector<Value> arguments;
    std::vector<TensorType> types;
    for (std::size_t k = 0; k < carried; ++k) {
      const Value x = any();
      arguments.push_back({fmt::format("%c{}_{}", next_, k), x.type});
      types.push_back(x.type);
      head += fmt::format(", {} = {}", arguments.back().name, x.name);
      type_list += ", " + x.type.str();
    }
    std::optional<Sum> sum;
    if (pick(3) == 2) {
      const Value of = any_of_rank(1);
      sum = Sum{{fmt::format("%s{}", next_), of.type}, of, pick(of.type.rank())};
      TensorType& type = sum->carried.type;
      type.dims.erase(type.dims.begin() + static_cast<std::ptrdiff_t>(sum->dim));
      const std::string first =
          pick(4) == 3 ? like(type).name : aside(fmt::format("stablehlo.constant dense<{}> : {}", zero(), type.str()));
      head += fmt::format(", {} = {}", sum->carried.name, first);
      type_list += ", " + type.str();
      if (pick(4) == 3) arguments.push_back(sum->carried);  // which has other uses, too
    }
    ++next_;
    const std::size_t results = carried + (sum ? 2 : 1);
    text_ += fmt::format("    {}:{} = stablehlo.while({}) : {} cond {{\n", name, results, head, type_list);
    const std::string more =
        aside(fmt::format("stablehlo.compare LT, {}, {} : (tensor<i32>, tensor<i32>) -> tensor<i1>", counter, limit));
    text_ += fmt::format("    stablehlo.return {} : tensor<i1>\n    }} do {{\n", more);
    const std::string one = index(1);
    const std::string next = aside(fmt::format("stablehlo.add {}, {} : tensor<i32>", counter, one));
    counters_.push_back(counter);
    region(arguments, types, next, sum);
    counters_.pop_back();
    text_ += "    }\n";
    if (sum) types.push_back(sum->carried.type);
    several(name, types, 1);
  }

  /// Appends an if or a case that depends on a scalar of the program.
  void branches() {
    Value scalar = constant({});
    for (const Value& v : values_) {
      if (v.type.rank() == 0) scalar = v;
    }
    std::string decides = scalar.name;
    const bool is_case = element_ == ElementType::i32;
    if (!is_case) {
      const std::string other = this->scalar(zero());
      decides = aside(
          fmt::format("stablehlo.compare GT, {}, {} : (tensor<f32>, tensor<f32>) -> tensor<i1>", scalar.name, other));
    }
    std::vector<TensorType> types = {any().type};
    if (pick(2) == 1) types.push_back(any().type);
    const std::string name = fmt::format("%{}", next_++);
    text_ += fmt::format("    {}{} = \"stablehlo.{}\"({}) ({{\n", name,
                         types.size() == 1 ? "" : fmt::format(":{}", types.size()), is_case ? "case" : "if", decides);
    const std::size_t count = is_case ? 1 + pick(3) : 2;
    for (std::size_t b = 0; b < count; ++b) {
      if (b != 0) text_ += "    }, {\n";
      region({}, types, "");
    }
    std::string type_list;
    for (const TensorType& t : types) type_list += (type_list.empty() ? "" : ", ") + t.str();
    text_ += fmt::format("    }}) : (tensor<{}>) -> ({})\n", is_case ? "i32" : "i1", type_list);
    several(name, types, 0);
  }

  void barrier() {
    const Value x = any();
    const Value y = any();
    const std::string name = fmt::format("%{}", next_++);
    text_ += fmt::format("    {}:2 = stablehlo.optimization_barrier {}, {} : {}, {}\n", name, x.name, y.name,
                         x.type.str(), y.type.str());
    several(name, {x.type, y.type}, 0);
  }
  void reduce() {
    const Value x = any_of_rank(1);
    std::vector<std::int64_t> dims = {static_cast<std::int64_t>(pick(x.type.rank()))};
    if (x.type.rank() > 1 && pick(3) == 1) dims = {0, static_cast<std::int64_t>(x.type.rank()) - 1};
    TensorType type = tensor({});
    for (std::size_t d = 0; d < x.type.rank(); ++d) {
      if (std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) == dims.end())
        type.dims.push_back(x.type.dims[d]);
    }
    const std::size_t how = pick(4);
    const bool integer = element_ == ElementType::i32;
    const char* body = how == 1 ? "maximum" : how == 2 ? "multiply" : "add";
    // how == 3: an initial value that is not the identity.
    const std::string init = scalar(how == 1   ? (integer ? "-2147483648" : "0xFF800000")
                                    : how == 2 ? (integer ? "1" : "1.0")
                                    : how == 3 ? (integer ? "5" : "5.0")
                                               : zero());
    add(fmt::format("stablehlo.reduce({} init: {}) applies stablehlo.{} across dimensions = {} : ({}, {}) -> {}",
                    x.name, init, body, ints_text(dims), x.type.str(), tensor({}).str(), type.str()),
        type);
  }
  void dot() {
    const Value x = any_of_rank(1);
    const std::size_t c = pick(x.type.rank());
    std::vector<std::int64_t> rhs_dims = {x.type.dims[c]};
    if (pick(4) != 0) rhs_dims.push_back(size());
    const bool batch = x.type.rank() >= 2 && pick(3) == 1;
    const std::size_t b = (c + 1) % x.type.rank();
    if (batch) rhs_dims.push_back(x.type.dims[b]);
    const Value y = like(tensor(rhs_dims));
    TensorType type = tensor({});
    if (batch) type.dims.push_back(x.type.dims[b]);
    for (std::size_t d = 0; d < x.type.rank(); ++d) {
      if (d != c && !(batch && d == b)) type.dims.push_back(x.type.dims[d]);
    }
    for (std::size_t d = 1; d + (batch ? 1 : 0) < rhs_dims.size(); ++d) type.dims.push_back(rhs_dims[d]);
    if (type.rank() > 4 || type.elements() > 300) return binary();
    const std::string batching = batch ? fmt::format("batching_dims = [{}] x [{}], ", b, rhs_dims.size() - 1) : "";
    add(fmt::format("stablehlo.dot_general {}, {}, {}contracting_dims = [{}] x [0] : ({}, {}) -> {}", x.name, y.name,
                    batching, c, x.type.str(), y.type.str(), type.str()),
        type);
  }
  /// Appends indices [n] or [m, n] of i32, of which some are out of bounds.
  Value indices(std::size_t rank) {
    TensorType type{ElementType::i32, shape_of_rank(rank)};
    std::string v = aside(fmt::format("stablehlo.iota dim = {} : {}", pick(rank), type.str()));
    const std::string shift =
        aside(fmt::format("stablehlo.constant dense<{}> : {}", static_cast<int>(pick(4)) - 1, type.str()));
    v = aside(fmt::format("stablehlo.subtract {}, {} : {}", v, shift, type.str()));
    return {v, type};
  }
  void gather() {
    const Value x = any_of_rank(2);
    if (x.type.rank() != 2) return transpose();
    const Value i = indices(1 + pick(2));
    std::vector<std::int64_t> dims = i.type.dims;
    dims.push_back(x.type.dims[1]);
    const TensorType type = tensor(dims);
    if (type.elements() > 300) return binary();
    add(fmt::format("\"stablehlo.gather\"({}, {}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{}], "
                    "collapsed_slice_dims = [0], "
                    "start_index_map = [0], index_vector_dim = {}>, indices_are_sorted = false, slice_sizes = "
                    "array<i64: 1, {}>}}> : ({}, {}) -> {}",
                    x.name, i.name, i.type.rank(), i.type.rank(), x.type.dims[1], x.type.str(), i.type.str(),
                    type.str()),
        type);
  }
  void scatter() {
    const Value x = any_of_rank(2);
    if (x.type.rank() != 2) return transpose();
    const Value i = indices(1);
    const Value u = like(tensor({i.type.dims[0], x.type.dims[1]}));
    const Value base =
        pick(2) == 0 ? add(fmt::format("stablehlo.constant dense<{}> : {}", zero(), x.type.str()), x.type) : x;
    add(fmt::format("\"stablehlo.scatter\"({}, {}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = "
                    "#stablehlo.scatter<update_window_dims = [1], "
                    "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
                    "unique_indices = false}}> ({{\n"
                    "    ^bb0(%p: {}, %q: {}):\n      %s = stablehlo.add %p, %q : {}\n      stablehlo.return %s : {}\n "
                    "   }}) : ({}, {}, {}) -> {}",
                    base.name, i.name, u.name, tensor({}).str(), tensor({}).str(), tensor({}).str(), tensor({}).str(),
                    x.type.str(), i.type.str(), u.type.str(), x.type.str()),
        x.type);
  }

  std::string schedule(const std::vector<Value>& inputs, const std::vector<Value>& results, const std::string&) {
    std::string tactics;
    const std::size_t count = 1 + pick(4);
    // Local sizes after the explicit tilings so far. An axis is requested once on a value.
    std::vector<std::vector<std::int64_t>> local;
    std::vector<std::vector<bool>> asked;
    for (const auto* list : {&inputs, &results}) {
      for (const Value& v : *list) {
        local.push_back(v.type.dims);
        asked.emplace_back(sizes_.size(), false);
      }
    }
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t axis = pick(sizes_.size());
      std::string sides[2];
      const std::size_t requests = 1 + pick(3);
      for (std::size_t r = 0; r < requests; ++r) {
        const std::size_t which = pick(3) != 2 ? pick(inputs.size()) : pick(local.size());
        const bool result = which >= inputs.size();
        if (asked[which][axis]) continue;
        std::string action;
        const std::size_t how = pick(8);
        if (how == 6) {
          action = "\"replicated\"";
        } else if (how == 7) {
          action = "\"first_divisible_dim\"";
        } else {
          std::vector<std::size_t> divisible;
          for (std::size_t d = 0; d < local[which].size(); ++d) {
            if (uneven_ || local[which][d] % sizes_[axis] == 0) divisible.push_back(d);
          }
          if (divisible.empty()) continue;
          action = fmt::format("{}", divisible[pick(divisible.size())]);
        }
        asked[which][axis] = true;
        // Propagation may tile a value further, so that a later explicit tiling would have to divide at any local size.
        // Each value is therefore tiled once.
        std::fill(asked[which].begin(), asked[which].end(), true);
        std::string& side = sides[result ? 1 : 0];
        side += fmt::format("{}\"{}{}\": {}", side.empty() ? "" : ", ", result ? "result" : "arg",
                            result ? which - inputs.size() : which, action);
      }
      std::string keys;
      if (!sides[0].empty()) keys += fmt::format(", \"inputs\": {{{}}}", sides[0]);
      if (!sides[1].empty()) keys += fmt::format(", \"results\": {{{}}}", sides[1]);
      if (uneven_) keys += ", \"uneven\": true";
      tactics += fmt::format("{}{{\"name\": \"T{}\", \"axis\": \"{}\"{}}}", t != 0 ? ", " : "", t,
                             static_cast<char>('a' + axis), keys);
    }
    return fmt::format("{{\"tactics\": [{}]}}", tactics);
  }

  const std::vector<std::uint32_t>& choices_;
  bool uneven_;
  std::size_t at_ = 0;
  std::vector<std::int64_t> sizes_;
  ElementType element_ = ElementType::i32;
  std::vector<Value> values_;
  std::string text_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;              ///< of regions
  std::vector<std::string> counters_;  ///< of the loops around
};

}  // namespace

GeneratedCase generate(const std::vector<std::uint32_t>& choices, bool uneven) {
  return Generator(choices, uneven).run();
}

}  // namespace partir
