#include "core/store/block_queue.h"
#include "core/store/file_store.h"
#include "core/store/store_sections.h"

#include <algorithm>
#include <array>
#include <xxhash.h>

namespace helio {
namespace {

using format::SectionId;

/// A track's boundaries are handed over when there are a block of them and some more: what may yet be changed is the end.
constexpr std::size_t MaxBoundaries = format::BlockItems + 17;

/// Hands a track's closed items to `take`, in blocks of up to BlockItems.
template <typename Take> void forEachBlock(std::span<const Boundary> boundaries, Take take)
{
    for (std::size_t first = 0; first + 1 < boundaries.size();) {
        if (boundaries[first].key == GapKey) {
            ++first;
            continue;
        }
        std::size_t end = std::min(first + format::BlockItems, boundaries.size() - 1);
        end -= boundaries[end - 1].key == GapKey;
        take(boundaries.subspan(first, end - first + 1));
        first = end;
    }
}

class FileStoreBuilder final : public FactsBuilder {
public:
    FileStoreBuilder(std::unique_ptr<TemporaryFile> file, std::filesystem::path path, std::string_view identity, HostTimestamp begin,
                     const FileBuilding& building)
        : FactsBuilder(begin)
        , m_writer(std::move(file))
        , m_queue(m_writer, building.hasThread, building.stop)
        , m_path(std::move(path))
        , m_identity(identity)
    {
        m_writer.file().append(std::vector<std::byte>(sizeof(format::Header)));
    }

    void link(const Link& link) override;

    std::shared_ptr<const Store> snapshot(HostTimestamp until) override;
    Result<std::shared_ptr<const Store>> finish(StoreSummary summary) override;

protected:
    void makeRoom(std::uint32_t track, BoundaryRow& row) override;

private:
    void writeOpen(HostTimestamp end);
    void writeSections(const StoreFacts& facts, std::uint64_t dataEnd);
    void writeSection(SectionId id, const ByteWriter& bytes);
    Status writeFrame();

    BlockWriter m_writer; ///< The queue's, until that is drained.
    BlockQueue m_queue;
    std::filesystem::path m_path;
    std::string m_identity;
    std::array<std::vector<Link>, 8> m_links; ///< By kind: those of the next block.
    format::Header m_header;
};

void FileStoreBuilder::makeRoom(std::uint32_t track, BoundaryRow& row)
{
    if (row.size() < MaxBoundaries) {
        row.reserve(std::min(4 * row.size(), MaxBoundaries));
        return;
    }
    const auto all = row.all();
    const std::size_t first = all.front().key == GapKey;
    std::size_t end = first + format::BlockItems;
    end -= all[end - 1].key == GapKey;
    m_queue.addBlock(track, all.subspan(first, end - first + 1));
    row.dropFirst(end);
}

void FileStoreBuilder::link(const Link& link)
{
    std::vector<Link>& links = m_links[static_cast<std::size_t>(link.kind) % m_links.size()];
    links.push_back(limited(link));
    if (links.size() < format::LinkBlockLinks)
        return;
    m_queue.addLinks(links);
    links.clear();
}

std::shared_ptr<const Store> FileStoreBuilder::snapshot(HostTimestamp until)
{
    m_queue.drain();
    BlockWriter::Tail tail = m_writer.tail();
    for (std::uint32_t track = 0; track < trackCount(); ++track)
        forEachBlock(boundariesUntil(until, track), [&](std::span<const Boundary> items) { m_writer.addBlock(tail, track, items); });
    for (const std::vector<Link>& links : m_links)
        if (!links.empty())
            m_writer.addLinks(tail, links);
    BlockBytes bytes{nullptr, tail.fileEnd, {tail.bytes.bytes().begin(), tail.bytes.bytes().end()}};
    bytes.tail.resize(bytes.tail.size() + format::BlockSlack);

    TemporaryFile& out = m_writer.file();
    (void)out.flush();
    (void)out.writeAt(out.size(), std::vector<std::byte>(format::BlockSlack));
    auto file = MappedFile::open(out.path());
    if (!file || (*file)->bytes().size() < bytes.fileEnd + format::BlockSlack) {
        // The disk is full: finish() will say so. Until then there is nothing to show.
        tail = {};
        bytes = {nullptr, 0, std::vector<std::byte>(format::BlockSlack)};
    } else {
        bytes.file = std::move(*file);
    }
    tail.blocks.complete(trackCount());
    tail.links.complete();
    return makeBlockStore(factsUntil(until), std::move(tail.blocks), std::move(tail.links), std::move(bytes));
}

void FileStoreBuilder::writeSection(SectionId id, const ByteWriter& bytes)
{
    m_header.sections[m_header.sectionCount++] = {id, 0, m_writer.file().size(), bytes.size(), XXH3_64bits(bytes.bytes().data(), bytes.size())};
    m_writer.file().append(bytes.bytes());
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
    write(SectionId::Directory, [this](ByteWriter& out) { m_writer.blocks().write(out); });
    write(SectionId::LinkDirectory, [this](ByteWriter& out) { m_writer.links().write(out); });
    write(SectionId::MergeIndex, [&](ByteWriter& out) { writeMergeIndex(facts, out); });
    write(SectionId::Density, [&](ByteWriter& out) { writeDensity(facts, out); });
    write(SectionId::Losses, [&](ByteWriter& out) { writeLosses(facts, out); });
    write(SectionId::Strings, [&](ByteWriter& out) { writeStrings(facts, out); });
}

void FileStoreBuilder::writeOpen(HostTimestamp end)
{
    endAll(end);
    for (std::uint32_t track = 0; track < trackCount(); ++track)
        forEachBlock(row(track).all(), [&](std::span<const Boundary> items) { m_queue.addBlock(track, items); });
    for (const std::vector<Link>& links : m_links)
        if (!links.empty())
            m_queue.addLinks(links);
    m_queue.drain();
    m_writer.finish(trackCount());
    m_writer.file().append(std::vector<std::byte>(format::BlockSlack));
}

/// Header and footer: what makes it a whole file.
Status FileStoreBuilder::writeFrame()
{
    TemporaryFile& file = m_writer.file();
    const format::Footer footer{format::FooterMagic, XXH3_64bits(&m_header.sections, sizeof m_header.sections)};
    file.append(std::as_bytes(std::span(&footer, 1)));
    m_header.fileSize = file.size();
    m_header.hash = XXH3_64bits(&m_header, sizeof m_header - sizeof m_header.hash);
    if (Status status = file.flush(); !status)
        return status;
    return file.writeAt(0, std::as_bytes(std::span(&m_header, 1)));
}

Result<std::shared_ptr<const Store>> FileStoreBuilder::finish(StoreSummary summary)
{
    writeOpen(summary.range.end);
    writeSections(finalFacts(std::move(summary)), m_writer.file().size());
    Status status = writeFrame();
    if (status)
        status = m_writer.file().commit();
    if (!status)
        return status.error();
    return openStore(m_path, m_identity);
}

} // namespace

Result<std::unique_ptr<StoreBuilder>> makeFileStoreBuilder(const std::filesystem::path& path, std::string_view identity,
                                                           HostTimestamp begin, FileBuilding building)
{
    auto file = TemporaryFile::make(path, building.stop);
    if (!file)
        return file.error();
    return std::unique_ptr<StoreBuilder>(std::make_unique<FileStoreBuilder>(std::move(*file), path, identity, begin, building));
}

} // namespace helio
