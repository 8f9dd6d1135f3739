#include "tools/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "ir/text/read.h"
#include "rewrite/json_text.h"
#include "support/file.h"

namespace partir {

Result<Module> module_in(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  return read_module(*text, input_name(path));
}

Result<NamesText> names_text(const std::string& program, const std::optional<std::string>& given) {
  NamesText out;
  if (given) {
    auto text = read_file(*given);
    if (!text) return tl::unexpected(text.error());
    out.text = std::move(*text);
    out.file = *given;
    return out;
  }
  if (program == "-") return out;
  out.file = std::filesystem::path(program).replace_extension(".json").string();
  std::error_code ec;
  if (!std::filesystem::exists(out.file, ec) || out.file == program) return out;
  auto text = read_file(out.file);
  if (!text) return tl::unexpected(text.error());
  // The file may be the JSON report of another command.
  const auto json = parse_json(*text, out.file);
  const auto has_list = [&](const char* key) { return json->contains(key) && (*json)[key].is_array(); };
  const auto has_any = [&](const std::vector<const char*>& keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return json->contains(key); });
  };
  const bool names = !json || (json->is_object() && (has_list("args") || has_list("results")));
  const bool report = json && json->is_object() && has_any({"tactics", "verdict", "error"});
  if (names && !report) {
    out.text = std::move(*text);
  } else if (!report) {
    out.note = fmt::format(
        "note: {} beside the program has neither \"args\" nor \"results\": it is not read for names\n", out.file);
  }
  return out;
}

Result<ProgramInput> read_program(const std::string& program, const std::optional<std::string>& names) {
  auto text = read_file(program);
  if (!text) return tl::unexpected(text.error());
  auto beside = names_text(program, names);
  if (!beside) return tl::unexpected(beside.error());
  fmt::print(stderr, "{}", beside->note);
  ProgramInput out{std::move(*text), input_name(program)};
  out.names = std::move(beside->text);
  out.names_file = std::move(beside->file);
  return out;
}

}  // namespace partir
