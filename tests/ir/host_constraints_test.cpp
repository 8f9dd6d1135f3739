// Constraints of the operations on tokens, tuples, channels and feeds; each row breaks one.
#include "constraint_rows.h"

namespace partir::testing {
namespace {

const char* const kHostArguments =
    "%x: tensor<2xf32>, %i: tensor<3xi32>, %k: !stablehlo.token, "
    "%t: tuple<tensor<2xf32>, tuple<tensor<3xi32>, !stablehlo.token>>";

TEST(Constraints, Tuples) {
  const std::string nested = "tuple<tensor<2xf32>, tuple<tensor<3xi32>, !stablehlo.token>>";
  const auto tuple = [](const std::string& values, const std::string& types, const std::string& out) {
    return "%0 = \"stablehlo.tuple\"(" + values + ") : (" + types + ") -> " + out;
  };
  const auto element = [&](const std::string& index, const std::string& out) {
    return "%0 = \"stablehlo.get_tuple_element\"(%t) <{index = " + index + "}> : (" + nested + ") -> " + out;
  };
  const std::string two = "tensor<2xf32>, tensor<3xi32>";
  const char* const a = kHostArguments;
  expect_verdicts({
      {"", a, tuple("%x, %i", two, "tuple<tensor<2xf32>, tensor<3xi32>>")},
      {"", a, tuple("%x, %i", two, "tuple<tensor<2xf32>,tensor<3xi32>>")},
      {"", a, tuple("", "", "tuple<>")},
      {"", a, tuple("%k, %t", "!stablehlo.token, " + nested, "tuple<!stablehlo.token, " + nested + ">")},
      {"tuple (arity)", a, "\"stablehlo.tuple\"(%x) : (tensor<2xf32>) -> ()"},
      {"tuple (C1)", a, tuple("%x, %i", two, "tuple<tensor<2xf32>>")},
      {"tuple (C1)", a, tuple("%x, %i", two, "tuple<tensor<3xi32>, tensor<2xf32>>")},
      {"tuple (C1)", a, tuple("%x", "tensor<2xf32>", "tuple<tensor<2xf32>, tensor<3xi32>>")},
      {"tuple (C1)", a, tuple("%x", "tensor<2xf32>", "tensor<2xf32>")},
      {"tuple (C1)", a, tuple("%k", "!stablehlo.token", "!stablehlo.token")},
      {"", a, element("0 : i32", "tensor<2xf32>")},
      {"", a, element("1 : i32", "tuple<tensor<3xi32>, !stablehlo.token>")},
      {"get_tuple_element (attributes)", a,
       R"(%0 = "stablehlo.get_tuple_element"(%x) : (tensor<2xf32>) -> tensor<2xf32>)"},
      {"get_tuple_element (arity)", a,
       R"(%0 = "stablehlo.get_tuple_element"(%x, %x) <{index = 0 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>)"},
      {"get_tuple_element (I1)", a,
       R"(%0 = "stablehlo.get_tuple_element"(%x) <{index = 0 : i32}> : (tensor<2xf32>) -> tensor<2xf32>)"},
      {"get_tuple_element (C1)", a, element("2 : i32", "tensor<2xf32>")},
      {"get_tuple_element (C1)", a, element("-1 : i32", "tensor<2xf32>")},
      {"attributes", a, element("true", "tensor<2xf32>")},
      {"get_tuple_element (C2)", a, element("0 : i32", "tensor<3xi32>")},
      {"get_tuple_element (C2)", a, element("1 : i32", "tensor<2xf32>")},
  });
}

TEST(Constraints, SendAndReceive) {
  const std::string form = std::string("func.func @main(") + kHostArguments + R"() {
  $name$ = "stablehlo.$op$"($operands$) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = $type$>, is_host_transfer = $host$$pairs$}> : ($types$) -> $out$
  return
})";
  const auto pairs = [](const std::string& ids, const std::string& type) {
    return ", source_target_pairs = dense<" + ids + "> : tensor<" + type + ">";
  };
  const auto shared = [&](const std::string& op, const std::string& kind) {
    const auto code = [&](const std::string& label) { return op + " (" + label + ")"; };
    return std::vector<std::pair<std::string, Fields>>{
        {code(kind), {{"pairs", ", source_target_pairs = 1 : i64"}}},
        {code(kind), {{"pairs", pairs("0", "2xi64")}}},
        {code(kind), {{"pairs", pairs("[[0, 1]]", "1x2xi32")}}},
        {code("C1"), {{"pairs", pairs("[[0, 1, 2]]", "1x3xi64")}}},
        {code("C2"), {{"pairs", pairs("[[0, 1], [0, 2]]", "2x2xi64")}}},
        {code("C3"), {{"pairs", pairs("[[0, 1], [2, 1]]", "2x2xi64")}}},
        {code("C4"), {{"pairs", pairs("[[0, -1]]", "1x2xi64")}}},
        {code("C5"), {{"type", "1"}}},
        {code("C5"), {{"host", "false"}}},
        {"", {{"type", "1"}, {"host", "false"}, {"pairs", pairs("[[0, 1], [1, 0]]", "2x2xi64")}}},
    };
  };
  const auto expect_shared = [&](const Fields& good, const std::vector<std::pair<std::string, Fields>>& rows) {
    std::vector<Change> changes;
    for (const auto& [code, fields] : rows) changes.push_back({code.c_str(), fields});
    expect_verdicts(form, good, changes);
  };
  const Fields send = {
      {"name", "%0"}, {"op", "send"},   {"operands", "%x, %k"}, {"types", "tensor<2xf32>, !stablehlo.token"},
      {"type", "2"},  {"host", "true"}, {"pairs", ""},          {"out", "!stablehlo.token"}};
  expect_shared(send, shared("send", "I6"));
  expect_verdicts(form, send,
                  {
                      {"", {}},
                      {"", {{"operands", "%k"}, {"types", "!stablehlo.token"}}},
                      {"send (arity)", {{"name", "%0:2"}, {"out", "(!stablehlo.token, !stablehlo.token)"}}},
                      {"send (I1)", {{"operands", "%k, %k"}, {"types", "!stablehlo.token, !stablehlo.token"}}},
                      {"send (I2)", {{"operands", "%x"}, {"types", "tensor<2xf32>"}}},
                      {"send (I2)", {{"operands", ""}, {"types", ""}}},
                      {"send (type)", {{"out", "tensor<2xf32>"}}},
                      {"send (C5)", {{"type", "3"}}},
                  });
  const Fields receive = {
      {"name", "%0:2"}, {"op", "recv"},   {"operands", "%k"}, {"types", "!stablehlo.token"},
      {"type", "3"},    {"host", "true"}, {"pairs", ""},      {"out", "(tensor<2xf32>, !stablehlo.token)"}};
  expect_shared(receive, shared("recv", "I5"));
  expect_verdicts(form, receive,
                  {
                      {"", {}},
                      {"recv (arity)", {{"operands", "%k, %k"}, {"types", "!stablehlo.token, !stablehlo.token"}}},
                      {"recv (I1)", {{"operands", "%x"}, {"types", "tensor<2xf32>"}}},
                      {"recv (type)", {{"out", "(!stablehlo.token, tensor<2xf32>)"}}},
                      {"recv (type)", {{"out", "(!stablehlo.token, !stablehlo.token)"}}},
                  });
}

TEST(Constraints, FeedsAndTokens) {
  const std::string feed = std::string("func.func @main(") + kHostArguments + R"() {
  $name$"stablehlo.infeed"($operands$) <{infeed_config = $config$}> : ($types$) -> $out$
  return
})";
  expect_verdicts(feed,
                  {{"name", "%0:2 = "},
                   {"operands", "%k"},
                   {"types", "!stablehlo.token"},
                   {"config", "\"x\""},
                   {"out", "(tensor<2xf32>, !stablehlo.token)"}},
                  {
                      {"", {}},
                      {"", {{"name", "%0 = "}, {"out", "!stablehlo.token"}}},
                      {"infeed (arity)", {{"operands", "%k, %k"}, {"types", "!stablehlo.token, !stablehlo.token"}}},
                      {"infeed (I1)", {{"operands", "%x"}, {"types", "tensor<2xf32>"}}},
                      {"infeed (I2)", {{"config", "1 : i64"}}},
                      {"infeed (C1)", {{"name", ""}, {"out", "()"}}},
                      {"infeed (C2)", {{"out", "(!stablehlo.token, !stablehlo.token)"}}},
                      {"infeed (C3)", {{"out", "(tensor<2xf32>, tensor<2xf32>)"}}},
                  });
  const std::string out = std::string("func.func @main(") + kHostArguments + R"() {
  $name$ = "stablehlo.outfeed"($operands$) <{outfeed_config = $config$}> : ($types$) -> $out$
  return
})";
  expect_verdicts(out,
                  {{"name", "%0"},
                   {"operands", "%x, %k"},
                   {"types", "tensor<2xf32>, !stablehlo.token"},
                   {"config", "\"x\""},
                   {"out", "!stablehlo.token"}},
                  {
                      {"", {}},
                      {"outfeed (arity)", {{"name", "%0:2"}, {"out", "(!stablehlo.token, !stablehlo.token)"}}},
                      {"outfeed (I1)", {{"operands", "%k, %k"}, {"types", "!stablehlo.token, !stablehlo.token"}}},
                      {"outfeed (I2)", {{"operands", "%x"}, {"types", "tensor<2xf32>"}}},
                      {"outfeed (I3)", {{"config", "true"}}},
                      {"outfeed (type)", {{"out", "tensor<2xf32>"}}},
                  });
  const char* const a = kHostArguments;
  expect_verdicts({
      {"", a, "%0 = stablehlo.after_all %k, %k : !stablehlo.token"},
      {"", a, "%0 = stablehlo.create_token : !stablehlo.token"},
      {"after_all (arity)", a, R"("stablehlo.after_all"(%k) : (!stablehlo.token) -> ())"},
      {"after_all (I1)", a, "%0 = stablehlo.after_all %x : !stablehlo.token"},
      {"after_all (type)", a, "%0 = stablehlo.after_all %k : tensor<2xf32>"},
      {"create_token (arity)", a, "%0 = stablehlo.create_token %k : !stablehlo.token"},
      {"create_token (type)", a, "%0 = stablehlo.create_token : tensor<2xf32>"},
  });
}

}  // namespace
}  // namespace partir::testing
