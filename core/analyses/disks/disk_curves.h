#pragma once

#include "core/analyses/disks/request.h"
#include "core/store/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::disks {

/// The views of curves: bytes read and written, requests in the queues, how much of the time the driver had any.
constexpr std::string_view ThroughputView = "disk-throughput";
constexpr std::string_view QueuesView = "disk-queues";
constexpr std::string_view BusyView = "disk-busy";

/// A series that begins with 0, and is there once it is anything else: disks that are only read show nothing that is written. One thread;
/// the sink outlives it.
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
    std::optional<HostTimestamp> m_lastZero; ///< Before it was there.
};

/// The bytes that requests moved, as a total that grows from when the driver gets a request until it is completed, evenly; whose request is
/// never completed moves none. One thread; the sink outlives it.
class MovedBytes {
public:
    MovedBytes(DiskSeries series, HostTimestamp begin);

    /// A request that was completed. Those that are still under way may have begun before it.
    void add(HostTimestamp begin, HostTimestamp end, std::int64_t bytes);
    /// Nothing is under way: what was added is written.
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
    std::vector<Moved> m_pending; ///< Not written yet.
    std::int64_t m_total = 0; ///< Of those that are.
    HostTimestamp m_written; ///< The time of the last point.
};

/// What is shown over time of one disk. While events are lost that is of what is known. One thread; the sink outlives it.
class DiskCurves {
public:
    /// `disk`: its row, whose key is `key`. `begin`: of the trace.
    DiskCurves(StateSink& sink, TrackId disk, const std::string& key, HostTimestamp begin);

    void add(const Request& completed, HostTimestamp end);
    /// How many requests are in its queues from now on.
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
