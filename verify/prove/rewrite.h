// Rewrites: two programs that give the same on every device of a mesh, for all sizes of its axes.
#pragma once

#include "ir/mesh.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// Whether both sides have one normal form on every device. False when they differ (`why` says how); throws GiveUp.
bool prove_rewrite(const Claim& claim, Context& c, const OutOfTime& out_of_time, std::string& why, Reach& reach);

/// Runs both sides on small meshes; nothing where `trials` cases held.
std::optional<Counterexample> refute_rewrite(const Claim& claim, std::size_t trials, Tried& tried,
                                             const OutOfTime& out_of_time = nullptr,
                                             Unbounded unbounded = Unbounded::fails);

/// The mesh of a rewrite's axes.
Mesh mesh_of(const Claim& claim, const Sizes& sizes);
/// A side as a program of devices: collectives over axes written out for the mesh.
Function on_mesh(const Module& side, const Mesh& mesh);

}  // namespace partir::prove
