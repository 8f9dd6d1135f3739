// Chakra's format (schema/protobuf/et_def.proto): length-delimited messages, one GlobalMetadata followed by Nodes, as
// ASTRA-sim's feeder reads them. Only a few fields of a few messages are needed, so this file encodes them itself: a
// field is its number and wire type, then a varint or bytes (protobuf.dev, "Encoding").
#include "simulate/chakra.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "support/file.h"

namespace partir {
namespace {

constexpr std::size_t kMostNodes = 1'000'000;  ///< of loops' iterations in one trace

/// A protobuf message under construction.
class Message {
 public:
  void number(unsigned field, std::uint64_t value) {
    tag(field, 0);
    varint(value);
  }
  void text(unsigned field, const std::string& value) {
    tag(field, 2);
    varint(value.size());
    bytes_ += value;
  }
  void message(unsigned field, const Message& value) { text(field, value.bytes_); }
  /// Appends the message with its length as a prefix.
  void write(std::string& out) const {
    Message length;
    length.varint(bytes_.size());
    out += length.bytes_ + bytes_;
  }

 private:
  void tag(unsigned field, unsigned type) { varint(field << 3U | type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

enum NodeType : unsigned { compute = 4, send = 5, receive = 6, collective = 7 };

/// Field numbers of the value of an AttributeProto.
constexpr unsigned kInt64 = 9;
constexpr unsigned kUint64 = 13;
constexpr unsigned kBool = 27;
constexpr unsigned kBoolList = 28;
constexpr unsigned kString = 29;

void attribute(Message& node, const std::string& name, unsigned field, std::uint64_t value) {
  Message a;
  a.text(1, name);
  a.number(field, value);
  node.message(10, a);
}

void attribute(Message& node, const std::string& name, const std::string& value) {
  Message a;
  a.text(1, name);
  a.text(kString, value);
  node.message(10, a);
}

void attribute(Message& node, const std::string& name, const std::vector<bool>& values) {
  Message list;
  for (const bool value : values) list.number(1, value ? 1 : 0);
  Message a;
  a.text(1, name);
  a.message(kBoolList, list);
  node.message(10, a);
}

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

bool is_permute(const StepEvent& e) { return e.collective && facts_of(*e.collective).traffic == Traffic::send; }

/// The names of all groups, from 1 on. ("0" is ASTRA-sim's name for all devices.)
std::map<std::vector<std::int64_t>, std::size_t> names_of_groups(const Simulation& simulation) {
  std::map<std::vector<std::int64_t>, std::size_t> out;
  for (const StepEvent& e : simulation.events) {
    if (!e.collective || is_permute(e) || e.groups == nullptr) continue;
    for (const auto& group : *e.groups) out.try_emplace(group, out.size() + 1);
  }
  return out;
}

using Ids = std::vector<std::uint64_t>;

class Trace {
 public:
  Trace(const Simulation& simulation, std::size_t device)
      : s_(simulation), device_(static_cast<std::int64_t>(device)), groups_(names_of_groups(simulation)) {}

  std::string run() {
    Message metadata;
    metadata.text(1, "0.0.4");
    metadata.write(out_);
    (void)block(0, s_.events.size(), {});
    return std::move(out_);
  }

 private:
  /// Writes the events of a block, which begins after the nodes `before`. Returns the nodes that nothing in it reads.
  Ids block(std::size_t first, std::size_t end, const Ids& before) {
    std::map<std::size_t, Ids> done;  // by event: the nodes that have to be done before what reads it
    std::map<std::uint64_t, bool> is_read;
    for (std::size_t k = first; k < end; k += 1 + s_.events[k].inner) {
      const StepEvent& e = s_.events[k];
      Ids after;
      for (const std::uint32_t b : e.after) {
        const auto it = done.find(b);
        if (it != done.end()) after.insert(after.end(), it->second.begin(), it->second.end());
      }
      if (after.empty()) after = before;
      for (const std::uint64_t id : after) is_read[id] = true;
      done[k] = event(k, after);
      for (const std::uint64_t id : done[k]) is_read.try_emplace(id, false);
    }
    Ids out;
    for (const auto& [id, read] : is_read) {
      if (!read) out.push_back(id);
    }
    return out.empty() ? before : out;
  }

  Ids event(std::size_t k, const Ids& after) {
    const StepEvent& e = s_.events[k];
    if (e.inner > 0 && next_ + e.inner * static_cast<std::size_t>(e.times) <= kMostNodes) {
      Ids before = after;
      for (std::int64_t n = 0; n < e.times; ++n) before = block(k + 1, k + 1 + e.inner, before);
      return before;
    }
    if (e.collective && is_permute(e)) return permute(e, after);
    Message node;
    const std::uint64_t id = begin(node, e, e.collective ? NodeType::collective : NodeType::compute, after);
    if (e.collective) {
      attribute(node, "comm_type", kInt64, facts_of(*e.collective).chakra);
      attribute(node, "comm_size", kInt64, whole(e.bytes));
      attribute(node, "involved_dim", std::vector<bool>(e.involved.rbegin(), e.involved.rend()));
      if (const auto group = own_group(e)) attribute(node, "pg_name", fmt::format("{}", groups_.at(*group)));
      attribute(node, "mesh_axis", e.track);
    } else {
      attribute(node, "num_ops", kInt64, whole(e.flops));
      attribute(node, "tensor_size", kUint64, whole(e.bytes));
    }
    node.write(out_);
    return {id};
  }

  /// What the device sends and receives. What reads the result waits for the receive, if there is one.
  Ids permute(const StepEvent& e, const Ids& after) {
    const std::uint64_t tag = next_;  // the same on all devices, whose nodes have the same numbers
    Ids received;
    for (const bool sends : {true, false}) {
      Message node;
      const auto peer = peer_of(e, sends);
      if (!peer) {
        ++next_;
        continue;
      }
      const std::uint64_t id = begin(node, e, sends ? NodeType::send : NodeType::receive, after);
      attribute(node, "comm_src", kInt64, static_cast<std::uint64_t>(sends ? device_ : *peer));
      attribute(node, "comm_dst", kInt64, static_cast<std::uint64_t>(sends ? *peer : device_));
      attribute(node, "comm_tag", kInt64, tag);
      attribute(node, "comm_size", kInt64, whole(e.bytes));
      node.write(out_);
      if (!sends) received = {id};
    }
    return received.empty() ? after : received;
  }

  [[nodiscard]] std::optional<std::int64_t> peer_of(const StepEvent& e, bool sends) const {
    if (e.groups == nullptr) return std::nullopt;
    for (const auto& pair : *e.groups) {
      if (pair.size() == 2 && pair[sends ? 0 : 1] == device_) return pair[sends ? 1 : 0];
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> own_group(const StepEvent& e) const {
    if (e.groups == nullptr) return std::nullopt;
    for (const auto& group : *e.groups) {
      if (std::find(group.begin(), group.end(), device_) != group.end()) return group;
    }
    return std::nullopt;
  }

  std::uint64_t begin(Message& node, const StepEvent& e, NodeType type, const Ids& after) {
    const std::uint64_t id = next_++;
    node.number(1, id);
    node.text(2, e.name);
    node.number(3, type);
    for (const std::uint64_t before : after) node.number(5, before);
    node.number(6, whole(e.start * 1e6));
    node.number(7, whole(e.seconds * static_cast<double>(e.times) * 1e6));
    attribute(node, "is_cpu_op", kBool, 0);
    return id;
  }

  const Simulation& s_;
  std::int64_t device_;
  std::map<std::vector<std::int64_t>, std::size_t> groups_;
  std::uint64_t next_ = 1;
  std::string out_;
};

}  // namespace

std::string chakra_trace(const Simulation& simulation, std::size_t device) { return Trace(simulation, device).run(); }

std::string chakra_groups(const Simulation& simulation) {
  std::map<std::size_t, std::vector<std::int64_t>> by_name;
  for (const auto& [group, name] : names_of_groups(simulation)) by_name[name] = group;
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [name, group] : by_name) out[fmt::format("{}", name)] = group;
  return out.dump() + "\n";
}

Result<void> write_chakra(const Simulation& simulation, const std::string& path) {
  if (path.ends_with(".et") || path == "-") return write_file(path, chakra_trace(simulation, 0));
  std::vector<std::string> written;
  const auto write = [&](std::string file, const std::string& content) {
    auto ok = write_file(file, content);
    if (ok) written.push_back(std::move(file));
    return ok;
  };
  auto ok = write(path + ".groups.json", chakra_groups(simulation));
  for (std::size_t d = 0; d < static_cast<std::size_t>(simulation.mesh.devices()) && ok; ++d)
    ok = write(fmt::format("{}.{}.et", path, d), chakra_trace(simulation, d));
  if (ok) return ok;
  for (const std::string& file : written) (void)std::remove(file.c_str());
  return ok;
}

}  // namespace partir
