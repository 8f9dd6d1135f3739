#include "simulate/software.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulate/embedded.h"
#include "simulate/json_reader.h"
#include "support/file.h"

namespace partir {
namespace {

constexpr std::string_view kSuffix = ".software.json";

constexpr std::pair<const char*, bool BufferRules::*> kBufferRules[] = {
    {"common_once", &BufferRules::common_once},           {"one_result", &BufferRules::one_result},
    {"ordered_operands", &BufferRules::ordered_operands}, {"combines_first", &BufferRules::combines_first},
    {"breadth_first", &BufferRules::breadth_first},       {"copied_donations", &BufferRules::copied_donations},
    {"same_shape_reuse", &BufferRules::same_shape_reuse},
};

BufferRules read_buffers(Reader& top) {
  BufferRules out;
  const std::string wanted =
      "a list of common_once, one_result, ordered_operands, combines_first, breadth_first, copied_donations, "
      "same_shape_reuse";
  const Json& rules = top.get("buffers", wanted.c_str());
  if (!rules.is_array()) top.fail_at("buffers", rules.dump(), wanted);
  for (const Json& rule : rules) {
    const auto* const known = std::find_if(std::begin(kBufferRules), std::end(kBufferRules),
                                           [&](const auto& r) { return rule.is_string() && rule == r.first; });
    if (known == std::end(kBufferRules)) top.fail_at("buffers", rule.dump(), wanted);
    out.*known->second = true;
    top.figures.push_back(std::string("buffers.") + known->first);
  }
  // A kernel with several results could depend on a combined reduction and also define an operand of it.
  if (out.combines_first && !out.one_result)
    top.fail_at("buffers", "combines_first without one_result", "combines_first beside one_result");
  return out;
}

Software read_software(const Json& json, const std::string& text, const std::string& file) {
  const JsonSource source{text, file, json};
  Software out;
  Reader top(json, "", source, "software");
  out.name = top.string("name", "the software's name");
  out.title = top.has("title") ? top.string("title", "text") : out.name;
  out.bucket = top.number("bucket", 0);
  out.prefetch = static_cast<std::size_t>(top.integer("prefetch", 8));
  if (top.has("copies")) {
    Reader copies = top.object("copies");
    out.gather_copies = copies.number("all_gather", 0, false);
    out.reduce_copies = copies.number("reduce_scatter", 0, false);
    copies.done();
    top.figures.insert(top.figures.end(), copies.figures.begin(), copies.figures.end());
  }
  if (top.has("products")) {
    Reader shares(top.get("products", "{\"a100\": 0.9}"), "products.", source, "software");
    for (const auto& [device, share] : json["products"].items())
      out.products[device] = shares.number(device.c_str(), 1);
    shares.done();
    top.figures.insert(top.figures.end(), shares.figures.begin(), shares.figures.end());
  }
  if (top.has("decomposes")) {
    const Json& devices = top.get("decomposes", "a list of devices");
    if (!devices.is_array()) top.fail_at("decomposes", devices.dump(), "a list of devices");
    for (const Json& device : devices) {
      if (!device.is_string()) top.fail_at("decomposes", device.dump(), "names of devices");
      out.decomposes.push_back(device.get<std::string>());
    }
    top.figures.push_back("decomposes");
  }
  if (top.has("buffers")) out.buffers = read_buffers(top);
  const Json& attention = top.get("attention", "{} or {\"a100\": {\"efficiency\": 0.5}, \"*\": …}");
  if (!attention.is_object()) top.fail_at("attention", attention.dump(), "an object by device");
  for (const auto& [device, kernels] : attention.items()) {
    Reader r(kernels, "attention." + device + ".", source, "software");
    AttentionKernels k;
    k.efficiency = r.number("efficiency", 0);
    if (k.efficiency > 1) r.fail_at("efficiency", fmt::format("{}", k.efficiency), "a fraction of the peak");
    k.skips_masked = r.boolean("skips_masked");
    r.done();
    out.attention[device] = k;
    top.figures.insert(top.figures.end(), r.figures.begin(), r.figures.end());
  }
  top.require_sources();
  top.done();
  return out;
}

}  // namespace

const AttentionKernels* Software::attention_on(const std::string& device) const {
  for (const std::string& key : {device, std::string("*")}) {
    if (const auto it = attention.find(key); it != attention.end()) return &it->second;
  }
  return nullptr;
}

double Software::products_on(const std::string& device) const {
  for (const std::string& key : {device, std::string("*")}) {
    if (const auto it = products.find(key); it != products.end()) return it->second;
  }
  return 1;
}

double Software::copies(CollectiveKind kind) const {
  if (kind == CollectiveKind::all_gather) return gather_copies;
  return kind == CollectiveKind::reduce_scatter ? reduce_copies : 0;
}

std::vector<std::string> software_names() {
  std::vector<std::string> out;
  for (const EmbeddedFile& f : embedded_files()) {
    if (f.name.ends_with(kSuffix)) out.emplace_back(f.name.substr(0, f.name.size() - kSuffix.size()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<Software> read_software(const std::string& text, const std::string& file) {
  const auto json = parse_json(text, file);
  if (!json) return tl::unexpected(json.error());
  try {
    return read_software(*json, text, file);
  } catch (const UserError& error) {
    return tl::unexpected(error.diagnostic());
  }
}

Result<Software> find_software(const std::string& name_or_file) {
  for (const EmbeddedFile& f : embedded_files()) {
    if (f.name == name_or_file + std::string(kSuffix))
      return read_software(std::string(f.content), std::string(f.name));
  }
  const auto text = read_file(name_or_file);
  if (text) return read_software(*text, name_or_file);
  std::string names;
  for (const std::string& n : software_names()) names += (names.empty() ? "" : " ") + n;
  return tl::unexpected(Diagnostic{"software",
                                   name_or_file,
                                   {},
                                   fmt::format("'{}': {}", name_or_file, text.error().found),
                                   "one of: " + names + ", or a file of that form"});
}

}  // namespace partir
