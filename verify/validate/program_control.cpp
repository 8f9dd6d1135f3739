// Evaluation of control flow. Loops run while their conditions are known. If data decides a branch, all branches run
// and each element of the results is selected.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/control_flow.h"
#include "verify/validate/program.h"

namespace partir::validate {
namespace {

constexpr std::size_t kMostIterations = 100'000;  ///< of one loop

}  // namespace

void Program::loop(const Op& op, const Active& active) {
  std::vector<DeviceArrays> state;
  for (const ValueId v : op.operands) state.push_back(values_[v.index()]);
  Active running = active;
  const auto bind = [&](const Block& b, const Active& on) {
    for (std::size_t k = 0; k < b.arguments.size(); ++k) {
      DeviceArrays& into = values_[b.arguments[k].index()];
      if (into.size() != count_) into.assign(count_, nullptr);
      for (const std::size_t d : on) into[d] = state[k][d];
    }
  };
  for (std::size_t iteration = 0; !running.empty(); ++iteration) {
    if (iteration > kMostIterations)
      throw Unknown{fmt::format("line {}: a loop of more than {} iterations", op.place.line, kMostIterations)};
    bind(op.regions[0], running);
    const auto condition = block(op.regions[0], running);
    Active next;
    for (const std::size_t d : running) {
      const Element c = condition[0][d]->data[0];
      if (!c.is(Element::Kind::integer))
        throw Unknown{fmt::format("line {}: a loop that runs as long as data says", op.place.line)};
      if (c.as_int() != 0) next.push_back(d);
    }
    running = std::move(next);
    if (running.empty()) break;
    bind(op.regions[1], running);
    const auto results = block(op.regions[1], running);
    for (std::size_t k = 0; k < state.size(); ++k) {
      for (const std::size_t d : running) state[k][d] = results[k][d];
    }
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    for (const std::size_t d : active) set(op.results[k], d, state[k][d]);
  }
}

void Program::branch(const Op& op, const Active& active) {
  const bool is_if = op.name() == "stablehlo.if";
  std::map<std::size_t, Active> known;
  Active unknown;
  for (const std::size_t d : active) {
    const Element e = at(op.operands[0], d)->data[0];
    if (!e.is(Element::Kind::integer)) {
      unknown.push_back(d);
      continue;
    }
    std::int64_t index = e.as_int();
    if (is_if)
      index = index != 0 ? 0 : 1;
    else if (index < 0 || index >= static_cast<std::int64_t>(op.regions.size()))
      index = static_cast<std::int64_t>(op.regions.size()) - 1;
    known[static_cast<std::size_t>(index)].push_back(d);
  }
  std::vector<DeviceArrays> out(op.results.size(), DeviceArrays(count_));
  for (const auto& [index, on] : known) {
    const auto results = block(op.regions[index], on);
    for (std::size_t k = 0; k < out.size(); ++k) {
      for (const std::size_t d : on) out[k][d] = results[k][d];
    }
  }
  if (!unknown.empty()) {
    // Data decides: run all branches and select each element. If a branch has collectives, all devices must agree.
    const auto has_collective = [](const Block& b) {
      return find_op(b, [](const Op& o) { return o.decl->kind == OpDecl::Kind::collective; }) != nullptr;
    };
    if (std::any_of(op.regions.begin(), op.regions.end(), has_collective)) {
      decides_collectives_ = true;
      const Element first = algebra_.canonical(at(op.operands[0], unknown[0])->data[0]);
      for (const std::size_t d : unknown) {
        if (algebra_.canonical(at(op.operands[0], d)->data[0]) != first || !known.empty())
          throw Unknown{fmt::format("line {}: collectives in branches that devices may take apart", op.place.line)};
      }
    }
    std::vector<std::vector<DeviceArrays>> all;
    const ElementType index_type = function_.tensor(op.operands[0]).element;
    const auto is = [&](ScalarFn fn, Element index, std::size_t r) {
      return algebra_.apply(fn, index_type, ElementType::i1, {index, Element::integer(static_cast<std::int64_t>(r))});
    };
    // Where devices choose by different elements, the regions count as if they always ran.
    const Element chosen_by = at(op.operands[0], unknown[0])->data[0];
    const bool alike = std::all_of(unknown.begin(), unknown.end(), [&](std::size_t d) {
      return algebra_.equal(at(op.operands[0], d)->data[0], chosen_by);
    });
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const std::size_t before = algebra_.path().size();
      if (alike && is_if) {
        algebra_.enter(is(r == 0 ? ScalarFn::compare_ne : ScalarFn::compare_eq, chosen_by, 0));
      } else if (alike && r + 1 < op.regions.size()) {
        algebra_.enter(is(ScalarFn::compare_eq, chosen_by, r));
      } else if (alike) {  // the last region runs if no other does
        for (std::size_t other = 0; other < r; ++other) algebra_.enter(is(ScalarFn::compare_ne, chosen_by, other));
      }
      all.push_back(block(op.regions[r], unknown));
      while (algebra_.path().size() > before) algebra_.leave();
    }
    for (const std::size_t d : unknown) {
      const Element index = at(op.operands[0], d)->data[0];
      for (std::size_t k = 0; k < out.size(); ++k) {
        auto a = std::make_shared<Array>(*all.back()[k][d]);
        for (std::size_t r = all.size() - 1; r-- > 0;) {
          const Element takes = is_if ? index : is(ScalarFn::compare_eq, index, r);
          const ArrayPtr& other = all[r][k][d];
          for (std::size_t p = 0; p < a->data.size(); ++p)
            a->data[p] = algebra_.select(takes, other->data[p], a->data[p], a->type.element);
        }
        out[k][d] = a;
      }
    }
  }
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    for (const std::size_t d : active) set(op.results[k], d, out[k][d]);
  }
}

}  // namespace partir::validate
