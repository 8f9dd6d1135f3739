#include "tools/run_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/program.h"
#include "ir/text/lexer.h"
#include "ir/text/read.h"
#include "semantics/host.h"
#include "semantics/interpreter.h"
#include "support/file.h"

namespace partir {
namespace {

/// Returns the modules of a file, each padded with empty lines so that line numbers are those of the file.
std::vector<std::string> split_modules(const std::string& text) {
  std::vector<std::string> out(1);
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    ++line;
    if (text.compare(at, 8, "// -----") == 0) {
      out.emplace_back(line, '\n');
    } else {
      out.back().append(text, at, end - at);
    }
    at = end;
  }
  std::erase_if(out, [](const std::string& module) {
    try {
      return text::Lexer(module).peek().kind == text::Token::Kind::end;
    } catch (const UserError&) {
      return false;  // the parser will report the error
    }
  });
  return out;
}

struct Outcome {
  std::int64_t held = 0;
  std::vector<FailedCheck> failed;
  std::vector<Diagnostic> errors;  ///< of functions whose execution was aborted
  std::string printed;
};

void run_module_tests(const Module& module, const Domain& domain, Outcome& out) {
  const bool has_main = module.find("main") != nullptr;
  for (const Function& f : module.functions) {
    if (has_main ? f.name != "main" : !f.arguments().empty()) continue;
    if (!f.arguments().empty()) {
      out.errors.push_back({"usage", "", f.place, "a main with arguments", "a main without, as tests have it"});
      continue;
    }
    Host host(domain, &module);
    try {
      run_programs({&f}, {{}}, Devices{}, domain, host);
    } catch (const UserError& error) {
      out.errors.push_back(error.diagnostic());
    }
    out.held += host.held();
    out.failed.insert(out.failed.end(), host.failed().begin(), host.failed().end());
    out.printed += host.printed();
  }
}

}  // namespace

bool is_test_file(const std::string& text) {
  return text.find("\n// -----") != std::string::npos || text.find("check.e") != std::string::npos ||
         text.find("interpreter.") != std::string::npos;
}

Result<ExitStatus> run_tests(const std::string& text, const std::string& file, const Domain& domain,
                             const std::string& json) {
  Outcome out;
  for (const std::string& part : split_modules(text)) {
    auto read = read_module(part, file);
    if (!read) return tl::unexpected(read.error());
    auto module = inline_calls(std::move(*read));
    if (!module) {
      module.error().file = file;
      return tl::unexpected(module.error());
    }
    run_module_tests(*module, domain, out);
  }
  FILE* people = json == "-" ? stderr : stdout;
  fmt::print(people, "{}", out.printed);
  nlohmann::ordered_json report = {{"program", file}, {"held", out.held}};
  report["failed"] = nlohmann::ordered_json::array();
  report["errors"] = nlohmann::ordered_json::array();
  for (const FailedCheck& f : out.failed) {
    fmt::print(people, "{}:{}:{}: {}\n", file, f.place.line, f.place.column, f.what);
    report["failed"].push_back({{"line", f.place.line}, {"column", f.place.column}, {"what", f.what}});
  }
  auto status = out.failed.empty() ? ExitStatus::done : ExitStatus::refuted;
  for (Diagnostic d : out.errors) {
    d.file = file;
    fmt::print(people, "{}\n", d.text());
    report["errors"].push_back(
        {{"line", d.place.line}, {"column", d.place.column}, {"found", d.found}, {"wanted", d.wanted}});
    status = either(status, exit_status_of(d));
  }
  fmt::print(people, "{} of {} checks held\n", out.held, out.held + static_cast<std::int64_t>(out.failed.size()));
  if (!json.empty()) {
    if (auto ok = write_file(json, report.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return status;
}

}  // namespace partir
