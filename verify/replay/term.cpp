#include "verify/replay/term.h"

#include <fmt/format.h>

#include <bit>

namespace partir::replay {

TermId Terms::add(Term t) {
  const auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v); };
  const auto [it, fresh] = known_.try_emplace(
      Key(t.kind, t.value, t.name, t.monoid, t.bound, t.args, t.type, t.fn, bits(t.real), bits(t.imaginary)),
      TermId(terms_.size()));
  if (fresh) terms_.push_back(std::move(t));
  return it->second;
}

TermId Terms::number(std::int64_t value, ElementType type) {
  return add({Term::Kind::number, value, "", {}, {}, {}, type});
}

TermId Terms::join(Monoid monoid, std::vector<TermId> args, ElementType type) {
  return add({Term::Kind::join, 0, "", monoid, {}, std::move(args), type});
}

TermId Terms::function(ScalarFn fn, std::vector<TermId> args, ElementType type) {
  return add({Term::Kind::function, 0, "", {}, {}, std::move(args), type, fn});
}

TermId Terms::opaque(std::string name, std::vector<TermId> args, ElementType type) {
  return add({Term::Kind::opaque, 0, std::move(name), {}, {}, std::move(args), type});
}

std::string Terms::text(TermId id) const {
  const Term& t = at(id);
  const auto list = [&](std::string_view between, std::size_t from = 0) {
    std::string out;
    for (std::size_t k = from; k < t.args.size(); ++k) out += (k == from ? "" : std::string(between)) + text(t.args[k]);
    return out;
  };
  const auto binder = [&] {
    std::string out;
    for (const TermId i : t.bound) out += fmt::format(" {}<{}", text(i), text(at(i).args[0]));
    return out;
  };
  switch (t.kind) {
    case Term::Kind::number: return fmt::format("{}", t.value);
    case Term::Kind::size: return t.name;
    case Term::Kind::index: return fmt::format("i{}", t.value);
    case Term::Kind::any_index: return "<" + text(t.args[0]) + ">";
    case Term::Kind::join:
      if (t.monoid == Monoid::sum) return t.args.empty() ? "0" : "(" + list(" + ") + ")";
      if (t.monoid == Monoid::prod) return t.args.empty() ? "1" : list("*");
      return fmt::format("{}({})", name_of(t.monoid), list(", "));
    case Term::Kind::over: {
      const std::string where = t.args.size() > 1 ? " where " + list(", ", 1) : "";
      return fmt::format("{}{}{} of {}", name_of(t.monoid), binder(), where, text(t.args[0]));
    }
    case Term::Kind::with: {
      std::string out = text(t.args[0]) + " with";
      for (std::size_t k = 0; k < t.bound.size(); ++k)
        out += fmt::format("{} {} = {}", k == 0 ? "" : ",", text(t.bound[k]), text(t.args[k + 1]));
      return out;
    }
    case Term::Kind::array: return fmt::format("[{} :{}]", text(t.args[0]), binder());
    case Term::Kind::quotient: return fmt::format("({} div {})", text(t.args[0]), text(t.args[1]));
    case Term::Kind::at_least_zero: return fmt::format("[{} >= 0]", text(t.args[0]));
    case Term::Kind::is_zero: return fmt::format("[{} = 0]", text(t.args[0]));
    case Term::Kind::read: return fmt::format("x{}[{}]", t.value, list(", "));
    case Term::Kind::literal: return fmt::format("{}{:+}i", t.real, t.imaginary);
    case Term::Kind::imaginary_unit: return "i";
    case Term::Kind::as_number: return fmt::format("{}({})", partir::name_of(t.type), text(t.args[0]));
    case Term::Kind::function:
      return fmt::format("{}_{}({})", partir::name_of(t.fn), partir::name_of(t.type), list(", "));
    case Term::Kind::reciprocal: return fmt::format("1/{}", text(t.args[0]));
    case Term::Kind::choose: return fmt::format("choose({})", list(", "));
    case Term::Kind::fold: return fmt::format("fold#{}{} of {}", t.value, binder(), list(", "));
    case Term::Kind::argument: return fmt::format("a{}", t.value);
    case Term::Kind::largest:
      return fmt::format("{} {} among the largest of {}", t.value == 1 ? "place" : "number", text(t.args[0]),
                         text(t.args[1]));
    case Term::Kind::opaque: return fmt::format("{}({})", t.name, list(", "));
  }
  return "";
}

}  // namespace partir::replay
