#pragma once

#include "core/counters/formula.h"
#include "core/latency/migrations/migrations.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Name for the counted time in seconds in a formula over the counts after a switch-in.
constexpr std::string_view TimeName = "time";

/// Returns the names in the formula that refer to counters, i.e. all names except TimeName.
std::vector<std::string> counterNames(const CounterFormula& formula);

/// Counter growth right after each switch-in, indexed by switch-in, then by the formula's names. The inner vector is empty if the counts
/// are unknown.
using SwitchInCounts = std::vector<std::vector<double>>;

/// Returns the counts of each switch-in's thread in the time `first` after the switch-in, or until the thread loses the CPU. If less than
/// half of `first` is known, the counts are unknown. The result is in the order of `moves`.
///
/// Between two points of a counter, growth is taken as even if the points are at most first / 4 apart; with a larger distance, early growth
/// would be spread over later time, so the known range then begins and ends at points. The counters of the CPU are preferred over those of
/// the thread, because they are read at each event of the CPU. If several traces have the counts, the first trace is used.
/// Memory: 32 bytes for each switch-in and each row in which it is searched, the result, and about 130 bytes for each switch-in and
/// counter of one row at a time.
/// Cost: reads all points of the counters once; two more lookups for a switch-in if points of another counter limit the known range.
std::vector<SwitchInCounts> countAfterSwitchIns(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula,
                                                std::span<const ThreadSwitchIns> moves, Duration first, std::stop_token stop = {});

} // namespace helio
