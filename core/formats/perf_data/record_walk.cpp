#include "core/formats/perf_data/record_walk.h"

#include <algorithm>

namespace helio::perf {
namespace {

constexpr std::uint64_t CompressedHeaderSize = 16; ///< Size in bytes of a PERF_RECORD_COMPRESSED2 without its data.
/// Maximum number of data bytes in one PERF_RECORD_COMPRESSED2, because the size field has 16 bits.
constexpr std::uint64_t LargestPiece = 65'535 - CompressedHeaderSize;

constexpr std::uint64_t aligned(std::uint64_t size) { return (size + 7) / 8 * 8; }

} // namespace

bool RecordWalk::next(Record& record)
{
    if (m_at >= m_end)
        return false;
    const std::uint64_t left = m_end - m_at;
    if (left < RecordHeaderSize)
        return stop(Fault::Cut);
    const std::byte* at = m_source.data() + m_at;
    record.type = static_cast<RecordType>(loadWord<std::uint32_t>(at, m_order));
    record.misc = loadWord<std::uint16_t>(at + 4, m_order);
    record.offset = m_at;
    record.payload = {};
    const std::uint64_t size = loadWord<std::uint16_t>(at + 6, m_order);
    if (m_pieces > 0)
        return takePiece(record, size);
    if (record.type == RecordType::Compressed2)
        return takeCompressed(record, size);
    if (size < RecordHeaderSize)
        return stop(Fault::BadSize);
    if (size > left)
        return stop(Fault::Cut);
    record.bytes = m_source.subspan(m_at, size);
    if (!takePayload(record))
        return stop(Fault::Cut);
    m_at += size + (record.type == RecordType::Compressed ? 0 : record.payload.size());
    return true;
}

bool RecordWalk::takePayload(Record& record)
{
    const auto body = record.body();
    const std::uint64_t end = record.offset + record.bytes.size();
    std::uint64_t size = 0;
    if (record.type == RecordType::Compressed)
        record.payload = body;
    else if (record.type == RecordType::HeaderTracingData && body.size() >= 4)
        size = aligned(loadWord<std::uint32_t>(body.data(), m_order));
    else if (record.type == RecordType::Auxtrace && body.size() >= 8)
        size = loadWord<std::uint64_t>(body.data(), m_order);
    if (size > m_end - end)
        return false;
    if (size > 0)
        record.payload = m_source.subspan(end, size);
    return true;
}

/// Reads a COMPRESSED2 record. The record is correct if its size, with padding, fits into the 16 bits of the header. Otherwise, perf since
/// version 6.16 writes only the low bits of the size and no padding, and splits the data into pieces of at most 65,519 bytes, each with a
/// header. The length in the first header is then the sum of all pieces and of the further headers. Each further header contains the right
/// size and a meaningless length (tools/perf/builtin-record.c: record__pushfn(), process_comp_header()).
bool RecordWalk::takeCompressed(Record& record, std::uint64_t size)
{
    const std::uint64_t left = m_end - m_at;
    if (left < CompressedHeaderSize)
        return stop(Fault::Cut);
    const std::uint64_t data = loadWord<std::uint64_t>(m_source.data() + m_at + RecordHeaderSize, m_order);
    if (data > left - CompressedHeaderSize)
        return stop(Fault::Cut);
    const bool isFramed = aligned(CompressedHeaderSize + data) <= size;
    const std::uint64_t first = std::min(data, LargestPiece);
    const std::uint64_t whole = isFramed ? size : CompressedHeaderSize + first;
    if (whole > left)
        return stop(Fault::Cut);
    m_pieces = data - first;
    record.bytes = m_source.subspan(m_at, whole);
    record.payload = record.bytes.subspan(CompressedHeaderSize, first);
    m_at += whole;
    return true;
}

/// Reads a further piece of a COMPRESSED2 record.
bool RecordWalk::takePiece(Record& record, std::uint64_t size)
{
    if (record.type != RecordType::Compressed2 || size <= CompressedHeaderSize || size > m_pieces)
        return stop(Fault::BadSize);
    record.bytes = m_source.subspan(m_at, size);
    record.payload = record.bytes.subspan(CompressedHeaderSize);
    m_pieces -= size;
    m_at += size;
    return true;
}

} // namespace helio::perf
