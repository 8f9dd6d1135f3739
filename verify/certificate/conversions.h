// The laws of conversions: which layout a collective, or a slice by device, yields for a value in a given layout. The
// certificate checker calls `converted` for each conversion step.
#pragma once

#include <optional>
#include <string>

#include "ir/layout.h"
#include "verify/certificate/positions.h"

namespace partir {

/// Whether `layout` is a layout of values of this type in which all devices hold chunks of equal size, without halos.
bool is_layout_of(const Layout& layout, const Type& global, const Mesh& mesh);

/// The outcome of checking one conversion by a law of proofs_notes/certificates.md.
struct Converted {
  std::string law;                   ///< its id, such as "all-gather"
  Layout layout;                     ///< in which the devices hold the value afterwards
  std::optional<std::string> wrong;  ///< why the operation is not an instance of the law
};

/// Checks that `op` converts its first operand, a value of type `global` in layout `from`. `claimed` is the resulting
/// layout if the certificate states it; reductions require it. The check follows what the operation does on each
/// device, not how the operation was planned. An all_gather of dimension 0 over axis batch takes [{batch}] to [{}].
Converted converted(const Function& function, const Op& op, const Layout& from, const std::optional<Layout>& claimed,
                    const Type& global, const Mesh& mesh, const Positions& positions);

}  // namespace partir
