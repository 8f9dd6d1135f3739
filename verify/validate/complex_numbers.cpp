// Complex numbers by their parts: a + b J, for an unknown J that no part contains, so that equal complex numbers have
// equal parts. A complex unknown has two unknown parts. Products and quotients are computed on the parts, so J J is -1:
//   (a + b J) (c + d J) = (a c - b d) + (a d + b c) J
#include <fmt/format.h>

#include <algorithm>

#include "verify/validate/algebra.h"

namespace partir::validate {

Element Algebra::of_parts(Element re, Element im) {
  const Element out =
      ring_.add(canonical(re), ring_.multiply(canonical(im), ring_.unknown({record("imaginary unit")})));
  complex_parts_.emplace(out, ComplexParts{re, im});
  if (!by_bits() && (contains_special(re) || contains_special(im))) note_no_number(out);
  return out;
}

Element Algebra::unknown_parts(Key key) {
  key.push_back(record("real part"));
  const Element re = ring_.unknown(key);
  key.back() = record("imaginary part");
  return of_parts(re, ring_.unknown(key));
}

Algebra::ComplexParts Algebra::parts_of(Element e, ElementType type) {
  if (const auto it = complex_parts_.find(e); it != complex_parts_.end()) return it->second;
  if (!e.is_plain() || known(e)) return {e, Element::number(0)};
  const ElementType part = part_of(type);
  const Element of[] = {e};
  return {opaque(fmt::format("real {}", name_of(type)), part, of),
          opaque(fmt::format("imag {}", name_of(type)), part, of)};
}

std::optional<Element> Algebra::complex_function(ScalarFn fn, ElementType in, ElementType type,
                                                 std::span<const Element> args) {
  if (fn == ScalarFn::complex) return of_parts(args[0], args[1]);
  const bool finite =
      std::none_of(args.begin(), args.end(), [](Element e) { return e.is(Element::Kind::special) || e.is_cases(); });
  if (!finite) return std::nullopt;
  const ElementType part = part_of(is_complex(type) ? type : in);
  const auto of = [&](ScalarFn f, Element x, Element y) { return apply(f, part, part, {x, y}); };
  const auto opposite = [&](Element x) { return apply(ScalarFn::negate, part, part, {x}); };
  if (fn == ScalarFn::convert && is_complex(type)) {
    const ComplexParts x = is_complex(in) ? parts_of(args[0], in) : ComplexParts{args[0], Element::number(0)};
    const ElementType from = is_complex(in) ? part_of(in) : in;
    const Element im = is_complex(in) ? apply(ScalarFn::convert, from, part, {x.im}) : x.im;
    return of_parts(apply(ScalarFn::convert, from, part, {x.re}), im);
  }
  if (!is_complex(in)) return std::nullopt;
  const ComplexParts a = parts_of(args[0], in);
  const ComplexParts b = args.size() > 1 ? parts_of(args[1], in) : a;
  using F = ScalarFn;
  switch (fn) {
    case F::real: return a.re;
    case F::imag: return a.im;
    case F::conj: return of_parts(a.re, opposite(a.im));
    case F::negate: return of_parts(opposite(a.re), opposite(a.im));
    case F::add:
    case F::subtract: return of_parts(of(fn, a.re, b.re), of(fn, a.im, b.im));
    case F::multiply:
      return of_parts(of(F::subtract, of(F::multiply, a.re, b.re), of(F::multiply, a.im, b.im)),
                      of(F::add, of(F::multiply, a.re, b.im), of(F::multiply, a.im, b.re)));
    case F::divide: {
      if (b.im == Element::number(0)) return of_parts(of(F::divide, a.re, b.re), of(F::divide, a.im, b.re));
      const Element square = of(F::add, of(F::multiply, b.re, b.re), of(F::multiply, b.im, b.im));
      const Element re = of(F::add, of(F::multiply, a.re, b.re), of(F::multiply, a.im, b.im));
      const Element im = of(F::subtract, of(F::multiply, a.im, b.re), of(F::multiply, a.re, b.im));
      return of_parts(of(F::divide, re, square), of(F::divide, im, square));
    }
    case F::exponential: {  // exp(a + b J) = exp(a) (cos b + J sin b)
      const auto real = [&](ScalarFn f, Element x) { return apply(f, part, part, {x}); };
      const Element length = real(F::exponential, a.re);
      return of_parts(of(F::multiply, length, real(F::cosine, a.im)), of(F::multiply, length, real(F::sine, a.im)));
    }
    default: return std::nullopt;
  }
}

}  // namespace partir::validate
