#pragma once

#include "core/experiment/timeline.h"
#include "core/symbol/unwinding/unwinder.h"
#include "core/trace/merged_events.h"
#include "core/trace/process/address_spaces.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Finds the user frames of samples whose registers and stack copies are in the recording. Reads the recording along with the samples, in
/// their order, and keeps track of memory mappings.
///
/// Threads: one thread, for one trace.
/// Cost: about 10 us per sample, and reading the events in between. Memory: the unwinders of some processes.
class StackUnwinding {
public:
    StackUnwinding(const TimelineTrace& trace, std::shared_ptr<Symbolizer> symbolizer, std::stop_token stop);

    /// Returns the frames, innermost first, and the reason why they end. No frames if the sample cannot be found again, or if it has no
    /// registers. Fast if samples come in the order of their events.
    UnwoundStack unwind(const HostSample& sample);

private:
    struct Process {
        std::unique_ptr<Unwinder> unwinder;
        std::size_t records = 0; ///< Number of records processed when the unwinder got the mappings.
    };

    bool goTo(std::uint64_t event);
    void openBefore(std::uint64_t event);
    void takeRecordsUntil(HostTimestamp time);
    Process& processOf(std::int32_t pid);

    const TimelineTrace& m_trace;
    std::shared_ptr<Symbolizer> m_symbolizer;
    std::stop_token m_stop;
    std::unique_ptr<MergedEvents> m_events;
    std::uint64_t m_next = 0; ///< Number of the next event.
    std::optional<AddressSpaces> m_spaces;
    std::size_t m_records = 0; ///< Number of records processed by m_spaces.
    std::map<std::int32_t, std::size_t> m_changed; ///< Keyed by process: number of records after which its mappings last changed.
    std::map<std::int32_t, Process> m_processes;
    std::vector<std::uint64_t> m_registers;
};

} // namespace helio
