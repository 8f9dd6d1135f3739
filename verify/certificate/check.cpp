// check_certificate: rebuilds the source as the certificate describes it (on batching dimensions, on padded values,
// with some operations decomposed using the shard offset), proves each of these rewritings, and runs the Checker on the
// result.
#include "verify/certificate/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/batching.h"
#include "ir/by_offsets.h"
#include "ir/control_flow.h"
#include "ir/declared_calls.h"
#include "ir/op_decl.h"
#include "ir/ops/window.h"
#include "ir/sharding/attributes.h"
#include "verify/certificate/batching.h"
#include "verify/certificate/bits.h"
#include "verify/certificate/checker.h"
#include "verify/certificate/padding.h"
#include "verify/prove/instance.h"

namespace partir {
namespace {

CertificateReport refused(std::string reason) {
  CertificateReport out;
  out.verdict = Verdict::refuted;
  out.step = "module";
  out.reason = std::move(reason);
  return out;
}

/// What the proofs of all rewritings established.
struct Findings : RewritingReport {
  std::unordered_map<ValueId, std::string> computed;  ///< see Rewritten::computed
};

/// Requires that the partitioned module states the unpadded shape (partir.shape) of exactly those arguments and results
/// that have padding.
void require_shapes(const Function& source, const Function& padded, const Function& target) {
  const auto require_shape = [&](const std::vector<ValueId>& own, const std::vector<ValueId>& wide,
                                 const std::vector<AttributeList>& attributes, const char* what) {
    for (std::size_t k = 0; k < own.size() && k < wide.size(); ++k) {
      const std::string* shape = k < attributes.size() ? frontend(attributes[k], "partir.shape") : nullptr;
      const Type& type = source.type(own[k]);
      const bool is_padded = type != padded.type(wide[k]);
      if (is_padded ? shape == nullptr || *shape != fmt::format("{}", fmt::join(type->dims, "x")) : shape != nullptr)
        throw Refused{fmt::format("partir.shape of {} {} is not its own shape", what, k)};
    }
  };
  require_shape(source.arguments(), padded.arguments(), target.argument_attributes, "argument");
  require_shape(source.returned(), padded.returned(), target.result_attributes, "result");
}

/// Returns the source written on the padded values that the certificate lists, and checks that rewriting.
Function with_padding(const Function& source, const Certificate& certificate, const Mesh& mesh, LocalPrograms& programs,
                      Findings& found) {
  const auto padding = padding_of(certificate.padding, source);
  if (!padding) throw Refused{"padding: a value or dimension that the source lacks"};
  for (const UnevenDim& u : padding->uneven) {
    if (mesh.devices() % u.parts != 0) throw Refused{"padding: parts that the devices do not make"};
  }
  if (padding->empty()) return source;
  Function out = padded(source, *padding);
  found.add(check_padding(source, out, programs));
  return out;
}

/// Returns the source with the operations that the certificate lists in `batching` rewritten, each proved with the
/// computation of its indices.
Function on_batching_dims(const Function& source, const Certificate& certificate, LocalPrograms& programs,
                          Findings& found) {
  const auto operations = results_of(certificate.batching, source);
  if (!operations) throw Refused{"batching: an operation that the source lacks, or twice"};
  if (operations->empty()) return source;
  const std::set<ValueId> possible = batchable(source);
  if (!std::includes(possible.begin(), possible.end(), operations->begin(), operations->end()))
    throw Refused{"batching: an operation that cannot be rewritten on batching dimensions"};
  Function out = with_batching(source, *operations);
  found.add(check_batching(source, out, *operations, programs));
  return out;
}

const Op* defining_op(const Function& f, ValueId v) {
  return find_op(f.body, [&](const Op& o) { return o.results.size() == 1 && o.results[0] == v; });
}

/// Whether a slice takes a contiguous range of `dim` that begins at `start`, and all of the other dimensions.
bool slices_along(const Function& f, const Op& slice, Dim dim, std::int64_t start) {
  const OpInstance instance = instance_of(f, slice);
  TensorType rest = *instance.operands[0];
  if (dim >= rest.rank()) return false;
  std::vector<std::int64_t> starts(rest.rank(), 0);
  starts[dim] = start;
  rest.dims[dim] = instance.results[0]->dims[dim];
  return instance.ints("start_indices") == starts && rest == *instance.results[0] &&
         instance.ints("strides") == std::vector<std::int64_t>(rest.rank(), 1);
}

bool takes_stretch(const Function& source, const Op& op, const ByOffsetsSubject& subject);
bool takes_selection(const Function& source, const Op& op, const ByOffsetsSubject& subject);

/// Whether the decomposed operation (`subject`) reads what `op` reads: the same operands or, where `op` joins slices,
/// the values that these slices are taken from, at the positions that "partir.slices" lists.
bool takes_operands(const Function& source, const Op& op, const ByOffsetsSubject& subject) {
  if (stretch_of(subject.instance)) return takes_stretch(source, op, subject);
  if (filling_of(subject.instance) != nullptr) return takes_selection(source, op, subject);
  if (subject.instance.decl != op.decl) return false;
  AttributeList attributes = subject.instance.attributes;
  drop(attributes, "partir.slices");
  if (!(attributes.sorted() == op.attributes.sorted()) || subject.operands.size() != op.operands.size()) return false;
  if (find(subject.instance.attributes, "partir.slices") == nullptr) return subject.operands == op.operands;
  const auto& places = subject.instance.ints("partir.slices");
  const auto dim = static_cast<Dim>(places.at(0));
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const TensorType& given = source.tensor(op.operands[k]);
    if (given.rank() == 0 && subject.operands[k] == op.operands[k]) continue;
    if (dim >= given.rank() || places.at(2 * k + 2) != given.dims[dim]) return false;
    if (subject.operands[k] == op.operands[k]) {
      if (places[2 * k + 1] != 0) return false;
      continue;
    }
    const Op* slice = defining_op(source, op.operands[k]);
    if (slice == nullptr || slice->name() != "stablehlo.slice" || slice->operands[0] != subject.operands[k] ||
        !slices_along(source, *slice, dim, places[2 * k + 1]))
      return false;
  }
  return true;
}

/// Whether a pad with negative low and high padding only crops `dim`, to the range that begins at `start`.
bool cuts_along(const Function& f, const Op& pad, Dim dim, std::int64_t start) {
  const OpInstance instance = instance_of(f, pad);
  const TensorType& result = *instance.results[0];
  if (dim >= result.rank()) return false;
  std::vector<std::int64_t> low(result.rank(), 0);
  std::vector<std::int64_t> high = low;
  low[dim] = -start;
  high[dim] = start + result.dims[dim] - instance.operands[0]->dims[dim];
  return start >= 0 && high[dim] <= 0 && instance.ints("edge_padding_low") == low &&
         instance.ints("edge_padding_high") == high &&
         instance.ints("interior_padding") == std::vector<std::int64_t>(result.rank(), 0);
}

/// Whether `op` crops its operand to the range that "partir.stretch" describes, and the operation that defines that
/// operand reads the operands of `subject`.
bool takes_stretch(const Function& source, const Op& op, const ByOffsetsSubject& subject) {
  const Op* joined = op.operands.empty() ? nullptr : defining_op(source, op.operands[0]);
  const std::int64_t start = *stretch_of(subject.instance);
  const auto& places = subject.instance.ints("partir.slices");
  if (joined == nullptr || joined->decl != subject.instance.decl || places.empty() ||
      subject.instance.results[0] != source.type(op.results[0]))
    return false;
  const auto dim = static_cast<Dim>(places[0]);
  const bool cuts = (op.name() == "stablehlo.slice" && slices_along(source, op, dim, start)) ||
                    (op.name() == "stablehlo.pad" && cuts_along(source, op, dim, start));
  if (!cuts) return false;
  ByOffsetsSubject whole = subject;
  drop(whole.instance.attributes, "partir.stretch");
  return takes_operands(source, *joined, whole);
}

/// Whether `op` slices a select_and_scatter of a padded value at the place of that value, with the padding and operands
/// that `subject` has.
bool takes_selection(const Function& source, const Op& op, const ByOffsetsSubject& subject) {
  const Op* selects = op.operands.empty() ? nullptr : defining_op(source, op.operands[0]);
  const Op* pad = selects == nullptr || selects->operands.empty() ? nullptr : defining_op(source, selects->operands[0]);
  if (op.name() != "stablehlo.slice" || pad == nullptr || pad->name() != "stablehlo.pad" ||
      selects->decl != subject.instance.decl || subject.instance.regions != &selects->regions ||
      subject.instance.results[0] != source.type(op.results[0]))
    return false;
  const std::vector<ValueId> operands = {pad->operands[0], selects->operands[1], selects->operands[2]};
  const Op* filling = defining_op(source, pad->operands[1]);
  if (subject.operands != operands || filling == nullptr || !filling->decl->traits.constant) return false;
  const Attribute* value = find(filling->attributes, "value");
  if (value == nullptr || *value != Attribute{DenseAttr{filling_of(subject.instance)}}) return false;
  const OpInstance padded = instance_of(source, *pad);
  const OpInstance cut = instance_of(source, op);
  const OpInstance selected = instance_of(source, *selects);
  const TensorType& whole = *padded.operands[0];
  for (Dim d = 0; d < whole.rank(); ++d) {
    const auto [low, high] = ops::padding_of(subject.instance, d);
    if (ops::padding_of(selected, d) != std::pair(std::int64_t{0}, std::int64_t{0}) ||
        padded.ints("edge_padding_low")[d] != low || padded.ints("edge_padding_high")[d] != high ||
        padded.ints("interior_padding")[d] != 0 || cut.ints("start_indices")[d] != low ||
        cut.ints("limit_indices")[d] != low + whole.dims[d] || cut.ints("strides")[d] != 1)
      return false;
  }
  AttributeList own = subject.instance.attributes;
  AttributeList given = selects->attributes;
  for (const char* name : {"padding", "partir.filling"}) {
    drop(own, name);
    drop(given, name);
  }
  return own.sorted() == given.sorted();
}

/// Returns the source with these operations decomposed using the shard offset. Each decomposition is proved at the
/// operation's own sizes.
Function with_offsets(const Function& source, const std::vector<WrittenByOffsets>& listed, LocalPrograms& programs,
                      const RewrittenInfinities& infinities, Findings& found) {
  const auto operations = operations_of(listed, source);
  if (!operations) throw Refused{"by_offsets: an operation that the source lacks, or twice"};
  const ByOffsetsSubjects subjects(source);
  for_each_op(source.body, [&](const Op& op) {
    const auto it = op.results.empty() ? operations->end() : operations->find(op.results[0]);
    if (it == operations->end()) return;
    const ByOffsets& how = it->second;
    const auto decomposed = subjects.decompose(op, how);
    if (!decomposed) throw Refused{fmt::format("by_offsets: {} is not decomposed on {}", op.name(), text_of(how, op))};
    const ByOffsetsSubject& subject = decomposed->subject;
    if (!takes_operands(source, op, subject)) throw Refused{op.name() + " is not written on its operands"};
    found.note(op, "by offsets", programs.by_offsets(subject.instance, how, decomposed->function));
    const bool selects = filling_of(subject.instance) != nullptr;  // which is fused with a slice
    if (selects && !infinities.of(subject.operands[0]).none() && found.unproved.empty())
      found.unproved = "a selection from a value that may be infinite, as its padding is";
    if (selects || !only_moves(op)) {
      for (const ValueId v : op.results) found.computed.emplace(v, selects ? subject.instance.decl->name : op.name());
    }
  });
  return written_by_offsets(source, *operations);
}

}  // namespace

std::string CertificateReport::scope() const {
  const bool reals = std::find(over_reals.begin(), over_reals.end(), true) != over_reals.end();
  const std::string arithmetic =
      reals ? prove::text_of_jumps(jumps) + "over the reals, reassociated" : std::string("bit-exact");
  return "all inputs; " + text_of_declared_calls(declared) + arithmetic;
}

CertificateReport check_certificate(const Module& sequential, const Module& partitioned, const Certificate& certificate,
                                    const prove::CrossChecks& cross_checks) {
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
  auto source = inline_calls(sequential);
  auto target = inline_calls(partitioned);
  if (!source || !target) return refused("calls that cannot be inlined");
  for (Module* m : {&*source, &*target}) {
    for (Function& f : m->functions) drop_shardings(f.body);
  }
  const auto from = source->main();
  const auto to = target->main();
  if (!from || !to) return refused("no main function");
  if (const auto wrong = donates_more(sequential, partitioned)) return refused(*wrong);
  if (const auto name = differing_function(*source, *target))
    return refused("@" + *name + " is another function in each module");
  try {
    LocalPrograms programs(*mesh, cross_checks);
    Findings found;
    const Function batched = on_batching_dims(**from, certificate, programs, found);
    const Function wide = with_padding(batched, certificate, *mesh, programs, found);
    require_shapes(batched, wide, **to);
    const LazyInfinities infinities(batched);
    const Function once =
        with_offsets(wide, certificate.by_offsets, programs, RewrittenInfinities(infinities, wide), found);
    const Function written =
        with_offsets(once, certificate.by_offsets_again, programs, RewrittenInfinities(infinities, once), found);
    const Rewritten rewritten{batched, wide.types.size(), found.reassociated, found.computed};
    CertificateReport out = Checker(written, **to, *mesh, certificate, programs, rewritten).run();
    out.jumps.merge(found.jumps);
    out.declared = declared_calls(**from);
    if (out.verdict == Verdict::proved && !found.unproved.empty()) {
      out.verdict = Verdict::unknown;
      out.step = "operations that are written in others";
      out.reason = found.unproved;
    }
    return out;
  } catch (const Refused& r) {
    return refused(r.reason);
  }
}

}  // namespace partir
