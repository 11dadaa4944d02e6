// The simplest exact store: all intervals in vectors, and queries as plain loops. Slower than the file store, but easy to verify.

#include "core/store/assembly/store_facts.h"
#include "core/store/counters/memory_counters.h"
#include "core/store/intervals/span_fold.h"
#include "core/store/links/link_order.h"
#include "core/store/segments/memory_segments.h"

#include <algorithm>
#include <array>
#include <vector>

namespace helio {
namespace {

using Intervals = std::vector<HostInterval>;

/// Returns all links in one chunk.
class MemoryLinkReader final : public LinkReader {
public:
    explicit MemoryLinkReader(std::vector<Link> links)
        : m_links(std::move(links))
    {
    }
    bool next(std::vector<Link>& part) override
    {
        part = std::exchange(m_links, {});
        return !part.empty();
    }

private:
    std::vector<Link> m_links;
};

class MemoryStore final : public StoreBase {
public:
    MemoryStore(StoreFacts facts, std::vector<Intervals> intervals, std::vector<Link> links)
        : StoreBase(std::move(facts))
        , m_intervals(std::move(intervals))
        , m_links(std::move(links))
    {
    }

    bool isDamaged() const override { return false; }

    void spans(TrackId track, HostRange window, Duration resolution, HostSpans& out, std::stop_token stop) const override
    {
        SpanFold fold(window, resolution, out);
        for (auto it = firstEndingAfter(track, window.begin); it != of(track).end() && it->range.begin < window.end; ++it) {
            if (stop.stop_requested())
                return;
            fold.add(nanoseconds(it->range.begin), nanoseconds(it->range.end), it->state, it->value);
        }
        fold.finish();
    }

    std::vector<HostInterval> intervals(TrackId track, HostRange window, std::stop_token stop) const override
    {
        Intervals result;
        for (auto it = firstEndingAfter(track, window.begin); it != of(track).end() && it->range.begin < window.end; ++it) {
            if (stop.stop_requested())
                return {};
            result.push_back(*it);
        }
        return window.isEmpty() ? Intervals{} : result;
    }

    std::vector<HostInterval> intervalAt(TrackId track, HostTimestamp at) const override
    {
        const auto it = firstEndingAfter(track, at);
        return it != of(track).end() && it->range.contains(at) ? Intervals{*it} : Intervals{};
    }

    std::vector<HostInterval> nextInterval(TrackId track, HostTimestamp at) const override
    {
        auto it = firstEndingAfter(track, at);
        if (it != of(track).end() && it->range.begin <= at)
            ++it;
        return it != of(track).end() ? Intervals{*it} : Intervals{};
    }

    std::vector<HostInterval> previousInterval(TrackId track, HostTimestamp at) const override
    {
        const auto it = firstEndingAfter(track, at);
        return it != of(track).begin() ? Intervals{*std::prev(it)} : Intervals{};
    }

    std::vector<StateTotal> totals(TrackId track, HostRange range) const override
    {
        std::array<StateTotal, 32> sums{};
        for (const HostInterval& interval : intervals(track, range, {})) {
            StateTotal& sum = sums[static_cast<std::size_t>(interval.state) % sums.size()];
            const Duration length = interval.range.clippedTo(range).duration();
            sum.min = sum.count == 0 ? length : std::min(sum.min, length);
            sum.max = std::max(sum.max, length);
            sum.total += length;
            ++sum.count;
        }
        std::vector<StateTotal> result;
        for (std::size_t state = 0; state < sums.size(); ++state) {
            sums[state].state = State(static_cast<std::uint8_t>(state));
            if (sums[state].count > 0)
                result.push_back(sums[state]);
        }
        return result;
    }

    std::vector<Link> links(HostRange window, std::size_t limit, std::uint64_t* total, std::stop_token stop,
                            std::uint32_t kinds) const override
    {
        std::vector<Link> result;
        std::uint64_t count = 0;
        for (const Link& link : m_links) {
            if (stop.stop_requested())
                break;
            if (window.isEmpty() || !overlaps(link, window) || !isOneOf(kinds, link.kind))
                continue;
            ++count;
            if (limit == 0 || result.size() < limit)
                result.push_back(link);
        }
        if (total)
            *total = count;
        return result;
    }

    std::unique_ptr<LinkReader> makeLinkReader(HostRange window, std::uint32_t kinds) const override
    {
        return std::make_unique<MemoryLinkReader>(links(window, 0, nullptr, {}, kinds));
    }

    std::vector<Link> nextLink(TrackId track, HostTimestamp at, LinkFilter choice) const override
    {
        NearestLink nearest(track, at, choice);
        for (const Link& link : m_links)
            nearest.offerNext(link);
        return nearest.link ? std::vector{*nearest.link} : std::vector<Link>{};
    }

    std::vector<Link> previousLink(TrackId track, HostTimestamp at, LinkFilter choice) const override
    {
        NearestLink nearest(track, at, choice);
        for (const Link& link : m_links)
            nearest.offerPrevious(link);
        return nearest.link ? std::vector{*nearest.link} : std::vector<Link>{};
    }

private:
    const Intervals& of(TrackId track) const
    {
        static const Intervals none;
        const auto n = static_cast<std::size_t>(track);
        return n < m_intervals.size() ? m_intervals[n] : none;
    }

    Intervals::const_iterator firstEndingAfter(TrackId track, HostTimestamp at) const
    {
        const Intervals& all = of(track);
        return std::partition_point(all.begin(), all.end(), [at](const HostInterval& i) { return i.range.end <= at; });
    }

    std::vector<Intervals> m_intervals; ///< Indexed by track.
    std::vector<Link> m_links; ///< Sorted by comesBefore().
};

class MemoryStoreBuilder final : public StoreBuilderBase {
public:
    using StoreBuilderBase::StoreBuilderBase;

    void link(const Link& link) override { m_links.push_back(limited(link)); }
    SegmentSink& segments() override { return m_segments; }
    CounterSink& counters() override { return m_counters; }

    std::shared_ptr<const Store> snapshot(HostTimestamp until) override { return make(factsUntil(until), until); }

    Result<std::shared_ptr<const Store>> finish(StoreSummary summary) override
    {
        const HostTimestamp end = summary.range.end;
        endAll(end);
        return make(finalFacts(std::move(summary)), end);
    }

protected:
    void makeRoom(std::uint32_t, TrackBoundaries& row) override { row.reserve(2 * row.size()); }

private:
    std::shared_ptr<const Store> make(StoreFacts facts, HostTimestamp until) const
    {
        std::vector<Intervals> all;
        for (std::size_t n = 0; n < trackCount(); ++n) {
            const Intervals& intervals = all.emplace_back(intervalsOf(boundariesUntil(until, n)));
            if (intervals.empty())
                continue;
            facts.tracks[n].life = {intervals.front().range.begin, intervals.back().range.end};
            facts.tracks[n].intervals = intervals.size();
        }
        facts.segments = m_segments.picture();
        facts.counters = m_counters.picture();
        std::vector<Link> links = m_links;
        std::sort(links.begin(), links.end(), comesBefore);
        return std::make_shared<MemoryStore>(std::move(facts), std::move(all), std::move(links));
    }

    static Intervals intervalsOf(std::span<const Boundary> boundaries)
    {
        Intervals intervals;
        for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) {
            const auto& [begin, key] = boundaries[i];
            if (key != GapKey)
                intervals.push_back({{hostTime(begin), hostTime(boundaries[i + 1].begin)}, stateOf(key), valueIn(key)});
        }
        return intervals;
    }

    std::vector<Link> m_links;
    MemorySegments m_segments;
    MemoryCounters m_counters;
};

} // namespace

std::unique_ptr<StoreBuilder> makeMemoryStoreBuilder(HostTimestamp begin) { return std::make_unique<MemoryStoreBuilder>(begin); }

} // namespace helio
