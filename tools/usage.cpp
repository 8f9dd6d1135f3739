// Explains usage errors and suggests what was probably meant.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "support/near.h"
#include "tools/options.h"

namespace partir {
namespace {

Diagnostic misuse(std::string found, std::string wanted) {
  return wrong_usage(std::move(found), std::move(wanted)).value();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

/// The command named by the first argument that is not an option; null if there is none.
const CLI::App* command_in(const CLI::App& program, const std::vector<std::string>& arguments) {
  for (const std::string& a : arguments) {
    if (a.starts_with('-')) continue;
    const auto found = program.get_subcommands([&](const CLI::App* s) { return s->get_name() == a; });
    return found.empty() ? nullptr : found[0];
  }
  return nullptr;
}

std::string one_of(const std::vector<std::string>& names) { return fmt::format("one of {}", fmt::join(names, ", ")); }

/// The name of an option without its value: "--mesh" of "--mesh=a=2".
std::string name_of_option(const std::string& argument) { return argument.substr(0, argument.find('=')); }

}  // namespace

std::string json_file_in(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json" && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with("--json=")) return arguments[i].substr(7);
  }
  return "";
}

Diagnostic usage_error(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments) {
  const CLI::App* command = command_in(program, arguments);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* s : program.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(s->get_name());
    for (const std::string& a : arguments) {
      if (a.starts_with('-')) continue;
      return misuse(fmt::format("the command '{}'", a), meant(a, names, one_of(names)));
    }
    const std::vector<std::string> own = option_names(program);
    for (const std::string& a : arguments) {
      if (a.starts_with("--")) return misuse("the option " + a, meant(a, own, "a command, " + one_of(names)));
    }
    return misuse("no command", one_of(names));
  }
  const std::vector<std::string> options = option_names(*command);
  for (const std::string& a : arguments) {
    const std::string name = name_of_option(a);
    const bool is_option = name.starts_with("--") && name.size() > 2;
    if (!is_option || std::find(options.begin(), options.end(), name) != options.end()) continue;
    for (const CLI::App* other : program.get_subcommands([](const CLI::App*) { return true; })) {
      const std::vector<std::string> its = option_names(*other);
      if (std::find(its.begin(), its.end(), name) == its.end()) continue;
      return misuse(fmt::format("the option {} of {}", name, command->get_name()),
                    fmt::format("it with `partir {}`, whose option it is", other->get_name()));
    }
    return misuse(fmt::format("the option {} of {}", name, command->get_name()),
                  meant(name, options, fmt::format("one that partir {} --help lists", command->get_name())));
  }
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::string wanted = fmt::format("what partir {} --help says", command->get_name());
  // "--emit: spdm not in {stablehlo,core,spmd,sdy}"
  static constexpr std::string_view kNotIn = " not in {";
  if (const auto list = what.find(kNotIn); list != std::string::npos) {
    const auto word = what.rfind(' ', list - 1) + 1;
    std::vector<std::string> choices;
    for (std::size_t k = list + kNotIn.size(); k < what.size() && what[k - 1] != '}';) {
      const std::size_t end = what.find_first_of(",}", k);
      choices.push_back(what.substr(k, end - k));
      k = end + 1;
    }
    const std::string any = choices.size() == 1 ? choices[0] : "one of " + listed(choices);
    wanted = meant(what.substr(word, list - word), choices, any);
    what.resize(list);
  }
  return misuse(fmt::format("{}: {}", command->get_name(), what), std::move(wanted));
}

}  // namespace partir
