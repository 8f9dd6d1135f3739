#include "ir/action.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace partir {
namespace {
struct MonoidRow {
  std::string_view name;
  std::string_view combiner;
};
constexpr std::array kMonoids = {MonoidRow{"sum", "stablehlo.add"},     MonoidRow{"prod", "stablehlo.multiply"},
                                 MonoidRow{"max", "stablehlo.maximum"}, MonoidRow{"min", "stablehlo.minimum"},
                                 MonoidRow{"and", "stablehlo.and"},     MonoidRow{"or", "stablehlo.or"}};

std::string actions_text(const std::vector<Action>& actions) {
  std::string out = "(";
  for (std::size_t i = 0; i < actions.size(); ++i) out += (i != 0 ? ", " : "") + actions[i].str();
  return out + ")";
}
}  // namespace

std::string_view name_of(Monoid monoid) { return kMonoids[static_cast<std::size_t>(monoid)].name; }
std::string_view combiner_of(Monoid monoid) { return kMonoids[static_cast<std::size_t>(monoid)].combiner; }

bool has_collective(Monoid monoid, ElementType element) {
  return (monoid != Monoid::conj && monoid != Monoid::disj) || element == ElementType::i1;
}

std::optional<Monoid> monoid_from(std::string_view name) {
  for (std::size_t i = 0; i < kMonoids.size(); ++i) {
    if (kMonoids[i].name == name) return static_cast<Monoid>(i);
  }
  return std::nullopt;
}

std::string Action::str() const {
  switch (kind) {
    case Kind::any: return "any";
    case Kind::tile: return fmt::format("#tile<{}>", dim);
    case Kind::partial: return fmt::format("#{}", name_of(monoid));
  }
  return "";
}

std::optional<Action> Action::parse(std::string_view text) {
  if (text == "any" || text == "#any") return any();
  if (text.starts_with("#tile<") && text.ends_with(">")) {
    const std::string_view digits = text.substr(6, text.size() - 7);
    Dim dim = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), dim);
    if (ec != std::errc() || end != digits.data() + digits.size() || dim > 64) return std::nullopt;
    return tile(dim);
  }
  if (!text.starts_with('#')) return std::nullopt;
  if (auto monoid = monoid_from(text.substr(1))) return partial(*monoid);
  return std::nullopt;
}

bool Entry::has_partial_operand() const {
  return std::any_of(operands.begin(), operands.end(), [](const Action& a) { return a.is_partial(); });
}

std::string Entry::str() const { return actions_text(operands) + " -> " + actions_text(results); }

}  // namespace partir
