#pragma once

#include "core/store/states.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace helio::kvm {

/// The view whose curves they are.
constexpr std::string_view ExitsView = "vm-exits";

/// Counts the exits of each machine's vCPUs by reason, as counters of its process that grow. What was lost is not in them. One thread.
/// Cost: of a search among the reasons, and a point.
class ExitCounts {
public:
    /// `kernel`: where threads have their names.
    ExitCounts(const Store& kernel, StateSink& sink)
        : m_kernel(kernel)
        , m_sink(sink)
    {
    }

    void begin(HostTimestamp at) { m_begin = at; }
    /// A thread of that process left its guest. `pid`: or its own tid, where that is not known.
    void count(HostTimestamp at, std::int32_t pid, StringId reason, std::string_view words);

private:
    struct Counter {
        std::optional<CounterSeriesId> series; ///< None: there are too many.
        std::int64_t exits = 0;
    };
    Counter& counterOf(std::int32_t pid, StringId reason, std::string_view words);
    TrackId rowOf(std::int32_t pid);
    std::string_view nameOf(std::int32_t pid) const;

    const Store& m_kernel;
    StateSink& m_sink;
    HostTimestamp m_begin{};
    std::map<std::pair<std::int32_t, StringId>, Counter> m_counters;
    std::map<std::int32_t, TrackId> m_rows; ///< Of VcpuProcessKind, by process.
};

} // namespace helio::kvm
