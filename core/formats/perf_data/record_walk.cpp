#include "core/formats/perf_data/record_walk.h"

namespace helio::perf {

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
    std::uint64_t size = loadWord<std::uint16_t>(at + 6, m_order);
    if (size < RecordHeaderSize)
        return stop(Fault::BadSize);
    if (record.type == RecordType::Compressed2 && left >= 16) {
        // Some perfs let the 16 bits of the size overflow: the data's own size is right.
        const std::uint64_t data = loadWord<std::uint64_t>(at + RecordHeaderSize, m_order);
        const std::uint64_t whole = data <= left ? (data + 16 + 7) / 8 * 8 : left + 1;
        size = whole > size ? whole : size;
    }
    if (size > left)
        return stop(Fault::Cut);
    record.offset = m_at;
    record.bytes = m_source.subspan(m_at, size);
    const std::uint64_t payload = payloadSize(record);
    if (payload > left - size)
        return stop(Fault::Cut);
    record.payload = m_source.subspan(m_at + size, payload);
    m_at += size + payload;
    return true;
}

std::uint64_t RecordWalk::payloadSize(const Record& record) const
{
    const auto body = record.body();
    if (record.type == RecordType::HeaderTracingData && body.size() >= 4)
        return (std::uint64_t(loadWord<std::uint32_t>(body.data(), m_order)) + 7) / 8 * 8;
    if (record.type == RecordType::Auxtrace && body.size() >= 8)
        return loadWord<std::uint64_t>(body.data(), m_order);
    return 0;
}

} // namespace helio::perf
