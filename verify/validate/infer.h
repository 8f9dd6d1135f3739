// Infers a certificate for a partitioned module that comes without one, if it corresponds to its source operation by
// operation. The inferred certificate is not trusted: validate.cpp hands it to check_certificate (verify/certificate).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/program.h"
#include "lowering/certificate.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

struct Inference {
  /// Both programs in the form that the certificate refers to: deduplicated, the partitioned one without dead code. In
  /// the latter, constants and values computed from constants alone are copied for each layout in which they are used.
  Module source;
  Module partitioned;
  Certificate certificate;
  std::size_t steps = 0;
  /// The first operation that no entry and no conversion explains, if there is one; the certificate is then incomplete.
  struct Stop {
    Place place;
    std::string operation;
    std::string why;
  };
  std::optional<Stop> stop;
};

/// Walks the partitioned program forwards and determines for each value of which source value it is a part, in which
/// layout: arguments by their layouts; a collective or a slice by device converts the layout; any other operation is a
/// device-local part of an operation of the source on the same values, by entries that fit its types and attributes.
/// `layouts` are those of the arguments and results. If `stop` returns true, the best inference so far is returned.
/// Cost: a few steps per operation.
Inference infer_certificate(const Module& source, const Module& partitioned, const Layouts& layouts,
                            const std::function<bool()>& stop = nullptr);

}  // namespace partir::validate
