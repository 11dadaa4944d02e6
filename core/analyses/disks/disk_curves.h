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

/// Ids of the views with the curves of disks: bytes read and written, number of requests in the queues, and share of time in which the
/// driver had requests.
constexpr std::string_view ThroughputView = "disk-throughput";
constexpr std::string_view QueuesView = "disk-queues";
constexpr std::string_view BusyView = "disk-busy";

/// A counter series that begins with 0 and is created when the value first differs from 0. A disk that is only read therefore gets no
/// curve of writes.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink alive longer than the object.
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
    /// Time of the last value, which was 0 like all values before it: the series is created at the first value other than 0. nullopt if
    /// there was no value.
    std::optional<HostTimestamp> m_lastZero;
};

/// Total of the bytes that completed requests moved. The bytes of a request are spread evenly from its issue to its completion.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink alive longer than the object.
class MovedBytes {
public:
    MovedBytes(DiskSeries series, HostTimestamp begin);

    /// Adds a completed request. It stays pending until settle() writes it, because requests that are still in progress may have begun
    /// earlier. If too many requests are pending, add() calls settle().
    void add(HostTimestamp begin, HostTimestamp end, std::int64_t bytes);
    /// Writes the pending requests. Called when no request is in progress.
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
    std::vector<Moved> m_pending; ///< Completed requests that were not written yet.
    std::int64_t m_total = 0; ///< Bytes of all completed requests that are no longer pending.
    HostTimestamp m_written; ///< Time of the last point in m_series.
};

/// The curves of one disk. In gaps of lost events, the curves do not count requests whose states are unknown.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink alive longer than the object.
class DiskCurves {
public:
    /// `disk`: the row of the disk; `key`: the row's key; `begin`: the beginning of the trace.
    DiskCurves(StateSink& sink, TrackId disk, const std::string& key, HostTimestamp begin);

    void add(const Request& completed, HostTimestamp end);
    /// Sets the number of requests in each queue from time `at` on.
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
