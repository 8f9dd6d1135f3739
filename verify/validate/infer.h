// Infers why a partitioned module computes what its source does: a certificate, where the two are alike operation by
// operation. What is inferred need not be believed: verify/certificate checks it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/program.h"
#include "lowering/certificate.h"
#include "verify/validate/layouts.h"

namespace partir::validate {

struct Inference {
  /// Both programs with each operation once and no dead code, as the certificate has them; constants and what is
  /// computed of constants alone stand in the partitioned one once for each layout that they are used in.
  Module source;
  Module partitioned;
  Certificate certificate;
  std::size_t steps = 0;
  /// The first operation that no entry and no conversion explains, where there is one; the certificate is then partial.
  struct Stop {
    Place place;
    std::string operation;
    std::string why;
  };
  std::optional<Stop> stop;
};

/// The partitioned program is read forwards. Of each value it is known which source value it is a part of, and by which
/// layout: arguments by their layouts; a collective or a device's slice converts the type; any other
/// operation is a device-local part of an operation of the source on the same values, by entries that fit its types and
/// attributes. `layouts` are those of the modules. When `stop` holds, what is inferred so
/// far is taken. Cost: a few steps an operation.
Inference infer_certificate(const Module& source, const Module& partitioned, const Layouts& layouts,
                            const std::function<bool()>& stop = nullptr);

}  // namespace partir::validate
