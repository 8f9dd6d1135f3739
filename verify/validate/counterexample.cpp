// Draws inputs of several kinds, runs the source and the partitioned program on them in f64, and confirms a difference
// in the programs' own arithmetic, with bounds of rounding errors.
#include "verify/validate/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ir/builder.h"
#include "ir/control_flow.h"
#include "semantics/held_part.h"
#include "semantics/host.h"
#include "semantics/interpreter.h"
#include "verify/prove/trial.h"
#include "verify/validate/array.h"

namespace partir::validate {
namespace {

/// The distributions from which the floats and integers of a trial are drawn.
struct Draw {
  enum class Floats : std::uint8_t {
    reals,
    few,
    positive,
    constant,
    bits,
    of_programs,
    near_zero
  } floats = Floats::reals;
  enum class Ints : std::uint8_t { small, around_sizes, extreme, few, wide, of_programs } ints = Ints::small;
};

constexpr Draw kDraws[] = {
    {Draw::Floats::reals, Draw::Ints::around_sizes},
    {Draw::Floats::few, Draw::Ints::small},
    {Draw::Floats::positive, Draw::Ints::around_sizes},  // second moments, of which an optimizer takes the root
    {Draw::Floats::reals, Draw::Ints::small},
    {Draw::Floats::reals, Draw::Ints::wide},
    {Draw::Floats::bits, Draw::Ints::around_sizes},
    {Draw::Floats::positive, Draw::Ints::extreme},
    {Draw::Floats::constant, Draw::Ints::few},
    {Draw::Floats::few, Draw::Ints::around_sizes},
    {Draw::Floats::reals, Draw::Ints::of_programs},
    {Draw::Floats::of_programs, Draw::Ints::of_programs},
    // In deep programs, bounds of rounding errors are useful for small numbers only.
    {Draw::Floats::near_zero, Draw::Ints::around_sizes},
};

/// Draws input tensors.
class Drawer {
 public:
  Drawer(const Function& f, const Function& partitioned, std::uint64_t seed) : random_(seed) {
    for (const Function* each : {&f, &partitioned}) note_constants(each->body);
    if (integers_.empty()) integers_.push_back(0);
    if (numbers_.empty()) numbers_.push_back(1);
    largest_ = 2;
    for (const Type& t : f.types) {
      if (!t.is_tensor()) continue;
      for (const std::int64_t d : t->dims) {
        if (d <= 65536) largest_ = std::max(largest_, d);
      }
    }
    for (const ValueId v : f.arguments()) {
      for (const std::int64_t d : f.tensor(v).dims) sizes_.push_back(d);
    }
    if (sizes_.empty()) sizes_.push_back(8);
  }

  LiteralPtr tensor(const TensorType& type, const Draw& how) {
    Tensor out{type, std::vector<Scalar>(static_cast<std::size_t>(type.elements())), {}};
    const double constant = real();
    scale_ = std::ldexp(1.0, -2 - static_cast<int>(pick(4)));
    const std::int64_t size = sizes_[pick(sizes_.size())];
    for (Scalar& s : out.data) {
      if (is_float(type.element)) {
        s.f = round_to(number(how.floats, constant), type.element);
      } else if (is_complex(type.element)) {
        s.f = round_to(real(), part_of(type.element));
        s.im = round_to(real(), part_of(type.element));
      } else if (type.element == ElementType::i1) {
        s.i = static_cast<std::int64_t>(pick(2));
      } else {
        s.i = wrap(static_cast<std::uint64_t>(integer(how.ints, size, type.element)), type.element);
      }
    }
    return to_literal(out);
  }

 private:
  /// Collects the constants of the programs. Inputs equal to or next to them are where comparisons change.
  void note_constants(const Block& block) {
    for_each_op(block, [&](const Op& op) {
      const Attribute* value = op.name() == "stablehlo.constant" ? find(op.attributes, "value") : nullptr;
      const DenseAttr* dense = value != nullptr ? value->as<DenseAttr>() : nullptr;
      if (dense == nullptr || is_complex(dense->literal->type.element)) return;
      const Literal& l = *dense->literal;
      const std::int64_t count = l.splat ? 1 : std::min<std::int64_t>(l.type.elements(), 8);
      for (std::int64_t k = 0; k < count; ++k) {
        if (is_float(l.type.element)) {
          if (std::isfinite(l.as_double(k))) numbers_.push_back(l.as_double(k));
        } else {
          integers_.push_back(l.as_int(k));
        }
      }
    });
    std::sort(integers_.begin(), integers_.end());
    integers_.erase(std::unique(integers_.begin(), integers_.end()), integers_.end());
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  }

  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  double real() { return std::uniform_real_distribution<double>(-2, 2)(random_); }
  double number(Draw::Floats how, double constant) {
    switch (how) {
      case Draw::Floats::reals: return real();
      case Draw::Floats::few: return static_cast<double>(pick(4)) - 1;
      case Draw::Floats::positive: return 0.25 + std::fabs(real());
      case Draw::Floats::constant: return constant;
      case Draw::Floats::bits: return static_cast<double>(pick(2));
      case Draw::Floats::of_programs: return numbers_[pick(numbers_.size())];
      case Draw::Floats::near_zero: return scale_ * real();
    }
    return 0;
  }
  std::int64_t integer(Draw::Ints how, std::int64_t size, ElementType type) {
    const auto limit = static_cast<std::int64_t>(
        (std::uint64_t{1} << (bit_width(type) - (is_signed(type) ? 1 : 0) - (bit_width(type) == 64 ? 1 : 0))) - 1);
    switch (how) {
      case Draw::Ints::small: return static_cast<std::int64_t>(pick(4));
      case Draw::Ints::around_sizes: return static_cast<std::int64_t>(pick(static_cast<std::size_t>(size) + 8)) - 3;
      case Draw::Ints::few: return static_cast<std::int64_t>(pick(3)) - 1;
      case Draw::Ints::wide: return static_cast<std::int64_t>(pick(201)) - 100;
      case Draw::Ints::of_programs:
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(integers_[pick(integers_.size())]) + pick(3) - 1);
      case Draw::Ints::extreme: {
        const std::int64_t near = static_cast<std::int64_t>(pick(4));
        return pick(2) == 0 ? limit - near : (is_signed(type) ? -limit - 1 + near : near);
      }
    }
    return 0;
  }

  std::mt19937_64 random_;
  double scale_ = 1;  ///< of the tensor that is drawn, if it is near zero
  std::int64_t largest_ = 2;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> integers_;
  std::vector<double> numbers_;
};

/// Rewrites x != x, by which programs test for NaN, so that a bound on the rounding error of x decides it: x is neither
/// finite nor infinite. x == x is rewritten likewise.
class NanTests {
 public:
  explicit NanTests(Function function) : f_(std::move(function)) {}

  Function rewritten() {
    block(f_.body);
    return std::move(f_);
  }

 private:
  void block(Block& b) {
    std::vector<Op> ops = std::move(b.ops);
    b.ops.clear();
    Builder builder(f_, b);
    for (Op& op : ops) {
      for (Block& inner : op.regions) block(inner);
      if (!compares_with_itself(op)) {
        builder.append(std::move(op));
        continue;
      }
      const ValueId x = op.operands[0];
      const TensorType predicate = f_.tensor(op.results[0]);
      const ValueId finite = builder.value("stablehlo.is_finite", {x}, {}, predicate);
      const ValueId infinite = builder.value("chlo.is_inf", {x}, {}, predicate);
      const bool equal = find(op.attributes, "comparison_direction")->as<KeywordAttr>()->value == "EQ";
      const ValueId number = builder.elementwise("stablehlo.or", {finite, infinite});
      if (!equal) builder.elementwise("stablehlo.not", {number});
      builder.rename_result(op.results[0]);
    }
  }

  [[nodiscard]] bool compares_with_itself(const Op& op) const {
    if (op.name() != "stablehlo.compare" || op.operands[0] != op.operands[1]) return false;
    const Attribute* type = find(op.attributes, "compare_type");
    const std::string& direction = find(op.attributes, "comparison_direction")->as<KeywordAttr>()->value;
    return is_float(f_.tensor(op.operands[0]).element) && (direction == "NE" || direction == "EQ") &&
           (type == nullptr || type->str() == "FLOAT");
  }

  Function f_;
};

/// Most steps of a run of the source, and the factor by which the partitioned program may exceed the source's steps,
/// per device: an altered loop may never end.
constexpr double kSourceSteps = 1e9;
constexpr double kMostTimes = 100;

/// Runs the program on all devices and returns the results of each. The steps taken are subtracted from `budget`; an
/// error is returned when it is exhausted.
Result<std::vector<std::vector<Tensor>>> run_within(double& budget, const Function& program,
                                                    const std::vector<std::vector<Tensor>>& inputs,
                                                    const Devices& devices, const Domain& domain,
                                                    const std::function<bool()>& stop) {
  try {
    Host host(domain, nullptr, budget, stop);
    const std::vector<const Function*> programs(inputs.size(), &program);
    auto out = run_programs(programs, inputs, devices, domain, host);
    budget = host.budget();
    return out;
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

/// The index of a position in a row-major array. [1, 2] for position 5 of dims = [2, 3].
std::vector<std::int64_t> index_at(std::int64_t position, const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> out(dims.size());
  for (std::size_t d = dims.size(); d-- > 0; position /= dims[d]) out[d] = position % dims[d];
  return out;
}

/// The largest difference between a result and a device's part of it.
struct RunDifference {
  std::int64_t device = 0;
  std::size_t result = 0;
  std::vector<std::int64_t> position;
  double expected = 0;
  double found = 0;
};

/// Runs both programs on given inputs and compares the results.
class ValueComparison {
 public:
  ValueComparison(const Function& source, const Function& partitioned, const Layouts& layouts,
                  const std::function<bool()>& stop)
      : source_(source), partitioned_(partitioned), layouts_(layouts), stop_(stop) {}

  /// Returns the difference that the inputs show, if any. Errors: a run that fails, by a deadlock for example.
  Result<std::optional<RunDifference>> run(const std::vector<LiteralPtr>& inputs, const Domain& domain,
                                           double tolerance) const {
    std::vector<Tensor> global;
    for (const LiteralPtr& l : inputs) global.push_back(from_literal(*l, domain));
    double left = kSourceSteps;
    const auto sequential = run_within(left, source_, {global}, Devices{}, domain, stop_);
    if (!sequential) return tl::unexpected(sequential.error());
    const std::vector<Tensor>& wanted = sequential->front();
    const auto devices = static_cast<std::size_t>(layouts_.devices.count());
    std::vector<std::vector<Tensor>> local(devices);
    for (std::size_t d = 0; d < devices; ++d) {
      for (std::size_t k = 0; k < global.size(); ++k) {
        Tensor part{partitioned_.tensor(partitioned_.arguments()[k]), {}, {}};
        // Padding may hold anything; zeros would hide that a sum reads it.
        for (std::int64_t at = 0; at < part.type->elements(); ++at)
          part.data.push_back(domain.from_index(1 + (at + static_cast<std::int64_t>(d)) % 3, part.type->element));
        for_each_held(layouts_.arguments[k], *global[k].type, layouts_.padded_arguments[k], DeviceId(d), layouts_.mesh,
                      [&](std::size_t at, std::int64_t whole) {
                        if (whole >= 0) part.data[at] = global[k].data[static_cast<std::size_t>(whole)];
                      });
        local[d].push_back(std::move(part));
      }
    }
    double steps = kMostTimes * (kSourceSteps - left + 1000) * static_cast<double>(devices);
    const auto got = run_within(steps, partitioned_, local, layouts_.devices, domain, stop_);
    if (!got) return tl::unexpected(got.error());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (auto d = compare(wanted[k], *got, k, domain, tolerance)) return d;
    }
    return std::optional<RunDifference>();
  }

  /// False if the source divides by zero, say, on its way to finite results: nothing is claimed for such inputs.
  [[nodiscard]] bool source_stays_in_domains(const std::vector<LiteralPtr>& inputs) const {
    std::vector<Tensor> global;
    for (const LiteralPtr& l : inputs) global.push_back(from_literal(*l, prove::trial_domain()));
    return prove::stays_in_real_domains(source_, {global}, Devices{});
  }

 private:
  std::optional<RunDifference> compare(const Tensor& wanted, const std::vector<std::vector<Tensor>>& got, std::size_t k,
                                       const Domain& domain, double tolerance) const {
    const Layout& p = layouts_.results[k];
    const ElementType type = wanted.type->element;
    double range = 0;
    for (const Scalar& s : wanted.data) {
      const double v = std::fabs(domain.to_double(s, type));
      if (!std::isfinite(v)) return std::nullopt;  // the source's result is not finite, so nothing is compared
      range = std::max(range, v);
    }
    std::optional<RunDifference> worst;
    double largest = 0;
    for (std::size_t device = 0; device < got.size(); ++device) {
      if (!p.pending.empty()) continue;
      const Tensor& part = got[device][k];
      for_each_held(
          p, *wanted.type, layouts_.padded_results[k], DeviceId(device), layouts_.mesh,
          [&](std::size_t at, std::int64_t position) {
            if (position < 0) return;
            const auto whole = static_cast<std::size_t>(position);
            const std::complex<double> a = domain.to_complex(wanted.data[whole], type);
            const std::complex<double> b = domain.to_complex(part.data[at], type);
            const double by = std::abs(a - b);
            const bool differs = is_float(type) || is_complex(type)
                                     ? !(by <= tolerance * (range + 1e-30) + 1e-300)
                                     : !domain.equal(wanted.data[whole], part.data[at], type);
            // A difference within the domain's error bounds is rounding. A complex Scalar has no error bound: its second
            // field is the imaginary part.
            const double errors = is_complex(type) ? 0 : wanted.data[whole].error + part.data[at].error;
            if (!differs || (std::isfinite(errors) && by <= errors) || (worst && !(by > largest) && !std::isnan(by)))
              return;
            if (worst && std::isnan(largest)) return;
            largest = by;
            worst = RunDifference{static_cast<std::int64_t>(device), k, index_at(position, wanted.type->dims),
                                  domain.to_double(wanted.data[whole], type), domain.to_double(part.data[at], type)};
          });
    }
    return worst;
  }

  const Function& source_;
  const Function& partitioned_;
  const Layouts& layouts_;
  const std::function<bool()>& stop_;
};

}  // namespace

std::optional<Counterexample> find_counterexample(const Function& source, const Function& partitioned,
                                                  const Layouts& layouts, std::uint64_t seed,
                                                  const std::function<bool()>& stop, std::size_t trials) {
  const Function source_by_tests = NanTests(source).rewritten();
  const Function partitioned_by_tests = NanTests(partitioned).rewritten();
  const ValueComparison comparison(source_by_tests, partitioned_by_tests, layouts, stop);
  Drawer drawer(source, partitioned, seed);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    if (stop && stop()) return std::nullopt;
    const Draw how = kDraws[trial % std::size(kDraws)];
    std::vector<LiteralPtr> inputs;
    for (const ValueId v : source.arguments()) inputs.push_back(drawer.tensor(source.tensor(v), how));
    const auto exact = comparison.run(inputs, f64_domain(), 1e-7);
    // Confirm in the programs' own arithmetic: rounding must neither explain the difference nor decide control flow.
    const auto replay = [&] { return comparison.run(inputs, decided_error_domain(), 2e-5); };
    if (!exact) {
      if (exact.error().code != "deadlock" && exact.error().code != "collective") return std::nullopt;
      if (const auto native = replay(); !native && native.error().code == kUndecided) continue;
      Counterexample out;
      out.inputs = std::move(inputs);
      out.note = exact.error().text();
      return out;
    }
    if (!*exact || !comparison.source_stays_in_domains(inputs)) continue;
    const auto native = replay();
    if (!native || !*native) continue;
    // A difference that is only rounding (after cancellation) shrinks with more precision; a real one does not.
    const auto size = [](const RunDifference& d) { return std::fabs(d.expected - d.found); };
    if (size(**exact) < 0.01 * size(**native)) continue;
    Counterexample out;
    out.inputs = std::move(inputs);
    out.device = (*native)->device;
    out.result = (*native)->result;
    out.position = (*native)->position;
    out.expected = (*native)->expected;
    out.found = (*native)->found;
    return out;
  }
  return std::nullopt;
}

}  // namespace partir::validate
