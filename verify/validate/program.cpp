// Runs blocks and array operations on elements. Devices that hold the same operand arrays share the result. An
// operation without a meaning becomes an unknown of everything that it reads.
#include "verify/validate/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/control_flow.h"
#include "support/check.h"
#include "verify/certificate/effects.h"

namespace partir::validate {
namespace {

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
                                                        "stablehlo.reduce_window",
                                                        "stablehlo.abs",
                                                        "stablehlo.dynamic_slice",
                                                        "stablehlo.dynamic_update_slice",
                                                        "stablehlo.reverse",
                                                        "stablehlo.maximum",
                                                        "stablehlo.minimum",
                                                        "stablehlo.gather",
                                                        "stablehlo.convert"};
  return names.contains(n) || op.decl->collective.kind || !flows_of(op).empty() ||
         op.decl->kind == OpDecl::Kind::opaque;
}

using OperationNames = std::unordered_set<std::string>;

/// Whether the operation, or one in the computation that it applies, has one of these names.
bool applies(const Op& op, const OperationNames& names) {
  return names.contains(op.name()) || std::any_of(op.regions.begin(), op.regions.end(), [&](const Block& b) {
           return find_op(b, [&](const Op& inner) { return names.contains(inner.name()); }) != nullptr;
         });
}

bool is_exponential(const Op& op) {
  static const OperationNames names = {"stablehlo.exponential", "stablehlo.exponential_minus_one", "stablehlo.logistic",
                                       "stablehlo.tanh"};
  return applies(op, names);
}

bool is_logarithm(const Op& op) {
  static const OperationNames names = {"stablehlo.log", "stablehlo.log_plus_one"};
  return applies(op, names);
}

}  // namespace

Program::Program(const Function& function, const Devices& devices, Algebra& algebra, ObservedBits& bits,
                 const Products& products)
    : function_(function),
      devices_(devices),
      count_(static_cast<std::size_t>(devices.count())),
      algebra_(algebra),
      bits_(bits),
      products_(products),
      values_(function.types.size(), DeviceArrays(count_)),
      signs_(function.types.size(), Sign::any),
      tracked_(function.types.size(), false) {
  for_each_op(function.body, [&](const Op& op) { used_.insert(op.operands.begin(), op.operands.end()); });
  mark_sums();
}

void Program::mark_sums() {
  // Propagates backwards from exponentials and forwards from logarithms, through operations that preserve sums, to a
  // fixed point.
  std::vector<bool> before(tracked_.size(), false);
  std::vector<bool> after(tracked_.size(), false);
  bool changed = true;
  const auto mark = [&](std::vector<bool>& in, ValueId v) {
    if (!in[v.index()]) changed = in[v.index()] = true;
  };
  const auto any = [](const std::vector<bool>& in, const std::vector<ValueId>& of) {
    return std::any_of(of.begin(), of.end(), [&](ValueId v) { return in[v.index()]; });
  };
  const auto propagate = [&](const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
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
      for (const Flow& f : flows) propagate(f.from, f.to);
      if (flows.empty()) propagate(op.operands, op.results);
    });
  }
  for (std::size_t v = 0; v < tracked_.size(); ++v) tracked_[v] = before[v] || after[v];
  // A sum that a logarithm reads, which may be one of two exponentials.
  std::unordered_set<ValueId> read;
  for_each_op(function_.body, [&](const Op& op) {
    if (op.name() == "stablehlo.log") read.insert(op.operands[0]);
  });
  for_each_op(function_.body, [&](const Op& op) {
    if (op.name() == "stablehlo.add" && read.contains(op.results[0])) tracked_[op.results[0].index()] = true;
  });
}

std::vector<DeviceArrays> Program::run(const std::vector<DeviceArrays>& arguments, const Observer& observer) {
  observer_ = observer ? &observer : nullptr;
  for (std::size_t k = 0; k < arguments.size(); ++k) values_[function_.arguments()[k].index()] = arguments[k];
  Active all(count_);
  for (std::size_t d = 0; d < count_; ++d) all[d] = d;
  return block(function_.body, all);
}

namespace {

/// Whether the signs of the operands show that the operation is defined.
bool is_defined(const Op& op, const std::vector<Sign>& signs) {
  const std::string& name = op.name();
  if (name == "stablehlo.divide") return signs[1] == Sign::positive;
  if (name == "stablehlo.rsqrt" || name == "stablehlo.log") return signs[0] == Sign::positive;
  if (name == "stablehlo.sqrt" || name == "stablehlo.log_plus_one") return signs[0] != Sign::any;
  return false;
}

}  // namespace

std::vector<DeviceArrays> Program::block(const Block& b, const Active& active) {
  Key entered = {course_, reinterpret_cast<std::uintptr_t>(&b)};
  entered.insert(entered.end(), active.begin(), active.end());
  course_ = KeyHasher()(entered);
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

bool Program::has_infinities(const Op& op, const Active& active) {
  return std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId v) {
    return std::any_of(active.begin(), active.end(), [&](std::size_t d) {
      const auto& data = at(v, d)->data;
      return std::any_of(data.begin(), data.end(), [&](Element e) { return !algebra_.is_number_or_nan(e); });
    });
  });
}

void Program::step(const Op& op, const Active& active) {
  const bool tracks = (passes_sums(op) || is_logarithm(op)) &&
                      std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return tracked_[v.index()]; });
  algebra_.track_sums(tracks);
  for (const ValueId v : op.results) values_[v.index()].assign(count_, nullptr);
  std::vector<Sign> signs;
  for (const ValueId v : op.operands) signs.push_back(signs_[v.index()]);
  if (op.decl->kind != OpDecl::Kind::control) {
    Sign sign = sign_of_results(function_, op, signs);
    // Of the program's own infinities, exponentials, quotients and inverse roots are 0.
    if (sign == Sign::positive && has_infinities(op, active)) sign = Sign::not_negative;
    for (const ValueId v : op.results) signs_[v.index()] = sign;
  }
  // Conditions are not recorded for an operation that is defined on all inputs. |x| is x if x is not negative.
  algebra_.note_conditions(!is_defined(op, signs));
  algebra_.take_radicands(op.name() == "stablehlo.rsqrt" && signs[0] != Sign::any);
  const auto is_own_abs = [&](Sign s) {  // -0.0 is not negative, and has another absolute value
    return s == Sign::positive || (s == Sign::not_negative && !algebra_.by_bits());
  };
  if (op.name() == "stablehlo.abs" && is_own_abs(signs[0])) {
    for (const std::size_t d : active) set(op.results[0], d, at(op.operands[0], d));
    return;
  }
  const bool looks = looks_at_bits(function_, op);
  const bool by_bits = looks && !algebra_.by_bits();
  if (by_bits) {
    if (sees_signed_zeros(function_, op)) array_op(op, active);  // records conditions over the reals
    take_bits(op, active);
  }
  switch (by_bits ? OpDecl::Kind::terminator : op.decl->kind) {
    case OpDecl::Kind::terminator: break;  // already done by take_bits
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
        opaque_op(op, active);
      }
      break;
    case OpDecl::Kind::opaque: opaque_op(op, active); break;
    case OpDecl::Kind::host:
      if (const auto why = depends_on_device_or_has_effects(op))
        throw Unknown{fmt::format("line {}: {}", op.place.line, *why)};
      throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, op.name())};
    default: throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, op.name())};
  }
  if (looks && !by_bits) note_bits(op, active);
  if (observer_ != nullptr && op.decl->kind != OpDecl::Kind::control) {
    std::vector<DeviceArrays> results;
    for (const ValueId v : op.results) results.push_back(values_[v.index()]);
    (*observer_)(op, results);
  }
}

void Program::note_bits(const Op& op, const Active& active) {
  std::vector<DeviceArrays> results;
  for (const ValueId v : op.results) {
    results.emplace_back(count_);
    for (const std::size_t d : active) {
      auto a = std::make_shared<Array>(*at(v, d));
      for (Element& e : a->data) {
        if (e.is_cases()) e = algebra_.canonical(e);
      }
      results.back()[d] = std::move(a);
    }
  }
  bits_.note(op, course_, std::move(results));
}

void Program::take_bits(const Op& op, const Active& active) {
  const std::vector<DeviceArrays>* results = bits_.find(op, course_);
  if (results == nullptr)
    throw Unknown{fmt::format("line {}: {} looks at bits where data decides what runs", op.place.line, op.name())};
  // Whether the operation casts each float to one integer.
  const bool casts = op.name() == "stablehlo.bitcast_convert" &&
                     function_.tensor(op.operands[0]).dims == function_.tensor(op.results[0]).dims;
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    const ElementType type = function_.tensor(op.results[k]).element;
    for (const std::size_t d : active) {
      const bool of_numbers = std::none_of(op.operands.begin(), op.operands.end(), [&](ValueId v) {
        const auto& data = at(v, d)->data;
        return std::any_of(data.begin(), data.end(), [&](Element e) { return algebra_.contains_special(e); });
      });
      auto a = std::make_shared<Array>(*(*results)[k][d]);
      for (std::size_t p = 0; p < a->data.size(); ++p) {
        const Element bits = algebra_.imported(a->data[p], type);
        if (casts)
          algebra_.note_bits_of(bits, at(op.operands[0], d)->data[p], function_.tensor(op.operands[0]).element);
        if (!of_numbers) algebra_.note_no_number(bits);
        a->data[p] = bits;
      }
      set(op.results[k], d, std::move(a));
    }
  }
}

namespace {

std::string name_and_attributes(const Op& op) {
  std::string out = op.name();
  for (const auto& [key, value] : op.attributes.sorted()) {
    if (key == "sdy.sharding" || key == "mhlo.sharding" || key == "mhlo.frontend_attributes") continue;
    out += fmt::format(" {}={}", key, value.str());
  }
  return out;
}

/// All that decides what an operation without regions computes from its operands: name, attributes and types.
std::string record_of_op(const Function& function, const Op& op) {
  std::string out = name_and_attributes(op);
  for (const ValueId v : op.operands) out += " " + function.tensor(v).str();
  for (const ValueId v : op.results) out += " -> " + function.tensor(v).str();
  return out;
}

/// Identifies the order in which an operation adds or multiplies several floats. The machine chooses it, by anything:
/// which operation it is, along which dimensions, on which types. Nothing if the operation does not combine several
/// floats, or only by maxima and minima.
std::optional<std::string> order_of_sums(const Kernel& kernel, const Function& function, const Op& op) {
  const Meaning& m = kernel.meaning;
  const bool folds = std::any_of(m.scalars.begin(), m.scalars.end(), [&](const ScalarTerm& t) {
    if (t.kind != ScalarTerm::Kind::reduce || (!is_float(t.type) && !is_complex(t.type))) return false;
    std::int64_t count = 1;
    for (const RangeId r : t.ranges) count *= m.extent(r);
    const bool exact = std::all_of(t.combine.begin(), t.combine.end(), [&](ScalarId c) {
      const ScalarFn fn = m.at(c).fn;
      return m.at(c).kind == ScalarTerm::Kind::apply && (fn == ScalarFn::maximum || fn == ScalarFn::minimum);
    });
    return count > 1 && !exact;
  });
  if (!folds) return std::nullopt;
  return "in the order of " + record_of_op(function, op);
}

}  // namespace

Kernel& Program::kernel_of_op(const Op& op) {
  const auto it = kernels_.find(&op);
  if (it != kernels_.end()) return it->second;
  const OpInstance instance = instance_of(function_, op);
  if (!has_meaning(instance))
    throw Unknown{fmt::format("line {}: {} has no meaning on these types or attributes", op.place.line, op.name())};
  const Attribute* value = find(op.attributes, "value");
  const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
  return kernels_
      .emplace(&op, kernel_of(meaning_of(instance), instance.operands, instance.results,
                              dense != nullptr ? dense->literal : nullptr, name_and_attributes(op)))
      .first->second;
}

void Program::array_op(const Op& op, const Active& active) {
  if (!kernels_.contains(&op) && !has_meaning(instance_of(function_, op))) {
    opaque_op(op, active);
    return;
  }
  if (!op.decl->pure)
    throw Unknown{fmt::format("line {}: {} may give another result each time", op.place.line, op.name())};
  Kernel& kernel = kernel_of_op(op);
  const auto precision = products_.precision_of(function_, op);
  const auto order = algebra_.by_bits() ? order_of_sums(kernel, function_, op) : std::nullopt;
  const auto accuracy = accuracy_of(op);
  // Devices that hold the same operand arrays share one evaluation.
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
      promises_.note(op, kernel, operands, used_);
      if (precision) {
        for (std::size_t k = 0; k < operands.size(); ++k)
          operands[k] = in_precision(*operands[k], fmt::format("operand {} {}", k, *precision));
      }
      if (kernel.continuity == Continuity::jumps) note_jump(op, operands);
      try {
        it->second = evaluate(kernel, operands, algebra_);
      } catch (const Unknown& u) {
        throw Unknown{fmt::format("line {}: {}: {}", op.place.line, op.name(), u.reason)};
      }
      if (kernel.depends_on_order) promises_.note_order(op, operands);
      if (order) {
        for (ArrayPtr& a : it->second) a = in_order(*a, *order);
      }
      if (accuracy) {
        for (ArrayPtr& a : it->second) a = in_order(*a, *accuracy);
      }
      for (const ArrayPtr& a : it->second) algebra_.spend(a->data.size() + 16);
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) set(op.results[k], d, it->second[k]);
  }
}

void Program::note_jump(const Op& op, const std::vector<ArrayPtr>& operands) {
  const bool decided = std::all_of(operands.begin(), operands.end(), [&](const ArrayPtr& a) {
    const ElementType type = a->type.element;
    return !(is_float(type) || is_complex(type)) ||
           std::all_of(a->data.begin(), a->data.end(), [&](Element e) { return e.is(Element::Kind::number); });
  });
  if (!decided) jumps_.insert(op.name());
}

ArrayPtr Program::in_order(const Array& of, const std::string& order) {
  auto out = std::make_shared<Array>(of);
  const ElementType type = of.type.element;
  if (!is_float(type) && !is_complex(type)) return out;
  for (Element& e : out->data) e = algebra_.opaque(order, type, std::span(&e, 1));
  return out;
}

ArrayPtr Program::in_precision(const Array& of, const std::string& precision) {
  auto out = std::make_shared<Array>(of);
  const ElementType type = of.type.element;
  const Algebra::Leaf rounded = [&](std::span<const Element> e) -> std::optional<Element> {
    if (e[0] == Element::number(0)) return e[0];
    return algebra_.unknown_of_numbers(precision, type, e);
  };
  for (Element& e : out->data) {
    const Element given = e;
    const auto by_cases = algebra_.by_cases({&given, 1}, rounded);
    e = by_cases ? *by_cases : algebra_.unknown_of_numbers(precision, type, {&given, 1});
  }
  return out;
}

void Program::device_id(const Op& op, const Active& active) {
  for (const std::size_t d : active) {
    const auto id = static_cast<std::int64_t>(d);
    const std::int64_t value =
        op.name() == "stablehlo.replica_id" ? id / devices_.partitions : id % devices_.partitions;
    auto a = std::make_shared<Array>();
    a->type = function_.tensor(op.results[0]);
    a->data = {Element::integer(value)};
    set(op.results[0], d, std::move(a));
  }
}

void Program::opaque_op(const Op& op, const Active& active) {
  // An unknown function of everything that it reads: name, attributes, types and all elements.
  if (!op.regions.empty()) throw Unknown{fmt::format("line {}: {} is not followed", op.place.line, op.name())};
  if (!op.decl->pure || op.name() == "stablehlo.rng")
    throw Unknown{
        fmt::format("line {}: {} may give another result each time, or has effects", op.place.line, op.name())};
  for (const auto& values : {op.operands, op.results}) {
    for (const ValueId v : values) {
      if (!function_.type(v).is_tensor())
        throw Unknown{fmt::format("line {}: {} is of a {}", op.place.line, op.name(), function_.type(v).str())};
    }
  }
  const std::string record = record_of_op(function_, op);
  for (const std::size_t d : active) {
    std::vector<Element> all;
    for (const ValueId v : op.operands) all.insert(all.end(), at(v, d)->data.begin(), at(v, d)->data.end());
    const Element whole[] = {algebra_.opaque(record, ElementType::f32, all)};
    algebra_.note_partial(record, all);  // nothing is known of where it is defined
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      auto a = std::make_shared<Array>();
      a->type = function_.tensor(op.results[k]);
      for (std::int64_t p = 0; p < a->type.elements(); ++p)
        a->data.push_back(algebra_.opaque(fmt::format("{} {}", k, p), a->type.element, whole));
      set(op.results[k], d, std::move(a));
    }
  }
}

}  // namespace partir::validate
