#pragma once

#include <functional>
#include <stop_token>
#include <vector>

namespace helio {

/// Makes reads of data on another machine (PartialFile, core/io/partial_file.h) on its thread not wait for missing bytes. A caller that
/// needs many bytes first tries everything, then waits once for all that was missing, and repeats what failed: this takes one round trip to
/// the other machine instead of one for each read.
///
/// Threads: to be used by the thread that made it. Objects of one thread may be nested; the innermost one counts.
class DeferredFetches {
public:
    using Wait = std::function<bool(const std::stop_token& stop)>; ///< Waits for requested bytes. Returns true if they have come.

    DeferredFetches();
    ~DeferredFetches();
    DeferredFetches(const DeferredFetches&) = delete;
    DeferredFetches& operator=(const DeferredFetches&) = delete;

    /// Returns the innermost object of the calling thread; nullptr if there is none.
    static DeferredFetches* innermost();
    void add(Wait wait); ///< Called by a read whose bytes are missing, after it has requested them.

    /// True if bytes were missing since the construction, or since the last call of takeMissing() or wait().
    bool takeMissing();
    /// Waits for all bytes that were missing since the construction or the last wait(). Returns true if all have come.
    bool wait(const std::stop_token& stop);

private:
    DeferredFetches* m_outer; ///< The object that counted before.
    std::vector<Wait> m_missing;
    bool m_hasMissed = false;
};

/// Returns the result of `query`, which is repeated until no bytes were missing. If bytes cannot be fetched, or a stop is requested,
/// returns the result without them.
template <typename Query> auto withFetchedBytes(const std::stop_token& stop, const Query& query)
{
    DeferredFetches deferred;
    for (;;) {
        auto result = query();
        if (!deferred.takeMissing() || !deferred.wait(stop))
            return result;
    }
}

} // namespace helio
