#include "semantics/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <unordered_map>

#include "ir/core.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "semantics/collectives.h"
#include "semantics/evaluate.h"
#include "semantics/task.h"
#include "support/check.h"

namespace partir {
namespace {

/// Kernels of the operations of one function, made when first met.
class Kernels {
 public:
  Kernels(const Function& function, const Domain& domain) : function_(function), domain_(domain) {}

  const Kernel& of(const Op& op) {
    const auto it = kernels_.find(&op);
    if (it != kernels_.end()) return it->second;
    const OpInstance instance = instance_of(function_, op);
    if (!has_meaning(instance)) {
      fail("unsupported", op.place, fmt::format("{} on these types or attributes", op.name()),
           "an operation with a meaning here");
    }
    const Attribute* value = find(op.attributes, "value");
    const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
    Kernel kernel(meaning_of(instance), instance.operands, instance.results,
                  dense != nullptr ? dense->literal : nullptr);
    return kernels_.emplace(&op, std::move(kernel)).first->second;
  }

  /// The computation of a collective on whole tensors.
  Tensor fold(const Op& op, const Tensor& a, const Tensor& b) {
    const auto key = std::pair(&op, a.type.elements());
    auto it = folds_.find(key);
    if (it == folds_.end()) {
      OpInstance instance = instance_of(function_, op);
      if (!ops::has_scalar_region(instance, 0, 2)) {
        fail("unsupported", op.place, fmt::format("the computation of this {}", op.name()),
             "elementwise operations on scalars");
      }
      const std::vector<TensorType> operands = {a.type, b.type};
      const std::vector<TensorType> results = {a.type};
      MeaningBuilder builder(operands, results);
      const auto i = builder.result();
      builder.define(0, ops::region_term(instance, 0, {builder.read(0, i), builder.read(1, i)}, builder));
      it = folds_.emplace(key, Kernel(builder.take(), operands, results, nullptr)).first;
    }
    return std::move(it->second.run({&a, &b}, domain_)[0]);
  }

  [[nodiscard]] const Function& function() const { return function_; }
  [[nodiscard]] const Domain& domain() const { return domain_; }

 private:
  const Function& function_;
  const Domain& domain_;
  std::unordered_map<const Op*, Kernel> kernels_;
  std::map<std::pair<const Op*, std::int64_t>, Kernel> folds_;
};

using TensorPtr = std::shared_ptr<const Tensor>;

/// One device's run of the function; suspends at collectives.
class Machine {
 public:
  Machine(Kernels& kernels, std::int64_t id, const Devices& devices)
      : kernels_(kernels),
        id_(id),
        devices_(devices),
        values_(kernels.function().types.size()),
        last_use_(kernels.function().types.size(), nullptr) {}

  void begin(const std::vector<Tensor>& inputs) {
    const Function& f = kernels_.function();
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      PARTIR_CHECK(inputs[k].type == f.type(f.arguments()[k]), "input of another type than its argument");
      set(f.arguments()[k], std::make_shared<Tensor>(inputs[k]));
    }
    for (const Op& op : f.body.ops) {
      for (const ValueId v : op.operands) last_use_[v.index()] = &op;
      for (const ValueId v : captured(op)) last_use_[v.index()] = &op;
    }
    task_ = std::make_unique<Task>(block(f.body, results_));
    task_->start();
    settle();
  }

  [[nodiscard]] bool done() const { return task_->done(); }
  [[nodiscard]] const Op* waiting_at() const { return waiting_at_; }
  [[nodiscard]] std::vector<Tensor> results() const {
    std::vector<Tensor> out;
    for (const TensorPtr& t : results_) out.push_back(*t);
    return out;
  }
  [[nodiscard]] const Tensor& operand(std::size_t number) const { return *at(waiting_at_->operands[number]); }

  void resume(std::vector<Tensor> received) {
    const Op& op = *waiting_at_;
    for (std::size_t k = 0; k < received.size(); ++k)
      set(op.results[k], std::make_shared<Tensor>(std::move(received[k])));
    waiting_at_ = nullptr;
    const auto handle = std::exchange(waiting_, nullptr);
    handle.resume();
    settle();
  }

 private:
  struct Meet {
    Machine& machine;
    const Op& op;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) noexcept {
      machine.waiting_ = handle;
      machine.waiting_at_ = &op;
    }
    void await_resume() const noexcept {}
  };

  void settle() {
    if (task_->done()) task_->rethrow();
  }
  [[nodiscard]] const TensorPtr& at(ValueId v) const { return values_[v.index()]; }
  void set(ValueId v, TensorPtr t) { values_[v.index()] = std::move(t); }

  Task block(const Block& b, std::vector<TensorPtr>& out) {
    for (const Op& op : b.ops) {
      switch (op.decl->kind) {
        case OpDecl::Kind::terminator: {
          out.clear();
          for (const ValueId v : op.operands) out.push_back(at(v));
          co_return;
        }
        case OpDecl::Kind::collective: co_await Meet{*this, op}; break;
        case OpDecl::Kind::device: device_id(op); break;
        case OpDecl::Kind::control: co_await control(op); break;
        case OpDecl::Kind::core:
          if (op.name() == "partir.loop") {
            co_await loop(op);
          } else {
            slice(op);
          }
          break;
        default: {
          std::vector<const Tensor*> operands;
          for (const ValueId v : op.operands) operands.push_back(at(v).get());
          auto results = kernels_.of(op).run(operands, kernels_.domain());
          for (std::size_t k = 0; k < results.size(); ++k)
            set(op.results[k], std::make_shared<Tensor>(std::move(results[k])));
        }
      }
      for (const ValueId v : op.operands) {
        if (last_use_[v.index()] == &op) values_[v.index()] = nullptr;
      }
    }
  }

  void device_id(const Op& op) {
    const std::int64_t id =
        op.name() == "stablehlo.partition_id" ? id_ % devices_.partitions : id_ / devices_.partitions;
    set(op.results[0], std::make_shared<Tensor>(Tensor{kernels_.function().type(op.results[0]),
                                                       {kernels_.domain().from_index(id, ElementType::ui32)}}));
  }

  /// slice; a loop's index is kept as a number.
  void slice(const Op& op) {
    const Function& f = kernels_.function();
    const std::int64_t r = index_.at(op.operands.back());
    const auto dim = static_cast<std::size_t>(find(op.attributes, "dim")->as<IntAttr>()->value);
    DistributedType chunk = DistributedType::whole(f.type(op.operands[0]).rank());
    chunk.dims[dim] = {Axis(0)};
    const Mesh mesh({{"r", *range_size(f.type(op.operands[1]))}});
    set(op.results[0], std::make_shared<Tensor>(scatter_to(*at(op.operands[0]), chunk, mesh,
                                                           DeviceId(static_cast<std::size_t>(r)), kernels_.domain())));
  }

  [[nodiscard]] std::int64_t scalar(const TensorPtr& t) const { return t->data.at(0).i; }

  /// while, if, case (an index outside takes the last branch) and optimization_barrier.
  Task control(const Op& op) {
    std::vector<TensorPtr> values;
    for (const ValueId v : op.operands) values.push_back(at(v));
    const std::string& name = op.name();
    if (name == "stablehlo.while") {
      while (true) {
        for (const Block& b : op.regions) {
          for (std::size_t k = 0; k < values.size(); ++k) set(b.arguments.at(k), values[k]);
        }
        std::vector<TensorPtr> goes_on;
        co_await block(op.regions.at(0), goes_on);
        if (scalar(goes_on.at(0)) == 0) break;
        co_await block(op.regions.at(1), values);
      }
    } else if (name == "stablehlo.if" || name == "stablehlo.case") {
      const std::int64_t index = scalar(values.at(0));
      const auto count = static_cast<std::int64_t>(op.regions.size());
      const std::int64_t branch = name == "stablehlo.if"        ? (index != 0 ? 0 : 1)
                                  : index < 0 || index >= count ? count - 1
                                                                : index;
      co_await block(op.regions.at(static_cast<std::size_t>(branch)), values);
    }
    PARTIR_CHECK(values.size() == op.results.size(), "control flow that yields another number of values");
    for (std::size_t k = 0; k < values.size(); ++k) set(op.results[k], values[k]);
  }

  Task loop(const Op& op) {
    const Function& f = kernels_.function();
    const Block& body = op.regions[0];
    const auto actions = loop_actions(op.attributes);
    const std::int64_t n = *range_size(f.type(body.arguments[0]));
    std::vector<std::vector<TensorPtr>> parts(actions.size());
    for (std::int64_t r = 0; r < n; ++r) {
      index_[body.arguments[0]] = r;
      std::vector<TensorPtr> yielded;
      co_await block(body, yielded);
      for (std::size_t k = 0; k < actions.size(); ++k) parts[k].push_back(yielded[k]);
    }
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const TensorType& type = f.type(op.results[k]);
      DistributedType how = DistributedType::whole(type.rank());
      if (actions[k].is_tile()) how.dims[actions[k].dim] = {Axis(0)};
      if (actions[k].is_partial()) how.add_partial(Axis(0), actions[k].monoid);
      std::vector<const Tensor*> held;
      for (const TensorPtr& p : parts[k]) held.push_back(p.get());
      bool disagreement = false;
      auto joined =
          std::make_shared<Tensor>(gather_from(held, type, how, Mesh({{"r", n}}), kernels_.domain(), disagreement));
      if (disagreement)
        fail("core", op.place, "iterations of an #any loop that differ", "the same whole value in each");
      set(op.results[k], std::move(joined));
    }
  }

  Kernels& kernels_;
  std::int64_t id_;
  Devices devices_;
  std::vector<TensorPtr> values_;
  std::vector<const Op*> last_use_;  ///< of values of the function's body, the last of its operations that reads them
  std::unordered_map<ValueId, std::int64_t> index_;
  std::vector<TensorPtr> results_;
  std::coroutine_handle<> waiting_;
  const Op* waiting_at_ = nullptr;
  std::unique_ptr<Task> task_;
};

/// Lets the groups of devices that have all arrived at an operation meet. Whether any did.
bool meet(std::vector<std::unique_ptr<Machine>>& machines, const std::vector<std::size_t>& order,
          const Devices& devices, Kernels& kernels) {
  bool progress = false;
  std::vector<const Op*> ops;
  for (const std::size_t d : order) {
    const Op* op = machines[d]->waiting_at();
    if (op != nullptr && std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(op);
  }
  for (const Op* op : ops) {
    const auto waits = [&](std::int64_t id) { return machines[static_cast<std::size_t>(id)]->waiting_at() == op; };
    const auto type = [&](std::size_t k) { return kernels.function().type(op->results[k]); };
    if (op->name() == "stablehlo.collective_permute") {
      std::vector<const Tensor*> held;
      bool all = true;
      for (std::size_t d = 0; d < machines.size() && all; ++d) all = waits(static_cast<std::int64_t>(d));
      if (!all) continue;
      for (const auto& m : machines) held.push_back(&m->operand(0));
      auto received = permute(*op, held, devices, kernels.domain());
      for (const std::size_t d : order) machines[d]->resume({std::move(received[d])});
      progress = true;
      continue;
    }
    bool alike = op->results.size() == op->operands.size();
    for (std::size_t k = 0; alike && k < op->operands.size(); ++k) {
      alike = type(k).element == kernels.function().type(op->operands[k]).element;
    }
    if (!alike) {
      fail("unsupported", op->place, op->name() + " with a dynamic root or a computation in a wider type",
           "results of the operands' element types");
    }
    for (const auto& group : process_groups(*op, devices)) {
      if (group.empty() || !std::all_of(group.begin(), group.end(), waits)) continue;
      std::vector<std::vector<Tensor>> received(group.size());
      for (std::size_t k = 0; k < op->operands.size(); ++k) {
        std::vector<const Tensor*> held;
        for (const std::int64_t id : group) held.push_back(&machines[static_cast<std::size_t>(id)]->operand(k));
        auto out = collective(
            *op, held, type(k), [&](const Tensor& a, const Tensor& b) { return kernels.fold(*op, a, b); },
            kernels.domain());
        for (std::size_t g = 0; g < group.size(); ++g) received[g].push_back(std::move(out[g]));
      }
      for (std::size_t g = 0; g < group.size(); ++g)
        machines[static_cast<std::size_t>(group[g])]->resume(std::move(received[g]));
      progress = true;
    }
  }
  return progress;
}

std::vector<std::vector<Tensor>> run_machines(const Function& function, const std::vector<std::vector<Tensor>>& inputs,
                                              const Devices& devices, const Domain& domain, std::uint64_t shuffle) {
  Kernels kernels(function, domain);
  std::vector<std::unique_ptr<Machine>> machines;
  for (std::int64_t d = 0; d < devices.count(); ++d) machines.push_back(std::make_unique<Machine>(kernels, d, devices));
  std::vector<std::size_t> order(machines.size());
  std::iota(order.begin(), order.end(), 0);
  if (shuffle != 0) std::shuffle(order.begin(), order.end(), std::mt19937_64(shuffle));
  for (const std::size_t d : order) machines[d]->begin(inputs[d]);
  while (!std::all_of(machines.begin(), machines.end(), [](const auto& m) { return m->done(); })) {
    if (meet(machines, order, devices, kernels)) continue;
    std::string who;
    Place place;
    for (std::size_t d = 0; d < machines.size() && d < 64; ++d) {
      const Op* op = machines[d]->waiting_at();
      who += fmt::format(
          "{}device {} {}", who.empty() ? "" : ", ", d,
          op == nullptr ? "has finished" : fmt::format("waits at {} in line {}", op->name(), op->place.line));
      if (op != nullptr) place = op->place;
    }
    fail("deadlock", place, who, "all devices of a group at the same collective");
  }
  std::vector<std::vector<Tensor>> out;
  for (const auto& m : machines) out.push_back(m->results());
  return out;
}

Result<std::int64_t> count_attribute(const Module& module, const char* name) {
  const Attribute* a = find(module.attributes, name);
  const IntAttr* i = a != nullptr ? a->as<IntAttr>() : nullptr;
  if (a == nullptr) return 1;
  if (i == nullptr || i->value < 1 || i->value > (1 << 20)) {
    return tl::unexpected(
        Diagnostic{"module", "", {1, 1}, fmt::format("{} = {}", name, a->str()), "a number of devices"});
  }
  return i->value;
}

const std::string* frontend(const AttributeList& attributes, const char* name) {
  const Attribute* a = find(attributes, "mhlo.frontend_attributes");
  const DictAttr* dict = a != nullptr ? a->as<DictAttr>() : nullptr;
  const Attribute* entry = dict != nullptr ? find(dict->entries, name) : nullptr;
  const StringAttr* text = entry != nullptr ? entry->as<StringAttr>() : nullptr;
  return text != nullptr ? &text->value : nullptr;
}

}  // namespace

Result<std::vector<Tensor>> run_sequential(const Function& function, const std::vector<Tensor>& inputs,
                                           const Domain& domain) {
  try {
    return std::move(run_machines(function, {inputs}, Devices{}, domain, 0)[0]);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<std::vector<std::vector<Tensor>>> run_spmd(const Function& function,
                                                  const std::vector<std::vector<Tensor>>& inputs,
                                                  const Devices& devices, const Domain& domain, std::uint64_t shuffle) {
  try {
    return run_machines(function, inputs, devices, domain, shuffle);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<Layout> layout_of(const Module& module) {
  const auto main = module.main();
  if (!main) return tl::unexpected(main.error());
  const Function& f = **main;
  Layout out;
  const auto replicas = count_attribute(module, "mhlo.num_replicas");
  if (!replicas) return tl::unexpected(replicas.error());
  const auto partitions = count_attribute(module, "mhlo.num_partitions");
  if (!partitions) return tl::unexpected(partitions.error());
  out.devices = {*replicas, *partitions};
  if (out.devices.count() > (1 << 20)) {
    return tl::unexpected(
        Diagnostic{"module", "", {1, 1}, fmt::format("{} devices", out.devices.count()), "at most 2^20"});
  }
  const std::string* mesh = frontend(module.attributes, "partir.mesh");
  if (mesh != nullptr) {
    auto parsed = Mesh::parse(*mesh);
    if (!parsed) return tl::unexpected(parsed.error());
    if (parsed->devices() != out.devices.count()) {
      return tl::unexpected(Diagnostic{"module",
                                       "",
                                       {1, 1},
                                       fmt::format("partir.mesh = {} on {} devices", *mesh, out.devices.count()),
                                       "a mesh of as many devices"});
    }
    out.mesh = *parsed;
  } else {
    out.mesh = Mesh({{"devices", out.devices.count()}});
  }
  const auto side = [&](const std::vector<ValueId>& values, const std::vector<AttributeList>& attributes,
                        std::vector<DistributedType>& types, std::vector<TensorType>& globals) -> Result<void> {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const TensorType& local = f.type(values[k]);
      DistributedType type = DistributedType::whole(local.rank());
      const std::string* text = k < attributes.size() ? frontend(attributes[k], "partir.sharding") : nullptr;
      if (text != nullptr) {
        auto parsed = DistributedType::parse(*text, out.mesh, local.rank());
        if (!parsed) return tl::unexpected(parsed.error());
        type = *parsed;
        for (const auto& [axis, monoid] : type.partial) {
          if (monoid != type.partial[0].second) {
            return tl::unexpected(
                Diagnostic{"unsupported", "", f.place, *text, "one combination over all partial axes"});
          }
        }
      }
      TensorType global = local;
      for (Dim d = 0; d < type.dims.size(); ++d) {
        for (const Axis a : type.dims[d]) global.dims[d] *= out.mesh.size(a);
      }
      types.push_back(std::move(type));
      globals.push_back(std::move(global));
    }
    return {};
  };
  if (auto ok = side(f.arguments(), f.argument_attributes, out.arguments, out.global_arguments); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = side(f.returned(), f.result_attributes, out.results, out.global_results); !ok)
    return tl::unexpected(ok.error());
  return out;
}

Result<std::vector<Tensor>> run_module(const Module& module, const std::vector<Tensor>& inputs, const Domain& domain,
                                       std::uint64_t shuffle) {
  const auto layout = layout_of(module);
  if (!layout) return tl::unexpected(layout.error());
  const Function& f = **module.main();
  const auto n = static_cast<std::size_t>(layout->devices.count());
  std::vector<std::vector<Tensor>> local(n);
  for (std::size_t d = 0; d < n; ++d) {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      PARTIR_CHECK(inputs[k].type == layout->global_arguments[k], "input of another type than its argument");
      local[d].push_back(scatter_to(inputs[k], layout->arguments[k], layout->mesh, DeviceId(d), domain));
    }
  }
  const auto outputs = run_spmd(f, local, layout->devices, domain, shuffle);
  if (!outputs) return tl::unexpected(outputs.error());
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < layout->results.size(); ++k) {
    std::vector<const Tensor*> parts;
    for (const auto& device : *outputs) parts.push_back(&device[k]);
    bool disagreement = false;
    out.push_back(
        gather_from(parts, layout->global_results[k], layout->results[k], layout->mesh, domain, disagreement));
    if (disagreement) {
      return tl::unexpected(Diagnostic{"replicas", "", f.place,
                                       fmt::format("devices that differ in a part of result {} that they share", k),
                                       "the same values on each"});
    }
  }
  return out;
}

double work_of(const Function& function, double limit) {
  double total = 0;
  for (const Op& op : function.body.ops) {
    for (const ValueId v : op.results) {
      if (function.type(v).is_tensor()) total += static_cast<double>(function.type(v).elements());
    }
    if (total > limit) break;
    const OpInstance instance = instance_of(function, op);
    if (has_meaning(instance)) total += meaning_of(instance).flops();
  }
  return total;
}

}  // namespace partir
