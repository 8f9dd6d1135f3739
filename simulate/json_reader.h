// Reads the simulator's data files (devices, software): every key is read once, unknown keys are errors, and every
// figure must have a source.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/json_text.h"
#include "simulate/device.h"
#include "support/diagnostic.h"

namespace partir {

/// Reads the keys of one object; done() fails if the object has others. All methods throw UserError.
class Reader {
 public:
  /// `path` is the prefix of the object's keys in messages and sources, such as "links.ici."; `label` is the command in
  /// messages: "device" or "software".
  Reader(const Json& json, std::string path, const JsonSource& source, const char* label);

  [[nodiscard]] const Json& get(const char* key, const char* wanted);
  [[nodiscard]] bool has(const char* key);
  /// A finite number above 0; `otherwise` if it is absent and not required.
  double number(const char* key, double otherwise, bool required = true);
  std::int64_t integer(const char* key, std::int64_t otherwise);
  bool boolean(const char* key);
  std::string string(const char* key, const char* wanted);
  Curve curve(const char* key);
  /// Example: {"f32": 1e12, "bf16": 4e12}, of which `required` must be there.
  std::map<std::string, double> numbers(const char* key, const char* required);
  /// Example: {"f8": {"as": "bf16", "operations": 1}}. Empty if the key is absent.
  std::map<std::string, Emulation> emulations(const char* key);
  Reader object(const char* key) { return {get(key, "an object"), path_ + key + ".", source_, label_}; }
  /// Fails unless "sources" has an entry for each of `figures`.
  void require_sources();
  void done() const;
  [[noreturn]] void fail_at(const std::string& key, const std::string& found, const std::string& wanted) const;
  [[noreturn]] void fail_at(const std::string& key, const std::string& found, const std::string& wanted,
                            const Json& value) const;
  void rename(const std::string& path) { path_ = path; }

  std::vector<std::string> figures;  ///< paths of the figures read, each of which must have a source

 private:
  const Json& json_;
  std::string path_;
  JsonSource source_;
  const char* label_;
  std::vector<std::string> read_;
  std::vector<std::string> asked_;  ///< the keys that the object may have
};

}  // namespace partir
