// .npz files: written arrays read back, the forms that NumPy writes are read, and damaged files give errors.
#include "semantics/npz.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/file.h"

namespace partir {
namespace {

using E = ElementType;
using Arrays = std::map<std::string, LiteralPtr>;

/// A unique path, whose file is removed at the end.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(fmt::format("{}/npz_test.{}.{}.npz", std::filesystem::temp_directory_path().string(), ::getpid(),
                          counter_++)) {}
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  void fill(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

 private:
  static inline int counter_ = 0;
  std::string path_;
};

LiteralPtr random_array(E type, std::vector<std::int64_t> dims, std::mt19937_64& random) {
  Literal out{TensorType{type, std::move(dims)}, false, {}};
  out.bytes.resize(static_cast<std::size_t>(out.type.elements()) * byte_width(type));
  for (std::uint8_t& b : out.bytes) b = static_cast<std::uint8_t>(type == E::i1 ? random() & 1 : random());
  return std::make_shared<Literal>(std::move(out));
}

/// Returns a zip archive with one stored file, built from the format's specification; `claimed` overrides the size in
/// the directory.
std::string zip_of(const std::string& name, const std::string& content,
                   std::optional<std::uint32_t> claimed = std::nullopt) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : content) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
  }
  crc = ~crc;
  const auto number = [](std::uint32_t v, int bytes) {
    std::string out;
    for (int k = 0; k < bytes; ++k) out += static_cast<char>(v >> (8 * k));
    return out;
  };
  const auto size = static_cast<std::uint32_t>(content.size());
  const std::string common = number(0, 2) + number(0, 2) + number(0, 4) + number(crc, 4) + number(size, 4) +
                             number(claimed.value_or(size), 4) + number(static_cast<std::uint32_t>(name.size()), 2) +
                             number(0, 2);
  std::string out = "PK\3\4" + number(20, 2) + common + name + content;
  const auto directory = static_cast<std::uint32_t>(out.size());
  out += "PK\1\2" + number(20, 2) + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
         number(0, 4) + name;
  const std::uint32_t length = static_cast<std::uint32_t>(out.size()) - directory;
  return out + "PK\5\6" + number(0, 2) + number(0, 2) + number(1, 2) + number(1, 2) + number(length, 4) +
         number(directory, 4) + number(0, 2);
}

/// Returns a .npy file with this header.
std::string npy_of(const std::string& header, const std::string& data, int version = 1) {
  std::string out = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) out += static_cast<char>(header.size() >> (8 * k));
  return out + header + data;
}

Result<Arrays> read_zip(const std::string& bytes) {
  const TemporaryFile file;
  file.fill(bytes);
  return read_npz(file.path());
}

TEST(Npz, WhatIsWrittenReadsBack) {
  std::mt19937_64 random(1);
  Arrays arrays;
  for (const E type : {E::f64, E::f32, E::f16, E::bf16, E::i64, E::i32, E::i16, E::i8, E::ui64, E::ui32, E::ui16,
                       E::ui8, E::i1, E::c64, E::c128}) {
    int number = 0;
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{}, {3}, {2, 3}, {0}, {4, 0, 2}, {1, 2, 3, 4}}) {
      arrays[fmt::format("{}_{}", name_of(type), number++)] = random_array(type, dims, random);
    }
  }
  const TemporaryFile file;
  const auto written = write_npz(file.path(), arrays);
  ASSERT_TRUE(written.has_value()) << written.error().text();
  const auto again = read_npz(file.path());
  ASSERT_TRUE(again.has_value()) << again.error().text();
  ASSERT_EQ(again->size(), arrays.size());
  for (const auto& [name, literal] : arrays) EXPECT_EQ(*again->at(name), *literal) << name;
}

TEST(Npz, AnArchiveWithoutArraysReadsBack) {
  const TemporaryFile file;
  ASSERT_TRUE(write_npz(file.path(), {}).has_value());
  const auto again = read_npz(file.path());
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_TRUE(again->empty());
}

TEST(Npz, ASplatIsWrittenOut) {
  const TemporaryFile file;
  ASSERT_TRUE(write_npz(file.path(), {{"x", int_splat(TensorType{E::i32, {2, 2}}, 7)}}).has_value());
  const auto again = read_npz(file.path());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(*again->at("x"), *int_literal(TensorType{E::i32, {2, 2}}, {7, 7, 7, 7}));
}

TEST(Npz, ReadsTheFormsOfNumPy) {
  const std::string data(8, '\1');
  for (const int version : {1, 2}) {
    for (const char* header : {"{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }          \n",
                               "{'shape': (2,), 'fortran_order': False, 'descr': '<i4'}\n",
                               "{'descr':'<i4','fortran_order':False,'shape':(1, 2)}"}) {
      const auto arrays = read_zip(zip_of("x.npy", npy_of(header, data, version)));
      ASSERT_TRUE(arrays.has_value()) << arrays.error().text() << header;
      EXPECT_EQ(arrays->at("x")->as_int(1), 0x01010101);
    }
  }
  const auto other = read_zip(zip_of("readme.txt", "not an array"));
  ASSERT_TRUE(other.has_value());
  EXPECT_TRUE(other->empty());
  const auto booleans = read_zip(
      zip_of("x.npy", npy_of("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", std::string("\0\1\2", 3))));
  ASSERT_TRUE(booleans.has_value());
  EXPECT_EQ(booleans->at("x")->bytes, (std::vector<std::uint8_t>{0, 1, 1})) << "every byte but 0 is true";
}

TEST(Npz, RefusesWhatItCannotMean) {
  const std::string data(8, '\1');
  const char* headers[] = {"{'descr': '<i4', 'fortran_order': True, 'shape': (2,)}",
                           "{'descr': '>i4', 'fortran_order': False, 'shape': (2,)}",
                           "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
                           "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (1,)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (-2,)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (two,)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (9223372036854775807,)}",
                           "{'descr': '<i4', 'fortran_order': False, 'shape': (9223372036854775808,)}",
                           "{'descr': '<i4', 'fortran_order': False}",
                           "{'descr': '<i4', 'shape': (2,)}",
                           "{'fortran_order': False, 'shape': (2,)}",
                           "{'descr': '<i4",
                           "'shape':",
                           ""};
  for (const char* header : headers) {
    const auto arrays = read_zip(zip_of("x.npy", npy_of(header, data)));
    ASSERT_FALSE(arrays.has_value()) << header;
    EXPECT_EQ(arrays.error().code, "npz") << header;
  }
  for (const std::string& content : {std::string(), std::string("\x93NUMPY"), std::string("\x93NUMPY\1\0\xff\xff{", 11),
                                     std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), std::string(40, 'x')}) {
    EXPECT_FALSE(read_zip(zip_of("x.npy", content)).has_value());
  }
  EXPECT_FALSE(read_zip("").has_value());
  EXPECT_FALSE(read_zip("no archive at all").has_value());
  EXPECT_FALSE(read_npz("/nowhere/at/all.npz").has_value());
}

TEST(Npz, RefusesASizeThatTheArchiveDoesNotHave) {
  const std::string file = npy_of("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}", std::string(8, '\1'));
  EXPECT_TRUE(read_zip(zip_of("x.npy", file)).has_value());
  EXPECT_FALSE(read_zip(zip_of("x.npy", file, 0xfffffff0)).has_value()) << "4 GB are claimed";
  EXPECT_FALSE(read_zip(zip_of("x.npy", file, 10)).has_value());
}

TEST(Npz, RefusesToWriteTypesThatNumPyLacksAndPlacesThatAreNone) {
  const TemporaryFile file;
  std::mt19937_64 random(2);
  EXPECT_FALSE(write_npz(file.path(), {{"x", random_array(E::f8E4M3FN, {2}, random)}}).has_value());
  EXPECT_FALSE(std::filesystem::exists(file.path()));
  EXPECT_FALSE(write_npz("/nowhere/at/all.npz", {{"x", random_array(E::f32, {2}, random)}}).has_value());
}

/// Three arrays and the archive that contains them.
struct Archive {
  Arrays arrays;
  std::string bytes;
  Archive() {
    std::mt19937_64 random(3);
    arrays = {{"in_0", random_array(E::f32, {3, 4}, random)},
              {"in_1", random_array(E::i64, {5}, random)},
              {"p", random_array(E::i1, {2, 2}, random)}};
    const TemporaryFile file;
    EXPECT_TRUE(write_npz(file.path(), arrays).has_value());
    bytes = read_file(file.path()).value();
  }
  /// Expects an error, or arrays of which those with the original names are unchanged.
  void expect_error_or_equal(const std::string& damaged, const std::string& how) const {
    const auto got = read_zip(damaged);
    if (!got) {
      EXPECT_FALSE(got.error().text().empty());
      return;
    }
    for (const auto& [name, literal] : *got) {
      const auto old = arrays.find(name);
      EXPECT_TRUE(old == arrays.end() || *old->second == *literal) << how << " changes " << name << " unnoticed";
    }
  }
};

TEST(DamagedNpz, TruncatedAnywhereIsAnError) {
  const Archive archive;
  for (std::size_t length = 0; length < archive.bytes.size(); ++length) {
    EXPECT_FALSE(read_zip(archive.bytes.substr(0, length)).has_value()) << "the first " << length << " bytes";
  }
}

TEST(DamagedNpz, WithAnyByteFlippedIsAnErrorOrHarmless) {
  const Archive archive;
  for (std::size_t at = 0; at < archive.bytes.size(); ++at) {
    for (const int bit : {0, 7}) {
      std::string damaged = archive.bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      archive.expect_error_or_equal(damaged, fmt::format("bit {} of byte {}", bit, at));
    }
  }
}

TEST(DamagedNpz, WithManyBytesChangedNeverCrashes) {
  const Archive archive;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    std::mt19937_64 random(seed);
    std::string damaged = archive.bytes;
    for (std::uint64_t k = random() % 8 + 1; k-- > 0;) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    EXPECT_NO_THROW((void)read_zip(damaged)) << "seed " << seed;
  }
}

/// Damage to the header's text, with a checksum that matches it.
TEST(DamagedNpz, WithAChangedHeaderNeverCrashes) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
  const std::string file = npy_of(header, std::string(24, '\1'));
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    std::mt19937_64 random(seed);
    std::string damaged = file;
    for (std::uint64_t k = random() % 3 + 1; k-- > 0;)
      damaged[random() % (file.size() - 24)] =
          static_cast<char>(random() % 2 == 0 ? random() : "0123456789(),' "[random() % 15]);
    Result<Arrays> got;
    EXPECT_NO_THROW(got = read_zip(zip_of("x.npy", damaged))) << "seed " << seed;
    if (!got || got->empty()) continue;
    const Literal& x = *got->begin()->second;
    EXPECT_EQ(x.bytes.size(), static_cast<std::size_t>(x.type.elements()) * byte_width(x.type.element))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace partir
