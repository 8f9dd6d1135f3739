// Compares the pages in proofs_notes/ with the laws that are tested: every law has exactly one proof, every proof a
// law, the index links all of them, and laws along axes are also claims for the prover.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "tests/laws/law.h"
#include "verify/replay/proof.h"

namespace partir::testing {
namespace {

const std::filesystem::path kFolder = PARTIR_SOURCE_DIR "/proofs_notes";

/// Returns the text of each page by file name.
std::map<std::string, std::string> pages() {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    if (entry.path().extension() == ".md") out[entry.path().filename().string()] = text.str();
  }
  return out;
}

/// Returns the page with a heading of this id, or an empty string unless exactly one page has it.
std::string page_of(const std::string& id) {
  std::string out;
  int found = 0;
  for (const auto& [name, text] : pages()) {
    if (!std::regex_search("\n" + text, std::regex("\n##? " + id + "\n"))) continue;
    out = name;
    ++found;
  }
  return found == 1 ? out : "";
}

Laws all_laws() {
  Laws out;
  for (const Laws& laws : {loop_laws(), fold_laws(), collective_laws(), group_laws(), permute_laws()}) {
    out.hold.insert(out.hold.end(), laws.hold.begin(), laws.hold.end());
    out.wrong.insert(out.wrong.end(), laws.wrong.begin(), laws.wrong.end());
  }
  return out;
}

TEST(Pages, HaveAHeadingForEachLawThatTheIndexLinks) {
  const std::string index = pages().at("README.md");
  for (const Law& law : all_laws().hold) {
    const std::string page = page_of(law.id);
    EXPECT_NE(page, "") << law.id;
    EXPECT_NE(index.find(fmt::format("[{0}]({1}#{0})", law.id, page)), std::string::npos) << law.id;
  }
}

TEST(Pages, NameEachLawKnownToBeWrong) {
  for (const Law& law : all_laws().wrong) {
    int found = 0;
    for (const auto& [name, text] : pages()) {
      const auto list = text.find("\n## Not laws\n");
      if (list != std::string::npos && text.find("\n- `" + law.id + "`:", list) != std::string::npos) ++found;
    }
    EXPECT_EQ(found, 1) << law.id;
  }
}

/// Headings and wrong laws on the pages must be laws tested here, except those that other tests cover (`elsewhere`),
/// whose pages say where.
TEST(Pages, NameOnlyLawsThatAreTested) {
  const std::set<std::string> elsewhere = {
      "certificates", "chunk",   "partial-index-only", "additivity", "lowering", "normal-form", "normal-forms",
      "offsets",      "hunting", "validation",         "shifts",     "padding",  "regions",     "zeros-pending"};
  std::set<std::string> ids;
  for (const Law& law : all_laws().hold) ids.insert(law.id);
  for (const Law& law : all_laws().wrong) ids.insert(law.id);
  const std::regex named("\n(?:##? ([a-z-]+)(?=\n)|- `([a-z-]+)`:)");
  for (const auto& [name, page] : pages()) {
    if (name == "steps.md") continue;  // its headings are the rules tested below
    const std::string text = "\n" + page;
    for (std::sregex_iterator it(text.begin(), text.end(), named), end; it != end; ++it) {
      const std::string id = (*it)[1].str() + (*it)[2].str();
      EXPECT_TRUE(ids.contains(id) || elsewhere.contains(id)) << name << ": " << id;
    }
  }
}

/// Laws of loops and of collectives along axes are also claims that the prover proves for all sizes. The other laws are
/// about explicit lists of groups and pairs, which claims cannot express.
TEST(Pages, HaveAClaimForEachLawAlongAxes) {
  const std::set<std::string> about_lists = {"broadcast-selects",
                                             "operands-together",
                                             "groups-in-any-order",
                                             "gather-in-other-order",
                                             "flattened-ids",
                                             "scatter-in-other-order",
                                             "cross-replica",
                                             "cross-partition",
                                             "cross-replica-and-partition",
                                             "no-groups",
                                             "permutes-compose",
                                             "permute-inverts",
                                             "permute-leaves-zeros",
                                             "permute-to-itself",
                                             "permute-selects",
                                             "permute-of-parts",
                                             "permute-past-exchange"};
  std::string claims;
  for (const char* file : {"rewrites.tmr", "loop_laws.tmr"}) {
    std::stringstream text;
    text << std::ifstream(kFolder / "../tests/claims" / file).rdbuf();
    claims += text.str();
  }
  for (const Law& law : all_laws().hold) {
    std::string name = law.id;
    std::replace(name.begin(), name.end(), '-', '_');
    const bool there = claims.find("// EXPECT: proved\nrewrite @" + name + " ") != std::string::npos;
    EXPECT_NE(there, about_lists.contains(law.id)) << law.id;
  }
}

std::vector<std::string> headings(const std::string& page) {
  std::vector<std::string> out;
  const std::regex heading("\n## ([a-z-]+)(?=\n)");
  for (std::sregex_iterator it(page.begin(), page.end(), heading), end; it != end; ++it) out.push_back((*it)[1]);
  return out;
}

TEST(Pages, SayOfEachStepOfAProofWhyItHolds) {
  std::vector<std::string> rules;
  for (std::size_t r = 0; r <= static_cast<std::size_t>(replay::kLastRule); ++r)
    rules.emplace_back(replay::name_of(static_cast<replay::Rule>(r)));
  EXPECT_EQ(headings(pages().at("steps.md")), rules);
}

TEST(Pages, LinkToPagesAndHeadingsThatExistAndTheIndexToAll) {
  const auto all = pages();
  std::set<std::string> indexed = {"README.md"};
  const std::regex link("\\]\\(([a-z-]+\\.md)(?:#([a-z-]+))?\\)");
  for (const auto& [name, text] : all) {
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string to = (*it)[1];
      const std::string heading = (*it)[2];
      EXPECT_TRUE(all.contains(to)) << name << " links to " << to;
      EXPECT_TRUE(heading.empty() || page_of(heading) == to) << name << " links to " << heading;
      if (name == "README.md") indexed.insert(to);
    }
  }
  for (const auto& [name, text] : all) EXPECT_TRUE(indexed.contains(name)) << name << " is not in the index";
}

TEST(Pages, AreOfLawsWithDifferentIds) {
  std::set<std::string> ids;
  const Laws laws = all_laws();
  for (const auto* list : {&laws.hold, &laws.wrong}) {
    for (const Law& law : *list) EXPECT_TRUE(ids.insert(law.id).second) << law.id;
  }
  EXPECT_GT(ids.size(), 70U);
}

}  // namespace
}  // namespace partir::testing
