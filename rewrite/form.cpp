#include "rewrite/form.h"

#include <algorithm>
#include <numeric>

namespace partir {
namespace {

void mix(std::size_t& hash, std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u; }

std::size_t hash_of(const OpInstance& op) {
  std::size_t out = std::hash<const void*>()(op.decl);
  for (const auto* types : {&op.operands, &op.results}) {
    for (const Type& t : *types) {
      if (!t.is_tensor()) continue;
      mix(out, static_cast<std::size_t>(t->element));
      for (const std::int64_t d : t->dims) mix(out, static_cast<std::size_t>(d));
    }
  }
  return out;
}

bool same_splats(const OpInstance& a, const OpInstance& b) {
  return std::equal(
      a.splats.begin(), a.splats.end(), b.splats.begin(), b.splats.end(),
      [](const LiteralPtr& x, const LiteralPtr& y) { return x == y || (x != nullptr && y != nullptr && *x == *y); });
}

bool same_regions(const OpInstance& a, const OpInstance& b) {
  if (a.regions == b.regions) return true;
  if (a.regions == nullptr || b.regions == nullptr) return false;
  return same_regions(*a.function, *a.regions, *b.function, *b.regions);
}

bool same(const OpInstance& a, const OpInstance& b) {
  return a.decl == b.decl && a.operands == b.operands && a.results == b.results && a.attributes == b.attributes &&
         a.places == b.places && same_splats(a, b) && same_regions(a, b);
}

}  // namespace

const std::vector<Entry>& Form::entries() const {
  if (entries_) return *entries_;
  if (!carried_) {
    entries_.emplace(entries_of(instance_));
    plain_entries_ = entries_->size();
    if (instance_.decl->in_blocks != nullptr && has_meaning(instance_)) {
      for (Entry& e : instance_.decl->in_blocks(instance_)) {
        if (std::find(entries_->begin(), entries_->end(), e) == entries_->end()) entries_->push_back(std::move(e));
      }
    }
    return *entries_;
  }
  entries_.emplace();
  for (Dim d = 0; d < instance_.operands[0].rank(); ++d) {
    entries_->push_back({std::vector<Action>(instance_.operands.size(), Action::tile(d)),
                         std::vector<Action>(instance_.results.size(), Action::tile(d))});
  }
  plain_entries_ = entries_->size();
  return *entries_;
}

bool Form::in_blocks(const Entry& entry) const {
  if (carried_ || instance_.decl->in_blocks == nullptr) return false;
  const auto& all = entries();
  return std::find(all.begin() + static_cast<std::ptrdiff_t>(plain_entries_), all.end(), entry) != all.end();
}

namespace {

bool is_written_in_blocks(const OpInstance& op, const Entry& entry, std::int64_t n) {
  const auto tiled = std::find_if(entry.operands.begin(), entry.operands.end(), [](Action a) { return a.is_tile(); });
  const auto operand = static_cast<std::size_t>(tiled - entry.operands.begin());
  return tiled != entry.operands.end() && op.decl->by_offsets(op, operand, tiled->dim, n).has_value();
}

}  // namespace

const Form* Form::localized(const Entry& entry, std::int64_t n) const {
  const auto it =
      std::find_if(locals_.begin(), locals_.end(), [&](const Local& l) { return l.n == n && l.entry == entry; });
  if (it != locals_.end()) return it->form;
  std::optional<OpInstance> local;
  if (!in_blocks(entry) || is_written_in_blocks(instance_, entry, n)) local = localize(instance_, entry, n);
  const Form* form = local ? table_.intern(std::move(*local), carried_) : nullptr;
  locals_.push_back({entry, n, form});
  return form;
}

std::int64_t Form::part_that_divides(const Entry& entry, std::int64_t n) const {
  const auto take = [&](const auto& types, const std::vector<Action>& actions) {
    for (std::size_t k = 0; k < types.size(); ++k) {
      if (actions[k].is_tile()) n = std::gcd(n, types[k]->dims[actions[k].dim]);
    }
  };
  take(instance_.operands, entry.operands);
  take(instance_.results, entry.results);
  return n;
}

const Form* FormTable::intern(OpInstance instance, bool carried) {
  const std::size_t hash = hash_of(instance);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second->carried_ == carried && same(it->second->instance_, instance)) return it->second;
  }
  const Form* form = &forms_.emplace_back(*this, std::move(instance), carried);
  by_hash_.emplace(hash, form);
  return form;
}

}  // namespace partir
