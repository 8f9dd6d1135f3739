#include "semantics/library_random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "semantics/domain_native.h"

namespace partir {
namespace {

using Words2 = std::array<std::uint32_t, 2>;
using Words4 = std::array<std::uint32_t, 4>;

Words2 halves(std::uint64_t v) { return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)}; }
std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return low | static_cast<std::uint64_t>(high) << 32; }

/// Threefry-2x32 with 20 rounds.
Words2 threefry(Words2 x, Words2 key) {
  constexpr std::array<int, 8> rotations = {13, 15, 26, 6, 17, 29, 16, 24};
  const std::array<std::uint32_t, 3> keys = {key[0], key[1], 0x1BD11BDA ^ key[0] ^ key[1]};
  x[0] += keys[0];
  x[1] += keys[1];
  for (std::uint32_t block = 1; block <= 5; ++block) {
    for (std::size_t r = 0; r < 4; ++r) {
      x[0] += x[1];
      x[1] = std::rotl(x[1], rotations[(block % 2 == 1 ? 0 : 4) + r]) ^ x[0];
    }
    x[0] += keys[block % 3];
    x[1] += keys[(block + 1) % 3] + block;
  }
  return x;
}

/// Philox-4x32 with 10 rounds.
Words4 philox(Words4 x, Words2 key) {
  for (int round = 0; round < 10; ++round) {
    const Words2 a = halves(static_cast<std::uint64_t>(x[0]) * 0xD2511F53);
    const Words2 b = halves(static_cast<std::uint64_t>(x[2]) * 0xCD9E8D57);
    x = {b[1] ^ x[1] ^ key[0], b[0], a[1] ^ x[3] ^ key[1], a[0]};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return x;
}

struct Bits {
  std::vector<std::uint64_t> state;  ///< the new state
  std::vector<std::uint64_t> values;
};

/// A 64-bit number uses both words of a counter. Narrower numbers use one word each: positions 2p and 2p + 1 along the
/// first even dimension (or the largest one if none is even) share a counter.
Bits threefry_bits(const std::vector<std::uint64_t>& state, const std::vector<std::int64_t>& dims, unsigned width) {
  Bits out{state, {}};
  const Words2 key = halves(state[0]);
  std::int64_t elements = 1;
  for (const std::int64_t d : dims) elements *= d;
  std::vector<std::int64_t> half = dims;
  std::size_t split = 0;
  if (width < 64 && !dims.empty()) {
    const auto even = std::find_if(dims.begin(), dims.end(), [](std::int64_t d) { return d % 2 == 0; });
    split = static_cast<std::size_t>((even != dims.end() ? even : std::max_element(dims.begin(), dims.end())) -
                                     dims.begin());
    half[split] = (dims[split] + 1) / 2;
  }
  std::vector<std::int64_t> index(dims.size(), 0);
  std::int64_t counters = 1;
  for (const std::int64_t d : half) counters *= d;
  for (std::int64_t e = 0; e < elements; ++e) {
    std::uint64_t counter = 0;
    bool second = false;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const bool halved = width < 64 && d == split;
      if (halved) second = index[d] % 2 != 0;
      counter =
          counter * static_cast<std::uint64_t>(half[d]) + static_cast<std::uint64_t>(halved ? index[d] / 2 : index[d]);
    }
    const Words2 words = threefry(halves(state[1] + counter), key);
    out.values.push_back(width == 64 ? joined(words[0], words[1]) : words[second ? 1 : 0]);
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
  out.state[1] += static_cast<std::uint64_t>(counters);
  return out;
}

/// Each counter yields four words, in order. If the state has a counter of one word, the key is the upper half of the
/// counter.
Bits philox_bits(const std::vector<std::uint64_t>& state, std::int64_t elements, unsigned width) {
  Bits out{state, {}};
  const std::int64_t words = width == 64 ? 2 * elements : elements;
  const std::uint64_t blocks = static_cast<std::uint64_t>((words + 3) / 4);
  const std::uint64_t high = state.size() > 2 ? state[2] : state[0];
  for (std::uint64_t k = 0; k < blocks; ++k) {
    const std::uint64_t low = state[1] + k;
    const Words2 l = halves(low);
    const Words2 h = halves(low < state[1] ? high + 1 : high);
    const Words4 x = philox({l[0], l[1], h[0], h[1]}, halves(state[0]));
    if (width == 64) {
      out.values.push_back(joined(x[0], x[1]));
      out.values.push_back(joined(x[2], x[3]));
    } else {
      out.values.insert(out.values.end(), x.begin(), x.end());
    }
  }
  out.values.resize(static_cast<std::size_t>(elements));
  out.state[1] += blocks;
  if (state.size() > 2 && out.state[1] < state[1]) ++out.state[2];
  return out;
}

}  // namespace

Tensor random_bits(const LibraryCall& call, bool by_philox) {
  std::vector<std::uint64_t> state;
  for (const Scalar& s : call.arrays[0].data) state.push_back(s.u);
  // The second argument specifies the type of the bits; its elements are not used.
  const TensorType& shape = *call.arrays[1].type;
  const unsigned width = bit_width(shape.element);
  const Bits bits = by_philox ? philox_bits(state, shape.elements(), width) : threefry_bits(state, shape.dims, width);
  Tensor out{call.result, {}, {}};
  for (const std::uint64_t v : call.number == 0 ? bits.state : bits.values)
    out.data.push_back(from_bits(v, out.type->element));
  return out;
}

Tensor random_numbers(const LibraryCall& call, bool normal) {
  Tensor out = random_tensor(TensorType{ElementType::f64, call.result.dims}, 1, 0, f64_domain());
  out.type = call.result;
  const ElementType type = call.result.element;
  const double a = call.domain.to_double(call.arrays[0].data[0], type);
  const double b = call.domain.to_double(call.arrays[1].data[0], type);
  for (std::size_t k = 0; k < out.data.size(); ++k) {
    const double u = (out.data[k].f + 1) / 2;  // in [0, 1)
    const double v = (out.data[(k + 1) % out.data.size()].f + 1) / 2;
    const double value = normal ? a + b * std::sqrt(-2 * std::log1p(-u)) * std::cos(2 * M_PI * v) : a + (b - a) * u;
    const Scalar wide = call.domain.from_literal(double_literal(value), 0);
    const Scalar* args[] = {&wide};
    call.domain.apply(ScalarFn::convert, ElementType::f64, type, args, 1, &out.data[k]);
  }
  return out;
}

}  // namespace partir
