#include "simulate/memory.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace partir {
namespace {

bool has_part(const std::string& path, std::initializer_list<std::string_view> parts) {
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view part = std::string_view(path).substr(start, slash - start);
    if (std::find(parts.begin(), parts.end(), part) != parts.end()) return true;
    start = slash + 1;
  }
  return false;
}

bool moves_only(const Op& op) {
  const std::string& n = op.name();
  return op.decl->kind == OpDecl::Kind::collective || n == "stablehlo.reshape" || n == "stablehlo.transpose" ||
         n == "stablehlo.convert" || n == "stablehlo.slice" || n == "stablehlo.dynamic_slice" ||
         n == "stablehlo.optimization_barrier";
}

bool is_pointwise(const Op& op) {
  return op.decl->kind == OpDecl::Kind::array && !is_matrix(op) && op.regions.empty() &&
         op.name() != "stablehlo.broadcast_in_dim" && op.name() != "stablehlo.gather";
}

double bytes_of(const Function& f, ValueId v) {
  const TensorType& t = f.type(v);
  return t.is_tensor() ? static_cast<double>(t.bytes()) : 0;
}

}  // namespace

std::string_view name_of(MemoryKind kind) {
  constexpr std::string_view names[] = {"parameters", "optimizer_state", "gradients", "activations", "inputs"};
  return names[static_cast<std::size_t>(kind)];
}

double total(const MemoryByKind& bytes) { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

std::optional<std::size_t> aliased_result(const Function& function, std::size_t argument) {
  if (argument >= function.argument_attributes.size()) return std::nullopt;
  const Attribute* alias = find(function.argument_attributes[argument], "tf.aliasing_output");
  const IntAttr* number = alias != nullptr ? alias->as<IntAttr>() : nullptr;
  if (number == nullptr || number->value < 0 || static_cast<std::size_t>(number->value) >= function.returned().size())
    return std::nullopt;
  return static_cast<std::size_t>(number->value);
}

// --- Kinds ----------------------------------------------------------------------------------------------------------

ValueKinds::ValueKinds(const Function& function, const Names& names)
    : f_(function), kinds_(function.types.size(), MemoryKind::activations) {
  arguments(names);
  forward(f_.body);
  std::vector<ValueId> state;
  for (std::size_t i = 0; i < f_.arguments().size(); ++i) {
    const MemoryKind kind = of(f_.arguments()[i]);
    const auto result = aliased_result(f_, i);
    if (result && (kind == MemoryKind::parameters || kind == MemoryKind::optimizer_state))
      state.push_back(f_.returned()[*result]);
  }
  backward(f_.body, std::move(state));
}

void ValueKinds::arguments(const Names& names) {
  const auto& arguments = f_.arguments();
  bool named = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    MemoryKind kind = MemoryKind::inputs;
    const std::string name = i < names.arguments.size() ? names.arguments[i] : "";
    if (has_part(name, {"opt_state", "optimizer", "mu", "nu"}))
      kind = MemoryKind::optimizer_state;
    else if (has_part(name, {"params", "parameters"}))
      kind = MemoryKind::parameters;
    named = named || kind != MemoryKind::inputs;
    kinds_[arguments[i].index()] = kind;
  }
  if (named) return;
  std::vector<bool> reaches(f_.types.size(), false);  // a matrix product, through what only moves elements
  for (std::size_t i = f_.body.ops.size(); i-- > 0;) {
    const Op& op = f_.body.ops[i];
    const bool on = is_matrix(op) || (moves_only(op) && std::any_of(op.results.begin(), op.results.end(),
                                                                    [&](ValueId v) { return reaches[v.index()]; }));
    if (!on) continue;
    for (const ValueId v : op.operands) reaches[v.index()] = true;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!aliased_result(f_, i)) continue;
    kinds_[arguments[i].index()] = reaches[arguments[i].index()] ? MemoryKind::parameters : MemoryKind::optimizer_state;
  }
}

void ValueKinds::forward(const Block& block) {
  for (const Op& op : block.ops) {
    if (moves_only(op) && !op.operands.empty()) {
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        const ValueId from = op.operands[std::min(k, op.operands.size() - 1)];
        const ValueId first = op.results.size() == 1 ? op.operands[0] : from;
        if (of(first) == MemoryKind::parameters) kinds_[op.results[k].index()] = MemoryKind::parameters;
      }
    }
    if (op.name() == "stablehlo.while" && op.regions.size() == 2) {
      const Block& body = op.regions[1];
      for (std::size_t k = 0; k < body.arguments.size() && k < op.operands.size(); ++k) {
        const MemoryKind kind = of(op.operands[k]);
        const bool same = body.ops.back().operands.at(k) == body.arguments[k];
        if (kind != MemoryKind::parameters || !same) continue;
        for (const ValueId v : {body.arguments[k], op.results.at(k), op.regions[0].arguments.at(k)})
          kinds_[v.index()] = kind;
      }
    }
    if (op.decl->kind == OpDecl::Kind::control) {
      for (const Block& region : op.regions) forward(region);
    }
  }
}

void ValueKinds::backward(const Block& block, std::vector<ValueId> from) {
  std::unordered_map<ValueId, std::pair<const Op*, std::size_t>> made_by;
  for (const Op& op : block.ops) {
    for (std::size_t k = 0; k < op.results.size(); ++k) made_by[op.results[k]] = {&op, k};
  }
  std::unordered_map<const Op*, std::vector<ValueId>> bodies;
  std::set<ValueId> seen;
  while (!from.empty()) {
    const ValueId v = from.back();
    from.pop_back();
    const auto it = made_by.find(v);
    if (it == made_by.end() || !seen.insert(v).second) continue;
    const auto& [op, k] = it->second;
    if (of(v) == MemoryKind::activations && f_.type(v).rank() != 0) kinds_[v.index()] = MemoryKind::gradients;
    if (op->name() == "stablehlo.while" && op->regions.size() == 2) {
      kinds_[op->regions[1].arguments.at(k).index()] = MemoryKind::gradients;
      bodies[op].push_back(op->regions[1].ops.back().operands.at(k));
      continue;
    }
    if (!moves_only(*op) && !is_pointwise(*op)) continue;
    for (const ValueId operand : op->operands) from.push_back(operand);
  }
  for (auto& [op, values] : bodies) backward(op->regions[1], std::move(values));
}

// --- Live ranges ----------------------------------------------------------------------------------------------------

namespace {

class LiveRanges {
 public:
  LiveRanges(const Function& f, const Block& block, const FusedBlock& fused, const ValueKinds& kinds,
             const std::vector<std::optional<std::size_t>>& into, const std::vector<const BlockMemory*>& inner)
      : f_(f), block_(block), fused_(fused), kinds_(kinds), into_(into), inner_(inner) {}

  BlockMemory run() {
    for (std::size_t n = 0; n < fused_.kernels.size(); ++n) {
      for (const auto& read : fused_.kernels[n].reads) last_[read.buffer] = n;
    }
    for (const ValueId v : fused_.returned) last_[v] = end;
    for (const ValueId v : block_.arguments) {
      out_.arguments[index(v)] += bytes_of(f_, v);
      homes_.insert(v);
    }
    takeovers();
    now_ = out_.arguments;
    out_.peak = now_;
    for (std::size_t n = 0; n < fused_.kernels.size(); ++n) step(n);
    for (const auto& [v, bytes] : at_peak_) out_.live.push_back({v, bytes});
    if (!inner_.empty() && inner_[out_.peak_kernel] != nullptr) {
      const auto& more = inner_[out_.peak_kernel]->live;
      out_.live.insert(out_.live.end(), more.begin(), more.end());
    }
    std::sort(out_.live.begin(), out_.live.end(), [](const LiveBuffer& a, const LiveBuffer& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.value < b.value;
    });
    return std::move(out_);
  }

 private:
  static constexpr std::size_t end = static_cast<std::size_t>(-1);
  [[nodiscard]] std::size_t index(ValueId v) const { return static_cast<std::size_t>(kinds_.of(v)); }

  /// Returned values that are written into arguments' buffers.
  void takeovers() {
    std::unordered_map<ValueId, std::size_t> writer;
    for (std::size_t n = 0; n < fused_.kernels.size(); ++n) {
      for (const auto& write : fused_.kernels[n].writes) writer[write.buffer] = n;
    }
    for (std::size_t i = 0; i < into_.size() && i < block_.arguments.size(); ++i) {
      if (!into_[i]) continue;
      const ValueId result = fused_.returned.at(*into_[i]);
      const ValueId argument = block_.arguments[i];
      const auto made = writer.find(result);
      const auto read = last_.find(argument);
      if (made == writer.end() || bytes_of(f_, result) != bytes_of(f_, argument)) continue;
      if (read == last_.end() || (read->second != end && read->second <= made->second)) homes_.insert(result);
    }
  }

  void step(std::size_t n) {
    const Kernel& kernel = fused_.kernels[n];
    std::set<ValueId> taken;  // dying operands whose buffer an output got
    for (std::size_t w = 0; w < kernel.writes.size(); ++w) {
      const ValueId v = kernel.writes[w].buffer;
      if (homes_.count(v) != 0) continue;
      const double bytes = bytes_of(f_, v);
      if (kernel.in_place[w] != Kernel::npos) {
        const ValueId target = kernel.reads[kernel.in_place[w]].buffer;
        if (homes_.count(target) != 0) {
          homes_.insert(v);  // in an argument's buffer
          continue;
        }
        taken.insert(target);
      } else if (const auto dying = dying_operand(n, kernel, bytes, taken)) {
        taken.insert(*dying);
      }
      live_[v] = bytes;
      now_[index(v)] += bytes;
    }
    for (const ValueId v : taken) release(v);
    MemoryByKind with = now_;
    if (!inner_.empty() && inner_[n] != nullptr) {
      for (std::size_t k = 0; k < kMemoryKinds; ++k) with[k] += inner_[n]->peak[k] - inner_[n]->arguments[k];
    }
    out_.by_kernel.push_back(with);
    if (total(with) > total(out_.peak)) {
      out_.peak = with;
      out_.peak_kernel = n;
      at_peak_ = live_;
    }
    for (const auto& read : kernel.reads) {
      if (last_.at(read.buffer) == n) release(read.buffer);
    }
    for (const auto& write : kernel.writes) {  // read by nobody after all
      if (last_.find(write.buffer) == last_.end()) release(write.buffer);
    }
  }

  std::optional<ValueId> dying_operand(std::size_t n, const Kernel& kernel, double bytes,
                                       const std::set<ValueId>& taken) {
    bool may = kernel.kind == Kernel::Kind::loop || kernel.kind == Kernel::Kind::control;
    if (kernel.kind == Kernel::Kind::collective) may = block_.ops[kernel.ops[0]].name() == "stablehlo.all_reduce";
    if (!may) return std::nullopt;
    for (const auto& read : kernel.reads) {
      const auto it = live_.find(read.buffer);
      if (it != live_.end() && it->second == bytes && last_.at(read.buffer) == n && taken.count(read.buffer) == 0)
        return read.buffer;
    }
    return std::nullopt;
  }

  void release(ValueId v) {
    const auto it = live_.find(v);
    if (it == live_.end()) return;
    now_[index(v)] -= it->second;
    live_.erase(it);
  }

  const Function& f_;
  const Block& block_;
  const FusedBlock& fused_;
  const ValueKinds& kinds_;
  const std::vector<std::optional<std::size_t>>& into_;
  const std::vector<const BlockMemory*>& inner_;
  BlockMemory out_;
  MemoryByKind now_{};
  std::unordered_map<ValueId, std::size_t> last_;  ///< the kernel that reads a buffer last
  std::unordered_map<ValueId, double> live_;
  std::unordered_map<ValueId, double> at_peak_;
  std::set<ValueId> homes_;  ///< arguments, and what lies in their buffers
};

}  // namespace

BlockMemory memory_of(const Function& function, const Block& block, const FusedBlock& fused, const ValueKinds& kinds,
                      const std::vector<std::optional<std::size_t>>& into,
                      const std::vector<const BlockMemory*>& inner) {
  return LiveRanges(function, block, fused, kinds, into, inner).run();
}

}  // namespace partir
