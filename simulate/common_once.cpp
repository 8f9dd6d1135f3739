// Common subexpression elimination within each block (BufferRules::common_once). Pure array operations without regions
// are equal if their names, operands, attributes and result types are.
#include <fmt/format.h>

#include <unordered_map>

#include "ir/op_decl.h"
#include "simulate/buffer_rules.h"

namespace partir {
namespace {

class CommonOnce {
 public:
  explicit CommonOnce(Function& f) : f_(f) {}

  void block(Block& b) {
    std::unordered_map<std::string, std::vector<ValueId>> known;
    std::vector<Op> kept;
    kept.reserve(b.ops.size());
    for (Op& op : b.ops) {
      for (ValueId& v : op.operands) {
        if (const auto it = replacement_.find(v); it != replacement_.end()) v = it->second;
      }
      for (Block& region : op.regions) block(region);
      // Collectives each have a channel, and what has effects or a region is itself.
      if (op.decl->kind == OpDecl::Kind::array && op.decl->pure && op.regions.empty()) {
        const auto [it, fresh] = known.try_emplace(described(op), op.results);
        if (!fresh) {
          for (std::size_t k = 0; k < op.results.size(); ++k) replacement_.emplace(op.results[k], it->second[k]);
          continue;
        }
      }
      kept.push_back(std::move(op));
    }
    b.ops = std::move(kept);
  }

 private:
  [[nodiscard]] std::string described(const Op& op) const {
    std::string out = op.name();
    for (const ValueId v : op.operands) out += fmt::format(" {}", v.index());
    for (const auto& [name, value] : op.attributes.sorted()) out += fmt::format(" {}={}", name, value.str());
    for (const ValueId v : op.results) out += ">" + f_.type(v).str();
    return out;
  }

  Function& f_;
  std::unordered_map<ValueId, ValueId> replacement_;
};

}  // namespace

Function common_once(const Function& function) {
  Function out = function;
  CommonOnce(out).block(out.body);
  return out;
}

Function as_compiled(const Function& function, const BufferRules& rules) {
  if (!rules.common_once) return rules.ordered_operands ? ordered_operands(function) : function;
  return rules.ordered_operands ? ordered_operands(common_once(function)) : common_once(function);
}

}  // namespace partir
