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

/// Unwinds the user frames of samples with recorded registers and stack copies. Reads the recording in the order of the samples and keeps
/// track of memory mappings.
///
/// Threads: to be used by one thread, for one trace.
/// Cost: about 10 us per sample, plus reading the events between samples. Memory: the unwinders of at most 64 processes.
class StackUnwinding {
public:
    StackUnwinding(const TimelineTrace& trace, std::shared_ptr<Symbolizer> symbolizer, std::stop_token stop);

    /// Returns the frames, innermost first, and the reason why they end. No frames if the sample is not found in the recording or has no
    /// registers. Fast if samples are passed in the order of their events.
    UnwoundStack unwind(const HostSample& sample);

private:
    struct Process {
        std::unique_ptr<Unwinder> unwinder;
        /// Value of m_records when `unwinder` last received the process's mappings. The unwinder is outdated if the mappings changed later
        /// (m_changed).
        std::size_t records = 0;
    };

    bool goTo(std::uint64_t event);
    void openBefore(std::uint64_t event);
    void takeRecordsUntil(HostTimestamp time);
    Process& processOf(std::int32_t pid);

    const TimelineTrace& m_trace;
    std::shared_ptr<Symbolizer> m_symbolizer;
    std::stop_token m_stop;
    std::unique_ptr<MergedEvents> m_events;
    std::uint64_t m_next = 0; ///< Sequence number of the next event of m_events.
    std::optional<AddressSpaces> m_spaces;
    std::size_t m_records = 0; ///< Number of records that m_spaces has processed.
    std::map<std::int32_t, std::size_t> m_changed; ///< Value of m_records after the last change of a process's mappings, keyed by process.
    std::shared_ptr<FrameCache> m_frames = std::make_shared<FrameCache>();
    std::map<std::int32_t, Process> m_processes;
    std::vector<std::uint64_t> m_registers;
};

} // namespace helio
