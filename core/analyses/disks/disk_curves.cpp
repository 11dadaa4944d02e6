#include "core/analyses/disks/disk_curves.h"

#include <algorithm>
#include <utility>

namespace helio::disks {
namespace {

/// Maximum number of pending requests. At this number, the requests are written without waiting until the disk is idle, because a disk may
/// be busy all the time.
constexpr std::size_t MostPending = 4096;
constexpr double MostBytes = 9e18; ///< Limit for sums of bytes, so that the sums fit into 63 bits.

CounterSeries total(std::string_view view, std::string id, const char* title, const char* unit, TrackId disk)
{
    CounterSeries series{std::string(view), std::move(id), title, unit};
    series.kind = CounterSeries::Kind::Accumulating;
    series.track = disk;
    return series;
}

CounterSeries level(std::string_view view, std::string id, const char* title, TrackId disk)
{
    CounterSeries series{std::string(view), std::move(id), title};
    series.track = disk;
    return series;
}

CounterSeries timeBusy(std::string id, TrackId disk)
{
    CounterSeries series = total(BusyView, std::move(id), "Utilization", "s", disk);
    series.number = CounterNumber::Real;
    return series;
}

} // namespace

/// Returns true if the series exists. Creates the series at its first value other than 0, with a point 0 at the beginning of the trace, and
/// a point 0 at the time of the last value that was 0. A curve of a total therefore begins to rise at this time.
bool DiskSeries::isThere(bool isZero, HostTimestamp at)
{
    if (m_id)
        return true;
    if (isZero) {
        m_lastZero = at;
        return false;
    }
    const auto added = m_sink.counters().addSeries(m_series);
    if (!added)
        return false;
    m_id = *added;
    m_sink.counters().addInteger(*m_id, m_begin, 0);
    if (m_lastZero)
        m_sink.counters().addInteger(*m_id, *m_lastZero, 0);
    return true;
}

void DiskSeries::put(HostTimestamp at, std::int64_t value)
{
    if (isThere(value == 0, at))
        m_sink.counters().addInteger(*m_id, at, value);
}

void DiskSeries::putReal(HostTimestamp at, double value)
{
    if (isThere(value == 0, at))
        m_sink.counters().addReal(*m_id, at, value);
}

MovedBytes::MovedBytes(DiskSeries series, HostTimestamp begin)
    : m_series(std::move(series))
    , m_written(begin)
{
}

void MovedBytes::add(HostTimestamp begin, HostTimestamp end, std::int64_t bytes)
{
    m_pending.push_back({begin, end, bytes});
    if (m_pending.size() >= MostPending)
        settle();
}

/// Returns the start and end times of the pending requests.
std::vector<HostTimestamp> MovedBytes::times() const
{
    std::vector<HostTimestamp> times;
    for (const Moved& it : m_pending)
        for (const HostTimestamp at : {it.begin, it.end})
            times.push_back(std::max(at, m_written));
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

void MovedBytes::settle()
{
    std::ranges::sort(m_pending, {}, &Moved::begin);
    std::vector<Moved> moving;
    auto next = m_pending.begin();
    for (const HostTimestamp at : times()) {
        for (; next != m_pending.end() && next->begin <= at; ++next)
            moving.push_back(*next);
        double sofar = 0;
        std::erase_if(moving, [&](const Moved& it) {
            if (it.end <= at)
                // sumOf() saturates at the largest 63-bit value, so the sum cannot overflow.
                m_total = sumOf(Duration(m_total), Duration(it.bytes)).count();
            else
                sofar += double(it.bytes) * double((at - it.begin).count()) / double((it.end - it.begin).count());
            return it.end <= at;
        });
        m_series.put(at, sumOf(Duration(m_total), Duration(std::int64_t(std::clamp(sofar, -MostBytes, MostBytes)))).count());
        m_written = at;
    }
    m_pending.clear();
}

void MovedBytes::finish(HostTimestamp end)
{
    settle();
    m_series.put(std::max(end, m_written), m_total);
}

DiskCurves::DiskCurves(StateSink& sink, TrackId disk, const std::string& key, HostTimestamp begin)
    : m_read({sink, total(ThroughputView, key + "/read", "Read", "B", disk), begin}, begin)
    , m_written({sink, total(ThroughputView, key + "/written", "Written", "B", disk), begin}, begin)
    , m_waitingSeries(sink, level(QueuesView, key + "/waiting", "Queued", disk), begin)
    , m_driverSeries(sink, level(QueuesView, key + "/driver", "In flight", disk), begin)
    , m_busySeries(sink, timeBusy(key + "/busy", disk), begin)
{
}

void DiskCurves::add(const Request& completed, HostTimestamp end)
{
    if (completed.operation == Operation::Read)
        m_read.add(completed.since, end, completed.bytes);
    else if (completed.operation == Operation::Write)
        m_written.add(completed.since, end, completed.bytes);
}

void DiskCurves::setHeld(HostTimestamp at, std::size_t waiting, std::size_t withDriver)
{
    if (std::exchange(m_waiting, waiting) != waiting)
        m_waitingSeries.put(at, std::int64_t(waiting));
    if (std::exchange(m_withDriver, withDriver) == withDriver)
        return;
    m_driverSeries.put(at, std::int64_t(withDriver));
    setBusy(at, withDriver > 0);
}

void DiskCurves::setBusy(HostTimestamp at, bool isBusy)
{
    if (isBusy == m_busySince.has_value())
        return;
    if (!isBusy) {
        m_busy = sumOf(m_busy, std::max(Duration(), at - *m_busySince));
        m_read.settle();
        m_written.settle();
    }
    m_busySince = isBusy ? std::optional(at) : std::nullopt;
    putBusy(at);
}

void DiskCurves::finish(HostTimestamp end)
{
    setBusy(end, false);
    m_read.finish(end);
    m_written.finish(end);
    putBusy(end);
}

} // namespace helio::disks
