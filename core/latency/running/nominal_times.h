#pragma once

#include "core/latency/running/thread_runs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// A running time, converted to the nominal frequency of the CPU.
struct NominalTime {
    long double ns = 0; ///< Time in ns at the nominal frequency, for the time in `known`.
    Duration known{}; ///< Running time for which the frequency is known.

    Duration atNominal() const;
    NominalTime& operator+=(const NominalTime& other);
};

/// Running times of threads and CPUs at a nominal frequency: the sum of running time times the CPU's frequency then, by the nominal
/// frequency. Frequencies are those recorded (power_cpu_frequency). Before a CPU's first record, and after lost events until its next
/// record, the frequency is unknown and not guessed. The nominal frequency is the highest one recorded for the CPU in the whole recording,
/// or the given one. Immutable.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Cost: construction takes a few ns for each change of a frequency, and one ThreadRuns if there are any; of() takes two binary searches
/// for each CPU that the thread was on.
class NominalTimes {
public:
    explicit NominalTimes(const Timeline& timeline, std::optional<std::uint32_t> nominalKHz = {}, std::stop_token stop = {});

    /// True if the frequency of any CPU was recorded.
    bool hasFrequencies() const { return !m_cpus.empty(); }
    /// Nominal frequencies by index of the host and number of the CPU.
    const std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t>& nominalKHz() const { return m_nominal; }
    /// Returns the time of a thread's running in the range, or of a CPU, which counts as running all the time. Returns nullopt if the row
    /// is no thread and no CPU, or if no frequency was recorded at all.
    std::optional<NominalTime> of(const Row& row, TimeRange range) const;

private:
    /// An interval with one frequency, and the sums up to its beginning.
    struct FrequencyInterval {
        TimeRange range;
        std::uint32_t kHz = 0;
        long double kHzBefore = 0; ///< Sum of kHz times ns.
        Duration knownBefore{};
    };
    using Cpu = std::pair<std::uint32_t, std::int32_t>;

    void read(const Timeline& timeline, Row cpu, const std::stop_token& stop);
    static void addUp(std::vector<FrequencyInterval>& stretches);
    NominalTime onCpu(const Cpu& cpu, TimeRange range) const;
    static std::pair<long double, Duration> until(const std::vector<FrequencyInterval>& stretches, Timestamp at);

    std::map<Cpu, std::vector<FrequencyInterval>> m_cpus;
    std::map<Cpu, std::uint32_t> m_nominal;
    std::optional<ThreadRuns> m_runs; ///< Only set if frequencies are known.
};

} // namespace helio
