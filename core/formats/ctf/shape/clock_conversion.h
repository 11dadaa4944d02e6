#pragma once

#include "core/base/time.h"
#include "core/formats/ctf/shape/ctf_metadata.h"

namespace helio::ctf {

/// Converts clock cycles to nanoseconds. Rounding and double arithmetic are the same as in babeltrace2, so that both give equal times.
/// Times beyond 64 bits of ns wrap around.
class ClockConversion {
public:
    ClockConversion() = default;
    explicit ClockConversion(const Clock& clock)
        : m_frequency(clock.frequency)
    {
        const auto frequency = static_cast<std::int64_t>(std::min<std::uint64_t>(m_frequency, INT64_MAX));
        std::int64_t seconds = clock.offsetCycles / frequency;
        std::int64_t cycles = clock.offsetCycles % frequency;
        if (cycles < 0) {
            cycles += frequency;
            --seconds;
        }
        __extension__ using Wide = __int128;
        const Wide base = (Wide(clock.offsetSeconds) + seconds) * Wide(NanosecondsPerSecond) + scaled(static_cast<std::uint64_t>(cycles));
        m_hasOffset = base >= INT64_MIN && base <= INT64_MAX;
        m_base = m_hasOffset ? static_cast<std::uint64_t>(base) : 0;
    }

    HostTimestamp at(std::uint64_t cycles) const { return hostTime(static_cast<std::int64_t>(m_base + scaled(cycles))); }

    /// True if the clock counts ns, so that at() returns offset() + cycles.
    bool isNanoseconds() const { return m_frequency == NanosecondsPerSecond; }

    /// Returns the time, in ns, at which the clock's value is 0.
    std::int64_t offset() const { return static_cast<std::int64_t>(m_base); }

    /// False if the clock's offset does not fit into 64 bits of ns; offset() is then 0.
    bool hasOffset() const { return m_hasOffset; }

private:
    static constexpr std::uint64_t NanosecondsPerSecond = 1'000'000'000;

    std::uint64_t scaled(std::uint64_t cycles) const
    {
        if (m_frequency == NanosecondsPerSecond)
            return cycles;
        const double ns = 1e9 * static_cast<double>(cycles) / static_cast<double>(m_frequency);
        return ns < 18446744073709551615.0 ? static_cast<std::uint64_t>(ns) : UINT64_MAX;
    }

    std::uint64_t m_frequency = NanosecondsPerSecond;
    std::uint64_t m_base = 0;
    bool m_hasOffset = true;
};

/// Returns the full value of a clock after a time stamp of `bits` bits was read. The stamp replaces the low bits of `clock`; if the low
/// bits decreased, they are assumed to have wrapped around once.
inline std::uint64_t advanceClock(std::uint64_t clock, std::uint64_t stamp, unsigned bits)
{
    if (bits >= 64)
        return stamp;
    return clock + ((stamp - clock) & ((std::uint64_t(1) << bits) - 1));
}

/// Maps time stamp fields without a clock to the only clock of the trace. A trace without clocks gets a clock "default", which counts ns.
/// In a trace with several clocks, the fields stay unmapped.
///
/// Time stamp fields are `timestamp` in an event header and `timestamp_begin` and `timestamp_end` in a packet context, at any depth of
/// structures and variants. CTF 1.8 does not specify their clock (7.1.4); this class maps them as babeltrace2 does
/// (ctf-visitor-generate-ir.c, auto_map_fields_to_trace_clock_class).
class ClockMapping {
public:
    explicit ClockMapping(std::vector<Clock>& clocks)
        : m_clocks(clocks)
    {
    }

    FieldTypePtr mapHeader(const FieldTypePtr& header) { return mapped(header, {"timestamp"}); }
    FieldTypePtr mapPacketContext(const FieldTypePtr& context) { return mapped(context, {"timestamp_begin", "timestamp_end"}); }

private:
    using Names = std::vector<std::string_view>;

    FieldTypePtr mapped(const FieldTypePtr& type, const Names& names);
    FieldTypePtr mappedLeaf(const FieldTypePtr& type);
    std::vector<Member> mappedMembers(const std::vector<Member>& members, const Names& names);

    std::vector<Clock>& m_clocks;
};

} // namespace helio::ctf
