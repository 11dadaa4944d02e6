#include "core/latency/intervals/density_grid.h"

#include "core/event_model/segment_fields.h"
#include "core/query/rows/duration_distribution.h"
#include "core/virtualization/virtual_machine_names.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace helio {
namespace {

double logOf(Duration length) { return std::log(std::max(1.0, double(length.count()))); }

/// Maps a value in [least, most] to a position in [0, parts].
double placeIn(double value, double least, double most, std::uint32_t parts)
{
    return most > least ? std::clamp((value - least) / (most - least), 0.0, 1.0) * parts : 0;
}

std::uint32_t cellOf(double place, std::uint32_t parts) { return std::min(static_cast<std::uint32_t>(place), parts - 1); }

/// Returns "comm tid" of the thread in the segment's fields; empty if the fields contain no thread.
std::string threadOf(const Timeline& timeline, const NamedInterval& interval)
{
    const std::string_view fields = interval.segment ? fieldsOf(timeline, *interval.segment) : std::string_view();
    const auto tid = fieldOf(fields, "tid");
    return tid ? fieldOf(fields, "comm").value_or("thread") + ' ' + *tid : std::string();
}

Duration lengthOfInterval(TimeRange range) { return std::max(Duration{}, lengthOf(range)); }

} // namespace

double DensityGridScale::columnAt(Timestamp at) const
{
    return placeIn(double(lengthOf({range.begin, std::clamp(at, range.begin, range.end)}).count()), 0, double(lengthOf(range).count()),
                   columns);
}

double DensityGridScale::rowAt(Duration length) const
{
    return isLogarithmic ? placeIn(logOf(length), logOf(least), logOf(most), rows)
                         : placeIn(double(length.count()), double(least.count()), double(most.count()), rows);
}

Timestamp DensityGridScale::timeAt(double column) const
{
    return range.begin + Duration(std::int64_t(std::ceil(column / columns * double(lengthOf(range).count()))));
}

Duration DensityGridScale::lengthAt(double row) const
{
    const double share = row / rows;
    if (!isLogarithmic)
        return least + Duration(std::int64_t(std::ceil(share * double((most - least).count()))));
    return Duration(std::int64_t(std::ceil(std::exp(logOf(least) + share * (logOf(most) - logOf(least))))));
}

DensityGrid densityGrid(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice, std::string_view only,
                        const DensityGridScale& scale, const std::vector<std::string>& names, std::stop_token stop)
{
    DensityGrid grid{scale, std::vector<DensityGrid::Cell>(std::size_t(scale.columns) * scale.rows), 0, 0};
    std::vector<Duration> longest(grid.cells.size(), Duration(-1));
    std::map<std::string_view, std::uint32_t> places;
    for (const std::string& it : names)
        places.emplace(it, static_cast<std::uint32_t>(places.size()));
    const auto take = [&](const NamedInterval& it) {
        if (it.isUnfinished || (!only.empty() && it.name != only))
            return;
        const Duration length = lengthOfInterval(it.range);
        const std::size_t at =
            std::size_t(cellOf(scale.rowAt(length), scale.rows)) * scale.columns + cellOf(scale.columnAt(it.range.begin), scale.columns);
        DensityGrid::Cell& cell = grid.cells[at];
        cell.count += cell.count < std::numeric_limits<std::uint32_t>::max();
        grid.most = std::max(grid.most, cell.count);
        ++grid.count;
        if (length <= longest[at])
            return;
        longest[at] = length;
        const auto place = places.find(it.name);
        cell.name = place != places.end() ? place->second : static_cast<std::uint32_t>(names.size());
    };
    forEachInterval(timeline, choice, take, std::move(stop));
    return grid;
}

WantedIntervals findWantedIntervals(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice,
                                    const std::function<bool(const NamedInterval&)>& isWanted, std::size_t most, std::stop_token stop)
{
    WantedIntervals found;
    const VirtualMachineNames machines(*timeline);
    const auto take = [&](const NamedInterval& it) {
        if (it.isUnfinished || !isWanted(it))
            return;
        if (found.count++ < most)
            found.intervals.push_back({it.range, machines.shownFor(it.row), threadOf(*timeline, it)});
    };
    forEachInterval(timeline, choice, take, std::move(stop));
    // The calls of a function come one kind of calls after another, so they must be sorted by start time.
    std::ranges::stable_sort(found.intervals, {}, [](const LocatedInterval& it) { return it.range.begin; });
    return found;
}

} // namespace helio
