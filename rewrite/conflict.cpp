#include "rewrite/conflict.h"

#include <fmt/format.h>

#include "ir/text/print.h"
#include "rewrite/state.h"

namespace partir {
namespace {

constexpr std::size_t kShown = 160;  ///< maximum length of a printed operation, in characters

std::string subject(const Conflict& c, const State& state) {
  if (!c.op) return c.name;
  const Op& op = state.op_of(*c.op);
  if (c.carried) return fmt::format("line {}: {}, value {}", op.place.line, op.name(), *c.carried);
  return described_operation(state.function(), op);
}

std::string reason(const Conflict& c, const State& state) {
  const std::int64_t n = state.mesh().size(c.axis);
  switch (c.reason) {
    case Conflict::Reason::decided_before: return "an earlier tactic already decided this axis for the value";
    case Conflict::Reason::tiled_otherwise: return fmt::format("computed tiled along dimension {} already", *c.dim);
    case Conflict::Reason::indivisible:
      if (c.dim)
        return fmt::format("stays as it is: {} does not divide dimension {} of {}, and padding it does not help", n,
                           *c.dim, c.type);
      return fmt::format("stays replicated: no dimension of {} that {} divides", c.type, n);
    case Conflict::Reason::several_entries: {
      std::string out = "several entries match:";
      for (const Entry& e : c.entries) out += " " + e.str();
      return out;
    }
    case Conflict::Reason::kept_replicated:
      return c.operand ? fmt::format("operand {} stays replicated by request", *c.operand)
                       : "its result stays replicated by request";
    case Conflict::Reason::closed: return "its result is not tiled so, as the program's own sharding of it is closed";
    case Conflict::Reason::other_order:
      return "is asked for on devices in another order than the mesh's, which it keeps";
    case Conflict::Reason::entry_indivisible:
      return fmt::format("{} needs sizes that {} divides", c.entries.at(0).str(), n);
    case Conflict::Reason::no_collective:
      return fmt::format("{} leaves {} to be combined across devices, which collectives do by and/or of i1 only",
                         c.entries.at(0).str(), c.type);
    case Conflict::Reason::no_entries: return "its meaning is not declared here, so it takes its operands replicated";
    case Conflict::Reason::no_match: {
      std::string out = "no entry takes its operands as they are tiled:";
      for (const auto& [operand, dim] : c.tiled) out += fmt::format(" operand {} #tile<{}>", operand, dim);
      return out;
    }
    case Conflict::Reason::converted:
      return fmt::format("it is {} here and #tile<{}> where it comes from", c.actions.at(0).str(), *c.dim);
  }
  return "";
}

}  // namespace

std::string described_operation(const Function& function, const Op& op) {
  std::string text = print_op(function, op);
  text = text.substr(text.find('=') == std::string::npos ? 0 : text.find('=') + 2);
  text = text.substr(0, text.find('\n'));
  return fmt::format("line {}: {}", op.place.line, text.substr(0, kShown));
}

ConflictText text_of(const Conflict& conflict, const State& state) {
  const Op* op = conflict.op ? &state.op_of(*conflict.op) : nullptr;
  return {.operation = subject(conflict, state),
          .axis = state.mesh().name(conflict.axis),
          .reason = reason(conflict, state),
          .part = conflict.part,
          .declaration = op != nullptr ? op->decl : nullptr,
          .place = op != nullptr ? op->place : Place{},
          .requested = conflict.reason == Conflict::Reason::kept_replicated};
}

}  // namespace partir
