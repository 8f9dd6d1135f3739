// Conversions that the checker must refuse, each next to a similar one that holds. Device ids are 4 a + 2 b + c on the
// mesh a=2,b=2,c=2. The source is a matrix product, so that values with a pending sum over b are available.
#include "tests/verify/certificate/by_hand.h"

namespace partir::certificate_conversions_test {
namespace {

using namespace testing;

constexpr const char* kSource = R"(
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
})";
const std::string kFlattened =
    ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids";
const std::string kAlongA = "dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>";
const std::string kAlongB = "dense<[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>";
const std::string kAdd = R"( ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }))";

/// The local product %0, with its rows tiled by the axis `rows` if there is one, and pending over b if `contracts`;
/// then `lines`, which convert it to %out of layout `to`. Operation number `op` of the function is the conversion.
struct Product {
  std::string rows;
  bool contracts = true;

  [[nodiscard]] std::string held() const { return rows.empty() ? "8x8" : "4x8"; }

  [[nodiscard]] CertificateReport then(const std::string& lines, const std::string& local, const std::string& to,
                                       std::size_t op = 1) const {
    const std::string x = rows.empty() ? "8" : "4";
    const std::string inner = contracts ? "4" : "8";
    const std::string b = contracts ? "b" : "";
    const std::string body = "func.func @main(%x: tensor<" + x + "x" + inner + "xf32>" +
                             is_part("[{" + rows + "}, {" + b + "}]") + ", %y: tensor<" + inner + "x8xf32>" +
                             is_part("[{" + b + "}, {}]") + ") -> (tensor<" + local + "xf32>" + is_part(to) +
                             ") {\n  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<" + x +
                             "x" + inner + "xf32>, tensor<" + inner + "x8xf32>) -> tensor<" + held() + "xf32>\n" +
                             lines + "\n  return %out : tensor<" + local + "xf32>\n}";
    std::string along;
    if (!rows.empty())
      along = R"({"axis": ")" + rows + R"(", "operands": ["#tile<0>", "any"], "results": ["#tile<0>"]})";
    if (contracts) {
      along += along.empty() ? "" : ", ";
      along += R"({"axis": "b", "operands": ["#tile<1>", "#tile<0>"], "results": ["#sum"]})";
    }
    return checked_on("a=2,b=2,c=2", 8, kSource, body,
                      R"({"op": "0", "source": "0", "along": [)" + along + R"(]}, {"op": ")" + std::to_string(op) +
                          R"(", "types": [")" + to + "\"]}");
  }
  [[nodiscard]] CertificateReport reduced(const std::string& groups, const std::string& to) const {
    return then("  %out = \"stablehlo.all_reduce\"(%0) <{replica_groups = " + groups + kFlattened + "}>" + kAdd +
                    " : (tensor<" + held() + "xf32>) -> tensor<" + held() + "xf32>",
                held(), to);
  }
  [[nodiscard]] CertificateReport scattered(int dim, const std::string& groups, const std::string& local,
                                            const std::string& to) const {
    return then("  %out = \"stablehlo.reduce_scatter\"(%0) <{scatter_dimension = " + std::to_string(dim) +
                    " : i64, replica_groups = " + groups + kFlattened + "}>" + kAdd + " : (tensor<" + held() +
                    "xf32>) -> tensor<" + local + "xf32>",
                local, to);
  }
  [[nodiscard]] CertificateReport gathered(const std::string& groups, const std::string& to) const {
    return then("  %out = \"stablehlo.all_gather\"(%0) <{all_gather_dim = 0 : i64, replica_groups = " + groups +
                    kFlattened + "}> : (tensor<4x8xf32>) -> tensor<8x8xf32>",
                "8x8", to);
  }
  [[nodiscard]] CertificateReport exchanged(const std::string& groups, const std::string& to) const {
    return then(
        "  %out = \"stablehlo.all_to_all\"(%0) <{concat_dimension = 0 : i64, split_dimension = 1 : i64, split_count = "
        "2 : i64, replica_groups = " +
            groups +
            ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x8xf32>) -> "
            "tensor<8x4xf32>",
        "8x4", to);
  }
  /// Appends a permute with `pairs`, written "[s, t], …"; `count` is how many there are.
  [[nodiscard]] CertificateReport permuted(const std::string& pairs, int count, const std::string& to) const {
    return then("  %out = \"stablehlo.collective_permute\"(%0) <{source_target_pairs = dense<[" + pairs +
                    "]> : tensor<" + std::to_string(count) +
                    "x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<" + held() +
                    "xf32>) -> tensor<" + held() + "xf32>",
                held(), to);
  }
  /// Slices rows at the offset %at, which `lines` compute. Operation number `op` is the slice.
  [[nodiscard]] CertificateReport cut(const std::string& lines, const std::string& to, std::size_t op) const {
    return then("  %zero = stablehlo.constant dense<0> : tensor<ui32>\n" + lines +
                    "  %out = stablehlo.dynamic_slice %0, %at, %zero, sizes = [4, 8] : (tensor<8x8xf32>, tensor<ui32>, "
                    "tensor<ui32>) -> tensor<4x8xf32>",
                "4x8", to, op);
  }
};

std::string constants(const std::string& name, int value) {
  return "  %" + name + " = stablehlo.constant dense<" + std::to_string(value) + "> : tensor<ui32>\n";
}
std::string computed(const std::string& name, const std::string& fn, const std::string& x, const std::string& y) {
  return "  %" + name + " = stablehlo." + fn + " %" + x + ", %" + y + " : tensor<ui32>\n";
}
const std::string kDevice = "  %id = stablehlo.partition_id : tensor<ui32>\n";
/// Computes %at, the first row of the chunk of the device's coordinate along c. With the constant zero these are six
/// operations.
const std::string kAlongC = kDevice + constants("two", 2) + constants("four", 4) +
                            computed("c", "remainder", "id", "two") + computed("at", "multiply", "c", "four");

TEST(CertificatesOfAllReduce, MoveNoTileAndReduceWhatIsPartial) {
  expect_proved(Product{"a"}.reduced(kAlongB, "[{a}, {}]"));
  expect_refused(Product{"a"}.reduced(kAlongB, "[{c}, {}]"), "moves a tile that its reduction does not");
  expect_refused(Product{"a"}.reduced(kAlongA, "[{a}, {}]"), "replica groups");
  expect_refused(Product{""}.reduced(kAlongB, "[{}, {}] partial{a:sum}"), "does not reduce");
  expect_refused(Product{"", false}.reduced(kAlongB, "[{}, {}]"), "does not reduce");
}

TEST(CertificatesOfReduceScatter, ScatterAlongWhatTheyReduceOver) {
  expect_proved(Product{""}.scattered(0, kAlongB, "4x8", "[{b}, {}]"));
  expect_proved(Product{"a"}.scattered(1, kAlongB, "4x4", "[{a}, {b}]"));
  expect_refused(Product{""}.scattered(0, kAlongA, "4x8", "[{a}, {}]"), "other axes than it reduces");
  expect_refused(Product{"a"}.scattered(1, kAlongB, "4x4", "[{c}, {b}]"), "moves a tile that its reduction does not");
  expect_refused(Product{"a"}.scattered(0, kAlongB, "2x8", "[{b, a}, {}]"), "other axes than it reduces");
  expect_refused(Product{"a"}.scattered(0, kAlongB, "2x8", "[{c, b}, {}]"), "other axes than it reduces");
}

TEST(CertificatesOfAllGather, GatherMinorAxesOfOneDimension) {
  expect_proved(Product{"a", false}.gathered(kAlongA, "[{}, {}]"));
  expect_proved(Product{"a"}.gathered(kAlongA, "[{}, {}] partial{b:sum}"));
  expect_refused(Product{"a"}.gathered(kAlongA, "[{}, {}]"), "a move changes nothing about what is partial");
  expect_refused(Product{"a"}.gathered(kAlongA, "[{}, {}] partial{b:max}"), "a move changes nothing");
  expect_refused(Product{"a", false}.gathered(kAlongB, "[{}, {}]"), "do not hold, in their order");
  expect_refused(Product{"c", false}.gathered("dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>", "[{}, {}]"),
                 "a device stands in no replica group");
}

TEST(CertificatesOfAllToAll, MoveTheSameAxes) {
  expect_proved(Product{"a", false}.exchanged(kAlongA, "[{}, {a}]"));
  expect_proved(Product{"a"}.exchanged(kAlongA, "[{}, {a}] partial{b:sum}"));
  expect_refused(Product{"a", false}.exchanged(kAlongA, "[{}, {c}]"), "other parts than its type says");
  expect_refused(Product{"a"}.exchanged(kAlongA, "[{}, {a}]"), "a move changes nothing");
}

TEST(CertificatesOfPermutes, SendEachDeviceItsPart) {
  // Rows tiled by a become rows tiled by b: device 4 a + 2 b + c receives them from device 4 b + 2 a + c.
  const std::string swap = "[0, 0], [1, 1], [4, 2], [5, 3], [2, 4], [3, 5], [6, 6], [7, 7]";
  const std::string stay = "[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 7]";
  expect_proved((Product{"a", false}.permuted(swap, 8, "[{b}, {}]")));
  expect_refused((Product{"a", false}.permuted(stay, 8, "[{b}, {}]")), "other parts than its type says");
  expect_refused((Product{"a", false}.permuted(swap.substr(0, swap.size() - 8), 7, "[{b}, {}]")), "is sent nothing");
  expect_proved(Product{""}.permuted("[0, 1], [1, 0], [2, 3], [3, 2], [4, 5], [5, 4], [6, 7], [7, 6]", 8,
                                     "[{}, {}] partial{b:sum}"));
  // Summands may only move between devices with the same coordinate along b: a permute must not mix the parts of a
  // pending sum.
  expect_refused(Product{""}.permuted("[0, 6], [6, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [7, 7]", 8,
                                      "[{}, {}] partial{b:sum}"),
                 "other parts than its type says");
  expect_refused(Product{""}.permuted(stay, 8, "[{}, {}]"), "a move changes nothing");
}

/// Looks %at up in a table by device id, as other partitioners write offsets. With the constant zero these are five
/// operations.
std::string from_table(const std::string& entries) {
  return kDevice + "  %table = stablehlo.constant dense<[" + entries + "]> : tensor<8xi64>\n" +
         "  %wide = stablehlo.convert %id : (tensor<ui32>) -> tensor<i64>\n" +
         "  %row = stablehlo.dynamic_slice %table, %wide, sizes = [1] : (tensor<8xi64>, tensor<i64>) -> "
         "tensor<1xi64>\n" +
         "  %long = stablehlo.reshape %row : (tensor<1xi64>) -> tensor<i64>\n" +
         "  %at = stablehlo.convert %long : (tensor<i64>) -> tensor<ui32>\n";
}

TEST(CertificatesOfSlices, FollowTablesByDevice) {
  const Product whole{"", false};
  expect_proved(whole.cut(from_table("0, 4, 0, 4, 0, 4, 0, 4"), "[{c}, {}]", 8));
  expect_proved(whole.cut(from_table("0, 0, 0, 0, 4, 4, 4, 4"), "[{a}, {}]", 8));
  for (const char* wrong : {"0, 4, 0, 4, 0, 4, 4, 0", "0, 0, 0, 0, 4, 4, 4, 4", "4, 0, 4, 0, 4, 0, 4, 0",
                            "0, 3, 0, 3, 0, 3, 0, 3", "0, -4, 0, -4, 0, -4, 0, -4"})
    EXPECT_EQ(whole.cut(from_table(wrong), "[{c}, {}]", 8).verdict, Verdict::refuted) << wrong;
}

TEST(CertificatesOfSlices, CutTheDevicesPart) {
  expect_proved((Product{"", false}.cut(kAlongC, "[{c}, {}]", 7)));
  expect_proved(Product{""}.cut(kAlongC, "[{c}, {}] partial{b:sum}", 7));
  expect_refused(Product{""}.cut(kAlongC, "[{c}, {}]", 7), "a move changes nothing");
  expect_refused((Product{"", false}.cut(kAlongC, "[{a}, {}]", 7)), "other parts than its type says");
  for (const int stride : {2, 8}) {
    std::string other = kAlongC;
    other.replace(other.find("dense<4>"), 8, "dense<" + std::to_string(stride) + ">");
    expect_refused((Product{"", false}.cut(other, "[{c}, {}]", 7)), "where no part of 4 begins");
  }
}

TEST(CertificatesOfSlices, ComputeOffsetsAsDevicesDo) {
  // (c - 1) / 2 is 0 in signed arithmetic, and large in unsigned arithmetic.
  const std::string wraps = kDevice + constants("one", 1) + constants("two", 2) + constants("four", 4) +
                            computed("c", "remainder", "id", "two") + computed("less", "subtract", "c", "one") +
                            computed("none", "divide", "less", "two") + computed("from", "multiply", "c", "four") +
                            computed("at", "add", "from", "none");
  expect_refused((Product{"", false}.cut(wraps, "[{c}, {}]", 11)), "stands in no step");
  const std::string by_zero = kDevice + constants("none", 0) + computed("at", "remainder", "id", "none");
  expect_refused((Product{"", false}.cut(by_zero, "[{c}, {}]", 5)), "stands in no step");
}

/// An all_gather of an argument of layout `from` along dimension 0, in groups along b, which returns layout `to`.
CertificateReport gathered_along_b(const std::string& from, const std::string& local, const std::string& to) {
  const std::string source =
      "func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n  return %x : tensor<8x8xf32>\n}";
  return checked_on("a=2,b=2,c=2", 8, source,
                    "func.func @main(%x: tensor<2x" + local + "xf32>" + is_part(from) + ") -> (tensor<4x" + local +
                        "xf32>" + is_part(to) +
                        ") {\n  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, "
                        "replica_groups = " +
                        kAlongB + kFlattened + "}> : (tensor<2x" + local + "xf32>) -> tensor<4x" + local +
                        "xf32>\n  return %out : tensor<4x" + local + "xf32>\n}",
                    R"({"op": "0", "types": [")" + to + "\"]}");
}

TEST(CertificatesOfAllGather, LeaveMajorAxesAndOtherDimensions) {
  expect_proved(gathered_along_b("[{a, b}, {}]", "8", "[{a}, {}]"));
  expect_refused(gathered_along_b("[{a, b}, {}]", "8", "[{c}, {}]"), "other parts than its type says");
  expect_refused(gathered_along_b("[{b, a}, {}]", "8", "[{a}, {}]"), "do not hold, in their order");
  expect_proved(gathered_along_b("[{a, b}, {c}]", "4", "[{a}, {c}]"));
  expect_refused(gathered_along_b("[{c, b}, {a}]", "4", "[{c}, {b}]"), "other parts than its type says");
}

/// An all_gather, in `groups`, of rows that six devices hold according to the chunk list in `from`.
CertificateReport gathered_by_list(const std::string& from, const std::string& groups, const std::string& to) {
  const std::string source =
      "func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n  return %x : tensor<8x8xf32>\n}";
  return checked_on(
      "d=6", 6, source,
      "func.func @main(%x: tensor<2x8xf32>" + is_part(from) + ") -> (tensor<4x8xf32>" + is_part(to) +
          ") {\n  %out = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<" + groups +
          "> : tensor<3x2xi64>" + kFlattened +
          "}> : (tensor<2x8xf32>) -> tensor<4x8xf32>\n  return %out : tensor<4x8xf32>\n}",
      R"({"op": "0", "types": [")" + to + "\"]}");
}

TEST(CertificatesOfAllGather, BeginWithTheFirstOfThePartsTheyJoin) {
  expect_proved(gathered_by_list("[{[0 1 0 1 2 3]}, {}]", "[[0, 1], [2, 3], [4, 5]]", "[{[0 0 0 0 1 1]}, {}]"));
  // Devices 2 and 3 would hold rows 2 to 5, which are not a half of the rows.
  expect_refused(gathered_by_list("[{[0 1 1 2 2 3]}, {}]", "[[0, 1], [2, 3], [4, 5]]", "[{d:(1)2}, {}]"),
                 "do not begin with the first of the parts");
}

TEST(CertificatesOfConversions, AreOperationsThatConvert) {
  expect_refused(
      (Product{"", false}.then("  %out = stablehlo.slice %0 [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>", "4x8",
                               "[{c}, {}]")),
      "no operation that converts");
}

}  // namespace
}  // namespace partir::certificate_conversions_test
