// `partir names`: lists what a schedule can name in a program.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/static_shapes.h"
#include "rewrite/json_text.h"
#include "rewrite/named_values.h"
#include "rewrite/names.h"
#include "support/file.h"
#include "support/near.h"
#include "tools/command_files.h"
#include "tools/commands.h"
#include "tools/inputs.h"

namespace partir {
namespace {

/// One name that a schedule can use; values of the same name share a row.
struct NameRow {
  std::string name;
  std::vector<std::string> types;    ///< without duplicates
  std::vector<std::uint32_t> lines;  ///< lines of internal values
  std::size_t count = 0;
};

void add(std::vector<NameRow>& rows, std::map<std::string, std::size_t>& known, const std::string& name,
         const std::string& type, std::uint32_t line) {
  const auto [it, fresh] = known.emplace(name, rows.size());
  if (fresh) rows.push_back({name, {}, {}, 0});
  NameRow& row = rows[it->second];
  ++row.count;
  if (std::find(row.types.begin(), row.types.end(), type) == row.types.end()) row.types.push_back(type);
  if (line != 0) row.lines.push_back(line);
}

/// The names that a schedule can use under one key: inputs, values or results.
struct NameTable {
  const char* key;
  std::vector<NameRow> rows;
};

std::vector<NameTable> tables_of(const Function& f, const Names& names) {
  std::vector<NameTable> out = {{"inputs", {}}, {"results", {}}, {"values", {}}};
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < names.arguments.size(); ++i)
    add(out[0].rows, known, names.arguments[i], f.type(f.arguments()[i]).str(), 0);
  known.clear();
  for (std::size_t i = 0; i < names.results.size(); ++i)
    add(out[1].rows, known, names.results[i], f.type(f.returned()[i]).str(), 0);
  known.clear();
  for (const NamedValue& v : named_values(f)) add(out[2].rows, known, v.name, f.type(v.value).str(), v.line);
  return out;
}

Json name_row_json(const NameRow& row) {
  Json out = {{"name", row.name}, {"types", row.types}, {"count", row.count}};
  if (!row.lines.empty()) out["lines"] = row.lines;
  return out;
}

std::string lines_text(const NameRow& row) {
  if (row.lines.empty()) return "";
  return row.lines.size() == 1
             ? fmt::format("  line {}", row.lines[0])
             : fmt::format("  {} values, lines {} to {}", row.count, row.lines.front(), row.lines.back());
}

}  // namespace

Result<ExitStatus> names_command(const NamesArguments& a, const std::string& json) {
  CommandFiles files;
  files.reads_program(a.program, a.names);
  files.writes("--json", json);
  if (auto ok = files.check(); !ok) return tl::unexpected(ok.error());
  auto module = module_in(a.program);
  if (!module) return tl::unexpected(module.error());
  const auto inlined = inline_calls(std::move(*module));
  const auto main = inlined ? inlined->main() : Result<const Function*>(tl::unexpected(inlined.error()));
  if (!main) {
    Diagnostic error = main.error();
    error.file = input_name(a.program);
    return tl::unexpected(std::move(error));
  }
  if (auto ok = require_static(**main); !ok) {
    Diagnostic error = ok.error();
    error.file = input_name(a.program);
    return tl::unexpected(std::move(error));
  }
  const auto beside = names_text(a.program, a.names);
  if (!beside) return tl::unexpected(beside.error());
  fmt::print(stderr, "{}", beside->note);
  const auto names = names_of(**main, beside->text, beside->file);
  if (!names) return tl::unexpected(names.error());

  std::vector<NameTable> tables = tables_of(**main, *names);
  std::vector<std::string> all;
  for (const NameTable& t : tables) {
    for (const NameRow& row : t.rows) all.push_back(row.name);
  }
  for (const std::string& pattern : a.patterns) {
    const bool found = std::any_of(all.begin(), all.end(), [&](const auto& n) { return glob_matches(pattern, n); });
    if (!found) {
      return tl::unexpected(Diagnostic{"names",
                                       input_name(a.program),
                                       {},
                                       fmt::format("nothing is called '{}'", pattern),
                                       meant(pattern, all, "a pattern over the names that partir names lists")});
    }
  }
  Json out = {{"program", (*main)->name}};
  std::FILE* people = files.people();
  for (NameTable& t : tables) {
    std::erase_if(t.rows, [&](const NameRow& row) {
      return !a.patterns.empty() && std::none_of(a.patterns.begin(), a.patterns.end(),
                                                 [&](const auto& p) { return glob_matches(p, row.name); });
    });
    std::size_t width = 0;
    for (const NameRow& row : t.rows) width = std::max(width, row.name.size());
    fmt::print(people, "{}\"{}\": {} name{}\n", t.key == tables[0].key ? "" : "\n", t.key, t.rows.size(),
               t.rows.size() == 1 ? "" : "s");
    out[t.key] = Json::array();
    for (const NameRow& row : t.rows) {
      std::string types;
      for (const std::string& type : row.types) types += (types.empty() ? "" : ", ") + type;
      fmt::print(people, "  {:<{}}  {}{}\n", row.name.empty() ? "(the whole result: *)" : row.name,
                 std::min<std::size_t>(width, 60), types, lines_text(row));
      out[t.key].push_back(name_row_json(row));
    }
  }
  if (!has_names_inside(**main)) {
    fmt::print(people,
               "\nThe program's text has no names inside: values are named by line. With "
               "jax.jit(f).lower(…).as_text(debug_info=True)\nthey are named by jax.named_scope and primitive.\n");
  }
  if (!json.empty()) {
    if (auto ok = write_file(json, out.dump(1) + "\n"); !ok) return tl::unexpected(ok.error());
  }
  return ExitStatus::done;
}

}  // namespace partir
