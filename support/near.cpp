#include "support/near.h"

#include <algorithm>
#include <numeric>

namespace partir {
namespace {

/// The Levenshtein distance: insertions, deletions and replacements of one character.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::size_t limit = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : names) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) > limit) continue;
    const std::size_t distance = edits(name, candidate);
    const bool repeated = std::any_of(found.begin(), found.end(), [&](const auto& f) { return f.second == candidate; });
    if (distance <= limit && distance < longer && !repeated) found.emplace_back(distance, candidate);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (std::size_t k = 0; k < found.size() && k < kShown; ++k) out.push_back(std::move(found[k].second));
  return out;
}

std::string meant(std::string_view name, const std::vector<std::string>& names, const std::string& otherwise) {
  const auto near = near_matches(name, names);
  std::string out;
  for (std::size_t k = 0; k < near.size(); ++k)
    out += (k == 0 ? "'" : k + 1 == near.size() ? " or '" : ", '") + near[k] + "'";
  return out.empty() ? otherwise : out;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 12;
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < kListed; ++k) out += (k == 0 ? "" : ", ") + names[k];
  return names.size() > kListed ? out + ", …" : out;
}

}  // namespace partir
