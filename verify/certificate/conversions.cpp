#include "verify/certificate/conversions.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/op_decl.h"
#include "semantics/collectives.h"

namespace partir {
namespace {

using Wrong = std::optional<std::string>;

/// One conversion. Moves say where each device's part comes from; reductions go by the axes of the types.
class Conversion {
 public:
  Conversion(const Function& f, const Op& op, const Held& from, const std::optional<DistributedType>& claimed,
             const Type& global, const Mesh& mesh, const Positions& positions)
      : f_(f),
        op_(op),
        from_(from),
        claimed_(claimed),
        global_(global),
        mesh_(mesh),
        positions_(positions),
        to_(from) {}

  Converted run() {
    const std::string& name = op_.name();
    if (name == "stablehlo.all_reduce") return {"all-reduce", to_, reduces("")};
    if (name == "stablehlo.reduce_scatter") return {"reduce-scatter", to_, reduces("scatter_dimension")};
    if (name == "stablehlo.dynamic_slice") return moved("device-slice", slices());
    if (op_.operands.size() != 1) return {"", to_, "converts one value"};
    if (name == "stablehlo.all_gather") return moved("all-gather", gathers());
    if (name == "stablehlo.all_to_all") return moved("all-to-all", exchanges());
    if (name == "stablehlo.collective_permute") return moved("device-permute", permutes());
    return {"", to_, "is no operation that converts between distributed types"};
  }

 private:
  [[nodiscard]] Dim dim(const char* name) const {
    const Attribute* a = find(op_.attributes, name);
    const IntAttr* number = a != nullptr ? a->as<IntAttr>() : nullptr;
    return number == nullptr || number->value < 0 ? global_.rank() : static_cast<Dim>(number->value);
  }

  [[nodiscard]] std::vector<std::vector<std::int64_t>> groups() const {
    return process_groups(op_, Devices{1, mesh_.devices()});
  }

  // Reductions.

  /// An all_reduce; with `scattered`, a reduce_scatter along the dimension that this attribute names.
  Wrong reduces(const char* scattered) {
    if (!from_.type || !claimed_) return "reduces a value between distributed types";
    const DistributedType& before = *from_.type;
    std::vector<Axis> axes;
    const auto monoid = instance_of(f_, op_).monoid();
    for (const auto& held : before.partial) {
      if (std::find(claimed_->partial.begin(), claimed_->partial.end(), held) != claimed_->partial.end()) continue;
      if (monoid != held.second) return "does not reduce, by its computation, what its types say";
      axes.push_back(held.first);
    }
    if (axes.empty() || axes.size() + claimed_->partial.size() != before.partial.size())
      return "does not reduce what its types say";
    const Dim d = *scattered != 0 ? dim(scattered) : global_.rank();
    if (*scattered != 0 && d >= global_.rank()) return "scatters a dimension that is not there";
    for (Dim k = 0; k < global_.rank(); ++k) {
      if (k != d && claimed_->dims[k] != before.dims[k]) return "moves a tile that its reduction does not";
    }
    if (d < global_.rank()) {
      const auto& now = claimed_->dims[d];
      const auto& then = before.dims[d];
      if (now.size() != then.size() + axes.size() || !std::equal(then.begin(), then.end(), now.begin()) ||
          !std::is_permutation(axes.begin(), axes.end(), now.begin() + static_cast<std::ptrdiff_t>(then.size())))
        return "scatters along other axes than it reduces over";
      axes.assign(now.begin() + static_cast<std::ptrdiff_t>(then.size()), now.end());
    }
    auto got = groups();
    auto wanted = mesh_.groups(axes);
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    if (got != wanted) return "its replica groups are not those of the axes that its types name";
    to_ = Held::by(*claimed_, mesh_);
    return std::nullopt;
  }

  // Moves: each says, part by part, what the devices hold afterwards.

  Converted moved(const char* law, Wrong wrong) {
    to_.type = claimed_;
    if (!wrong && claimed_ && claimed_->partial != from_.partial)
      wrong = "a move changes nothing about what is partial";
    if (!wrong && claimed_ && !(DeviceLayout::of(*claimed_, mesh_) == to_.layout))
      wrong = "gives the devices other parts than its type says";
    return {law, to_, wrong};
  }

  Wrong slices() {
    const Type held = from_.layout.local(global_);
    const Attribute* sizes = find(op_.attributes, "slice_sizes");
    const IntsAttr* part = sizes != nullptr ? sizes->as<IntsAttr>() : nullptr;
    if (part == nullptr || part->values.size() != global_.rank() || op_.operands.size() != global_.rank() + 1)
      return "has another number of sizes or offsets";
    for (Dim d = 0; d < global_.rank(); ++d) {
      const std::int64_t size = part->values[d];
      const auto* offsets = positions_.find(op_.operands[d + 1]);
      if (offsets == nullptr) return fmt::format("the offset of dimension {} is no position of devices", d);
      if (size < 1 || global_->dims[d] % size != 0) return "slices a part whose size does not divide the dimension";
      to_.layout.parts[d] = global_->dims[d] / size;
      for (std::size_t p = 0; p < offsets->size(); ++p) {
        const std::int64_t at = (*offsets)[p];
        const std::int64_t start = from_.layout.chunk[d][p] * held->dims[d] + at;
        if (at + size > held->dims[d] || start % size != 0)
          return fmt::format("device {} slices dimension {} at {}, where no part of {} begins", p, d, at, size);
        to_.layout.chunk[d][p] = start / size;
      }
    }
    return std::nullopt;
  }

  /// Calls f(device, its place in the group) for groups whose devices hold consecutive parts of a dimension, in the
  /// group's order, and otherwise the same; every device stands in one.
  template <class F>
  Wrong in_groups(Dim d, std::int64_t& size, F&& f) {
    std::vector<bool> seen(static_cast<std::size_t>(mesh_.devices()), false);
    const auto list = groups();
    size = list.empty() ? 0 : static_cast<std::int64_t>(list[0].size());
    if (size == 0 || from_.layout.parts[d] % size != 0) return "groups whose size does not divide the number of parts";
    for (const auto& group : list) {
      if (static_cast<std::int64_t>(group.size()) != size) return "groups of several sizes";
      auto held = from_.layout.held_by(static_cast<std::size_t>(group[0]));
      if (held[d] % size != 0) return "its replica groups do not begin with the first of the parts they join";
      for (std::size_t k = 0; k < group.size(); ++k, ++held[d]) {
        const auto device = static_cast<std::size_t>(group[k]);
        if (from_.layout.held_by(device) != held)
          return "the devices of its replica groups do not hold, in their order, the parts that it joins";
        seen[device] = true;
        f(device, static_cast<std::int64_t>(k));
      }
    }
    if (std::find(seen.begin(), seen.end(), false) != seen.end()) return "a device stands in no replica group";
    to_.layout.parts[d] /= size;
    return std::nullopt;
  }

  Wrong gathers() {
    const Dim d = dim("all_gather_dim");
    if (d >= global_.rank()) return "gathers a dimension that is not there";
    std::int64_t size = 0;
    return in_groups(d, size, [&](std::size_t device, std::int64_t) { to_.layout.chunk[d][device] /= size; });
  }

  Wrong exchanges() {
    const Dim i = dim("concat_dimension");
    const Dim j = dim("split_dimension");
    if (i >= global_.rank() || j >= global_.rank() || i == j) return "exchanges dimensions that are not there";
    std::int64_t size = 0;
    const Wrong wrong = in_groups(i, size, [&](std::size_t device, std::int64_t k) {
      to_.layout.chunk[i][device] /= size;
      to_.layout.chunk[j][device] = to_.layout.chunk[j][device] * size + k;
    });
    if (wrong) return wrong;
    if (static_cast<std::int64_t>(dim("split_count")) != size) return "splits into another number than its groups have";
    to_.layout.parts[j] *= size;
    if (global_->dims[j] % to_.layout.parts[j] != 0) return "splits a dimension that does not divide";
    return std::nullopt;
  }

  Wrong permutes() {
    std::vector<bool> served(static_cast<std::size_t>(mesh_.devices()), false);
    for (const auto& pair : groups()) {
      const auto source = static_cast<std::size_t>(pair[0]);
      const auto target = static_cast<std::size_t>(pair[1]);
      served[target] = true;
      for (std::size_t d = 0; d < from_.layout.chunk.size(); ++d)
        to_.layout.chunk[d][target] = from_.layout.chunk[d][source];
    }
    if (std::find(served.begin(), served.end(), false) != served.end()) return "a device is sent nothing";
    return std::nullopt;
  }

  const Function& f_;
  const Op& op_;
  const Held& from_;
  const std::optional<DistributedType>& claimed_;
  const Type& global_;
  const Mesh& mesh_;
  const Positions& positions_;
  Held to_;
};

}  // namespace

bool is_type_of(const DistributedType& type, const Type& global, const Mesh& mesh) {
  if (type.dims.size() != global.rank()) return false;
  std::vector<Axis> seen;
  for (Dim d = 0; d < global.rank(); ++d) {
    std::int64_t size = global->dims[d];
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

Converted converted(const Function& function, const Op& op, const Held& from,
                    const std::optional<DistributedType>& claimed, const Type& global, const Mesh& mesh,
                    const Positions& positions) {
  try {
    return Conversion(function, op, from, claimed, global, mesh, positions).run();
  } catch (const UserError& error) {
    return {"", from, error.diagnostic().text()};
  }
}

}  // namespace partir
