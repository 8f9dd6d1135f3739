#include "simulate/reasons.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/op_decl.h"
#include "ir/scope_path.h"

namespace partir {

BlockReasons::BlockReasons(const Block& block) {
  for (const Op& op : block.ops) {
    for (const ValueId v : op.results) made_by[v] = &op;
    for (const ValueId v : op.operands) first_reader.try_emplace(v, &op);
  }
}

std::string Reasons::described(const Op& op) {
  const std::string kind = op.name().substr(op.name().find('.') + 1);
  std::string name = op.location != nullptr ? scope_path(op.location->name) : "";
  if (name.empty()) {
    name = kind;
  } else if (op.decl->kind == OpDecl::Kind::collective) {
    name = fmt::format("{} at {}", kind, name);  // the scope is that of its reader
  }
  return op.place.line != 0 ? fmt::format("{} (line {})", name, op.place.line) : name;
}

std::string Reasons::argument(ValueId v) const {
  const auto& arguments = f_.arguments();
  const auto at = std::find(arguments.begin(), arguments.end(), v);
  if (at == arguments.end()) return "a value of the loop around";
  const auto i = static_cast<std::size_t>(at - arguments.begin());
  return i < names_.arguments.size() ? names_.arguments[i] : fmt::format("argument {}", i);
}

std::string Reasons::source(ValueId v, const BlockReasons& block) const {
  for (int depth = 0; depth < 16; ++depth) {
    const auto it = block.made_by.find(v);
    if (it == block.made_by.end()) return argument(v);
    const Op& op = *it->second;
    if (!op.decl->traits.permutes && !op.decl->traits.converts) return described(op);
    v = op.operands[0];
  }
  return "a value";
}

std::string Reasons::of(const Op& op, CollectiveKind kind, const std::vector<std::string>& axes,
                        const BlockReasons& block) const {
  std::string over;
  for (const std::string& a : axes) over += (over.empty() ? "" : ", ") + a;
  if (over.empty()) over = "its groups";
  const std::string from = source(op.operands.at(0), block);
  const auto it = block.first_reader.find(op.results.at(0));
  const bool returned = it == block.first_reader.end() || it->second->decl->kind == OpDecl::Kind::terminator;
  const std::string to = returned ? "the results" : described(*it->second);
  return fmt::format(fmt::runtime(facts_of(kind).why), fmt::arg("from", from), fmt::arg("axes", over),
                     fmt::arg("to", to));
}

}  // namespace partir
