// Attributes of operations, arguments and modules, in the few kinds that StableHLO text uses. Attributes of dialects
// that are not interpreted are kept as text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ir/literal.h"
#include "ir/types.h"
#include "support/diagnostic.h"

namespace partir {

struct Attribute;

/// Names and attributes in the order of the source; names are unique. Copies share storage until one is modified
/// (copy-on-write), because programs repeat the same operations many times.
class AttributeList {
 public:
  using Entry = std::pair<std::string, Attribute>;

  AttributeList() = default;
  AttributeList(std::initializer_list<Entry> entries);
  [[nodiscard]] const Entry* begin() const;
  [[nodiscard]] const Entry* end() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  const Entry& operator[](std::size_t i) const;
  void emplace_back(std::string name, Attribute value);
  /// Returns a copy sorted by name.
  [[nodiscard]] AttributeList sorted() const;

 private:
  friend void set(AttributeList& list, std::string_view name, Attribute value);
  friend bool drop(AttributeList& list, std::string_view name);
  std::vector<Entry>& own();                     ///< makes the storage unshared, for modification
  std::shared_ptr<std::vector<Entry>> entries_;  ///< null when empty
};
bool operator==(const AttributeList& a, const AttributeList& b);

struct UnitAttr {
  friend bool operator==(UnitAttr, UnitAttr) = default;
};
/// `3 : i64`; the type may be empty (in the pretty forms of properties).
struct IntAttr {
  std::int64_t value = 0;
  std::string type;
  friend bool operator==(const IntAttr&, const IntAttr&) = default;
};
/// `1.5 : f32`, kept as written.
struct FloatAttr {
  std::string text;
  std::string type;
  friend bool operator==(const FloatAttr&, const FloatAttr&) = default;
};
struct StringAttr {
  std::string value;
  friend bool operator==(const StringAttr&, const StringAttr&) = default;
};
/// A case of an enumeration, such as DEFAULT.
struct KeywordAttr {
  std::string value;
  friend bool operator==(const KeywordAttr&, const KeywordAttr&) = default;
};
/// `@name`, without the @.
struct SymbolAttr {
  std::string name;
  friend bool operator==(const SymbolAttr&, const SymbolAttr&) = default;
};
/// `array<i64: 1, 2>`, the usual form for lists of dimensions and sizes.
struct IntsAttr {
  std::vector<std::int64_t> values;
  friend bool operator==(const IntsAttr&, const IntsAttr&) = default;
};
struct ArrayAttr {
  std::vector<Attribute> items;
};
/// The special members are defined in attribute.cpp, because Attribute is incomplete here.
struct DictAttr {
  AttributeList entries;

  DictAttr();
  explicit DictAttr(AttributeList list);
  DictAttr(const DictAttr&);
  DictAttr(DictAttr&&) noexcept;
  DictAttr& operator=(const DictAttr&);
  DictAttr& operator=(DictAttr&&) noexcept;
  ~DictAttr();
};
struct DenseAttr {
  LiteralPtr literal;
};
/// A type, or an attribute of a dialect that is not interpreted: balanced text as written.
struct RawAttr {
  std::string text;
  Place place = {};  ///< where it was read; ignored by comparison
  friend bool operator==(const RawAttr& a, const RawAttr& b) { return a.text == b.text; }
};

struct Attribute {
  std::variant<UnitAttr, bool, IntAttr, FloatAttr, StringAttr, KeywordAttr, SymbolAttr, IntsAttr, ArrayAttr, DictAttr,
               DenseAttr, RawAttr>
      value;

  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&value);
  }
  /// The attribute in MLIR's generic syntax.
  [[nodiscard]] std::string str() const;
};

bool operator==(const Attribute& a, const Attribute& b);
bool operator==(const ArrayAttr& a, const ArrayAttr& b);
bool operator==(const DictAttr& a, const DictAttr& b);
bool operator==(const DenseAttr& a, const DenseAttr& b);

/// The attribute `name`; null if there is none.
const Attribute* find(const AttributeList& list, std::string_view name);
/// The target of a custom_call; null if it has none.
const std::string* call_target(const AttributeList& list);
/// The target of a custom_call and all attributes that decide its results: not those about buffers, nor Shardy's rule.
std::string text_of_call(const AttributeList& list);
/// Replaces or appends an attribute.
void set(AttributeList& list, std::string_view name, Attribute value);
/// Removes an attribute; returns false if there was none.
bool drop(AttributeList& list, std::string_view name);

/// An entry of mhlo.frontend_attributes, which XLA passes through; null if there is none.
const std::string* frontend_attribute(const AttributeList& list, std::string_view name);
void set_frontend_attribute(AttributeList& list, std::string_view name, std::string value);

/// "[1, 2]".
std::string ints_text(const std::vector<std::int64_t>& values);
/// The text in quotes, with MLIR's escapes: a newline is "\0A".
std::string quoted(std::string_view text);
/// "{a = 1 : i32, b}"; names are quoted if MLIR requires it.
std::string dictionary_text(const AttributeList& list);

}  // namespace partir
