#include "ir/traits.h"

#include <algorithm>

namespace partir {
namespace {

// In the order of CollectiveKind.
constexpr CollectiveFacts kKinds[] = {
    {CollectiveKind::all_gather, "all_gather", Traffic::pass, 2, "{from} is tiled along {axes}; {to} takes it whole"},
    {CollectiveKind::all_reduce, "all_reduce", Traffic::two_passes, 0,
     "{from} gives partial values along {axes}; combined for {to}"},
    {CollectiveKind::reduce_scatter, "reduce_scatter", Traffic::pass, 7,
     "{from} gives partial values along {axes}; combined, and kept tiled, for {to}"},
    {CollectiveKind::all_to_all, "all_to_all", Traffic::exchange, 6,
     "{from} is tiled along {axes} in another dimension than {to} takes it"},
    // Chakra has no number for it: traces have sends and receives.
    {CollectiveKind::collective_permute, "collective_permute", Traffic::send, 0, "{from} moves along {axes} for {to}"},
    // Pipelined: each part passes through all members.
    {CollectiveKind::collective_broadcast, "collective_broadcast", Traffic::pass, 5, "{from} along {axes} for {to}"},
    {CollectiveKind::collective_reduce, "collective_reduce", Traffic::pass, 1, "{from} along {axes} for {to}"},
};

}  // namespace

std::span<const CollectiveFacts> collective_kinds() { return kKinds; }

const CollectiveFacts& facts_of(CollectiveKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string_view name_of(CollectiveKind kind) { return facts_of(kind).name; }

std::optional<CollectiveKind> collective_kind(std::string_view name) {
  const auto* it = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& k) { return k.name == name; });
  return it != std::end(kKinds) ? std::optional(it->kind) : std::nullopt;
}

}  // namespace partir
