#pragma once

#include "core/query/rows/rows.h"
#include "core/waits/path/wait_causes.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string_view>

namespace helio {

constexpr std::string_view WaitKind = "wait"; ///< As commands call them.

/// Whether who ended a wait was recorded at all: there are wake-ups.
bool hasWaitCauses(const Timeline& timeline);

/// Hands over what the threads waited for, where they could not run, of the waits that lie in the window as a whole: by begin, those of one
/// moment in the order of the rows. Ends early once `stop` is requested. Cost: as eachStay(), and some 5 us a wait for its cause.
void eachWait(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
              const std::function<void(const Row&, const Interval&, const WaitCause&)>& take, std::stop_token stop = {});

} // namespace helio
