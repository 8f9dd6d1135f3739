// The report: one self-contained HTML file of what a partition or a simulation found.
#pragma once

#include <string>

namespace partir {

/// `json` is what the page shows (tools/simulation_json.h says which keys it has). No network is needed to open it.
std::string report_page(const std::string& title, const std::string& json);

}  // namespace partir
