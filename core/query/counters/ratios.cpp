#include "core/query/counters/ratios.h"

#include "core/query/counters/rates.h"

#include <algorithm>
#include <set>
#include <utility>

namespace helio {
namespace {

const ViewSeries* seriesNamed(std::span<const ViewSeries> all, std::string_view name)
{
    for (const ViewSeries& it : all)
        if (it.title == name)
            return &it;
    const ViewSeries* found = nullptr;
    for (const ViewSeries& it : all) {
        if (!isNamed(it.title, name))
            continue;
        if (found && found->title != it.title)
            return nullptr; // Which of several is meant is not known.
        found = found ? found : &it;
    }
    return found;
}

/// From its first point to its last.
TimeRange pointsOf(const Timeline& timeline, const ViewSeries& series)
{
    const auto first = nextPoint(timeline, series.ref, timeline.range.begin - Duration(1));
    const auto last = previousPoint(timeline, series.ref, timeline.range.end + Duration(1));
    return first && last ? TimeRange{first->time, series.kind == CounterSeries::Kind::Accumulating ? last->time : timeline.range.end}
                         : TimeRange();
}

/// Those that stand beside each other and are of one row.
std::vector<std::span<const ViewSeries>> byRow(std::span<const ViewSeries> all)
{
    std::vector<std::span<const ViewSeries>> rows;
    for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin + 1;
        while (end < all.size() && all[end].ref.store == all[begin].ref.store && all[end].track == all[begin].track)
            ++end;
        rows.push_back(all.subspan(begin, end - begin));
        begin = end;
    }
    return rows;
}

} // namespace

std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula)
{
    return ratioRows(timeline, views, formula.names());
}

std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names)
{
    std::vector<RatioRow> rows;
    for (const std::string& view : views) {
        const std::vector<ViewSeries> all = viewSeries(timeline, view);
        for (const std::span<const ViewSeries> ofRow : byRow(all)) {
            RatioRow row;
            for (const std::string& name : names)
                if (const ViewSeries* series = seriesNamed(ofRow, name))
                    row.series.push_back(*series);
            if (row.series.size() != names.size() || names.empty())
                continue;
            row.known = pointsOf(timeline, row.series.front());
            for (const ViewSeries& it : row.series)
                row.known = row.known.clippedTo(pointsOf(timeline, it));
            row.place = placesOf(timeline, row.series).front();
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::optional<double> ratioIn(const Timeline& timeline, const CounterFormula& formula, const RatioRow& row, TimeRange range)
{
    std::vector<double> numbers;
    for (const ViewSeries& series : row.series) {
        const auto counted = countedIn(timeline, series, range);
        if (!counted)
            return {};
        numbers.push_back(*counted);
    }
    return formula.value(numbers);
}

std::string unknownNames(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula)
{
    return unknownNames(timeline, views, formula.names());
}

std::string unknownNames(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names)
{
    std::vector<ViewSeries> all;
    std::set<std::string> titles;
    for (const std::string& view : views)
        for (ViewSeries& it : viewSeries(timeline, view)) {
            titles.insert(it.title);
            all.push_back(std::move(it));
        }
    std::string unknown;
    for (const std::string& name : names)
        if (!seriesNamed(all, name))
            unknown += (unknown.empty() ? "\"" : ", \"") + name + '"';
    if (unknown.empty())
        return {};
    std::string known;
    for (const std::string& title : titles)
        known += (known.empty() ? "" : ", ") + title;
    return "no single counter is called " + unknown + "; there are" + (known.empty() ? " none" : ": " + known);
}

} // namespace helio
