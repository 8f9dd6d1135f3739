// What a conversion step does to device layouts, checked device by device: for steps that distributed types do not
// tell.
#pragma once

#include <optional>
#include <string>

#include "ir/device_layout.h"
#include "ir/program.h"

namespace partir {

/// Nothing, or why the operation (spmd.all_slice, all_to_all, all_gather or collective_permute) does not bring the
/// parts of `before` to those of `after` on the mesh's devices.
std::optional<std::string> check_layouts(const Op& op, const DeviceLayout& before, const DeviceLayout& after,
                                         const Mesh& mesh);

}  // namespace partir
