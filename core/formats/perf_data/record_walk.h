#pragma once

#include "core/formats/perf_data/abi.h"
#include "core/trace/fields/bits.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace helio::perf {

/// One record where it lies.
struct Record {
    RecordType type{};
    std::uint16_t misc = 0;
    std::uint64_t offset = 0; ///< In its source.
    std::span<const std::byte> bytes; ///< With its header.
    std::span<const std::byte> payload; ///< Tracing data, AUX data or compressed records; empty for nearly all.

    std::span<const std::byte> body() const { return bytes.subspan(RecordHeaderSize); }
};

/// Steps from record to record by their sizes.
class RecordWalk {
public:
    RecordWalk(std::span<const std::byte> source, std::uint64_t begin, std::uint64_t end, ByteOrder order)
        : m_source(source)
        , m_at(begin)
        , m_end(end < source.size() ? end : source.size())
        , m_order(order)
    {
    }

    /// False: the end, or what is there is no record, or not all of one: fault() says which.
    bool next(Record& record);

    /// Where the next record begins, or the one that is damaged.
    std::uint64_t offset() const { return m_at; }

    enum class Fault { None, BadSize, Cut };
    Fault fault() const { return m_fault; }

private:
    bool stop(Fault fault)
    {
        m_fault = fault;
        return false;
    }
    /// Finds the payload of `record`, which may lie behind its bytes. False: it is not all there.
    bool takePayload(Record& record);
    bool takeCompressed(Record& record, std::uint64_t size);
    bool takePiece(Record& record, std::uint64_t size);

    std::span<const std::byte> m_source;
    std::uint64_t m_at;
    std::uint64_t m_end;
    ByteOrder m_order;
    std::uint64_t m_pieces = 0; ///< Bytes of further pieces of the last COMPRESSED2 record, headers included.
    Fault m_fault = Fault::None;
};

} // namespace helio::perf
