#include "ir/text/print.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/op_decl.h"

namespace partir {
namespace text {

std::string OpPrinter::value(ValueId v) const {
  if (v.index() < names_.size() && !names_[v.index()].empty()) return names_[v.index()];
  return fmt::format("%v{}", v.index());
}

std::string OpPrinter::values(const std::vector<ValueId>& list) const {
  std::string out;
  for (const ValueId v : list) out += (out.empty() ? "" : ", ") + value(v);
  return out;
}

void OpPrinter::name(ValueId v, std::string name) {
  if (names_.size() <= v.index()) names_.resize(v.index() + 1);
  names_[v.index()] = std::move(name);
}

std::string OpPrinter::fresh(ValueId v) {
  name(v, fmt::format("%{}", next_++));
  return value(v);
}

void OpPrinter::newline() {
  out_ += '\n';
  out_.append(static_cast<std::size_t>(2 * indent), ' ');
}

namespace {
const AttrSpec* spec_of(const OpDecl& decl, const std::string& name) {
  for (const AttrSpec& s : decl.attributes) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

std::string keyword_text(const AttrSpec& spec, const Attribute& value, std::string_view dialect) {
  const KeywordAttr* k = value.as<KeywordAttr>();
  return k == nullptr ? value.str() : fmt::format("#{}<{} {}>", dialect, spec.enumeration, k->value);
}

std::string property_text(const AttrSpec& spec, const Attribute& value, std::string_view dialect, bool field) {
  if (const IntsAttr* ints = value.as<IntsAttr>(); ints != nullptr && field) return ints_text(ints->values);
  if (const IntAttr* i = value.as<IntAttr>(); i != nullptr && spec.kind == AttrSpec::Kind::integer) {
    return field ? fmt::format("{}", i->value) : fmt::format("{} : i64", i->value);
  }
  if (spec.kind == AttrSpec::Kind::keyword) return keyword_text(spec, value, dialect);
  if (const ArrayAttr* array = value.as<ArrayAttr>(); array != nullptr && spec.kind == AttrSpec::Kind::keywords) {
    std::string out = "[";
    for (const Attribute& a : array->items) out += (out.size() > 1 ? ", " : "") + keyword_text(spec, a, dialect);
    return out + "]";
  }
  return value.str();
}
/// True if the pretty form by the declaration's tables can express the operation completely.
bool has_pretty_form(const Function& f, const Op& op) {
  if (op.decl->parse != nullptr || !op.regions.empty() || op.decl->name.find('-') != std::string::npos) return false;
  for (const auto& [name, value] : op.attributes) {
    const AttrSpec* spec = spec_of(*op.decl, name);
    if (spec != nullptr && spec->pretty.empty()) return false;
  }
  const auto type = [&](const std::vector<ValueId>& values, std::size_t i) -> const Type& { return f.type(values[i]); };
  const std::size_t n = op.operands.size();
  switch (op.decl->types) {
    case OpDecl::TypeForm::select:
      return n == 3 && op.results.size() == 1 && type(op.operands, 1) == type(op.results, 0) &&
             type(op.operands, 2) == type(op.results, 0);
    case OpDecl::TypeForm::list: {
      const auto same = [&](ValueId a, ValueId b) { return f.type(a) == f.type(b); };
      return n != 0 && std::equal(op.operands.begin(), op.operands.end(), op.results.begin(), op.results.end(), same);
    }
    case OpDecl::TypeForm::complex: {
      if (op.results.size() != 1 || !type(op.results, 0).is_tensor() || !is_complex(type(op.results, 0)->element))
        return false;
      TensorType part = *type(op.results, 0);
      part.element = part.element == ElementType::c128 ? ElementType::f64 : ElementType::f32;
      return std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId v) { return f.type(v) == part; });
    }
    case OpDecl::TypeForm::arrow: return n != 0 && op.results.size() == 1;
    default: return true;
  }
}
}  // namespace

void OpPrinter::dictionary(const Op& op, const std::vector<std::string>& hidden) {
  AttributeList rest;
  for (const auto& [name, value] : op.attributes) {
    if (spec_of(*op.decl, name) == nullptr && std::find(hidden.begin(), hidden.end(), name) == hidden.end()) {
      rest.emplace_back(name, value);
    }
  }
  if (!rest.empty()) out_ += " " + dictionary_text(rest);
}

void OpPrinter::functional_type(const Function& f, const Op& op) {
  std::string operands;
  for (const ValueId v : op.operands) operands += (operands.empty() ? "" : ", ") + f.type(v).str();
  std::string results;
  for (const ValueId v : op.results) results += (results.empty() ? "" : ", ") + f.type(v).str();
  out_ += fmt::format(" : ({}) -> ", operands);
  out_ += op.results.size() == 1 ? results : "(" + results + ")";
}

void OpPrinter::types(const Function& f, const Op& op) {
  const auto all_are = [&](const Type& t) {
    for (const ValueId v : op.operands) {
      if (f.type(v) != t) return false;
    }
    return true;
  };
  switch (op.decl->types) {
    case OpDecl::TypeForm::same:
      if (op.results.size() == 1 && all_are(f.type(op.results[0]))) {
        out_ += " : " + f.type(op.results[0]).str();
        return;
      }
      break;
    case OpDecl::TypeForm::select:
      out_ += fmt::format(" : {}, {}", f.type(op.operands[0]).str(), f.type(op.results[0]).str());
      return;
    case OpDecl::TypeForm::list: {
      std::string list;
      for (const ValueId v : op.operands) list += (list.empty() ? "" : ", ") + f.type(v).str();
      out_ += " : " + list;
      return;
    }
    case OpDecl::TypeForm::complex: out_ += " : " + f.type(op.results[0]).str(); return;
    case OpDecl::TypeForm::arrow: {
      std::string list;
      for (const ValueId v : op.operands) list += (list.empty() ? "" : ", ") + f.type(v).str();
      out_ += fmt::format(" : {} -> {}", list, f.type(op.results[0]).str());
      return;
    }
    default: break;
  }
  functional_type(f, op);
}

void OpPrinter::operation(const Function& f, const Op& op) {
  if (!op.results.empty()) {
    const std::string first = fresh(op.results[0]);
    if (op.results.size() == 1) {
      out_ += first + " = ";
    } else {
      out_ += fmt::format("{}:{} = ", first, op.results.size());
      for (std::size_t i = 0; i < op.results.size(); ++i) name(op.results[i], fmt::format("{}#{}", first, i));
    }
  }
  const OpDecl& decl = *op.decl;
  if (decl.print != nullptr && (decl.prints == nullptr || decl.prints(f, op))) {
    decl.print(*this, f, op);
  } else if (decl.print != nullptr || decl.generic || !has_pretty_form(f, op)) {
    generic(f, op);
  } else {
    pretty(f, op);
  }
}

void OpPrinter::pretty(const Function& f, const Op& op) {
  out_ += op.decl->name;
  std::string items = values(op.operands);
  for (const AttrSpec& spec : op.decl->attributes) {
    const Attribute* value = partir::find(op.attributes, spec.name);
    if (spec.pretty.empty() || value == nullptr) continue;
    std::string text = value->str();
    if (const IntsAttr* ints = value->as<IntsAttr>()) text = ints_text(ints->values);
    items += fmt::format("{}{} = {}", items.empty() ? "" : ", ", spec.pretty, text);
  }
  if (!items.empty()) out_ += " " + items;
  dictionary(op);
  types(f, op);
}

void OpPrinter::generic(const Function& f, const Op& op) {
  const std::string_view dialect = std::string_view(op.decl->name).substr(0, op.decl->name.find('.'));
  out_ += fmt::format("{}({})", quoted(op.decl->name), values(op.operands));
  std::string properties;
  const auto property = [&](const std::string& name, const std::string& text) {
    properties += fmt::format("{}{} = {}", properties.empty() ? "" : ", ", name, text);
  };
  std::vector<std::string> groups;
  for (const AttrSpec& spec : op.decl->attributes) {
    if (!spec.group.empty()) {
      if (std::find(groups.begin(), groups.end(), spec.group) != groups.end()) continue;
      groups.push_back(spec.group);
      std::string fields;
      for (const AttrSpec& s : op.decl->attributes) {
        const Attribute* value = s.group == spec.group ? partir::find(op.attributes, s.name) : nullptr;
        if (value == nullptr) continue;
        if (const IntsAttr* ints = value->as<IntsAttr>(); ints != nullptr && ints->values.empty()) continue;
        fields += fmt::format("{}{} = {}", fields.empty() ? "" : ", ", s.name, property_text(s, *value, dialect, true));
      }
      property(spec.group, fmt::format("{}<{}>", spec.head, fields));
      continue;
    }
    const Attribute* value = partir::find(op.attributes, spec.name);
    if (value == nullptr) continue;
    if (value->as<UnitAttr>() != nullptr) {
      properties += (properties.empty() ? "" : ", ") + spec.name;
    } else {
      property(spec.name, property_text(spec, *value, dialect, false));
    }
  }
  // All attributes of an opaque operation are printed as discardable ones; MLIR also accepts inherent ones there.
  if (!properties.empty()) out_ += " <{" + properties + "}>";
  if (!op.regions.empty()) {
    out_ += " (";
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      if (i != 0) out_ += ", ";
      region(f, op.regions[i], true);
    }
    out_ += ")";
  }
  dictionary(op);
  functional_type(f, op);
}

void OpPrinter::region(const Function& f, const Block& b, bool header) {
  out_ += "{";
  if (header && !b.arguments.empty()) {
    newline();
    out_ += "^bb0(";
    for (std::size_t i = 0; i < b.arguments.size(); ++i) {
      if (i != 0) out_ += ", ";
      out_ += fresh(b.arguments[i]) + ": " + f.type(b.arguments[i]).str();
    }
    out_ += "):";
  }
  ++indent;
  block(f, b);
  --indent;
  newline();
  out_ += "}";
}

void OpPrinter::block(const Function& f, const Block& b) {
  for (const Op& op : b.ops) {
    newline();
    operation(f, op);
  }
}

}  // namespace text

namespace {
void print_function(const Function& f, std::string& out) {
  text::OpPrinter printer(out);
  printer.indent = 1;
  printer.newline();
  out += fmt::format("func.func {} {}(", f.is_public ? "public" : "private", Attribute{SymbolAttr{f.name}}.str());
  for (std::size_t i = 0; i < f.arguments().size(); ++i) {
    const ValueId v = f.arguments()[i];
    printer.name(v, fmt::format("%arg{}", i));
    out += fmt::format("{}{}: {}", i != 0 ? ", " : "", printer.value(v), f.type(v).str());
    if (i < f.argument_attributes.size() && !f.argument_attributes[i].empty()) {
      out += " " + dictionary_text(f.argument_attributes[i]);
    }
  }
  out += ") -> (";
  for (std::size_t i = 0; i < f.returned().size(); ++i) {
    out += fmt::format("{}{}", i != 0 ? ", " : "", f.type(f.returned()[i]).str());
    if (i < f.result_attributes.size() && !f.result_attributes[i].empty()) {
      out += " " + dictionary_text(f.result_attributes[i]);
    }
  }
  out += ") ";
  if (!f.attributes.empty()) out += "attributes " + dictionary_text(f.attributes) + " ";
  printer.region(f, f.body, false);
}
}  // namespace

std::string print_module(const Module& module) {
  std::string out = "module";
  if (!module.name.empty()) out += " " + Attribute{SymbolAttr{module.name}}.str();
  if (!module.attributes.empty()) out += " attributes " + dictionary_text(module.attributes);
  out += " {";
  for (const std::string& line : module.declarations) out += "\n  " + line;
  for (const Function& f : module.functions) print_function(f, out);
  return out + "\n}\n";
}

std::string print_op(const Function& function, const Op& op) {
  std::string out;
  text::OpPrinter printer(out);
  std::size_t next = 0;
  for (const ValueId v : function.arguments()) printer.name(v, fmt::format("%arg{}", next++));
  printer.operation(function, op);
  return out;
}

}  // namespace partir
