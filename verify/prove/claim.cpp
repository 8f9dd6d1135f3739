#include "verify/prove/claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "ir/text/read.h"
#include "verify/prove/uneven.h"

namespace partir::prove {

bool Claim::allows(const Sizes& sizes) const {
  return std::all_of(where.begin(), where.end(), [&](const Condition& c) { return c.holds(sizes); });
}

bool Claim::is_for_one_device() const {
  return std::any_of(where.begin(), where.end(), [&](const Condition& c) {
    return std::any_of(tiled.begin(), tiled.end(), [&](const std::string& t) { return c.equal_number(t) == 1; });
  });
}

namespace {

/// Checks that collectives use only axes that the claim names. Throws UserError, since no choice of sizes makes that
/// right.
void check_axes(const Block& block, const Claim& claim) {
  find_op(block, [&](const Op& op) {
    const Attribute* axes = find(op.attributes, "axes");
    if (op.decl->kind != OpDecl::Kind::collective || axes == nullptr || axes->as<ArrayAttr>() == nullptr) return false;
    for (const Attribute& a : axes->as<ArrayAttr>()->items) {
      const StringAttr* name = a.as<StringAttr>();
      if (name == nullptr || std::find(claim.axes.begin(), claim.axes.end(), name->value) == claim.axes.end())
        fail("claim", claim.place, fmt::format("{} over axis '{}'", op.name(), name != nullptr ? name->value : ""),
             claim.is_rewrite ? "an axis of the rewrite" : "no collectives in an entry");
    }
    return false;
  });
}

/// Checks that the actions fit the types of arguments and results. Throws UserError, as check_axes does.
void check_actions(const Function& f, const Claim& claim) {
  if (claim.is_rewrite) return;
  if (f.arguments().size() != claim.arguments.size() || f.returned().size() != claim.results.size())
    fail("claim", claim.place, "actions for other arguments or results", "one for each");
  const auto fits = [&](const Action& action, const Type& type) {
    if (action.is_tile() && action.dim >= type.rank())
      fail("claim", claim.place, action.str() + " of " + type.str(), "a dimension of the type");
    const bool sums = action.monoid == Monoid::sum && type->element == ElementType::i1;
    if (action.is_partial() && !sums && !ops::combines(action.monoid, type->element))
      fail("claim", claim.place, action.str() + " of " + type.str(), "a type that it combines");
  };
  for (std::size_t k = 0; k < claim.arguments.size(); ++k) fits(claim.arguments[k], f.type(f.arguments()[k]));
  for (std::size_t k = 0; k < claim.results.size(); ++k) fits(claim.results[k], f.type(f.returned()[k]));
}

Result<Module> read_at(const SizedText& text, const Claim& claim, const Sizes& sizes) {
  try {
    auto module = read_module(text.at(sizes, claim.place), "");
    auto inlined = module ? inline_calls(std::move(*module)) : tl::unexpected(module.error());
    if (!inlined) inlined.error().place = claim.place;  // the place in the expanded text is meaningless to users
    return inlined;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<Module> program_at(const SizedText& text, const Claim& claim, const Sizes& sizes) {
  auto out = read_at(text, claim, sizes);
  if (out) {
    check_axes(out->functions.at(0).body, claim);
    check_actions(out->functions.at(0), claim);
  }
  return out;
}

}  // namespace

Result<Module> Claim::at(const Sizes& sizes) const {
  return uneven_entry != nullptr ? without_padding(*this, sizes) : program_at(program, *this, sizes);
}
Result<Module> Claim::target_at(const Sizes& sizes) const {
  return uneven_entry != nullptr ? with_padding(*this, sizes) : program_at(target, *this, sizes);
}

}  // namespace partir::prove
