#pragma once

#include "core/base/time.h"
#include "core/formats/call_log/call_line.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace helio::calllog {

/// Turns the times of lines into ns on one axis.
class LineClock {
public:
    std::int64_t timeOf(const CallLine& line)
    {
        if (line.timeKind == TimeKind::Relative)
            return m_last = sumOf(Duration(m_last), Duration(line.time)).count();
        if (line.timeKind != TimeKind::TimeOfDay)
            return line.time;
        // The date is not printed. Lines are nearly in order of time, so a step back by half a day is midnight.
        if (m_day + line.time < m_last - DayNs / 2)
            m_day += DayNs;
        if (m_day > 0 && m_day + line.time > m_last + DayNs / 2)
            return m_day - DayNs + line.time; // A late line from before midnight.
        return m_last = m_day + line.time;
    }

    /// Begins another file of the same log, whose first line is later than the first line of this one.
    void restart(std::int64_t first)
    {
        m_last = first;
        m_day = 0;
        m_earliest = std::numeric_limits<std::int64_t>::min();
    }

    /// Returns the earliest time of the current line at or after `second`, its time in whole seconds. The line is not earlier than the
    /// lines before it and the ends of their calls, because lines are printed in order of time.
    std::int64_t timeWithin(std::int64_t second)
    {
        constexpr std::int64_t Slack = 2'000'000'000; // More than a second, because durations are rounded; larger steps are damage.
        m_earliest = m_earliest > sumOf(Duration(second), Duration(Slack)).count() ? second : std::max(m_earliest, second);
        return m_earliest;
    }

    /// Takes the end of a call whose begin was returned by timeWithin().
    void noteEnd(std::int64_t end) { m_earliest = std::max(m_earliest, end); }

private:
    static constexpr std::int64_t DayNs = std::int64_t{86'400} * 1'000'000'000;

    std::int64_t m_last = 0;
    std::int64_t m_earliest = std::numeric_limits<std::int64_t>::min(); ///< Lower bound of the time of the next line in ns.
    std::int64_t m_day = 0; ///< Start of the current day in ns.
};

} // namespace helio::calllog
