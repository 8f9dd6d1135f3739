// The part of Evaluation (evaluation.h) that follows index notation: it evaluates an operation's meaning at symbolic
// indices and recurses into the operands.
#include "verify/prove/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/op_decl.h"
#include "verify/prove/evaluation.h"
#include "verify/prove/integers.h"
#include "verify/prove/merges.h"
#include "verify/prove/opaque.h"
#include "verify/prove/record.h"

namespace partir::prove {

Expr Evaluation::element(ValueId v, const std::vector<Poly>& at) {
  if (++steps_ > 20000) throw GiveUp{"a program of too many terms"};
  if (out_of_time_ && out_of_time_()) throw GiveUp{"out of time"};
  Domains* const domains = std::exchange(domains_, nullptr);  // applies to the current operation only
  const auto restored = [&](Expr e) {
    domains_ = domains;
    return e;
  };
  const int defined = p_.defined_by[v.index()];
  if (defined < 0) {
    const auto& list = function().arguments();
    return restored(
        argument_(static_cast<std::size_t>(std::find(list.begin(), list.end(), v) - list.begin()), at, device_));
  }
  const SymbolicOp& op = p_.ops[static_cast<std::size_t>(defined)];
  const auto number =
      static_cast<std::size_t>(std::find(op.op->results.begin(), op.op->results.end(), v) - op.op->results.begin());
  if (op.op->decl->kind == OpDecl::Kind::core) return restored(core(op, number, v, at));
  if (op.op->decl->kind == OpDecl::Kind::collective) return restored(collective(*op.op, v, at));
  const ResultMeaning& r = op.meaning.results[number];
  Frame frame{&op, {}};
  for (std::size_t d = 0; d < r.ranges.size(); ++d) frame.at[r.ranges[d]] = at[d];
  return restored(simplified(element_of(op, r, frame), c_));
}

/// Returns the element of a result from its meaning.
///
/// Over the reals, zeros have no sign and products no precision, so two cases need care. Operations that distinguish
/// signed zeros evaluate their operands bit-exactly. If all products of the program use one precision, each product is
/// multiplied by an opaque unit of that precision, which commutes with sums and multiples; if precisions are mixed,
/// each operand of a product is wrapped in an opaque function that depends on the precision, so that products in
/// different precisions are never proved equal.
Expr Evaluation::element_of(const SymbolicOp& op, const ResultMeaning& result, Frame& f) {
  const bool reals = c_.arithmetic == Arithmetic::reals;
  std::optional<ArithmeticScope> by_bits;
  if (reals && op.continuity == Continuity::signed_zeros) by_bits.emplace(c_, Arithmetic::bits);
  const bool outside = std::exchange(computed_, false);
  Expr out = scalar(result.body, f);
  if (reals && op.continuity == Continuity::jumps && computed_) c_.jumps.insert(op.op->name());
  computed_ = computed_ || outside;
  if (op.precision.empty() || p_.mixes_precisions) return out;
  Factor unit;
  unit.kind = Factor::Kind::opaque;
  unit.type = out.type;
  unit.symbol = Symbol::library;
  unit.record = "products in precision " + op.precision;
  return reals ? multiply(factor(std::move(unit)), out, c_)
               : plain(ScalarFn::multiply, out.type, {factor(std::move(unit)), out});
}

void Evaluation::each_domain(bool certain, std::vector<AtomId> around, const Note& note) {
  for (const SymbolicOp& op : p_.ops) {  // operations in loops are evaluated at every iteration
    if (op.op->name() == "partir.loop")
      iteration_[op.op->regions[0].arguments[0]] = Poly::atom(c_.range(op.iterations));
  }
  for (const auto& [value, iteration] : iteration_) around.push_back(iteration.terms().begin()->first[0]);
  for (const auto& [axis, here] : device_) {
    if (!here.coordinate.is_constant()) around.push_back(here.coordinate.terms().begin()->first[0]);
  }
  for (const SymbolicOp& op : p_.ops) {
    for (std::size_t k = 0; k < op.meaning.results.size(); ++k) {
      const ResultMeaning& r = op.meaning.results[k];
      Frame frame{&op, {}};
      Domains domains{certain, &note, around, {}};
      for (std::size_t d = 0; d < r.ranges.size(); ++d) {
        const Poly& extent = dims(op.op->results[k])[d];
        if (extent == Poly(1)) {
          frame.at[r.ranges[d]] = Poly(0);
        } else {
          domains.ranges.push_back(c_.range(extent));
          frame.at[r.ranges[d]] = Poly::atom(domains.ranges.back());
        }
      }
      domains_ = &domains;
      element_of(op, r, frame);
      domains_ = nullptr;
    }
  }
}

/// Returns the dimensions of the program's values, without duplicates or constants.
const std::vector<Poly>& Evaluation::sizes() {
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

// --- Indices ---

Poly Evaluation::index(IndexId id, Frame& f) {
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
    case Kind::read: return integer(operand(static_cast<std::size_t>(t.value), t.indices, f), sizes(), c_);
  }
  return {};
}

Poly Evaluation::divisor(IndexId id, Frame& f) {
  const Poly q = index(id, f);
  if (!c_.non_negative(q - 1)) throw GiveUp{"a division of indices by what may not be positive"};
  return q;
}

Expr Evaluation::operand(std::size_t k, const std::vector<IndexId>& at, Frame& f) {
  std::vector<Poly> indices;
  for (const IndexId i : at) indices.push_back(index(i, f));
  Expr read = element(f.op->op->operands[k], indices);
  if (f.op->precision.empty() || !p_.mixes_precisions) return read;
  Factor rounded;
  rounded.kind = Factor::Kind::opaque;
  rounded.type = read.type;
  rounded.symbol = Symbol::library;
  rounded.record = fmt::format("operand {} for products in precision {}", k, f.op->precision);
  rounded.ranges.emplace_back();
  rounded.args.push_back(std::make_shared<Expr>(simplified(read, c_)));
  return factor(std::move(rounded));
}

std::vector<Factor> Evaluation::guards(const std::vector<Guard>& list, Frame& f) {
  std::vector<Factor> out;
  for (const Guard& g : list) {
    Factor guard;
    guard.kind = g.kind == Guard::Kind::zero ? Factor::Kind::guard_eq : Factor::Kind::guard;
    guard.indices = {index(g.index, f)};
    out.push_back(std::move(guard));
  }
  return out;
}

std::vector<AtomId> Evaluation::bind(const std::vector<RangeId>& ranges, Frame& f) {
  std::vector<AtomId> out;
  for (const RangeId r : ranges) {
    out.push_back(c_.range(f.op->extents[r.index()]));
    f.at[r] = Poly::atom(out.back());
  }
  if (domains_ != nullptr) domains_->ranges.insert(domains_->ranges.end(), out.begin(), out.end());
  return out;
}

// --- Scalars ---

Expr Evaluation::scalar(ScalarId id, Frame& f) {
  const ScalarTerm& t = f.op->meaning.at(id);
  using Kind = ScalarTerm::Kind;
  switch (t.kind) {
    case Kind::read: return operand(t.operand, t.indices, f);
    case Kind::attribute: return attribute(t, f);
    case Kind::literal:
      if (const auto& p = f.op->literals[id.index()]) return index_number(*p, t.type);
      return literal(*t.literal, 0, c_.arithmetic);
    case Kind::from_index: {
      const Poly p = index(t.indices[0], f);
      if (t.type != ElementType::i1) return index_number(p, t.type);
      if (!p.is_constant()) throw GiveUp{"an index as a boolean"};
      return boolean(p.constant() != 0);
    }
    case Kind::argument: {
      Factor argument = applied(Symbol::placeholder, t.type);
      argument.number = static_cast<std::int64_t>(t.operand);
      return factor(std::move(argument));
    }
    case Kind::guarded: return guarded(t, f);
    case Kind::apply: return apply(t, f);
    case Kind::reduce: return reduce(t, f);
    case Kind::library: return library(t, f);
  }
  return {};
}

Expr Evaluation::guarded(const ScalarTerm& t, Frame& f) {
  const std::vector<Factor> list = independent(guards(t.guards, f), c_);
  const auto within = [&](bool holds, ScalarId id) {
    if (domains_ == nullptr) return scalar(id, f);
    // The failure of a guard is not recorded as a condition, so what is evaluated there is not certain.
    Domains inner = *domains_;
    if (holds) {
      inner.where.insert(inner.where.end(), list.begin(), list.end());
    } else if (inner.certain) {
      inner.note = nullptr;
    }
    Domains* const outer = std::exchange(domains_, inner.note == nullptr ? nullptr : &inner);
    Expr out = scalar(id, f);
    domains_ = outer;
    return out;
  };
  const Expr then = within(true, t.args[0]);
  const Expr otherwise = within(false, t.args[1]);
  Expr inside = number(1);
  for (const Factor& g : list) inside = multiply(inside, factor(g), c_);
  return choose(simplified(inside, c_), simplified(then, c_), simplified(otherwise, c_), c_);
}

Expr Evaluation::literal(const Literal& l, std::int64_t position, Arithmetic arithmetic) {
  const ElementType type = l.type.element;
  auto scalar = std::make_shared<Literal>(Literal{TensorType{type, {}}, true, {}});
  const std::uint8_t* bytes = l.element(position);
  scalar->bytes.assign(bytes, bytes + byte_width(type));
  if (type == ElementType::i1) return boolean(scalar->as_int(0) != 0);
  if (is_integer(type)) return number(scalar->as_int(0), type);
  const std::complex<double> v = is_float(type) ? std::complex<double>(scalar->as_double(0)) : scalar->as_complex(0);
  const bool negative_zero = std::signbit(v.real()) && v.real() == 0;
  const bool whole = v.imag() == 0 && v.real() == std::floor(v.real()) && std::fabs(v.real()) < (1 << 20);
  // Bit-exactly, -0.0 differs from 0, and the parts of complex numbers have signs, too.
  if (whole && (arithmetic == Arithmetic::reals || (!negative_zero && !std::signbit(v.imag()))))
    return number(static_cast<std::int64_t>(v.real()), type);
  if (is_float(type) && std::isinf(v.real())) return identity_of(v.real() < 0 ? Monoid::max : Monoid::min, type);
  Factor out = applied(Symbol::literal, type);
  out.literal = std::move(scalar);
  return factor(std::move(out));
}

/// Returns an element of a constant.
Expr Evaluation::attribute(const ScalarTerm& t, Frame& f) {
  const Literal& l = *f.op->value;
  if (f.op->splat) return index_number(*f.op->splat, t.type);
  if (l.splat || l.type.rank() == 0) return literal(l, 0, c_.arithmetic);
  Factor read;
  read.kind = Factor::Kind::opaque;
  read.type = t.type;
  read.symbol = Symbol::dense;
  read.record = record_of(l);
  read.number = f.op->finite ? 0 : 1;
  for (const IndexId i : t.indices) read.indices.push_back(index(i, f));
  return factor(std::move(read));
}

Expr Evaluation::library(const ScalarTerm& t, Frame& f) {
  Factor out;
  out.kind = Factor::Kind::opaque;
  out.type = t.type;
  out.symbol = Symbol::library;
  const bool is_top_k = t.library == "top_k";
  out.record = is_top_k ? top_k_record(t.operand) : fmt::format("{}#{} of {}", t.library, t.operand, f.op->record);
  for (const IndexId i : t.indices) {  // indices with the extents of the function's result
    const IndexTerm& range = f.op->meaning.at(i);
    if (range.kind != IndexTerm::Kind::range) throw GiveUp{"an element of a library function at no index of its own"};
    out.indices.push_back(f.op->extents[range.range.index()]);
    out.indices.push_back(index(i, f));
  }
  for (std::size_t k = 0; k < t.args.size(); ++k) {
    out.ranges.push_back(bind(t.arrays[k], f));
    out.args.push_back(std::make_shared<Expr>(simplified(scalar(t.args[k], f), c_)));
  }
  if (!t.combine.empty()) out.record += " by " + combination_text(combination(t.combine, f));
  if (domains_ != nullptr && domains_->note != nullptr && !is_total_library(t.library)) {
    // Either all of its elements are defined or none, independently of the array in which it is linear.
    Factor defined = out;
    defined.type = ElementType::i1;
    defined.record += " is defined";
    defined.indices.clear();
    if (t.linear) {
      defined.args.erase(defined.args.begin() + static_cast<std::ptrdiff_t>(*t.linear));
      defined.ranges.erase(defined.ranges.begin() + static_cast<std::ptrdiff_t>(*t.linear));
    }
    (*domains_->note)(factor(std::move(defined)), domains_->ranges, domains_->where);
  }
  if (is_top_k) return merged_top_k(out, c_);
  if (!t.linear || !c_.may(Law::linear_library, t.type)) return factor(std::move(out));
  Expr sum{t.type, {}};  // the sum of the function's values on each term
  const Expr all = factor(out);
  const Expr& array = *out.args[*t.linear];
  for (const Term& term : array.terms) {
    Factor one = out;
    one.args[*t.linear] = std::make_shared<Expr>(Expr{array.type, {{1, {}, term.factors}}});
    sum.terms.push_back({term.coefficient, term.ranges, {std::move(one)}});
  }
  return noted(
      replay::Rule::linearity, c_, [&](Recorder& r) { return r.term(all); }, std::move(sum));
}

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
