#include "app/cli/selection/position_options.h"

#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/selection_options.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <array>
#include <vector>

namespace helio {
namespace {

/// Returns the views in which a row is searched: only the view of the position, if it names one; else first the views with a panel, then
/// all other views.
std::vector<std::string> viewsToSearch(const PositionOptions& position, const Timeline& timeline)
{
    if (!position.view.empty())
        return {position.view};
    std::vector<std::string> views;
    for (const TrackView& view : offeredViews(timeline))
        views.push_back(view.id);
    for (const std::string& view : viewsOf(timeline))
        if (std::ranges::find(views, view) == views.end())
            views.push_back(view);
    return views;
}

Status checkHost(const std::string& host, const Timeline& timeline)
{
    if (host.empty() || std::ranges::find(timeline.hosts, host, &TimelineHost::label) != timeline.hosts.end())
        return Done{};
    std::string names;
    for (const TimelineHost& it : timeline.hosts)
        names += (names.empty() ? "" : ", ") + it.label;
    return makeUsageError("--host", "no host is named \"" + host + "\"; there are: " + names);
}

/// Returns the row that shows a found row: the row itself or, for a group such as a thread with call stacks, its first row with calls, else
/// its first row that is no group.
TrackRef findShownRow(const Timeline& timeline, std::string_view view, const Row& found)
{
    if (found.role != TrackRole::Group)
        return found.ref;
    const std::vector<Row> all = rows(timeline, view);
    const auto group = std::ranges::find(all, found.ref, &Row::ref);
    const auto place = std::int32_t(group - all.begin());
    TrackRef first;
    // Rows below the group follow it, because a parent comes before its children and siblings are not mixed with rows below them.
    for (auto row = group == all.end() ? group : group + 1; row != all.end() && row->parent >= place; ++row) {
        if (row->role != TrackRole::Group && row->valueKind == ValueKind::Frame)
            return row->ref;
        if (row->role != TrackRole::Group && !first.isValid())
            first = row->ref;
    }
    return first.isValid() ? first : found.ref;
}

} // namespace

void PositionOptions::addTo(OptionList& options)
{
    OptionList position = options.group("Position");
    position.value("--at", m_given.at, "T", "Cursor: ns since the epoch, HH:MM:SS.nnnnnnnnn, or +1.5s after the start");
    position.value("--row", row, "ID", "Select this row: its ID or label, or a pattern, for example tid:1234");
    position.value("--begin", m_given.begin, "T", "Start of the visible range; same forms as --at");
    position.value("--end", m_given.end, "T", "End of the visible range; same forms as --at");
    position.value("--view", view, "VIEW", "Show this view, and select the row in it");
    position.value("--host", host, "NAME", "Select the row of this host");
}

Status PositionOptions::read()
{
    return runInOrder([&] { return readTimeOption("--at", m_given.at, at); },
                      [&] { return readTimeOption("--begin", m_given.begin, begin); },
                      [&] { return readTimeOption("--end", m_given.end, end); });
}

bool PositionOptions::dependsOnRange() const
{
    const auto isRelative = [](const std::optional<TimeText>* time) { return *time && (*time)->kind != TimeText::Kind::Absolute; };
    return begin.has_value() != end.has_value() || std::ranges::any_of(std::array{&at, &begin, &end}, isRelative);
}

Result<PositionTimes> PositionOptions::timesIn(const Timeline& timeline) const
{
    const TimeRange all = rangeOf(timeline);
    const bool isTimed = hasTimes(timeline) && all != TimeRange();
    struct {
        const char* option;
        const std::string& given;
        const std::optional<TimeText>& time;
    } const each[]{{"--at", m_given.at, at}, {"--begin", m_given.begin, begin}, {"--end", m_given.end, end}};
    for (const auto& [option, given, time] : each) {
        if (time && !isTimed)
            return makeUsageError(option, "the trace has no times");
        if (const auto is = time ? std::optional(resolve(*time, all.begin)) : std::nullopt; is && (*is < all.begin || *is > all.end))
            return makeUsageError(option,
                                  "\"" + given + "\" is outside of the trace, which has times from "
                                      + std::to_string(nanoseconds(all.begin)) + " to " + std::to_string(nanoseconds(all.end)));
    }
    PositionTimes times;
    if (at)
        times.cursor = resolve(*at, all.begin);
    if (!begin && !end)
        return times;
    times.visible = {begin ? resolve(*begin, all.begin) : all.begin, end ? resolve(*end, all.begin) : all.end};
    if (times.visible.begin < times.visible.end)
        return times;
    if (!begin)
        return makeUsageError("--end", '"' + m_given.end + "\" is not after the start of the trace");
    if (!end)
        return makeUsageError("--begin", '"' + m_given.begin + "\" is not before the end of the trace");
    return Error{Error::Kind::Usage, "--end is not after --begin"};
}

Result<PositionRow> findPositionRow(const PositionOptions& position, const Timeline& timeline, std::optional<Timestamp> at)
{
    if (!position.view.empty())
        if (const auto known = findRequestedViews(position.view, timeline); !known)
            return known.error();
    if (const Status known = checkHost(position.host, timeline); !known)
        return known.error();
    if (position.row.empty())
        return PositionRow{{}, position.view, {}, 0};
    SelectionOptions options;
    options.row = position.row;
    options.host = position.host;
    const RowSelection selection(options, timeline);
    for (const std::string& view : viewsToSearch(position, timeline)) {
        std::vector<Row> found = selection.rowsOf(view);
        std::erase_if(found, [](const Row& row) { return !row.ref.isValid(); });
        if (found.empty())
            continue;
        const auto rank = [&](const Row& row) { return (row.id == position.row ? 2 : 0) + (at && row.life.contains(*at) ? 1 : 0); };
        // Take the row with the highest rank. If several rows have this rank, max_element() returns the first of them.
        const auto best = std::ranges::max_element(found, {}, rank);
        const auto areExact = std::ranges::count(found, position.row, &Row::id);
        return PositionRow{findShownRow(timeline, view, *best), view, best->label, areExact > 0 ? std::size_t(areExact) : found.size()};
    }
    const std::string where = position.view.empty() ? std::string() : " of " + position.view;
    const std::string host = position.host.empty() ? std::string() : " on " + position.host;
    return makeUsageError("--row",
                          "no row" + where + host + " has the ID or label \"" + position.row + "\"; heliograph tracks lists the rows");
}

} // namespace helio
