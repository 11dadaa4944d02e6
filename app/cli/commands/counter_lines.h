#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/table_options.h"
#include "core/counters/counters.h"
#include "core/counters/formula.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// Of which counters values are printed, and at which times.
struct CountersOptions {
    RowTableOptions table{"counters"};
    std::optional<Duration> step; ///< Values at even steps. None: at each change.
    std::optional<CounterFormula> ratio; ///< Its values, and not those of the counters.
    bool isByState = false; ///< Of those: by thread and state.

    void addTo(OptionList& options);
    std::string missing() const { return !m_givenRatio.empty() || isByState ? table.missing() : table.missingTraceOrView(); }
    Status read();

private:
    std::string m_givenStep;
    std::string m_givenRatio;
};

extern const std::vector<std::string> CounterColumnNames;

/// Writes the values of the series of these views that the options select, series by series, each in time order: wherever a value becomes
/// another, or in even steps from the window's begin on where the options have a step.
void writeCounters(const CountersOptions& options, const Timeline& timeline, std::span<const std::string> views, TimeRange window,
                   TableWriter& table);

} // namespace helio
