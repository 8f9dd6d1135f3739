// Fuzz target: for any module that the reader accepts, the interpreter either runs each function to its end within a
// budget or reports an error. It must not crash.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/text/read.h"
#include "semantics/host.h"
#include "semantics/interpreter.h"

namespace {

constexpr double kBudget = 1e5;
constexpr std::int64_t kMaxElements = 4096;  ///< elements of one argument

/// Returns random arguments; nullopt if a type is not a tensor, or too large.
std::optional<std::vector<partir::Tensor>> arguments_of(const partir::Function& f, const partir::Domain& domain) {
  std::vector<partir::Tensor> out;
  for (const partir::ValueId v : f.arguments()) {
    const partir::TensorType& type = f.type(v);
    if (!type.is_tensor() || type.element == partir::ElementType::index || type.elements() > kMaxElements)
      return std::nullopt;
    out.push_back(partir::random_tensor(type, 1, out.size(), domain));
  }
  return out;
}

void run(const partir::Module& module, const partir::Domain& domain) {
  for (const partir::Function& f : module.functions) {
    const auto arguments = arguments_of(f, domain);
    if (!arguments) continue;
    partir::Host host(domain, &module, kBudget);
    try {
      (void)partir::run_programs({&f}, {*arguments}, partir::Devices{}, domain, host);
    } catch (const partir::UserError&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto read = partir::read_module({reinterpret_cast<const char*>(data), size}, "fuzz.mlir");
  if (!read) return 0;
  const auto module = partir::inline_calls(std::move(*read));
  if (!module) return 0;
  run(*module, partir::native_domain());
  run(*module, partir::modular_domain());
  return 0;
}
