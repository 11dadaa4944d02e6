#pragma once

#include "core/counters/formula.h"
#include "core/latency/migrations/migrations.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Name in a formula that stands for time: the seconds during which the counts after a switch-in were measured.
constexpr std::string_view TimeName = "time";

/// Returns the names in the formula that refer to counters, i.e. all names except TimeName.
std::vector<std::string> counterNames(const CounterFormula& formula);

/// Counter growth right after each switch-in, indexed by switch-in, then by the formula's names. The inner vector is empty if the counts
/// are unknown.
using SwitchInCounts = std::vector<std::vector<double>>;

/// Returns how much the counters grew right after each switch-in: during the time `first`, or until the thread loses the CPU. The result is
/// in the order of `moves`. The counts are unknown if points of the counters cover less than half of `first`.
/// The covered time may begin or end between two points of a counter if these points are at most first / 4 apart: the counter is then
/// assumed to grow evenly between them. If the points are farther apart, the covered time begins or ends at a point; otherwise, growth
/// right after the switch-in would be spread over a longer time.
/// The counters of the CPU are preferred over the counters of the thread, because they are read at each event of the CPU. If several traces
/// have the counters, the first trace is used.
/// Memory: the result; 32 bytes for each switch-in and each row of counters for its CPU or thread; about 130 bytes for each switch-in and
/// counter of one row at a time.
/// Cost: reads all points of the counters once; for a switch-in, looks up two further points if the points of another counter limit the
/// covered time.
std::vector<SwitchInCounts> countAfterSwitchIns(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula,
                                                std::span<const ThreadSwitchIns> moves, Duration first, std::stop_token stop = {});

} // namespace helio
