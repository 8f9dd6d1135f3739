// The arithmetic and memory accesses of one execution of an operation, independent of the device: operations by number
// type, elements read, passes over memory. simulate/kernel_cost.h turns them into seconds.
//
//   dot_general, ragged_dot   2 b m n k: a multiplication and an addition per product
//   convolution               2 for each product of an element and a tap; holes of a dilated input and padding do not
//                             count, and a group uses only its own features (as in XLA's HloCostAnalysis)
//   complex numbers           a multiplication is 6 real operations, an addition 2 (LAPACK Working Note 41)
//   sort                      n/4 log n (log n + 1) comparisons of a bitonic network (Batcher, AFIPS 1968), which is
//                             what XLA emits; each step that spans more than a tile is one pass over memory
//   top_k                     n log k comparisons: each element sinks into a heap of k (Knuth, vol. 3, 5.2.3)
//   fft                       5 n log n for n complex points, half of it if one side is real (Cooley and Tukey;
//                             the convention of FFTW's benchmarks)
//   cholesky                  n^3 / 3; triangular_solve: n^2 per right-hand side (LAPACK Working Note 41)
//   rng_bit_generator         25 per 32-bit word: ten rounds of Philox-4x32 yield four words (Salmon et al., SC 2011)
//   reduce_window             17 per element if cumulative (cumsum): XLA's ReduceWindowRewriter uses tiles of 16
//   scatter                   one per update element
//   others                    the scalar functions of the operation's meaning, for each element and fold step
//
// Example: an i8 product of 4x8 by 8x16 is 1024 operations on i8 numbers, on matrix units.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lowering/work.h"

namespace partir {

/// The precision requested for a matrix product (precision_config, or the operands' types of an `algorithm`).
enum class Precision : std::uint8_t { normal, high, highest };

/// The dimensions of one matrix product, or of a convolution seen as one, and the number of such products.
struct MatrixShape {
  double batch = 1;
  bool grouped = false;  ///< the batch is the groups of a convolution
  double rows = 1;
  double columns = 1;
  double depth = 1;
};

struct MatrixProduct {
  MatrixShape shape;
  /// Type of the numbers multiplied: an element type (also "f8E4M3FN" and other f8 types) or "tf32".
  std::string numbers;
  Precision precision = Precision::normal;
  double primitives = 1;  ///< products of such numbers per product of the operands (dot_algorithm)
};

struct OperationCost {
  // Arithmetic.
  double operations = 0;  ///< real additions, multiplications, comparisons and similar; without special functions
  double special = 0;     ///< exponentials, logarithms, roots, quotients, sines and similar
  ElementType type = ElementType::f32;  ///< the widest type among these operations
  std::optional<MatrixProduct> matrix;  ///< if set, `operations` run on matrix units
  [[nodiscard]] double flops() const { return operations + special; }

  // Memory.
  std::vector<double> read;  ///< elements read of each operand
  double passes = 1;         ///< number of passes over operands and results

  bool known = false;  ///< false if the operation has no meaning: only its memory traffic is known
  bool folds = false;  ///< combines elements over a range, or is a library function
};

/// Costs of operations; equal operations are computed once, for all functions that use the same table.
class OperationCosts {
 public:
  /// The cost of one execution, without the regions of control flow (while, case, if). The reference stays valid.
  const OperationCost& of(const Function& function, const Op& op);

 private:
  std::unordered_map<std::string, OperationCost> known_;
  std::string key_;
};

/// True for operations that run on matrix units: dot_general, convolution and similar.
bool is_matrix(const Op& op);

/// The number of pairs of a result position and a tap that access an element of the input, along one dimension of a
/// convolution. The input has `extent` elements at distance `base_dilation` after `low` positions of padding; windows
/// of `taps` taps at distance `window_dilation` start every `stride` positions. Example: (extent 4, 7 results, 3 taps,
/// stride 1, low 1, base 2, window 1) -> 10.
double convolution_pairs(std::int64_t extent, std::int64_t results, std::int64_t taps, std::int64_t stride,
                         std::int64_t low, std::int64_t base_dilation, std::int64_t window_dilation);

}  // namespace partir
