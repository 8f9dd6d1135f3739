// Tables that test the constraints of operations. Each row is a minimal module that breaks one constraint (or none) and
// the code of the diagnostic that is expected, which names the constraint as the specification does: "slice (C3)".
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ir/text/read.h"

namespace partir::testing {

inline void expect_verdict(const std::string& text, const std::string& code) {
  const auto read = read_module(text, "constraint.mlir");
  EXPECT_EQ(read ? "" : read.error().code, code) << text << (read ? "" : read.error().text());
  if (read || code.empty()) return;
  EXPECT_EQ(read.error().place.line, 2U) << text;
  EXPECT_GE(read.error().place.column, 3U) << text;
  EXPECT_FALSE(read.error().found.empty()) << text;
  EXPECT_FALSE(read.error().wanted.empty()) << text;
}

struct Row {
  const char* code;       ///< the diagnostic's code, "slice (C3)"; empty if the operation is well-formed
  const char* arguments;  ///< the function's parameter list
  std::string operation;  ///< the one operation in its body
};

inline void expect_verdicts(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    expect_verdict(std::string("func.func @main(") + row.arguments + ") {\n  " + row.operation + "\n  return\n}\n",
                   row.code);
  }
}

/// The values of a template's fields by name; the template's text refers to a field as "$name$". A Change overrides
/// some of them.
using Fields = std::vector<std::pair<std::string, std::string>>;

struct Change {
  const char* code;
  Fields changes;
};

inline std::string filled(std::string text, const Fields& fields) {
  for (const auto& [name, value] : fields) {
    const std::string key = "$" + name + "$";
    for (auto at = text.find(key); at != std::string::npos; at = text.find(key)) text.replace(at, key.size(), value);
  }
  return text;
}

inline void expect_verdicts(const std::string& form, const Fields& fields, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    Fields changed = fields;
    for (const auto& [name, value] : change.changes) {
      bool known = false;
      for (auto& field : changed) {
        if (field.first != name) continue;
        field.second = value;
        known = true;
      }
      EXPECT_TRUE(known) << name;
    }
    expect_verdict(filled(form, changed), change.code);
  }
}

}  // namespace partir::testing
