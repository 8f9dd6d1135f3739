// Attacks on proofs: every claim by exact evaluation at small sizes, and bit-exact rewrites also by running both sides
// on special values.
#include "tests/hunt/attack.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "semantics/interpreter.h"
#include "verify/prove/rewrite.h"
#include "verify/prove/trial.h"

namespace partir::hunt {
namespace {

using Random = std::mt19937_64;

/// Returns a value on which bit-exact proofs may fail: zeros of both signs, infinities, NaN, tiny and huge numbers, or
/// one of the program's own constants.
double special(ElementType type, Random& random, const prove::Constants& constants) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double all[] = {0.0,       -0.0,         1.0,   -1.0,   0.5,  3.0,    infinity,
                        -infinity, std::nan(""), 1e-40, -1e-40, 3e38, 1.0 / 3};
  const auto& pool = constants.numbers();
  const std::uint64_t bits = random();
  const double v = !pool.empty() && bits % 3 == 0 ? pool[bits / 8 % pool.size()] : all[bits / 8 % std::size(all)];
  return round_to(v, part_of(type));
}

Tensor special_tensor(const TensorType& type, Random& random, const prove::Constants& constants) {
  const ElementType e = type.element;
  if (!is_float(e) && !is_complex(e)) {
    const auto draw = random() % 2 == 0 ? prove::Draw::ends : prove::Draw::constants;
    return prove::drawn(type, random, draw, constants);
  }
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}};
  for (Scalar& s : out.data) {
    s.f = special(e, random, constants);
    if (is_complex(e)) s.im = special(e, random, constants);
  }
  return out;
}

bool same_bits(const Scalar& a, const Scalar& b, ElementType type) {
  const auto same = [](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  };
  if (is_complex(type)) return same(a.f, b.f) && same(a.im, b.im);
  return is_float(type) ? same(a.f, b.f) : a.u == b.u;
}

/// Runs both sides in the program's own types on special values. Returns a description of the first element whose bits
/// differ.
std::optional<std::string> by_bits(const prove::Claim& claim, Random& random) {
  for (const std::int64_t axis : {2, 1, 3}) {
    prove::Sizes sizes;
    for (const std::string& s : claim.symbols) sizes[s] = 4;
    for (const std::string& a : claim.axes) sizes[a] = axis;
    const auto source = claim.at(sizes);
    const auto target = claim.target_at(sizes);
    if (!source || !target) return std::nullopt;
    const Mesh mesh = prove::mesh_of(claim, sizes);
    const Function left = prove::on_mesh(*source, mesh);
    const Function right = prove::on_mesh(*target, mesh);
    prove::Constants constants;
    constants.add(left);
    constants.add(right);
    const auto devices = static_cast<std::size_t>(mesh.devices());
    const PreparedFunction source_program(left, native_domain());
    const PreparedFunction target_program(right, native_domain());
    for (int trial = 0; trial < 12; ++trial) {
      std::vector<std::vector<Tensor>> inputs(devices);
      for (std::size_t k = 0; k < left.arguments().size(); ++k) {
        for (std::size_t d = 0; d < devices; ++d) {
          inputs[d].push_back(d > 0 && claim.whole[k]
                                  ? inputs[0][k]
                                  : special_tensor(left.tensor(left.arguments()[k]), random, constants));
        }
      }
      const auto wanted = source_program.run_spmd(inputs, {1, mesh.devices()});
      const auto got = target_program.run_spmd(inputs, {1, mesh.devices()});
      if (!wanted || !got) return std::nullopt;
      for (std::size_t d = 0; d < devices; ++d) {
        const Tensor& w = (*wanted)[d][0];
        const Tensor& g = (*got)[d][0];
        for (std::size_t k = 0; k < w.data.size(); ++k) {
          if (same_bits(w.data[k], g.data[k], w.type->element)) continue;
          std::string text = fmt::format("A = {}, device {}, element {}: {} where {} is wanted;", axis, d, k,
                                         native_domain().to_double(g.data[k], w.type->element),
                                         native_domain().to_double(w.data[k], w.type->element));
          for (const Tensor& t : inputs[d]) text += " " + prove::text_of(t);
          return text;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> attacked(const prove::Claim& claim, const prove::Decision& proved, std::uint64_t seed) {
  prove::Tried tried;
  Random random(seed);
  // decide() has tried the smallest sizes: draw other sizes and inputs.
  const prove::TrialPlan plan{12, 1 + random() % (std::uint64_t{1} << 40)};
  const auto found = claim.is_rewrite ? prove::refute_rewrite(claim, plan, tried, nullptr, prove::Unbounded::holds)
                                      : prove::refute(claim, plan, tried, nullptr, prove::Unbounded::holds);
  if (found) return found->text();
  const bool bits = proved.reach.arithmetic == prove::Arithmetic::bits;
  return claim.is_rewrite && bits ? by_bits(claim, random) : std::nullopt;
}

}  // namespace partir::hunt
