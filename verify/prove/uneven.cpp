#include "verify/prove/uneven.h"

#include "ir/builder.h"
#include "ir/cloner.h"

namespace partir::prove {
namespace {

std::string padding_symbol(const std::string& symbol) { return symbol + "_padding"; }

Sizes padded(const Claim& law, Sizes sizes) {
  for (const std::string& s : law.uneven_entry->tiled) sizes[s] += sizes.at(padding_symbol(s));
  return sizes;
}

/// The first elements of each dimension of x, as many as `type` has.
ValueId first_elements(Builder& b, ValueId x, const Type& type) {
  if (!type.is_tensor() || b.function().type(x) == type) return x;
  return b.slice(x, std::vector<std::int64_t>(type.rank(), 0), type->dims);
}

/// A function of padded arguments: it applies `body` to their beginnings, and returns the beginnings of its results.
Result<Module> applied(const Function& arguments, Module body, const Function& results) {
  const Function& from = body.functions.at(0);
  Function out = signature_of(from);
  Builder b(out, out.body);
  Cloner cloner(from, out);
  std::vector<ValueId> padded;
  for (const ValueId v : arguments.arguments()) padded.push_back(b.argument(arguments.type(v)));
  for (std::size_t k = 0; k < padded.size(); ++k) {
    const Type& own = from.type(from.arguments()[k]);
    const Type& held = arguments.type(arguments.arguments()[k]);
    if (own.rank() != held.rank())
      return tl::unexpected(Diagnostic{"claim", "", from.place, held.str(), "an argument of one rank at all sizes"});
    cloner.map(from.arguments()[k], first_elements(b, padded[k], own));
  }
  for (std::size_t k = 0; k + 1 < from.body.ops.size(); ++k) b.append(cloner.op(from.body.ops[k]));
  std::vector<ValueId> returned;
  for (std::size_t k = 0; k < from.returned().size(); ++k)
    returned.push_back(first_elements(b, cloner.at(from.returned()[k]), results.type(results.returned().at(k))));
  b.give(returned);
  body.functions.at(0) = std::move(out);
  return body;
}

}  // namespace

Claim padding_law(const Claim& entry) {
  Claim out;
  out.name = entry.name;
  out.place = entry.place;
  out.is_rewrite = true;
  out.symbols = entry.symbols;
  for (const std::string& s : entry.tiled) out.symbols.push_back(padding_symbol(s));
  out.where = entry.where;
  out.whole.assign(entry.arguments.size(), true);
  auto copy = std::make_shared<Claim>(entry);
  copy->uneven = false;
  out.uneven_entry = std::move(copy);
  return out;
}

Result<Module> without_padding(const Claim& law, const Sizes& sizes) {
  auto own = law.uneven_entry->at(sizes);
  if (!own) return own;
  const auto held = law.uneven_entry->at(padded(law, sizes));
  if (!held) return held;
  const Function results = own->functions.at(0);
  return applied(held->functions.at(0), std::move(*own), results);
}

Result<Module> with_padding(const Claim& law, const Sizes& sizes) {
  const auto own = law.uneven_entry->at(sizes);
  if (!own) return own;
  auto held = law.uneven_entry->at(padded(law, sizes));
  if (!held) return held;
  const Function arguments = held->functions.at(0);
  return applied(arguments, std::move(*held), own->functions.at(0));
}

}  // namespace partir::prove
