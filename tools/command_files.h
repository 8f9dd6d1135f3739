// The input and output files of one command, checked before any work is done: no output overwrites an input, and at
// most one output goes to standard output.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace partir {

/// Example, for `partition A.mlir --schedule S -o OUT --json -`:
///   CommandFiles files;
///   files.reads(a.program); files.reads(a.schedule); files.writes("-o", a.output); files.writes("--json", json);
///   if (auto ok = files.check(); !ok) …
///   fmt::print(files.people(), …);      standard error here, because standard output is the JSON
class CommandFiles {
 public:
  void reads(const std::string& path);
  void reads(const std::optional<std::string>& path);
  /// A program and its names: the file `names` or, without it, the one beside the program (tools/inputs.h).
  void reads_program(const std::string& program, const std::optional<std::string>& names);
  void writes(const char* option, const std::string& path);  ///< empty: no output
  void writes(const char* option, const std::optional<std::string>& path);

  /// Errors: an output that cannot be written, or that is an input or another output; several outputs to standard
  /// output; several inputs from standard input. The error code is "output" if --json itself cannot be written; --json
  /// must be declared last.
  [[nodiscard]] Result<void> check() const;

  /// The stream for human-readable text: standard error if an output goes to standard output, else standard output.
  [[nodiscard]] std::FILE* people() const;

 private:
  struct Output {
    std::string option;
    std::string path;
  };
  std::vector<std::string> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace partir
