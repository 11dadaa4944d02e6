#pragma once

#include "core/latency/running/thread_runs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// How long something would have run at its CPU's nominal frequency.
struct NominalTime {
    long double ns = 0; ///< That it would have taken at that frequency, of the time that is known.
    Duration known{}; ///< Of which the frequency is known.

    Duration atNominal() const;
    NominalTime& operator+=(const NominalTime& other);
};

/// How long threads and CPUs ran, as time at a nominal frequency: the sum of what they ran, each part times the frequency that its CPU had
/// then, by the nominal one. Frequencies are what the recording says of them (power_cpu_frequency): of the time before the first one of a
/// CPU, and behind lost events until the next one, none is known, and none is guessed. Nominal is the highest that was recorded of the CPU
/// in the whole recording, or what was given.
///
/// Immutable; the timeline outlives it. Cost of making one: some ns for each change of a frequency, and where there are any, that of
/// ThreadRuns; of of(): two binary searches for each CPU that the thread was on.
class NominalTimes {
public:
    explicit NominalTimes(const Timeline& timeline, std::optional<std::uint32_t> nominalKHz = {}, std::stop_token stop = {});

    /// Some CPU's frequency was recorded.
    bool areKnown() const { return !m_cpus.empty(); }
    /// Those that times are of, by host and CPU.
    const std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t>& nominalKHz() const { return m_nominal; }
    /// Of what a thread ran in the range, or of a CPU, which ran in all of it. Nothing: the row is of neither, or no frequency was recorded
    /// at all.
    std::optional<NominalTime> of(const Row& row, TimeRange range) const;

private:
    /// A stretch of one frequency, and the sums up to its begin.
    struct Stretch {
        TimeRange range;
        std::uint32_t kHz = 0;
        long double kHzBefore = 0; ///< kHz times ns.
        Duration knownBefore{};
    };
    using Cpu = std::pair<std::uint32_t, std::int32_t>;

    void read(const Timeline& timeline, Row cpu, const std::stop_token& stop);
    static void addUp(std::vector<Stretch>& stretches);
    NominalTime onCpu(const Cpu& cpu, TimeRange range) const;
    static std::pair<long double, Duration> until(const std::vector<Stretch>& stretches, Timestamp at);

    std::map<Cpu, std::vector<Stretch>> m_cpus;
    std::map<Cpu, std::uint32_t> m_nominal;
    std::optional<ThreadRuns> m_runs; ///< Where frequencies are known.
};

} // namespace helio
