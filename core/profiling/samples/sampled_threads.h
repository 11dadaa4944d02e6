#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/sampled_rows.h"
#include "core/store/store.h"

#include <cstdint>
#include <set>
#include <vector>

namespace helio {

/// The threads that one store's samples are of: their rows, which of them are wanted, and what each was called at a time.
class SampledThreads {
public:
    using Life = SampledRows::Life;

    SampledThreads(const Timeline& timeline, StoreIndex store, const SampleFilter& filter);

    /// Of which thread a sample is, in which of its lives.
    Life lifeOf(const HostSample& sample) { return m_rows.lifeAt(sample.thread, sample.time); }
    TrackRef rowOf(Life life) const { return m_rows.rowOf(life); }
    bool isWanted(Life life) { return !m_isCut || isWantedRow(life); }

    /// The place of the sample's thread, under its name of that time, in `threads`; appended where it is new.
    std::uint32_t indexOf(const HostSample& sample, Life life, std::vector<SampledThread>& threads);

private:
    /// A name that a thread had until a time.
    struct Name {
        HostTimestamp end;
        std::string_view text;
        std::uint32_t index; ///< In the answer's threads; Missing: not there yet.
    };
    enum class Wish : std::uint8_t { NotAsked, Wanted, Unwanted };
    struct Known {
        Wish wish = Wish::NotAsked;
        std::vector<Name> names; ///< In order; the last one is for all times after. Empty: not read yet.
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
    bool m_isCut; ///< The filter names threads or processes.
    std::set<TrackRef> m_wanted; ///< Then, the rows of those.
    std::vector<Known> m_known; ///< By life.
    Known m_idle;
};

} // namespace helio
