#include "semantics/machine.h"

#include <fmt/format.h>

#include "ir/core.h"
#include "ir/ops/common.h"
#include "ir/sharding/manual.h"
#include "support/check.h"

namespace partir {
namespace {

/// Calls f(position in the slice, position in the tensor) for the elements with index `at` of a dimension.
template <class F>
void for_each_in_slice(const TensorType& whole, std::size_t dim, std::int64_t at, F&& f) {
  std::int64_t inner = 1;
  for (std::size_t d = dim + 1; d < whole.rank(); ++d) inner *= whole.dims[d];
  const std::int64_t size = whole.dims[dim];
  const std::int64_t count = size == 0 ? 0 : whole.elements() / size;
  for (std::int64_t k = 0; k < count; ++k)
    f(static_cast<std::size_t>(k), static_cast<std::size_t>((k / inner * size + at) * inner + k % inner));
}

Tensor take_slice(const Tensor& x, std::size_t dim, std::int64_t at) {
  Tensor out{x.type, {}, {}};
  out.type->dims.erase(out.type->dims.begin() + static_cast<std::ptrdiff_t>(dim));
  out.data.resize(static_cast<std::size_t>(out.type->elements()));
  for_each_in_slice(*x.type, dim, at, [&](std::size_t k, std::size_t from) { out.data[k] = x.data[from]; });
  return out;
}

void put_slice(Tensor& x, std::size_t dim, std::int64_t at, const Tensor& slice) {
  for_each_in_slice(*x.type, dim, at, [&](std::size_t k, std::size_t to) { x.data[to] = slice.data[k]; });
}

}  // namespace

CompiledMeanings::CompiledMeanings(const Function& function, const Domain& domain)
    : function_(function), domain_(domain), last_use_(function.types.size(), nullptr) {
  for (const Op& op : function.body.ops) {
    for (const ValueId v : op.operands) last_use_[v.index()] = &op;
    for (const ValueId v : captured(op)) last_use_[v.index()] = &op;
  }
}

const CompiledMeaning& CompiledMeanings::of(const Op& op) {
  const auto it = meanings_.find(&op);
  if (it != meanings_.end()) return it->second;
  const OpInstance instance = instance_of(function_, op);
  if (!has_meaning(instance)) {
    fail("unsupported", op.place, fmt::format("{} on these types or attributes", op.name()),
         "an operation with a meaning here");
  }
  const Attribute* value = find(op.attributes, "value");
  const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
  CompiledMeaning meaning(meaning_of(instance), instance.operands, instance.results,
                          dense != nullptr ? dense->literal : nullptr);
  return meanings_.emplace(&op, std::move(meaning)).first->second;
}

std::vector<Tensor> CompiledMeanings::run(const Op& op, const std::vector<const Tensor*>& operands,
                                          const std::function<void()>& pause) {
  try {
    return of(op).run(operands, domain_, pause);
  } catch (const UserError& error) {  // errors of domains have no place
    Diagnostic d = error.diagnostic();
    if (d.place.line == 0) d.place = op.place;
    throw UserError(std::move(d));
  }
}

Tensor CompiledMeanings::fold(const Op& op, const Tensor& a, const Tensor& b) {
  const auto key = std::pair(&op, a.type->dims);
  auto it = folds_.find(key);
  if (it == folds_.end()) {
    OpInstance instance = instance_of(function_, op);
    if (!ops::has_scalar_region(instance, 0, 2)) {
      fail("unsupported", op.place, fmt::format("the computation of this {}", op.name()),
           "elementwise operations on scalars");
    }
    const std::vector<Type> operands = {a.type, b.type};
    const std::vector<Type> results = {a.type};
    MeaningBuilder builder(operands, results);
    const auto i = builder.result();
    builder.define(0, ops::region_term(instance, 0, {builder.read(0, i), builder.read(1, i)}, builder));
    it = folds_.emplace(key, CompiledMeaning(builder.take(), operands, results, nullptr)).first;
  }
  return std::move(it->second.run({&a, &b}, domain_)[0]);
}

Machine::Machine(CompiledMeanings& meanings, Host& host, std::int64_t id, const Devices& devices)
    : meanings_(meanings), host_(host), id_(id), devices_(devices), values_(meanings.function().types.size()) {}

void Machine::begin(const std::vector<Tensor>& inputs) {
  const Function& f = meanings_.function();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    PARTIR_CHECK(inputs[k].type == f.type(f.arguments()[k]), "input of another type than its argument");
    set(f.arguments()[k], std::make_shared<Tensor>(inputs[k]));
  }
  task_ = std::make_unique<Task>(block(f.body, results_));
  task_->start();
  rethrow_failure();
}

std::vector<Tensor> Machine::results() const {
  std::vector<Tensor> out;
  for (const TensorPtr& t : results_) out.push_back(*t);
  return out;
}

void Machine::set(const std::vector<ValueId>& to, std::vector<Tensor> results) {
  for (std::size_t k = 0; k < results.size(); ++k) set(to[k], std::make_shared<Tensor>(std::move(results[k])));
}

std::vector<const Tensor*> Machine::operands(const Op& op) const {
  std::vector<const Tensor*> out;
  for (const ValueId v : op.operands) out.push_back(at(v).get());
  return out;
}

void Machine::resume(std::vector<Tensor> received) {
  set(waiting_at_->results, std::move(received));
  waiting_at_ = nullptr;
  const auto handle = std::exchange(waiting_, nullptr);
  handle.resume();
  rethrow_failure();
}

Task Machine::block(const Block& b, std::vector<TensorPtr>& out) {
  for (const Op& op : b.ops) {
    host_.spend(10, op.place);  // the overhead of an operation
    switch (op.decl->kind) {
      case OpDecl::Kind::terminator: {
        out.clear();
        for (const ValueId v : op.operands) out.push_back(at(v));
        co_return;
      }
      case OpDecl::Kind::collective: co_await Meet{*this, op}; break;
      case OpDecl::Kind::device: device_id(op); break;
      case OpDecl::Kind::control: co_await control(op); break;
      case OpDecl::Kind::host: co_await host(op); break;
      case OpDecl::Kind::core:
        if (op.name() == "partir.loop") {
          co_await loop(op);
        } else {
          slice(op);
        }
        break;
      default: {
        host_.spend(meanings_.steps(op), op.place);
        const auto taken = operands(op);
        auto results = meanings_.run(op, taken, [&] { host_.pause(op.place); });
        host_.executed(op, taken, results);
        set(op.results, std::move(results));
      }
    }
    for (const ValueId v : op.operands) {
      if (meanings_.last_use(v) == &op) values_[v.index()] = nullptr;
    }
  }
}

Task Machine::host(const Op& op) {
  if (is_manual_computation(op) && host_.in_manual()) {
    co_await manual(op);
    co_return;
  }
  while (!host_.ready(op)) co_await Meet{*this, op};
  const auto taken = operands(op);
  host_.spend_on(taken, op.place);
  host_.spend_on(meanings_.function(), op.results, op.place);
  set(op.results, host_.run(meanings_.function(), op, taken));
}

/// A manual computation inside another one, which each device runs by itself: its shardings may not divide anything.
Task Machine::manual(const Op& op) {
  if (auto error = divides_again(meanings_.function(), op)) throw UserError(std::move(*error));
  const Block& body = op.regions[0];
  for (std::size_t k = 0; k < op.operands.size(); ++k) set(body.arguments[k], at(op.operands[k]));
  std::vector<TensorPtr> yielded;
  co_await block(body, yielded);
  for (std::size_t k = 0; k < op.results.size(); ++k) set(op.results[k], yielded[k]);
}

void Machine::device_id(const Op& op) {
  const std::int64_t id = op.name() == "stablehlo.partition_id" ? id_ % devices_.partitions : id_ / devices_.partitions;
  set(op.results[0], std::make_shared<Tensor>(Tensor{meanings_.function().type(op.results[0]),
                                                     {meanings_.domain().from_index(id, ElementType::ui32)}}));
}

/// partir.slice: takes the chunk given by a loop's index, which is kept in index_.
void Machine::slice(const Op& op) {
  const Function& f = meanings_.function();
  host_.spend_on(f, op.results, op.place);
  const std::int64_t r = index_.at(op.operands.back());
  const auto dim = static_cast<std::size_t>(find(op.attributes, "dim")->as<IntAttr>()->value);
  Layout chunk = Layout::replicated(f.type(op.operands[0]).rank());
  chunk.dims[dim] = {Axis(0)};
  const Mesh mesh({{"r", f.type(op.operands[1]).as<IndexRange>()->extent}});
  set(op.results[0], std::make_shared<Tensor>(scatter_to(*at(op.operands[0]), chunk, mesh,
                                                         DeviceId(static_cast<std::size_t>(r)), meanings_.domain())));
}

/// while, scan, if, case (an index out of range selects the last branch) and optimization_barrier.
Task Machine::control(const Op& op) {
  std::vector<TensorPtr> values;
  for (const ValueId v : op.operands) values.push_back(at(v));
  const std::string& name = op.name();
  if (op.decl->control == Control::loop) {
    while (true) {
      for (const Block& b : op.regions) {
        for (std::size_t k = 0; k < values.size(); ++k) set(b.arguments.at(k), values[k]);
      }
      std::vector<TensorPtr> condition;
      co_await block(op.regions.at(0), condition);
      if (meanings_.domain().position(condition.at(0)->data.at(0)) == 0) break;
      co_await block(op.regions.at(1), values);
    }
  } else if (op.decl->control == Control::scan) {
    const std::vector<std::int64_t>& segments = find(op.attributes, "operandSegmentSizes")->as<IntsAttr>()->values;
    const auto inputs = static_cast<std::size_t>(segments[0]);
    const auto dim = static_cast<std::size_t>(find(op.attributes, "dimension")->as<IntAttr>()->value);
    const Attribute* reverse = find(op.attributes, "is_reverse");
    const bool backwards = reverse != nullptr && reverse->as<bool>() != nullptr && *reverse->as<bool>();
    const std::int64_t steps = values[0]->type->dims[dim];
    const std::size_t outputs = op.results.size() - (values.size() - inputs);
    host_.spend_on(meanings_.function(), op.results, op.place);
    std::vector<TensorPtr> carried(values.begin() + segments[0], values.end());
    std::vector<Tensor> stacked;
    for (std::size_t k = 0; k < outputs; ++k) {
      const TensorType& type = *meanings_.function().type(op.results[k]);
      stacked.push_back({type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}});
    }
    const Block& body = op.regions.at(0);
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t at_step = backwards ? steps - 1 - step : step;
      for (std::size_t k = 0; k < inputs; ++k)
        set(body.arguments[k], std::make_shared<Tensor>(take_slice(*values[k], dim, at_step)));
      for (std::size_t k = 0; k < carried.size(); ++k) set(body.arguments[inputs + k], carried[k]);
      std::vector<TensorPtr> yielded;
      co_await block(body, yielded);
      for (std::size_t k = 0; k < outputs; ++k) put_slice(stacked[k], dim, at_step, *yielded[k]);
      carried.assign(yielded.begin() + static_cast<std::ptrdiff_t>(outputs), yielded.end());
    }
    values.clear();
    for (Tensor& t : stacked) values.push_back(std::make_shared<Tensor>(std::move(t)));
    values.insert(values.end(), carried.begin(), carried.end());
  } else if (op.decl->control == Control::branch) {
    const std::int64_t index = meanings_.domain().position(values.at(0)->data.at(0));
    const auto count = static_cast<std::int64_t>(op.regions.size());
    const std::int64_t branch = name == "stablehlo.if"        ? (index != 0 ? 0 : 1)
                                : index < 0 || index >= count ? count - 1
                                                              : index;
    co_await block(op.regions.at(static_cast<std::size_t>(branch)), values);
  }
  PARTIR_CHECK(values.size() == op.results.size(), "control flow that yields another number of values");
  for (std::size_t k = 0; k < values.size(); ++k) set(op.results[k], values[k]);
}

Task Machine::loop(const Op& op) {
  const Function& f = meanings_.function();
  const Block& body = op.regions[0];
  const auto actions = loop_actions(op.attributes);
  const std::int64_t n = f.type(body.arguments[0]).as<IndexRange>()->extent;
  std::vector<std::vector<TensorPtr>> parts(actions.size());
  for (std::int64_t r = 0; r < n; ++r) {
    index_[body.arguments[0]] = r;
    std::vector<TensorPtr> yielded;
    co_await block(body, yielded);
    host_.spend_on(f, op.results, op.place);
    for (std::size_t k = 0; k < actions.size(); ++k) parts[k].push_back(yielded[k]);
  }
  for (std::size_t k = 0; k < actions.size(); ++k) {
    const TensorType& type = *f.type(op.results[k]);
    Layout how = Layout::replicated(type.rank());
    if (actions[k].is_tile()) how.dims[actions[k].dim] = {Axis(0)};
    if (actions[k].is_partial()) how.add_pending(Axis(0), actions[k].monoid);
    std::vector<const Tensor*> held;
    for (const TensorPtr& p : parts[k]) held.push_back(p.get());
    bool disagreement = false;
    auto joined =
        std::make_shared<Tensor>(gather_from(held, type, how, Mesh({{"r", n}}), meanings_.domain(), disagreement));
    if (disagreement) fail("core", op.place, "iterations of an #any loop that differ", "the same whole value in each");
    set(op.results[k], std::move(joined));
  }
}

}  // namespace partir
