// Sessions (driver/session.h): undoing a tactic leaves no trace, and the result of every stage passes that stage's
// verifier.
#include "driver/session.h"

#include <rapidcheck.h>

#include "driver/verify_stages.h"
#include "ir/text/print.h"
#include "lowering/verify_spmd.h"
#include "tests/generator.h"
#include "tests/partitioned.h"

namespace partir {
namespace {

const char* const kChain =
    R"(func.func public @main(%x: tensor<256x8xf32>, %w1: tensor<8x16xf32>, %w2: tensor<16x8xf32>) -> tensor<256x8xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<256x8xf32>, tensor<8x16xf32>) -> tensor<256x16xf32>
  %1 = stablehlo.dot_general %0, %w2, contracting_dims = [1] x [0] : (tensor<256x16xf32>, tensor<16x8xf32>) -> tensor<256x8xf32>
  return %1 : tensor<256x8xf32>
})";

Session chain() {
  return value_or_throw(
      Session::open({.text = kChain, .file = "chain.mlir"}, value_or_throw(Mesh::parse("batch=4,model=2"))));
}

std::vector<ResolvedTactic> tactics(const Session& session, const std::string& list) {
  const auto schedule = value_or_throw(read_schedule("{\"tactics\": [" + list + "]}", "test.json"));
  return value_or_throw(resolve(schedule, session.mesh(), session.names(), session.main()));
}

const char* const kBatch = R"({"name": "BP", "axis": "batch", "inputs": {"arg0": 0}})";
const char* const kModel = R"({"name": "MP", "axis": "model", "inputs": {"arg1": 1}})";

/// Returns everything that a session's state determines, as text.
std::string written(Session& session) {
  Module core;
  core.functions.push_back(session.core());
  std::string out = print_module(core) + print_module(session.spmd()) + print_module(session.stablehlo());
  for (const auto& of_tactic : session.conflicts()) {
    for (const Conflict& c : of_tactic) {
      const ConflictText text = text_of(c, session.state());
      out += text.operation + ", " + text.axis + ": " + text.reason + "\n";
    }
  }
  return out;
}

TEST(Session, CountsCostsAndChecksWhatTacticsMade) {
  Session session = chain();
  for (const ResolvedTactic& t : tactics(session, std::string(kBatch) + "," + kModel)) value_or_throw(session.apply(t));
  EXPECT_EQ(session.collectives().str(), "1 all_reduce");
  EXPECT_EQ(session.check().verdict, Verdict::proved);
  auto model = value_or_throw(StepModel::of(value_or_throw(find_device("a100")), session.mesh(), {}));
  EXPECT_GT(value_or_throw(session.cost(*model)).seconds, 0);
  EXPECT_TRUE(verify_stages(session).has_value());
}

/// The verdict on a program of one 8x6 argument, tiled by rows, that computes %r by `lines`.
Verdict verdict_on(const std::string& lines) {
  const std::string text = "func.func public @main(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {\n" + lines +
                           "\n  return %r : tensor<8x6xf32>\n}\n";
  Session session = value_or_throw(Session::open({.text = text, .file = "t.mlir"}, value_or_throw(Mesh::parse("a=2"))));
  for (const ResolvedTactic& t : tactics(session, R"({"name": "A", "axis": "a", "inputs": {"arg0": 0}})"))
    value_or_throw(session.apply(t));
  return session.check().verdict;
}

TEST(Session, ChecksProgramsWithValuesThatAreNoArrays) {
  EXPECT_EQ(verdict_on("  %t = stablehlo.create_token : !stablehlo.token\n"
                       "  %u = stablehlo.after_all %t, %t : !stablehlo.token\n"
                       "  %r = stablehlo.tanh %x : tensor<8x6xf32>"),
            Verdict::proved);
  EXPECT_EQ(verdict_on("  %t = stablehlo.tuple %x, %x : tuple<tensor<8x6xf32>, tensor<8x6xf32>>\n"
                       "  %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<8x6xf32>, tensor<8x6xf32>>) -> "
                       "tensor<8x6xf32>"),
            Verdict::proved);
  EXPECT_EQ(
      verdict_on("  %t = stablehlo.create_token : !stablehlo.token\n"
                 "  %r, %u = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<8x6xf32>, !stablehlo.token)"),
      Verdict::unknown);
}

// Interpreted for one device, the number of the device says nothing about what several do.
TEST(Session, DoesNotRunWhatDependsOnTheDevice) {
  EXPECT_EQ(verdict_on("  %p = stablehlo.partition_id : tensor<ui32>\n"
                       "  %f = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>\n"
                       "  %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<8x6xf32>\n"
                       "  %r = stablehlo.add %x, %b : tensor<8x6xf32>"),
            Verdict::unknown);
}

TEST(Session, RefusesSizesThatAreData) {
  const auto session = Session::open(
      {.text = "func.func public @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {\n"
               "  %0 = \"stablehlo.set_dimension_size\"(%x, %n) <{dimension = 0 : i64}> : (tensor<8xf32>, "
               "tensor<i32>) -> tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n",
       .file = "t.mlir"},
      value_or_throw(Mesh::parse("a=2")));
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().code, "unsupported");
}

// The value is padded to 24 together with the argument. It is returned without padding until a tactic requests that the
// result be tiled.
TEST(Session, PadsAResultThatIsAskedForAfterItsValue) {
  const char* const program = R"(func.func public @main(%x: tensor<4x4xi32>) -> tensor<16xi32> {
  %0 = stablehlo.reshape %x : (tensor<4x4xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
})";
  const std::string of_argument = R"({"name": "A", "axis": "b", "inputs": {"arg0": 0}, "uneven": true})";
  const std::string of_result = R"({"name": "R", "axis": "b", "results": {"result0": 0}, "uneven": true})";
  for (const std::string& list : {of_argument + "," + of_result, of_result + "," + of_argument, of_result}) {
    const auto out = testing::partitioned(program, "b=3", list).partition;
    EXPECT_EQ(out.results.at(0).str(out.mesh), "[{b}]") << list;
  }
}

TEST(Session, UndoLeavesNoTrace) {
  Session session = chain();
  const std::string before = written(session);
  const auto both = tactics(session, std::string(kBatch) + "," + kModel);
  value_or_throw(session.apply(both[0]));
  const std::string between = written(session);
  value_or_throw(session.apply(both[1]));
  EXPECT_NE(written(session), between);
  session.undo();
  EXPECT_EQ(written(session), between);
  EXPECT_EQ(session.applied().size(), 1U);
  session.undo();
  EXPECT_EQ(written(session), before);
}

TEST(Session, AnErrorLeavesTheStateAsItWas) {
  Session session = value_or_throw(
      Session::open({.text = kChain, .file = "chain.mlir"}, value_or_throw(Mesh::parse("batch=4,model=3"))));
  const auto both = tactics(session, std::string(kBatch) + "," + kModel);
  value_or_throw(session.apply(both[0]));
  const std::string before = written(session);
  EXPECT_FALSE(session.apply(both[1]).has_value());  // 3 devices do not divide 16 columns
  EXPECT_EQ(written(session), before);
  EXPECT_EQ(session.applied().size(), 1U);
}

TEST(Session, RandomTacticsAreUndoneOneByOne) {
  EXPECT_TRUE(
      rc::check("states on the way back are those of the way there", [](const std::vector<std::uint32_t>& choices) {
        const GeneratedCase c = generate(choices);
        auto session = Session::open({.text = c.program, .file = "random.mlir"}, value_or_throw(Mesh::parse(c.mesh)));
        RC_PRE(session.has_value());
        const auto schedule = value_or_throw(read_schedule(c.schedule, "random.json"));
        const auto resolved = value_or_throw(resolve(schedule, session->mesh(), session->names(), session->main()));
        session->expect(asked_values(resolved));
        std::vector<std::string> states = {written(*session)};
        for (const ResolvedTactic& t : resolved) {
          if (!session->apply(t)) {
            RC_ASSERT(written(*session) == states.back());
            continue;
          }
          if (const auto ok = verify_stages(*session); !ok) RC_FAIL(ok.error().text());
          states.push_back(written(*session));
          if (states.size() % 2 == 0) {  // also decomposes by offsets; undo must revert that too
            value_or_throw(session->settle());
            states.back() = written(*session);
          }
        }
        for (std::size_t n = session->applied().size(); n-- > 0;) {
          session->undo();
          RC_ASSERT(written(*session) == states[n]);
        }
      }));
}

TEST(VerifySpmd, NamesWhatALoweringMustNotWrite) {
  Session session = chain();
  for (const ResolvedTactic& t : tactics(session, std::string(kBatch) + "," + kModel)) value_or_throw(session.apply(t));
  const SpmdProgram& good = session.lowered();
  ASSERT_TRUE(verify_spmd(good).has_value());
  const auto refused = [](const SpmdProgram& p) {
    const auto ok = verify_spmd(p);
    return ok ? std::string("accepted") : ok.error().found + "; wanted " + ok.error().wanted;
  };
  const ValueId argument = good.function.arguments()[0];
  Layout layout = good.layouts[argument.index()];
  SpmdProgram twice = good;
  layout.dims[1] = layout.dims[0];
  twice.layouts[argument.index()] = layout;
  EXPECT_EQ(refused(twice), "[{batch}, {batch}]; wanted each axis once");
  SpmdProgram rank = good;
  layout.dims.pop_back();
  rank.layouts[argument.index()] = layout;
  EXPECT_EQ(refused(rank), "[{batch}] of tensor<64x8xf32>; wanted a list of axes for each dimension");
  SpmdProgram shape = good;
  for (Op& op : shape.function.body.ops) {
    if (op.name() == "spmd.all_reduce")
      shape.function.types[op.results[0].index()] = TensorType{ElementType::f32, {64, 4}};
  }
  EXPECT_EQ(refused(shape), "spmd.all_reduce gives tensor<64x4xf32>; wanted tensor<64x8xf32>");
  SpmdProgram operation = good;
  std::swap(operation.function.body.ops[0].operands[0], operation.function.body.ops[0].operands[1]);
  EXPECT_NE(refused(operation), "accepted");
}

}  // namespace
}  // namespace partir
