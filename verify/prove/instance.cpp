// Proofs about single operations (instance.h): builds functions that contain only the operation, at several numbers of
// devices, lifts them to symbolic sizes and compares canonical forms.
#include "verify/prove/instance.h"

#include <algorithm>

#include "ir/builder.h"
#include "ir/by_offsets.h"
#include "ir/cloner.h"
#include "ir/ops/window.h"
#include "support/check.h"
#include "verify/prove/cross_checks.h"
#include "verify/prove/forms.h"

namespace partir::prove {
namespace {

/// Puts the operation alone into a function. Its operands become arguments (with known elements inserted), or constants
/// if they are known splats and their action is not a pending reduction.
class Wrapper {
 public:
  Wrapper(const OpInstance& op, const std::vector<Action>& actions) : op_(op), actions_(actions) {}

  Module run() {
    Op op = builder_.make(op_.decl);
    op.attributes = op_.attributes;
    op.place = op_.place;
    for (std::size_t k = 0; k < op_.operands.size(); ++k) {
      if (is_constant(op_, actions_, k)) {
        op.operands.push_back(builder_.constant(splat_of(*op_.splats[k], op_.operands[k]->dims)));
      } else {
        const ValueId argument = builder_.argument(op_.operands[k]);
        op.operands.push_back(k < op_.places.size() ? with_places(argument, op_.places[k]) : argument);
      }
    }
    if (op_.regions != nullptr) {
      for (const Block& b : *op_.regions) op.regions.push_back(copy(b));
    }
    for (const Type& t : op_.results) op.results.push_back(f_.add_value(t));
    builder_.give(builder_.append(std::move(op)).results);
    Module out;
    out.functions.push_back(std::move(f_));
    return out;
  }

  static bool is_constant(const OpInstance& op, const std::vector<Action>& actions, std::size_t k) {
    return k < op.splats.size() && op.splats[k] != nullptr && !actions[k].is_partial();
  }

 private:
  /// Returns the value with its known elements along the last dimension replaced by constants.
  ValueId with_places(ValueId v, const KnownPlaces& places) {
    if (places.empty()) return v;
    const TensorType type = f_.tensor(v);
    const ValueId place = builder_.iota(type, type.rank() - 1);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (!places[k]) continue;
      const ValueId is_here = builder_.compare("EQ", place, builder_.constant(type, static_cast<std::int64_t>(k)));
      v = builder_.select(is_here, builder_.constant(type, *places[k]), v);
    }
    return v;
  }

  /// Copies a region of the operation, which must not read values from outside.
  Block copy(const Block& from) {
    Cloner cloner(*op_.function, f_);
    const auto closed = [&](const auto& self, const Op& o, Block& into) -> void {
      for (const ValueId v : o.operands) {
        if (!cloner.find(v)) throw GiveUp{"a region that reads values of the program"};
      }
      Op out = cloner.op(o, [&](const Op& inner, Block& region) { self(self, inner, region); });
      out.id = f_.new_op();
      into.ops.push_back(std::move(out));
    };
    return cloner.block(from, [&](const Op& o, Block& into) { closed(closed, o, into); });
  }

  const OpInstance& op_;
  const std::vector<Action>& actions_;
  Function f_;
  Builder builder_{f_, f_.body};
};

/// Returns a function with the operation alone, on all its operands.
Function operation_alone(OpInstance op) {
  op.splats.clear();
  op.places.clear();
  const std::vector<Action> arguments(op.operands.size());
  return Wrapper(op, arguments).run().functions.at(0);
}

/// Returns the size of the concatenated or padded result along the dimension.
std::int64_t joined_size(const OpInstance& op, Dim dim, const std::vector<std::int64_t>& places) {
  std::int64_t out = 0;
  for (std::size_t k = 2; k < places.size(); k += 2) out += places[k];
  if (find(op.attributes, "edge_padding_low") == nullptr) return out;
  return out + op.ints("edge_padding_low")[dim] + op.ints("edge_padding_high")[dim];
}

/// Returns a function with a concatenation (or padding) of slices of its operands, or with a slice ("stretch") of that.
Function joined_slices(const OpInstance& op) {
  Function out;
  Builder b(out, out.body);
  std::vector<ValueId> parts;
  const auto& places = op.ints("partir.slices");
  const auto dim = static_cast<Dim>(places.at(0));
  for (const Type& t : op.operands) parts.push_back(b.argument(t));
  for (std::size_t k = 0; k < parts.size() && op.operands[k].rank() > 0; ++k) {
    const std::int64_t start = places.at(2 * k + 1);
    parts[k] = b.slice_along(parts[k], dim, start, start + places.at(2 * k + 2));
  }
  AttributeList attributes = op.attributes;
  drop(attributes, "partir.slices");
  const auto stretch = stretch_of(op);
  drop(attributes, "partir.stretch");
  Type whole = op.results.at(0);
  if (stretch) whole->dims[dim] = joined_size(op, dim, places);
  ValueId joined = b.append(op.decl, parts, std::move(attributes), {whole}).results.at(0);
  if (stretch) joined = b.slice_along(joined, dim, *stretch, *stretch + op.results[0]->dims[dim]);
  b.give({joined});
  return out;
}

/// Returns a function with a select_and_scatter whose operand is padded before it, and with a slice of the result that
/// leaves the operand's positions ("partir.filling").
Function padded_selection(OpInstance op) {
  const LiteralPtr filling = filling_of(op);
  drop(op.attributes, "partir.filling");
  std::vector<std::int64_t> low;
  std::vector<std::int64_t> high;
  for (Dim d = 0; d < op.operands[0].rank(); ++d) {
    const auto [before, behind] = ops::padding_of(op, d);
    low.push_back(before);
    high.push_back(behind);
  }
  drop(op.attributes, "padding");
  Function out;
  Builder b(out, out.body);
  std::vector<ValueId> operands;
  for (const Type& t : op.operands) operands.push_back(b.argument(t));
  const std::vector<std::int64_t> dims = op.operands[0]->dims;
  operands[0] = b.pad(operands[0], b.constant(filling), low, high);
  op.operands[0] = op.results[0] = out.type(operands[0]);
  const Function alone = operation_alone(op);
  Cloner cloner(alone, out);
  for (std::size_t k = 0; k < operands.size(); ++k) cloner.map(alone.arguments()[k], operands[k]);
  const ValueId selected = b.append(cloner.op(alone.body.ops.front())).results.at(0);
  std::vector<std::int64_t> limits;
  for (Dim d = 0; d < dims.size(); ++d) limits.push_back(low[d] + dims[d]);
  b.give({b.slice(selected, low, limits)});
  return out;
}

/// Returns the function with the arguments for which a constant is given replaced by it.
Function with_scalars(const Function& f, const std::vector<LiteralPtr>& scalars) {
  Function out;
  Builder b(out, out.body);
  Cloner cloner(f, out);
  for (std::size_t k = 0; k < f.arguments().size(); ++k) {
    const ValueId v = f.arguments()[k];
    const bool known = k < scalars.size() && scalars[k] != nullptr;
    cloner.map(v, known ? b.constant(scalars[k]) : b.argument(f.type(v)));
  }
  for (const Op& op : f.body.ops) b.append(cloner.op(op));
  return out;
}

/// Returns a number of the operation on m devices, given its values on n devices and on one: equal values are constant,
/// else it must be proportional to the number of devices. For 12 on n = 4 devices and 3 on one, it is 15 on m = 5.
std::int64_t scaled(std::int64_t whole, std::int64_t part, std::int64_t n, std::int64_t m) {
  if (whole == part) return whole;
  if (whole != n * part) throw GiveUp{"a number that is not the devices' together"};
  return m * part;
}

std::vector<std::int64_t> scaled(const std::vector<std::int64_t>& whole, const std::vector<std::int64_t>& part,
                                 std::int64_t n, std::int64_t m) {
  if (whole.size() != part.size()) throw GiveUp{"lists of different lengths"};
  std::vector<std::int64_t> out(whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k) out[k] = scaled(whole[k], part[k], n, m);
  return out;
}

/// Likewise for attributes, which may differ from the sum over devices by a constant: a strided slice [0:7:2] of 8
/// elements is [0:4:2] of 4 on two devices, and [0:11:2] of 12 on three. The extrapolated family needs no
/// justification: the proof covers all its members, and the operation is one of them.
std::vector<std::int64_t> extrapolated(const std::vector<std::int64_t>& whole, const std::vector<std::int64_t>& part,
                                       std::int64_t n, std::int64_t m) {
  if (whole.size() != part.size()) throw GiveUp{"lists of different lengths"};
  std::vector<std::int64_t> out(whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k)
    out[k] = whole[k] == part[k] ? whole[k] : m * part[k] + (whole[k] - n * part[k]);
  return out;
}

LiteralPtr scaled(const Literal& whole, const Literal& part, std::int64_t n, std::int64_t m) {
  if (whole.splat && part.splat && whole.bytes == part.bytes) {
    auto out = std::make_shared<Literal>(whole);
    out->type.dims = scaled(whole.type.dims, part.type.dims, n, m);
    return out;
  }
  if (whole.type != part.type || !is_integer(whole.type.element)) throw GiveUp{"an array that changes"};
  std::vector<std::int64_t> values;
  for (std::int64_t k = 0; k < whole.type.elements(); ++k)
    values.push_back(scaled(whole.as_int(k), part.as_int(k), n, m));
  return int_literal(whole.type, values);
}

/// Returns the member of the family for m devices, given the one for n devices and the local operation.
OpInstance on_devices(const OpInstance& whole, const OpInstance& part, std::int64_t n, std::int64_t m) {
  OpInstance out = whole;
  for (std::size_t k = 0; k < whole.operands.size(); ++k)
    out.operands[k]->dims = scaled(whole.operands[k]->dims, part.operands[k]->dims, n, m);
  for (std::size_t k = 0; k < whole.results.size(); ++k)
    out.results[k]->dims = scaled(whole.results[k]->dims, part.results[k]->dims, n, m);
  OpInstance repeated = out;
  if (whole.decl->repeat_sizes != nullptr) {
    whole.decl->repeat_sizes(out);
    repeated.operands = part.operands;
    repeated.results = part.results;
    whole.decl->repeat_sizes(repeated);
  }
  for (const auto& [name, value] : whole.attributes) {
    const Attribute* local = find(part.attributes, name);
    if (local == nullptr) throw GiveUp{"an attribute that the local operation lacks: " + name};
    if (value == *local || *find(repeated.attributes, name) == *local) continue;
    if (value.value.index() != local->value.index()) throw GiveUp{"an attribute of another kind: " + name};
    if (const auto* number = value.as<IntAttr>()) {
      set(out.attributes, name, {IntAttr{scaled(number->value, local->as<IntAttr>()->value, n, m), number->type}});
    } else if (const auto* list = value.as<IntsAttr>()) {
      set(out.attributes, name, {IntsAttr{extrapolated(list->values, local->as<IntsAttr>()->values, n, m)}});
    } else if (const auto* dense = value.as<DenseAttr>()) {
      set(out.attributes, name, {DenseAttr{scaled(*dense->literal, *local->as<DenseAttr>()->literal, n, m)}});
    } else {
      throw GiveUp{"an attribute that changes: " + name};
    }
  }
  return out;
}

/// Returns instances at which a proof is replayed: numbers of devices and seeds for elements. (No interpreter results
/// are given, since the sizes are the operation's own.)
std::vector<replay::Trial> trials_of(const Function& f, const std::vector<std::int64_t>& devices) {
  std::vector<replay::Trial> out;
  for (const std::int64_t n : devices) {
    replay::Trial trial;
    trial.instance.sizes["n"] = n;
    for (const ValueId v : f.arguments()) trial.instance.arrays.push_back(f.type(v)->element);
    trial.instance.seed = out.size() + 1;
    trial.instance.positive = out.size() % 2 == 1;
    out.push_back(std::move(trial));
  }
  return out;
}

bool has_sizes_of_32_bits(const OpInstance& op) {
  const auto fits = [](const Type& t) {
    return std::all_of(t->dims.begin(), t->dims.end(), [](std::int64_t d) { return d < (std::int64_t{1} << 31); });
  };
  return std::all_of(op.operands.begin(), op.operands.end(), fits) &&
         std::all_of(op.results.begin(), op.results.end(), fits);
}

void prove(const OpInstance& whole, const Entry& entry, std::int64_t n, const OpInstance& part,
           const CrossChecks& cross_checks, Decision& out) {
  if (part.attributes.size() != whole.attributes.size()) throw GiveUp{"attributes that the global operation lacks"};
  std::vector<Module> family;
  std::vector<Module> alone;
  alone.push_back(Wrapper(part, entry.operands).run());
  std::vector<std::vector<std::int64_t>> samples;
  for (const std::int64_t m : {n, std::int64_t{2}, std::int64_t{3}, std::int64_t{5}, std::int64_t{8}}) {
    if (m == n && !samples.empty()) continue;
    const OpInstance member = m == n ? whole : on_devices(whole, part, n, m);
    if (m != n && (!verify_op(member) || !has_meaning(member))) continue;
    family.push_back(Wrapper(member, entry.operands).run());
    samples.push_back({m});
  }
  if (samples.size() < 3) throw GiveUp{"too few numbers of devices on which the operation is well-formed"};
  Context c;
  CrossChecked cross_checked(c, cross_checks);
  const AtomId size = c.size("n");
  Fit fit({size}, samples, samples.size());
  const SymbolicProgram global = lift(std::move(family), fit);
  const SymbolicProgram local = lift(std::move(alone), fit);
  std::vector<Action> arguments;
  for (std::size_t k = 0; k < entry.operands.size(); ++k) {
    if (!Wrapper::is_constant(whole, entry.operands, k)) arguments.push_back(entry.operands[k]);
  }
  if (!equal_forms(global, local, arguments, entry.results, size, c, out.reason, out.reach, cross_checks.out_of_time))
    return;
  if (out.reach.sizes_of_32_bits && !has_sizes_of_32_bits(whole)) throw GiveUp{"dimensions that 32 bits do not hold"};
  out.reach.sizes_of_32_bits = false;
  out.verdict = Verdict::proved;
  out.scope = "this operation, all inputs; " + out.reach.text();
  cross_checked.ask(out, [&] { return trials_of(global.module.functions.at(0), {2, 3, n}); });
}

}  // namespace

Decision decide_instance(const OpInstance& whole, const Entry& entry, std::int64_t n, const OpInstance& part,
                         const CrossChecks& cross_checks) {
  PARTIR_CHECK(entry.operands.size() == whole.operands.size() && entry.results.size() == whole.results.size() &&
                   part.operands.size() == whole.operands.size() && part.results.size() == whole.results.size(),
               "an entry of another operation");
  Decision out;
  try {
    if (!has_meaning(whole) || !has_meaning(part)) throw GiveUp{"no meaning in index notation"};
    prove(whole, entry, n, part, cross_checks, out);
  } catch (const GiveUp& give_up) {
    out.reason = give_up.reason;
  }
  return out;
}

Decision decide_same(const Function& one, const Function& other, const CrossChecks& cross_checks) {
  Decision out;
  try {
    const auto in_module = [](const Function& f) {
      Module module;
      module.functions.push_back(f);
      return module;
    };
    const Module a = in_module(one);
    const Module b = in_module(other);
    Context c;
    CrossChecked cross_checked(c, cross_checks);
    const AtomId unused = c.size("n");
    Fit fit({unused}, {{1}, {2}, {3}}, 3);
    const SymbolicProgram left = lift({a, a, a}, fit);
    const SymbolicProgram right = lift({b, b, b}, fit);
    const std::vector<Action> arguments(one.arguments().size());
    const std::vector<Action> results(one.returned().size());
    if (equal_forms(left, right, arguments, results, unused, c, out.reason, out.reach, cross_checks.out_of_time)) {
      out.verdict = Verdict::proved;
      out.scope = "this operation, all inputs; " + out.reach.text();
      cross_checked.ask(out, [&] { return trials_of(one, {1, 1, 1}); });
    }
  } catch (const GiveUp& give_up) {
    out.reason = give_up.reason;
  }
  return out;
}

Decision decide_same(const OpInstance& op, const Function& others, const CrossChecks& cross_checks) {
  try {
    if (!has_meaning(op)) throw GiveUp{"no meaning in index notation"};
    std::vector<LiteralPtr> scalars = op.splats;
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      if (op.operands[k].rank() != 0) scalars[k] = nullptr;
    }
    return decide_same(with_scalars(filling_of(op) != nullptr          ? padded_selection(op)
                                    : op.ints("partir.slices").empty() ? operation_alone(op)
                                                                       : joined_slices(op),
                                    scalars),
                       with_scalars(others, scalars), cross_checks);
  } catch (const GiveUp& give_up) {
    Decision out;
    out.reason = give_up.reason;
    return out;
  }
}

}  // namespace partir::prove
