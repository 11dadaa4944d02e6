#include "core/store/file_store.h"
#include "core/store/interval_recorder.h"
#include "core/store/link_order.h"
#include "core/store/store_format.h"
#include "core/store/store_sections.h"
#include "core/store/temporary_file.h"

#include <algorithm>
#include <numeric>
#include <xxhash.h>

namespace helio {
namespace {

using format::SectionId;

class FileStoreBuilder;

/// One track's closed intervals that are not in a block yet.
///
/// The last KeptItems of a full block wait for the next one, so that takeBack() always finds what it may ask for.
class OpenColumns {
public:
    static constexpr std::size_t KeptItems = 16;

    OpenColumns(FileStoreBuilder* owner, std::uint32_t track)
        : m_owner(owner)
        , m_track(track)
    {
    }

    void push(std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
    {
        keep(begin, end, state, value);
        if (m_items.size() >= format::BlockItems + KeptItems)
            writeBlock();
    }

    /// As push(), but nothing is written.
    void keep(std::int64_t begin, std::int64_t end, State state, std::uint32_t value)
    {
        if (m_items.empty())
            m_begin = begin;
        else if (begin > m_end)
            m_items.push_back({begin - m_end, 0, format::GapState});
        m_items.push_back({end - begin, value, static_cast<std::uint8_t>(state)});
        m_end = end;
    }

    bool takeBack(std::int64_t end, State state, std::uint32_t value, std::int64_t& begin)
    {
        if (m_items.empty() || m_end != end)
            return false;
        const BlockItem& last = m_items.back();
        if (last.state != static_cast<std::uint8_t>(state) || last.value != value)
            return false;
        begin = m_end - last.length;
        m_items.pop_back();
        m_end = begin;
        if (!m_items.empty() && m_items.back().state == format::GapState) {
            m_end -= m_items.back().length;
            m_items.pop_back();
        }
        if (m_items.empty())
            m_end = m_writtenEnd;
        return true;
    }

    std::int64_t end() const { return m_end; }

    /// Hands all items in blocks to `encode(begin, items)`.
    template <typename Encode> static void forEachBlock(std::int64_t begin, std::span<const BlockItem> items, Encode encode)
    {
        while (!items.empty()) {
            std::size_t count = std::min(items.size(), format::BlockItems);
            if (items[count - 1].state == format::GapState)
                --count;
            encode(begin, items.first(count));
            for (std::size_t i = 0; i < count; ++i)
                begin += items[i].length;
            items = items.subspan(count);
            if (!items.empty() && items.front().state == format::GapState) {
                begin += items.front().length;
                items = items.subspan(1);
            }
        }
    }

    void writeAll();
    const std::vector<BlockItem>& items() const { return m_items; }
    std::int64_t begin() const { return m_begin; }
    std::uint32_t track() const { return m_track; }

private:
    void writeBlock();

    FileStoreBuilder* m_owner;
    std::uint32_t m_track;
    std::int64_t m_begin = 0; ///< Of the first item.
    std::int64_t m_end = -TimeLimit; ///< Of the last interval.
    std::int64_t m_writtenEnd = -TimeLimit; ///< Of the last one that is in a block.
    std::vector<BlockItem> m_items;
};

class FileStoreBuilder final : public FactsBuilder {
public:
    FileStoreBuilder(std::unique_ptr<TemporaryFile> file, std::filesystem::path path, std::string_view identity, HostTimestamp begin)
        : FactsBuilder(begin)
        , m_file(std::move(file))
        , m_path(std::move(path))
        , m_identity(identity)
    {
        m_file->append(std::vector<std::byte>(sizeof(format::Header)));
    }

    TrackId addTrack(Track track) override
    {
        m_recorder.add(OpenColumns(this, static_cast<std::uint32_t>(m_recorder.size())));
        return FactsBuilder::addTrack(std::move(track));
    }
    void set(HostTimestamp at, TrackId track, State state, std::uint32_t value) override { m_recorder.set(at, track, state, value); }
    void end(HostTimestamp at, TrackId track) override { m_recorder.end(at, track); }
    void link(const Link& link) override;

    std::shared_ptr<const Store> snapshot(HostTimestamp until) override;
    Result<std::shared_ptr<const Store>> finish(StoreSummary summary) override;

    void writeBlock(std::uint32_t track, std::int64_t begin, std::span<const BlockItem> items);

private:
    static constexpr std::size_t WaitingLinks = 8192;
    static constexpr std::size_t WaitingBytes = std::size_t(16) << 20;

    void writeWaitingBlocks();
    void writeLinks(std::size_t count);
    BlockBytes addOpenBlocks(BlockIndex& blocks, LinkIndex& links, HostTimestamp until);
    void writeSections(const StoreFacts& facts, std::uint64_t dataEnd);
    void writeSection(SectionId id, const ByteWriter& bytes);

    std::unique_ptr<TemporaryFile> m_file;
    std::filesystem::path m_path;
    std::string m_identity;
    IntervalRecorder<OpenColumns> m_recorder;
    std::vector<Link> m_waitingLinks;
    BlockEncoder m_encoder;
    BlockIndex m_blocks;
    std::size_t m_writtenBlocks = 0; ///< Those of m_blocks that are in the file. The others wait, and their offsets count from m_waiting.
    ByteWriter m_waiting;
    LinkIndex m_links;
    ByteWriter m_scratch;
    format::Header m_header;
};

void OpenColumns::writeBlock()
{
    std::size_t count = format::BlockItems;
    count -= m_items[count - 1].state == format::GapState;
    const auto block = std::span(m_items).first(count);
    m_owner->writeBlock(m_track, m_begin, block);
    for (const BlockItem& item : block)
        m_begin += item.length;
    m_writtenEnd = m_begin;
    if (m_items[count].state == format::GapState)
        m_begin += m_items[count++].length;
    m_items.erase(m_items.begin(), m_items.begin() + static_cast<std::ptrdiff_t>(count));
}

void OpenColumns::writeAll()
{
    forEachBlock(m_begin, m_items,
                 [this](std::int64_t begin, std::span<const BlockItem> items) { m_owner->writeBlock(m_track, begin, items); });
    m_items = {};
}

void FileStoreBuilder::writeBlock(std::uint32_t track, std::int64_t begin, std::span<const BlockItem> items)
{
    m_scratch.clear();
    BlockFacts facts;
    m_encoder.encode(begin, items, m_scratch, facts);
    if (items.size() == 1)
        m_scratch.clear(); // the directory says it all
    m_blocks.add(track, m_waiting.size(), m_scratch.bytes(), facts);
    m_waiting.append(m_scratch.bytes());
    if (m_waiting.size() >= WaitingBytes)
        writeWaitingBlocks();
}

/// Blocks are written many at a time, a track's together: a picture reads long runs of one track.
void FileStoreBuilder::writeWaitingBlocks()
{
    std::vector<std::size_t> order(m_blocks.size() - m_writtenBlocks);
    std::iota(order.begin(), order.end(), m_writtenBlocks);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_blocks[a].track < m_blocks[b].track; });
    for (const std::size_t block : order) {
        const auto bytes = m_waiting.bytes().subspan(m_blocks[block].offset, m_blocks[block].length);
        if (bytes.empty())
            continue;
        m_blocks.place(block, m_file->size());
        m_file->append(bytes);
    }
    m_writtenBlocks = m_blocks.size();
    m_waiting.clear();
}

void FileStoreBuilder::link(const Link& link)
{
    m_waitingLinks.push_back(limited(link));
    if (m_waitingLinks.size() < WaitingLinks)
        return;
    std::sort(m_waitingLinks.begin(), m_waitingLinks.end(), comesBefore);
    writeLinks(WaitingLinks / 2);
}

void FileStoreBuilder::writeLinks(std::size_t count)
{
    for (std::size_t first = 0; first < count; first += format::LinkBlockLinks) {
        m_scratch.clear();
        m_links.add(std::span(m_waitingLinks).subspan(first, std::min(format::LinkBlockLinks, count - first)), m_file->size(), m_scratch);
        m_file->append(m_scratch.bytes());
    }
    m_waitingLinks.erase(m_waitingLinks.begin(), m_waitingLinks.begin() + static_cast<std::ptrdiff_t>(count));
}

BlockBytes FileStoreBuilder::addOpenBlocks(BlockIndex& blocks, LinkIndex& links, HostTimestamp until)
{
    BlockBytes bytes{nullptr, m_file->size(), {}};
    ByteWriter tail;
    tail.append(m_waiting.bytes());
    for (std::size_t block = m_writtenBlocks; block < blocks.size(); ++block)
        if (blocks[block].length > 0)
            blocks.place(block, bytes.fileEnd + blocks[block].offset);
    for (std::size_t track = 0; track < m_recorder.size(); ++track) {
        const auto& [open, closed] = m_recorder[track];
        OpenColumns columns = closed;
        if (open.isOpen && open.begin < limitedTime(until))
            columns.keep(open.begin, limitedTime(until), open.state, open.value);
        OpenColumns::forEachBlock(columns.begin(), columns.items(), [&](std::int64_t begin, std::span<const BlockItem> block) {
            BlockFacts facts;
            m_scratch.clear();
            m_encoder.encode(begin, block, m_scratch, facts);
            blocks.add(static_cast<std::uint32_t>(track), bytes.fileEnd + tail.size(), m_scratch.bytes(), facts);
            tail.append(m_scratch.bytes());
        });
    }
    std::vector<Link> waiting = m_waitingLinks;
    std::sort(waiting.begin(), waiting.end(), comesBefore);
    for (std::size_t first = 0; first < waiting.size(); first += format::LinkBlockLinks) {
        const auto block = std::span(waiting).subspan(first, std::min(format::LinkBlockLinks, waiting.size() - first));
        links.add(block, bytes.fileEnd + tail.size(), tail);
    }
    bytes.tail.reserve(tail.size() + format::BlockSlack);
    bytes.tail.assign(tail.bytes().begin(), tail.bytes().end());
    bytes.tail.resize(bytes.tail.size() + format::BlockSlack);
    return bytes;
}

std::shared_ptr<const Store> FileStoreBuilder::snapshot(HostTimestamp until)
{
    BlockIndex blocks = m_blocks;
    LinkIndex links = m_links;
    BlockBytes bytes = addOpenBlocks(blocks, links, until);
    (void)m_file->flush();
    (void)m_file->writeAt(m_file->size(), std::vector<std::byte>(format::BlockSlack));
    auto file = MappedFile::open(m_file->path());
    if (!file || (*file)->bytes().size() < bytes.fileEnd + format::BlockSlack) {
        // The disk is full: finish() will say so. Until then there is nothing to show.
        blocks = {};
        links = {};
        bytes = {nullptr, 0, std::vector<std::byte>(format::BlockSlack)};
    } else {
        bytes.file = std::move(*file);
    }
    blocks.complete(trackCount());
    links.complete();
    return makeBlockStore(factsUntil(until), std::move(blocks), std::move(links), std::move(bytes));
}

void FileStoreBuilder::writeSection(SectionId id, const ByteWriter& bytes)
{
    m_header.sections[m_header.sectionCount++] = {id, 0, m_file->size(), bytes.size(), XXH3_64bits(bytes.bytes().data(), bytes.size())};
    m_file->append(bytes.bytes());
}

void FileStoreBuilder::writeSections(const StoreFacts& facts, std::uint64_t dataEnd)
{
    m_header.sections[m_header.sectionCount++] = {SectionId::Data, 0, sizeof m_header, dataEnd - sizeof m_header, 0};
    const auto write = [this](SectionId id, auto fill) {
        ByteWriter bytes;
        fill(bytes);
        writeSection(id, bytes);
    };
    write(SectionId::Identity, [this](ByteWriter& out) { out.append(std::as_bytes(std::span(m_identity))); });
    write(SectionId::Summary, [&](ByteWriter& out) { writeSummary(facts, out); });
    write(SectionId::Tracks, [&](ByteWriter& out) { writeTracks(facts, out); });
    write(SectionId::Directory, [this](ByteWriter& out) { m_blocks.write(out); });
    write(SectionId::LinkDirectory, [this](ByteWriter& out) { m_links.write(out); });
    write(SectionId::MergeIndex, [&](ByteWriter& out) { writeMergeIndex(facts, out); });
    write(SectionId::Density, [&](ByteWriter& out) { writeDensity(facts, out); });
    write(SectionId::Losses, [&](ByteWriter& out) { writeLosses(facts, out); });
    write(SectionId::Strings, [&](ByteWriter& out) { writeStrings(facts, out); });
}

Result<std::shared_ptr<const Store>> FileStoreBuilder::finish(StoreSummary summary)
{
    m_recorder.endAll(summary.range.end);
    for (std::size_t track = 0; track < m_recorder.size(); ++track)
        m_recorder[track].closed.writeAll();
    writeWaitingBlocks();
    std::sort(m_waitingLinks.begin(), m_waitingLinks.end(), comesBefore);
    writeLinks(m_waitingLinks.size());
    m_blocks.complete(trackCount());
    m_links.complete();
    m_file->append(std::vector<std::byte>(format::BlockSlack));
    writeSections(finalFacts(std::move(summary)), m_file->size());

    const format::Footer footer{format::FooterMagic, XXH3_64bits(&m_header.sections, sizeof m_header.sections)};
    m_file->append(std::as_bytes(std::span(&footer, 1)));
    m_header.fileSize = m_file->size();
    m_header.hash = XXH3_64bits(&m_header, sizeof m_header - sizeof m_header.hash);
    Status status = m_file->flush();
    if (status)
        status = m_file->writeAt(0, std::as_bytes(std::span(&m_header, 1)));
    if (status)
        status = m_file->commit();
    if (!status)
        return status.error();
    return openStore(m_path, m_identity);
}

} // namespace

Result<std::unique_ptr<StoreBuilder>> makeFileStoreBuilder(const std::filesystem::path& path, std::string_view identity,
                                                           HostTimestamp begin)
{
    auto file = TemporaryFile::make(path);
    if (!file)
        return file.error();
    return std::unique_ptr<StoreBuilder>(std::make_unique<FileStoreBuilder>(std::move(*file), path, identity, begin));
}

} // namespace helio
