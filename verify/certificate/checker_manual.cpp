// The checker's rules for manual computations (sdy.manual_computation): the partitioned module contains the operations
// of the body in place of the computation, between identity reshapes that mark its boundaries.
//
//   source                                 partitioned module                                     rule
//   sdy.manual_computation(%x) ... (%a) {  %0 = reshape %x_local {partir.manual = "argument 0"}   x, sharded, becomes a
//     %b = all_reduce %a                   %1 = all_reduce %0                                     the same operation
//     return %b } -> %y                    %2 = reshape %1 {partir.manual = "result 0"}           b becomes y, sharded
//
// A value inside the body differs between devices. In the partitioned module each device holds its own value of it
// completely, and no conversion may move it. The same operations on the same values, in the same nesting, yield the
// same on each device, collectives and device ids included, because both programs number the devices alike.
#include <fmt/format.h>

#include <charconv>

#include "ir/op_decl.h"
#include "ir/sharding/manual.h"
#include "verify/certificate/checker.h"

namespace partir {
namespace {

void note_values(const Block& block, std::unordered_set<ValueId>& out) {
  out.insert(block.arguments.begin(), block.arguments.end());
  for (const Op& op : block.ops) {
    out.insert(op.results.begin(), op.results.end());
    for (const Block& region : op.regions) note_values(region, out);
  }
}

/// Parses the number after the prefix `side`, or returns nothing: 3 for "argument 3" and "argument ".
std::optional<std::size_t> number_after(const std::string& text, std::string_view side) {
  if (!text.starts_with(side)) return std::nullopt;
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data() + side.size(), end, number);
  return error == std::errc() && next == end ? std::optional(number) : std::nullopt;
}

/// Whether each device holds the same part in layout `a` on `mesh` as in layout `b` on the mesh `other`.
bool same_on_devices(const Layout& a, const Mesh& mesh, const Layout& b, const Mesh& other) {
  if (a.dims.size() != b.dims.size() || mesh.devices() != other.devices() || !a.pending.empty() || a.only) return false;
  for (Dim d = 0; d < a.dims.size(); ++d) {
    if (a.parts(d, mesh) != b.parts(d, other) || a.chunks(d, mesh) != b.chunks(d, other)) return false;
  }
  return true;
}

}  // namespace

void Checker::note_manual(const Op& op, const Block& home) {
  for (const Block& body : op.regions) {
    manual_.emplace(&body, home_of(&home));  // of a computation inside another one: where the outer one is
    note_values(body, manual_values_);
  }
}

const Block* Checker::home_of(const Block* block) const {
  const auto it = manual_.find(block);
  return it == manual_.end() ? block : it->second;
}

void Checker::boundary(const Op& source, const Op& op) {
  const auto manual = manual_computation_of(s_, source);
  if (!manual) throw Refused{"a manual computation that does not read: " + manual.error().found};
  if (op.name() != "stablehlo.reshape" || op.operands.size() != 1 || t_.type(op.operands[0]) != t_.type(op.results[0]))
    throw Refused{"no identity at the boundary of a manual computation"};
  const std::string* text = frontend(op.attributes, "partir.manual");
  const Part& from = part(op.operands[0]);
  const Block& body = source.regions[0];
  if (const auto k = text != nullptr ? number_after(*text, "argument ") : std::nullopt) {
    if (*k >= source.operands.size() || the(from.source) != the(source.operands[*k]))
      throw Refused{fmt::format("argument {} is a part of another value than the source's", *k)};
    if (!same_on_devices(from.layout, mesh_, manual->operands[*k], manual->mesh))
      throw Refused{fmt::format("argument {} is {}, its sharding is {}", *k, from.layout.str(mesh_),
                                manual->operands[*k].str(manual->mesh))};
    const Exactness exactness = from.exactness;
    set_part(op.results[0], body.arguments[*k], Layout::replicated(s_.type(body.arguments[*k]).rank()), exactness);
  } else if (const auto r = text != nullptr ? number_after(*text, "result ") : std::nullopt) {
    if (*r >= source.results.size() || the(from.source) != the(body.ops.back().operands.at(*r)))
      throw Refused{fmt::format("result {} is another value than the body's", *r)};
    const Layout& by = manual->results[*r];
    std::vector<std::int64_t> parts;
    std::vector<std::vector<std::int64_t>> chunks;
    for (Dim d = 0; d < by.dims.size(); ++d) {
      parts.push_back(by.parts(d, manual->mesh));
      chunks.push_back(by.chunks(d, manual->mesh));
    }
    const Exactness exactness = from.exactness;
    set_part(op.results[0], source.results[*r], Layout::of_chunks(parts, chunks, mesh_), exactness);
  } else {
    throw Refused{"stands for a manual computation and is none of its boundaries"};
  }
  ++report_.local;
}

}  // namespace partir
