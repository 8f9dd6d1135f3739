#include "verify/validate/promises.h"

#include <fmt/format.h>

#include <array>

#include "ir/op_decl.h"

namespace partir::validate {
namespace {

constexpr std::array<const char*, 4> kWanted = {
    "{} lists of indices are unique, as the program promises and the source does not",
    "{} lists of indices are sorted, as the program promises and the source does not",
    "{} sorts that are not stable meet no equal keys",
    "{} operations look at the bits of floats that are the source's to the bit, whatever the order of sums"};

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

void collect_promises(const Function& f, const Block& block, Promises& out) {
  for (const Op& op : block.ops) {
    const std::string& name = op.name();
    const auto is_number = [&](ValueId v) {
      return f.type(v).is_tensor() && (is_float(f.type(v)->element) || is_complex(f.type(v)->element));
    };
    if (says(op, "unique_indices", true)) out.note(0, op.place);
    if (says(op, "indices_are_sorted", true)) out.note(1, op.place);
    if (name == "stablehlo.sort" && !says(op, "is_stable", true)) out.note(2, op.place);
    const bool bits = name == "stablehlo.is_finite" || name == "chlo.next_after" ||
                      (name == "stablehlo.bitcast_convert" && is_number(op.operands[0]) && !is_number(op.results[0]));
    if (bits) out.note(3, op.place);
    for (const Block& inner : op.regions) collect_promises(f, inner, out);
  }
}

}  // namespace

std::vector<std::string> promises_beyond(const Function& source, const Function& partitioned) {
  Promises of_source;
  Promises of_partitioned;
  collect_promises(source, source.body, of_source);
  collect_promises(partitioned, partitioned.body, of_partitioned);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < kWanted.size(); ++k) {
    // Bits are the source's only where sums are in its order, whoever looks at them.
    if (of_partitioned.count[k] == 0 || (k != 3 && of_partitioned.count[k] <= of_source.count[k])) continue;
    out.push_back(fmt::format(fmt::runtime(kWanted[k]), of_partitioned.count[k]) +
                  fmt::format(" (from line {})", of_partitioned.first[k].line));
  }
  return out;
}

}  // namespace partir::validate
