#pragma once

#include "core/analysis/analysis.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Which of the analyses of one trace have a use for a run of events, so that the others need not look through it. One thread.
class EventTakers {
public:
    EventTakers(const Trace& trace, std::span<const std::unique_ptr<Analysis>> analyses);

    /// One bit for each. Cost: 1 ns an event, none where all analyses take all events.
    std::uint64_t of(const EventRun& run) const;
    static bool has(std::uint64_t takers, std::size_t analysis) { return takers >> placeOf(analysis) & 1; }

private:
    /// Where there are more than bits, the last one stands for the rest of them.
    static constexpr std::size_t placeOf(std::size_t analysis) { return analysis < 63 ? analysis : 63; }

    std::vector<std::uint64_t> m_ofType; ///< By EventTypeId.
    std::uint64_t m_always = 0; ///< Those that take all events.
    bool m_areAll = true; ///< All do.
};

} // namespace helio
