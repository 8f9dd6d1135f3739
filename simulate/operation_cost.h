// What one run of an operation computes and touches, on whatever device: arithmetic by type of number, elements read,
// passes over memory.
//
//   dot_general, ragged_dot   2 b m n k: a multiplication and an addition for each product
//   convolution               2 for each product of an element with a tap: holes of a dilated input and padding are no
//                             products, and a group meets its own features alone (as XLA's HloCostAnalysis counts)
//   complex numbers           a multiplication is 6 real operations, an addition 2 (LAPACK Working Note 41)
//   sort                      n/4 log n (log n + 1) comparisons of a bitonic network (Batcher, AFIPS 1968), which is
//                             what XLA emits; the steps that span more than a tile pass over memory once each
//   top_k                     n log k comparisons: each element sinks into a heap of k (Knuth, vol. 3, 5.2.3)
//   fft                       5 n log n of n complex points, half of it where one side is real (Cooley and Tukey;
//                             the convention of FFTW's benchmarks)
//   cholesky                  n^3 / 3, triangular_solve n^2 a right-hand side (LAPACK Working Note 41)
//   rng_bit_generator         25 a 32-bit word: ten rounds of Philox-4x32 make four (Salmon et al., SC 2011)
//   reduce_window             cumulative ones (cumsum) 17 an element: XLA's ReduceWindowRewriter makes tiles of 16
//   scatter                   one an update
//   others                    functions of one element in the operation's meaning, each element and fold
//
// Example: an i8 product of 4x8 by 8x16 is 1024 operations of i8 numbers, of matrix units.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lowering/work.h"

namespace partir {

/// How the numbers of a matrix product are multiplied.
enum class Precision : std::uint8_t { normal, high, highest };

/// Rows, columns and depth of a matrix product or convolution, and how many there are.
struct MatrixShape {
  double batch = 1;
  double rows = 1;
  double columns = 1;
  double depth = 1;
};

struct MatrixProduct {
  MatrixShape shape;
  std::string numbers;  ///< that are multiplied: an element type, "tf32", or f8 ("f8E4M3FN" and its kin)
  Precision precision = Precision::normal;
  double primitives = 1;  ///< products of such numbers for one product of the operands (dot_algorithm)
};

struct OperationCost {
  // Arithmetic.
  double operations = 0;  ///< real additions, multiplications, comparisons and their kin, special functions not
  double special = 0;     ///< exponentials, logarithms, roots, quotients, sines and their kin
  ElementType type = ElementType::f32;  ///< the widest numbers of these
  std::optional<MatrixProduct> matrix;  ///< `operations` are those of matrix units
  [[nodiscard]] double flops() const { return operations + special; }

  // Memory.
  std::vector<double> read;  ///< elements touched of each operand
  double passes = 1;         ///< over operands and results

  bool known = false;  ///< has a meaning here; else its memory traffic alone is known
  bool folds = false;  ///< combines elements over a range, or is a library function
};

/// Costs of operations, equal ones worked out once for all functions that a table is used for.
class OperationCosts {
 public:
  /// Of one run, without regions that run as programs (those of while, case, if). The reference stays valid.
  const OperationCost& of(const Function& function, const Op& op);

 private:
  std::unordered_map<std::string, OperationCost> known_;
  std::string key_;
};

/// dot_general, convolution and their kin: what runs on matrix units.
bool is_matrix(const Op& op);

/// How many pairs of a result's position and a tap meet an element of the input, along one dimension of a convolution:
/// the input has `extent` elements, `base_dilation` apart, `low` before them; windows of `taps` taps, `window_dilation`
/// apart, begin every `stride` places. (extent 4, 7 results, 3 taps, stride 1, low 1, base 2, window 1) -> 10.
double convolution_pairs(std::int64_t extent, std::int64_t results, std::int64_t taps, std::int64_t stride,
                         std::int64_t low, std::int64_t base_dilation, std::int64_t window_dilation);

}  // namespace partir
