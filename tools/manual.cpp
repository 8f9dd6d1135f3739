// Generates shell completion scripts and the man page from the option tables (tools/options.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "lowering/program.h"
#include "simulate/device.h"
#include "support/version.h"
#include "tools/options.h"

namespace partir {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* a) { return a->get_description() != "to come"; });
}

/// The flags of an option, such as "-o" and "--output".
std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : between) + w;
  return out;
}

/// The words that may follow an option: the choices it is checked against ("FORM:{core,spmd}"), or names known to the
/// program.
std::vector<std::string> choices_of(const CLI::Option& option) {
  if (option.check_lname("device")) return device_names();
  if (option.check_lname("forbid") || option.check_lname("explain"))
    return {CollectiveCounts::kinds.begin(), CollectiveCounts::kinds.end()};
  const std::string type = option.get_type_name();
  const auto open = type.find(":{");
  const auto close = type.find('}', open);
  std::vector<std::string> out;
  if (open == std::string::npos || close == std::string::npos) return out;
  for (std::size_t at = open + 2; at < close;) {
    const std::size_t comma = std::min(type.find(',', at), close);
    out.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

/// The part before the choices: "FORM" of "FORM:{core,spmd}".
std::string type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(":{"));
}

std::string command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* c : commands_of(program)) names.push_back(c->get_name());
  return joined(names, " ");
}

/// For bash, and for zsh through bashcompinit.
std::string bash_script(const CLI::App& program) {
  std::string out =
      "_partir() {\n  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n";
  out +=
      fmt::format("  if [ \"$COMP_CWORD\" -eq 1 ]; then words='{} --help --version'; else\n", command_names(program));
  out += "  case \"${COMP_WORDS[1]} $previous\" in\n";
  for (const CLI::App* c : commands_of(program)) {
    for (const CLI::Option* o : c->get_options()) {
      const std::string choices = joined(choices_of(*o), " ");
      if (choices.empty()) continue;
      for (const std::string& flag : flags_of(*o))
        out += fmt::format("    '{} {}') words='{}' ;;\n", c->get_name(), flag, choices);
    }
  }
  out += "    *) case \"${COMP_WORDS[1]}\" in\n";
  for (const CLI::App* c : commands_of(program)) {
    std::vector<std::string> flags;
    for (const CLI::Option* o : c->get_options()) {
      for (std::string& word : o->get_positional() ? choices_of(*o) : flags_of(*o)) flags.push_back(std::move(word));
    }
    out += fmt::format("      {}) words='{}' ;;\n", c->get_name(), joined(flags, " "));
  }
  out += "    esac ;;\n  esac; fi\n";
  out += "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n";
  out +=
      "  case \"$current\" in -*) ;; *) [ \"$COMP_CWORD\" -eq 1 ] || COMPREPLY+=($(compgen -f -- \"$current\")) ;; "
      "esac\n}\n";
  return out + "complete -o filenames -F _partir partir\n";
}

std::string quoted(std::string text) {
  std::size_t at = 0;
  while ((at = text.find('\'', at)) != std::string::npos) {
    text.replace(at, 1, "\\'");
    at += 2;
  }
  return "'" + text + "'";
}

std::string fish_script(const CLI::App& program) {
  std::string out;
  for (const CLI::App* c : commands_of(program)) {
    out += fmt::format("complete -c partir -n __fish_use_subcommand -a {} -d {}\n", c->get_name(),
                       quoted(c->get_description()));
    for (const CLI::Option* o : c->get_options()) {
      if (o->get_lnames().empty() && o->get_snames().empty()) continue;
      out += fmt::format("complete -c partir -n '__fish_seen_subcommand_from {}'", c->get_name());
      for (const std::string& s : o->get_snames()) out += " -s " + s;
      for (const std::string& l : o->get_lnames()) out += " -l " + l;
      const std::string choices = joined(choices_of(*o), " ");
      if (takes_value(*o)) out += choices.empty() ? " -r" : fmt::format(" -x -a '{}'", choices);
      out += fmt::format(" -d {}\n", quoted(o->get_description()));
    }
  }
  return out;
}

/// Escapes text for roff: backslashes and minus signs are literal, and no line begins with a control character.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

}  // namespace

std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "fish") return fish_script(program);
  return (shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "") + bash_script(program);
}

std::string manual_page(const CLI::App& program) {
  std::string out = fmt::format(".TH PARTIR 1 \"\" \"partir {}\" \"OpenPartIR\"\n", kVersion);
  out += ".SH NAME\npartir \\- partition StableHLO programs by schedules of tactics\n";
  out += ".SH SYNOPSIS\n.B partir\n.I COMMAND\n[\\fIARGUMENT\\fR…] [\\fIOPTION\\fR…]\n";
  out += ".SH COMMANDS\n";
  for (const CLI::App* c : commands_of(program)) {
    out += ".SS " + roff(c->get_name());
    std::string positionals;
    for (const CLI::Option* o : c->get_options()) {
      if (o->get_positional()) positionals += " " + o->get_name(true);
    }
    out += roff(positionals) + "\n" + roff(c->get_description()) + "\n";
    for (const CLI::Option* o : c->get_options()) {
      const std::vector<std::string> flags = flags_of(*o);
      const std::string name = flags.empty() ? o->get_name(true) : joined(flags, ", ");
      out += ".TP\n\\fB" + roff(name) + "\\fR";
      if (!flags.empty() && takes_value(*o)) out += " \\fI" + roff(type_of(*o)) + "\\fR";
      out += "\n" + roff(o->get_description()) + "\n";
    }
  }
  out +=
      ".SH EXIT STATUS\n0 done, holds; 1 refuted, or results differ, or an asserted limit is exceeded; 2 bad input or "
      "usage; 3 "
      "unknown, unsupported or out of time; 70 a defect of partir.\n";
  out += ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nwhere it is set and not empty, nothing is coloured.\n";
  return out;
}

}  // namespace partir
