#include "semantics/tensor.h"

#include <cmath>
#include <limits>

#include "semantics/domain_native.h"
#include "semantics/held_part.h"
#include "support/check.h"

namespace partir {
namespace {

std::uint64_t next_random(std::uint64_t& state) {  // SplitMix64
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Scalar identity_of(Monoid monoid, ElementType type, const Domain& domain) {
  switch (monoid) {
    case Monoid::sum:
    case Monoid::disj: return domain.from_index(0, type);
    case Monoid::prod: return domain.from_index(1, type);
    case Monoid::conj: return domain.from_index(type == ElementType::i1 ? 1 : -1, type);
    case Monoid::max:
    case Monoid::min: {
      const bool low = monoid == Monoid::max;
      if (is_float(type)) {
        const double v = low ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        return domain.from_literal(double_literal(v), 0);
      }
      const unsigned width = bit_width(type);
      if (!is_signed(type)) return domain.from_index(low ? 0 : -1, type);
      const auto top = static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1);
      return domain.from_index(low ? -top - 1 : top, type);
    }
  }
  return {};
}

}  // namespace

Tensor random_tensor(const TensorType& type, std::uint64_t seed, std::size_t number, const Domain& domain) {
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements()))};
  std::uint64_t state = seed * 0x9e3779b97f4a7c15 + number * 0xd1b54a32d192ed03 + 1;
  for (Scalar& s : out.data) s = domain.random(next_random(state), type.element);
  return out;
}

Tensor from_literal(const Literal& literal, const Domain& domain) {
  Tensor out{literal.type, std::vector<Scalar>(static_cast<std::size_t>(literal.type.elements()))};
  for (std::size_t k = 0; k < out.data.size(); ++k)
    out.data[k] = domain.from_literal(literal, static_cast<std::int64_t>(k));
  return out;
}

LiteralPtr to_literal(const Tensor& tensor) {
  auto out = std::make_shared<Literal>();
  out->type = *tensor.type;
  const ElementType part = part_of(tensor.type->element);
  const std::size_t width = byte_width(part);
  out->bytes.reserve(tensor.data.size() * byte_width(tensor.type->element));
  const auto store = [&](std::uint64_t bits) {
    for (std::size_t b = 0; b < width; ++b) out->bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * b)));
  };
  for (Scalar s : tensor.data) {
    store(is_signed(part) ? s.u : to_bits(s, part));  // narrow signed integers are sign-extended to a byte
    s.f = s.im;
    if (is_complex(tensor.type->element)) store(to_bits(s, part));
  }
  return out;
}

Tensor scatter_to(const Tensor& global, const Layout& type, const Mesh& mesh, DeviceId device, const Domain& domain) {
  Tensor out{type.local(global.type, mesh), {}};
  out.data.resize(static_cast<std::size_t>(out.type->elements()));
  for_each_held(type, *global.type, device, mesh, [&](std::size_t to, std::int64_t from) {
    if (from >= 0) out.data[to] = global.data[static_cast<std::size_t>(from)];
  });
  for (const auto& [over, monoid] : type.pending) {
    if (over.piece(device, mesh) != 0) {
      std::fill(out.data.begin(), out.data.end(), identity_of(monoid, global.type->element, domain));
    }
  }
  return out;
}

Tensor gather_from(const std::vector<const Tensor*>& parts, const TensorType& global, const Layout& type,
                   const Mesh& mesh, const Domain& domain, bool& disagreement) {
  Tensor out{global, std::vector<Scalar>(static_cast<std::size_t>(global.elements()))};
  // For each combination of positions along the pending factors (as one number), the elements seen so far.
  std::int64_t combinations = 1;
  for (const Pending& p : type.pending) combinations *= p.over.size(mesh);
  std::vector<std::vector<Scalar>> seen(static_cast<std::size_t>(combinations));
  std::vector<std::vector<bool>> have(static_cast<std::size_t>(combinations), std::vector<bool>(out.data.size()));
  for (auto& s : seen) s.resize(out.data.size());
  for (std::size_t d = 0; d < parts.size(); ++d) {
    const DeviceId device(d);
    std::size_t which = 0;
    for (const auto& [over, monoid] : type.pending)
      which = which * static_cast<std::size_t>(over.size(mesh)) + static_cast<std::size_t>(over.piece(device, mesh));
    for_each_held(type, global, device, mesh, [&](std::size_t from, std::int64_t to) {
      if (to < 0) return;
      const Scalar value = parts[d]->data[from];
      const auto at = static_cast<std::size_t>(to);
      if (have[which][at]) {
        if (!domain.equal(seen[which][at], value, global.element)) disagreement = true;
      } else {
        have[which][at] = true;
        seen[which][at] = value;
      }
    });
  }
  out.data = seen[0];
  for (std::size_t c = 1; c < seen.size(); ++c) {
    // All pending reductions have the same monoid (Layout::fits).
    const Scalar* args[2] = {out.data.data(), seen[c].data()};
    domain.apply(combiner_fn(type.pending[0].monoid), global.element, global.element, args, out.data.size(),
                 out.data.data());
  }
  return out;
}

namespace {

/// Calls f(position in the smaller shape, position in the larger shape) for the elements of the smaller one, row-major.
template <class F>
void for_each_within(const std::vector<std::int64_t>& smaller, const std::vector<std::int64_t>& larger, const F& f) {
  std::vector<std::int64_t> index(smaller.size(), 0);
  const std::int64_t count = TensorType{ElementType::i1, smaller}.elements();
  for (std::int64_t k = 0; k < count; ++k) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at = at * larger[d] + index[d];
    f(static_cast<std::size_t>(k), static_cast<std::size_t>(at));
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < smaller[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace

Tensor padded_to(const Tensor& tensor, const TensorType& type, const Domain& domain) {
  if (type == *tensor.type) return tensor;
  Tensor out = random_tensor(type, 0, 0, domain);
  for_each_within(tensor.type->dims, type.dims,
                  [&](std::size_t from, std::size_t to) { out.data[to] = tensor.data[from]; });
  return out;
}

Tensor cut_to(const Tensor& padded, const TensorType& type) {
  if (type == *padded.type) return padded;
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements()))};
  for_each_within(type.dims, padded.type->dims,
                  [&](std::size_t to, std::size_t from) { out.data[to] = padded.data[from]; });
  return out;
}

Difference difference(const Tensor& got, const Tensor& wanted, const Domain& domain) {
  PARTIR_CHECK(got.type == wanted.type, "comparing tensors of two types");
  Difference out;
  const ElementType type = wanted.type->element;
  for (std::size_t k = 0; k < wanted.data.size(); ++k) {
    const std::complex<double> w = domain.to_complex(wanted.data[k], type);
    const std::complex<double> g = domain.to_complex(got.data[k], type);
    if (std::isfinite(std::abs(w))) out.range = std::max(out.range, std::abs(w));
    if (domain.equal(got.data[k], wanted.data[k], type)) continue;
    ++out.elements;
    const double d = std::abs(g - w);
    out.largest = std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(out.largest, d);
  }
  return out;
}

}  // namespace partir
