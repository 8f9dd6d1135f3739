#include "ir/distributed_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"

namespace partir {

bool DistributedType::is_whole() const {
  return partial.empty() && std::all_of(dims.begin(), dims.end(), [](const auto& axes) { return axes.empty(); });
}

std::optional<Dim> DistributedType::tiled_by(Axis axis) const {
  for (Dim d = 0; d < dims.size(); ++d) {
    if (std::find(dims[d].begin(), dims[d].end(), axis) != dims[d].end()) return d;
  }
  return std::nullopt;
}

std::optional<Monoid> DistributedType::partial_over(Axis axis) const {
  for (const auto& [a, monoid] : partial) {
    if (a == axis) return monoid;
  }
  return std::nullopt;
}

void DistributedType::add_partial(Axis axis, Monoid monoid) {
  PARTIR_CHECK(!partial_over(axis), "partial twice over one axis");
  partial.emplace_back(axis, monoid);
  std::sort(partial.begin(), partial.end());
}

void DistributedType::drop_partial(Axis axis) {
  std::erase_if(partial, [&](const auto& p) { return p.first == axis; });
}

Type DistributedType::local(const Type& global, const Mesh& mesh) const {
  Type out = global;
  for (Dim d = 0; d < dims.size(); ++d) {
    for (const Axis a : dims[d]) {
      PARTIR_CHECK(out->dims[d] % mesh.size(a) == 0, "an axis that does not divide its dimension");
      out->dims[d] /= mesh.size(a);
    }
  }
  return out;
}

std::int64_t DistributedType::chunk(Dim dim, DeviceId device, const Mesh& mesh) const {
  std::int64_t out = 0;
  for (const Axis a : dims.at(dim)) out = out * mesh.size(a) + mesh.coordinate(device, a);
  return out;
}

std::string DistributedType::str(const Mesh& mesh) const {
  std::string out = "[";
  for (Dim d = 0; d < dims.size(); ++d) {
    out += d != 0 ? ", {" : "{";
    for (std::size_t k = 0; k < dims[d].size(); ++k) out += (k != 0 ? ", " : "") + mesh.name(dims[d][k]);
    out += "}";
  }
  out += "]";
  for (std::size_t k = 0; k < partial.size(); ++k) {
    out += fmt::format("{}{}:{}", k == 0 ? " partial{" : ", ", mesh.name(partial[k].first), name_of(partial[k].second));
  }
  return partial.empty() ? out : out + "}";
}

Result<DistributedType> DistributedType::parse(std::string_view text, const Mesh& mesh, std::size_t rank) {
  const auto wrong = [&](const std::string& why) {
    return tl::unexpected(Diagnostic{"sharding",
                                     "",
                                     {},
                                     fmt::format("'{}' ({})", text, why),
                                     fmt::format("{} lists of axes such as [{{batch}}, {{}}]", rank)});
  };
  DistributedType out;
  std::string_view rest = text;
  const auto skip = [&] {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
  };
  const auto accept = [&](char c) {
    skip();
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  };
  const auto word = [&] {
    skip();
    std::size_t n = 0;
    while (n < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[n])) != 0 || rest[n] == '_')) ++n;
    const std::string_view w = rest.substr(0, n);
    rest.remove_prefix(n);
    return w;
  };
  std::vector<Axis> used;
  const auto axis = [&](std::string_view name) -> std::optional<Axis> {
    const auto a = mesh.find(name);
    if (!a || std::find(used.begin(), used.end(), *a) != used.end()) return std::nullopt;
    used.push_back(*a);
    return a;
  };
  if (!accept('[')) return wrong("no '['");
  if (!accept(']')) {
    do {
      if (!accept('{')) return wrong("no '{'");
      out.dims.emplace_back();
      if (accept('}')) continue;
      do {
        const auto a = axis(word());
        if (!a) return wrong("an axis that the mesh lacks, or twice");
        out.dims.back().push_back(*a);
      } while (accept(','));
      if (!accept('}')) return wrong("no '}'");
    } while (accept(','));
    if (!accept(']')) return wrong("no ']'");
  }
  if (out.dims.size() != rank) return wrong(fmt::format("{} dimensions", out.dims.size()));
  skip();
  if (!rest.empty()) {
    if (word() != "partial" || !accept('{')) return wrong("text behind it");
    do {
      const auto a = axis(word());
      if (!a || !accept(':')) return wrong("an axis that the mesh lacks, or twice");
      const auto monoid = monoid_from(word());
      if (!monoid) return wrong("no such combination");
      out.add_partial(*a, *monoid);
    } while (accept(','));
    if (!accept('}')) return wrong("no '}'");
    skip();
    if (!rest.empty()) return wrong("text behind it");
  }
  return out;
}

}  // namespace partir
