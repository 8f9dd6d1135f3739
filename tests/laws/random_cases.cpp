#include "tests/laws/random_cases.h"

#include <algorithm>
#include <numeric>

namespace partir::testing {

Ids some_order(std::int64_t n) {
  Ids out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t k = 1; k < out.size(); ++k) std::swap(out[k], out[pick<std::size_t>(0, k + 1)]);
  return out;
}

std::int64_t some_size() { return pick<std::int64_t>(1, 4); }

std::pair<Dim, Dim> two_dims(std::size_t rank) {
  const auto first = pick<Dim>(0, rank);
  return {first, (first + pick<Dim>(1, rank)) % rank};
}

ElementType some_number() { return *rc::gen::element(ElementType::f32, ElementType::i32); }
ElementType some_element() { return *rc::gen::element(ElementType::f32, ElementType::i32, ElementType::i1); }

Fold some_fold() {
  const Monoid monoid = static_cast<Monoid>(pick(0, 6));
  const bool bits = monoid == Monoid::conj || monoid == Monoid::disj;
  return {monoid, bits ? *rc::gen::element(ElementType::i1, ElementType::i32) : some_number()};
}

TensorType some_type(ElementType element, std::size_t rank,
                     std::initializer_list<std::pair<Dim, std::int64_t>> divisors) {
  TensorType out{element, {}};
  for (std::size_t d = 0; d < rank; ++d) out.dims.push_back(pick<std::int64_t>(1, 3));
  for (const auto& [dim, n] : divisors) out.dims[dim] *= n;
  return out;
}

std::string some_unary(ElementType element) {
  if (element == ElementType::i1) return "stablehlo.not";
  if (element == ElementType::i32)
    return *rc::gen::element<std::string>("stablehlo.negate", "stablehlo.not", "stablehlo.abs");
  return *rc::gen::element<std::string>("stablehlo.tanh", "stablehlo.negate", "stablehlo.exponential");
}

OpText some_move(const TensorType& type) {
  const auto rank = static_cast<std::int64_t>(type.rank());
  TensorType to = type;
  switch (pick(0, 5)) {
    case 0: {
      const Ids order = some_order(rank);
      for (std::size_t d = 0; d < order.size(); ++d) to.dims[d] = type.dims[static_cast<std::size_t>(order[d])];
      return {"stablehlo.transpose", fmt::format(", dims = {}", order), to};
    }
    case 1: return {"stablehlo.reshape", "", type.with_dims({type.elements()})};
    case 2: return {"stablehlo.reverse", fmt::format(", dims = [{}]", pick<Dim>(0, type.rank())), type};
    case 3: {
      std::vector<std::string> ranges;
      for (std::int64_t& size : to.dims) {
        const auto start = pick<std::int64_t>(0, size);
        ranges.push_back(fmt::format("{}:{}", start, size));
        size -= start;
      }
      return {"stablehlo.slice", fmt::format(" [{}]", fmt::join(ranges, ", ")), to};
    }
    default: {
      Ids dims(type.rank());
      std::iota(dims.begin(), dims.end(), 1);
      to.dims.insert(to.dims.begin(), 2);
      return {"stablehlo.broadcast_in_dim", fmt::format(", dims = {}", dims), to};
    }
  }
}

Devices some_devices() { return {pick<std::int64_t>(1, 4), pick<std::int64_t>(1, 5)}; }

Groups some_groups(const Devices& devices, std::initializer_list<Reading> readings) {
  const Reading reading = *(readings.begin() + pick<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(readings.size())));
  const std::int64_t ids = reading == Reading::flattened         ? devices.count()
                           : reading == Reading::cross_partition ? devices.partitions
                                                                 : devices.replicas;
  Ids divisors;
  for (std::int64_t n = 1; n <= ids; ++n) {
    if (ids % n == 0) divisors.push_back(n);
  }
  const std::int64_t n = divisors[pick<std::size_t>(0, divisors.size())];
  const Ids order = some_order(ids);
  std::vector<Ids> written;
  for (auto at = order.begin(); at != order.end(); at += n) written.emplace_back(at, at + n);
  return read_groups(std::move(written), reading, devices);
}

Groups some_replica_groups(const Devices& devices) {
  return some_groups(devices, {Reading::cross_replica, Reading::cross_replica_and_partition, Reading::flattened});
}

Groups some_channel_groups(const Devices& devices) {
  return some_groups(devices, {Reading::cross_replica, Reading::cross_partition});
}

}  // namespace partir::testing
