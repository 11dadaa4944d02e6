#include "core/store/segments/memory_segments.h"

#include "core/store/picture_columns.h"
#include "core/store/segments/segment_order.h"

#include <map>

namespace helio {
namespace {

using Segments = std::vector<HostSegment>;

class MemorySegmentSet final : public SegmentSet {
public:
    MemorySegmentSet(std::vector<SegmentKind> kinds, const Segments& segments)
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
    std::vector<Segments> m_segments; ///< Indexed by kind; segments are in order.
};

} // namespace

void MemorySegments::add(const HostSegment& segment)
{
    if (static_cast<std::size_t>(segment.kind) < m_kinds.all().size())
        m_segments.push_back(limited(segment));
}

std::shared_ptr<const SegmentSet> MemorySegments::picture() const
{
    return m_kinds.all().empty() ? nullptr : std::make_shared<MemorySegmentSet>(m_kinds.all(), m_segments);
}

} // namespace helio
