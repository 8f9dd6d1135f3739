// Each stage's result, asked by the stage's own verifier. Sessions do so themselves where they are built with
// PARTIR_VERIFY_STAGES (debug builds and those under sanitizers); tests ask here.
#pragma once

#include "driver/session.h"

namespace partir {

/// The source, the Core program, the device-local program and the StableHLO module of a session as it is. Errors are
/// defects of ours; their code is the stage's.
Result<void> verify_stages(Session& session);

}  // namespace partir
