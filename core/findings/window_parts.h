#pragma once

#include "core/findings/occurrences.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace helio {

/// Division of a window into parts of equal length, to find out when something was the case: at most 1,000 parts of at least 100 ms, or the
/// whole window if it is shorter. Shorter times say little about load.
class WindowParts {
public:
    /// Requires: the window is not empty.
    explicit WindowParts(TimeRange window)
        : m_window(window)
        , m_count(static_cast<std::size_t>(std::clamp<std::int64_t>(window.duration() / std::chrono::milliseconds(100), 1, 1'000)))
    {
    }

    TimeRange window() const { return m_window; }
    std::size_t count() const { return m_count; }
    TimeRange operator[](std::size_t part) const { return {boundary(part), boundary(part + 1)}; }
    /// Returns the part that contains a time in the window.
    std::size_t indexOf(Timestamp at) const
    {
        const auto position = double((at - m_window.begin).count()) / double(m_window.duration().count());
        std::size_t part = std::min(static_cast<std::size_t>(position * double(m_count)), m_count - 1);
        // Correct the rounding of the division.
        while (part > 0 && at < boundary(part))
            --part;
        while (part + 1 < m_count && at >= boundary(part + 1))
            ++part;
        return part;
    }

    /// Returns the ranges of the parts for which `isIn` is true, each as an occurrence on `row`. Adjacent parts form one range.
    template <typename IsIn> Occurrences rangesOf(const IsIn& isIn, TrackRef row = {}) const
    {
        Occurrences ranges;
        TimeRange open{m_window.begin, m_window.begin};
        for (std::size_t part = 0; part <= m_count; ++part) {
            if (part < m_count && isIn(part)) {
                open.end = boundary(part + 1);
                continue;
            }
            if (!open.isEmpty())
                ranges.add(open, row);
            open = {boundary(part + 1), boundary(part + 1)};
        }
        return ranges;
    }

private:
    Timestamp boundary(std::size_t part) const
    {
        const __int128 offset = static_cast<__int128>(m_window.duration().count()) * static_cast<__int128>(std::min(part, m_count));
        return m_window.begin + Duration(static_cast<std::int64_t>(offset / static_cast<__int128>(m_count)));
    }

    TimeRange m_window;
    std::size_t m_count;
};

} // namespace helio
