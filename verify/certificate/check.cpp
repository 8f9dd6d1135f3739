#include "verify/certificate/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/by_offsets.h"
#include "ir/control_flow.h"
#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "verify/certificate/conversions.h"
#include "verify/certificate/local.h"
#include "verify/prove/instance.h"

namespace partir {
namespace {

/// Ends the check: a step that does not hold.
struct Refused {
  std::string reason;
};

const std::string* frontend(const AttributeList& attributes, std::string_view name) {
  const Attribute* dict = find(attributes, "mhlo.frontend_attributes");
  const DictAttr* entries = dict != nullptr ? dict->as<DictAttr>() : nullptr;
  const Attribute* value = entries != nullptr ? find(entries->entries, name) : nullptr;
  const StringAttr* text = value != nullptr ? value->as<StringAttr>() : nullptr;
  return text != nullptr ? &text->value : nullptr;
}

bool is_control(const Op& op) {
  const std::string& n = op.name();
  return n == "stablehlo.while" || n == "stablehlo.if" || n == "stablehlo.case" ||
         n == "stablehlo.optimization_barrier";
}

/// Whether running an operation does more than give its results. Control flow does what is inside it.
bool has_effects(const Op& op) {
  if (op.decl->kind == OpDecl::Kind::array || op.decl->kind == OpDecl::Kind::terminator) return false;
  if (!is_control(op)) return !op.decl->pure;
  return std::any_of(op.regions.begin(), op.regions.end(),
                     [](const Block& b) { return std::any_of(b.ops.begin(), b.ops.end(), has_effects); });
}

class Checker {
 public:
  Checker(const Function& source, const Function& target, const Mesh& mesh, const Certificate& certificate,
          LocalPrograms& programs)
      : s_(source),
        t_(target),
        mesh_(mesh),
        positions_(mesh.devices()),
        programs_(programs),
        splats_(source.types.size()) {
    for (const CertificateStep& step : certificate.steps) {
      if (!steps_.emplace(step.op, &step).second) throw Refused{"two steps for operation " + path_text(step.op)};
    }
    note_source(s_.body, {});
  }

  CertificateReport run() {
    CertificateReport& out = report_;
    try {
      arguments();
      block(t_.body, {}, {&s_.body});
      if (used_ != steps_.size())
        throw Refused{
            fmt::format("{} steps of the certificate are about operations that are not there", steps_.size() - used_)};
      out.verdict = out.unknown == 0 ? Verdict::proved : Verdict::unknown;
    } catch (const Refused& refused) {
      out.verdict = Verdict::refuted;
      out.step = at_text();
      out.reason = refused.reason;
    }
    out.proofs = programs_.proofs();
    out.tally = programs_.tally();
    return out;
  }

 private:
  /// A value of the partitioned module: which source value it is a part of, and which part.
  struct Part {
    ValueId source;
    DistributedType type;
  };
  /// One between the steps of a conversion, which has no distributed type.
  struct Between {
    ValueId source;
    Held held;
  };
  /// Source blocks that stand for the block at hand and those around it, outermost first.
  using Blocks = std::vector<const Block*>;

  void note_source(const Block& block, const OpPath& path) {
    for (std::size_t i = 0; i < block.ops.size(); ++i) {
      const Op& op = block.ops[i];
      OpPath here = path;
      here.push_back(i);
      for (const ValueId v : op.results) splats_[v.index()] = splat_of(op);
      if (op.name() == "sdy.sharding_constraint") same_[op.results[0]] = the(op.operands[0]);
      for (std::size_t r = 0; r < op.regions.size(); ++r) {
        here.push_back(r);
        note_source(op.regions[r], here);
        here.pop_back();
      }
      sources_.emplace(std::move(here), Source{&op, &block});
    }
  }

  /// The scalar that a constant, or what only moves or repeats one, consists of.
  LiteralPtr splat_of(const Op& op) const {
    const std::string& n = op.name();
    if (n == "stablehlo.constant") {
      const DenseAttr* dense = find(op.attributes, "value")->as<DenseAttr>();
      if (dense == nullptr || !dense->literal->splat) return nullptr;
      auto scalar = std::make_shared<Literal>(*dense->literal);
      scalar->type.dims.clear();
      return scalar;
    }
    const bool moves = n == "stablehlo.broadcast_in_dim" || n == "stablehlo.reshape" || n == "stablehlo.transpose" ||
                       n == "stablehlo.slice" || n == "stablehlo.reverse";
    return moves ? splats_[op.operands[0].index()] : nullptr;
  }

  /// The operation at hand, for people.
  std::string at_text() const {
    if (at_.first == nullptr) return "arguments";
    std::string out = fmt::format("step {}: {}", path_text(at_.second), print_op(t_, *at_.first));
    return out.substr(0, std::min(out.find('\n'), std::size_t{200}));
  }

  /// The source value that a value is.
  ValueId the(ValueId v) const {
    const auto it = same_.find(v);
    return it == same_.end() ? v : it->second;
  }

  // What values are parts of.

  const Part& part(ValueId v) const {
    const auto it = parts_.find(v);
    if (it == parts_.end()) throw Refused{"reads a value that is no part of a source value"};
    return it->second;
  }

  void set_part(ValueId v, ValueId source, DistributedType type) {
    if (!is_type_of(type, s_.type(source), mesh_))
      throw Refused{fmt::format("{} is no distributed type of {}", type.str(mesh_), s_.type(source).str())};
    const TensorType local = type.local(s_.type(source), mesh_);
    if (local != t_.type(v))
      throw Refused{fmt::format("a value of type {} where a part is {}", t_.type(v).str(), local.str())};
    parts_[v] = {source, std::move(type)};
  }

  DistributedType parsed(const std::string& text, ValueId source) const {
    const auto type = DistributedType::parse(text, mesh_, s_.type(source).rank());
    if (!type) throw Refused{"no distributed type: " + text};
    return *type;
  }

  void arguments() {
    if (t_.arguments().size() != s_.arguments().size()) throw Refused{"another number of arguments"};
    for (std::size_t i = 0; i < t_.arguments().size(); ++i) {
      const std::string* text =
          i < t_.argument_attributes.size() ? frontend(t_.argument_attributes[i], "partir.sharding") : nullptr;
      if (text == nullptr) throw Refused{fmt::format("argument {} without partir.sharding", i)};
      const ValueId source = s_.arguments()[i];
      DistributedType type = parsed(*text, source);
      if (!type.partial.empty()) throw Refused{fmt::format("argument {} comes in partial", i)};
      set_part(t_.arguments()[i], source, std::move(type));
    }
  }

  // Operations.

  void block(const Block& b, const OpPath& path, const Blocks& sources) {
    for (std::size_t i = 0; i < b.ops.size(); ++i) {
      const Op& op = b.ops[i];
      OpPath here = path;
      here.push_back(i);
      at_ = {&op, here};
      if (op.decl->kind == OpDecl::Kind::terminator) {
        if (path.empty()) returned(op);
        continue;
      }
      const auto it = steps_.find(here);
      if (it == steps_.end()) {
        if (!positions_.follow(t_, op)) throw Refused{"stands in no step of the certificate"};
        continue;
      }
      ++used_;
      const CertificateStep& step = *it->second;
      if (!step.source) {
        convert(op, step);
      } else {
        const auto source = sources_.find(*step.source);
        if (source == sources_.end()) throw Refused{"its source operation is not there"};
        if (std::find(sources.begin(), sources.end(), source->second.block) == sources.end())
          throw Refused{"its source operation stands in another block"};
        // Without types its regions are the source's.
        if (is_control(op) && (op.regions.empty() || !step.types.empty())) {
          control(*source->second.op, op, step, here, sources);
        } else {
          local(*source->second.op, op, step);
        }
      }
    }
  }

  void returned(const Op& op) {
    const auto& wanted = s_.returned();
    if (op.operands.size() != wanted.size()) throw Refused{"another number of results"};
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const Part& p = part(op.operands[k]);
      if (the(p.source) != the(wanted[k])) throw Refused{fmt::format("result {} is a part of another value", k)};
      const std::string* text =
          k < t_.result_attributes.size() ? frontend(t_.result_attributes[k], "partir.sharding") : nullptr;
      if (text == nullptr) throw Refused{fmt::format("result {} without partir.sharding", k)};
      if (!(parsed(*text, wanted[k]) == p.type))
        throw Refused{fmt::format("result {} is {}, not {}", k, p.type.str(mesh_), *text)};
    }
  }

  void convert(const Op& op, const CertificateStep& step) {
    if (op.results.size() != 1 || step.types.size() > 1 || op.operands.empty())
      throw Refused{"a conversion of other than one value"};
    const ValueId result = op.results[0];
    const auto it = between_.find(op.operands[0]);
    const Between from = it != between_.end()
                             ? it->second
                             : Between{part(op.operands[0]).source, Held::by(part(op.operands[0]).type, mesh_)};
    std::optional<DistributedType> claimed;
    if (!step.types.empty()) {
      claimed = parsed(step.types[0], from.source);
      set_part(result, from.source, *claimed);
    }
    Converted c = converted(t_, op, from.held, claimed, s_.type(from.source), mesh_, positions_);
    if (c.wrong) throw Refused{fmt::format("from {} to {}: {}", shown(from.held.type), shown(claimed), *c.wrong)};
    if (!claimed) {
      if (c.held.layout.local(s_.type(from.source)) != t_.type(result)) throw Refused{"gives a part of another type"};
      between_[result] = {from.source, std::move(c.held)};
    }
    ++report_.laws[c.law];
  }

  std::string shown(const std::optional<DistributedType>& type) const {
    return type ? type->str(mesh_) : "parts that no type describes";
  }

  void require_same_shape(const Op& source, const Op& op) const {
    if (source.decl != op.decl || source.operands.size() != op.operands.size() ||
        source.results.size() != op.results.size() || source.regions.size() != op.regions.size())
      throw Refused{fmt::format("not the operation that its source is: {}", source.name())};
  }

  void require_operand(const Op& source, const Op& op, std::size_t k) const {
    if (the(part(op.operands[k]).source) != the(source.operands[k]))
      throw Refused{fmt::format("operand {} is a part of another value than the source's", k)};
  }

  void local(const Op& source, const Op& op, const CertificateStep& step) {
    require_same_shape(source, op);
    ++report_.local;
    std::vector<LiteralPtr> splats;
    for (const ValueId v : source.operands) splats.push_back(splats_[v.index()]);
    const OpInstance global = instance_of(s_, source, std::move(splats));
    const LocalProgram plain{global, whole(global.operands), whole(global.results), Verdict::proved, ""};
    const LocalProgram& p = step.along.empty() ? plain : programs_.of(global, step.along);
    if (p.verdict == Verdict::refuted) throw Refused{p.reason};
    if (p.verdict == Verdict::unknown) not_proved(p.reason);
    if (has_effects(op)) not_proved("an operation with effects");
    if (op.decl->kind == OpDecl::Kind::collective || op.decl->kind == OpDecl::Kind::device)
      not_proved("the source itself speaks of devices");
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      require_operand(source, op, k);
      const DistributedType& held = part(op.operands[k]).type;
      if (!(held == p.operands[k])) {
        throw Refused{
            fmt::format("operand {} is {}, its entries take it as {}", k, held.str(mesh_), p.operands[k].str(mesh_))};
      }
      if (t_.type(op.operands[k]) != p.instance.operands[k])
        throw Refused{fmt::format("operand {} of another local type", k)};
    }
    if (!(p.instance.attributes.sorted() == op.attributes.sorted()))
      throw Refused{fmt::format("attributes that are not the local program's: {}, not {}",
                                dictionary_text(op.attributes), dictionary_text(p.instance.attributes))};
    const auto same = [&](ValueId x, ValueId y) {  // read inside a region
      const auto it = parts_.find(y);
      return it != parts_.end() && the(it->second.source) == the(x) && it->second.type.is_whole();
    };
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      if (!same_block(s_, source.regions[r], t_, op.regions[r], same))
        throw Refused{"a region that is not the source's"};
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source.results[k], p.results[k]);
  }

  static std::vector<DistributedType> whole(const std::vector<TensorType>& types) {
    std::vector<DistributedType> out;
    for (const TensorType& t : types) out.push_back(DistributedType::whole(t.rank()));
    return out;
  }

  void not_proved(const std::string& reason) {
    if (report_.unknown++ != 0) return;
    report_.step = at_text();
    report_.reason = reason;
  }

  // Control flow: what enters, repeats and leaves has the types of the step.

  void control(const Op& source, const Op& op, const CertificateStep& step, const OpPath& path, const Blocks& sources) {
    require_same_shape(source, op);
    if (step.types.size() != op.results.size()) throw Refused{"another number of types than of results"};
    if (!step.along.empty()) throw Refused{"entries of control flow"};
    if (!(source.attributes.sorted() == op.attributes.sorted())) throw Refused{"other attributes than the source"};
    const auto here = at_;
    std::vector<DistributedType> types;
    for (std::size_t k = 0; k < op.results.size(); ++k) types.push_back(parsed(step.types[k], source.results[k]));
    const bool branches = op.name() == "stablehlo.if" || op.name() == "stablehlo.case";
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      require_operand(source, op, k);
      const DistributedType& held = part(op.operands[k]).type;
      if (branches ? !held.is_whole() : !(held == types[k]))
        throw Refused{fmt::format("operand {} enters as {}", k, held.str(mesh_))};
    }
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      const Block& b = op.regions[r];
      const Block& of = source.regions[r];
      if (b.arguments.size() != of.arguments.size() || (!branches && b.arguments.size() != types.size()))
        throw Refused{"a region with another number of arguments"};
      for (std::size_t k = 0; k < b.arguments.size(); ++k) set_part(b.arguments[k], of.arguments[k], types[k]);
      OpPath inside = path;
      inside.push_back(r);
      Blocks around = sources;
      around.push_back(&of);
      block(b, inside, around);
      at_ = here;
      const bool condition = op.name() == "stablehlo.while" && r == 0;
      const auto& yielded = b.ops.back().operands;
      const auto& wanted = of.ops.back().operands;
      if (yielded.size() != wanted.size()) throw Refused{"a region that yields another number of values"};
      for (std::size_t k = 0; k < yielded.size(); ++k) {
        const Part& p = part(yielded[k]);
        if (the(p.source) != the(wanted[k])) throw Refused{fmt::format("region {} yields a part of another value", r)};
        if (condition ? !p.type.is_whole() : !(p.type == types[k]))
          throw Refused{fmt::format("region {} yields value {} as {}", r, k, p.type.str(mesh_))};
      }
    }
    for (std::size_t k = 0; k < op.results.size(); ++k) set_part(op.results[k], source.results[k], types[k]);
  }

  struct Source {
    const Op* op;
    const Block* block;
  };

  const Function& s_;
  const Function& t_;
  const Mesh& mesh_;
  Positions positions_;
  LocalPrograms& programs_;
  std::vector<LiteralPtr> splats_;
  std::map<OpPath, const CertificateStep*> steps_;
  std::map<OpPath, Source> sources_;
  std::unordered_map<ValueId, Part> parts_;
  std::unordered_map<ValueId, Between> between_;
  std::unordered_map<ValueId, ValueId> same_;  ///< results of sharding constraints, which are their operands
  std::size_t used_ = 0;
  std::pair<const Op*, OpPath> at_{nullptr, {}};
  CertificateReport report_;
};

CertificateReport refused(std::string reason) {
  CertificateReport out;
  out.verdict = Verdict::refuted;
  out.step = "module";
  out.reason = std::move(reason);
  return out;
}

}  // namespace

namespace {

/// The source with what the certificate writes by offsets written so. Each is proved where it stands; `unproved` says
/// of the first that is not.
Function with_offsets(const Function& source, const Certificate& certificate, LocalPrograms& programs,
                      std::string& unproved) {
  const auto operations = operations_of(certificate.by_offsets, source);
  if (!operations) throw Refused{"by_offsets: an operation that the source lacks, or twice"};
  for_each_op(source.body, [&](const Op& op) {
    const auto it = op.results.empty() ? operations->end() : operations->find(op.results[0]);
    if (it == operations->end()) return;
    const ByOffsets& how = it->second;
    const OpInstance instance = instance_of(source, op, std::vector<LiteralPtr>(op.operands.size()));
    if (op.decl->by_offsets == nullptr || tiled_type(how, instance) == nullptr)
      throw Refused{"by_offsets: no such operand or dimension of " + op.name()};
    const auto others = op.decl->by_offsets(instance, how.operand, how.dim, how.devices);
    if (!others) throw Refused{op.name() + " is not written by offsets so"};
    const prove::Verdict& verdict = programs.by_offsets(instance, how, *others);
    if (verdict.answer != prove::Answer::proved && unproved.empty())
      unproved = fmt::format("{} by offsets: {}", op.name(), verdict.reason);
  });
  return written_by_offsets(source, *operations);
}

}  // namespace

CertificateReport check_certificate(const Module& sequential, const Module& partitioned, const Certificate& certificate,
                                    const prove::Doubts& doubts) {
  const std::string* text = frontend(partitioned.attributes, "partir.mesh");
  if (text == nullptr) return refused("a partitioned module without partir.mesh");
  if (*text != certificate.mesh) return refused("partir.mesh is not the certificate's mesh");
  const auto mesh = Mesh::parse(*text);
  if (!mesh) return refused("partir.mesh is no mesh");
  const auto number = [&](const char* name) {
    const Attribute* a = find(partitioned.attributes, name);
    const IntAttr* value = a != nullptr ? a->as<IntAttr>() : nullptr;
    return value != nullptr ? value->value : 1;
  };
  if (number("mhlo.num_partitions") != mesh->devices() || number("mhlo.num_replicas") != 1)
    return refused("mhlo.num_partitions and mhlo.num_replicas are not the mesh's devices and 1");
  const auto source = inline_calls(sequential);
  const auto target = inline_calls(partitioned);
  if (!source || !target) return refused("calls that cannot be inlined");
  const auto from = source->main();
  const auto to = target->main();
  if (!from || !to) return refused("no main function");
  try {
    std::string unproved;
    LocalPrograms programs(*mesh, doubts);
    const Function written = with_offsets(**from, certificate, programs, unproved);
    CertificateReport out = Checker(written, **to, *mesh, certificate, programs).run();
    if (out.verdict == Verdict::proved && !unproved.empty()) {
      out.verdict = Verdict::unknown;
      out.step = "operations by offsets";
      out.reason = unproved;
    }
    return out;
  } catch (const Refused& r) {
    return refused(r.reason);
  }
}

}  // namespace partir
