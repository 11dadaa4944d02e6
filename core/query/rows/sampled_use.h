#pragma once

#include "core/query/rows/rows.h"
#include "core/store/samples.h"

#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio {

/// What samples say of how long a row was on a CPU, or was one: each stands for its period of cpu-clock or task-clock, else (cycles sampled
/// so often a second) for as long as a thread runs between two of them.
struct SampledUse {
    std::uint64_t samples = 0;
    Duration user{};
    Duration kernel{}; ///< And what is neither.
    Duration onCpu() const { return user + kernel; }
    SampledUse& operator+=(const SampledUse& other)
    {
        samples += other.samples;
        user += other.user;
        kernel += other.kernel;
        return *this;
    }
};

/// What they say of all threads and CPUs in a range: an estimate, for rows whose states were not recorded. Idle CPUs are not in it.
///
/// Threads: any but the UI's. Errors: none; empty without such samples, less after `stop`. Cost: about 20 ns a sample of the range.
class SampledUses {
public:
    SampledUses(const Timeline& timeline, TimeRange range, std::stop_token stop = {});

    /// Nothing known: no samples.
    SampledUse of(TrackRef row) const;

private:
    std::unordered_map<TrackRef, SampledUse, TrackRefHash> m_uses; ///< By row; one that is not valid stands for all without a row.
};

/// The time that each of a trace's samples stands for, as the first ones say in the middle; 0 where they do not. Cost: reads a block of
/// samples.
Duration samplePeriod(const Timeline& timeline, std::uint32_t trace);

/// The time that a sample of that weight stands for.
Duration samplePeriod(const SampleKind& kind, std::uint64_t weight);

/// No sample stands for more: a hostile one might for centuries.
constexpr Duration LongestSamplePeriod{5'000'000'000};

/// The kind of sample that measures CPU time best; as many as there are kinds: none does.
std::size_t cpuTimeKind(const SampleSet& samples);
/// The best of all traces.
std::optional<SampleKind> cpuTimeKind(const Timeline& timeline);

} // namespace helio
