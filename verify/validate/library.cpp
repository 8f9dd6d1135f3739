#include "verify/validate/library.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/continuity.h"
#include "ir/op_decl.h"

namespace partir::validate {

std::vector<Element> call_library(const LibraryCall& call, Algebra& algebra) {
  if (call.name == "top_k" && is_float(call.types.at(0)) && !call.dims.empty() &&
      std::all_of(call.arrays[0].begin(), call.arrays[0].end(), [](Element e) { return e.is_plain(); })) {
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
