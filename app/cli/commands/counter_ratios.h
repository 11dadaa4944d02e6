#pragma once

#include "app/cli/commands/counter_lines.h"
#include "core/counters/formula.h"

namespace helio {

/// Writes a formula's values for the rows that the options select and that have all it names: a line for each step of the window, or one
/// for all of it. Of the first and the last step what of it the counters know; no line where a value is not known.
void writeRatios(const CountersOptions& options, const CounterFormula& formula, const Timeline& timeline,
                 std::span<const std::string> views, TimeRange window, TableWriter& table);

/// Those of the table that writeByState() fills.
std::vector<std::string> stateColumns(const CounterFormula& formula);

/// Writes what the counters of CPUs that a formula names counted in each state of each thread that had them, and the formula's value of it.
/// Of the selected rows.
void writeByState(const CountersOptions& options, const CounterFormula& formula, const Timeline& timeline,
                  std::span<const std::string> views, TimeRange window, TableWriter& table);

} // namespace helio
