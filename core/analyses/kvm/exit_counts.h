#pragma once

#include "core/store/states.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace helio::kvm {

/// Vendor of the hardware virtualization; values of the field `isa` of kvm_exit.
enum class Isa : std::uint8_t { Intel = 1, Amd = 2 };

/// Returns an exit reason as text with the vendor's name, e.g. "MSR_WRITE (32)"; "(77)" if the name is unknown.
std::string exitText(Isa isa, std::int64_t reason);

/// Id of the view with the counters of exits.
constexpr std::string_view ExitsView = "vm-exits";

/// Counts the exits of each virtual machine's vCPUs by reason, as accumulating counters of the machine's process. Exits in gaps of lost
/// events are not counted.
///
/// Threads: used by one thread.
/// Cost: a search among the reasons and a new point for each exit.
class ExitCounts {
public:
    /// `kernel`: the store of the kernel analysis, from which the names of threads are read.
    ExitCounts(const Store& kernel, StateSink& sink)
        : m_kernel(kernel)
        , m_sink(sink)
    {
    }

    void begin(HostTimestamp at) { m_begin = at; }
    /// Counts an exit of a vCPU's thread. `pid`: PID of the thread's process, or the thread's TID if the process is unknown.
    void count(HostTimestamp at, std::int32_t pid, StringId reason, std::string_view words);

private:
    struct Counter {
        std::optional<CounterSeriesId> series; ///< Series of the counter of exits; nullopt if there are too many series.
        std::int64_t exits = 0;
    };
    Counter& counterOf(std::int32_t pid, StringId reason, std::string_view words);
    TrackId rowOf(std::int32_t pid);
    std::string_view nameOf(std::int32_t pid) const;

    const Store& m_kernel;
    StateSink& m_sink;
    HostTimestamp m_begin{};
    std::map<std::pair<std::int32_t, StringId>, Counter> m_counters;
    std::map<std::int32_t, TrackId> m_rows; ///< Rows of the kind VcpuProcessKind, keyed by PID.
};

} // namespace helio::kvm
