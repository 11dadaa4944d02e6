#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/sampled_rows.h"
#include "core/store/store.h"

#include <cstdint>
#include <set>
#include <vector>

namespace helio {

/// Threads of the samples of one store: their rows, whether the filter selects them, and their names over time.
class SampledThreads {
public:
    using Life = SampledRows::Life;

    SampledThreads(const Timeline& timeline, StoreIndex store, const SampleFilter& filter);

    /// Returns the lifetime of the thread that a sample belongs to; TIDs may be reused.
    Life lifeOf(const HostSample& sample) { return m_rows.lifeAt(sample.thread, sample.time); }
    TrackRef rowOf(Life life) const { return m_rows.rowOf(life); }
    bool isWanted(Life life) { return !m_isFiltered || isWantedRow(life); }

    /// Returns the index in `threads` of the sample's thread with the name that the thread had at the time of the sample. Appends the
    /// thread with this name to `threads` if it is not in the list.
    std::uint32_t indexOf(const HostSample& sample, Life life, std::vector<SampledThread>& threads);

private:
    /// Name of a thread until `end`.
    struct Name {
        HostTimestamp end;
        std::string_view text;
        std::uint32_t index; ///< Index into the caller's list of threads; Missing if the list does not contain the name yet.
    };
    enum class Selection : std::uint8_t { NotAsked, Wanted, Unwanted };
    struct CachedThread {
        Selection wish = Selection::NotAsked;
        std::vector<Name> names; ///< Names in time order; the last name has no end. Empty if they were not read yet.
    };
    static constexpr std::uint32_t Missing = ~0u;

    bool isWantedRow(Life life);
    CachedThread& knownOf(Life life);
    std::vector<Name> namesOf(Life life) const;
    SampledThread threadOf(Life life, std::string_view name, bool isIdle) const;

    const Timeline& m_timeline;
    const StoreIndex m_index;
    const std::uint32_t m_trace;
    SampledRows m_rows;
    bool m_isFiltered; ///< True if the filter selects by threads or processes.
    /// Rows of the threads that the filter selects; ignored if m_isFiltered is false, because all threads are then selected.
    std::set<TrackRef> m_wanted;
    std::vector<CachedThread> m_known; ///< Cached selections and names, indexed by lifetime.
    CachedThread m_idle;
};

} // namespace helio
