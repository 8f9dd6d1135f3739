#include "ir/op_decl.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "ir/ops/ops.h"
#include "ir/splat.h"
#include "support/check.h"

namespace partir {
namespace {

struct Table {
  std::vector<OpDecl> storage;
  std::vector<const OpDecl*> all;
  std::unordered_map<std::string_view, const OpDecl*> by_name;

  Table() {
    storage = ops::all();
    for (const OpDecl& d : storage) {
      PARTIR_CHECK(by_name.emplace(d.name, &d).second, "operation declared twice: " + d.name);
      all.push_back(&d);
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const OpDecl* find_decl(std::string_view name) {
  const auto it = table().by_name.find(name);
  return it == table().by_name.end() ? nullptr : it->second;
}

const OpDecl* foreign_decl(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<OpDecl>, std::less<>> foreign;
  const std::lock_guard lock(mutex);
  auto it = foreign.find(name);
  if (it == foreign.end()) {
    auto decl = std::make_unique<OpDecl>();
    decl->name = std::string(name);
    decl->generic = true;
    decl->pure = false;
    it = foreign.emplace(decl->name, std::move(decl)).first;
  }
  return it->second.get();
}

const std::vector<const OpDecl*>& all_decls() { return table().all; }

const std::vector<std::int64_t>& OpInstance::ints(std::string_view attribute) const {
  static const std::vector<std::int64_t> none;
  const Attribute* a = find(attributes, attribute);
  const IntsAttr* values = a != nullptr ? a->as<IntsAttr>() : nullptr;
  return values != nullptr ? values->values : none;
}

std::int64_t OpInstance::integer(std::string_view attribute, std::int64_t otherwise) const {
  const Attribute* a = find(attributes, attribute);
  const IntAttr* value = a != nullptr ? a->as<IntAttr>() : nullptr;
  return value != nullptr ? value->value : otherwise;
}

std::string OpInstance::keyword(std::string_view attribute) const {
  const Attribute* a = find(attributes, attribute);
  const KeywordAttr* value = a != nullptr ? a->as<KeywordAttr>() : nullptr;
  return value != nullptr ? value->value : "";
}

std::optional<Monoid> OpInstance::monoid() const {
  if (regions == nullptr || regions->empty()) return std::nullopt;
  const Block& body = regions->front();
  if (body.arguments.size() != 2 || body.ops.size() != 2) return std::nullopt;
  const Op& op = body.ops[0];
  if (op.results.size() != 1 || body.ops[1].operands != op.results || op.operands.size() != 2) return std::nullopt;
  const bool straight = op.operands == body.arguments;
  const bool crossed = op.operands[0] == body.arguments[1] && op.operands[1] == body.arguments[0];
  if (!straight && !crossed) return std::nullopt;
  for (const Monoid m : {Monoid::sum, Monoid::prod, Monoid::max, Monoid::min, Monoid::conj, Monoid::disj}) {
    if (combiner_of(m) == op.name()) {
      // On booleans add and maximum are "or", multiply and minimum are "and" (specification of add, multiply).
      const bool boolean = function != nullptr && function->type(op.results[0])->element == ElementType::i1;
      if (boolean && (m == Monoid::sum || m == Monoid::max)) return Monoid::disj;
      if (boolean && (m == Monoid::prod || m == Monoid::min)) return Monoid::conj;
      return m;
    }
  }
  return std::nullopt;
}

OpInstance instance_of(const Function& function, const Op& op) {
  OpInstance out;
  out.decl = op.decl;
  out.attributes = op.attributes;
  for (const ValueId v : op.operands) out.operands.push_back(function.type(v));
  for (const ValueId v : op.results) out.results.push_back(function.type(v));
  out.splats.resize(op.operands.size());
  out.function = &function;
  out.regions = &op.regions;
  out.place = op.place;
  return out;
}

OpInstance instance_of(const Function& function, const Op& op, const Splats& splats) {
  OpInstance out = instance_of(function, op);
  for (std::size_t k = 0; k < op.operands.size(); ++k) out.splats[k] = splats[op.operands[k]];
  if (!op.decl->traits.by_places) return out;
  for (const ValueId v : op.operands) out.places.push_back(splats.places(v));
  return out;
}

void require(bool condition, const OpInstance& op, std::string_view label, std::string_view wanted,
             const std::string& found) {
  if (condition) return;
  std::string what = found;
  if (what.empty()) {
    for (const Type& t : op.operands) what += (what.empty() ? "operands " : ", ") + t.str();
    for (std::size_t i = 0; i < op.results.size(); ++i) what += (i == 0 ? " -> " : ", ") + op.results[i].str();
    if (what.empty()) what = "no operand and no result";
  }
  fail(fmt::format("{} ({})", op.decl->name.substr(op.decl->name.find('.') + 1), label), op.place, what,
       std::string(wanted));
}

Result<void> verify_op(const OpInstance& op) {
  if (op.decl->verify == nullptr) return {};
  try {
    for (const AttrSpec& spec : op.decl->attributes) {
      if (spec.required) {
        require(find(op.attributes, spec.name) != nullptr, op, "attributes", fmt::format("the attribute {}", spec.name),
                "no such attribute");
      }
    }
    // Operations on dynamic, quantized or token types are not verified, except host and core operations, which are
    // about tokens, tuples and loop indices.
    const auto known = [](const Type& t) { return t.is_tensor(); };
    if (op.decl->kind == OpDecl::Kind::host || op.decl->kind == OpDecl::Kind::core ||
        (std::all_of(op.operands.begin(), op.operands.end(), known) &&
         std::all_of(op.results.begin(), op.results.end(), known)))
      op.decl->verify(op);
    return {};
  } catch (UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

namespace {
Result<void> verify_block(const Function& function, const Block& block, std::unordered_set<ValueId>& defined) {
  for (const ValueId a : block.arguments) defined.insert(a);
  for (const Op& op : block.ops) {
    for (const ValueId v : op.operands) {
      if (!defined.contains(v)) {
        return tl::unexpected(Diagnostic{"ssa", "", op.place, "a value used before it is defined", "SSA order"});
      }
    }
    for (const Block& region : op.regions) {
      if (auto ok = verify_block(function, region, defined); !ok) return ok;
    }
    if (auto ok = verify_op(instance_of(function, op)); !ok) return ok;
    for (const ValueId v : op.results) defined.insert(v);
  }
  return {};
}
}  // namespace

Result<void> verify_function(const Function& function) {
  std::unordered_set<ValueId> defined;
  return verify_block(function, function.body, defined);
}

bool has_meaning(const OpInstance& op) {
  if (op.decl->meaning == nullptr) return false;
  for (const Type& t : op.operands) {
    if (!t.is_tensor()) return false;
  }
  for (const Type& t : op.results) {
    if (!t.is_tensor()) return false;
  }
  return op.decl->covers == nullptr || op.decl->covers(op);
}

Meaning meaning_of(const OpInstance& op) {
  PARTIR_CHECK(has_meaning(op), "no meaning: " + op.decl->name);
  MeaningBuilder builder(op.operands, op.results);
  op.decl->meaning(op, builder);
  return builder.take();
}

std::vector<Entry> entries_of(const OpInstance& op) {
  return op.decl->entries == nullptr || !has_meaning(op) ? std::vector<Entry>{} : op.decl->entries(op);
}

std::optional<OpInstance> resized(const OpInstance& op, const Entry& entry, std::int64_t times, std::int64_t over) {
  OpInstance out = op;
  const auto resize = [&](Type& type, const Action& action) {
    if (!action.is_tile()) return true;
    std::int64_t& size = type->dims.at(action.dim);
    if (size * times % over != 0) return false;
    size = size * times / over;
    return true;
  };
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (!resize(out.operands[i], entry.operands[i])) return std::nullopt;
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    if (!resize(out.results[i], entry.results[i])) return std::nullopt;
  }
  if (op.decl->repeat_sizes != nullptr) op.decl->repeat_sizes(out);
  const bool exists = op.decl->localize == nullptr || op.decl->localize(op, entry, out);
  return exists ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<OpInstance> localize(const OpInstance& op, const Entry& entry, std::int64_t n) {
  return resized(op, entry, 1, n);
}

}  // namespace partir
