#pragma once

#include "core/trace/stored/track_events.h"

#include <cstdint>
#include <string_view>

namespace helio::perfetto {

/// Reads values that Perfetto's daemon polled: packets with a ProcessStats, SysStats or BatteryCounters message. The values become
/// counters. The counters have the names that the kernel uses in its files, e.g. in /proc/meminfo.
class StatsReader {
public:
    explicit StatsReader(TrackEventWriter& writer)
        : m_writer(writer)
    {
    }

    void takeProcessStats(std::string_view message, std::int64_t time);
    void takeSysStats(std::string_view message, std::int64_t time);
    void takeBattery(std::string_view message, std::int64_t time);

private:
    void add(std::int64_t time, TrackScope scope, const TrackContext& context, std::string_view name, std::string_view series,
             std::string_view unit, std::uint64_t value);
    void takeProcess(std::string_view message, std::int64_t time);
    void takeCpuTimes(std::string_view message, std::int64_t time);
    void takeDisk(std::string_view message, std::int64_t time);

    TrackEventWriter& m_writer;
};

} // namespace helio::perfetto
