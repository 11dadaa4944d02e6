#pragma once

#include "core/query/rows/rows.h"
#include "core/store/samples.h"

#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio {

/// CPU time of a row, estimated from samples. A sample of cpu-clock or task-clock counts as its period; a sample of another event (e.g.
/// cycles, sampled at a fixed frequency) counts as the usual time between two samples of a running thread.
struct EstimatedCpuTime {
    std::uint64_t samples = 0;
    Duration user{};
    Duration kernel{}; ///< Kernel time: all time outside user mode.
    Duration onCpu() const { return user + kernel; }
    EstimatedCpuTime& operator+=(const EstimatedCpuTime& other)
    {
        samples += other.samples;
        user += other.user;
        kernel += other.kernel;
        return *this;
    }
};

/// Times in states that are estimated from samples. Their sum is the duration of the range.
struct EstimatedStateTimes {
    Duration user{};
    Duration kernel{};
    Duration unknown{}; ///< Rest of the range, which no sample explains.
    Duration onCpu() const { return user + kernel; }
};
/// Distributes a range over states. CPU time in excess of the range is reduced in proportion, in user mode and in the kernel.
EstimatedStateTimes estimatedStateTimes(const EstimatedCpuTime& use, Duration range);

/// CPU time of all threads and CPUs in a range, estimated from samples, for rows whose states were not recorded. Idle time does not count.
///
/// Threads: any but the UI thread.
/// Errors: none. Empty if there are no samples of CPU time; incomplete if `stop` is requested.
/// Cost: about 20 ns per sample of the range.
class EstimatedCpuTimes {
public:
    EstimatedCpuTimes(const Timeline& timeline, TimeRange range, std::stop_token stop = {});

    /// Returns the estimated CPU time of a row. If its sample count is 0, the CPU time is unknown.
    EstimatedCpuTime of(TrackRef row) const;

private:
    /// CPU time by row; an invalid row is the key for all samples without a row.
    std::unordered_map<TrackRef, EstimatedCpuTime, TrackRefHash> m_uses;
};

/// Returns the typical CPU time that a sample of the trace represents: the median of the first block of samples; 0 if the trace has no
/// samples of CPU time.
/// Cost: reads a block of samples.
Duration samplePeriod(const Timeline& timeline, std::uint32_t trace);

/// Returns the CPU time that a sample of the given kind and weight represents, at most MaxSamplePeriod.
Duration samplePeriod(const SampleKind& kind, std::uint64_t weight);

/// Upper limit of the CPU time that a sample represents, because a corrupt file may contain a period of centuries.
constexpr Duration MaxSamplePeriod{5'000'000'000};

/// Returns the index of the sample kind that measures CPU time best; the number of kinds if no kind measures CPU time.
std::size_t cpuTimeKind(const SampleSet& samples);
/// Returns the sample kind that measures CPU time best, among the kinds of all traces; nullopt if no kind measures CPU time.
std::optional<SampleKind> cpuTimeKind(const Timeline& timeline);

} // namespace helio
