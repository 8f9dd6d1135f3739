// Fuzz target: any text is either read or rejected with a position. A module that was read prints as text that reads as
// the same program, also after inlining, and the operation declarations work on each of its operations.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ir/op_decl.h"
#include "ir/text/print.h"
#include "ir/text/read.h"

namespace {

[[noreturn]] void broken(const char* law, const std::string& detail) {
  std::fprintf(stderr, "%s: %s\n", law, detail.c_str());
  std::abort();
}

void ask_declarations(const partir::Function& function, const partir::Block& block) {
  for (const partir::Op& op : block.ops) {
    const partir::OpInstance instance = partir::instance_of(function, op);
    if (partir::has_meaning(instance)) {
      (void)partir::meaning_of(instance);
      (void)partir::entries_of(instance);
    }
    for (const partir::Block& region : op.regions) ask_declarations(function, region);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = partir::read_module(text, "fuzz.mlir");
  if (!read) {
    if (read.error().place.line == 0) broken("a diagnostic without a place", read.error().text());
    return 0;
  }
  const std::string printed = partir::print_module(*read);
  const auto again = partir::read_module(printed, "printed.mlir");
  if (!again) broken("what was printed does not read", again.error().text() + "\n" + printed);
  std::string difference;
  if (!partir::same_program(*read, *again, &difference))
    broken("printing changed the program", difference + "\n" + printed);
  const auto flat = partir::inline_calls(*read);
  for (const partir::Function& f : read->functions) ask_declarations(f, f.body);
  if (!flat) return 0;
  const std::string flat_text = partir::print_module(*flat);
  const auto flat_again = partir::read_module(flat_text, "inlined.mlir");
  if (!flat_again) broken("what was inlined does not read", flat_again.error().text() + "\n" + flat_text);
  if (!partir::same_program(*flat, *flat_again, &difference))
    broken("inlining does not print", difference + "\n" + flat_text);
  return 0;
}
