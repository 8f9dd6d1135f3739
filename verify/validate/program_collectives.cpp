// Collectives of elements: devices meet by replica group.
#include <fmt/format.h>

#include <algorithm>

#include "ir/ops/common.h"
#include "semantics/collectives.h"
#include "verify/validate/program.h"

namespace partir::validate {

ArrayPtr Program::folded(const Op& op, const std::vector<ArrayPtr>& of, const TensorType& result) {
  // The computation as an elementwise operation on the shape: every collective's is one on scalars.
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
  std::vector<ArrayPtr> all;
  for (const ArrayPtr& a : of) all.push_back(promoted(a));
  ArrayPtr total = all[0];
  if (monoid && *monoid != Monoid::prod) {
    const ScalarFn fn = combiner_fn(*monoid);
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      if (*monoid == Monoid::sum && result.element != ElementType::i1) {
        Element e = out->data[p];
        for (std::size_t k = 1; k < all.size(); ++k) e = algebra_.add(e, all[k]->data[p], result.element);
        out->data[p] = e;
        continue;
      }
      std::vector<Element> members;
      for (const ArrayPtr& a : all) members.push_back(a->data[p]);
      if (*monoid == Monoid::max || *monoid == Monoid::min) {
        out->data[p] = algebra_.extremum(fn, std::move(members), result.element);
        continue;
      }
      Element e = members[0];
      for (std::size_t k = 1; k < members.size(); ++k)
        e = algebra_.apply(fn, result.element, result.element, {e, members[k]});
      out->data[p] = e;
    }
    return out;
  }
  if (monoid) {
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      for (std::size_t k = 1; k < all.size(); ++k)
        out->data[p] = algebra_.multiply(out->data[p], all[k]->data[p], result.element);
    }
    return out;
  }
  // Any other computation: its terms over two arguments, by a kernel of the scalar shape.
  const TensorType scalar{result.element, {}};
  if (!ops::has_scalar_region(instance_of(function_, op), 0, 2))
    throw Unknown{fmt::format("line {}: the computation of {}", op.place.line, op.name())};
  const std::vector<Type> operand_types = {scalar, scalar};
  const std::vector<Type> result_types = {scalar};
  MeaningBuilder builder(operand_types, result_types);
  (void)builder.result(0);
  const Term a = builder.read(0, {});
  const Term b = builder.read(1, {});
  builder.define(0, ops::region_term(instance_of(function_, op), 0, {a, b}, builder));
  Kernel kernel = kernel_of(builder.take(), operand_types, result_types, nullptr);
  for (std::size_t k = 1; k < all.size(); ++k) {
    const ArrayPtr next = all[k];
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      const std::vector<ArrayPtr> args = {std::make_shared<Array>(Array{scalar, {total->data[p]}}),
                                          std::make_shared<Array>(Array{scalar, {next->data[p]}})};
      out->data[p] = evaluate(kernel, args, algebra_)[0]->data[0];
    }
    total = out;
  }
  return total;
}

namespace {

struct Around {
  std::int64_t outer = 1;
  std::int64_t size = 1;
  std::int64_t inner = 1;
  Around(const TensorType& type, std::size_t dim) : size(type.dims[dim]) {
    for (std::size_t d = 0; d < dim; ++d) outer *= type.dims[d];
    for (std::size_t d = dim + 1; d < type.rank(); ++d) inner *= type.dims[d];
  }
};

ArrayPtr cut(const ArrayPtr& x, std::size_t dim, std::int64_t start, std::int64_t count) {
  const Around a(x->type, dim);
  auto out = std::make_shared<Array>();
  out->type = x->type;
  out->type.dims[dim] = count;
  for (std::int64_t o = 0; o < a.outer; ++o) {
    const auto begin = x->data.begin() + (o * a.size + start) * a.inner;
    out->data.insert(out->data.end(), begin, begin + count * a.inner);
  }
  return out;
}

ArrayPtr join(const std::vector<ArrayPtr>& parts, std::size_t dim) {
  auto out = std::make_shared<Array>();
  out->type = parts[0]->type;
  out->type.dims[dim] = 0;
  for (const ArrayPtr& p : parts) out->type.dims[dim] += p->type.dims[dim];
  const Around a(out->type, dim);
  for (std::int64_t o = 0; o < a.outer; ++o) {
    for (const ArrayPtr& p : parts) {
      const std::int64_t run = p->type.dims[dim] * a.inner;
      const auto begin = p->data.begin() + o * run;
      out->data.insert(out->data.end(), begin, begin + run);
    }
  }
  return out;
}

std::size_t dim_of(const Op& op, const char* name) {
  return static_cast<std::size_t>(find(op.attributes, name)->as<IntAttr>()->value);
}

}  // namespace

void Program::collective(const Op& op, const Active& active) {
  const std::string& name = op.name();
  const auto groups = process_groups(op, devices_);
  std::vector<bool> runs(count_, false);
  for (const std::size_t d : active) runs[d] = true;
  const auto zeros = [&](const ArrayPtr& like) {
    auto out = std::make_shared<Array>();
    out->type = like->type;
    out->data.assign(like->data.size(), algebra_.from_index(0, like->type.element));
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
    if (name == "stablehlo.collective_permute") {
      for (const auto& pair : groups) {
        if (!runs[static_cast<std::size_t>(pair[0])]) continue;
        give(pair[1], at(from, static_cast<std::size_t>(pair[0])));
        grouped[static_cast<std::size_t>(pair[1])] = true;
      }
      for (const std::size_t d : active) {
        if (!grouped[d]) give(static_cast<std::int64_t>(d), zeros(at(from, d)));
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
      const auto n = static_cast<std::int64_t>(group.size());
      if (name == "stablehlo.collective_broadcast") {
        for (const std::int64_t id : group) give(id, held[0]);
      } else if (name == "stablehlo.all_reduce" || name == "stablehlo.reduce_scatter" ||
                 name == "stablehlo.collective_reduce") {
        const ArrayPtr total = folded(op, held, result);
        spend(total->data.size() * group.size());
        for (std::int64_t g = 0; g < n; ++g) {
          if (name == "stablehlo.all_reduce") {
            give(group[static_cast<std::size_t>(g)], total);
          } else if (name == "stablehlo.collective_reduce") {
            give(group[static_cast<std::size_t>(g)], g == 0 ? total : zeros(total));
          } else {
            const std::size_t dim = dim_of(op, "scatter_dimension");
            const std::int64_t size = total->type.dims[dim] / n;
            give(group[static_cast<std::size_t>(g)], cut(total, dim, g * size, size));
          }
        }
      } else if (name == "stablehlo.all_gather") {
        const ArrayPtr all = join(held, dim_of(op, "all_gather_dim"));
        for (const std::int64_t id : group) give(id, all);
      } else if (name == "stablehlo.all_to_all") {
        const std::size_t split = dim_of(op, "split_dimension");
        const std::size_t concat = dim_of(op, "concat_dimension");
        for (std::int64_t g = 0; g < n; ++g) {
          std::vector<ArrayPtr> parts;
          for (const ArrayPtr& a : held) {
            const std::int64_t size = a->type.dims[split] / n;
            parts.push_back(cut(a, split, g * size, size));
          }
          give(group[static_cast<std::size_t>(g)], join(parts, concat));
        }
      } else {
        throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, name)};
      }
    }
    for (const std::size_t d : active) {
      if (grouped[d]) continue;
      if (name == "stablehlo.collective_broadcast")
        give(static_cast<std::int64_t>(d), zeros(at(from, d)));
      else
        throw Deadlock{op.place, name, fmt::format("device {} is in no group of {}", d, name)};
    }
  }
}

}  // namespace partir::validate
