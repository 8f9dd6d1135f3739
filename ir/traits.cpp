#include "ir/traits.h"

#include <array>

namespace partir {

std::string_view name_of(CollectiveKind kind) {
  constexpr std::array<std::string_view, 7> names = {"all_gather",       "all_reduce",         "reduce_scatter",
                                                     "all_to_all",       "collective_permute", "collective_broadcast",
                                                     "collective_reduce"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace partir
