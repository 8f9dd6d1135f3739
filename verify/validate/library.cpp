#include "verify/validate/library.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/continuity.h"
#include "ir/op_decl.h"
#include "verify/validate/fourier.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostSorted = 65536;  ///< most keys of a sort by values
constexpr std::size_t kMostCarried = 256;   ///< most keys of a sort of which other arrays are carried along

/// Whether they are plain and numbers. NaN has its own place in an order.
bool are_numbers(const std::vector<Element>& of, const Algebra& algebra) {
  return std::all_of(of.begin(), of.end(), [&](Element e) { return e.is_plain() && !algebra.may_be_nan(e); });
}

/// The results of a sort, as the elements of each rank. Nothing if there are too many.
std::optional<std::vector<Element>> sorted_by_keys(const LibraryCall& call, Algebra& algebra) {
  const std::vector<Element>& keys = call.arrays[0];
  const std::size_t most = call.result == 0 ? kMostSorted : kMostCarried;
  if (!call.descends || algebra.by_bits() || keys.empty() || keys.size() > most || !is_float(call.types[0]) ||
      !are_numbers(keys, algebra))
    return std::nullopt;
  const auto count = static_cast<std::int64_t>(keys.size());
  if (call.result > 0) return algebra.carried(keys, call.arrays[call.result], count, !*call.descends, call.types[0]);
  std::vector<Element> out = algebra.top_values(keys, count);
  if (!*call.descends) std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<Element> call_library(const LibraryCall& call, Algebra& algebra) {
  if (const auto out = fourier_transform(call, algebra)) return *out;
  if (const auto out = sorted_by_keys(call, algebra)) return *out;
  if (call.name == "top_k" && is_float(call.types.at(0)) && !call.dims.empty() &&
      are_numbers(call.arrays[0], algebra)) {
    return call.result == 0 ? algebra.top_values(call.arrays[0], call.dims[0])
                            : algebra.top_places(call.arrays[0], call.dims[0], call.types[0], call.type);
  }
  std::string record = fmt::format("{} result {}", call.name, call.result);
  std::vector<Element> args;
  std::int64_t count = 1;
  for (const std::int64_t d : call.dims) {
    record += fmt::format(" {}", d);
    count *= d;
  }
  for (std::size_t k = 0; k < call.arrays.size(); ++k) {
    record += fmt::format(" {}", name_of(call.types[k]));
    for (const std::int64_t d : call.shapes[k]) record += fmt::format("x{}", d);
    args.insert(args.end(), call.arrays[k].begin(), call.arrays[k].end());
  }
  // One unknown identifies the call, so that its long record is hashed only once.
  const Element whole[] = {algebra.opaque(record, ElementType::f64, args)};
  if (!is_total_library(call.name)) {
    std::vector<Element> deciding;
    for (std::size_t k = 0; k < call.arrays.size(); ++k) {
      if (k != call.linear) deciding.insert(deciding.end(), call.arrays[k].begin(), call.arrays[k].end());
    }
    algebra.note_partial(call.name, deciding);
  }
  std::vector<Element> out;
  for (std::int64_t k = 0; k < count; ++k)
    out.push_back(algebra.opaque(fmt::format("element {}", k), call.type, whole));
  return out;
}

}  // namespace partir::validate
