#include "core/formats/perfetto/complete_slices.h"

#include <algorithm>
#include <limits>

namespace helio::perfetto {
namespace {

/// Slices of one owner that are not complete events. They nest, because each end closes the innermost open slice.
class NestedSlices {
public:
    void begin(std::int64_t time)
    {
        m_open.push_back(m_extents.size());
        m_extents.push_back({time, std::numeric_limits<std::int64_t>::max()});
        addStep(time);
    }
    void end(std::int64_t time)
    {
        if (m_open.empty()) {
            m_strayEnds.push_back(time);
            return;
        }
        m_extents[m_open.back()].end = time;
        m_open.pop_back();
        addStep(time);
    }

    /// Returns true if a slice from `begin` to `end` nests with all these slices. The slice is stored after them, so if a slice of this
    /// object begins at `begin`, it must be the outer one, and none may begin at `end`.
    bool nests(std::int64_t begin, std::int64_t end) const
    {
        const Extent* const around = innermostAt(begin);
        if (around && around->end < end)
            return false;
        const Extent* const last = innermostAt(end);
        if (last && last->begin > begin)
            return false;
        const auto stray = std::ranges::upper_bound(m_strayEnds, begin);
        return stray == m_strayEnds.end() || *stray > end;
    }

private:
    static constexpr std::size_t None = std::numeric_limits<std::size_t>::max();
    struct Extent {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    struct Step {
        std::int64_t time = 0;
        std::size_t innermost = None; ///< Index in m_extents of the innermost slice that is open from `time` on; None if no slice is.
    };
    void addStep(std::int64_t time) { m_steps.push_back({time, m_open.empty() ? None : m_open.back()}); }
    const Extent* innermostAt(std::int64_t time) const
    {
        const auto after = std::ranges::upper_bound(m_steps, time, {}, &Step::time);
        const std::size_t innermost = after == m_steps.begin() ? None : std::prev(after)->innermost;
        return innermost == None ? nullptr : &m_extents[innermost];
    }

    std::vector<Extent> m_extents;
    std::vector<std::size_t> m_open; ///< Indices in m_extents of the open slices, innermost last.
    std::vector<Step> m_steps; ///< In ascending order of time.
    std::vector<std::int64_t> m_strayEnds; ///< Times of ends without an open slice, ascending.
};

} // namespace

CompleteSlices::Owner& CompleteSlices::ownerAt(const TrackPlace& place)
{
    const TrackContext& context = place.context;
    Owner& owner = m_owners[{context.pid, context.tid, context.pidNamespace, place.track, place.nest}];
    owner.place = place;
    return owner;
}

void CompleteSlices::store()
{
    for (auto& [key, owner] : m_owners) {
        storeSlices(owner);
        for (const Point& point : owner.points)
            m_writer.addFlow(point.time, owner.place, {point.flow.phase, point.category, point.name, point.flow.id, false});
    }
    m_owners.clear();
}

void CompleteSlices::begin(const TrackPlace& place, const Slice& slice)
{
    m_writer.beginSlice(slice.time, place, {slice.name, slice.categories, slice.arguments, {}});
    for (const SliceFlow& flow : slice.flows)
        m_writer.addFlow(slice.time, place, {flow.phase, {}, {}, flow.id, false});
}

void CompleteSlices::storeSlices(Owner& owner)
{
    // Among slices that begin at the same time, the one that ends last is the outer one. Equal slices nest by their order in the trace:
    // writers that write slices at their ends write the inner one first.
    if (!std::ranges::is_sorted(owner.slices, {}, &Slice::time))
        std::ranges::reverse(owner.slices);
    std::ranges::stable_sort(owner.slices,
                             [](const Slice& a, const Slice& b) { return a.time != b.time ? a.time < b.time : a.end > b.end; });
    std::ranges::stable_sort(owner.edges, {}, &Edge::time);
    NestedSlices others;
    for (const Edge& edge : owner.edges)
        edge.isBegin ? others.begin(edge.time) : others.end(edge.time);
    std::vector<std::int64_t> ends; // Ends of the open slices in ns, innermost last.
    const auto endSlices = [&](std::int64_t until) {
        for (; !ends.empty() && ends.back() <= until; ends.pop_back())
            m_writer.endSlice(ends.back(), owner.place);
    };
    for (const Slice& slice : owner.slices) {
        endSlices(slice.time);
        if ((!ends.empty() && ends.back() < slice.end) || !others.nests(slice.time, slice.end)) {
            m_log.warn("overlap", 0, "complete slices overlap others of their thread without nesting; they have a row of their own");
            const TrackPlace place = besides(owner.place, slice.time);
            begin(place, slice);
            m_writer.endSlice(slice.end, place);
            continue;
        }
        begin(owner.place, slice);
        if (slice.end == slice.time)
            m_writer.endSlice(slice.end, owner.place);
        else
            ends.push_back(slice.end);
    }
    endSlices(std::numeric_limits<std::int64_t>::max());
}

/// Returns a place for one slice that cannot be on the row of `place`.
TrackPlace CompleteSlices::besides(const TrackPlace& place, std::int64_t time)
{
    TrackPlace result = place;
    if (place.track == 0)
        result.track = m_tree.overlapTrack(place.context, time);
    result.nest = m_tree.addNest();
    return result;
}

} // namespace helio::perfetto
