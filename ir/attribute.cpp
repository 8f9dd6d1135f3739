#include "ir/attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace partir {
namespace {

struct AttributePrinter {
  std::string operator()(UnitAttr) const { return "unit"; }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(const IntAttr& a) const {
    if (a.type.empty()) return fmt::format("{}", a.value);
    if (a.type == "ui64") return fmt::format("{} : ui64", static_cast<std::uint64_t>(a.value));
    return fmt::format("{} : {}", a.value, a.type);
  }
  std::string operator()(const FloatAttr& a) const {
    return a.type.empty() ? a.text : fmt::format("{} : {}", a.text, a.type);
  }
  std::string operator()(const StringAttr& a) const { return quoted(a.value); }
  std::string operator()(const KeywordAttr& a) const { return a.value; }
  std::string operator()(const SymbolAttr& a) const {
    const bool plain = !a.name.empty() && std::all_of(a.name.begin(), a.name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '$' || c == '-';
    });
    return "@" + (plain && std::isdigit(static_cast<unsigned char>(a.name[0])) == 0 ? a.name : quoted(a.name));
  }
  std::string operator()(const IntsAttr& a) const {
    if (a.values.empty()) return "array<i64>";
    return fmt::format("array<i64: {}>", fmt::join(a.values, ", "));
  }
  std::string operator()(const ArrayAttr& a) const {
    std::string out = "[";
    for (std::size_t i = 0; i < a.items.size(); ++i) out += (i != 0 ? ", " : "") + a.items[i].str();
    return out + "]";
  }
  std::string operator()(const DictAttr& a) const { return dictionary_text(a.entries); }
  std::string operator()(const DenseAttr& a) const {
    return fmt::format("{} : {}", a.literal->str(), a.literal->type.str());
  }
  std::string operator()(const RawAttr& a) const { return a.text; }
};

}  // namespace

DictAttr::DictAttr() = default;
DictAttr::DictAttr(AttributeList list) : entries(std::move(list)) {}
DictAttr::DictAttr(const DictAttr&) = default;
DictAttr::DictAttr(DictAttr&&) noexcept = default;
DictAttr& DictAttr::operator=(const DictAttr&) = default;
DictAttr& DictAttr::operator=(DictAttr&&) noexcept = default;
DictAttr::~DictAttr() = default;

std::string Attribute::str() const { return std::visit(AttributePrinter{}, value); }

bool operator==(const ArrayAttr& a, const ArrayAttr& b) { return a.items == b.items; }
bool operator==(const DictAttr& a, const DictAttr& b) { return a.entries == b.entries; }
bool operator==(const DenseAttr& a, const DenseAttr& b) { return *a.literal == *b.literal; }
bool operator==(const Attribute& a, const Attribute& b) { return a.value == b.value; }

AttributeList::AttributeList(std::initializer_list<Entry> entries)
    : entries_(entries.size() == 0 ? nullptr : std::make_shared<std::vector<Entry>>(entries)) {}
const AttributeList::Entry* AttributeList::begin() const { return entries_ == nullptr ? nullptr : entries_->data(); }
const AttributeList::Entry* AttributeList::end() const { return begin() + size(); }
std::size_t AttributeList::size() const { return entries_ == nullptr ? 0 : entries_->size(); }
const AttributeList::Entry& AttributeList::operator[](std::size_t i) const { return (*entries_)[i]; }
void AttributeList::emplace_back(std::string name, Attribute value) {
  own().emplace_back(std::move(name), std::move(value));
}

std::vector<AttributeList::Entry>& AttributeList::own() {
  if (entries_ == nullptr) {
    entries_ = std::make_shared<std::vector<Entry>>();
  } else if (entries_.use_count() > 1) {
    entries_ = std::make_shared<std::vector<Entry>>(*entries_);
  }
  return *entries_;
}

AttributeList AttributeList::sorted() const {
  AttributeList out = *this;
  if (size() > 1) {
    std::vector<Entry>& entries = out.own();
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  }
  return out;
}

bool operator==(const AttributeList& a, const AttributeList& b) {
  return a.begin() == b.begin() || std::equal(a.begin(), a.end(), b.begin(), b.end());
}

const Attribute* find(const AttributeList& list, std::string_view name) {
  for (const auto& [key, value] : list) {
    if (key == name) return &value;
  }
  return nullptr;
}

const std::string* call_target(const AttributeList& list) {
  const Attribute* target = find(list, "call_target_name");
  const StringAttr* name = target != nullptr ? target->as<StringAttr>() : nullptr;
  return name != nullptr ? &name->value : nullptr;
}

std::string text_of_call(const AttributeList& list) {
  static const std::set<std::string, std::less<>> others = {"call_target_name", "mhlo.frontend_attributes",
                                                            "output_operand_aliases", "sdy.sharding_rule"};
  std::string out = *call_target(list);
  for (const auto& [name, value] : list.sorted()) {
    if (!others.contains(name)) out += fmt::format(" {}={}", name, value.str());
  }
  return out;
}

void set(AttributeList& list, std::string_view name, Attribute value) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].first == name) {
      list.own()[i].second = std::move(value);
      return;
    }
  }
  list.emplace_back(std::string(name), std::move(value));
}

bool drop(AttributeList& list, std::string_view name) {
  if (find(list, name) == nullptr) return false;
  std::erase_if(list.own(), [&](const auto& entry) { return entry.first == name; });
  return true;
}

const std::string* frontend_attribute(const AttributeList& list, std::string_view name) {
  const Attribute* a = find(list, "mhlo.frontend_attributes");
  const DictAttr* dict = a != nullptr ? a->as<DictAttr>() : nullptr;
  const Attribute* entry = dict != nullptr ? find(dict->entries, name) : nullptr;
  const StringAttr* text = entry != nullptr ? entry->as<StringAttr>() : nullptr;
  return text != nullptr ? &text->value : nullptr;
}

void set_frontend_attribute(AttributeList& list, std::string_view name, std::string value) {
  DictAttr dict;
  if (const Attribute* old = find(list, "mhlo.frontend_attributes"); old != nullptr && old->as<DictAttr>() != nullptr) {
    dict = *old->as<DictAttr>();
  }
  set(dict.entries, name, {StringAttr{std::move(value)}});
  set(list, "mhlo.frontend_attributes", {std::move(dict)});
}

std::string ints_text(const std::vector<std::int64_t>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (std::isprint(static_cast<unsigned char>(c)) != 0) {
      out += c;
    } else {
      out += fmt::format("\\{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out + "\"";
}

std::string dictionary_text(const AttributeList& list) {
  std::string out = "{";
  for (const auto& [name, value] : list) {
    if (out.size() > 1) out += ", ";
    const bool plain = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_') &&
                       std::all_of(name.begin(), name.end(), [](unsigned char c) {
                         return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '$';
                       });
    out += plain ? name : quoted(name);
    if (value.as<UnitAttr>() == nullptr) out += " = " + value.str();
  }
  return out + "}";
}

}  // namespace partir
