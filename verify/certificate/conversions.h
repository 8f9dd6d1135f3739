// The laws by which a collective or a device's slice takes a value from one distributed type to another.
#pragma once

#include <optional>
#include <string>

#include "ir/distributed_type.h"
#include "verify/certificate/positions.h"

namespace partir {

/// Whether a distributed type is one of a global value: as many dimensions, every axis once, every size divided, and
/// one monoid (combinations by two do not commute).
bool is_type_of(const DistributedType& type, const TensorType& global, const Mesh& mesh);

/// A law of proofs_notes/ by which an operation may convert a value.
struct ConversionLaw {
  std::string law;                   ///< its id
  std::optional<std::string> wrong;  ///< why the operation is no instance of it
};

/// The operation converts its first operand, of type `from`, to `to`. Both are types of `global`. Looks at what the
/// operation does to the devices, not at how it came about.
ConversionLaw conversion(const Function& function, const Op& op, const DistributedType& from, const DistributedType& to,
                         const TensorType& global, const Mesh& mesh, const Positions& positions);

}  // namespace partir
