#include "verify/validate/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "semantics/collectives.h"
#include "support/checked.h"

namespace partir::validate {
namespace {

using List = Digits::List;
using Positions = std::set<std::int64_t>;
constexpr std::int64_t kFewPositions = 512;  ///< a dimension that data indexes is looked at as a whole up to here
constexpr std::size_t kMostCombinations = 200'000;
constexpr std::size_t kMostDevices = 4096;

/// Thrown when more devices must be looked at.
struct MoreDevices {
  std::vector<std::int64_t> ids;
};

/// Mesh axes, major first, along which the groups lie; nothing where they are no such groups. `ordered`: members stand
/// in the order of positions along the axes.
std::optional<std::vector<Axis>> axes_of(const std::vector<std::vector<std::int64_t>>& groups, const Mesh& mesh,
                                         bool ordered) {
  if (groups.empty() || groups[0].empty()) return std::nullopt;
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < mesh.rank(); ++a) {
    const Axis axis(a);
    const std::int64_t c = mesh.coordinate(DeviceId(static_cast<std::size_t>(groups[0][0])), axis);
    const bool varies = std::any_of(groups[0].begin(), groups[0].end(), [&](std::int64_t id) {
      return mesh.coordinate(DeviceId(static_cast<std::size_t>(id)), axis) != c;
    });
    if (varies) axes.push_back(axis);
  }
  auto sorted = [](std::vector<std::vector<std::int64_t>> all, bool members) {
    for (auto& g : all) {
      if (members) std::sort(g.begin(), g.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto wanted = sorted(groups, !ordered);
  std::vector<Axis> order = axes;
  do {
    if (sorted(mesh.groups(order), !ordered) == wanted) return order;
  } while (ordered && std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

/// One function: digits of its values' dimensions, and the positions that are asked of them.
class Side {
 public:
  Side(const Function& f, const Devices& devices, const Mesh& mesh, Digits& digits, Algebra& algebra)
      : f_(f),
        devices_(devices),
        mesh_(mesh),
        digits_(digits),
        algebra_(algebra),
        lists_(f.types.size()),
        asked_(f.types.size()) {
    for (std::size_t v = 0; v < f.types.size(); ++v) {
      if (!f.types[v].is_tensor()) continue;
      for (const std::int64_t d : f.types[v]->dims) lists_[v].push_back(digits_.dimension(d));
      asked_[v].resize(f.types[v].rank());
    }
  }

  [[nodiscard]] List& list(ValueId v, std::size_t d) { return lists_[v.index()][d]; }
  [[nodiscard]] Positions& asked(ValueId v, std::size_t d) { return asked_[v.index()][d]; }

  void connect() { connect(f_.body); }

  /// Integer scalars that no data decides, on the devices that are looked at.
  void find_scalars(const std::vector<std::int64_t>& ids) {
    ids_ = ids;
    scalars_.assign(f_.types.size(), {});
    scalars_in(f_.body);
  }

  /// From the results backwards.
  void ask() {
    bool changed = true;
    for (int round = 0; changed; ++round) {
      if (round > 50) throw Unknown{"positions that a loop never stops asking for"};
      grew_ = false;
      ask(f_.body);
      changed = grew_ && loops_;
    }
  }

  Plan finish() {
    Plan out;
    out.devices = ids_;
    out.grids.resize(f_.types.size());
    std::map<std::vector<std::vector<std::int64_t>>, GridPtr> made;
    for (std::size_t v = 0; v < f_.types.size(); ++v) {
      if (!f_.types[v].is_tensor()) continue;
      Grid g;
      for (std::size_t d = 0; d < asked_[v].size(); ++d) g.at.emplace_back(asked_[v][d].begin(), asked_[v][d].end());
      GridPtr& p = made[g.at];
      if (p == nullptr) p = std::make_shared<const Grid>(std::move(g));
      out.grids[v] = p;
    }
    for (auto& [op, kernel] : kernels_) {
      const auto& ranges = ranges_.at(op);
      kernel.samples.resize(ranges.size());
      for (std::size_t r = 0; r < ranges.size(); ++r) kernel.samples[r] = digits_.sample(ranges[r]);
    }
    out.kernels = std::move(kernels_);
    return out;
  }

  /// Axes of the groups of collectives.
  [[nodiscard]] const std::unordered_map<const Op*, std::vector<Axis>>& axes() const { return axes_; }

 private:
  List axes_list(const std::vector<Axis>& axes) {
    List out;
    for (const Axis a : axes) out = Digits::joined(out, digits_.axis(a, mesh_.size(a)));
    return out;
  }

  // --- Digits that dimensions have in common
  // ----------------------------------------------------------------------------

  void connect(const Block& block) {
    for (const Op& op : block.ops) {
      for (const Flow& flow : flows_of(op)) {
        for (const ValueId from : flow.from) {
          for (const ValueId to : flow.to) same(from, to);
        }
      }
      if (runs_regions(op)) {
        loops_ = loops_ || op.name() == "stablehlo.while";
        for (const Block& b : op.regions) connect(b);
      } else if (op.decl->kind == OpDecl::Kind::array && has_meaning(instance_of(f_, op))) {
        connect_array(op);
      } else if (op.decl->kind == OpDecl::Kind::collective) {
        connect_collective(op);
      }
    }
  }

  void same(ValueId a, ValueId b) {
    for (std::size_t d = 0; d < lists_[a.index()].size(); ++d) digits_.unify(list(a, d), list(b, d));
  }

  void connect_array(const Op& op) {
    const OpInstance instance = instance_of(f_, op);
    const Attribute* value = find(op.attributes, "value");
    const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
    Kernel& k = kernels_
                    .emplace(&op, kernel_of(meaning_of(instance), instance.operands, instance.results,
                                            dense != nullptr ? dense->literal : nullptr))
                    .first->second;
    const Meaning& m = k.meaning;
    std::vector<List>& ranges = ranges_[&op];
    ranges.resize(m.extents.size());
    std::vector<bool> of_result(m.extents.size(), false);
    for (std::size_t r = 0; r < m.results.size(); ++r) {
      for (std::size_t d = 0; d < m.results[r].ranges.size(); ++d) {
        ranges[m.results[r].ranges[d].index()] = list(op.results[r], d);
        of_result[m.results[r].ranges[d].index()] = true;
      }
    }
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      if (!of_result[r]) ranges[r] = digits_.dimension(m.extents[r]);
    }
    // Several results have ranges of their own over the same values.
    for (std::size_t r = 1; r < m.results.size(); ++r) {
      if (f_.tensor(op.results[r]).dims == f_.tensor(op.results[0]).dims) same(op.results[r], op.results[0]);
    }
    const auto reads = [&](std::size_t operand, const std::vector<IndexId>& indices) {
      const ValueId v = op.operands[operand];
      for (std::size_t d = 0; d < indices.size(); ++d) {
        const IndexTerm& t = m.at(indices[d]);
        if (t.kind == IndexTerm::Kind::range && m.extent(t.range) == f_.tensor(v).dims[d]) {
          digits_.unify(ranges[t.range.index()], list(v, d));
          continue;
        }
        std::set<std::uint32_t> on;
        ranges_in(m, indices[d], on);
        for (const std::uint32_t r : on) {
          // Taps of windows are looked at one by one.
          if (!of_result[r] && on.size() > 1) digits_.take_whole(ranges[r]);
        }
      }
    };
    if (op.name() == "stablehlo.reshape") {
      reshape(op);
      return;
    }
    for (const ScalarTerm& t : m.scalars) {
      if (t.kind == ScalarTerm::Kind::read) reads(t.operand, t.indices);
      if (t.kind == ScalarTerm::Kind::library) {
        for (const auto& array : t.arrays) {
          for (const RangeId r : array) digits_.take_whole(ranges[r.index()]);
        }
        for (const IndexId i : t.indices) {
          if (m.at(i).kind == IndexTerm::Kind::range) digits_.take_whole(ranges[m.at(i).range.index()]);
        }
      }
    }
    for (const IndexTerm& t : m.indices) {
      if (t.kind == IndexTerm::Kind::read) reads(static_cast<std::size_t>(t.value), t.indices);
    }
    slice_of_device(op);
  }

  static void ranges_in(const Meaning& m, IndexId id, std::set<std::uint32_t>& out) {
    const IndexTerm& t = m.at(id);
    using Kind = IndexTerm::Kind;
    if (t.kind == Kind::range) out.insert(static_cast<std::uint32_t>(t.range.index()));
    if (t.kind == Kind::constant || t.kind == Kind::range) return;
    if (t.kind == Kind::read) {
      for (const IndexId i : t.indices) ranges_in(m, i, out);
      return;
    }
    ranges_in(m, t.a, out);
    ranges_in(m, t.b, out);
  }

  void reshape(const Op& op) {
    const auto& from = f_.tensor(op.operands[0]).dims;
    const auto& to = f_.tensor(op.results[0]).dims;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < from.size() || j < to.size()) {
      List a;
      List b;
      std::int64_t p = 1;
      std::int64_t q = 1;
      const auto take = [&](bool first) {
        if (first) {
          a = Digits::joined(a, list(op.operands[0], i));
          p *= from[i++];
        } else {
          b = Digits::joined(b, list(op.results[0], j));
          q *= to[j++];
        }
      };
      if (i < from.size()) take(true);
      if (j < to.size()) take(false);
      while (p != q && (i < from.size() || j < to.size())) take(p < q ? i < from.size() : j >= to.size());
      digits_.unify(a, b);
    }
  }

  /// A dynamic_slice that starts at the device's own chunk: of [axes][chunk] it takes the chunk.
  void slice_of_device(const Op& op) {
    if (op.name() == "stablehlo.dynamic_slice") slices_.push_back(&op);
  }

 public:
  /// After find_scalars.
  void connect_slices() {
    for (const Op* op : slices_) {
      const TensorType& x = f_.tensor(op->operands[0]);
      const TensorType& out = f_.tensor(op->results[0]);
      for (std::size_t d = 0; d < x.rank(); ++d) {
        if (x.dims[d] == out.dims[d] || out.dims[d] == 0 || x.dims[d] % out.dims[d] != 0) continue;
        const auto& starts = scalars_[op->operands[d + 1].index()];
        if (starts.empty()) continue;
        for (const auto& axes : orders()) {
          std::int64_t parts = 1;
          for (const Axis a : axes) parts *= mesh_.size(a);
          if (parts * out.dims[d] != x.dims[d]) continue;
          bool all = true;
          for (std::size_t k = 0; k < ids_.size() && all; ++k) {
            std::int64_t chunk = 0;
            for (const Axis a : axes)
              chunk = chunk * mesh_.size(a) + mesh_.coordinate(DeviceId(static_cast<std::size_t>(ids_[k])), a);
            all = starts[k] == chunk * out.dims[d];
          }
          if (!all) continue;
          digits_.unify(list(op->operands[0], d), Digits::joined(axes_list(axes), list(op->results[0], d)));
          break;
        }
      }
    }
  }

 private:
  /// Lists of distinct axes, shorter ones first.
  const std::vector<std::vector<Axis>>& orders() {
    if (!orders_.empty()) return orders_;
    std::vector<std::vector<Axis>> last = {{}};
    for (std::size_t n = 0; n < mesh_.rank() && orders_.size() < 400; ++n) {
      std::vector<std::vector<Axis>> next;
      for (const auto& l : last) {
        for (std::size_t a = 0; a < mesh_.rank(); ++a) {
          if (std::find(l.begin(), l.end(), Axis(a)) != l.end()) continue;
          auto longer = l;
          longer.emplace_back(a);
          next.push_back(longer);
        }
      }
      orders_.insert(orders_.end(), next.begin(), next.end());
      last = std::move(next);
    }
    return orders_;
  }

  static std::size_t dim_of(const Op& op, const char* name) {
    return static_cast<std::size_t>(find(op.attributes, name)->as<IntAttr>()->value);
  }

  void connect_collective(const Op& op) {
    const std::string& n = op.name();
    const bool ordered = n == "stablehlo.all_gather" || n == "stablehlo.all_to_all" || n == "stablehlo.reduce_scatter";
    const bool permutes = n == "stablehlo.collective_permute";
    std::optional<std::vector<Axis>> axes;
    if (!permutes) {
      axes = axes_of(process_groups(op, devices_), mesh_, ordered);
      if (!axes) throw Unknown{fmt::format("line {}: groups of {} that lie along no mesh axes", op.place.line, n)};
      axes_[&op] = *axes;
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      const ValueId x = op.operands[k];
      const ValueId y = op.results[k];
      const List own = axes ? axes_list(*axes) : List{};
      const std::size_t rank = f_.tensor(y).rank();
      const std::size_t gather = n == "stablehlo.all_gather" ? dim_of(op, "all_gather_dim") : rank;
      const std::size_t scatter = n == "stablehlo.reduce_scatter" ? dim_of(op, "scatter_dimension") : rank;
      const std::size_t split = n == "stablehlo.all_to_all" ? dim_of(op, "split_dimension") : rank;
      const std::size_t concat = n == "stablehlo.all_to_all" ? dim_of(op, "concat_dimension") : rank;
      for (std::size_t d = 0; d < rank; ++d) {
        if (split == concat && d == split && split != rank) {
          digits_.unify(list(x, d), list(y, d));
        } else if (d == gather || d == concat) {
          digits_.unify(list(y, d), Digits::joined(own, list(x, d)));
        } else if (d == scatter || d == split) {
          digits_.unify(list(x, d), Digits::joined(own, list(y, d)));
        } else {
          digits_.unify(list(x, d), list(y, d));
        }
      }
    }
  }

  // --- Scalars
  // ------------------------------------------------------------------------------------------------------------

  void scalars_in(const Block& block) {
    for (const Op& op : block.ops) {
      if (runs_regions(op)) {
        for (const Block& b : op.regions) scalars_in(b);
        continue;
      }
      if (op.results.size() != 1) continue;
      if (!f_.type(op.results[0]).is_tensor()) continue;
      const TensorType& t = f_.tensor(op.results[0]);
      if (t.rank() != 0 || is_float(t.element) || is_complex(t.element)) continue;
      auto& out = scalars_[op.results[0].index()];
      if (op.decl->kind == OpDecl::Kind::device) {
        for (const std::int64_t id : ids_)
          out.push_back(op.name() == "stablehlo.replica_id" ? id / devices_.partitions : id % devices_.partitions);
        continue;
      }
      const auto kernel = kernels_.find(&op);
      if (kernel == kernels_.end()) continue;
      const bool known = std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId v) {
        return f_.tensor(v).rank() == 0 && !scalars_[v.index()].empty();
      });
      if (!known) continue;
      for (std::size_t k = 0; k < ids_.size(); ++k) {
        std::vector<ArrayPtr> args;
        for (const ValueId v : op.operands)
          args.push_back(std::make_shared<Array>(Array{f_.tensor(v), {Element::integer(scalars_[v.index()][k])}}));
        const Element e = evaluate(kernel->second, args, {}, algebra_)[0]->data[0];
        if (!e.is(Element::Kind::integer)) {
          out.clear();
          break;
        }
        out.push_back(e.as_int());
      }
      kernel->second.access = nullptr;
    }
  }

  // --- Positions, backwards
  // -------------------------------------------------------------------------------------------

  void want(ValueId v, std::size_t d, std::int64_t p) {
    if (asked(v, d).insert(p).second) grew_ = true;
  }
  void want(ValueId v, std::size_t d, const Positions& all) {
    for (const std::int64_t p : all) want(v, d, p);
  }

  void ask(const Block& block) {
    for (std::size_t k = block.ops.size(); k-- > 0;) {
      const Op& op = block.ops[k];
      const auto flows = flows_of(op);
      // What is handed on has one set of positions under all its later names.
      const auto hand_on = [&] {
        for (const Flow& flow : flows) {
          for (std::size_t d = 0; d < lists_[flow.to[0].index()].size(); ++d) {
            Positions all;
            for (const ValueId to : flow.to) all.insert(asked(to, d).begin(), asked(to, d).end());
            for (const ValueId to : flow.to) want(to, d, all);
            for (const ValueId from : flow.from) want(from, d, all);
          }
        }
      };
      hand_on();
      if (runs_regions(op)) {
        for (std::size_t r = op.regions.size(); r-- > 0;) ask(op.regions[r]);
        hand_on();
        continue;
      }
      if (op.decl->kind == OpDecl::Kind::array && kernels_.contains(&op))
        ask_array(op);
      else if (op.decl->kind == OpDecl::Kind::collective)
        ask_collective(op);
      else if (op.decl->kind != OpDecl::Kind::terminator && flows.empty())
        ask_all(op);
    }
  }

  void ask_all(const Op& op) {
    for (const auto* list : {&op.operands, &op.results}) {
      for (const ValueId v : *list) {
        if (!f_.type(v).is_tensor()) continue;
        if (f_.tensor(v).elements() > 65536)
          throw Unknown{
              fmt::format("line {}: {} on arrays too large to be looked at as a whole", op.place.line, op.name())};
        for (std::size_t d = 0; d < f_.tensor(v).rank(); ++d) {
          for (std::int64_t p = 0; p < f_.tensor(v).dims[d]; ++p) want(v, d, p);
        }
      }
    }
  }

  void ask_array(const Op& op) {
    const Kernel& k = kernels_.at(&op);
    const Meaning& m = k.meaning;
    const auto& ranges = ranges_.at(&op);
    std::vector<std::vector<std::int64_t>> values(m.extents.size());
    std::vector<bool> of_result(m.extents.size(), false);
    std::vector<bool> mixed(m.extents.size(), false);
    for (const ScalarTerm& t : m.scalars) {
      if (t.kind != ScalarTerm::Kind::library) continue;
      for (const IndexId i : t.indices) {
        if (m.at(i).kind == IndexTerm::Kind::range) mixed[m.at(i).range.index()] = true;
      }
    }
    bool any = false;
    for (std::size_t r = 0; r < m.results.size(); ++r) {
      for (std::size_t d = 0; d < m.results[r].ranges.size(); ++d) {
        const std::size_t range = m.results[r].ranges[d].index();
        if (mixed[range]) {
          for (std::int64_t p = 0; p < m.extents[range]; ++p) want(op.results[r], d, p);
        }
        const Positions& own = asked(op.results[r], d);
        values[range].assign(own.begin(), own.end());
        of_result[range] = true;
      }
      bool all = true;
      for (std::size_t d = 0; d < m.results[r].ranges.size(); ++d) all = all && !asked(op.results[r], d).empty();
      any = any || all;
    }
    if (!any) return;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      if (!of_result[r]) values[r] = digits_.sample(ranges[r]).at;
    }
    for (const ScalarTerm& t : m.scalars) {
      if (t.kind == ScalarTerm::Kind::read) ask_read(op, k, t.operand, t.indices, values);
    }
    for (const IndexTerm& t : m.indices) {
      if (t.kind == IndexTerm::Kind::read) ask_read(op, k, static_cast<std::size_t>(t.value), t.indices, values);
    }
  }

  void ask_read(const Op& op, const Kernel& k, std::size_t operand, const std::vector<IndexId>& indices,
                const std::vector<std::vector<std::int64_t>>& values) {
    const ValueId v = op.operands[operand];
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const std::int64_t size = f_.tensor(v).dims[d];
      std::set<std::uint32_t> on;
      ranges_in(k.meaning, indices[d], on);
      const bool empty = std::any_of(on.begin(), on.end(), [&](std::uint32_t r) { return values[r].empty(); });
      if (empty) continue;
      const std::size_t devices = k.reads_data[indices[d].index()] ? ids_.size() : 1;
      bool known = true;
      if (k.reads_data[indices[d].index()]) known = scalars_known(op, k.meaning, indices[d]);
      if (!known) {
        if (size <= kFewPositions) {
          for (std::int64_t p = 0; p < size; ++p) want(v, d, p);
        } else {
          for (const std::int64_t p : digits_.sample(list(v, d)).at) want(v, d, p);
        }
        continue;
      }
      std::vector<std::uint32_t> deps(on.begin(), on.end());
      std::vector<std::int64_t> extents;
      for (const std::uint32_t r : deps) extents.push_back(static_cast<std::int64_t>(values[r].size()));
      if (static_cast<std::size_t>(count_of(extents)) > kMostCombinations)
        throw Unknown{fmt::format("line {}: {} reads too many positions", op.place.line, op.name())};
      std::vector<std::int64_t> at(k.meaning.extents.size(), 0);
      for (std::size_t device = 0; device < devices; ++device) {
        std::vector<std::int64_t> index(extents.size(), 0);
        do {
          for (std::size_t n = 0; n < deps.size(); ++n)
            at[deps[n]] = values[deps[n]][static_cast<std::size_t>(index[n])];
          const std::int64_t p = value(op, k.meaning, indices[d], at, device);
          if (p >= 0 && p < size) want(v, d, p);
        } while (advance(index, extents));
      }
    }
  }

  bool scalars_known(const Op& op, const Meaning& m, IndexId id) const {
    const IndexTerm& t = m.at(id);
    using Kind = IndexTerm::Kind;
    if (t.kind == Kind::constant || t.kind == Kind::range) return true;
    if (t.kind == Kind::read)
      return t.indices.empty() && !scalars_[op.operands[static_cast<std::size_t>(t.value)].index()].empty();
    return scalars_known(op, m, t.a) && scalars_known(op, m, t.b);
  }

  std::int64_t value(const Op& op, const Meaning& m, IndexId id, const std::vector<std::int64_t>& at,
                     std::size_t device) const {
    const IndexTerm& t = m.at(id);
    using Kind = IndexTerm::Kind;
    const auto of = [&](IndexId i) { return value(op, m, i, at, device); };
    switch (t.kind) {
      case Kind::constant: return t.value;
      case Kind::range: return at[t.range.index()];
      case Kind::add: return of(t.a) + of(t.b);
      case Kind::multiply: return of(t.a) * of(t.b);
      case Kind::floor_div: return floor_divide(of(t.a), of(t.b));
      case Kind::mod: {
        const std::int64_t a = of(t.a);
        const std::int64_t b = of(t.b);
        return a - floor_divide(a, b) * b;
      }
      case Kind::min: return std::min(of(t.a), of(t.b));
      case Kind::max: return std::max(of(t.a), of(t.b));
      case Kind::read: return scalars_[op.operands[static_cast<std::size_t>(t.value)].index()][device];
    }
    return 0;
  }

  void ask_collective(const Op& op) {
    const std::string& n = op.name();
    const auto groups = process_groups(op, devices_);
    std::map<std::int64_t, std::pair<std::size_t, std::size_t>> place;  // device -> group, position in it
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t i = 0; i < groups[g].size(); ++i) place[groups[g][i]] = {g, i};
    }
    std::vector<std::int64_t> missing;
    const auto is_seen = [&](std::int64_t id) { return std::binary_search(ids_.begin(), ids_.end(), id); };
    if (n == "stablehlo.collective_permute") {
      std::map<std::int64_t, std::int64_t> source;
      for (const auto& pair : groups) source[pair[1]] = pair[0];
      for (std::int64_t id : ids_) {
        for (std::size_t steps = 0; steps < groups.size(); ++steps) {
          const auto it = source.find(id);
          if (it == source.end()) break;
          id = it->second;
          if (!is_seen(id)) missing.push_back(id);
        }
      }
      if (!missing.empty()) throw MoreDevices{missing};
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      const ValueId x = op.operands[k];
      const ValueId y = op.results[k];
      const std::size_t rank = f_.tensor(y).rank();
      for (std::size_t d = 0; d < rank; ++d) {
        const Positions own = asked(y, d);
        const bool gathers = (n == "stablehlo.all_gather" && d == dim_of(op, "all_gather_dim")) ||
                             (n == "stablehlo.all_to_all" && d == dim_of(op, "concat_dimension"));
        const bool scatters = (n == "stablehlo.reduce_scatter" && d == dim_of(op, "scatter_dimension")) ||
                              (n == "stablehlo.all_to_all" && d == dim_of(op, "split_dimension"));
        if (gathers && scatters)
          throw Unknown{fmt::format("line {}: {} of one dimension with itself", op.place.line, n)};
        if (gathers) {
          const std::int64_t part = f_.tensor(x).dims[d];
          for (const std::int64_t p : own) {
            want(x, d, p % part);
            for (const std::int64_t id : ids_) {
              const auto at = place.find(id);
              if (at == place.end()) continue;
              const std::int64_t member = groups[at->second.first][static_cast<std::size_t>(p / part)];
              if (!is_seen(member)) missing.push_back(member);
            }
          }
        } else if (scatters) {
          const std::int64_t part = f_.tensor(y).dims[d];
          for (const std::int64_t id : ids_) {
            const auto at = place.find(id);
            if (at == place.end()) continue;
            for (const std::int64_t p : own) want(x, d, static_cast<std::int64_t>(at->second.second) * part + p);
          }
        } else {
          want(x, d, own);
        }
      }
      if (!missing.empty()) throw MoreDevices{missing};
    }
  }

  const Function& f_;
  Devices devices_;
  const Mesh& mesh_;
  Digits& digits_;
  Algebra& algebra_;
  std::vector<std::vector<List>> lists_;
  std::vector<std::vector<Positions>> asked_;
  std::unordered_map<const Op*, Kernel> kernels_;
  std::unordered_map<const Op*, std::vector<List>> ranges_;
  std::unordered_map<const Op*, std::vector<Axis>> axes_;
  std::vector<const Op*> slices_;
  std::vector<std::vector<Axis>> orders_;
  std::vector<std::int64_t> ids_;
  std::vector<std::vector<std::int64_t>> scalars_;
  bool loops_ = false;
  bool grew_ = false;
};

/// Axes that tile each dimension of a placement, major first; nothing where it is laid out otherwise.
std::optional<std::vector<std::vector<Axis>>> axes_of(const Placement& p, const Mesh& mesh) {
  std::vector<std::vector<Axis>> out;
  for (std::size_t d = 0; d < p.parts.size(); ++d) {
    out.emplace_back();
    if (p.parts[d] == 1) continue;
    // Each axis is found by how far a step along it moves the chunk: minor ones move it by 1.
    std::map<std::int64_t, Axis> by_step;
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
      if (mesh.size(Axis(a)) == 1) continue;
      const std::int64_t step = p.chunk[d][static_cast<std::size_t>(mesh.stride(Axis(a)))] - p.chunk[d][0];
      if (step > 0) by_step.emplace(step, Axis(a));
    }
    for (auto it = by_step.rbegin(); it != by_step.rend(); ++it) out.back().push_back(it->second);
    for (std::size_t id = 0; id < p.chunk[d].size(); ++id) {
      std::int64_t chunk = 0;
      for (const Axis a : out.back()) chunk = chunk * mesh.size(a) + mesh.coordinate(DeviceId(id), a);
      if (chunk != p.chunk[d][id]) return std::nullopt;
    }
  }
  return out;
}

/// Integers that comparisons and bounds may turn at.
void constants_in(const Block& block, std::set<std::int64_t>& out) {
  for (const Op& op : block.ops) {
    if (op.name() == "stablehlo.constant") {
      const Attribute* value = find(op.attributes, "value");
      const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
      if (dense != nullptr && is_integer(dense->literal->type.element) &&
          (dense->literal->splat || dense->literal->type.elements() == 1)) {
        const std::int64_t c = dense->literal->as_int(0);
        if (c > 1 && c < (1 << 24)) out.insert(c);
      }
    }
    for (const Block& b : op.regions) constants_in(b, out);
  }
}

}  // namespace

Plans plan(const Function& source, const Function& partitioned, const Layouts& layouts, Algebra& algebra) {
  const Mesh& mesh = layouts.mesh;
  std::vector<std::set<std::int64_t>> more(mesh.rank());
  for (int attempt = 0; attempt < 64; ++attempt) {
    Digits digits;
    std::vector<Sample> axes;
    std::vector<std::int64_t> ids = {0};
    for (std::size_t a = 0; a < mesh.rank(); ++a) {
      const std::int64_t n = mesh.size(Axis(a));
      std::set<std::int64_t> extra = more[a];
      if (n > 3) extra.insert(1);
      Sample s = sample_of_size(n, extra, algebra.ring());
      std::vector<std::int64_t> next;
      for (const std::int64_t id : ids) {
        for (const std::int64_t c : s.at) next.push_back(id + c * mesh.stride(Axis(a)));
      }
      ids = std::move(next);
      axes.push_back(std::move(s));
    }
    std::sort(ids.begin(), ids.end());
    if (ids.size() > kMostDevices) throw Unknown{"too many devices that depend on each other"};
    try {
      Side from(source, Devices{}, mesh, digits, algebra);
      Side to(partitioned, layouts.devices, mesh, digits, algebra);
      from.connect();
      to.connect();
      const auto tiles = [&](ValueId global, ValueId local, const Placement& p) {
        const auto list = axes_of(p, mesh);
        for (std::size_t d = 0; d < p.parts.size(); ++d) {
          List own;
          if (!list && p.parts[d] != 1) throw Unknown{"a sharding that lies along no mesh axes"};
          if (list) {
            for (const Axis a : (*list)[d]) own = Digits::joined(own, digits.axis(a, mesh.size(a)));
          }
          digits.unify(from.list(global, d), Digits::joined(own, to.list(local, d)));
        }
      };
      for (std::size_t k = 0; k < source.arguments().size(); ++k)
        tiles(source.arguments()[k], partitioned.arguments()[k], layouts.arguments[k]);
      for (std::size_t k = 0; k < source.returned().size(); ++k)
        tiles(source.returned()[k], partitioned.returned()[k], layouts.results[k]);
      from.find_scalars({0});
      to.find_scalars(ids);
      to.connect_slices();
      digits.choose(axes, algebra.ring());
      for (std::size_t k = 0; k < source.returned().size(); ++k) {
        const ValueId global = source.returned()[k];
        const ValueId local = partitioned.returned()[k];
        const Placement& p = layouts.results[k];
        for (std::size_t d = 0; d < p.parts.size(); ++d) {
          const std::int64_t part = partitioned.tensor(local).dims[d];
          for (const std::int64_t at : digits.sample(to.list(local, d)).at) {
            to.asked(local, d).insert(at);
            for (const std::int64_t id : ids) {
              const std::int64_t g = p.chunk[d][static_cast<std::size_t>(id)] * part + at;
              if (g < source.tensor(global).dims[d]) from.asked(global, d).insert(g);
            }
          }
        }
      }
      to.ask();
      from.ask();
      Plans out{from.finish(), to.finish()};
      for (const auto& [op, over] : to.axes()) {
        std::vector<Element> weights;
        bool any = false;
        for (const std::int64_t id : ids) {
          Element w = algebra.ring().one();
          for (const Axis a : over) {
            const Sample& s = axes[a.index()];
            if (s.weights.empty()) continue;
            any = true;
            const std::int64_t c = mesh.coordinate(DeviceId(static_cast<std::size_t>(id)), a);
            const auto at = std::lower_bound(s.at.begin(), s.at.end(), c) - s.at.begin();
            w = algebra.ring().multiply(w, s.weights[static_cast<std::size_t>(at)]);
          }
          weights.push_back(w);
        }
        if (any) out.partitioned.weights.emplace(op, std::move(weights));
      }
      return out;
    } catch (const MoreDevices& m) {
      for (const std::int64_t id : m.ids) {
        for (std::size_t a = 0; a < mesh.rank(); ++a)
          more[a].insert(mesh.coordinate(DeviceId(static_cast<std::size_t>(id)), Axis(a)));
      }
    }
  }
  throw Unknown{"devices that depend on ever more others"};
}

}  // namespace partir::validate
