#include "verify/prove/sized_text.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>
#include <utility>

namespace partir::prove {
namespace {

/// Returns the end of the text inside "tensor<…>" that begins at `begin`; npos if it is not closed, which the program's
/// parser will report.
std::size_t end_of_type(const std::string& text, std::size_t begin) {
  int depth = 1;
  for (std::size_t end = begin; end < text.size(); ++end) {
    depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
    if (depth == 0) return end;
  }
  return std::string::npos;
}

/// Calls f(begin, end) for each dimension of "MxN*2xf32" between `begin` and `end`. Returns the start of the element
/// type, which is recognised by its lower-case letter.
template <class F>
std::size_t for_each_dimension(const std::string& text, std::size_t begin, std::size_t end, F&& f) {
  while (begin < end && std::islower(static_cast<unsigned char>(text[begin])) == 0) {
    int depth = 0;
    std::size_t stop = begin;
    for (; stop < end && (text[stop] != 'x' || depth > 0); ++stop)
      depth += text[stop] == '(' ? 1 : text[stop] == ')' ? -1 : 0;
    if (stop == end) break;
    f(begin, stop);
    begin = stop + 1;
  }
  return begin;
}

/// Calls f(begin, end) for the text inside each tensor type.
template <class F>
void for_each_type(const std::string& text, F&& f) {
  static constexpr std::string_view kHead = "tensor<";
  for (std::size_t at = 0; (at = text.find(kHead, at)) != std::string::npos;) {
    const std::size_t begin = at + kHead.size();
    const std::size_t end = end_of_type(text, begin);
    if (end == std::string::npos) return;
    f(begin, end);
    at = end;
  }
}

}  // namespace

SizedText::SizedText(const std::string& text, const std::vector<std::string>& symbols) {
  std::size_t from = 0;
  for_each_type(text, [&](std::size_t begin, std::size_t end) {
    add_text(text, from, begin, symbols);
    from = for_each_dimension(text, begin, end, [&](std::size_t b, std::size_t e) {
      const std::string dimension = text.substr(b, e - b);
      pieces_.push_back({dimension, true, true, SizeExpr::parse(dimension)});
      pieces_.push_back({"x", false, false, std::nullopt});
    });
  });
  add_text(text, from, text.size(), symbols);
}

void SizedText::add_text(const std::string& text, std::size_t begin, std::size_t end,
                         const std::vector<std::string>& symbols) {
  const std::string_view all = std::string_view(text).substr(0, end);
  std::string plain;
  for (std::size_t at = begin; at < end;) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool apart = !is_word(before) && std::string_view("%@#^\"!").find(before) == std::string_view::npos;
    if (apart && (is_word(text[at]) || text[at] == '(')) {
      std::size_t stop = at;
      auto size = SizeExpr::parse_prefix(all, stop, symbols);
      if (size && size->has_symbols()) {
        pieces_.push_back({std::exchange(plain, ""), false, false, std::nullopt});
        pieces_.push_back({text.substr(at, stop - at), true, false, std::move(size)});
        at = stop;
        continue;
      }
      while (at < end && is_word(text[at])) plain += text[at++];
      if (at == end || text[at] != '(') continue;
    }
    plain += text[at++];
  }
  pieces_.push_back({std::move(plain), false, false, std::nullopt});
}

std::string SizedText::at(const Sizes& sizes, Place place) const {
  std::string out;
  for (const Piece& p : pieces_) {
    if (!p.is_size) {
      out += p.text;
      continue;
    }
    const auto value = p.size ? p.size->at(sizes) : std::nullopt;
    if (p.is_dimension && (!value || *value < 0))
      fail("claim", place, "a size " + p.text, "sums and products of size symbols, at least 0");
    if (!value) fail("claim", place, p.text, "a size");
    out += fmt::format("{}", *value);
  }
  return out;
}

std::optional<std::string> SizedText::first_no_polynomial(const std::map<std::string, SizeExpr::Known>& known) const {
  for (const Piece& p : pieces_) {
    if (p.size && !p.size->is_polynomial(known)) return p.text;
  }
  return std::nullopt;
}

std::uint64_t SizedText::hash() const {
  std::uint64_t out = 14695981039346656037u;  // FNV-1a
  for (const Piece& p : pieces_) {
    for (const char c : p.text) out = (out ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return out;
}

void add_symbols_of_types(const std::string& text, std::vector<std::string>& symbols) {
  for_each_type(text, [&](std::size_t begin, std::size_t end) {
    for_each_dimension(text, begin, end, [&](std::size_t b, std::size_t e) {
      if (const auto size = SizeExpr::parse(text.substr(b, e - b))) size->add_symbols(symbols);
    });
  });
}

}  // namespace partir::prove
