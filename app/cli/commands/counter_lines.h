#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/options.h"
#include "core/query/counters/counters.h"

#include <span>
#include <string>
#include <vector>

namespace helio {

extern const std::vector<std::string> CounterColumnNames;

/// Writes the values of the series of these views that the options select, series by series, each in time order: wherever a value becomes
/// another, or in even steps from the window's begin on where the options have a step.
void writeCounters(const CommandOptions& options, const Timeline& timeline, std::span<const std::string> views, TimeRange window,
                   TableWriter& table);

} // namespace helio
