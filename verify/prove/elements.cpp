#include "verify/prove/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/core.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "verify/prove/integers.h"
#include "verify/prove/record.h"

namespace partir::prove {

bool is_number(ElementType type) { return is_float(type) || is_complex(type) || is_integer(type); }
bool wraps(ElementType type) { return is_integer(type) && type != ElementType::i1; }

namespace {

/// The monoid that a function combines by on a type: on booleans addition is or, multiplication and.
std::optional<Monoid> monoid_on(ScalarFn fn, ElementType type) {
  const std::optional<Monoid> m = monoid_of(fn);
  if (!m || type != ElementType::i1) return m;
  switch (*m) {
    case Monoid::sum:
    case Monoid::max:
    case Monoid::disj: return Monoid::disj;
    default: return Monoid::conj;
  }
}

Expr negated(const Expr& e, Context& c) {
  const auto orders = [](const Factor& f) {
    return f.kind == Factor::Kind::fold && (f.monoid == Monoid::max || f.monoid == Monoid::min) && !f.wraps;
  };
  Expr out;
  for (const Term& t : e.terms) {
    const bool fits = std::all_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) {
      return orders(f) || f.kind == Factor::Kind::guard || f.kind == Factor::Kind::guard_eq ||
             (f.kind == Factor::Kind::apply && f.name == "indicator");
    });
    if (t.coefficient <= 0 || !t.ranges.empty() || !fits ||
        std::count_if(t.factors.begin(), t.factors.end(), orders) != 1) {
      out.terms.push_back(t);
      if (__builtin_mul_overflow(t.coefficient, -1, &out.terms.back().coefficient))
        throw GiveUp{"a coefficient beyond 64 bits"};
      continue;
    }
    Term others = t;
    const auto place = std::find_if(others.factors.begin(), others.factors.end(), orders);
    const Factor f = *place;  // - a max x is a min of - x
    others.factors.erase(place);
    const Monoid dual = f.monoid == Monoid::max ? Monoid::min : Monoid::max;
    std::optional<Expr> all;
    for (std::size_t k = 0; k < f.args.size(); ++k) {
      const Expr member = fold(dual, f.ranges[k], f.conditions[k], negated(*f.args[k], c), c);
      all = all ? combine(dual, *all, member, c) : member;
    }
    if (!all) throw GiveUp{"a maximum of nothing"};
    for (const Term& term : all->terms) {
      Term next = others;
      if (__builtin_mul_overflow(term.coefficient, t.coefficient, &next.coefficient))
        throw GiveUp{"a coefficient beyond 64 bits"};
      next.ranges.insert(next.ranges.end(), term.ranges.begin(), term.ranges.end());
      next.factors.insert(next.factors.end(), term.factors.begin(), term.factors.end());
      out.terms.push_back(std::move(next));
    }
  }
  return noted(
      replay::Rule::negation, c,
      [&](Recorder& r) {
        return r.join(Monoid::prod, {r.proof.terms.number(-1), r.term(e)});
      },
      std::move(out));
}

/// The combination over devices or elements that a comparison with a maximum or minimum is; nothing where it is none.
std::optional<Monoid> compared(ScalarFn fn, Monoid of, bool on_the_left) {
  const bool greater = fn == ScalarFn::compare_gt || fn == ScalarFn::compare_ge;
  if (!greater && fn != ScalarFn::compare_lt && fn != ScalarFn::compare_le) return std::nullopt;
  if (of != Monoid::max && of != Monoid::min) return std::nullopt;
  return (greater == on_the_left) == (of == Monoid::max) ? Monoid::disj : Monoid::conj;
}

class Evaluation {
 public:
  Evaluation(const SymbolicProgram& program, const DeviceElement& argument, DeviceAt device, Context& c,
             const OutOfTime& out_of_time)
      : p_(program), argument_(argument), device_(std::move(device)), c_(c), out_of_time_(out_of_time) {}

  Expr element(ValueId v, const std::vector<Poly>& at) {
    if (++steps_ > 20000) throw GiveUp{"a program of too many terms"};
    if (out_of_time_ && out_of_time_()) throw GiveUp{"out of time"};
    const int defined = p_.defined_by[v.index()];
    if (defined < 0) {
      const auto& list = function().arguments();
      return argument_(static_cast<std::size_t>(std::find(list.begin(), list.end(), v) - list.begin()), at, device_);
    }
    const SymbolicOp& op = p_.ops[static_cast<std::size_t>(defined)];
    const auto number =
        static_cast<std::size_t>(std::find(op.op->results.begin(), op.op->results.end(), v) - op.op->results.begin());
    if (op.op->decl->kind == OpDecl::Kind::core) return core(op, number, v, at);
    if (op.op->decl->kind == OpDecl::Kind::collective) return collective(*op.op, v, at);
    const ResultMeaning& r = op.meaning.results[number];
    Frame frame{&op, {}, {}};
    for (std::size_t d = 0; d < r.ranges.size(); ++d) frame.at[r.ranges[d]] = at[d];
    return simplified(scalar(r.body, frame), c_);
  }

 private:
  struct Frame {
    const SymbolicOp* op;
    std::map<RangeId, Poly> at;
    std::vector<Expr> arguments;  ///< of a combination
  };

  [[nodiscard]] const Function& function() const { return p_.module.functions.at(0); }

  // Loops and slices, and collectives over mesh axes.

  const std::vector<Poly>& dims(ValueId v) const { return p_.dims[v.index()]; }

  static Dim dim_of(const Op& op, const char* name) {
    return static_cast<Dim>(find(op.attributes, name)->as<IntAttr>()->value);
  }

  /// The part of an index, and the index in the part; parts are of one size.
  std::pair<Poly, Poly> parted(const Poly& index, const Poly& size) {
    const Poly part = c_.div(index, size);
    return {part, index - part * size};
  }

  Expr core(const SymbolicOp& op, std::size_t number, ValueId v, std::vector<Poly> at) {
    if (op.op->name() == "partir.slice") {
      const Dim d = dim_of(*op.op, "dim");
      at[d] = iteration_.at(op.op->operands[1]) * dims(v)[d] + at[d];
      return element(op.op->operands[0], at);
    }
    const Action action = loop_actions(op.op->attributes)[number];
    const ValueId index = op.op->regions[0].arguments[0];
    const ValueId yielded = op.op->regions[0].ops.back().operands[number];
    const auto iteration = [&](const Poly& r) {
      iteration_[index] = r;
      return element(yielded, at);
    };
    if (action.is_tile()) {
      const auto [part, inside] = parted(at[action.dim], dims(yielded)[action.dim]);
      at[action.dim] = inside;
      return iteration(part);
    }
    const AtomId r = c_.range(op.iterations);
    const Expr body = simplified(iteration(Poly::atom(r)), c_);
    if (action.is_partial()) return over_devices(action.monoid, {r}, body, function().type(v).element);
    if (contains(body, r, c_)) throw GiveUp{"an #any loop whose iterations differ"};
    return body;
  }

  Expr over_devices(Monoid m, const std::vector<AtomId>& devices, const Expr& body, ElementType type) {
    if (m == Monoid::sum && !is_number(type)) throw GiveUp{"sums of booleans"};
    return folded(m, devices, {}, simplified(body, c_), type);
  }

  Expr collective(const Op& op, ValueId v, std::vector<Poly> at) {
    const ValueId x = op.operands[0];
    std::vector<std::string> axes;
    for (const Attribute& a : find(op.attributes, "axes")->as<ArrayAttr>()->items) {
      axes.push_back(a.as<StringAttr>()->value);
      if (!device_.contains(axes.back())) throw GiveUp{"a collective over an axis that the claim does not name"};
    }
    const auto position = [&] {  // of this device among those of its group
      Poly out;
      for (const std::string& a : axes) out = out * device_.at(a).size + device_.at(a).coordinate;
      return out;
    };
    const auto chunk = [&](Dim d, const Poly& of) { at[d] = of * dims(v)[d] + at[d]; };
    const auto from_part = [&](Dim d) {  // the device that has the part in which an index lies
      auto [part, inside] = parted(at[d], dims(x)[d]);
      at[d] = inside;
      DeviceAt there = device_;
      for (std::size_t k = axes.size(); k-- > 0;) {
        const auto [rest, digit] = parted(part, device_.at(axes[k]).size);
        there.at(axes[k]).coordinate = k == 0 ? part : digit;
        part = rest;
      }
      return there;
    };
    const std::string& name = op.name();
    if (name == "spmd.all_slice") {
      chunk(dim_of(op, "dim"), position());
      return element(x, at);
    }
    if (name == "spmd.all_gather") return elsewhere(from_part(dim_of(op, "dim")), x, at);
    if (name == "spmd.all_to_all") {
      const Poly here = position();
      const DeviceAt there = from_part(dim_of(op, "from"));
      chunk(dim_of(op, "to"), here);
      return elsewhere(there, x, at);
    }
    if (name == "spmd.all_reduce" || name == "spmd.reduce_scatter") {
      if (name == "spmd.reduce_scatter") chunk(dim_of(op, "dim"), position());
      DeviceAt there = device_;
      std::vector<AtomId> devices;
      for (const std::string& a : axes) {
        devices.push_back(c_.range(device_.at(a).size));
        there.at(a).coordinate = Poly::atom(devices.back());
      }
      const Monoid m = *monoid_from(find(op.attributes, "monoid")->as<StringAttr>()->value);
      return over_devices(m, devices, elsewhere(there, x, at), function().type(v).element);
    }
    throw GiveUp{name + " in a claim"};
  }

  Expr elsewhere(DeviceAt there, ValueId v, const std::vector<Poly>& at) {
    std::swap(device_, there);
    Expr out = element(v, at);
    std::swap(device_, there);
    return out;
  }

  /// Of the program's values, each once.
  const std::vector<Poly>& sizes() {
    if (!sizes_) {
      sizes_.emplace();
      for (const auto& dims : p_.dims) {
        for (const Poly& d : dims) {
          if (!d.is_constant() && std::find(sizes_->begin(), sizes_->end(), d) == sizes_->end()) sizes_->push_back(d);
        }
      }
    }
    return *sizes_;
  }

  // Index notation.

  Poly index(IndexId id, Frame& f) {
    const IndexTerm& t = f.op->meaning.at(id);
    using Kind = IndexTerm::Kind;
    switch (t.kind) {
      case Kind::constant: return f.op->constants[id.index()];
      case Kind::range: return f.at.at(t.range);
      case Kind::add: return index(t.a, f) + index(t.b, f);
      case Kind::multiply: return index(t.a, f) * index(t.b, f);
      case Kind::floor_div: return c_.div(index(t.a, f), divisor(t.b, f));
      case Kind::mod: return c_.mod(index(t.a, f), divisor(t.b, f));
      case Kind::min: return c_.min(index(t.a, f), index(t.b, f));
      case Kind::max: return c_.max(index(t.a, f), index(t.b, f));
      case Kind::read: {
        const ElementType type = function().type(f.op->op->operands[static_cast<std::size_t>(t.value)]).element;
        return integer(operand(static_cast<std::size_t>(t.value), t.indices, f), type, sizes(), c_);
      }
    }
    return {};
  }

  Poly divisor(IndexId id, Frame& f) {
    const Poly q = index(id, f);
    if (!c_.non_negative(q - 1)) throw GiveUp{"a division of indices by what may not be positive"};
    return q;
  }

  Expr operand(std::size_t k, const std::vector<IndexId>& at, Frame& f) {
    std::vector<Poly> indices;
    for (const IndexId i : at) indices.push_back(index(i, f));
    return element(f.op->op->operands[k], indices);
  }

  std::vector<Factor> guards(const std::vector<Guard>& list, Frame& f) {
    std::vector<Factor> out;
    for (const Guard& g : list) {
      Factor guard;
      guard.kind = g.kind == Guard::Kind::zero ? Factor::Kind::guard_eq : Factor::Kind::guard;
      guard.indices = {index(g.index, f)};
      out.push_back(std::move(guard));
    }
    return out;
  }

  Expr literal(const Literal& l, std::int64_t position) {
    const ElementType type = l.type.element;
    auto scalar = std::make_shared<Literal>(Literal{{type, {}, ""}, true, {}});
    const std::uint8_t* bytes = l.element(position);
    scalar->bytes.assign(bytes, bytes + byte_width(type));
    if (type == ElementType::i1) return factor(applied(scalar->as_int(0) != 0 ? "true" : "false", {}));
    if (is_integer(type) && std::abs(scalar->as_int(0)) < (1 << 20)) return number(scalar->as_int(0));
    if (is_float(type) || (is_complex(type) && scalar->as_complex(0).imag() == 0)) {
      const double v = is_float(type) ? scalar->as_double(0) : scalar->as_complex(0).real();
      if (v == std::floor(v) && std::fabs(v) < (1 << 20)) return number(static_cast<std::int64_t>(v));
    }
    for (const Monoid m : {Monoid::max, Monoid::min}) {
      if (ops::is_identity(scalar, m)) return factor(applied(m == Monoid::max ? "lowest" : "highest", {}));
    }
    const bool positive = is_float(type) && scalar->as_double(0) > 0 && std::isfinite(scalar->as_double(0));
    return factor(
        applied(fmt::format("{}literal {} {}", positive ? "positive " : "", partir::name_of(type), scalar->str()), {}));
  }

  /// Whether an expression is the identity of a monoid.
  static bool is_identity(const Expr& e, Monoid m) {
    if (e.terms.empty()) return m == Monoid::sum;
    if (e.terms.size() != 1 || !e.terms[0].ranges.empty()) return false;
    const Term& t = e.terms[0];
    if (t.factors.empty()) return m == Monoid::prod && t.coefficient == 1;
    if (t.factors.size() != 1 || t.coefficient != 1 || t.factors[0].kind != Factor::Kind::apply) return false;
    const std::string& name = t.factors[0].name;
    switch (m) {
      case Monoid::max: return name == "lowest";
      case Monoid::min: return name == "highest";
      case Monoid::conj: return name == "true";
      case Monoid::disj: return name == "false";
      default: return false;
    }
  }

  Expr combined(Monoid m, const Expr& a, const Expr& b, ElementType type) {
    if (is_identity(a, m)) return b;
    if (is_identity(b, m)) return a;
    return combine(m, a, b, c_, wraps(type));
  }

  static Expr as_number(const Poly& p) {
    if (p.is_constant()) return number(p.constant());
    Factor value;
    value.kind = Factor::Kind::index;
    value.indices = {p};
    return factor(std::move(value));
  }

  Expr scalar(ScalarId id, Frame& f) {
    const ScalarTerm& t = f.op->meaning.at(id);
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: return operand(t.operand, t.indices, f);
      case Kind::attribute: {
        const Literal& l = *f.op->value;
        if (f.op->splat) return as_number(*f.op->splat);
        if (l.splat || l.type.rank() == 0) return literal(l, 0);
        Factor read;
        read.kind = Factor::Kind::opaque;
        read.name = "constant " + l.str();
        for (const IndexId i : t.indices) read.indices.push_back(index(i, f));
        return factor(std::move(read));
      }
      case Kind::literal:
        if (const auto& p = f.op->literals[id.index()]) return as_number(*p);
        return literal(*t.literal, 0);
      case Kind::from_index: {
        const Poly p = index(t.indices[0], f);
        if (t.type == ElementType::i1) {
          if (!p.is_constant()) throw GiveUp{"an index as a boolean"};
          return factor(applied(p.constant() != 0 ? "true" : "false", {}));
        }
        return as_number(p);
      }
      case Kind::argument: return f.arguments.at(t.operand);
      case Kind::guarded: {
        const std::vector<Factor> list = independent(guards(t.guards, f), c_);
        const Expr then = scalar(t.args[0], f);
        const Expr otherwise = scalar(t.args[1], f);
        Expr inside = number(1);
        for (const Factor& g : list) inside = multiply(inside, factor(g), c_);
        inside = simplified(inside, c_);
        return choose(inside, simplified(then, c_), simplified(otherwise, c_), is_number(t.type), c_);
      }
      case Kind::apply: return apply(t, f);
      case Kind::reduce: return reduce(t, f);
      case Kind::library: {
        Factor out;
        out.kind = Factor::Kind::opaque;
        out.name = fmt::format("{}#{}", t.library, t.operand);
        for (const IndexId i : t.indices) out.indices.push_back(index(i, f));
        for (std::size_t k = 0; k < t.args.size(); ++k) {
          out.ranges.push_back(bind(t.arrays[k], f));
          out.args.push_back(std::make_shared<Expr>(simplified(scalar(t.args[k], f), c_)));
        }
        if (!t.combine.empty()) out.name += " by " + combination(t.combine, f);
        if (!t.linear) return factor(std::move(out));
        Expr sum;  // of what the function makes of each term
        const Expr all = factor(out);
        for (const Term& term : out.args[*t.linear]->terms) {
          Factor one = out;
          one.args[*t.linear] = std::make_shared<Expr>(Expr{{{1, {}, term.factors}}});
          sum.terms.push_back({term.coefficient, term.ranges, {std::move(one)}});
        }
        return noted(
            replay::Rule::linearity, c_, [&](Recorder& r) { return r.term(all); }, std::move(sum));
      }
    }
    return {};
  }

  std::vector<AtomId> bind(const std::vector<RangeId>& ranges, Frame& f) {
    std::vector<AtomId> out;
    for (const RangeId r : ranges) {
      out.push_back(c_.range(f.op->extents[r.index()]));
      f.at[r] = Poly::atom(out.back());
    }
    return out;
  }

  /// What a combination does, as a text.
  std::string combination(const std::vector<ScalarId>& combine, Frame& f) {
    std::vector<Expr> placeholders;
    for (std::size_t k = 0; k < 64; ++k) placeholders.push_back(factor(applied(fmt::format("argument {}", k), {})));
    std::swap(f.arguments, placeholders);
    std::string out;
    for (const ScalarId id : combine) out += scalar(id, f).key(c_) + ";";
    std::swap(f.arguments, placeholders);
    return out;
  }

  /// A combination over ranges, cut where guards of its body change.
  Expr folded(Monoid m, const std::vector<AtomId>& ranges, const std::vector<Factor>& where, const Expr& body,
              ElementType type, int cuts = 0) {
    AtomId range;
    Poly place;
    if (cuts < 4 && cut_of(ranges, body, c_, range, place)) {
      std::vector<Expr> sides;
      for (const bool behind : {false, true}) {
        const AtomId part = c_.range(behind ? c_.at(range).extent - place : place);
        const Substitution s{{range, behind ? Poly::atom(part) + place : Poly::atom(part)}};
        std::vector<AtomId> others = ranges;
        std::replace(others.begin(), others.end(), range, part);
        std::vector<Factor> conditions;
        for (const Factor& g : where) conditions.push_back(substitute(g, s, c_));
        sides.push_back(folded(m, others, conditions, simplified(substitute(body, s, c_), c_), type, cuts + 1));
      }
      return noted(
          replay::Rule::cut, c_, [&](Recorder& r) { return r.over(m, ranges, where, body); },
          m == Monoid::sum ? add(sides[0], sides[1]) : combine(m, sides[0], sides[1], c_, wraps(type)));
    }
    return m == Monoid::sum ? sum_over(ranges, body) : fold(m, ranges, where, body, c_, wraps(type));
  }

  /// What is common cancels before a maximum turns into a minimum of negatives.
  Expr difference(const Expr& a, const Expr& b) {
    Expr left;
    Expr taken;
    for (Term& t : simplified(add(a, b, -1), c_).terms) {
      Expr& side = t.coefficient < 0 ? taken : left;
      if (t.coefficient < 0 && __builtin_mul_overflow(t.coefficient, -1, &t.coefficient))
        throw GiveUp{"a coefficient beyond 64 bits"};
      side.terms.push_back(std::move(t));
    }
    const auto before = [&](Recorder& r) {
      return r.join(Monoid::sum, {r.term(a), r.join(Monoid::prod, {r.proof.terms.number(-1), r.term(b)})});
    };
    return noted(replay::Rule::difference, c_, before, add(left, negated(taken, c_)));
  }

  /// The monoid of a term over two arguments, in either order.
  [[nodiscard]] std::optional<Monoid> combiner(const Meaning& m, ScalarId id, std::size_t first,
                                               std::size_t second) const {
    const ScalarTerm& how = m.at(id);
    if (how.kind != ScalarTerm::Kind::apply || how.args.size() != 2) return std::nullopt;
    const auto is = [&](std::size_t a, std::size_t number) {
      const ScalarTerm& arg = m.at(how.args[a]);
      return arg.kind == ScalarTerm::Kind::argument && arg.operand == number;
    };
    const bool both = (is(0, first) && is(1, second)) || (is(0, second) && is(1, first));
    return both ? monoid_on(how.fn, how.type) : std::nullopt;
  }

  /// Of a fold of values and of whether each counts, `counts ? accumulated (+) value : accumulated`: the monoid (+).
  [[nodiscard]] std::optional<Monoid> passes_over(const ScalarTerm& t, const Meaning& m) const {
    const ScalarTerm& how = m.at(t.combine[0]);
    if (t.combine.size() != 2 || t.operand != 0 || how.kind != ScalarTerm::Kind::apply || how.fn != ScalarFn::select)
      return std::nullopt;
    const auto is = [&](std::size_t a, std::size_t number) {
      const ScalarTerm& arg = m.at(how.args[a]);
      return arg.kind == ScalarTerm::Kind::argument && arg.operand == number;
    };
    return is(0, 3) && is(2, 0) ? combiner(m, how.args[1], 0, 2) : std::nullopt;
  }

  static Expr identity(Monoid m) {
    switch (m) {
      case Monoid::sum: return {};
      case Monoid::prod: return number(1);
      case Monoid::max: return factor(applied("lowest", {}));
      case Monoid::min: return factor(applied("highest", {}));
      case Monoid::conj: return factor(applied("true", {}));
      case Monoid::disj: return factor(applied("false", {}));
    }
    return {};
  }

  Expr reduce(const ScalarTerm& t, Frame& f) {
    const std::size_t k = t.combine.size();
    const Meaning& m = f.op->meaning;
    std::optional<Monoid> monoid = passes_over(t, m);
    const bool masked = monoid.has_value();
    if (k == 1) monoid = combiner(m, t.combine[0], 0, 1);
    const Expr init = scalar(t.args[t.operand], f);
    std::vector<RangeId> several;
    for (const RangeId r : t.ranges) {
      if (f.op->extents[r.index()] == Poly(1)) {
        f.at[r] = Poly(0);
      } else {
        several.push_back(r);
      }
    }
    const std::vector<AtomId> ranges = bind(several, f);
    const std::vector<Factor> where = independent(guards(t.guards, f), c_);
    if (monoid) {
      Expr body = scalar(t.args[k], f);
      if (masked) {
        const Expr counts = indicator(simplified(scalar(t.args[k + 1], f), c_), c_);
        body = choose(counts, simplified(body, c_), identity(*monoid), is_number(t.type), c_);
      }
      if (*monoid == Monoid::sum) {
        Expr guarded = body;
        for (const Factor& g : where) guarded = multiply(factor(g), guarded, c_);
        return add(init, folded(Monoid::sum, ranges, {}, simplified(guarded, c_), t.type));
      }
      return combined(*monoid, init, folded(*monoid, ranges, where, simplified(body, c_), t.type), t.type);
    }
    // A fold that is no monoid's: the same only when all of it is the same.
    std::vector<Factor> open;
    for (const Factor& g : where) {
      if (simplified(factor(g), c_).key(c_) != number(1).key(c_)) open.push_back(g);
    }
    Factor out;
    out.kind = Factor::Kind::opaque;
    out.name = fmt::format("reduce#{} by {}", t.operand, combination(t.combine, f));
    std::vector<Expr> bodies;
    for (std::size_t v = 0; v < k; ++v) {
      out.args.push_back(std::make_shared<Expr>(scalar(t.args[v], f)));
      out.ranges.emplace_back();
      out.conditions.emplace_back();
      bodies.push_back(simplified(scalar(t.args[k + v], f), c_));
    }
    out.args.push_back(std::make_shared<Expr>(factor(applied("tuple", std::move(bodies)))));
    out.ranges.push_back(ranges);
    out.conditions.push_back(open);
    return factor(std::move(out));
  }

  Expr apply(const ScalarTerm& t, Frame& f) {
    std::vector<Expr> args;
    for (const ScalarId a : t.args) args.push_back(scalar(a, f));
    const ElementType in = f.op->meaning.at(t.args[0]).type;
    const std::string name(partir::name_of(t.fn));
    const bool numbers = is_number(t.type);
    switch (t.fn) {
      case ScalarFn::add:
        if (numbers) return add(args[0], args[1]);
        break;
      case ScalarFn::subtract:
        if (numbers) return difference(args[0], args[1]);
        break;
      case ScalarFn::negate: return negated(args[0], c_);
      case ScalarFn::multiply:
        if (numbers) return multiply(args[0], args[1], c_);
        break;
      case ScalarFn::divide:
        if (!is_integer(t.type)) return multiply(args[0], reciprocal(simplified(args[1], c_), c_), c_);
        break;
      case ScalarFn::convert: {
        if (in == t.type) return args[0];
        const bool widens = ops::converts_monotonically(in, t.type);
        if (widens && is_float(in)) return args[0];
        const std::string convert = fmt::format("convert {} to {}", partir::name_of(in), partir::name_of(t.type));
        const Expr x = simplified(args[0], c_);
        if (const auto p = is_number(t.type) ? index_of(x, in, sizes(), c_) : std::nullopt)
          return noted(
              replay::Rule::integer_read, c_, [&](Recorder& r) { return r.apply(convert, x); }, as_number(*p));
        // A remainder of a sum is that of the sum of remainders.
        if (wraps(in) && wraps(t.type) && bit_width(in) >= bit_width(t.type)) return apply_linear(convert, x, c_);
        if (widens) return apply_through("widen", x, c_);
        if (in == ElementType::i1 && is_number(t.type)) {
          if (const auto number = number_of_truth(x, c_))
            return noted(
                replay::Rule::truth, c_, [&](Recorder& r) { return r.apply(convert, x); }, *number);
        }
        const Factor* truths = single(x);
        const bool folds =
            in == ElementType::i1 && is_number(t.type) && truths != nullptr && truths->kind == Factor::Kind::fold;
        if (folds && (truths->monoid == Monoid::disj || truths->monoid == Monoid::conj) && never_empty(*truths, c_)) {
          const Monoid to = truths->monoid == Monoid::disj ? Monoid::max : Monoid::min;
          std::optional<Expr> all;
          for (std::size_t k = 0; k < truths->args.size(); ++k) {
            const Expr member = fold(to, truths->ranges[k], truths->conditions[k],
                                     factor(applied(convert, {*truths->args[k]})), c_, wraps(t.type));
            all = all ? combine(to, *all, member, c_, wraps(t.type)) : member;
          }
          return noted(
              replay::Rule::conversion_over_fold, c_, [&](Recorder& r) { return r.apply(convert, x); }, *all);
        }
        return factor(applied(convert, {x}));
      }
      case ScalarFn::select: {
        return choose(indicator(simplified(args[0], c_), c_), simplified(args[1], c_), simplified(args[2], c_), numbers,
                      c_);
      }
      case ScalarFn::conj: return is_complex(in) ? apply_linear(name, simplified(args[0], c_), c_) : args[0];
      case ScalarFn::real:
      case ScalarFn::imag: return apply_linear(name, simplified(args[0], c_), c_);
      case ScalarFn::complex: return add(args[0], multiply(factor(applied("imaginary unit", {})), args[1], c_));
      case ScalarFn::compare_eq:
      case ScalarFn::compare_ne:
      case ScalarFn::compare_gt:
      case ScalarFn::compare_ge:
      case ScalarFn::compare_lt:
      case ScalarFn::compare_le: {
        const Expr sides[2] = {simplified(args[0], c_), simplified(args[1], c_)};
        const std::string compare = fmt::format("{} {} to {}", name, partir::name_of(in), partir::name_of(t.type));
        const auto before = [&](Recorder& r) {
          return r.proof.terms.apply(compare, {r.term(sides[0]), r.term(sides[1])});
        };
        if (wraps(in)) {
          if (const auto holds = compared_indices(t.fn, sides[0], sides[1], in, sizes(), c_))
            return noted(replay::Rule::comparison_of_indices, c_, before, truth(*holds, c_));
        }
        for (const int side : {0, 1}) {
          const Factor* of = single(sides[side]);
          if (of == nullptr || of->kind != Factor::Kind::fold || !never_empty(*of, c_)) continue;
          const auto monoid = compared(t.fn, of->monoid, side == 0);
          if (!monoid) continue;
          std::optional<Expr> all;
          for (std::size_t k = 0; k < of->args.size(); ++k) {
            const Expr test = factor(side == 0 ? applied(compare, {*of->args[k], sides[1]})
                                               : applied(compare, {sides[0], *of->args[k]}));
            const Expr member = fold(*monoid, of->ranges[k], of->conditions[k], test, c_);
            all = all ? combine(*monoid, *all, member, c_) : member;
          }
          return noted(replay::Rule::comparison_over_fold, c_, before, *all);
        }
        break;
      }
      case ScalarFn::logical_not: {
        const std::string opposite = t.type == ElementType::i1 ? "not" : "complement";
        const Expr x = simplified(args[0], c_);
        if (x.terms.size() == 1 && x.terms[0].coefficient == 1 && x.terms[0].ranges.empty() &&
            x.terms[0].factors.size() == 1 && x.terms[0].factors[0].kind == Factor::Kind::fold) {
          const Factor& of = x.terms[0].factors[0];
          if (of.monoid == Monoid::conj || of.monoid == Monoid::disj) {  // not (a and b) is not a or not b
            const Monoid dual = of.monoid == Monoid::conj ? Monoid::disj : Monoid::conj;
            std::optional<Expr> all;
            for (std::size_t k = 0; k < of.args.size(); ++k) {
              const Expr member =
                  fold(dual, of.ranges[k], of.conditions[k], factor(applied(opposite, {*of.args[k]})), c_);
              all = all ? combine(dual, *all, member, c_) : member;
            }
            return noted(
                replay::Rule::not_over_fold, c_, [&](Recorder& r) { return r.apply(opposite, x); }, *all);
          }
        }
        return factor(applied(opposite, {x}));
      }
      default: break;
    }
    if (args.size() == 2) {
      const auto monoid = monoid_on(t.fn, t.type);
      if (monoid && *monoid != Monoid::sum && *monoid != Monoid::prod)
        return combined(*monoid, simplified(args[0], c_), simplified(args[1], c_), t.type);
    }
    // Of the laws of real functions, complex ones keep that of exp; log and roots have branches.
    const bool has_laws = is_float(in) || (is_complex(in) && t.fn == ScalarFn::exponential);
    if (args.size() == 1 && in == t.type && has_laws) return apply_through(name, simplified(args[0], c_), c_);
    for (Expr& a : args) a = simplified(a, c_);
    return factor(
        applied(fmt::format("{} {} to {}", name, partir::name_of(in), partir::name_of(t.type)), std::move(args)));
  }

  const SymbolicProgram& p_;
  const DeviceElement& argument_;
  DeviceAt device_;
  std::optional<std::vector<Poly>> sizes_;
  std::map<ValueId, Poly> iteration_;  ///< of the loops around the value at hand
  Context& c_;
  const OutOfTime& out_of_time_;
  std::size_t steps_ = 0;
};

}  // namespace

Expr element(const SymbolicProgram& program, ValueId value, const std::vector<Poly>& at, const DeviceElement& argument,
             const DeviceAt& device, Context& c, const OutOfTime& out_of_time) {
  return Evaluation(program, argument, device, c, out_of_time).element(value, at);
}

Expr element(const SymbolicProgram& program, ValueId value, const std::vector<Poly>& at,
             const ArgumentElement& argument, Context& c, const OutOfTime& out_of_time) {
  const auto alone = [&](std::size_t k, const std::vector<Poly>& i, const DeviceAt&) { return argument(k, i); };
  return element(program, value, at, alone, {}, c, out_of_time);
}

}  // namespace partir::prove
