// Lifts programs to symbolic sizes (lift.h): draws sizes, builds the programs there, and fits polynomials to the
// numbers in their meanings.
#include "verify/prove/lift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/core.h"
#include "ir/products.h"
#include "support/check.h"
#include "verify/prove/expr.h"
#include "verify/prove/opaque.h"

namespace partir::prove {

Symbols::Symbols(const Claim& claim, Context& c) : claim_(claim) {
  atoms_.push_back(c.size("n"));
  for (const std::string& name : claim.symbols) {
    Symbol s;
    s.name = name;
    s.tiled = std::find(claim.tiled.begin(), claim.tiled.end(), name) != claim.tiled.end();
    // For M == N, one symbol follows the other; an untiled symbol follows a tiled one.
    for (const Condition& condition : claim.where) {
      const std::string* other = condition.equal_symbol(name);
      if (other == nullptr) continue;
      const bool first = condition.left.is(name);
      const bool other_tiled = std::find(claim.tiled.begin(), claim.tiled.end(), *other) != claim.tiled.end();
      if (s.tiled == other_tiled ? !first : s.tiled) continue;
      if (!s.follows) s.follows = *other;
    }
    if (s.follows) {
      symbols_.push_back(std::move(s));
      continue;
    }
    for (const Condition& condition : claim.where) {
      if (const auto number = condition.equal_number(name)) s.fixed = *number;
      if (const auto divisor = condition.divisor(name); divisor && !s.tiled) s.factor = *divisor;
    }
    if (!s.fixed) {
      s.atom = atoms_.size();
      std::string shown = name;
      if (s.tiled) shown += "/n";
      if (s.factor != 1) shown += fmt::format("/{}", s.factor);
      atoms_.push_back(c.size(shown));
    }
    symbols_.push_back(std::move(s));
  }
  std::map<std::string, SizeExpr::Known> known;
  for (const Symbol& s : symbols_) known[s.name] = {s.tiled ? std::nullopt : s.fixed, s.factor};
  for (const SizedText* text : {&claim.program, &claim.target}) {
    if (const auto wrong = text->first_no_polynomial(known))
      throw GiveUp{fmt::format("the size {}, which is no polynomial of the symbols, of degree {} at most", *wrong,
                               SizeExpr::kMostDegree)};
  }
}

std::optional<Symbols::Drawn> Symbols::draw(std::mt19937_64& random, std::int64_t low, std::int64_t high,
                                            std::int64_t devices) const {
  for (int attempt = 0; attempt < 200; ++attempt) {
    Drawn out;
    const auto any = [&] {
      return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    };
    out.n = 2 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(devices - 1));
    out.values.assign(atoms_.size(), 0);
    out.values[0] = out.n;
    bool divides = true;
    for (const Symbol& s : symbols_) {
      if (s.follows) continue;
      std::int64_t local = 0;
      if (s.fixed) {
        local = *s.fixed;
        if (s.tiled) {
          divides = divides && local % out.n == 0;
          local /= out.n;
        }
      } else {
        out.values[s.atom] = any();
        local = out.values[s.atom] * s.factor;
      }
      out.local[s.name] = local;
      out.global[s.name] = s.tiled ? local * out.n : local;
    }
    for (std::size_t round = 0; round < symbols_.size(); ++round) {
      for (const Symbol& s : symbols_) {
        const auto it = s.follows ? out.global.find(*s.follows) : out.global.end();
        if (it == out.global.end()) continue;
        out.global[s.name] = it->second;
        divides = divides && (!s.tiled || it->second % out.n == 0);
        out.local[s.name] = s.tiled ? it->second / out.n : it->second;
      }
    }
    if (divides && out.global.size() == symbols_.size() && claim_.allows(out.global)) return out;
  }
  return std::nullopt;
}

Poly Symbols::value(const std::string& name) const {
  const auto it = std::find_if(symbols_.begin(), symbols_.end(), [&](const Symbol& s) { return s.name == name; });
  PARTIR_CHECK(it != symbols_.end() && !it->tiled, "no untiled symbol " + name);
  if (it->follows) return value(*it->follows);
  return it->fixed ? Poly(*it->fixed) : Poly(it->factor) * Poly::atom(atoms_[it->atom]);
}

Samples sample(const Symbols& symbols, const std::function<Result<Module>(const Symbols::Drawn&)>& left,
               const std::function<Result<Module>(const Symbols::Drawn&)>& right, const std::string& right_is) {
  std::mt19937_64 random(7);
  constexpr std::size_t kSamples = 7;
  Samples out;
  const auto add = [&](const Symbols::Drawn& drawn) {
    auto l = left(drawn);
    if (!l) return;  // the program is not well-formed at these sizes
    auto r = right(drawn);
    if (!r) throw GiveUp{right_is + " is not well-formed: " + r.error().text()};
    out.values.push_back(drawn.values);
    out.left.push_back(std::move(*l));
    out.right.push_back(std::move(*r));
  };
  // Samples in which a size is always even, or always the same, would allow wrong polynomials to fit.
  const auto varied = [&] {
    for (std::size_t a = 0; a < symbols.atoms().size(); ++a) {
      const bool odd = std::any_of(out.values.begin(), out.values.end(), [&](const auto& s) { return s[a] % 2 != 0; });
      const bool even = std::any_of(out.values.begin(), out.values.end(), [&](const auto& s) { return s[a] % 2 == 0; });
      if (!odd || !even) return false;
    }
    return true;
  };
  for (int attempt = 0; attempt < 60 && (out.values.size() < kSamples || (out.values.size() < 14 && !varied()));
       ++attempt) {
    const auto drawn = symbols.draw(random, 5, 19, 7);
    if (!drawn) break;
    add(*drawn);
  }
  if (out.values.size() < kSamples) throw GiveUp{"too few sizes at which the program is well-formed"};
  if (!varied()) throw GiveUp{"too few different sizes at which the program is well-formed"};
  out.fitted = out.values.size();
  constexpr std::size_t kChecks = 3;
  random.seed(symbols.hash());                            // so that a claim cannot be written for known sizes
  for (const std::int64_t high : {4000, 600, 150, 40}) {  // tensors of many dimensions exist at smaller sizes only
    for (int attempt = 0; attempt < 12 && out.values.size() < out.fitted + kChecks; ++attempt) {
      const auto drawn = symbols.draw(random, 20, high, 41);
      if (!drawn) break;
      add(*drawn);
    }
  }
  if (out.values.size() < out.fitted + kChecks)
    throw GiveUp{"too few sizes of 20 or more at which the program is well-formed"};
  return out;
}

Fit::Fit(std::vector<AtomId> atoms, std::vector<std::vector<std::int64_t>> samples, std::size_t fitted)
    : samples_(std::move(samples)), fitted_(fitted) {
  // Candidate monomials: products of up to three atoms, and of four different ones.
  const auto add = [&](const std::vector<std::size_t>& of) {
    Candidate m;
    m.poly = Poly(1);
    m.values.assign(samples_.size(), 1);
    for (const std::size_t a : of) {
      m.poly = m.poly * Poly::atom(atoms[a]);
      for (std::size_t k = 0; k < samples_.size(); ++k) m.values[k] *= samples_[k][a];
    }
    monomials_.push_back(std::move(m));
  };
  const std::size_t n = atoms.size();
  for (std::size_t a = 0; a < n; ++a) add({a});
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) add({a, b});
  }
  for (std::size_t a = 0; a < n && n <= 8; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      for (std::size_t d = b; d < n; ++d) add({a, b, d});
    }
  }
  for (std::size_t a = 0; a < n && n <= 8; ++a) {  // n * M/n * A * B
    for (std::size_t b = a + 1; b < n; ++b) {
      for (std::size_t d = b + 1; d < n; ++d) {
        for (std::size_t e = d + 1; e < n; ++e) add({a, b, d, e});
      }
    }
  }
}

Poly Fit::operator()(const std::vector<std::int64_t>& values) {
  __extension__ using Wide = __int128;  // products of a coefficient and a monomial at large sizes
  if (std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == values[0]; })) return values[0];
  const auto it = known_.find(values);
  if (it != known_.end()) return it->second;
  const std::size_t samples = fitted_;
  const auto matches = [&](auto&& f) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (f(k) != values[k]) return false;
    }
    return true;
  };
  for (const Candidate& m : monomials_) {
    std::size_t i = 1;  // a sample at which the monomial is not constant
    while (i < samples && m.values[i] == m.values[0]) ++i;
    if (i == samples) continue;
    const std::int64_t run = m.values[i] - m.values[0];
    if ((values[i] - values[0]) % run != 0) continue;
    const std::int64_t slope = (values[i] - values[0]) / run;
    const std::int64_t rest = values[0] - slope * m.values[0];
    if (matches([&](std::size_t k) { return Wide{slope} * m.values[k] + rest; }))
      return known_[values] = Poly(slope) * m.poly + Poly(rest);
  }
  for (std::size_t a = 0; a < monomials_.size(); ++a) {
    for (std::size_t b = a + 1; b < monomials_.size(); ++b) {
      const Candidate& x = monomials_[a];
      const Candidate& y = monomials_[b];
      const auto rise = [&](const std::vector<std::int64_t>& of, std::size_t k) { return of[k] - of[0]; };
      // Find two samples at which the two monomials are linearly independent.
      std::size_t i = 1;
      std::size_t j = 2;
      std::int64_t determinant = 0;
      for (i = 1; i < samples && determinant == 0; ++i) {
        for (j = i + 1; j < samples && determinant == 0; ++j)
          determinant = rise(x.values, i) * rise(y.values, j) - rise(x.values, j) * rise(y.values, i);
      }
      if (determinant == 0) continue;
      --i;
      --j;
      const std::int64_t p = rise(values, i) * rise(y.values, j) - rise(values, j) * rise(y.values, i);
      const std::int64_t q = rise(x.values, i) * rise(values, j) - rise(x.values, j) * rise(values, i);
      if (p % determinant != 0 || q % determinant != 0) continue;
      const std::int64_t s = p / determinant;
      const std::int64_t t = q / determinant;
      const std::int64_t rest = values[0] - s * x.values[0] - t * y.values[0];
      if (matches([&](std::size_t k) { return Wide{s} * x.values[k] + Wide{t} * y.values[k] + rest; }))
        return known_[values] = Poly(s) * x.poly + Poly(t) * y.poly + Poly(rest);
    }
  }
  throw GiveUp{"a number that is no polynomial of few terms in the sizes"};
}

namespace {

/// Returns a literal whose elements are all one integer as a polynomial in the sizes, if it varies with them; nothing
/// if the literal is the same at all sizes. Throws GiveUp for other literals that differ between sizes.
std::optional<Poly> fitted_literal(const std::vector<LiteralPtr>& literals, Fit& fit) {
  const Literal& first = *literals[0];
  const bool same = std::all_of(literals.begin(), literals.end(), [&](const LiteralPtr& l) {
    return l->type.element == first.type.element && l->splat == first.splat && l->bytes == first.bytes;
  });
  const ElementType type = first.type.element;
  std::vector<std::int64_t> values;
  for (const LiteralPtr& l : literals) {
    const bool one = l->splat || l->type.rank() == 0;
    if (one && is_integer(type)) {
      values.push_back(l->as_int(0));
    } else if (one && is_float(type) && std::fabs(l->as_double(0)) < 1e9 &&
               std::trunc(l->as_double(0)) == l->as_double(0)) {
      values.push_back(static_cast<std::int64_t>(l->as_double(0)));
    } else if (!same) {
      throw GiveUp{"a constant that differs between sizes"};
    } else {
      return std::nullopt;
    }
  }
  if (same) return std::nullopt;
  if (is_integer(type) && bit_width(type) < 32) throw GiveUp{"a size as a number that wraps"};
  return fit(values);
}

bool all_finite(const Literal& l) {
  const ElementType type = l.type.element;
  if (!is_float(type) && !is_complex(type)) return true;
  const std::int64_t count = l.splat ? 1 : l.type.elements();
  for (std::int64_t k = 0; k < count; ++k) {
    const std::complex<double> v = is_float(type) ? std::complex<double>(l.as_double(k)) : l.as_complex(k);
    if (!std::isfinite(v.real()) || !std::isfinite(v.imag())) return false;
  }
  return true;
}

bool has_index_notation(const Op& op) {
  return op.decl->kind != OpDecl::Kind::core && !op.decl->collective.over_axes();
}

bool has_library_terms(const Meaning& m) {
  return std::any_of(m.scalars.begin(), m.scalars.end(),
                     [](const ScalarTerm& t) { return t.kind == ScalarTerm::Kind::library; });
}

/// Collects the operations of a block and of the loops in it, in order, without terminators.
void collect(const Block& block, std::vector<const Op*>& out) {
  for (const Op& op : block.ops) {
    if (op.decl->kind == OpDecl::Kind::terminator) continue;
    out.push_back(&op);
    if (op.name() == "partir.loop") collect(op.regions[0], out);
  }
}

}  // namespace

SymbolicProgram lift(std::vector<Module> modules, Fit& fit) {
  std::vector<const Function*> functions;
  std::vector<std::vector<const Op*>> operations;
  for (const Module& m : modules) {
    functions.push_back(&m.functions.at(0));
    operations.emplace_back();
    collect(functions.back()->body, operations.back());
  }
  const Function& first = *functions[0];
  for (std::size_t k = 0; k < functions.size(); ++k) {
    if (operations[k].size() != operations[0].size() || functions[k]->types.size() != first.types.size())
      throw GiveUp{"a program whose operations depend on its sizes"};
  }
  const auto fitted = [&](auto&& number) {
    std::vector<std::int64_t> values;
    for (std::size_t k = 0; k < functions.size(); ++k) values.push_back(number(k));
    return fit(values);
  };
  SymbolicProgram out;
  for (std::size_t v = 0; v < first.types.size(); ++v) {
    std::vector<Poly> dims;
    for (std::size_t d = 0; d < first.types[v].rank(); ++d)
      dims.push_back(fitted([&](std::size_t k) { return functions[k]->types[v]->dims[d]; }));
    out.dims.push_back(std::move(dims));
  }
  out.defined_by.assign(first.types.size(), -1);
  std::optional<std::string> common;  // precision of the products seen so far
  for (std::size_t o = 0; o < operations[0].size(); ++o) {
    const Op& at_first = *operations[0][o];
    for (const ValueId v : at_first.results) out.defined_by[v.index()] = static_cast<int>(o);
    if (!at_first.decl->pure) throw GiveUp{at_first.name() + " is no function of its operands"};
    if (!has_index_notation(at_first)) {
      SymbolicOp op;
      for (const auto& list : operations) {
        if (list[o]->decl != at_first.decl || !(list[o]->attributes == at_first.attributes))
          throw GiveUp{"a program whose operations depend on its sizes"};
      }
      if (at_first.name() == "partir.loop") {
        const ValueId index = at_first.regions[0].arguments[0];
        op.iterations = fitted([&](std::size_t k) {
          return functions[k]->type(index).as<IndexRange>() != nullptr
                     ? functions[k]->type(index).as<IndexRange>()->extent
                     : 1;
        });
      }
      out.ops.push_back(std::move(op));
      continue;
    }
    std::vector<Meaning> meanings;
    std::vector<std::string> records;
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const OpInstance instance = instance_of(*functions[k], *operations[k][o]);
      if (!has_meaning(instance)) throw GiveUp{instance.decl->name + " has no meaning in index notation"};
      meanings.push_back(meaning_of(instance));
      if (has_library_terms(meanings.back())) records.push_back(record_of(instance));
    }
    SymbolicOp op;
    for (std::size_t k = 0; k < records.size(); ++k) {
      if (k == 0 || records[k] != records[0]) op.record += records[k] + " | ";
    }
    const Meaning& m = meanings[0];
    for (const Meaning& other : meanings) {
      bool same = other.indices.size() == m.indices.size() && other.scalars.size() == m.scalars.size() &&
                  other.extents.size() == m.extents.size();
      for (std::size_t k = 0; same && k < m.indices.size(); ++k) {
        const IndexTerm& x = m.indices[k];
        const IndexTerm& y = other.indices[k];
        same = x.kind == y.kind && x.a == y.a && x.b == y.b && x.range == y.range && x.indices == y.indices &&
               (x.kind != IndexTerm::Kind::read || x.value == y.value);
      }
      for (std::size_t k = 0; same && k < m.scalars.size(); ++k) {
        const ScalarTerm& x = m.scalars[k];
        const ScalarTerm& y = other.scalars[k];
        same = x.kind == y.kind && x.fn == y.fn && x.type == y.type && x.operand == y.operand &&
               x.indices == y.indices && x.args == y.args && x.ranges == y.ranges && x.combine == y.combine &&
               x.guards.size() == y.guards.size() && x.library == y.library && x.arrays == y.arrays &&
               x.linear == y.linear;
        for (std::size_t g = 0; same && g < x.guards.size(); ++g)
          same = x.guards[g].kind == y.guards[g].kind && x.guards[g].index == y.guards[g].index;
      }
      if (!same) throw GiveUp{fmt::format("{}, whose index notation differs between sizes", at_first.name())};
    }
    for (std::size_t k = 0; k < m.extents.size(); ++k)
      op.extents.push_back(fitted([&](std::size_t s) { return meanings[s].extents[k]; }));
    for (std::size_t k = 0; k < m.indices.size(); ++k) {
      op.constants.push_back(m.indices[k].kind == IndexTerm::Kind::constant
                                 ? fitted([&](std::size_t s) { return meanings[s].indices[k].value; })
                                 : Poly());
    }
    std::vector<LiteralPtr> constants;
    for (const auto& list : operations) {
      const Attribute* value = find(list[o]->attributes, "value");
      if (value != nullptr && value->as<DenseAttr>() != nullptr) constants.push_back(value->as<DenseAttr>()->literal);
    }
    if (constants.size() == functions.size()) {
      op.value = constants[0];
      op.finite = all_finite(*op.value);
      op.splat = fitted_literal(constants, fit);
    }
    for (std::size_t k = 0; k < m.scalars.size(); ++k) {
      op.literals.emplace_back();
      if (m.scalars[k].literal == nullptr) continue;
      std::vector<LiteralPtr> literals;
      for (const Meaning& other : meanings) literals.push_back(other.scalars[k].literal);
      op.literals.back() = fitted_literal(literals, fit);
    }
    op.meaning = std::move(meanings[0]);
    op.continuity = continuity_of(op.meaning);
    if (at_first.results.size() == 1 && first.types[at_first.results[0].index()].is_tensor()) {
      const auto precision = precision_of_products(at_first, first.types[at_first.results[0].index()]->element);
      if (precision && common && *precision != *common) out.mixes_precisions = true;
      if (precision) common = precision;
      op.precision = precision.value_or(std::string());
    }
    out.ops.push_back(std::move(op));
  }
  out.module = std::move(modules[0]);
  std::vector<const Op*> kept;
  collect(out.module.functions.at(0).body, kept);
  for (std::size_t o = 0; o < out.ops.size(); ++o) out.ops[o].op = kept[o];
  return out;
}

}  // namespace partir::prove
