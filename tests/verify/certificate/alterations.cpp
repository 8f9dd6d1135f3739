// The alterations of modules and certificates, one function each, and the tables that list them.
#include "tests/verify/certificate/alterations.h"

#include <algorithm>
#include <functional>

#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "lowering/emit.h"
#include "lowering/lower.h"
#include "rewrite/materialize.h"
#include "rewrite/propagate.h"
#include "tests/generator.h"

namespace partir::testing {

std::optional<Subject> subject(Random& random) {
  std::vector<std::uint32_t> choices(150);
  for (auto& c : choices) c = static_cast<std::uint32_t>(below(random, 5040));
  const GeneratedCase c = generate(choices);
  Subject out;
  out.source = value_or_throw(inline_calls(value_or_throw(read_module(c.program, "random.mlir"))));
  const Function& main = **out.source.main();
  const Mesh mesh = value_or_throw(Mesh::parse(c.mesh));
  const auto names = value_or_throw(names_of(main, std::nullopt, ""));
  const auto schedule = value_or_throw(read_schedule(c.schedule, "random.json"));
  const Function live = without_dead_code(main);
  State state(live, mesh);
  for (const auto& tactic : value_or_throw(resolve(schedule, mesh, names, main))) {
    if (!apply_tactic(state, tactic, names, "random.json")) return std::nullopt;
  }
  const SpmdProgram spmd = lower(state);
  const Module emitted = stablehlo_module(spmd, out.source);
  out.certificate = certificate_of(spmd, emitted, state, main);
  out.partitioned = value_or_throw(read_module(print_module(emitted), "spmd.mlir"));
  return out;
}

Block& some_block(Function& f, Random& random) {
  std::vector<Block*> inside;
  const std::function<void(Block&)> collect = [&](Block& block) {
    for (Op& op : block.ops) {
      if (!runs_regions(op)) continue;
      for (Block& b : op.regions) {
        inside.push_back(&b);
        collect(b);
      }
    }
  };
  collect(f.body);
  return inside.empty() || below(random, 2) == 0 ? f.body : *inside[below(random, inside.size())];
}

bool swap_operands(Function& f, Block& b, std::size_t at, Random&) {
  auto& operands = b.ops[at].operands;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (operands[k] == operands[0] || f.type(operands[k]) != f.type(operands[0])) continue;
    std::swap(operands[k], operands[0]);
    return true;
  }
  return false;
}

namespace {

bool is_integer_matrix(const Attribute& a) {
  const DenseAttr* dense = a.as<DenseAttr>();
  return dense != nullptr && is_integer(dense->literal->type.element) && dense->literal->type.elements() > 0;
}

bool skip_operation(Function& f, Block& b, std::size_t at, Random&) {
  Op& op = b.ops[at];
  if (op.operands.empty() || op.results.size() != 1 || f.type(op.operands[0]) != f.type(op.results[0])) return false;
  for (std::size_t i = at + 1; i < b.ops.size(); ++i)
    std::replace(b.ops[i].operands.begin(), b.ops[i].operands.end(), op.results[0], op.operands[0]);
  return true;
}

bool redirect_operand(Function& f, Block& b, std::size_t at, Random& random) {
  Op& op = b.ops[at];
  if (op.operands.empty()) return false;
  ValueId& operand = op.operands[below(random, op.operands.size())];
  std::vector<ValueId> others;
  const auto offer = [&](ValueId v) {
    if (v != operand && f.type(v) == f.type(operand)) others.push_back(v);
  };
  for (const ValueId v : f.arguments()) offer(v);
  for (const ValueId v : b.arguments) offer(v);
  for (std::size_t i = 0; i < at; ++i) {
    for (const ValueId v : b.ops[i].results) offer(v);
  }
  if (others.empty()) return false;
  operand = others[below(random, others.size())];
  return true;
}

bool change_number(Function&, Block& b, std::size_t at, Random& random) {
  Op& op = b.ops[at];
  std::vector<std::pair<std::string, Attribute>> changed;
  const std::int64_t by = below(random, 2) == 0 ? 1 : -1;
  for (const auto& [name, value] : op.attributes) {
    if (const auto* number = value.as<IntAttr>())
      changed.emplace_back(name, Attribute{IntAttr{number->value + by, number->type}});
    const auto* list = value.as<IntsAttr>();
    if (list != nullptr && !list->values.empty()) {
      IntsAttr other = *list;
      other.values[below(random, other.values.size())] += by;
      changed.emplace_back(name, Attribute{other});
    }
  }
  if (changed.empty()) return false;
  auto& [name, value] = changed[below(random, changed.size())];
  set(op.attributes, name, std::move(value));
  return true;
}

bool change_matrix(Function&, Block& b, std::size_t at, Random& random) {
  Op& op = b.ops[at];
  for (const auto& [name, value] : op.attributes) {
    if (!is_integer_matrix(value)) continue;
    const Literal& l = *value.as<DenseAttr>()->literal;
    std::vector<std::int64_t> numbers;
    for (std::int64_t k = 0; k < l.type.elements(); ++k) numbers.push_back(l.as_int(k));
    if (numbers.size() > 1 && below(random, 2) == 0) {
      std::swap(numbers[below(random, numbers.size())], numbers[below(random, numbers.size())]);
    } else {
      std::int64_t& one = numbers[below(random, numbers.size())];
      one = one > 0 && below(random, 2) == 0 ? one - 1 : one + 1;
    }
    if (l.type.element == ElementType::i1) return false;
    set(op.attributes, name, {DenseAttr{int_literal(l.type, numbers)}});
    return true;
  }
  return false;
}

bool change_function(Function&, Block& b, std::size_t at, Random& random) {
  static const char* const families[][4] = {
      {"stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", "stablehlo.maximum"},
      {"stablehlo.negate", "stablehlo.abs", "stablehlo.sign", "stablehlo.negate"},
      {"stablehlo.exponential", "stablehlo.tanh", "stablehlo.logistic", "stablehlo.cosine"}};
  Op& op = b.ops[at];
  Op& target = op.regions.empty() || op.regions[0].ops.empty() ? op : op.regions[0].ops[0];
  for (const auto& family : families) {
    for (const char* name : family) {
      if (target.name() != name) continue;
      target.decl = find_decl(family[below(random, 4)]);
      return target.name() != name;
    }
  }
  return false;
}

bool drop_step(Certificate& c, std::size_t at, const Mesh&, Random&) {
  c.steps.erase(c.steps.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool other_source(Certificate& c, std::size_t at, const Mesh&, Random& random) {
  if (!c.steps[at].source) return false;
  std::size_t& last = c.steps[at].source->back();
  last = last > 0 && below(random, 2) == 0 ? last - 1 : last + 1;
  return true;
}

bool other_axis(Certificate& c, std::size_t at, const Mesh& mesh, Random& random) {
  auto& along = c.steps[at].along;
  if (along.empty() || mesh.rank() < 2) return false;
  std::string& axis = along[below(random, along.size())].axis;
  const std::string other = mesh.name(Axis(below(random, mesh.rank())));
  if (other == axis) return false;
  axis = other;
  return true;
}

bool other_action(Certificate& c, std::size_t at, const Mesh&, Random& random) {
  auto& along = c.steps[at].along;
  if (along.empty()) return false;
  Entry& entry = along[below(random, along.size())].entry;
  auto& actions = entry.operands.empty() || below(random, 2) == 0 ? entry.results : entry.operands;
  Action& action = actions[below(random, actions.size())];
  const Action others[] = {Action::any(), Action::tile(0), Action::tile(1), Action::partial(Monoid::sum),
                           Action::partial(Monoid::max)};
  const Action other = others[below(random, 5)];
  if (other == action) return false;
  action = other;
  return true;
}

bool other_type(Certificate& c, std::size_t at, const Mesh& mesh, Random& random) {
  auto& types = c.steps[at].types;
  if (types.empty()) return false;
  const std::string axis = mesh.name(Axis(below(random, mesh.rank())));
  const std::string before = types[0];
  const auto empty = types[0].find("{}");
  const auto named = types[0].find("{" + axis + "}");
  if (named != std::string::npos) {
    types[0].replace(named, axis.size() + 2, "{}");
  } else if (empty != std::string::npos) {
    types[0].replace(empty, 2, "{" + axis + "}");
  }
  return types[0] != before;
}

/// Adds `by` to the index of every step's operation that comes after operation `at` of the main body.
void renumber(Certificate& c, std::size_t at, std::int64_t by) {
  for (CertificateStep& step : c.steps) {
    if (step.op.front() > at)
      step.op.front() = static_cast<std::size_t>(static_cast<std::int64_t>(step.op.front()) + by);
  }
}

}  // namespace

const std::vector<std::pair<const char*, Alteration>>& alterations() {
  static const std::vector<std::pair<const char*, Alteration>> all = {
      {"skip operation", skip_operation}, {"redirect operand", redirect_operand}, {"change number", change_number},
      {"change matrix", change_matrix},   {"change function", change_function},   {"swap operands", swap_operands}};
  return all;
}

const std::vector<std::pair<const char*, CertificateAlteration>>& certificate_alterations() {
  static const std::vector<std::pair<const char*, CertificateAlteration>> all = {{"drop step", drop_step},
                                                                                 {"other source", other_source},
                                                                                 {"other axis", other_axis},
                                                                                 {"other action", other_action},
                                                                                 {"other type", other_type}};
  return all;
}

bool drop_with_step(Subject& s, Random& random) {
  Function& f = s.partitioned.functions[0];
  auto& ops = f.body.ops;
  const std::size_t at = below(random, ops.size() - 1);
  if (!skip_operation(f, f.body, at, random) && !ops[at].results.empty()) return false;
  ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(at));
  std::erase_if(s.certificate.steps, [&](const CertificateStep& step) { return step.op.front() == at; });
  renumber(s.certificate, at, -1);
  return true;
}

bool repeat_with_step(Subject& s, Random& random) {
  Function& f = s.partitioned.functions[0];
  auto& ops = f.body.ops;
  const std::size_t at = below(random, ops.size() - 1);
  Op again = ops[at];
  if (again.results.size() != 1 || !again.regions.empty()) return false;
  const ValueId before = again.results[0];
  again.results[0] = f.add_value(f.type(before));
  for (std::size_t i = at + 1; i < ops.size(); ++i) {
    if (below(random, 2) == 0) std::replace(ops[i].operands.begin(), ops[i].operands.end(), before, again.results[0]);
  }
  ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(again));
  renumber(s.certificate, at, 1);
  const auto step = std::find_if(s.certificate.steps.begin(), s.certificate.steps.end(),
                                 [&](const CertificateStep& one) { return one.op == OpPath{at}; });
  if (step == s.certificate.steps.end()) return true;
  CertificateStep twice = *step;
  twice.op = {at + 1};
  s.certificate.steps.push_back(std::move(twice));
  return true;
}

}  // namespace partir::testing
