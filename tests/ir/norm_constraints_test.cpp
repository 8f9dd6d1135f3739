// Constraints of batch_norm_inference, batch_norm_training and batch_norm_grad; each row breaks one.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

const char* const kTypes =
    "%x: tensor<2x3xf32>, %f: tensor<3xf32>, %g: tensor<2xf32>, %d: tensor<3xf64>, "
    "%m: tensor<1x3xf32>, %t: tensor<3x2xf32>, %i: tensor<2x3xi32>, %j: tensor<3xi32>";

std::string type_of(const std::string& name) {
  const std::string types = kTypes;
  const auto at = types.find(name + ": ") + name.size() + 2;
  return types.substr(at, types.find('>', at) + 1 - at);
}

/// A batch norm operation on arguments given by name; each result has the type of the argument that `results` names for
/// it.
struct Norm {
  std::string name;
  std::vector<std::string> operands;
  std::vector<std::string> results;

  [[nodiscard]] std::string text(const std::string& feature = "1 : i64",
                                 const std::string& epsilon = "0.001 : f32") const {
    const auto list = [](const std::vector<std::string>& names, bool types) {
      std::string out;
      for (const std::string& n : names) out += (out.empty() ? "" : ", ") + (types ? type_of(n) : n);
      return out;
    };
    return "%0:" + std::to_string(results.size()) + " = \"stablehlo." + name + "\"(" + list(operands, false) +
           ") <{epsilon = " + epsilon + ", feature_index = " + feature + "}> : (" + list(operands, true) + ") -> (" +
           list(results, true) + ")";
  }
};

/// Expects `good` to be well-formed and its alterations to break these labels: each operand and result in turn gets
/// other sizes, and feature index, epsilon, operand count and element type are wrong once each.
void expect_norm(const Norm& good, const std::vector<std::string>& operand_labels,
                 const std::vector<std::string>& result_labels, const std::string& epsilon_label) {
  const auto expect = [&](const std::string& label, const std::string& text) {
    expect_verdict(std::string("func.func @main(") + kTypes + ") {\n  " + text + "\n  return\n}\n",
                   label.empty() ? "" : good.name + " (" + label + ")");
  };
  expect("", good.text());
  expect("C1", good.text("2 : i64"));
  expect("C1", good.text("-1 : i64"));
  expect(epsilon_label, good.text("1 : i64", "\"0.001\""));
  expect(epsilon_label, good.text("1 : i64", "1 : i64"));
  Norm fewer = good;
  fewer.operands.pop_back();
  expect("arity", fewer.text());
  Norm integers = good;
  for (auto* list : {&integers.operands, &integers.results}) {
    for (std::string& n : *list) n = n == "%x" ? "%i" : "%j";
  }
  expect("I1", integers.text());
  for (const bool of_results : {false, true}) {
    const auto& labels = of_results ? result_labels : operand_labels;
    for (std::size_t k = of_results ? 0 : 1; k < labels.size(); ++k) {
      const auto with = [&](const std::string& value) {
        Norm bad = good;
        (of_results ? bad.results : bad.operands)[k] = value;
        return bad.text();
      };
      const bool whole = (of_results ? good.results : good.operands)[k] == "%x";
      expect(labels[k], with(whole ? "%t" : "%g"));
      if (!whole) expect("C2", with("%d"));
      if (whole) expect("C2", with("%i"));
      if (!whole && !of_results) expect("I" + std::to_string(k + 1), with("%m"));
      if (!whole && of_results) expect(labels[k], with("%m"));
    }
  }
}

TEST(Constraints, BatchNorm) {
  expect_norm({"batch_norm_inference", {"%x", "%f", "%f", "%f", "%f"}, {"%x"}}, {"", "C3", "C4", "C5", "C6"}, {"C7"},
              "I6");
  expect_norm({"batch_norm_training", {"%x", "%f", "%f"}, {"%x", "%f", "%f"}}, {"", "C3", "C4"}, {"C7", "C5", "C6"},
              "I4");
  expect_norm({"batch_norm_grad", {"%x", "%f", "%f", "%f", "%x"}, {"%x", "%f", "%f"}}, {"", "C5", "C4", "C4", "C3"},
              {"C3", "C4", "C4"}, "I6");
}

}  // namespace
}  // namespace partir::testing
