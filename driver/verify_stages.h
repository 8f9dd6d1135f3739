// Verifies the result of each stage with the stage's own verifier. A build with PARTIR_VERIFY_STAGES (debug and
// sanitizer builds) does this in Session itself; tests call this function.
#pragma once

#include "driver/session.h"

namespace partir {

/// Verifies the source, the Core program, the device-local program and the StableHLO module of the session's current
/// state. An error is a bug in OpenPartIR.
Result<void> verify_stages(Session& session);

}  // namespace partir
