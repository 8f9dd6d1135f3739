// Finds a form of an operation with symbolic sizes (symbolic_op.h): chooses how each factor's size is written, replaces
// sizes and the attributes that depend on them by distinctive numbers, checks that the operation is well-formed at
// those and at other sizes, prints it, and replaces the numbers by symbols.
#include "verify/rules/symbolic_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "ir/cloner.h"
#include "ir/ops/common.h"
#include "ir/text/print.h"

namespace partir::rules {
namespace {

/// How a factor's size is written. A factor matches if each dimension that has it is the product of its factors;
/// otherwise the dimensions differ from it because of windows, padding or limits.
enum class SizeForm : std::uint8_t {
  fixed,      ///< the program's size
  symbol,     ///< a symbol; dimensions that do not match keep their sizes
  multiples,  ///< dimensions and limits are multiples of the symbol
  offsets,    ///< dimensions and limits are the symbol plus a number
};
using SizeForms = std::vector<SizeForm>;

bool has(const std::vector<FactorIndex>& list, FactorIndex f) {
  return std::find(list.begin(), list.end(), f) != list.end();
}

/// Attributes with one number for each dimension of operand 0, which is a size or position in that dimension.
constexpr std::string_view kPositions[] = {"start_indices", "limit_indices", "slice_sizes"};

class Resizer {
 public:
  Resizer(const OpInstance& op, const ShardingRule& rule, FactorIndex factor, const std::vector<FactorIndex>& away)
      : op_(op), rule_(rule), factor_(factor), away_(away) {
    for (FactorIndex f = 0; f < rule.sizes.size(); ++f) collect_properties(f);
    SymbolicOp as_it_is;
    print(op, {}, as_it_is);
    const auto note = [&](const std::string& text) {
      with_numbers(text, [&](std::int64_t n) {
        numbers_.insert(n);
        return std::optional<std::string>();
      });
    };
    note(as_it_is.body);
    for (const std::string& type : as_it_is.operand_types) note(type);
  }

  std::optional<SymbolicOp> best() {
    std::vector<SizeForms> options;
    for (FactorIndex f = 0; f < rule_.sizes.size(); ++f) options.push_back(options_of(f));
    std::size_t most = 0;
    for (const SizeForms& o : options) most += o.size() - 1;
    std::size_t tried = 0;
    SizeForms chosen(options.size());
    for (std::size_t cost = 0; cost <= most && tried < kMostTries; ++cost) {
      auto found = search(options, 0, cost, chosen, tried);
      if (found) return found;
    }
    if (std::exchange(tied_, true)) return std::nullopt;
    return best();
  }

 private:
  static constexpr std::size_t kMostTries = 1500;

  /// Properties of the dimensions that have a factor.
  struct Carried {
    bool matches = true;
    bool alone = true;
    std::int64_t divisor = 0;  ///< greatest common divisor of its dimensions and of positions in them
    std::int64_t least = 0;    ///< smallest of its dimensions
  };

  /// The symbolic text that each number in a printed operation represents.
  struct Texts {
    std::map<std::int64_t, std::string> of;
    bool ambiguous = false;  ///< a number represents two different texts
  };

  [[nodiscard]] std::int64_t product(const DimFactors& dim) const {
    std::int64_t out = 1;
    for (const FactorIndex f : dim) out *= rule_.sizes[f];
    return out;
  }

  template <class F>
  void for_each_dim(F&& f) const {
    for (std::size_t k = 0; k < op_.operands.size(); ++k) {
      for (std::size_t d = 0; d < op_.operands[k].rank(); ++d)
        f(rule_.operands[k][d], op_.operands[k]->dims[d], k == 0 ? d : SIZE_MAX);
    }
    for (std::size_t k = 0; k < op_.results.size(); ++k) {
      for (std::size_t d = 0; d < op_.results[k].rank(); ++d) f(rule_.results[k][d], op_.results[k]->dims[d], SIZE_MAX);
    }
  }

  void collect_properties(FactorIndex f) {
    Carried c;
    for_each_dim([&](const DimFactors& dim, std::int64_t size, std::size_t position) {
      if (!has(dim, f)) return;
      c.matches = c.matches && product(dim) == size;
      c.alone = c.alone && dim.size() == 1;
      c.divisor = std::gcd(c.divisor, size);
      c.least = c.least == 0 ? size : std::min(c.least, size);
      if (position == SIZE_MAX) return;
      for (const std::string_view name : kPositions) {
        const auto& list = op_.ints(name);
        if (position < list.size()) c.divisor = std::gcd(c.divisor, list[position]);
      }
    });
    carried_.push_back(c);
  }

  [[nodiscard]] SizeForms options_of(FactorIndex f) const {
    const Carried& c = carried_[f];
    if (rule_.sizes[f] == 1 || has(away_, f)) return {SizeForm::fixed};
    if (c.matches) return f == factor_ ? SizeForms{SizeForm::symbol} : SizeForms{SizeForm::symbol, SizeForm::fixed};
    SizeForms out;
    const bool multiples = c.alone && (c.divisor > 1 || f == factor_);
    if (multiples) out.push_back(SizeForm::multiples);
    if (c.alone) out.push_back(SizeForm::offsets);
    if (f != factor_) {
      out.push_back(SizeForm::symbol);
      out.push_back(SizeForm::fixed);
    }
    if (c.alone && !multiples) out.push_back(SizeForm::multiples);
    if (out.empty()) out.push_back(SizeForm::symbol);  // which `dimension` then rejects
    return out;
  }

  std::optional<SymbolicOp> search(const std::vector<SizeForms>& options, FactorIndex f, std::size_t cost,
                                   SizeForms& chosen, std::size_t& tried) {
    if (f == options.size()) {
      if (cost != 0) return std::nullopt;
      ++tried;
      return written(chosen);
    }
    for (std::size_t k = 0; k < options[f].size() && k <= cost && tried < kMostTries; ++k) {
      chosen[f] = options[f][k];
      auto found = search(options, f + 1, cost - k, chosen, tried);
      if (found) return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Size> dimension(const DimFactors& dim, std::int64_t size, const SizeForms& forms) const {
    if (product(dim) == size) {
      if (dim.size() == 1 && forms[dim[0]] == SizeForm::multiples) return position(dim[0], size, forms);
      if (dim.size() == 1 && forms[dim[0]] == SizeForm::offsets) return position(dim[0], size, forms);
      Size out;
      for (const FactorIndex f : dim) {
        if (has(away_, f)) continue;
        if (forms[f] == SizeForm::fixed) {
          out.coefficient *= rule_.sizes[f];
        } else {
          out.symbols.push_back(f);
        }
      }
      return out;
    }
    const bool touched =
        std::any_of(dim.begin(), dim.end(), [&](FactorIndex f) { return f == factor_ || has(away_, f); });
    if (dim.size() == 1 && (forms[dim[0]] == SizeForm::multiples || forms[dim[0]] == SizeForm::offsets))
      return position(dim[0], size, forms);
    if (touched) return std::nullopt;  // the rule does not state which part of it the factor is
    return Size{size, {}, 0};
  }

  /// Returns a dimension of factor f, or a position in one, as a symbolic size.
  [[nodiscard]] Size position(FactorIndex f, std::int64_t value, const SizeForms& forms) const {
    if (forms[f] == SizeForm::multiples)
      return {value / carried_[f].divisor, value == 0 ? DimFactors{} : DimFactors{f}, 0};
    return {1, {f}, value - carried_[f].least};
  }

  /// Returns the operation with sizes of these forms; nothing unless it is well-formed both at large sizes, which
  /// distinguish symbols, products and sums, and at small ones.
  [[nodiscard]] std::optional<SymbolicOp> written(const SizeForms& forms) const {
    SymbolicOp out;
    const auto sizes_of = [&](const std::vector<TensorFactors>& mappings, const std::vector<Type>& types,
                              std::vector<std::vector<Size>>& into) {
      for (std::size_t k = 0; k < types.size(); ++k) {
        into.emplace_back();
        for (std::size_t d = 0; d < types[k].rank(); ++d) {
          const auto size = dimension(mappings[k][d], types[k]->dims[d], forms);
          if (!size) return false;
          into.back().push_back(*size);
        }
      }
      return true;
    };
    if (!sizes_of(rule_.operands, op_.operands, out.operands)) return std::nullopt;
    if (!sizes_of(rule_.results, op_.results, out.results)) return std::nullopt;
    // Far enough apart that a symbol plus a small number, as padding adds, is not another symbol.
    static constexpr std::int64_t primes[] = {100003, 110017, 120011, 130003, 140009, 150001, 160001, 170003, 180001,
                                              190027, 200003, 210011, 220009, 230003, 240007, 250007, 260003, 270001};
    static constexpr std::int64_t small[] = {9, 13, 19, 21, 31, 33, 39, 49, 51, 61, 63, 69, 87, 91, 93, 97, 103, 109};
    if (rule_.sizes.size() > std::size(primes)) return std::nullopt;
    const std::vector<std::int64_t> values(primes, primes + rule_.sizes.size());
    std::vector<std::int64_t> others(small, small + rule_.sizes.size());
    std::reverse(others.begin(), others.end());
    Texts texts;
    const OpInstance first = at(values, out, forms, &texts);
    for (const auto& [number, text] : texts.of) {
      if (numbers_.count(number) != 0) texts.ambiguous = true;
    }
    if (texts.ambiguous) return std::nullopt;
    for (std::vector<std::int64_t> sizes : {values, others}) {
      if (tied_) tie(sizes);
      if (!is_well_formed(at(sizes, out, forms, nullptr))) return std::nullopt;
    }
    for (FactorIndex f = 0; tied_ && f < rule_.sizes.size(); ++f) {
      const FactorIndex g = first_of_size(f);
      if (g != f && forms[f] == SizeForm::symbol && forms[g] == SizeForm::symbol)
        out.where.push_back(fmt::format("{} == {}", symbol_name(f), symbol_name(g)));
    }
    print(first, texts.of, out);
    return out;
  }

  [[nodiscard]] FactorIndex first_of_size(FactorIndex f) const {
    return static_cast<FactorIndex>(std::find(rule_.sizes.begin(), rule_.sizes.end(), rule_.sizes[f]) -
                                    rule_.sizes.begin());
  }
  /// Gives factors that have equal sizes in the program equal values.
  void tie(std::vector<std::int64_t>& values) const {
    for (FactorIndex f = 0; f < values.size(); ++f) values[f] = values[first_of_size(f)];
  }

  static bool is_well_formed(const OpInstance& op) { return verify_op(op).has_value() && has_meaning(op); }

  static std::int64_t value_of(const Size& s, const std::vector<std::int64_t>& values) {
    std::int64_t out = s.coefficient;
    for (const FactorIndex f : s.symbols) out *= values[f];
    return out + s.offset;
  }
  static std::string text_of(const Size& s) {
    std::string out;
    if (s.coefficient != 1 || s.symbols.empty()) out = fmt::format("{}", s.coefficient);
    for (const FactorIndex f : s.symbols) out += (out.empty() ? "" : "*") + symbol_name(f);
    return s.offset == 0 ? out : fmt::format("{}{:+}", out, s.offset);
  }

  /// Returns the operation at these values of the symbols. `texts` receives the text that each number represents.
  OpInstance at(const std::vector<std::int64_t>& values, const SymbolicOp& sizes, const SizeForms& forms,
                Texts* texts) const {
    OpInstance out = op_;
    const auto number = [&](const Size& s) {
      const std::int64_t v = value_of(s, values);
      if (texts != nullptr && !s.symbols.empty()) {
        const auto [it, is_new] = texts->of.try_emplace(v, text_of(s));
        if (!is_new && it->second != text_of(s)) texts->ambiguous = true;
      }
      return v;
    };
    const auto resize = [&](std::vector<Type>& types, const std::vector<std::vector<Size>>& to) {
      for (std::size_t k = 0; k < types.size(); ++k) {
        for (std::size_t d = 0; d < types[k].rank(); ++d) types[k]->dims[d] = number(to[k][d]);
      }
    };
    resize(out.operands, sizes.operands);
    resize(out.results, sizes.results);
    if (out.operands.empty()) return out;
    for (const std::string_view name : kPositions) {
      IntsAttr list{op_.ints(name)};
      if (list.values.size() != op_.operands[0].rank()) continue;
      for (std::size_t d = 0; d < list.values.size(); ++d) {
        const DimFactors& dim = rule_.operands[0][d];
        const std::int64_t v = list.values[d];
        const bool moves = name != "start_indices" || (dim.size() == 1 && forms[dim[0]] == SizeForm::multiples);
        const bool whole = name != "start_indices" && v == op_.operands[0]->dims[d];
        if (whole) {
          list.values[d] = number(sizes.operands[0][d]);
        } else if (moves && v != 0 && dim.size() == 1 &&
                   (forms[dim[0]] == SizeForm::multiples || forms[dim[0]] == SizeForm::offsets)) {
          list.values[d] = number(position(dim[0], v, forms));
        }
      }
      set(out.attributes, name, {std::move(list)});
    }
    resize_windows(out, sizes, number);
    resize_groups(out, forms, number);
    return out;
  }

  /// Resizes windows that cover a whole dimension, and padding of that size less 1 (cumulative sums).
  template <class F>
  void resize_windows(OpInstance& out, const SymbolicOp& sizes, F&& number) const {
    IntsAttr windows{op_.ints("window_dimensions")};
    if (windows.values.size() != op_.operands[0].rank()) return;
    const Attribute* padding = find(op_.attributes, "padding");
    const DenseAttr* dense = padding != nullptr ? padding->as<DenseAttr>() : nullptr;
    std::vector<std::int64_t> pads;
    for (std::size_t k = 0; dense != nullptr && k < 2 * windows.values.size(); ++k)
      pads.push_back(dense->literal->as_int(static_cast<std::int64_t>(k)));
    for (std::size_t d = 0; d < windows.values.size(); ++d) {
      const std::int64_t size = op_.operands[0]->dims[d];
      if (windows.values[d] != size || size == 1) continue;
      const Size& s = sizes.operands[0][d];
      windows.values[d] = number(s);
      Size before = s;
      before.offset -= 1;
      for (std::size_t k = 2 * d; k < 2 * d + 2 && k < pads.size(); ++k) {
        if (pads[k] == size - 1) pads[k] = number(before);
      }
    }
    set(out.attributes, "window_dimensions", {std::move(windows)});
    if (dense != nullptr) set(out.attributes, "padding", {DenseAttr{int_literal(dense->literal->type, pads)}});
  }

  /// Resizes the group counts of a convolution, which are a factor of the kernel's output features.
  template <class F>
  void resize_groups(OpInstance& out, const SizeForms& forms, F&& number) const {
    for (const char* name : {"feature_group_count", "batch_group_count"}) {
      const std::int64_t count = op_.integer(name, 1);
      if (count == 1 || rule_.operands.size() < 2) continue;
      for (const DimFactors& dim : rule_.operands[1]) {
        if (dim.empty() || rule_.sizes[dim[0]] != count) continue;
        const bool shared =
            std::any_of(rule_.operands[0].begin(), rule_.operands[0].end(),
                        [&](const DimFactors& other) { return other.size() > 1 && other[0] == dim[0]; });
        if (dim.size() < 2 && !shared) continue;
        Size s;
        if (forms[dim[0]] == SizeForm::fixed) {
          s.coefficient = has(away_, dim[0]) ? 1 : count;
        } else {
          s.symbols = {dim[0]};
        }
        set(out.attributes, name, {IntAttr{number(s), "i64"}});
      }
    }
  }

  /// Replaces each number that is a token of its own by what `replacement` returns, or keeps it if that is nothing.
  template <class F>
  static std::string with_numbers(const std::string& printed, F&& replacement) {
    std::string out;
    for (std::size_t at = 0; at < printed.size();) {
      std::size_t end = at;
      while (end < printed.size() && std::isdigit(static_cast<unsigned char>(printed[end])) != 0) ++end;
      if (end == at) {
        out += printed[at++];
        continue;
      }
      const char before = at == 0 ? ' ' : printed[at - 1];
      const bool name = before == '%' || before == '.' || before == '#' || before == '_' ||
                        (std::isalpha(static_cast<unsigned char>(before)) != 0 && before != 'x');
      std::optional<std::string> other;
      if (!name && end - at <= 18) other = replacement(std::stoll(printed.substr(at, end - at)));
      out += other ? *other : printed.substr(at, end - at);
      at = end;
    }
    return out;
  }

  /// Replaces the numbers that represent symbols by their text.
  static std::string with_symbols(const std::string& printed, const std::map<std::int64_t, std::string>& texts) {
    return with_numbers(printed, [&](std::int64_t number) -> std::optional<std::string> {
      const auto it = texts.find(number);
      return it == texts.end() ? std::nullopt : std::optional(it->second);
    });
  }

  void print(const OpInstance& op, const std::map<std::int64_t, std::string>& texts, SymbolicOp& out) const {
    Function f;
    Op printed(f.new_op(), op.decl);
    for (const auto& [name, value] : op.attributes) {
      // Skip attributes of other dialects.
      if (name.find('.') == std::string::npos) printed.attributes.emplace_back(name, value);
    }
    if (op.regions != nullptr) {
      printed.regions = *op.regions;
      Cloner cloner(*op.function, f);
      for (const ValueId v : captured(printed)) cloner.declare(v);
      for (Block& region : printed.regions) region = cloner.block(region);
    }
    std::string text;
    text::OpPrinter printer(text);
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const ValueId v = f.add_value(op.operands[k]);
      printed.operands.push_back(v);
      printer.name(v, fmt::format("%x{}", k));
      const std::string type = with_symbols(op.operands[k].str(), texts);
      out.operand_types.push_back(type);
      out.is_constant.push_back(op.splats[k] != nullptr && is_parameter(k));
      if (out.is_constant.back())
        text += fmt::format("  %x{} = stablehlo.constant {} : {}\n", k, op.splats[k]->str(), type);
    }
    for (const Type& t : op.results) {
      printed.results.push_back(f.add_value(t));
      out.result_types.push_back(with_symbols(t.str(), texts));
    }
    text += "  ";
    printer.indent = 1;
    printer.operation(f, printed);
    for (const ValueId v : printed.results) out.values.push_back(printer.value(v));
    out.body = with_symbols(text, texts) + "\n";
  }

  /// True if the value of an operand is a parameter of the operation: an initial value, a padding value, a start index.
  [[nodiscard]] bool is_parameter(std::size_t operand) const {
    const bool in_arrays =
        std::any_of(op_.operands.begin(), op_.operands.end(), [](const Type& t) { return t.rank() != 0; });
    const bool accumulates = op_.decl->name == "stablehlo.scatter" && 2 * operand + 1 < op_.operands.size();
    return (op_.operands[operand].rank() == 0 && in_arrays) || accumulates;
  }

  const OpInstance& op_;
  const ShardingRule& rule_;
  FactorIndex factor_;
  const std::vector<FactorIndex>& away_;
  std::vector<Carried> carried_;
  std::set<std::int64_t> numbers_;  ///< numbers in the operation's own text
  bool tied_ = false;               ///< factors of equal sizes get equal symbols
};

}  // namespace

std::string symbol_name(FactorIndex factor) {
  std::string out = factor_name(factor);
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

std::optional<SymbolicOp> symbolic_op(const OpInstance& op, const ShardingRule& rule, FactorIndex factor,
                                      const std::vector<FactorIndex>& away) {
  return Resizer(op, rule, factor, away).best();
}

}  // namespace partir::rules
