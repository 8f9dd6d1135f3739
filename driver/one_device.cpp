#include "driver/one_device.h"

namespace partir {
namespace {

/// Collectives and Core operations, which a program for one device must not contain. The output of a partitioning is
/// therefore rejected as input. Collectives inside a manual computation are allowed.
bool is_distributed(const Op& op) {
  return op.decl->kind == OpDecl::Kind::collective || op.decl->kind == OpDecl::Kind::core;
}

/// What divides_again says of the first manual computation inside another one that divides anything.
std::optional<Diagnostic> dividing_again(const Function& f, const Block& block, bool in_manual = false) {
  for (const Op& op : block.ops) {
    const bool is_manual = is_manual_computation(op);
    if (is_manual && in_manual) {
      if (auto error = divides_again(f, op)) return error;
    }
    for (const Block& region : op.regions) {
      if (auto error = dividing_again(f, region, in_manual || is_manual)) return error;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> not_for_one_device(const Function& function) {
  if (const Op* op = find_outside_manual(function.body, is_distributed)) {
    return Diagnostic{"unsupported", "", op->place, op->name() + " in a program to partition",
                      "a program for one device, not one that is partitioned already"};
  }
  return dividing_again(function, function.body);
}

}  // namespace partir
