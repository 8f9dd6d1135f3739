// Declares operations that mix elements in ways that index notation cannot express: sort, top_k, fft, cholesky,
// triangular_solve and random numbers. The meaning is a library function of the dimensions that are mixed, mapped over
// the others (specification, the section of each operation).
#include <fmt/format.h>

#include "ir/ops/common.h"
#include "ir/ops/merges.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"

namespace partir::ops {
namespace {

OpDecl declaration(const char* name, std::vector<AttrSpec> attributes) {
  OpDecl d;
  d.name = name;
  d.kind = OpDecl::Kind::array;
  d.generic = true;
  d.attributes = std::move(attributes);
  d.covers = all_have_arithmetic;
  return d;
}

/// Returns an entry for each dimension for which `free` holds: all operands and results are tiled along it.
template <class Free>
std::vector<Entry> tiled_where(const OpInstance& op, Free&& free) {
  std::vector<Entry> out;
  for (Dim k = 0; k < op.results[0].rank(); ++k) {
    if (free(k)) {
      out.push_back({std::vector<Action>(op.operands.size(), Action::tile(k)),
                     std::vector<Action>(op.results.size(), Action::tile(k))});
    }
  }
  return out;
}

/// The indices of a result, in which those of dimensions `from` on are replaced by ranges over the operand's
/// dimensions.
struct MixedIndices {
  std::vector<Index> all;   ///< indices with which to read the operand
  std::vector<Index> over;  ///< the ranges among them
  MixedIndices(const std::vector<Index>& result, const Type& operand, std::size_t from, MeaningBuilder& b)
      : all(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(from)) {
    for (std::size_t d = from; d < operand.rank(); ++d) {
      over.push_back(b.range(operand->dims[d]));
      all.push_back(over.back());
    }
  }
};

std::vector<Index> from_dim(const std::vector<Index>& indices, std::size_t from) {
  return {indices.begin() + static_cast<std::ptrdiff_t>(from), indices.end()};
}

std::size_t sorted_dim(const OpInstance& op) {
  const auto rank = static_cast<std::int64_t>(op.operands[0].rank());
  const std::int64_t dim = op.integer("dimension", -1);
  return at(dim < 0 ? dim + rank : dim);
}

OpDecl sort() {
  OpDecl d = declaration("stablehlo.sort",
                         {{"dimension", "", AttrSpec::Kind::integer, "", "", "", false}, boolean_attr("is_stable")});
  d.verify = [](const OpInstance& op) {
    require(!op.operands.empty(), op, "C1", "at least one input", "no input");
    require(op.operands == op.results, op, "C2", "results of the inputs' types");
    for (const Type& t : op.operands)
      require(t->dims == op.operands[0]->dims, op, "C3", "inputs of one shape", t.str());
    const auto rank = static_cast<std::int64_t>(op.operands[0].rank());
    const std::int64_t dim = op.integer("dimension", -1);
    require(-rank <= dim && dim < rank, op, "C4", "-rank <= dimension < rank", fmt::format("dimension {}", dim));
    if (op.regions == nullptr || op.function == nullptr) return;
    const char* const wanted = "a comparator of two scalars of each input that gives i1";
    require(op.regions->size() == 1 && op.regions->front().arguments.size() == 2 * op.operands.size() &&
                !op.regions->front().ops.empty() && op.regions->front().ops.back().operands.size() == 1,
            op, "C5", wanted, "another number of regions, arguments or results");
    for (std::size_t k = 0; k < 2 * op.operands.size(); ++k) {
      const TensorType& t = *op.function->type(op.regions->front().arguments[k]);
      require(t.rank() == 0 && t.element == op.operands[k / 2]->element, op, "C5", wanted, t.str());
    }
    const TensorType& t = *op.function->type(op.regions->front().ops.back().operands[0]);
    require(t.rank() == 0 && t.element == ElementType::i1, op, "C5", wanted, t.str());
  };
  d.covers = [](const OpInstance& op) {
    return all_have_arithmetic(op) && has_scalar_region(op, 0, 2 * op.operands.size());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const std::size_t dim = sorted_dim(op);
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const auto i = b.result(r);
      std::vector<MeaningBuilder::Array> arrays;
      std::vector<Term> arguments;
      for (std::size_t k = 0; k < op.operands.size(); ++k) {
        auto from = i;
        from[dim] = b.range(op.operands[k]->dims[dim]);
        arrays.push_back({{from[dim]}, b.read(k, from)});
        for (std::size_t side = 0; side < 2; ++side)
          arguments.push_back(b.argument(2 * k + side, op.operands[k]->element));
      }
      b.define(r, b.library("sort", r, op.results[r]->element, arrays, {i[dim]}, {region_term(op, 0, arguments, b)}));
    }
  };
  d.entries = [](const OpInstance& op) { return tiled_where(op, [dim = sorted_dim(op)](Dim k) { return k != dim; }); };
  return d;
}

/// The values and positions of the k largest elements along the last dimension.
OpDecl top_k() {
  OpDecl d = declaration("chlo.top_k", {integer_attr("k", "k")});
  d.types = OpDecl::TypeForm::arrow;
  d.verify = [](const OpInstance& op) {
    require_arity(op, 1, 2);
    const TensorType& x = *op.operands[0];
    require(x.rank() >= 1, op, "C1", "an operand of rank 1 or more", x.str());
    const std::int64_t k = op.integer("k");
    require(k >= 0 && k <= x.dims.back(), op, "C2", "0 <= k <= last dimension", fmt::format("k = {}", k));
    std::vector<std::int64_t> dims = x.dims;
    dims.back() = k;
    require(op.results[0] == x.with_dims(dims), op, "C3", "values of shape " + x.with_dims(dims).str(),
            op.results[0].str());
    require(op.results[1]->dims == dims && is_integer(op.results[1]->element), op, "C4", "places of the values' shape",
            op.results[1].str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const std::size_t dim = op.operands[0].rank() - 1;
    for (std::size_t r = 0; r < 2; ++r) {
      const auto i = b.result(r);
      const MixedIndices x(i, op.operands[0], dim, b);
      b.define(r, b.library("top_k", r, op.results[r]->element, {{x.over, b.read(0, x.all)}}, {i[dim]}));
    }
  };
  d.entries = [](const OpInstance& op) {
    return tiled_where(op, [last = op.operands[0].rank() - 1](Dim k) { return k != last; });
  };
  d.by_offsets = top_k_by_blocks;
  d.padded = top_k_over_padded;
  return d;
}

OpDecl fft() {
  OpDecl d =
      declaration("stablehlo.fft", {keyword_attr("fft_type", "type", "fft_type"), ints_attr("fft_length", "length")});
  d.types = OpDecl::TypeForm::functional;
  d.verify = [](const OpInstance& op) {
    require_arity(op, 1, 1);
    const TensorType& x = *op.operands[0];
    const TensorType& y = *op.results[0];
    const auto& length = op.ints("fft_length");
    const std::string type = op.keyword("fft_type");
    const bool from_real = type == "RFFT";
    const bool to_real = type == "IRFFT";
    require(is_float(x.element) || is_complex(x.element), op, "I1", "a floating-point or complex operand", x.str());
    require(type == "FFT" || type == "IFFT" || from_real || to_real, op, "I2", "FFT, IFFT, RFFT or IRFFT",
            "type " + type);
    require(length.size() <= x.rank(), op, "C1", "size(fft_length) <= rank(operand)", ints_text(length));
    require(is_complex(x.element) != from_real && is_complex(y.element) != to_real &&
                part_of(x.element) == part_of(y.element),
            op, "C2", "complex operand and result, but real operands of RFFT and results of IRFFT",
            x.str() + " -> " + y.str());
    require(!length.empty() && length.size() <= 3, op, "C3", "1 <= size(fft_length) <= 3", ints_text(length));
    require(y.rank() == x.rank(), op, "C5", "a result of the operand's rank", y.str());
    const TensorType& real = to_real ? y : x;
    for (std::size_t k = 0; (from_real || to_real) && k < length.size(); ++k) {
      require(real.dims[real.rank() - length.size() + k] == length[k], op, "C4",
              "fft_length of the real side's last dimensions", ints_text(length) + " for " + real.str());
    }
    const TensorType& whole = to_real ? y : x;  // if one side is real, the other's last size is n / 2 + 1
    const TensorType& other = to_real ? x : y;
    std::vector<std::int64_t> dims = whole.dims;
    if (from_real || to_real) dims.back() = dims.back() == 0 ? 0 : dims.back() / 2 + 1;
    require(other.dims == dims, op, "C5", other.with_dims(dims).str() + " beside " + whole.str(), other.str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const std::size_t from = i.size() - op.ints("fft_length").size();
    const MixedIndices x(i, op.operands[0], from, b);
    b.define(0, b.library("fft " + op.keyword("fft_type"), 0, op.results[0]->element, {{x.over, b.read(0, x.all)}},
                          from_dim(i, from), {}, 0));
  };
  d.entries = [](const OpInstance& op) {
    auto out = tiled_where(op, [n = op.results[0].rank() - op.ints("fft_length").size()](Dim k) { return k < n; });
    out.push_back({{Action::partial(Monoid::sum)}, {Action::partial(Monoid::sum)}});  // the transform is linear
    return out;
  };
  return d;
}

OpDecl cholesky() {
  OpDecl d = declaration("stablehlo.cholesky", {boolean_attr("lower", "lower")});
  d.generic = false;
  d.verify = [](const OpInstance& op) {
    require_arity(op, 1, 1);
    const TensorType& a = *op.operands[0];
    require(is_float(a.element) || is_complex(a.element), op, "I1", "floating-point or complex operands", a.str());
    require(op.results[0] == a, op, "C1", "a result of the operand's type", op.results[0].str());
    require(a.rank() >= 2, op, "C2", "an operand of rank 2 or more", a.str());
    require(a.dims[a.rank() - 1] == a.dims[a.rank() - 2], op, "C3", "square matrices", a.str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const MixedIndices a(i, op.operands[0], i.size() - 2, b);
    b.define(0, b.library(is_set(op.attributes, "lower") ? "cholesky lower" : "cholesky upper", 0,
                          op.results[0]->element, {{a.over, b.read(0, a.all)}}, from_dim(i, i.size() - 2)));
  };
  d.entries = [](const OpInstance& op) {
    return tiled_where(op, [n = op.results[0].rank() - 2](Dim k) { return k < n; });
  };
  return d;
}

OpDecl triangular_solve() {
  OpDecl d = declaration("stablehlo.triangular_solve",
                         {boolean_attr("left_side"), boolean_attr("lower"), boolean_attr("unit_diagonal"),
                          keyword_attr("transpose_a", "", "transpose")});
  d.verify = [](const OpInstance& op) {
    require_arity(op, 2, 1);
    const TensorType& a = *op.operands[0];
    const TensorType& b = *op.operands[1];
    require(is_float(a.element) || is_complex(a.element), op, "I1", "floating-point or complex operands", a.str());
    require(a.element == b.element, op, "C1", "operands of one element type", b.str());
    require(a.rank() >= 2 && a.rank() == b.rank(), op, "C2", "operands of one rank of at least 2", b.str());
    const std::size_t r = a.rank();
    require(std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin()) && a.dims[r - 1] == a.dims[r - 2] &&
                a.dims[r - 1] == b.dims[is_set(op.attributes, "left_side") ? r - 2 : r - 1],
            op, "C3", "square matrices that fit the other side", b.str());
    require(op.results[0] == b, op, "C4", "a result of the second operand's type", op.results[0].str());
    const std::string transpose = op.keyword("transpose_a");
    require(transpose.empty() || transpose == "NO_TRANSPOSE" || transpose == "TRANSPOSE" || transpose == "ADJOINT", op,
            "I6", "NO_TRANSPOSE, TRANSPOSE or ADJOINT", "transpose_a " + transpose);
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    const std::size_t from = i.size() - 2;
    const MixedIndices a(i, op.operands[0], from, b);
    // Each column of the right-hand side (each row, if the unknown is on the left) is solved for independently.
    const std::size_t solved = is_set(op.attributes, "left_side") ? from : from + 1;
    std::vector<Index> x = i;
    x[solved] = b.range(op.operands[1]->dims[solved]);
    const std::string transpose = op.keyword("transpose_a");
    const std::string name = fmt::format(
        "triangular_solve {} {} {} {}", is_set(op.attributes, "left_side") ? "left" : "right",
        is_set(op.attributes, "lower") ? "lower" : "upper", is_set(op.attributes, "unit_diagonal") ? "unit" : "any",
        transpose.empty() ? "NO_TRANSPOSE" : transpose);
    b.define(0, b.library(name, 0, op.results[0]->element, {{a.over, b.read(0, a.all)}, {{x[solved]}, b.read(1, x)}},
                          {i[solved]}, {}, 1));
  };
  d.entries = [](const OpInstance& op) {
    std::vector<Entry> out = tiled_where(op, [n = op.results[0].rank() - 2](Dim k) { return k < n; });
    const Dim columns = op.results[0].rank() - (is_set(op.attributes, "left_side") ? 1 : 2);
    out.push_back({{Action::any(), Action::tile(columns)}, {Action::tile(columns)}});
    out.push_back({{Action::any(), Action::partial(Monoid::sum)}, {Action::partial(Monoid::sum)}});  // linear in b
    return out;
  };
  return d;
}

/// The bits are a function of the state; a second array passes the shape of the result.
OpDecl rng_bit_generator() {
  OpDecl d = declaration("stablehlo.rng_bit_generator", {keyword_attr("rng_algorithm", "algorithm", "rng_algorithm")});
  d.verify = [](const OpInstance& op) {
    require_arity(op, 1, 2);
    const TensorType& state = *op.operands[0];
    require(state.element == ElementType::ui64 && state.rank() == 1, op, "I2", "a state of type tensor<Nxui64>",
            state.str());
    require(op.results[0] == state, op, "C1", "a state afterwards of the same type", op.results[0].str());
    const std::string algorithm = op.keyword("rng_algorithm");
    require(algorithm == "DEFAULT" || algorithm == "THREE_FRY" || algorithm == "PHILOX", op, "I1",
            "DEFAULT, THREE_FRY or PHILOX", "algorithm " + algorithm);
    const std::int64_t n = state.dims[0];
    require(algorithm == "DEFAULT" || n == 2 || (algorithm == "PHILOX" && n == 3), op, "C2",
            "a state of 2 words, or 3 for PHILOX", state.str());
    require(is_integer(op.results[1]->element) || is_float(op.results[1]->element), op, "type",
            "bits as integers or floats", op.results[1].str());
  };
  d.covers = [](const OpInstance& op) {
    return is_integer(op.results[1]->element) && op.operands[0]->dims[0] >= 2 && op.operands[0]->dims[0] <= 3;
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const std::string name =
        op.keyword("rng_algorithm") == "THREE_FRY" ? "rng_bit_generator THREE_FRY" : "rng_bit_generator PHILOX";
    for (std::size_t r = 0; r < 2; ++r) {
      const auto i = b.result(r);
      const MixedIndices state({}, op.operands[0], 0, b);
      const MixedIndices shape({}, op.results[1], 0, b);
      const Term nothing = b.from_index(b.constant(0), op.results[1]->element);
      b.define(r, b.library(name, r, op.results[r]->element,
                            {{state.over, b.read(0, state.all)}, {shape.over, nothing}}, i));
    }
  };
  d.entries = [](const OpInstance&) { return std::vector<Entry>{}; };
  return d;
}

OpDecl rng() {
  OpDecl d = declaration("stablehlo.rng", {keyword_attr("rng_distribution", "distribution", "rng_distribution")});
  d.pure = false;
  d.verify = [](const OpInstance& op) {
    require_arity(op, 3, 1);
    const ElementType type = op.results[0]->element;
    const TensorType& shape = *op.operands[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const TensorType& bound = *op.operands[k];
      require(bound.rank() == 0 &&
                  (bound.element == ElementType::i1 || is_integer(bound.element) || is_float(bound.element)),
              op, k == 0 ? "I1" : "I2", "bounds of rank 0 that are integers, booleans or floats", bound.str());
    }
    require(op.operands[0]->element == type && op.operands[1]->element == type, op, "C1",
            "bounds of the result's element type");
    require(shape.rank() == 1 && (is_integer(shape.element) || shape.element == ElementType::index), op, "I3",
            "a shape as a list of integers", shape.str());
    const std::string distribution = op.keyword("rng_distribution");
    require(distribution == "UNIFORM" || distribution == "NORMAL", op, "I4", "UNIFORM or NORMAL",
            "distribution " + distribution);
    require(distribution == "UNIFORM" || is_float(type), op, "C2", "UNIFORM, or NORMAL for floats",
            "NORMAL for " + op.operands[0].str());
    require(shape.dims[0] == static_cast<std::int64_t>(op.results[0].rank()), op, "C3", "a shape of the result's rank",
            shape.str());
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto i = b.result();
    b.define(0, b.library("rng " + op.keyword("rng_distribution"), 0, op.results[0]->element,
                          {{{}, b.read(0, {})}, {{}, b.read(1, {})}}, i));
  };
  d.entries = [](const OpInstance&) { return std::vector<Entry>{}; };
  return d;
}

}  // namespace

std::vector<OpDecl> library_ops() {
  return {sort(), top_k(), fft(), cholesky(), triangular_solve(), rng_bit_generator(), rng()};
}

}  // namespace partir::ops
