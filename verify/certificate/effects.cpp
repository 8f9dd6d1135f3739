#include "verify/certificate/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/op_decl.h"
#include "ir/ops/common.h"

namespace partir {
namespace {

enum class Own : std::uint8_t { nothing, regions, effects, devices, unspecified };

/// The effect of an operation by itself; `regions` if it only has the effects of the operations in its regions.
Own own(const Op& op) {
  const std::string& name = op.name();
  if (name == "sdy.manual_computation") return Own::regions;
  switch (op.decl->kind) {
    case OpDecl::Kind::terminator: return Own::nothing;
    case OpDecl::Kind::array: return name == "stablehlo.rng" ? Own::effects : Own::regions;
    case OpDecl::Kind::control: return Own::regions;
    case OpDecl::Kind::collective:
    case OpDecl::Kind::device:
    case OpDecl::Kind::core: return Own::devices;
    case OpDecl::Kind::host: {  // includes calls and callbacks, whose effects are not declared
      static const std::set<std::string, std::less<>> values = {"stablehlo.tuple", "stablehlo.get_tuple_element",
                                                                "stablehlo.create_token", "stablehlo.after_all"};
      if (name == "stablehlo.custom_call" && !ops::is_set(op.attributes, "has_side_effect")) return Own::unspecified;
      return values.contains(name) ? Own::nothing : Own::effects;
    }
    case OpDecl::Kind::opaque: break;
  }
  // Operations that are functions of their operands by their specification. (Not among them: the result of
  // set_dimension_size has a size of its own; a composite holds a program; async operations and cross-replica-sum
  // communicate with other devices.)
  static const std::set<std::string, std::less<>> functions = {"stablehlo.uniform_quantize",
                                                               "stablehlo.uniform_dequantize",
                                                               "stablehlo.torch_index_select",
                                                               "stablehlo.einsum",
                                                               "stablehlo.unary_einsum",
                                                               "stablehlo.broadcast",
                                                               "stablehlo.trace"};
  if (functions.contains(name) || (name.starts_with("chlo.") && find_decl(name) != nullptr)) return Own::regions;
  if (name == "stablehlo.cross-replica-sum") return Own::devices;
  return Own::unspecified;
}

const char* text_of_own(Own o) {
  switch (o) {
    case Own::effects: return "has effects";
    case Own::devices: return "depends on the device";
    case Own::unspecified: return "may have effects: nothing is known of it";
    default: return "";
  }
}

/// The first operation in `op`, itself included, that satisfies `is`; null if there is none.
template <class Is>
const Op* first_in(const Op& op, const Is& is) {
  if (is(op)) return &op;
  for (const Block& b : op.regions) {
    for (const Op& inner : b.ops) {
      if (const Op* found = first_in(inner, is)) return found;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> depends_on_device_or_has_effects(const Op& op) {
  const Op* found = first_in(op, [](const Op& o) {
    const Own is = own(o);
    return is != Own::nothing && is != Own::regions;
  });
  if (found == nullptr) return std::nullopt;
  return fmt::format("{}{} {}", found->name(), found == &op ? "" : " in it", text_of_own(own(*found)));
}

bool has_effects(const Op& op) {
  return first_in(op, [](const Op& o) { return own(o) == Own::effects || own(o) == Own::unspecified; }) != nullptr;
}

bool is_control_flow(const Op& op) {
  return first_in(op, [](const Op& o) { return o.decl->kind == OpDecl::Kind::control && !o.regions.empty(); }) !=
         nullptr;
}

namespace {

/// The numbers of the arguments that a module donates: by attributes of the arguments, as JAX writes, or by one of the
/// module, as jaxlib's converter of HLO writes. Nothing if the latter cannot be read.
std::optional<std::set<std::size_t>> donated(const Module& module) {
  std::set<std::size_t> out;
  const Function& f = **module.main();
  for (std::size_t k = 0; k < f.argument_attributes.size(); ++k) {
    const AttributeList& attributes = f.argument_attributes[k];
    const Attribute* donor = find(attributes, "jax.buffer_donor");
    if (find(attributes, "tf.aliasing_output") != nullptr || (donor != nullptr && donor->str() != "false"))
      out.insert(k);
  }
  const Attribute* aliases = find(module.attributes, "mhlo.input_output_alias");
  if (aliases == nullptr) return out;
  const ArrayAttr* list = aliases->as<ArrayAttr>();
  if (list == nullptr) return std::nullopt;
  for (const Attribute& item : list->items) {
    const DictAttr* entry = item.as<DictAttr>();
    const Attribute* alias = entry != nullptr ? find(entry->entries, "alias") : nullptr;
    const DictAttr* of = alias != nullptr ? alias->as<DictAttr>() : nullptr;
    const Attribute* number = of != nullptr ? find(of->entries, "parameter_number") : nullptr;
    const IntAttr* value = number != nullptr ? number->as<IntAttr>() : nullptr;
    if (value == nullptr || value->value < 0) return std::nullopt;
    out.insert(static_cast<std::size_t>(value->value));
  }
  return out;
}

/// Why a module's arguments cannot be stored where it says (tf.aliasing_output): an argument and a result of different
/// types, or two arguments in one result.
std::optional<std::string> stores_wrongly(const Function& f) {
  std::set<std::int64_t> taken;
  for (std::size_t k = 0; k < f.argument_attributes.size(); ++k) {
    const Attribute* place = find(f.argument_attributes[k], "tf.aliasing_output");
    if (place == nullptr) continue;
    const IntAttr* number = place->as<IntAttr>();
    if (number == nullptr || number->value < 0 || number->value >= static_cast<std::int64_t>(f.returned().size()))
      return fmt::format("argument {} shares memory with a result that is not there", k);
    const ValueId result = f.returned()[static_cast<std::size_t>(number->value)];
    const bool is_free = taken.insert(number->value).second;
    if (!is_free || f.type(f.arguments()[k]) != f.type(result))
      return fmt::format("argument {} shares memory with result {}, which is {}", k, number->value,
                         is_free ? "of another type" : "another argument's");
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> donates_more(const Module& source, const Module& partitioned) {
  const auto by_source = donated(source);
  const auto by_devices = donated(partitioned);
  if (!by_source || !by_devices) return "mhlo.input_output_alias cannot be read";
  for (const std::size_t k : *by_devices) {
    if (!by_source->contains(k)) return fmt::format("argument {} is donated, which the source's is not", k);
  }
  return stores_wrongly(**partitioned.main());
}

EffectSequence::EffectSequence(const Block& source) {
  for (const Op& op : source.ops) {
    if (has_effects(op)) operations_.push_back(&op);
  }
}

std::optional<std::string> EffectSequence::meets(const Op& source) {
  if (met_ < operations_.size() && operations_[met_] == &source) {
    ++met_;
    return std::nullopt;
  }
  const bool again = std::find(operations_.begin(), operations_.begin() + static_cast<std::ptrdiff_t>(met_), &source) !=
                     operations_.begin() + static_cast<std::ptrdiff_t>(met_);
  return fmt::format("{} has effects and {}", source.name(),
                     again ? "stands twice" : "stands out of the source's order");
}

std::optional<std::string> EffectSequence::ends() const {
  if (met_ == operations_.size()) return std::nullopt;
  return fmt::format("leaves out {}, which has effects", operations_[met_]->name());
}

}  // namespace partir
