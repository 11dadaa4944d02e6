#pragma once

#include "core/analyses/disks/block_events.h"
#include "core/store/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::disks {

/// Ids of the views of curves: bytes read and written, requests in the queues, share of the time in which the driver had requests.
constexpr std::string_view ThroughputView = "disk-throughput";
constexpr std::string_view QueuesView = "disk-queues";
constexpr std::string_view BusyView = "disk-busy";

/// A counter series that begins with 0 and is created only when its value first differs from 0; a disk that is only read gets no curve of
/// writes.
///
/// Threads: to be used by one thread.
/// Ownership: the sink outlives the object.
class DiskSeries {
public:
    DiskSeries(StateSink& sink, CounterSeries series, HostTimestamp begin)
        : m_sink(sink)
        , m_series(std::move(series))
        , m_begin(begin)
    {
    }

    void put(HostTimestamp at, std::int64_t value);
    void putReal(HostTimestamp at, double value);

private:
    bool isThere(bool isZero, HostTimestamp at);

    StateSink& m_sink;
    CounterSeries m_series;
    HostTimestamp m_begin;
    std::optional<CounterSeriesId> m_id;
    std::optional<HostTimestamp> m_lastZero; ///< Time of the last 0 before the series was created.
};

/// Total of the bytes that requests moved. Each completed request adds its bytes evenly from its issue to its completion; a request that is
/// never completed adds none.
///
/// Threads: to be used by one thread.
/// Ownership: the sink outlives the object.
class MovedBytes {
public:
    MovedBytes(DiskSeries series, HostTimestamp begin);

    /// Adds a completed request. Requests under way may have begun earlier.
    void add(HostTimestamp begin, HostTimestamp end, std::int64_t bytes);
    /// Writes what was added. Called when no request is under way.
    void settle();
    void finish(HostTimestamp end);

private:
    struct Moved {
        HostTimestamp begin;
        HostTimestamp end;
        std::int64_t bytes;
    };
    std::vector<HostTimestamp> times() const;

    DiskSeries m_series;
    std::vector<Moved> m_pending; ///< Completed requests that are not written yet.
    std::int64_t m_total = 0; ///< Bytes of the requests that are written.
    HostTimestamp m_written; ///< Time of the last point.
};

/// The curves of one disk. In gaps of lost events they show what is known.
///
/// Threads: to be used by one thread.
/// Ownership: the sink outlives the object.
class DiskCurves {
public:
    /// `disk`: the row of the disk; `key`: the row's key; `begin`: beginning of the trace.
    DiskCurves(StateSink& sink, TrackId disk, const std::string& key, HostTimestamp begin);

    void add(const Request& completed, HostTimestamp end);
    /// Sets the count of requests in each queue from that time on.
    void setHeld(HostTimestamp at, std::size_t waiting, std::size_t withDriver);
    void finish(HostTimestamp end);

private:
    void setBusy(HostTimestamp at, bool isBusy);
    void putBusy(HostTimestamp at) { m_busySeries.putReal(at, double(m_busy.count()) / 1e9); }

    MovedBytes m_read;
    MovedBytes m_written;
    DiskSeries m_waitingSeries;
    DiskSeries m_driverSeries;
    DiskSeries m_busySeries;
    std::size_t m_waiting = 0;
    std::size_t m_withDriver = 0;
    std::optional<HostTimestamp> m_busySince;
    Duration m_busy{};
};

} // namespace helio::disks
