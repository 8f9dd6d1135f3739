// Evaluation of collectives, by replica group. Throws Deadlock if only some devices of a group reach one.
#include <fmt/format.h>

#include <algorithm>

#include "ir/ops/common.h"
#include "semantics/collectives.h"
#include "semantics/exchange.h"
#include "verify/validate/program.h"

namespace partir::validate {

ArrayPtr Program::folded(const Op& op, const std::vector<ArrayPtr>& of, const TensorType& result) {
  // A collective's computation is one on scalars, so it is applied to each element of the arrays.
  const auto promoted = [&](const ArrayPtr& a) {
    if (a->type.element == result.element) return a;
    auto out = std::make_shared<Array>();
    out->type = a->type;
    out->type.element = result.element;
    for (const Element e : a->data)
      out->data.push_back(algebra_.apply(ScalarFn::convert, a->type.element, result.element, {e}));
    return ArrayPtr(out);
  };
  const std::optional<Monoid> monoid = instance_of(function_, op).monoid();
  const Algebra::Inside inside(algebra_);
  std::vector<ArrayPtr> all;
  for (const ArrayPtr& a : of) all.push_back(promoted(a));
  ArrayPtr total = all[0];
  // By bits, the machine chooses the order of a sum or product of more than two addends or factors.
  const bool in_some_order =
      algebra_.by_bits() && all.size() > 2 && (!monoid || *monoid == Monoid::sum || *monoid == Monoid::prod);
  const auto finished = [&](const ArrayPtr& a) { return in_some_order ? in_order(*a, "over devices") : a; };
  const bool booleans = result.element == ElementType::i1;
  if (monoid && (*monoid != Monoid::prod || booleans)) {
    const ScalarFn fn = combiner_fn(*monoid);
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      if (*monoid == Monoid::sum && !booleans) {
        Element e = out->data[p];
        for (std::size_t k = 1; k < all.size(); ++k) e = algebra_.add(e, all[k]->data[p], result.element);
        out->data[p] = e;
        continue;
      }
      std::vector<Element> members;
      for (const ArrayPtr& a : all) members.push_back(a->data[p]);
      if (!booleans && (*monoid == Monoid::max || *monoid == Monoid::min)) {
        out->data[p] = algebra_.extremum(fn, std::move(members), result.element);
        continue;
      }
      Element e = members[0];
      for (std::size_t k = 1; k < members.size(); ++k)
        e = algebra_.apply(fn, result.element, result.element, {e, members[k]});
      out->data[p] = e;
    }
    return finished(out);
  }
  if (monoid) {
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      for (std::size_t k = 1; k < all.size(); ++k)
        out->data[p] = algebra_.multiply(out->data[p], all[k]->data[p], result.element);
    }
    return finished(out);
  }
  // Any other computation is a fold of scalars in an order that the machine chooses.
  if (!ops::has_scalar_region(instance_of(function_, op), 0, 2))
    throw Unknown{fmt::format("line {}: the computation of {}", op.place.line, op.name())};
  const TensorType together{result.element, {static_cast<std::int64_t>(all.size())}};
  const std::vector<Type> operand_types = {together};
  const std::vector<Type> result_types = {TensorType{result.element, {}}};
  MeaningBuilder builder(operand_types, result_types);
  (void)builder.result(0);
  const Index later = builder.range(together.dims[0] - 1);
  const Term computed =
      ops::region_term(instance_of(function_, op), 0,
                       {builder.argument(0, result.element), builder.argument(1, result.element)}, builder);
  builder.define(
      0, builder.reduce({later}, {}, computed, builder.read(0, {builder.constant(0)}), builder.read(0, {later + 1})));
  Kernel kernel = kernel_of(builder.take(), operand_types, result_types, nullptr, "a fold over devices");
  auto out = std::make_shared<Array>(*total);
  for (std::size_t p = 0; p < out->data.size(); ++p) {
    auto members = std::make_shared<Array>();
    members->type = together;
    for (const ArrayPtr& a : all) members->data.push_back(a->data[p]);
    out->data[p] = evaluate(kernel, {members}, algebra_)[0]->data[0];
  }
  return finished(out);
}

void Program::collective(const Op& op, const Active& active) {
  const std::string& name = op.name();
  const Collective& how = op.decl->collective;
  const auto groups = process_groups(op, devices_);
  std::vector<bool> runs(count_, false);
  for (const std::size_t d : active) runs[d] = true;
  const auto zeros = [&](const Array& like) {
    auto out = std::make_shared<Array>();
    out->type = like.type;
    out->data.assign(like.data.size(), algebra_.from_index(0, like.type.element));
    return ArrayPtr(out);
  };
  for (const auto& group : groups) {
    const bool some =
        std::any_of(group.begin(), group.end(), [&](std::int64_t id) { return runs[static_cast<std::size_t>(id)]; });
    const bool all =
        std::all_of(group.begin(), group.end(), [&](std::int64_t id) { return runs[static_cast<std::size_t>(id)]; });
    if (some && !all) throw Deadlock{op.place, name, fmt::format("{}: not all devices of a group reach it", name)};
  }
  if (op.operands.size() > op.results.size())
    throw Unknown{fmt::format("line {}: {} with a root that data decides", op.place.line, name)};
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    const TensorType& result = function_.tensor(op.results[k]);
    const ValueId from = op.operands[k];
    const auto give = [&](std::int64_t id, ArrayPtr a) {
      if (a->type != result) fail("collective", op.place, a->type.str() + " for this group", result.str());
      set(op.results[k], static_cast<std::size_t>(id), std::move(a));
    };
    std::vector<bool> grouped(count_, false);
    if (how.pairs) {
      for (const auto& pair : groups) {
        if (!runs[static_cast<std::size_t>(pair[0])]) continue;
        give(pair[1], at(from, static_cast<std::size_t>(pair[0])));
        grouped[static_cast<std::size_t>(pair[1])] = true;
      }
      for (const std::size_t d : active) {
        if (!grouped[d]) give(static_cast<std::int64_t>(d), zeros(*at(from, d)));
      }
      continue;
    }
    for (const auto& group : groups) {
      if (group.empty() || !runs[static_cast<std::size_t>(group[0])]) continue;
      std::vector<ArrayPtr> held;
      for (const std::int64_t id : group) {
        held.push_back(at(from, static_cast<std::size_t>(id)));
        grouped[static_cast<std::size_t>(id)] = true;
      }
      const auto combined = [&] {
        ArrayPtr total = folded(op, held, result);
        algebra_.spend(total->data.size() * group.size());
        return total;
      };
      const std::vector<ArrayPtr> received = exchanged(op, held, 0, combined, zeros);
      for (std::size_t g = 0; g < group.size(); ++g) give(group[g], received[g]);
    }
    for (const std::size_t d : active) {
      if (grouped[d]) continue;
      if (how.from_root)
        give(static_cast<std::int64_t>(d), zeros(*at(from, d)));
      else
        throw Deadlock{op.place, name, fmt::format("device {} is in no group of {}", d, name)};
    }
  }
}

}  // namespace partir::validate
