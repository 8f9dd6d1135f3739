// Indexes the source's values (SourceIndex), explains each value of the partitioned program as it is evaluated, and
// describes the first unexplained operation in terms of its operands.
#include "verify/validate/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ir/control_flow.h"
#include "semantics/collectives.h"
#include "verify/validate/comparison.h"
#include "verify/validate/source_index.h"

namespace partir::validate {
namespace {

std::string set_text(const std::vector<std::int64_t>& devices) {
  std::string out;
  for (std::size_t k = 0; k < devices.size() && k < 16; ++k) out += fmt::format("{}{}", k != 0 ? "," : "", devices[k]);
  return "{" + out + (devices.size() > 16 ? ",…}" : "}");
}

/// The search for the operation at fault.
class Search {
 public:
  Search(const Function& source, const Function& partitioned, const Layouts& layouts, Seed seed,
         const std::function<bool()>& stop)
      : partitioned_(partitioned),
        layouts_(layouts),
        comparison_(source, partitioned, layouts, seed, false, stop),
        index_(layouts.mesh, comparison_.algebra()) {}

  std::optional<Defect> run() {
    note_definitions(partitioned_.body);
    bool first = true;
    const auto of_source = [&](const Op& op, const std::vector<DeviceArrays>& results) {
      if (std::exchange(first, false)) add_arguments();
      for (const DeviceArrays& r : results) index_.add(fmt::format("line {}, {}", op.place.line, op.name()), *r[0]);
    };
    bool begun = false;
    const auto of_partitioned = [&](const Op& op, const std::vector<DeviceArrays>& results) {
      if (std::exchange(first, false)) add_arguments();
      if (!std::exchange(begun, true)) explain_arguments();
      observe(op, results);
    };
    const std::vector<bool> agree = comparison_.run(of_source, of_partitioned);
    std::set<ValueId> seen;
    for (std::size_t k = 0; k < agree.size(); ++k) {
      if (!agree[k]) trace_back(partitioned_.returned()[k], seen);
    }
    // Integers and masks can be computed in many ways, so operations on floats are preferred, then collectives.
    const auto first_of = [&](const auto& is) -> std::optional<Defect> {
      for (const auto& [op, defect] : candidates_) {
        if (faulty_.contains(op) && is(*op)) return defect;
      }
      return std::nullopt;
    };
    if (auto out = first_of([&](const Op& op) { return !is_neutral(op); })) return out;
    if (auto out = first_of([](const Op& op) { return op.decl->kind == OpDecl::Kind::collective; })) return out;
    if (auto out = first_of([](const Op&) { return true; })) return out;
    for (std::size_t k = 0; k < agree.size(); ++k) {
      if (!agree[k]) return misdeclared(k);
    }
    return std::nullopt;
  }

 private:
  void add_arguments() {
    for (std::size_t k = 0; k < comparison_.arguments().size(); ++k)
      index_.add(fmt::format("argument {}", k), *comparison_.arguments()[k]);
  }

  void explain_arguments() {
    for (std::size_t k = 0; k < partitioned_.arguments().size(); ++k)
      known_[partitioned_.arguments()[k]] = index_.explain(comparison_.parts()[k]);
  }

  /// Records the defining operation, or the control flow, of each value.
  void note_definitions(const Block& block) {
    for (const Op& op : block.ops) {
      for (const ValueId v : op.results) defining_op_[v] = &op;
      for (const Flow& f : flows_of(op)) {
        for (const ValueId v : f.to) flows_[v] = f.from;
      }
      if (runs_regions(op)) {
        for (const Block& b : op.regions) note_definitions(b);
      }
    }
  }

  /// Whether a value is explained; true if it was not computed. A value forwarded by control flow is explained if the
  /// values that flow into it are.
  bool is_explained(ValueId v, int depth = 0) const {
    const auto flow = flows_.find(v);
    if (flow != flows_.end()) {
      if (depth > 8) return true;
      bool any = false;
      for (const ValueId from : flow->second) {
        if (!known_.contains(from) && !flows_.contains(from)) continue;
        any = true;
        if (!is_explained(from, depth + 1)) return false;
      }
      return any;
    }
    const auto it = known_.find(v);
    return it == known_.end() || it->second.has_value();
  }

  [[nodiscard]] bool is_neutral(const Op& op) const {
    return std::none_of(op.results.begin(), op.results.end(), [&](ValueId v) {
      return unexplained_.contains(v) &&
             (is_float(partitioned_.tensor(v).element) || is_complex(partitioned_.tensor(v).element));
    });
  }

  void observe(const Op& op, const std::vector<DeviceArrays>& results) {
    const bool operands = std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId v) {
      const ElementType type = partitioned_.tensor(v).element;
      return is_explained(v) || is_integer(type) || type == ElementType::i1;
    });
    bool all = true;
    std::optional<std::size_t> misplaced;
    for (std::size_t k = 0; k < results.size(); ++k) {
      auto e = index_.explain(results[k], &misplaced);
      if (!e) {
        all = false;
        unexplained_.insert(op.results[k]);
      }
      known_[op.results[k]] = std::move(e);
    }
    if (all || !operands) return;
    candidates_.emplace_back(&op, Defect{op.place, op.name(), why(op, misplaced)});
  }

  void trace_back(ValueId v, std::set<ValueId>& seen) {
    if (!seen.insert(v).second) return;
    if (const auto flow = flows_.find(v); flow != flows_.end()) {
      for (const ValueId from : flow->second) trace_back(from, seen);
      return;
    }
    const auto op = defining_op_.find(v);
    if (op == defining_op_.end() || !unexplained_.contains(v)) return;
    faulty_.insert(op->second);
    for (const ValueId operand : op->second->operands) trace_back(operand, seen);
  }

  [[nodiscard]] std::vector<std::int64_t> group_along(const std::vector<Axis>& axes) const {
    return layouts_.mesh.groups(axes).front();
  }

  [[nodiscard]] std::string axes_text(const std::vector<Axis>& axes) const {
    std::string out;
    for (const Axis a : axes) out += (out.empty() ? "" : ", ") + layouts_.mesh.name(a);
    return out;
  }

  std::string text_of(const Explanation& e) const {
    if (e.constant) return "known numbers";
    std::vector<Axis> along;
    for (std::size_t a = 0; a < e.axis_strides.size(); ++a) {
      if (e.axis_strides[a] != 0) along.emplace_back(a);
    }
    std::string out = index_.name(e.value);
    if (e.factor > 1) out = fmt::format("{} times {}", e.factor, out);
    if (e.factor < 1) out = fmt::format("1/{} of {}", std::round(1 / e.factor), out);
    if (!along.empty()) out += ", sharded over " + axes_text(along);
    if (!e.pending.empty())
      out += fmt::format(", pending {} over {} {}", name_of(e.monoid), axes_text(e.pending),
                         set_text(group_along(e.pending)));
    return out;
  }

  const Explanation* explanation(ValueId v) const {
    const auto it = known_.find(v);
    return it != known_.end() && it->second && !it->second->constant ? &*it->second : nullptr;
  }

  std::string why(const Op& op, const std::optional<std::size_t>& misplaced) const {
    const bool reduces = op.decl->collective.reduces();
    if (op.decl->kind == OpDecl::Kind::collective && !op.operands.empty()) {
      const Explanation* e = explanation(op.operands[0]);
      const auto groups = process_groups(op, layouts_.devices);
      if (reduces && e != nullptr && !groups.empty()) {
        const std::vector<std::int64_t>& group = groups[0];
        if (e->pending.empty()) {
          return fmt::format("{} combines over {}, the value is not pending: it is {}", op.name(), set_text(group),
                             text_of(*e));
        }
        const auto wanted = group_along(e->pending);
        const std::size_t times = wanted.empty() ? 0 : group.size() / wanted.size();
        return fmt::format("{} combines over {}, the value is pending over {} only{}: it is {}", op.name(),
                           set_text(group), set_text(wanted),
                           group.size() > wanted.size() && times > 1 ? fmt::format(": {}x", times) : "", text_of(*e));
      }
      if (misplaced)
        return fmt::format("devices hold other parts of {} than a layout along mesh axes has", index_.name(*misplaced));
    }
    for (const ValueId v : op.operands) {
      const Explanation* e = explanation(v);
      if (e != nullptr && !e->pending.empty())
        return fmt::format("{} is applied to a value that is not combined yet: {}", op.name(), text_of(*e));
    }
    for (const ValueId v : op.operands) {
      const Explanation* e = explanation(v);
      if (e != nullptr && e->factor != 1) return fmt::format("{} is applied to {}", op.name(), text_of(*e));
    }
    if (misplaced)
      return fmt::format("devices hold other parts of {} than a layout along mesh axes has", index_.name(*misplaced));
    std::string of;
    for (const ValueId v : op.operands) {
      if (const Explanation* e = explanation(v)) of += (of.empty() ? "" : "; ") + text_of(*e);
    }
    return fmt::format("the result is no part of any value of the source{}",
                       of.empty() ? "" : "; its operands are: " + of);
  }

  /// The defect of result k if no operation is at fault: it is a source value, but not the one that the source returns,
  /// or in another layout than declared.
  std::optional<Defect> misdeclared(std::size_t k) {
    const ValueId v = partitioned_.returned()[k];
    const auto op = defining_op_.find(v);
    const Place place = op != defining_op_.end() ? op->second->place : partitioned_.body.ops.back().place;
    const std::string name = op != defining_op_.end() ? op->second->name() : "return";
    const Explanation* e = explanation(v);
    if (e == nullptr) return Defect{place, name, fmt::format("result {} differs from the source's", k)};
    if (e->factor != 1) return Defect{place, name, fmt::format("result {} is {}", k, text_of(*e))};
    if (!e->pending.empty())
      return Defect{place, name, fmt::format("result {} is returned without being combined: {}", k, text_of(*e))};
    return Defect{place, name,
                  fmt::format("result {} ({}) is laid out otherwise than declared, or is another value: it is {}", k,
                              layouts_.results[k].str(layouts_.mesh), text_of(*e))};
  }

  const Function& partitioned_;
  const Layouts& layouts_;
  Comparison comparison_;
  SourceIndex index_;
  std::map<ValueId, const Op*> defining_op_;
  std::map<ValueId, std::vector<ValueId>> flows_;
  std::map<ValueId, std::optional<Explanation>> known_;
  std::set<ValueId> unexplained_;
  std::set<const Op*> faulty_;
  std::vector<std::pair<const Op*, Defect>> candidates_;
};

}  // namespace

std::optional<Defect> locate_defect(const Function& source, const Function& partitioned, const Layouts& layouts,
                                    Seed seed, const std::function<bool()>& stop) {
  try {
    return Search(source, partitioned, layouts, seed, stop).run();
  } catch (const Unknown&) {
    return std::nullopt;
  } catch (const Program::Deadlock& d) {
    return Defect{d.place, d.operation, d.reason};
  }
}

}  // namespace partir::validate
