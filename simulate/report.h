// Writes the report (`--report`): one self-contained HTML file with the results of a partition or a simulation. The
// page is built from simulate/page/ and can be opened without network access.
#pragma once

#include <string>

namespace partir {

/// Returns the page as HTML. `json` is the data it shows; tools/simulation_json.h and tools/partition_report.h define
/// its keys.
std::string report_page(const std::string& title, const std::string& json);

}  // namespace partir
