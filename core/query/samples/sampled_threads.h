#pragma once

#include "core/base/flat_index.h"
#include "core/query/samples/sample_stacks.h"
#include "core/store/store.h"

#include <cstdint>
#include <vector>

namespace helio {

/// The threads of one store as its samples speak of them: which are wanted, and what each was called at a time.
class SampledThreads {
public:
    SampledThreads(const Timeline& timeline, StoreIndex store, const SampleFilter& filter);

    bool isWanted(TrackId thread) const
    {
        return m_wanted.empty() || (static_cast<std::size_t>(thread) < m_wanted.size() && m_wanted[static_cast<std::size_t>(thread)]);
    }

    /// The place of the sample's thread, under its name of that time, in `threads`; appended where it is new.
    std::uint32_t indexOf(const HostSample& sample, std::vector<SampledThread>& threads);

private:
    /// A name that a thread had until a time.
    struct Name {
        HostTimestamp end;
        std::string_view text;
        std::uint32_t index; ///< In the answer's threads; Missing: not there yet.
    };
    struct Names {
        bool isRead = false;
        std::vector<Name> names; ///< In order; the last one is for all times after.
    };
    static constexpr std::uint32_t Missing = ~0u;

    void read(TrackId thread, Names& names) const;

    const StoreIndex m_index;
    const Store& m_store;
    std::uint32_t m_trace;
    std::uint32_t m_host;
    std::vector<bool> m_wanted; ///< By track; empty: all.
    std::vector<Names> m_names; ///< By track, then those without one: not known, idle.
};

} // namespace helio
