#pragma once

#include "core/base/deferred_fetches.h"
#include "widgets/async/latest_task.h"

#include <utility>

namespace helio {

/// Runs `action` once the bytes that `query` reads are on this machine: at once, except for a trace on another machine. Then `job` fetches
/// the bytes first; another call with `job` in the meantime, or LatestTask::cancel(), drops the action. `query` must own what it refers to,
/// for example the timeline. What it returns is ignored: `action` asks again.
/// Threads: UI thread; `query` also runs on the thread of `job`.
template <typename Query, typename Action> void onceFetched(LatestTask& job, const Query& query, Action action)
{
    job.cancel();
    bool isHere = false;
    {
        DeferredFetches deferred;
        query();
        isHere = !deferred.takeMissing();
    }
    if (isHere)
        return action();
    job.post([query, action = std::move(action)](std::stop_token stop) -> LatestTask::Delivery {
        withFetchedBytes(stop, [&] {
            query();
            return true;
        });
        return action;
    });
}

} // namespace helio
