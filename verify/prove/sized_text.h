// The text of a program whose sizes are expressions of symbols.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "verify/prove/size_expr.h"

namespace partir::prove {

/// Read once; with numbers for the symbols it is the text of a program.
class SizedText {
 public:
  SizedText() = default;
  /// The expressions are the dimensions of tensor types, "tensor<MxN*2xf32>", and elsewhere, in attributes, whatever
  /// holds one of the symbols as a word of its own.
  SizedText(const std::string& text, const std::vector<std::string>& symbols);

  /// `place`: for the error. Throws UserError: a size that has no value, or a negative dimension.
  [[nodiscard]] std::string at(const Sizes& sizes, Place place) const;

 private:
  struct Piece {
    std::string text;  ///< as it is written
    bool is_size = false;
    bool is_dimension = false;
    std::optional<SizeExpr> size;
  };
  void add_text(const std::string& text, std::size_t begin, std::size_t end, const std::vector<std::string>& symbols);

  std::vector<Piece> pieces_;
};

/// The symbols in dimensions of tensor types are added to those known, in the order in which they appear.
void add_symbols_of_types(const std::string& text, std::vector<std::string>& symbols);

}  // namespace partir::prove
