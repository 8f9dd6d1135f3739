#include "semantics/affine_index.h"

#include <algorithm>

namespace partir {

std::optional<AffineIndex> affine_of(const IndexTerm& t, const std::vector<std::optional<AffineIndex>>& known) {
  using Kind = IndexTerm::Kind;
  AffineIndex out;
  switch (t.kind) {
    case Kind::constant: out.constant = t.value; return out;
    case Kind::range: out.terms.emplace_back(static_cast<std::uint32_t>(t.range.index()), 1); return out;
    case Kind::add:
    case Kind::multiply: {
      const auto& a = known[t.a.index()];
      const auto& b = known[t.b.index()];
      if (!a || !b) return std::nullopt;
      if (t.kind == Kind::add) {
        out = *a;
        out.constant += b->constant;
        for (const auto& [range, c] : b->terms) {
          const auto it =
              std::find_if(out.terms.begin(), out.terms.end(), [&, r = range](const auto& p) { return p.first == r; });
          if (it == out.terms.end()) {
            out.terms.emplace_back(range, c);
          } else {
            it->second += c;
          }
        }
        return out;
      }
      if (!a->terms.empty() && !b->terms.empty()) return std::nullopt;
      const AffineIndex& varying = a->terms.empty() ? *b : *a;
      const std::int64_t factor = a->terms.empty() ? a->constant : b->constant;
      out.constant = varying.constant * factor;
      for (const auto& [range, c] : varying.terms) out.terms.emplace_back(range, c * factor);
      return out;
    }
    default: break;
  }
  return std::nullopt;
}

}  // namespace partir
