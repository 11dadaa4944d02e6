#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/composite_states.h"
#include "core/sql/model/slices.h"

#include <array>
#include <unordered_map>
#include <utility>

namespace helio::sql {
namespace {

/// Number of segments of a step. If all have different names, their sums take about 12 MB.
constexpr std::uint64_t PartSegments = 1 << 16;

/// Sums durations by an integer key: a track and a name.
class SumsByKey {
public:
    explicit SumsByKey(std::vector<SliceSum>& out)
        : m_out(out)
    {
    }

    /// Adds a slice. `makeSlice()` returns the slice, if it is the first with its key.
    template <typename MakeSlice> void add(std::uint64_t key, std::int64_t duration, const MakeSlice& makeSlice)
    {
        SliceSum& found = find(key, makeSlice);
        if (found.sum.add(duration))
            return;
        // A second sum with the key: SQLite, which adds them up, reports that the total is too large.
        m_out.push_back(found);
        found.sum = {};
        found.sum.add(duration);
    }

    void finish() { m_out.insert(m_out.end(), m_sums.begin(), m_sums.end()); }

private:
    template <typename MakeSlice> SliceSum& find(std::uint64_t key, const MakeSlice& makeSlice)
    {
        // Hot path: few names follow each other again and again.
        Recent& recent = m_recent[(key ^ key >> 32) % m_recent.size()];
        if (recent.index != None && recent.key == key)
            return m_sums[recent.index];
        const auto [it, isNew] = m_indices.try_emplace(key, m_sums.size());
        if (isNew)
            m_sums.push_back({makeSlice(), {}});
        recent = {key, it->second};
        return m_sums[it->second];
    }

    static constexpr std::size_t None = SIZE_MAX;
    struct Recent {
        std::uint64_t key = 0;
        std::size_t index = None;
    };

    std::vector<SliceSum>& m_out;
    std::vector<SliceSum> m_sums;
    std::unordered_map<std::uint64_t, std::size_t> m_indices;
    std::array<Recent, 64> m_recent{};
};

} // namespace

std::vector<Slices::SumStep> Slices::sumSteps() const
{
    std::vector<SumStep> steps;
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        const SliceSource& source = m_sources[i];
        if (arePreemptions(source))
            continue;
        const auto parts = source.segments
            ? storeAt(m_things->timeline(), source.store).segments().sum(source.kind).count / PartSegments + 1
            : source.rows.size();
        for (std::uint64_t part = 0; part < parts; ++part)
            steps.push_back({i, static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(parts)});
    }
    return steps;
}

void Slices::appendSums(const SumStep& step, std::vector<SliceSum>& out, const std::stop_token& stop) const
{
    const SliceSource& source = m_sources[step.source];
    SumsByKey sums(out);
    if (!source.segments) {
        const Row& row = source.rows[step.part];
        const auto take = [&](const Row&, TimeRange range, std::uint32_t value) {
            sums.add(value, (range.end - range.begin).count(), [&] {
                SliceRow slice;
                slice.source = step.source;
                slice.track = step.part;
                slice.name = value;
                return slice;
            });
        };
        const TimeRange all{Timestamp::min(), Timestamp::max()};
        if (source.areInstants) {
            for (const Interval& instant : intervals(m_things->timeline(), row.ref, all, stop))
                take(row, {instant.range.begin, instant.range.begin}, instant.value);
            return sums.finish();
        }
        forEachCompositeState(m_things->timeline(), source.state, {&row, 1}, all, take, stop, RunOrder::ByRow);
        return sums.finish();
    }
    const Store& store = storeAt(m_things->timeline(), source.store);
    const auto boundary = [&](std::uint32_t part) {
        return part == 0 ? HostTimestamp::min() : part == step.parts ? HostTimestamp::max() : beginOfSegment(source, part * PartSegments);
    };
    const HostRange range{boundary(step.part), boundary(step.part + 1)};
    store.segments().visit(
        source.kind, range,
        [&](std::span<const HostSegment> some) {
            for (const HostSegment& segment : some) {
                if (segment.begin < range.begin)
                    continue;
                const std::uint32_t track = trackNumberOf(source, segment.track);
                const std::int64_t duration = isOpen(source, segment) ? -1 : durationOf(source, segment);
                sums.add(std::uint64_t{track} << 32 | static_cast<std::uint32_t>(segment.name), duration,
                         [&] { return rowOf(step.source, segment); });
            }
        },
        stop);
    sums.finish();
}

/// Returns the duration of a segment on the experiment's clock.
std::int64_t Slices::durationOf(const SliceSource& source, const HostSegment& segment) const
{
    const ClockTransform& clock = clockOf(m_things->timeline(), source.store);
    return (clock(segment.end) - clock(segment.begin)).count();
}

} // namespace helio::sql
