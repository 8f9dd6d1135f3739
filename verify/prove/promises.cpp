// Checks promises about indices (promises.h): the target's indices are either shown to be unique and sorted, or
// compared with those for which the source makes the same promise.
#include "verify/prove/promises.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/ops/common.h"
#include "verify/prove/evaluation.h"
#include "verify/prove/integers.h"

namespace partir::prove {
namespace {

struct Promise {
  const SymbolicOp* op = nullptr;
  ValueId indices;
  bool unique = false;
  bool sorted = false;
};

std::vector<Promise> promises_of(const SymbolicProgram& p) {
  std::vector<Promise> out;
  for (const SymbolicOp& op : p.ops) {
    const std::string& name = op.op->name();
    if (name != "stablehlo.gather" && name != "stablehlo.dynamic_gather" && name != "stablehlo.scatter") continue;
    const std::size_t inputs = name == "stablehlo.scatter" ? (op.op->operands.size() - 1) / 2 : 1;
    const Promise promise{&op, op.op->operands[inputs], ops::is_set(op.op->attributes, "unique_indices"),
                          ops::is_set(op.op->attributes, "indices_are_sorted")};
    if (promise.unique || promise.sorted) out.push_back(promise);
  }
  return out;
}

std::vector<Poly> ranges_below(const std::vector<Poly>& dims, Context& c) {
  std::vector<Poly> out;
  for (const Poly& extent : dims) out.push_back(extent == Poly(1) ? Poly(0) : Poly::atom(c.range(extent)));
  return out;
}

class Checks {
 public:
  Checks(const Computed& source, const Computed& target, Context& c, const OutOfTime& out_of_time)
      : source_(source), target_(target), c_(c), out_of_time_(out_of_time) {}

  bool holds(const Promise& of, const std::vector<Promise>& given) {
    if (is_shown(of)) return true;
    return std::any_of(given.begin(), given.end(), [&](const Promise& g) {
      return g.op->op->decl == of.op->op->decl && (g.unique || !of.unique) && (g.sorted || !of.sorted) &&
             is_chunk_of(of.indices, g.indices);
    });
  }

 private:
  Expr at(const Computed& side, ValueId v, const std::vector<Poly>& indices) {
    return Evaluation(side.program, side.arguments, side.device, c_, out_of_time_).element(v, indices);
  }

  /// Shows the promise directly if there is a single index, or if the indices vary along one dimension and are affine
  /// in the position with a non-zero step, as in k - c or c - 2 k.
  bool is_shown(const Promise& of) {
    const std::vector<Poly> position = ranges_below(target_.program.dims[of.indices.index()], c_);
    std::vector<AtomId> ranges;
    for (const Poly& p : position) {
      if (!p.is_zero()) ranges.push_back(p.terms().begin()->first[0]);
    }
    if (ranges.empty()) return true;  // a single index
    if (ranges.size() > 1) return false;
    std::vector<Poly> sizes;
    for (const auto& dims : target_.program.dims) sizes.insert(sizes.end(), dims.begin(), dims.end());
    const Poly index = integer(simplified(at(target_, of.indices, position), c_), sizes, c_);
    const auto step = index.terms().find({ranges[0]});
    if (step == index.terms().end()) return false;
    const Poly rest = index - Poly(step->second) * Poly::atom(ranges[0]);
    return !c_.contains(rest, ranges[0]) && (!of.sorted || step->second > 0);
  }

  /// True if the target's indices are the source's, or the device's chunk of them along one dimension.
  bool is_chunk_of(ValueId target, ValueId source) {
    const auto& part = target_.program.dims[target.index()];
    const auto& whole = source_.program.dims[source.index()];
    if (part.size() != whole.size()) return false;
    const std::vector<Poly> position = ranges_below(part, c_);
    std::vector<Poly> in_whole = position;
    std::size_t tiled = 0;
    for (std::size_t d = 0; d < part.size(); ++d) {
      if (part[d] == whole[d]) continue;
      if (++tiled > 1 || target_.around.empty() || !(whole[d] == part[d] * c_.at(target_.around[0]).extent))
        return false;
      in_whole[d] = position[d] + part[d] * Poly::atom(target_.around[0]);
    }
    return simplified(at(target_, target, position), c_).key(c_) ==
           simplified(at(source_, source, in_whole), c_).key(c_);
  }

  const Computed& source_;
  const Computed& target_;
  Context& c_;
  const OutOfTime& out_of_time_;
};

}  // namespace

std::optional<std::string> not_promised(const Computed& source, const Computed& target, Context& c,
                                        const OutOfTime& out_of_time) {
  const std::vector<Promise> wanted = promises_of(target.program);
  if (wanted.empty()) return std::nullopt;
  const std::vector<Promise> given = promises_of(source.program);
  for (const Promise& p : wanted) {
    if (Checks(source, target, c, out_of_time).holds(p, given)) continue;
    return fmt::format("{} promises {} indices, and its source does not", p.op->op->name(),
                       p.unique ? "unique" : "sorted");
  }
  return std::nullopt;
}

}  // namespace partir::prove
