#pragma once

#include "core/base/time.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

constexpr std::string_view TimerKind = "timer"; ///< Name of timer latencies on the command line.

/// The delay of the handler of a high-resolution timer.
struct TimerExpiry {
    TimeRange range; ///< From the timer's due time to the beginning of its handler; empty if the handler began earlier, as it may with
                     ///< timer slack.
    std::uint64_t function = 0; ///< Address of the handler function in the kernel.
    std::uint32_t trace = 0;
    std::int32_t cpu = -1; ///< -1 if unknown.
};

/// True if any trace has all needed events, hrtimer_start and hrtimer_expire_entry, of LTTng or perf.
bool hasTimerExpiries(const Timeline& timeline);

/// Calls `take` for each expiry of a high-resolution timer that lies entirely in the window, in the order of their ends. Returns early once
/// `stop` is requested.
///
/// A timer is left out if its start was not recorded, because it may have been set again without a record. The same holds if events of its
/// host were lost since its start, or if the activity of its CPU since then is known only in part.
///
/// The due time is the time of the timer's clock in the events (`expires` in include/trace/events/timer.h) if both the trace's clock
/// and the timer's clock are the monotonic clock. Else it is computed from the last reading of the timer's clock (`now`) and the
/// beginning of the first handler on the CPU that was called with this reading. A delay by an earlier handler then counts; the time
/// between the reading and the first handler is unknown.
/// Memory: about 100 bytes for each timer that is set.
/// Cost: reads all events up to the window's end.
void forEachTimerExpiry(const std::shared_ptr<const Timeline>& timeline, TimeRange window,
                        const std::function<void(const TimerExpiry&)>& take, std::stop_token stop = {});

/// Returns the handler's address, for example "0xffffffffba568260".
std::string functionText(const TimerExpiry& expiry);

} // namespace helio
