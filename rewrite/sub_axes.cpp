#include "rewrite/sub_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/text/scanner.h"
#include "support/check.h"

namespace partir {
namespace {

class Splitter {
 public:
  Splitter(const Schedule& schedule, const Mesh& mesh) : schedule_(schedule), mesh_(mesh) {}

  /// The mesh and the tactics by its axes.
  std::pair<Mesh, std::vector<Tactic>> split(const std::vector<AxisPart>& further) {
    for (const Tactic& t : schedule_.tactics) {
      if (!t.search) note(t, t.axis);
      for (const std::string& axis : t.search ? t.search->axes : std::vector<std::string>()) note(t, axis);
    }
    for (const AxisPart& p : further) {
      PARTIR_CHECK(mesh_.find(p.axis).has_value(), "a part of an axis that the mesh lacks");
      if (cut(p))
        throw UserError(Diagnostic{"schedule", schedule_.file, {}, "the axis " + p.axis, "a size with such parts"});
    }
    Mesh mesh = refined();
    std::vector<Tactic> tactics;
    for (const Tactic& t : schedule_.tactics) rewrite(t, tactics);
    return {std::move(mesh), std::move(tactics)};
  }

  [[nodiscard]] bool has_parts() const {
    const auto is_part = [](const std::string& axis) { return axis.find(':') != std::string::npos; };
    return std::any_of(schedule_.tactics.begin(), schedule_.tactics.end(), [&](const Tactic& t) {
      return is_part(t.axis) || (t.search && std::any_of(t.search->axes.begin(), t.search->axes.end(), is_part));
    });
  }

  /// The parts that the axes of the refined mesh are, by their names; complete axes are not among them.
  [[nodiscard]] std::map<std::string, AxisPart> parts() const {
    std::map<std::string, AxisPart> out;
    for (const auto& [axis, cuts] : cuts_) {
      std::int64_t before = 1;
      std::size_t digit = 0;
      for (const std::int64_t size : digits(axis)) {
        out.emplace(name_of(axis, digit++), AxisPart{axis, before, size});
        before *= size;
      }
    }
    return out;
  }

 private:
  [[noreturn]] void wrong(const Tactic& tactic, const std::string& axis, std::string wanted) const {
    throw UserError(Diagnostic{"schedule", schedule_.file, tactic.place,
                               fmt::format("tactic {} on axis '{}'", tactic.name, axis), std::move(wanted)});
  }

  [[nodiscard]] AxisPart part(const Tactic& tactic, const std::string& text) const {
    const auto colon = text.find(':');
    if (colon == std::string::npos) return {text, 1, 0};
    text::Scanner rest(std::string_view(text).substr(colon));
    const bool opens = rest.accept(":") && rest.accept("(");
    const auto before = opens ? rest.integer() : std::nullopt;
    const auto size = before && rest.accept(")") ? rest.integer() : std::nullopt;
    if (!size || *before < 1 || *size < 2 || !rest.done())
      wrong(tactic, text, "an axis, or a part of one such as x:(1)2, its major digit of size 2");
    return {text.substr(0, colon), *before, *size};
  }

  /// Notes where the axis is cut.
  void note(const Tactic& tactic, const std::string& text) {
    const AxisPart p = part(tactic, text);
    if (p.size == 0) return;
    if (!mesh_.find(p.axis)) wrong(tactic, text, fmt::format("an axis of the mesh {}", mesh_.str()));
    if (const auto wanted = cut(p)) wrong(tactic, text, *wanted);
  }

  /// Cuts an axis of the mesh around a part of it. If that is not possible, returns what would be.
  std::optional<std::string> cut(const AxisPart& p) {
    const std::int64_t n = mesh_.size(*mesh_.find(p.axis));
    if (p.size > n || p.before > n || n % (p.before * p.size) != 0)
      return fmt::format("a part of {}, whose size is {}", p.axis, n);
    std::set<std::int64_t>& cuts = cuts_[p.axis];
    cuts.insert({1, p.before, p.before * p.size, n});
    for (auto it = std::next(cuts.begin()); it != cuts.end(); ++it) {
      if (*it % *std::prev(it) != 0) return fmt::format("parts of {} that are made of common digits", p.axis);
    }
    return std::nullopt;
  }

  /// The sizes of the digits into which an axis is cut, major to minor.
  [[nodiscard]] std::vector<std::int64_t> digits(const std::string& axis) const {
    std::vector<std::int64_t> out;
    const std::set<std::int64_t>& cuts = cuts_.at(axis);
    for (auto it = std::next(cuts.begin()); it != cuts.end(); ++it) out.push_back(*it / *std::prev(it));
    return out;
  }

  [[nodiscard]] static std::string name_of(const std::string& axis, std::size_t digit) {
    return fmt::format("{}_{}", axis, digit);
  }

  [[nodiscard]] Mesh refined() const {
    std::vector<Mesh::AxisInfo> axes;
    for (const Mesh::AxisInfo& a : mesh_.axes()) {
      if (!cuts_.contains(a.name)) {
        axes.push_back(a);
        continue;
      }
      const auto sizes = digits(a.name);
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        axes.push_back({name_of(a.name, k), sizes[k]});
        if (mesh_.find(axes.back().name)) {
          throw UserError(Diagnostic{"schedule",
                                     schedule_.file,
                                     {},
                                     fmt::format("the axis {} beside parts of {}", axes.back().name, a.name),
                                     "another name, since the parts are called that"});
        }
      }
    }
    Mesh out(std::move(axes));
    return mesh_.device_ids().empty() ? out : value_or_throw(out.with_device_ids(mesh_.device_ids()));
  }

  /// The axes of the refined mesh that make up an axis or a part of one, major to minor.
  [[nodiscard]] std::vector<std::string> axes_of(const Tactic& tactic, const std::string& text) const {
    const AxisPart p = part(tactic, text);
    if (!cuts_.contains(p.axis)) return {p.axis};
    std::vector<std::string> out;
    std::int64_t before = 1;
    const auto sizes = digits(p.axis);
    for (std::size_t k = 0; k < sizes.size(); before *= sizes[k++]) {
      if (p.size == 0 || (before >= p.before && before < p.before * p.size)) out.push_back(name_of(p.axis, k));
    }
    return out;
  }

  void rewrite(const Tactic& tactic, std::vector<Tactic>& out) const {
    if (tactic.search) {
      Tactic& t = out.emplace_back(tactic);
      t.search->axes.clear();
      for (const std::string& axis : tactic.search->axes) {
        for (std::string& a : axes_of(tactic, axis)) t.search->axes.push_back(std::move(a));
      }
      return;
    }
    const auto axes = axes_of(tactic, tactic.axis);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      Tactic& t = out.emplace_back(tactic);
      t.axis = axes[k];
      if (k + 1 < axes.size()) t.name = fmt::format("{}, {}", tactic.name, axes[k]);
    }
  }

  const Schedule& schedule_;
  const Mesh& mesh_;
  std::map<std::string, std::set<std::int64_t>> cuts_;  ///< by axis: where digits begin and end, as pre-sizes
};

}  // namespace

Result<std::map<std::string, AxisPart>> split_sub_axes(Schedule& schedule, Mesh& mesh,
                                                       const std::vector<AxisPart>& further) {
  Splitter splitter(schedule, mesh);
  if (further.empty() && !splitter.has_parts()) return {};
  try {
    auto [refined, tactics] = splitter.split(further);
    mesh = std::move(refined);
    schedule.tactics = std::move(tactics);
    return splitter.parts();
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

}  // namespace partir
