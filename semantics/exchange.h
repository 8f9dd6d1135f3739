// The data exchange of a collective, as its declaration describes it (Collective in ir/traits.h), for arrays of any
// element: the interpreters' numbers and the validator's terms. An array A is row-major and has `type` and `data`.
#pragma once

#include <memory>
#include <vector>

#include "ir/op_decl.h"

namespace partir {

inline TensorType& shape_of(Type& type) { return *type; }
inline const TensorType& shape_of(const Type& type) { return *type; }
inline TensorType& shape_of(TensorType& type) { return type; }
inline const TensorType& shape_of(const TensorType& type) { return type; }

/// The extents outside, of and inside a dimension: element (o, i, r) has the position (o * size + i) * inner + r.
struct Around {
  std::int64_t outer = 1;
  std::int64_t size = 1;
  std::int64_t inner = 1;
  Around(const TensorType& type, Dim dim) : size(type.dims[dim]) {
    for (Dim d = 0; d < dim; ++d) outer *= type.dims[d];
    for (Dim d = dim + 1; d < type.rank(); ++d) inner *= type.dims[d];
  }
};

/// The slice [start, start + count) of a dimension.
template <class A>
std::shared_ptr<const A> cut(const A& x, Dim dim, std::int64_t start, std::int64_t count) {
  const Around a(shape_of(x.type), dim);
  auto out = std::make_shared<A>();
  out->type = x.type;
  shape_of(out->type).dims[dim] = count;
  out->data.reserve(static_cast<std::size_t>(shape_of(out->type).elements()));
  for (std::int64_t o = 0; o < a.outer; ++o) {
    const auto begin = x.data.begin() + (o * a.size + start) * a.inner;
    out->data.insert(out->data.end(), begin, begin + count * a.inner);
  }
  return out;
}

/// The concatenation of the parts along a dimension.
template <class A>
std::shared_ptr<const A> join(const std::vector<std::shared_ptr<const A>>& parts, Dim dim) {
  auto out = std::make_shared<A>();
  out->type = parts[0]->type;
  TensorType& shape = shape_of(out->type);
  shape.dims[dim] = 0;
  for (const auto& p : parts) shape.dims[dim] += shape_of(p->type).dims[dim];
  const Around a(shape, dim);
  out->data.reserve(static_cast<std::size_t>(shape.elements()));
  for (std::int64_t o = 0; o < a.outer; ++o) {
    for (const auto& p : parts) {
      const std::int64_t run = shape_of(p->type).dims[dim] * a.inner;
      const auto begin = p->data.begin() + o * run;
      out->data.insert(out->data.end(), begin, begin + run);
    }
  }
  return out;
}

/// The array that each member of a group receives, in the order of the group, if the members hold `held`. `combined()`
/// returns the operands combined by the operation's computation; `zeros(x)` returns zeros of the type of x. Not for
/// collective_permute, whose groups are pairs.
template <class A, class Combined, class Zeros>
std::vector<std::shared_ptr<const A>> exchanged(const Op& op, const std::vector<std::shared_ptr<const A>>& held,
                                                std::size_t root, const Combined& combined, const Zeros& zeros) {
  using Shared = std::shared_ptr<const A>;
  const Collective& how = op.decl->collective;
  const std::size_t n = held.size();
  if (how.from_root) return std::vector<Shared>(n, held[root]);
  const std::vector<Shared> sources = how.combines ? std::vector<Shared>{combined()} : held;
  const auto dim = [&](const char* name) { return static_cast<Dim>(find(op.attributes, name)->as<IntAttr>()->value); };
  const auto received_by = [&](std::size_t member) {
    std::vector<Shared> pieces;
    for (const Shared& x : sources) {
      if (how.split == nullptr) {
        pieces.push_back(x);
        continue;
      }
      const std::int64_t size = shape_of(x->type).dims[dim(how.split)] / static_cast<std::int64_t>(n);
      pieces.push_back(cut(*x, dim(how.split), static_cast<std::int64_t>(member) * size, size));
    }
    return how.join != nullptr ? join(pieces, dim(how.join)) : pieces[0];
  };
  std::vector<Shared> out;
  if (how.to_root) {
    out.assign(n, zeros(*sources[0]));
    out[root] = received_by(root);
  } else if (how.split == nullptr) {
    out.assign(n, received_by(0));  // all receive the same
  } else {
    for (std::size_t k = 0; k < n; ++k) out.push_back(received_by(k));
  }
  return out;
}

}  // namespace partir
