// Fuzz target: any bytes, taken as a .npz file and as a single .npy array, are either read or rejected, and arrays that
// were read have data of the size of their type.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "semantics/npz.h"
#include "semantics/tensor.h"

namespace {

void ask(const partir::Literal& array) {
  if (array.bytes.size() != static_cast<std::size_t>(array.type.bytes())) {
    std::fprintf(stderr, "%zu bytes of %s\n", array.bytes.size(), array.type.str().c_str());
    std::abort();
  }
  if (partir::to_literal(partir::from_literal(array, partir::native_domain()))->type != array.type) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  if (const auto arrays = partir::parse_npz(content, "fuzz.npz")) {
    for (const auto& [name, array] : *arrays) ask(*array);
  }
  if (const auto array = partir::parse_npy({data, size}, "in_0", "fuzz.npz")) ask(**array);
  return 0;
}
