#include "core/store/intervals/block_writer.h"

#include "core/store/intervals/block_directory.h"
#include "core/store/links/link_directory.h"

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

/// Appends the directory record at offset `at` in `records`, with `offset` as the file position of its block (0 if the block has no bytes).
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
    beginBlock(track);
    encodeBlock(m_encoders.intervals, track, items, m_waitingData, m_waitingRecords);
    writeIfFull();
}

void BlockWriter::addLinks(std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = m_encoders.links.encode(links);
    m_linkRecord.clear();
    putLinkRecord(encoded, 0, m_linkRecord);
    appendLinks(encoded.bytes);
}

void BlockWriter::add(const BlockBatch& batch)
{
    batch.forEach([this](const BlockBatch::Encoded& block) {
        if (block.isLinks) {
            m_linkRecord.assign(block.record.begin(), block.record.end());
            return appendLinks(block.bytes);
        }
        beginBlock(block.track);
        m_waitingData.append(block.bytes);
        m_waitingRecords.append(block.record);
        writeIfFull();
    });
}

/// Begins a block of `track`: the bytes appended to m_waitingData after this call belong to it.
void BlockWriter::beginBlock(std::uint32_t track) { m_waiting.push_back({track, m_waitingData.size(), m_waitingRecords.size()}); }

void BlockWriter::writeIfFull()
{
    if (m_waitingData.size() + m_waitingRecords.size() >= WaitingBytes)
        writeWaiting();
}

/// Writes all waiting blocks. The blocks of a track are written together, because a view reads long runs of blocks of one track.
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

/// Appends the bytes of a block of links. Requires: the block's record is in m_linkRecord.
void BlockWriter::appendLinks(std::span<const std::byte> bytes)
{
    placeLinkRecord(m_linkRecord, m_files.data->size());
    m_files.linkRecords->append(m_linkRecord);
    m_files.data->append(bytes);
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
    ByteWriter bytes;
    ByteWriter record;
    encodeBlock(m_encoders.intervals, track, items, bytes, record);
    appendPlaced(picture.records.tail, record.bytes(), 0, picture.data.size());
    picture.data.tail.insert(picture.data.tail.end(), bytes.bytes().begin(), bytes.bytes().end());
}

void BlockWriter::addLinks(Picture& picture, std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = m_encoders.links.encode(links);
    putLinkRecord(encoded, picture.data.size(), picture.linkRecords.tail);
    picture.data.tail.insert(picture.data.tail.end(), encoded.bytes.begin(), encoded.bytes.end());
}

} // namespace helio
