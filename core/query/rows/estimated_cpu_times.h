#pragma once

#include "core/query/rows/rows.h"
#include "core/store/samples.h"

#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio {

/// CPU time of a row, estimated from samples. A sample of cpu-clock or task-clock stands for its period; a sample of another event (e.g.
/// cycles, sampled at a fixed frequency) stands for the usual distance of two samples of a running thread.
struct EstimatedCpuTime {
    std::uint64_t samples = 0;
    Duration user{};
    Duration kernel{}; ///< Includes everything that is not user mode.
    Duration onCpu() const { return user + kernel; }
    EstimatedCpuTime& operator+=(const EstimatedCpuTime& other)
    {
        samples += other.samples;
        user += other.user;
        kernel += other.kernel;
        return *this;
    }
};

/// CPU time of all threads and CPUs in a range, estimated from samples, for rows whose states were not recorded. Idle time is not included.
///
/// Threads: any but the UI thread.
/// Errors: none; empty if there are no such samples, incomplete after `stop`.
/// Cost: about 20 ns per sample of the range.
class EstimatedCpuTimes {
public:
    EstimatedCpuTimes(const Timeline& timeline, TimeRange range, std::stop_token stop = {});

    /// Returns the use of a row; zero samples mean that nothing is known.
    EstimatedCpuTime of(TrackRef row) const;

private:
    /// Keyed by row; an invalid row stands for everything without a row.
    std::unordered_map<TrackRef, EstimatedCpuTime, TrackRefHash> m_uses;
};

/// Returns the time that each of a trace's samples stands for: the median of the first samples; 0 if they have none.
/// Cost: reads a block of samples.
Duration samplePeriod(const Timeline& timeline, std::uint32_t trace);

/// Returns the time that a sample of that weight stands for.
Duration samplePeriod(const SampleKind& kind, std::uint64_t weight);

/// Upper limit of the time that a sample stands for: the period in a hostile file may be centuries.
constexpr Duration MaxSamplePeriod{5'000'000'000};

/// Returns the index of the kind of sample that measures CPU time best; the number of kinds if none does.
std::size_t cpuTimeKind(const SampleSet& samples);
/// Returns the best kind of all traces; nullopt if none measures CPU time.
std::optional<SampleKind> cpuTimeKind(const Timeline& timeline);

} // namespace helio
