#include "ir/text/recognize.h"

#include <algorithm>
#include <array>

namespace partir {
namespace {

constexpr std::string_view kText = "StableHLO text, as jax.jit(f).lower(…).as_text() gives it";

struct Magic {
  std::string_view bytes;
  std::string_view what;
  std::string_view wanted;
};

using std::string_view_literals::operator""sv;

constexpr std::array kMagics = {
    Magic{"ML\xefR"sv, "MLIR bytecode", "text: stablehlo-translate --deserialize, or lower(…).as_text()"},
    Magic{"\x1f\x8b"sv, "a file compressed by gzip", "the text in it: gunzip --stdout FILE | partir … -"},
    Magic{"\x28\xb5\x2f\xfd"sv, "a file compressed by zstd", "the text in it: zstd -dc FILE | partir … -"},
    Magic{"\xfd"
          "7zXZ"sv,
          "a file compressed by xz", "the text in it: xz -dc FILE | partir … -"},
    Magic{"BZh"sv, "a file compressed by bzip2", "the text in it: bzip2 -dc FILE | partir … -"},
    Magic{"PK\x03\x04"sv, "a zip archive", "the text in it: unzip -p FILE | partir … -"},
    Magic{"\xff\xfe"sv, "UTF-16 text", "UTF-8: iconv -f UTF-16 -t UTF-8 FILE | partir … -"},
    Magic{"\xfe\xff"sv, "UTF-16 text", "UTF-8: iconv -f UTF-16 -t UTF-8 FILE | partir … -"},
};

std::string_view trimmed(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

}  // namespace

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::optional<Diagnostic> recognized_otherwise(std::string_view text, const std::string& file) {
  const auto found = [&](std::string_view what, std::string_view wanted, Place place = {1, 1}) {
    return Diagnostic{"format", file, place, std::string(what), std::string(wanted)};
  };
  for (const Magic& m : kMagics) {
    if (text.starts_with(m.bytes)) return found(m.what, m.wanted);
  }
  const std::string_view rest = trimmed(without_mark(text));
  if (rest.empty())
    return Diagnostic{
        "module", file, {1, 1}, "no function: the text is empty", "a function @main in " + std::string(kText)};
  // Only the first lines are examined; binary files have bytes there that do not occur in text.
  const std::string_view head = rest.substr(0, 4096);
  const auto binary = std::find_if(head.begin(), head.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || c == 0x7f;
  });
  if (binary != head.end()) {
    Place place{1, 1};
    for (const char* c = text.data(); c != &*binary; ++c)
      place = *c == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
    return found("binary data (a serialized HLO module or jax.export artifact, perhaps)", kText, place);
  }
  if (rest.starts_with("HloModule")) {
    return found("HLO text", std::string(kText) + ", from before XLA compiles it");
  }
  if (rest.starts_with("{ lambda")) return found("a jaxpr", kText);
  if (rest.starts_with("{\"") || rest.starts_with("{\n") || rest.starts_with("[\n") || rest.starts_with("[{"))
    return found("JSON, or something like it", std::string(kText) + " (are program and schedule swapped?)");
  return std::nullopt;
}

}  // namespace partir
