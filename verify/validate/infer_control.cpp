// Inference of control flow: loops, branches and optimization barriers. Each value that they carry or forward has one
// layout. A loop may also carry a sum as pending: it starts as zeros and is reduced after the loop.
#include <fmt/format.h>

#include <algorithm>

#include "ir/zeros.h"
#include "support/check.h"
#include "verify/validate/inferring.h"

namespace partir::validate {

bool Inferring::encloses(const Enclosing& around, const Block* block) {
  return std::find(around.begin(), around.end(), block) != around.end();
}

void Inferring::control(const Op& op, const Enclosing& around) {
  const Op* source = nullptr;
  for (std::size_t k = 0; k < op.operands.size() && source == nullptr; ++k) {
    const auto it = parts_.find(op.operands[k]);
    if (it == parts_.end()) continue;
    for (const auto& [user, place] : users_[it->second.source]) {
      if (place == k && user->decl == op.decl && user->operands.size() == op.operands.size() &&
          user->results.size() == op.results.size() && user->regions.size() == op.regions.size() &&
          encloses(around, block_of_.at(user)))
        source = user;
    }
  }
  if (source == nullptr) throw Unexplained{"no such operation in the source on these values"};
  if (!runs_regions(op)) {
    barrier(op, *source);
    return;
  }
  const bool loops = op.name() == "stablehlo.while";
  Op out = op;
  std::vector<Layout> types;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const Layout type = loops ? type_of_operand(op, *source, k) : Layout::replicated(t_.type(op.operands[k]).rank());
    out.operands[k] = require_part(op.operands[k], source->operands[k], type, fmt::format("operand {}", k));
    if (loops) types.push_back(type);
  }
  // The step of the operation itself precedes the steps inside it.
  emit(out).source = paths_.at(source);
  const std::size_t step = steps_.size() - 1;
  const OpPath here = steps_[step].op;
  Block* const holder = into_.back().block;
  const std::size_t own = holder->ops.size() - 1;
  std::vector<Block> regions;
  for (std::size_t r = 0; r < op.regions.size(); ++r) {
    const Block& b = op.regions[r];
    const Block& of = source->regions[r];
    if (b.arguments.size() != of.arguments.size()) throw Unexplained{"a region with another number of arguments"};
    for (std::size_t k = 0; loops && k < b.arguments.size(); ++k) {
      if (r == 1 && may_be_sum(op, *source, k)) {
        sums_[b.arguments[k]] = {resolved(of.arguments[k]), types[k]};
      } else {
        set_part(b.arguments[k], of.arguments[k], types[k]);
      }
    }
    OpPath inside = here;
    inside.push_back(r);
    Enclosing deeper = around;
    deeper.push_back(&of);
    Block made;
    made.arguments = b.arguments;
    block(b, made, inside, deeper);
    at_ = &op;
    Op end = b.ops.back();
    const auto& yielded = of.ops.back().operands;
    if (end.operands.size() != yielded.size()) throw Unexplained{"a region that yields another number of values"};
    into_.push_back({&made, inside, entered_++});
    for (std::size_t k = 0; loops && k < b.arguments.size(); ++k) {
      decide_pending(b.arguments[k], {});
      if (r == 1) types[k] = parts_.at(b.arguments[k]).type;
    }
    for (std::size_t k = 0; k < yielded.size(); ++k) {
      const bool condition = loops && r == 0;
      if (!condition && !loops && types.size() == k) types.push_back(type_of_yield(end.operands[k], yielded[k]));
      const Layout type = condition ? Layout::replicated(t_.type(end.operands[k]).rank()) : types[k];
      end.operands[k] =
          require_part(end.operands[k], yielded[k], type, fmt::format("what region {} yields as {}", r, k));
    }
    into_.pop_back();
    made.ops.push_back(std::move(end));
    regions.push_back(std::move(made));
  }
  holder->ops[own].regions = std::move(regions);
  for (const Layout& type : types) steps_[step].types.push_back(type.str(mesh_));
  for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source->results[k], types[k]);
}

bool Inferring::may_be_sum(const Op& loop, const Op& source, std::size_t k) const {
  const ValueId read = loop.regions[0].arguments[k];
  const auto reads = [&](const Op& op) {
    return std::find(op.operands.begin(), op.operands.end(), read) != op.operands.end();
  };
  return is_zeros(splats_[resolved(source.operands[k])]) && find_op(loop.regions[0], reads) == nullptr;
}

void Inferring::decide_pending(const Op& op) {
  if (sums_.empty()) return;
  std::vector<ValueId> read = op.operands;
  const auto outside = captured(op);
  read.insert(read.end(), outside.begin(), outside.end());
  std::vector<Pending> pending;
  for (const ValueId v : op.operands) {
    const auto it = parts_.find(v);
    if (op.name() == "stablehlo.add" && it != parts_.end()) pending = it->second.type.pending;
  }
  for (const ValueId v : read) decide_pending(v, pending);
}

void Inferring::decide_pending(ValueId sum, std::vector<Pending> pending) {
  const auto it = sums_.find(sum);
  if (it == sums_.end()) return;
  Part part = std::move(it->second);
  sums_.erase(it);
  part.type.pending = std::move(pending);
  set_part(sum, part.source, std::move(part.type));
}

void Inferring::barrier(const Op& op, const Op& source) {
  PARTIR_CHECK(op.results.size() == op.operands.size(), op.name() + " is no barrier");
  Op out = op;
  std::vector<std::string> texts;
  std::vector<Layout> types;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    types.push_back(type_of_operand(op, source, k));
    out.operands[k] = require_part(op.operands[k], source.operands[k], types[k], fmt::format("operand {}", k));
    texts.push_back(types[k].str(mesh_));
  }
  CertificateStep& step = emit(std::move(out));
  step.source = paths_.at(&source);
  step.types = std::move(texts);
  for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source.results[k], types[k]);
}

Layout Inferring::type_of_operand(const Op& op, const Op& source, std::size_t k) const {
  return type_of_yield(op.operands[k], source.operands[k]);
}

Layout Inferring::type_of_yield(ValueId v, ValueId source) const {
  if (const auto it = parts_.find(v); it != parts_.end()) return it->second.type;
  const Type& global = s_.type(source);
  const Type& local = t_.type(v);
  if (local.rank() != global.rank()) throw Unexplained{"a value of another shape"};
  Layout out = Layout::replicated(global.rank());
  std::vector<Axis> used;
  for (Dim d = 0; d < global.rank(); ++d) {
    if (local->dims[d] == 0 || global->dims[d] % local->dims[d] != 0) throw Unexplained{"a value of another shape"};
    std::vector<Axis> axes;
    bool done = false;
    axes_of_parts(
        mesh_, global->dims[d] / local->dims[d], axes,
        [&](const std::vector<Axis>& list) {
          const bool fresh = std::none_of(list.begin(), list.end(),
                                          [&](Axis a) { return std::find(used.begin(), used.end(), a) != used.end(); });
          if (fresh) out.dims[d].assign(list.begin(), list.end());
          return fresh;
        },
        done);
    if (!done) throw Unexplained{"a value of another shape"};
    for (const Factor& f : out.dims[d]) used.push_back(f.axis());
  }
  return out;
}

}  // namespace partir::validate
