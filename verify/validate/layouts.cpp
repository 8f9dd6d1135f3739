// Chooses the mesh (requested, from the file, from annotations, or from the number of devices) and reads the layout of
// each argument and result from the first source that has one, the partitioned module before the source module.
#include "verify/validate/layouts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/json_text.h"

namespace partir::validate {

namespace {

constexpr std::int64_t kMostDevices = 1 << 20;

std::optional<std::int64_t> declared_count(const Module& module, const char* name) {
  const Attribute* a = find(module.attributes, name);
  const IntAttr* i = a != nullptr ? a->as<IntAttr>() : nullptr;
  return i != nullptr ? std::optional(i->value) : std::nullopt;
}

std::optional<std::string> string_of(const AttributeList& attributes, const char* name) {
  const Attribute* a = find(attributes, name);
  if (a == nullptr) return std::nullopt;
  if (const StringAttr* s = a->as<StringAttr>()) return s->value;
  return a->str();
}

/// One side of a function: its arguments or its results.
struct Side {
  std::vector<TensorType> types;
  std::vector<AttributeList> attributes;

  [[nodiscard]] const AttributeList& at(std::size_t k) const {
    static const AttributeList none;
    return k < attributes.size() ? attributes[k] : none;
  }
};

const TensorType& tensor_of(const Function& f, ValueId v) {
  if (!f.type(v).is_tensor())
    fail("unsupported", f.place, "an argument or result of type " + f.type(v).str(), "tensors of static shape");
  return f.tensor(v);
}

Side arguments_of(const Function& f) {
  Side out;
  for (const ValueId v : f.arguments()) out.types.push_back(tensor_of(f, v));
  out.attributes = f.argument_attributes;
  return out;
}
Side results_of(const Function& f) {
  Side out;
  for (const ValueId v : f.returned()) out.types.push_back(tensor_of(f, v));
  out.attributes = f.result_attributes;
  return out;
}

/// The items {a} and {b} of a sharding {{a},{b}} of several values; empty for the sharding of one value.
std::vector<std::string> tuple_items(const std::string& text) {
  std::vector<std::string> out;
  if (!text.starts_with("{{")) return out;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '{' && ++depth == 2) start = k;
    if (text[k] == '}' && depth-- == 2) out.push_back(text.substr(start, k - start + 1));
  }
  return out;
}

class LayoutReader {
 public:
  LayoutReader(const Module& source, const Module& partitioned, const std::optional<std::string>& file,
               const std::string& file_name, const std::optional<Mesh>& mesh)
      : source_(source), partitioned_(partitioned), file_(file), file_name_(file_name), asked_(mesh) {}

  Result<Layouts> read() {
    const auto s = source_.main();
    if (!s) return tl::unexpected(s.error());
    const auto p = partitioned_.main();
    if (!p) return tl::unexpected(p.error());
    const Side from[2] = {arguments_of(**s), results_of(**s)};
    const Side to[2] = {arguments_of(**p), results_of(**p)};
    for (int k = 0; k < 2; ++k) {
      if (from[k].types.size() != to[k].types.size())
        return wrong(fmt::format("{} {}", to[k].types.size(), k == 0 ? "arguments" : "results"),
                     fmt::format("{} as in the source", from[k].types.size()));
    }
    if (auto ok = read_meshes(from, to); !ok) return tl::unexpected(ok.error());
    for (int side = 0; side < 2; ++side) {
      for (std::size_t k = 0; k < from[side].types.size(); ++k) {
        auto layout = one(from[side], to[side], side, k);
        if (!layout) return tl::unexpected(layout.error());
        (side == 0 ? out_.padded_arguments : out_.padded_results)
            .push_back(padded_type(*layout, from[side].types[k], to[side], k));
        (side == 0 ? out_.arguments : out_.results).push_back(std::move(*layout));
      }
    }
    if (out_.from.empty()) out_.from = "shapes";
    return std::move(out_);
  }

 private:
  static tl::unexpected<Diagnostic> wrong(const std::string& found, const std::string& wanted) {
    return tl::unexpected(Diagnostic{"shardings", "", {}, found, wanted});
  }
  /// An error in the shardings file.
  [[nodiscard]] tl::unexpected<Diagnostic> wrong_at(const nlohmann::ordered_json& at, const std::string& found,
                                                    const std::string& wanted) const {
    const JsonSource source{*file_, file_name_, json_};
    return tl::unexpected(Diagnostic{"shardings", file_name_, source.place_of(at), found, wanted});
  }
  /// The text under a key or in a list of the shardings file.
  [[nodiscard]] Result<std::string> text_in_file(const nlohmann::ordered_json& value, const char* wanted) const {
    if (!value.is_string()) return wrong_at(value, shortened(value), wanted);
    return value.get<std::string>();
  }

  Result<void> read_meshes(const Side* from, const Side* to) {
    std::optional<Mesh> mesh = asked_;
    const auto parse = [&](const std::string& text) -> Result<void> {
      auto parsed = Mesh::parse(text);
      if (!parsed) return tl::unexpected(parsed.error());
      if (mesh && mesh->str() != parsed->str())
        return wrong(fmt::format("--mesh {} beside a mesh {}", mesh->str(), text), "one mesh: shardings name its axes");
      if (!mesh) mesh = *parsed;
      return {};
    };
    if (file_) {
      auto read = parse_json(*file_, file_name_);
      if (!read) return tl::unexpected(read.error());
      json_ = std::move(*read);
      if (!json_.is_object()) return wrong_at(json_, shortened(json_), "an object with \"arguments\" and \"results\"");
      for (const auto& [key, value] : json_.items()) {
        if (key != kSchemaKey && key != "mesh" && key != "arguments" && key != "results")
          return wrong_at(value, fmt::format("the key \"{}\"", key), "mesh, arguments or results");
      }
      for (const char* key : {"arguments", "results"}) {
        if (!json_.contains(key)) return wrong_at(json_, fmt::format("no \"{}\"", key), "a list of shardings");
        if (!json_.at(key).is_array()) return wrong_at(json_.at(key), shortened(json_.at(key)), "a list of shardings");
      }
      if (json_.contains("mesh")) {
        const auto text = text_in_file(json_.at("mesh"), "a mesh: \"batch=4,model=2\"");
        if (!text) return tl::unexpected(text.error());
        if (auto ok = parse(*text); !ok) {
          return wrong_at(json_.at("mesh"), ok.error().found, ok.error().wanted);
        }
      }
    }
    for (const Module* m : {&partitioned_, &source_}) {
      if (const std::string* text = frontend_attribute(m->attributes, "partir.mesh"); text != nullptr && !mesh) {
        if (auto ok = parse(*text); !ok) return ok;
      }
    }
    sdy_[0] = named_meshes(partitioned_);
    sdy_[1] = named_meshes(source_);
    for (const auto& meshes : sdy_) {
      for (const NamedMesh& m : meshes) {
        if (!mesh && m.device_ids.empty() && m.mesh.rank() != 0) mesh = m.mesh;
      }
    }
    for (const char* name : {"mhlo.num_replicas", "mhlo.num_partitions"}) {
      const std::int64_t count = declared_count(partitioned_, name).value_or(1);
      if (count < 1 || count > kMostDevices)
        return wrong(fmt::format("{} = {}", name, count), fmt::format("1 to {}", kMostDevices));
    }
    const std::int64_t replicas = declared_count(partitioned_, "mhlo.num_replicas").value_or(1);
    std::optional<std::int64_t> partitions = declared_count(partitioned_, "mhlo.num_partitions");
    std::vector<std::int64_t> shape;
    std::int64_t said = 0;
    for (const Side* sides : {to, from}) {
      for (int side = 0; side < 2; ++side) {
        for (std::size_t k = 0; k < sides[side].types.size(); ++k) {
          const auto text = string_of(sides[side].at(k), "mhlo.sharding");
          if (!text || mhlo_devices(*text) == 0) continue;
          said = std::max(said, mhlo_devices(*text));
          std::vector<std::int64_t> own;
          (void)mhlo_layout(*text, sides[side].types[k].rank(), Mesh({{"devices", mhlo_devices(*text)}}), &own);
          if (own.size() > shape.size()) shape = own;
        }
      }
    }
    // Otherwise the replica groups and pairs of collectives show how many devices there are.
    if (!mesh && said == 0 && partitions.value_or(1) == 1) said = largest_device() + 1;
    if (!mesh && !partitions) partitions = std::max<std::int64_t>(said / replicas, 1);
    if (!mesh) {
      const std::int64_t count = replicas * std::max(*partitions, said / replicas);
      std::int64_t all = 1;
      for (const std::int64_t d : shape) all *= d;
      std::vector<Mesh::AxisInfo> axes;
      if (!shape.empty() && all == count) {
        for (std::size_t d = 0; d < shape.size(); ++d) axes.push_back({fmt::format("axis_{}", d), shape[d]});
      } else {
        axes.push_back({"devices", count});
      }
      mesh = Mesh(axes);
    }
    if (!partitions) partitions = mesh->devices() / replicas;
    if (replicas * *partitions != mesh->devices())
      return wrong(fmt::format("mesh {} on {} devices", mesh->str(), replicas * *partitions),
                   "a mesh of as many devices");
    out_.mesh = *mesh;
    out_.devices = {replicas, *partitions};
    return {};
  }

  [[nodiscard]] std::int64_t largest_device() const {
    std::int64_t out = 0;
    for (const Function& f : partitioned_.functions) largest_in(f.body, out);
    return out;
  }
  static void largest_in(const Block& block, std::int64_t& out) {
    for (const Op& op : block.ops) {
      for (const char* name : {"replica_groups", "source_target_pairs"}) {
        const Attribute* a = find(op.attributes, name);
        const DenseAttr* dense = a != nullptr ? a->as<DenseAttr>() : nullptr;
        if (dense == nullptr || !is_integer(dense->literal->type.element)) continue;
        for (std::int64_t k = 0; k < dense->literal->type.elements(); ++k)
          out = std::max(out, dense->literal->as_int(dense->literal->splat ? 0 : k));
      }
      for (const Block& b : op.regions) largest_in(b, out);
    }
  }

  /// The type that a layout divides into the parts that devices hold of argument or result k: larger than the source's
  /// if the module states the source's shape as partir.shape.
  [[nodiscard]] TensorType padded_type(const Layout& layout, const TensorType& global, const Side& to,
                                       std::size_t k) const {
    TensorType out = to.types[k];
    if (frontend_attribute(to.at(k), "partir.shape") == nullptr || layout.dims.size() != global.rank()) return global;
    for (Dim d = 0; d < global.rank(); ++d) {
      out.dims[d] *= layout.parts(d, out_.mesh);
      if (out.dims[d] < global.dims[d]) return global;
    }
    return layout.local(global, out_.mesh) == Type(to.types[k]) ? global : out;
  }

  Result<Layout> one(const Side& from, const Side& to, int side, std::size_t k) {
    const TensorType& global = from.types[k];
    const TensorType& local = to.types[k];
    const std::string what = fmt::format("{} {}", side == 0 ? "argument" : "result", k);
    if (global.element != local.element || global.rank() != local.rank())
      return wrong(fmt::format("{} of type {}", what, local.str()),
                   fmt::format("the source's {} up to sizes", global.str()));
    const std::string* shape = frontend_attribute(to.at(k), "partir.shape");
    if (const std::string own = fmt::format("{}", fmt::join(global.dims, "x")); shape != nullptr && *shape != own)
      return wrong(fmt::format("{} with partir.shape = \"{}\"", what, *shape), fmt::format("the source's \"{}\"", own));
    const auto checked = [&](Layout p, const std::string& text, const char* origin) -> Result<Layout> {
      const Type part = p.local(padded_type(p, global, to, k), out_.mesh);
      if (part != Type(local)) {
        return wrong(fmt::format("{} of type {} sharded {} ({})", what, local.str(), text, p.str(out_.mesh)),
                     fmt::format("parts of {}, which are {}", global.str(), part.str()));
      }
      if (out_.from.empty()) out_.from = origin;
      return p;
    };
    const auto by_axes = [&](const std::string& text, const char* origin) -> Result<Layout> {
      auto layout = Layout::parse(text, out_.mesh, global.rank());
      if (!layout) return tl::unexpected(layout.error());
      return checked(std::move(*layout), text, origin);
    };
    if (file_) {
      const auto& list = json_.at(side == 0 ? "arguments" : "results");
      if (list.size() != from.types.size())
        return wrong_at(list, fmt::format("{} shardings of {}", list.size(), side == 0 ? "arguments" : "results"),
                        fmt::format("{}", from.types.size()));
      const auto text = text_in_file(list.at(k), "a sharding: \"[{batch}, {}]\"");
      if (!text) return tl::unexpected(text.error());
      auto layout = by_axes(*text, "--shardings");
      if (!layout) return wrong_at(list.at(k), layout.error().found, layout.error().wanted);
      return layout;
    }
    std::string silent;
    for (int m = 0; m < 2; ++m) {
      const Side& s = m == 0 ? to : from;
      if (const std::string* text = frontend_attribute(s.at(k), "partir.sharding"))
        return by_axes(*text, "partir.sharding");
      if (const auto text = string_of(s.at(k), "sdy.sharding")) {
        auto p = sdy_layout(*text, sdy_[m], global.rank(), out_.mesh);
        if (!p) return tl::unexpected(p.error());
        return checked(std::move(*p), *text, "sdy.sharding");
      }
      auto text = string_of(s.at(k), "mhlo.sharding");
      // A sharding of all results together is an attribute of the first.
      if (!text && side == 1) text = string_of(s.at(0), "mhlo.sharding");
      if (text && text->starts_with("{{")) {
        const auto items = tuple_items(*text);
        if (items.size() != from.types.size()) continue;
        text = items[k];
      } else if (text && side == 1 && k != 0 && !string_of(s.at(k), "mhlo.sharding")) {
        continue;
      }
      if (!text) continue;
      auto p = mhlo_layout(*text, global.rank(), out_.mesh, nullptr);
      if (!p) return tl::unexpected(p.error());
      if (*p) return checked(std::move(**p), *text, "mhlo.sharding");
      silent = *text;
    }
    if (global != local)
      return wrong(fmt::format("{} of type {} without a sharding", what, local.str()),
                   fmt::format("one that says which part of {} it is (--shardings)", global.str()));
    if (!silent.empty()) out_.taken_as_replicated.push_back(fmt::format("{} ({})", what, silent));
    return Layout::replicated(global.rank());
  }

  const Module& source_;
  const Module& partitioned_;
  const std::optional<std::string>& file_;
  const std::string& file_name_;
  std::optional<Mesh> asked_;
  nlohmann::ordered_json json_;
  std::vector<NamedMesh> sdy_[2];
  Layouts out_;
};

}  // namespace

Result<Layouts> layouts_of(const Module& source, const Module& partitioned, const std::optional<std::string>& file,
                           const std::optional<Mesh>& mesh, const std::string& file_name) {
  return LayoutReader(source, partitioned, file, file_name, mesh).read();
}

}  // namespace partir::validate
