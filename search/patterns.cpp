#include "search/patterns.h"

#include <algorithm>
#include <map>

namespace partir {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '*' || c == '[' ? std::string("[") + c + "]" : std::string(1, c);
  return out;
}

bool is_number(const std::string& part) {
  return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    out.push_back(path.substr(start, slash - start));
    start = slash + 1;
  }
  return out;
}

bool same(const std::optional<Request>& a, const std::optional<Request>& b) {
  return a.has_value() == b.has_value() && (!a || same_request(*a, *b));
}

}  // namespace

bool same_request(const Request& a, const Request& b) {
  return a.kind == b.kind && (a.kind != Request::Kind::dim || a.dim == b.dim);
}

std::string generalized(const std::string& name) {
  std::string out;
  for (const std::string& part : parts_of(name))
    out += (out.empty() ? "" : "/") + (is_number(part) ? "*" : escaped(part));
  return out;
}

std::string common_pattern(const std::vector<std::string>& names) {
  std::vector<std::string> common = parts_of(names[0]);
  for (const std::string& name : names) {
    if (generalized(name) != generalized(names[0])) continue;
    const std::vector<std::string> parts = parts_of(name);
    for (std::size_t k = 0; k < common.size(); ++k) {
      if (common[k] != parts[k]) common[k] = "*";
    }
  }
  std::string out;
  for (const std::string& part : common) out += (out.empty() ? "" : "/") + part;
  return out;
}

std::vector<PatternRequest> patterns_for(const std::vector<std::string>& names,
                                         const std::vector<std::optional<Request>>& requests) {
  std::vector<PatternRequest> out;
  std::map<std::string, bool> exact;  // whether a general pattern is right for all names that it matches
  std::vector<bool> asked(names.size(), false);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!requests[i] || asked[i]) continue;
    const std::string general = generalized(names[i]);
    const auto [known, fresh] = exact.emplace(general, true);
    if (fresh) {
      for (std::size_t k = 0; k < names.size() && known->second; ++k)
        known->second = !glob_matches(general, names[k]) || same(requests[k], requests[i]);
    }
    const std::string pattern = known->second ? general : escaped(names[i]);
    for (std::size_t k = i; k < names.size(); ++k) asked[k] = asked[k] || glob_matches(pattern, names[k]);
    out.push_back({pattern, *requests[i], {}});
  }
  return out;
}

}  // namespace partir
