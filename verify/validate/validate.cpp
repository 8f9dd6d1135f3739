#include "verify/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/validate/program.h"

namespace partir::validate {
namespace {

/// What one device holds of a global array of elements.
ArrayPtr part_of_global(const Array& global, const TensorType& local, const Placement& p, std::size_t device,
                        std::size_t argument, Algebra& algebra) {
  auto out = std::make_shared<Array>();
  out->type = local;
  out->data.resize(static_cast<std::size_t>(local.elements()));
  if (out->data.empty()) return out;
  const auto strides = strides_of(global.type.dims);
  std::vector<std::int64_t> index(local.rank(), 0);
  std::size_t at = 0;
  const bool absent = !p.absent.empty() && p.absent[device];
  do {
    std::int64_t position = 0;
    bool inside = !absent;
    for (std::size_t d = 0; d < local.rank(); ++d) {
      const std::int64_t i = p.chunk[d][device] * local.dims[d] + index[d];
      inside = inside && i < global.type.dims[d];
      position += i * strides[d];
    }
    if (inside) {
      out->data[at] = global.data[static_cast<std::size_t>(position)];
    } else {
      // Padding is anything, on each device.
      const Element where[] = {Element::integer(static_cast<std::int64_t>(argument)),
                               Element::integer(static_cast<std::int64_t>(device)),
                               Element::integer(static_cast<std::int64_t>(at))};
      out->data[at] = algebra.opaque("padding", local.element, where);
    }
    ++at;
  } while (advance(index, local.dims));
  return out;
}

/// Parts of a value that devices hold in common are one array.
DeviceArrays parts_of_global(const ArrayPtr& global, const TensorType& local, const Placement& p, std::size_t devices,
                             std::size_t argument, Algebra& algebra) {
  DeviceArrays out(devices);
  if (p.is_replicated()) {
    std::fill(out.begin(), out.end(), global);
    return out;
  }
  std::map<std::vector<std::int64_t>, ArrayPtr> made;
  for (std::size_t d = 0; d < devices; ++d) {
    std::vector<std::int64_t> chunks;
    for (const auto& dim : p.chunk) chunks.push_back(dim[d]);
    if (!p.absent.empty() && p.absent[d]) chunks.push_back(static_cast<std::int64_t>(d));
    ArrayPtr& a = made[chunks];
    if (a == nullptr) a = part_of_global(*global, local, p, d, argument, algebra);
    out[d] = a;
  }
  return out;
}

class Comparison {
 public:
  Comparison(const Function& source, const Function& partitioned, const Layouts& layouts, const Options& options,
             bool exact)
      : source_(source),
        partitioned_(partitioned),
        layouts_(layouts),
        options_(options),
        algebra_(options.seed, exact) {}

  /// By result: whether all devices hold their part of it.
  std::vector<bool> run() {
    std::vector<ArrayPtr> global;
    std::vector<DeviceArrays> sequential;
    for (std::size_t k = 0; k < source_.arguments().size(); ++k) {
      const TensorType& t = source_.type(source_.arguments()[k]);
      if (!t.is_tensor()) throw Unknown{"an argument of type " + t.str()};
      auto a = std::make_shared<Array>();
      a->type = t;
      for (std::int64_t p = 0; p < t.elements(); ++p) a->data.push_back(algebra_.input(k, p, t.element));
      global.push_back(a);
      sequential.push_back({a});
    }
    Program source(source_, Devices{}, algebra_, options_.stop);
    const auto wanted = source.run(sequential);
    const auto devices = static_cast<std::size_t>(layouts_.devices.count());
    std::vector<DeviceArrays> parts;
    for (std::size_t k = 0; k < global.size(); ++k)
      parts.push_back(parts_of_global(global[k], partitioned_.type(partitioned_.arguments()[k]), layouts_.arguments[k],
                                      devices, k, algebra_));
    Program target(partitioned_, layouts_.devices, algebra_, options_.stop);
    const auto found = target.run(parts);
    std::vector<bool> out;
    for (std::size_t k = 0; k < wanted.size(); ++k) out.push_back(agrees(*wanted[k][0], found[k], layouts_.results[k]));
    return out;
  }

  Algebra& algebra() { return algebra_; }

 private:
  bool agrees(const Array& wanted, const DeviceArrays& found, const Placement& p) {
    if (!p.partial.empty()) throw Unknown{"a result with a pending reduction"};
    const auto strides = strides_of(wanted.type.dims);
    for (std::size_t d = 0; d < found.size(); ++d) {
      if (!p.absent.empty() && p.absent[d]) continue;
      const Array& part = *found[d];
      if (part.data.empty()) continue;
      std::vector<std::int64_t> index(part.type.rank(), 0);
      std::size_t at = 0;
      do {
        std::int64_t position = 0;
        bool inside = true;
        for (std::size_t dim = 0; dim < index.size(); ++dim) {
          const std::int64_t i = p.chunk[dim][d] * part.type.dims[dim] + index[dim];
          inside = inside && i < wanted.type.dims[dim];
          position += i * strides[dim];
        }
        const Element e = part.data[at++];
        if (!inside) continue;
        const Element w = wanted.data[static_cast<std::size_t>(position)];
        if (algebra_.contains(e, Special::poison) || algebra_.contains(w, Special::poison))
          throw Unknown{"a read outside its operand"};
        if (!algebra_.equal(w, e)) return false;
      } while (advance(index, part.type.dims));
    }
    return true;
  }

  const Function& source_;
  const Function& partitioned_;
  const Layouts& layouts_;
  const Options& options_;
  Algebra algebra_;
};

}  // namespace

Result<Validation> validate_partition(const Module& source, const Module& partitioned,
                                      const std::vector<std::string>& result_names, const Options& options) {
  auto s = inline_calls(source);
  if (!s) return tl::unexpected(s.error());
  auto listed = with_listed_groups(partitioned);
  if (!listed) return tl::unexpected(listed.error());
  auto p = inline_calls(std::move(*listed));
  if (!p) return tl::unexpected(p.error());
  auto layouts = layouts_of(*s, *p, options.shardings, options.mesh);
  if (!layouts) return tl::unexpected(layouts.error());
  Validation out;
  out.layouts = std::move(*layouts);
  const Function& from = **s->main();
  const Function& to = **p->main();
  for (std::size_t k = 0; k < from.returned().size(); ++k)
    out.results.push_back({k < result_names.size() ? result_names[k] : fmt::format("result{}", k), Verdict::unknown});
  std::vector<bool> agree;
  try {
    agree = Comparison(from, to, out.layouts, options, false).run();
    for (std::size_t k = 0; k < agree.size(); ++k)
      out.results[k].verdict = agree[k] ? Verdict::proved : Verdict::unknown;
    if (std::all_of(agree.begin(), agree.end(), [](bool b) { return b; })) {
      out.verdict = Verdict::proved;
      out.scope = "all inputs, error below 2^-80";
      out.reason = "by random algebraic evaluation";
      try {
        const auto exactly = Comparison(from, to, out.layouts, options, true).run();
        if (std::all_of(exactly.begin(), exactly.end(), [](bool b) { return b; })) {
          out.scope = "all inputs";
          out.reason = "by exact normal forms";
        }
      } catch (const Ring::TooLarge&) {
      } catch (const Unknown&) {
      }
      return out;
    }
    out.reason = "results differ in normal form";
  } catch (const Unknown& u) {
    out.reason = u.reason;
  } catch (const Program::Deadlock& d) {
    out.reason = d.reason;
    out.at = Defect{d.place, "", d.reason};
  } catch (const UserError& e) {
    return tl::unexpected(e.diagnostic());
  }
  out.counterexample = find_counterexample(from, to, out.layouts, options.seed, options.stop);
  if (out.counterexample) {
    out.verdict = Verdict::refuted;
    if (out.counterexample->note.empty()) out.results[out.counterexample->result].verdict = Verdict::refuted;
  }
  return out;
}

}  // namespace partir::validate
