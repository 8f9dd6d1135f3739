#include "tools/counterexample_json.h"

#include "rewrite/json_text.h"

namespace partir {

Json inputs_json(const validate::Counterexample& c) {
  Json inputs = Json::array();
  for (const LiteralPtr& l : c.inputs) {
    Json values = Json::array();
    const std::int64_t count = l->type.elements();
    for (std::int64_t k = 0; k < count && k < 4096; ++k) {
      const std::int64_t at = l->splat ? 0 : k;
      if (is_float(l->type.element))
        values.push_back(l->as_double(at));
      else if (is_complex(l->type.element))
        values.push_back({l->as_complex(at).real(), l->as_complex(at).imag()});
      else
        values.push_back(l->as_int(at));
    }
    inputs.push_back({{"type", l->type.str()}, {"values", std::move(values)}, {"truncated", count > 4096}});
  }
  return inputs;
}

Json to_json(const validate::Counterexample& c, const std::vector<validate::ResultVerdict>& results) {
  if (!c.note.empty()) return {{"inputs", inputs_json(c)}, {"failure", c.note}};
  return {{"inputs", inputs_json(c)},  {"device", c.device},     {"result", results[c.result].name},
          {"result_number", c.result}, {"position", c.position}, {"expected", c.expected},
          {"found", c.found}};
}

Json to_json(const rules::FactorRow& row) {
  return {{"operation", row.operation},
          {"rule", row.rule},
          {"factor", row.factor},
          {"kind", rules::name_of(row.kind)},
          {"custom", row.custom},
          {"count", row.count},
          {"line", row.place.line},
          {"entry", row.entry},
          {"verdict", name_of(row.verdict)},
          {"scope", row.scope},
          {"reason", row.reason},
          {"left_to_lowering", row.left},
          {"claim", row.claim},
          {"counterexample", row.counterexample ? to_json(*row.counterexample) : Json()}};
}

}  // namespace partir
