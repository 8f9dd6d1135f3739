// Writes the simulated step as a Chakra execution trace (github.com/mlcommons/chakra, schema/protobuf/et_def.proto):
// length-delimited messages, one GlobalMetadata followed by Nodes, as ASTRA-sim's feeder reads them. Only a few fields
// of a few messages are needed, so this file encodes them itself: a field is its number and wire type, then a varint or
// bytes (protobuf.dev, "Encoding").
#include <cmath>

#include "simulate/simulate.h"

namespace partir {
namespace {

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

constexpr unsigned kCompute = 4;     // NodeType COMP_NODE
constexpr unsigned kCollective = 7;  // COMM_COLL_NODE

unsigned comm_type(CollectiveKind kind) {  // CollectiveCommType
  switch (kind) {
    case CollectiveKind::all_reduce: return 0;
    case CollectiveKind::collective_reduce: return 1;
    case CollectiveKind::all_gather: return 2;
    case CollectiveKind::collective_broadcast: return 5;
    case CollectiveKind::reduce_scatter: return 7;
    case CollectiveKind::all_to_all:
    case CollectiveKind::collective_permute: return 6;
  }
  return 0;
}

/// Field numbers of the value of an AttributeProto.
constexpr unsigned kUint64 = 13;
constexpr unsigned kBool = 27;
constexpr unsigned kInt64 = 9;
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

}  // namespace

std::string chakra_trace(const Simulation& simulation) {
  std::string out;
  Message metadata;
  metadata.text(1, "0.0.4");
  metadata.write(out);
  for (std::size_t i = 0; i < simulation.events.size(); ++i) {
    const StepEvent& e = simulation.events[i];
    Message node;
    node.number(1, i + 1);
    node.text(2, e.name);
    node.number(3, e.collective ? kCollective : kCompute);
    for (const std::uint32_t before : e.after) node.number(5, before + 1);
    node.number(6, static_cast<std::uint64_t>(std::llround(e.start * 1e6)));
    node.number(7, static_cast<std::uint64_t>(std::llround(e.seconds * 1e6)));
    attribute(node, "is_cpu_op", kBool, 0);
    if (e.collective) {
      attribute(node, "comm_type", kInt64, comm_type(*e.collective));
      attribute(node, "comm_size", kInt64, static_cast<std::uint64_t>(std::llround(e.bytes)));
      attribute(node, "mesh_axis", e.track);
    } else {
      attribute(node, "num_ops", kInt64, static_cast<std::uint64_t>(std::llround(e.flops)));
      attribute(node, "tensor_size", kUint64, static_cast<std::uint64_t>(std::llround(e.bytes)));
    }
    node.write(out);
  }
  return out;
}

}  // namespace partir
