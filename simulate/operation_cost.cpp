#include "simulate/operation_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ir/declared_calls.h"
#include "ir/linear_algebra.h"
#include "ir/operation_key.h"
#include "ir/ops/convolution_numbers.h"
#include "ir/ops/window.h"

namespace partir {
namespace {

double elements(const Type& type) { return type.is_tensor() ? static_cast<double>(type->elements()) : 0; }

/// The wider of two types; the first if they are equally wide.
ElementType wider(ElementType a, ElementType b) { return bit_width(b) > bit_width(a) ? b : a; }

// --- Matrix products ------------------------------------------------------------------------------------------------

Precision precision_of(const OpInstance& op) {
  const Attribute* config = find(op.attributes, "precision_config");
  const std::string text = config != nullptr ? config->str() : "";
  if (text.find("HIGHEST") != std::string::npos) return Precision::highest;
  return text.find("HIGH") != std::string::npos ? Precision::high : Precision::normal;
}

/// Returns a field of "#stablehlo.dot_algorithm<lhs_precision_type = tf32, …>"; empty if it is absent.
std::string algorithm_field(const OpInstance& op, std::string_view name) {
  const Attribute* a = find(op.attributes, "algorithm");
  if (a == nullptr) return "";
  const std::string text = a->str();
  const auto at = text.find(std::string(name) + " = ");
  if (at == std::string::npos) return "";
  const auto from = at + name.size() + 3;
  return text.substr(from, text.find_first_of(",>", from) - from);
}

MatrixProduct numbers_of(const OpInstance& op) {
  MatrixProduct out;
  out.precision = precision_of(op);
  out.numbers = name_of(part_of(wider(op.operands[0]->element, op.operands[1]->element)));
  const std::string lhs = algorithm_field(op, "lhs_precision_type");
  const std::string rhs = algorithm_field(op, "rhs_precision_type");
  if (lhs.empty()) return out;
  const auto bits = [](const std::string& name) {
    const auto type = element_type_from(name);
    return type ? bit_width(*type) : 19;  // tf32
  };
  out.numbers = bits(rhs) > bits(lhs) ? rhs : lhs;
  // An algorithm states the exact type: f32 then means full f32 precision.
  out.precision = Precision::highest;
  const std::string primitives = algorithm_field(op, "num_primitive_operations");
  if (!primitives.empty()) out.primitives = std::max(1.0, std::strtod(primitives.c_str(), nullptr));
  return out;
}

double product_of(const TensorType& type, const std::vector<std::int64_t>& dims) {
  double out = 1;
  for (const std::int64_t d : dims) out *= static_cast<double>(type.dims.at(static_cast<std::size_t>(d)));
  return out;
}

MatrixShape dot_shape(const OpInstance& op) {
  MatrixShape out;
  const TensorType& lhs = *op.operands[0];
  const TensorType& rhs = *op.operands[1];
  if (op.decl->name == "stablehlo.dot") {  // vectors and matrices: contracts the last dimension with the first
    out.depth = lhs.rank() == 0 ? 1 : static_cast<double>(lhs.dims.back());
    out.rows = lhs.rank() == 2 ? static_cast<double>(lhs.dims[0]) : 1;
    out.columns = rhs.rank() == 2 ? static_cast<double>(rhs.dims[1]) : 1;
    return out;
  }
  out.batch = product_of(lhs, op.ints("lhs_batching_dimensions"));
  out.depth = product_of(lhs, op.ints("lhs_contracting_dimensions"));
  const double left = std::max(1.0, out.batch * out.depth);
  out.rows = elements(lhs) / left;
  out.columns = elements(rhs) / left / product_of(rhs, op.ints("rhs_group_dimensions"));
  return out;
}

double convolution_products(const OpInstance& op, MatrixShape& shape) {
  const auto numbers = ops::convolution_numbers(op);
  if (!numbers) return 0;
  const TensorType& lhs = *op.operands[0];
  const TensorType& rhs = *op.operands[1];
  const TensorType& out = *op.results[0];
  double pairs = 1;
  double taps = 1;
  for (std::size_t k = 0; k < numbers->lhs.spatial.size(); ++k) {
    const ops::Window w = ops::window_of(op, k, "lhs_dilation", "rhs_dilation");
    const std::int64_t size = rhs.dims.at(numbers->rhs.spatial[k]);
    pairs *= convolution_pairs(lhs.dims.at(numbers->lhs.spatial[k]), out.dims.at(numbers->out.spatial[k]), size,
                               w.stride, w.low, w.base_dilation, w.window_dilation);
    taps *= static_cast<double>(size);
  }
  // The kernel has the input features of one group only, and a group uses no others.
  const double features = static_cast<double>(rhs.dims.at(numbers->rhs.first));
  const double groups = std::max(1.0, static_cast<double>(op.integer("feature_group_count", 1)) *
                                          static_cast<double>(op.integer("batch_group_count", 1)));
  shape.batch = groups;
  shape.grouped = groups > 1;
  shape.columns = std::max(1.0, static_cast<double>(out.dims.at(numbers->out.second)) / groups);
  shape.rows = elements(out) / (shape.columns * groups);
  shape.depth = std::max(1.0, features * taps);
  return features * pairs * static_cast<double>(out.dims.at(numbers->out.first)) *
         static_cast<double>(out.dims.at(numbers->out.second));
}

void matrix_cost(const OpInstance& op, OperationCost& cost) {
  MatrixProduct product = numbers_of(op);
  double products = 0;
  const std::string& name = op.decl->name;
  if (name == "stablehlo.convolution" || name == "stablehlo.dynamic_conv") {
    products = convolution_products(op, product.shape);
  } else {
    product.shape = dot_shape(op);
    products = product.shape.batch * product.shape.rows * product.shape.columns * product.shape.depth;
  }
  const bool complex = is_complex(op.operands[0]->element);
  cost.operations = (complex ? 8 : 2) * products * product.primitives;
  cost.type = wider(op.operands[0]->element, op.operands[1]->element);
  cost.matrix = std::move(product);
}

// --- Library functions ----------------------------------------------------------------------------------------------

double log2_of(double n) { return n > 1 ? std::log2(n) : 0; }

/// Elements of a sort tile that is held on chip: all steps of a bitonic network within it are one pass (XLA's sort).
constexpr double kSortTile = 2048;

double sort_passes(double n) {
  const double phases = std::ceil(log2_of(n));
  const double in_tile = std::log2(kSortTile);
  if (phases <= in_tile) return 1;
  // Phases within a tile are one pass; a later phase p has p - log2(tile) steps that span tiles, plus one pass within
  // tiles.
  double passes = 1;
  for (double p = in_tile + 1; p <= phases; ++p) passes += p - in_tile + 1;
  return passes;
}

/// True if the windows of one dimension reach from its start (or end) to each position, as in cumsum.
bool is_cumulative(const OpInstance& op) {
  const TensorType& x = *op.operands[0];
  std::size_t wide = 0;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    const ops::Window w = ops::window_of(op, k);
    if (w.size == 1) continue;
    ++wide;
    if (w.size != x.dims[k] || w.stride != 1 || w.low + w.high != w.size - 1 || w.size <= 16) return false;
  }
  return wide == 1;
}

/// Whether the operation calls a routine of LAPACK or its equivalents, as JAX does on CPUs: lapack_spotrf_ffi.
bool calls(const OpInstance& op, std::string_view routine) {
  const std::string* target = call_target(op.attributes);
  return target != nullptr && target->find(routine) != std::string::npos;
}

/// Sets the cost of a library function that has a closed form; returns false for other operations.
bool library_cost(const OpInstance& op, OperationCost& cost) {
  const std::string& name = op.decl->name;
  const auto last = [&](const Type& t, std::size_t back) {
    return t.rank() >= back ? static_cast<double>(t->dims[t.rank() - back]) : 1.0;
  };
  if (name == "stablehlo.sort") {
    const TensorType& x = *op.operands[0];
    const std::int64_t dim = op.integer("dimension", -1);
    const auto at = static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(x.rank()) : dim);
    const double n = x.rank() == 0 ? 1 : static_cast<double>(x.dims.at(at));
    const double phases = log2_of(n);
    cost.operations = elements(x) / 4 * phases * (phases + 1);
    cost.passes = sort_passes(n);
    cost.type = x.element;
    return true;
  }
  if (name == "chlo.top_k") {
    cost.operations = elements(op.operands[0]) * std::max(1.0, log2_of(static_cast<double>(op.integer("k"))));
    cost.type = op.operands[0]->element;
    return true;
  }
  if (name == "stablehlo.fft") {
    double points = 1;
    for (const std::int64_t n : op.ints("fft_length")) points *= static_cast<double>(n);
    const bool real = op.keyword("fft_type").find("RFFT") != std::string::npos;
    const TensorType& whole = is_complex(op.operands[0]->element) ? *op.results[0] : *op.operands[0];
    cost.operations = (real ? 2.5 : 5) * elements(whole) * log2_of(points);
    cost.type = part_of(whole.element);
    return true;
  }
  if (name == "stablehlo.scatter") {
    cost.operations = elements(op.operands.at(op.operands.size() - op.results.size()));
    cost.type = op.operands[0]->element;
    return true;
  }
  const bool complex = !op.operands.empty() && is_complex(op.operands[0]->element);
  if (name == "stablehlo.cholesky" || calls(op, "potrf")) {
    const double n = last(op.operands[0], 1);
    cost.operations = elements(op.operands[0]) * n / 3 * (complex ? 4 : 1);
    cost.type = part_of(op.operands[0]->element);
    return true;
  }
  if (name == "stablehlo.triangular_solve" || calls(op, "trsm")) {
    cost.operations = elements(op.operands[1]) * last(op.operands[0], 1) * (complex ? 4 : 1);
    cost.type = part_of(op.operands[0]->element);
    return true;
  }
  if (name == "stablehlo.reduce_window" && is_cumulative(op)) {
    cost.operations = 17 * elements(op.operands[0]) * static_cast<double>(op.results.size());
    cost.type = op.operands[0]->element;
    return true;
  }
  if (name == "stablehlo.rng_bit_generator" || name == "stablehlo.rng") {
    const TensorType& bits = *op.results.back();
    cost.operations = 25 * elements(bits) * std::max(1.0, bit_width(bits.element) / 32.0);
    cost.type = ElementType::ui32;
    return true;
  }
  return false;
}

// --- Meanings -------------------------------------------------------------------------------------------------------

struct Count {
  double operations = 0;
  double special = 0;
  Count operator+(const Count& o) const { return {operations + o.operations, special + o.special}; }
  Count operator*(double n) const { return {operations * n, special * n}; }
};

/// Counts the arithmetic of evaluating all results of a meaning once.
class Counter {
 public:
  explicit Counter(const Meaning& meaning) : m_(meaning), known_(meaning.scalars.size()) {}

  Count all() {
    Count total;
    for (const ResultMeaning& r : m_.results) {
      double points = 1;
      for (const RangeId range : r.ranges) points *= static_cast<double>(m_.extent(range));
      total = total + once(r.body) * points;
    }
    return total;
  }
  ElementType type = ElementType::i1;  ///< the widest type seen

 private:
  Count once(ScalarId id) {
    if (known_[id.index()]) return *known_[id.index()];  // terms are shared
    const ScalarTerm& t = m_.at(id);
    Count total;
    switch (t.kind) {
      case ScalarTerm::Kind::apply: total = applied(t); break;
      case ScalarTerm::Kind::guarded: {
        const Count a = once(t.args[0]);
        const Count b = once(t.args[1]);
        total = {std::max(a.operations, b.operations), std::max(a.special, b.special)};
        break;
      }
      case ScalarTerm::Kind::reduce: total = folded(t); break;
      default:
        for (const ScalarId a : t.args) total = total + once(a);
    }
    known_[id.index()] = total;
    return total;
  }

  Count applied(const ScalarTerm& t) {
    Count total;
    for (const ScalarId a : t.args) total = total + once(a);
    if (unit_of(t.fn) == ComputeUnit::none) return total;
    type = wider(type, part_of(t.type));
    const bool complex = is_complex(t.type);
    if (unit_of(t.fn) == ComputeUnit::special) return total + Count{0, complex ? 2.0 : 1.0};
    const double real = !complex ? 1 : t.fn == ScalarFn::multiply ? 6 : 2;
    return total + Count{real, 0};
  }

  Count folded(const ScalarTerm& t) {
    double steps = 1;
    // With a data-dependent guard (scatter), each element contributes to one position, not to all: count one step.
    const bool scattered =
        std::any_of(t.guards.begin(), t.guards.end(), [](const Guard& g) { return g.kind == Guard::Kind::zero; });
    for (const RangeId r : t.ranges) steps *= static_cast<double>(m_.extent(r));
    if (scattered) steps = 1;
    // A fold with several accumulators appears once per result: count the share of this accumulator only.
    const std::size_t k = t.operand;
    return once(t.args[k]) + (once(t.args[t.combine.size() + k]) + once(t.combine[k])) * steps;
  }

  const Meaning& m_;
  std::vector<std::optional<Count>> known_;
};

OperationCost cost_of(const Function& f, const Op& op) {
  OperationCost out;
  WorkTable table(f);
  const Work& work = table.of(op);
  out.known = work.known;
  out.folds = work.folds;
  out.read = work.read;
  // An operation that sends nothing (keeps a chunk) reads only the chunk, like the dynamic_slice that it becomes.
  if (op.decl->kind == OpDecl::Kind::collective && !op.decl->collective.kind)
    out.read = {elements_of(f, op.results[0])};
  const OpInstance instance = instance_of(f, op);
  if (!work.known) return out;
  if (is_matrix(op)) {
    matrix_cost(instance, out);
  } else if (!library_cost(instance, out)) {
    if (calls_linear_algebra(op) || is_declared_call(*op.decl)) {
      out.known = false;
      return out;
    }
    const Meaning meaning = meaning_of(instance);
    Counter counter(meaning);
    const Count count = counter.all();
    out.operations = count.operations;
    out.special = count.special;
    if (count.operations + count.special > 0) out.type = counter.type;
  }
  return out;
}

}  // namespace

bool is_matrix(const Op& op) { return op.decl->traits.contracts; }

double convolution_pairs(std::int64_t extent, std::int64_t results, std::int64_t taps, std::int64_t stride,
                         std::int64_t low, std::int64_t base_dilation, std::int64_t window_dilation) {
  // Position p = i * stride + t * window_dilation - low meets an element where 0 <= p <= (extent - 1) * base_dilation
  // and base_dilation divides p. For one tap that is every `period`-th result, from the first such result on.
  const std::int64_t last = (extent - 1) * base_dilation;
  const std::int64_t period = base_dilation / std::gcd(base_dilation, stride);
  double pairs = 0;
  for (std::int64_t t = 0; t < taps; ++t) {
    const std::int64_t at = t * window_dilation - low;  // of result 0
    std::int64_t from = at >= 0 ? 0 : (-at + stride - 1) / stride;
    const std::int64_t to = at > last ? -1 : std::min(results - 1, (last - at) / stride);
    std::int64_t tries = 0;
    while (tries < period && from <= to && (at + from * stride) % base_dilation != 0) {
      ++from;
      ++tries;
    }
    if (from <= to && tries < period) pairs += static_cast<double>((to - from) / period + 1);
  }
  return pairs;
}

const OperationCost& OperationCosts::of(const Function& function, const Op& op) {
  write_operation_key(function, op, key_);
  const auto [it, fresh] = known_.try_emplace(key_);
  if (fresh) it->second = cost_of(function, op);
  return it->second;
}

}  // namespace partir
