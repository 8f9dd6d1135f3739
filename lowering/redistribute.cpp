#include "lowering/redistribute.h"

#include <algorithm>

#include "support/check.h"

namespace partir {
namespace {

std::size_t common_prefix(const std::vector<Axis>& a, const std::vector<Axis>& b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

}  // namespace

std::vector<Conversion> redistribution(const DistributedType& source, const DistributedType& target) {
  PARTIR_CHECK(source.partial.empty() && target.partial.empty(), "redistribution of a partial value");
  std::vector<Conversion> out;
  DistributedType now = source;
  const std::size_t rank = now.dims.size();
  const auto is_prefix = [&](Dim d) { return common_prefix(now.dims[d], target.dims[d]) == now.dims[d].size(); };
  // Slices along axes that stand nowhere yet.
  const auto slices = [&] {
    for (Dim d = 0; d < rank; ++d) {
      if (!is_prefix(d)) continue;
      std::vector<Axis> axes;
      for (std::size_t k = now.dims[d].size(); k < target.dims[d].size() && !now.tiled_by(target.dims[d][k]); ++k) {
        axes.push_back(target.dims[d][k]);
      }
      if (axes.empty()) continue;
      now.dims[d].insert(now.dims[d].end(), axes.begin(), axes.end());
      out.push_back({Conversion::Kind::all_slice, axes, d, d, now});
    }
  };
  const auto moves = [&] {
    for (Dim i = 0; i < rank; ++i) {
      if (is_prefix(i)) continue;
      const Axis a = now.dims[i].back();
      for (Dim j = 0; j < rank; ++j) {
        if (j == i || !is_prefix(j) || now.dims[j].size() >= target.dims[j].size() ||
            target.dims[j][now.dims[j].size()] != a)
          continue;
        now.dims[i].pop_back();
        now.dims[j].push_back(a);
        out.push_back({Conversion::Kind::all_to_all, {a}, i, j, now});
        return true;
      }
    }
    return false;
  };
  const auto gathers = [&] {
    for (Dim d = 0; d < rank; ++d) {
      if (is_prefix(d)) continue;
      const std::size_t keep = common_prefix(now.dims[d], target.dims[d]);
      std::vector<Axis> axes(now.dims[d].begin() + static_cast<std::ptrdiff_t>(keep), now.dims[d].end());
      now.dims[d].resize(keep);
      out.push_back({Conversion::Kind::all_gather, std::move(axes), d, d, now});
      return true;
    }
    return false;
  };
  while (!(now == target)) {
    slices();
    if (now == target) break;
    if (!moves() && !gathers()) PARTIR_CHECK(false, "redistribution does not end");
  }
  return out;
}

}  // namespace partir
