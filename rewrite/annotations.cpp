// Reads annotated shardings in three steps: collect all layouts in digits of device positions, choose a mesh whose axes
// are the digits needed (DigitMesh), and express the layouts in its axes. If some shardings use another order of
// devices, the program is read a second time in that order, and the reading with fewer exceptions is kept.
#include "rewrite/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/sharding/attributes.h"
#include "ir/sharding/digits.h"
#include "ir/sharding/hlo.h"
#include "ir/sharding/manual.h"
#include "ir/sharding/shardy.h"
#include "ir/text/scanner.h"
#include "support/check.h"

namespace partir {
namespace {

[[noreturn]] void unsupported(Place place, std::string found, std::string wanted) {
  throw UserError(Diagnostic{"unsupported", "", place, std::move(found), std::move(wanted)});
}

/// A layout in digits of device positions. Axes are chosen only after all layouts are read.
struct LayoutInDigits {
  struct Dimension {
    DeviceDigits digits;
    bool open = false;
    std::size_t priority = 0;
  };
  std::vector<Dimension> dims;
  DeviceDigits replicated;
  std::vector<std::int64_t> device_ids;  ///< by position, if the layout has its own order of devices
  std::string text;

  [[nodiscard]] bool is_unconstrained() const {
    return replicated.empty() &&
           std::all_of(dims.begin(), dims.end(), [](const Dimension& d) { return d.open && d.digits.empty(); });
  }
};

std::vector<std::int64_t> row_major(std::int64_t devices) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(devices));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// An attribute as it is written in the module.
std::string text_of_attribute(const Attribute& attribute) {
  const StringAttr* string = attribute.as<StringAttr>();
  return string != nullptr ? string->value : attribute.str();
}

class AnnotationReader {
 public:
  /// `order`: the device at each position of the mesh; empty if each device is at the position of its id.
  AnnotationReader(const Module& module, const Function& main, const std::optional<Mesh>& mesh,
                   std::vector<std::int64_t> order)
      : module_(module), f_(main), given_mesh_(mesh), order_(std::move(order)), meshes_(named_meshes(module)) {
    for (NamedValue& v : named_values(main)) names_.emplace(v.value, std::move(v));
  }

  Annotations run() {
    for (std::size_t i = 0; i < f_.arguments().size(); ++i)
      read_interface(LayoutRequest::Of::argument, i, f_.arguments()[i], f_.argument_attributes);
    block(f_.body);
    for (std::size_t i = 0; i < f_.returned().size(); ++i)
      read_interface(LayoutRequest::Of::value, i, f_.returned()[i], f_.result_attributes);
    share_in_groups();
    name_axes();
    Annotations out;
    out.mesh = order_.empty() ? digits_->mesh() : value_or_throw(digits_->mesh().with_device_ids(order_));
    std::set<std::size_t> priorities;
    for (const Read& r : read_) {
      for (const auto& dim : r.layout.dims) {
        if (!dim.digits.empty()) priorities.insert(dim.priority);
      }
    }
    if (!priorities.empty()) out.priorities.assign(priorities.begin(), priorities.end());
    for (const Read& r : read_) out.layouts.push_back(in_axes(r, out.priorities));
    for (const Manual& m : manual_) out.layouts.push_back(in_axes(m));
    return out;
  }

  /// Number of layouts with a device order that is not made of digits of the mesh's positions, and the first such
  /// order.
  [[nodiscard]] std::size_t other_orders() const { return other_orders_; }
  [[nodiscard]] const std::vector<std::int64_t>& other_order() const { return other_order_; }
  /// The place that is being read, for diagnostics.
  [[nodiscard]] Place at() const { return at_; }

 private:
  struct Read {
    LayoutRequest request;
    ValueId value;
    LayoutInDigits layout;
  };
  struct Manual {
    const Op* op;
    ManualComputation layouts;
  };
  struct Member {
    NamedValue value;
    ValueId operand;
    Place place;
  };

  // --- Collecting layouts -------------------------------------------------------------------------------------------

  void read_interface(LayoutRequest::Of of, std::size_t number, ValueId v,
                      const std::vector<AttributeList>& attributes) {
    if (number >= attributes.size()) return;
    Read out;
    out.request.of = of;
    out.request.number = number;
    out.request.place = f_.place;
    if (of == LayoutRequest::Of::value)
      out.request.value = {fmt::format("result {}", number), {}, v, f_.place.line, number};
    out.value = v;
    at_ = f_.place;
    if (const Attribute* sdy = find(attributes[number], "sdy.sharding")) {
      out.layout = from_shardy(value_or_throw(read_shardy_sharding(text_of_attribute(*sdy), meshes_)));
      out.layout.text = text_of_attribute(*sdy);
    } else if (const Attribute* hlo = find(attributes[number], "mhlo.sharding")) {
      auto layout = from_hlo(text_of_attribute(*hlo), f_.type(v).rank(), "");
      if (!layout) return;
      out.layout = std::move(*layout);
    } else {
      return;
    }
    add(std::move(out));
  }

  void block(const Block& b) {
    for (const Op& op : b.ops) {
      at_ = op.place;
      operation(op);
      if (!runs_regions(op)) continue;
      for (const Block& inner : op.regions) block(inner);
    }
  }

  void operation(const Op& op) {
    if (is_manual_computation(op)) {
      manual_.push_back({&op, value_or_throw(manual_computation_of(f_, op))});
      const Mesh& mesh = manual_.back().layouts.mesh;
      check_device_count(mesh.devices());
      if (mesh.device_ids() != order_) {
        note_order(mesh.device_ids().empty() ? row_major(mesh.devices()) : mesh.device_ids());
        unsupported(at_, "a manual computation over " + mesh.str(), "the order of devices that other shardings have");
      }
      return;
    }
    if (const Attribute* group = find(op.attributes, "group_id")) {
      groups_[group->as<IntAttr>()->value].push_back({names_.at(op.results[0]), op.operands[0], op.place});
    }
    const bool constrains = is_sharding_constraint(op);
    std::vector<std::pair<std::size_t, LayoutInDigits>> layouts;
    const Attribute* own = constrains ? find(op.attributes, "sharding") : nullptr;
    const Attribute* sdy = find(op.attributes, "sdy.sharding");
    const Attribute* hlo = find(op.attributes, "mhlo.sharding");
    if (own != nullptr) {
      layouts.emplace_back(0, from_shardy(value_or_throw(read_shardy_sharding(text_of_attribute(*own), meshes_))));
      layouts.back().second.text = text_of_attribute(*own);
    } else if (sdy != nullptr) {
      const std::string text = text_of_attribute(*sdy);
      const auto all = value_or_throw(read_shardy_shardings(text, meshes_));
      // An operation on one device (jax.pure_callback): where it takes place, not how its results are divided.
      if (op.results.empty() || std::all_of(all.begin(), all.end(), is_on_one_device)) return;
      if (all.size() != op.results.size())
        fail("sharding", op.place, text, fmt::format("{} shardings, one for each result", op.results.size()));
      for (std::size_t k = 0; k < all.size(); ++k) {
        layouts.emplace_back(k, from_shardy(all[k]));
        layouts.back().second.text = text;
      }
    } else if (hlo != nullptr && op.results.size() == 1 && (constrains || !is_maximal(text_of_attribute(*hlo)))) {
      const Attribute* config = find(op.attributes, "backend_config");
      auto layout = from_hlo(text_of_attribute(*hlo), f_.type(op.results[0]).rank(),
                             config != nullptr ? text_of_attribute(*config) : "");
      if (layout) layouts.emplace_back(0, std::move(*layout));
    }
    for (auto& [k, layout] : layouts) {
      Read out;
      out.request.place = op.place;
      out.request.of = constrains ? LayoutRequest::Of::constraint : LayoutRequest::Of::value;
      out.request.value = names_.at(op.results[k]);
      out.value = op.results[k];
      out.layout = std::move(layout);
      add(std::move(out));
    }
  }

  void add(Read read) {
    const Type& type = f_.type(read.value);
    if (read.layout.dims.size() != type.rank())
      fail("sharding", at_, read.layout.text, fmt::format("{} dimensions, as {} has", type.rank(), type.str()));
    if (!type.is_tensor() || read.layout.is_unconstrained()) return;
    read_.push_back(std::move(read));
  }

  // --- Parsing shardings --------------------------------------------------------------------------------------------

  void check_device_count(std::int64_t count) {
    if (!devices_) devices_ = count;
    if (*devices_ != count)
      unsupported(at_, fmt::format("a sharding over {} devices", count),
                  fmt::format("shardings over {} devices, as others", *devices_));
  }

  static bool is_on_one_device(const ShardySharding& s) {
    return s.mesh.mesh.rank() == 0 && !s.mesh.device_ids.empty();
  }

  LayoutInDigits from_shardy(const ShardySharding& s) {
    if (is_on_one_device(s))
      unsupported(at_, fmt::format("a value on device {} alone", s.mesh.device_ids[0]),
                  "values that all devices share");
    if (!s.unreduced.empty()) unsupported(at_, "unreduced axes", "values that are reduced");
    if (s.mesh.mesh.rank() != 0) check_device_count(s.mesh.mesh.devices());
    LayoutInDigits out;
    const NamedMesh mesh = in_order(s.mesh, out.device_ids);
    if (std::none_of(used_.begin(), used_.end(), [&](const NamedMesh& m) { return m.name == s.mesh.name; }))
      used_.push_back(mesh);
    const auto add = [&](const std::vector<AxisReference>& axes, DeviceDigits& to) {
      for (const AxisReference& axis : axes) {
        const DeviceDigits digits = digits_or_throw(mesh, axis);
        to.insert(to.end(), digits.begin(), digits.end());
      }
    };
    for (const ShardyDim& dim : s.dims) {
      out.dims.push_back({{}, dim.open, dim.priority});
      add(dim.axes, out.dims.back().digits);
    }
    add(s.replicated, out.replicated);
    return out;
  }

  [[nodiscard]] DeviceDigits digits_or_throw(const NamedMesh& mesh, const AxisReference& axis) const {
    auto out = digits_of(mesh, axis);
    if (out) return std::move(*out);
    out.error().place = at_;
    throw UserError(out.error());
  }

  /// Returns the mesh with device ids rewritten as positions, if every axis is then made of digits of the position.
  /// Otherwise stores the ids in `own` and returns the mesh in row-major order.
  NamedMesh in_order(NamedMesh mesh, std::vector<std::int64_t>& own) {
    const std::int64_t devices = mesh.mesh.devices();
    if (mesh.mesh.rank() == 0 || (mesh.device_ids.empty() && order_.empty())) return mesh;
    std::vector<std::int64_t> ids = mesh.device_ids.empty() ? row_major(devices) : mesh.device_ids;
    if (auto valid = mesh.mesh.with_device_ids(ids); !valid)
      fail("sharding", at_, "sdy.mesh @" + mesh.name + " with " + valid.error().found, valid.error().wanted);
    if (!order_.empty() && ids.size() != order_.size()) return mesh;  // check_device_count reports this
    mesh.device_ids = seen_from(order_, ids);
    const auto& axes = mesh.mesh.axes();
    const bool digits = std::all_of(axes.begin(), axes.end(),
                                    [&](const Mesh::AxisInfo& a) { return digits_of(mesh, {a.name}).has_value(); });
    if (digits) return mesh;
    mesh.device_ids.clear();
    note_order(ids);
    own = std::move(ids);
    return mesh;
  }

  void note_order(const std::vector<std::int64_t>& ids) {
    if (++other_orders_ == 1) other_order_ = ids;
  }

  static bool is_maximal(const std::string& hlo) {
    const auto read = read_hlo_sharding(hlo);
    return read && read->kind == HloSharding::Kind::maximal;
  }

  /// `config` may list open dimensions: "unspecified_dims=[1]".
  std::optional<LayoutInDigits> from_hlo(const std::string& text, std::size_t rank, const std::string& config) {
    using Kind = HloSharding::Kind;
    auto read = read_hlo_sharding(text);
    if (!read) {
      read.error().place = at_;
      throw UserError(read.error());
    }
    LayoutInDigits out;
    out.text = text;
    out.dims.resize(rank);
    text::Scanner open(config);
    if (open.find("unspecified_dims=[")) {
      const auto dims = open.integers("]");
      for (const std::int64_t d : dims.value_or(std::vector<std::int64_t>{})) {
        if (d < static_cast<std::int64_t>(rank)) out.dims[static_cast<std::size_t>(d)].open = true;
      }
    }
    if (read->kind == Kind::unknown) return std::nullopt;
    if (read->kind == Kind::replicated) return out;
    const auto& groups = read->subgroups;
    const bool manual = read->kind == Kind::manual ||
                        std::find(groups.begin(), groups.end(), HloSharding::Subgroup::manual) != groups.end();
    if (manual) unsupported(at_, text, "shardings of global values (shard_map: jax_use_shardy_partitioner)");
    if (read->kind == Kind::maximal)
      unsupported(at_, fmt::format("a value on device {} alone", read->device), "values that all devices share");
    check_device_count(static_cast<std::int64_t>(read->devices.size()));
    if (read->rank() != rank) fail("sharding", at_, text, fmt::format("{} dimensions", rank));
    const auto tiles = [&](std::optional<DeviceDigits> digits) {
      for (std::size_t d = 0; digits && d < rank; ++d) {
        auto own = take_major(*digits, read->tiles[d]);
        if (!own)
          digits.reset();
        else
          out.dims[d].digits = std::move(*own);
      }
      return digits.has_value();
    };
    if (!order_.empty() && read->devices.size() != order_.size()) return out;  // check_device_count reports this
    if (tiles(digits_of(seen_from(order_, read->devices)))) return out;
    note_order(read->devices);
    out.device_ids = read->devices;
    PARTIR_CHECK(tiles(digits_of(row_major(static_cast<std::int64_t>(read->devices.size())))), "tiles of all devices");
    return out;
  }

  // --- Groups, axes -------------------------------------------------------------------------------------------------

  /// Members of a sharding group without a layout of their own get the layout of the first member that has one.
  void share_in_groups() {
    for (const auto& [id, members] : groups_) {
      const auto layout_of = [&](const Member& m) {
        return std::find_if(read_.begin(), read_.end(),
                            [&](const Read& r) { return r.value == m.value.value || r.value == m.operand; });
      };
      const auto donor =
          std::find_if(members.begin(), members.end(), [&](const Member& m) { return layout_of(m) != read_.end(); });
      if (donor == members.end()) continue;
      const LayoutInDigits shared = layout_of(*donor)->layout;
      for (const Member& m : members) {
        if (layout_of(m) != read_.end()) continue;
        Read out;
        out.request.of = LayoutRequest::Of::constraint;
        out.request.place = m.place;
        out.request.value = m.value;
        out.value = m.value.value;
        out.layout = shared;
        at_ = m.place;
        add(std::move(out));
      }
    }
  }

  void name_axes() {
    if (given_mesh_) check_device_count(given_mesh_->devices());
    if (!devices_) {
      const Attribute* partitions = find(module_.attributes, "mhlo.num_partitions");
      const IntAttr* count = partitions != nullptr ? partitions->as<IntAttr>() : nullptr;
      devices_ = count != nullptr && count->value >= 1 ? count->value : 1;
    }
    digits_.emplace(*devices_);
    if (given_mesh_) {
      for (std::size_t a = 0; a < given_mesh_->rank(); ++a)
        digits_->name(given_mesh_->name(Axis(a)), {given_mesh_->stride(Axis(a)), given_mesh_->size(Axis(a))});
    }
    for (const Manual& m : manual_) {
      const Mesh& mesh = m.layouts.mesh;
      for (std::size_t a = 0; a < mesh.rank(); ++a)
        digits_->name(mesh.name(Axis(a)), {mesh.stride(Axis(a)), mesh.size(Axis(a))});
    }
    for (const NamedMesh& mesh : used_) {
      for (const Mesh::AxisInfo& axis : mesh.mesh.axes()) {
        const DeviceDigits digits = digits_or_throw(mesh, {axis.name});
        for (const DeviceDigit& d : digits) digits_->name(axis.name, d);
      }
    }
    for (const Read& r : read_) {
      for (const auto& dim : r.layout.dims) {
        for (const DeviceDigit& d : dim.digits) digits_->need(d);
      }
      for (const DeviceDigit& d : r.layout.replicated) digits_->need(d);
    }
    if (auto ok = digits_->finish(); !ok) throw UserError(ok.error());
  }

  /// The axes of a manual computation with the tiles of each, in one nesting order that suits all operands and results.
  /// An order is needed only between axes that tile the same dimension: [{"x"}, {"y"}] and [{"y", "x"}] give y before
  /// x.
  LayoutRequest in_axes(const Manual& m) const {
    LayoutRequest out;
    out.of = LayoutRequest::Of::manual;
    out.op = m.op->id;
    out.place = m.op->place;
    out.text = "sdy.manual_computation";
    std::map<Axis, Entry> entries;
    std::map<Axis, std::set<Axis>> outside;  // by axis: the axes that must enclose it
    const Entry whole{std::vector<Action>(m.op->operands.size()), std::vector<Action>(m.op->results.size())};
    const auto add = [&](const std::vector<Layout>& types, std::vector<Action> Entry::*side) {
      for (std::size_t k = 0; k < types.size(); ++k) {
        for (Dim d = 0; d < types[k].dims.size(); ++d) {
          std::set<Axis> before;
          for (const Factor& own : types[k].dims[d]) {
            const Mesh& mesh = m.layouts.mesh;
            for (const Axis axis : digits_->axes_of({{mesh.stride(own.axis()), mesh.size(own.axis())}})) {
              (entries.try_emplace(axis, whole).first->second.*side)[k] = Action::tile(d);
              outside[axis].insert(before.begin(), before.end());
              before.insert(axis);
            }
          }
        }
      }
    };
    add(m.layouts.operands, &Entry::operands);
    add(m.layouts.results, &Entry::results);
    while (!outside.empty()) {
      const auto next = std::find_if(outside.begin(), outside.end(), [](const auto& a) { return a.second.empty(); });
      if (next == outside.end())
        unsupported(m.op->place, "a manual computation that nests its axes in two orders", "one order");
      const Axis axis = next->first;
      outside.erase(next);
      for (auto& [other, before] : outside) before.erase(axis);
      out.entries.emplace_back(axis, entries.at(axis));
    }
    return out;
  }

  LayoutRequest in_axes(const Read& r, const std::vector<std::size_t>& priorities) const {
    LayoutRequest out = r.request;
    out.text = r.layout.text;
    std::set<Axis> used;
    std::uint64_t closed = 0;
    for (Dim d = 0; d < r.layout.dims.size(); ++d) {
      const auto& dim = r.layout.dims[d];
      const auto turn = static_cast<std::size_t>(std::lower_bound(priorities.begin(), priorities.end(), dim.priority) -
                                                 priorities.begin());
      for (const Axis a : digits_->axes_of(dim.digits)) {
        if (!used.insert(a).second) fail("sharding", out.place, out.text, "each axis once in a sharding");
        out.tiles.push_back({a, d, turn});
      }
      if (!dim.open) closed |= std::uint64_t{1} << d;
    }
    if (!out.tiles.empty()) out.device_ids = r.layout.device_ids;
    const std::vector<Axis> replicated = digits_->axes_of(r.layout.replicated);
    for (std::size_t a = 0; a < digits_->mesh().rank(); ++a) {
      if (used.contains(Axis(a))) continue;
      const bool everywhere = std::find(replicated.begin(), replicated.end(), Axis(a)) != replicated.end();
      const std::uint64_t dims = everywhere ? ~std::uint64_t{0} : closed;
      if (dims != 0) out.closed.push_back({Axis(a), dims});
    }
    return out;
  }

  const Module& module_;
  const Function& f_;
  const std::optional<Mesh>& given_mesh_;
  std::vector<std::int64_t> order_;
  std::size_t other_orders_ = 0;
  std::vector<std::int64_t> other_order_;
  std::vector<NamedMesh> meshes_;
  std::vector<NamedMesh> used_;
  std::unordered_map<ValueId, NamedValue> names_;
  std::vector<Read> read_;
  std::vector<Manual> manual_;
  std::map<std::int64_t, std::vector<Member>> groups_;
  std::optional<std::int64_t> devices_;
  std::optional<DigitMesh> digits_;
  Place at_;
};

}  // namespace

Result<Annotations> read_annotations(const Module& module, const Function& main, const std::optional<Mesh>& mesh) {
  const auto read = [](AnnotationReader& reader) -> Result<Annotations> {
    try {
      return reader.run();
    } catch (const UserError& error) {
      Diagnostic out = error.diagnostic();
      if (out.place.line == 0) out.place = reader.at();
      return tl::unexpected(std::move(out));
    }
  };
  AnnotationReader by_id(module, main, mesh, mesh ? mesh->device_ids() : std::vector<std::int64_t>());
  auto out = read(by_id);
  if (mesh || by_id.other_orders() == 0) return out;
  // Use the other order if fewer shardings differ from it.
  AnnotationReader by_order(module, main, mesh, by_id.other_order());
  auto ordered = read(by_order);
  const bool better = ordered && (!out || by_order.other_orders() < by_id.other_orders());
  return better ? std::move(ordered) : std::move(out);
}

}  // namespace partir
