#pragma once

#include "core/trace/fields/binary_reader.h"
#include "core/trace/fields/field_type.h"
#include "core/trace/process/module.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::perf {

struct RecordingDescription;

/// Threads and CPUs that perf was requested to record: all threads (-a, -C), or a command, processes or threads (a command, -p, -t).
///
/// They come from the records THREAD_MAP and CPU_MAP, which perf has written since Linux 4.4 (builtin-record.c, record__synthesize()), also
/// into pipes. In a system-wide recording, the only thread is -1. Without these records, everything counts as recorded. Other sources are
/// less reliable: the command line would have to be parsed as each version of perf does, and the attributes of a command and of -p differ
/// only in enable_on_exec.
class RecordingTarget {
public:
    void takeThreads(BinaryReader threadMap);
    void takeCpus(BinaryReader cpuMap);

    /// Returns the threads and CPUs to which the recording was limited.
    RecordingScope scope(const RecordingDescription& description) const;

    /// Returns a text for the user about the effect of `scope` on states; empty if everything is recorded. `records` contains the
    /// names of threads.
    std::string text(const RecordingScope& scope, std::span<const ProcessRecord> records) const;

private:
    std::map<std::int32_t, std::string> m_threads; ///< Names of the recorded threads, keyed by tid; tid -1 stands for all threads.
    std::optional<std::uint32_t> m_cpus; ///< Number of recorded CPUs; nullopt if the recording does not contain the number.
};

/// Maps event IDs to the CPU and the guest in which the events were counted (PERF_RECORD_ID_INDEX). The CPU is needed for samples that do
/// not record their CPU. The guest is set for events that `perf inject --guest-data` copied from the recording of a guest.
class EventIdCpus {
public:
    void take(BinaryReader idIndex);
    /// Returns the CPU of an event id; -1 if it was not recorded, or if the event was counted on any CPU.
    std::int32_t of(std::uint64_t id) const;
    /// Returns the guest that recorded the events with the event ID `id`; NoGuest if the host recorded them.
    std::int32_t guestOf(std::uint64_t id) const;
    const std::unordered_map<std::uint64_t, std::int32_t>& guests() const { return m_guests; } ///< Guests, keyed by event ID.
    /// Returns labels such as "guest 100 vCPU 1" for event IDs of guests, as ranges of one ID each.
    std::vector<EnumRange> guestLabels() const;

private:
    std::unordered_map<std::uint64_t, std::int32_t> m_cpus;
    std::unordered_map<std::uint64_t, std::int32_t> m_guests;
    std::unordered_map<std::uint64_t, std::int32_t> m_vcpus; ///< Numbers of virtual CPUs, keyed by event ID.
};

} // namespace helio::perf
