#include "ir/continuity.h"

#include <algorithm>

#include "ir/declared_calls.h"
#include "ir/linear_algebra.h"

namespace partir {
namespace {

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

Continuity of_library(const ScalarTerm& t) {
  const bool jumps = !t.combine.empty() || t.library == "top_k" || first_word(t.library) == kLinearAlgebra ||
                     first_word(t.library) == kDeclaredCall;
  return jumps ? Continuity::jumps : Continuity::continuous;
}

}  // namespace

Continuity continuity_of(const Meaning& meaning) {
  Continuity out = Continuity::continuous;
  for (const ScalarTerm& t : meaning.scalars) {
    if (t.kind == ScalarTerm::Kind::apply) {
      out = std::max(out, continuity_of(t.fn, meaning.at(t.args[0]).type, t.type));
    } else if (t.kind == ScalarTerm::Kind::library) {
      out = std::max(out, of_library(t));
    }
  }
  return out;
}

bool is_total(ScalarFn fn, ElementType in) {
  return real_laws_of(fn).domain == RealLaws::Domain::everywhere && !(is_complex(in) && has_complex_poles(fn));
}

bool is_total_library(std::string_view library) {
  const std::string_view name = first_word(library);
  return name == "sort" || name == "top_k" || name == "fft" || name == "rng" || name == "rng_bit_generator";
}

}  // namespace partir
