// The command line program. Exit status: 0 success, 1 refuted or different results, 2 invalid input or usage, 3 unknown
// or unsupported, 70 an internal defect.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "support/file.h"
#include "support/version.h"
#include "tools/commands.h"
#include "tools/options.h"

namespace {

using namespace partir;

/// Prints a diagnostic, also to --json unless the problem is --json itself. Returns its exit status.
ExitStatus report(const Diagnostic& d, const std::string& json) {
  fmt::print(stderr, "{}\n", d.text());
  if (!json.empty() && d.code != "output") {
    const auto written = write_file(json, error_json(d));
    if (!written && written.error().text() != d.text()) fmt::print(stderr, "{}\n", written.error().text());
  }
  return exit_status_of(d);
}

ExitStatus lost_output(const std::string& why) {
  fmt::print(stderr, "standard output: error [file]: {}; wanted a stream that takes all that is printed\n", why);
  return ExitStatus::bad_input;
}

ExitStatus guarded(const std::function<Result<ExitStatus>()>& command, const std::string& json) {
  try {
    const auto status = command();
    return status ? *status : report(status.error(), json);
  } catch (const UserError& e) {
    return report(e.diagnostic(), json);
  } catch (const std::system_error& e) {  // fmt could not write to a stream
    return lost_output(e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\nPlease report this with the command line and the input.\n", e.what());
    return ExitStatus::defect;
  }
}

/// The status of a command, or that of lost output if what it printed did not arrive.
ExitStatus with_output(ExitStatus status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  const ExitStatus lost = lost_output(errno != 0 ? std::strerror(errno) : "the stream does not accept the output");
  return status == ExitStatus::done ? lost : status;
}

/// The command line, quoted for a shell.
std::string command_line(int argc, char** argv) {
  std::string out = "partir";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$*?[]{}()<>|&;#~") == std::string::npos;
    out += plain ? " " + word : " '" + word + "'";
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program(
      "partir: partition StableHLO programs by schedules of tactics, with a check of every step.\n"
      "Exit status: 0 done, 1 refuted or different, 2 bad input, 3 unknown or unsupported, 70 a defect of ours.",
      "partir");
  program.require_subcommand(1);
  program.set_version_flag("--version", std::string("partir ") + kVersion);
  std::string json;
  const std::vector<Command> commands = add_commands(program, json, command_line(argc, argv));
  // "partir help" and "partir help COMMAND" are --help and COMMAND --help.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.insert(words.begin() + (words.empty() ? 0 : 1), "--help");
  }
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    program.parse(words);
  } catch (const CLI::Success& e) {  // --help, --version
    const int status = program.exit(e);
    return status != 0 ? status : number_of(with_output(ExitStatus::done));
  } catch (const CLI::ParseError& e) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::string named = json_file_in(arguments);
    const bool is_input = std::count(arguments.begin(), arguments.end(), named) > 1;
    return number_of(report(usage_error(program, e, arguments), is_input && named != "-" ? "" : named));
  }
  auto status = ExitStatus::bad_input;
  for (const Command& c : commands) {
    if (*c.options) status = guarded(c.run, json);
  }
  return number_of(with_output(status));
}
