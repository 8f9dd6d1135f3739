#include "support/check.h"

#include <fmt/format.h>

#include <string_view>

namespace partir {

void defect(const char* file, int line, const std::string& what) {
  std::string_view name(file);
  if (auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  throw DefectError(fmt::format("a defect of ours ({}:{}): {}", name, line, what));
}

}  // namespace partir
