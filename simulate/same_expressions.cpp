// Proves two functions equal by value numbering: values with equal numbers are equal expressions of the arguments.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/op_decl.h"
#include "simulate/recompute.h"

namespace partir {
namespace {

/// Numbers of expressions, shared by both functions. The key of a number is an operation together with the numbers of
/// its operands.
class Expressions {
 public:
  /// Returns the numbers of the effects of a function, in order, followed by those of its results.
  std::vector<std::size_t> of(const Function& f) {
    f_ = &f;
    numbers_.assign(f.types.size(), 0);
    effects_.clear();
    for (std::size_t i = 0; i < f.arguments().size(); ++i)
      numbers_[f.arguments()[i].index()] = number(fmt::format("argument {} {}", i, f.type(f.arguments()[i]).str()));
    for (const Op& op : f.body.ops) {
      if (op.decl->kind != OpDecl::Kind::terminator) operation(op);
    }
    std::vector<std::size_t> out = effects_;
    for (const ValueId v : f.returned()) out.push_back(numbers_[v.index()]);
    return out;
  }

 private:
  std::size_t number(std::string key) { return known_.emplace(std::move(key), known_.size()).first->second; }

  void operation(const Op& op) {
    if (op.decl->control == Control::barrier) {
      for (std::size_t k = 0; k < op.results.size(); ++k)
        numbers_[op.results[k].index()] = numbers_[op.operands.at(k).index()];
      return;
    }
    std::string key = described(op, 0);
    // Every execution of an operation with effects, or without a known meaning, gets a number of its own.
    if (!op.decl->pure || op.decl->kind == OpDecl::Kind::opaque) {
      key += fmt::format(" effect {}", effects_.size());
      effects_.push_back(number(key));
    }
    for (std::size_t r = 0; r < op.results.size(); ++r)
      numbers_[op.results[r].index()] = number(fmt::format("{} result {} {}", key, r, f_->type(op.results[r]).str()));
  }

  /// A key for what an operation computes: its name, attributes, the numbers of its operands, and its regions likewise.
  /// Values inside a region are numbered by the position of their definition.
  std::string described(const Op& op, std::size_t depth) {
    std::vector<std::string> attributes;
    for (const auto& [name, attribute] : op.attributes)
      attributes.push_back(fmt::format("{}={}", name, attribute.str()));
    std::sort(attributes.begin(), attributes.end());
    std::string out = op.name();
    for (const std::string& a : attributes) out += " " + partir::quoted(a);
    for (const ValueId v : op.operands) out += fmt::format(" %{}", numbers_[v.index()]);
    for (const Block& region : op.regions) out += block(region, depth + 1);
    return out;
  }

  std::string block(const Block& region, std::size_t depth) {
    std::string out = " {";
    std::size_t local = 0;
    const auto define = [&](ValueId v) {
      numbers_[v.index()] = number(fmt::format("local {} {} {}", depth, local++, f_->type(v).str()));
      out += fmt::format(" {}", f_->type(v).str());
    };
    for (const ValueId v : region.arguments) define(v);
    for (const Op& op : region.ops) {
      out += "; " + described(op, depth);
      for (const ValueId v : op.results) define(v);
    }
    return out + " }";
  }

  const Function* f_ = nullptr;
  std::unordered_map<std::string, std::size_t> known_;
  std::vector<std::size_t> numbers_;  ///< by value
  std::vector<std::size_t> effects_;
};

}  // namespace

bool same_expressions(const Function& a, const Function& b) {
  Expressions expressions;
  return expressions.of(a) == expressions.of(b);
}

}  // namespace partir
