// Operations are compared by a textual description of everything but the names of values inside their regions. The
// first operation with a description replaces later ones in its block and the blocks inside it.
#include "verify/validate/deduplicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/ops/common.h"
#include "verify/certificate/effects.h"

namespace partir::validate {
namespace {

using Known = std::unordered_map<std::string, std::vector<ValueId>>;

class Deduplication {
 public:
  explicit Deduplication(Function function) : f_(std::move(function)) {}

  Function run() {
    block(f_.body, {});
    return std::move(f_);
  }

 private:
  [[nodiscard]] ValueId now(ValueId v) const {
    const auto it = instead_.find(v);
    return it == instead_.end() ? v : it->second;
  }

  static bool can_merge(const Op& op) {
    if (is_control_flow(op) || op.decl->kind == OpDecl::Kind::terminator) return false;
    if (op.decl->kind == OpDecl::Kind::collective || op.decl->kind == OpDecl::Kind::device) return true;
    return op.decl->pure && !depends_on_device_or_has_effects(op);
  }

  void rename(Block& b) {
    for (Op& op : b.ops) {
      for (ValueId& v : op.operands) v = now(v);
      for (Block& inner : op.regions) rename(inner);
    }
  }

  /// Appends a description of the operation, up to the names of its results and of values in its regions.
  void describe(const Op& op, std::unordered_map<ValueId, std::size_t>& own, std::string& out) const {
    out += op.name();
    for (const ValueId v : op.operands) {
      const auto it = own.find(v);
      out += it != own.end() ? fmt::format(" ^{}", it->second) : fmt::format(" {}", v.index());
    }
    for (const auto& [name, value] : op.attributes.sorted()) {
      if (name != "channel_handle") out += fmt::format(" {}={}", name, value.str());
    }
    // The channel's id does not matter; whether there is one decides what groups denote: partitions or replicas.
    if (ops::channel_id(op.attributes, op.place) > 0) out += " on a channel";
    for (const Block& b : op.regions) {
      out += "{";
      for (const ValueId v : b.arguments) {
        own.emplace(v, own.size());
        out += f_.type(v).str();
      }
      for (const Op& inner : b.ops) describe(inner, own, out);
      out += "}";
    }
    for (const ValueId v : op.results) {
      own.emplace(v, own.size());
      out += ">" + f_.type(v).str();
    }
  }

  void block(Block& b, Known known) {
    std::vector<Op> kept;
    for (Op& op : b.ops) {
      for (ValueId& v : op.operands) v = now(v);
      if (runs_regions(op)) {
        for (Block& inner : op.regions) block(inner, known);
      } else {
        for (Block& inner : op.regions) rename(inner);
      }
      if (can_merge(op)) {
        std::string text;
        std::unordered_map<ValueId, std::size_t> own;
        describe(op, own, text);
        const auto [it, fresh] = known.try_emplace(std::move(text), op.results);
        if (!fresh) {
          for (std::size_t k = 0; k < op.results.size(); ++k) instead_.emplace(op.results[k], it->second[k]);
          continue;
        }
      }
      kept.push_back(std::move(op));
    }
    b.ops = std::move(kept);
  }

  Function f_;
  std::unordered_map<ValueId, ValueId> instead_;
};

/// Copies broadcasts of scalars, and values computed from constants, to their uses.
class Copying {
 public:
  explicit Copying(const Function& function) : f_(function) {}

  Function run() {
    block(f_.body);
    return std::move(f_);
  }

 private:
  [[nodiscard]] bool is_copied(const Op& op) const {
    if (op.name() == "stablehlo.broadcast_in_dim" && f_.tensor(op.operands[0]).rank() == 0) return true;
    const auto is_known = [&](ValueId v) { return made_by_.contains(v); };
    const auto outside = captured(op);
    return op.decl->kind == OpDecl::Kind::array && op.decl->pure && !depends_on_device_or_has_effects(op) &&
           std::all_of(op.operands.begin(), op.operands.end(), is_known) &&
           std::all_of(outside.begin(), outside.end(), is_known);
  }

  void block(Block& b) {
    std::vector<Op> kept;
    for (Op& op : b.ops) {
      if (is_copied(op)) {
        for (const ValueId v : op.results) made_by_.emplace(v, op);
      } else {
        std::unordered_map<ValueId, ValueId> copies;  // one copy of each value per using operation
        for (ValueId& v : op.operands) v = copy(v, copies, kept);
        if (runs_regions(op)) {
          for (Block& inner : op.regions) block(inner);
        }
      }
      kept.push_back(std::move(op));
    }
    b.ops = std::move(kept);
  }

  ValueId copy(ValueId v, std::unordered_map<ValueId, ValueId>& copies, std::vector<Op>& into) {
    const auto made = made_by_.find(v);
    if (made == made_by_.end()) return v;
    if (const auto it = copies.find(v); it != copies.end()) return it->second;
    Op out = made->second;
    for (ValueId& operand : out.operands) operand = copy(operand, copies, into);
    for (ValueId& result : out.results) {
      const ValueId fresh = f_.add_value(f_.type(result));
      copies.emplace(result, fresh);
      result = fresh;
    }
    out.id = f_.new_op();
    into.push_back(std::move(out));
    return copies.at(v);
  }

  Function f_;
  std::unordered_map<ValueId, Op> made_by_;  ///< defining operation of each value that is copied
};

}  // namespace

Function with_own_broadcasts(const Function& function) { return Copying(function).run(); }

Function deduplicated(const Function& function) { return Deduplication(function).run(); }

}  // namespace partir::validate
