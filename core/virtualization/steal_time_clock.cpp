#include "core/virtualization/steal_time_clock.h"

#include "core/query/rows/row_notes.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"

namespace helio {

namespace {

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

} // namespace

StealTimeClock::StealTimeClock(const Timeline& timeline, std::stop_token stop)
    : m_timeline(timeline)
    , m_recorded(timeline, Always, stop)
    , m_ran(timeline, Always, std::move(stop), ThreadCpuTimes::Stolen::LeftOut)
    , m_hasGuests(!guestRowPairs(timeline).empty())
{
}

Duration StealTimeClock::ofThread(TrackRef row, TimeRange range)
{
    const TrackRef thread = m_hasGuests ? m_recorded.rowOf(row, range) : TrackRef();
    return thread.isValid() ? m_recorded.onCpu(thread, range) - m_ran.onCpu(thread, range) : Duration{};
}

Duration StealTimeClock::ofWait(TrackRef thread, TimeRange range)
{
    if (!m_hasGuests)
        return {};
    const TrackRef cpu = cpuRow(m_timeline, traceOf(m_timeline, thread.store), cpuOf(m_timeline, thread, range.end));
    return cpu.isValid() ? m_recorded.onCpu(cpu, range) - m_ran.onCpu(cpu, range) : Duration{};
}

} // namespace helio
