#include "tests/hunt/certificates.h"

#include <fmt/format.h>

#include "ir/text/print.h"
#include "ir/text/read.h"
#include "tests/verify/certificate/alterations.h"
#include "verify/certificate/check.h"
#include "verify/check_values.h"

namespace partir::hunt {
namespace {

/// Makes one to three edits to the module, to the certificate or to both. Returns whether any of them changed
/// something.
bool edited(testing::Subject& s, Random& random) {
  bool any = false;
  const Mesh mesh = value_or_throw(Mesh::parse(s.certificate.mesh));
  for (std::size_t k = 1 + below(random, 3); k > 0; --k) {
    Function& f = s.partitioned.functions[0];
    if (f.body.ops.size() < 2) return any;
    switch (below(random, 4)) {
      case 0: {
        Block& block = testing::some_block(f, random);
        const std::size_t at = below(random, block.ops.size());
        if (&block == &f.body && at + 1 == block.ops.size()) break;
        any = one_of(testing::alterations(), random).second(f, block, at, random) || any;
        break;
      }
      case 1:
        if (s.certificate.steps.empty()) break;
        any = one_of(testing::certificate_alterations(), random)
                  .second(s.certificate, below(random, s.certificate.steps.size()), mesh, random) ||
              any;
        break;
      case 2: any = testing::drop_with_step(s, random) || any; break;
      default: any = testing::repeat_with_step(s, random) || any; break;
    }
  }
  return any;
}

}  // namespace

std::vector<std::string> hunted_certificates(Random& random, std::map<std::string, std::size_t>& counts) {
  std::vector<std::string> out;
  for (int tries = 0; tries < 4; ++tries) {
    const auto subject = testing::subject(random);
    if (!subject) continue;
    for (int k = 0; k < 8; ++k) {
      testing::Subject s = *subject;
      if (!edited(s, random)) continue;
      const auto module = read_module(print_module(s.partitioned), "hunted.mlir");
      if (!module) continue;
      const auto report = check_certificate(s.source, *module, s.certificate);
      ++counts[fmt::format("certificates {}", report.verdict == Verdict::proved ? "proved" : "not proved")];
      if (report.verdict != Verdict::proved) continue;
      const Judgement values = check_values(s.source, *module);
      if (values.verdict == Verdict::refuted)
        out.push_back(print_module(s.source) + print_module(*module) + to_json(s.certificate));
    }
  }
  return out;
}

}  // namespace partir::hunt
