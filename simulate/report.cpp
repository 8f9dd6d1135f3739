#include "simulate/report.h"

#include "simulate/embedded.h"
#include "support/check.h"

namespace partir {
namespace {

std::string_view file(std::string_view name) {
  for (const EmbeddedFile& f : embedded_files()) {
    if (f.name == name) return f.content;
  }
  PARTIR_CHECK(false, "a file of the report that is not embedded: " + std::string(name));
}

void replace(std::string& text, std::string_view mark, std::string_view with) {
  const auto at = text.find(mark);
  PARTIR_CHECK(at != std::string::npos, "no place for " + std::string(mark) + " in the report");
  text.replace(at, mark.size(), with);
}

/// Escapes text that must not end the enclosing <script> element.
std::string for_script(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '!')) {
      out += "\\u003c";
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string for_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string report_page(const std::string& title, const std::string& json) {
  std::string out(file("report.html"));
  // The data comes last, so that marks inside it are not replaced.
  replace(out, "@STYLE@", file("report.css"));
  replace(out, "@TITLE@", for_text(title));
  replace(out, "@CHART@", file("chart.min.js"));
  replace(out, "@SCRIPT@", file("report.js"));
  replace(out, "@DATA@", for_script(json));
  return out;
}

}  // namespace partir
