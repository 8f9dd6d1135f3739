// Finds the tile-mapping entries by which a source operation becomes a given device-local one. The inference of
// certificates (infer_operations.cpp) calls it for each local operation.
#pragma once

#include <optional>
#include <vector>

#include "ir/layout.h"
#include "lowering/certificate.h"
#include "rewrite/form.h"

namespace partir::validate {

/// For each operand or result of the source operation, the layout of the device's part if it is known.
using KnownTypes = std::vector<std::optional<Layout>>;

/// One way: the entries, and the layouts of operands and results that they yield.
struct EntryFit {
  std::vector<CertificateStep::Along> along;  ///< outermost first
  std::vector<Layout> operands;
  std::vector<Layout> results;
};

/// Returns the ways to choose one entry, or none, along each mesh axis such that operands and results get the known
/// layouts and the operation gets the types and attributes of `local`. For a dot_general [8,16] x [16,4] with operands
/// [{}, {x}] and [{x}, {}] there is one: along x (#tile<1>, #tile<0>) -> (#sum). For a broadcast to [4,8] that is [2,8]
/// on a device of a mesh x=2,y=2 there are two. At most 16; ways that differ only in the entries count once.
std::vector<EntryFit> fit_entries(const Form& global, const OpInstance& local, const KnownTypes& operands,
                                  const KnownTypes& results, const Mesh& mesh);

}  // namespace partir::validate
