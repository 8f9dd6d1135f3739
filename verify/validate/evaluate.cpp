// Evaluates meanings point by point, for operations that evaluate_points (points.cpp) does not handle: reads at
// positions that data decides, folds, and library functions (computations.h says what folds compute).
#include "verify/validate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "support/check.h"
#include "support/checked.h"
#include "verify/validate/computations.h"
#include "verify/validate/library.h"

namespace partir::validate {

Kernel kernel_of(Meaning meaning, std::vector<Type> operands, std::vector<Type> results, LiteralPtr value,
                 std::string operation) {
  const Continuity continuity = continuity_of(meaning);
  Kernel out{
      std::move(meaning), std::move(operands), std::move(results), std::move(value), std::move(operation), {}, nullptr,
      continuity};
  using Kind = IndexTerm::Kind;
  for (const IndexTerm& t : out.meaning.indices) {
    bool reads = t.kind == Kind::read;
    if (t.kind != Kind::constant && t.kind != Kind::range && t.kind != Kind::read)
      reads = out.reads_data[t.a.index()] || out.reads_data[t.b.index()];
    out.reads_data.push_back(reads);
  }
  return out;
}

namespace {

constexpr std::size_t kMostTaps = 16;       ///< most elements of a window of which each pair is compared
constexpr std::int64_t kMostListed = 4096;  ///< most elements among which an index chooses if it has too many cases

class Evaluation {
 public:
  Evaluation(Kernel& kernel, const std::vector<ArrayPtr>& operands, Algebra& algebra)
      : k_(kernel),
        m_(kernel.meaning),
        operands_(operands),
        algebra_(algebra),
        at_(m_.extents.size(), 0),
        computations_(m_, algebra, [this](std::span<const ScalarId> scalars, std::vector<Element> arguments) {
          return applied(scalars, std::move(arguments));
        }) {
    for (const ArrayPtr& a : operands_) strides_.push_back(strides_of(a->type.dims));
    if (k_.value != nullptr) value_strides_ = strides_of(k_.value->type.dims);
  }

  void result(std::size_t number, Array& out) {
    const ResultMeaning& r = m_.results[number];
    if (m_.at(r.body).kind == ScalarTerm::Kind::library) {
      library(r, out);
      return;
    }
    std::vector<std::int64_t> index(r.ranges.size(), 0);
    std::size_t next = 0;
    do {
      algebra_.spend(1);
      for (std::size_t d = 0; d < index.size(); ++d) at_[r.ranges[d].index()] = index[d];
      out.data[next++] = scalar(r.body);
    } while (advance(index, out.type.dims));
  }

 private:
  [[nodiscard]] std::int64_t plain_index(IndexId id) const { return index_value(m_, id, at_); }

  Element index(IndexId id) {
    if (!k_.reads_data[id.index()]) return Element::integer(plain_index(id));
    const IndexTerm& t = m_.at(id);
    using Kind = IndexTerm::Kind;
    if (t.kind == Kind::read) {
      const auto operand = static_cast<std::size_t>(t.value);
      const Element e = read(operand, t.indices);
      const ElementType type = operands_[operand]->type.element;
      return e.is(Element::Kind::integer) && (type != ElementType::ui64 || e.as_int() >= 0) ? e : position(e, type);
    }
    const Element a = index(t.a);
    const Element b = index(t.b);
    const auto fn = [&](ScalarFn f) { return algebra_.apply(f, ElementType::i64, ElementType::i64, {a, b}); };
    switch (t.kind) {
      case Kind::add: return fn(ScalarFn::add);
      case Kind::multiply: return fn(ScalarFn::multiply);
      case Kind::min: return fn(ScalarFn::minimum);
      case Kind::max: return fn(ScalarFn::maximum);
      default: {
        const Element args[] = {a, b};
        const auto out = algebra_.by_cases(args, [&](std::span<const Element> v) -> std::optional<Element> {
          if (!v[0].is(Element::Kind::integer) || !v[1].is(Element::Kind::integer) || v[1].as_int() <= 0)
            return std::nullopt;
          return Element::integer(binary_value(t.kind, v[0].as_int(), v[1].as_int()));
        });
        if (!out) throw Unknown{"a quotient of an index that depends on data"};
        return *out;
      }
    }
  }

  /// Converts an integer of the type to a position. Integers of 2^63 and more are mapped to 2^63 - 1, beyond every
  /// size.
  Element position(Element e, ElementType type) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const Element p = algebra_.apply(ScalarFn::convert, type, ElementType::i64, {e});
    if (type != ElementType::ui64) return p;
    const Element beyond = algebra_.apply(ScalarFn::compare_gt, type, ElementType::i1, {e, Element::integer(most)});
    return algebra_.select(beyond, Element::integer(most), p, ElementType::i64);
  }

  Element read(std::size_t operand, const std::vector<IndexId>& indices) {
    const Array& x = *operands_[operand];
    const auto& strides = strides_[operand];
    std::int64_t position = 0;
    bool inside = true;
    std::vector<std::pair<std::size_t, Element>> symbolic;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      std::int64_t i = 0;
      if (!k_.reads_data[indices[d].index()]) {
        i = plain_index(indices[d]);
      } else {
        const Element e = index(indices[d]);
        if (!e.is(Element::Kind::integer)) {
          if (e.is(Special::poison)) return e;
          symbolic.emplace_back(d, e);
          continue;
        }
        i = e.as_int();
      }
      inside = inside && i >= 0 && i < x.type.dims[d];
      position += i * strides[d];
    }
    if (!inside) return Element::special(Special::poison);
    if (symbolic.empty()) return x.data[static_cast<std::size_t>(position)];
    return read_by_cases(x, strides, symbolic, 0, position);
  }

  Element read_by_cases(const Array& x, const std::vector<std::int64_t>& strides,
                        const std::vector<std::pair<std::size_t, Element>>& symbolic, std::size_t next,
                        std::int64_t position) {
    if (next == symbolic.size()) return x.data[static_cast<std::size_t>(position)];
    const auto [d, e] = symbolic[next];
    const auto out = algebra_.by_index(e, x.type.dims[d], [&, dim = d](std::int64_t i) {
      return read_by_cases(x, strides, symbolic, next + 1, position + i * strides[dim]);
    });
    if (out) return *out;
    // Otherwise it is an unknown function of the index and of all elements that it may select.
    std::vector<Element> all = {e};
    const std::int64_t count = x.type.dims[d];
    if (count > kMostListed) throw Unknown{"an index that depends on data in more ways than are followed"};
    for (std::int64_t i = 0; i < count; ++i)
      all.push_back(read_by_cases(x, strides, symbolic, next + 1, position + i * strides[d]));
    for (const Element a : all) {
      if (algebra_.contains(a, Special::poison))
        throw Unknown{"an index that depends on data in more ways than are followed"};
    }
    return algebra_.opaque(fmt::format("element of {}", x.type.dims[d]), x.type.element, all);
  }

  /// Whether all guards hold, as an i1.
  Element holds(const std::vector<Guard>& guards) {
    Element all = Element::integer(1);
    for (const Guard& g : guards) {
      const Element i = index(g.index);
      const ScalarFn fn = g.kind == Guard::Kind::zero ? ScalarFn::compare_eq : ScalarFn::compare_ge;
      const Element one = algebra_.apply(fn, ElementType::i64, ElementType::i1, {i, Element::integer(0)});
      if (one == Element::integer(0)) return one;
      if (one != Element::integer(1))
        all = algebra_.apply(ScalarFn::logical_and, ElementType::i1, ElementType::i1, {all, one});
    }
    return all;
  }

  Element scalar(ScalarId id) {
    const ScalarTerm& t = m_.at(id);
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: return read(t.operand, t.indices);
      case Kind::attribute: {
        std::int64_t position = 0;
        for (std::size_t d = 0; d < t.indices.size(); ++d) position += plain_index(t.indices[d]) * value_strides_[d];
        return algebra_.from_literal(*k_.value, k_.value->splat ? 0 : position);
      }
      case Kind::literal: return algebra_.from_literal(*t.literal, 0);
      case Kind::from_index: {
        const Element i = index(t.indices[0]);
        if (i.is(Element::Kind::integer)) return algebra_.from_index(i.as_int(), t.type);
        return algebra_.apply(ScalarFn::convert, ElementType::i64, t.type, {i});
      }
      case Kind::argument: return arguments_[t.operand];
      case Kind::apply: {
        if (const auto selected = is_selected(t)) return *selected;
        std::array<Element, 3> args;
        for (std::size_t k = 0; k < t.args.size(); ++k) args[k] = scalar(t.args[k]);
        const ElementType in = t.fn == ScalarFn::select ? t.type : m_.at(t.args[0]).type;
        return algebra_.apply(t.fn, in, t.type, std::span<const Element>(args.data(), t.args.size()));
      }
      case Kind::guarded: {
        const Element h = holds(t.guards);
        if (h.is(Element::Kind::integer)) return scalar(t.args[h.as_int() != 0 ? 0 : 1]);
        const Element a = algebra_.under(h, [&] { return scalar(t.args[0]); });
        const Element otherwise = algebra_.apply(ScalarFn::logical_not, ElementType::i1, ElementType::i1, {h});
        const Element b = algebra_.under(otherwise, [&] { return scalar(t.args[1]); });
        return algebra_.select(h, a, b, t.type);
      }
      case Kind::reduce: return reduce(t);
      case Kind::library: break;
    }
    throw Unknown{"a library function inside another"};
  }

  /// Calls f(guard) for all values of the term's ranges. The guard is the result of holds(); values for which it is 0
  /// are skipped.
  template <class F>
  void for_each(const ScalarTerm& t, F&& f) {
    std::vector<std::int64_t> extents;
    for (const RangeId r : t.ranges) {
      if (m_.extent(r) == 0) return;
      extents.push_back(m_.extent(r));
    }
    std::vector<std::int64_t> k(extents.size(), 0);
    do {
      algebra_.spend(1);
      for (std::size_t d = 0; d < k.size(); ++d) at_[t.ranges[d].index()] = k[d];
      const Element h = t.guards.empty() ? Element::integer(1) : holds(t.guards);
      if (h != Element::integer(0)) f(h);
    } while (advance(k, extents));
  }

  Element reduce(const ScalarTerm& t) {
    const Algebra::Inside inside(algebra_);
    const std::size_t values = t.combine.size();
    const ScalarTerm& combine = m_.at(t.combine[0]);
    const auto is_argument = [&](std::size_t k) {
      const ScalarTerm& a = m_.at(combine.args[k]);
      return a.kind == ScalarTerm::Kind::argument && a.operand == k;
    };
    const bool simple =
        values == 1 && combine.kind == ScalarTerm::Kind::apply && combine.args.size() == 2 &&
        ((is_argument(0) && is_argument(1)) ||
         (m_.at(combine.args[0]).kind == ScalarTerm::Kind::argument && m_.at(combine.args[0]).operand == 1 &&
          m_.at(combine.args[1]).kind == ScalarTerm::Kind::argument && m_.at(combine.args[1]).operand == 0)) &&
        monoid_of(combine.fn).has_value();
    if (simple && combine.fn == ScalarFn::add && t.type != ElementType::i1) {
      Element sum = scalar(t.args[0]);
      const Element zero = algebra_.from_index(0, t.type);
      for_each(t, [&](Element h) {
        Element e = scalar(t.args[1]);
        if (h != Element::integer(1)) e = algebra_.select(h, e, zero, t.type);
        sum = algebra_.add(sum, e, t.type);
      });
      return sum;
    }
    if (simple && (combine.fn == ScalarFn::maximum || combine.fn == ScalarFn::minimum)) {
      std::vector<Element> all = {scalar(t.args[0])};
      bool guarded = false;
      Element so_far = all[0];
      for_each(t, [&](Element h) {
        const Element e = scalar(t.args[1]);
        guarded = guarded || h != Element::integer(1);
        if (!guarded) {
          all.push_back(e);
          return;
        }
        if (!all.empty()) so_far = algebra_.extremum(combine.fn, std::move(all), t.type);
        all.clear();
        so_far = algebra_.select(h, algebra_.extremum(combine.fn, {so_far, e}, t.type), so_far, t.type);
      });
      return guarded ? so_far : algebra_.extremum(combine.fn, std::move(all), t.type);
    }
    if (values == 2) {
      if (auto out = place_of_greatest(t)) return *out;
    }
    return fold(t);
  }

  /// Any other fold. The machine chooses the order, so where the order matters the result is an unknown function of all
  /// members.
  Element fold(const ScalarTerm& t) {
    const std::size_t values = t.combine.size();
    std::vector<Element> acc;
    for (std::size_t v = 0; v < values; ++v) acc.push_back(scalar(t.args[v]));
    // A flag says whether a member counts, like a guard.
    const bool flags = computations_.passes_flag(t) && acc[1] == Element::integer(0);
    std::vector<std::pair<Element, std::vector<Element>>> members;  // (guard, values) of each
    for_each(t, [&](Element h) {
      members.emplace_back(h, std::vector<Element>());
      auto& [guard, member] = members.back();
      for (std::size_t v = 0; v < values; ++v) member.push_back(scalar(t.args[values + v]));
      if (!flags) return;
      guard = algebra_.apply(ScalarFn::logical_and, ElementType::i1, ElementType::i1, {h, member[1]});
      member[1] = Element::integer(1);
      if (guard == Element::integer(0)) members.pop_back();
    });
    // With guards (the updates of a scatter), the initial value comes first, so one update has only one order.
    const std::size_t in_order = t.guards.empty() ? 0 : 1;
    const auto may_be_nan = [&](const std::vector<Element>& all) {
      return std::any_of(all.begin(), all.end(), [&](Element e) { return algebra_.may_be_nan(e); });
    };
    Computations::Order order = Computations::Order::free;
    if (members.size() > in_order) {
      order = computations_.combination(t).order;
      // A computation may be free of the order on numbers only: of NaN, a comparison may keep either side.
      if (may_be_nan(acc) ||
          std::any_of(members.begin(), members.end(), [&](const auto& m) { return may_be_nan(m.second); }))
        order = Computations::Order::counts;
    }
    if (order != Computations::Order::free) {
      if (std::all_of(members.begin(), members.end(), [](const auto& m) { return m.first == Element::integer(1); })) {
        std::vector<Element> all = computations_.combination(t).of_two;
        all.insert(all.end(), acc.begin(), acc.end());
        for (const auto& [h, member] : members) all.insert(all.end(), member.begin(), member.end());
        if (computations_.combination(t).is_partial) algebra_.note_partial("a fold by " + record_of(t), all);
        return algebra_.opaque(fmt::format("result {} of a fold by {}", t.operand, operation(t)), t.type, all);
      }
      // Data decides which members count.
      if (order == Computations::Order::counts) k_.depends_on_order = true;
    }
    const bool is_open = order == Computations::Order::counts;
    Element seen = Element::integer(0);      // whether a member counts
    Element collides = Element::integer(0);  // whether several do
    const auto both = [&](ScalarFn fn, Element a, Element b) {
      return algebra_.apply(fn, ElementType::i1, ElementType::i1, {a, b});
    };
    for (const auto& [h, member] : members) {
      if (is_open) {
        collides = both(ScalarFn::logical_or, collides, both(ScalarFn::logical_and, seen, h));
        seen = both(ScalarFn::logical_or, seen, h);
      }
      const bool always = h == Element::integer(1);
      const auto combine = [&, &with = member] { return combined(t, acc, with); };
      const std::vector<Element> next = always ? combine() : algebra_.under(h, combine);
      for (std::size_t v = 0; v < values; ++v)
        acc[v] = always ? next[v] : algebra_.select(h, next[v], acc[v], m_.at(t.combine[v]).type);
    }
    if (collides == Element::integer(0)) return acc[t.operand];
    // Where several count, the machine chooses the order: the result is equal only to that of another such fold.
    const Element chosen = algebra_.opaque("of members in any order by " + operation(t), t.type, {&acc[t.operand], 1});
    return algebra_.select(collides, chosen, acc[t.operand], t.type);
  }

  /// The members of a fold of pairs (value, place), and its term.
  struct Window {
    const ScalarTerm* fold;
    std::vector<Element> values;
    std::vector<std::int64_t> places;
  };
  struct WindowOrder {
    bool operator()(const Window& a, const Window& b) const {
      if (a.fold != b.fold) return std::less<>()(a.fold, b.fold);
      if (a.places != b.places) return a.places < b.places;
      return std::lexicographical_compare(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                                          ElementOrder{});
    }
  };

  /// Whether a fold of pairs selects a place, for `t` = (place of the fold == place). select_and_scatter, the only
  /// operation that asks so, visits a window in order and keeps an element or takes the next one. If it does so by a
  /// comparison of numbers, a place is selected if it takes precedence over all before it and is kept at all behind it.
  /// (By transitivity: it need not be known which one it is compared with.) Nothing for other terms.
  std::optional<Element> is_selected(const ScalarTerm& t) {
    if (t.fn != ScalarFn::compare_eq || m_.at(t.args[0]).kind != ScalarTerm::Kind::reduce) return std::nullopt;
    const ScalarTerm& fold = m_.at(t.args[0]);
    const Element place = scalar(t.args[1]);
    if (fold.combine.size() != 2 || fold.operand != 1 || !place.is(Element::Kind::integer)) return std::nullopt;
    Window window{&fold, {}, {}};
    bool known = true;
    for_each(fold, [&](Element h) {
      const Element number = scalar(fold.args[3]);
      known = known && h == Element::integer(1) && number.is(Element::Kind::integer);
      window.values.push_back(scalar(fold.args[2]));
      window.places.push_back(known ? number.as_int() : 0);
    });
    if (!known || window.values.size() > kMostTaps) return std::nullopt;
    auto at = selected_.find(window);
    if (at == selected_.end()) at = selected_.emplace(window, selected(window)).first;
    if (!at->second) return std::nullopt;
    const auto mine = std::find(window.places.begin(), window.places.end(), place.as_int());
    return mine == window.places.end() ? Element::integer(0)
                                       : (*at->second)[static_cast<std::size_t>(mine - window.places.begin())];
  }

  /// Whether each of the members is selected; nothing if the fold does not select by a comparison of numbers.
  std::optional<std::vector<Element>> selected(const Window& window) {
    const ScalarTerm& fold = *window.fold;
    const ElementType type = m_.at(fold.combine[0]).type;
    const ElementType of_place = m_.at(fold.combine[1]).type;
    const std::size_t count = window.values.size();
    const auto member = [&](std::size_t k) {
      return std::vector{window.values[k], Element::integer(window.places[k])};
    };
    const std::vector<Element> none = {scalar(fold.args[0]), scalar(fold.args[1])};
    for (std::size_t k = 0; k < count; ++k) {
      if (algebra_.may_be_nan(window.values[k]) || combined(fold, none, member(k)) != member(k)) return std::nullopt;
    }
    std::vector<Element> out(count, Element::integer(1));
    const auto require = [&](std::size_t k, Element condition) {
      out[k] = algebra_.apply(ScalarFn::logical_and, ElementType::i1, ElementType::i1, {out[k], condition});
    };
    const auto selects_by = [&](ScalarFn order) {
      for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t a = 0; a < b; ++a) {
          const auto first = member(a);
          const auto second = member(b);
          const Element keeps = algebra_.apply(order, type, ElementType::i1, {first[0], second[0]});
          const auto next = combined(fold, first, second);
          if (window.places[a] == window.places[b] ||
              !algebra_.equal(next[0], algebra_.select(keeps, first[0], second[0], type)) ||
              !algebra_.equal(next[1], algebra_.select(keeps, first[1], second[1], of_place)))
            return false;
          require(a, keeps);
          require(b, algebra_.apply(ScalarFn::logical_not, ElementType::i1, ElementType::i1, {keeps}));
        }
      }
      return true;
    };
    for (const ScalarFn order :
         {ScalarFn::compare_ge, ScalarFn::compare_gt, ScalarFn::compare_le, ScalarFn::compare_lt}) {
      out.assign(count, Element::integer(1));
      if (selects_by(order)) return out;
    }
    return std::nullopt;
  }

  /// The operation and the extents over which it folds, which may decide the order.
  [[nodiscard]] std::string operation(const ScalarTerm& fold) const {
    std::string out = k_.operation + " over";
    for (const RangeId r : fold.ranges) out += fmt::format(" {}", m_.extent(r));
    return out;
  }

  /// The computation of a fold, or the comparator of a sort, as text.
  [[nodiscard]] std::string record_of(const ScalarTerm& t) const {
    std::string out;
    for (const ScalarId c : t.combine) out += validate::record_of(m_, c) + ";";
    return out;
  }

  /// Applies a fold's computation to two tuples.
  std::vector<Element> combined(const ScalarTerm& t, const std::vector<Element>& a, const std::vector<Element>& b) {
    std::vector<Element> arguments = a;
    arguments.insert(arguments.end(), b.begin(), b.end());
    return applied(t.combine, std::move(arguments));
  }

  /// Evaluates scalars on the arguments of a fold's computation.
  std::vector<Element> applied(std::span<const ScalarId> scalars, std::vector<Element> arguments) {
    std::swap(arguments_, arguments);
    std::vector<Element> out;
    for (const ScalarId s : scalars) out.push_back(scalar(s));
    std::swap(arguments_, arguments);
    return out;
  }

  std::optional<Element> place_of_greatest(const ScalarTerm& t) {
    const auto choice = computations_.choice(t);
    if (!choice) return std::nullopt;
    std::vector<Element> all[2];
    for (std::size_t v = 0; v < 2; ++v) all[v].push_back(scalar(t.args[v]));
    bool guarded = false;
    for_each(t, [&](Element h) {
      guarded = guarded || h != Element::integer(1);
      for (std::size_t v = 0; v < 2; ++v) all[v].push_back(scalar(t.args[2 + v]));
    });
    if (guarded || std::any_of(all[0].begin(), all[0].end(), [&](Element e) { return algebra_.may_be_nan(e); }))
      return std::nullopt;
    if (t.operand == 0)
      return algebra_.extremum(choice->least ? ScalarFn::minimum : ScalarFn::maximum, std::move(all[0]), t.type);
    const auto place = algebra_.at_greatest(std::move(all[0]), std::move(all[1]), choice->least, choice->ties,
                                            m_.at(t.combine[0]).type);
    if (!place || choice->ties == Algebra::Ties::smallest) return place;
    // Which of equal values comes first or last is up to the machine's order.
    return algebra_.opaque("place among equal values by " + operation(t), t.type, {&*place, 1});
  }

  void library(const ResultMeaning& r, Array& out) {
    const ScalarTerm& t = m_.at(r.body);
    std::vector<std::size_t> mixed;  // dimensions of the result, in the function's order
    LibraryCall call;
    call.name = t.library;
    call.result = t.operand;
    call.type = t.type;
    call.linear = t.linear;
    for (const IndexId i : t.indices) {
      const auto at = std::find(r.ranges.begin(), r.ranges.end(), m_.at(i).range);
      mixed.push_back(static_cast<std::size_t>(at - r.ranges.begin()));
      call.dims.push_back(out.type.dims[mixed.back()]);
    }
    if (!t.combine.empty()) call.name += " by " + record_of(t);
    if (t.library == "sort") call.descends = computations_.descends(t);
    for (std::size_t k = 0; k < t.args.size(); ++k) {
      call.types.push_back(m_.at(t.args[k]).type);
      std::vector<std::int64_t> dims;
      for (const RangeId range : t.arrays[k]) dims.push_back(m_.extent(range));
      call.shapes.push_back(std::move(dims));
    }
    const auto strides = strides_of(out.type.dims);
    std::vector<std::int64_t> index(r.ranges.size(), 0);
    std::vector<std::int64_t> outer = out.type.dims;
    for (const std::size_t d : mixed) outer[d] = 1;
    do {
      call.arrays.clear();
      for (std::size_t k = 0; k < t.args.size(); ++k) {
        for (std::size_t d = 0; d < index.size(); ++d) at_[r.ranges[d].index()] = index[d];
        std::vector<Element> elements;
        std::vector<std::int64_t> inner(t.arrays[k].size(), 0);
        if (std::find(call.shapes[k].begin(), call.shapes[k].end(), 0) == call.shapes[k].end()) {
          do {
            for (std::size_t d = 0; d < inner.size(); ++d) at_[t.arrays[k][d].index()] = inner[d];
            elements.push_back(scalar(t.args[k]));
          } while (advance(inner, call.shapes[k]));
        }
        call.arrays.push_back(std::move(elements));
      }
      const std::vector<Element> part = call_library(call, algebra_);
      std::int64_t base = 0;
      for (std::size_t d = 0; d < index.size(); ++d) base += index[d] * strides[d];
      std::vector<std::int64_t> inner(mixed.size(), 0);
      std::size_t next = 0;
      do {
        std::int64_t position = base;
        for (std::size_t d = 0; d < mixed.size(); ++d) position += inner[d] * strides[mixed[d]];
        out.data[static_cast<std::size_t>(position)] = part[next++];
      } while (advance(inner, call.dims));
    } while (advance(index, outer));
  }

  Kernel& k_;
  const Meaning& m_;
  const std::vector<ArrayPtr>& operands_;
  Algebra& algebra_;
  std::vector<std::int64_t> at_;
  std::vector<std::vector<std::int64_t>> strides_;
  std::vector<std::int64_t> value_strides_;
  std::vector<Element> arguments_;
  std::map<Window, std::optional<std::vector<Element>>, WindowOrder> selected_;
  Computations computations_;
};

}  // namespace

std::vector<ArrayPtr> evaluate(Kernel& kernel, const std::vector<ArrayPtr>& operands, Algebra& algebra) {
  std::vector<ArrayPtr> results;
  std::optional<Evaluation> evaluation;
  for (std::size_t k = 0; k < kernel.results.size(); ++k) {
    auto out = std::make_shared<Array>();
    out->type = *kernel.results[k];
    out->data.resize(static_cast<std::size_t>(out->type.elements()));
    if (!out->data.empty() && !evaluate_points(kernel, k, operands, algebra, *out)) {
      if (!evaluation) evaluation.emplace(kernel, operands, algebra);
      evaluation->result(k, *out);
    }
    results.push_back(std::move(out));
  }
  return results;
}

}  // namespace partir::validate
