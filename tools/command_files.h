// The files of one command, checked before any work is done: nothing is overwritten that is read, and standard output
// holds one thing.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace partir {

/// For `partition A.mlir --schedule S -o OUT --json -`:
///   CommandFiles files;
///   files.reads(a.program); files.reads(a.schedule); files.writes("-o", a.output); files.writes("--json", json);
///   if (auto ok = files.check(); !ok) …
///   fmt::print(files.people(), …);      standard error here, because standard output is the JSON
class CommandFiles {
 public:
  void reads(const std::string& path);
  void reads(const std::optional<std::string>& path);
  void writes(const char* option, const std::string& path);  ///< empty: nowhere
  void writes(const char* option, const std::optional<std::string>& path);

  /// Errors: an output that cannot be written, or is an input, or another output; several on standard output; several
  /// inputs that are standard input. The code is "output" where nothing may be written to --json, which comes last.
  [[nodiscard]] Result<void> check() const;

  /// Where text for people goes.
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
