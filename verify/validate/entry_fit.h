// By which tile-mapping entries a source operation becomes a given device-local one.
#pragma once

#include <optional>
#include <vector>

#include "ir/layout.h"
#include "lowering/certificate.h"
#include "rewrite/form.h"

namespace partir::validate {

/// What is known of a value of the source operation: the layout of its part, or nothing.
using KnownTypes = std::vector<std::optional<Layout>>;

struct EntryFit {
  std::vector<CertificateStep::Along> along;  ///< outermost first
  std::vector<Layout> operands;
  std::vector<Layout> results;
};

/// The ways to choose one entry, or none, along each mesh axis such that operands and results get the known types and
/// the operation becomes `local`: its types and attributes. Of a dot_general [8,16] x [16,4] with operands [{}, {x}]
/// and
/// [{x}, {}] there is one: along x (#tile<1>, #tile<0>) -> (#sum). Of a broadcast to [4,8] that is [2,8] on a device of
/// a mesh x=2,y=2 there are two. At most 16; none that differ in the entries alone.
std::vector<EntryFit> fit_entries(const Form& global, const OpInstance& local, const KnownTypes& operands,
                                  const KnownTypes& results, const Mesh& mesh);

}  // namespace partir::validate
