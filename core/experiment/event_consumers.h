#pragma once

#include "core/analysis/analysis.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Determines which analyses of one trace use the events of a run, so that the other analyses can skip the run.
/// Threads: used by one thread at a time.
class EventConsumers {
public:
    EventConsumers(const Trace& trace, std::span<const std::unique_ptr<Analysis>> analyses);

    /// Returns a bit set with one bit for each analysis that uses an event of the run; to be read with has().
    /// Cost: 1 ns per event; nothing if all analyses use all events.
    std::uint64_t of(const EventRun& run) const;
    static bool has(std::uint64_t consumers, std::size_t analysis) { return consumers >> placeOf(analysis) & 1; }

private:
    /// Returns the bit number of an analysis. All analyses from the 64th on share the last bit.
    static constexpr std::size_t placeOf(std::size_t analysis) { return analysis < 63 ? analysis : 63; }

    std::vector<std::uint64_t> m_ofType; ///< Bits of the analyses that use events of a type, indexed by EventTypeId.
    std::uint64_t m_always = 0; ///< Bits of the analyses that use all events.
    bool m_areAll = true; ///< True if all analyses use all events, so that m_ofType need not be read.
};

} // namespace helio
