#include "ir/sharding/shardy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "ir/text/scanner.h"

namespace partir {
namespace {

using text::Scanner;

tl::unexpected<Diagnostic> wrong_sharding(std::string_view text, const std::string& wanted) {
  return tl::unexpected(Diagnostic{"sharding", "", {}, std::string(text), wanted});
}

/// Parses `"x"=4, "y"=2]`.
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

/// Parses `<["x"=4, "y"=2], device_ids=[…]>`, whose opening < has been consumed.
std::optional<NamedMesh> read_mesh(Scanner& s) {
  NamedMesh out;
  std::vector<Mesh::AxisInfo> axes;
  if (!s.accept("[") || !read_axes(s, axes)) return std::nullopt;
  out.mesh = Mesh(std::move(axes));
  if (s.accept(",")) {
    if (!s.accept("device_ids") || !s.accept("=") || !s.accept("[")) return std::nullopt;
    const auto ids = s.integers("]");
    if (!ids) return std::nullopt;
    out.device_ids = *ids;
  }
  if (!s.accept(">")) return std::nullopt;
  return out;
}

/// Parses `"x":(1)2`.
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

/// Parses `{"x", ?}p1`.
std::optional<ShardyDim> read_dim(Scanner& s) {
  ShardyDim out;
  if (!s.accept("{")) return std::nullopt;
  while (!s.accept("}")) {
    if (s.accept(",")) continue;
    if (s.accept("?")) {
      out.open = true;
      continue;
    }
    auto axis = read_reference(s);
    if (!axis) return std::nullopt;
    out.axes.push_back(std::move(*axis));
  }
  if (s.accept("p")) {
    const auto priority = s.integer();
    if (!priority) return std::nullopt;
    out.priority = static_cast<std::size_t>(*priority);
  }
  return out;
}

/// Parses the contents of #sdy.sharding<…> and the closing >; the opening < has been consumed.
Result<ShardySharding> read_sharding(Scanner& s, std::string_view text, const std::vector<NamedMesh>& meshes) {
  const auto no_form = [&] { return wrong_sharding(text, "a sharding such as #sdy.sharding<@mesh, [{\"x\"}, {}]>"); };
  ShardySharding out;
  if (s.accept("mesh<")) {
    auto inlined = read_mesh(s);
    if (!inlined) return no_form();
    out.mesh = std::move(*inlined);
  } else {
    if (!s.accept("@")) return no_form();
    const auto quoted = s.quoted();
    const std::string name(quoted ? *quoted : s.word());
    const NamedMesh* mesh = mesh_named(meshes, name);
    if (mesh == nullptr) return wrong_sharding("mesh @" + name, "a mesh that the module declares");
    out.mesh = *mesh;
  }
  if (!s.accept(",") || !s.accept("[")) return no_form();
  if (!s.accept("]")) {
    do {
      auto dim = read_dim(s);
      if (!dim) return no_form();
      out.dims.push_back(std::move(*dim));
    } while (s.accept(","));
    if (!s.accept("]")) return no_form();
  }
  while (s.accept(",")) {
    const std::string what(s.word());
    if ((what != "replicated" && what != "unreduced") || !s.accept("=") || !s.accept("{")) return no_form();
    auto& list = what == "replicated" ? out.replicated : out.unreduced;
    while (!s.accept("}")) {
      if (s.accept(",")) continue;
      auto axis = read_reference(s);
      if (!axis) return no_form();
      list.push_back(std::move(*axis));
    }
  }
  if (!s.accept(">")) return no_form();
  return out;
}

}  // namespace

const NamedMesh* mesh_named(const std::vector<NamedMesh>& meshes, std::string_view name) {
  const auto it = std::find_if(meshes.begin(), meshes.end(), [&](const NamedMesh& m) { return m.name == name; });
  return it == meshes.end() ? nullptr : &*it;
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

Result<Factor> factor_of(const NamedMesh& mesh, const AxisReference& axis) {
  const auto found = mesh.mesh.find(axis.axis);
  if (!found) return wrong_sharding(fmt::format("axis \"{}\"", axis.axis), "an axis of the mesh " + mesh.name);
  const std::int64_t n = mesh.mesh.size(*found);
  const std::int64_t size = axis.size == 0 ? n : axis.size;
  if (n % (axis.before * size) != 0)
    return wrong_sharding(fmt::format("\"{}\":({}){}", axis.axis, axis.before, size), fmt::format("digits of {}", n));
  return Factor::digit(*found, axis.before, size, mesh.mesh);
}

Result<std::vector<std::int64_t>> positions_along(const NamedMesh& mesh, const std::vector<Factor>& factors) {
  std::vector<std::int64_t> out = Layout{{factors}}.chunks(0, mesh.mesh);
  if (mesh.device_ids.empty()) return out;
  if (mesh.device_ids.size() != out.size())
    return wrong_sharding(fmt::format("{} device ids", mesh.device_ids.size()), fmt::format("{}", out.size()));
  std::vector<std::int64_t> by_device(out.size(), -1);
  for (std::size_t position = 0; position < out.size(); ++position) {
    const auto device = static_cast<std::size_t>(mesh.device_ids[position]);
    if (device >= out.size() || by_device[device] >= 0)
      return wrong_sharding(fmt::format("device {}", device), fmt::format("each device id below {} once", out.size()));
    by_device[device] = out[position];
  }
  return by_device;
}

Result<ShardySharding> read_shardy_sharding(std::string_view text, const std::vector<NamedMesh>& meshes) {
  Scanner s(text);
  if (!s.find("<")) return wrong_sharding(text, "a sharding such as #sdy.sharding<@mesh, [{\"x\"}, {}]>");
  return read_sharding(s, text, meshes);
}

Result<std::vector<ShardySharding>> read_shardy_shardings(std::string_view text, const std::vector<NamedMesh>& meshes) {
  const auto no_form = [&] {
    return wrong_sharding(text, "shardings such as #sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>");
  };
  std::vector<ShardySharding> out;
  Scanner s(text);
  if (!s.find("<") || !s.accept("[")) return no_form();
  while (!s.accept("]")) {
    if (s.accept(",")) continue;
    (void)s.accept("#sdy.sharding");
    if (!s.accept("<")) return no_form();
    auto one = read_sharding(s, text, meshes);
    if (!one) return tl::unexpected(one.error());
    out.push_back(std::move(*one));
  }
  return out;
}

std::string with_inlined_meshes(std::string_view text, const std::vector<NamedMesh>& meshes) {
  std::string out;
  for (Scanner s(text); !s.done();) {
    const std::string_view before = s.rest();
    if (!s.find("<@")) return out + std::string(before);
    out += before.substr(0, before.size() - s.rest().size() - 1);
    const auto quoted = s.quoted();
    const std::string name(quoted ? *quoted : s.word());
    const NamedMesh* mesh = mesh_named(meshes, name);
    if (mesh == nullptr) {
      out += "@\"" + name + "\"";
      continue;
    }
    out += "mesh<[";
    for (const auto& a : mesh->mesh.axes())
      out += fmt::format("{}\"{}\"={}", &a == mesh->mesh.axes().data() ? "" : ", ", a.name, a.size);
    out += "]";
    if (!mesh->device_ids.empty()) out += fmt::format(", device_ids=[{}]", fmt::join(mesh->device_ids, ", "));
    out += ">";
  }
  return out;
}

}  // namespace partir
