#include "ir/ops/offsets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "ir/ops/common.h"
#include "ir/text/read.h"
#include "support/check.h"

namespace partir::ops {
namespace {

/// A program being written, as text.
class FunctionText {
 public:
  explicit FunctionText(const OpInstance& op) {
    std::string arguments;
    for (std::size_t k = 0; k < op.operands.size(); ++k)
      arguments += fmt::format("{}%a{}: {}", k != 0 ? ", " : "", k, op.operands[k].str());
    type_ = op.results[0].str();
    text_ = fmt::format("func.func @main({}) -> {} {{\n", arguments, type_);
  }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  Function done(const std::string& result) {
    text_ += fmt::format("  return {} : {}\n}}\n", result, type_);
    auto module = read_module(text_, "an operation by offsets");
    PARTIR_CHECK(module.has_value(), (module ? "" : module.error().text()) + "\n" + text_);
    return std::move(module->functions.at(0));
  }

 private:
  std::string type_;  ///< of what it gives
  std::string text_;
};

TensorType with_dim(const TensorType& t, Dim d, std::int64_t size) {
  std::vector<std::int64_t> dims = t.dims;
  dims[d] = size;
  return t.with_dims(std::move(dims));
}
TensorType with_front(std::int64_t size, const TensorType& t) {
  std::vector<std::int64_t> dims = t.dims;
  dims.insert(dims.begin(), size);
  return t.with_dims(std::move(dims));
}
/// Dimension d as n blocks.
TensorType blocked(const TensorType& t, Dim d, std::int64_t n) {
  std::vector<std::int64_t> dims = t.dims;
  dims[d] /= n;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(d), n);
  return t.with_dims(std::move(dims));
}
TensorType booleans(const TensorType& t) { return {ElementType::i1, t.dims}; }

std::string list_text(const std::vector<std::int64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }
/// The numbers below `count`, shifted.
std::vector<std::int64_t> numbers(std::size_t count, std::int64_t from = 0) {
  std::vector<std::int64_t> out(count);
  std::iota(out.begin(), out.end(), from);
  return out;
}
std::vector<std::int64_t> all_but(std::size_t rank, Dim d) {
  std::vector<std::int64_t> out = numbers(rank);
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(d));
  return out;
}
std::vector<std::int64_t> shifted(std::vector<std::int64_t> values, std::int64_t from) {
  for (std::int64_t& v : values) v += v >= from ? 1 : 0;
  return values;
}

using Lists = std::vector<std::pair<const char*, std::vector<std::int64_t>>>;
/// "offset_dims = [1], index_vector_dim = 2": lists that are empty are left out, as they are where we print them.
std::string dimension_numbers(const Lists& lists, std::size_t vector_dim) {
  std::string out;
  for (const auto& [name, values] : lists) {
    if (!values.empty()) out += fmt::format("{} = [{}], ", name, list_text(values));
  }
  return out + fmt::format("index_vector_dim = {}", vector_dim);
}

/// The type in which parts that are no device's but one are added up: integers as they are, floats as their bits. (A sum
/// of floats is no movement: -0.0 + 0.0 is 0.0, and 0 * inf is NaN.) Nothing for what has no such bits.
std::optional<ElementType> moved_as(ElementType t) {
  if (is_integer(t)) return t;
  if (!is_float(t)) return std::nullopt;
  switch (bit_width(t)) {
    case 8: return ElementType::ui8;
    case 16: return ElementType::ui16;
    case 32: return ElementType::ui32;
    case 64: return ElementType::ui64;
    default: return std::nullopt;
  }
}
TensorType with_element(const TensorType& t, ElementType element) { return {element, t.dims}; }
/// Positions in a dimension of this size, of which there are several, and differences of two are numbers of the type.
bool counts(ElementType t, std::int64_t size) {
  return (t == ElementType::i32 || t == ElementType::i64) && size > 1 && size < (std::int64_t{1} << 30);
}

/// A value of the program being written.
struct Named {
  std::string name;
  TensorType type;
};

/// %r = what a gather reads. `sorted`: the indices are.
void gather(FunctionText& w, const Named& x, const TensorType& indices, const Lists& lists,
            const std::vector<std::int64_t>& sizes, bool sorted, const TensorType& out) {
  w.line(
      "%r = \"stablehlo.gather\"({}, %d) <{{dimension_numbers = #stablehlo.gather<{}>, indices_are_sorted = {}, "
      "slice_sizes = array<i64: {}>}}> : ({}, {}) -> {}",
      x.name, dimension_numbers(lists, indices.rank()), sorted, list_text(sizes), x.type.str(), indices.str(), out.str());
}

/// %r = a scatter at %d. `unique`: the indices are sorted and differ.
void scatter(FunctionText& w, const Named& x, const TensorType& indices, const Named& updates, const Lists& lists,
             bool unique, std::string_view combiner) {
  const std::string scalar = x.type.with_dims({}).str();
  w.line(
      "%r = \"stablehlo.scatter\"({}, %d, {}) <{{indices_are_sorted = {}, scatter_dimension_numbers = "
      "#stablehlo.scatter<{}>, unique_indices = {}}}> ({{\n^bb0(%left: {}, %right: {}):\n    %both = {} %left, "
      "%right : {}\n    stablehlo.return %both : {}\n  }}) : ({}, {}, {}) -> {}",
      x.name, updates.name, unique, dimension_numbers(lists, indices.rank()), unique, scalar, scalar, combiner, scalar,
      scalar, x.type.str(), indices.str(), updates.type.str(), x.type.str());
}

/// The value as the type in which it is moved, named `as` where that is another.
Named moved(FunctionText& w, const Named& x, const char* as) {
  const TensorType type = with_element(x.type, *moved_as(x.type.element));
  if (type == x.type) return x;
  w.line("{} = stablehlo.bitcast_convert {} : ({}) -> {}", as, x.name, x.type.str(), type.str());
  return {as, type};
}

/// The program that gives a value which was moved, in the type it had.
Function moved_back(FunctionText& w, const Named& x, const TensorType& type) {
  if (type == x.type) return w.done(x.name);
  w.line("%moved = stablehlo.bitcast_convert {} : ({}) -> {}", x.name, x.type.str(), type.str());
  return w.done("%moved");
}

/// %d[p] = p - start, for the positions of a dimension; `start` is a scalar value of type i.
void distances(FunctionText& w, const std::string& start, const TensorType& i, std::int64_t size) {
  const TensorType line = i.with_dims({size});
  w.line("%b = stablehlo.broadcast_in_dim {}, dims = [] : ({}) -> {}", start, i.str(), line.str());
  w.line("%p = stablehlo.iota dim = 0 : {}", line.str());
  w.line("%d = stablehlo.subtract %p, %b : {}", line.str());
}

/// %o[k, …] = where block k starts, of as many as `line` says and of `size` positions each.
void block_starts(FunctionText& w, const TensorType& line, std::int64_t size, const TensorType& wide) {
  w.line("%k = stablehlo.iota dim = 0 : {}", line.str());
  w.line("%m = stablehlo.constant dense<{}> : {}", size, line.str());
  w.line("%f = stablehlo.multiply %k, %m : {}", line.str());
  w.line("%o = stablehlo.broadcast_in_dim %f, dims = [0] : ({}) -> {}", line.str(), wide.str());
}

/// %c = the start along a dimension, clamped.
void clamped_start(FunctionText& w, std::size_t operand, const TensorType& i, std::int64_t slack) {
  w.line("%lo = stablehlo.constant dense<0> : {}", i.str());
  w.line("%hi = stablehlo.constant dense<{}> : {}", slack, i.str());
  w.line("%c = stablehlo.clamp %lo, %a{}, %hi : {}", operand, i.str());
}

/// The starts of operands from `first` on, with %lo (0) along `dim`; and the types of all of them.
std::string starts(const OpInstance& op, std::size_t first, Dim dim) {
  std::string out;
  for (std::size_t k = first; k < op.operands.size(); ++k) out += k - first == dim ? ", %lo" : fmt::format(", %a{}", k);
  return out;
}
std::string types(const OpInstance& op, std::size_t first) {
  std::string out;
  for (std::size_t k = first; k < op.operands.size(); ++k) out += ", " + op.operands[k].str();
  return out;
}

/// By %d, the sum of what stands at each distance of y.
Function summed(FunctionText& w, const OpInstance& op, Dim dim, const TensorType& i, const Named& y) {
  const Named bits = moved(w, y, "%bits");
  const TensorType out = with_element(*op.results[0], bits.type.element);
  const auto k = static_cast<std::int64_t>(dim);
  w.line("%zero = stablehlo.constant dense<0> : {}", out.str());
  scatter(w, {"%zero", out}, i.with_dims({y.type.dims[dim]}), bits,
          {{"update_window_dims", all_but(out.rank(), dim)},
           {"inserted_window_dims", {k}},
           {"scatter_dims_to_operand_dims", {k}}},
          true, "stablehlo.add");
  return moved_back(w, {"%r", out}, *op.results[0]);
}

Function sliced(const OpInstance& op, Dim dim) {
  const TensorType& x = *op.operands[0];
  const TensorType i{op.operands[1]->element, {}};
  const TensorType y = with_dim(*op.results[0], dim, x.dims[dim]);
  FunctionText w(op);
  clamped_start(w, dim + 1, i, x.dims[dim] - op.results[0]->dims[dim]);
  if (y != x) {
    w.line("%y = stablehlo.dynamic_slice %a0{}, sizes = [{}] : ({}{}) -> {}", starts(op, 1, dim), list_text(y.dims), x.str(),
           types(op, 1), y.str());
  }
  distances(w, "%c", i, x.dims[dim]);
  return summed(w, op, dim, i, {y != x ? "%y" : "%a0", y});
}

Function sliced_at_numbers(const OpInstance& op, Dim dim) {
  const TensorType& x = *op.operands[0];
  const TensorType i{ElementType::i32, {}};
  const TensorType y = with_dim(*op.results[0], dim, x.dims[dim]);
  FunctionText w(op);
  if (y != x) {
    std::string ranges;
    for (Dim d = 0; d < x.rank(); ++d) {
      const bool whole = d == dim;
      ranges += fmt::format("{}{}:{}:{}", d != 0 ? ", " : "", whole ? 0 : op.ints("start_indices")[d],
                            whole ? x.dims[d] : op.ints("limit_indices")[d], whole ? 1 : op.ints("strides")[d]);
    }
    w.line("%y = stablehlo.slice %a0 [{}] : ({}) -> {}", ranges, x.str(), y.str());
  }
  w.line("%c = stablehlo.constant dense<{}> : {}", op.ints("start_indices")[dim], i.str());
  distances(w, "%c", i, x.dims[dim]);
  return summed(w, op, dim, i, {y != x ? "%y" : "%a0", y});
}

/// The position of the dimension among the components of indices, when there is one component alone.
bool has_one_component(const TensorType& indices, std::int64_t vector_dim) {
  return at(vector_dim) == indices.rank() || indices.dims[at(vector_dim)] == 1;
}
TensorType without_components(const TensorType& indices, std::int64_t vector_dim) {
  std::vector<std::int64_t> dims = indices.dims;
  if (at(vector_dim) < dims.size()) dims.erase(dims.begin() + vector_dim);
  return indices.with_dims(std::move(dims));
}

/// The batching dimensions of an operand that is in blocks along `dim`, and theirs of the indices, in the operand's
/// order.
struct Batching {
  std::vector<std::int64_t> operand;
  std::vector<std::int64_t> indices;
};
Batching batching(const std::vector<std::int64_t>& operand, const std::vector<std::int64_t>& indices,
                  std::int64_t vector_dim, std::int64_t dim) {
  Batching out;
  const auto block = [&] {
    out.operand.push_back(dim);
    out.indices.push_back(0);
  };
  for (std::size_t j = 0; j < operand.size(); ++j) {
    if (operand[j] > dim && !contains(out.operand, dim)) block();
    out.operand.push_back(operand[j] + (operand[j] > dim ? 1 : 0));
    out.indices.push_back(indices[j] + (indices[j] > vector_dim ? 0 : 1));
  }
  if (!contains(out.operand, dim)) block();
  return out;
}

/// What an operation at indices is written with in n blocks.
struct Blocks {
  TensorType places;  ///< of %d, {n, …}: the index, less what is before each block
  TensorType x;       ///< of %x, the operand in blocks
};

/// Of operand 0 in n blocks along a dimension and the indices, operand 1, kept from `low` to `high`.
Blocks in_blocks(FunctionText& w, const OpInstance& op, Dim dim, std::int64_t n, std::int64_t low, std::int64_t high) {
  const TensorType& x = *op.operands[0];
  const TensorType& given = *op.operands[1];
  const TensorType i = without_components(given, op.integer("index_vector_dim"));
  const Blocks out{with_front(n, i), blocked(x, dim, n)};
  const std::string wide = out.places.str();
  w.line("%i = stablehlo.reshape %a1 : ({}) -> {}", given.str(), i.str());
  w.line("%lo = stablehlo.constant dense<{}> : {}", low, i.str());
  w.line("%hi = stablehlo.constant dense<{}> : {}", high, i.str());
  w.line("%c = stablehlo.clamp %lo, %i, %hi : {}", i.str());
  w.line("%b = stablehlo.broadcast_in_dim %c, dims = [{}] : ({}) -> {}", list_text(numbers(i.rank(), 1)), i.str(), wide);
  block_starts(w, i.with_dims({n}), x.dims[dim] / n, out.places);
  w.line("%d = stablehlo.subtract %b, %o : {}", wide);
  w.line("%x = stablehlo.reshape %a0 : ({}) -> {}", x.str(), out.x.str());
  return out;
}

}  // namespace

std::optional<Function> slice_by_sum(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const bool is_static = op.decl->name == "stablehlo.slice";
  const bool one_by_one = !is_static || op.ints("strides")[dim] == 1;
  if (operand != 0 || n < 2 || !one_by_one || !moved_as(x.element) || x.dims[dim] % n != 0 ||
      op.results[0]->dims[dim] > x.dims[dim] / n || op.results[0]->dims[dim] == x.dims[dim] ||
      op.results[0]->elements() == 0)
    return std::nullopt;
  if (!counts(is_static ? ElementType::i32 : op.operands[1]->element, x.dims[dim])) return std::nullopt;
  return is_static ? sliced_at_numbers(op, dim) : sliced(op, dim);
}

std::optional<Function> update_by_mask(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const TensorType& update = *op.operands[1];
  const TensorType i{op.operands[2]->element, {}};
  if (operand != 0 || n < 2 || update.elements() == 0 || update.dims[dim] == x.dims[dim] ||
      !counts(i.element, x.dims[dim]))
    return std::nullopt;
  const TensorType y = with_dim(update, dim, x.dims[dim]);
  const TensorType places = i.with_dims({x.dims[dim]});
  FunctionText w(op);
  clamped_start(w, dim + 2, i, x.dims[dim] - update.dims[dim]);
  if (y != x) {
    w.line("%y = stablehlo.dynamic_slice %a0{}, sizes = [{}] : ({}{}) -> {}", starts(op, 2, dim), list_text(y.dims), x.str(),
           types(op, 2), y.str());
  }
  distances(w, "%c", i, x.dims[dim]);
  const auto k = static_cast<std::int64_t>(dim);
  gather(w, {"%a1", update}, places,
         {{"offset_dims", all_but(x.rank(), dim)}, {"collapsed_slice_dims", {k}}, {"start_index_map", {k}}},
         with_dim(update, dim, 1).dims, true, y);
  w.line("%first = stablehlo.constant dense<0> : {}", places.str());
  w.line("%last = stablehlo.constant dense<{}> : {}", update.dims[dim] - 1, places.str());
  const std::string line = booleans(places).str();
  for (const auto& [name, how, end] : {std::array{"%ge", "GE", "%first"}, std::array{"%le", "LE", "%last"}})
    w.line("{} = stablehlo.compare {}, %d, {} : ({}, {}) -> {}", name, how, end, places.str(), places.str(), line);
  w.line("%in = stablehlo.and %ge, %le : {}", line);
  w.line("%mask = stablehlo.broadcast_in_dim %in, dims = [{}] : ({}) -> {}", dim, line, booleans(y).str());
  w.line("%s = stablehlo.select %mask, %r, {} : {}, {}", y != x ? "%y" : "%a0", booleans(y).str(), y.str());
  if (y == x) return w.done("%s");
  w.line("%z = stablehlo.dynamic_update_slice %a0, %s{} : ({}, {}{}) -> {}", starts(op, 2, dim), x.str(), y.str(),
         types(op, 2), x.str());
  return w.done("%z");
}

std::optional<Function> lookup_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& x = *op.operands[0];
  const TensorType& out = *op.results[0];
  const auto k = static_cast<std::int64_t>(dim);
  const auto& collapsed = op.ints("collapsed_slice_dims");
  const std::int64_t vector_dim = op.integer("index_vector_dim");
  if (operand != 0 || n < 2 || op.ints("start_index_map") != std::vector<std::int64_t>{k} || !contains(collapsed, k) ||
      op.ints("slice_sizes")[dim] != 1 || !moved_as(x.element) || x.dims[dim] % n != 0 || out.elements() == 0 ||
      !has_one_component(*op.operands[1], vector_dim) || !counts(op.operands[1]->element, x.dims[dim]))
    return std::nullopt;
  const TensorType rows = with_front(n, out);
  std::vector<std::int64_t> sizes = op.ints("slice_sizes");
  sizes.insert(sizes.begin() + k, 1);
  std::vector<std::int64_t> batch;  // dimensions of the rows that come from the indices
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(out.rank()); ++d) {
    if (!contains(op.ints("offset_dims"), d)) batch.push_back(d + 1);
  }
  batch.insert(batch.begin(), 0);
  const Batching both =
      batching(op.ints("operand_batching_dims"), op.ints("start_indices_batching_dims"), vector_dim, k);
  FunctionText w(op);
  const Blocks blocks = in_blocks(w, op, dim, n, 0, x.dims[dim] - 1);
  gather(w, {"%x", blocks.x}, blocks.places,
         {{"offset_dims", shifted(op.ints("offset_dims"), 0)},
          {"collapsed_slice_dims", shifted(collapsed, k)},
          {"operand_batching_dims", both.operand},
          {"start_indices_batching_dims", both.indices},
          {"start_index_map", {k + 1}}},
         sizes, false, rows);
  const std::string wide = blocks.places.str();
  const std::string mask = booleans(blocks.places).str();
  const Named bits = moved(w, {"%r", rows}, "%bits");
  const TensorType whole = with_element(out, bits.type.element);
  w.line("%first = stablehlo.constant dense<0> : {}", wide);
  w.line("%ge = stablehlo.compare GE, %d, %first : ({}, {}) -> {}", wide, wide, mask);
  w.line("%end = stablehlo.constant dense<{}> : {}", x.dims[dim] / n, wide);
  w.line("%lt = stablehlo.compare LT, %d, %end : ({}, {}) -> {}", wide, wide, mask);
  w.line("%in = stablehlo.and %ge, %lt : {}", mask);
  w.line("%mask = stablehlo.broadcast_in_dim %in, dims = [{}] : ({}) -> {}", list_text(batch), mask, booleans(rows).str());
  w.line("%zero = stablehlo.constant dense<0> : {}", bits.type.str());
  w.line("%mine = stablehlo.select %mask, {}, %zero : {}, {}", bits.name, booleans(rows).str(), bits.type.str());
  w.line("%init = stablehlo.constant dense<0> : {}", whole.with_dims({}).str());
  w.line("%s = stablehlo.reduce(%mine init: %init) applies stablehlo.add across dimensions = [0] : ({}, {}) -> {}",
         bits.type.str(), whole.with_dims({}).str(), whole.str());
  return moved_back(w, {"%s", whole}, out);
}

std::optional<Function> updates_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  if (op.results.size() != 1 || operand != 0 || n < 2) return std::nullopt;
  const TensorType& x = *op.operands[0];
  const TensorType& update = *op.operands[2];
  const auto k = static_cast<std::int64_t>(dim);
  const auto& inserted = op.ints("inserted_window_dims");
  const std::int64_t vector_dim = op.integer("index_vector_dim");
  const auto monoid = op.monoid();
  if (!monoid || op.ints("scatter_dims_to_operand_dims") != std::vector<std::int64_t>{k} || !contains(inserted, k) ||
      x != op.results[0] || update.element != x.element || x.dims[dim] % n != 0 || update.elements() == 0 ||
      !has_one_component(*op.operands[1], vector_dim) || !counts(op.operands[1]->element, x.dims[dim]))
    return std::nullopt;
  const TensorType updates = with_front(n, update);
  const Batching both =
      batching(op.ints("input_batching_dims"), op.ints("scatter_indices_batching_dims"), vector_dim, k);
  FunctionText w(op);
  const Blocks blocks = in_blocks(w, op, dim, n, -1, x.dims[dim]);
  w.line("%u = stablehlo.broadcast_in_dim %a2, dims = [{}] : ({}) -> {}", list_text(numbers(update.rank(), 1)), update.str(),
         updates.str());
  scatter(w, {"%x", blocks.x}, blocks.places, {"%u", updates},
          {{"update_window_dims", shifted(op.ints("update_window_dims"), 0)},
           {"inserted_window_dims", shifted(inserted, k)},
           {"input_batching_dims", both.operand},
           {"scatter_indices_batching_dims", both.indices},
           {"scatter_dims_to_operand_dims", {k + 1}}},
          false, combiner_of(*monoid));
  w.line("%s = stablehlo.reshape %r : ({}) -> {}", blocks.x.str(), x.str());
  return w.done("%s");
}

std::optional<Function> iota_by_blocks(const OpInstance& op, std::size_t operand, Dim dim, std::int64_t n) {
  const TensorType& out = *op.results[0];
  const bool along = operand == 0 && at(op.integer("iota_dimension")) == dim;
  const std::int64_t size = along ? out.dims[dim] : 0;
  // In blocks there are n numbers and a block's.
  if (n < 2 || !counts(ElementType::i32, size) || size % n != 0 || n + size / n >= size) return std::nullopt;
  const TensorType line{ElementType::i32, {size}};
  const TensorType blocks = line.with_dims({n, size / n});
  const TensorType positions{out.element, {size}};
  FunctionText w(op);
  block_starts(w, line.with_dims({n}), size / n, blocks);
  w.line("%j = stablehlo.iota dim = 1 : {}", blocks.str());
  w.line("%b = stablehlo.add %o, %j : {}", blocks.str());
  w.line("%p = stablehlo.reshape %b : ({}) -> {}", blocks.str(), line.str());
  const bool same = positions == line;
  if (!same) w.line("%q = stablehlo.convert %p : ({}) -> {}", line.str(), positions.str());
  w.line("%r = stablehlo.broadcast_in_dim {}, dims = [{}] : ({}) -> {}", same ? "%p" : "%q", dim, positions.str(),
         out.str());
  return w.done("%r");
}

}  // namespace partir::ops
