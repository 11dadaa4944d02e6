#include "core/latency/intervals/event_rows.h"
#include "core/latency/intervals/interval_source.h"
#include "core/latency/pairs/begin_order.h"
#include "core/latency/pairs/timer_expiries.h"

namespace helio {
namespace {

/// Intervals from the due time of a timer to the call of its handler.
class TimerIntervals : public IntervalSource {
public:
    explicit TimerIntervals(std::shared_ptr<const Timeline> timeline)
        : IntervalSource({std::string(TimerKind), "Timer latency", "Handler", 40})
        , m_timeline(std::move(timeline))
    {
    }

    std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const override
    {
        EventRows rows(*m_timeline);
        AcceptedRows accepted(request.accepts);
        std::map<std::pair<std::uint32_t, std::int32_t>, TrackRef> cpuRows;
        for (const Row& row : cpus(*m_timeline))
            cpuRows.emplace(std::pair(row.host, row.cpu), row.ref);
        const auto scan = [&](const std::function<void(const TimerExpiry&)>& takeTimer) {
            forEachTimerExpiry(m_timeline, request.range, takeTimer, stop);
        };
        const auto takeOne = [&](const TimerExpiry& timer) {
            const Row& row = rows.at(timer.trace, -1, timer.cpu, timer.range.begin);
            if (!accepted.has(row))
                return;
            const std::string name = functionText(timer);
            const auto shown = cpuRows.find({row.host, timer.cpu});
            SourceInterval it{timer.range, row, name};
            it.shown = shown == cpuRows.end() ? TrackRef() : shown->second;
            take(it);
        };
        forEachByBegin<TimerExpiry>(scan, takeOne, stop);
        return 0;
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
};

void listTimers(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources)
{
    if (hasTimerExpiries(*timeline))
        sources.push_back(std::make_unique<TimerIntervals>(timeline));
}

} // namespace

extern const IntervalSourceFactory timerIntervals;
const IntervalSourceFactory timerIntervals{listTimers, nullptr};

} // namespace helio
