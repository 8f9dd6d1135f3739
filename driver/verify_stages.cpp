#include "driver/verify_stages.h"

#include "ir/op_decl.h"
#include "lowering/verify_spmd.h"

namespace partir {

Result<void> verify_stages(Session& session) {
  if (auto ok = verify_function(session.source()); !ok) return ok;
  if (auto ok = verify_function(session.core()); !ok) return ok;
  if (auto ok = verify_spmd(session.lowered()); !ok) return ok;
  const Module written = session.stablehlo();
  return verify_function(**written.main());
}

}  // namespace partir
