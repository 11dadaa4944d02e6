#pragma once

#include "app/cli/commands/counter_lines.h"
#include "core/counters/formula.h"

namespace helio {

/// Writes the values of a formula for each selected row that has all counters of the formula: a line for each step of `window`, or one line
/// for the whole window. The first and the last step cover only the time in which the counters are known. Steps without a known value have
/// no line.
void writeRatios(const CountersOptions& options, const CounterFormula& formula, const Timeline& timeline,
                 std::span<const std::string> views, TimeRange window, TableWriter& table);

/// Returns the columns of the table that writeByState() fills.
std::vector<std::string> stateColumns(const CounterFormula& formula);

/// Writes, for each selected thread and each of its states, what the formula's CPU counters counted in that state, and the formula's value.
void writeByState(const CountersOptions& options, const CounterFormula& formula, const Timeline& timeline,
                  std::span<const std::string> views, TimeRange window, TableWriter& table);

} // namespace helio
