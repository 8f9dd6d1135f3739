// Files that are part of the program: device descriptions, and what a report is made of.
#pragma once

#include <string_view>
#include <vector>

namespace partir {

struct EmbeddedFile {
  std::string_view name;  ///< without its folder
  std::string_view content;
};

/// Written by the build (cmake/Embed.cmake).
const std::vector<EmbeddedFile>& embedded_files();

}  // namespace partir
