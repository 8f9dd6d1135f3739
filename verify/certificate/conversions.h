// The laws by which a collective or a device's slice takes a value from one layout to another.
#pragma once

#include <optional>
#include <string>

#include "ir/layout.h"
#include "verify/certificate/positions.h"

namespace partir {

/// Whether it is a layout of values of this type whose chunks are all of one size.
bool is_layout_of(const Layout& layout, const Type& global, const Mesh& mesh);

/// A step of a conversion by a law of proofs_notes/certificates.md.
struct Converted {
  std::string law;                   ///< its id
  Layout layout;                     ///< by which the devices hold the value then
  std::optional<std::string> wrong;  ///< why the operation is no instance of the law
};

/// The operation converts its first operand, a value of this global type. `claimed`: the layout that it gives, if that
/// is known; a reduction must say. Looks at what the operation does to the devices, not at how it came about.
Converted converted(const Function& function, const Op& op, const Layout& from, const std::optional<Layout>& claimed,
                    const Type& global, const Mesh& mesh, const Positions& positions);

}  // namespace partir
