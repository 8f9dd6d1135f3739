#include "semantics/host.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ir/attribute.h"
#include "ir/float_format.h"
#include "ir/ops/common.h"
#include "ir/sharding/manual.h"
#include "semantics/domain_native.h"
#include "semantics/interpreter.h"

namespace partir {
namespace {

constexpr std::size_t kMaxDepth = 100;  ///< nesting of run_parallel and manual computations

std::string string_of(const Op& op, const char* name) {
  const Attribute* a = find(op.attributes, name);
  const StringAttr* s = a != nullptr ? a->as<StringAttr>() : nullptr;
  return s != nullptr ? s->value : "";
}

std::int64_t integer_of(const Op& op, const char* name, std::int64_t otherwise) {
  const Attribute* a = find(op.attributes, name);
  const IntAttr* i = a != nullptr ? a->as<IntAttr>() : nullptr;
  return i != nullptr ? i->value : otherwise;
}

double number_of(const Op& op, const char* name, double otherwise) {
  const Attribute* a = find(op.attributes, name);
  if (a == nullptr) return otherwise;
  if (const FloatAttr* f = a->as<FloatAttr>()) return value_of(*f).value_or(otherwise);
  return static_cast<double>(integer_of(op, name, 0));
}

std::string target_of(const Op& op) {
  const std::string* target = call_target(op.attributes);
  return target != nullptr ? *target : "";
}

/// The distance between two values in units of the format's floats; the largest integer if they differ and one is not
/// finite.
std::uint64_t ulps_between(double a, double b, ElementType type) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t x = to_float_bits(std::fabs(a), type);
  const std::uint64_t y = to_float_bits(std::fabs(b), type);
  if (std::signbit(a) != std::signbit(b)) return x + y;
  return x > y ? x - y : y - x;
}

bool near(double a, double b, double tolerance) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance;
}

std::string text_of(const Tensor& t, std::size_t k, const Domain& domain) {
  const auto v = domain.to_complex(t.data[k], t.type->element);
  return is_complex(t.type->element) ? fmt::format("({:.17g},{:.17g})", v.real(), v.imag())
                                     : fmt::format("{:.17g}", v.real());
}

}  // namespace

bool knows_target(const Op& op) {
  const std::string target = target_of(op);
  return target.starts_with("check.") || target == "Sharding" || target == "annotate_device_placement";
}

void Host::spend(double steps, Place place) {
  constexpr double kStepsBetween = 10'000;
  budget_ -= steps;
  unchecked_steps_ += steps;
  if (time_is_up_ && unchecked_steps_ > kStepsBetween) {
    unchecked_steps_ = 0;
    pause(place);
  }
  if (budget_ < 0) fail("budget", place, "more steps than this run may take", "a smaller program");
}

void Host::pause(Place place) const {
  if (time_is_up_ && time_is_up_()) fail("budget", place, "more time than this run may take", "a smaller program");
}

void Host::spend_on(const std::vector<const Tensor*>& tensors, Place place) {
  for (const Tensor* t : tensors) {
    spend(static_cast<double>(t->data.size()) + 1, place);
    std::vector<const Tensor*> parts;
    for (const Tensor& part : t->parts) parts.push_back(&part);
    spend_on(parts, place);
  }
}

void Host::spend_on(const Function& function, const std::vector<ValueId>& values, Place place) {
  double elements = 0;
  for (const ValueId v : values) {
    if (function.type(v).is_tensor()) elements += static_cast<double>(function.type(v)->elements());
  }
  spend(elements, place);
}

bool Host::ready(const Op& op) const {
  if (op.name() != "stablehlo.recv") return true;
  const auto channel = channels_.find(ops::channel_id(op.attributes, op.place));
  return channel != channels_.end() && !channel->second.empty();
}

std::vector<Tensor> Host::run(const Function& function, const Op& op, const std::vector<const Tensor*>& operands) {
  const std::string& name = op.name();
  const auto token = [&] { return Tensor{function.type(op.results.back()), {}, {}}; };
  if (name == "stablehlo.after_all" || name == "stablehlo.create_token") return {token()};
  if (name == "stablehlo.tuple") {
    Tensor out{function.type(op.results[0]), {}, {}};
    for (const Tensor* t : operands) out.parts.push_back(*t);
    return {std::move(out)};
  }
  if (name == "stablehlo.get_tuple_element") {
    const auto index = static_cast<std::size_t>(integer_of(op, "index", 0));
    if (index >= operands[0]->parts.size() || operands[0]->parts[index].type != function.type(op.results[0]))
      fail("get_tuple_element (C1)", op.place, fmt::format("index {}", index), "an element of the tuple of this type");
    return {operands[0]->parts[index]};
  }
  if (name == "stablehlo.send") {
    std::vector<Tensor> sent;
    for (std::size_t k = 0; k + 1 < operands.size(); ++k) sent.push_back(*operands[k]);
    channels_[ops::channel_id(op.attributes, op.place)].push_back(std::move(sent));
    return {token()};
  }
  if (name == "stablehlo.recv" || name == "stablehlo.infeed") {
    std::deque<std::vector<Tensor>>& queue =
        name == "stablehlo.recv" ? channels_[ops::channel_id(op.attributes, op.place)] : infeed_;
    if (queue.empty()) fail("infeed", op.place, "nothing left to feed", "a feed for each infeed");
    std::vector<Tensor> out = std::move(queue.front());
    queue.pop_front();
    out.push_back(token());
    bool fits = out.size() == op.results.size();
    for (std::size_t k = 0; fits && k < out.size(); ++k) fits = out[k].type == function.type(op.results[k]);
    if (!fits) fail("types", op.place, "values of other types than were sent", "the types that were sent");
    return out;
  }
  if (name == "stablehlo.outfeed") return {token()};
  if (name == "stablehlo.custom_call") return custom_call(function, op, operands);
  if (name == "interpreter.run_parallel") return run_parallel(op, operands);
  if (is_manual_computation(op)) return run_manual(function, op, operands);
  if (name == "interpreter.probe") {
    probes_[string_of(op, "probe_id")].push_back(*operands[0]);
    return {*operands[0]};
  }
  if (name == "interpreter.print") {
    printed_ += to_literal(*operands[0])->str() + " : " + operands[0]->type.str() + "\n";
    return {};
  }
  if (name == "check.expect_serialized_eq") {
    check_probe(op, *operands[0]);
    return {};
  }
  if (name.starts_with("check.")) {
    const Attribute* value = find(op.attributes, "value");
    const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
    if (dense == nullptr && operands.size() != 2) fail("check", op.place, "no value to compare with", "two values");
    if (dense != nullptr && dense->literal->type != operands[0]->type)
      fail("check", op.place, operands[0]->type.str(), dense->literal->type.str());
    const Tensor wanted = dense != nullptr ? from_literal(*dense->literal, domain_) : *operands[1];
    const Limits limits{number_of(op, "tolerance", 1e-4),
                        static_cast<std::uint64_t>(integer_of(op, "max_ulp_difference", 1)),
                        static_cast<std::uint64_t>(integer_of(op, "min_ulp_difference", 0))};
    check(op, std::string_view(name).substr(6), limits, *operands[0], wanted);
    return {};
  }
  fail("unsupported", op.place, name, "an operation that the interpreter's host carries out");
}

std::vector<Tensor> Host::custom_call(const Function& function, const Op& op,
                                      const std::vector<const Tensor*>& operands) {
  const std::string target = target_of(op);
  if (target.starts_with("check.")) {
    if (operands.size() != 2) fail("check", op.place, fmt::format("{} operands", operands.size()), "two values");
    // The limits that StableHLO's reference interpreter uses for these calls.
    check(op, std::string_view(target).substr(6), {1e-3, 3, 0}, *operands[0], *operands[1]);
    return {};
  }
  // Targets that only annotate a value return their operand.
  if (knows_target(op) && operands.size() == 1 && op.results.size() == 1 &&
      function.type(op.results[0]) == operands[0]->type)
    return {*operands[0]};
  fail("unsupported", op.place, fmt::format("custom_call @{}", target), "a target that is known here");
}

void Host::check(const Op& op, std::string_view kind, const Limits& limits, const Tensor& got, const Tensor& wanted) {
  const ElementType type = wanted.type->element;
  const ElementType part = part_of(type);
  if (got.type != wanted.type) fail("check", op.place, got.type.str(), wanted.type.str());
  const bool floats = is_float(part);
  for (std::size_t k = 0; k < wanted.data.size(); ++k) {
    const auto g = domain_.to_complex(got.data[k], type);
    const auto w = domain_.to_complex(wanted.data[k], type);
    bool holds = false;
    if (kind.starts_with("expect_almost_eq") && floats) {
      holds = near(g.real(), w.real(), limits.tolerance) && near(g.imag(), w.imag(), limits.tolerance);
    } else if (kind == "expect_close" && floats) {
      const std::uint64_t apart =
          std::max(ulps_between(g.real(), w.real(), part), ulps_between(g.imag(), w.imag(), part));
      holds = apart <= limits.ulps && apart >= limits.least_ulps;
    } else if (kind == "expect_eq" || kind == "expect_eq_const" || kind == "eq") {
      holds = floats ? g == w : got.data[k].u == wanted.data[k].u;
    } else {
      fail("unsupported", op.place, fmt::format("check.{} on {}", kind, wanted.type.str()),
           "expect_eq, expect_almost_eq, expect_close and their _const forms");
    }
    if (!holds) {
      failed_.push_back({op.place, fmt::format("{}: element {} is {}, wanted {}", kind, k, text_of(got, k, domain_),
                                               text_of(wanted, k, domain_))});
      return;
    }
  }
  ++held_;
}

void Host::check_probe(const Op& op, const Tensor& wanted) {
  const std::string id = string_of(op, "probe_id");
  const auto& seen = probes_[id];
  const auto iteration = static_cast<std::size_t>(integer_of(op, "iteration", 0));
  if (iteration >= seen.size()) {
    failed_.push_back(
        {op.place, fmt::format("probe \"{}\" was met {} times, wanted one more than {}", id, seen.size(), iteration)});
    return;
  }
  check(op, "expect_eq", {}, seen[iteration], wanted);
}

std::vector<Tensor> Host::run_manual(const Function& function, const Op& op,
                                     const std::vector<const Tensor*>& operands) {
  const ManualComputation manual = value_or_throw(manual_computation_of(function, op));
  Function body = signature_of(function);
  body.types = function.types;
  body.body = op.regions[0];
  const Devices devices{1, manual.mesh.devices()};
  const std::vector<const Function*> programs(static_cast<std::size_t>(devices.count()), &body);
  std::vector<std::vector<Tensor>> inputs(programs.size());
  for (std::size_t d = 0; d < programs.size(); ++d) {
    for (std::size_t k = 0; k < operands.size(); ++k)
      inputs[d].push_back(scatter_to(*operands[k], manual.operands[k], manual.mesh, DeviceId(d), domain_));
  }
  if (depth_ >= kMaxDepth) fail("run_parallel", op.place, "programs that run one another without end", "fewer levels");
  Host inner(domain_, module_, budget_);
  inner.depth_ = depth_ + 1;
  inner.in_manual_ = true;
  const auto results = run_programs(programs, inputs, devices, domain_, inner);
  budget_ = inner.budget_;
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    std::vector<const Tensor*> parts;
    for (const auto& of_device : results) parts.push_back(&of_device[k]);
    bool disagreement = false;
    out.push_back(
        gather_from(parts, *function.type(op.results[k]), manual.results[k], manual.mesh, domain_, disagreement));
    if (disagreement) {
      fail("replicas", op.place, fmt::format("devices that return different values of result {}", k),
           "the same wherever its sharding leaves manual axes out");
    }
  }
  return out;
}

std::vector<Tensor> Host::run_parallel(const Op& op, const std::vector<const Tensor*>& operands) {
  const auto function = [&](const Attribute& name) {
    const SymbolAttr* symbol = name.as<SymbolAttr>();
    const Function* f = symbol != nullptr && module_ != nullptr ? module_->find(symbol->name) : nullptr;
    if (f == nullptr) fail("run_parallel", op.place, name.str(), "a public function of this module");
    return f;
  };
  const auto list = [&](const Attribute* a) -> const std::vector<Attribute>& {
    const ArrayAttr* array = a != nullptr ? a->as<ArrayAttr>() : nullptr;
    if (array == nullptr || array->items.empty())
      fail("run_parallel", op.place, "no programs", "programs = [[@f, …], …]");
    return array->items;
  };
  std::vector<const Function*> programs;
  std::vector<std::vector<Tensor>> inputs;
  const std::vector<Attribute>& replicas = list(find(op.attributes, "programs"));
  const std::size_t partitions = list(&replicas[0]).size();
  std::size_t next = 0;
  for (const Attribute& replica : replicas) {
    if (list(&replica).size() != partitions) fail("run_parallel", op.place, "rows of several lengths", "one length");
    for (const Attribute& name : list(&replica)) {
      programs.push_back(function(name));
      inputs.emplace_back();
      for (const ValueId v : programs.back()->arguments()) {
        if (next == operands.size() || operands[next]->type != programs.back()->type(v))
          fail("run_parallel", op.place, fmt::format("{} operands", operands.size()), "the arguments of all programs");
        inputs.back().push_back(*operands[next++]);
      }
    }
  }
  if (next != operands.size())
    fail("run_parallel", op.place, fmt::format("{} operands", operands.size()), fmt::format("{}", next));
  // The devices share channels with one another, not with the caller.
  Host inner(domain_, module_, budget_);
  inner.depth_ = depth_ + 1;
  if (depth_ >= kMaxDepth) fail("run_parallel", op.place, "programs that run one another without end", "fewer levels");
  if (const Attribute* feeds = find(op.attributes, "infeed")) {
    for (const Attribute& name : list(feeds))
      inner.infeed_.push_back(run_programs({function(name)}, {{}}, Devices{}, domain_, *this)[0]);
  }
  const Devices devices{static_cast<std::int64_t>(replicas.size()), static_cast<std::int64_t>(partitions)};
  std::vector<Tensor> out;
  for (auto& results : run_programs(programs, inputs, devices, domain_, inner)) {
    for (Tensor& t : results) out.push_back(std::move(t));
  }
  budget_ = inner.budget_;
  held_ += inner.held_;
  failed_.insert(failed_.end(), inner.failed_.begin(), inner.failed_.end());
  for (auto& [id, seen] : inner.probes_) std::move(seen.begin(), seen.end(), std::back_inserter(probes_[id]));
  printed_ += inner.printed_;
  if (out.size() != op.results.size())
    fail("run_parallel", op.place, fmt::format("{} results", op.results.size()), fmt::format("{}", out.size()));
  return out;
}

}  // namespace partir
