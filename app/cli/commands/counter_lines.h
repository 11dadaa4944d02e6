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

/// Options of `counters`: the counters, and the times at which their values are printed.
struct CountersOptions {
    RowTableOptions table{"counters"};
    std::optional<Duration> step; ///< Interval between printed values; nullopt to print a value at each change.
    std::optional<CounterFormula> ratio; ///< Formula to print instead of the counters; nullopt to print the counters.
    bool isByState = false; ///< True to print the formula's value by thread and state.

    void addTo(OptionList& options);
    std::string missing() const { return !m_givenRatio.empty() || isByState ? table.missing() : table.missingTraceOrView(); }
    Status read();

private:
    std::string m_givenStep;
    std::string m_givenRatio;
};

extern const std::vector<std::string> CounterColumnNames;

/// Writes the values of the selected series of `views`, series by series, each in time order: at each change of the value, or, if the
/// options have a step, in even steps from the beginning of `window`.
void writeCounters(const CountersOptions& options, const Timeline& timeline, std::span<const std::string> views, TimeRange window,
                   TableWriter& table);

} // namespace helio
