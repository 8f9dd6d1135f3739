// Records: strings that identify uninterpreted functions. Two uninterpreted terms have the same form only if their
// records, arguments and indices are the same.
#pragma once

#include <string>

#include "ir/op_decl.h"

namespace partir::prove {

/// Returns the record of an operation: its name, all its attributes (but sizes that they repeat), the element types and
/// ranks of its operands and results, and the computations in its regions. Shapes are symbolic and not part of it; they
/// appear as extents of the term's ranges and indices. Example:
/// "stablehlo.fft(complex<f32>/2)->(f32/2){fft_length = array<i64: 9>, …}".
std::string record_of(const OpInstance& op);

/// Returns the record of a constant: its type with all dimensions, and its bits.
std::string record_of(const Literal& literal);

}  // namespace partir::prove
