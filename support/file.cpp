#include "support/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

/// Writes the content and flushes; closes the file if `close` is set, because closing may report a write error.
Result<void> write_stream(std::FILE* file, const std::string& path, const std::string& content, bool close) {
  errno = 0;
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool flushed = std::fflush(file) == 0;
  const int reason = errno;
  const bool closed = !close || std::fclose(file) == 0;
  if (written && flushed && closed) return {};
  return file_error(path, std::strerror(reason != 0 ? reason : errno), "a path that can be written to");
}

/// Paths under /dev and /proc are treated as streams, even if they resolve to a regular file.
bool is_stream(const std::string& path) {
  std::error_code ec;
  const std::string absolute = fs::absolute(path, ec).lexically_normal().string();
  if (absolute.starts_with("/dev/") || absolute.starts_with("/proc/")) return true;
  return fs::exists(path, ec) && !fs::is_regular_file(path, ec);
}

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Result<std::string> read_file(const std::string& path) {
  if (path == "-") {
    std::ostringstream text;
    text << std::cin.rdbuf();
    if (std::cin.bad()) return file_error(input_name(path), "reading stopped early", "a readable stream");
    return std::move(text).str();
  }
  std::error_code ec;
  if (fs::is_directory(path, ec)) return file_error(path, "a directory", "a readable file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return file_error(path, std::strerror(errno), "a readable file");
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return file_error(path, "reading stopped early", "a readable file");
  return std::move(text).str();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ec;
  return fs::equivalent(a, b, ec) && !ec;
}

Result<void> check_writable(const std::string& path) {
  if (path == "-") return {};
  if (path.empty()) return file_error("''", "an empty path", "a path for a file");
  std::error_code ec;
  if (fs::is_directory(path, ec)) return file_error(path, "an existing directory", "a path for a file");
  fs::path parent = fs::path(path).parent_path();
  if (parent.empty()) parent = ".";
  if (!fs::is_directory(parent, ec)) {
    return file_error(path, fmt::format("no directory '{}'", parent.string()), "a path in an existing directory");
  }
  errno = 0;
  if (is_stream(path)) {
    if (::access(path.c_str(), W_OK) != 0)
      return file_error(path, std::strerror(errno), "a path that can be written to");
    return {};
  }
  if (::access(parent.c_str(), W_OK) != 0) {
    return file_error(path, std::strerror(errno), "a path in a directory that can be written to");
  }
  return {};
}

Result<void> write_file(const std::string& path, const std::string& content) {
  if (path == "-") return write_stream(stdout, "standard output", content, false);
  if (auto ok = check_writable(path); !ok) return ok;
  if (is_stream(path)) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return file_error(path, std::strerror(errno), "a path that can be written to");
    return write_stream(file, path, content, true);
  }
  std::error_code ec;
  const std::string target = fs::is_symlink(path, ec) ? fs::weakly_canonical(path, ec).string() : path;
  const std::string temporary = fmt::format("{}.{}.tmp", target, ::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return file_error(path, std::strerror(errno), "a path that can be written to");
  if (auto ok = write_stream(file, path, content, true); !ok) {
    fs::remove(temporary, ec);
    return ok;
  }
  fs::rename(temporary, target, ec);
  if (ec) {
    const std::string reason = ec.message();
    fs::remove(temporary, ec);
    return file_error(path, reason, "a path that can be written to");
  }
  return {};
}

}  // namespace partir
