#include "app/cli/selection/row_selection.h"

#include "core/query/rows/row_notes.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {
namespace {

/// Matches the character `c` against the pattern at position `at`, and advances `at` past the matched part of the pattern.
bool matchOne(std::string_view pattern, std::size_t& at, char c)
{
    if (pattern[at] == '?') {
        ++at;
        return true;
    }
    const auto close = pattern[at] == '[' ? pattern.find(']', at + 2) : std::string_view::npos;
    if (close == std::string_view::npos)
        return pattern[at++] == c;
    std::size_t i = at + 1;
    const bool isNegated = pattern[i] == '!';
    bool isIn = false;
    for (i += isNegated; i < close; ++i) {
        const bool isRange = i + 2 < close && pattern[i + 1] == '-';
        isIn = isIn || (isRange ? pattern[i] <= c && c <= pattern[i + 2] : pattern[i] == c);
        i += isRange ? 2 : 0;
    }
    at = close + 1;
    return isIn != isNegated;
}

} // namespace

bool matchesGlob(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0;
    std::size_t t = 0;
    // `star`: position in the pattern after the last `*`; npos if there was no `*`. `starText`: position in the text from which the pattern
    // after this `*` is matched.
    std::size_t star = std::string_view::npos;
    std::size_t starText = 0;
    while (t < text.size()) {
        std::size_t next = p;
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            starText = t;
        } else if (p < pattern.size() && matchOne(pattern, next, text[t])) {
            p = next;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star;
            t = ++starText;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

RowSelection::RowSelection(const SelectionOptions& options, const Timeline& timeline)
    : m_options(options)
    , m_timeline(timeline)
{
    if (options.process.empty())
        return;
    for (const Row& row : threads(timeline)) {
        const auto names = namesOf(timeline, row.ref);
        if (std::find(names.begin(), names.end(), options.process) != names.end())
            m_processes.emplace_back(row.host, row.pid >= 0 ? row.pid : row.tid);
    }
    std::sort(m_processes.begin(), m_processes.end());
}

bool RowSelection::matchesProcess(const Row& row) const
{
    return (row.role == TrackRole::Thread || row.pid >= 0)
        && std::binary_search(m_processes.begin(), m_processes.end(), std::pair(row.host, row.pid >= 0 ? row.pid : row.tid));
}

bool RowSelection::hasGivenPlace(const Row& row) const
{
    if (m_options.thread && row.tid != *m_options.thread)
        return false;
    if (m_options.cpu && row.cpu != *m_options.cpu)
        return false;
    const auto isHost = [&](std::size_t host) { return host < m_timeline.hosts.size() && m_timeline.hosts[host].label == m_options.host; };
    if (m_options.host.empty() || isHost(row.host))
        return true;
    // Rows of a virtual machine match both the name of its host and the name of its guest.
    const auto inner = findGuestHost(m_timeline, row.ref);
    return inner && isHost(*inner);
}

bool RowSelection::isChosen(const Row& row) const
{
    if (!hasGivenPlace(row))
        return false;
    if (!m_options.row.empty() && !matchesGlob(m_options.row, row.id) && !matchesGlob(m_options.row, row.label))
        return false;
    return m_options.process.empty() || matchesProcess(row);
}

bool RowSelection::dependsOnIntervals(const Row& row) const
{
    return m_options.filter
        && (m_options.filter->needsIntervals() || (row.valueKind == ValueKind::Frame && m_options.filter->needsNames()));
}

bool RowSelection::selects(const Row& row) const
{
    if (!isChosen(row))
        return false;
    if (!m_options.filter || m_options.filter->needsIntervals())
        return true;
    return matches(*m_options.filter, factsOf(row));
}

bool RowSelection::selects(const ViewSeries& series, const SeriesOwner& place) const
{
    Row row = rowOf(m_timeline, series);
    std::vector<std::uint32_t> hosts{row.host};
    if (place.guest)
        hosts.push_back(*place.guest);
    for (const std::uint32_t host : hosts) {
        Row asked = row;
        asked.host = host;
        if (selects(asked))
            return true;
        asked.id = series.id;
        asked.label = series.title;
        if (selects(asked))
            return true;
        asked.id = place.machine;
        if (!place.machine.empty() && selects(asked))
            return true;
    }
    return false;
}

RowFacts RowSelection::factsOf(const Row& row) const { return rowFacts(m_timeline, row); }

bool RowSelection::selects(RowFacts& facts, const Interval& interval) const
{
    return !dependsOnIntervals(*facts.row) || matches(*m_options.filter, m_timeline, facts, interval);
}

bool RowSelection::selects(RowFacts& facts, std::string_view name, TimeRange range, std::string_view fields) const
{
    facts.fields = fields;
    const bool isLeft = !m_options.filter || matches(*m_options.filter, facts, name, range);
    facts.fields = {};
    return isLeft;
}

std::vector<Row> RowSelection::rowsOf(std::string_view view) const
{
    std::vector<Row> left = rows(m_timeline, view);
    std::erase_if(left, [&](const Row& row) { return !(dependsOnIntervals(row) ? isChosen(row) : selects(row)); });
    return left;
}

Status checkRowFilter(const SelectionOptions& options)
{
    if (options.filter && options.filter->needsIntervals())
        return Error{Error::Kind::Usage, "--filter: state, duration and time do not apply to whole rows; use heliograph states"};
    return Done{};
}

Result<std::vector<std::string>> findRequestedViews(const std::string& view, const Timeline& timeline,
                                                    std::optional<TrackView::Shape> shape,
                                                    const std::function<std::vector<std::string>()>& others)
{
    auto views = viewsOf(timeline);
    if (shape)
        std::erase_if(views, [&](const std::string& it) { return viewDescription(timeline, it).shape != *shape; });
    if (view.empty())
        return views;
    if (std::find(views.begin(), views.end(), view) != views.end())
        return std::vector<std::string>{view};
    if (!shape && others)
        for (std::string& it : others())
            if (std::ranges::find(views, it) == views.end())
                views.push_back(std::move(it));
    std::string names;
    for (const std::string& it : views)
        names += (names.empty() ? "" : ", ") + it;
    const std::string what = shape == TrackView::Shape::Curves ? "view of counters" : "view";
    return Error{Error::Kind::Usage,
                 "--view: there is no " + what + " \"" + view + "\" here; there are" + (names.empty() ? " none" : ": " + names)};
}

} // namespace helio
