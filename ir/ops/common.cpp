#include "ir/ops/common.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <unordered_map>

#include "ir/float_format.h"
#include "ir/ops/elementwise.h"
#include "ir/text/parser.h"
#include "support/check.h"

namespace partir::ops {

bool is_unique(std::vector<std::int64_t> list) {
  std::sort(list.begin(), list.end());
  return std::adjacent_find(list.begin(), list.end()) == list.end();
}

std::vector<std::int64_t> joined(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool is_identity(const LiteralPtr& scalar, Monoid monoid) {
  if (scalar == nullptr) return false;
  const ElementType type = scalar->type.element;
  if (!combines(monoid, type)) return false;
  if (is_complex(type)) return scalar->as_complex(0) == (monoid == Monoid::sum ? 0.0 : 1.0);
  if (is_float(type)) {
    const double v = scalar->as_double(0);
    switch (monoid) {
      case Monoid::sum: return v == 0;
      case Monoid::prod: return v == 1;
      case Monoid::max: return v == -std::numeric_limits<double>::infinity();
      case Monoid::min: return v == std::numeric_limits<double>::infinity();
      default: return false;
    }
  }
  const std::int64_t v = scalar->as_int(0);
  const unsigned bits = bit_width(type);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const auto ones = static_cast<std::int64_t>(mask);
  switch (monoid) {
    case Monoid::sum:
    case Monoid::disj: return v == 0;
    case Monoid::prod: return v == 1;
    case Monoid::conj: return is_signed(type) ? v == -1 : v == ones;
    case Monoid::max: return is_signed(type) ? v == -static_cast<std::int64_t>(mask / 2) - 1 : v == 0;
    case Monoid::min: return is_signed(type) ? v == static_cast<std::int64_t>(mask / 2) : v == ones;
  }
  return false;
}

bool combines(Monoid monoid, ElementType type) {
  if (type == ElementType::i1) return monoid == Monoid::conj || monoid == Monoid::disj;
  if (monoid == Monoid::conj || monoid == Monoid::disj) return is_integer(type);
  if (is_complex(type)) return monoid == Monoid::sum || monoid == Monoid::prod;
  return is_integer(type) || is_float(type);
}

bool may_be_multiplied(ElementType lhs, ElementType rhs, ElementType result) {
  if (lhs == rhs) return true;
  return is_float(lhs) && is_float(rhs) && is_float(result) && holds_all_of(result, lhs) && holds_all_of(result, rhs);
}

bool converts_additively(ElementType from, ElementType to) {
  return from == to ||
         (is_float(from) && is_float(to) && bit_width(to) >= 2 * bit_width(from) && holds_all_of(to, from));
}

bool converts_additively(const OpInstance& op) {
  return std::all_of(op.operands.begin(), op.operands.end(), [&](const Type& operand) {
    return converts_additively(operand->element, op.results[0]->element);
  });
}

bool converts_monotonically(ElementType from, ElementType to) {
  if (is_float(from) && is_float(to)) return holds_all_of(to, from);
  if (!is_integer(from) || !is_integer(to)) return false;
  if (is_signed(from) != is_signed(to)) return is_signed(to) && bit_width(to) > bit_width(from);
  return bit_width(to) >= bit_width(from);
}

void index_only_entries(const OpInstance& op, const std::vector<std::size_t>& moved, std::vector<Entry>& out) {
  for (const Monoid m : kMonoids) {
    if (!combines(m, op.results.at(0)->element)) continue;
    Entry entry{std::vector<Action>(op.operands.size()), {Action::partial(m)}};
    for (const std::size_t i : moved) entry.operands.at(i) = Action::partial(m);
    out.push_back(std::move(entry));
  }
}

std::string types_text(const std::vector<Type>& types) {
  std::string out;
  for (const Type& t : types) out += (out.empty() ? "" : ", ") + t.str();
  return "(" + out + ")";
}

std::string types_text(const Function& function, const std::vector<ValueId>& values) {
  std::vector<Type> types;
  for (const ValueId v : values) types.push_back(function.type(v));
  return types_text(types);
}

void require_arity(const OpInstance& op, std::size_t operands, std::size_t results) {
  const auto plural = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  require(op.operands.size() == operands && op.results.size() == results, op, "arity",
          plural(operands, "operand") + " and " + plural(results, "result"));
}

bool is_set(const AttributeList& attributes, std::string_view name) {
  const Attribute* a = find(attributes, name);
  return a != nullptr && (a->as<bool>() == nullptr || *a->as<bool>());
}

std::int64_t channel_id(const AttributeList& attributes, Place place) {
  const Attribute* a = find(attributes, "channel_handle");
  const RawAttr* raw = a != nullptr ? a->as<RawAttr>() : nullptr;
  if (raw == nullptr) return 0;
  const AttributeList fields = text::struct_fields(raw->text, place);
  const Attribute* handle = find(fields, "handle");
  const IntAttr* id = handle != nullptr ? handle->as<IntAttr>() : nullptr;
  return id != nullptr ? id->value : 0;
}

void require_precisions(const OpInstance& op, std::string_view kind, std::string_view count) {
  const Attribute* config = find(op.attributes, "precision_config");
  if (config == nullptr) return;
  const ArrayAttr* list = config->as<ArrayAttr>();
  require(list != nullptr, op, kind, "a list of precisions", config->str());
  // The dialect may also write the defaults as an empty list.
  require(list->items.empty() || list->items.size() == 2, op, count, "two precisions",
          fmt::format("{}", list->items.size()));
  for (const Attribute& item : list->items) {
    const KeywordAttr* keyword = item.as<KeywordAttr>();
    const bool known =
        keyword != nullptr && (keyword->value == "DEFAULT" || keyword->value == "HIGH" || keyword->value == "HIGHEST");
    if (!known) require(false, op, kind, "DEFAULT, HIGH or HIGHEST", item.str());
  }
}

bool is_promotable(ElementType from, ElementType to) {
  const bool same_kind =
      (is_integer(from) && is_integer(to)) || (is_float(from) && is_float(to)) || (is_complex(from) && is_complex(to));
  return from == to || (same_kind && bit_width(from) <= bit_width(to));
}

std::vector<ElementType> require_combiner(const OpInstance& op, std::string_view label,
                                          const std::vector<ElementType>& inputs, std::size_t region) {
  if (op.regions == nullptr || op.function == nullptr) return inputs;
  require(op.regions->size() == region + 1 && !op.regions->back().ops.empty(), op, label, "a computation",
          op.regions->empty() ? "no region" : "");
  const Block& body = op.regions->back();
  const std::vector<ValueId>& returned = body.ops.back().operands;
  const std::size_t n = inputs.size();
  const auto must = [&](bool condition, std::string_view wanted) {
    if (!condition)
      require(false, op, label, wanted,
              types_text(*op.function, body.arguments) + " -> " + types_text(*op.function, returned));
  };
  must(body.arguments.size() == 2 * n && returned.size() == n,
       "a computation of two scalars for each input and one result for each");
  std::vector<ElementType> out;
  for (std::size_t i = 0; i < n; ++i) {
    const Type& e = op.function->type(returned[i]);
    must(e.is_tensor() && e.rank() == 0, "a computation on tensors of rank 0");
    must(op.function->type(body.arguments[i]) == e && op.function->type(body.arguments[n + i]) == e,
         "a computation whose arguments have its results' types");
    must(is_promotable(inputs[i], e->element), "a computation on types that the inputs' are promotable to");
    out.push_back(e->element);
  }
  return out;
}

Term promoted(Term term, ElementType type, MeaningBuilder& b) {
  return b.type_of(term) == type ? term : b.apply(ScalarFn::convert, type, {term});
}

std::optional<ScalarFn> scalar_fn_of(std::string_view op_name) {
  static const auto table = [] {
    std::unordered_map<std::string_view, ScalarFn> out;
    for (const ElementwiseRow& row : elementwise_rows()) out.emplace(row.name, row.fn);
    return out;
  }();
  const auto it = table.find(op_name);
  return it == table.end() ? std::nullopt : std::optional(it->second);
}

namespace {
std::optional<ScalarFn> region_fn(const Op& op) {
  if (op.name() == "stablehlo.select") return ScalarFn::select;
  if (op.name() == "stablehlo.convert") return ScalarFn::convert;
  return scalar_fn_of(op.name());
}

/// True for operations that return their operands unchanged if these are scalars.
bool is_identity_on_scalars(const Op& op) {
  return op.name() == "stablehlo.reshape" || op.name() == "stablehlo.transpose" ||
         op.name() == "stablehlo.optimization_barrier";
}
}  // namespace

bool has_scalar_region(const OpInstance& op, std::size_t number, std::size_t arguments) {
  if (op.regions == nullptr || op.regions->size() <= number || op.function == nullptr) return false;
  const Block& body = (*op.regions)[number];
  if (body.arguments.size() != arguments) return false;
  std::vector<ValueId> known = body.arguments;
  for (const Op& inner : body.ops) {
    for (const ValueId v : inner.operands) {
      if (std::find(known.begin(), known.end(), v) == known.end()) return false;
      if (op.function->type(v).rank() != 0 || !has_arithmetic(op.function->type(v)->element)) return false;
    }
    known.insert(known.end(), inner.results.begin(), inner.results.end());
    if (inner.decl->kind == OpDecl::Kind::terminator || inner.name() == "stablehlo.constant") continue;
    if (is_identity_on_scalars(inner)) continue;
    const bool compares =
        inner.name() == "stablehlo.compare" && find(inner.attributes, "comparison_direction") != nullptr;
    if ((!compares && !region_fn(inner)) || inner.results.size() != 1) return false;
    if (!has_meaning(instance_of(*op.function, inner))) return false;
  }
  return true;
}

std::vector<Term> region_terms(const OpInstance& op, std::size_t number, const std::vector<Term>& arguments,
                               MeaningBuilder& b) {
  const Block& body = op.regions->at(number);
  std::unordered_map<ValueId, Term> terms;
  for (std::size_t i = 0; i < arguments.size(); ++i) terms[body.arguments.at(i)] = arguments[i];
  for (const Op& inner : body.ops) {
    if (inner.decl->kind == OpDecl::Kind::terminator) {
      std::vector<Term> out;
      for (const ValueId v : inner.operands) out.push_back(terms.at(v));
      return out;
    }
    if (inner.name() == "stablehlo.constant") {
      terms[inner.results[0]] = b.literal(find(inner.attributes, "value")->as<DenseAttr>()->literal);
      continue;
    }
    if (is_identity_on_scalars(inner)) {
      for (std::size_t k = 0; k < inner.results.size(); ++k) terms[inner.results[k]] = terms.at(inner.operands[k]);
      continue;
    }
    std::vector<Term> args;
    for (const ValueId v : inner.operands) args.push_back(terms.at(v));
    if (inner.name() == "stablehlo.compare") {
      terms[inner.results[0]] = comparison(inner.attributes, args.at(0), args.at(1), b);
      continue;
    }
    if (inner.name() == "chlo.square") args.push_back(args[0]);
    terms[inner.results[0]] = b.apply(*region_fn(inner), op.function->type(inner.results[0])->element, args);
  }
  PARTIR_CHECK(false, "region without a terminator");
  return {};
}

Term region_term(const OpInstance& op, std::size_t number, const std::vector<Term>& arguments, MeaningBuilder& b) {
  return region_terms(op, number, arguments, b).at(0);
}

bool has_arithmetic(ElementType type) {
  return type == ElementType::i1 || is_integer(type) || is_float(type) || is_complex(type);
}

bool all_have_arithmetic(const OpInstance& op) {
  const auto ok = [](const Type& t) { return has_arithmetic(t->element); };
  return std::all_of(op.operands.begin(), op.operands.end(), ok) &&
         std::all_of(op.results.begin(), op.results.end(), ok);
}

}  // namespace partir::ops
