#pragma once

#include "core/query/rows/rows.h"
#include "core/waits/path/wait_causes.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string_view>

namespace helio {

constexpr std::string_view WaitKind = "wait"; ///< Name of waits on the command line.

/// True if the traces have wake-ups, so that the thread that ended a wait can be known.
bool hasWaitCauses(const Timeline& timeline);

/// Calls `take` for each wait of `threads` that lies entirely in the window, with its cause. Waits are sorted by their beginning, then by
/// the order of the rows. Returns early once `stop` is requested.
/// Cost: one forEachStateInterval(), and about 5 us per wait for its cause.
void eachWait(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
              const std::function<void(const Row&, const Interval&, const WaitCause&)>& take, std::stop_token stop = {});

} // namespace helio
