// Moves (slices, gathers, exchanges, permutes) are followed device by device: which chunk each device holds before and
// after. Reductions are compared with the mesh axes that the layouts name.
#include "verify/certificate/conversions.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/op_decl.h"
#include "semantics/collectives.h"

namespace partir {
namespace {

using Wrong = std::optional<std::string>;

/// The chunk of each dimension that each device holds and, after the dimensions, the addend that it holds for each
/// factor that a reduction is pending over. Tracking addends like chunks rejects moves that would mix them.
struct Chunks {
  std::vector<std::int64_t> parts;
  std::vector<std::vector<std::int64_t>> chunk;  ///< [dimension, then pending factor][device]

  Chunks(const Layout& layout, const Mesh& mesh) {
    for (Dim d = 0; d < layout.dims.size(); ++d) {
      parts.push_back(layout.parts(d, mesh));
      chunk.push_back(layout.chunks(d, mesh));
    }
    for (const Pending& p : layout.pending) {
      const Layout over{{{p.over}}};
      parts.push_back(over.parts(0, mesh));
      chunk.push_back(over.chunks(0, mesh));
    }
  }

  /// The layout in which the devices hold these chunks, with the pending reductions of `from`.
  [[nodiscard]] Layout layout(const Layout& from, const Mesh& mesh) const {
    const auto rank = static_cast<std::ptrdiff_t>(from.dims.size());
    Layout out = Layout::of_chunks({parts.begin(), parts.begin() + rank}, {chunk.begin(), chunk.begin() + rank}, mesh);
    for (std::size_t k = 0; k < from.pending.size(); ++k) {
      const Pending& p = from.pending[k];
      const std::vector<std::int64_t>& now = chunk[from.dims.size() + k];
      const bool stays = Layout{{{p.over}}}.chunks(0, mesh) == now;
      out.add_pending(stays ? p.over : Factor::listed(now, p.over.size(mesh)), p.monoid);
    }
    return out;
  }

  /// The device's chunk of each dimension and pending factor.
  [[nodiscard]] std::vector<std::int64_t> held_by(std::size_t device) const {
    std::vector<std::int64_t> out;
    for (const auto& dim : chunk) out.push_back(dim[device]);
    return out;
  }
};

/// Checks one conversion. Moves are followed by each device's part; reductions by the axes of the layouts.
class ConversionSteps {
 public:
  ConversionSteps(const Function& f, const Op& op, const Layout& from, const std::optional<Layout>& claimed,
                  const Type& global, const Mesh& mesh, const Positions& positions)
      : f_(f),
        op_(op),
        from_(from),
        claimed_(claimed),
        global_(global),
        mesh_(mesh),
        positions_(positions),
        before_(from, mesh),
        after_(before_) {}

  Converted run() {
    const std::string& name = op_.name();
    if (name == "stablehlo.all_reduce") return reduced("all-reduce", "");
    if (name == "stablehlo.reduce_scatter") return reduced("reduce-scatter", "scatter_dimension");
    if (name == "stablehlo.dynamic_slice") return moved("device-slice", slices());
    if (op_.operands.size() != 1) return {"", from_, "converts one value"};
    if (name == "stablehlo.all_gather") return moved("all-gather", gathers());
    if (name == "stablehlo.all_to_all") return moved("all-to-all", exchanges());
    if (name == "stablehlo.collective_permute") return moved("device-permute", permutes());
    return {"", from_, "is no operation that converts between layouts"};
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

  Converted reduced(const char* law, const char* scattered) {
    Wrong wrong = reduces(scattered);
    return {law, wrong ? from_ : *claimed_, std::move(wrong)};
  }

  /// Checks an all_reduce, or, if `scattered` is not empty, a reduce_scatter along the dimension in that attribute.
  Wrong reduces(const char* scattered) {
    if (!claimed_ || !from_.is_by_axes() || !claimed_->is_by_axes()) return "reduces a value that does not lie by axes";
    const Layout& before = from_;
    std::vector<Factor> axes;
    const auto monoid = instance_of(f_, op_).monoid();
    for (const Pending& held : before.pending) {
      if (std::find(claimed_->pending.begin(), claimed_->pending.end(), held) != claimed_->pending.end()) continue;
      if (monoid != held.monoid) return "does not reduce, by its computation, what its types say";
      axes.push_back(held.over);
    }
    if (axes.empty() || axes.size() + claimed_->pending.size() != before.pending.size())
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
    std::vector<Axis> over;
    for (const Factor& f : axes) over.push_back(f.axis());
    auto wanted = mesh_.groups(over);
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    if (got != wanted) return "its replica groups are not those of the axes that its types name";
    return std::nullopt;
  }

  // Moves: each updates `after_`, the chunks that the devices hold afterwards.

  Converted moved(const char* law, Wrong wrong) {
    if (wrong) return {law, from_, wrong};
    const Layout layout = after_.layout(from_, mesh_);
    if (!claimed_) return {law, layout, std::nullopt};
    if (claimed_->pending != from_.pending) return {law, layout, "a move changes nothing about what is partial"};
    if (!same_parts(*claimed_, layout, mesh_)) return {law, layout, "gives the devices other parts than its type says"};
    return {law, *claimed_, std::nullopt};
  }

  Wrong slices() {
    const Type held = from_.local(global_, mesh_);
    const Attribute* sizes = find(op_.attributes, "slice_sizes");
    const IntsAttr* part = sizes != nullptr ? sizes->as<IntsAttr>() : nullptr;
    if (part == nullptr || part->values.size() != global_.rank() || op_.operands.size() != global_.rank() + 1)
      return "has another number of sizes or offsets";
    for (Dim d = 0; d < global_.rank(); ++d) {
      const std::int64_t size = part->values[d];
      if (size == 0 && global_->dims[d] == 0) continue;  // every device holds all of an empty dimension
      const auto* offsets = positions_.find(op_.operands[d + 1]);
      if (offsets == nullptr) return fmt::format("the offset of dimension {} is no position of devices", d);
      if (size < 1 || global_->dims[d] % size != 0) return "slices a part whose size does not divide the dimension";
      after_.parts[d] = global_->dims[d] / size;
      for (std::size_t p = 0; p < offsets->size(); ++p) {
        const std::int64_t at = (*offsets)[p];
        const std::int64_t start = before_.chunk[d][p] * held->dims[d] + at;
        if (at + size > held->dims[d] || start % size != 0)
          return fmt::format("device {} slices dimension {} at {}, where no part of {} begins", p, d, at, size);
        after_.chunk[d][p] = start / size;
      }
    }
    return std::nullopt;
  }

  /// Calls f(device, its position in its group). Requires that every device is in a group, and that the devices of a
  /// group hold consecutive chunks of dimension `d`, in the group's order and beginning at a multiple of the group
  /// size, and the same chunks otherwise. Sets `size` to the group size.
  template <class F>
  Wrong in_groups(Dim d, std::int64_t& size, F&& f) {
    std::vector<bool> seen(static_cast<std::size_t>(mesh_.devices()), false);
    const auto list = groups();
    size = list.empty() ? 0 : static_cast<std::int64_t>(list[0].size());
    if (size == 0 || before_.parts[d] % size != 0) return "groups whose size does not divide the number of parts";
    for (const auto& group : list) {
      if (static_cast<std::int64_t>(group.size()) != size) return "groups of several sizes";
      auto held = before_.held_by(static_cast<std::size_t>(group[0]));
      if (held[d] % size != 0) return "its replica groups do not begin with the first of the parts they join";
      for (std::size_t k = 0; k < group.size(); ++k, ++held[d]) {
        const auto device = static_cast<std::size_t>(group[k]);
        if (before_.held_by(device) != held)
          return "the devices of its replica groups do not hold, in their order, the parts that it joins";
        seen[device] = true;
        f(device, static_cast<std::int64_t>(k));
      }
    }
    if (std::find(seen.begin(), seen.end(), false) != seen.end()) return "a device stands in no replica group";
    after_.parts[d] /= size;
    return std::nullopt;
  }

  Wrong gathers() {
    const Dim d = dim("all_gather_dim");
    if (d >= global_.rank()) return "gathers a dimension that is not there";
    std::int64_t size = 0;
    return in_groups(d, size, [&](std::size_t device, std::int64_t) { after_.chunk[d][device] /= size; });
  }

  Wrong exchanges() {
    const Dim i = dim("concat_dimension");
    const Dim j = dim("split_dimension");
    if (i >= global_.rank() || j >= global_.rank() || i == j) return "exchanges dimensions that are not there";
    std::int64_t size = 0;
    const Wrong wrong = in_groups(i, size, [&](std::size_t device, std::int64_t k) {
      after_.chunk[i][device] /= size;
      after_.chunk[j][device] = after_.chunk[j][device] * size + k;
    });
    if (wrong) return wrong;
    if (static_cast<std::int64_t>(dim("split_count")) != size) return "splits into another number than its groups have";
    after_.parts[j] *= size;
    if (global_->dims[j] % after_.parts[j] != 0) return "splits a dimension that does not divide";
    return std::nullopt;
  }

  Wrong permutes() {
    std::vector<bool> served(static_cast<std::size_t>(mesh_.devices()), false);
    for (const auto& pair : groups()) {
      const auto source = static_cast<std::size_t>(pair[0]);
      const auto target = static_cast<std::size_t>(pair[1]);
      served[target] = true;
      for (std::size_t d = 0; d < before_.chunk.size(); ++d) after_.chunk[d][target] = before_.chunk[d][source];
    }
    if (std::find(served.begin(), served.end(), false) != served.end()) return "a device is sent nothing";
    return std::nullopt;
  }

  const Function& f_;
  const Op& op_;
  const Layout& from_;
  const std::optional<Layout>& claimed_;
  const Type& global_;
  const Mesh& mesh_;
  const Positions& positions_;
  const Chunks before_;
  Chunks after_;
};

}  // namespace

bool is_layout_of(const Layout& layout, const Type& global, const Mesh& mesh) {
  return layout.fits(global, mesh) && layout.halos.empty() && !layout.only &&
         (!global.is_tensor() || layout.divides(*global, mesh));
}

Converted converted(const Function& function, const Op& op, const Layout& from, const std::optional<Layout>& claimed,
                    const Type& global, const Mesh& mesh, const Positions& positions) {
  try {
    return ConversionSteps(function, op, from, claimed, global, mesh, positions).run();
  } catch (const UserError& error) {
    return {"", from, error.diagnostic().text()};
  }
}

}  // namespace partir
