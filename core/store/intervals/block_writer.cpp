#include "core/store/intervals/block_writer.h"

#include <algorithm>
#include <cstring>

namespace helio {
namespace {

BlockRecord recordAt(std::span<const std::byte> records, std::uint64_t at)
{
    BlockRecord record;
    std::memcpy(&record, records.data() + at, sizeof record);
    return record;
}

/// Appends the record with its block's place.
void appendPlaced(std::vector<std::byte>& out, std::span<const std::byte> records, std::uint64_t at, std::uint64_t offset)
{
    BlockRecord record = recordAt(records, at);
    record.entry.offset = record.entry.length > 0 ? offset : 0;
    const auto head = std::as_bytes(std::span(&record, 1));
    const auto more = records.subspan(at + sizeof record, record.moreBytes);
    out.insert(out.end(), head.begin(), head.end());
    out.insert(out.end(), more.begin(), more.end());
}

} // namespace

void BlockWriter::addBlock(std::uint32_t track, std::span<const Boundary> items)
{
    BlockFacts facts;
    const auto bytes = m_encoder.encode(items, facts);
    m_waiting.push_back({track, m_waitingData.size(), m_waitingRecords.size()});
    putRecord(track, bytes, facts, m_waitingRecords);
    if (facts.node.count > 1) // of a single one the directory says it all
        m_waitingData.append(bytes);
    if (m_waitingData.size() + m_waitingRecords.size() >= WaitingBytes)
        writeWaiting();
}

/// Blocks are written many at a time, a track's together: a picture reads long runs of one track.
void BlockWriter::writeWaiting()
{
    std::stable_sort(m_waiting.begin(), m_waiting.end(), [](const Waiting& a, const Waiting& b) { return a.track < b.track; });
    std::vector<std::byte> record;
    for (const Waiting& block : m_waiting) {
        record.clear();
        appendPlaced(record, m_waitingRecords.bytes(), block.record, m_files.data->size());
        m_files.records->append(record);
        m_files.data->append(m_waitingData.bytes().subspan(block.offset, recordAt(m_waitingRecords.bytes(), block.record).entry.length));
    }
    m_waiting.clear();
    m_waitingData.clear();
    m_waitingRecords.clear();
}

void BlockWriter::addLinks(std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = m_linkEncoder.encode(links);
    std::vector<std::byte> record;
    putLinkRecord(encoded, m_files.data->size(), record);
    m_files.linkRecords->append(record);
    m_files.data->append(encoded.bytes);
}

const Status& BlockWriter::status() const
{
    for (const auto* file : {&m_files.data, &m_files.records})
        if (!(*file)->status())
            return (*file)->status();
    return m_files.linkRecords->status();
}

BlockWriter::Picture BlockWriter::picture() const
{
    Picture picture{m_files.data->contents(), m_files.records->contents(), m_files.linkRecords->contents()};
    const std::uint64_t offset = picture.data.size();
    for (const Waiting& block : m_waiting)
        appendPlaced(picture.records.tail, m_waitingRecords.bytes(), block.record, offset + block.offset);
    const auto waiting = m_waitingData.bytes();
    picture.data.tail.insert(picture.data.tail.end(), waiting.begin(), waiting.end());
    return picture;
}

void BlockWriter::addBlock(Picture& picture, std::uint32_t track, std::span<const Boundary> items)
{
    BlockFacts facts;
    const auto bytes = m_encoder.encode(items, facts);
    ByteWriter record;
    putRecord(track, bytes, facts, record);
    appendPlaced(picture.records.tail, record.bytes(), 0, picture.data.size());
    if (facts.node.count > 1)
        picture.data.tail.insert(picture.data.tail.end(), bytes.begin(), bytes.end());
}

void BlockWriter::addLinks(Picture& picture, std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = m_linkEncoder.encode(links);
    putLinkRecord(encoded, picture.data.size(), picture.linkRecords.tail);
    picture.data.tail.insert(picture.data.tail.end(), encoded.bytes.begin(), encoded.bytes.end());
}

} // namespace helio
