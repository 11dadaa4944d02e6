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

/// Delay between the due time of a high-resolution timer and the start of the timer's handler.
struct TimerExpiry {
    /// Time range from the timer's due time to the start of its handler. Empty if the handler starts before the due time, which timer slack
    /// allows.
    TimeRange range;
    std::uint64_t function = 0; ///< Kernel address of the timer's handler function.
    std::uint32_t trace = 0;
    std::int32_t cpu = -1; ///< Number of the CPU on which the handler ran; -1 if unknown.
};

/// Returns true if any trace has the needed events, hrtimer_start and hrtimer_expire_entry, of LTTng or perf.
bool hasTimerExpiries(const Timeline& timeline);

/// Calls `take` for each expiry of a high-resolution timer that lies completely in `window`, in order of end times. Returns early once
/// `stop` is requested.
///
/// Expiries are skipped if it is uncertain whether the timer was set again: its start was not recorded, its host lost events since the
/// start, or the activity of its CPU since the start is known only in part.
///
/// Computation of the due time: if both the trace and the timer use the monotonic clock, it is the time in the events (`expires` in
/// include/trace/events/timer.h). Otherwise it is computed from the last reading of the timer's clock (`now`) and the start of the first
/// handler on the CPU that was called with this reading. Delays by earlier handlers are then included, but the time between the reading and
/// the first handler is unknown. Memory: about 100 bytes for each timer that is set. Cost: reads all events up to the end of `window`.
void forEachTimerExpiry(const std::shared_ptr<const Timeline>& timeline, TimeRange window,
                        const std::function<void(const TimerExpiry&)>& take, std::stop_token stop = {});

/// Returns the handler's address as text, for example "0xffffffffba568260".
std::string functionText(const TimerExpiry& expiry);

} // namespace helio
