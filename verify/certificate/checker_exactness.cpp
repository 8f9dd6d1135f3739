// How exact the results of the partitioned module's operations are: bit for bit, or over the reals; and which
// operations must not read values that are equal over the reals only, because they look at bits or jump.
#include <fmt/format.h>

#include <algorithm>

#include "ir/op_decl.h"
#include "verify/certificate/bits.h"
#include "verify/certificate/checker.h"

namespace partir {
namespace {

/// Whether the type is a tensor of floats or complex numbers.
bool is_real(const Type& type) { return type.is_tensor() && (is_float(type->element) || is_complex(type->element)); }

/// Whether the result depends on the bits of floats and not only on the numbers that they stand for.
bool looks_at_bits(const Function& f, const Op& op) {
  if (op.operands.empty() || !is_real(f.type(op.operands[0]))) return false;
  const Attribute* compare_type = find(op.attributes, "compare_type");
  return op.name() == "stablehlo.bitcast_convert" || op.name() == "chlo.next_after" ||
         (compare_type != nullptr && compare_type->str() == "TOTALORDER");
}

}  // namespace

/// Returns the exactness of a local operation's results. Values that are equal over the reals may be rounded and
/// compared like real numbers; their bits may only move and be bitcast back to floats. Any other use of their bits
/// leaves the partition unproved, and operations that jump are added to the report.
Exactness Checker::exactness_of(const Op& source, const Op& op, const LocalProgram& p) {
  Exactness out{p.reach.arithmetic == prove::Arithmetic::reals, false};
  bool looks = false;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const Exactness& e = part(op.operands[k]).exactness;
    out = out.with(e);
    looks = looks || (e.are_bits && !moves_bits(source, k));
  }
  for (const ValueId v : captured(op)) {
    const auto it = parts_.find(v);
    if (it == parts_.end()) continue;
    out = out.with(it->second.exactness);
    looks = looks || it->second.exactness.are_bits;
  }
  const std::string& name = op.name();
  const bool from_real = !op.operands.empty() && is_real(t_.type(op.operands[0]));
  if (name == "stablehlo.bitcast_convert") {
    const bool to_real = is_real(t_.type(op.results[0]));
    if (from_real && to_real) expect_exact(name, "looks at the bits", out.over_reals);
    out.are_bits = !to_real && (from_real || out.are_bits);
    return out;
  }
  if (out.over_reals || loops_ > 0) {
    switch (continuity(p.instance)) {
      case Continuity::continuous: break;
      case Continuity::jumps: (out.over_reals ? report_.jumps : jumps_in_loops_).insert(name); break;
      case Continuity::signed_zeros: expect_exact(name, "sees the signs of zeros", out.over_reals); break;
    }
  }
  if (looks || looks_at_bits(t_, op)) expect_exact(name, "looks at the bits", out.over_reals);
  out.are_bits = out.are_bits && !looks;
  const auto computed =
      source.results.empty() ? rewritten_.computed.end() : rewritten_.computed.find(source.results[0]);
  if (out.are_bits && computed != rewritten_.computed.end())
    expect_exact(computed->second, "looks at the bits", out.over_reals);
  return out;
}

/// Whether the operation only moves the bits of floats in its operand k. A reduce or scatter inside a decomposition by
/// shard offsets counts as movement: it sums one block and zeros, which is proved for the decomposition itself.
bool Checker::moves_bits(const Op& source, std::size_t k) const {
  const bool selects = source.operands[0].index() >= rewritten_.own_values &&
                       (source.name() == "stablehlo.reduce" || source.name() == "stablehlo.scatter");
  return (selects || only_moves(source)) && is_data(source, k);
}

/// An unknown function of floats, such as a call of LAPACK, may jump anywhere, and so may one whose regions are not
/// understood. Regions that look at bits are as strict as what they contain.
Continuity Checker::continuity_without_meaning(const OpInstance& op) {
  const bool reads_reals = std::any_of(op.operands.begin(), op.operands.end(), is_real);
  Continuity out = reads_reals ? Continuity::jumps : Continuity::continuous;
  if (op.regions == nullptr || op.function == nullptr) return out;
  for (const Block& b : *op.regions) {
    for_each_op(b, [&](const Op& inner) {
      if (inner.decl->kind == OpDecl::Kind::terminator) return;
      out = std::max(out, looks_at_bits(*op.function, inner) ? Continuity::signed_zeros
                                                             : continuity(instance_of(*op.function, inner)));
    });
  }
  return out;
}

Continuity Checker::continuity(const OpInstance& op) {
  if (!has_meaning(op)) return continuity_without_meaning(op);
  if (op.regions != nullptr && !op.regions->empty()) return continuity_of(meaning_of(op));
  std::string key = op.decl->name;
  for (const auto& types : {op.operands, op.results}) {
    for (const Type& t : types) key += fmt::format(" {}", name_of(t->element));
  }
  const auto known = continuity_.find(key);
  return known != continuity_.end() ? known->second : continuity_[key] = continuity_of(meaning_of(op));
}

/// Records an operation whose result depends on more than a real number: on bits, or on the sign of a zero. Such a use
/// of a reassociated value is not proved. A use in a loop of a value that is still exact is kept until the end of the
/// loop, because a later iteration may carry a reassociated value to it.
void Checker::expect_exact(const std::string& operation, const char* what, bool over_reals) {
  const std::string reason = fmt::format("{} {} of a reassociated value", operation, what);
  if (over_reals) {
    not_proved(reason);
  } else if (loops_ > 0) {
    bit_use_in_loops_ = reason;
  }
}

}  // namespace partir
