#include "verify/certificate/conversions.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/op_decl.h"
#include "semantics/collectives.h"

namespace partir {
namespace {

using Wrong = std::optional<std::string>;

class Conversion {
 public:
  Conversion(const Function& f, const Op& op, const DistributedType& from, const DistributedType& to,
             const TensorType& global, const Mesh& mesh, const Positions& positions)
      : f_(f), op_(op), from_(from), to_(to), global_(global), mesh_(mesh), positions_(positions) {}

  ConversionLaw run() const {
    const std::string& name = op_.name();
    if (name == "stablehlo.dynamic_slice") return {"device-slice", slice()};
    if (op_.operands.size() != 1) return {"", "converts one value"};
    if (name == "stablehlo.all_reduce") return {"all-reduce", all_reduce()};
    if (name == "stablehlo.reduce_scatter") return {"reduce-scatter", reduce_scatter()};
    if (name == "stablehlo.all_gather") return {"all-gather", all_gather()};
    if (name == "stablehlo.all_to_all") return {"all-to-all", all_to_all()};
    if (name == "stablehlo.collective_permute") return {"device-permute", permute()};
    return {"", "is no operation that converts between distributed types"};
  }

 private:
  using Axes = std::vector<Axis>;

  /// The axes of `longer` behind `shorter`, major first; nothing where it does not start with it.
  static std::optional<Axes> behind(const Axes& shorter, const Axes& longer) {
    if (shorter.size() > longer.size() || !std::equal(shorter.begin(), shorter.end(), longer.begin()))
      return std::nullopt;
    return Axes(longer.begin() + static_cast<std::ptrdiff_t>(shorter.size()), longer.end());
  }

  /// All dimensions but these are tiled as before.
  [[nodiscard]] bool same_but(std::initializer_list<Dim> dims) const {
    for (Dim d = 0; d < from_.dims.size(); ++d) {
      if (std::find(dims.begin(), dims.end(), d) == dims.end() && from_.dims[d] != to_.dims[d]) return false;
    }
    return true;
  }

  [[nodiscard]] Dim dim(const char* name) const {
    const Attribute* a = find(op_.attributes, name);
    const IntAttr* number = a != nullptr ? a->as<IntAttr>() : nullptr;
    return number == nullptr || number->value < 0 ? global_.rank() : static_cast<Dim>(number->value);
  }

  [[nodiscard]] Wrong meets(const Axes& axes) const {
    auto groups = process_groups(op_, Devices{1, mesh_.devices()});
    auto wanted = mesh_.groups(axes);
    std::sort(groups.begin(), groups.end());
    std::sort(wanted.begin(), wanted.end());
    if (groups != wanted) return "its replica groups are not those of the axes that its types name";
    return std::nullopt;
  }

  /// The axes it reduces over; nothing where the partial axes of the types do not fit.
  [[nodiscard]] std::optional<Axes> reduced() const {
    Axes out;
    const auto monoid = instance_of(f_, op_).monoid();
    for (const auto& held : from_.partial) {
      if (std::find(to_.partial.begin(), to_.partial.end(), held) != to_.partial.end()) continue;
      if (monoid != held.second) return std::nullopt;
      out.push_back(held.first);
    }
    if (out.empty() || out.size() + to_.partial.size() != from_.partial.size()) return std::nullopt;
    return out;
  }

  [[nodiscard]] Wrong all_reduce() const {
    const auto axes = reduced();
    if (!axes) return "does not reduce, by its computation, what its types say";
    if (!same_but({})) return "an all_reduce moves no tile";
    return meets(*axes);
  }

  [[nodiscard]] Wrong reduce_scatter() const {
    const auto axes = reduced();
    if (!axes) return "does not reduce, by its computation, what its types say";
    const Dim d = dim("scatter_dimension");
    if (d >= global_.rank() || !same_but({d})) return "scatters another dimension than its types say";
    const auto added = behind(from_.dims[d], to_.dims[d]);
    if (!added || added->size() != axes->size() || !std::is_permutation(added->begin(), added->end(), axes->begin()))
      return "scatters along other axes than it reduces over";
    return meets(*added);
  }

  [[nodiscard]] Wrong all_gather() const {
    const Dim d = dim("all_gather_dim");
    if (d >= global_.rank() || !same_but({d}) || from_.partial != to_.partial)
      return "gathers another dimension than its types say";
    const auto removed = behind(to_.dims[d], from_.dims[d]);
    if (!removed || removed->empty()) return "gathers axes that are not the minor ones of the dimension";
    return meets(*removed);
  }

  [[nodiscard]] Wrong all_to_all() const {
    const Dim i = dim("concat_dimension");
    const Dim j = dim("split_dimension");
    if (i >= global_.rank() || j >= global_.rank() || i == j || !same_but({i, j}) || from_.partial != to_.partial)
      return "moves tiles between other dimensions than its types say";
    const auto removed = behind(to_.dims[i], from_.dims[i]);
    const auto added = behind(from_.dims[j], to_.dims[j]);
    if (!removed || !added || removed->empty() || *removed != *added)
      return "moves axes that are not the minor ones of both dimensions";
    std::int64_t count = 1;
    for (const Axis a : *removed) count *= mesh_.size(a);
    if (static_cast<std::int64_t>(dim("split_count")) != count) return "splits into another number than its types say";
    return meets(*removed);
  }

  /// Where a device's part of the value starts, in elements.
  static std::int64_t start(const DistributedType& type, const TensorType& local, Dim d, std::int64_t device,
                            const Mesh& mesh) {
    return type.chunk(d, DeviceId(static_cast<std::size_t>(device)), mesh) * local.dims[d];
  }

  [[nodiscard]] Wrong slice() const {
    if (from_.partial != to_.partial) return "a slice changes nothing about what is partial";
    const TensorType held = from_.local(global_, mesh_);
    const TensorType part = to_.local(global_, mesh_);
    const Attribute* sizes = find(op_.attributes, "slice_sizes");
    if (sizes == nullptr || sizes->as<IntsAttr>() == nullptr || sizes->as<IntsAttr>()->values != part.dims)
      return "slices another size than its types say";
    if (op_.operands.size() != global_.rank() + 1) return "has another number of offsets";
    for (Dim d = 0; d < global_.rank(); ++d) {
      if (!behind(from_.dims[d], to_.dims[d])) return "a slice only adds minor axes";
      const auto* offsets = positions_.find(op_.operands[d + 1]);
      if (offsets == nullptr) return fmt::format("the offset of dimension {} is no position of devices", d);
      for (std::int64_t p = 0; p < mesh_.devices(); ++p) {
        const std::int64_t wanted = start(to_, part, d, p, mesh_) - start(from_, held, d, p, mesh_);
        const std::int64_t got = (*offsets)[static_cast<std::size_t>(p)];
        if (got != wanted)
          return fmt::format("device {} slices dimension {} at {}, its part is at {}", p, d, got, wanted);
      }
    }
    return std::nullopt;
  }

  /// Every device gets, from one that is partial in the same way, the part that its new type says.
  [[nodiscard]] Wrong permute() const {
    if (from_.partial != to_.partial) return "a permute changes nothing about what is partial";
    const TensorType held = from_.local(global_, mesh_);
    const TensorType part = to_.local(global_, mesh_);
    if (held != part) return "a permute keeps the local shape";
    std::vector<bool> served(static_cast<std::size_t>(mesh_.devices()), false);
    for (const auto& pair : process_groups(op_, Devices{1, mesh_.devices()})) {
      const std::int64_t source = pair[0];
      const std::int64_t target = pair[1];
      served[static_cast<std::size_t>(target)] = true;
      for (Dim d = 0; d < global_.rank(); ++d) {
        if (start(from_, held, d, source, mesh_) != start(to_, part, d, target, mesh_))
          return fmt::format("device {} sends device {} a part that is not the one its type says", source, target);
      }
      for (const auto& [axis, monoid] : from_.partial) {
        const auto at = [&, a = axis](std::int64_t p) {
          return mesh_.coordinate(DeviceId(static_cast<std::size_t>(p)), a);
        };
        if (at(source) != at(target)) return "a partial value is permuted along an axis that it is partial over";
      }
    }
    if (std::find(served.begin(), served.end(), false) != served.end()) return "a device is sent nothing";
    return std::nullopt;
  }

  const Function& f_;
  const Op& op_;
  const DistributedType& from_;
  const DistributedType& to_;
  const TensorType& global_;
  const Mesh& mesh_;
  const Positions& positions_;
};

}  // namespace

bool is_type_of(const DistributedType& type, const TensorType& global, const Mesh& mesh) {
  if (type.dims.size() != global.rank()) return false;
  std::vector<Axis> seen;
  for (Dim d = 0; d < global.rank(); ++d) {
    std::int64_t size = global.dims[d];
    for (const Axis a : type.dims[d]) {
      seen.push_back(a);
      if (size % mesh.size(a) != 0) return false;
      size /= mesh.size(a);
    }
  }
  for (const auto& [axis, monoid] : type.partial) {
    seen.push_back(axis);
    if (monoid != type.partial[0].second) return false;
  }
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) == seen.end();
}

ConversionLaw conversion(const Function& function, const Op& op, const DistributedType& from, const DistributedType& to,
                         const TensorType& global, const Mesh& mesh, const Positions& positions) {
  try {
    return Conversion(function, op, from, to, global, mesh, positions).run();
  } catch (const UserError& error) {
    return {"", error.diagnostic().text()};
  }
}

}  // namespace partir
