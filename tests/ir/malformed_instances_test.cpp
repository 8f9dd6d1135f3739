// Verification of random instances that the reader never builds: attributes of wrong kinds, huge numbers, missing
// regions, empty blocks. The verifier may accept or refuse them, but it must return.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "ir/op_decl.h"

namespace partir {
namespace {

class Malformed {
 public:
  explicit Malformed(unsigned seed) : random_(seed) {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t v : {least, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, most})
      attributes_.push_back({IntAttr{v, ""}});
    for (const std::vector<std::int64_t>& v :
         std::vector<std::vector<std::int64_t>>{{}, {0}, {1}, {0, 1}, {1, 1}, {-1, 9}, {least, most}, {1, 2, 3}})
      attributes_.push_back({IntsAttr{v}});
    for (const char* text :
         {"", "<", "array<i1: true>", "#stablehlo.conv<[b, f]x[i, o]->[b, f]>", "#stablehlo.conv<raw",
          "#stablehlo.conv<raw input_spatial_dimensions = [-1]>", "#stablehlo.channel_handle<",
          "#stablehlo.dot_algorithm<>", "#stablehlo.replica_group_mesh_axes<>"})
      attributes_.push_back({RawAttr{text}});
    for (const char* text : {"", "EQ", "FLOAT", "DEFAULT"}) attributes_.push_back({KeywordAttr{text}});
    for (const ElementType e : {ElementType::i64, ElementType::i1, ElementType::c128, ElementType::f32}) {
      for (const std::vector<std::int64_t>& dims :
           std::vector<std::vector<std::int64_t>>{{}, {0}, {2}, {2, 2}, {0, 2}, {1LL << 40, 2}}) {
        Literal splat{{e, dims}, true, std::vector<std::uint8_t>(byte_width(e), 0xff)};
        attributes_.push_back({DenseAttr{std::make_shared<Literal>(std::move(splat))}});
      }
    }
    attributes_.push_back({true});
    attributes_.push_back({false});
    attributes_.push_back({UnitAttr{}});
    attributes_.push_back({StringAttr{"x"}});
    attributes_.push_back({FloatAttr{"1.0", "f32"}});
    attributes_.push_back({ArrayAttr{}});
    attributes_.push_back({ArrayAttr{{{KeywordAttr{"HIGH"}}, {UnitAttr{}}}}});
    attributes_.push_back({DictAttr{}});
    for (const ElementType e : {ElementType::f32, ElementType::i32, ElementType::i1}) {
      for (const std::vector<std::int64_t>& dims :
           std::vector<std::vector<std::int64_t>>{{}, {2}, {0}, {2, 3}, {2, 3, 1}, {most}})
        types_.push_back(TensorType{e, dims});
    }
    others_ = {Type(TokenType{}),
               Type(TupleType{}),
               Type(TupleType{{TensorType{ElementType::f32, {}}}}),
               Type(TupleType{{Type(TupleType{}), Type(TokenType{})}}),
               Type(IndexRange{2}),
               Type(ForeignType{"tensor<?xf32>"})};
    for (const Type& t : types_) function_.add_value(t);
    ret_ = find_decl("stablehlo.return");
  }

  /// Returns a random instance of the operation. In a third of them all operands and results have the same type, which
  /// more operations accept.
  OpInstance next(const OpDecl& decl) {
    OpInstance op;
    op.decl = &decl;
    const bool alike = pick(3) == 0;
    const auto any = [&] {
      const bool other = decl.kind == OpDecl::Kind::host && pick(2) == 0;
      return other ? others_[pick(others_.size())] : types_[pick(types_.size())];
    };
    const Type type = any();
    for (std::size_t n = pick(6); n > 0; --n) op.operands.push_back(alike ? type : any());
    for (std::size_t n = pick(4); n > 0; --n) op.results.push_back(alike ? type : any());
    std::vector<std::string> names = {"replica_groups", "channel_handle", "use_global_device_ids", "has_dynamic_root"};
    for (const AttrSpec& spec : decl.attributes) names.push_back(spec.name);
    for (const std::string& name : names) {
      if (pick(8) != 0) set(op.attributes, name, attributes_[pick(attributes_.size())]);
    }
    if (pick(4) == 0) return op;
    regions_.clear();
    for (std::size_t n = pick(3); n > 0; --n) {
      Block block;
      for (std::size_t k = pick(5); k > 0; --k) block.arguments.push_back(value());
      if (pick(3) != 0) {
        block.ops.emplace_back(OpId(0), ret_);
        for (std::size_t k = pick(3); k > 0; --k) block.ops[0].operands.push_back(value());
      }
      regions_.push_back(std::move(block));
    }
    op.regions = &regions_;
    if (pick(8) != 0) op.function = &function_;
    return op;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  ValueId value() { return ValueId(pick(types_.size())); }

  std::mt19937 random_;
  std::vector<Attribute> attributes_;
  std::vector<Type> types_;
  std::vector<Type> others_;  ///< types that are not tensor types
  Function function_;
  std::vector<Block> regions_;
  const OpDecl* ret_ = nullptr;
};

TEST(Verification, ComesBackFromAnyInstance) {
  Malformed malformed(1);
  std::size_t refused = 0;
  std::size_t accepted = 0;
  for (const OpDecl* decl : all_decls()) {
    SCOPED_TRACE(decl->name);
    if (decl->verify == nullptr || decl->kind == OpDecl::Kind::core) continue;  // Core has no generic form
    for (int i = 0; i < 400; ++i) {
      const auto ok = verify_op(malformed.next(*decl));
      ++(ok ? accepted : refused);
    }
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(accepted, 0U);
}

}  // namespace
}  // namespace partir
