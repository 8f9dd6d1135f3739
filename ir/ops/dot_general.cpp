// dot_general: out[b, i, j] = sum k : lhs[b, i, k] * rhs[b, k, j] (specification, "dot_general").
#include <fmt/format.h>

#include <limits>

#include "ir/ops/common.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"

namespace partir::ops {
namespace {

/// The dimension numbers; free dimensions are neither batching nor contracting.
struct Dims {
  const std::vector<std::int64_t>& lhs_batch;
  const std::vector<std::int64_t>& rhs_batch;
  const std::vector<std::int64_t>& lhs_contract;
  const std::vector<std::int64_t>& rhs_contract;
  std::vector<Dim> lhs_free;
  std::vector<Dim> rhs_free;

  explicit Dims(const OpInstance& op)
      : lhs_batch(op.ints("lhs_batching_dimensions")),
        rhs_batch(op.ints("rhs_batching_dimensions")),
        lhs_contract(op.ints("lhs_contracting_dimensions")),
        rhs_contract(op.ints("rhs_contracting_dimensions")) {
    const auto rest = [](const Type& t, const auto& a, const auto& b) {
      std::vector<Dim> out;
      for (Dim k = 0; k < t.rank(); ++k) {
        const auto v = static_cast<std::int64_t>(k);
        if (!contains(a, v) && !contains(b, v)) out.push_back(k);
      }
      return out;
    };
    lhs_free = rest(op.operands[0], lhs_batch, lhs_contract);
    rhs_free = rest(op.operands[1], rhs_batch, rhs_contract);
  }
};

void parse_dot_general(text::Parser& p, Function& f, Op& op) {
  op.operands = {p.use()};
  p.expect(",");
  op.operands.push_back(p.use());
  for (const char* name : {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                           "rhs_contracting_dimensions"}) {
    set(op.attributes, name, {IntsAttr{}});
  }
  const auto pair = [&](const char* lhs, const char* rhs) {
    set(op.attributes, lhs, {IntsAttr{p.int_list()}});
    p.expect("x");
    set(op.attributes, rhs, {IntsAttr{p.int_list()}});
  };
  while (p.accept(",")) {
    const Place place = p.here();
    const std::string key = p.identifier();
    p.expect("=");
    if (key == "batching_dims") {
      pair("lhs_batching_dimensions", "rhs_batching_dimensions");
    } else if (key == "contracting_dims") {
      pair("lhs_contracting_dimensions", "rhs_contracting_dimensions");
    } else if (key == "precision") {
      ArrayAttr list;
      p.expect("[");
      if (!p.at("]")) {
        do list.items.push_back({KeywordAttr{p.keyword()}});
        while (p.accept(","));
      }
      p.expect("]");
      set(op.attributes, "precision_config", {std::move(list)});
    } else if (key == "algorithm") {
      set(op.attributes, "algorithm", {RawAttr{"#stablehlo.dot_algorithm" + std::string(p.balanced("<"))}});
    } else {
      fail("parse", place, fmt::format("'{}'", key), "batching_dims, contracting_dims, precision or algorithm");
    }
  }
  p.optional_dictionary(op.attributes);
  p.functional_type(f, op);
}

void print(text::OpPrinter& p, const Function& f, const Op& op) {
  const auto ints = [&](const char* name) {
    const Attribute* a = find(op.attributes, name);
    return a == nullptr ? std::vector<std::int64_t>{} : a->as<IntsAttr>()->values;
  };
  std::string out = "stablehlo.dot_general " + p.values(op.operands);
  if (!ints("lhs_batching_dimensions").empty()) {
    out += fmt::format(", batching_dims = {} x {}", ints_text(ints("lhs_batching_dimensions")),
                       ints_text(ints("rhs_batching_dimensions")));
  }
  out += fmt::format(", contracting_dims = {} x {}", ints_text(ints("lhs_contracting_dimensions")),
                     ints_text(ints("rhs_contracting_dimensions")));
  if (const Attribute* precision = find(op.attributes, "precision_config")) out += ", precision = " + precision->str();
  if (const Attribute* algorithm = find(op.attributes, "algorithm")) {
    const std::string text = algorithm->str();
    out += ", algorithm = " + text.substr(text.find('<'));
  }
  p.text(out);
  p.dictionary(op);
  p.functional_type(f, op);
}

bool prints(const Function&, const Op& op) {
  const Attribute* algorithm = find(op.attributes, "algorithm");
  const RawAttr* raw = algorithm != nullptr ? algorithm->as<RawAttr>() : nullptr;
  const auto pairs = [&](const char* lhs, const char* rhs) {
    const auto none = [&](const char* name) {
      const Attribute* a = find(op.attributes, name);
      return a == nullptr || a->as<IntsAttr>()->values.empty();
    };
    return !none(lhs) || none(rhs);
  };
  return is_plain(op, 2) && pairs("lhs_batching_dimensions", "rhs_batching_dimensions") &&
         (algorithm == nullptr || (raw != nullptr && raw->text.starts_with("#stablehlo.dot_algorithm<")));
}

/// Checks the fields of the attribute `text`, "#stablehlo.dot_algorithm<lhs_precision_type = tf32, …>".
void verify_algorithm(const OpInstance& op, const std::string& text) {
  struct Field {
    const char* name;
    const char* kind;
    const char* positive = "";
  };
  const AttributeList fields = text::struct_fields(text, op.place);
  const auto check = [&](bool ok, const char* label, std::string_view wanted, const char* name) {
    const Attribute* value = find(fields, name);
    if (!ok)
      require(false, op, label, wanted, fmt::format("{} = {}", name, value != nullptr ? value->str() : "nothing"));
  };
  for (const Field& f :
       {Field{"lhs_precision_type", "I8"}, {"rhs_precision_type", "I9"}, {"accumulation_type", "I10"}}) {
    const Attribute* value = find(fields, f.name);
    const std::string type = value != nullptr ? value->str() : "";
    const auto element = element_type_from(type);
    check(type == "tf32" || (element && is_float(*element)), f.kind, "a floating-point type or tf32", f.name);
  }
  for (const Field& f : {Field{"lhs_component_count", "I11", "C22"},
                         {"rhs_component_count", "I12", "C23"},
                         {"num_primitive_operations", "I13", "C24"}}) {
    const Attribute* value = find(fields, f.name);
    const IntAttr* count = value != nullptr ? value->as<IntAttr>() : nullptr;
    check(count != nullptr && count->value <= std::numeric_limits<std::int32_t>::max(), f.kind, "a number of 32 bits",
          f.name);
    check(count->value > 0, f.positive, "at least 1", f.name);
  }
  const Attribute* imprecise = find(fields, "allow_imprecise_accumulation");
  check(imprecise != nullptr && imprecise->as<bool>() != nullptr, "I14", "true or false",
        "allow_imprecise_accumulation");
  const Attribute* config = find(op.attributes, "precision_config");
  if (config == nullptr) return;
  for (const Attribute& item : config->as<ArrayAttr>()->items)
    require(item.as<KeywordAttr>()->value == "DEFAULT", op, "C21", "DEFAULT precisions beside an algorithm",
            item.str());
}

void verify_dot_general(const OpInstance& op) {
  require(op.operands.size() == 2 && op.results.size() == 1, op, "arity", "two operands and one result");
  const TensorType& lhs = *op.operands[0];
  const TensorType& rhs = *op.operands[1];
  const auto& lb = op.ints("lhs_batching_dimensions");
  const auto& rb = op.ints("rhs_batching_dimensions");
  const auto& lc = op.ints("lhs_contracting_dimensions");
  const auto& rc = op.ints("rhs_contracting_dimensions");
  require(lb.size() == rb.size(), op, "C1", "as many batching dimensions on both sides");
  require(lc.size() == rc.size(), op, "C2", "as many contracting dimensions on both sides");
  require(is_unique(joined(lb, lc)), op, "C3", "distinct dimensions of the left side");
  require(is_unique(joined(rb, rc)), op, "C4", "distinct dimensions of the right side");
  require(in_range(lb, lhs.rank()), op, "C5", "0 <= lhs_batching_dimensions < rank", ints_text(lb));
  require(in_range(lc, lhs.rank()), op, "C6", "0 <= lhs_contracting_dimensions < rank", ints_text(lc));
  require(in_range(rb, rhs.rank()), op, "C7", "0 <= rhs_batching_dimensions < rank", ints_text(rb));
  require(in_range(rc, rhs.rank()), op, "C8", "0 <= rhs_contracting_dimensions < rank", ints_text(rc));
  for (std::size_t k = 0; k < lb.size(); ++k) {
    require(lhs.dims[at(lb[k])] == rhs.dims[at(rb[k])], op, "C9", "batching dimensions of equal sizes");
  }
  for (std::size_t k = 0; k < lc.size(); ++k) {
    require(lhs.dims[at(lc[k])] == rhs.dims[at(rc[k])], op, "C10", "contracting dimensions of equal sizes");
  }
  require_precisions(op, "I7", "C11");
  const Dims d(op);
  std::vector<std::int64_t> shape;
  for (const std::int64_t k : lb) shape.push_back(lhs.dims[at(k)]);
  for (const Dim k : d.lhs_free) shape.push_back(lhs.dims[k]);
  for (const Dim k : d.rhs_free) shape.push_back(rhs.dims[k]);
  require(op.results[0]->dims == shape, op, "C12",
          "a result of shape " + op.results[0]->with_dims(shape).str() + " (batching, left, right)");
  require(may_be_multiplied(lhs.element, rhs.element, op.results[0]->element), op, "C13",
          "operands of one element type, or floats that the result's type holds exactly");
  const Attribute* algorithm = find(op.attributes, "algorithm");
  const RawAttr* raw = algorithm != nullptr ? algorithm->as<RawAttr>() : nullptr;
  if (raw != nullptr && raw->text.starts_with("#stablehlo.dot_algorithm<")) verify_algorithm(op, raw->text);
}

void dot_general_meaning(const OpInstance& op, MeaningBuilder& b) {
  const auto i = b.result();
  const Dims d(op);
  std::vector<Index> lhs(op.operands[0].rank());
  std::vector<Index> rhs(op.operands[1].rank());
  std::vector<Index> over;
  std::size_t next = 0;
  for (std::size_t k = 0; k < d.lhs_batch.size(); ++k) lhs[at(d.lhs_batch[k])] = rhs[at(d.rhs_batch[k])] = i[next++];
  for (const Dim k : d.lhs_free) lhs[k] = i[next++];
  for (const Dim k : d.rhs_free) rhs[k] = i[next++];
  for (std::size_t k = 0; k < d.lhs_contract.size(); ++k) {
    over.push_back(b.range(op.operands[0]->dims[at(d.lhs_contract[k])]));
    lhs[at(d.lhs_contract[k])] = rhs[at(d.rhs_contract[k])] = over.back();
  }
  // Products and sums are computed in the result's type, as in the specification's reduce.
  const ElementType type = op.results[0]->element;
  const auto widened = [&](Term t) { return b.type_of(t) == type ? t : b.apply(ScalarFn::convert, type, {t}); };
  const Term product = b.apply(ScalarFn::multiply, type, {widened(b.read(0, lhs)), widened(b.read(1, rhs))});
  const Term zero = b.from_index(b.constant(0), type);
  b.define(
      0, over.empty() ? product : b.reduce(type == ElementType::i1 ? Monoid::disj : Monoid::sum, over, zero, product));
}

std::vector<Entry> dot_general_entries(const OpInstance& op) {
  std::vector<Entry> out;
  const Dims d(op);
  Dim next = 0;
  for (std::size_t k = 0; k < d.lhs_batch.size(); ++k) {
    out.push_back({{Action::tile(at(d.lhs_batch[k])), Action::tile(at(d.rhs_batch[k]))}, {Action::tile(next++)}});
  }
  for (const Dim k : d.lhs_free) out.push_back({{Action::tile(k), Action::any()}, {Action::tile(next++)}});
  for (const Dim k : d.rhs_free) out.push_back({{Action::any(), Action::tile(k)}, {Action::tile(next++)}});
  const Monoid monoid = op.results[0]->element == ElementType::i1 ? Monoid::disj : Monoid::sum;
  const Action partial = Action::partial(monoid);
  for (std::size_t k = 0; k < d.lhs_contract.size(); ++k) {
    out.push_back({{Action::tile(at(d.lhs_contract[k])), Action::tile(at(d.rhs_contract[k]))}, {partial}});
  }
  if (!converts_additively(op)) return out;
  out.push_back({{partial, Action::any()}, {partial}});
  out.push_back({{Action::any(), partial}, {partial}});
  return out;
}

}  // namespace

OpDecl dot_general() {
  using Kind = AttrSpec::Kind;
  OpDecl d;
  d.name = "stablehlo.dot_general";
  d.kind = OpDecl::Kind::array;
  d.traits = {.contracts = true};
  for (const char* name : {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                           "rhs_contracting_dimensions"}) {
    d.attributes.push_back(field_attr(name, Kind::ints, "dot_dimension_numbers", "#stablehlo.dot"));
  }
  d.attributes.push_back(keywords_attr("precision_config", "precision", "precision"));
  d.attributes.push_back({"algorithm", "algorithm", Kind::raw, "", "", "", false});
  d.parse = parse_dot_general;
  d.print = print;
  d.prints = prints;
  d.verify = verify_dot_general;
  d.covers = all_have_arithmetic;
  d.meaning = dot_general_meaning;
  d.entries = dot_general_entries;
  return d;
}

// --- dot: the older form for vectors and matrices, which contracts the last dimension of lhs with the first of rhs ---

namespace {

/// The equivalent dot_general.
OpInstance as_general(const OpInstance& op) {
  OpInstance out = op;
  const auto last = static_cast<std::int64_t>(op.operands.at(0).rank()) - 1;
  for (const char* name : {"lhs_batching_dimensions", "rhs_batching_dimensions"})
    set(out.attributes, name, {IntsAttr{}});
  set(out.attributes, "lhs_contracting_dimensions", {IntsAttr{{last}}});
  set(out.attributes, "rhs_contracting_dimensions", {IntsAttr{{0}}});
  return out;
}

}  // namespace

OpDecl dot() {
  OpDecl d;
  d.name = "stablehlo.dot";
  d.kind = OpDecl::Kind::array;
  d.traits = {.contracts = true};
  d.attributes = {keywords_attr("precision_config", "precision", "precision")};
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 2 && op.results.size() == 1, op, "arity", "two operands and one result");
    for (const Type& t : op.operands)
      require(t.rank() == 1 || t.rank() == 2, op, "C1", "vectors and matrices", t.str());
    verify_dot_general(as_general(op));
  };
  d.covers = all_have_arithmetic;
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) { dot_general_meaning(as_general(op), b); };
  d.entries = [](const OpInstance& op) { return dot_general_entries(as_general(op)); };
  return d;
}

}  // namespace partir::ops
