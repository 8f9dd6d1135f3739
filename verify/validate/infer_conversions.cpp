// Inference of conversions: collectives and slices by device, which take a value from one layout to another.
#include <fmt/format.h>

#include <algorithm>

#include "verify/validate/inferring.h"

namespace partir::validate {

bool Inferring::convert(const Op& op) {
  const bool collective = op.decl->kind == OpDecl::Kind::collective;
  const bool slices =
      op.name() == "stablehlo.dynamic_slice" && !open_[op.operands[0].index()] &&
      std::all_of(op.operands.begin() + 1, op.operands.end(), [&](ValueId v) { return positions_.find(v) != nullptr; });
  if (!collective && !slices) return false;
  if (op.results.size() != 1) throw Unexplained{"converts several values"};
  const ValueId x = op.operands[0];
  if (open_[x.index()]) return convert_open(op);
  return convert_from(op, x, slices);
}

bool Inferring::convert_open(const Op& op) {
  const std::vector<Alternative> all = alternatives_of(op.operands[0]);
  if (all.empty()) throw Unexplained{"converts a value that depends on no argument"};
  std::string why = "converts a value whose type follows from its uses";
  for (const Alternative& a : all) {
    const auto v = copy_as(op.operands[0], a.source, a.type);
    if (!v) continue;
    Op own = op;
    own.operands[0] = *v;
    try {
      if (convert_from(own, *v, false)) return true;
    } catch (const Unexplained& u) {
      why = u.why;
    }
  }
  throw Unexplained{why};
}

bool Inferring::convert_from(const Op& op, ValueId x, bool slices) {
  const auto it = parts_.find(x);
  if (it == parts_.end()) throw Unexplained{"reads a value that is not explained"};
  const Part from = it->second;
  const Type& global = s_.type(from.source);
  for (const Layout& claimed : claims(op, from.type)) {
    if (claimed_step(op, from, claimed, global)) return true;
  }
  if (op.decl->collective.reduces()) throw Unexplained{not_pending(from)};
  const Converted c = converted(*w_, op, from.type, std::nullopt, global, mesh_, positions_);
  if (!c.wrong && claimed_step(op, from, c.layout, global)) return true;
  if (slices) return false;  // not by device: a slice at a known offset, which the source also contains
  throw Unexplained{c.wrong.value_or("gives a part of another type")};
}

bool Inferring::claimed_step(const Op& op, const Part& from, const Layout& claimed, const Type& global) {
  if (!is_layout_of(claimed, global, mesh_) || claimed.local(global, mesh_) != t_.type(op.results[0])) return false;
  if (converted(*w_, op, from.type, claimed, global, mesh_, positions_).wrong) return false;
  emit(op).types = {claimed.str(mesh_)};
  set_part(op.results[0], from.source, claimed);
  return true;
}

std::vector<Layout> Inferring::claims(const Op& op, const Layout& from) const {
  const Collective& exchange = op.decl->collective;
  std::vector<Layout> out;
  if (!exchange.reduces()) return out;
  const std::size_t n = from.pending.size();
  if (n > 6) return out;
  for (std::size_t set = 1; set < (std::size_t{1} << n); ++set) {
    Layout reduced = from;
    std::vector<Factor> axes;
    for (std::size_t k = 0; k < n; ++k) {
      if (((set >> k) & 1) == 0) continue;
      axes.push_back(from.pending[k].over);
      reduced.drop_pending(from.pending[k].over);
    }
    if (exchange.split == nullptr) {
      out.push_back(reduced);
      continue;
    }
    const Attribute* dim = find(op.attributes, exchange.split);
    const IntAttr* number = dim != nullptr ? dim->as<IntAttr>() : nullptr;
    if (number == nullptr || number->value < 0 || static_cast<std::size_t>(number->value) >= from.dims.size())
      return {};
    std::sort(axes.begin(), axes.end());
    do {
      Layout tiled = reduced;
      auto& list = tiled.dims[static_cast<std::size_t>(number->value)];
      list.insert(list.end(), axes.begin(), axes.end());
      out.push_back(std::move(tiled));
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  return out;
}

std::string Inferring::not_pending(const Part& from) const {
  return fmt::format(
      "reduces over groups of devices, or by a computation, for which its operand is not pending: that is {}",
      from.type.str(mesh_));
}

}  // namespace partir::validate
