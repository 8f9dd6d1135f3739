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

Program::Program(const Function& function, const Devices& devices, Algebra& algebra, std::function<bool()> stop)
    : function_(function),
      devices_(devices),
      count_(static_cast<std::size_t>(devices.count())),
      algebra_(algebra),
      stop_(std::move(stop)),
      values_(function.types.size(), DeviceArrays(count_)),
      signs_(function.types.size(), Sign::any),
      tracked_(function.types.size(), false) {
  mark_sums();
}

void Program::mark_sums() {
  // Backwards from exponentials and forwards from logarithms, through what passes sums on, until nothing changes.
  bool changed = true;
  const auto mark = [&](ValueId v) {
    if (!tracked_[v.index()]) changed = tracked_[v.index()] = true;
  };
  bool first = true;
  while (changed) {
    changed = false;
    for_each_op(function_.body, [&](const Op& op) {
      if (is_exponential(op)) {
        for (const ValueId v : op.operands) mark(v);
      }
      if (is_logarithm(op)) {
        for (const ValueId v : op.results) mark(v);
      }
      if (!passes_sums(op)) return;
      const bool any_result =
          std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return tracked_[v.index()]; });
      const bool any_operand =
          std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId v) { return tracked_[v.index()]; });
      const auto flows = flows_of(op);
      if (!flows.empty()) {
        for (const Flow& f : flows) {
          bool any = false;
          for (const ValueId v : f.from) any = any || tracked_[v.index()];
          for (const ValueId v : f.to) any = any || tracked_[v.index()];
          if (!any) continue;
          for (const ValueId v : f.from) mark(v);
          for (const ValueId v : f.to) mark(v);
        }
        return;
      }
      if (any_result) {
        for (const ValueId v : op.operands) mark(v);
      }
      if (any_operand) {
        for (const ValueId v : op.results) mark(v);
      }
    });
    if (first) first = false;
  }
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
  const bool tracks = std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return tracked_[v.index()]; });
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

const Kernel& Program::kernel_of_op(const Op& op) {
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
  if (!has_meaning(instance_of(function_, op))) {
    carried_whole(op, active);
    return;
  }
  const Kernel& kernel = kernel_of_op(op);
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
        it->second = evaluate(kernel, operands, algebra_);
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
    const auto id = static_cast<std::int64_t>(d);
    const std::int64_t value =
        op.name() == "stablehlo.replica_id" ? id / devices_.partitions : id % devices_.partitions;
    auto a = std::make_shared<Array>();
    a->type = function_.type(op.results[0]);
    a->data = {Element::integer(value)};
    set(op.results[0], d, std::move(a));
  }
}

ArrayPtr Program::folded(const Op& op, const std::vector<ArrayPtr>& of, const TensorType& result) {
  // The computation as an elementwise operation on the shape: every collective's is one on scalars.
  const auto promoted = [&](const ArrayPtr& a) {
    if (a->type->element == result.element) return a;
    auto out = std::make_shared<Array>();
    out->type = a->type;
    out->type->element = result.element;
    for (const Element e : a->data)
      out->data.push_back(algebra_.apply(ScalarFn::convert, a->type->element, result.element, {e}));
    return ArrayPtr(out);
  };
  std::optional<Monoid> monoid = instance_of(function_, op).monoid();
  ArrayPtr total = promoted(of[0]);
  if (monoid) {
    const ScalarFn fn = combiner_fn(*monoid);
    auto out = std::make_shared<Array>(*total);
    for (std::size_t p = 0; p < out->data.size(); ++p) {
      if (*monoid == Monoid::max || *monoid == Monoid::min || *monoid == Monoid::conj || *monoid == Monoid::disj) {
        std::vector<Element> all;
        for (const ArrayPtr& a : of)
          all.push_back(a->type->element == result.element ? a->data[p] : promoted(a)->data[p]);
        if (*monoid == Monoid::max || *monoid == Monoid::min) {
          out->data[p] = algebra_.extremum(fn, std::move(all), result.element);
        } else {
          Element e = all[0];
          for (std::size_t k = 1; k < all.size(); ++k)
            e = algebra_.apply(fn, result.element, result.element, {e, all[k]});
          out->data[p] = e;
        }
        continue;
      }
      Element e = out->data[p];
      for (std::size_t k = 1; k < of.size(); ++k) {
        Element x = of[k]->data[p];
        if (of[k]->type->element != result.element)
          x = algebra_.apply(ScalarFn::convert, of[k]->type->element, result.element, {x});
        e = *monoid == Monoid::sum ? algebra_.add(e, x, result.element) : algebra_.multiply(e, x, result.element);
      }
      out->data[p] = e;
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
  const Kernel kernel = kernel_of(builder.take(), operand_types, result_types, nullptr);
  for (std::size_t k = 1; k < of.size(); ++k) {
    const ArrayPtr next = promoted(of[k]);
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
  const Around a(*x->type, dim);
  auto out = std::make_shared<Array>();
  out->type = x->type;
  out->type->dims[dim] = count;
  for (std::int64_t o = 0; o < a.outer; ++o) {
    const auto begin = x->data.begin() + (o * a.size + start) * a.inner;
    out->data.insert(out->data.end(), begin, begin + count * a.inner);
  }
  return out;
}

ArrayPtr join(const std::vector<ArrayPtr>& parts, std::size_t dim) {
  auto out = std::make_shared<Array>();
  out->type = parts[0]->type;
  out->type->dims[dim] = 0;
  for (const ArrayPtr& p : parts) out->type->dims[dim] += p->type->dims[dim];
  const Around a(*out->type, dim);
  for (std::int64_t o = 0; o < a.outer; ++o) {
    for (const ArrayPtr& p : parts) {
      const std::int64_t run = p->type->dims[dim] * a.inner;
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
    out->data.assign(like->data.size(), algebra_.from_index(0, like->type->element));
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
    const TensorType& result = *function_.type(op.results[k]);
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
            const std::int64_t size = total->type->dims[dim] / n;
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
            const std::int64_t size = a->type->dims[split] / n;
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

void Program::carried_whole(const Op& op, const Active& active) {
  // A function of everything it takes: name, attributes, types and all elements.
  if (!op.regions.empty()) throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, op.name())};
  std::string record = op.name();
  for (const auto& [key, value] : op.attributes.sorted()) {
    if (key == "sdy.sharding" || key == "mhlo.sharding" || key == "mhlo.frontend_attributes") continue;
    record += fmt::format(" {}={}", key, value.str());
  }
  for (const ValueId v : op.operands) record += " " + function_.type(v).str();
  for (const ValueId v : op.results) record += " -> " + function_.type(v).str();
  for (const ValueId v : op.results) {
    if (!function_.type(v).is_tensor())
      throw Unknown{fmt::format("line {}: {} gives a {}", op.place.line, op.name(), function_.type(v).str())};
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
      a->type = function_.type(op.results[k]);
      for (std::int64_t p = 0; p < a->type->elements(); ++p)
        a->data.push_back(algebra_.opaque(fmt::format("{} {}", k, p), a->type->element, whole));
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
      for (const std::size_t d : on) into[d] = state[k][d];
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
  for (std::size_t k = 0; k < op.results.size(); ++k) values_[op.results[k].index()] = state[k];
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
    const ElementType index_type = function_.type(op.operands[0])->element;
    for (const std::size_t d : unknown) {
      const Element index = at(op.operands[0], d)->data[0];
      for (std::size_t k = 0; k < out.size(); ++k) {
        auto a = std::make_shared<Array>(*all.back()[k][d]);
        for (std::size_t r = all.size() - 1; r-- > 0;) {
          const Element takes = is_if ? index
                                      : algebra_.apply(ScalarFn::compare_eq, index_type, ElementType::i1,
                                                       {index, Element::integer(static_cast<std::int64_t>(r))});
          for (std::size_t p = 0; p < a->data.size(); ++p)
            a->data[p] = algebra_.select(takes, all[r][k][d]->data[p], a->data[p], a->type->element);
        }
        out[k][d] = a;
      }
    }
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) values_[op.results[k].index()] = out[k];
}

}  // namespace partir::validate
