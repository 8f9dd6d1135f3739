// Integer functions of Z3Domain on bit-vectors: they wrap at their width, and shifts by the width or more yield 0 or
// the sign.
#include "verify/prove/z3_domain.h"

namespace partir::prove {

Scalar Z3Domain::of_integers(ScalarFn fn, ElementType type, const std::vector<Scalar>& args) const {
  const unsigned width = bit_width(type);
  const bool has_sign = is_signed(type);
  const z3::expr a = bits(args[0], type);
  const z3::expr b = args.size() > 1 ? bits(args[1], type) : a;
  const z3::expr zero = z_.bv_val(0, width);
  const z3::expr one = z_.bv_val(1, width);
  const z3::expr below = has_sign ? a < b : z3::ult(a, b);
  switch (fn) {
    case ScalarFn::add: return keep(a + b, type);
    case ScalarFn::subtract: return keep(a - b, type);
    case ScalarFn::multiply: return keep(a * b, type);
    case ScalarFn::negate: return keep(-a, type);
    case ScalarFn::divide: return keep(has_sign ? a / b : z3::udiv(a, b), type);
    case ScalarFn::remainder: return keep(has_sign ? z3::srem(a, b) : z3::urem(a, b), type);
    case ScalarFn::maximum: return keep(z3::ite(below, b, a), type);
    case ScalarFn::minimum: return keep(z3::ite(below, a, b), type);
    case ScalarFn::logical_and: return keep(a & b, type);
    case ScalarFn::logical_or: return keep(a | b, type);
    case ScalarFn::logical_xor: return keep(a ^ b, type);
    case ScalarFn::logical_not: return keep(~a, type);
    case ScalarFn::shift_left: return keep(z3::shl(a, b), type);
    case ScalarFn::shift_right_arithmetic: return keep(z3::ashr(a, b), type);
    case ScalarFn::shift_right_logical: return keep(z3::lshr(a, b), type);
    case ScalarFn::abs: return keep(has_sign ? z3::ite(a < zero, -a, a) : a, type);
    case ScalarFn::sign: return keep(z3::ite(a == zero, zero, has_sign ? z3::ite(a < zero, -one, one) : one), type);
    case ScalarFn::mulhi: {
      const auto wide = [&](const z3::expr& x) { return has_sign ? z3::sext(x, width) : z3::zext(x, width); };
      return keep((wide(a) * wide(b)).extract(2 * width - 1, width), type);
    }
    case ScalarFn::popcnt: {
      z3::expr sum = zero;
      for (unsigned k = 0; k < width; ++k) sum = sum + z3::ite(a.extract(k, k) == z_.bv_val(1, 1), one, zero);
      return keep(sum, type);
    }
    case ScalarFn::count_leading_zeros: {
      z3::expr out = z_.bv_val(width, width);
      for (unsigned k = 0; k < width; ++k)
        out = z3::ite(a.extract(k, k) == z_.bv_val(1, 1), z_.bv_val(width - 1 - k, width), out);
      return keep(out, type);
    }
    default: return uninterpreted(fn, type, type, args);
  }
}

}  // namespace partir::prove
