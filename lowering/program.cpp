#include "lowering/program.h"

#include <fmt/format.h>

#include <unordered_map>

#include "ir/op_decl.h"

namespace partir {
namespace {

void count_block(const Block& block, CollectiveCounts& out) {
  for (const Op& op : block.ops) {
    const std::string_view name(op.name());
    const std::string_view tail = name.substr(name.find('.') + 1);
    if (op.decl->kind == OpDecl::Kind::collective) {
      for (std::size_t k = 0; k < CollectiveCounts::kinds.size(); ++k) {
        if (tail == CollectiveCounts::kinds[k]) ++out.counts[k];
      }
    }
    for (const Block& b : op.regions) count_block(b, out);
  }
}

/// Equal operations of a program (layers repeat) have their FLOPs worked out once.
class FlopCounter {
 public:
  explicit FlopCounter(const Function& f) : f_(f) {}

  double block(const Block& b) {
    double total = 0;
    for (const Op& op : b.ops) {
      total += of(op);
      if (op.decl->kind == OpDecl::Kind::opaque || op.decl->kind == OpDecl::Kind::control ||
          op.decl->kind == OpDecl::Kind::core) {
        for (const Block& inner : op.regions) total += block(inner);
      }
    }
    return total;
  }

 private:
  double of(const Op& op) {
    if (op.decl->meaning == nullptr) return 0;
    std::string key = op.name();
    for (const ValueId v : op.operands) key += f_.type(v).str();
    key += ">";
    for (const ValueId v : op.results) key += f_.type(v).str();
    // Dimension lists and numbers decide how many steps there are; values of constants and paddings do not.
    for (const auto& [name, value] : op.attributes) {
      if (value.as<IntsAttr>() != nullptr || value.as<RawAttr>() != nullptr || value.as<IntAttr>() != nullptr)
        key += name + value.str();
    }
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    const OpInstance instance = instance_of(f_, op);
    const double flops = has_meaning(instance) ? meaning_of(instance).flops() : 0;
    return known_[key] = flops;
  }

  const Function& f_;
  std::unordered_map<std::string, double> known_;
};

}  // namespace

std::string CollectiveCounts::str() const {
  std::string out;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (counts[k] != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", counts[k], kinds[k]);
  }
  return out.empty() ? "none" : out;
}

CollectiveCounts count_collectives(const Function& function) {
  CollectiveCounts out;
  count_block(function.body, out);
  return out;
}

std::map<std::pair<std::string, std::string>, std::int64_t> collectives_by_axis(const Function& function) {
  std::map<std::pair<std::string, std::string>, std::int64_t> out;
  for (const Op& op : function.body.ops) {
    if (!op.name().starts_with("spmd.") || op.name() == "spmd.all_slice") continue;
    for (const Attribute& axis : find(op.attributes, "axes")->as<ArrayAttr>()->items) {
      ++out[{op.name().substr(5), axis.as<StringAttr>()->value}];
    }
  }
  return out;
}

double flops_of(const Function& function) { return FlopCounter(function).block(function.body); }

namespace {
void set_frontend(AttributeList& attributes, const char* name, std::string value) {
  DictAttr dict;
  if (const Attribute* old = find(attributes, "mhlo.frontend_attributes");
      old != nullptr && old->as<DictAttr>() != nullptr) {
    dict = *old->as<DictAttr>();
  }
  set(dict.entries, name, {StringAttr{std::move(value)}});
  set(attributes, "mhlo.frontend_attributes", {std::move(dict)});
}
}  // namespace

Module spmd_module(const SpmdProgram& program, const Module& source) {
  Module out;
  out.name = source.name;
  out.attributes = source.attributes;
  set(out.attributes, "mhlo.num_partitions", {IntAttr{program.mesh.devices(), "i32"}});
  set(out.attributes, "mhlo.num_replicas", {IntAttr{1, "i32"}});
  set_frontend(out.attributes, "partir.mesh", program.mesh.str());
  Function f = program.function;
  f.name = "main";
  f.is_public = true;
  const auto place = [&](std::vector<AttributeList>& attributes, const std::vector<ValueId>& values) {
    attributes.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      // The source's own shardings speak of the global program.
      drop(attributes[i], "sdy.sharding");
      drop(attributes[i], "mhlo.sharding");
      set_frontend(attributes[i], "partir.sharding", program.types[values[i].index()].str(program.mesh));
    }
  };
  place(f.argument_attributes, f.arguments());
  place(f.result_attributes, f.returned());
  // A donated buffer must fit the result that takes it.
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    const Attribute* alias = find(f.argument_attributes[i], "tf.aliasing_output");
    const IntAttr* number = alias != nullptr ? alias->as<IntAttr>() : nullptr;
    const bool fits = number != nullptr && number->value >= 0 &&
                      static_cast<std::size_t>(number->value) < f.returned().size() &&
                      f.type(f.arguments()[i]) == f.type(f.returned()[static_cast<std::size_t>(number->value)]);
    if (alias != nullptr && !fits) drop(f.argument_attributes[i], "tf.aliasing_output");
  }
  for (Op& op : f.body.ops) {
    if (op.results.size() != 1 || op.decl->kind == OpDecl::Kind::terminator) continue;
    if (const auto layout = program.layouts.find(op.results[0]); layout != program.layouts.end()) {
      const auto& parts = layout->second->parts;
      set(op.attributes, "partir.parts", {IntsAttr{{parts.begin(), parts.end() - 1}}});
    } else {
      set(op.attributes, "partir.sharding", {StringAttr{program.types[op.results[0].index()].str(program.mesh)}});
    }
  }
  out.functions.push_back(std::move(f));
  return out;
}

}  // namespace partir
