// What decides an uninterpreted term. Two terms share a form only if their records, arguments and indices do.
#pragma once

#include <string>

#include "ir/op_decl.h"

namespace partir::prove {

/// The record of an operation: its name, all its attributes, the element types and ranks of its operands and results,
/// and the computations in its regions. Shapes are symbolic and stand beside it, as extents of the term's ranges and
/// indices. "stablehlo.fft(complex<f32>/2)->(f32/2){fft_length = array<i64: 9>, …}".
std::string record_of(const OpInstance& op);

/// The record of a constant: its type with all dimensions, and its bits.
std::string record_of(const Literal& literal);

}  // namespace partir::prove
