// reduce_precision: out[i] = operand[i] rounded to fewer bits of exponent and mantissa (specification,
// "reduce_precision").
#include <fmt/format.h>

#include <charconv>

#include "ir/ops/common.h"
#include "ir/ops/elementwise.h"
#include "ir/ops/ops.h"
#include "ir/text/parser.h"

namespace partir::ops {

OpDecl reduce_precision() {
  OpDecl d;
  d.name = "stablehlo.reduce_precision";
  d.kind = OpDecl::Kind::array;
  for (const char* name : {"exponent_bits", "mantissa_bits"})
    d.attributes.push_back({name, "", AttrSpec::Kind::raw, "", "", "", true});
  d.generic = true;
  d.types = OpDecl::TypeForm::same;
  // Pretty form: %x, format = e8m7 : type
  d.parse = [](text::Parser& p, Function& f, Op& op) {
    op.operands = {p.use()};
    p.expect(",");
    p.expect("format");
    p.expect("=");
    const Place place = p.here();
    const std::string format = p.identifier();
    const auto m = std::min(format.find('m'), format.size());
    const auto bits = [&](std::size_t from, std::size_t to) -> int {
      int value = 0;
      if (from < to && to - from <= 2) {
        const char* const last = format.data() + to;
        if (std::from_chars(format.data() + from, last, value).ptr == last) return value;
      }
      fail("parse", place, format, "a format such as e8m7");
    };
    if (format[0] != 'e') fail("parse", place, format, "a format such as e8m7");
    set(op.attributes, "exponent_bits", {IntAttr{bits(1, m), "i32"}});
    set(op.attributes, "mantissa_bits", {IntAttr{bits(m + 1, format.size()), "i32"}});
    p.optional_dictionary(op.attributes);
    p.types(f, op);
  };
  d.verify = [](const OpInstance& op) {
    require(op.operands.size() == 1 && op.results.size() == 1, op, "arity", "one operand and one result");
    require(op.operands[0] == op.results[0], op, "C1", "a result of the operand's type", op.results[0].str());
    require(is_float(op.operands[0]->element), op, "I1", "floating-point operands", op.operands[0].str());
    const auto bits = [&](const char* name, const char* kind) {
      const Attribute* a = find(op.attributes, name);
      require(a != nullptr && a->as<IntAttr>() != nullptr, op, kind, fmt::format("an integer as {}", name),
              a != nullptr ? a->str() : "none");
      return op.integer(name);
    };
    const std::int64_t exponent = bits("exponent_bits", "I2");
    const std::int64_t mantissa = bits("mantissa_bits", "I3");
    require(exponent >= 1, op, "C2", "1 <= exponent_bits", fmt::format("{}", exponent));
    require(mantissa >= 0, op, "C3", "0 <= mantissa_bits", fmt::format("{}", mantissa));
  };
  d.meaning = [](const OpInstance& op, MeaningBuilder& b) {
    const auto number = [&](const char* name) {
      return b.from_index(b.constant(std::min<std::int64_t>(op.integer(name), 64)), ElementType::i32);
    };
    b.define(0, b.apply(ScalarFn::reduce_precision, op.results[0]->element,
                        {b.read(0, b.result()), number("exponent_bits"), number("mantissa_bits")}));
  };
  d.covers = covers_elementwise;
  d.entries = tiled_alike;
  return d;
}

}  // namespace partir::ops
