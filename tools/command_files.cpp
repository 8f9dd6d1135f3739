#include "tools/command_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "support/file.h"
#include "tools/inputs.h"

namespace partir {
namespace {

/// The code of an error about an option. "output" means that --json cannot be written, so the error is not written
/// there.
const char* code_for(const std::string& option) { return option == "--json" ? "output" : "file"; }

tl::unexpected<Diagnostic> output_error(const std::string& option, const std::string& path, std::string found,
                                        std::string wanted) {
  return tl::unexpected(Diagnostic{code_for(option), option + " " + path, {}, std::move(found), std::move(wanted)});
}

/// True if both paths are the same file, which need not exist yet.
bool same_place(const std::string& a, const std::string& b) {
  std::error_code ec;
  if (a == "-" || b == "-") return same_place(a == "-" ? "/dev/stdout" : a, b == "-" ? "/dev/stdout" : b);
  if (std::filesystem::weakly_canonical(a, ec) == "/dev/null") return false;  // takes any number of outputs
  return same_file(a, b) || std::filesystem::weakly_canonical(a, ec) == std::filesystem::weakly_canonical(b, ec);
}

}  // namespace

void CommandFiles::reads(const std::string& path) { inputs_.push_back(path); }
void CommandFiles::reads(const std::optional<std::string>& path) {
  if (path) inputs_.push_back(*path);
}
void CommandFiles::reads_program(const std::string& program, const std::optional<std::string>& names) {
  reads(program);
  if (const auto text = names_text(program, names); text && text->text) reads(text->file);
}
void CommandFiles::writes(const char* option, const std::string& path) {
  if (!path.empty()) outputs_.push_back({option, path});
}
void CommandFiles::writes(const char* option, const std::optional<std::string>& path) {
  if (path) outputs_.push_back({option, *path});
}

Result<void> CommandFiles::check() const {
  if (std::count(inputs_.begin(), inputs_.end(), "-") > 1)
    return tl::unexpected(Diagnostic{"usage", "-", {}, "two inputs that are standard input", "at most one"});
  for (std::size_t i = 0; i < outputs_.size(); ++i) {  // --json is declared last, so a conflict with it is its error
    const auto& [option, path] = outputs_[i];
    for (std::size_t k = 0; k < i; ++k) {
      if (path == "-" && outputs_[k].path == "-") {
        return output_error(option, path, fmt::format("{} and {} both on standard output", outputs_[k].option, option),
                            "a file for one of them");
      }
      if (same_place(path, outputs_[k].path))
        return output_error(option, path, fmt::format("what {} writes, too", outputs_[k].option), "a file for each");
    }
    for (const std::string& input : inputs_) {
      if (path != "-" && input != "-" && same_file(path, input) && !path.starts_with("/dev/"))
        return output_error(option, path, "an input of this command, which would be lost", "another file");
    }
    if (auto ok = check_writable(path); !ok) {
      ok.error().code = code_for(option);
      return ok;
    }
  }
  return {};
}

std::FILE* CommandFiles::people() const {
  const bool taken = std::any_of(outputs_.begin(), outputs_.end(), [](const Output& o) { return o.path == "-"; });
  return taken ? stderr : stdout;
}

}  // namespace partir
