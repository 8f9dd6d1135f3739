#include "verify/validate/fourier.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace partir::validate {
namespace {

constexpr std::int64_t kMostSamples = 64;  ///< of one dimension: a transform takes the square of this many steps

/// Arithmetic on complex elements of one type.
class Transform {
 public:
  Transform(Algebra& algebra, ElementType type) : a_(algebra), type_(type), part_(part_of(type)) {}

  /// exp(2 pi i m / n). Opposite angles are conjugate.
  Element root(std::int64_t m, std::int64_t n) {
    m = ((m % n) + n) % n;
    const bool conjugate = 2 * m > n;
    if (conjugate) m = n - m;
    const std::int64_t g = std::gcd(m, n);
    const std::int64_t turn = m / g;
    const std::int64_t of = n / g;
    if (turn == 0) return complex(Element::number(1), Element::number(0));
    if (of == 2) return complex(Element::number(-1), Element::number(0));
    const Element cosine =
        of == 4 ? Element::number(0) : a_.opaque(fmt::format("cosine of {} / {} turns", turn, of), part_, {});
    const Element sine =
        of == 4 ? Element::number(1) : a_.opaque(fmt::format("sine of {} / {} turns", turn, of), part_, {});
    return complex(cosine, conjugate ? a_.apply(ScalarFn::negate, part_, part_, {sine}) : sine);
  }

  Element complex(Element re, Element im) { return a_.apply(ScalarFn::complex, part_, type_, {re, im}); }
  Element real(Element e) { return a_.apply(ScalarFn::real, type_, part_, {e}); }
  Element conjugate(Element e) {
    const Element im = a_.apply(ScalarFn::imag, type_, part_, {e});
    return complex(real(e), a_.apply(ScalarFn::negate, part_, part_, {im}));
  }

  /// The sum over j of x[j] exp(sign 2 pi i j k / n), for k < count.
  std::vector<Element> sums(const std::vector<Element>& x, std::int64_t sign, std::size_t count) {
    const auto n = static_cast<std::int64_t>(x.size());
    std::vector<Element> roots;  // by turns of 1 / n
    for (std::int64_t m = 0; m < n; ++m) roots.push_back(root(sign * m, n));
    std::vector<Element> out;
    for (std::size_t k = 0; k < count; ++k) {
      Element sum = complex(Element::number(0), Element::number(0));
      for (std::int64_t j = 0; j < n; ++j) {
        const Element w = roots[static_cast<std::size_t>(j * static_cast<std::int64_t>(k) % n)];
        const Element part = a_.apply(ScalarFn::multiply, type_, type_, {x[static_cast<std::size_t>(j)], w});
        sum = a_.apply(ScalarFn::add, type_, type_, {sum, part});
      }
      out.push_back(sum);
    }
    return out;
  }

  std::vector<Element> forwards(const std::vector<Element>& x) { return sums(x, -1, x.size()); }
  std::vector<Element> forwards_real(const std::vector<Element>& x) {
    std::vector<Element> given;
    for (const Element e : x) given.push_back(complex(e, Element::number(0)));
    return sums(given, -1, x.size() / 2 + 1);
  }
  std::vector<Element> backwards(const std::vector<Element>& x) {
    const auto n = static_cast<double>(x.size());
    std::vector<Element> out = sums(x, 1, x.size());
    const Element size = complex(Element::number(n), Element::number(0));
    for (Element& e : out) e = a_.apply(ScalarFn::divide, type_, type_, {e, size});
    return out;
  }
  /// The n real numbers whose transform begins with x. Imaginary parts of elements that are their own opposite are
  /// ignored.
  std::vector<Element> backwards_real(const std::vector<Element>& x, std::size_t n) {
    std::vector<Element> whole;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t opposite = (n - k) % n;
      if (k == opposite)
        whole.push_back(complex(real(x[k]), Element::number(0)));
      else
        whole.push_back(k < opposite ? x[k] : conjugate(x[opposite]));
    }
    std::vector<Element> out = backwards(whole);
    for (Element& e : out) e = real(e);
    return out;
  }

 private:
  Algebra& a_;
  ElementType type_;
  ElementType part_;
};

/// Applies `line` to each line of a row-major array along a dimension, which then has the size `size`.
template <class F>
void along(std::size_t dim, std::int64_t size, std::vector<std::int64_t>& dims, std::vector<Element>& data, F&& line) {
  const auto product = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(from),
                                                    dims.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1},
                                                    std::multiplies<>()));
  };
  const std::size_t outer = product(0, dim);
  const std::size_t inner = product(dim + 1, dims.size());
  const auto old_size = static_cast<std::size_t>(dims[dim]);
  const auto new_size = static_cast<std::size_t>(size);
  std::vector<Element> out(outer * new_size * inner);
  std::vector<Element> x(old_size);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      for (std::size_t k = 0; k < old_size; ++k) x[k] = data[(o * old_size + k) * inner + i];
      const std::vector<Element> y = line(x);
      for (std::size_t k = 0; k < new_size; ++k) out[(o * new_size + k) * inner + i] = y[k];
    }
  }
  data = std::move(out);
  dims[dim] = size;
}

}  // namespace

std::optional<std::vector<Element>> fourier_transform(const LibraryCall& call, Algebra& algebra) {
  if (!call.name.starts_with("fft ") || algebra.by_bits()) return std::nullopt;
  const auto is_long = [](std::int64_t n) { return n > kMostSamples || n == 0; };
  if (std::any_of(call.dims.begin(), call.dims.end(), is_long)) return std::nullopt;
  const bool from_real = call.name == "fft RFFT";
  const bool to_real = call.name == "fft IRFFT";
  const bool backwards = to_real || call.name == "fft IFFT";
  Transform transform(algebra, to_real ? call.types[0] : call.type);
  std::vector<Element> data = call.arrays[0];
  std::vector<std::int64_t> dims = call.shapes[0];
  const std::size_t last = dims.size() - 1;
  const std::int64_t size = call.dims[last];
  if (from_real) along(last, size, dims, data, [&](const auto& x) { return transform.forwards_real(x); });
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d == last && (from_real || to_real)) continue;
    along(d, dims[d], dims, data,
          [&](const auto& x) { return backwards ? transform.backwards(x) : transform.forwards(x); });
  }
  if (to_real) {
    along(last, size, dims, data,
          [&](const auto& x) { return transform.backwards_real(x, static_cast<std::size_t>(size)); });
  }
  return data;
}

}  // namespace partir::validate
