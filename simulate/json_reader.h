// Reading the data files of the simulator: every key once, nothing unknown, a source for every figure.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/json_text.h"
#include "simulate/device.h"
#include "support/diagnostic.h"

namespace partir {

using Json = nlohmann::ordered_json;

/// Reads the keys of one object, each once, and fails on what is left.
class Reader {
 public:
  /// `label` is the error's: "device", "software".
  Reader(const Json& json, std::string path, const std::string& text, const std::string& file, const char* label);

  [[nodiscard]] const Json& get(const char* key, const char* wanted);
  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }
  /// Above 0.
  double number(const char* key, double otherwise, bool required = true);
  std::int64_t integer(const char* key, std::int64_t otherwise);
  bool boolean(const char* key);
  std::string string(const char* key, const char* wanted);
  Curve curve(const char* key);
  std::map<std::string, double> numbers(const char* key, const char* required);
  /// {"f8": {"as": "bf16", "operations": 1}}; absent: none.
  std::map<std::string, Emulation> emulations(const char* key);
  Reader object(const char* key) { return {get(key, "an object"), path_ + key + ".", text_, file_, label_}; }
  /// Fails unless "sources" names all figures.
  void require_sources();
  void done() const;
  [[noreturn]] void fail_at(const std::string& key, const std::string& found, const std::string& wanted) const;
  void rename(const std::string& path) { path_ = path; }

  std::vector<std::string> figures;  ///< that must have a source

 private:
  const Json& json_;
  std::string path_;
  const std::string& text_;
  const std::string& file_;
  const char* label_;
  std::vector<std::string> read_;
};

}  // namespace partir
