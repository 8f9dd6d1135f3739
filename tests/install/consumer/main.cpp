// A program outside the project that partitions with the installed library. install_test.py builds and runs it.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "driver/session.h"
#include "support/file.h"
#include "support/version.h"

namespace {

using namespace partir;

/// consumer PROGRAM NAMES SCHEDULE MESH
void run(const std::vector<std::string>& files) {
  const Mesh mesh = value_or_throw(Mesh::parse(files.at(3)));
  auto session = value_or_throw(Session::open(
      {.text = value_or_throw(read_file(files[0])), .file = files[0], .names = value_or_throw(read_file(files[1]))},
      mesh));
  const Schedule schedule = value_or_throw(read_schedule(value_or_throw(read_file(files[2])), files[2]));
  for (const ResolvedTactic& tactic : value_or_throw(resolve(schedule, mesh, session.names(), session.main())))
    value_or_throw(session.apply(tactic));
  std::printf("OpenPartIR %s: %s, %s\n", kVersion, session.collectives().str().c_str(),
              session.check().verdict == Verdict::proved ? "proved" : "not proved");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
