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

constexpr std::string_view TimerKind = "timer"; ///< As commands call them.

/// How late the handler of a high-resolution timer began.
struct TimerExpiry {
    TimeRange range; ///< From when it should have expired; without length where it did so earlier, as timers with slack do.
    std::uint64_t function = 0; ///< The address of its handler in the kernel.
    std::uint32_t trace = 0;
    std::int32_t cpu = -1; ///< -1: not known.
};

/// Whether any trace has what it takes: hrtimer_start and hrtimer_expire_entry, of LTTng or perf, all of them.
bool hasTimerExpiries(const Timeline& timeline);

/// Hands over those of the traces' high-resolution timers that lie in the window as a whole, in the order of their ends. Left out are
/// timers whose start was not recorded, or that events of their host were lost of since, or since which what their CPU did is not all
/// known, though some is: it may have been set anew, unseen. When a timer should have expired is what its events say of its clock (expires
/// of include/trace/events/timer.h) where the trace's clock is the monotonic one and the timer's is, too. Else it follows from what the
/// timer's clock said last (now), and from when the first handler began that was called at that time of the clock on its CPU: a handler
/// before it makes it late; what passed between reading the clock and calling the first one is not known then. Ends early once `stop` is
/// requested. Cost: as reading all events up to the window's end; some 100 bytes a timer that is set.
void eachTimerExpiry(const std::shared_ptr<const Timeline>& timeline, TimeRange window, const std::function<void(const TimerExpiry&)>& take,
                     std::stop_token stop = {});

/// "0xffffffffba568260".
std::string functionText(const TimerExpiry& expiry);

} // namespace helio
