// Merges block-wise folds and block-wise top_k into those of the whole array (merges.h).
#include "verify/prove/merges.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "verify/prove/expr_detail.h"
#include "verify/prove/record.h"

namespace partir::prove {
namespace {

const Factor* single_of(const Expr& e, Symbol symbol) {
  const Factor* f = single(e);
  return f != nullptr && is(*f, symbol) ? f : nullptr;
}

/// A range cut in two at an index that is inside it.
struct Cut {
  AtomId range;
  AtomId before;  ///< the range of the indices before the cut
  Poly behind;    ///< an index behind the cut
};

/// Returns a cut of one of the ranges at which a guard of the body, or of the condition by which it chooses, changes.
std::optional<Cut> cut_inside(const std::vector<AtomId>& ranges, const Expr& body, Context& c) {
  const Factor* choice = single_of(body, Symbol::choose);
  AtomId range;
  Poly place;
  if (!cut_of(ranges, choice == nullptr ? body : *choice->args[0], c, range, place)) return std::nullopt;
  const Poly rest = c.at(range).extent - place;
  if (place.is_zero() || rest.is_zero()) return std::nullopt;
  return Cut{range, c.range(place), place + Poly::atom(c.range(rest))};
}

/// Returns the element at an index that `s` substitutes; if the index decides a choice, the choice is made.
Expr element_at(const Expr& e, const Substitution& s, Context& c) {
  const Expr out = simplified(substitute(e, s, c), c);
  const Factor* choice = single_of(out, Symbol::choose);
  return choice == nullptr ? out : choose(simplified(*choice->args[0], c), *choice->args[1], *choice->args[2], c);
}

// --- Folds. A fold of k values at once has these args: k initial values, a tuple of k elements over the ranges, a
// tuple of k combining terms. ---

std::size_t values_of(const Factor& fold) { return fold.args.size() - 2; }

/// True if two expressions have the same form.
bool same(const Expr& a, const Expr& b, Context& c) { return a.key(c) == b.key(c); }

/// If the fold's elements are the results of one inner fold with the same initial values and the same computation,
/// returns that fold.
const Factor* inner_fold(const Factor& fold, Context& c) {
  const std::size_t k = values_of(fold);
  const Factor* elements = single_of(*fold.args[k], Symbol::tuple);
  if (elements == nullptr) return nullptr;
  const Factor* first = nullptr;
  for (std::size_t v = 0; v < k; ++v) {
    const Factor* inner = single_of(*elements->args[v], Symbol::folded);
    if (inner == nullptr || values_of(*inner) != k || inner->number != static_cast<std::int64_t>(v) ||
        !inner->conditions[k].empty())
      return nullptr;
    if (first == nullptr) first = inner;
    for (std::size_t a = 0; a < k; ++a) {
      if (!same(*inner->args[a], *fold.args[a], c)) return nullptr;
    }
    if (!same(*inner->args[k + 1], *fold.args[k + 1], c)) return nullptr;
    Factor as_first = *inner;  // ignore which of its results this is
    as_first.number = first->number;
    as_first.record = first->record;
    as_first.type = first->type;
    if (!same(factor(as_first), factor(*first), c)) return nullptr;
  }
  return first;
}

/// Finds a pair of adjacent ranges that are read only as the major and minor digit of one index, and merges them.
bool merge_digits(std::vector<AtomId>& ranges, ExprPtr& body, Context& c) {
  for (std::size_t a = 0; a + 1 < ranges.size(); ++a) {
    std::vector<AtomId> pair = {ranges[a], ranges[a + 1]};
    Factor whole;
    whole.args = {body};
    std::vector<Factor> factors = {whole};
    std::vector<Factor> none;
    merge(pair, factors, none, c);
    if (pair.size() != 1) continue;
    // With the digits exchanged, elements would be combined in a different order.
    const Substitution in_order{
        {pair[0], Poly::atom(ranges[a]) * c.at(ranges[a + 1]).extent + Poly::atom(ranges[a + 1])}};
    if (!same(simplified(substitute(*factors[0].args[0], in_order, c), c), simplified(*body, c), c)) continue;
    body = std::make_shared<Expr>(simplified(*factors[0].args[0], c));
    ranges[a] = pair[0];
    ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(a) + 1);
    return true;
  }
  return false;
}

/// If, from some index of a range on, all elements of a fold equal its initial values, restricts the range to the
/// elements before that index. Returns true if it did.
bool drop_initial_elements(Factor& fold, Context& c) {
  const std::size_t k = values_of(fold);
  const Factor* elements = single_of(*fold.args[k], Symbol::tuple);
  if (elements == nullptr) return false;
  for (const ExprPtr& element : elements->args) {
    const auto cut = cut_inside(fold.ranges[k], *element, c);
    if (!cut) continue;
    std::vector<Expr> before;
    bool initial = true;
    for (std::size_t v = 0; initial && v < k; ++v) {
      initial = same(element_at(*elements->args[v], {{cut->range, cut->behind}}, c), *fold.args[v], c);
      before.push_back(element_at(*elements->args[v], {{cut->range, Poly::atom(cut->before)}}, c));
    }
    if (!initial) continue;
    fold.args[k] = std::make_shared<Expr>(factor(applied(Symbol::tuple, ElementType::index, std::move(before))));
    std::replace(fold.ranges[k].begin(), fold.ranges[k].end(), cut->range, cut->before);
    return true;
  }
  return false;
}

}  // namespace

Factor merged_folds(const Factor& fold, Context& c) {
  const std::size_t k = values_of(fold);
  if (!fold.conditions[k].empty()) return fold;
  for (std::size_t v = 0; v < k; ++v) {
    const ElementType type = fold.args[v]->type;
    if (!c.may(Law::fold_of_folds, type) || !c.may(Law::initial_elements, type)) return fold;
  }
  Factor begun = fold;
  while (drop_initial_elements(begun, c)) continue;
  begun = noted(
      replay::Rule::initial_elements, c, [&](Recorder& r) { return r.term(fold); }, begun);
  Factor out = begun;
  while (const Factor* inner = inner_fold(out, c)) {
    Substitution s;
    std::vector<AtomId> ranges = out.ranges[k];
    for (const AtomId r : inner->ranges[k]) {
      ranges.push_back(c.range(c.at(r).extent));
      s[r] = Poly::atom(ranges.back());
    }
    out.args[k] = std::make_shared<Expr>(simplified(substitute(*inner->args[k], s, c), c));
    out.ranges[k] = std::move(ranges);
  }
  while (merge_digits(out.ranges[k], out.args[k], c)) continue;
  return noted(
      replay::Rule::fold_of_folds, c, [&](Recorder& r) { return r.term(begun); }, out);
}

// --- top_k. The indices of a top_k factor are k and the position among the k. ---

std::string top_k_record(std::size_t number) { return fmt::format("top_k#{}", number); }

namespace {

const Factor* top_k_of(const Expr& e, std::size_t number) {
  const Factor* f = single_of(e, Symbol::library);
  return f != nullptr && f->record == top_k_record(number) ? f : nullptr;
}

/// The k largest among the k' largest of each of n blocks of m positions, with the blocks' results in the order of the
/// blocks.
struct TopOfTops {
  Factor inner;  ///< values of a block's top_k, by the position q among n k'
  AtomId place;  ///< q
  Poly kept;     ///< k'
  Poly size;     ///< m
  Factor all;    ///< the same result of top_k over all n m positions
};

/// Recognises a top_k whose array consists of the blocks' top_k, each with at least as many elements as are finally
/// taken.
std::optional<TopOfTops> top_of_tops(const Factor& f, Context& c) {
  const Factor* inner = top_k_of(*f.args[0], 0);
  if (inner == nullptr || f.ranges[0].size() != 1 || inner->ranges[0].size() != 1) return std::nullopt;
  TopOfTops out{*inner, f.ranges[0][0], inner->indices[0], c.at(inner->ranges[0][0]).extent, f};
  const Poly q = Poly::atom(out.place);
  Poly blocks;
  if (!c.non_negative(out.kept - f.indices[0]) || !Context::divides(out.kept, c.at(out.place).extent, blocks) ||
      !(inner->indices[1] == c.mod(q, out.kept)))
    return std::nullopt;
  // The content of a block may depend on q only through the block's number.
  const AtomId block = c.range(blocks);
  const AtomId which = c.range(out.kept);
  const Poly among = out.kept == Poly(1) ? Poly(0) : Poly::atom(which);
  const Expr of_block =
      simplified(substitute(*inner->args[0], {{out.place, Poly::atom(block) * out.kept + among}}, c), c);
  if (contains(of_block, which, c)) return std::nullopt;
  const AtomId everywhere = c.range(blocks * out.size);
  const Poly number = c.div(Poly::atom(everywhere), out.size);
  const Poly inside = Poly::atom(everywhere) - out.size * number;
  const Expr of_all = substitute(of_block, {{block, number}, {inner->ranges[0][0], inside}}, c);
  out.all.ranges = {{everywhere}};
  out.all.args = {std::make_shared<Expr>(simplified(of_all, c))};
  return out;
}

/// True if the integer type can represent all positions below the extent.
bool represents_positions(ElementType type, const Poly& extent, Context& c) {
  const unsigned bits = bit_width(type) - (is_signed(type) ? 1 : 0);
  if (bits >= 62 || c.non_negative(Poly(std::int64_t{1} << bits) - extent)) return true;
  if (bits < 31) return false;
  if (extent.is_constant()) return false;
  c.used_sizes = true;
  return true;
}

/// Adds the integer elements that occur in an index, or in the indices of an expression.
void find_values(const Poly& p, Context& c, std::set<AtomId>& out) {
  for (const auto& [monomial, coefficient] : p.terms()) {
    for (const AtomId a : monomial) {
      const Atom& atom = c.at(a);
      if (atom.kind == Atom::Kind::value) out.insert(a);
      if (atom.kind != Atom::Kind::div) continue;
      find_values(atom.a, c, out);
    }
  }
}
void find_values(const Expr& e, Context& c, std::set<AtomId>& out) {
  for (const Term& t : e.terms) {
    for (const Factor& f : t.factors) {
      for (const Poly& p : f.indices) find_values(p, c, out);
    }
  }
}

/// Recognises the position, within its block, of an element that is among the blocks' results: returns its position in
/// the whole array minus the start of its block.
std::optional<Expr> place_in_block(const Factor& f, Context& c) {
  std::set<AtomId> values;
  find_values(f.indices[1], c, values);
  find_values(*f.args[0], c, values);
  for (const AtomId a : values) {
    const Factor* among = top_k_of(*c.at(a).value, 1);
    const auto tops = among != nullptr ? top_of_tops(*among, c) : std::nullopt;
    const Poly v = Poly::atom(a);
    if (!tops || among->type != f.type || !(f.indices[0] == tops->kept) || !(f.indices[1] == c.mod(v, tops->kept)) ||
        !represents_positions(f.type, c.at(tops->place).extent, c))
      continue;
    Factor value = f;  // the element at this position
    value.record = top_k_record(0);
    value.type = tops->inner.type;
    const Expr wanted = substitute(factor(tops->inner), {{tops->place, v}}, c);
    if (!same(simplified(factor(value), c), simplified(wanted, c), c)) continue;
    return add(factor(tops->all), index_number(tops->size * c.div(v, tops->kept), f.type), -1);
  }
  return std::nullopt;
}

/// True if no element of the type comes before this one in the total order.
bool is_least(const Expr& e, ElementType type, Context& c) {
  if (!is_float(type)) return is_identity(e, Monoid::max, c);
  const Factor* f = single_of(e, Symbol::literal);
  const LiteralPtr least = least_splat({type, {}});
  return f != nullptr && least != nullptr && f->literal->bytes == least->bytes;
}

/// Returns the top_k of the elements before an index from which on all are least, if these are at least k.
Factor without_least_elements(const Factor& f, Context& c) {
  if (f.ranges[0].size() != 1) return f;
  const ElementType type = f.args[0]->type;
  const auto cut = cut_inside(f.ranges[0], *f.args[0], c);
  if (!cut || !c.may(Law::lowest_elements, type) || !c.non_negative(c.at(cut->before).extent - f.indices[0]) ||
      !is_least(element_at(*f.args[0], {{cut->range, cut->behind}}, c), type, c))
    return f;
  Factor out = f;
  out.args[0] = std::make_shared<Expr>(element_at(*f.args[0], {{cut->range, Poly::atom(cut->before)}}, c));
  out.ranges[0] = {cut->before};
  return noted(
      replay::Rule::lowest_elements, c, [&](Recorder& r) { return r.term(f); }, out);
}

}  // namespace

Expr merged_top_k(const Factor& top_k, Context& c) {
  const Factor f = without_least_elements(top_k, c);
  const auto taken = [&](Expr out) {
    return noted(
        replay::Rule::top_of_tops, c, [&](Recorder& r) { return r.term(f); }, simplified(out, c));
  };
  if (f.record == top_k_record(0)) {
    const auto tops = top_of_tops(f, c);
    if (tops && c.may(Law::top_of_tops, f.type)) return taken(factor(tops->all));
  } else if (c.may(Law::top_of_tops, f.args[0]->type)) {
    if (auto out = place_in_block(f, c)) return taken(std::move(*out));
  }
  return factor(f);
}

std::optional<Poly> extent_of_places(const Expr& e, Context& c) {
  const Factor* f = top_k_of(e, 1);
  if (f == nullptr || f->ranges[0].size() != 1) return std::nullopt;
  const Poly extent = c.at(f->ranges[0][0]).extent;
  return represents_positions(f->type, extent, c) ? std::optional(extent) : std::nullopt;
}

}  // namespace partir::prove
