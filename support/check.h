// Internal consistency checks, which stay enabled in release builds. A failing check is a bug in OpenPartIR, never a
// user error (user errors are diagnostics, support/diagnostic.h).
#pragma once

#include <stdexcept>
#include <string>

namespace partir {

/// Thrown by a failing PARTIR_CHECK.
class DefectError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws a DefectError that names the source position.
[[noreturn]] void defect(const char* file, int line, const std::string& what);

}  // namespace partir

#define PARTIR_CHECK(condition, what)                             \
  do {                                                            \
    if (!(condition)) ::partir::defect(__FILE__, __LINE__, what); \
  } while (false)
