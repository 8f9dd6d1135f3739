#include "semantics/library.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ir/declared_calls.h"
#include "ir/linear_algebra.h"
#include "semantics/library_random.h"
#include "support/check.h"

namespace partir {
namespace {

/// Arithmetic of one element type in a domain, one element at a time.
class Field {
 public:
  Field(const Domain& domain, ElementType type) : domain_(domain), type_(type) {}

  [[nodiscard]] Scalar apply(ScalarFn fn, Scalar a, Scalar b) const { return make(fn, type_, type_, a, b); }
  [[nodiscard]] Scalar add(Scalar a, Scalar b) const { return apply(ScalarFn::add, a, b); }
  [[nodiscard]] Scalar subtract(Scalar a, Scalar b) const { return apply(ScalarFn::subtract, a, b); }
  [[nodiscard]] Scalar multiply(Scalar a, Scalar b) const { return apply(ScalarFn::multiply, a, b); }
  [[nodiscard]] Scalar divide(Scalar a, Scalar b) const { return apply(ScalarFn::divide, a, b); }
  [[nodiscard]] Scalar conj(Scalar a) const { return is_complex(type_) ? apply(ScalarFn::conj, a, a) : a; }
  [[nodiscard]] Scalar sqrt(Scalar a) const { return apply(ScalarFn::sqrt, a, a); }
  [[nodiscard]] Scalar number(std::int64_t value) const { return domain_.from_index(value, type_); }
  [[nodiscard]] Scalar constant(double real, double imaginary = 0) const {
    const Literal l = is_complex(type_) ? complex_literal({real, imaginary}) : double_literal(real);
    return domain_.from_literal(l, 0);
  }
  /// Converts an element from another type to this one, and vice versa.
  [[nodiscard]] Scalar widen(Scalar a, ElementType from) const { return make(ScalarFn::convert, from, type_, a, a); }
  [[nodiscard]] Scalar narrow(Scalar a, ElementType to) const { return make(ScalarFn::convert, type_, to, a, a); }

 private:
  [[nodiscard]] Scalar make(ScalarFn fn, ElementType in, ElementType out_type, Scalar a, Scalar b) const {
    Scalar out;
    const Scalar* args[] = {&a, &b, &b};
    domain_.apply(fn, in, out_type, args, 1, &out);
    return out;
  }
  const Domain& domain_;
  ElementType type_;
};

/// The type of intermediate results: f64 for real types and c128 for complex ones, so that results are rounded once.
ElementType wide(ElementType type) { return is_complex(type) ? ElementType::c128 : ElementType::f64; }

/// The indices 0 to n - 1, stably sorted by `before`.
std::vector<std::size_t> sorted_order(std::size_t n, const std::function<bool(std::size_t, std::size_t)>& before) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

Tensor sort(const LibraryCall& call) {
  const std::size_t arrays = call.arrays.size();
  std::vector<const Scalar*> elements(2 * arrays);
  const auto order = sorted_order(call.arrays[0].data.size(), [&](std::size_t a, std::size_t b) {
    for (std::size_t k = 0; k < arrays; ++k) {
      elements[2 * k] = &call.arrays[k].data[a];
      elements[2 * k + 1] = &call.arrays[k].data[b];
    }
    return call.compare(elements);
  });
  Tensor out{call.result, {}, {}};
  for (const std::size_t from : order) out.data.push_back(call.arrays[call.number].data[from]);
  return out;
}

/// Result 0 is the k largest elements in descending order, with ties in the order of the array; floats are compared by
/// their total order. Result 1 is the indices of these elements.
Tensor top_k(const LibraryCall& call) {
  const Tensor& x = call.arrays[0];
  const ElementType type = is_float(x.type->element) ? ElementType::i64 : x.type->element;
  std::vector<Scalar> keys = x.data;
  if (is_float(x.type->element)) {
    const Scalar* args[] = {x.data.data()};
    call.domain.apply(ScalarFn::order_key, x.type->element, type, args, keys.size(), keys.data());
  }
  const auto order = sorted_order(keys.size(), [&](std::size_t a, std::size_t b) {
    Scalar greater;
    const Scalar* args[] = {&keys[a], &keys[b]};
    call.domain.apply(ScalarFn::compare_gt, type, ElementType::i1, args, 1, &greater);
    return greater.u != 0;
  });
  Tensor out{call.result, {}, {}};
  for (std::int64_t k = 0; k < call.result.dims[0]; ++k) {
    const std::size_t from = order[static_cast<std::size_t>(k)];
    out.data.push_back(call.number == 0 ? x.data[from]
                                        : call.domain.from_index(static_cast<std::int64_t>(from), call.result.element));
  }
  return out;
}

/// The discrete Fourier transform along one dimension, computed by its defining sum; `sign` is the sign of the
/// exponent. The inverse transform (sign > 0) divides by the size.
Tensor transform(const Tensor& x, std::size_t dim, std::int64_t results, int sign, const Field& field) {
  Tensor out{x.type, {}, {}};
  out.type->dims[dim] = results;
  out.data.resize(static_cast<std::size_t>(out.type->elements()));
  const std::int64_t n = x.type->dims[dim];
  std::vector<Scalar> root;
  for (std::int64_t k = 0; k < n; ++k) {
    const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
    root.push_back(field.constant(std::cos(angle), sign * std::sin(angle)));
  }
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  for (std::size_t d = 0; d < dim; ++d) outer *= x.type->dims[d];
  for (std::size_t d = dim + 1; d < x.type.rank(); ++d) inner *= x.type->dims[d];
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < inner; ++i) {
      for (std::int64_t j = 0; j < results; ++j) {
        Scalar sum = field.number(0);
        for (std::int64_t k = 0; k < n; ++k) {
          const Scalar& value = x.data[static_cast<std::size_t>((o * n + k) * inner + i)];
          sum = field.add(sum, field.multiply(value, root[static_cast<std::size_t>(j * k % n)]));
        }
        if (sign > 0) sum = field.divide(sum, field.number(n));
        out.data[static_cast<std::size_t>((o * results + j) * inner + i)] = sum;
      }
    }
  }
  return out;
}

Tensor fft(const LibraryCall& call, const std::string& kind) {
  const Field field(call.domain, ElementType::c128);
  Tensor x = call.arrays[0];
  const ElementType from = x.type->element;
  for (Scalar& s : x.data) s = field.widen(s, from);
  x.type->element = ElementType::c128;
  const std::size_t last = x.type.rank() - 1;
  const bool inverse = kind == "IFFT" || kind == "IRFFT";
  const int sign = inverse ? 1 : -1;
  if (!inverse) x = transform(x, last, kind == "RFFT" ? x.type->dims[last] / 2 + 1 : x.type->dims[last], sign, field);
  for (std::size_t d = inverse ? 0 : last; inverse ? d < last : d-- > 0; inverse ? ++d : 0)
    x = transform(x, d, x.type->dims[d], sign, field);
  if (inverse) {
    const std::int64_t n = call.result.dims[last];
    if (kind == "IRFFT") {  // reconstruct the omitted half, the conjugate of the other
      const std::int64_t half = x.type->dims[last];
      Tensor full{x.type, {}, {}};
      full.type->dims[last] = n;
      for (std::size_t row = 0; row < x.data.size(); row += static_cast<std::size_t>(half)) {
        for (std::int64_t k = 0; k < n; ++k) {
          const auto at = row + static_cast<std::size_t>(k < half ? k : n - k);
          full.data.push_back(k < half ? x.data[at] : field.conj(x.data[at]));
        }
      }
      x = std::move(full);
    }
    x = transform(x, last, n, sign, field);
  }
  for (Scalar& s : x.data) s = field.narrow(s, call.result.element);
  x.type = call.result;
  return x;
}

/// The Cholesky factor: a = l * l^H, column by column; for the upper triangle, its adjoint.
Tensor cholesky(const LibraryCall& call, bool lower) {
  const Tensor& a = call.arrays[0];
  const ElementType type = a.type->element;
  const Field field(call.domain, wide(type));
  const auto n = static_cast<std::size_t>(a.type->dims[0]);
  std::vector<Scalar> l(n * n, field.number(0));
  const auto element = [&](std::size_t i, std::size_t j) {
    return lower ? field.widen(a.data[i * n + j], type) : field.conj(field.widen(a.data[j * n + i], type));
  };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Scalar sum = element(i, j);
      for (std::size_t k = 0; k < j; ++k)
        sum = field.subtract(sum, field.multiply(l[i * n + k], field.conj(l[j * n + k])));
      l[i * n + j] = i == j ? field.sqrt(sum) : field.divide(sum, l[j * n + j]);
    }
  }
  Tensor out{call.result, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      out.data.push_back(field.narrow(lower ? l[i * n + j] : field.conj(l[j * n + i]), type));
  }
  return out;
}

/// Solves a triangular system for one vector by substitution: op(a) x = b, or x op(a) = b, which is op(a)^T x = b.
Tensor triangular_solve(const LibraryCall& call, bool left, bool lower, bool unit, const std::string& transpose) {
  const Tensor& a = call.arrays[0];
  const Tensor& b = call.arrays[1];
  const ElementType type = b.type->element;
  const Field field(call.domain, wide(type));
  const auto n = b.data.size();
  const bool transposed = (transpose != "NO_TRANSPOSE") == left;
  const auto coefficient = [&](std::size_t i, std::size_t j) {
    const Scalar s = field.widen(a.data[transposed ? j * n + i : i * n + j], type);
    return transpose == "ADJOINT" ? field.conj(s) : s;
  };
  const bool forward = lower != transposed;
  std::vector<Scalar> x(n);
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t i = forward ? step : n - 1 - step;
    Scalar sum = field.widen(b.data[i], type);
    for (std::size_t earlier = 0; earlier < step; ++earlier) {
      const std::size_t j = forward ? earlier : n - 1 - earlier;
      sum = field.subtract(sum, field.multiply(coefficient(i, j), x[j]));
    }
    x[i] = unit ? sum : field.divide(sum, coefficient(i, i));
  }
  Tensor out{call.result, std::move(x), {}};
  for (Scalar& s : out.data) s = field.narrow(s, type);
  return out;
}

}  // namespace

Tensor call_library(const LibraryCall& call) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < call.name.size();) {
    const std::size_t end = std::min(call.name.find(' ', at), call.name.size());
    words.push_back(call.name.substr(at, end - at));
    at = end + 1;
  }
  const std::string& name = words.at(0);
  if (name == "sort") return sort(call);
  if (name == "top_k") return top_k(call);
  if (name == "fft") return fft(call, words.at(1));
  if (name == "cholesky") return cholesky(call, words.at(1) == "lower");
  if (name == "triangular_solve")
    return triangular_solve(call, words.at(1) == "left", words.at(2) == "lower", words.at(3) == "unit", words.at(4));
  if (name == "rng") return random_numbers(call, words.at(1) == "NORMAL");
  if (name == "rng_bit_generator") return random_bits(call, words.at(1) == "PHILOX");
  if (name == kLinearAlgebra || name == kDeclaredCall)
    throw UserError({"unsupported", "", {}, "custom_call @" + words.at(1), "a target that is known here"});
  PARTIR_CHECK(false, "no such library function: " + call.name);
  return {};
}

}  // namespace partir
