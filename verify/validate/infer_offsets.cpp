// Finds operations of the source that the partitioner may have decomposed by shard offsets.
#include <fmt/format.h>

#include <algorithm>

#include "verify/validate/inferring.h"

namespace partir::validate {

void Inferring::note_offsets() {
  if (at_ == nullptr) return;
  std::unordered_map<ValueId, std::vector<Layout>> known;
  for (const auto& [v, part] : parts_) known[part.source].push_back(part.type);
  const auto chunks_of = [&](const Layout& type, Dim d) { return type.parts(d, mesh_); };
  // What the operation reads in the source, and what that is made of: decompositions of several operations share steps,
  // as the slices of one value share its blocks.
  std::vector<ValueId> read;
  for (const ValueId v : at_->operands) {
    if (const auto it = parts_.find(v); it != parts_.end()) read.push_back(it->second.source);
  }
  const std::vector<ValueId> direct = read;
  for_each_op(s_.body, [&](const Op& op) {
    const bool makes = std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) {
      return std::find(direct.begin(), direct.end(), v) != direct.end();
    });
    if (makes) read.insert(read.end(), op.operands.begin(), op.operands.end());
  });
  for (const ValueId v : read) {
    for (const auto& use : users_[resolved(v)]) {
      const Op* user = use.first;
      if (user->decl->by_offsets == nullptr || user->results.size() != 1) continue;
      const OpInstance instance = instance_of(s_, *user);
      const auto offer = [&](std::size_t operand, Dim d, std::int64_t n) {
        const std::pair<ValueId, ByOffsets> is{user->results[0], {operand, d, n}};
        const bool there = std::any_of(offsets_.begin(), offsets_.end(), [&](const auto& o) {
          return o.first == is.first && o.second.operand == operand && o.second.dim == d && o.second.devices == n;
        });
        if (n > 1 && !there && user->decl->by_offsets(instance, operand, d, n)) offsets_.push_back(is);
      };
      for (std::size_t k = 0; k < user->operands.size(); ++k) {
        for (const Layout& type : known[resolved(user->operands[k])]) {
          for (Dim d = 0; d < type.dims.size(); ++d) offer(k, d, chunks_of(type, d));
        }
      }
      for (Dim d = 0; d < s_.type(user->results[0]).rank(); ++d) {
        for (const auto& axis : mesh_.axes()) offer(user->operands.size(), d, axis.size);
      }
    }
  }
}

}  // namespace partir::validate
