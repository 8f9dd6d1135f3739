// Evaluation of many points at once (evaluate_points). A point is a position of the result and, inside a reduction,
// also a value of the reduction's ranges. The positions that each point reads are computed once and cached in the
// kernel, so that an operation on many devices costs a few steps per point.
#include <algorithm>
#include <map>
#include <optional>

#include "support/checked.h"
#include "verify/validate/evaluate.h"

namespace partir::validate {

/// All values of some ranges, in row-major order.
struct Points {
  std::vector<RangeId> ranges;
  std::vector<std::int64_t> extents;
  std::size_t count = 1;
};

struct Access {
  /// The cached tables of one result. Index 0 of an array is for outer points, 1 for inner points.
  struct Result {
    bool prepared = false;
    bool usable = false;
    Points outer;                                                   ///< positions of the result
    Points inner;                                                   ///< with the reduction's ranges
    std::size_t reduced = 1;                                        ///< inner points for each outer one
    std::map<std::uint32_t, std::vector<std::int32_t>> at[2];       ///< by term: offset in the array, or -1
    std::map<std::uint32_t, std::vector<std::int64_t>> indices[2];  ///< by term: index of from_index
    std::map<std::uint32_t, std::vector<std::uint8_t>> guards[2];   ///< by term: whether all guards hold
  };
  std::vector<Result> results;
};

namespace {

constexpr std::size_t kMostAtOnce = 4'000'000;  ///< most points

/// Computes the tables of one result, if its meaning is of the supported form.
class Preparation {
 public:
  Preparation(const Kernel& k, const std::vector<ArrayPtr>& operands, std::size_t number)
      : k_(k), m_(k.meaning), operands_(operands) {
    const ResultMeaning& r = m_.results[number];
    out_.outer.ranges = r.ranges;
    for (std::size_t d = 0; d < r.ranges.size(); ++d) {
      out_.outer.extents.push_back(k.results[number]->dims[d]);
      out_.outer.count *= static_cast<std::size_t>(out_.outer.extents.back());
    }
    out_.usable = out_.outer.count <= kMostAtOnce && prepare(r.body, 0);
  }

  Access::Result take() { return std::move(out_); }

 private:
  [[nodiscard]] Points& points(int level) { return level == 0 ? out_.outer : out_.inner; }

  /// The values of an index term at all points, as a table over the ranges it depends on.
  struct Table {
    std::vector<std::size_t> ranges;  ///< positions in the list of the points' ranges
    std::vector<std::int64_t> values;
  };

  /// Appends the ranges that an index term depends on.
  void depends(IndexId id, std::vector<std::size_t>& on, int level) {
    const IndexTerm& t = m_.at(id);
    if (t.kind == IndexTerm::Kind::constant) return;
    if (t.kind == IndexTerm::Kind::range) {
      const auto& list = points(level).ranges;
      on.push_back(static_cast<std::size_t>(std::find(list.begin(), list.end(), t.range) - list.begin()));
      return;
    }
    depends(t.a, on, level);
    depends(t.b, on, level);
  }

  Table table(IndexId id, int level) {
    Table out;
    depends(id, out.ranges, level);
    std::sort(out.ranges.begin(), out.ranges.end());
    out.ranges.erase(std::unique(out.ranges.begin(), out.ranges.end()), out.ranges.end());
    const Points& p = points(level);
    at_.assign(m_.extents.size(), 0);
    std::vector<std::int64_t> extents;
    for (const std::size_t r : out.ranges) extents.push_back(p.extents[r]);
    std::vector<std::int64_t> index(extents.size(), 0);
    do {
      for (std::size_t n = 0; n < index.size(); ++n) at_[p.ranges[out.ranges[n]].index()] = index[n];
      out.values.push_back(index_value(m_, id, at_));
    } while (advance(index, extents));
    return out;
  }

  /// Calls f(into[point], value) for each point with the table's value there.
  template <class T, class F>
  void spread(const Table& t, int level, std::vector<T>& into, F&& f) {
    const Points& p = points(level);
    const std::size_t n = p.ranges.size();
    std::vector<std::size_t> step(n, 0);  // of each range in the table
    std::size_t stride = 1;
    for (std::size_t k = t.ranges.size(); k-- > 0;) {
      step[t.ranges[k]] = stride;
      stride *= static_cast<std::size_t>(p.extents[t.ranges[k]]);
    }
    std::vector<std::size_t> index(n, 0);
    std::size_t at = 0;
    for (std::size_t point = 0; point < p.count; ++point) {
      f(into[point], t.values[at]);
      for (std::size_t d = n; d-- > 0;) {
        at += step[d];
        const auto extent = static_cast<std::size_t>(p.extents[d]);
        if (++index[d] < extent) break;
        at -= step[d] * extent;
        index[d] = 0;
      }
    }
  }

  /// Computes the offset that each point reads in an array of this type; -1 outside it. Returns false if an index
  /// depends on data.
  bool offsets(const std::vector<IndexId>& indices, const TensorType& type, int level, std::vector<std::int32_t>& out) {
    out.assign(points(level).count, 0);
    const auto strides = strides_of(type.dims);
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (k_.reads_data[indices[d].index()]) return false;
      Table t = table(indices[d], level);
      for (std::int64_t& v : t.values) {
        if (v < 0 || v >= type.dims[d]) {
          v = -1;
          continue;
        }
        v *= strides[d];
      }
      spread(t, level, out, [](std::int32_t& o, std::int64_t v) {
        if (o >= 0) o = v < 0 ? -1 : static_cast<std::int32_t>(o + v);
      });
    }
    return true;
  }

  /// Computes whether all guards hold at each point. Returns false if a guard depends on data.
  bool guards(const std::vector<Guard>& list, int level, std::vector<std::uint8_t>& out) {
    out.assign(points(level).count, 1);
    for (const Guard& g : list) {
      if (k_.reads_data[g.index.index()]) return false;
      const Table t = table(g.index, level);
      const bool zero = g.kind == Guard::Kind::zero;
      spread(t, level, out, [&](std::uint8_t& o, std::int64_t v) {
        o = static_cast<std::uint8_t>(o & ((zero ? v == 0 : v >= 0) ? 1 : 0));
      });
    }
    return true;
  }

  /// Computes the tables of a term and its arguments. Returns false if the term is not supported: it reads at positions
  /// that depend on data, or is a fold other than a sum, maximum or minimum.
  bool prepare(ScalarId id, int level) {
    const ScalarTerm& t = m_.at(id);
    const auto key = static_cast<std::uint32_t>(id.index());
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: {
        const Array& x = *operands_[t.operand];
        return offsets(t.indices, x.type, level, out_.at[level][key]);
      }
      case Kind::attribute: {
        if (k_.value->splat) return true;
        return offsets(t.indices, k_.value->type, level, out_.at[level][key]);
      }
      case Kind::literal: return true;
      case Kind::from_index: {
        if (k_.reads_data[t.indices[0].index()]) return false;
        const Table own = table(t.indices[0], level);
        auto& into = out_.indices[level][key];
        into.assign(points(level).count, 0);
        spread(own, level, into, [](std::int64_t& o, std::int64_t v) { o = v; });
        return true;
      }
      case Kind::apply: return std::all_of(t.args.begin(), t.args.end(), [&](ScalarId a) { return prepare(a, level); });
      case Kind::guarded:
        return guards(t.guards, level, out_.guards[level][key]) && prepare(t.args[0], level) &&
               prepare(t.args[1], level);
      case Kind::reduce: {
        if (level != 0 || t.combine.size() != 1 || out_.inner.count != 1 || !out_.inner.ranges.empty()) return false;
        const ScalarTerm& c = m_.at(t.combine[0]);
        if (c.kind != Kind::apply || c.args.size() != 2) return false;
        const auto argument = [&](std::size_t k) {
          return m_.at(c.args[k]).kind == Kind::argument ? m_.at(c.args[k]).operand : std::size_t{9};
        };
        if (argument(0) + argument(1) != 1) return false;
        if (c.fn != ScalarFn::add && c.fn != ScalarFn::maximum && c.fn != ScalarFn::minimum) return false;
        if (c.fn == ScalarFn::add && t.type == ElementType::i1) return false;
        out_.inner = out_.outer;
        for (const RangeId r : t.ranges) {
          out_.inner.ranges.push_back(r);
          out_.inner.extents.push_back(m_.extent(r));
          out_.reduced *= static_cast<std::size_t>(m_.extent(r));
        }
        out_.inner.count = out_.outer.count * out_.reduced;
        if (out_.inner.count > kMostAtOnce || out_.inner.count == 0) return false;
        return prepare(t.args[0], 0) && (t.guards.empty() || guards(t.guards, 1, out_.guards[1][key])) &&
               prepare(t.args[1], 1);
      }
      case Kind::argument:
      case Kind::library: return false;
    }
    return false;
  }

  const Kernel& k_;
  const Meaning& m_;
  const std::vector<ArrayPtr>& operands_;
  Access::Result out_;
  std::vector<std::int64_t> at_;
};

/// Evaluates one result by the cached tables.
class Run {
 public:
  Run(const Kernel& k, const Access::Result& access, const std::vector<ArrayPtr>& operands, Algebra& algebra)
      : k_(k), m_(k.meaning), a_(access), operands_(operands), algebra_(algebra) {}

  /// The values of a term at all outer (level 0) or inner (level 1) points.
  std::vector<Element> all(ScalarId id, int level) {
    const ScalarTerm& t = m_.at(id);
    const auto key = static_cast<std::uint32_t>(id.index());
    const std::size_t n = level == 0 ? a_.outer.count : a_.inner.count;
    const Element poison = Element::special(Special::poison);
    std::vector<Element> out(n);
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: {
        const auto& data = operands_[t.operand]->data;
        const auto& at = a_.at[level].at(key);
        for (std::size_t k = 0; k < n; ++k) out[k] = at[k] < 0 ? poison : data[static_cast<std::size_t>(at[k])];
        return out;
      }
      case Kind::attribute: {
        if (k_.value->splat) {
          std::fill(out.begin(), out.end(), algebra_.from_literal(*k_.value, 0));
          return out;
        }
        const auto& at = a_.at[level].at(key);
        for (std::size_t k = 0; k < n; ++k) out[k] = at[k] < 0 ? poison : algebra_.from_literal(*k_.value, at[k]);
        return out;
      }
      case Kind::literal: std::fill(out.begin(), out.end(), algebra_.from_literal(*t.literal, 0)); return out;
      case Kind::from_index: {
        const auto& at = a_.indices[level].at(key);
        for (std::size_t k = 0; k < n; ++k) out[k] = algebra_.from_index(at[k], t.type);
        return out;
      }
      case Kind::apply: return applied(t, level, n);
      case Kind::guarded: {
        const auto& holds = a_.guards[level].at(key);
        const std::vector<Element> then = all(t.args[0], level);
        const std::vector<Element> otherwise = all(t.args[1], level);
        for (std::size_t k = 0; k < n; ++k) out[k] = holds[k] != 0 ? then[k] : otherwise[k];
        return out;
      }
      case Kind::reduce: return reduced(t, key);
      default: break;
    }
    return out;
  }

 private:
  std::vector<Element> applied(const ScalarTerm& t, int level, std::size_t n) {
    algebra_.spend(n);
    std::vector<std::vector<Element>> args;
    for (const ScalarId a : t.args) args.push_back(all(a, level));
    const ElementType in = t.fn == ScalarFn::select ? t.type : m_.at(t.args[0]).type;
    std::vector<Element> out(n);
    if (t.fn == ScalarFn::add && is_float(t.type)) {
      for (std::size_t k = 0; k < n; ++k) out[k] = algebra_.add(args[0][k], args[1][k], t.type);
      return out;
    }
    if (t.fn == ScalarFn::multiply && is_float(t.type)) {
      for (std::size_t k = 0; k < n; ++k) out[k] = algebra_.multiply(args[0][k], args[1][k], t.type);
      return out;
    }
    if (t.fn == ScalarFn::divide && is_float(t.type) && args.size() == 2) {
      algebra_.divide_all(args[0], args[1], t.type, out);
      return out;
    }
    std::array<Element, 3> values;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t a = 0; a < args.size(); ++a) values[a] = args[a][k];
      out[k] = algebra_.apply(t.fn, in, t.type, std::span<const Element>(values.data(), args.size()));
    }
    return out;
  }

  std::vector<Element> reduced(const ScalarTerm& t, std::uint32_t key) {
    const ScalarFn fn = m_.at(t.combine[0]).fn;
    std::vector<Element> out = all(t.args[0], 0);
    const Algebra::Inside inside(algebra_);
    const std::vector<Element> body = all(t.args[1], 1);
    const std::vector<std::uint8_t>* guards = t.guards.empty() ? nullptr : &a_.guards[1].at(key);
    std::vector<Element> members;
    for (std::size_t point = 0; point < a_.outer.count; ++point) {
      algebra_.spend(a_.reduced);
      const std::size_t start = point * a_.reduced;
      if (fn != ScalarFn::add) {
        members.assign(1, out[point]);
        for (std::size_t k = 0; k < a_.reduced; ++k) {
          if (guards == nullptr || (*guards)[start + k] != 0) members.push_back(body[start + k]);
        }
        out[point] = algebra_.extremum(fn, std::move(members), t.type);
        members.clear();
        continue;
      }
      Element sum = out[point];
      for (std::size_t k = 0; k < a_.reduced; ++k) {
        if (guards != nullptr && (*guards)[start + k] == 0) continue;
        sum = algebra_.add(sum, body[start + k], t.type);
      }
      out[point] = sum;
    }
    return out;
  }

  const Kernel& k_;
  const Meaning& m_;
  const Access::Result& a_;
  const std::vector<ArrayPtr>& operands_;
  Algebra& algebra_;
};

}  // namespace

bool evaluate_points(Kernel& kernel, std::size_t result, const std::vector<ArrayPtr>& operands, Algebra& algebra,
                     Array& out) {
  if (kernel.access == nullptr) {
    kernel.access = std::make_shared<Access>();
    for (std::size_t k = 0; k < kernel.results.size(); ++k) {
      kernel.access->results.emplace_back();
    }
  }
  Access::Result& access = kernel.access->results[result];
  if (!access.prepared) {
    access = Preparation(kernel, operands, result).take();
    access.prepared = true;
  }
  if (!access.usable) return false;
  out.data = Run(kernel, access, operands, algebra).all(kernel.meaning.results[result].body, 0);
  return true;
}

}  // namespace partir::validate
