// Exchanges: which products belong to the guest, where the tile changes, and what a search gains by them.
#include "search/exchange.h"

#include "search/search.h"
#include "tests/partitioned.h"

namespace partir {
namespace {

/// A layer of experts: groups of tokens are sent to experts by a mask, and back.
const char* const kExperts =
    R"(func.func @main(%x: tensor<16x256x4096xf32>, %m: tensor<16x256x16x16xf32>, %up: tensor<16x4096x16384xf32>, %down: tensor<16x16384x4096xf32>) -> tensor<16x256x4096xf32> {
    %s = stablehlo.dot_general %x, %m, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<16x256x4096xf32>, tensor<16x256x16x16xf32>) -> tensor<16x4096x16x16xf32>
    %t = stablehlo.transpose %s, dims = [2, 0, 3, 1] : (tensor<16x4096x16x16xf32>) -> tensor<16x16x16x4096xf32>
    %h = stablehlo.dot_general %t, %up, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<16x16x16x4096xf32>, tensor<16x4096x16384xf32>) -> tensor<16x16x16x16384xf32>
    %r = stablehlo.tanh %h : tensor<16x16x16x16384xf32>
    %o = stablehlo.dot_general %r, %down, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<16x16x16x16384xf32>, tensor<16x16384x4096xf32>) -> tensor<16x16x16x4096xf32>
    %y = stablehlo.dot_general %m, %o, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0] : (tensor<16x256x16x16xf32>, tensor<16x16x16x4096xf32>) -> tensor<16x256x4096xf32>
    return %y : tensor<16x256x4096xf32>
  })";

/// Multi-query attention of one position: all heads share the keys and values of a cache.
const char* const kMultiQuery =
    R"(func.func @main(%x: tensor<64x1024xf32>, %wq: tensor<1024x16x64xf32>, %k: tensor<64x512x64xf32>, %v: tensor<64x512x64xf32>, %wo: tensor<16x64x1024xf32>) -> tensor<64x1024xf32> {
    %q = stablehlo.dot_general %x, %wq, contracting_dims = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x16x64xf32>) -> tensor<64x16x64xf32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<64x16x64xf32>, tensor<64x512x64xf32>) -> tensor<64x16x512xf32>
    %p = stablehlo.tanh %s : tensor<64x16x512xf32>
    %c = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x16x512xf32>, tensor<64x512x64xf32>) -> tensor<64x16x64xf32>
    %y = stablehlo.dot_general %c, %wo, contracting_dims = [1, 2] x [0, 1] : (tensor<64x16x64xf32>, tensor<16x64x1024xf32>) -> tensor<64x1024xf32>
    return %y : tensor<64x1024xf32>
  })";

/// The exchanges of a program as text: the guest's arguments, and the lines of the values with their dimensions.
std::vector<std::string> described(const std::string& program) {
  const Session session =
      value_or_throw(Session::open({program, "test.mlir"}, value_or_throw(Mesh::parse("data=4,model=4"))));
  const Dimensions dimensions(session.state());
  const DimensionClasses classes(session.state(), dimensions);
  std::vector<std::string> out;
  for (const Exchange& e : exchanges_of(session, dimensions, classes)) {
    std::string text;
    for (const auto& [i, dim] : e.arguments) text += fmt::format("arg{}:{} ", i, dim);
    text += "|";
    for (const ValueTile& t : e.values) text += fmt::format(" {}:{}", t.value.name, t.dim);
    out.push_back(std::move(text));
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Exchanges, OfGroupsOfTokensWithExperts) {
  // The products with the weights of the experts are the guest's: before them the tiles become those of experts, behind
  // them those of groups, or of places. With experts as the host the product with the tokens would be the guest's, but
  // the tokens are less than 1 % of the arguments.
  EXPECT_EQ(described(kExperts),
            (std::vector<std::string>{"arg2:0 arg3:0 | line/3:0 line/6:1", "arg2:0 arg3:0 | line/3:0 line/6:2"}));
}

TEST(Exchanges, OfHeadsWithTheBatchInMultiQueryAttention) {
  EXPECT_EQ(described(kMultiQuery), std::vector<std::string>{"arg2:0 arg3:0 | line/2:0 line/5:1"});
}

TEST(Exchanges, NeedProductsOfTheGuestAlone) {
  // If each head has keys and values of its own, every product has the heads or neither class alone.
  std::string program = kMultiQuery;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"tensor<64x512x64xf32>", "tensor<64x16x512x64xf32>"},
           {"batching_dims = [0] x [0], contracting_dims = [2] x [2]",
            "batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3]"},
           {"batching_dims = [0] x [0], contracting_dims = [2] x [1]",
            "batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2]"}}) {
    for (std::size_t at = 0; (at = program.find(from, at)) != std::string::npos; at += to.size())
      program.replace(at, from.size(), to);
  }
  EXPECT_EQ(described(program), std::vector<std::string>{});
}

TEST(Exchanges, LeadTheSearchToExpertParallelism) {
  PartitionInput in;
  in.text = kExperts;
  in.file = "test.mlir";
  in.mesh = "data=4,model=4";
  in.device = value_or_throw(find_device("h100"));
  const std::string tiles =
      R"("inputs": {"arg0": 0, "arg1": 0, "arg2": 0, "arg3": 0}, "values": {"line/3": 0, "line/6": 1})";
  in.schedule = R"({"tactics": [{"name": "EP", "axis": "data", )" + tiles + R"(}, {"name": "EP2", "axis": "model", )" +
                tiles + "}]}";
  const Partition expert = value_or_throw(partition(in, Emit::stablehlo, testing::no_clock));

  const Session session = value_or_throw(Session::open({kExperts, "test.mlir"}, value_or_throw(Mesh::parse(*in.mesh))));
  SearchOptions options;
  options.device = *in.device;
  options.evaluations = 300;
  const SearchResult found = value_or_throw(search(session, options));
  in.schedule = schedule_json(schedule_of(found, session, {}));
  EXPECT_LE(found.cost.seconds, expert.tactics.back().simulation->overlapped * (1 + 1e-9)) << in.schedule;
  const Partition p = value_or_throw(partition(in, Emit::stablehlo, testing::no_clock));
  EXPECT_EQ(p.judgement.verdict, Verdict::proved) << p.judgement.reason;
  EXPECT_DOUBLE_EQ(p.tactics.back().simulation->overlapped, found.cost.seconds) << in.schedule;
  EXPECT_NE(p.collectives.str().find("all_to_all"), std::string::npos) << p.collectives.str();
}

}  // namespace
}  // namespace partir
