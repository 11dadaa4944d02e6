#pragma once

#include "core/base/time.h"
#include "core/trace/event.h"

#include <cstdint>
#include <vector>

namespace helio::perf {

/// Time of an event and position of its record. It has only 16 bytes, because a trace may have a hundred million events.
class IndexEntry {
public:
    static constexpr unsigned OffsetBits = 40;
    static constexpr unsigned SourceBits = 10;
    static constexpr std::uint64_t MaxOffset = (std::uint64_t{1} << OffsetBits) - 1;
    static constexpr std::uint32_t MaxSources = 1u << SourceBits;
    static constexpr std::uint32_t MaxTypes = 1u << (64 - OffsetBits - SourceBits);

    IndexEntry() = default;
    IndexEntry(HostTimestamp time, std::uint32_t type, std::uint32_t source, std::uint64_t offset)
        : m_time(time)
        , m_place(std::uint64_t(type) << (OffsetBits + SourceBits) | std::uint64_t(source) << OffsetBits | offset)
    {
    }

    HostTimestamp time() const { return m_time; }
    std::uint64_t place() const { return m_place; } ///< Type, source and offset in one number.
    std::uint64_t offset() const { return m_place & MaxOffset; } ///< Bytes from the begin of its source.
    std::uint32_t source() const { return static_cast<std::uint32_t>(m_place >> OffsetBits) & (MaxSources - 1); } ///< Index of its Source.
    std::uint32_t type() const { return static_cast<std::uint32_t>(m_place >> (OffsetBits + SourceBits)); }

private:
    HostTimestamp m_time;
    std::uint64_t m_place = 0;
};

/// Types of IndexEntry other than the index of an attribute.
constexpr std::uint32_t SwitchEntry = IndexEntry::MaxTypes - 1;
constexpr std::uint32_t SwitchCpuWideEntry = IndexEntry::MaxTypes - 2;
constexpr std::uint32_t MaxAttributeEntries = IndexEntry::MaxTypes - 2;

} // namespace helio::perf
