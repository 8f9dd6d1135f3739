#include "verify/validate/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "ir/by_offsets.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "rewrite/state.h"
#include "verify/certificate/conversions.h"
#include "verify/certificate/effects.h"
#include "verify/certificate/local.h"
#include "verify/certificate/positions.h"
#include "verify/validate/deduplicate.h"
#include "verify/validate/entry_fit.h"

namespace partir::validate {
namespace {

constexpr int kMostByOffsets = 32;  ///< operations of the source that are written in others

/// Ends the inference.
struct Unexplained {
  std::string why;
};

/// Lists of distinct axes, in all orders, whose sizes multiply to `parts`.
void axes_of_parts(const Mesh& mesh, std::int64_t parts, std::vector<Axis>& so_far,
                   const std::function<bool(const std::vector<Axis>&)>& use, bool& done) {
  if (parts == 1) {
    done = done || use(so_far);
    return;
  }
  for (std::size_t a = 0; a < mesh.rank() && !done; ++a) {
    const std::int64_t n = mesh.size(Axis(a));
    if (n == 1 || parts % n != 0 || std::find(so_far.begin(), so_far.end(), Axis(a)) != so_far.end()) continue;
    so_far.emplace_back(a);
    axes_of_parts(mesh, parts / n, so_far, use, done);
    so_far.pop_back();
  }
}

class Inferring {
 public:
  Inferring(const Function& source, const Function& target, const Layouts& layouts)
      : s_(source),
        t_(target),
        layouts_(layouts),
        mesh_(layouts.mesh),
        positions_(mesh_.devices()),
        splats_(source.types.size()),
        made_by_(target.types.size(), nullptr),
        open_(target.types.size(), false) {
    note_source(s_.body, {});
    note_target(t_.body);
  }

  /// The partitioned function as the certificate has it.
  Function run(Inference& out) {
    Function written = t_;
    written.body.ops.clear();
    w_ = &written;
    out.certificate.mesh = mesh_.str();
    try {
      for (std::size_t k = 0; k < t_.arguments().size(); ++k) {
        const ValueId source = s_.arguments()[k];
        const Layout type = wanted(layouts_.arguments[k], s_.type(source));
        if (!type.pending.empty()) throw Unexplained{fmt::format("argument {} comes in with a pending reduction", k)};
        set_part(t_.arguments()[k], source, type);
      }
      for (std::size_t k = 0; k < t_.returned().size(); ++k)
        results_.push_back(wanted(layouts_.results[k], s_.type(s_.returned()[k])));
      block(t_.body, written.body, {}, {&s_.body});
    } catch (const Unexplained& u) {
      note_offsets();
      out.stop = {at_ != nullptr ? at_->place : t_.place, at_ != nullptr ? at_->name() : "arguments", u.why};
    }
    out.steps = steps_.size();
    out.certificate.steps = std::move(steps_);
    annotate(written);
    return written;
  }

 private:
  struct Part {
    ValueId source;
    Layout type;
  };
  /// What an open value may be.
  struct Alternative {
    ValueId source;
    Layout type;
    friend bool operator==(const Alternative&, const Alternative&) = default;
  };
  struct Origin {
    const Op* op = nullptr;
    OpPath path;
  };
  /// A block that is written, and where it stands.
  struct Into {
    Block* block;
    OpPath path;
    std::size_t number;  ///< of all blocks that were entered; 0 for the body
  };
  using Enclosing = std::vector<const Block*>;  ///< blocks of the source that the one at hand stands in

  // --- What is there ------------------------------------------------------------------------------------------------

  [[nodiscard]] ValueId the(ValueId v) const {
    const auto it = same_.find(v);
    return it == same_.end() ? v : it->second;
  }

  void note_source(const Block& b, const OpPath& path) {
    for (std::size_t i = 0; i < b.ops.size(); ++i) {
      const Op& op = b.ops[i];
      OpPath here = path;
      here.push_back(i);
      if (op.name() == "sdy.sharding_constraint") {
        same_[op.results[0]] = the(op.operands[0]);
      } else {
        if (op.results.size() == 1) splats_[op.results[0].index()] = splat_of(op, splats_);
        for (std::size_t k = 0; k < op.operands.size(); ++k) users_[the(op.operands[k])].push_back({&op, k});
      }
      for (std::size_t r = 0; r < op.regions.size(); ++r) {
        here.push_back(r);
        note_source(op.regions[r], here);
        here.pop_back();
      }
      block_of_[&op] = &b;
      for (const ValueId v : op.results) origins_[v] = {&op, here};
      paths_[&op] = here;
    }
  }

  void note_target(const Block& b) {
    for (const Op& op : b.ops) {
      for (const ValueId v : op.results) made_by_[v.index()] = &op;
      if (!runs_regions(op)) continue;
      for (const Block& inner : op.regions) note_target(inner);
    }
  }

  /// Values that depend on no argument, or whose types several entries fit, are open: they are explained where they are
  /// used.
  [[nodiscard]] bool stays_open(const Op& op) const {
    if (op.decl->kind == OpDecl::Kind::device) return true;
    if (op.decl->kind != OpDecl::Kind::array || depends_on_device_or_has_effects(op)) return false;
    const auto is_open = [&](ValueId v) { return open_[v.index()]; };
    const auto outside = captured(op);
    return std::all_of(op.operands.begin(), op.operands.end(), is_open) &&
           std::all_of(outside.begin(), outside.end(), is_open);
  }

  /// A layout that the certificate can speak of.
  const Layout& wanted(const Layout& layout, const Type& global) const {
    if (layout.only) throw Unexplained{"an array that some devices lack"};
    if (!layout.divides(*global, mesh_)) throw Unexplained{"tiles that do not divide their dimension"};
    return layout;
  }

  void set_part(ValueId v, ValueId source, Layout type) {
    if (!is_layout_of(type, s_.type(source), mesh_) || type.local(s_.type(source), mesh_) != w_->type(v))
      throw Unexplained{fmt::format("{} is not of type {} on a device", type.str(mesh_), w_->type(v).str())};
    parts_[v] = {the(source), std::move(type)};
  }

  // --- Blocks -------------------------------------------------------------------------------------------------------

  void block(const Block& b, Block& into, const OpPath& path, const Enclosing& around) {
    into_.push_back({&into, path, entered_++});
    for (const Op& op : b.ops) {
      at_ = &op;
      if (op.decl->kind == OpDecl::Kind::terminator) {
        if (path.empty()) returned(op);
        continue;
      }
      if (stays_open(op)) {
        for (const ValueId v : op.results) open_[v.index()] = true;
        // Positions of devices are computed where they stand.
        if (positions_.follow(t_, op)) into.ops.push_back(op);
        continue;
      }
      if (op.operands.empty()) throw Unexplained{"is computed of nothing, and differs between devices"};
      if (convert(op)) continue;
      if (op.decl->kind == OpDecl::Kind::control && op.name() != "stablehlo.scan") {
        control(op, around);
      } else {
        local(op, around);
      }
    }
    into_.pop_back();
  }

  CertificateStep& emit(Op op) {
    Into& at = into_.back();
    CertificateStep step;
    step.op = at.path;
    step.op.push_back(at.block->ops.size());
    at.block->ops.push_back(std::move(op));
    steps_.push_back(std::move(step));
    return steps_.back();
  }

  void returned(const Op& op) {
    Op out = op;
    for (std::size_t k = 0; k < op.operands.size(); ++k)
      out.operands[k] = as(op.operands[k], s_.returned()[k], results_[k], fmt::format("result {}", k));
    into_.back().block->ops.push_back(std::move(out));
  }

  /// The value as a part of this source value, of this type.
  ValueId as(ValueId v, ValueId source, const Layout& type, const std::string& what) {
    if (open_[v.index()]) {
      const auto made = demanded(v, the(source), type);
      if (!made) throw Unexplained{fmt::format("{} is not computed as the source's is", what)};
      return *made;
    }
    const auto it = parts_.find(v);
    if (it == parts_.end()) throw Unexplained{what + " is no part of a source value"};
    if (it->second.source != the(source)) throw Unexplained{what + " is a part of another value than the source's"};
    if (!(it->second.type == type))
      throw Unexplained{fmt::format("{} is {}, not {}", what, it->second.type.str(mesh_), type.str(mesh_))};
    return v;
  }

  // --- Conversions --------------------------------------------------------------------------------------------------

  bool convert(const Op& op) {
    const bool collective = op.decl->kind == OpDecl::Kind::collective;
    const bool slices = op.name() == "stablehlo.dynamic_slice" && !open_[op.operands[0].index()] &&
                        std::all_of(op.operands.begin() + 1, op.operands.end(),
                                    [&](ValueId v) { return positions_.find(v) != nullptr; });
    if (!collective && !slices) return false;
    if (op.results.size() != 1) throw Unexplained{"converts several values"};
    const ValueId x = op.operands[0];
    if (open_[x.index()]) return convert_open(op);
    return convert_from(op, x, slices);
  }

  /// A conversion of a value whose type several entries fit: from the first type of which it is a conversion.
  bool convert_open(const Op& op) {
    const std::vector<Alternative> all = alternatives_of(op.operands[0]);
    if (all.empty()) throw Unexplained{"converts a value that depends on no argument"};
    std::string why = "converts a value whose type follows from its uses";
    for (const Alternative& a : all) {
      const auto v = demanded(op.operands[0], a.source, a.type);
      if (!v) continue;
      Op own = op;
      own.operands[0] = *v;
      try {
        if (convert_from(own, *v, false)) return true;
      } catch (const Unexplained& u) {
        why = u.why;
      }
    }
    throw Unexplained{why};
  }

  bool convert_from(const Op& op, ValueId x, bool slices) {
    const auto it = parts_.find(x);
    if (it == parts_.end()) throw Unexplained{"reads a value that is not explained"};
    const Part from = it->second;
    const Type& global = s_.type(from.source);
    for (const Layout& claimed : claims(op, from.type)) {
      if (claimed_step(op, from, claimed, global)) return true;
    }
    if (op.name() == "stablehlo.all_reduce" || op.name() == "stablehlo.reduce_scatter")
      throw Unexplained{not_pending(from)};
    const Converted c = converted(*w_, op, from.type, std::nullopt, global, mesh_, positions_);
    if (!c.wrong && claimed_step(op, from, c.layout, global)) return true;
    if (slices) return false;  // a slice at a known place, as the source has it
    throw Unexplained{c.wrong.value_or("gives a part of another type")};
  }

  bool claimed_step(const Op& op, const Part& from, const Layout& claimed, const Type& global) {
    if (!is_layout_of(claimed, global, mesh_) || claimed.local(global, mesh_) != t_.type(op.results[0])) return false;
    if (converted(*w_, op, from.type, claimed, global, mesh_, positions_).wrong) return false;
    emit(op).types = {claimed.str(mesh_)};
    set_part(op.results[0], from.source, claimed);
    return true;
  }

  /// What a reduction may give: some pending axes reduced, and for a reduce_scatter tiling its dimension in some order.
  std::vector<Layout> claims(const Op& op, const Layout& from) const {
    const bool scatters = op.name() == "stablehlo.reduce_scatter";
    std::vector<Layout> out;
    if (!scatters && op.name() != "stablehlo.all_reduce") return out;
    const std::size_t n = from.pending.size();
    if (n > 6) return out;
    for (std::size_t set = 1; set < (std::size_t{1} << n); ++set) {
      Layout reduced = from;
      std::vector<Factor> axes;
      for (std::size_t k = 0; k < n; ++k) {
        if (((set >> k) & 1) == 0) continue;
        axes.push_back(from.pending[k].over);
        reduced.drop_pending(from.pending[k].over);
      }
      if (!scatters) {
        out.push_back(reduced);
        continue;
      }
      const Attribute* dim = find(op.attributes, "scatter_dimension");
      const IntAttr* number = dim != nullptr ? dim->as<IntAttr>() : nullptr;
      if (number == nullptr || number->value < 0 || static_cast<std::size_t>(number->value) >= from.dims.size())
        return {};
      std::sort(axes.begin(), axes.end());
      do {
        Layout tiled = reduced;
        auto& list = tiled.dims[static_cast<std::size_t>(number->value)];
        list.insert(list.end(), axes.begin(), axes.end());
        out.push_back(std::move(tiled));
      } while (std::next_permutation(axes.begin(), axes.end()));
    }
    return out;
  }

  [[nodiscard]] std::string not_pending(const Part& from) const {
    return fmt::format(
        "reduces over groups of devices, or by a computation, for which its operand is not pending: that is {}",
        from.type.str(mesh_));
  }

  // --- Control flow -------------------------------------------------------------------------------------------------

  [[nodiscard]] static bool stands_around(const Enclosing& around, const Block* block) {
    return std::find(around.begin(), around.end(), block) != around.end();
  }

  void control(const Op& op, const Enclosing& around) {
    const Op* source = nullptr;
    for (std::size_t k = 0; k < op.operands.size() && source == nullptr; ++k) {
      const auto it = parts_.find(op.operands[k]);
      if (it == parts_.end()) continue;
      for (const auto& [user, place] : users_[it->second.source]) {
        if (place == k && user->decl == op.decl && user->operands.size() == op.operands.size() &&
            user->results.size() == op.results.size() && stands_around(around, block_of_.at(user)))
          source = user;
      }
    }
    if (source == nullptr) throw Unexplained{"no such operation in the source on these values"};
    if (!runs_regions(op)) {
      barrier(op, *source);
      return;
    }
    const bool loops = op.name() == "stablehlo.while";
    Op out = op;
    std::vector<Layout> types;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const Layout type = loops ? type_of_operand(op, *source, k) : Layout::replicated(t_.type(op.operands[k]).rank());
      out.operands[k] = as(op.operands[k], source->operands[k], type, fmt::format("operand {}", k));
      if (loops) types.push_back(type);
    }
    // The operation stands before what is inside it.
    emit(out).source = paths_.at(source);
    const std::size_t step = steps_.size() - 1;
    const OpPath here = steps_[step].op;
    Block* const holder = into_.back().block;
    const std::size_t own = holder->ops.size() - 1;
    std::vector<Block> regions;
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const Block& b = op.regions[r];
      const Block& of = source->regions[r];
      if (b.arguments.size() != of.arguments.size()) throw Unexplained{"a region with another number of arguments"};
      if (loops) {
        for (std::size_t k = 0; k < b.arguments.size(); ++k) set_part(b.arguments[k], of.arguments[k], types[k]);
      }
      OpPath inside = here;
      inside.push_back(r);
      Enclosing deeper = around;
      deeper.push_back(&of);
      Block made;
      made.arguments = b.arguments;
      block(b, made, inside, deeper);
      at_ = &op;
      Op end = b.ops.back();
      const auto& yielded = of.ops.back().operands;
      if (end.operands.size() != yielded.size()) throw Unexplained{"a region that yields another number of values"};
      into_.push_back({&made, inside, entered_++});
      for (std::size_t k = 0; k < yielded.size(); ++k) {
        const bool condition = loops && r == 0;
        if (!condition && !loops && types.size() == k) types.push_back(type_of_yield(end.operands[k], yielded[k]));
        const Layout type = condition ? Layout::replicated(t_.type(end.operands[k]).rank()) : types[k];
        end.operands[k] = as(end.operands[k], yielded[k], type, fmt::format("what region {} yields as {}", r, k));
      }
      into_.pop_back();
      made.ops.push_back(std::move(end));
      regions.push_back(std::move(made));
    }
    holder->ops[own].regions = std::move(regions);
    for (const Layout& type : types) steps_[step].types.push_back(type.str(mesh_));
    for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source->results[k], types[k]);
  }

  void barrier(const Op& op, const Op& source) {
    Op out = op;
    std::vector<std::string> texts;
    std::vector<Layout> types;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      types.push_back(type_of_operand(op, source, k));
      out.operands[k] = as(op.operands[k], source.operands[k], types[k], fmt::format("operand {}", k));
      texts.push_back(types[k].str(mesh_));
    }
    CertificateStep& step = emit(std::move(out));
    step.source = paths_.at(&source);
    step.types = std::move(texts);
    for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source.results[k], types[k]);
  }

  Layout type_of_operand(const Op& op, const Op& source, std::size_t k) const {
    return type_of_yield(op.operands[k], source.operands[k]);
  }

  /// Of a value that is computed of constants the first type that has the size of its parts.
  Layout type_of_yield(ValueId v, ValueId source) const {
    if (const auto it = parts_.find(v); it != parts_.end()) return it->second.type;
    const Type& global = s_.type(source);
    const Type& local = t_.type(v);
    Layout out = Layout::replicated(global.rank());
    std::vector<Axis> used;
    for (Dim d = 0; d < global.rank(); ++d) {
      if (local->dims[d] == 0 || global->dims[d] % local->dims[d] != 0) throw Unexplained{"a value of another shape"};
      std::vector<Axis> axes;
      bool done = false;
      axes_of_parts(
          mesh_, global->dims[d] / local->dims[d], axes,
          [&](const std::vector<Axis>& list) {
            const bool fresh = std::none_of(
                list.begin(), list.end(), [&](Axis a) { return std::find(used.begin(), used.end(), a) != used.end(); });
            if (fresh) out.dims[d].assign(list.begin(), list.end());
            return fresh;
          },
          done);
      if (!done) throw Unexplained{"a value of another shape"};
      for (const Factor& f : out.dims[d]) used.push_back(f.axis());
    }
    return out;
  }

  // --- Device-local operations --------------------------------------------------------------------------------------

  const Form& form_of(const Op& op) {
    const Form*& known = forms_[&op];
    if (known == nullptr) {
      std::vector<LiteralPtr> splats;
      for (const ValueId v : op.operands) splats.push_back(splats_[v.index()]);
      known = table_.of(instance_of(s_, op, std::move(splats)));
    }
    return *known;
  }

  void local(const Op& op, const Enclosing& around) {
    if (const auto why = depends_on_device_or_has_effects(op)) throw Unexplained{*why};
    KnownTypes known(op.operands.size());
    std::optional<std::size_t> first;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      if (open_[op.operands[k].index()]) continue;
      const auto it = parts_.find(op.operands[k]);
      if (it == parts_.end()) throw Unexplained{"uses a value that is not explained"};
      known[k] = it->second.type;
      if (!first) first = k;
    }
    if (!first) throw Unexplained{"reads other values inside its regions alone"};
    if (op.results.empty()) throw Unexplained{"gives nothing"};
    std::string why = "no such operation in the source on these values";
    struct Way {
      const Op* source;
      EntryFit fit;
    };
    std::vector<Way> ways;
    for (const auto& [source, place] : users_[parts_.at(op.operands[*first]).source]) {
      if (place != *first || source->decl != op.decl || source->operands.size() != op.operands.size()) continue;
      if (!stands_around(around, block_of_.at(source))) continue;
      bool same = true;
      for (std::size_t k = 0; k < op.operands.size() && same; ++k)
        same = !known[k] || parts_.at(op.operands[k]).source == the(source->operands[k]);
      if (!same) continue;
      auto fits = fit_entries(form_of(*source), instance_of(t_, op), known, KnownTypes(op.results.size()), mesh_);
      if (fits.empty()) {
        why = "no entries of the operation take its operands so, or they make another local operation of it";
        continue;
      }
      if (!regions_agree(*source, op)) {
        why = "a region that is not the source's";
        continue;
      }
      for (EntryFit& fit : fits) ways.push_back({source, std::move(fit)});
    }
    // Of several ways those count whose operands can be had.
    std::vector<Op> made;
    std::vector<Alternative> alternatives;
    std::size_t chosen = 0;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      why = "an operand is not computed as the source's is";
      auto out = with_operands(op, *ways[w].source, ways[w].fit);
      if (!out) continue;
      const Alternative is{the(ways[w].source->results[0]), ways[w].fit.results[0]};
      if (std::find(alternatives.begin(), alternatives.end(), is) != alternatives.end()) continue;
      if (made.empty()) chosen = w;
      alternatives.push_back(is);
      made.push_back(std::move(*out));
    }
    if (made.empty()) throw Unexplained{why};
    if (made.size() > 1 && op.results.size() == 1) {
      open_[op.results[0].index()] = true;
      alternatives_[op.results[0]] = std::move(alternatives);
      return;
    }
    const auto& [source, fit] = ways[chosen];
    CertificateStep& step = emit(std::move(made[0]));
    step.source = paths_.at(source);
    step.along = fit.along;
    for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source->results[k], fit.results[k]);
  }

  /// The operation on operands of the types that its entries take; nothing where one cannot be.
  std::optional<Op> with_operands(const Op& op, const Op& source, const EntryFit& fit) {
    Op out = op;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const auto v = demanded(op.operands[k], the(source.operands[k]), fit.operands[k]);
      if (!v) return std::nullopt;
      out.operands[k] = *v;
    }
    return out;
  }

  [[nodiscard]] bool regions_agree(const Op& source, const Op& op) const {
    if (source.regions.size() != op.regions.size()) return false;
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const auto same = [&](ValueId x, ValueId y) {
        const auto it = parts_.find(y);
        return it != parts_.end() && it->second.source == the(x) && it->second.type.is_replicated();
      };
      if (!same_block(s_, source.regions[r], t_, op.regions[r], same)) return false;
    }
    return true;
  }

  // --- Open values
  // ----------------------------------------------------------------------------------------------------

  /// What an open value may be: nothing is known of one that depends on no argument.
  const std::vector<Alternative>& alternatives_of(ValueId v) {
    const auto [it, fresh] = alternatives_.try_emplace(v);
    if (!fresh) return it->second;
    const Op* op = made_by_[v.index()];
    std::vector<Alternative> out;
    for (std::size_t k = 0; op != nullptr && k < op->operands.size() && out.empty(); ++k) {
      std::vector<Alternative> operand;
      if (open_[op->operands[k].index()]) operand = alternatives_of(op->operands[k]);
      for (const Alternative& a : operand) {
        KnownTypes known(op->operands.size());
        known[k] = a.type;
        for (const auto& [source, place] : users_[a.source]) {
          if (place != k || source->decl != op->decl || source->operands.size() != op->operands.size()) continue;
          for (const EntryFit& f :
               fit_entries(form_of(*source), instance_of(t_, *op), known, KnownTypes(op->results.size()), mesh_))
            out.push_back({the(source->results[0]), f.results[0]});
        }
      }
    }
    return alternatives_[v] = std::move(out);
  }

  /// A copy of the value, and of what it is computed of, as this source value by this type; nothing where it is none.
  std::optional<ValueId> demanded(ValueId v, ValueId source, const Layout& type) {
    if (!open_[v.index()]) {
      const auto it = parts_.find(v);
      return it != parts_.end() && it->second.source == source && it->second.type == type ? std::optional(v)
                                                                                          : std::nullopt;
    }
    const auto key = std::tuple(into_.back().number, v, source, type);
    if (const auto it = copies_.find(key); it != copies_.end()) return it->second;
    const Op* op = made_by_[v.index()];
    const auto origin = origins_.find(source);
    if (op == nullptr || origin == origins_.end() || op->results.size() != 1) return std::nullopt;
    if (!is_layout_of(type, s_.type(source), mesh_) || type.local(s_.type(source), mesh_) != t_.type(v))
      return std::nullopt;
    const Op& from = *origin->second.op;
    std::optional<ValueId> out;
    KnownTypes known(op->operands.size());
    for (std::size_t k = 0; k < op->operands.size(); ++k) {
      if (const auto it = parts_.find(op->operands[k]); it != parts_.end()) known[k] = it->second.type;
    }
    if (from.decl == op->decl && from.operands.size() == op->operands.size() && regions_agree(from, *op)) {
      for (const EntryFit& fit : fit_entries(form_of(from), instance_of(t_, *op), known, KnownTypes{type}, mesh_)) {
        auto copy = with_operands(*op, from, fit);
        if (!copy) continue;
        out = w_->add_value(t_.type(v));
        copy->id = w_->new_op();
        copy->results = {*out};
        CertificateStep& step = emit(std::move(*copy));
        step.source = origin->second.path;
        step.along = fit.along;
        break;
      }
    }
    if (!out && op->name() == "stablehlo.dynamic_slice") out = sliced(*op, source, type);
    if (!out) return std::nullopt;
    parts_[*out] = {source, type};
    copies_.emplace(key, *out);
    return out;
  }

  /// A device's slice of a value computed of constants: of a type with fewer axes.
  std::optional<ValueId> sliced(const Op& op, ValueId source, const Layout& type) {
    const Type& global = s_.type(source);
    for (std::size_t k = 1; k < op.operands.size(); ++k) {
      if (positions_.find(op.operands[k]) == nullptr) return std::nullopt;
    }
    Layout before = type;
    for (Dim d = 0; d < global.rank(); ++d) {
      while (!before.dims[d].empty() && before.local(global, mesh_)->dims[d] != t_.type(op.operands[0])->dims[d])
        before.dims[d].pop_back();
    }
    if (before.local(global, mesh_) != t_.type(op.operands[0])) return std::nullopt;
    if (converted(*w_, op, before, type, global, mesh_, positions_).wrong) return std::nullopt;
    const auto operand = demanded(op.operands[0], source, before);
    if (!operand) return std::nullopt;
    Op copy = op;
    copy.operands[0] = *operand;
    const ValueId out = w_->add_value(t_.type(op.results[0]));
    copy.id = w_->new_op();
    copy.results = {out};
    emit(std::move(copy)).types = {type.str(mesh_)};
    return out;
  }

  // --- What the checker reads ---------------------------------------------------------------------------------------

  void annotate(Function& f) const {
    const auto say = [&](std::vector<AttributeList>& list, std::size_t k, const Layout& type) {
      if (list.size() <= k) list.resize(k + 1);
      set(list[k], "mhlo.frontend_attributes",
          {DictAttr{AttributeList{{"partir.sharding", {StringAttr{type.str(mesh_)}}}}}});
    };
    for (std::size_t k = 0; k < f.arguments().size(); ++k) {
      if (const auto it = parts_.find(f.arguments()[k]); it != parts_.end())
        say(f.argument_attributes, k, it->second.type);
    }
    for (std::size_t k = 0; k < results_.size(); ++k) say(f.result_attributes, k, results_[k]);
  }

  /// Operations of the source that read what the operation at hand reads, and that written in others take an operand
  /// in the chunks in which it is known to come, or give a result in chunks.
  void note_offsets() {
    if (at_ == nullptr) return;
    std::unordered_map<ValueId, std::vector<Layout>> known;
    for (const auto& [v, part] : parts_) known[part.source].push_back(part.type);
    const auto chunks_of = [&](const Layout& type, Dim d) { return type.parts(d, mesh_); };
    for (const ValueId v : at_->operands) {
      const auto it = parts_.find(v);
      if (it == parts_.end()) continue;
      for (const auto& [user, place] : users_[it->second.source]) {
        if (user->decl->by_offsets == nullptr || user->results.size() != 1) continue;
        const OpInstance instance = instance_of(s_, *user, std::vector<LiteralPtr>(user->operands.size()));
        const auto offer = [&](std::size_t operand, Dim d, std::int64_t n) {
          const std::pair<ValueId, ByOffsets> is{user->results[0], {operand, d, n}};
          const bool there = std::any_of(offsets_.begin(), offsets_.end(), [&](const auto& o) {
            return o.first == is.first && o.second.operand == operand && o.second.dim == d && o.second.devices == n;
          });
          if (n > 1 && !there && user->decl->by_offsets(instance, operand, d, n)) offsets_.push_back(is);
        };
        for (std::size_t k = 0; k < user->operands.size(); ++k) {
          for (const Layout& type : known[the(user->operands[k])]) {
            for (Dim d = 0; d < type.dims.size(); ++d) offer(k, d, chunks_of(type, d));
          }
        }
        for (Dim d = 0; d < s_.type(user->results[0]).rank(); ++d) {
          for (const auto& axis : mesh_.axes()) offer(user->operands.size(), d, axis.size);
        }
      }
    }
  }

 public:
  [[nodiscard]] const std::vector<std::pair<ValueId, ByOffsets>>& offsets() const { return offsets_; }

 private:
  const Function& s_;
  const Function& t_;
  const Layouts& layouts_;
  const Mesh& mesh_;
  Positions positions_;
  FormTable table_;
  std::unordered_map<const Op*, const Form*> forms_;
  std::vector<LiteralPtr> splats_;
  std::unordered_map<ValueId, ValueId> same_;
  std::unordered_map<ValueId, std::vector<std::pair<const Op*, std::size_t>>> users_;
  std::unordered_map<ValueId, Origin> origins_;
  std::unordered_map<const Op*, OpPath> paths_;
  std::unordered_map<const Op*, const Block*> block_of_;
  std::vector<const Op*> made_by_;  ///< by value of the partitioned program
  std::vector<bool> open_;          ///< by value of it: explained where it is used
  std::unordered_map<ValueId, Part> parts_;
  std::unordered_map<ValueId, std::vector<Alternative>> alternatives_;
  std::map<std::tuple<std::size_t, ValueId, ValueId, Layout>, ValueId> copies_;
  std::size_t entered_ = 0;
  std::vector<Layout> results_;
  std::vector<CertificateStep> steps_;
  std::vector<Into> into_;
  Function* w_ = nullptr;
  const Op* at_ = nullptr;
  std::vector<std::pair<ValueId, ByOffsets>> offsets_;  ///< what may be written by offsets
};

Module with_function(const Module& like, Function f) {
  Module out = like;
  out.functions.clear();
  f.is_public = true;
  f.name = "main";
  out.functions.push_back(std::move(f));
  return out;
}

}  // namespace

Inference infer_certificate(const Module& source, const Module& partitioned, const Layouts& layouts) {
  const Function from = deduplicated(**source.main());
  const Function to = without_dead_code(deduplicated(**partitioned.main()));
  // Where the inference stops, an operation of the source may have been written in others by offsets: the first that
  // lets it go on is taken.
  OperationsByOffsets by_offsets;
  Inference out;
  std::vector<std::pair<ValueId, ByOffsets>> open;
  const auto attempt = [&](const OperationsByOffsets& operations) {
    Inference made;
    const Function written_source = written_by_offsets(from, operations);
    Inferring inferring(written_source, to, layouts);
    Function written = inferring.run(made);
    made.certificate.by_offsets = places_of(operations, from);
    made.partitioned = with_function(partitioned, std::move(written));
    return std::pair(std::move(made), inferring.offsets());
  };
  std::tie(out, open) = attempt(by_offsets);
  for (int tries = 0; out.stop && tries < kMostByOffsets; ++tries) {
    bool further = false;
    for (const auto& [result, how] : open) {
      OperationsByOffsets more = by_offsets;
      if (!more.emplace(result, how).second) continue;
      auto [made, next] = attempt(more);
      if (made.stop && made.stop->place.line <= out.stop->place.line) continue;
      by_offsets = std::move(more);
      out = std::move(made);
      open = std::move(next);
      further = true;
      break;
    }
    if (!further) break;
  }
  out.source = with_function(source, from);
  const auto count = [](std::int64_t n) { return Attribute{IntAttr{n, "i32"}}; };
  set(out.partitioned.attributes, "mhlo.num_partitions", count(layouts.mesh.devices()));
  set(out.partitioned.attributes, "mhlo.num_replicas", count(1));
  set(out.partitioned.attributes, "mhlo.frontend_attributes",
      {DictAttr{AttributeList{{"partir.mesh", {StringAttr{layouts.mesh.str()}}}}}});
  return out;
}

}  // namespace partir::validate
