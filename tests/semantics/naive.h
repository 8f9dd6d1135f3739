// Evaluates index notation element by element, directly from its definition. It is slow, and short enough to be checked
// by reading; the block evaluator is compared with it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "ir/meaning.h"
#include "semantics/library.h"
#include "support/checked.h"

namespace partir::testing {

/// Evaluates one element at a time, as the definition states.
class Naive {
 public:
  Naive(const Meaning& meaning, const std::vector<Tensor>& operands, const Tensor* value, const Domain& domain)
      : m_(meaning), operands_(operands), value_(value), domain_(domain), at_(meaning.extents.size(), 0) {}

  Tensor result(std::size_t number, const TensorType& type) {
    Tensor out{type, {}};
    const auto& ranges = m_.results[number].ranges;
    for (std::int64_t k = 0; k < type.elements(); ++k) {
      place(ranges, type.dims, k);
      out.data.push_back(scalar(m_.results[number].body));
    }
    return out;
  }

 private:
  std::int64_t index(IndexId id) {
    const IndexTerm& t = m_.at(id);
    using Kind = IndexTerm::Kind;
    switch (t.kind) {
      case Kind::constant: return t.value;
      case Kind::range: return at_[t.range.index()];
      case Kind::read: return element(operands_.at(static_cast<std::size_t>(t.value)), t.indices).i;
      default: break;
    }
    const std::int64_t a = index(t.a);
    const std::int64_t b = index(t.b);
    switch (t.kind) {
      case Kind::add: return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
      case Kind::multiply:
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
      case Kind::floor_div: return floor_divide(a, b);
      case Kind::mod: return a - b * floor_divide(a, b);
      case Kind::min: return std::min(a, b);
      default: return std::max(a, b);
    }
  }
  Scalar element(const Tensor& x, const std::vector<IndexId>& indices) {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const std::int64_t i = index(indices[d]);
      if (i < 0 || i >= x.type->dims[d]) throw std::out_of_range("a read outside its operand");
      position = position * x.type->dims[d] + i;
    }
    return x.data.at(static_cast<std::size_t>(position));
  }
  bool holds(const std::vector<Guard>& guards) {
    for (const Guard& g : guards) {
      const std::int64_t v = index(g.index);
      if (g.kind == Guard::Kind::zero ? v != 0 : v < 0) return false;
    }
    return true;
  }
  Scalar scalar(ScalarId id) {
    const ScalarTerm& t = m_.at(id);
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: return element(operands_.at(t.operand), t.indices);
      case Kind::attribute: return element(*value_, t.indices);
      case Kind::literal: return domain_.from_literal(*t.literal, 0);
      case Kind::from_index: return domain_.from_index(index(t.indices.at(0)), t.type);
      case Kind::argument: return arguments_.at(t.operand);
      case Kind::guarded: return scalar(t.args[holds(t.guards) ? 0 : 1]);
      case Kind::apply: {
        std::vector<Scalar> values;
        for (const ScalarId a : t.args) values.push_back(scalar(a));
        std::vector<const Scalar*> args;
        for (const Scalar& v : values) args.push_back(&v);
        Scalar out{};
        domain_.apply(t.fn, m_.at(t.args[0]).type, t.type, args.data(), 1, &out);
        return out;
      }
      case Kind::library: return library(t);
      case Kind::reduce: break;
    }
    std::vector<Scalar> acc;
    for (std::size_t k = 0; k < t.combine.size(); ++k) acc.push_back(scalar(t.args[k]));
    fold(t, 0, acc);
    return acc.at(t.operand);
  }
  /// Calls the library function anew for each element. The functions themselves are tested separately.
  Scalar library(const ScalarTerm& t) {
    std::vector<std::int64_t> wanted;
    for (const IndexId i : t.indices) wanted.push_back(index(i));
    LibraryCall call{t.library, t.operand, {}, TensorType{t.type, {}}, {}, domain_};
    for (const IndexId i : t.indices) call.result.dims.push_back(m_.extent(m_.at(i).range));
    for (std::size_t k = 0; k < t.args.size(); ++k) {
      Tensor array{TensorType{m_.at(t.args[k]).type, {}}, {}, {}};
      for (const RangeId r : t.arrays[k]) array.type->dims.push_back(m_.extent(r));
      for (std::int64_t e = 0; e < array.type->elements(); ++e) {
        place(t.arrays[k], array.type->dims, e);
        array.data.push_back(scalar(t.args[k]));
      }
      call.arrays.push_back(std::move(array));
    }
    if (!t.combine.empty()) {
      call.compare = [&](const std::vector<const Scalar*>& elements) {
        arguments_.clear();
        for (const Scalar* e : elements) arguments_.push_back(*e);
        return scalar(t.combine[0]).u != 0;
      };
    }
    std::int64_t position = 0;
    for (std::size_t d = 0; d < wanted.size(); ++d) position = position * call.result.dims[d] + wanted[d];
    return call_library(call).data.at(static_cast<std::size_t>(position));
  }
  /// Sets the ranges to the indices of element `position` in row-major order.
  void place(const std::vector<RangeId>& ranges, const std::vector<std::int64_t>& dims, std::int64_t position) {
    for (std::size_t d = ranges.size(); d-- > 0;) {
      at_[ranges[d].index()] = position % dims[d];
      position /= dims[d];
    }
  }
  void fold(const ScalarTerm& t, std::size_t range, std::vector<Scalar>& acc) {
    if (range < t.ranges.size()) {
      for (std::int64_t k = 0; k < m_.extent(t.ranges[range]); ++k) {
        at_[t.ranges[range].index()] = k;
        fold(t, range + 1, acc);
      }
      return;
    }
    if (!holds(t.guards)) return;
    std::vector<Scalar> arguments = acc;
    for (std::size_t k = 0; k < acc.size(); ++k) arguments.push_back(scalar(t.args[acc.size() + k]));
    std::swap(arguments_, arguments);
    for (std::size_t k = 0; k < acc.size(); ++k) acc[k] = scalar(t.combine[k]);
    std::swap(arguments_, arguments);
  }

  const Meaning& m_;
  const std::vector<Tensor>& operands_;
  const Tensor* value_;
  const Domain& domain_;
  std::vector<std::int64_t> at_;
  std::vector<Scalar> arguments_;
};

}  // namespace partir::testing
