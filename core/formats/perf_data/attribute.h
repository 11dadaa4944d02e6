#pragma once

#include "core/formats/perf_data/abi.h"
#include "core/trace/fields/binary_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace helio::perf {

/// An event requested from the kernel: its perf_event_attr, its ids and its name.
struct Attribute {
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    std::uint64_t period = 0; ///< Sampling period in events; frequency in Hz if isFrequency().
    std::uint64_t sampleType = 0;
    std::uint64_t readFormat = 0;
    std::uint64_t flags = 0; ///< Flags of perf_event_attr, with the n-th flag as bit n, independent of the byte order of the recording.
    std::uint64_t branchType = 0;
    std::uint64_t userRegisters = 0;
    std::uint64_t interruptRegisters = 0;
    std::int32_t clockId = 0;
    std::vector<std::uint64_t> ids;
    std::string name; ///< Recorded name; empty if not recorded.
    /// Name, with a number if an earlier event has the same name, for example "cpu-clock#2". Set by RecordingDescription::nameAttributes().
    std::string label;

    bool has(std::uint64_t sampleBit) const { return (sampleType & sampleBit) != 0; }
    /// True if threads that a recorded thread creates are recorded as well.
    bool isInherited() const { return (flags >> 1 & 1) != 0; }
    bool excludesUser() const { return (flags >> 4 & 1) != 0; }
    bool excludesKernel() const { return (flags >> 5 & 1) != 0; }
    bool excludesHypervisor() const { return (flags >> 6 & 1) != 0; }
    bool excludesHost() const { return (flags >> 19 & 1) != 0; }
    bool excludesGuest() const { return (flags >> 20 & 1) != 0; }
    unsigned precision() const { return static_cast<unsigned>(flags >> 15 & 3); }
    bool isFrequency() const { return (flags >> 10 & 1) != 0; }
    bool isSampleIdAll() const { return (flags >> 18 & 1) != 0; }
    bool usesClockId() const { return (flags >> 25 & 1) != 0; }
    bool isTracepoint() const { return type == static_cast<std::uint32_t>(EventSource::Tracepoint); }
    /// True for an event without samples, which perf adds for records about processes and their memory.
    bool isDummy() const { return type == static_cast<std::uint32_t>(EventSource::Software) && config == 9; }
    /// True if only some events of a tracepoint are recorded: a maximum number per second (perf record -F), or one of n (-c). If samples
    /// record their period, as perf requests it, -c has no effect: the kernel then records each event with a period of 1
    /// (perf_swevent_event() in kernel/events/core.c).
    bool isSampledTracepoint() const { return isTracepoint() && (isFrequency() || (period > 1 && !has(sample::Period))); }
    /// True if a sample's period is the count from this sample to the next one, instead of the count up to this sample. This is the case
    /// for software events with a frequency. At an overflow, the kernel computes a new period for the interval after the next one, and the
    /// sample records the period of the interval that begins at the sample (kernel/events/core.c: perf_swevent_event(),
    /// perf_swevent_set_period()). Samples that read counters are not affected.
    bool hasForwardPeriod() const
    {
        return type == static_cast<std::uint32_t>(EventSource::Software) && isFrequency() && !isClock() && !has(sample::Read);
    }
    /// True if the event counts time on a CPU or of a task; its periods are then in ns.
    bool isClock() const { return type == static_cast<std::uint32_t>(EventSource::Software) && config <= 1; }
};

/// Returns the approximate time in ns that a thread runs between two of its samples. Known for cycles at a frequency, because the kernel
/// adjusts the period to reach the frequency (kernel/events/core.c, perf_adjust_period). 0 if unknown, or if the event's periods are times.
std::int64_t estimateSpacing(const Attribute& attribute);

/// Parses a perf_event_attr of any published or future size; nullopt if it is shorter than the first published version.
std::optional<Attribute> readAttribute(std::span<const std::byte> bytes, ByteOrder order);

/// Returns perf's default name for an event without a recorded name.
std::string nameOf(const Attribute& attribute);

/// Returns the modifiers that perf appends to a default name, for example ":u" or ":kppp"; empty if there are none.
std::string makeModifiers(const Attribute& attribute);

} // namespace helio::perf
