// Draws operands, splits them into the devices' chunks or summands, evaluates the local program on each device,
// combines its results and compares them with the operation's own.
#include "tests/registry/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "semantics/evaluate.h"

namespace partir::testing {
namespace {

using Generator = std::mt19937_64;

Scalar varied(ElementType type, Generator& random, const Domain& domain) {
  if (is_float(type) || is_complex(type) || type == ElementType::i1) return domain.random(random(), type);
  Scalar out{};
  const std::uint64_t bits = random();
  const bool small = (random() & 1) != 0;
  out.i = wrap(small ? bits % 12 - 3 : bits, type);
  return out;
}

Tensor varied_tensor(const TensorType& type, Generator& random, const Domain& domain) {
  Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements()))};
  for (Scalar& s : out.data) s = varied(type.element, random, domain);
  return out;
}

/// Returns the product of the sizes after a dimension.
std::int64_t inner(const TensorType& type, Dim dim) {
  std::int64_t out = 1;
  for (Dim d = dim + 1; d < type.rank(); ++d) out *= type.dims[d];
  return out;
}

/// Returns the position in the complete tensor of element k of chunk r of n.
std::size_t position_in_whole(const TensorType& local, Dim dim, std::int64_t n, std::int64_t r, std::int64_t k) {
  const std::int64_t size = local.dims[dim];
  const std::int64_t rest = inner(local, dim);
  const std::int64_t before = k / (size * rest);
  const std::int64_t at = k / rest % size;
  return static_cast<std::size_t>((before * size * n + r * size + at) * rest + k % rest);
}

Tensor chunk(const Tensor& whole, Dim dim, std::int64_t n, std::int64_t r) {
  Tensor out{whole.type, {}};
  out.type->dims[dim] /= n;
  for (std::int64_t k = 0; k < out.type->elements(); ++k)
    out.data.push_back(whole.data[position_in_whole(*out.type, dim, n, r, k)]);
  return out;
}

Tensor combined(const std::vector<Tensor>& parts, Monoid monoid, const Domain& domain) {
  Tensor out = parts.front();
  const ElementType type = out.type->element;
  for (std::size_t r = 1; r < parts.size(); ++r) {
    const Scalar* args[2] = {out.data.data(), parts[r].data.data()};
    domain.apply(combiner_fn(monoid), type, type, args, out.data.size(), out.data.data());
  }
  return out;
}

/// Returns parts that combine to the splat. For a sum, all but one are random and the first is the remainder; for a
/// product, one part is the splat and the others are 1; for an idempotent monoid each part is the splat.
std::vector<Tensor> parts_of_splat(const Tensor& splat, Monoid monoid, std::int64_t n, Generator& random,
                                   const Domain& domain) {
  const ElementType type = splat.type->element;
  std::vector<Tensor> parts(static_cast<std::size_t>(n), splat);
  if (monoid == Monoid::sum) {
    for (std::size_t r = 1; r < parts.size(); ++r) {
      parts[r] = varied_tensor(*splat.type, random, domain);
      const Scalar* args[2] = {parts[0].data.data(), parts[r].data.data()};
      domain.apply(ScalarFn::subtract, type, type, args, splat.data.size(), parts[0].data.data());
    }
  }
  if (monoid == Monoid::prod) {
    for (std::size_t r = 1; r < parts.size(); ++r)
      std::fill(parts[r].data.begin(), parts[r].data.end(), domain.from_index(1, type));
  }
  return parts;
}

std::string describe(const Tensor& t, const Domain& domain) {
  std::string out = t.type.str() + " [";
  for (std::size_t k = 0; k < t.data.size() && k < 24; ++k)
    out += fmt::format("{}{}", k == 0 ? "" : ", ", domain.to_double(t.data[k], t.type->element));
  return out + (t.data.size() > 24 ? ", …]" : "]");
}

}  // namespace

Tensor varied_tensor(const TensorType& type, std::uint64_t seed, const Domain& domain) {
  Generator random(seed);
  return varied_tensor(type, random, domain);
}

std::vector<Tensor> evaluate(const OpInstance& op, const std::vector<Tensor>& operands, const Domain& domain) {
  const Attribute* value = find(op.attributes, "value");
  const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
  const CompiledMeaning kernel(meaning_of(op), op.operands, op.results, dense != nullptr ? dense->literal : nullptr);
  std::vector<const Tensor*> pointers;
  for (const Tensor& t : operands) pointers.push_back(&t);
  return kernel.run(pointers, domain);
}

Outcome try_claim(const OpInstance& op, const Entry& entry, std::int64_t n, std::uint64_t seed) {
  const Domain& domain = modular_domain();
  Generator random(seed);
  std::optional<OpInstance> local;
  try {
    local = localize(op, entry, n);
    if (!local) return {Outcome::Kind::not_divisible, ""};
    if (const auto ok = verify_op(*local); !ok) return {Outcome::Kind::ill_formed, ok.error().text()};
  } catch (const std::exception& error) {
    return {Outcome::Kind::ill_formed, error.what()};
  }
  std::vector<Tensor> whole;
  std::vector<std::vector<Tensor>> parts(static_cast<std::size_t>(n));  // by device, then by operand
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const Action& action = entry.operands[k];
    const LiteralPtr splat = k < op.splats.size() ? op.splats[k] : nullptr;
    Tensor x = varied_tensor(*op.operands[k], random, domain);
    if (splat != nullptr) std::fill(x.data.begin(), x.data.end(), domain.from_literal(*splat, 0));
    if (action.is_partial()) {
      std::vector<Tensor> held;
      if (splat != nullptr) {
        held = parts_of_splat(x, action.monoid, n, random, domain);
      } else {
        for (std::int64_t r = 0; r < n; ++r) held.push_back(varied_tensor(*op.operands[k], random, domain));
        x = combined(held, action.monoid, domain);
      }
      for (std::size_t r = 0; r < parts.size(); ++r) parts[r].push_back(held[r]);
    } else {
      for (std::int64_t r = 0; r < n; ++r)
        parts[static_cast<std::size_t>(r)].push_back(action.is_tile() ? chunk(x, action.dim, n, r) : x);
    }
    whole.push_back(std::move(x));
  }
  const std::vector<Tensor> wanted = evaluate(op, whole, domain);
  std::vector<std::vector<Tensor>> got(op.results.size());  // by result, then by device
  try {
    for (const auto& held : parts) {
      auto results = evaluate(*local, held, domain);
      for (std::size_t k = 0; k < results.size(); ++k) got[k].push_back(std::move(results[k]));
    }
  } catch (const std::exception& error) {
    return {Outcome::Kind::ill_formed, error.what()};
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const Action& action = entry.results[k];
    const ElementType type = wanted[k].type->element;
    const auto differs = [&](const std::string& where, const Tensor& found) {
      std::string out =
          fmt::format("{}: want {}\nfound {}", where, describe(wanted[k], domain), describe(found, domain));
      for (std::size_t j = 0; j < whole.size(); ++j)
        out += fmt::format("\noperand {} is {}", j, describe(whole[j], domain));
      return Outcome{Outcome::Kind::differs, out};
    };
    if (action.is_partial()) {
      const Tensor sum = combined(got[k], action.monoid, domain);
      for (std::size_t i = 0; i < sum.data.size(); ++i) {
        if (!domain.equal(sum.data[i], wanted[k].data[i], type)) return differs("combined result", sum);
      }
      continue;
    }
    for (std::int64_t r = 0; r < n; ++r) {
      const Tensor& here = got[k][static_cast<std::size_t>(r)];
      for (std::size_t i = 0; i < here.data.size(); ++i) {
        const std::size_t at =
            action.is_tile() ? position_in_whole(*here.type, action.dim, n, r, static_cast<std::int64_t>(i)) : i;
        if (!domain.equal(here.data[i], wanted[k].data[at], type)) return differs(fmt::format("device {}", r), here);
      }
    }
  }
  return {};
}

Outcome try_claim_often(const OpInstance& op, const Entry& entry, std::int64_t n, int trials) {
  Outcome out;
  for (int seed = 1; seed <= trials; ++seed) {
    out = try_claim(op, entry, n, static_cast<std::uint64_t>(seed));
    if (out.kind != Outcome::Kind::holds) {
      out.detail += fmt::format("\nseed {}", seed);
      return out;
    }
  }
  return out;
}

}  // namespace partir::testing
