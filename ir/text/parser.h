// The reader's machinery, as declarations with a form of their own use it. Users call read_module (ir/text/read.h).
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

  /// The whole text; throws UserError.
  Module module();

  // --- For the forms of single operations ---------------------------------------------------------------------------
  [[nodiscard]] Place here() const { return lexer_.peek().place; }
  [[nodiscard]] bool at(std::string_view text) const;
  bool accept(std::string_view text);
  void expect(std::string_view text);
  [[noreturn]] void unexpected(std::string wanted);
  [[nodiscard]] Token::Kind kind() const { return lexer_.peek().kind; }
  Token take() { return lexer_.take(); }
  /// The text from `open`, which must stand here, to the bracket that closes it.
  std::string_view balanced(std::string_view open);
  /// Moves behind "loc(…)", if there is one.
  void skip_location() { (void)optional_location(); }

  std::int64_t integer();
  std::string identifier();
  std::string string();
  std::string symbol();
  /// An enumeration's case such as DEFAULT.
  std::string keyword();
  /// "[1, 2]".
  std::vector<std::int64_t> int_list();
  /// With `typed`, a number takes the ": type" behind it.
  Attribute attribute(bool typed);
  AttributeList dictionary();
  void optional_dictionary(AttributeList& into);
  Type type();
  /// A type that must be a tensor's; else an error with this code.
  TensorType tensor_type(std::string_view code);
  /// "t" or "(t, u)".
  std::vector<Type> type_or_list();
  std::vector<Type> types_until_end();

  /// A use: "%x" or "%x#1".
  ValueId use();
  std::vector<ValueId> uses();  ///< comma-separated, at least one
  /// "%name": defines it, in a nested scope.
  std::string definition();
  /// "{ … }" with block arguments given beforehand (pretty forms) or in a ^header.
  /// The header's loc(…) go to `locations`, one an argument.
  Block region(Function& function, const std::vector<std::pair<std::string, Type>>& arguments = {},
               std::vector<std::string>* locations = nullptr);

  /// Items up to the colon: operands, "key = value" by the declaration's table, an attribute dictionary.
  void items(Op& op);
  /// ": types" by the declaration's form; checks operands and makes the results.
  void types(Function& function, Op& op);
  void functional_type(Function& function, Op& op);
  /// Checks the operands' types and makes the results.
  void finish(Function& function, Op& op, const std::vector<Type>& operands, const std::vector<Type>& results);

 private:
  /// What a name stands for, and the region that defined it.
  struct Bound {
    std::vector<ValueId> values;
    std::size_t scope = 0;
  };
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
  /// What "(…)" behind loc says, through aliases.
  [[nodiscard]] SourceLocation location_from(std::string_view text, int depth) const;

  Lexer lexer_;
  std::unordered_map<std::string, Bound> names_;
  std::vector<Undo> undo_;
  std::size_t scope_ = 0;
  std::size_t scopes_ = 0;
  std::unordered_map<std::string, std::string> location_aliases_;
  std::unordered_map<std::string, std::shared_ptr<SourceLocation>> locations_;  ///< of operations, by their text
  std::unordered_map<std::string, Attribute> attribute_aliases_;                ///< without those that nest
  std::unordered_map<std::string, Type> type_aliases_;
  std::vector<std::vector<std::string>> argument_locations_;
  std::size_t operations_ = 0;
  int depth_ = 0;
};

/// Rewrites one property to the form that `spec` holds ("array<i64: 1>", "dense<1> : tensor<1xi64>" to IntsAttr).
Attribute normalized(const AttrSpec& spec, const Attribute& attribute, Place place);
/// Fields of "#stablehlo.gather<offset_dims = [1], …>" as attributes.
AttributeList struct_fields(std::string_view raw, Place place);

}  // namespace partir::text
