// The laws by which a collective or a device's slice takes a value from one distributed type to another.
#pragma once

#include <optional>
#include <string>

#include "ir/device_layout.h"
#include "verify/certificate/positions.h"

namespace partir {

/// Whether a distributed type is one of a global value: as many dimensions, every axis once, every size divided, and
/// one monoid (combinations by two do not commute).
bool is_type_of(const DistributedType& type, const Type& global, const Mesh& mesh);

/// How devices hold a value: by a distributed type, or, between the steps of a conversion, part by part.
struct Held {
  std::optional<DistributedType> type;
  DeviceLayout layout;
  std::vector<std::pair<Axis, Monoid>> partial;

  static Held by(const DistributedType& type, const Mesh& mesh) {
    return {type, DeviceLayout::of(type, mesh), type.partial};
  }
};

/// A step of a conversion by a law of proofs_notes/certificates.md.
struct Converted {
  std::string law;                   ///< its id
  Held held;                         ///< what the devices hold then
  std::optional<std::string> wrong;  ///< why the operation is no instance of the law
};

/// The operation converts its first operand, a value of this global type. `claimed`: the type that it gives; none where
/// no type describes what it gives. Looks at what the operation does to the devices, not at how it came about.
Converted converted(const Function& function, const Op& op, const Held& from,
                    const std::optional<DistributedType>& claimed, const Type& global, const Mesh& mesh,
                    const Positions& positions);

}  // namespace partir
