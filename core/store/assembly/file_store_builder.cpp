#include "core/store/assembly/file_store.h"
#include "core/store/assembly/store_sections.h"
#include "core/store/counters/counter_recorder.h"
#include "core/store/file/xxh3.h"
#include "core/store/intervals/block_directory.h"
#include "core/store/intervals/block_queue.h"
#include "core/store/links/link_directory.h"
#include "core/store/segments/segment_recorder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

namespace helio {
namespace {

using format::SectionId;

constexpr std::size_t ShortestBlock = 32; ///< Minimum number of items in a block that is written early to save memory.

/// Splits the items of a track (intervals and gaps) into blocks of at most BlockItems and passes each block to `take`. The last boundary
/// only ends the last item.
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

/// Returns a function that creates temporary files for spools.
Spool::MakeFile spoolFiles(const std::filesystem::path& path, std::stop_token stop)
{
    return [path, stop] {
        auto file = TemporaryFile::make(path, stop); // If no file can be created, the spool keeps its bytes in memory.
        return file ? std::move(*file) : nullptr;
    };
}

class FileStoreBuilder final : public StoreBuilderBase {
public:
    /// Kind of the builder's file. Named: finish() gives the file its final name. Unnamed: the file is deleted with the builder, but the
    /// store keeps it mapped.
    enum class File { Named, Unnamed };

    FileStoreBuilder(BlockWriter::Files files, const Spool::MakeFile& makeFile, File file, std::filesystem::path path,
                     std::string_view identity, HostTimestamp begin, const FileStoreOptions& building)
        : StoreBuilderBase(begin, makeFile)
        , m_writer(std::move(files))
        , m_queue(m_writer, building.threads, building.stop)
        , m_segments(makeFile, building.threads > 0)
        , m_counters(makeFile)
        , m_file(file)
        , m_path(std::move(path))
        , m_identity(identity)
        , m_mostReserved(building.openBytes / std::max<std::size_t>(building.builders, 1) / sizeof(Boundary))
    {
        if (m_file == File::Named)
            m_writer.data().setKept();
        m_writer.data().append(std::vector<std::byte>(sizeof(format::Header)));
    }

    void link(const Link& link) override;
    SegmentSink& segments() override { return m_segments; }
    CounterSink& counters() override { return m_counters; }

    std::shared_ptr<const Store> snapshot(HostTimestamp until) override;
    Result<std::shared_ptr<const Store>> finish(StoreSummary summary) override;

protected:
    void makeRoom(std::uint32_t track, TrackBoundaries& row) override;

private:
    void handOver(std::uint32_t track, TrackBoundaries& row);
    void handOverAll();
    void writeOpen(HostTimestamp end);
    void writeFacts(const StoreFacts& facts);
    void writeDirectories();
    void writeStacks();
    void writeSamples();
    void writeSegments();
    void writeCounters();
    void requireReadBack(bool isReadBack);
    template <typename Fill> void writeSection(SectionId id, Fill fill);
    Status writeFrame();
    void addPictures(StoreFacts& facts) const;
    std::shared_ptr<const Store> makeStore(StoreFacts facts, BlockWriter::Picture picture) const;
    Result<std::shared_ptr<const Store>> makeFinalStore(StoreFacts facts, const Error& error) const;

    BlockWriter m_writer; ///< Writer of the blocks. Only m_queue uses it until m_queue is drained.
    BlockQueue m_queue;
    SegmentRecorder m_segments;
    CounterRecorder m_counters;
    const File m_file;
    std::filesystem::path m_path;
    std::string m_identity;
    std::vector<std::span<const Boundary>> m_blocks; ///< Blocks of one handOver() call; a member so that its memory is reused.
    std::size_t m_reserved = 0; ///< Total capacity of the buffers of all rows, counted in elements of type Boundary.
    std::size_t m_mostReserved;
    std::array<std::vector<Link>, MostLinkKinds> m_links; ///< Links that wait for a full block, by kind.
    format::Header m_header;
};

void FileStoreBuilder::makeRoom(std::uint32_t track, TrackBoundaries& row)
{
    if (row.size() == MostBoundaries)
        return handOver(track, row);
    m_reserved -= row.capacity();
    row.reserve(std::min(4 * row.size(), MostBoundaries));
    m_reserved += row.capacity();
    if (m_reserved > m_mostReserved)
        handOverAll();
}

/// Passes the boundaries of a row to the queue, except the latest ones, which the recorder may still change.
void FileStoreBuilder::handOver(std::uint32_t track, TrackBoundaries& row)
{
    const auto all = row.all();
    const std::size_t end = std::min(all.size() - KeptBoundaries, format::BlockItems + (all.front().key == GapKey));
    const auto closed = all.first(end + 1);
    // Copy the boundaries to the queue if the buffer is not full: a moved buffer with few boundaries would occupy all its memory
    // until its blocks are written.
    if (!m_queue.hasThreads() || all.size() != MostBoundaries) {
        forEachBlock(closed, [&](std::span<const Boundary> items) { m_queue.addBlock(track, items); });
        return row.dropFirst(end);
    }
    m_blocks.clear();
    forEachBlock(closed, [&](std::span<const Boundary> items) { m_blocks.push_back(items); });
    // Move a full buffer to the queue: copying its blocks would take a tenth of this thread's time.
    auto room = row.moveTo(m_queue.takeBuffer(), end);
    m_queue.addBlocks(track, m_blocks, std::move(room));
}

void FileStoreBuilder::handOverAll()
{
    m_reserved = 0;
    for (std::uint32_t track = 0; track < trackCount(); ++track) {
        TrackBoundaries& own = row(track);
        if (own.size() >= ShortestBlock + KeptBoundaries) {
            handOver(track, own);
            own.reserve(KeptBoundaries + 8);
        }
        m_reserved += own.capacity();
    }
    // Raise the limit m_mostReserved well above the size of the remaining buffers. Otherwise, each call of makeRoom() might call
    // handOverAll() again.
    m_mostReserved = std::max(m_mostReserved, 2 * m_reserved);
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
    BlockWriter::Picture picture = m_writer.picture();
    for (std::uint32_t track = 0; track < trackCount(); ++track)
        forEachBlock(boundariesUntil(until, track), [&](std::span<const Boundary> items) { m_writer.addBlock(picture, track, items); });
    for (const std::vector<Link>& links : m_links)
        if (!links.empty())
            m_writer.addLinks(picture, links);
    StoreFacts facts = factsUntil(until);
    addPictures(facts);
    return makeStore(std::move(facts), std::move(picture));
}

/// Adds the segments and counters recorded so far.
void FileStoreBuilder::addPictures(StoreFacts& facts) const
{
    facts.segments = m_segments.picture(trackCount());
    facts.counters = m_counters.picture(trackCount());
}

/// Makes a store that reads the blocks written so far from the temporary file.
std::shared_ptr<const Store> FileStoreBuilder::makeStore(StoreFacts facts, BlockWriter::Picture picture) const
{
    const std::uint64_t dataEnd = picture.data.size();
    auto blocks = BlockIndex::read(BlockDirectory(picture.records, trackCount()).inMemory(), trackCount(), 0, dataEnd);
    auto links = LinkIndex::read(LinkDirectory(picture.linkRecords).inMemory(), trackCount(), 0, dataEnd);
    if (!blocks || !links) { // Use an empty store, because the builder's own file cannot be read.
        picture = {};
        blocks = BlockIndex::read(BlockDirectory(picture.records, trackCount()).inMemory(), trackCount(), 0, 0);
        links = LinkIndex();
    }
    picture.data.tail.resize(picture.data.tail.size() + format::BlockSlack);
    return makeBlockStore(std::move(facts), std::move(*blocks), std::move(*links), std::move(picture.data));
}

/// Makes a store of everything that was written, from the temporary file or memory.
/// Errors: `error` if that cannot be read back, e.g. because it cannot be mapped: an empty store would pass for the content.
Result<std::shared_ptr<const Store>> FileStoreBuilder::makeFinalStore(StoreFacts facts, const Error& error) const
{
    BlockWriter::Picture picture = m_writer.picture();
    if (picture.data.isUnreadable || picture.records.isUnreadable || picture.linkRecords.isUnreadable)
        return error;
    addPictures(facts);
    if ((!facts.samples && !m_samples.isEmpty()) || (!facts.segments && !m_segments.isEmpty())
        || (!facts.counters && !m_counters.isEmpty()))
        return error;
    return makeStore(std::move(facts), std::move(picture));
}

/// Makes writing fail unless the bytes of a temporary file, which are now in the data file, could be read back.
void FileStoreBuilder::requireReadBack(bool isReadBack)
{
    if (!isReadBack)
        (void)m_writer.data().fail({Error::Kind::Unreadable, m_path.string() + ": cannot read back the temporary file of the index"});
}

/// Writes a section. fill(out) passes the bytes of the section to out(bytes).
template <typename Fill> void FileStoreBuilder::writeSection(SectionId id, Fill fill)
{
    TemporaryFile& file = m_writer.data();
    // The directories of blocks are read in place and must be aligned.
    file.append(std::vector<std::byte>(-file.size() % alignof(BlockEntry)));
    const std::uint64_t begin = file.size();
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(), XXH3_freeState);
    XXH3_64bits_reset(hash.get());
    fill([&](std::span<const std::byte> bytes) {
        XXH3_64bits_update(hash.get(), bytes.data(), bytes.size());
        file.append(bytes);
    });
    m_header.sections[m_header.sectionCount++] = {id, 0, begin, file.size() - begin, XXH3_64bits_digest(hash.get())};
}

void FileStoreBuilder::writeFacts(const StoreFacts& facts)
{
    const auto write = [this](SectionId id, auto put) {
        ByteWriter bytes;
        put(bytes);
        writeSection(id, [&](const auto& out) { out(bytes.bytes()); });
    };
    write(SectionId::Identity, [this](ByteWriter& out) { out.append(std::as_bytes(std::span(m_identity))); });
    write(SectionId::Summary, [&](ByteWriter& out) { writeSummary(facts, out); });
    write(SectionId::Tracks, [&](ByteWriter& out) { writeTracks(facts, out); });
    write(SectionId::MergeIndex, [&](ByteWriter& out) { writeMergeIndex(facts, out); });
    write(SectionId::Density, [&](ByteWriter& out) { writeDensity(facts, out); });
    write(SectionId::Losses, [&](ByteWriter& out) { writeLosses(facts, out); });
    write(SectionId::Strings, [&](ByteWriter& out) { writeStrings(facts, out); });
    writeSection(SectionId::Numbers, [&](const auto& out) { out(std::as_bytes(facts.numbers.all())); });
}

void FileStoreBuilder::writeDirectories()
{
    const FileBytes records = m_writer.records();
    const BlockDirectory directory(records, trackCount());
    writeSection(SectionId::TrackBlocks, [&](const auto& out) { directory.writeCounts(out); });
    writeSection(SectionId::Blocks, [&](const auto& out) { directory.writeBlocks(out); });
    writeSection(SectionId::Levels, [&](const auto& out) { directory.writeLevels(out); });
    writeSection(SectionId::Shares, [&](const auto& out) { directory.writeShares(out); });
    writeSection(SectionId::Times, [&](const auto& out) { directory.writeTimes(out); });
    const FileBytes linkRecords = m_writer.linkRecords();
    const LinkDirectory links(linkRecords);
    writeSection(SectionId::LinkBlocks, [&](const auto& out) { links.writeBlocks(out); });
    writeSection(SectionId::LinkTracks, [&](const auto& out) { links.writeTracks(out); });
    requireReadBack(!records.isDamaged() && !linkRecords.isDamaged());
}

void FileStoreBuilder::writeStacks()
{
    if (!m_stacks.isEmpty())
        writeSection(SectionId::Stacks, [&](const auto& out) { m_stacks.write(out); });
    if (!m_modules.isEmpty())
        writeSection(SectionId::Modules, [&](const auto& out) { m_modules.write(out); });
}

void FileStoreBuilder::writeSamples()
{
    if (m_samples.isEmpty())
        return;
    m_samples.finish();
    writeSection(SectionId::SampleKinds, [&](const auto& out) { m_samples.writeKinds(out); });
    writeSection(SectionId::SampleBlocks, [&](const auto& out) { m_samples.writeBlocks(out); });
    writeSection(SectionId::Samples, [&](const auto& out) { requireReadBack(m_samples.writeData(out)); });
}

void FileStoreBuilder::writeSegments()
{
    if (m_segments.isEmpty())
        return;
    m_segments.finish();
    writeSection(SectionId::SegmentKinds, [&](const auto& out) { m_segments.writeKinds(out); });
    writeSection(SectionId::SegmentBlocks, [&](const auto& out) { m_segments.writeBlocks(out); });
    writeSection(SectionId::SegmentLevels, [&](const auto& out) { m_segments.writeLevels(out); });
    writeSection(SectionId::Segments, [&](const auto& out) { requireReadBack(m_segments.writeData(out)); });
}

void FileStoreBuilder::writeCounters()
{
    if (m_counters.isEmpty())
        return;
    m_counters.finish();
    writeSection(SectionId::CounterSeries, [&](const auto& out) { m_counters.writeSeries(out); });
    writeSection(SectionId::CounterBlocks, [&](const auto& out) { m_counters.writeBlocks(out); });
    writeSection(SectionId::CounterLevels, [&](const auto& out) { m_counters.writeLevels(out); });
    writeSection(SectionId::Counters, [&](const auto& out) { requireReadBack(m_counters.writeData(out)); });
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
    m_writer.writeWaiting();
    TemporaryFile& file = m_writer.data();
    file.append(std::vector<std::byte>(format::BlockSlack));
    m_header.sections[m_header.sectionCount++] = {SectionId::Data, 0, sizeof m_header, file.size() - sizeof m_header, 0};
}

/// Writes header and footer, which make the file complete.
Status FileStoreBuilder::writeFrame()
{
    TemporaryFile& file = m_writer.data();
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
    StoreFacts facts = finalFacts(std::move(summary));
    if (m_file == File::Unnamed && m_writer.status())
        return makeFinalStore(std::move(facts), {Error::Kind::Full, "not enough memory for the index"});
    if (m_writer.status()) {
        writeFacts(facts);
        writeDirectories();
        writeStacks();
        writeSamples();
        writeSegments();
        writeCounters();
    }
    Status status = m_writer.status() ? writeFrame() : m_writer.status();
    if (status)
        status = m_writer.data().commit();
    if (status)
        return openStore(m_path, m_identity);
    if (status.error().kind == Error::Kind::Cancelled)
        return status.error();
    return makeFinalStore(std::move(facts), status.error());
}

Result<BlockWriter::Files> makeFiles(const std::filesystem::path& path, const std::stop_token& stop,
                                     const std::function<void(const Error&)>& onFailure)
{
    BlockWriter::Files files;
    for (auto* file : {&files.data, &files.records, &files.linkRecords}) {
        auto made = TemporaryFile::make(path, stop, onFailure);
        if (!made)
            return made.error();
        *file = std::move(*made);
    }
    return files;
}

std::unique_ptr<StoreBuilder> makeInMemory(HostTimestamp begin, const FileStoreOptions& building)
{
    const Spool::MakeFile makeFile = [stop = building.stop] { return TemporaryFile::makeInMemory(stop); };
    return std::make_unique<FileStoreBuilder>(BlockWriter::Files{makeFile(), makeFile(), makeFile()}, makeFile,
                                              FileStoreBuilder::File::Unnamed, "", "", begin, building);
}

} // namespace

std::unique_ptr<StoreBuilder> makeFileStoreBuilder(const std::filesystem::path& path, std::string_view identity, HostTimestamp begin,
                                                   FileStoreOptions building)
{
    // The flag is shared, because several files may fail but only one failure is reported.
    const auto isReported = std::make_shared<std::atomic_flag>();
    const auto onFailure = [report = building.onFailure, isReported](const Error& error) {
        if (report && error.kind != Error::Kind::Cancelled && !isReported->test_and_set())
            report(error);
    };
    auto files = makeFiles(path, building.stop, onFailure);
    if (files)
        return std::make_unique<FileStoreBuilder>(std::move(*files), spoolFiles(path, building.stop), FileStoreBuilder::File::Named, path,
                                                  identity, begin, building);
    onFailure(files.error());
    return makeInMemory(begin, building);
}

std::unique_ptr<StoreBuilder> makeMemoryStoreBuilder(HostTimestamp begin) { return makeInMemory(begin, {}); }

std::unique_ptr<StoreBuilder> makeUnnamedStoreBuilder(HostTimestamp begin, std::stop_token stop)
{
    std::error_code none;
    const std::filesystem::path path = std::filesystem::temp_directory_path(none) / "heliograph-rows";
    const FileStoreOptions building{.stop = stop};
    auto files = makeFiles(path, stop, {});
    if (none || !files)
        return makeInMemory(begin, building);
    return std::make_unique<FileStoreBuilder>(std::move(*files), spoolFiles(path, stop), FileStoreBuilder::File::Unnamed, path, "", begin,
                                              building);
}

} // namespace helio
