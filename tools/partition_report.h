// What a partition found, as JSON, as text for people, and as the data of the report's page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "driver/partition.h"
#include "tools/style.h"

namespace partir {

/// `total` is wall-clock seconds in all.
nlohmann::ordered_json report_json(const Partition& partition, double total);

/// The data of the page of --report. `schedule` is JSON.
nlohmann::ordered_json page_json(const Partition& partition, double total, const std::string& schedule);

/// The table of collectives after each tactic, conflicts, work, simulation and verdict.
std::string report_text(const Partition& partition, const Style& style = Style::plain());

}  // namespace partir
