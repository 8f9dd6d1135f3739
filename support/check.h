// Internal checks. They stay on in release builds; one that fails is a defect of ours, never the user's fault.
#pragma once

#include <stdexcept>
#include <string>

namespace partir {

class DefectError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void defect(const char* file, int line, const std::string& what);

}  // namespace partir

#define PARTIR_CHECK(condition, what)                             \
  do {                                                            \
    if (!(condition)) ::partir::defect(__FILE__, __LINE__, what); \
  } while (false)
