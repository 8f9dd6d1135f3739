// Helpers to partition programs with a loop and to check what lowering makes of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ir/text/print.h"
#include "lowering/emit.h"
#include "tests/partition_case.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir::testing {

inline std::string text(const PartitionCase& c) { return print_module(spmd_module(c.spmd, c.module)); }

inline std::string executed(const PartitionCase& c) { return executed_collectives(c.spmd.function).collectives.str(); }

/// Expects the partition to be proved for all inputs and to give the source's values on some.
inline void expect_right(const PartitionCase& c) {
  const Module emitted = stablehlo_module(c.spmd, c.module);
  const Module written = value_or_throw(read_module(print_module(emitted), "written"));
  const CertificateReport report =
      check_certificate(c.module, written, certificate_of(c.spmd, emitted, *c.state, **c.module.main()));
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason << text(c);
  const Judgement judgement = check_values(c.module, written);
  EXPECT_EQ(judgement.verdict, Verdict::passed) << judgement.reason << text(c);
}

/// Returns a function with a loop of five iterations over carried values; `body` may use the counter %i.
inline std::string loop(const std::string& arguments, const std::string& before, const std::string& carried,
                        const std::string& types, const std::string& body, const std::string& yields,
                        const std::string& results, const std::string& result_types) {
  return fmt::format(R"(
func.func @main({}) -> ({}) {{
  %start = stablehlo.constant dense<0> : tensor<i32>
{}
  %r:{} = stablehlo.while(%i = %start, {}) : tensor<i32>, {}
  cond {{
    %limit = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
{}
    stablehlo.return %next, {} : tensor<i32>, {}
  }}
  return {} : {}
}})",
                     arguments, result_types, before, 2 + std::count(carried.begin(), carried.end(), ','), carried,
                     types, body, yields, types, results, result_types);
}

}  // namespace partir::testing
