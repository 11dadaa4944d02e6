#pragma once

#include "core/formats/perf_data/attribute.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::perf {

/// Offsets of the parts of variable size in one sample, in bytes from the record's begin; 0 if a part is absent.
struct SampleOffsets {
    std::uint32_t read = 0;
    std::uint32_t callchain = 0; ///< Offset of the first address.
    std::uint32_t callchainCount = 0; ///< Number of addresses.
    std::uint32_t raw = 0; ///< Offset of a tracepoint's record.
    std::uint32_t rawSize = 0; ///< In bytes.
    std::uint32_t branches = 0; ///< Offset of the first branch {from, to, flags}.
    std::uint32_t branchCount = 0; ///< Number of branches.
    std::uint32_t userAbi = 0;
    std::uint32_t userRegisters = 0;
    std::uint32_t userStack = 0;
    std::uint32_t userStackSize = 0; ///< Bytes that were recorded of the stack.
    std::uint32_t userStackUsed = 0; ///< Bytes of userStackSize that hold stack contents.
    std::uint32_t weight = 0;
    std::uint32_t end = 0; ///< Offset after the last part.
};

/// Layout of the samples of one attribute. A record has at most 64 KiB, so 32-bit offsets suffice.
class SampleLayout {
public:
    static constexpr std::uint32_t None = 0; ///< Offset of an absent field: offset 0 is in the record's header.

    SampleLayout(const Attribute& attribute, ByteOrder order);

    ByteOrder order() const { return m_order; }

    // Offsets of the fields at constant offsets, in bytes from the record's begin; None if a field is absent.
    std::uint32_t identifier = None;
    std::uint32_t ip = None;
    std::uint32_t tid = None;
    std::uint32_t time = None;
    std::uint32_t address = None;
    std::uint32_t id = None; ///< Same as `identifier` if that is present.
    std::uint32_t streamId = None;
    std::uint32_t cpu = None;
    std::uint32_t period = None;
    std::uint32_t fixedEnd = RecordHeaderSize; ///< Offset after the fields at constant offsets.
    std::uint32_t constantRaw = None; ///< Offset of the raw part if it is the first part of variable size; else None.

    /// True if a sample's period is computed from the counters that it read: as the difference to their previous values.
    bool hasCounterPeriod() const { return m_attribute.has(sample::Read) && (m_attribute.readFormat & readformat::Id) != 0; }

    struct Counter {
        std::uint64_t id;
        std::uint64_t value;
    };
    /// Returns the counters that were read with a sample: the event's own, or those of its group. Requires: walk() returned true.
    std::vector<Counter> counters(std::span<const std::byte> record, const SampleOffsets& parts) const;

    /// Finds the parts of variable size. Returns false if the record is too short or has a wrong size in it.
    bool walk(std::span<const std::byte> record, SampleOffsets& parts) const;

private:
    class Walk;

    Attribute m_attribute;
    ByteOrder m_order;
    std::uint32_t m_userCount;
    std::uint32_t m_interruptCount;
};

/// Layout of the trailer that the kernel appends to records other than samples if sample_id_all was requested. Offsets are in bytes back
/// from the record's end; 0 if a field is absent.
struct TrailerLayout {
    explicit TrailerLayout(const Attribute& attribute);

    std::uint32_t tid = 0;
    std::uint32_t time = 0;
    std::uint32_t id = 0;
    std::uint32_t cpu = 0;
    std::uint32_t size = 0; ///< In bytes; 0 if there is no trailer.
};

} // namespace helio::perf
