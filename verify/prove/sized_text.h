// The text of a program whose sizes are expressions over symbols. Claims (claim.h) keep their programs in this form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "verify/prove/size_expr.h"

namespace partir::prove {

/// Parsed once; substituting numbers for the symbols yields the text of a program.
class SizedText {
 public:
  SizedText() = default;
  /// Size expressions are the dimensions of tensor types, "tensor<MxN*2xf32>", and, elsewhere (in attributes), any
  /// expression that contains one of the symbols as a whole word.
  SizedText(const std::string& text, const std::vector<std::string>& symbols);

  /// Returns the text at these sizes. Throws UserError, with `place`, for a size without a value or a negative
  /// dimension.
  [[nodiscard]] std::string at(const Sizes& sizes, Place place) const;
  /// The text of the first size that is no polynomial of the symbols (SizeExpr::is_polynomial).
  [[nodiscard]] std::optional<std::string> first_no_polynomial(
      const std::map<std::string, SizeExpr::Known>& known) const;
  [[nodiscard]] std::uint64_t hash() const;

 private:
  struct Piece {
    std::string text;  ///< the source text
    bool is_size = false;
    bool is_dimension = false;
    std::optional<SizeExpr> size;
  };
  void add_text(const std::string& text, std::size_t begin, std::size_t end, const std::vector<std::string>& symbols);

  std::vector<Piece> pieces_;
};

/// Appends the symbols in dimensions of tensor types to `symbols`, each once, in order of appearance.
void add_symbols_of_types(const std::string& text, std::vector<std::string>& symbols);

}  // namespace partir::prove
