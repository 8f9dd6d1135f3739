#include "semantics/npz.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "support/check.h"
#include "support/checked.h"
#include "support/file.h"

namespace partir {
namespace {

struct Descr {
  ElementType type;
  const char* text;
};
constexpr Descr kDescr[] = {{ElementType::f32, "<f4"},  {ElementType::f64, "<f8"},      {ElementType::f16, "<f2"},
                            {ElementType::i8, "|i1"},   {ElementType::i16, "<i2"},      {ElementType::i32, "<i4"},
                            {ElementType::i64, "<i8"},  {ElementType::ui8, "|u1"},      {ElementType::ui16, "<u2"},
                            {ElementType::ui32, "<u4"}, {ElementType::ui64, "<u8"},     {ElementType::i1, "|b1"},
                            {ElementType::c64, "<c8"},  {ElementType::c128, "<c16"},    {ElementType::bf16, "<V2"},
                            {ElementType::bf16, "|V2"}, {ElementType::bf16, "bfloat16"}};

tl::unexpected<Diagnostic> npz_error(const std::string& path, std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"npz", path, {}, std::move(found), std::move(wanted)});
}

/// The text after 'key': in the header's dictionary.
std::string_view entry(std::string_view header, std::string_view key) {
  const auto at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest;
}

std::vector<std::uint8_t> npy_bytes(const Literal& l) {
  std::string descr;
  for (const Descr& d : kDescr) {
    if (d.type == l.type.element && descr.empty()) descr = d.text;
  }
  std::string shape;
  for (const std::int64_t d : l.type.dims) shape += fmt::format("{},", d);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
  while ((header.size() + 11) % 64 != 0) header += ' ';
  header += '\n';
  std::vector<std::uint8_t> out = {0x93,
                                   'N',
                                   'U',
                                   'M',
                                   'P',
                                   'Y',
                                   1,
                                   0,
                                   static_cast<std::uint8_t>(header.size() & 0xff),
                                   static_cast<std::uint8_t>(header.size() >> 8)};
  out.insert(out.end(), header.begin(), header.end());
  for (std::int64_t k = 0; k < l.type.elements(); ++k) {
    out.insert(out.end(), l.element(k), l.element(k) + byte_width(l.type.element));
  }
  return out;
}

/// The uncompressed content of an entry; nullopt if its size is not `size` or its checksum is wrong. Allocates memory
/// in proportion to the data, not to the size that the directory claims.
std::optional<std::vector<std::uint8_t>> read_entry(zip_file_t* file, std::uint64_t size) {
  std::vector<std::uint8_t> out;
  while (true) {
    const std::size_t have = out.size();
    const std::size_t more = std::max<std::size_t>(have, std::size_t{1} << 16);
    out.resize(have + more);
    const zip_int64_t got = zip_fread(file, out.data() + have, more);
    if (got < 0) return std::nullopt;
    out.resize(have + static_cast<std::size_t>(got));
    if (out.size() > size) return std::nullopt;
    if (got == 0)
      return out.size() == size ? std::optional(std::move(out)) : std::nullopt;  // libzip has verified the checksum
  }
}

}  // namespace

Result<LiteralPtr> parse_npy(std::span<const std::uint8_t> bytes, const std::string& name, const std::string& path) {
  const auto wrong = [&](const std::string& what) {
    return npz_error(path, fmt::format("array {}: {}", name, what), "a .npy file of NumPy");
  };
  if (bytes.size() < 12 || std::memcmp(bytes.data(), "\x93NUMPY", 6) != 0) return wrong("no .npy header");
  const bool long_header = bytes[6] >= 2;
  std::size_t length = bytes[8] | bytes[9] << 8;
  if (long_header) length |= static_cast<std::size_t>(bytes[10]) << 16 | static_cast<std::size_t>(bytes[11]) << 24;
  const std::size_t begin = long_header ? 12 : 10;
  if (bytes.size() < begin + length) return wrong("a truncated header");
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + begin, length);
  std::string_view descr = entry(header, "descr");
  if (!descr.starts_with('\'')) return wrong("no simple descr");
  descr = descr.substr(1, descr.find('\'', 1) - 1);
  if (!entry(header, "fortran_order").starts_with("False")) return wrong("Fortran order");
  Literal out;
  const auto* known =
      std::find_if(std::begin(kDescr), std::end(kDescr), [&](const Descr& d) { return descr == d.text; });
  if (known == std::end(kDescr)) return wrong(fmt::format("element type {}", descr));
  out.type.element = known->type;
  std::string_view shape = entry(header, "shape");
  if (!shape.starts_with('(')) return wrong("no shape");
  shape.remove_prefix(1);
  std::int64_t elements = 1;
  while (!shape.empty() && shape[0] != ')') {
    std::int64_t size = 0;
    const auto [end, ec] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    const auto product = ec == std::errc() && size >= 0 ? checked_multiply(elements, size) : std::nullopt;
    if (!product) return wrong("a shape that does not read");
    elements = *product;
    out.type.dims.push_back(size);
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    while (shape.starts_with(',') || shape.starts_with(' ')) shape.remove_prefix(1);
  }
  const auto size = checked_multiply(elements, static_cast<std::int64_t>(byte_width(out.type.element)));
  if (!size || static_cast<std::uint64_t>(*size) != bytes.size() - begin - length)
    return wrong("data of another size than its shape");
  out.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin + length), bytes.end());
  if (out.type.element == ElementType::i1) {  // every nonzero byte is true
    for (std::uint8_t& b : out.bytes) b = b != 0 ? 1 : 0;
  }
  return std::make_shared<Literal>(std::move(out));
}

Result<std::map<std::string, LiteralPtr>> read_npz(const std::string& path) {
  const auto content = read_file(path);
  if (!content) return tl::unexpected(content.error());
  return parse_npz(*content, path);
}

Result<std::map<std::string, LiteralPtr>> parse_npz(std::string_view content, const std::string& path) {
  if (content.empty()) return npz_error(path, "an empty file", "a .npz file of NumPy");  // libzip would accept it
  zip_source_t* source = zip_source_buffer_create(content.data(), content.size(), 0, nullptr);
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open_from_source(source, ZIP_RDONLY, nullptr),
                                                         zip_discard);
  if (archive == nullptr) zip_source_free(source);
  if (archive == nullptr) return npz_error(path, "no zip archive", "a .npz file of NumPy");
  std::map<std::string, LiteralPtr> out;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t k = 0; k < count; ++k) {
    zip_stat_t stat;
    if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(k), 0, &stat) != 0 ||
        stat.size > (std::uint64_t{1} << 33)) {
      return npz_error(path, "an entry that does not read", "a .npz file of NumPy");
    }
    std::string name = stat.name;
    if (!name.ends_with(".npy")) continue;
    name.resize(name.size() - 4);
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
        zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(k), 0), zip_fclose);
    const auto bytes = file != nullptr ? read_entry(file.get(), stat.size) : std::nullopt;
    if (!bytes) {
      return npz_error(path, fmt::format("array {} that does not unpack", name), "a .npz file of NumPy");
    }
    auto array = parse_npy(*bytes, name, path);
    if (!array) return tl::unexpected(array.error());
    if (!out.emplace(name, *array).second)
      return npz_error(path, fmt::format("array {} twice", name), "each array once");
  }
  return out;
}

Result<void> write_npz(const std::string& path, const std::map<std::string, LiteralPtr>& arrays) {
  for (const auto& [name, literal] : arrays) {
    const ElementType type = literal->type.element;
    const bool known =
        std::any_of(std::begin(kDescr), std::end(kDescr), [&](const Descr& d) { return d.type == type; });
    if (!known) return npz_error(path, fmt::format("array {} of {}", name, name_of(type)), "an element type of NumPy");
  }
  // libzip does not write empty archives. An empty archive consists of the end-of-central-directory record alone.
  if (arrays.empty()) return write_file(path, std::string("PK\x05\x06", 4) + std::string(18, '\0'));
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* bytes = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* archive = bytes != nullptr ? zip_open_from_source(bytes, ZIP_TRUNCATE, &error) : nullptr;
  PARTIR_CHECK(archive != nullptr, "no archive in memory");
  zip_source_keep(bytes);
  std::vector<std::vector<std::uint8_t>> data;
  data.reserve(arrays.size());
  for (const auto& [name, literal] : arrays) {
    data.push_back(npy_bytes(*literal));
    zip_source_t* source = zip_source_buffer(archive, data.back().data(), data.back().size(), 0);
    const zip_int64_t index = zip_file_add(archive, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index >= 0) zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  PARTIR_CHECK(zip_close(archive) == 0 && zip_source_open(bytes) == 0, "an archive in memory that does not close");
  zip_source_seek(bytes, 0, SEEK_END);
  std::string content(static_cast<std::size_t>(zip_source_tell(bytes)), '\0');
  zip_source_seek(bytes, 0, SEEK_SET);
  const zip_int64_t read = zip_source_read(bytes, content.data(), content.size());
  PARTIR_CHECK(read == static_cast<zip_int64_t>(content.size()), "an archive in memory that does not read");
  zip_source_close(bytes);
  zip_source_free(bytes);
  return write_file(path, content);
}

}  // namespace partir
