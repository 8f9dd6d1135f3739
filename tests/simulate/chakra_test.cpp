// The step as Chakra execution traces, decoded here by a reader of protobuf's wire format.
#include "simulate/chakra.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/text/read.h"
#include "support/file.h"

namespace partir {
namespace {

/// Reads a varint and moves `at` behind it.
std::uint64_t varint(const std::string& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.at(at++));
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
}

/// The fields of a message by number; strings as text.
std::multimap<unsigned, std::string> fields_of(const std::string& bytes) {
  std::multimap<unsigned, std::string> out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t tag = varint(bytes, at);
    std::string value;
    if ((tag & 7U) == 2) {
      const std::uint64_t size = varint(bytes, at);
      value = bytes.substr(at, size);
      at += size;
    } else {
      value = std::to_string(varint(bytes, at));
    }
    out.emplace(static_cast<unsigned>(tag >> 3U), std::move(value));
  }
  return out;
}

struct Node {
  std::uint64_t id = 0;
  std::string name;
  std::string type;
  std::vector<std::uint64_t> after;
  std::map<std::string, std::string> attributes;  ///< a list of booleans as "10"
};

std::vector<Node> nodes_of(const std::string& trace) {
  std::vector<Node> out;
  for (std::size_t at = 0; at < trace.size();) {
    const std::uint64_t size = varint(trace, at);
    const auto fields = fields_of(trace.substr(at, size));
    at += size;
    if (fields.find(3) == fields.end()) {  // the metadata
      EXPECT_EQ(fields.find(1)->second, "0.0.4");
      continue;
    }
    Node n{std::stoull(fields.find(1)->second), fields.find(2)->second, fields.find(3)->second, {}, {}};
    for (auto [f, end] = fields.equal_range(5); f != end; ++f) n.after.push_back(std::stoull(f->second));
    for (auto [f, end] = fields.equal_range(10); f != end; ++f) {
      const auto attribute = fields_of(f->second);
      std::string& value = n.attributes[attribute.find(1)->second];
      for (const auto& [number, text] : attribute) {
        if (number == 28) {
          for (const auto& [member, flag] : fields_of(text)) value += flag;
        } else if (number != 1) {
          value = text;
        }
      }
    }
    out.push_back(std::move(n));
  }
  return out;
}

Simulation simulated(const std::string& text, const std::string& mesh) {
  Device d;
  d.name = "slow";
  d.memory_bytes = 1e6;
  d.memory_bandwidth = 1;
  d.matrix_peak = {{"f32", 1}};
  d.vector_peak = {{"f32", 10}, {"i32", 10}};
  Link l;
  l.name = "wire";
  l.shape = Link::Shape::switch_fabric;
  l.bandwidth = 0.1;
  d.links = {l};
  const Module module = value_or_throw(inline_calls(value_or_throw(read_module(text, "test.mlir"))));
  SimulationOptions options;
  options.mesh = value_or_throw(Mesh::parse(mesh));
  options.events = true;
  return value_or_throw(simulate(module, value_or_throw(names_of(**module.main(), std::nullopt, "")), d, options));
}

/// An all_reduce over these groups.
std::string all_reduce(const std::string& value, const std::string& groups) {
  return fmt::format(
      R"("stablehlo.all_reduce"({}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{}>, use_global_device_ids}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<8xf32>) -> tensor<8xf32>)",
      value, groups);
}

std::string program(const std::string& body) {
  return "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n" + body + "\n  return %r : tensor<8xf32>\n}\n";
}

TEST(Chakra, CollectivesNameTheirGroupAndTheAxesOfTheMesh) {
  const Simulation s =
      simulated(program("%y = " + all_reduce("%x", "[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64") +
                        "\n%r = " + all_reduce("%y", "[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64")),
                "a=4,b=2");
  const auto groups = nlohmann::json::parse(chakra_groups(s));
  for (const std::size_t d : {0U, 5U}) {
    const auto nodes = nodes_of(chakra_trace(s, d));
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].name, "all_reduce");
    EXPECT_EQ(nodes[0].type, "7") << "COMM_COLL_NODE";
    EXPECT_EQ(nodes[0].attributes.at("comm_type"), "0");
    EXPECT_EQ(nodes[0].attributes.at("comm_size"), "32");
    EXPECT_EQ(nodes[0].attributes.at("involved_dim"), "10") << "b, the innermost axis, is the first";
    EXPECT_EQ(nodes[1].attributes.at("involved_dim"), "01");
    EXPECT_EQ(nodes[1].after, std::vector<std::uint64_t>{nodes[0].id});
    const auto group = [&](std::size_t k) {
      return groups.at(nodes[k].attributes.at("pg_name")).get<std::vector<std::size_t>>();
    };
    EXPECT_EQ(group(0), d == 0 ? (std::vector<std::size_t>{0, 1}) : (std::vector<std::size_t>{4, 5}));
    EXPECT_EQ(group(1), d == 0 ? (std::vector<std::size_t>{0, 2, 4, 6}) : (std::vector<std::size_t>{1, 3, 5, 7}));
  }
  EXPECT_FALSE(groups.contains("0")) << "ASTRA-sim's name for all devices";
}

TEST(Chakra, GroupsThatAreNotAlongAxesAreNamed) {
  const Simulation s = simulated(program("%r = " + all_reduce("%x", "[[0, 3], [1, 2]]> : tensor<2x2xi64")), "a=4");
  const auto groups = nlohmann::json::parse(chakra_groups(s));
  const auto nodes = nodes_of(chakra_trace(s, 2));
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(groups.at(nodes[0].attributes.at("pg_name")), (std::vector<int>{1, 2}));
}

TEST(Chakra, PermutesAreSendsAndReceives) {
  const Simulation s = simulated(
      program("%y = \"stablehlo.collective_permute\"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type "
              "= 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> "
              "tensor<8xf32>\n%r = " +
              all_reduce("%y", "[[0, 1, 2, 3]]> : tensor<1x4xi64")),
      "a=4");
  std::map<std::size_t, std::vector<std::string>> types;
  std::vector<std::string> tags;
  for (std::size_t d = 0; d < 4; ++d) {
    const auto nodes = nodes_of(chakra_trace(s, d));
    const Node& reads = nodes.back();
    for (const Node& n : nodes) {
      types[d].push_back(n.type);
      if (n.type != "5" && n.type != "6") continue;
      tags.push_back(n.attributes.at("comm_tag"));
      EXPECT_EQ(n.attributes.at(n.type == "5" ? "comm_src" : "comm_dst"), fmt::format("{}", d));
      EXPECT_EQ(n.attributes.at(n.type == "5" ? "comm_dst" : "comm_src"),
                fmt::format("{}", n.type == "5" ? d + 1 : d - 1));
      EXPECT_EQ(n.attributes.at("comm_size"), "32");
      if (n.type == "6") {
        EXPECT_EQ(reads.after, std::vector<std::uint64_t>{n.id}) << "what reads it waits for it";
      }
    }
  }
  EXPECT_EQ(types[0], (std::vector<std::string>{"5", "7"}));
  EXPECT_EQ(types[1], (std::vector<std::string>{"5", "6", "7"}));
  EXPECT_EQ(types[2], (std::vector<std::string>{"6", "7"}));
  EXPECT_EQ(types[3], (std::vector<std::string>{"7"}));
  EXPECT_EQ(std::set<std::string>(tags.begin(), tags.end()).size(), 1U);
}

TEST(Chakra, LoopsRunAllTheirIterationsOneAfterAnother) {
  const Simulation s = simulated(program(R"(  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %l:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %w = )" + all_reduce("%v", "[[0, 1]]> : tensor<1x2xi64") +
                                         R"(
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, tensor<8xf32>
  }
  %r = stablehlo.negate %l#1 : tensor<8xf32>)"),
                                 "a=2");
  const auto nodes = nodes_of(chakra_trace(s, 0));
  std::vector<Node> reduces;
  std::map<std::uint64_t, Node> by_id;
  for (const Node& n : nodes) {
    by_id.emplace(n.id, n);
    if (n.name == "all_reduce") reduces.push_back(n);
  }
  ASSERT_EQ(by_id.size(), nodes.size()) << "two nodes have one number";
  ASSERT_EQ(reduces.size(), 3U);
  const auto comes_after = [&](const Node& n, std::uint64_t earlier, const auto& self) -> bool {
    return std::any_of(n.after.begin(), n.after.end(),
                       [&](std::uint64_t id) { return id == earlier || self(by_id.at(id), earlier, self); });
  };
  EXPECT_TRUE(comes_after(reduces[1], reduces[0].id, comes_after));
  EXPECT_TRUE(comes_after(reduces[2], reduces[1].id, comes_after));
  EXPECT_TRUE(comes_after(nodes.back(), reduces[2].id, comes_after));
}

TEST(Chakra, IsWrittenForOneDeviceOrForAll) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("partir_chakra_{}", getpid());
  std::filesystem::create_directory(folder);
  const Simulation s = simulated(program("%r = " + all_reduce("%x", "[[0, 1]]> : tensor<1x2xi64")), "a=2");
  const auto files = [&] {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) out.insert(entry.path().filename().string());
    return out;
  };
  ASSERT_TRUE(write_chakra(s, (folder / "one.et").string()));
  EXPECT_EQ(files(), std::set<std::string>{"one.et"});
  ASSERT_TRUE(write_chakra(s, (folder / "all").string()));
  EXPECT_EQ(files(), (std::set<std::string>{"all.0.et", "all.1.et", "all.groups.json", "one.et"}));
  EXPECT_EQ(value_or_throw(read_file((folder / "all.0.et").string())), chakra_trace(s, 0));
  // A file that cannot be written: none is left.
  std::filesystem::create_directory(folder / "bad.1.et");
  EXPECT_FALSE(write_chakra(s, (folder / "bad").string()));
  EXPECT_EQ(files(), (std::set<std::string>{"all.0.et", "all.1.et", "all.groups.json", "bad.1.et", "one.et"}));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace partir
