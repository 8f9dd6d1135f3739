// Shardy's shardings, and replica groups that are written as axes of a mesh.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "verify/validate/layouts.h"
#include "verify/validate/scanner.h"

namespace partir::validate {
namespace {

tl::unexpected<Diagnostic> wrong(const std::string& text, const std::string& wanted) {
  return tl::unexpected(Diagnostic{"sharding", "", {}, text, wanted});
}

/// "x"=4, "y"=2]
bool read_axes(Scanner& s, std::vector<Mesh::AxisInfo>& out) {
  if (s.accept("]")) return true;
  do {
    const auto name = s.quoted();
    if (!name || !s.accept("=")) return false;
    const auto size = s.integer();
    if (!size || *size < 1) return false;
    out.push_back({std::string(*name), *size});
  } while (s.accept(","));
  return s.accept("]");
}

/// "x":(1)2
std::optional<AxisReference> read_reference(Scanner& s) {
  const auto name = s.quoted();
  if (!name) return std::nullopt;
  AxisReference out{std::string(*name), 1, 0};
  if (s.accept(":")) {
    if (!s.accept("(")) return std::nullopt;
    const auto before = s.integer();
    if (!before || !s.accept(")")) return std::nullopt;
    const auto size = s.integer();
    if (!size || *before < 1 || *size < 1) return std::nullopt;
    out.before = *before;
    out.size = *size;
  }
  return out;
}

const NamedMesh* mesh_named(const std::vector<NamedMesh>& meshes, std::string_view name) {
  const auto it = std::find_if(meshes.begin(), meshes.end(), [&](const NamedMesh& m) { return m.name == name; });
  return it == meshes.end() ? nullptr : &*it;
}

/// <["x"=4, "y"=2], device_ids=[…]>, behind the opening <.
std::optional<NamedMesh> read_mesh(Scanner& s) {
  NamedMesh out;
  if (!s.accept("[") || !read_axes(s, out.axes)) return std::nullopt;
  if (s.accept(",")) {
    if (!s.accept("device_ids") || !s.accept("=") || !s.accept("[")) return std::nullopt;
    const auto ids = s.integers("]");
    if (!ids) return std::nullopt;
    out.device_ids = *ids;
  }
  if (!s.accept(">")) return std::nullopt;
  return out;
}

}  // namespace

std::int64_t NamedMesh::size() const {
  return std::accumulate(axes.begin(), axes.end(), std::int64_t{1},
                         [](std::int64_t p, const auto& a) { return p * a.size; });
}

std::int64_t size_of(const NamedMesh& mesh, const AxisReference& axis) {
  if (axis.size != 0) return axis.size;
  for (const auto& a : mesh.axes) {
    if (a.name == axis.axis) return a.size;
  }
  return 1;
}

Result<std::vector<std::int64_t>> positions_along(const NamedMesh& mesh, const std::vector<AxisReference>& axes) {
  const auto devices = static_cast<std::size_t>(std::max<std::int64_t>(mesh.size(), 1));
  std::vector<std::int64_t> out(devices, 0);
  for (const AxisReference& r : axes) {
    std::int64_t stride = 1;
    const Mesh::AxisInfo* axis = nullptr;
    for (std::size_t k = mesh.axes.size(); k-- > 0;) {
      if (mesh.axes[k].name == r.axis) {
        axis = &mesh.axes[k];
        break;
      }
      stride *= mesh.axes[k].size;
    }
    if (axis == nullptr) return wrong(fmt::format("axis \"{}\"", r.axis), "an axis of the mesh " + mesh.name);
    const std::int64_t size = r.size == 0 ? axis->size : r.size;
    if (axis->size % (r.before * size) != 0)
      return wrong(fmt::format("\"{}\":({}){}", r.axis, r.before, size), fmt::format("digits of {}", axis->size));
    const std::int64_t below = axis->size / (r.before * size);
    for (std::size_t position = 0; position < devices; ++position) {
      const std::int64_t coordinate = static_cast<std::int64_t>(position) / stride % axis->size;
      const auto device = mesh.device_ids.empty() ? position : static_cast<std::size_t>(mesh.device_ids[position]);
      if (device >= devices)
        return wrong(fmt::format("device {}", device), fmt::format("device_ids below {}", devices));
      out[device] = out[device] * size + coordinate / below % size;
    }
  }
  return out;
}

std::vector<NamedMesh> named_meshes(const Module& module) {
  std::vector<NamedMesh> out;
  for (const std::string& line : module.declarations) {
    Scanner s(line);
    if (!s.find("sdy.mesh") || !s.accept("@")) continue;
    const auto quoted = s.quoted();
    const std::string name(quoted ? *quoted : s.word());
    if (!s.accept("=") || !s.accept("<")) continue;
    if (auto mesh = read_mesh(s)) {
      mesh->name = name;
      out.push_back(std::move(*mesh));
    }
  }
  return out;
}

Result<Placement> sdy_placement(const std::string& text, const std::vector<NamedMesh>& meshes, std::size_t rank,
                                std::size_t devices) {
  const std::string form = "a sharding such as #sdy.sharding<@mesh, [{\"x\"}, {}]>";
  Scanner s(text);
  if (!s.find("<")) return wrong(text, form);
  NamedMesh own;
  const NamedMesh* mesh = nullptr;
  if (s.accept("mesh<")) {
    auto inlined = read_mesh(s);
    if (!inlined) return wrong(text, form);
    own = std::move(*inlined);
    mesh = &own;
  } else {
    if (!s.accept("@")) return wrong(text, form);
    const auto quoted = s.quoted();
    const std::string name(quoted ? *quoted : s.word());
    mesh = mesh_named(meshes, name);
    if (mesh == nullptr) return wrong("mesh @" + name, "a mesh that the module declares");
  }
  Placement out;
  if (mesh->axes.empty()) {  // a maximal mesh: one device has it all
    out = Placement::replicated(rank, devices);
    if (mesh->device_ids.size() == 1 && devices > 1) {
      out.absent.assign(devices, true);
      out.absent[static_cast<std::size_t>(mesh->device_ids[0]) % devices] = false;
    }
    return out;
  }
  if (mesh->size() != static_cast<std::int64_t>(devices))
    return wrong(fmt::format("a mesh of {} devices", mesh->size()), fmt::format("{}", devices));
  if (!s.accept(",") || !s.accept("[")) return wrong(text, form);
  if (!s.accept("]")) {
    do {
      if (!s.accept("{")) return wrong(text, form);
      std::vector<AxisReference> axes;
      while (!s.accept("}")) {
        if (s.accept("?") || s.accept(",")) continue;
        const auto r = read_reference(s);
        if (!r) return wrong(text, form);
        axes.push_back(*r);
      }
      if (s.at("p")) (void)s.word();  // a priority
      auto positions = positions_along(*mesh, axes);
      if (!positions) return tl::unexpected(positions.error());
      std::int64_t parts = 1;
      for (const AxisReference& a : axes) parts *= size_of(*mesh, a);
      out.parts.push_back(parts);
      out.chunk.push_back(std::move(*positions));
    } while (s.accept(","));
    if (!s.accept("]")) return wrong(text, form);
  }
  if (out.parts.size() != rank) return wrong(text, fmt::format("{} dimensions", rank));
  while (s.accept(",")) {
    const std::string what(s.word());
    if (what == "unreduced") {
      Scanner axes = s;
      if (axes.accept("=") && axes.accept("{") && !axes.accept("}"))
        return wrong(text, "no unreduced axes of arguments and results");
    }
    if (!s.find("}")) break;
  }
  return out;
}

// --- Replica groups
// ---------------------------------------------------------------------------------------------------

namespace {

Result<Attribute> listed(const std::string& text, const std::vector<NamedMesh>& meshes, Place place) {
  const std::string wanted =
      "#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\">]>";
  const auto fails = [&] { return tl::unexpected(Diagnostic{"replica_groups", "", place, text, wanted}); };
  Scanner s(text);
  if (!s.find("mesh") || !s.find("mesh")) {
  }
  s = Scanner(text);
  if (!s.find("<") || !s.accept("mesh") || !s.accept("=")) return fails();
  NamedMesh own;
  const NamedMesh* mesh = nullptr;
  if (s.accept("@")) {
    const auto quoted = s.quoted();
    mesh = mesh_named(meshes, quoted ? *quoted : s.word());
  } else if (s.accept("#stablehlo.mesh<")) {  // axes = [#stablehlo.mesh_axis<name = "x", size = 2>, …], device_ids =
                                              // dense<…>
    if (!s.accept("axes") || !s.accept("=") || !s.accept("[")) return fails();
    while (s.accept("#stablehlo.mesh_axis<")) {
      if (!s.accept("name") || !s.accept("=")) return fails();
      const auto name = s.quoted();
      if (!name || !s.accept(",") || !s.accept("size") || !s.accept("=")) return fails();
      const auto size = s.integer();
      if (!size || !s.accept(">")) return fails();
      own.axes.push_back({std::string(*name), *size});
      (void)s.accept(",");
    }
    if (!s.accept("]")) return fails();
    if (s.accept(",")) {
      if (!s.accept("device_ids") || !s.accept("=") || !s.accept("dense<[")) return fails();
      const auto ids = s.integers("]");
      if (!ids || !s.accept(">") || !s.accept(":") || !s.find(">")) return fails();
      own.device_ids = *ids;
    }
    if (!s.accept(">")) return fails();
    mesh = &own;
  }
  if (mesh == nullptr) return fails();
  if (!s.accept(",") || !s.accept("axes") || !s.accept("=") || !s.accept("[")) return fails();
  std::vector<AxisReference> axes;
  while (s.accept("#stablehlo.axis_ref<")) {
    if (!s.accept("name") || !s.accept("=")) return fails();
    const auto name = s.quoted();
    if (!name) return fails();
    AxisReference r{std::string(*name), 1, 0};
    if (s.accept(",")) {
      if (!s.accept("sub_axis_info") || !s.accept("=")) return fails();
      (void)s.accept("#stablehlo.sub_axis_info<");
      if (!s.accept("(")) return fails();
      const auto before = s.integer();
      if (!before || !s.accept(")")) return fails();
      const auto size = s.integer();
      if (!size) return fails();
      r.before = *before;
      r.size = *size;
      if (s.at(">>")) (void)s.accept(">");
    }
    if (!s.accept(">")) return fails();
    axes.push_back(std::move(r));
    (void)s.accept(",");
  }
  if (!s.accept("]")) return fails();
  if (mesh->axes.empty())
    return Attribute{DenseAttr{int_matrix({{mesh->device_ids.empty() ? 0 : mesh->device_ids[0]}})}};
  const auto positions = positions_along(*mesh, axes);
  if (!positions) return tl::unexpected(positions.error());
  // Devices that agree in everything but the axes form a group: those with equal positions along the other digits.
  std::vector<AxisReference> others;
  for (const auto& a : mesh->axes) {
    std::vector<std::int64_t> cuts = {1, a.size};
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    for (const AxisReference& r : axes) {
      if (r.axis != a.name) continue;
      const std::int64_t size = r.size == 0 ? a.size : r.size;
      cuts.push_back(r.before);
      cuts.push_back(r.before * size);
      taken.emplace_back(r.before, r.before * size);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const bool in = std::any_of(taken.begin(), taken.end(),
                                  [&](const auto& t) { return t.first <= cuts[k] && cuts[k + 1] <= t.second; });
      if (!in) others.push_back({a.name, cuts[k], cuts[k + 1] / cuts[k]});
    }
  }
  const auto group_of = positions_along(*mesh, others);
  if (!group_of) return tl::unexpected(group_of.error());
  std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> groups;
  for (std::size_t d = 0; d < positions->size(); ++d)
    groups[(*group_of)[d]][(*positions)[d]] = static_cast<std::int64_t>(d);
  std::vector<std::vector<std::int64_t>> rows;
  for (const auto& [number, members] : groups) {
    rows.emplace_back();
    for (const auto& [position, device] : members) rows.back().push_back(device);
  }
  return Attribute{DenseAttr{int_matrix(rows)}};
}

}  // namespace

Result<Module> with_listed_groups(Module module) {
  const std::vector<NamedMesh> meshes = named_meshes(module);
  std::optional<Diagnostic> error;
  const std::function<void(Block&)> walk = [&](Block& block) {
    for (Op& op : block.ops) {
      const Attribute* groups = find(op.attributes, "replica_groups");
      const RawAttr* raw = groups != nullptr ? groups->as<RawAttr>() : nullptr;
      if (raw != nullptr && !error) {
        auto out = listed(raw->text, meshes, op.place);
        if (out)
          set(op.attributes, "replica_groups", std::move(*out));
        else
          error = out.error();
      }
      for (Block& b : op.regions) walk(b);
    }
  };
  for (Function& f : module.functions) walk(f.body);
  if (error) return tl::unexpected(*error);
  return module;
}

}  // namespace partir::validate
