#include "ir/sharding/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "ir/sharding/digits.h"
#include "ir/sharding/shardy.h"
#include "ir/text/scanner.h"

namespace partir {
namespace {

class ManualReader {
 public:
  ManualReader(const Function& function, const Op& op) : f_(function), op_(op) {}

  ManualComputation run() {
    auto in = shardings("in_shardings", op_.operands.size());
    auto out = shardings("out_shardings", op_.results.size());
    NamedMesh mesh = !in.empty() ? in[0].mesh : !out.empty() ? out[0].mesh : NamedMesh{};
    read_manual_axes();
    choose_order(mesh);
    renumber(mesh);
    for (auto* list : {&in, &out}) {
      for (ShardySharding& s : *list) renumber(s.mesh);
    }
    DigitMesh digits(mesh.mesh.devices());
    for (const Mesh::AxisInfo& axis : mesh.mesh.axes()) {
      for (const DeviceDigit& d : digits_or_throw(mesh, {axis.name})) digits.name(axis.name, d);
    }
    for (const auto* list : {&in, &out}) {
      for (const ShardySharding& s : *list) {
        for (const ShardyDim& dim : s.dims) {
          for (const AxisReference& axis : manual_only(dim)) {
            for (const DeviceDigit& d : digits_or_throw(s.mesh, axis)) digits.need(d);
          }
        }
      }
    }
    if (auto ok = with_place(digits.finish()); !ok) throw UserError(ok.error());
    ManualComputation result;
    result.mesh = value_or_throw(with_place(digits.mesh().with_device_ids(order_)));
    if (op_.regions.size() != 1 || op_.regions[0].ops.empty()) wrong("no body", "one block");
    const Block& body = op_.regions[0];
    for (std::size_t k = 0; k < in.size(); ++k)
      result.operands.push_back(layout(digits, in[k], op_.operands[k], at(body.arguments, k)));
    for (std::size_t k = 0; k < out.size(); ++k)
      result.results.push_back(layout(digits, out[k], op_.results[k], at(body.ops.back().operands, k)));
    return result;
  }

 private:
  [[noreturn]] void wrong(std::string found, std::string wanted) const {
    fail("manual_computation", op_.place, std::move(found), std::move(wanted));
  }
  template <class T>
  Result<T> with_place(Result<T> result) const {
    if (!result) result.error().place = op_.place;
    return result;
  }

  std::vector<ShardySharding> shardings(const char* name, std::size_t count) const {
    const Attribute* a = find(op_.attributes, name);
    if (a == nullptr) wrong(fmt::format("no {}", name), "a sharding for each value");
    auto out = value_or_throw(with_place(read_shardy_shardings(a->str(), {})));
    if (out.size() != count) wrong(fmt::format("{} {}", out.size(), name), fmt::format("{}", count));
    return out;
  }

  /// Reads manual_axes, such as #sdy<manual_axes{"x", "y"}>.
  void read_manual_axes() {
    const Attribute* a = find(op_.attributes, "manual_axes");
    const std::string text = a != nullptr ? a->str() : "";
    text::Scanner s(text);
    if (!s.find("{")) wrong(text, "manual_axes={\"x\"}");
    while (!s.accept("}")) {
      if (s.accept(",")) continue;
      const auto name = s.quoted();
      if (!name) wrong(text, "manual_axes={\"x\"}");
      manual_.insert(std::string(*name));
    }
  }

  /// The manual axes of a dimension, which must precede (be major to) the free ones.
  [[nodiscard]] std::vector<AxisReference> manual_only(const ShardyDim& dim) const {
    std::vector<AxisReference> out;
    bool free = false;
    for (const AxisReference& axis : dim.axes) {
      if (!manual_.contains(axis.axis)) {
        free = true;
        continue;
      }
      if (free) wrong(fmt::format("the manual axis \"{}\" behind a free one", axis.axis), "manual axes first");
      out.push_back(axis);
    }
    return out;
  }

  /// Chooses the order of positions: device ids if the axes of the mesh are digits of them, else the order of the mesh.
  void choose_order(const NamedMesh& mesh) {
    order_.resize(static_cast<std::size_t>(mesh.mesh.devices()));
    std::iota(order_.begin(), order_.end(), 0);
    if (mesh.device_ids.empty()) return;
    (void)value_or_throw(with_place(mesh.mesh.with_device_ids(mesh.device_ids)));
    const auto& axes = mesh.mesh.axes();
    const bool digits = std::all_of(axes.begin(), axes.end(),
                                    [&](const Mesh::AxisInfo& a) { return digits_of(mesh, {a.name}).has_value(); });
    if (!digits) order_ = mesh.device_ids;
  }
  /// Expresses the device ids of a mesh as positions in the chosen order.
  void renumber(NamedMesh& mesh) const {
    if (mesh.device_ids.empty()) {
      mesh.device_ids.resize(static_cast<std::size_t>(mesh.mesh.devices()));
      std::iota(mesh.device_ids.begin(), mesh.device_ids.end(), 0);
    }
    (void)value_or_throw(with_place(mesh.mesh.with_device_ids(mesh.device_ids)));
    if (mesh.device_ids.size() != order_.size())
      wrong(fmt::format("meshes of {} and of {} devices", order_.size(), mesh.device_ids.size()), "one mesh");
    mesh.device_ids = seen_from(order_, mesh.device_ids);
  }

  [[nodiscard]] DeviceDigits digits_or_throw(const NamedMesh& mesh, const AxisReference& axis) const {
    return value_or_throw(with_place(digits_of(mesh, axis)));
  }

  [[nodiscard]] ValueId at(const std::vector<ValueId>& values, std::size_t k) const {
    if (k >= values.size()) wrong(fmt::format("a body with {} values", values.size()), "one for each sharding");
    return values[k];
  }

  [[nodiscard]] Layout layout(const DigitMesh& digits, const ShardySharding& sharding, ValueId global,
                              ValueId local) const {
    const Type& type = f_.type(global);
    if (!type.is_tensor() || sharding.dims.size() != type.rank())
      wrong(fmt::format("a sharding of {} dimensions of {}", sharding.dims.size(), type.str()),
            "one for each dimension");
    Layout out = Layout::replicated(type.rank());
    std::vector<std::int64_t> sizes = type->dims;
    std::set<Axis> used;
    for (Dim d = 0; d < sizes.size(); ++d) {
      for (const AxisReference& axis : manual_only(sharding.dims[d])) {
        for (const Axis a : digits.axes_of(digits_or_throw(sharding.mesh, axis))) {
          if (!used.insert(a).second) wrong("an axis twice in a sharding", "each axis once");
          out.dims[d].push_back(a);
          if (sizes[d] % digits.mesh().size(a) != 0)
            wrong(fmt::format("dimension {} of {}", d, type.str()), "a size that its manual axes divide");
          sizes[d] /= digits.mesh().size(a);
        }
      }
    }
    if (!(f_.type(local) == Type(type->with_dims(sizes))))
      wrong(fmt::format("a body with {}", f_.type(local).str()), fmt::format("{}", type->with_dims(sizes).str()));
    return out;
  }

  const Function& f_;
  const Op& op_;
  std::set<std::string> manual_;
  std::vector<std::int64_t> order_;  ///< the device id at each position
};

}  // namespace

bool is_manual_computation(const Op& op) { return op.name() == "sdy.manual_computation"; }

Result<ManualComputation> manual_computation_of(const Function& function, const Op& op) {
  try {
    return ManualReader(function, op).run();
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

std::optional<Diagnostic> divides_again(const Function& function, const Op& op) {
  const auto same = [&](const std::vector<ValueId>& outside, const std::vector<ValueId>& inside) {
    return std::equal(outside.begin(), outside.end(), inside.begin(), inside.end(),
                      [&](ValueId a, ValueId b) { return function.type(a) == function.type(b); });
  };
  const Block& body = op.regions[0];
  if (same(op.operands, body.arguments) && same(op.results, body.ops.back().operands)) return std::nullopt;
  return Diagnostic{"unsupported", "", op.place, "a manual computation inside another one, with a sharding of its own",
                    "one over the axes of both"};
}

}  // namespace partir
