#pragma once

#include "core/formats/perf_data/attribute.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::perf {

/// Where the parts of variable size lie in one sample: bytes from the record's begin. 0: not there.
struct SampleParts {
    std::uint32_t read = 0;
    std::uint32_t callchain = 0; ///< The first address...
    std::uint32_t callchainCount = 0;
    std::uint32_t raw = 0; ///< The first byte of a tracepoint's record.
    std::uint32_t rawSize = 0;
    std::uint32_t branches = 0; ///< The first {from, to, flags}.
    std::uint32_t branchCount = 0;
    std::uint32_t userAbi = 0;
    std::uint32_t userRegisters = 0;
    std::uint32_t userStack = 0;
    std::uint32_t userStackSize = 0; ///< As copied...
    std::uint32_t userStackUsed = 0; ///< ...and how much of it was there to copy.
    std::uint32_t weight = 0;
    std::uint32_t end = 0;
};

/// How the samples of one event are laid out. A record has at most 64 KiB, so that offsets are small.
class SampleShape {
public:
    static constexpr std::uint32_t None = 0; ///< Offset of a field that is not there: a record begins with its header.

    SampleShape(const Attribute& attribute, ByteOrder order);

    ByteOrder order() const { return m_order; }

    // Fields at constant places; None where there is none.
    std::uint32_t identifier = None;
    std::uint32_t ip = None;
    std::uint32_t tid = None;
    std::uint32_t time = None;
    std::uint32_t address = None;
    std::uint32_t id = None; ///< That of the identifier where there is one.
    std::uint32_t streamId = None;
    std::uint32_t cpu = None;
    std::uint32_t period = None;
    std::uint32_t fixedEnd = RecordHeaderSize; ///< After all of these.
    std::uint32_t constantRaw = None; ///< Where the raw part always is, if it is the first one of variable size.

    /// Whether its period is calculated from the counters it read, as differences to what they were before.
    bool readsCounters() const { return m_attribute.has(sample::Read) && (m_attribute.readFormat & readformat::Id) != 0; }

    /// The counters that were read with a sample: its own, or those of its group. Requires: walk() was content with the record.
    struct Counter {
        std::uint64_t id;
        std::uint64_t value;
    };
    std::vector<Counter> counters(std::span<const std::byte> record, const SampleParts& parts) const;

    /// Finds the others. False: a size in it is wrong, or the record too short.
    bool walk(std::span<const std::byte> record, SampleParts& parts) const;

private:
    class Walk;

    Attribute m_attribute;
    ByteOrder m_order;
    std::uint32_t m_userCount;
    std::uint32_t m_interruptCount;
};

/// The fields that follow all other records where sample_id_all was asked for: bytes from the record's end, 0 where there is none.
struct TrailerShape {
    explicit TrailerShape(const Attribute& attribute);

    std::uint32_t tid = 0;
    std::uint32_t time = 0;
    std::uint32_t id = 0;
    std::uint32_t cpu = 0;
    std::uint32_t size = 0;
};

} // namespace helio::perf
