// Converts Shardy shardings to layouts, and replica groups that are given as mesh axes to lists of devices.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "ir/text/scanner.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

using text::Scanner;

namespace {

tl::unexpected<Diagnostic> wrong(const std::string& text, const std::string& wanted) {
  return tl::unexpected(Diagnostic{"sharding", "", {}, text, wanted});
}

}  // namespace

Result<Layout> sdy_layout(const std::string& text, const std::vector<NamedMesh>& meshes, std::size_t rank,
                          const Mesh& on) {
  const auto sharding = read_shardy_sharding(text, meshes);
  if (!sharding) return tl::unexpected(sharding.error());
  const NamedMesh& mesh = sharding->mesh;
  Layout out = Layout::replicated(rank);
  const std::int64_t devices = on.devices();
  if (mesh.mesh.rank() == 0) {  // a maximal mesh: one device holds the value
    if (mesh.device_ids.size() == 1 && devices > 1)
      out.only = DeviceId(static_cast<std::size_t>(mesh.device_ids[0] % devices));
    return out;
  }
  if (mesh.mesh.devices() != devices)
    return wrong(fmt::format("a mesh of {} devices", mesh.mesh.devices()), fmt::format("{}", devices));
  std::vector<std::int64_t> parts;
  std::vector<std::vector<std::int64_t>> chunks;
  for (const ShardyDim& dim : sharding->dims) {
    Layout::Dimension factors;
    for (const AxisReference& axis : dim.axes) {
      const auto factor = factor_of(mesh, axis);
      if (!factor) return tl::unexpected(factor.error());
      factors.push_back(*factor);
    }
    auto positions = positions_along(mesh, factors);
    if (!positions) return tl::unexpected(positions.error());
    parts.push_back(Layout{{factors}}.parts(0, mesh.mesh));
    chunks.push_back(std::move(*positions));
  }
  if (parts.size() != rank) return wrong(text, fmt::format("{} dimensions", rank));
  if (!sharding->unreduced.empty()) return wrong(text, "no unreduced axes of arguments and results");
  return Layout::of_chunks(parts, chunks, on);
}

// --- Replica groups

namespace {

/// The digits of the mesh's axes that are not among `factors`. Devices that agree in these form a replica group.
std::vector<Factor> others(const std::vector<Factor>& factors, const Mesh& mesh) {
  std::vector<Factor> out;
  for (std::size_t k = 0; k < mesh.rank(); ++k) {
    const std::int64_t n = mesh.size(Axis(k));
    std::vector<std::int64_t> cuts = {1, n};
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    for (const Factor& f : factors) {
      if (!f.is_of(Axis(k))) continue;
      taken.emplace_back(f.before(), f.before() * f.size(mesh));
      cuts.push_back(taken.back().first);
      cuts.push_back(taken.back().second);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      const bool in = std::any_of(taken.begin(), taken.end(),
                                  [&](const auto& t) { return t.first <= cuts[c] && cuts[c + 1] <= t.second; });
      if (!in) out.push_back(Factor::digit(Axis(k), cuts[c], cuts[c + 1] / cuts[c], mesh));
    }
  }
  return out;
}

/// Parses replica groups given as mesh axes and returns them as a matrix of device ids, one group per row.
Result<Attribute> listed(const std::string& text, const std::vector<NamedMesh>& meshes, Place place) {
  const std::string wanted =
      "#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\">]>";
  const auto fails = [&] { return tl::unexpected(Diagnostic{"replica_groups", "", place, text, wanted}); };
  Scanner s(text);
  if (!s.find("<") || !s.accept("mesh") || !s.accept("=")) return fails();
  NamedMesh own;
  const NamedMesh* mesh = nullptr;
  if (s.accept("@")) {
    const auto quoted = s.quoted();
    mesh = mesh_named(meshes, quoted ? *quoted : s.word());
  } else if (s.accept("#stablehlo.mesh<")) {
    // axes = [#stablehlo.mesh_axis<name = "x", size = 2>, ...], device_ids = dense<...>
    if (!s.accept("axes") || !s.accept("=") || !s.accept("[")) return fails();
    std::vector<Mesh::AxisInfo> axes;
    while (s.accept("#stablehlo.mesh_axis<")) {
      if (!s.accept("name") || !s.accept("=")) return fails();
      const auto name = s.quoted();
      if (!name || !s.accept(",") || !s.accept("size") || !s.accept("=")) return fails();
      const auto size = s.integer();
      if (!size || *size < 1 || !s.accept(">")) return fails();
      axes.push_back({std::string(*name), *size});
      (void)s.accept(",");
    }
    own.mesh = Mesh(std::move(axes));
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
  Layout along{{{}}};
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
      if (!size || *before < 1 || *size < 1) return fails();
      r.before = *before;
      r.size = *size;
      if (s.at(">>")) (void)s.accept(">");
    }
    if (!s.accept(">")) return fails();
    const auto factor = factor_of(*mesh, r);
    if (!factor) return tl::unexpected(factor.error());
    along.dims[0].push_back(*factor);
    (void)s.accept(",");
  }
  if (!s.accept("]")) return fails();
  if (mesh->mesh.rank() == 0)
    return Attribute{DenseAttr{int_matrix({{mesh->device_ids.empty() ? 0 : mesh->device_ids[0]}})}};
  if (mesh->mesh.devices() > (1 << 20)) return fails();
  if (!along.fits(TensorType{ElementType::i1, {1}}, mesh->mesh)) return fails();
  const auto positions = positions_along(*mesh, along.dims[0]);
  if (!positions) return tl::unexpected(positions.error());
  const auto group_of = positions_along(*mesh, others(along.dims[0], mesh->mesh));
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
