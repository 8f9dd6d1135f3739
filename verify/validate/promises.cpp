#include "verify/validate/promises.h"

#include <fmt/format.h>

#include <array>

#include "ir/op_decl.h"

namespace partir::validate {
namespace {

constexpr std::array<const char*, 3> kWanted = {
    "{} lists of indices are unique, as the program promises and the source does not",
    "{} lists of indices are sorted, as the program promises and the source does not",
    "{} sorts that are not stable meet no equal keys"};

struct Promises {
  std::array<std::size_t, kWanted.size()> count{};
  std::array<Place, kWanted.size()> first{};

  void note(std::size_t kind, Place place) {
    if (count[kind]++ == 0) first[kind] = place;
  }
};

bool says(const Op& op, const char* attribute, bool what) {
  const Attribute* a = find(op.attributes, attribute);
  return a != nullptr && a->str() == (what ? "true" : "false");
}

void collect_promises(const Block& block, Promises& out) {
  for (const Op& op : block.ops) {
    const std::string& name = op.name();
    if (says(op, "unique_indices", true)) out.note(0, op.place);
    if (says(op, "indices_are_sorted", true)) out.note(1, op.place);
    if (name == "stablehlo.sort" && !says(op, "is_stable", true)) out.note(2, op.place);
    for (const Block& inner : op.regions) collect_promises(inner, out);
  }
}

}  // namespace

std::vector<std::string> promises_beyond(const Function& source, const Function& partitioned) {
  Promises of_source;
  Promises of_partitioned;
  collect_promises(source.body, of_source);
  collect_promises(partitioned.body, of_partitioned);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < kWanted.size(); ++k) {
    if (of_partitioned.count[k] <= of_source.count[k]) continue;
    out.push_back(fmt::format(fmt::runtime(kWanted[k]), of_partitioned.count[k]) +
                  fmt::format(" (from line {})", of_partitioned.first[k].line));
  }
  return out;
}

}  // namespace partir::validate
