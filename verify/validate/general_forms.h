// Partitioners print operations in several forms, and annotate them: one form of each is kept.
#pragma once

#include "ir/program.h"

namespace partir::validate {

/// The module with `stablehlo.dot` of vectors and matrices written as the dot_general that it is, comparisons that say
/// how they compare, and no annotations of shardings on operations.
Module with_general_forms(Module module);

}  // namespace partir::validate
