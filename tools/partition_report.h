// The result of a partition as JSON (--json), as human-readable text, and as the data of the report page (--report).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "driver/partition.h"
#include "tools/style.h"

namespace partir {

/// `total` is the wall-clock time of the command in seconds.
nlohmann::ordered_json report_json(const Partition& partition, double total);

/// Returns the data of the page of --report (simulate/report.h). `schedule` is the JSON text of the schedule.
nlohmann::ordered_json page_json(const Partition& partition, double total, const std::string& schedule);

/// Returns the table of collectives after each tactic, followed by conflicts, work, simulation and verdict.
std::string report_text(const Partition& partition, const Style& style = Style::plain());

}  // namespace partir
