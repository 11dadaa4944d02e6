#include "core/store/segments/segment_recorder.h"

#include "core/store/file/xxh3.h"
#include "core/store/segments/segment_blocks.h"
#include "core/store/segments/segment_index.h"
#include "core/store/segments/segment_order.h"

#include <algorithm>
#include <array>

namespace helio {
namespace {

/// Number of segments of a kind that are sorted together. With a larger number, fewer blocks overlap in time.
constexpr std::size_t MostOpenOfKind = std::size_t(1) << 15;
constexpr std::size_t MostOpen = std::size_t(1) << 17;

/// Splits sorted segments into blocks and calls take(block) for each. Segments that begin before `after` get separate blocks.
template <typename Take> void forEachBlock(std::span<const HostSegment> segments, HostTimestamp after, Take take)
{
    const auto late = std::ranges::lower_bound(segments, after, {}, &HostSegment::begin) - segments.begin();
    for (const auto part : {segments.first(static_cast<std::size_t>(late)), segments.subspan(static_cast<std::size_t>(late))})
        for (std::size_t i = 0; i < part.size(); i += SegmentBlockSegments)
            take(part.subspan(i, std::min(SegmentBlockSegments, part.size() - i)));
}

SegmentEntry placed(SegmentEntry entry, std::span<const std::byte> bytes, std::uint64_t offset)
{
    entry.offset = offset;
    entry.bytes = static_cast<std::uint32_t>(bytes.size());
    entry.hash = static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
    return entry;
}

void sortBlocks(std::vector<SegmentEntry>& blocks)
{
    std::ranges::sort(blocks, {}, [](const SegmentEntry& block) { return std::pair(block.firstBegin, block.offset); });
}

void appendEntries(ByteWriter& out, const std::vector<SegmentEntry>& entries) { out.append(std::as_bytes(std::span(entries))); }

/// Builds the entries of the levels above the blocks, without histograms.
std::vector<SegmentEntry> plainLevels(const std::vector<SegmentEntry>& blocks)
{
    return makeLevelsAbove(std::span(blocks), [](std::span<const SegmentEntry> below) { return sumOf(below); });
}

} // namespace

Result<SegmentKindId> SegmentKinds::add(const SegmentKind& kind)
{
    const auto known = std::ranges::find(m_all, kind.id, &SegmentKind::id);
    const auto id = SegmentKindId(static_cast<std::uint8_t>(known - m_all.begin()));
    if (known != m_all.end())
        return id;
    if (m_all.size() == MaxSegmentKinds)
        return Error{Error::Kind::Unsupported, "segments \"" + kind.id + "\": too many kinds of segments for one store"};
    m_all.push_back(kind);
    return id;
}

Result<SegmentKindId> SegmentRecorder::addKind(const SegmentKind& kind)
{
    awaitClosed(); // Wait for the writing thread: it may use an element of m_kindData, which is about to be resized.
    auto id = m_kinds.add(kind);
    m_kindData.resize(m_kinds.all().size());
    return id;
}

void SegmentRecorder::add(const HostSegment& segment)
{
    const auto kind = static_cast<std::size_t>(segment.kind);
    if (kind >= m_kindData.size())
        return;
    std::vector<HostSegment>& unwritten = m_kindData[kind].unwritten;
    if (unwritten.capacity() == 0)
        unwritten.swap(m_spare);
    unwritten.push_back(limited(segment));
    if (++m_openCount >= MostOpen)
        closeAll();
    else if (unwritten.size() >= MostOpenOfKind)
        close(m_kindData[kind]);
}

void SegmentRecorder::closeAll()
{
    for (KindData& own : m_kindData)
        close(own);
}

/// Writes the segments that are not in a block yet as blocks. If m_isParallel is set, another thread writes them while the caller adds
/// further segments.
void SegmentRecorder::close(KindData& own)
{
    if (own.unwritten.empty())
        return;
    awaitClosed();
    m_openCount -= own.unwritten.size();
    m_closing.swap(own.unwritten);
    if (own.unwritten.capacity() > m_spare.capacity())
        own.unwritten.swap(m_spare);
    own.unwritten = {}; // Assign an empty vector to free the memory. clear() would keep it, and there may be many kinds.
    if (!m_isParallel)
        return writeBlocksOf(own);
    m_closed = std::async(std::launch::async | std::launch::deferred, [this, &own] { writeBlocksOf(own); });
}

/// Waits until close() has written its blocks. Rethrows an exception of the writing thread.
void SegmentRecorder::awaitClosed() const
{
    if (m_closed.valid())
        m_closed.get();
}

void SegmentRecorder::writeBlocksOf(KindData& own)
{
    m_sorter.sort(m_closing);
    ByteWriter bytes;
    forEachBlock(m_closing, own.lastBegin, [&](std::span<const HostSegment> block) {
        bytes.clear();
        encodeSegments(block, bytes);
        own.blocks.push_back(written(sumOf(block), bytes.bytes()));
    });
    own.lastBegin = std::max(own.lastBegin, m_closing.back().begin);
    m_closing.clear();
}

SegmentEntry SegmentRecorder::written(SegmentEntry entry, std::span<const std::byte> bytes)
{
    entry = placed(entry, bytes, m_data.size());
    m_data.append(bytes);
    return entry;
}

void SegmentRecorder::finish()
{
    closeAll();
    awaitClosed();
    for (KindData& own : m_kindData) {
        sortBlocks(own.blocks);
        own.levels = makeLevelsAbove(std::span<const SegmentEntry>(own.blocks), [this](auto below) { return summedUp(below); });
    }
}

/// Writes the histogram of all segments of the entries `below` and returns the entry that summarizes them. The new entry has no histogram
/// if the histogram of an entry below cannot be read back.
SegmentEntry SegmentRecorder::summedUp(std::span<const SegmentEntry> below)
{
    SegmentHistogram spread;
    for (const SegmentEntry& entry : below) {
        if (!m_written.has(entry.offset, entry.bytes))
            m_written = VerifiedBytes(m_data.contents());
        const auto bytes = m_written.at(entry.offset, entry.bytes, entry.hash);
        ByteReader in(bytes.value_or(std::span<const std::byte>()));
        if (!addHistogram(entry, in, spread))
            return sumOf(below);
    }
    ByteWriter bytes;
    encodeHistogram(spread, bytes);
    return written(sumOf(below), bytes.bytes());
}

std::shared_ptr<const SegmentSet> SegmentRecorder::picture(std::size_t tracks) const
{
    if (isEmpty())
        return nullptr;
    awaitClosed();
    FileBytes data = m_data.contents();
    if (data.isUnreadable)
        return nullptr;
    std::vector<std::uint64_t> counts;
    const auto sections = std::make_shared<std::array<ByteWriter, 3>>();
    auto& [kinds, blocks, levels] = *sections;
    for (const KindData& own : m_kindData) {
        const auto all = blocksOf(own, data);
        counts.push_back(all.size());
        appendEntries(blocks, all);
        appendEntries(levels, plainLevels(all));
    }
    encodeSegmentKinds(m_kinds.all(), counts, kinds);
    auto index = SegmentIndex::read({kinds.bytes(), blocks.bytes(), levels.bytes(), sections});
    return index ? makeBlockSegments(std::move(*index), VerifiedBytes(std::move(data)), tracks) : nullptr;
}

/// Returns the directory entries of all blocks: first of the written blocks, then of new blocks with the segments that are not written yet.
/// The bytes of the new blocks are appended to `data`.
std::vector<SegmentEntry> SegmentRecorder::blocksOf(const KindData& own, FileBytes& data)
{
    std::vector<SegmentEntry> blocks = own.blocks;
    std::vector<HostSegment> unwritten = own.unwritten;
    std::sort(unwritten.begin(), unwritten.end(), segmentComesBefore);
    forEachBlock(unwritten, own.lastBegin, [&](std::span<const HostSegment> block) {
        ByteWriter bytes;
        encodeSegments(block, bytes);
        blocks.push_back(placed(sumOf(block), bytes.bytes(), data.size()));
        data.tail.insert(data.tail.end(), bytes.bytes().begin(), bytes.bytes().end());
    });
    sortBlocks(blocks);
    return blocks;
}

void SegmentRecorder::writeKinds(const Out& out) const
{
    std::vector<std::uint64_t> counts;
    for (const KindData& own : m_kindData)
        counts.push_back(own.blocks.size());
    ByteWriter bytes;
    encodeSegmentKinds(m_kinds.all(), counts, bytes);
    out(bytes.bytes());
}

void SegmentRecorder::writeBlocks(const Out& out) const
{
    for (const KindData& own : m_kindData)
        out(std::as_bytes(std::span(own.blocks)));
}

void SegmentRecorder::writeLevels(const Out& out) const
{
    for (const KindData& own : m_kindData)
        out(std::as_bytes(std::span(own.levels)));
}

} // namespace helio
