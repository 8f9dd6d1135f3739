// Runs the source on one device and the partitioned program on all, after an evaluation by bits if either program has
// operations on bits. Then compares each device's part of each result.
#include "verify/validate/comparison.h"

#include <algorithm>
#include <map>

#include "ir/control_flow.h"
#include "semantics/held_part.h"

namespace partir::validate {
namespace {

/// The part of a global array that one device holds, with padding.
ArrayPtr part_of_global(const Array& global, const TensorType& padded, const TensorType& local, const Layout& layout,
                        const Mesh& mesh, std::size_t device, std::size_t argument, Algebra& algebra,
                        BesideParts& padding) {
  auto out = std::make_shared<Array>();
  out->type = local;
  out->data.resize(static_cast<std::size_t>(local.elements()));
  for_each_held(layout, global.type, padded, DeviceId(device), mesh, [&](std::size_t at, std::int64_t whole) {
    if (whole >= 0) {
      out->data[at] = global.data[static_cast<std::size_t>(whole)];
      return;
    }
    // Padding is a different unknown at each position of each device.
    padding.is_met = true;
    const Element where[] = {Element::integer(static_cast<std::int64_t>(argument)),
                             Element::integer(static_cast<std::int64_t>(device)),
                             Element::integer(static_cast<std::int64_t>(at))};
    out->data[at] = algebra.opaque("padding", local.element, where);
    if (padding.is_anything && (is_float(local.element) || is_complex(local.element)))
      algebra.note_no_number(out->data[at]);
  });
  return out;
}

/// The parts that all devices hold of a global array. Devices that hold the same part share one array.
DeviceArrays parts_of_global(const ArrayPtr& global, const TensorType& padded, const TensorType& local,
                             const Layout& layout, const Mesh& mesh, std::size_t argument, Algebra& algebra,
                             BesideParts& padding) {
  DeviceArrays out(static_cast<std::size_t>(mesh.devices()));
  if (layout.is_replicated() && padded == global->type) {
    std::fill(out.begin(), out.end(), global);
    return out;
  }
  std::map<std::vector<std::int64_t>, ArrayPtr> made;
  auto held = parts_held(layout, mesh);
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (layout.only && *layout.only != DeviceId(d)) held[d].push_back(static_cast<std::int64_t>(d));
    ArrayPtr& a = made[held[d]];
    if (a == nullptr) a = part_of_global(*global, padded, local, layout, mesh, d, argument, algebra, padding);
    out[d] = a;
  }
  return out;
}

}  // namespace

Comparison::Comparison(const Function& source, const Function& partitioned, const Layouts& layouts, Seed seed,
                       bool exact, std::function<bool()> stop, Arithmetic arithmetic)
    : source_(source),
      partitioned_(partitioned),
      layouts_(layouts),
      stop_(std::move(stop)),
      seed_(seed),
      exact_(exact),
      algebra_(seed, exact, arithmetic, stop_),
      products_(source) {}

std::vector<bool> Comparison::run(const Observer& of_source, const Observer& of_partitioned) {
  const auto looks = [](const Function& f) {
    return find_op(f.body, [&](const Op& op) { return looks_at_bits(f, op); }) != nullptr;
  };
  const bool by_bits = !algebra_.by_bits() && (looks(source_) || looks(partitioned_));
  if (by_bits) {
    Comparison bits(source_, partitioned_, layouts_, seed_, exact_, stop_, Arithmetic::bits);
    (void)bits.run();
    source_bits_ = std::move(bits.source_bits_);
    partitioned_bits_ = std::move(bits.partitioned_bits_);
  }
  std::vector<DeviceArrays> sequential;
  for (std::size_t k = 0; k < source_.arguments().size(); ++k) {
    const TensorType& t = source_.tensor(source_.arguments()[k]);
    auto a = std::make_shared<Array>();
    a->type = t;
    for (std::int64_t p = 0; p < t.elements(); ++p) a->data.push_back(algebra_.input(k, p, t.element));
    arguments_.push_back(a);
    sequential.push_back({a});
  }
  Program source(source_, Devices{}, algebra_, source_bits_, products_);
  for (const DeviceArrays& r : source.run(sequential, of_source)) wanted_.push_back(r[0]);
  const Obligations divisors = algebra_.divisors();
  const Obligations partial = algebra_.partial_applications();
  algebra_.clear_obligations();
  for (std::size_t k = 0; k < arguments_.size(); ++k)
    parts_.push_back(parts_of_global(arguments_[k], layouts_.padded_arguments[k],
                                     partitioned_.tensor(partitioned_.arguments()[k]), layouts_.arguments[k],
                                     layouts_.mesh, k, algebra_, padding_));
  Program target(partitioned_, layouts_.devices, algebra_, partitioned_bits_, products_);
  found_ = target.run(parts_, of_partitioned);
  // Sums in other orders may differ between devices by rounding, and a device in the other branch would deadlock. The
  // evaluation by bits throws Unknown unless all devices take the same branch.
  if (target.decides_collectives() && !algebra_.by_bits() && !by_bits)
    (void)Comparison(source_, partitioned_, layouts_, seed_, exact_, stop_, Arithmetic::bits).run();
  jumps_ = target.jumps();
  jumps_.insert(source.jumps().begin(), source.jumps().end());
  own_promises_ = target.promises().beyond(source.promises());
  own_divisors_ = algebra_.divisors().beyond(divisors);
  own_partial_applications_ = algebra_.partial_applications().beyond(partial);
  std::vector<bool> out;
  for (std::size_t k = 0; k < wanted_.size(); ++k) out.push_back(agrees(*wanted_[k], found_[k], k));
  return out;
}

bool Comparison::agrees(const Array& wanted, const DeviceArrays& found, std::size_t result) {
  const Layout& layout = layouts_.results[result];
  if (!layout.pending.empty()) throw Unknown{"a result with a pending reduction"};
  bool same = true;
  for (std::size_t d = 0; d < found.size() && same; ++d) {
    for_each_held(layout, wanted.type, layouts_.padded_results[result], DeviceId(d), layouts_.mesh,
                  [&](std::size_t at, std::int64_t whole) {
                    if (whole < 0 || !same) return;
                    algebra_.spend(1);
                    const Element e = found[d]->data[at];
                    const Element w = wanted.data[static_cast<std::size_t>(whole)];
                    if (algebra_.contains(e, Special::poison) || algebra_.contains(w, Special::poison))
                      throw Unknown{"a read outside its operand"};
                    same = algebra_.equal(w, e);
                  });
  }
  return same;
}

}  // namespace partir::validate
