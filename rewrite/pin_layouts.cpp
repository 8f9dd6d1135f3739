#include "rewrite/pin_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "support/check.h"

namespace partir {
namespace {

class Pinning {
 public:
  Pinning(State& state, const Names& names) : s_(state), names_(names) {}

  void argument(const LayoutRequest& layout) {
    const ValueId v = s_.function().arguments()[layout.number];
    std::vector<std::int64_t> rest = s_.function().type(v)->dims;
    for (const LayoutRequest::Tile& t : layout.tiles) {
      const std::int64_t n = s_.mesh().size(t.axis);
      if (rest[t.dim] % n != 0) indivisible(layout, names_.arguments[layout.number], t, rest[t.dim]);
      rest[t.dim] /= n;
      s_.place_argument(layout.number, {t.axis, t.dim, s_.tactic() + t.priority, true});
    }
    close(layout, v);
    if (!layout.device_ids.empty()) s_.order_argument(layout.number, layout.device_ids);
  }

  void identity(const LayoutRequest& layout) {
    const auto site = site_of(layout);
    if (!site) return;
    for (const LayoutRequest::Tile& t : layout.tiles) {
      const Entry entry{{Action::tile(t.dim)}, {Action::tile(t.dim)}};
      if (s_.step(*site, t.axis) != nullptr) continue;
      if (const Form* local = s_.form(*site).localized(entry, s_.mesh().size(t.axis))) {
        s_.join(*site, t.axis, entry, *local, t.priority);
        continue;
      }
      if (layout.value.result)
        indivisible(layout, names_.results[*layout.value.result], t,
                    s_.form(*site).instance().operands[0]->dims[t.dim]);
      Conflict c;
      c.reason = Conflict::Reason::entry_indivisible;
      c.axis = t.axis;
      c.op = s_.op(*site).id;
      c.entries = {entry};
      c.part = s_.form(*site).part_that_divides(entry, s_.mesh().size(t.axis));
      conflicts.push_back(std::move(c));
      s_.close({t.axis, s_.op(*site).results[0], ~std::uint64_t{0}});
    }
    close(layout, s_.op(*site).results[0]);
    if (!layout.device_ids.empty()) in_other_order(layout, *site);
  }

  /// Joins the entries that its shardings state: by definition, devices run the body on their own parts.
  void manual(const LayoutRequest& layout) {
    const std::size_t site = s_.site_of(layout.op);
    if (!(s_.op(site).id == layout.op)) return;  // the operation was removed as dead code
    for (const auto& [axis, entry] : layout.entries) {
      const Form* local = s_.form(site).localized(entry, s_.mesh().size(axis));
      PARTIR_CHECK(local != nullptr, "a manual computation that was checked");
      s_.join(site, axis, entry, *local);
    }
  }

  std::vector<Conflict> conflicts;

 private:
  /// A result is permuted to the order of its layout where it is returned; internal values keep the mesh's order.
  void in_other_order(const LayoutRequest& layout, std::size_t site) {
    if (layout.value.result) {
      s_.order_result(*layout.value.result, layout.device_ids);
      return;
    }
    Conflict c;
    c.reason = Conflict::Reason::other_order;
    c.axis = layout.tiles.front().axis;
    c.op = s_.op(site).id;
    conflicts.push_back(std::move(c));
  }

  void close(const LayoutRequest& layout, ValueId v) {
    for (const LayoutRequest::Closed& c : layout.closed) s_.close({c.axis, v, c.dims});
  }

  /// The site of the identity to which the layout applies, if it is read by anything.
  [[nodiscard]] std::optional<std::size_t> site_of(const LayoutRequest& layout) const {
    if (layout.of == LayoutRequest::Of::constraint) return s_.defining_site(layout.value.value);
    if (layout.value.result) return s_.defining_site(s_.function().returned()[*layout.value.result]);
    return s_.identity_after(layout.value.value);
  }

  [[noreturn]] void indivisible(const LayoutRequest& layout, const std::string& name, const LayoutRequest::Tile& tile,
                                std::int64_t size) const {
    throw UserError(Diagnostic{
        "unsupported", "", layout.place,
        fmt::format("dimension {} of '{}', of local size {}, in {}", tile.dim, name, size, layout.text),
        fmt::format("a size that the axis {} of {} divides", s_.mesh().name(tile.axis), s_.mesh().size(tile.axis))});
  }

  State& s_;
  const Names& names_;
};

}  // namespace

std::vector<Conflict> pin_layouts(State& state, const std::vector<LayoutRequest>& layouts, const Names& names) {
  Pinning pinning(state, names);
  for (const LayoutRequest& layout : layouts) {
    if (layout.of == LayoutRequest::Of::argument)
      pinning.argument(layout);
    else if (layout.of == LayoutRequest::Of::manual)
      pinning.manual(layout);
    else
      pinning.identity(layout);
  }
  return std::move(pinning.conflicts);
}

}  // namespace partir
