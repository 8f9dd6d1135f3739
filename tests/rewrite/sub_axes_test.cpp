// Tactics along parts of axes: the mesh and the tactics that they become, and what is refused.
#include "rewrite/sub_axes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace partir {
namespace {

/// Splits the axes of a mesh by tactics along these axes, called A, B, …; returns "mesh; name on axis, …" or the error.
std::string split(const std::string& mesh, const std::vector<std::string>& axes) {
  std::string tactics;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    tactics += fmt::format(R"({}{{"name": "{}", "axis": "{}", "inputs": {{"x": 0}}}})", k == 0 ? "" : ", ",
                           static_cast<char>('A' + k), axes[k]);
  }
  Schedule schedule = value_or_throw(read_schedule("{\"tactics\": [" + tactics + "]}", "s.json"));
  Mesh m = value_or_throw(Mesh::parse(mesh));
  if (auto ok = split_sub_axes(schedule, m); !ok) return ok.error().found + "; wanted " + ok.error().wanted;
  std::string out = m.str() + ";";
  for (const Tactic& t : schedule.tactics) out += fmt::format(" {} on {}", t.name, t.axis);
  return out;
}

TEST(SubAxes, BecomeAxesOfARefinedMesh) {
  EXPECT_EQ(split("x=8,y=2", {"x:(1)2", "x:(2)4", "y"}), "x_0=2,x_1=4,y=2; A on x_0 B on x_1 C on y");
  EXPECT_EQ(split("x=8", {"x:(2)2"}), "x_0=2,x_1=2,x_2=2; A on x_1");
  EXPECT_EQ(split("x=4,device_ids=[1,2,3,0]", {"x:(2)2"}), "x_0=2,x_1=2,device_ids=[1,2,3,0]; A on x_1");
}

TEST(SubAxes, ATacticAlongSeveralOfThemBecomesOneForEach) {
  EXPECT_EQ(split("x=8", {"x", "x:(2)2"}), "x_0=2,x_1=2,x_2=2; A, x_0 on x_0 A, x_1 on x_1 A on x_2 B on x_1");
  EXPECT_EQ(split("x=8", {"x:(1)4", "x:(2)4"}), "x_0=2,x_1=2,x_2=2; A, x_0 on x_0 A on x_1 B, x_1 on x_1 B on x_2");
}

TEST(SubAxes, SchedulesWithoutThemStayAsTheyAre) { EXPECT_EQ(split("x=8,y=2", {"y", "z"}), "x=8,y=2; A on y B on z"); }

TEST(SubAxes, FurtherPartsSplitAxesThatTacticsNameWhole) {
  Schedule schedule =
      value_or_throw(read_schedule(R"({"tactics": [{"name": "A", "axis": "x", "inputs": {"a": 0}}]})", "s.json"));
  Mesh mesh = value_or_throw(Mesh::parse("x=8,y=2"));
  const auto parts = value_or_throw(split_sub_axes(schedule, mesh, {{"x", 1, 4}, {"x", 1, 2}}));
  EXPECT_EQ(mesh.str(), "x_0=2,x_1=2,x_2=2,y=2");
  ASSERT_EQ(schedule.tactics.size(), 3U);
  EXPECT_EQ(schedule.tactics[2].name, "A");
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts.at("x_1").before, 2);
  EXPECT_EQ(parts.at("x_1").size, 2);
}

TEST(SubAxes, AreRefusedIfTheAxisDoesNotHaveThem) {
  const std::string form = "; wanted an axis, or a part of one such as x:(1)2, its major digit of size 2";
  for (const char* text : {"x:", "x:(1)", "x:(1)1", "x:(0)2", "x:1", "x:(1)2,"})
    EXPECT_EQ(split("x=8", {text}).find("tactic A on axis '" + std::string(text) + "'"), 0U) << text;
  EXPECT_EQ(split("x=8", {"x:(1)"}), "tactic A on axis 'x:(1)'" + form);
  const std::string size = "; wanted a part of x, whose size is 8";
  for (const char* text :
       {"x:(3)2", "x:(1)16", "x:(8)2", "x:(2)3", "x:(999999999999999999)2", "x:(1)999999999999999999"})
    EXPECT_EQ(split("x=8", {text}), "tactic A on axis '" + std::string(text) + "'" + size);
  EXPECT_EQ(split("x=8", {"y:(1)2"}), "tactic A on axis 'y:(1)2'; wanted an axis of the mesh x=8");
  EXPECT_EQ(split("x=6", {"x:(1)2", "x:(1)3"}),
            "tactic B on axis 'x:(1)3'; wanted parts of x that are made of common digits");
  EXPECT_EQ(split("x=8,x_1=2", {"x:(1)2"}),
            "the axis x_1 beside parts of x; wanted another name, since the parts are called that");
}

}  // namespace
}  // namespace partir
