#include "core/store/assembly/file_store.h"

#include "core/io/mapped_file.h"
#include "core/store/assembly/store_sections.h"
#include "core/store/counters/counter_index.h"
#include "core/store/file/xxh3.h"
#include "core/store/intervals/interval_queries.h"
#include "core/store/intervals/span_fold.h"
#include "core/store/intervals/span_walk.h"
#include "core/store/links/link_queries.h"
#include "core/store/sampling/sample_blocks.h"
#include "core/store/segments/segment_index.h"
#include "core/store/stacks/stack_section.h"
#include "core/store/store_format.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

namespace helio {
namespace {

class FileStore final : public StoreBase {
public:
    FileStore(StoreFacts facts, BlockIndex blocks, LinkIndex links, FileBytes bytes)
        : StoreBase(std::move(facts))
        , m_data(std::move(blocks), std::move(links), std::move(bytes))
    {
    }

    bool isDamaged() const override
    {
        return m_data.isDamaged() || samples().isDamaged() || segments().isDamaged() || counters().isDamaged();
    }

    void spans(TrackId track, HostRange window, Duration resolution, HostSpans& out, std::stop_token stop) const override
    {
        if (!knows(track))
            return;
        SpanFold fold(window, resolution, out);
        SpanWalk(m_data, static_cast<std::uint32_t>(track), fold, stop).run();
        if (!stop.stop_requested())
            fold.finish();
    }

    std::vector<HostInterval> intervals(TrackId track, HostRange window, std::stop_token stop) const override
    {
        return knows(track) ? of(track).inWindow(window, std::move(stop)) : std::vector<HostInterval>{};
    }
    std::vector<HostInterval> intervalAt(TrackId track, HostTimestamp at) const override
    {
        return knows(track) ? of(track).at(at) : std::vector<HostInterval>{};
    }
    std::vector<HostInterval> nextInterval(TrackId track, HostTimestamp at) const override
    {
        return knows(track) ? of(track).next(at) : std::vector<HostInterval>{};
    }
    std::vector<HostInterval> previousInterval(TrackId track, HostTimestamp at) const override
    {
        return knows(track) ? of(track).previous(at) : std::vector<HostInterval>{};
    }
    std::vector<StateTotal> totals(TrackId track, HostRange range) const override
    {
        return knows(track) ? of(track).totals(range) : std::vector<StateTotal>{};
    }

    std::vector<Link> links(HostRange window, std::size_t limit, std::uint64_t* total, std::stop_token stop,
                            std::uint32_t kinds) const override
    {
        return linkQueries().inWindow(window, limit, total, std::move(stop), kinds);
    }
    std::unique_ptr<LinkReader> makeLinkReader(HostRange window, std::uint32_t kinds) const override
    {
        return linkQueries().parts(window, kinds);
    }
    std::vector<Link> nextLink(TrackId track, HostTimestamp at, LinkFilter choice) const override
    {
        return linkQueries().next(track, at, choice);
    }
    std::vector<Link> previousLink(TrackId track, HostTimestamp at, LinkFilter choice) const override
    {
        return linkQueries().previous(track, at, choice);
    }

private:
    bool knows(TrackId track) const { return static_cast<std::size_t>(track) < m_data.index().trackCount(); }
    IntervalQueries of(TrackId track) const { return {m_data, static_cast<std::uint32_t>(track)}; }
    LinkQueries linkQueries() const
    {
        return {m_data.links(), [this](const LinkBlockEntry& block, std::vector<Link>& out) { m_data.load(block, out); },
                [this](const LinkBlockEntry& block) { return m_data.keptLinksOf(block); }};
    }

    BlockData m_data;
};

using format::SectionId;

std::atomic<std::uint64_t> s_damagedStores{0};

using FileNumber = std::pair<dev_t, ino_t>; ///< Device and inode of a file; zeros if it does not exist.

FileNumber fileNumberOf(const std::filesystem::path& path)
{
    struct stat facts = {};
    return ::stat(path.c_str(), &facts) == 0 ? FileNumber(facts.st_dev, facts.st_ino) : FileNumber();
}

class StoreOpener {
public:
    StoreOpener(std::shared_ptr<const MappedFile> file, std::string_view identity)
        : m_file(std::move(file))
        , m_bytes(m_file->bytes())
        , m_identity(identity)
    {
    }

    Result<std::shared_ptr<const Store>> run()
    {
        auto opened = open();
        if (!m_hasAllBytes)
            return Error{Error::Kind::Unreadable, name() + ": the other machine does not send its bytes"};
        return opened;
    }

private:
    Result<std::shared_ptr<const Store>> open()
    {
        if (Status status = checkFrame(); !status)
            return status.error();
        const auto identity = section(SectionId::Identity);
        if (!identity)
            return corrupt("no identity");
        if (std::string_view(reinterpret_cast<const char*>(identity->data()), identity->size()) != m_identity)
            return Error{Error::Kind::NotFound, name() + ": made from another trace or by other analyses"};
        return readSections();
    }

    std::string name() const { return m_file->path().string(); }
    Error corrupt(const char* what) const { return {Error::Kind::Corrupt, name() + ": " + what}; }

    bool require(std::uint64_t offset, std::uint64_t size) const
    {
        m_hasAllBytes = m_hasAllBytes && m_file->require(offset, size);
        return m_hasAllBytes;
    }

    /// Checks that header and footer are complete and that the section table is valid.
    Status checkFrame()
    {
        if (m_bytes.size() < sizeof m_header + sizeof(format::Footer))
            return corrupt("too short for a store");
        if (!require(0, sizeof m_header) || !require(m_bytes.size() - sizeof(format::Footer), sizeof(format::Footer)))
            return corrupt("not here");
        std::memcpy(&m_header, m_bytes.data(), sizeof m_header);
        if (m_header.magic != format::Magic || m_header.endianProbe != format::EndianProbe)
            return corrupt("not a store");
        if (m_header.major != format::Major)
            return Error{Error::Kind::Unsupported, name() + ": unsupported store version " + std::to_string(m_header.major)};
        if (m_header.hash != XXH3_64bits(&m_header, sizeof m_header - sizeof m_header.hash) || m_header.fileSize != m_bytes.size()
            || m_header.sectionCount > format::MaxSections)
            return corrupt("damaged header");
        format::Footer footer;
        std::memcpy(&footer, m_bytes.data() + m_bytes.size() - sizeof footer, sizeof footer);
        if (footer.magic != format::FooterMagic || footer.tableHash != XXH3_64bits(&m_header.sections, sizeof m_header.sections))
            return corrupt("damaged end");
        return Done{};
    }

    /// Returns the bytes of a section after checking its hash; nullopt if the section is missing or damaged.
    std::optional<std::span<const std::byte>> section(SectionId id) const
    {
        for (std::uint32_t i = 0; i < m_header.sectionCount; ++i) {
            const format::Section& s = m_header.sections[i];
            if (s.id != id)
                continue;
            if (s.codec != 0 || s.offset > m_bytes.size() || s.length > m_bytes.size() - s.offset)
                return {};
            const auto bytes = m_bytes.subspan(s.offset, s.length);
            if (!format::hasBlockHashes(id) && !require(s.offset, s.length))
                return {};
            if (!format::hasBlockHashes(id) && XXH3_64bits(bytes.data(), bytes.size()) != s.hash)
                return {};
            return bytes;
        }
        return {};
    }

    bool read(SectionId id, bool (*reader)(ByteReader, StoreFacts&), StoreFacts& facts) const
    {
        const auto bytes = section(id);
        return bytes && reader(ByteReader(*bytes), facts);
    }

    std::optional<DirectoryBytes> readDirectory() const
    {
        const auto counts = section(SectionId::TrackBlocks);
        const auto blocks = section(SectionId::Blocks);
        const auto levels = section(SectionId::Levels);
        const auto shares = section(SectionId::Shares);
        const auto times = section(SectionId::Times);
        if (!counts || !blocks || !levels || !shares || !times)
            return {};
        return DirectoryBytes{*counts, *blocks, *levels, *shares, *times, m_file};
    }

    bool isListed(SectionId id) const
    {
        const auto listed = std::span(m_header.sections).first(m_header.sectionCount);
        return std::ranges::find(listed, id, &format::Section::id) != listed.end();
    }

    /// Returns the sections that together store one type of data, such as samples. Empty if the file has none of them; nullopt if
    /// only some of them exist or some are damaged.
    std::optional<std::vector<std::span<const std::byte>>> findOptionalSections(std::initializer_list<SectionId> ids) const
    {
        std::vector<std::span<const std::byte>> found;
        bool isAnyListed = false;
        for (const SectionId id : ids) {
            isAnyListed |= isListed(id);
            if (const auto bytes = section(id))
                found.push_back(*bytes);
        }
        return !isAnyListed || found.size() == ids.size() ? std::optional(std::move(found)) : std::nullopt;
    }

    bool readStacks(StoreFacts& facts) const
    {
        const auto all = findOptionalSections({SectionId::Stacks});
        if (!all || all->empty())
            return all.has_value();
        auto stacks = openStacks(all->front(), m_file);
        if (stacks)
            facts.stacks = std::move(*stacks);
        return stacks.has_value();
    }

    bool readModules(StoreFacts& facts) const
    {
        const auto all = findOptionalSections({SectionId::Modules});
        return all && (all->empty() || decodeModules(all->front(), facts.modules));
    }

    /// Reads the samples. Requires: readStacks() was called before.
    bool readSamples(StoreFacts& facts) const
    {
        const auto all = findOptionalSections({SectionId::SampleKinds, SectionId::SampleBlocks, SectionId::Samples});
        if (all && !all->empty())
            facts.samples = openSamples({(*all)[0], (*all)[1], (*all)[2], m_file}, facts.stacks.nodes().size());
        return all && (all->empty() || facts.samples);
    }

    bool readSegments(StoreFacts& facts) const
    {
        const auto all =
            findOptionalSections({SectionId::SegmentKinds, SectionId::SegmentBlocks, SectionId::SegmentLevels, SectionId::Segments});
        if (!all || all->empty())
            return all.has_value();
        auto index = SegmentIndex::read({(*all)[0], (*all)[1], (*all)[2], m_file});
        if (index)
            facts.segments = makeBlockSegments(std::move(*index), VerifiedBytes(m_file, (*all)[3]), facts.tracks.size());
        return index.has_value();
    }

    bool readCounters(StoreFacts& facts) const
    {
        const auto all =
            findOptionalSections({SectionId::CounterSeries, SectionId::CounterBlocks, SectionId::CounterLevels, SectionId::Counters});
        if (!all || all->empty())
            return all.has_value();
        auto index = CounterIndex::read({(*all)[0], (*all)[1], (*all)[2], m_file}, facts.tracks.size());
        if (index)
            facts.counters = makeBlockCounters(std::move(*index), VerifiedBytes(m_file, (*all)[3]));
        return index.has_value();
    }

    Result<std::shared_ptr<const Store>> readSections() const
    {
        StoreFacts facts;
        const bool isGood = read(SectionId::Summary, readSummary, facts) && read(SectionId::Tracks, readTracks, facts)
            && read(SectionId::MergeIndex, readMergeIndex, facts) && read(SectionId::Density, readDensity, facts)
            && read(SectionId::Losses, readLosses, facts) && read(SectionId::Strings, readStrings, facts)
            && read(SectionId::Numbers, readNumbers, facts);
        const auto data = section(SectionId::Data);
        const auto directory = readDirectory();
        const auto linkBlocks = section(SectionId::LinkBlocks);
        const auto linkTracks = section(SectionId::LinkTracks);
        if (!isGood || !data || data->size() < format::BlockSlack || !directory || !linkBlocks || !linkTracks)
            return corrupt("damaged section");
        const auto begin = static_cast<std::uint64_t>(data->data() - m_bytes.data());
        const std::uint64_t end = begin + data->size() - format::BlockSlack;
        auto blocks = BlockIndex::read(*directory, facts.tracks.size(), begin, end);
        auto links = LinkIndex::read({*linkBlocks, *linkTracks, m_file}, facts.tracks.size(), begin, end);
        if (!readStacks(facts))
            return corrupt("damaged stacks");
        if (!readModules(facts))
            return corrupt("damaged modules");
        if (!readSamples(facts))
            return corrupt("damaged samples");
        if (!readSegments(facts))
            return corrupt("damaged segments");
        if (!readCounters(facts))
            return corrupt("damaged counters");
        if (!blocks || !links || m_file->wasTruncated())
            return corrupt("damaged directory");
        return makeBlockStore(std::move(facts), std::move(*blocks), std::move(*links), {m_file, end, {}});
    }

    std::shared_ptr<const MappedFile> m_file;
    std::span<const std::byte> m_bytes;
    std::string_view m_identity;
    format::Header m_header;
    mutable bool m_hasAllBytes = true; ///< False if require() failed.
};

} // namespace

std::shared_ptr<const Store> makeBlockStore(StoreFacts facts, BlockIndex blocks, LinkIndex links, FileBytes bytes)
{
    for (std::size_t n = 0; n < facts.tracks.size(); ++n) {
        const auto own = blocks.blocksOf(n);
        Track& track = facts.tracks[n];
        track.life = own.empty() ? HostRange{} : HostRange{hostTime(own.front().node.begin), hostTime(own.back().node.end)};
        track.intervals = 0;
        for (const BlockEntry& block : own)
            track.intervals += block.node.count;
    }
    return std::make_shared<FileStore>(std::move(facts), std::move(blocks), std::move(links), std::move(bytes));
}

Result<std::shared_ptr<const Store>> openForeignStore(const std::filesystem::path& path, std::string_view identity,
                                                      std::shared_ptr<PartialFile> rest)
{
    auto file = MappedFile::open(path, std::move(rest));
    return file ? StoreOpener(std::move(*file), identity).run() : Result<std::shared_ptr<const Store>>(file.error());
}

std::vector<ByteRange> rangesReadAtOpening(std::span<const std::byte> file)
{
    format::Header header;
    if (file.size() < sizeof header + sizeof(format::Footer))
        return {};
    std::memcpy(&header, file.data(), sizeof header);
    if (header.magic != format::Magic || header.major != format::Major || header.sectionCount > format::MaxSections)
        return {};
    std::vector<ByteRange> ranges{{0, sizeof header}, {file.size() - sizeof(format::Footer), sizeof(format::Footer)}};
    for (const format::Section& section : std::span(header.sections).first(header.sectionCount))
        if (!format::hasBlockHashes(section.id) && section.length > 0 && section.offset <= file.size()
            && section.length <= file.size() - section.offset)
            ranges.push_back({section.offset, section.length});
    return ranges;
}

Result<std::shared_ptr<const Store>> openStore(const std::filesystem::path& path, std::string_view identity)
{
    auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    const FileNumber number = fileNumberOf(path);
    const auto opened = StoreOpener(std::move(*file), identity).run();
    if (!opened)
        return opened.error();
    return std::shared_ptr<const Store>(opened->get(), [store = *opened, path, number](const Store*) {
        if (!store->isDamaged())
            return;
        std::error_code ignored;
        if (fileNumberOf(path) == number) // Otherwise, the file was built again.
            std::filesystem::remove(path, ignored);
        ++s_damagedStores;
    });
}

std::uint64_t damagedStoreCount() { return s_damagedStores; }

} // namespace helio
