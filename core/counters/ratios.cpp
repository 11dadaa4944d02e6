#include "core/counters/ratios.h"

#include "core/counters/rates.h"
#include "core/experiment/timeline.h"

#include <algorithm>
#include <iterator>
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
            return nullptr; // The name is ambiguous, because several series match it: return no series.
        found = found ? found : &it;
    }
    return found;
}

/// Returns the range from the first to the last point of a series; for a series that does not accumulate, up to the end of the timeline.
TimeRange pointsOf(const Timeline& timeline, const ViewSeries& series)
{
    const auto first = nextPoint(timeline, series.ref, timeline.range.begin - Duration(1));
    const auto last = previousPoint(timeline, series.ref, timeline.range.end + Duration(1));
    return first && last ? TimeRange{first->time, series.kind == CounterSeries::Kind::Accumulating ? last->time : timeline.range.end}
                         : TimeRange();
}

/// Groups adjacent series of the same row.
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
    for (const std::string& view : views)
        for (std::vector<ViewSeries>& series : findRowsWithSeries(viewSeries(timeline, view), names)) {
            RatioRow row;
            row.known = knownRange(timeline, series);
            row.place = findSeriesOwners(timeline, series).front();
            row.series = std::move(series);
            rows.push_back(std::move(row));
        }
    return rows;
}

std::vector<std::vector<ViewSeries>> findRowsWithSeries(std::span<const ViewSeries> all, std::span<const std::string> names)
{
    std::vector<std::vector<ViewSeries>> rows;
    for (const std::span<const ViewSeries> ofRow : byRow(all)) {
        std::vector<ViewSeries> row;
        for (const std::string& name : names)
            if (const ViewSeries* series = seriesNamed(ofRow, name))
                row.push_back(*series);
        if (row.size() == names.size() && !names.empty())
            rows.push_back(std::move(row));
    }
    return rows;
}

TimeRange knownRange(const Timeline& timeline, std::span<const ViewSeries> series)
{
    TimeRange known = series.empty() ? TimeRange() : pointsOf(timeline, series.front());
    for (const ViewSeries& it : series)
        known = known.clippedTo(pointsOf(timeline, it));
    return known;
}

std::optional<double> computeRatio(const Timeline& timeline, const CounterFormula& formula, const RatioRow& row, TimeRange range)
{
    std::vector<double> numbers;
    for (const ViewSeries& series : row.series) {
        const auto counted = countInRange(timeline, series, range);
        if (!counted)
            return {};
        numbers.push_back(*counted);
    }
    return formula.value(numbers);
}

std::string unknownNamesMessage(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula)
{
    return unknownNamesMessage(timeline, views, formula.names());
}

std::string unknownNamesMessage(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names)
{
    std::vector<ViewSeries> all;
    for (const std::string& view : views)
        std::ranges::move(viewSeries(timeline, view), std::back_inserter(all));
    return unknownNamesMessage(all, names);
}

std::string unknownNamesMessage(std::span<const ViewSeries> all, std::span<const std::string> names)
{
    std::set<std::string> titles;
    for (const ViewSeries& it : all)
        titles.insert(it.title);
    std::string unknown;
    for (const std::string& name : names)
        if (!seriesNamed(all, name))
            unknown += (unknown.empty() ? "\"" : ", \"") + name + '"';
    if (unknown.empty())
        return {};
    std::string known;
    for (const std::string& title : titles)
        known += (known.empty() ? "" : ", ") + title;
    return "no single counter is named " + unknown + "; there are" + (known.empty() ? " none" : ": " + known);
}

std::string quoteForFormula(std::string_view title)
{
    const std::string plain(title);
    const std::string quoted = '"' + plain + '"';
    for (const std::string& text : {plain, quoted})
        if (const auto formula = CounterFormula::parse(text); formula && formula->names() == std::vector{plain} && formula->isName())
            return text;
    return {};
}

std::string suggestRatio(std::span<const ViewSeries> all, std::span<const std::string> taken)
{
    const auto isTaken = [taken](std::string_view text) { return std::ranges::find(taken, text) != taken.end(); };
    for (const char* text :
         {"instructions / cycles", "cache-misses / cache-references", "branch-misses / branches", "branch-misses / branch-instructions",
          "cache-misses / instructions", "page-faults / cpu-clock", "page-faults / task-clock", "page-fault / task-clock"})
        if (!isTaken(text) && !findRowsWithSeries(all, CounterFormula::parse(text)->names()).empty())
            return text;
    for (const std::span<const ViewSeries> row : byRow(all)) {
        std::vector<std::string> names;
        for (const ViewSeries& it : row)
            if (std::string name = quoteForFormula(it.title); !name.empty() && std::ranges::find(names, name) == names.end())
                names.push_back(std::move(name));
        if (names.size() > 1 && !isTaken(names[0] + " / " + names[1]))
            return names[0] + " / " + names[1];
    }
    return {};
}

} // namespace helio
