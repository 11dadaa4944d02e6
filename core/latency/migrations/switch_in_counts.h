#pragma once

#include "core/counters/formula.h"
#include "core/latency/migrations/migrations.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Name that stands for the counted time in seconds, in formulas over counts after a switch-in.
constexpr std::string_view TimeName = "time";

/// Returns the names in the formula that refer to counters: all except TimeName.
std::vector<std::string> counterNames(const CounterFormula& formula);

/// Counts right after switch-ins, indexed by switch-in, then by the formula's names. The inner vector is empty if the counts are unknown.
using SwitchInCounts = std::vector<std::vector<double>>;

/// Returns the counts of each switch-in's thread, from the switch-in for the duration `first` or as long as it had the CPU. At least
/// half of `first` must be known. The result is in the order of `moves`.
///
/// Growth between two points of a counter is taken as even only if they are at most a quarter of `first` apart, because otherwise early
/// losses would spread over later time. If they are further apart, the known range begins and ends with a point. The CPU's counters are
/// preferred, because they are read at each event of the CPU; else the thread's counters are used. If several traces know the counts, the
/// first of them is used.
/// Memory: 32 bytes for each switch-in and each row that it is searched in, the result, and about 130 bytes for each switch-in and
/// counter of one row at a time.
/// Cost: reads all points of the counters once; two more lookups for a switch-in if points of another counter limit the known range.
std::vector<SwitchInCounts> countAfterSwitchIns(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula,
                                                std::span<const ThreadSwitchIns> moves, Duration first, std::stop_token stop = {});

} // namespace helio
