// reduce: out[i] = fold, by the body, of operand[i with k at `dimensions`] over k, from the initial value
// (specification, "reduce"). The specification leaves open how often the initial value enters, so only a fold from the
// identity is split.
#include <fmt/format.h>

#include "ir/builder.h"
#include "ir/ops/common.h"
#include "ir/ops/merges.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"
#include "ir/text/print.h"

namespace partir::ops {
namespace {

std::size_t inputs(const OpInstance& op) { return op.operands.size() / 2; }

std::vector<Dim> kept_dims(const OpInstance& op) {
  std::vector<Dim> out;
  for (Dim k = 0; k < op.operands[0].rank(); ++k) {
    if (!contains(op.ints("dimensions"), static_cast<std::int64_t>(k))) out.push_back(k);
  }
  return out;
}

/// Returns the body "combiner(%a, %b)" that `applies` abbreviates.
Block abbreviated_body(Function& f, const OpDecl* combiner, ElementType element, Place place) {
  Block unused;
  Builder b(f, unused);
  b.from(place);
  Block body = b.combiner(combiner, element);
  if (auto ok = verify_op(instance_of(f, body.ops[0])); !ok) throw UserError(ok.error());
  return body;
}

/// Whether `applies` may name the operation: operands and results of one type, no attributes.
bool may_apply(const OpDecl* decl) {
  return decl != nullptr && decl->kind == OpDecl::Kind::array && decl->types == OpDecl::TypeForm::same &&
         decl->attributes.empty();
}

/// Whether StableHLO's own reader accepts the operation after `applies`: it must be commutative, as monoids here are.
bool is_commutative(const OpDecl* decl) {
  const auto fn = scalar_fn_of(decl->name);
  return fn && monoid_of(*fn);
}

/// Returns the combiner if `applies` can abbreviate the body; else null.
const OpDecl* abbreviated_combiner(const Function& f, const Op& op) {
  if (op.operands.size() != 2) return nullptr;
  const Block& body = op.regions[0];
  if (body.ops.size() != 2) return nullptr;
  const Op& inner = body.ops[0];
  const Op& end = body.ops[1];
  const bool direct = inner.operands == body.arguments && inner.results.size() == 1 && end.operands == inner.results &&
                      end.name() == "stablehlo.return" && end.attributes.empty();
  if (!direct || !inner.attributes.empty() || !may_apply(inner.decl) || !is_commutative(inner.decl)) return nullptr;
  const Type& scalar = f.type(op.operands[1]);
  const bool scalars =
      f.type(inner.results[0]) == scalar && f.type(body.arguments[0]) == scalar && f.type(body.arguments[1]) == scalar;
  return scalars ? inner.decl : nullptr;
}

}  // namespace

OpDecl reduce() {
  OpDecl d;
  d.name = "stablehlo.reduce";
  d.kind = OpDecl::Kind::array;
  d.attributes = {ints_attr("dimensions")};
  // (%x init: %c), (%y init: %d) [applies op] across dimensions = [0] : … [reducer(%a: t, %b: t) … { … }]
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    std::vector<ValueId> init;
    do {
      p.expect("(");
      op.operands.push_back(p.use());
      p.expect("init");
      p.expect(":");
      init.push_back(p.use());
      p.expect(")");
    } while (p.accept(","));
    op.operands.insert(op.operands.end(), init.begin(), init.end());
    const OpDecl* combiner = nullptr;
    if (p.accept("applies")) {
      const Place place = p.here();
      combiner = find_decl(p.identifier());
      if (!may_apply(combiner) || init.size() != 1)
        fail("reduce", place, "this combiner", "an operation of two scalars");
    }
    p.expect("across");
    p.expect("dimensions");
    p.expect("=");
    set(op.attributes, "dimensions", {IntsAttr{p.int_list()}});
    p.optional_dictionary(op.attributes);
    p.functional_type(f, op);
    if (combiner != nullptr) {
      const Type& initial = f.type(op.operands.back());
      if (!initial.is_tensor()) fail("reduce (I2)", op.place, initial.str(), "initial values that are tensors");
      const ElementType scalar = initial->element;
      op.regions.push_back(abbreviated_body(f, combiner, scalar, op.place));
      return;
    }
    p.expect("reducer");
    std::vector<std::pair<std::string, Type>> left;
    std::vector<std::pair<std::string, Type>> right;
    do {
      p.expect("(");
      for (auto* side : {&left, &right}) {
        std::string name = p.definition();
        p.expect(":");
        side->emplace_back(std::move(name), p.type());
        p.skip_location();
        if (side == &left) p.expect(",");
      }
      p.expect(")");
    } while (p.at("("));
    left.insert(left.end(), right.begin(), right.end());
    op.regions.push_back(p.region(f, left));
  };
  d.print = [](text::OpPrinter& p, const Function& f, const Op& op) {
    const std::size_t n = op.operands.size() / 2;
    std::string out = "stablehlo.reduce";
    for (std::size_t i = 0; i < n; ++i) {
      out += fmt::format("{}({} init: {})", i != 0 ? ", " : "", p.value(op.operands[i]), p.value(op.operands[n + i]));
    }
    const OpDecl* combiner = abbreviated_combiner(f, op);
    if (combiner != nullptr) out += fmt::format(" applies {}", combiner->name);
    p.text(out + " across dimensions = " + ints_text(find(op.attributes, "dimensions")->as<IntsAttr>()->values));
    p.dictionary(op);
    p.functional_type(f, op);
    if (combiner != nullptr) return;
    p.newline();
    p.text(" reducer");
    const Block& body = op.regions.at(0);
    for (std::size_t i = 0; i < n; ++i) {
      const ValueId a = body.arguments.at(i);
      const ValueId b = body.arguments.at(n + i);
      p.text(fmt::format("({}: {}, ", p.fresh(a), f.type(a).str()));
      p.text(fmt::format("{}: {}) ", p.fresh(b), f.type(b).str()));
    }
    p.region(f, body, false);
  };
  d.prints = [](const Function&, const Op& op) {
    return !op.operands.empty() && op.operands.size() % 2 == 0 && op.regions.size() == 1 &&
           op.regions[0].arguments.size() == op.operands.size() && find(op.attributes, "dimensions") != nullptr;
  };
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() % 2 == 0 && !op.operands.empty() && op.results.size() == op.operands.size() / 2, op,
            "C3", "as many inputs as initial values and results");
    const std::size_t n = op.operands.size() / 2;
    const auto& dims = op.ints("dimensions");
    require(in_range(dims, op.operands[0].rank()), op, "C4", "0 <= dimensions < rank", ints_text(dims));
    require(is_unique(dims), op, "C5", "distinct dimensions", ints_text(dims));
    std::vector<std::int64_t> kept;
    for (const Dim k : kept_dims(op)) kept.push_back(op.operands[0]->dims[k]);
    for (std::size_t i = 0; i < n; ++i) {
      require(op.operands[i]->dims == op.operands[0]->dims, op, "C1", "inputs of one shape");
      require(op.operands[n + i].rank() == 0, op, "I2", "initial values of rank 0");
      require(op.operands[n + i]->element == op.operands[i]->element, op, "C2",
              "initial values of the input's element type");
      require(op.results[i]->dims == kept, op, "C7", "results of the input's shape without the dimensions");
    }
    std::vector<ElementType> inputs;
    for (std::size_t i = 0; i < n; ++i) inputs.push_back(op.operands[i]->element);
    const auto computed = require_combiner(op, "C6", inputs);
    for (std::size_t i = 0; i < n; ++i) {
      require(op.results[i]->element == computed[i], op, "C8", "results of the body's element types");
    }
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && has_scalar_region(op, 0, op.operands.size());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const std::size_t n = inputs(op);
    for (std::size_t r = 0; r < n; ++r) {
      const auto i = b.result(r);
      std::vector<Index> from;
      std::vector<Index> over;
      std::size_t next = 0;
      for (Dim k = 0; k < op.operands[0].rank(); ++k) {
        if (contains(op.ints("dimensions"), static_cast<std::int64_t>(k))) {
          over.push_back(b.range(op.operands[0]->dims[k]));
          from.push_back(over.back());
        } else {
          from.push_back(i[next++]);
        }
      }
      std::vector<Term> arguments;
      std::vector<Term> init;
      std::vector<Term> body;
      for (std::size_t k = 0; k < 2 * n; ++k) arguments.push_back(b.argument(k, op.results[k % n]->element));
      for (std::size_t k = 0; k < n; ++k) {
        init.push_back(promoted(b.read(n + k, {}), op.results[k]->element, b));
        body.push_back(promoted(b.read(k, from), op.results[k]->element, b));
      }
      b.define(r, b.reduce(r, over, {}, region_terms(op, 0, arguments, b), init, body));
    }
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out;
    const auto kept = kept_dims(op);
    const std::size_t n = inputs(op);
    for (Dim r = 0; r < kept.size(); ++r) {
      Entry entry{std::vector<Action>(2 * n), std::vector<Action>(n, Action::tile(r))};
      for (std::size_t k = 0; k < n; ++k) entry.operands[k] = Action::tile(kept[r]);
      out.push_back(std::move(entry));
    }
    const auto monoid = op.monoid();
    if (n != 1 || !monoid || !is_identity(op.splats[1], *monoid)) return out;
    // The body may compute on wider numbers: the narrow type's identity is still neutral for all elements that are
    // folded, because each is converted from the narrow type separately.
    for (const std::int64_t k : op.ints("dimensions")) {
      out.push_back({{Action::tile(at(k)), Action::any()}, {Action::partial(*monoid)}});
    }
    // A pending sum of narrow numbers, however, may wrap before it is widened.
    const bool promotes = op.results[0]->element != op.operands[0]->element;
    if (!promotes) out.push_back({{Action::partial(*monoid), Action::any()}, {Action::partial(*monoid)}});
    return out;
  };
  d.by_offsets = fold_by_blocks;
  d.padded = fold_over_padded;
  return d;
}

}  // namespace partir::ops
