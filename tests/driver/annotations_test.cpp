// A program's own shardings (sdy and GSPMD attributes) used as its schedule, alone and in addition to a schedule.
#include "tests/partitioned.h"

namespace partir {
namespace {

using testing::no_clock;

Result<Partition> partitioned(const std::string& text, const std::string& schedule = "", const std::string& mesh = "",
                              bool ignore = false) {
  PartitionInput input;
  input.text = text;
  input.file = "test.mlir";
  input.by_annotations = schedule.empty();
  input.ignore_annotations = ignore;
  input.schedule = "{\"tactics\": [" + schedule + "]}";
  input.schedule_file = "test.json";
  if (!mesh.empty()) input.mesh = mesh;
  return partition(input, Emit::stablehlo, no_clock);
}

Partition proved(const std::string& text, const std::string& schedule = "", const std::string& mesh = "") {
  Partition out = value_or_throw(partitioned(text, schedule, mesh));
  EXPECT_EQ(out.judgement.verdict, Verdict::proved) << out.judgement.reason << "\n" << out.stablehlo;
  return out;
}

std::string argument(const Partition& p, std::size_t i) { return p.arguments.at(i).str(p.mesh); }
std::string result(const Partition& p, std::size_t i = 0) { return p.results.at(i).str(p.mesh); }

/// Returns a function on f32 arrays of 8x8, with the mesh x=2,y=4.
std::string program(const std::string& arguments, const std::string& result_sharding, const std::string& body) {
  return "sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\nfunc.func @main(" + arguments + ") -> (tensor<8x8xf32>" +
         result_sharding + ") {\n" + body + "\n}\n";
}
std::string sharding(const std::string& text) { return " {sdy.sharding = #sdy.sharding<@m, " + text + ">}"; }
const char* const kDot =
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> "
    "tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>";

TEST(Annotations, OfArgumentsPropagate) {
  const auto p =
      proved(program("%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])") + ", %b: tensor<8x8xf32>", "", kDot));
  EXPECT_EQ(p.mesh.str(), "x=2,y=4");
  EXPECT_EQ(argument(p, 0), "[{x}, {}]");
  EXPECT_EQ(result(p), "[{x}, {}]");
  EXPECT_EQ(p.collectives.str(), "none");
  EXPECT_EQ(p.annotations.size(), 1U);
}

/// The order of the axes in a sharding, not in the mesh, states which one is major.
TEST(Annotations, TileMajorToMinorInAnyOrderOfAxes) {
  const auto p =
      proved(program("%a: tensor<8x8xf32>" + sharding(R"([{"y", "x"}, {?}])"), sharding(R"([{"x", "y"}, {}])"),
                     "  %0 = stablehlo.negate %a : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>"));
  EXPECT_EQ(argument(p, 0), "[{y, x}, {}]");
  EXPECT_EQ(result(p), "[{x, y}, {}]");
  EXPECT_EQ(p.collectives.str(), "1 collective_permute");
}

TEST(Annotations, OfClosedArgumentsAreKeptThoughUsesSliceThem) {
  // Along y, the product uses slices of b's rows: a closed b stays replicated, an open one becomes tiled.
  const std::string a = "%a: tensor<8x8xf32>" + sharding(R"([{}, {"y"}])") + ", %b: tensor<8x8xf32>";
  const auto closed = proved(program(a + sharding("[{}, {}]"), "", kDot));
  EXPECT_EQ(argument(closed, 1), "[{}, {}]");
  const auto open = proved(program(a + sharding("[{?}, {}]"), "", kDot));
  EXPECT_EQ(argument(open, 1), "[{y}, {}]");
  const auto unsaid = proved(program(a, "", kDot));
  EXPECT_EQ(argument(unsaid, 1), "[{y}, {}]");
  const auto elsewhere = proved(program(a + sharding("[{?}, {?}], replicated={\"y\"}"), "", kDot));
  EXPECT_EQ(argument(elsewhere, 1), "[{}, {}]");
}

/// A closed result sharding is met by a conversion; an open one keeps what propagation gave.
TEST(Annotations, OfResultsHoldWhateverIsComputed) {
  const std::string a = "%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])") + ", %b: tensor<8x8xf32>";
  EXPECT_EQ(result(proved(program(a, sharding(R"([{}, {"x"}])"), kDot))), "[{}, {x}]");
  EXPECT_EQ(result(proved(program(a, sharding("[{}, {}]"), kDot))), "[{}, {}]");
  EXPECT_EQ(result(proved(program(a, sharding("[{?}, {?}]"), kDot))), "[{x}, {}]");
}

/// A result's own sharding takes precedence over the rule that it is laid out like the argument whose buffer it reuses.
TEST(Annotations, OfResultsThatTakeADonatedBufferAreTheirOwn) {
  const auto p = proved(program(
      R"(%a: tensor<8x8xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})",
      sharding(R"([{}, {"y"}])"), "  %0 = stablehlo.negate %a : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>"));
  EXPECT_EQ(argument(p, 0), "[{x}, {}]");
  EXPECT_EQ(result(p), "[{}, {y}]");
}

/// Each result has its own layout, even if all of them are one value.
TEST(Annotations, OfOneValueReturnedTwiceDiffer) {
  const auto p = proved(R"(sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  return %a, %a, %a : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
})");
  EXPECT_EQ(result(p, 0), "[{x}, {}]");
  EXPECT_EQ(result(p, 1), "[{}, {x}]");
  EXPECT_EQ(result(p, 2), "[{}, {}]");
}

TEST(Annotations, OfOperationsAndReshardsAreConversionsWhereTheyDiffer) {
  const auto p = proved(program(
      "%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])"), sharding("[{}, {}]"),
      R"(  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@m, [{}, {"x"}]> : tensor<8x8xf32>
  %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>)"));
  EXPECT_EQ(p.collectives.str(), "1 all_gather, 1 all_to_all");
  EXPECT_EQ(p.stablehlo.find("sdy."), std::string::npos) << p.stablehlo;
}

/// Sub-axes split the axis of the mesh: y:(1)2 and y:(2)2 become the axes y_0 and y_1.
TEST(Annotations, OfPartsOfAxesRefineTheMesh) {
  const auto p = proved(program("%a: tensor<8x8xf32>" + sharding(R"([{"y":(2)2, "x"}, {?}])"),
                                sharding(R"([{"y":(1)2}, {"y":(2)2}])"),
                                "  %0 = stablehlo.negate %a : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>"));
  EXPECT_EQ(p.mesh.str(), "x=2,y_0=2,y_1=2");
  EXPECT_EQ(argument(p, 0), "[{y_1, x}, {}]");
  EXPECT_EQ(result(p), "[{y_0}, {y_1}]");
}

/// Two meshes that assign the same devices, with their axes exchanged, become one mesh, in the first one's order.
TEST(Annotations, InOneOrderOfDevicesHaveAMeshInThatOrder) {
  const auto p = proved(R"(sdy.mesh @m = <["x"=2, "y"=2], device_ids=[2, 0, 3, 1]>
sdy.mesh @t = <["y"=2, "x"=2], device_ids=[2, 3, 0, 1]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@t, [{}, {"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0, %c : tensor<8x8xf32>, tensor<4xf32>
})");
  EXPECT_EQ(p.mesh.str(), "x=2,y=2,device_ids=[2,0,3,1]");
  EXPECT_EQ(argument(p, 0), "[{x}, {}]");
  EXPECT_EQ(result(p), "[{}, {x}]");
  EXPECT_EQ(p.collectives.str(), "1 all_to_all");
  EXPECT_NE(p.stablehlo.find("dense<[[2, 3], [0, 1]]>"), std::string::npos) << p.stablehlo;
  EXPECT_NE(p.stablehlo.find("dense<[1, 3, 0, 2]> : tensor<4xui32>"), std::string::npos) << p.stablehlo;
}

/// Shardings by a mesh with another device order become lists of chunks and are permuted where the function is entered
/// and left.
TEST(Annotations, InAnotherOrderOfDevicesArePermutedAtTheBoundary) {
  const auto p = proved(R"(sdy.mesh @m = <["x"=4]>
sdy.mesh @r = <["x"=4], device_ids=[1, 3, 2, 0]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@r, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@r, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  %1 = stablehlo.add %0, %b {sdy.sharding = #sdy.sharding_per_value<[<@r, [{"x"}]>]>} : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  return %2, %0, %1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
})");
  EXPECT_EQ(p.mesh.str(), "x=4");
  EXPECT_EQ(argument(p, 0), "[{[3 0 2 1]}]");
  EXPECT_EQ(result(p, 0), "[{x}]");
  EXPECT_EQ(result(p, 1), "[{[3 0 2 1]}]");
  EXPECT_EQ(p.collectives.str(), "2 collective_permute");
  ASSERT_EQ(p.tactics.at(0).conflicts.size(), 1U);  // the constraint on the inner sum
}

// Rows of x and columns of w along one axis, as fully sharded parameters are: the first operand decides.
TEST(Annotations, TheFirstTiledOperandDecides) {
  const Partition p = proved(
      program("%a: tensor<8x8xf32>" + sharding("[{\"y\"}, {}]") + ", %b: tensor<8x8xf32>" + sharding("[{}, {\"y\"}]"),
              "", kDot));
  EXPECT_EQ(p.collectives.str(), "1 all_gather");
  EXPECT_EQ(result(p), "[{y}, {}]");
  EXPECT_EQ(p.flops_per_device * 4, p.flops_sequential);
}

/// The text written by --emit sdy is partitioned into the same module again.
TEST(Annotations, InSeveralOrdersOfDevicesComeBackFromShardysText) {
  PartitionInput input;
  input.file = "test.mlir";
  input.by_annotations = true;
  input.text = R"(sdy.mesh @m = <["x"=2, "y"=2], device_ids=[3, 0, 1, 2]>
sdy.mesh @r = <["x"=4], device_ids=[1, 3, 2, 0]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@r, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0, %a : tensor<8xf32>, tensor<8xf32>
})";
  const Partition first = value_or_throw(partition(input, Emit::sdy, no_clock));
  input.text = first.sdy;
  const Partition second = value_or_throw(partition(input, Emit::sdy, no_clock));
  EXPECT_EQ(first.judgement.verdict, Verdict::proved) << first.judgement.reason;
  EXPECT_EQ(first.stablehlo, second.stablehlo) << first.sdy;
  EXPECT_NE(first.sdy.find("device_ids=[1, 3, 2, 0]>"), std::string::npos) << first.sdy;
}

TEST(Annotations, InAnOrderThatIsNoneNameTheMesh) {
  for (const char* ids : {"[3, 0, 1]", "[0, 1, 2, 2]", "[0, 1, 2, 4]"}) {
    const auto p = partitioned(std::string(R"(sdy.mesh @m = <["x"=4], device_ids=)") + ids + R"(>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
})");
    ASSERT_FALSE(p) << ids;
    EXPECT_EQ(p.error().code, "sharding");
    EXPECT_EQ(p.error().place.line, 2U);
  }
}

TEST(Annotations, OfLowerPriorityAreInPlaceAndPropagateLater) {
  // Both requests would tile the product: by x along rows through a, and by x along columns through b. The one of
  // higher priority propagates first and wins.
  const std::string a = "%a: tensor<8x8xf32>" + sharding(R"([{"x"}p1, {}])");
  const auto later = proved(program(a + ", %b: tensor<8x8xf32>" + sharding(R"([{}, {"x"}])"), "", kDot));
  ASSERT_EQ(later.tactics.size(), 2U);
  EXPECT_EQ(later.tactics[0].name, "p0");
  EXPECT_EQ(argument(later, 0), "[{x}, {}]");
  EXPECT_EQ(result(later), "[{}, {x}]");
  const auto first = proved(program(
      "%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])") + ", %b: tensor<8x8xf32>" + sharding(R"([{}, {"x"}p1])"), "",
      kDot));
  EXPECT_EQ(result(first), "[{x}, {}]");
}

/// There is one tactic for each priority that tiles something, in ascending order, however large the numbers are.
TEST(Annotations, HaveATacticForEachPriorityThatIsThere) {
  const auto p =
      proved(program("%a: tensor<8x8xf32>" + sharding(R"([{"x"}p7, {}p3])"), sharding(R"([{"y"}p1000000000, {}])"),
                     "  %0 = stablehlo.negate %a : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>"));
  ASSERT_EQ(p.tactics.size(), 2U);
  EXPECT_EQ(p.tactics[0].name, "p7");
  EXPECT_EQ(p.tactics[1].name, "p1000000000");
}

/// A sharding of one member of an sdy.sharding_group propagates to the others.
TEST(Annotations, OfMembersOfAGroupAreShared) {
  const auto p = proved(program(
      "%a: tensor<8x8xf32>, %b: tensor<8x8xf32>", "",
      R"(  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=1 : tensor<8x8xf32>
  sdy.sharding_group %b group_id=1 : tensor<8x8xf32>
  %1 = stablehlo.negate %b : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>)"));
  EXPECT_EQ(result(p), "[{x}, {}]");
}

/// sdy.propagation_barrier stops tiles in every direction but the allowed one.
TEST(Annotations, StopAtBarriersInTheDirectionThatTheyForbid) {
  const auto through = [](const char* direction) {
    return result(proved(program(
        "%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])"), "",
        std::string("  %0 = sdy.propagation_barrier %a allowed_direction=") + direction +
            " : tensor<8x8xf32>\n  %1 = stablehlo.negate %0 : tensor<8x8xf32>\n  return %1 : tensor<8x8xf32>")));
  };
  EXPECT_EQ(through("FORWARD"), "[{x}, {}]");
  EXPECT_EQ(through("BACKWARD"), "[{}, {}]");
  EXPECT_EQ(through("NONE"), "[{}, {}]");
}

TEST(Annotations, OfGspmdAreReadToo) {
  const std::string text = R"(module attributes {mhlo.num_partitions = 8 : i32} {
func.func public @main(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) {
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
})";
  const auto p = proved(text, "", "batch=4,model=2");
  EXPECT_EQ(p.mesh.str(), "batch=4,model=2");
  EXPECT_EQ(argument(p, 0), "[{}, {model}]");
  EXPECT_EQ(result(p), "[{}, {}]");
  EXPECT_EQ(proved(text).mesh.str(), "axis_0=4,axis_1=2");
}

TEST(Annotations, InsideLoopsAreFollowed) {
  const auto p = proved(program("%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])"), "",
                                R"(  %n = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %v = %a) : tensor<i32>, tensor<8x8xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.tanh %v : tensor<8x8xf32>
    %u = sdy.sharding_constraint %w <@m, [{}, {"x"}]> : tensor<8x8xf32>
    stablehlo.return %j, %u : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>)"));
  // The value is carried in two layouts, so that it is replicated between iterations.
  EXPECT_EQ(p.collectives.str(), "2 all_gather");
}

TEST(Annotations, OfDimensionsThatDoNotDivideArePadded) {
  const std::string body = R"(  %0 = stablehlo.slice %a [0:7, 0:8] : (tensor<8x8xf32>) -> tensor<7x8xf32>
  %1 = sdy.reshard %0 <@m, [{"x"}, {}]> : tensor<7x8xf32>
  %2 = stablehlo.tanh %1 : tensor<7x8xf32>
  return %2 : tensor<7x8xf32>)";
  for (const std::string& result_sharding : {std::string(), sharding(R"([{"x"}, {}])")}) {
    const auto p = proved("sdy.mesh @m = <[\"x\"=2]>\nfunc.func @main(%a: tensor<8x8xf32>) -> (tensor<7x8xf32>" +
                          result_sharding + ") {\n" + body + "\n}\n");
    EXPECT_TRUE(p.tactics[0].conflicts.empty());
    EXPECT_EQ(result(p), "[{x}, {}]");
    EXPECT_NE(p.stablehlo.find("partir.shape = \"7x8\""), std::string::npos);
  }
  const auto argument_too = proved(
      "sdy.mesh @m = <[\"x\"=4]>\nfunc.func @main(%a: tensor<5x8xf32>" + sharding(R"([{"x"}, {}])") +
      ") -> tensor<8xf32> {\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %0 = stablehlo.reduce(%a init: %z) "
      "applies stablehlo.add across dimensions = [0] : (tensor<5x8xf32>, tensor<f32>) -> tensor<8xf32>\n  return "
      "%0 : tensor<8xf32>\n}\n");
  EXPECT_EQ(argument(argument_too, 0), "[{x}, {}]");
  EXPECT_EQ(argument_too.collectives.str(), "1 all_reduce");
}

TEST(Annotations, ThatDoNotReadAreErrors) {
  const auto code = [](const std::string& s) {
    const auto p = partitioned(program("%a: tensor<8x8xf32>" + sharding(s), "", "  return %a : tensor<8x8xf32>"));
    return p ? std::string("fine") : p.error().code;
  };
  EXPECT_EQ(code(R"([{"x"}, {"x"}])"), "sharding");
  EXPECT_EQ(code(R"([{"z"}, {}])"), "sharding");
  EXPECT_EQ(code(R"([{"x"}])"), "sharding");
  EXPECT_EQ(code(R"([{"y":(1)3}, {}])"), "sharding");
  EXPECT_EQ(code(R"([{}, {}], unreduced={"x"})"), "unsupported");
  EXPECT_EQ(code(R"([{"x"}, {}])"), "fine");
  const auto none =
      partitioned("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}");
  EXPECT_EQ(none.error().code, "schedule");
}

/// Annotations are applied before the schedule's tactics, which do not change them.
TEST(AnnotationsBesideASchedule, ComeFirstAndAreKept) {
  const auto p = proved(program("%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])") + ", %b: tensor<8x8xf32>", "", kDot),
                        R"({"name": "MP", "axis": "y", "inputs": {"arg1": 1}})", "x=2,y=4");
  ASSERT_EQ(p.tactics.size(), 2U);
  EXPECT_EQ(p.tactics[0].name, "annotations");
  EXPECT_EQ(argument(p, 0), "[{x}, {}]");
  EXPECT_EQ(result(p), "[{x}, {y}]");
}

/// A tactic that contradicts an annotation of the same value is an error.
TEST(AnnotationsBesideASchedule, ExcludeWhatTheyDoNotSay) {
  const std::string text =
      program("%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])") + ", %b: tensor<8x8xf32>", "", kDot);
  const auto code = [&](const std::string& request, const std::string& mesh = "x=2,y=4") {
    const auto p = partitioned(
        text, R"({"name": "T", "axis": ")" + mesh.substr(0, 1) + R"(", "inputs": {"arg0": )" + request + "}}", mesh);
    return p ? std::string("fine") : p.error().code;
  };
  EXPECT_EQ(code("0"), "fine");
  EXPECT_EQ(code("\"first_divisible_dim\""), "fine");
  EXPECT_EQ(code("1"), "annotation");
  EXPECT_EQ(code("\"replicated\""), "annotation");
  EXPECT_EQ(code("0", "z=8"), "annotation");
  EXPECT_EQ(code("0", "z=4"), "unsupported");
  const auto along_y = partitioned(text, R"({"name": "T", "axis": "y", "inputs": {"arg0": 0}})", "x=2,y=4");
  EXPECT_EQ(along_y.error().code, "annotation");
}

TEST(AnnotationsBesideASchedule, AreIgnoredOnRequestAlone) {
  const std::string text =
      program("%a: tensor<8x8xf32>" + sharding(R"([{"x"}, {}])") + ", %b: tensor<8x8xf32>", "", kDot);
  const auto p =
      value_or_throw(partitioned(text, R"({"name": "T", "axis": "x", "inputs": {"arg0": 1}})", "x=2,y=4", true));
  EXPECT_TRUE(p.annotations_ignored);
  EXPECT_EQ(p.annotations.size(), 1U);
  EXPECT_EQ(argument(p, 0), "[{}, {x}]");
}

/// A loop of three iterations that carries `initial`, and returns `body`'s last value of it; a body reads %it1.
std::string loop(const std::string& type, const std::string& initial, const std::string& body,
                 const std::string& last) {
  return "  %z0 = stablehlo.constant dense<0> : tensor<i32>\n  %lp:2 = stablehlo.while(%it0 = %z0, %it1 = " + initial +
         ") : tensor<i32>, " + type + R"(
  cond {
    %lim = stablehlo.constant dense<3> : tensor<i32>
    %cc = stablehlo.compare LT, %it0, %lim, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %cc : tensor<i1>
  } do {
)" + body +
         R"(
    %one = stablehlo.constant dense<1> : tensor<i32>
    %nx = stablehlo.add %it0, %one : tensor<i32>
    stablehlo.return %nx, )" +
         last + " : tensor<i32>, " + type + "\n  }\n  return %lp#1 : " + type + "\n}\n";
}

/// A conflict of one loop-carried value is about that value's sizes, not about those of the other operands.
TEST(Annotations, OfALoopCarriedValueThatIsNotDivided) {
  proved(R"(sdy.mesh @m0 = <["x0"=4, "y0"=2]>
func.func @main(%x: tensor<12x24xf32>, %y: tensor<12x24xf32> {sdy.sharding = #sdy.sharding<@m0, [{"x0"}, {}]>}) -> (tensor<12x24xf32>) {
)" + loop("tensor<12x24xf32>", "%x", R"(    %b0 = sdy.sharding_constraint %it1 <@m0, [{"y0"}, {}]> : tensor<12x24xf32>
    %b2 = sdy.sharding_constraint %b0 <@m0, [{"x0"}, {}]> : tensor<12x24xf32>)",
          "%b2"));
}

/// Nor is a conflict of a value that branches yield about the operands of the case.
TEST(Annotations, OfAValueOfBranchesThatIsNotDivided) {
  proved(R"(sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%k: tensor<i32>, %x: tensor<2x1xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {}]>}) -> (tensor<2x1xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) {
  %0 = "stablehlo.case"(%k) ({
    %2 = stablehlo.negate %x : tensor<2x1xf32>
    stablehlo.return %2 : tensor<2x1xf32>
  }, {
    %3 = stablehlo.reverse %x, dims = [0] : tensor<2x1xf32>
    stablehlo.return %3 : tensor<2x1xf32>
  }) : (tensor<i32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
})");
}

/// What is free of one order of the devices need not be of another.
TEST(Annotations, OfMeshesInDifferentOrdersInALoop) {
  proved(R"(sdy.mesh @m0 = <["x0"=4, "y0"=2], device_ids=[2, 5, 7, 4, 6, 1, 3, 0]>
sdy.mesh @m1 = <["x1"=8], device_ids=[6, 3, 2, 7, 0, 5, 1, 4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x1"}, {}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m0, [{}, {"y0"}]>}, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %v1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %v2 = stablehlo.negate %v1 : tensor<8x8xf32>
  %v3 = stablehlo.add %v2, %y : tensor<8x8xf32>
)" + loop("tensor<8x8xf32>", "%v3", R"(    %b0 = sdy.sharding_constraint %it1 <@m0, [{}, {"x0"}]> : tensor<8x8xf32>
    %b1 = stablehlo.add %b0, %y : tensor<8x8xf32>
    %b2 = sdy.sharding_constraint %b1 <@m1, [{}, {"x1"}]> : tensor<8x8xf32>)",
          "%b2"));
}

}  // namespace
}  // namespace partir
