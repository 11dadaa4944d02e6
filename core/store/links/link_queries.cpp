#include "core/store/links/link_queries.h"

#include "core/store/links/link_order.h"

#include <algorithm>

namespace helio {
namespace {

/// Collects links and keeps the first `limit` of them in the order of links (0: all).
class FirstLinks {
public:
    explicit FirstLinks(std::size_t limit)
        : m_limit(std::min(limit, MaxLimit))
    {
    }

    void add(const Link& link)
    {
        m_links.push_back(link);
        m_isTrimmed = false;
        if (m_limit > 0 && m_links.size() >= 2 * m_limit + format::LinkBlockLinks)
            trim();
    }

    /// True if a link that begins at `from` or later can still be among the first `limit` links. If false, the caller need not read
    /// blocks that begin at `from` or later.
    bool mayNeedLinksFrom(std::int64_t from)
    {
        if (m_limit == 0 || m_links.size() < m_limit)
            return true;
        trim();
        return from <= nanoseconds(m_links.back().fromTime);
    }

    std::vector<Link> take()
    {
        trim();
        return std::move(m_links);
    }

private:
    void trim()
    {
        if (m_isTrimmed)
            return;
        m_isTrimmed = true;
        std::sort(m_links.begin(), m_links.end(), comesBefore);
        if (m_limit > 0 && m_links.size() > m_limit)
            m_links.resize(m_limit);
    }

    static constexpr std::size_t MaxLimit = std::size_t(1) << 40; // Maximum of m_limit: twice this number does not overflow in add().

    std::size_t m_limit;
    std::vector<Link> m_links;
    bool m_isTrimmed = true;
};

/// Reads links block by block. Blocks are sorted by the start of their first link, but may overlap. Therefore next() returns only the
/// links that begin before the first link of the next block: no later block can contain an earlier link.
class BlockLinkReader final : public LinkReader {
public:
    BlockLinkReader(const LinkIndex& index, LinkQueries::Load load, HostRange window, std::uint32_t kinds)
        : m_blocks(index.blocks())
        , m_load(std::move(load))
        , m_window(window)
        , m_kinds(kinds)
    {
        if (window.isEmpty())
            m_next = m_blocks.size();
    }

    bool next(std::vector<Link>& part) override
    {
        part.clear();
        while (part.empty() && (m_next < m_blocks.size() || !m_waiting.empty())) {
            if (m_next < m_blocks.size())
                load(m_blocks[m_next++]);
            const auto end = m_next < m_blocks.size() ? firstNotBefore(m_blocks[m_next].firstFrom) : m_waiting.end();
            part.assign(m_waiting.begin(), end);
            m_waiting.erase(m_waiting.begin(), end);
        }
        return !part.empty();
    }

private:
    void load(const LinkBlockEntry& block)
    {
        if (!isOneOf(m_kinds, block.kind) || block.end < limitedTime(m_window.begin) || block.begin >= nanoseconds(m_window.end))
            return;
        m_block.clear();
        m_load(block, m_block);
        std::erase_if(m_block, [this](const Link& link) { return !overlaps(link, m_window); });
        std::sort(m_block.begin(), m_block.end(), comesBefore);
        const auto middle = static_cast<std::ptrdiff_t>(m_waiting.size());
        m_waiting.insert(m_waiting.end(), m_block.begin(), m_block.end());
        std::inplace_merge(m_waiting.begin(), m_waiting.begin() + middle, m_waiting.end(), comesBefore);
    }

    std::vector<Link>::iterator firstNotBefore(std::int64_t from)
    {
        return std::partition_point(m_waiting.begin(), m_waiting.end(),
                                    [from](const Link& link) { return nanoseconds(link.fromTime) < from; });
    }

    std::span<const LinkBlockEntry> m_blocks;
    LinkQueries::Load m_load;
    HostRange m_window;
    std::uint32_t m_kinds;
    std::size_t m_next = 0;
    std::vector<Link> m_block;
    std::vector<Link> m_waiting; ///< Sorted links that next() has not returned yet.
};

} // namespace

std::unique_ptr<LinkReader> LinkQueries::parts(HostRange window, std::uint32_t kinds) const
{
    return std::make_unique<BlockLinkReader>(m_index, m_load, window, kinds);
}

std::vector<Link> LinkQueries::inWindow(HostRange window, std::size_t limit, std::uint64_t* total, std::stop_token stop,
                                        std::uint32_t kinds) const
{
    FirstLinks first(limit);
    std::uint64_t count = 0;
    std::vector<Link> links;
    const std::int64_t begin = limitedTime(window.begin);
    const std::int64_t end = nanoseconds(window.end);
    for (const LinkBlockEntry& block : m_index.blocks()) {
        if (stop.stop_requested() || window.isEmpty())
            break;
        if (block.end < begin || block.begin >= end || !isOneOf(kinds, block.kind))
            continue;
        const bool isWanted = first.mayNeedLinksFrom(block.firstFrom);
        if (!isWanted && !total)
            break;
        if (!isWanted && block.begin >= begin && block.end < end) {
            count += block.count;
            continue;
        }
        links.clear();
        m_load(block, links);
        for (const Link& link : links) {
            if (!overlaps(link, window))
                continue;
            ++count;
            first.add(link);
        }
    }
    if (total)
        *total = count;
    return first.take();
}

std::vector<Link> LinkQueries::next(TrackId track, HostTimestamp at, LinkFilter choice) const
{
    NearestLink nearest(track, at, choice);
    const auto blocks = m_index.blocks();
    for (std::size_t i = m_index.firstBlockAfter(nanoseconds(at)); i < blocks.size(); ++i) {
        if (nearest.link && m_index.earliestFrom(i) > nanoseconds(nearest.touch))
            break;
        const bool isTooLate = nearest.link && blocks[i].begin > nanoseconds(nearest.touch);
        if (!isTooLate && blocks[i].end > nanoseconds(at) && mayTouch(blocks[i], track, choice)) {
            const auto links = m_keep(blocks[i]);
            for (const Link& link : *links)
                nearest.offerNext(link);
        }
    }
    return nearest.link ? std::vector{*nearest.link} : std::vector<Link>{};
}

std::vector<Link> LinkQueries::previous(TrackId track, HostTimestamp at, LinkFilter choice) const
{
    NearestLink nearest(track, at, choice);
    const auto blocks = m_index.blocks();
    for (std::size_t i = m_index.endOfBlocksBefore(nanoseconds(at)); i-- > 0;) {
        if (nearest.link && m_index.latestUpTo(i) < nanoseconds(nearest.touch))
            break;
        const bool isTooEarly = nearest.link && blocks[i].end < nanoseconds(nearest.touch);
        if (!isTooEarly && blocks[i].begin < nanoseconds(at) && mayTouch(blocks[i], track, choice)) {
            const auto links = m_keep(blocks[i]);
            for (const Link& link : *links)
                nearest.offerPrevious(link);
        }
    }
    return nearest.link ? std::vector{*nearest.link} : std::vector<Link>{};
}

bool LinkQueries::mayTouch(const LinkBlockEntry& block, TrackId track, LinkFilter choice) const
{
    return isOneOf(choice.kinds, block.kind) && m_index.touches(block, track);
}

} // namespace helio
