// Proves and refutes rewrites (claim.h): claims that two programs return the same results on every device of a mesh,
// for all sizes of its axes. Called by prove.cpp.
#pragma once

#include "ir/mesh.h"
#include "verify/prove/prove.h"

namespace partir::prove {

/// True if both sides have the same canonical form on every device. Returns false if they differ (`why` describes how);
/// throws GiveUp if a step has no rule.
bool prove_rewrite(const Claim& claim, Context& c, const OutOfTime& out_of_time, std::string& why, Reach& reach);

/// Runs both sides on small meshes; returns nothing if all trials held.
std::optional<Counterexample> refute_rewrite(const Claim& claim, const TrialPlan& plan, Tried& tried,
                                             const OutOfTime& out_of_time = nullptr,
                                             Unbounded unbounded = Unbounded::fails);

/// Returns the mesh of a rewrite's axes.
Mesh mesh_of(const Claim& claim, const Sizes& sizes);
/// Returns one side as a device program, with collectives over axes expanded for the mesh.
Function on_mesh(const Module& side, const Mesh& mesh);

}  // namespace partir::prove
