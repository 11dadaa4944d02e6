#include "core/store/assembly/file_store.h"

#include "core/store/intervals/interval_queries.h"
#include "core/store/intervals/span_fold.h"
#include "core/store/intervals/span_walk.h"
#include "core/store/links/link_queries.h"

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

} // namespace helio
