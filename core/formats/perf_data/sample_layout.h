#pragma once

#include "core/formats/perf_data/attribute.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::perf {

/// Offsets of the variable-size parts of a sample, in bytes from the start of its record; 0 if the sample does not have the part.
struct SampleOffsets {
    std::uint32_t read = 0;
    std::uint32_t callchain = 0; ///< Offset of the first address of the call chain.
    std::uint32_t callchainCount = 0; ///< Number of addresses in the call chain.
    std::uint32_t raw = 0; ///< Offset of the tracepoint's raw data.
    std::uint32_t rawSize = 0; ///< Size of the tracepoint's raw data in bytes.
    std::uint32_t branches = 0; ///< Offset of the first branch {from, to, flags}.
    std::uint32_t branchCount = 0;
    std::uint32_t userAbi = 0;
    std::uint32_t userRegisters = 0;
    std::uint32_t userStack = 0;
    std::uint32_t userStackSize = 0; ///< Number of recorded bytes of the stack.
    /// Number of recorded bytes, counted from the first byte, that belong to the thread's stack; the bytes after them are meaningless.
    std::uint32_t userStackUsed = 0;
    std::uint32_t weight = 0;
    std::uint32_t end = 0; ///< Offset of the end of the sample's last field, in bytes from the start of the record.
};

/// Layout of the samples of one attribute. A record has at most 64 KiB, so 32-bit offsets suffice.
class SampleLayout {
public:
    static constexpr std::uint32_t None = 0; ///< Offset of an absent field. No field has offset 0, which is in the record's header.

    SampleLayout(const Attribute& attribute, ByteOrder order);

    ByteOrder order() const { return m_order; }

    // Offsets of the fields at constant offsets, in bytes from the start of the record; None if a field is absent.
    std::uint32_t identifier = None;
    std::uint32_t ip = None;
    std::uint32_t tid = None;
    std::uint32_t time = None;
    std::uint32_t address = None;
    /// Offset of the event id: equal to `identifier` if that field is present, otherwise the offset of the PERF_SAMPLE_ID field.
    std::uint32_t id = None;
    std::uint32_t streamId = None;
    std::uint32_t cpu = None;
    std::uint32_t period = None;
    /// Offset in bytes of the end of the fields at constant offsets, from the start of the record.
    std::uint32_t fixedEnd = RecordHeaderSize;
    std::uint32_t constantRaw = None; ///< Offset of the raw part if the raw part is the first part of variable size; else None.

    /// True if a sample's period is computed from counters that were read with the sample, as the difference from their previous values.
    bool hasCounterPeriod() const { return m_attribute.has(sample::Read) && (m_attribute.readFormat & readformat::Id) != 0; }

    struct Counter {
        std::uint64_t id;
        std::uint64_t value;
    };
    /// Returns the counters that were read with a sample: the counter of the event, or the counters of its group. Requires: walk() returned
    /// true.
    std::vector<Counter> counters(std::span<const std::byte> record, const SampleOffsets& parts) const;

    /// Sets the offsets of the parts of variable size. Returns false if the record is too short or contains an invalid size.
    bool walk(std::span<const std::byte> record, SampleOffsets& parts) const;

private:
    class Walk;

    Attribute m_attribute;
    ByteOrder m_order;
    std::uint32_t m_userCount;
    std::uint32_t m_interruptCount;
};

/// Layout of the trailer that the kernel appends to records other than samples if sample_id_all was requested. Offsets are in bytes
/// backwards from the end of the record; 0 if a field is absent.
struct TrailerLayout {
    explicit TrailerLayout(const Attribute& attribute);

    std::uint32_t tid = 0;
    std::uint32_t time = 0;
    std::uint32_t id = 0;
    std::uint32_t cpu = 0;
    std::uint32_t size = 0; ///< Size of the trailer in bytes; 0 if there is no trailer.
};

} // namespace helio::perf
