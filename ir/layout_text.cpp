// Prints and parses layouts in the syntax described in ir/layout.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "ir/layout.h"

namespace partir {

std::string Factor::str(const Mesh& mesh) const {
  switch (kind_) {
    case Kind::axis: return mesh.name(axis_);
    case Kind::digit: return fmt::format("{}:({}){}", mesh.name(axis_), before_, size_);
    case Kind::local: return fmt::format("{}", size_);
    case Kind::listed: break;
  }
  return fmt::format("[{}]", fmt::join(*piece_, " "));
}

std::string Layout::str(const Mesh& mesh) const {
  std::string out = "[";
  for (Dim d = 0; d < dims.size(); ++d) {
    out += d != 0 ? ", {" : "{";
    for (std::size_t k = 0; k < dims[d].size(); ++k) out += (k != 0 ? ", " : "") + dims[d][k].str(mesh);
    if (!halos.empty() && halos[d] != Halo{})
      out += fmt::format("{}halo {} {}", dims[d].empty() ? "" : " ", halos[d].before, halos[d].behind);
    out += "}";
  }
  out += "]";
  for (std::size_t k = 0; k < pending.size(); ++k)
    out += fmt::format("{}{}:{}", k == 0 ? " partial{" : ", ", pending[k].over.str(mesh), name_of(pending[k].monoid));
  if (!pending.empty()) out += "}";
  if (only) out += fmt::format(" on {}", only->index());
  return out;
}

namespace {

struct Invalid {
  std::string why;
};

class LayoutParser {
 public:
  LayoutParser(std::string_view text, const Mesh& mesh) : rest_(text), mesh_(mesh) {}

  Layout run(std::size_t rank) {
    require('[');
    if (!accept(']')) {
      do dimension();
      while (accept(','));
      require(']');
    }
    if (out_.dims.size() != rank) throw Invalid{fmt::format("{} dimensions", out_.dims.size())};
    if (std::all_of(halos_.begin(), halos_.end(), [](const Halo& h) { return h == Halo{}; })) halos_.clear();
    out_.halos = std::move(halos_);
    if (accept_word("partial")) {
      require('{');
      do {
        const Factor over = factor();
        if (!over.is_tiled()) throw Invalid{"a reduction over no axis"};
        require(':');
        const auto monoid = monoid_from(word());
        if (!monoid) throw Invalid{"no such combination"};
        out_.add_pending(over, *monoid);
      } while (accept(','));
      require('}');
    }
    if (accept_word("on")) {
      const std::int64_t device = number(mesh_.devices() - 1);
      out_.only = DeviceId(static_cast<std::size_t>(device));
    }
    skip();
    if (!rest_.empty()) throw Invalid{"text behind it"};
    return std::move(out_);
  }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void require(char c) {
    if (!accept(c)) throw Invalid{fmt::format("no '{}'", c)};
  }
  std::string_view word() {
    skip();
    std::size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 || rest_[n] == '_')) ++n;
    const std::string_view w = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return w;
  }
  bool accept_word(std::string_view wanted) {
    const std::string_view before = rest_;
    if (word() == wanted) return true;
    rest_ = before;
    return false;
  }
  bool at_number() {
    skip();
    return !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_[0])) != 0;
  }
  std::int64_t number(std::int64_t most) {
    skip();
    std::int64_t out = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
    if (error != std::errc() || out < 0 || out > most) throw Invalid{fmt::format("no number up to {}", most)};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return out;
  }

  void dimension() {
    require('{');
    out_.dims.emplace_back();
    halos_.emplace_back();
    bool first = true;
    while (!accept('}')) {
      if (accept_word("halo")) {
        const std::int64_t before = number(kMostRows);
        halos_.back() = {before, number(kMostRows)};
        require('}');
        return;
      }
      if (!first) require(',');
      first = false;
      out_.dims.back().push_back(factor());
    }
  }

  Factor factor() {
    if (accept('[')) return list();
    if (at_number()) {
      const std::int64_t size = number(kMostRows);
      if (size < 2) throw Invalid{"a local factor of less than 2"};
      return Factor::local(size);
    }
    const auto axis = mesh_.find(word());
    if (!axis) throw Invalid{"an axis that the mesh lacks, or twice"};
    const std::int64_t n = mesh_.size(*axis);
    std::int64_t before = 1;
    std::int64_t size = n;
    if (rest_.starts_with(":(")) {
      rest_.remove_prefix(2);
      before = number(n);
      require(')');
      size = number(n);
      if (before < 1 || size < 1 || n % (before * size) != 0) throw Invalid{fmt::format("a digit that {} lacks", n)};
    }
    // No digit may occur twice: the digits of an axis occupy disjoint ranges [before, before * size).
    for (const auto& [other, from, to] : used_) {
      if (other == *axis && (n == 1 || (before < to && from < before * size)))
        throw Invalid{"an axis that the mesh lacks, or twice"};
    }
    used_.push_back({*axis, before, before * size});
    return Factor::digit(*axis, before, size, mesh_);
  }

  Factor list() {
    std::vector<std::int64_t> piece;
    std::int64_t size = 0;
    while (!accept(']')) {
      piece.push_back(number(mesh_.devices() - 1));
      size = std::max(size, piece.back() + 1);
    }
    if (piece.size() != static_cast<std::size_t>(mesh_.devices()))
      throw Invalid{fmt::format("a list of other than {} devices", mesh_.devices())};
    return Factor::listed(std::move(piece), size);
  }

  struct Used {
    Axis axis;
    std::int64_t from;
    std::int64_t to;
  };
  static constexpr std::int64_t kMostRows = 1 << 30;

  std::string_view rest_;
  const Mesh& mesh_;
  Layout out_;
  std::vector<Halo> halos_;
  std::vector<Used> used_;
};

}  // namespace

Result<Layout> Layout::parse(std::string_view text, const Mesh& mesh, std::size_t rank) {
  try {
    return LayoutParser(text, mesh).run(rank);
  } catch (const Invalid& wrong) {
    return tl::unexpected(Diagnostic{"sharding",
                                     "",
                                     {},
                                     fmt::format("'{}' ({})", text, wrong.why),
                                     fmt::format("{} lists of axes such as [{{batch}}, {{}}]", rank)});
  }
}

}  // namespace partir
