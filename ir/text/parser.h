// The parser for StableHLO and PartIR:Core text. Its public methods are for declarations that parse a custom form
// (OpDecl::parse); other code calls read_module (ir/text/read.h).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/op_decl.h"
#include "ir/program.h"
#include "ir/text/lexer.h"

namespace partir::text {

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  /// Parses the complete text; throws UserError.
  Module module();

  // --- For the custom forms of operations ---------------------------------------------------------------------------
  [[nodiscard]] Place here() const { return lexer_.peek().place; }
  [[nodiscard]] bool at(std::string_view text) const;
  bool accept(std::string_view text);
  void expect(std::string_view text);
  [[noreturn]] void unexpected(std::string wanted);
  [[nodiscard]] Token::Kind kind() const { return lexer_.peek().kind; }
  Token take() { return lexer_.take(); }
  /// Consumes and returns the text from the bracket `open`, which must be next, to the matching closing bracket.
  std::string_view balanced(std::string_view open);
  /// Skips "loc(…)", if present.
  void skip_location() { (void)optional_location(); }

  std::int64_t integer();
  std::string identifier();
  std::string string();
  std::string symbol();
  /// A case of an enumeration, such as DEFAULT.
  std::string keyword();
  /// "[1, 2]".
  std::vector<std::int64_t> int_list();
  /// With `typed`, a following ": type" is part of the attribute.
  Attribute attribute(bool typed);
  AttributeList dictionary();
  void optional_dictionary(AttributeList& into);
  Type type();
  /// A tensor type; any other type is an error with this code.
  TensorType tensor_type(std::string_view code);
  /// "t" or "(t, u)".
  std::vector<Type> type_or_list();
  std::vector<Type> types_until_end();

  /// The use of a value: "%x" or "%x#1".
  ValueId use();
  std::vector<ValueId> uses();  ///< comma-separated, at least one
  /// A "%name" that is about to be defined; the caller defines it.
  std::string definition();
  /// A region "{ … }" of one block. Its arguments are given by the caller (pretty forms) or by a ^header. The loc(…) of
  /// the arguments in a header are appended to `locations`, one per argument.
  Block region(Function& function, const std::vector<std::pair<std::string, Type>>& arguments = {},
               std::vector<std::string>* locations = nullptr);

  /// Parses the items up to the colon: operands, "key = value" by the declaration's table, an attribute dictionary.
  void items(Op& op);
  /// Parses ": types" by the declaration's TypeForm, checks the operands' types and creates the results.
  void types(Function& function, Op& op);
  void functional_type(Function& function, Op& op);
  /// Checks the operands' types and creates the results.
  void finish(Function& function, Op& op, const std::vector<Type>& operands, const std::vector<Type>& results);

 private:
  /// The values that a name denotes, and the region that defines them.
  struct Bound {
    std::vector<ValueId> values;
    std::size_t scope = 0;
  };
  /// The previous binding of a name, restored at the end of a region.
  struct Undo {
    std::string name;
    bool existed = false;
    Bound old;
  };
  void module_body(Module& module, std::string_view end);
  void function(Module& module);
  void generic_function(Module& module, Place place);
  void block_body(Function& function, Block& block, std::string_view end);
  void operation(Function& function, Block& block);
  void generic_operation(Function& function, Op& op);
  void normalize(Op& op);
  Attribute pretty_value(const AttrSpec& spec);
  std::string optional_location();
  void define(std::string_view name, std::vector<ValueId> values, Place place);
  void unwind(std::size_t mark);
  void forget_names();
  DenseAttr dense();
  Type type_from(std::string_view text, Place place);
  Type tuple_type();
  void aliases();
  void name_arguments_by_location(Module& module) const;
  /// The location in the "(…)" after loc, with aliases resolved.
  [[nodiscard]] SourceLocation location_from(std::string_view text, int depth) const;

  Lexer lexer_;
  std::unordered_map<std::string, Bound> names_;
  std::vector<Undo> undo_;
  std::size_t scope_ = 0;
  std::size_t scopes_ = 0;
  std::unordered_map<std::string, std::string> location_aliases_;
  std::unordered_map<std::string, std::shared_ptr<SourceLocation>> locations_;  ///< of operations, by source text
  std::unordered_map<std::string, Attribute> attribute_aliases_;                ///< excluding arrays and dictionaries
  std::unordered_map<std::string, Type> type_aliases_;
  std::vector<std::vector<std::string>> argument_locations_;
  std::size_t operations_ = 0;
  int depth_ = 0;
};

/// Converts a property to the representation that `spec` prescribes: both "array<i64: 1>" and
/// "dense<1> : tensor<1xi64>" become an IntsAttr.
Attribute normalized(const AttrSpec& spec, const Attribute& attribute, Place place);
/// The fields of "#stablehlo.gather<offset_dims = [1], …>" as attributes.
AttributeList struct_fields(std::string_view raw, Place place);

}  // namespace partir::text
