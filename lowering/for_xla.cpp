#include "lowering/for_xla.h"

#include <array>
#include <string_view>
#include <unordered_set>

#include "ir/op_decl.h"

namespace partir {
namespace {

template <std::size_t N>
bool is_one_of(const Op& op, const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    if (op.name() == name) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 4> kPassOn = {"stablehlo.reshape", "stablehlo.transpose", "stablehlo.convert",
                                                     "stablehlo.bitcast_convert"};
constexpr std::array<std::string_view, 4> kComputedPositions = {
    "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice", "stablehlo.gather", "stablehlo.scatter"};

class Barriers {
 public:
  explicit Barriers(Function& f) : f_(f) {}

  void block(Block& b) {
    std::vector<Op> ops = std::move(b.ops);
    b.ops.clear();
    for (Op& op : ops) {
      const bool reads = is_one_of(op, kComputedPositions);
      for (ValueId& v : op.operands) {
        if (reads && sliced_.contains(v)) v = behind_barrier(v, op.place, b);
      }
      const bool passes_on = is_one_of(op, kPassOn) && sliced_.contains(op.operands[0]);
      if (op.name() == "stablehlo.dynamic_slice" || passes_on) sliced_.insert(op.results[0]);
      for (Block& inner : op.regions) block(inner);
      b.ops.push_back(std::move(op));
    }
  }

 private:
  ValueId behind_barrier(ValueId v, Place place, Block& to) {
    Op barrier(f_.new_op(), find_decl("stablehlo.optimization_barrier"));
    barrier.operands = {v};
    barrier.results = {f_.add_value(f_.type(v))};
    barrier.place = place;
    const ValueId out = barrier.results[0];
    to.ops.push_back(std::move(barrier));
    return out;
  }

  Function& f_;
  std::unordered_set<ValueId> sliced_;  ///< results of dynamic slices, also passed on
};

}  // namespace

Module for_xla(Module module) {
  for (Function& f : module.functions) Barriers(f).block(f.body);
  return module;
}

}  // namespace partir
