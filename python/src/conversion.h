// Converts between Python's objects and the library's.
#pragma once

#include <nanobind/nanobind.h>

#include <nlohmann/json.hpp>

#include "support/diagnostic.h"

namespace partir::python {

/// Returns a dict, list, str, int, float, bool or None.
nanobind::object to_python(const nlohmann::ordered_json& json);

/// Raises openpartir.errors.PartirError with the diagnostic's fields. Needs the GIL.
[[noreturn]] void raise(const Diagnostic& diagnostic);

/// Returns the value, or raises PartirError. Needs the GIL.
template <class T>
T value_or_raise(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}

}  // namespace partir::python
