#pragma once

#include "core/counters/formula.h"
#include "core/latency/migrations/migrations.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// In formulas over what was counted after a switch-in: for how long it was counted, in seconds.
constexpr std::string_view TimeName = "time";

/// The formula's names that are of counters.
std::vector<std::string> counterNames(const CounterFormula& formula);

/// What was counted right after switch-ins: by switch-in, then by the formula's names. Those where that is not known have an empty place.
using FirstCounts = std::vector<std::vector<double>>;

/// What each switch-in's thread counted at first: from the switch-in for `first`, or as long as it had the CPU, of which half of `first` or
/// more must be known. Between two points of a counter it is taken to have grown evenly only where these lie at most a quarter of `first`
/// apart; else what is known begins and ends with a point, as that would spread what is lost at first over all that comes later. By the
/// counters of the CPU, which are read at each event there, else by those of the thread; of several traces' those of the first that knows.
/// In the order of the moves. Cost: as reading all points of the counters once, and where another counter's points begin or end what is
/// known, two more look-ups for a switch-in; memory: 32 bytes for each switch-in and row that it is looked for in, what comes of it, and
/// some 130 for each and counter of one row at a time.
std::vector<FirstCounts> firstCounts(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula,
                                     std::span<const ThreadMoves> moves, Duration first, std::stop_token stop = {});

} // namespace helio
