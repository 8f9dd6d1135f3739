// Helpers to test the checker of certificates alone, on device-local modules and certificates written by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ir/text/read.h"
#include "verify/certificate/check.h"

namespace partir::testing {

/// Returns the attribute " {…}" that states the layout of an argument or a result of the device-local main.
inline std::string is_part(const std::string& type) {
  return " {mhlo.frontend_attributes = {partir.sharding = \"" + type + "\"}}";
}

/// Returns the text with the first occurrence of `what` replaced by `by`.
inline std::string with(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what << " is not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

inline std::string certificate_text(const std::string& mesh, const std::string& steps) {
  return R"({"format": "partir certificate 1", "mesh": ")" + mesh + R"(", "steps": [)" + steps + "]}";
}

/// Checks a hand-written device-local body and its steps against a source. `devices` is the number of partitions that
/// the module declares.
inline CertificateReport checked_on(const std::string& mesh, std::int64_t devices, const std::string& source,
                                    const std::string& body, const std::string& steps) {
  const std::string module = "module @m attributes {mhlo.frontend_attributes = {partir.mesh = \"" + mesh +
                             "\"}, mhlo.num_partitions = " + std::to_string(devices) +
                             " : i32, mhlo.num_replicas = 1 : i32} {" + body + "}";
  return check_certificate(value_or_throw(read_module(source, "source.mlir")),
                           value_or_throw(read_module(module, "spmd.mlir")),
                           value_or_throw(read_certificate(certificate_text(mesh, steps), "c")));
}

/// The same on two devices along axis a.
inline CertificateReport checked(const std::string& source, const std::string& body, const std::string& steps) {
  return checked_on("a=2", 2, source, body, steps);
}

inline void expect_proved(const CertificateReport& report) {
  EXPECT_EQ(report.verdict, Verdict::proved) << report.step << ": " << report.reason;
}

inline void expect_refused(const CertificateReport& report, const std::string& reason) {
  EXPECT_EQ(report.verdict, Verdict::refuted) << report.step << ": " << report.reason;
  EXPECT_NE(report.reason.find(reason), std::string::npos) << report.step << ": " << report.reason;
}

inline void expect_unknown(const CertificateReport& report, const std::string& reason) {
  EXPECT_EQ(report.verdict, Verdict::unknown) << report.step << ": " << report.reason;
  EXPECT_NE(report.reason.find(reason), std::string::npos) << report.step << ": " << report.reason;
}

}  // namespace partir::testing
