#include "ir/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "support/check.h"
#include "support/checked.h"

namespace partir {

// --- Building -------------------------------------------------------------------------------------------------------

Index MeaningBuilder::add(IndexTerm term) {
  meaning_.indices.push_back(std::move(term));
  return {this, IndexId(meaning_.indices.size() - 1)};
}

Term MeaningBuilder::add(ScalarTerm term) {
  meaning_.scalars.push_back(std::move(term));
  return {this, ScalarId(meaning_.scalars.size() - 1)};
}

std::vector<Index> MeaningBuilder::result(std::size_t number) {
  if (meaning_.results.size() <= number) meaning_.results.resize(number + 1);
  std::vector<Index> out;
  for (const std::int64_t extent : result_types_.at(number)->dims) {
    out.push_back(range(extent));
    meaning_.results[number].ranges.push_back(meaning_.at(out.back().id).range);
  }
  return out;
}

Index MeaningBuilder::range(std::int64_t extent) {
  meaning_.extents.push_back(extent);
  IndexTerm term;
  term.kind = IndexTerm::Kind::range;
  term.range = RangeId(meaning_.extents.size() - 1);
  return add(term);
}

Index MeaningBuilder::constant(std::int64_t value) {
  IndexTerm term;
  term.value = value;
  return add(term);
}

Index MeaningBuilder::read_index(std::size_t operand, const std::vector<Index>& at) {
  PARTIR_CHECK(operand_types_.at(operand).rank() == at.size(), "rank of a read");
  IndexTerm term;
  term.kind = IndexTerm::Kind::read;
  term.value = static_cast<std::int64_t>(operand);
  for (const Index i : at) term.indices.push_back(i.id);
  return add(term);
}

std::int64_t index_value(const Meaning& meaning, IndexId id, const std::vector<std::int64_t>& at) {
  const IndexTerm& t = meaning.at(id);
  switch (t.kind) {
    case IndexTerm::Kind::constant: return t.value;
    case IndexTerm::Kind::range: return at[t.range.index()];
    case IndexTerm::Kind::read: PARTIR_CHECK(false, "an index of data where none is read"); return 0;
    default: return binary_value(t.kind, index_value(meaning, t.a, at), index_value(meaning, t.b, at));
  }
}

std::optional<std::int64_t> MeaningBuilder::constant_value(Index index) const {
  const IndexTerm& term = meaning_.at(index.id);
  if (term.kind == IndexTerm::Kind::constant) return term.value;
  return std::nullopt;
}

Index MeaningBuilder::binary(IndexTerm::Kind kind, Index a, Index b) {
  const auto x = constant_value(a);
  const auto y = constant_value(b);
  using Kind = IndexTerm::Kind;
  if (x && y) return constant(binary_value(kind, *x, *y));
  if (kind == Kind::add && y == 0) return a;
  if (kind == Kind::add && x == 0) return b;
  if (kind == Kind::multiply && y == 1) return a;
  if (kind == Kind::multiply && x == 1) return b;
  if (kind == Kind::multiply && (x == 0 || y == 0)) return constant(0);
  if (kind == Kind::floor_div && y == 1) return a;
  if (kind == Kind::mod && y == 1) return constant(0);
  IndexTerm term;
  term.kind = kind;
  term.a = a.id;
  term.b = b.id;
  return add(term);
}

Index operator+(Index a, Index b) { return a.builder->binary(IndexTerm::Kind::add, a, b); }
Index operator*(Index a, Index b) { return a.builder->binary(IndexTerm::Kind::multiply, a, b); }
Index operator-(Index a, Index b) { return a + b * -1; }
Index operator+(Index a, std::int64_t b) { return a + a.builder->constant(b); }
Index operator-(Index a, std::int64_t b) { return a + a.builder->constant(-b); }
Index operator*(Index a, std::int64_t b) { return a * a.builder->constant(b); }
Index floor_div(Index a, std::int64_t b) {
  return a.builder->binary(IndexTerm::Kind::floor_div, a, a.builder->constant(b));
}
Index mod(Index a, std::int64_t b) { return a.builder->binary(IndexTerm::Kind::mod, a, a.builder->constant(b)); }
Index clamp(Index a, std::int64_t low, std::int64_t high) {
  MeaningBuilder& b = *a.builder;
  return b.binary(IndexTerm::Kind::max, b.constant(low), b.binary(IndexTerm::Kind::min, a, b.constant(high)));
}

Guard non_negative(Index i) { return {Guard::Kind::non_negative, i.id}; }
Guard zero(Index i) { return {Guard::Kind::zero, i.id}; }

namespace {
std::vector<IndexId> ids(const std::vector<Index>& indices) {
  std::vector<IndexId> out;
  out.reserve(indices.size());
  for (const Index i : indices) out.push_back(i.id);
  return out;
}
}  // namespace

Term MeaningBuilder::read(std::size_t operand, const std::vector<Index>& at) {
  PARTIR_CHECK(operand_types_.at(operand).rank() == at.size(), "rank of a read");
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::read;
  term.type = operand_types_[operand]->element;
  term.operand = operand;
  term.indices = ids(at);
  return add(std::move(term));
}

Term MeaningBuilder::attribute(ElementType type, const std::vector<Index>& at) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::attribute;
  term.type = type;
  term.indices = ids(at);
  return add(std::move(term));
}

Term MeaningBuilder::literal(LiteralPtr scalar) {
  ScalarTerm term;
  term.type = scalar->type.element;
  term.literal = std::move(scalar);
  return add(std::move(term));
}

Term MeaningBuilder::from_index(Index index, ElementType type) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::from_index;
  term.type = type;
  term.indices = {index.id};
  return add(std::move(term));
}

Term MeaningBuilder::apply(ScalarFn fn, ElementType type, std::vector<Term> args) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::apply;
  term.type = type;
  term.fn = fn;
  for (const Term a : args) term.args.push_back(a.id);
  return add(std::move(term));
}

Term MeaningBuilder::guarded(std::vector<Guard> guards, Term then, Term otherwise) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::guarded;
  term.type = type_of(then);
  term.guards = std::move(guards);
  term.args = {then.id, otherwise.id};
  return add(std::move(term));
}

Term MeaningBuilder::argument(std::size_t number, ElementType type) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::argument;
  term.type = type;
  term.operand = number;
  return add(std::move(term));
}

Term MeaningBuilder::reduce(const std::vector<Index>& over, std::vector<Guard> where, Term combine, Term init,
                            Term body) {
  return reduce(0, over, std::move(where), {combine}, {init}, {body});
}

Term MeaningBuilder::reduce(std::size_t number, const std::vector<Index>& over, std::vector<Guard> where,
                            const std::vector<Term>& combine, const std::vector<Term>& init,
                            const std::vector<Term>& body) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::reduce;
  term.type = type_of(init.at(number));
  term.operand = number;
  term.guards = std::move(where);
  for (const Term t : combine) term.combine.push_back(t.id);
  for (const Term t : init) term.args.push_back(t.id);
  for (const Term t : body) term.args.push_back(t.id);
  for (const Index i : over) {
    PARTIR_CHECK(meaning_.at(i.id).kind == IndexTerm::Kind::range, "reduction over something that is no range");
    term.ranges.push_back(meaning_.at(i.id).range);
  }
  return add(std::move(term));
}

Term MeaningBuilder::reduce(Monoid monoid, const std::vector<Index>& over, Term init, Term body) {
  const ElementType type = type_of(init);
  const Term combine = apply(combiner_fn(monoid), type, {argument(0, type), argument(1, type)});
  return reduce(over, {}, combine, init, body);
}

Term MeaningBuilder::library(std::string name, std::size_t number, ElementType type, const std::vector<Array>& arrays,
                             const std::vector<Index>& at, const std::vector<Term>& comparator,
                             std::optional<std::size_t> linear) {
  ScalarTerm term;
  term.kind = ScalarTerm::Kind::library;
  term.type = type;
  term.operand = number;
  term.library = std::move(name);
  term.linear = linear;
  term.indices = ids(at);
  for (const Array& a : arrays) {
    term.args.push_back(a.body.id);
    term.arrays.emplace_back();
    for (const Index i : a.over) term.arrays.back().push_back(meaning_.at(i.id).range);
  }
  for (const Term t : comparator) term.combine.push_back(t.id);
  return add(std::move(term));
}

void MeaningBuilder::define(std::size_t number, Term body) { meaning_.results.at(number).body = body.id; }

// --- Text -----------------------------------------------------------------------------------------------------------

namespace {

class Printer {
 public:
  explicit Printer(const Meaning& meaning) : m_(meaning), names_(meaning.extents.size()) {
    for (const ResultMeaning& r : m_.results) {
      for (std::size_t d = 0; d < r.ranges.size(); ++d) names_[r.ranges[d].index()] = fmt::format("i{}", d);
    }
    std::size_t next = 0;
    for (std::string& name : names_) {
      if (name.empty()) name = fmt::format("k{}", next++);
    }
  }

  std::string index(IndexId id) const {
    const IndexTerm& t = m_.at(id);
    using Kind = IndexTerm::Kind;
    switch (t.kind) {
      case Kind::constant: return fmt::format("{}", t.value);
      case Kind::range: return names_[t.range.index()];
      case Kind::add: return fmt::format("({} + {})", index(t.a), index(t.b));
      case Kind::multiply: return fmt::format("{} * {}", index(t.a), index(t.b));
      case Kind::floor_div: return fmt::format("{} div {}", index(t.a), index(t.b));
      case Kind::mod: return fmt::format("{} mod {}", index(t.a), index(t.b));
      case Kind::min: return fmt::format("min({}, {})", index(t.a), index(t.b));
      case Kind::max: return fmt::format("max({}, {})", index(t.a), index(t.b));
      case Kind::read: return fmt::format("x{}[{}]", t.value, list(t.indices));
    }
    return "";
  }

  std::string list(const std::vector<IndexId>& indices) const {
    std::string out;
    for (const IndexId i : indices) out += (out.empty() ? "" : ", ") + index(i);
    return out;
  }

  std::string guards(const std::vector<Guard>& guards) const {
    std::string out;
    for (const Guard& g : guards) {
      out += fmt::format("{}{} {} 0", out.empty() ? "" : " and ", index(g.index),
                         g.kind == Guard::Kind::zero ? "=" : ">=");
    }
    return out;
  }

  std::string scalar(ScalarId id) const {
    const ScalarTerm& t = m_.at(id);
    using Kind = ScalarTerm::Kind;
    switch (t.kind) {
      case Kind::read: return fmt::format("x{}[{}]", t.operand, list(t.indices));
      case Kind::attribute: return fmt::format("value[{}]", list(t.indices));
      case Kind::literal: return t.literal->str().substr(6, t.literal->str().size() - 7);
      case Kind::from_index: return list(t.indices);
      case Kind::argument: return fmt::format("#{}", t.operand);
      case Kind::apply: {
        std::string args;
        for (const ScalarId a : t.args) args += (args.empty() ? "" : ", ") + scalar(a);
        return fmt::format("{}({})", name_of(t.fn), args);
      }
      case Kind::library: {
        std::string args;
        for (std::size_t k = 0; k < t.args.size(); ++k) {
          std::string ranges;
          for (const RangeId r : t.arrays[k])
            ranges += fmt::format("{}{} < {}", ranges.empty() ? "" : ", ", names_[r.index()], m_.extent(r));
          args += fmt::format("{}({} : {})", k != 0 ? ", " : "", ranges, scalar(t.args[k]));
        }
        if (!t.combine.empty()) args += " by " + scalar(t.combine[0]);
        return fmt::format("{}#{}({})[{}]", t.library, t.operand, args, list(t.indices));
      }
      case Kind::guarded: return fmt::format("({} ? {} : {})", guards(t.guards), scalar(t.args[0]), scalar(t.args[1]));
      case Kind::reduce: {
        std::string ranges;
        for (const RangeId r : t.ranges) {
          ranges += fmt::format("{}{} < {}", ranges.empty() ? "" : ", ", names_[r.index()], m_.extent(r));
        }
        if (!t.guards.empty()) ranges += " where " + guards(t.guards);
        const ScalarTerm& c = m_.at(t.combine[t.operand]);
        const bool simple = t.combine.size() == 1 && c.kind == Kind::apply && monoid_of(c.fn);
        const std::string how =
            simple ? std::string(name_of(*monoid_of(c.fn))) : "fold by " + scalar(t.combine[t.operand]) + " of";
        std::string init;
        std::string body;
        for (std::size_t k = 0; k < t.combine.size(); ++k) {
          init += (k != 0 ? ", " : "") + scalar(t.args[k]);
          body += (k != 0 ? ", " : "") + scalar(t.args[t.combine.size() + k]);
        }
        return fmt::format("({} {} from {} : {})", how, ranges, init, body);
      }
    }
    return "";
  }

 private:
  const Meaning& m_;
  std::vector<std::string> names_;
};

}  // namespace

std::string Meaning::str() const {
  const Printer printer(*this);
  std::string out;
  for (std::size_t k = 0; k < results.size(); ++k) {
    std::string indices_text;
    for (std::size_t d = 0; d < results[k].ranges.size(); ++d) indices_text += fmt::format("{}i{}", d ? ", " : "", d);
    out += fmt::format("out{}[{}] = {}\n", k, indices_text, printer.scalar(results[k].body));
  }
  return out;
}

// --- Work -----------------------------------------------------------------------------------------------------------

double Meaning::flops() const {
  std::vector<std::optional<double>> known(scalars.size());  // cached, because terms share subterms
  const std::function<double(ScalarId)> once = [&](ScalarId id) -> double {
    if (known[id.index()]) return *known[id.index()];
    const ScalarTerm& t = at(id);
    double total = 0;
    for (const ScalarId a : t.args) total += once(a);
    switch (t.kind) {
      case ScalarTerm::Kind::apply:
        if (is_float(t.type) || is_complex(t.type)) total += flops_of(t.fn);
        break;
      case ScalarTerm::Kind::guarded: total = std::max(once(t.args[0]), once(t.args[1])); break;
      case ScalarTerm::Kind::reduce: {
        double steps = 1;
        // With a data-dependent guard (scatter) each element is combined at one position, not at all of them.
        const bool scattered =
            std::any_of(t.guards.begin(), t.guards.end(), [](const Guard& g) { return g.kind == Guard::Kind::zero; });
        for (const RangeId r : t.ranges) steps *= static_cast<double>(extent(r));
        if (scattered) steps = 1;
        total = 0;
        for (std::size_t k = 0; k < t.combine.size(); ++k) {
          // Count this accumulator only: a fold of several values is one fold with one term per result.
          if (k == t.operand)
            total += once(t.args[k]) + steps * (once(t.args[t.combine.size() + k]) + once(t.combine[k]));
        }
        break;
      }
      default: break;
    }
    known[id.index()] = total;
    return total;
  };
  double total = 0;
  for (const ResultMeaning& r : results) {
    double points = 1;
    for (const RangeId range : r.ranges) points *= static_cast<double>(extent(range));
    total += points * once(r.body);
  }
  return total;
}

double Meaning::steps() const {
  std::vector<double> of_index;
  const auto sum = [](const auto& ids, const std::vector<double>& steps) {
    double total = 0;
    for (const auto id : ids) total += steps[id.index()];
    return total;
  };
  const auto points = [&](const std::vector<RangeId>& ranges) {
    double count = 1;
    for (const RangeId r : ranges) count *= static_cast<double>(extent(r));
    return count;
  };
  for (const IndexTerm& t : indices) {
    const bool binary =
        t.kind != IndexTerm::Kind::constant && t.kind != IndexTerm::Kind::range && t.kind != IndexTerm::Kind::read;
    of_index.push_back(1 + sum(t.indices, of_index) + (binary ? of_index[t.a.index()] + of_index[t.b.index()] : 0));
  }
  std::vector<double> of_scalar;  // by ScalarId; the operands of a term precede it
  for (const ScalarTerm& t : scalars) {
    double guards = 0;
    for (const Guard& g : t.guards) guards += of_index[g.index.index()];
    double total = 1 + sum(t.indices, of_index);
    if (t.kind == ScalarTerm::Kind::reduce) {
      const std::vector<ScalarId> first(t.args.begin(), t.args.begin() + static_cast<std::ptrdiff_t>(t.combine.size()));
      const double init = sum(first, of_scalar);
      total += init + points(t.ranges) * (guards + sum(t.args, of_scalar) - init + sum(t.combine, of_scalar));
    } else if (t.kind == ScalarTerm::Kind::library) {
      double elements = 1;
      for (std::size_t k = 0; k < t.args.size(); ++k)
        elements += points(t.arrays[k]) * (1 + of_scalar[t.args[k].index()] + sum(t.combine, of_scalar));
      total += elements * elements;
    } else {
      total += guards + sum(t.args, of_scalar);
    }
    of_scalar.push_back(total);
  }
  double total = 0;
  for (const ResultMeaning& r : results) total += points(r.ranges) * of_scalar[r.body.index()];
  return total;
}

}  // namespace partir
