// The evaluator of index notation. It computes up to kLanes elements at a time, the "lanes", which differ in one range.
// Index terms that are affine in the ranges become a base and a step per lane. A mask marks the lanes in which a
// guarded term is evaluated; reads in the other lanes may be out of bounds. Applications of functions, which several
// terms may share, are cached while ranges, lanes, arguments and mask are unchanged.
#include "semantics/evaluate.h"

#include <algorithm>
#include <array>
#include <limits>

#include "semantics/affine_index.h"
#include "semantics/library.h"
#include "support/check.h"
#include "support/checked.h"

namespace partir {

struct CompiledMeaning::Data {
  Meaning meaning;
  std::vector<Type> operands;
  std::vector<Type> results;
  LiteralPtr value;
  std::vector<std::optional<AffineIndex>> affine;  ///< by IndexId
  std::vector<std::vector<std::int64_t>> strides;  ///< by operand, row-major
  std::vector<std::int64_t> value_strides;
  double steps = 0;
};

namespace {

constexpr std::size_t kLanes = 256;

std::vector<std::int64_t> row_major(const TensorType& type) {
  std::vector<std::int64_t> out(type.rank(), 1);
  for (std::size_t d = type.rank(); d-- > 1;) out[d - 1] = out[d] * type.dims[d];
  return out;
}

/// The values of an index in all lanes: base + lane * step, or one value per lane in `each`.
struct LaneIndex {
  std::int64_t base = 0;
  std::int64_t step = 0;
  const std::int64_t* each = nullptr;
  [[nodiscard]] std::int64_t operator[](std::size_t lane) const {
    return each != nullptr ? each[lane] : base + static_cast<std::int64_t>(lane) * step;
  }
};

using Mask = std::array<std::uint8_t, kLanes>;

/// Returns the greatest number of lanes that an evaluation of the meaning uses: small operations need small scratch
/// space.
std::size_t lanes_of(const Meaning& meaning) {
  std::int64_t out = 1;
  for (const std::int64_t extent : meaning.extents) out = std::max(out, extent);
  return std::min(kLanes, static_cast<std::size_t>(out));
}

class Evaluation {
 public:
  Evaluation(const Meaning& meaning, const std::vector<std::optional<AffineIndex>>& affine,
             const std::vector<std::vector<std::int64_t>>& strides, const std::vector<std::int64_t>& value_strides,
             const Tensor* value, const std::vector<const Tensor*>& operands, const Domain& domain,
             const std::function<void()>& pause)
      : m_(meaning),
        affine_(affine),
        strides_(strides),
        value_strides_(value_strides),
        value_(value),
        operands_(operands),
        domain_(domain),
        pause_(pause),
        at_(meaning.extents.size(), 0),
        width_(lanes_of(meaning)),
        index_scratch_(meaning.indices.size()),
        scratch_(meaning.scalars.size()),
        computed_(meaning.scalars.size(), 0) {}

  Tensor result(std::size_t number, const TensorType& type) {
    const ResultMeaning& r = m_.results[number];
    Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}};
    if (m_.at(r.body).kind == ScalarTerm::Kind::library) {
      library(r, m_.at(r.body), out);
    } else {
      fill(r.body, r.ranges, out.data.data());
    }
    return out;
  }

 private:
  /// Counts one step per lane, and calls pause_ once per million steps.
  void tick() {
    constexpr std::size_t kStepsBetween = 1'000'000;
    ticks_ += n_;
    if (ticks_ < kStepsBetween || !pause_) return;
    ticks_ = 0;
    pause_();
  }

  /// Evaluates the term at all values of the ranges, row-major. The lanes run along the largest range.
  void fill(ScalarId body, const std::vector<RangeId>& ranges, Scalar* out) {
    const std::size_t rank = ranges.size();
    std::size_t lane_dim = 0;
    std::vector<std::int64_t> strides(rank, 1);
    for (std::size_t d = rank; d-- > 1;) strides[d - 1] = strides[d] * m_.extent(ranges[d]);
    for (std::size_t d = 0; d < rank; ++d) {
      if (m_.extent(ranges[d]) == 0) return;
      if (m_.extent(ranges[d]) >= m_.extent(ranges[lane_dim])) lane_dim = d;
    }
    const std::int64_t extent = rank == 0 ? 1 : m_.extent(ranges[lane_dim]);
    const std::int64_t stride = rank == 0 ? 1 : strides[lane_dim];
    lane_ = rank == 0 ? RangeId(m_.extents.size()) : ranges[lane_dim];
    std::vector<std::int64_t> index(rank, 0);
    while (true) {
      std::int64_t position = 0;
      for (std::size_t d = 0; d < rank; ++d) {
        at_[ranges[d].index()] = index[d];
        position += index[d] * strides[d];
      }
      for (std::int64_t from = 0; from < extent; from += static_cast<std::int64_t>(kLanes)) {
        n_ = static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(kLanes), extent - from));
        if (rank != 0) at_[lane_.index()] = from;
        ++epoch_;
        tick();
        const Scalar* values = scalar(body, nullptr);
        Scalar* to = out + position + from * stride;
        for (std::size_t k = 0; k < n_; ++k) to[static_cast<std::int64_t>(k) * stride] = values[k];
      }
      std::size_t d = rank;
      while (d-- > 0) {
        if (d == lane_dim) continue;
        if (++index[d] < m_.extent(ranges[d])) break;
        index[d] = 0;
      }
      if (d == static_cast<std::size_t>(-1)) return;
    }
  }

  /// Applies a library function for each index of the result dimensions that do not belong to it (`mixed` do).
  void library(const ResultMeaning& r, const ScalarTerm& t, Tensor& out) {
    if (out.data.empty()) return;
    const auto strides = row_major(*out.type);
    std::vector<std::size_t> mixed;  // the dimensions of the result that the function computes, in its order
    for (const IndexId i : t.indices) {
      const auto at = std::find(r.ranges.begin(), r.ranges.end(), m_.at(i).range);
      mixed.push_back(static_cast<std::size_t>(at - r.ranges.begin()));
    }
    LibraryCall call{t.library, t.operand, {}, TensorType{out.type->element, {}}, {}, domain_};
    for (const std::size_t d : mixed) call.result.dims.push_back(out.type->dims[d]);
    for (std::size_t k = 0; k < t.args.size(); ++k) {
      Tensor array{TensorType{m_.at(t.args[k]).type, {}}, {}, {}};
      for (const RangeId range : t.arrays[k]) array.type->dims.push_back(m_.extent(range));
      array.data.resize(static_cast<std::size_t>(array.type->elements()));
      call.arrays.push_back(std::move(array));
    }
    if (!t.combine.empty()) {
      call.compare = [&](const std::vector<const Scalar*>& elements) {
        n_ = 1;
        arguments_ = elements;
        ++epoch_;
        return domain_.position(scalar(t.combine[0], nullptr)[0]) != 0;
      };
    }
    std::vector<std::int64_t> index(r.ranges.size(), 0);
    while (true) {
      std::int64_t base = 0;
      for (std::size_t d = 0; d < index.size(); ++d) base += index[d] * strides[d];
      for (std::size_t k = 0; k < t.args.size(); ++k) {
        for (std::size_t d = 0; d < index.size(); ++d) at_[r.ranges[d].index()] = index[d];
        fill(t.args[k], t.arrays[k], call.arrays[k].data.data());
      }
      const Tensor part = call_library(call);
      std::vector<std::int64_t> inner(mixed.size(), 0);
      for (const Scalar& value : part.data) {
        std::int64_t position = base;
        for (std::size_t m = 0; m < mixed.size(); ++m) position += inner[m] * strides[mixed[m]];
        out.data[static_cast<std::size_t>(position)] = value;
        for (std::size_t m = mixed.size(); m-- > 0;) {
          if (++inner[m] < call.result.dims[m]) break;
          inner[m] = 0;
        }
      }
      std::size_t d = index.size();
      while (d-- > 0) {
        if (std::find(mixed.begin(), mixed.end(), d) != mixed.end()) continue;
        if (++index[d] < out.type->dims[d]) break;
        index[d] = 0;
      }
      if (d == static_cast<std::size_t>(-1)) return;
    }
  }

  LaneIndex index(IndexId id, const Mask* mask) {
    if (const auto& affine = affine_[id.index()]) {
      LaneIndex out{affine->constant, 0, nullptr};
      for (const auto& [range, coefficient] : affine->terms) {
        out.base += coefficient * at_[range];
        if (range == lane_.index()) out.step += coefficient;
      }
      return out;
    }
    const IndexTerm& t = m_.at(id);
    using Kind = IndexTerm::Kind;
    std::vector<std::int64_t>& scratch = index_scratch_[id.index()];
    if (t.kind == Kind::read) {
      const Tensor& x = *operands_[static_cast<std::size_t>(t.value)];
      scratch.resize(width_);
      const Position position = locate(t.indices, x.type->dims, strides_[static_cast<std::size_t>(t.value)], mask);
      const bool may_exceed = x.type->element == ElementType::ui64;
      for (std::size_t k = 0; k < n_; ++k) {
        const std::int64_t p = position[k];
        if (p < 0) {
          PARTIR_CHECK(mask != nullptr && (*mask)[k] == 0, "an index outside its tensor");
          scratch[k] = 0;
        } else {
          scratch[k] = domain_.position(x.data[static_cast<std::size_t>(p)]);
          if (may_exceed && scratch[k] < 0) scratch[k] = std::numeric_limits<std::int64_t>::max();  // out of bounds
        }
      }
      return {0, 0, scratch.data()};
    }
    const LaneIndex a = index(t.a, mask);
    const LaneIndex b = index(t.b, mask);
    const auto apply = [&](std::int64_t x, std::int64_t y) { return binary_value(t.kind, x, y); };
    if (a.each == nullptr && b.each == nullptr && a.step == 0 && b.step == 0)
      return {apply(a.base, b.base), 0, nullptr};
    scratch.resize(width_);
    for (std::size_t k = 0; k < n_; ++k) scratch[k] = apply(a[k], b[k]);
    return {0, 0, scratch.data()};
  }

  /// Row-major positions by lane; -1 if an index is out of bounds.
  struct Position {
    bool affine = false;
    std::int64_t base = 0;
    std::int64_t step = 0;
    const std::int64_t* each = nullptr;
    std::int64_t operator[](std::size_t lane) const {
      return affine ? base + static_cast<std::int64_t>(lane) * step : each[lane];
    }
  };

  Position locate(const std::vector<IndexId>& indices, const std::vector<std::int64_t>& dims,
                  const std::vector<std::int64_t>& strides, const Mask* mask) {
    Position out{true, 0, 0, nullptr};
    const auto last = static_cast<std::int64_t>(n_) - 1;
    std::vector<LaneIndex>& list = lanes_[depth_++ % lanes_.size()];
    list.clear();
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const LaneIndex i = index(indices[d], mask);
      list.push_back(i);
      const std::int64_t end = i.base + last * i.step;
      if (i.each != nullptr || i.base < 0 || i.base >= dims[d] || end < 0 || end >= dims[d]) {
        out.affine = false;
      } else {
        out.base += i.base * strides[d];
        out.step += i.step * strides[d];
      }
    }
    --depth_;
    if (out.affine) return out;
    positions_.resize(width_);
    for (std::size_t k = 0; k < n_; ++k) {
      std::int64_t p = 0;
      for (std::size_t d = 0; d < list.size(); ++d) {
        const std::int64_t i = list[d][k];
        if (i < 0 || i >= dims[d]) {
          p = -1;
          break;
        }
        p += i * strides[d];
      }
      positions_[k] = p;
    }
    out.each = positions_.data();
    return out;
  }

  void read(const Tensor& x, const std::vector<std::int64_t>& strides, const ScalarTerm& t, const Mask* mask,
            Scalar* out) {
    const Position position = locate(t.indices, x.type->dims, strides, mask);
    const Scalar* data = x.data.data();
    if (position.affine) {
      const Scalar* from = data + position.base;
      if (position.step == 0) {
        std::fill_n(out, n_, *from);
      } else {
        for (std::size_t k = 0; k < n_; ++k) out[k] = from[static_cast<std::int64_t>(k) * position.step];
      }
      return;
    }
    for (std::size_t k = 0; k < n_; ++k) {
      if (position[k] >= 0) {
        out[k] = data[position[k]];
      } else {
        PARTIR_CHECK(mask != nullptr && (*mask)[k] == 0, "a read outside its operand");
        out[k] = Scalar{};
      }
    }
  }

  enum class Holds : std::uint8_t { all, none, some };
  Holds holds(const std::vector<Guard>& guards, const Mask* outer, Mask& out) {
    for (std::size_t k = 0; k < n_; ++k) out[k] = outer == nullptr ? 1 : (*outer)[k];
    for (const Guard& g : guards) {
      const LaneIndex i = index(g.index, outer);
      for (std::size_t k = 0; k < n_; ++k) {
        const std::int64_t v = i[k];
        out[k] = static_cast<std::uint8_t>(out[k] & ((g.kind == Guard::Kind::zero ? v == 0 : v >= 0) ? 1 : 0));
      }
    }
    std::size_t count = 0;
    for (std::size_t k = 0; k < n_; ++k) count += out[k];
    return count == n_ ? Holds::all : count == 0 ? Holds::none : Holds::some;
  }

  const Scalar* scalar(ScalarId id, const Mask* mask) {
    const ScalarTerm& t = m_.at(id);
    using Kind = ScalarTerm::Kind;
    if (t.kind == Kind::argument) return arguments_[t.operand];
    std::vector<Scalar>& out = scratch_[id.index()];
    if (out.empty()) out.resize(width_);
    switch (t.kind) {
      case Kind::read: read(*operands_[t.operand], strides_[t.operand], t, mask, out.data()); break;
      case Kind::attribute:
        if (value_->data.size() == 1) {
          std::fill_n(out.data(), n_, value_->data[0]);
        } else {
          read(*value_, value_strides_, t, mask, out.data());
        }
        break;
      case Kind::literal: std::fill_n(out.data(), n_, domain_.from_literal(*t.literal, 0)); break;
      case Kind::from_index: {
        const LaneIndex i = index(t.indices[0], mask);
        for (std::size_t k = 0; k < n_; ++k) out[k] = domain_.from_index(i[k], t.type);
        break;
      }
      case Kind::apply: {
        if (computed_[id.index()] == epoch_) break;
        std::array<const Scalar*, 3> args{};
        for (std::size_t a = 0; a < t.args.size(); ++a) args[a] = scalar(t.args[a], mask);
        domain_.apply(t.fn, m_.at(t.args[0]).type, t.type, args.data(), n_, out.data());
        computed_[id.index()] = epoch_;
        break;
      }
      case Kind::guarded: {
        Mask inside;
        const Holds h = holds(t.guards, mask, inside);
        if (h == Holds::all) return scalar(t.args[0], mask);
        if (h == Holds::none) return scalar(t.args[1], mask);
        ++epoch_;
        const Scalar* then = scalar(t.args[0], &inside);
        std::copy_n(then, n_, out.data());
        Mask outside;
        for (std::size_t k = 0; k < n_; ++k)
          outside[k] = inside[k] == 0 && (mask == nullptr || (*mask)[k] != 0) ? 1 : 0;
        ++epoch_;
        const Scalar* otherwise = scalar(t.args[1], &outside);
        ++epoch_;
        for (std::size_t k = 0; k < n_; ++k) {
          if (inside[k] == 0) out[k] = otherwise[k];
        }
        break;
      }
      case Kind::reduce: reduce(t, mask, out.data()); break;
      case Kind::argument:
      case Kind::library: break;
    }
    return out.data();
  }

  void reduce(const ScalarTerm& t, const Mask* mask, Scalar* out) {
    const std::size_t values = t.combine.size();
    std::vector<std::vector<Scalar>> acc(values, std::vector<Scalar>(width_));
    for (std::size_t v = 0; v < values; ++v) std::copy_n(scalar(t.args[v], mask), n_, acc[v].data());
    const auto finish = [&] {
      std::copy_n(acc[t.operand].data(), n_, out);
      ++epoch_;
    };
    double steps = 1;
    for (const RangeId r : t.ranges) {
      at_[r.index()] = 0;
      if (m_.extent(r) == 0) return finish();
      steps *= static_cast<double>(m_.extent(r));
    }
    const ScalarTerm& combine = m_.at(t.combine[0]);
    const auto is_argument = [&](std::size_t k) {
      const ScalarTerm& a = m_.at(combine.args[k]);
      return a.kind == ScalarTerm::Kind::argument && a.operand == k;
    };
    const bool simple = values == 1 && combine.kind == ScalarTerm::Kind::apply && combine.args.size() == 2 &&
                        is_argument(0) && is_argument(1);
    std::vector<std::vector<Scalar>> next(values, std::vector<Scalar>(width_));
    while (true) {
      ++epoch_;
      tick();
      Mask inside;
      const Holds h = t.guards.empty() ? Holds::all : holds(t.guards, mask, inside);
      if (h != Holds::none) {
        const Mask* active = h == Holds::all ? mask : &inside;
        if (simple && h == Holds::all) {
          domain_.fold(combine.fn, t.type, scalar(t.args[1], active), n_, steps, acc[0].data());
        } else {
          std::vector<const Scalar*> arguments;
          for (const auto& a : acc) arguments.push_back(a.data());
          for (std::size_t v = 0; v < values; ++v) arguments.push_back(scalar(t.args[values + v], active));
          std::swap(arguments_, arguments);
          ++epoch_;
          for (std::size_t v = 0; v < values; ++v) std::copy_n(scalar(t.combine[v], nullptr), n_, next[v].data());
          std::swap(arguments_, arguments);
          for (std::size_t v = 0; v < values; ++v) {
            for (std::size_t k = 0; k < n_; ++k) {
              if (h == Holds::all || inside[k] != 0) acc[v][k] = next[v][k];
            }
          }
        }
      }
      std::size_t d = t.ranges.size();
      while (d-- > 0) {
        std::int64_t& at = at_[t.ranges[d].index()];
        if (++at < m_.extent(t.ranges[d])) break;
        at = 0;
      }
      if (d == static_cast<std::size_t>(-1)) break;
    }
    finish();
  }

  const Meaning& m_;
  const std::vector<std::optional<AffineIndex>>& affine_;
  const std::vector<std::vector<std::int64_t>>& strides_;
  const std::vector<std::int64_t>& value_strides_;
  const Tensor* value_;
  const std::vector<const Tensor*>& operands_;
  const Domain& domain_;
  const std::function<void()>& pause_;
  std::size_t ticks_ = 0;
  std::vector<std::int64_t> at_;  ///< the value of each range; for the range of the lanes, its value in lane 0
  std::size_t width_;             ///< the size of scratch vectors: at least n_
  RangeId lane_;
  std::size_t n_ = 0;  ///< the current number of lanes
  std::vector<std::vector<std::int64_t>> index_scratch_;
  std::vector<std::vector<Scalar>> scratch_;
  std::uint64_t epoch_ = 1;               ///< incremented whenever ranges, lanes, arguments or the mask change
  std::vector<std::uint64_t> computed_;   ///< the value of epoch_ when a term was last computed, to reuse its lanes
  std::vector<const Scalar*> arguments_;  ///< the values of `argument` terms
  std::array<std::vector<LaneIndex>, 4> lanes_;
  std::size_t depth_ = 0;
  std::vector<std::int64_t> positions_;
};

}  // namespace

CompiledMeaning::CompiledMeaning(Meaning meaning, std::vector<Type> operands, std::vector<Type> results,
                                 LiteralPtr value)
    : data_(std::make_unique<Data>()) {
  Data& c = *data_;
  c.meaning = std::move(meaning);
  c.operands = std::move(operands);
  c.results = std::move(results);
  c.value = std::move(value);
  c.steps = c.meaning.steps();
  for (const IndexTerm& t : c.meaning.indices) c.affine.push_back(affine_of(t, c.affine));
  for (const Type& t : c.operands) c.strides.push_back(row_major(*t));
  if (c.value != nullptr) c.value_strides = row_major(c.value->type);
}

CompiledMeaning::~CompiledMeaning() = default;
CompiledMeaning::CompiledMeaning(CompiledMeaning&&) noexcept = default;
CompiledMeaning& CompiledMeaning::operator=(CompiledMeaning&&) noexcept = default;

double CompiledMeaning::steps() const { return data_->steps; }

std::vector<Tensor> CompiledMeaning::run(const std::vector<const Tensor*>& operands, const Domain& domain,
                                         const std::function<void()>& pause) const {
  const Data& c = *data_;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    PARTIR_CHECK(operands[k]->type == c.operands[k], "operand of another type than its kernel");
  }
  Tensor value;
  if (c.value != nullptr) {
    if (c.value->splat) {
      value = Tensor{c.value->type, {domain.from_literal(*c.value, 0)}};
    } else {
      value = from_literal(*c.value, domain);
    }
  }
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < c.results.size(); ++k) {
    Evaluation run(c.meaning, c.affine, c.strides, c.value_strides, &value, operands, domain, pause);
    out.push_back(run.result(k, *c.results[k]));
  }
  return out;
}

}  // namespace partir
