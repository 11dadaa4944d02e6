#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/sampled_rows.h"
#include "core/store/store.h"

#include <cstdint>
#include <set>
#include <vector>

namespace helio {

/// The threads of one store's samples: their rows, whether the filter selects them, and their names over time.
class SampledThreads {
public:
    using Life = SampledRows::Life;

    SampledThreads(const Timeline& timeline, StoreIndex store, const SampleFilter& filter);

    /// Returns the life of the thread that a sample belongs to.
    Life lifeOf(const HostSample& sample) { return m_rows.lifeAt(sample.thread, sample.time); }
    TrackRef rowOf(Life life) const { return m_rows.rowOf(life); }
    bool isWanted(Life life) { return !m_isCut || isWantedRow(life); }

    /// Returns the index of the sample's thread, under its name at that time, in `threads`; appends it if it is new.
    std::uint32_t indexOf(const HostSample& sample, Life life, std::vector<SampledThread>& threads);

private:
    /// A name of a thread, and the end of its use.
    struct Name {
        HostTimestamp end;
        std::string_view text;
        std::uint32_t index; ///< Index into the caller's vector of threads; Missing if not there yet.
    };
    enum class Selection : std::uint8_t { NotAsked, Wanted, Unwanted };
    struct Known {
        Selection wish = Selection::NotAsked;
        std::vector<Name> names; ///< In time order; the last name has no end. Empty: not read yet.
    };
    static constexpr std::uint32_t Missing = ~0u;

    bool isWantedRow(Life life);
    Known& knownOf(Life life);
    std::vector<Name> namesOf(Life life) const;
    SampledThread threadOf(Life life, std::string_view name, bool isIdle) const;

    const Timeline& m_timeline;
    const StoreIndex m_index;
    const std::uint32_t m_trace;
    SampledRows m_rows;
    bool m_isCut; ///< True if the filter names threads or processes.
    std::set<TrackRef> m_wanted; ///< Rows of the selected threads, if m_isCut.
    std::vector<Known> m_known; ///< Indexed by life.
    Known m_idle;
};

} // namespace helio
