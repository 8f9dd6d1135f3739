#include "python/src/conversion.h"

#include <nanobind/stl/string.h>

namespace partir::python {

namespace nb = nanobind;

nb::object to_python(const nlohmann::ordered_json& json) {
  using Kind = nlohmann::ordered_json::value_t;
  switch (json.type()) {
    case Kind::object: {
      nb::dict out;
      for (const auto& [key, value] : json.items()) out[nb::str(key.data(), key.size())] = to_python(value);
      return out;
    }
    case Kind::array: {
      nb::list out;
      for (const auto& value : json) out.append(to_python(value));
      return out;
    }
    case Kind::string: {
      const auto& text = json.get_ref<const std::string&>();
      return nb::str(text.data(), text.size());
    }
    case Kind::boolean: return nb::bool_(json.get<bool>());
    case Kind::number_integer: return nb::int_(json.get<std::int64_t>());
    case Kind::number_unsigned: return nb::int_(json.get<std::uint64_t>());
    case Kind::number_float: return nb::float_(json.get<double>());
    default: return nb::none();
  }
}

void raise(const Diagnostic& d) {
  const nb::object type = nb::module_::import_("openpartir.errors").attr("PartirError");
  const nb::object error =
      type(d.text(), nb::arg("code") = d.code, nb::arg("file") = d.file, nb::arg("line") = d.place.line,
           nb::arg("column") = d.place.column, nb::arg("found") = d.found, nb::arg("wanted") = d.wanted);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace partir::python
