// Matches each operation of the source with the operations of the padded function that compute its results, and proves
// those that are not executed unchanged on unpadded values.
#include "verify/certificate/padding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ir/builder.h"
#include "ir/cloner.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "verify/certificate/checker.h"
#include "verify/certificate/effects.h"

namespace partir {
namespace {

/// Builds a predicate of the padded shape `wide` that is true inside the unpadded shape `own`. For own = 3 and wide =
/// 4: [true, true, true, false].
ValueId inside(Builder& b, const TensorType& own, const TensorType& wide) {
  std::optional<ValueId> out;
  for (Dim d = 0; d < own.rank(); ++d) {
    if (own.dims[d] == wide.dims[d]) continue;
    const TensorType line{ElementType::i64, {wide.dims[d]}};
    const ValueId below = b.compare("LT", b.iota(line, 0), b.constant(line, own.dims[d]));
    const ValueId spread = b.broadcast_in_dim(below, {static_cast<std::int64_t>(d)}, wide.dims);
    out = out ? b.logical_and(*out, spread) : spread;
  }
  return *out;
}

ValueId cut(Builder& b, ValueId v, const Type& own) {
  return b.slice(v, std::vector<std::int64_t>(own.rank(), 0), own->dims);
}

class PaddingCheck {
 public:
  PaddingCheck(const Function& source, const Function& padded, LocalPrograms& programs)
      : s_(source), p_(padded), programs_(programs), infinities_(source), splats_(source.types.size()) {}

  RewritingReport run() {
    if (const auto ok = verify_function(p_); !ok) throw Refused{"on padded values: " + ok.error().text()};
    if (s_.arguments() != p_.arguments()) throw Refused{"other arguments on padded values"};
    for (const ValueId v : s_.arguments()) require_beginning(v);
    block(s_.body, p_.body, true);
    return std::move(report_);
  }

 private:
  /// Whether a value of the padded function is one of the source's (has a ValueId of the source).
  [[nodiscard]] bool is_own(ValueId v) const { return v.index() < s_.types.size(); }
  [[nodiscard]] bool is_padded(ValueId v) const { return s_.type(v) != p_.type(v); }

  void require_beginning(ValueId v) const {
    const Type& own = s_.type(v);
    const Type& wide = p_.type(v);
    if (own == wide) return;
    bool begins = own.is_tensor() && wide.is_tensor() && own->element == wide->element && own.rank() == wide.rank();
    for (Dim d = 0; begins && d < own.rank(); ++d) begins = own->dims[d] <= wide->dims[d];
    if (!begins) throw Refused{fmt::format("{} does not begin with a {}", wide.str(), own.str())};
  }

  void block(const Block& source, const Block& padded, bool is_body) {
    auto at = padded.ops.begin();
    for (const Op& op : source.ops) {
      if (op.decl->kind == OpDecl::Kind::terminator) {
        if (at == padded.ops.end()) throw Refused{"a block without end on padded values"};
        while (&*at != &padded.ops.back()) note(*at++);
        terminator(op, *at, is_body);
        return;
      }
      const auto last = last_of(op, at, padded.ops.end());
      for (auto it = at; it != last; ++it) note(*it);
      for (const ValueId v : op.results) require_beginning(v);
      if (runs_regions(op) || !flows_of(op).empty()) {
        control(op, *last);
      } else {
        operation(op, at, last + 1);
      }
      at = last + 1;
    }
  }

  using Ops = std::vector<Op>::const_iterator;

  /// The last of the operations that compute the results of `op`; an operation without results is itself. The results
  /// of one operation may be padded one by one after it.
  static Ops last_of(const Op& op, Ops at, Ops end) {
    Ops last = end;
    std::size_t missing = std::max<std::size_t>(1, op.results.size());
    for (Ops it = at; it != end && missing != 0; ++it) {
      const auto is_result = [&](ValueId v) {
        return std::find(op.results.begin(), op.results.end(), v) != op.results.end();
      };
      const auto found = op.results.empty() ? std::ptrdiff_t{it->decl == op.decl}
                                            : std::count_if(it->results.begin(), it->results.end(), is_result);
      if (found != 0) last = it;
      missing -= std::min(missing, static_cast<std::size_t>(found));
    }
    if (missing != 0) throw Refused{op.name() + " is not there on padded values"};
    return last;
  }

  /// Records the results of an operation of the padded function, so that definition() finds it.
  void note(const Op& op) {
    for (const ValueId v : op.results) defined_[v] = &op;
  }

  /// The operation of the padded function that defines the value; null if none was noted.
  [[nodiscard]] const Op* definition(ValueId v) const {
    const auto it = defined_.find(v);
    return it == defined_.end() ? nullptr : it->second;
  }

  static bool all_are(const OpInstance& op, std::string_view attribute, std::int64_t number) {
    const auto& list = op.ints(attribute);
    return std::all_of(list.begin(), list.end(), [number](std::int64_t n) { return n == number; });
  }

  /// Whether `w` is the source value `v` with or without padding: `v` itself, or the unpadded `v` padded at its ends.
  [[nodiscard]] bool is_version(ValueId w, ValueId v) const {
    if (w == v) return true;
    const Op* op = definition(w);
    if (op == nullptr || op->name() != "stablehlo.pad" || op->operands[0] != v || is_padded(v)) return false;
    return pads_ends(*op);
  }

  [[nodiscard]] bool pads_ends(const Op& op) const {
    const OpInstance pad = instance_of(p_, op);
    const auto& high = pad.ints("edge_padding_high");
    return all_are(pad, "edge_padding_low", 0) && all_are(pad, "interior_padding", 0) &&
           std::all_of(high.begin(), high.end(), [](std::int64_t n) { return n >= 0; });
  }

  /// Whether `w` is exactly the source value `v`, without padding: `v` itself, or a slice of it to the source's shape.
  [[nodiscard]] bool is_unpadded(ValueId w, ValueId v) const {
    if (w == v) return !is_padded(v);
    const Op* op = definition(w);
    if (op == nullptr || op->name() != "stablehlo.slice" || !is_version(op->operands[0], v)) return false;
    const OpInstance slice = instance_of(p_, *op);
    return p_.type(w) == s_.type(v) && all_are(slice, "start_indices", 0) && all_are(slice, "strides", 1);
  }

  void terminator(const Op& source, const Op& padded, bool is_body) const {
    bool same = source.decl == padded.decl && source.operands.size() == padded.operands.size();
    for (std::size_t k = 0; same && k < source.operands.size(); ++k) {
      const ValueId v = source.operands[k];
      same = is_version(padded.operands[k], v) || (is_body && is_unpadded(padded.operands[k], v));
    }
    if (!same) throw Refused{"a block that returns other values on padded values"};
  }

  void control(const Op& source, const Op& padded) {
    bool same = source.decl == padded.decl && source.results == padded.results &&
                source.attributes.sorted() == padded.attributes.sorted() &&
                source.operands.size() == padded.operands.size() && source.regions.size() == padded.regions.size();
    for (std::size_t k = 0; same && k < source.operands.size(); ++k)
      same = is_version(padded.operands[k], source.operands[k]);
    if (!same) throw Refused{source.name() + " is another on padded values"};
    for (std::size_t r = 0; r < source.regions.size(); ++r) {
      const Block& from = source.regions[r];
      const Block& to = padded.regions[r];
      if (from.arguments != to.arguments) throw Refused{"a region with other arguments on padded values"};
      for (const ValueId v : from.arguments) require_beginning(v);
      block(from, to, false);
    }
  }

  void operation(const Op& op, Ops first, Ops end) {
    for (const ValueId v : op.results) splats_[v] = checked_splat(op, splats_);
    for (Ops it = first; it != end; ++it) note(*it);
    if (is_same_on_unpadded_values(op, first, end)) return;
    for (Ops it = first; it != end; ++it) {
      if (is_control_flow(*it)) throw Refused{"control flow that the source does not have, on padded values"};
      if (const auto why = depends_on_device_or_has_effects(*it)) throw Refused{*why + ", on padded values"};
    }
    report_.note(op, "on padded values", proof(op));
  }

  /// Whether the operation is executed as in the source, on unpadded operands. Its results may be padded afterwards.
  [[nodiscard]] bool is_same_on_unpadded_values(const Op& op, Ops first, Ops end) const {
    const auto same = std::find_if(first, end, [&](const Op& o) { return o.decl == op.decl && o.id == op.id; });
    if (same == end) return false;
    for (Ops it = first; it != end; ++it) {
      if (it != same && depends_on_device_or_has_effects(*it)) return false;
    }
    if (!(same->attributes.sorted() == op.attributes.sorted()) || same->operands.size() != op.operands.size() ||
        same->results.size() != op.results.size() || same->regions.size() != op.regions.size())
      return false;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      if (!is_unpadded(same->operands[k], op.operands[k])) return false;
    }
    const auto outside = [&](ValueId x, ValueId y) { return is_unpadded(y, x); };
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      if (!same_block(s_, op.regions[r], p_, same->regions[r], outside)) return false;
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      if (p_.type(same->results[k]) != s_.type(op.results[k])) return false;
      if (same->results[k] == op.results[k]) continue;
      const Op* pad = definition(op.results[k]);
      if (pad == nullptr || pad->name() != "stablehlo.pad" || pad->operands[0] != same->results[k] || !pads_ends(*pad))
        return false;
    }
    return true;
  }

  /// Appends to `out`, in order, the operations that compute `v` from values of the source other than `results`, and to
  /// `inputs` those values.
  void needed(ValueId v, const std::set<ValueId>& results, std::vector<const Op*>& out,
              std::vector<ValueId>& inputs) const {
    if (is_own(v) && !results.contains(v)) {
      if (std::find(inputs.begin(), inputs.end(), v) == inputs.end()) inputs.push_back(v);
      return;
    }
    const Op* op = definition(v);
    if (op == nullptr) throw Refused{"a value that nothing defines, on padded values"};
    if (std::find(out.begin(), out.end(), op) != out.end()) return;
    for (const ValueId w : op->operands) needed(w, results, out, inputs);
    for (const ValueId w : captured(*op)) needed(w, results, out, inputs);
    out.push_back(op);
  }

  /// Proves that the padded operations compute the results of `op`. Both sides become functions of the padded operands.
  /// Each element of the padding is either an arbitrary number or an infinity, so that no law of finite numbers applies
  /// to it.
  const prove::Decision& proof(const Op& op) {
    const std::set<ValueId> results(op.results.begin(), op.results.end());
    std::vector<const Op*> others;
    std::vector<ValueId> inputs;
    // A slice may be written together with the selection and the pad before it (ir/by_offsets.h).
    const std::vector<const Op*> ops = with_selection(op);
    for (const Op* o : ops) {
      for (const ValueId v : o->operands) {
        const auto makes = [&](const Op* earlier) { return earlier->results == std::vector{v}; };
        if (std::none_of(ops.begin(), ops.end(), makes)) needed(v, results, others, inputs);
      }
    }
    for (const ValueId v : op.results) needed(v, results, others, inputs);

    Function one;
    Function other;
    one.name = other.name = "main";
    Builder a(one, one.body);
    Builder b(other, other.body);
    Cloner in_one(s_, one);
    Cloner in_other(p_, other);
    std::vector<std::pair<ValueId, std::array<ValueId, 2>>> wide;  // input -> its argument in each function
    for (const ValueId v : inputs) wide.push_back({v, {a.argument(p_.type(v)), b.argument(p_.type(v))}});
    for (const auto& [v, in] : wide) {
      if (splats_[v] != nullptr && !is_padded(v)) {
        const LiteralPtr known = splat_of(*splats_[v], s_.tensor(v).dims);
        in_one.map(v, a.constant(known));
        in_other.map(v, b.constant(known));
        continue;
      }
      in_one.map(v, is_padded(v) ? cut(a, in[0], s_.type(v)) : in[0]);
      in_other.map(v, is_padded(v) ? with_infinities(v, in[1], a, b) : in[1]);
    }
    std::vector<ValueId> wanted;
    for (const Op* o : ops) {
      Op copy = in_one.op(*o);
      copy.id = one.new_op();
      wanted = a.append(std::move(copy)).results;
    }
    a.give(wanted);
    for (const Op* o : others) {
      Op copy = in_other.op(*o);
      copy.id = other.new_op();
      b.append(std::move(copy));
    }
    std::vector<ValueId> got;
    for (const ValueId v : op.results)
      got.push_back(is_padded(v) ? cut(b, in_other.at(v), s_.type(v)) : in_other.at(v));
    b.give(got);
    return programs_.same(one, other);
  }

  /// The operations that are proved together with `op`, which is the last of them: if it cuts the result of a selection
  /// from a padded value, and the operations on padded values do not read that result, those two.
  [[nodiscard]] std::vector<const Op*> with_selection(const Op& op) const {
    const auto made = [&](const Op& by) -> const Op* {
      const Op* out = by.operands.empty() ? nullptr : defining_op(s_, by.operands[0]);
      return out == nullptr || out->results.size() != 1 ? nullptr : out;
    };
    const Op* selects = op.decl->traits.cuts && op.operands.size() == 1 ? made(op) : nullptr;
    const Op* pads = selects != nullptr && selects->decl->traits.selects ? made(*selects) : nullptr;
    // An infinity in the padding may be selected instead of one of the value's own.
    if (pads == nullptr || pads->name() != "stablehlo.pad" || !infinities_.of(pads->operands[0]).none()) return {&op};
    std::vector<const Op*> others;
    std::vector<ValueId> inputs;
    for (const ValueId v : op.results) needed(v, {op.results.begin(), op.results.end()}, others, inputs);
    if (std::find(inputs.begin(), inputs.end(), op.operands[0]) != inputs.end()) return {&op};
    return {pads, selects, &op};
  }

  ValueId with_infinities(ValueId v, ValueId given, Builder& a, Builder& b) const {
    const TensorType own = s_.tensor(v);
    const TensorType type = p_.tensor(v);
    const LiteralPtr infinity = is_float(type.element) ? identity_splat(type, Monoid::min) : nullptr;
    if (infinity == nullptr) return given;
    const TensorType predicate{ElementType::i1, type.dims};
    a.argument(predicate);
    const ValueId finite = b.argument(predicate);
    return b.select(inside(b, own, type), given, b.select(finite, given, b.constant(infinity)));
  }

  const Function& s_;
  const Function& p_;
  LocalPrograms& programs_;
  LazyInfinities infinities_;             ///< of the source
  Splats splats_;                         ///< of the source's values
  std::map<ValueId, const Op*> defined_;  ///< defining operation of each value met so far
  RewritingReport report_;
};

}  // namespace

RewritingReport check_padding(const Function& source, const Function& padded, LocalPrograms& programs) {
  return PaddingCheck(source, padded, programs).run();
}

}  // namespace partir
