#pragma once

#include "core/formats/perf_data/abi.h"
#include "core/formats/perf_data/cursor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace helio::perf {

/// One event as it was asked for: perf_event_attr, its ids and its name.
struct Attribute {
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    std::uint64_t period = 0; ///< Or the frequency.
    std::uint64_t sampleType = 0;
    std::uint64_t readFormat = 0;
    std::uint64_t flags = 0; ///< Bit n is the n-th flag, whatever the byte order.
    std::uint64_t branchType = 0;
    std::uint64_t userRegisters = 0;
    std::uint64_t interruptRegisters = 0;
    std::int32_t clockId = 0;
    std::vector<std::uint64_t> ids;
    std::string name; ///< Empty: not recorded.
    std::string label; ///< Its name, with a number where an event before it has the same: "cpu-clock#2". See Description::nameAttributes().

    bool has(std::uint64_t sampleBit) const { return (sampleType & sampleBit) != 0; }
    /// Threads that a recorded thread starts are recorded, too.
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
    /// perf adds it for what is recorded beside samples; it has none.
    bool isDummy() const { return type == static_cast<std::uint32_t>(EventSource::Software) && config == 9; }
    /// A tracepoint of which only some are recorded: so many a second (perf record -F), or one of so many (-c). But where samples are to
    /// say their period, as perf's are, the kernel records each with a period of 1 whatever -c says (perf_swevent_event() in
    /// kernel/events/core.c).
    bool isSampledTracepoint() const { return isTracepoint() && (isFrequency() || (period > 1 && !has(sample::Period))); }
    /// At an overflow the kernel takes the new period for the stretch after the next one, and the sample says the one that begins with it
    /// (kernel/events/core.c: perf_swevent_event(), perf_swevent_set_period()). Where counters are read that is of no matter.
    bool saysNextPeriod() const
    {
        return type == static_cast<std::uint32_t>(EventSource::Software) && isFrequency() && !isClock() && !has(sample::Read);
    }
    /// Time on a CPU or of a task, whose periods are ns.
    bool isClock() const { return type == static_cast<std::uint32_t>(EventSource::Software) && config <= 1; }
};

/// About how long a thread runs from one of its samples to the next, ns: where so many cycles are sampled a second, the kernel chooses the
/// period so that they are (kernel/events/core.c, perf_adjust_period). 0: the event says nothing of time, or its periods do.
std::int64_t spacingOf(const Attribute& attribute);

/// Reads an attribute of any published or future size. None where it is too short for the first version.
std::optional<Attribute> readAttribute(std::span<const std::byte> bytes, ByteOrder order);

/// What perf calls an event of which no name was recorded.
std::string nameOf(const Attribute& attribute);

/// The modifiers that perf puts behind such a name: ":u", ":kppp"; empty: none.
std::string modifiersOf(const Attribute& attribute);

} // namespace helio::perf
