// Reports the operations and values that propagation left alone, with the reasons.
#include "rewrite/propagation.h"

namespace partir {

Conflict Propagation::about(Conflict::Reason reason, const std::string& name) const {
  Conflict out;
  out.reason = reason;
  out.axis = axis_;
  out.name = name;
  return out;
}

Conflict Propagation::about(Conflict::Reason reason, std::size_t site) const {
  Conflict out = about(reason, std::string());
  out.op = s_.op(site).id;
  if (s_.is_flow(site)) out.carried = s_.flow_number(site);
  return out;
}

void Propagation::explain(std::size_t site) {
  if (s_.step(site, axis_) != nullptr) {
    explain_conversion(site);
    return;
  }
  const Match m = match(site);
  const bool known = m.candidates.empty() && !s_.note_unfitted(axis_, site);
  if (known && again_) return;  // already reported
  if (!m.operand_tiled && m.candidates.size() < 2 && !m.obstacle) return;
  // The uses slice the value themselves, so nothing is lost.
  if (!m.operand_tiled && m.obstacle && m.obstacle->reason == Conflict::Reason::closed) return;
  if (m.candidates.size() > 1) {
    Conflict c = about(Conflict::Reason::several_entries, site);
    for (const Candidate& candidate : m.candidates) c.entries.push_back(*candidate.entry);
    report(std::move(c));
  } else if (m.obstacle) {
    report(*m.obstacle);
  } else if (s_.op(site).decl->entries == nullptr && !s_.is_flow(site)) {
    report(about(Conflict::Reason::no_entries, site));
  } else {
    Conflict c = about(Conflict::Reason::no_match, site);
    const auto& reads = s_.reads(site);
    for (std::size_t k = 0; k < reads.size(); ++k) {
      if (const auto d = defined_[reads[k].index()]) c.tiled.emplace_back(k, *d);
    }
    report(std::move(c));
  }
}

void Propagation::explain_conversion(std::size_t site) {
  if (!s_.is_flow(site)) return;
  const Entry& entry = s_.step(site, axis_)->entry;
  for (std::size_t k = 0; k < s_.reads(site).size(); ++k) {
    const auto d = defined_[s_.reads(site)[k].index()];
    if (!d || *d == entry.operands[k].dim) continue;
    Conflict c = about(Conflict::Reason::converted, site);
    c.actions = {entry.operands[k]};
    c.dim = d;
    report(std::move(c));
  }
}

}  // namespace partir
