// Chains of slices, concatenations, rotations, pads and reversals along a tiled dimension. The decomposition of one may
// be fused with others (ir/by_offsets.h), which are decomposed themselves or not, as the tiling asks for.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/partitioned.h"
#include "tests/random_settings.h"

namespace partir {
namespace {

using testing::partitioned, testing::tile;

/// A program that is written operation by operation; choices are drawn from RapidCheck, which shrinks them.
class Chain {
 public:
  /// The arguments have sizes [2, size] and [2, other].
  Chain(std::int64_t size, std::int64_t other) : values_{{"%y", other}, {"%x", size}} {
    text_ = fmt::format(
        "func.func @main(%x: {}, %y: {}) -> RESULT {{\n  %fill = stablehlo.constant dense<1.0> : tensor<f32>\n",
        type(size), type(other));
  }

  void add_random() {
    const auto [x, n] = recent(2);
    switch (below(8)) {
      case 0: {
        const std::int64_t half = 1 + below(n);
        slice(x, n, below(2) == 0 ? 0 : n - half, half);
        return;
      }
      case 7: return thin(x, n);
      case 1: return concatenate({x, n}, recent(values_.size()));
      case 2: return rotate(x, n);
      case 3: return pad(x, n, below(4) - 1, below(4) - 1, below(3) / 2);
      case 4: values_.emplace_back(op(fmt::format("reverse {}, dims = [1] : {}", x, type(n))), n); return;
      case 5: return add(x, n);
      default: values_.emplace_back(op(fmt::format("negate {} : {}", x, type(n))), n);
    }
  }

  [[nodiscard]] std::string text() const {
    std::string out = text_ + fmt::format("  return {} : {}\n}}\n", values_.back().first, type(values_.back().second));
    return out.replace(out.find("RESULT"), 6, type(values_.back().second));
  }

 private:
  using Value = std::pair<std::string, std::int64_t>;

  static std::int64_t below(std::int64_t n) { return *rc::gen::inRange<std::int64_t>(0, n); }

  /// One of the last `of` values.
  [[nodiscard]] Value recent(std::size_t of) const {
    const auto back = below(static_cast<std::int64_t>(std::min(of, values_.size())));
    return values_[values_.size() - 1 - static_cast<std::size_t>(back)];
  }

  static std::string type(std::int64_t n) { return fmt::format("tensor<2x{}xf32>", n); }

  std::string op(const std::string& what) {
    const std::string name = fmt::format("%{}", count_++);
    text_ += fmt::format("  {} = stablehlo.{}\n", name, what);
    return name;
  }

  Value slice(const std::string& x, std::int64_t n, std::int64_t start, std::int64_t size) {
    return values_.emplace_back(
        op(fmt::format("slice {} [0:2, {}:{}] : ({}) -> {}", x, start, start + size, type(n), type(size))), size);
  }

  /// Takes every second or third element, as the steps of an associative scan do.
  void thin(const std::string& x, std::int64_t n) {
    const std::int64_t stride = 2 + below(2);
    const std::int64_t start = below(std::min<std::int64_t>(n, 2 * stride));
    const std::int64_t size = (n - start + stride - 1) / stride;
    values_.emplace_back(
        op(fmt::format("slice {} [0:2, {}:{}:{}] : ({}) -> {}", x, start, n, stride, type(n), type(size))), size);
  }

  void concatenate(const Value& a, const Value& b) {
    const std::int64_t n = a.second + b.second;
    const std::string types = fmt::format("({}, {}) -> {}", type(a.second), type(b.second), type(n));
    values_.emplace_back(op(fmt::format("concatenate {}, {}, dim = 1 : {}", a.first, b.first, types)), n);
  }

  /// As rotary embeddings do: the second part, perhaps negated, before the first.
  void rotate(const std::string& x, std::int64_t n) {
    if (n < 2) return;
    const std::int64_t cut = below(2) == 0 ? n / 2 : 1 + below(n - 1);
    Value second = slice(x, n, cut, n - cut);
    if (below(2) == 0) second.first = op(fmt::format("negate {} : {}", second.first, type(n - cut)));
    const Value first = slice(x, n, 0, cut);
    concatenate(second, first);
  }

  /// Adds an equally large value, if there is one, which may be tiled where `x` is not.
  void add(const std::string& x, std::int64_t n) {
    const Value y = recent(values_.size());
    if (y.second == n) values_.emplace_back(op(fmt::format("add {}, {} : {}", x, y.first, type(n))), n);
  }

  void pad(const std::string& x, std::int64_t n, std::int64_t low, std::int64_t high, std::int64_t interior) {
    const std::int64_t size = n + low + high + (n - 1) * interior;
    if (size < 1) return;
    const std::string by = fmt::format("low = [0, {}], high = [0, {}], interior = [0, {}]", low, high, interior);
    const std::string types = fmt::format("({}, tensor<f32>) -> {}", type(n), type(size));
    values_.emplace_back(op(fmt::format("pad {}, %fill, {} : {}", x, by, types)), size);
  }

  std::string text_;
  std::vector<Value> values_;
  int count_ = 0;
};

TEST(MovementChains, AreProvedAndHaveTheSourcesValues) {
  testing::draw_cases(200);
  EXPECT_TRUE(rc::check("chains of moves", [] {
    const auto devices = *rc::gen::element<std::int64_t>(2, 3, 4);
    const bool divides = *rc::gen::arbitrary<bool>();
    const auto size = [&](std::int64_t k) { return divides ? devices * k : *rc::gen::inRange<std::int64_t>(4, 13); };
    const std::int64_t x = size(*rc::gen::inRange<std::int64_t>(1, 4));
    Chain chain(x, size(*rc::gen::inRange<std::int64_t>(1, 4)));
    const int length = *rc::gen::inRange(1, 8);
    for (int k = 0; k < length; ++k) chain.add_random();
    RC_LOG() << chain.text() << "devices " << devices << "\n";
    std::string tactic = tile("a", R"("arg0": 1, "arg1": 1)");
    if (!divides) tactic.insert(tactic.size() - 1, R"(, "uneven": true)");
    partitioned(chain.text(), fmt::format("a={}", devices), tactic);
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

/// Two half-rotations in a row, of halves that do not divide. A slice of the second is requested alone, because the
/// concatenation that it reads is decomposed; in the program itself it is a stretch of that concatenation.
TEST(MovementChains, TwoHalfRotations) {
  const auto p = partitioned(R"(
func.func @main(%x: tensor<1x6xf32>) -> tensor<1x6xf32> {
  %0 = stablehlo.slice %x [0:1, 3:6] : (tensor<1x6xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.negate %0 : tensor<1x3xf32>
  %2 = stablehlo.slice %x [0:1, 0:3] : (tensor<1x6xf32>) -> tensor<1x3xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x6xf32>
  %4 = stablehlo.slice %3 [0:1, 3:6] : (tensor<1x6xf32>) -> tensor<1x3xf32>
  %5 = stablehlo.negate %4 : tensor<1x3xf32>
  %6 = stablehlo.slice %3 [0:1, 0:3] : (tensor<1x6xf32>) -> tensor<1x3xf32>
  %7 = stablehlo.concatenate %5, %6, dim = 1 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x6xf32>
  return %7 : tensor<1x6xf32>
})",
                             "a=2", tile("a", R"("arg0": 1)"));
  EXPECT_EQ(p.partition.collectives.str(), "2 all_reduce, 2 collective_permute");
}

}  // namespace
}  // namespace partir
