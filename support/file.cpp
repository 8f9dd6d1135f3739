#include "support/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace partir {
namespace fs = std::filesystem;

namespace {
tl::unexpected<Diagnostic> file_error(const std::string& path, std::string found, std::string wanted) {
  return tl::unexpected(Diagnostic{"file", path, {}, std::move(found), std::move(wanted)});
}
}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) return file_error(path, "a directory", "a readable file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return file_error(path, std::strerror(errno), "a readable file");
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return file_error(path, "reading stopped early", "a readable file");
  return std::move(text).str();
}

Result<void> check_writable(const std::string& path) {
  if (path == "-") return {};
  std::error_code ec;
  if (fs::is_directory(path, ec)) return file_error(path, "an existing directory", "a path for a file");
  fs::path parent = fs::path(path).parent_path();
  if (parent.empty()) parent = ".";
  if (!fs::is_directory(parent, ec)) {
    return file_error(path, fmt::format("no directory '{}'", parent.string()), "a path in an existing directory");
  }
  if (::access(parent.c_str(), W_OK) != 0) {
    return file_error(path, std::strerror(errno), "a path in a directory that can be written to");
  }
  return {};
}

Result<void> write_file(const std::string& path, const std::string& content) {
  if (path == "-") {
    std::cout << content << std::flush;
    return {};
  }
  if (auto ok = check_writable(path); !ok) return ok;
  std::error_code ec;
  if (fs::exists(path, ec) && !fs::is_regular_file(path, ec)) {  // /dev/null and the like cannot be renamed onto
    std::ofstream out(path, std::ios::binary);
    out << content;
    return {};
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.flush();
    if (!out) {
      const int reason = errno;
      fs::remove(temporary, ec);
      return file_error(path, std::strerror(reason), "a path that can be written to");
    }
  }
  fs::rename(temporary, path, ec);
  if (ec) {
    const std::string reason = ec.message();
    fs::remove(temporary, ec);
    return file_error(path, reason, "a path that can be written to");
  }
  return {};
}

}  // namespace partir
