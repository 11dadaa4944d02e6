#pragma once

#include "core/formats/perf_data/abi.h"
#include "core/trace/fields/bits.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace helio::perf {

/// A record of perf.data, as views of the bytes of its source.
struct Record {
    RecordType type{};
    std::uint16_t misc = 0;
    std::uint64_t offset = 0; ///< Offset in bytes from the start of the source.
    std::span<const std::byte> bytes; ///< Bytes of the record, including its header.
    std::span<const std::byte> payload; ///< Additional bytes of tracing data, AUX data and compressed records; empty for most records.

    std::span<const std::byte> body() const { return bytes.subspan(RecordHeaderSize); }
};

/// Iterates over the records in a range of bytes.
class RecordWalk {
public:
    RecordWalk(std::span<const std::byte> source, std::uint64_t begin, std::uint64_t end, ByteOrder order)
        : m_source(source)
        , m_at(begin)
        , m_end(end < source.size() ? end : source.size())
        , m_order(order)
    {
    }

    /// Reads the next record. Returns false at the end of the range, and if the record is damaged or incomplete; fault() distinguishes the
    /// cases.
    bool next(Record& record);

    /// Returns the offset of the next record; after a fault, of the damaged record.
    std::uint64_t offset() const { return m_at; }

    enum class Fault { None, BadSize, Cut };
    Fault fault() const { return m_fault; }

private:
    bool stop(Fault fault)
    {
        m_fault = fault;
        return false;
    }
    /// Sets the payload of `record`: its body, or for trace formats and AUX data the bytes after the record. Returns false if the payload
    /// extends beyond the end of the data.
    bool takePayload(Record& record);
    bool takeCompressed(Record& record, std::uint64_t size);
    bool takePiece(Record& record, std::uint64_t size);

    std::span<const std::byte> m_source;
    std::uint64_t m_at;
    std::uint64_t m_end;
    ByteOrder m_order;
    std::uint64_t m_pieces = 0; ///< Size in bytes, with headers, of the further pieces of the last COMPRESSED2 record.
    Fault m_fault = Fault::None;
};

} // namespace helio::perf
