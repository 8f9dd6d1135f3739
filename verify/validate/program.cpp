#include "verify/validate/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/control_flow.h"
#include "ir/ops/common.h"
#include "semantics/collectives.h"
#include "support/check.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostIterations = 100'000;

/// Operations through which a sum stays a sum of the same terms.
bool passes_sums(const Op& op) {
  const std::string& n = op.name();
  static const std::unordered_set<std::string> names = {"stablehlo.add",
                                                        "stablehlo.subtract",
                                                        "stablehlo.negate",
                                                        "stablehlo.multiply",
                                                        "stablehlo.divide",
                                                        "stablehlo.select",
                                                        "stablehlo.broadcast_in_dim",
                                                        "stablehlo.reshape",
                                                        "stablehlo.transpose",
                                                        "stablehlo.slice",
                                                        "stablehlo.concatenate",
                                                        "stablehlo.pad",
                                                        "stablehlo.reduce",
                                                        "stablehlo.dynamic_slice",
                                                        "stablehlo.dynamic_update_slice",
                                                        "stablehlo.reverse",
                                                        "stablehlo.all_reduce",
                                                        "stablehlo.reduce_scatter",
                                                        "stablehlo.all_gather",
                                                        "stablehlo.all_to_all",
                                                        "stablehlo.collective_permute",
                                                        "stablehlo.maximum",
                                                        "stablehlo.minimum",
                                                        "stablehlo.gather",
                                                        "stablehlo.convert"};
  return names.contains(n) || !flows_of(op).empty() || op.decl->kind == OpDecl::Kind::opaque;
}

bool is_exponential(const Op& op) {
  const std::string& n = op.name();
  return n == "stablehlo.exponential" || n == "stablehlo.exponential_minus_one" || n == "stablehlo.logistic";
}

bool is_logarithm(const Op& op) { return op.name() == "stablehlo.log" || op.name() == "stablehlo.log_plus_one"; }

}  // namespace

ArrayPtr at_grid(ArrayPtr a, const GridPtr& grid) {
  if (a == nullptr || a->grid == grid || grid == nullptr) return a;
  if (a->grid != nullptr && *a->grid == *grid) {
    auto out = std::make_shared<Array>(*a);
    out->grid = grid;
    return out;
  }
  auto out = std::make_shared<Array>();
  out->type = a->type;
  out->grid = grid;
  const auto extents = out->extents();
  if (count_of(extents) == 0) return out;
  const auto strides = strides_of(a->extents());
  std::vector<std::int64_t> index(extents.size(), 0);
  do {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t i = index_of(a->grid, a->type, d, position_at(grid, d, index[d]));
      if (i < 0) throw Unknown{"a position that was not foreseen"};
      at += i * strides[d];
    }
    out->data.push_back(a->data[static_cast<std::size_t>(at)]);
  } while (advance(index, extents));
  return out;
}

Program::Program(const Function& function, const Devices& devices, Algebra& algebra, std::function<bool()> stop,
                 Plan* plan)
    : function_(function),
      devices_(devices),
      count_(plan != nullptr ? plan->devices.size() : static_cast<std::size_t>(devices.count())),
      plan_(plan),
      algebra_(algebra),
      stop_(std::move(stop)),
      values_(function.types.size(), DeviceArrays(count_)),
      signs_(function.types.size(), Sign::any),
      tracked_(function.types.size(), false) {
  for (std::size_t d = 0; d < count_; ++d) {
    ids_.push_back(plan != nullptr ? plan->devices[d] : static_cast<std::int64_t>(d));
    slots_.emplace(ids_.back(), d);
  }
  mark_sums();
}

void Program::mark_sums() {
  // Backwards from exponentials, and forwards from logarithms, through what passes sums on, until nothing changes.
  std::vector<bool> before(tracked_.size(), false);
  std::vector<bool> after(tracked_.size(), false);
  bool changed = true;
  const auto mark = [&](std::vector<bool>& in, ValueId v) {
    if (!in[v.index()]) changed = in[v.index()] = true;
  };
  const auto any = [](const std::vector<bool>& in, const std::vector<ValueId>& of) {
    return std::any_of(of.begin(), of.end(), [&](ValueId v) { return in[v.index()]; });
  };
  const auto hand_on = [&](const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
    if (any(before, to)) {
      for (const ValueId v : from) mark(before, v);
    }
    if (any(after, from)) {
      for (const ValueId v : to) mark(after, v);
    }
  };
  while (changed) {
    changed = false;
    for_each_op(function_.body, [&](const Op& op) {
      if (is_exponential(op)) {
        for (const ValueId v : op.operands) mark(before, v);
      }
      if (is_logarithm(op)) {
        for (const ValueId v : op.results) mark(after, v);
      }
      if (!passes_sums(op)) return;
      const auto flows = flows_of(op);
      for (const Flow& f : flows) hand_on(f.from, f.to);
      if (flows.empty()) hand_on(op.operands, op.results);
    });
  }
  for (std::size_t v = 0; v < tracked_.size(); ++v) tracked_[v] = before[v] || after[v];
}

void Program::spend(std::size_t elements) {
  spent_ += elements;
  if (spent_ < 20'000) return;
  spent_ = 0;
  if (stop_ && stop_()) throw Unknown{"out of time"};
}

std::vector<DeviceArrays> Program::run(const std::vector<DeviceArrays>& arguments, const Observer& observer) {
  observer_ = observer ? &observer : nullptr;
  for (std::size_t k = 0; k < arguments.size(); ++k) values_[function_.arguments()[k].index()] = arguments[k];
  Active all(count_);
  for (std::size_t d = 0; d < count_; ++d) all[d] = d;
  return block(function_.body, all);
}

std::vector<DeviceArrays> Program::block(const Block& b, const Active& active) {
  for (const Op& op : b.ops) {
    if (op.decl->kind == OpDecl::Kind::terminator) {
      std::vector<DeviceArrays> out;
      for (const ValueId v : op.operands) out.push_back(values_[v.index()]);
      return out;
    }
    step(op, active);
  }
  return {};
}

void Program::step(const Op& op, const Active& active) {
  const bool tracks = (passes_sums(op) || is_logarithm(op)) &&
                      std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return tracked_[v.index()]; });
  algebra_.track_sums(tracks);
  for (const ValueId v : op.results) values_[v.index()].assign(count_, nullptr);
  std::vector<Sign> signs;
  for (const ValueId v : op.operands) signs.push_back(signs_[v.index()]);
  if (op.decl->kind != OpDecl::Kind::control) {
    const Sign sign = sign_of_results(function_, op, signs);
    for (const ValueId v : op.results) signs_[v.index()] = sign;
  }
  // A divisor that is positive on all inputs needs no look; of a sum of positive numbers |x| is x.
  const bool divides = op.name() == "stablehlo.divide" && signs[1] == Sign::positive;
  const bool takes_root = op.name() == "stablehlo.rsqrt" && signs[0] == Sign::positive;
  algebra_.note_divisors(!divides && !takes_root);
  if (op.name() == "stablehlo.abs" && signs[0] != Sign::any) {
    for (const std::size_t d : active) set(op.results[0], d, at(op.operands[0], d));
    return;
  }
  switch (op.decl->kind) {
    case OpDecl::Kind::array: array_op(op, active); break;
    case OpDecl::Kind::collective: collective(op, active); break;
    case OpDecl::Kind::device: device_id(op, active); break;
    case OpDecl::Kind::control:
      if (op.name() == "stablehlo.while") {
        loop(op, active);
      } else if (runs_regions(op)) {
        branch(op, active);
      } else if (op.name() == "stablehlo.optimization_barrier") {
        for (std::size_t k = 0; k < op.results.size(); ++k) {
          for (const std::size_t d : active) set(op.results[k], d, at(op.operands[k], d));
        }
      } else {
        carried_whole(op, active);
      }
      break;
    case OpDecl::Kind::opaque: carried_whole(op, active); break;
    default: throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, op.name())};
  }
  if (observer_ != nullptr && op.decl->kind != OpDecl::Kind::control) {
    std::vector<DeviceArrays> results;
    for (const ValueId v : op.results) results.push_back(values_[v.index()]);
    (*observer_)(op, results);
  }
}

Kernel& Program::kernel_of_op(const Op& op) {
  if (plan_ != nullptr) {
    const auto planned = plan_->kernels.find(&op);
    if (planned != plan_->kernels.end()) return planned->second;
  }
  const auto it = kernels_.find(&op);
  if (it != kernels_.end()) return it->second;
  const OpInstance instance = instance_of(function_, op);
  if (!has_meaning(instance))
    throw Unknown{fmt::format("line {}: {} has no meaning on these types or attributes", op.place.line, op.name())};
  const Attribute* value = find(op.attributes, "value");
  const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
  return kernels_
      .emplace(&op, kernel_of(meaning_of(instance), instance.operands, instance.results,
                              dense != nullptr ? dense->literal : nullptr))
      .first->second;
}

void Program::array_op(const Op& op, const Active& active) {
  if ((plan_ == nullptr || !plan_->kernels.contains(&op)) && !kernels_.contains(&op) &&
      !has_meaning(instance_of(function_, op))) {
    carried_whole(op, active);
    return;
  }
  Kernel& kernel = kernel_of_op(op);
  std::vector<GridPtr> grids;
  for (const ValueId v : op.results) grids.push_back(grid(v));
  // Devices that hold the same arrays compute the same.
  std::map<std::vector<const Array*>, std::vector<ArrayPtr>> done;
  for (const std::size_t d : active) {
    std::vector<ArrayPtr> operands;
    std::vector<const Array*> pointers;
    for (const ValueId v : op.operands) {
      operands.push_back(at(v, d));
      PARTIR_CHECK(operands.back() != nullptr, "an operand that was not computed");
      pointers.push_back(operands.back().get());
    }
    auto [it, fresh] = done.try_emplace(std::move(pointers));
    if (fresh) {
      try {
        it->second = evaluate(kernel, operands, grids, algebra_);
      } catch (const Unknown& u) {
        throw Unknown{fmt::format("line {}: {}: {}", op.place.line, op.name(), u.reason)};
      }
      for (const ArrayPtr& a : it->second) spend(a->data.size() + 16);
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) set(op.results[k], d, it->second[k]);
  }
}

void Program::device_id(const Op& op, const Active& active) {
  for (const std::size_t d : active) {
    const std::int64_t id = ids_[d];
    const std::int64_t value =
        op.name() == "stablehlo.replica_id" ? id / devices_.partitions : id % devices_.partitions;
    auto a = std::make_shared<Array>();
    a->type = function_.tensor(op.results[0]);
    a->data = {Element::integer(value)};
    set(op.results[0], d, std::move(a));
  }
}

ArrayPtr Program::folded(const Op& op, const std::vector<ArrayPtr>& of, const std::vector<Element>& weights,
                         const TensorType& result) {
  // The computation as an elementwise operation on the shape: every collective's is one on scalars.
  const auto promoted = [&](const ArrayPtr& a) {
    if (a->type.element == result.element) return a;
    auto out = std::make_shared<Array>();
    out->type = a->type;
    out->type.element = result.element;
    out->grid = a->grid;
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
        if (!weights.empty()) e = algebra_.weighted(e, weights[0], result.element);
        for (std::size_t k = 1; k < all.size(); ++k) {
          const Element x =
              weights.empty() ? all[k]->data[p] : algebra_.weighted(all[k]->data[p], weights[k], result.element);
          e = algebra_.add(e, x, result.element);
        }
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
  if (!weights.empty())
    throw Unknown{fmt::format("line {}: the computation of {} over some devices of many", op.place.line, op.name())};
  if (monoid) {
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      for (std::size_t k = 1; k < all.size(); ++k)
        out->data[p] = algebra_.multiply(out->data[p], all[k]->data[p], result.element);
    }
    return out;
  }
  // Any other computation: its terms over two arguments, by a kernel of the scalar shape.
  const Block& body = op.regions.at(0);
  const TensorType scalar{result.element, {}};
  if (!ops::has_scalar_region(instance_of(function_, op), 0, 2))
    throw Unknown{fmt::format("line {}: the computation of {}", op.place.line, op.name())};
  (void)body;
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
      out->data[p] = evaluate(kernel, args, {}, algebra_)[0]->data[0];
    }
    total = out;
  }
  return total;
}

namespace {

std::size_t dim_of(const Op& op, const char* name) {
  return static_cast<std::size_t>(find(op.attributes, name)->as<IntAttr>()->value);
}

/// An array whose elements stand, by `from`, at positions of others: it gets a position and changes it to where that
/// is.
template <class F>
ArrayPtr moved(const TensorType& type, const GridPtr& grid, F&& from) {
  auto out = std::make_shared<Array>();
  out->type = type;
  out->grid = grid;
  const auto extents = out->extents();
  if (count_of(extents) == 0) return out;
  out->data.reserve(static_cast<std::size_t>(count_of(extents)));
  std::vector<std::int64_t> index(extents.size(), 0);
  std::vector<std::int64_t> position(extents.size(), 0);
  do {
    for (std::size_t d = 0; d < index.size(); ++d) position[d] = position_at(grid, d, index[d]);
    const Array& a = *from(position);
    const auto own = a.extents();
    std::int64_t at = 0;
    for (std::size_t d = 0; d < position.size(); ++d) {
      const std::int64_t i = index_of(a.grid, a.type, d, position[d]);
      if (i < 0) throw Unknown{"a position that was not foreseen"};
      at = at * own[d] + i;
    }
    out->data.push_back(a.data[static_cast<std::size_t>(at)]);
  } while (advance(index, extents));
  return out;
}

}  // namespace

void Program::collective(const Op& op, const Active& active) {
  const std::string& name = op.name();
  const auto groups = process_groups(op, devices_);
  std::vector<bool> runs(count_, false);
  for (const std::size_t d : active) runs[d] = true;
  const auto slot = [&](std::int64_t id) -> std::optional<std::size_t> {
    const auto it = slots_.find(id);
    return it == slots_.end() ? std::nullopt : std::optional(it->second);
  };
  for (const auto& group : groups) {
    bool some = false;
    bool all = true;
    for (const std::int64_t id : group) {
      if (const auto s = slot(id)) (runs[*s] ? some : all) = runs[*s];
    }
    if (some && !all) throw Deadlock{op.place, name, fmt::format("{}: not all devices of a group reach it", name)};
  }
  if (op.operands.size() > op.results.size())
    throw Unknown{fmt::format("line {}: {} with a root that data decides", op.place.line, name)};
  const std::vector<Element>* weights = nullptr;
  if (plan_ != nullptr) {
    if (const auto it = plan_->weights.find(&op); it != plan_->weights.end()) weights = &it->second;
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    const TensorType& result = function_.tensor(op.results[k]);
    const GridPtr positions = grid(op.results[k]);
    const ValueId from = op.operands[k];
    const auto zeros = [&] {
      auto out = std::make_shared<Array>();
      out->type = result;
      out->grid = positions;
      out->data.assign(static_cast<std::size_t>(count_of(out->extents())), algebra_.from_index(0, result.element));
      return ArrayPtr(out);
    };
    const auto give = [&](std::size_t device, ArrayPtr a) {
      if (a->type != result) fail("collective", op.place, a->type.str() + " for this group", result.str());
      set(op.results[k], device, std::move(a));
    };
    std::vector<bool> grouped(count_, false);
    if (name == "stablehlo.collective_permute") {
      for (const auto& pair : groups) {
        const auto to = slot(pair[1]);
        const auto of = slot(pair[0]);
        if (!to || !runs[*to]) continue;
        if (!of) throw Unknown{fmt::format("line {}: {} from a device that is not looked at", op.place.line, name)};
        give(*to, at(from, *of));
        grouped[*to] = true;
      }
      for (const std::size_t d : active) {
        if (!grouped[d]) give(d, zeros());
      }
      continue;
    }
    for (const auto& group : groups) {
      std::vector<std::size_t> seen;  // members that are looked at
      for (const std::int64_t id : group) {
        if (const auto s = slot(id); s && runs[*s]) {
          seen.push_back(*s);
          grouped[*s] = true;
        }
      }
      if (seen.empty()) continue;
      const auto n = static_cast<std::int64_t>(group.size());
      const auto place = [&](std::size_t s) { return std::find(group.begin(), group.end(), ids_[s]) - group.begin(); };
      const auto member = [&](std::int64_t number) -> const Array* {
        const auto s = slot(group.at(static_cast<std::size_t>(number)));
        if (!s) throw Unknown{fmt::format("line {}: {} of a device that is not looked at", op.place.line, name)};
        return at(from, *s).get();
      };
      const TensorType& operand = function_.tensor(from);
      if (name == "stablehlo.collective_broadcast") {
        const auto root = slot(group[0]);
        if (!root) throw Unknown{fmt::format("line {}: {} of a device that is not looked at", op.place.line, name)};
        for (const std::size_t s : seen) give(s, at(from, *root));
      } else if (name == "stablehlo.all_reduce" || name == "stablehlo.reduce_scatter" ||
                 name == "stablehlo.collective_reduce") {
        std::vector<ArrayPtr> held;
        std::vector<Element> own;
        TensorType whole = result;
        if (name == "stablehlo.reduce_scatter") whole.dims = operand.dims;
        for (const std::size_t s : seen) {
          held.push_back(name == "stablehlo.reduce_scatter" ? at(from, s) : at_grid(at(from, s), positions));
          if (weights != nullptr) own.push_back((*weights)[s]);
        }
        const ArrayPtr total = folded(op, held, own, whole);
        spend(total->data.size() * seen.size());
        for (const std::size_t s : seen) {
          if (name == "stablehlo.all_reduce") {
            give(s, total);
          } else if (name == "stablehlo.collective_reduce") {
            give(s, place(s) == 0 ? total : zeros());
          } else {
            const std::size_t dim = dim_of(op, "scatter_dimension");
            const std::int64_t part = operand.dims[dim] / n;
            const std::int64_t first = place(s) * part;
            TensorType own_type = whole;
            own_type.dims[dim] = part;
            if (own_type != result) fail("collective", op.place, own_type.str() + " for this group", result.str());
            give(s, moved(result, positions, [&](std::vector<std::int64_t>& p) {
                   p[dim] += first;
                   return total.get();
                 }));
          }
        }
      } else if (name == "stablehlo.all_gather") {
        const std::size_t dim = dim_of(op, "all_gather_dim");
        const std::int64_t part = operand.dims[dim];
        TensorType whole = operand;
        whole.dims[dim] *= n;
        if (whole != result) fail("collective", op.place, whole.str() + " for this group", result.str());
        const ArrayPtr all = moved(result, positions, [&](std::vector<std::int64_t>& p) {
          const Array* a = member(p[dim] / part);
          p[dim] %= part;
          return a;
        });
        for (const std::size_t s : seen) give(s, all);
      } else if (name == "stablehlo.all_to_all") {
        const std::size_t split = dim_of(op, "split_dimension");
        const std::size_t concat = dim_of(op, "concat_dimension");
        const std::int64_t cut = operand.dims[split] / n;
        const std::int64_t part = split == concat ? cut : operand.dims[concat];
        for (const std::size_t s : seen) {
          const std::int64_t first = place(s) * cut;
          give(s, moved(result, positions, [&](std::vector<std::int64_t>& p) {
                 const Array* a = member(p[concat] / part);
                 p[concat] %= part;
                 p[split] += first;
                 return a;
               }));
        }
      } else {
        throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, name)};
      }
    }
    for (const std::size_t d : active) {
      if (grouped[d]) continue;
      if (name != "stablehlo.collective_broadcast")
        throw Deadlock{op.place, name, fmt::format("device {} is in no group of {}", ids_[d], name)};
      give(d, zeros());
    }
  }
}

void Program::carried_whole(const Op& op, const Active& active) {
  // A function of everything it takes: name, attributes, types and all elements.
  if (!op.regions.empty()) throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, op.name())};
  std::string record = op.name();
  for (const auto& [key, value] : op.attributes.sorted()) {
    if (key == "sdy.sharding" || key == "mhlo.sharding" || key == "mhlo.frontend_attributes") continue;
    record += fmt::format(" {}={}", key, value.str());
  }
  for (const ValueId v : op.operands) record += " " + function_.tensor(v).str();
  for (const ValueId v : op.results) record += " -> " + function_.tensor(v).str();
  for (const ValueId v : op.results) {
    if (!function_.type(v).is_tensor())
      throw Unknown{fmt::format("line {}: {} gives a {}", op.place.line, op.name(), function_.tensor(v).str())};
  }
  if (!op.decl->pure || op.name() == "stablehlo.rng")
    throw Unknown{
        fmt::format("line {}: {} may give another result each time, or has effects", op.place.line, op.name())};
  for (const std::size_t d : active) {
    std::vector<Element> all;
    for (const ValueId v : op.operands) all.insert(all.end(), at(v, d)->data.begin(), at(v, d)->data.end());
    const Element whole[] = {algebra_.opaque(record, ElementType::f32, all)};
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      auto a = std::make_shared<Array>();
      a->type = function_.tensor(op.results[k]);
      for (std::int64_t p = 0; p < a->type.elements(); ++p)
        a->data.push_back(algebra_.opaque(fmt::format("{} {}", k, p), a->type.element, whole));
      set(op.results[k], d, std::move(a));
    }
  }
}

void Program::loop(const Op& op, const Active& active) {
  std::vector<DeviceArrays> state;
  for (const ValueId v : op.operands) state.push_back(values_[v.index()]);
  Active running = active;
  const auto bind = [&](const Block& b, const Active& on) {
    for (std::size_t k = 0; k < b.arguments.size(); ++k) {
      DeviceArrays& into = values_[b.arguments[k].index()];
      if (into.size() != count_) into.assign(count_, nullptr);
      for (const std::size_t d : on) into[d] = at_grid(state[k][d], grid(b.arguments[k]));
    }
  };
  for (std::size_t iteration = 0; !running.empty(); ++iteration) {
    if (iteration > kMostIterations)
      throw Unknown{fmt::format("line {}: a loop of more than {} iterations", op.place.line, kMostIterations)};
    bind(op.regions[0], running);
    const auto condition = block(op.regions[0], running);
    Active next;
    for (const std::size_t d : running) {
      const Element c = condition[0][d]->data[0];
      if (!c.is(Element::Kind::integer))
        throw Unknown{fmt::format("line {}: a loop that runs as long as data says", op.place.line)};
      if (c.as_int() != 0) next.push_back(d);
    }
    running = std::move(next);
    if (running.empty()) break;
    bind(op.regions[1], running);
    const auto results = block(op.regions[1], running);
    for (std::size_t k = 0; k < state.size(); ++k) {
      for (const std::size_t d : running) state[k][d] = results[k][d];
    }
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    for (const std::size_t d : active) set(op.results[k], d, state[k][d]);
  }
}

void Program::branch(const Op& op, const Active& active) {
  const bool is_if = op.name() == "stablehlo.if";
  std::map<std::size_t, Active> known;
  Active unknown;
  for (const std::size_t d : active) {
    const Element e = at(op.operands[0], d)->data[0];
    if (!e.is(Element::Kind::integer)) {
      unknown.push_back(d);
      continue;
    }
    std::int64_t index = e.as_int();
    if (is_if)
      index = index != 0 ? 0 : 1;
    else if (index < 0 || index >= static_cast<std::int64_t>(op.regions.size()))
      index = static_cast<std::int64_t>(op.regions.size()) - 1;
    known[static_cast<std::size_t>(index)].push_back(d);
  }
  std::vector<DeviceArrays> out(op.results.size(), DeviceArrays(count_));
  for (const auto& [index, on] : known) {
    const auto results = block(op.regions[index], on);
    for (std::size_t k = 0; k < out.size(); ++k) {
      for (const std::size_t d : on) out[k][d] = results[k][d];
    }
  }
  if (!unknown.empty()) {
    // Data decides: all branches, and of each element the one that is taken. All devices of a group must agree.
    if (find_op(op.regions[0], [](const Op& o) { return o.decl->kind == OpDecl::Kind::collective; }) != nullptr) {
      const Element first = algebra_.canonical(at(op.operands[0], unknown[0])->data[0]);
      for (const std::size_t d : unknown) {
        if (algebra_.canonical(at(op.operands[0], d)->data[0]) != first || !known.empty())
          throw Unknown{fmt::format("line {}: collectives in branches that devices may take apart", op.place.line)};
      }
    }
    std::vector<std::vector<DeviceArrays>> all;
    for (const Block& b : op.regions) all.push_back(block(b, unknown));
    const ElementType index_type = function_.tensor(op.operands[0]).element;
    for (const std::size_t d : unknown) {
      const Element index = at(op.operands[0], d)->data[0];
      for (std::size_t k = 0; k < out.size(); ++k) {
        const GridPtr positions = grid(op.results[k]);
        auto a = std::make_shared<Array>(*at_grid(all.back()[k][d], positions));
        for (std::size_t r = all.size() - 1; r-- > 0;) {
          const Element takes = is_if ? index
                                      : algebra_.apply(ScalarFn::compare_eq, index_type, ElementType::i1,
                                                       {index, Element::integer(static_cast<std::int64_t>(r))});
          const ArrayPtr other = at_grid(all[r][k][d], positions);
          for (std::size_t p = 0; p < a->data.size(); ++p)
            a->data[p] = algebra_.select(takes, other->data[p], a->data[p], a->type.element);
        }
        out[k][d] = a;
      }
    }
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    for (const std::size_t d : active) set(op.results[k], d, out[k][d]);
  }
}

}  // namespace partir::validate
