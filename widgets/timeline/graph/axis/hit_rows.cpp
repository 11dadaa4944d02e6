#include "widgets/timeline/graph/axis/hit_rows.h"

#include "core/query/rows/state_causes.h"

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int FetchDelay = 80; ///< Delay in ms before hits are read, because one turn of the wheel zooms many times.
/// Maximum number of hits that are marked: reading them takes about 10 ms. The overview shows the density of more hits.
constexpr std::size_t Most = 1000;

SampleTimesByRow timesOf(const std::shared_ptr<const Timeline>& timeline, const std::vector<std::uint64_t>& numbers, std::stop_token stop)
{
    SampleTimesByRow times;
    for (const EventRow& event : EventTable(timeline).rows(numbers, stop))
        for (const TrackRef row : {threadRow(*timeline, event.trace, event.tid, event.time), cpuRow(*timeline, event.trace, event.cpu)})
            if (row.isValid())
                times[row].push_back(event.time);
    return times;
}

} // namespace

HitRows::HitRows(TimeWindow& window, SearchHits& hits, QObject* parent)
    : QObject(parent)
    , m_window(window)
    , m_hits(hits)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(FetchDelay);
    connect(&m_soon, &QTimer::timeout, this, &HitRows::fetch);
    const auto soon = [this] {
        if (!m_hits.hits().empty() || !m_times.empty())
            m_soon.start();
    };
    connect(&window, &TimeWindow::visibleChanged, this, soon);
    connect(&hits, &SearchHits::begun, this, soon);
    connect(&hits, &SearchHits::changed, this, soon);
}

void HitRows::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    m_timeline = std::move(timeline);
    if (!m_timeline) {
        m_job.cancel();
        take({});
    }
}

void HitRows::fetch()
{
    const auto& hits = m_hits.hits();
    const TimeRange range = m_window.visible();
    const auto first = std::ranges::lower_bound(hits, range.begin, {}, &EventHit::time);
    const auto last = std::ranges::upper_bound(hits, range.end, {}, &EventHit::time);
    const auto count = std::size_t(last - first);
    if (!m_timeline || count == 0 || count > Most) {
        m_job.cancel();
        return take({});
    }
    std::vector<std::uint64_t> numbers;
    for (auto it = first; it != last; ++it)
        numbers.push_back(it->index);
    m_job.post([this, timeline = m_timeline, numbers](std::stop_token stop) -> LatestTask::Delivery {
        SampleTimesByRow times = timesOf(timeline, numbers, stop);
        return [this, times = std::move(times)] { take(times); };
    });
}

void HitRows::take(SampleTimesByRow times)
{
    if (std::exchange(m_times, std::move(times)) != m_times)
        emit changed();
}

} // namespace helio
