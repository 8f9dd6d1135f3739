#include "tools/shardings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/text/read.h"
#include "rewrite/json_text.h"

namespace partir {
namespace {

constexpr std::size_t kMostTiles = 16;   ///< tiles drawn per direction
constexpr std::size_t kMostDevices = 4;  ///< devices listed per tile

/// One argument or result.
struct Sharded {
  std::string name;
  const Type* type;
  const Layout* sharding;
};

std::vector<Sharded> side(const std::vector<std::string>& names, const std::vector<Type>& types,
                          const std::vector<Layout>& shardings) {
  std::vector<Sharded> out;
  for (std::size_t i = 0; i < types.size(); ++i)
    out.push_back({i < names.size() ? names[i] : fmt::format("{}", i), &types[i], &shardings[i]});
  return out;
}

Json side_json(const std::vector<Sharded>& values, const Mesh& mesh) {
  Json out = Json::array();
  for (const Sharded& v : values) {
    out.push_back({{"name", v.name},
                   {"type", v.type->str()},
                   {"sharding", v.sharding->str(mesh)},
                   {"partition_spec", partition_spec(*v.sharding, mesh)},
                   {"local_type", v.sharding->local(*v.type, mesh).str()}});
  }
  return out;
}

std::string side_text(const char* title, const std::vector<Sharded>& values, const Mesh& mesh, const Style& style) {
  std::vector<std::array<std::string, 5>> rows = {{title, "type", "sharding", "PartitionSpec", "on each device"}};
  for (const Sharded& v : values) {
    rows.push_back({v.name.empty() ? "(the result)" : v.name, v.type->str(), v.sharding->str(mesh),
                    partition_spec(*v.sharding, mesh), v.sharding->local(*v.type, mesh).str()});
  }
  std::array<std::size_t, 5> width{};
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < width.size(); ++c)
      line += c + 1 < width.size() ? fmt::format("{:<{}}  ", rows[r][c], width[c]) : rows[r][c];
    out += (r == 0 ? style.bold(line) : line) + "\n";
  }
  return out;
}

/// The devices that hold each tile, by row and column.
struct Tiles {
  std::size_t rows = 1;
  std::size_t columns = 1;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> devices;
};

Tiles tiles_of(const Layout& type, const Mesh& mesh) {
  std::vector<Dim> tiled;
  std::vector<std::size_t> parts;
  for (Dim d = 0; d < type.dims.size(); ++d) {
    const auto n = static_cast<std::size_t>(type.parts(d, mesh));
    if (n > 1) {
      tiled.push_back(d);
      parts.push_back(n);
    }
  }
  Tiles out;
  // The last tiled dimension makes the columns, unless it is the only one and not the last dimension of the value:
  // [{batch}, {}] makes rows.
  const bool across = tiled.size() > 1 || tiled == std::vector<Dim>{Dim(type.dims.size() - 1)};
  for (std::size_t k = 0; k + (across ? 1 : 0) < parts.size(); ++k) out.rows *= parts[k];
  if (across) out.columns = parts.back();
  for (std::size_t device = 0; device < static_cast<std::size_t>(mesh.devices()); ++device) {
    std::size_t row = 0;
    std::size_t column = 0;
    for (std::size_t k = 0; k < tiled.size(); ++k) {
      const auto chunk =
          static_cast<std::size_t>(type.chunk(tiled[k], DeviceId(static_cast<std::uint32_t>(device)), mesh));
      if (across && k + 1 == tiled.size())
        column = chunk;
      else
        row = row * parts[k] + chunk;
    }
    out.devices[{row, column}].push_back(device);
  }
  return out;
}

std::string tile_label(const std::vector<std::size_t>& devices) {
  std::string out;
  for (std::size_t k = 0; k < devices.size() && k + 1 < kMostDevices; ++k)
    out += fmt::format("{}{}", k != 0 ? "," : "", devices[k]);
  if (devices.size() >= kMostDevices)
    out += fmt::format("{}{}", devices.size() > kMostDevices ? "…" : ",", devices.back());
  return out;
}

/// The width on a terminal; "…" is one column but three bytes.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string border(const char* left, const char* between, const char* right, std::size_t cells, std::size_t width) {
  std::string out = left;
  for (std::size_t c = 0; c < cells; ++c) {
    for (std::size_t k = 0; k < width; ++k) out += "─";
    out += c + 1 < cells ? between : right;
  }
  return out + "\n";
}

}  // namespace

std::string partition_spec(const Layout& type, const Mesh& mesh) {
  std::string out;
  for (const auto& axes : type.dims) {
    std::string dim;
    for (const Factor& f : axes) dim += fmt::format("{}'{}'", dim.empty() ? "" : ", ", f.str(mesh));
    if (axes.empty()) dim = "None";
    if (axes.size() > 1) dim = "(" + dim + ")";
    out += (out.empty() ? "" : ", ") + dim;
  }
  return "P(" + out + ")";
}

Json shardings_json(const ModuleLayout& layout, const Names& names) {
  return {{"arguments", side_json(side(names.arguments, layout.global_arguments, layout.arguments), layout.mesh)},
          {"results", side_json(side(names.results, layout.global_results, layout.results), layout.mesh)}};
}

std::string drawn_tiles(const Layout& type, const Mesh& mesh, const Style& style) {
  const Tiles tiles = tiles_of(type, mesh);
  const std::size_t rows = std::min(tiles.rows, kMostTiles);
  std::size_t width = 0;
  for (const auto& [at, devices] : tiles.devices) width = std::max(width, columns_of(tile_label(devices)) + 2);
  // A tile and the line to its right; one line more on the left.
  const std::size_t room = std::max<std::size_t>((style.columns().value_or(~std::size_t{0}) - 1) / (width + 1), 1);
  const std::size_t columns = std::min({tiles.columns, kMostTiles, room});
  std::string out = border("┌", "┬", "┐", columns, width);
  for (std::size_t r = 0; r < rows; ++r) {
    out += "│";
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string label = " " + tile_label(tiles.devices.at({r, c}));
      out += style.part(r * tiles.columns + c, label + std::string(width - columns_of(label), ' ')) + "│";
    }
    out += "\n" + (r + 1 < rows ? border("├", "┼", "┤", columns, width) : border("└", "┴", "┘", columns, width));
  }
  if (rows < tiles.rows || columns < tiles.columns)
    out += fmt::format("the first {} x {} of {} x {} tiles\n", rows, columns, tiles.rows, tiles.columns);
  return out;
}

std::string shardings_text(const Partition& p, const Style& style) {
  const ModuleLayout layout =
      value_or_throw(module_layout(value_or_throw(read_module(p.stablehlo, "the partitioned module"))));
  const auto arguments = side(p.names.arguments, layout.global_arguments, layout.arguments);
  const auto results = side(p.names.results, layout.global_results, layout.results);
  std::string out =
      side_text("argument", arguments, layout.mesh, style) + "\n" + side_text("result", results, layout.mesh, style);
  // Each distinct sharding once, with the names of the values that have it.
  std::vector<std::pair<const Layout*, std::vector<std::string>>> distinct;
  for (const auto* values : {&arguments, &results}) {
    for (const Sharded& v : *values) {
      const auto it =
          std::find_if(distinct.begin(), distinct.end(), [&](const auto& d) { return *d.first == *v.sharding; });
      if (it != distinct.end())
        it->second.push_back(v.name);
      else if (!v.sharding->is_replicated())
        distinct.push_back({v.sharding, {v.name}});
    }
  }
  out += "\ntiles, with the devices that hold each; what is not drawn is replicated\n";
  for (const auto& [sharding, names] : distinct) {
    out += fmt::format("\n{}: {}{}\n", style.bold(sharding->str(layout.mesh)), names[0],
                       names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "");
    out += drawn_tiles(*sharding, layout.mesh, style);
  }
  return out;
}

}  // namespace partir
