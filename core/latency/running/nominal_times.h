#pragma once

#include "core/latency/running/thread_runs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// A running time, converted to the time that it would take at the CPU's nominal frequency.
struct NominalTime {
    long double ns = 0; ///< Time in ns that the running time `known` would take at the nominal frequency.
    Duration known{}; ///< Part of the running time for which the frequency is known.

    Duration atNominal() const;
    NominalTime& operator+=(const NominalTime& other);
};

/// Converts running times of threads and CPUs to the nominal frequency: running time times the CPU's frequency at that time, divided by the
/// nominal frequency. Immutable.
///
/// Frequencies are the recorded ones (power_cpu_frequency). Before a CPU's first record, and from lost events until its next record, the
/// frequency is unknown. The nominal frequency is the given one, or else the highest one recorded for the CPU in the whole recording.
/// Ownership: the caller keeps the timeline alive while this object exists.
/// Cost: the constructor needs a few ns for each change of a frequency, and makes a ThreadRuns if there are changes; of() needs two binary
/// searches for each CPU that the thread was on.
class NominalTimes {
public:
    explicit NominalTimes(const Timeline& timeline, std::optional<std::uint32_t> nominalKHz = {}, std::stop_token stop = {});

    /// Returns true if CPU frequencies were recorded.
    bool hasFrequencies() const { return !m_cpus.empty(); }
    /// Nominal frequencies in kHz, keyed by host index and CPU number.
    const std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t>& nominalKHz() const { return m_nominal; }
    /// Returns the running time of a thread or CPU in the range, converted to the nominal frequency. A CPU counts as always running.
    /// nullopt if the row is neither a thread nor a CPU, or if no frequency was recorded.
    std::optional<NominalTime> of(const Row& row, TimeRange range) const;

private:
    /// An interval with constant frequency, and the sums over all earlier intervals.
    struct FrequencyInterval {
        TimeRange range;
        std::uint32_t kHz = 0;
        long double kHzBefore = 0; ///< Sum of frequency in kHz times duration in ns over all earlier intervals.
        Duration knownBefore{};
    };
    using Cpu = std::pair<std::uint32_t, std::int32_t>;

    void read(const Timeline& timeline, Row cpu, const std::stop_token& stop);
    static void addUp(std::vector<FrequencyInterval>& intervals);
    NominalTime onCpu(const Cpu& cpu, TimeRange range) const;
    static std::pair<long double, Duration> until(const std::vector<FrequencyInterval>& intervals, Timestamp at);

    std::map<Cpu, std::vector<FrequencyInterval>> m_cpus;
    std::map<Cpu, std::uint32_t> m_nominal;
    std::optional<ThreadRuns> m_runs; ///< Times of threads on CPUs; nullopt if no frequencies were recorded.
};

} // namespace helio
