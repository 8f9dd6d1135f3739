#include "lowering/verify_spmd.h"

#include <fmt/format.h>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "support/checked.h"

namespace partir {
namespace {

class SpmdVerifier {
 public:
  explicit SpmdVerifier(const SpmdProgram& program) : p_(program), f_(program.function) {}

  Result<void> run() {
    if (p_.layouts.size() > f_.types.size()) return wrong({}, "more layouts than values");
    for (std::size_t v = 0; v < p_.layouts.size(); ++v) {
      if (auto ok = layout(ValueId(v)); !ok) return ok;
    }
    Result<void> out;
    for_each_op(f_.body, [&](const Op& op) {
      if (out && op.decl->collective.expands_to != nullptr) out = collective(op);
    });
    return out ? verify_function(f_) : out;
  }

 private:
  static Result<void> wrong(Place place, std::string found, std::string wanted = "a program that the lowering writes") {
    return tl::unexpected(Diagnostic{"spmd", "", place, std::move(found), std::move(wanted)});
  }

  Result<void> layout(ValueId v) const {
    const Layout& layout = p_.layouts[v.index()];
    const std::string text = layout.str(p_.mesh);
    if (layout.is_replicated()) return {};
    if (layout.dims.size() != f_.type(v).rank())
      return wrong({}, fmt::format("{} of {}", text, f_.type(v).str()), "a list of axes for each dimension");
    return layout.fits(f_.type(v), p_.mesh) ? Result<void>() : wrong({}, text, "each axis once");
  }

  /// Number of devices in a group of the collective.
  [[nodiscard]] std::int64_t group(const Op& op) const {
    if (const Attribute* groups = find(op.attributes, "replica_groups"))
      return groups->as<DenseAttr>()->literal->type.dims[1];
    if (const Attribute* size = find(op.attributes, "size")) return size->as<IntAttr>()->value;
    std::int64_t n = 1;
    for (const Attribute& name : find(op.attributes, "axes")->as<ArrayAttr>()->items) {
      const auto axis = p_.mesh.find(name.as<StringAttr>()->value);
      n = axis ? n * p_.mesh.size(*axis) : 0;
    }
    return n;
  }

  [[nodiscard]] Result<void> collective(const Op& op) const {
    const Collective& how = op.decl->collective;
    const std::int64_t n = group(op);
    if (n < 1) return wrong(op.place, op.name(), "axes of the mesh " + p_.mesh.str());
    TensorType want = f_.tensor(op.operands[0]);
    const auto dim = [&](const char* key) { return static_cast<Dim>(find(op.attributes, key)->as<IntAttr>()->value); };
    if (how.join != nullptr) {
      const auto size = checked_multiply(want.dims.at(dim(how.join)), n);
      if (!size) return wrong(op.place, op.name(), "a size that does not overflow");
      want.dims[dim(how.join)] = *size;
    }
    if (how.split != nullptr) {
      std::int64_t& size = want.dims.at(dim(how.split));
      if (size % n != 0)
        return wrong(op.place, f_.type(op.operands[0]).str(), fmt::format("a size that {} divides", n));
      size /= n;
    }
    if (f_.type(op.results[0]) == Type(want)) return {};
    return wrong(op.place, fmt::format("{} gives {}", op.name(), f_.type(op.results[0]).str()), want.str());
  }

  const SpmdProgram& p_;
  const Function& f_;
};

}  // namespace

Result<void> verify_spmd(const SpmdProgram& program) { return SpmdVerifier(program).run(); }

}  // namespace partir
