// Helpers for the tests of SPMD and Core programs: tensors by hand, the text of collectives, random numbers.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "ir/text/read.h"
#include "semantics/interpreter.h"

namespace partir::testing {

/// Uniform in [low, high). RapidCheck's own ranges are narrow in its first cases, so the nominal size is used always.
template <class T>
T pick(T low, T high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

inline Module module_of(const std::string& text) {
  auto module = read_module(text, "spmd.mlir");
  if (module) return std::move(*module);
  ADD_FAILURE() << module.error().text() << "\n" << text;
  throw UserError(module.error());
}

inline Tensor tensor_of(const TensorType& type, const std::vector<double>& values) {
  Tensor out{type, {}};
  for (const double v : values) {
    Scalar s{};
    if (is_float(type.element)) {
      s.f = v;
    } else {
      s.i = static_cast<std::int64_t>(v);
    }
    out.data.push_back(s);
  }
  return out;
}

inline std::vector<double> values_of(const Tensor& t) {
  std::vector<double> out;
  for (const Scalar& s : t.data) out.push_back(native_domain().to_double(s, t.type->element));
  return out;
}

inline std::string groups_text(const std::vector<std::vector<std::int64_t>>& groups) {
  return fmt::format("replica_groups = dense<{}> : tensor<{}x{}xi64>", groups, groups.size(), groups.at(0).size());
}

constexpr const char* kFlattened =
    ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids";
constexpr const char* kChannel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";

inline std::string fold_of(const char* fn, const char* element) {
  const std::string t = fmt::format("tensor<{}>", element);
  return fmt::format("({{\n  ^bb0(%a: {0}, %b: {0}):\n    %s = {1} %a, %b : {0}\n    stablehlo.return %s : {0}\n  }})",
                     t, fn);
}

}  // namespace partir::testing
