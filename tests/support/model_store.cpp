#include "tests/support/model_store.h"

#include "core/store/assembly/store_facts.h"
#include "core/store/counters/counter_numbers.h"
#include "core/store/counters/counter_series_list.h"
#include "core/store/intervals/span_fold.h"
#include "core/store/links/link_order.h"
#include "core/store/picture_columns.h"
#include "core/store/segments/segment_order.h"
#include "core/store/segments/segment_recorder.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace helio::test {
namespace {

using Segments = std::vector<HostSegment>;

class ModelSegmentSet final : public SegmentSet {
public:
    ModelSegmentSet(std::vector<SegmentKind> kinds, const Segments& segments)
        : m_kinds(std::move(kinds))
        , m_segments(m_kinds.size())
    {
        for (const HostSegment& segment : segments)
            m_segments[static_cast<std::size_t>(segment.kind)].push_back(segment);
        for (Segments& own : m_segments)
            std::sort(own.begin(), own.end(), segmentComesBefore);
    }

    std::span<const SegmentKind> kinds() const override { return m_kinds; }
    bool isDamaged() const override { return false; }

    SegmentSum sum(SegmentKindId kind) const override
    {
        SegmentSum sum;
        for (const HostSegment& segment : of(kind))
            sum.add(segment.length());
        return sum;
    }

    void visit(SegmentKindId kind, HostRange range, const Take& take, std::stop_token stop) const override
    {
        const Segments all = in(kind, range);
        if (!all.empty() && !stop.stop_requested())
            take(all);
    }

    Segments longest(SegmentKindId kind, HostRange range, std::size_t most, std::stop_token) const override
    {
        Segments all = in(kind, range);
        std::sort(all.begin(), all.end(), isLonger);
        all.resize(std::min(all.size(), most));
        return all;
    }

    SegmentHistogram spread(SegmentKindId kind, HostRange range, std::stop_token) const override
    {
        SegmentHistogram spread;
        for (const HostSegment& segment : in(kind, range)) {
            spread.sum.add(segment.length());
            ++spread.counts[histogramStep(segment.length())];
        }
        return spread;
    }

    SegmentColumns spans(SegmentKindId kind, HostRange window, Duration resolution, std::stop_token) const override
    {
        SegmentColumns result;
        std::map<std::int64_t, SegmentSum> columns;
        for (const HostSegment& segment : in(kind, window))
            (segment.begin < window.begin ? result.earlier : columns[columnOf(segment.begin, resolution)]).add(segment.length());
        for (const auto& [column, sum] : columns)
            result.columns.push_back({hostTime(column * resolution.count()), sum});
        return result;
    }

    std::optional<HostSegment> next(const HostSegment& segment) const override
    {
        const Segments& all = of(segment.kind);
        const auto it = std::upper_bound(all.begin(), all.end(), segment, segmentComesBefore);
        return it != all.end() ? std::optional(*it) : std::nullopt;
    }
    std::optional<HostSegment> previous(const HostSegment& segment) const override
    {
        const Segments& all = of(segment.kind);
        const auto it = std::lower_bound(all.begin(), all.end(), segment, segmentComesBefore);
        return it != all.begin() ? std::optional(*std::prev(it)) : std::nullopt;
    }

private:
    const Segments& of(SegmentKindId kind) const
    {
        static const Segments none;
        return static_cast<std::size_t>(kind) < m_segments.size() ? m_segments[static_cast<std::size_t>(kind)] : none;
    }
    Segments in(SegmentKindId kind, HostRange range) const
    {
        Segments result;
        std::ranges::copy_if(of(kind), std::back_inserter(result), [range](const HostSegment& s) { return overlaps(s, range); });
        return result;
    }

    std::vector<SegmentKind> m_kinds;
    std::vector<Segments> m_segments; ///< Segments of each kind, indexed by kind and sorted by start.
};

class ModelSegments final : public SegmentSink {
public:
    Result<SegmentKindId> addKind(const SegmentKind& kind) override { return m_kinds.add(kind); }
    void add(const HostSegment& segment) override
    {
        if (static_cast<std::size_t>(segment.kind) < m_kinds.all().size())
            m_segments.push_back(limited(segment));
    }

    /// Returns a copy of the segments added so far; nullptr if no kind was declared.
    std::shared_ptr<const SegmentSet> picture() const
    {
        return m_kinds.all().empty() ? nullptr : std::make_shared<ModelSegmentSet>(m_kinds.all(), m_segments);
    }

private:
    SegmentKinds m_kinds;
    std::vector<HostSegment> m_segments; ///< Segments of this kind in the order in which they were added.
};

using Points = std::vector<CounterPoint>;

class ModelCounterSet final : public CounterSet {
public:
    ModelCounterSet(std::vector<CounterSeries> series, std::vector<Points> points)
        : m_series(std::move(series))
        , m_points(std::move(points))
    {
    }

    std::span<const CounterSeries> series() const override { return m_series; }
    std::uint64_t count(CounterSeriesId series) const override { return of(series).size(); }
    bool isDamaged() const override { return false; }

    void visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop) const override
    {
        const Points all = in(series, range);
        if (!all.empty() && !stop.stop_requested())
            take(all);
    }

    CounterColumns spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token) const override
    {
        CounterColumns result;
        if (window.isEmpty())
            return result;
        result.before = previous(series, window.begin);
        const Points all = in(series, window);
        for (auto it = all.begin(); it != all.end();) {
            const auto end = std::find_if(
                it, all.end(), [&](const CounterPoint& p) { return columnOf(p.time, resolution) != columnOf(it->time, resolution); });
            const auto held = it != all.begin() ? std::optional(*std::prev(it)) : result.before;
            result.columns.push_back(columnOfPoints({it, end}, held, series, window, resolution));
            it = end;
        }
        return result;
    }

    std::optional<CounterPoint> valueAt(CounterSeriesId series, HostTimestamp at) const override
    {
        return last(series, [at](const CounterPoint& point) { return point.time <= at; });
    }
    std::optional<CounterPoint> previous(CounterSeriesId series, HostTimestamp at) const override
    {
        return last(series, [at](const CounterPoint& point) { return point.time < at; });
    }
    std::optional<CounterPoint> next(CounterSeriesId series, HostTimestamp at) const override
    {
        const Points& all = of(series);
        const auto it = std::ranges::find_if(all, [at](const CounterPoint& point) { return point.time > at; });
        return it != all.end() ? std::optional(*it) : std::nullopt;
    }

private:
    const Points& of(CounterSeriesId series) const
    {
        static const Points none;
        return static_cast<std::size_t>(series) < m_points.size() ? m_points[static_cast<std::size_t>(series)] : none;
    }
    Points in(CounterSeriesId series, HostRange range) const
    {
        Points result;
        std::ranges::copy_if(of(series), std::back_inserter(result), [range](const CounterPoint& p) { return range.contains(p.time); });
        return result;
    }
    template <typename Is> std::optional<CounterPoint> last(CounterSeriesId series, Is is) const
    {
        const Points& all = of(series);
        const auto it = std::find_if(all.rbegin(), all.rend(), is);
        return it != all.rend() ? std::optional(*it) : std::nullopt;
    }

    /// Summarizes points as a column. `before`: the point before `points`, if there is one.
    CounterColumn columnOfPoints(std::span<const CounterPoint> points, std::optional<CounterPoint> before, CounterSeriesId series,
                                 HostRange window, Duration resolution) const
    {
        const CounterNumber number = m_series[static_cast<std::size_t>(series)].number;
        const auto [least, most] = std::ranges::minmax_element(
            points, [number](CounterValue a, CounterValue b) { return isLess(a, b, number); }, &CounterPoint::value);
        CounterColumn column{
            columnBegin(points.front().time, resolution), points.size(), points.front(), points.back(), least->value, most->value};
        // The mean covers the time that lies in both the column and the window, and in which the counter has a value.
        const HostTimestamp end = columnEnd(column.begin, resolution, window.end);
        CounterPoint held = points.front();
        if (before)
            held = {std::max(column.begin, window.begin), before->value};
        const HostTimestamp begin = held.time;
        long double sum = 0;
        const auto hold = [&](HostTimestamp until) {
            sum += static_cast<long double>(held.value.number(number)) * static_cast<long double>((until - held.time).count());
        };
        for (const CounterPoint& point : points) {
            hold(point.time);
            held = point;
        }
        hold(end);
        column.mean = static_cast<double>(sum / static_cast<long double>((end - begin).count()));
        return column;
    }

    std::vector<CounterSeries> m_series;
    std::vector<Points> m_points; ///< Points of each series, indexed by series.
};

class ModelCounters final : public CounterPointSink {
public:
    /// Returns a copy of the points added so far; nullptr if no series was declared.
    std::shared_ptr<const CounterSet> picture() const
    {
        if (m_list.all().empty())
            return nullptr;
        std::vector<Points> points = m_points;
        points.resize(m_list.all().size());
        return std::make_shared<ModelCounterSet>(m_list.all(), std::move(points));
    }

protected:
    void take(CounterSeriesId series, const CounterPoint& point) override
    {
        m_points.resize(m_list.all().size());
        m_points[static_cast<std::size_t>(series)].push_back(point);
    }

private:
    std::vector<Points> m_points; ///< Points of each series, indexed by series.
};

using Intervals = std::vector<HostInterval>;

/// Reader that returns all links in one chunk.
class ModelLinkReader final : public LinkReader {
public:
    explicit ModelLinkReader(std::vector<Link> links)
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

class ModelStore final : public StoreBase {
public:
    ModelStore(StoreFacts facts, std::vector<Intervals> intervals, std::vector<Link> links)
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
        return std::make_unique<ModelLinkReader>(links(window, 0, nullptr, {}, kinds));
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

    std::vector<Intervals> m_intervals; ///< Intervals of each track, indexed by track.
    std::vector<Link> m_links; ///< Links, sorted by comesBefore().
};

class ModelStoreBuilder final : public StoreBuilderBase {
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
        return std::make_shared<ModelStore>(std::move(facts), std::move(all), std::move(links));
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
    ModelSegments m_segments;
    ModelCounters m_counters;
};

} // namespace

std::unique_ptr<StoreBuilder> makeModelStoreBuilder(HostTimestamp begin) { return std::make_unique<ModelStoreBuilder>(begin); }

} // namespace helio::test
