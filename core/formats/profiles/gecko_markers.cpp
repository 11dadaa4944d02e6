#include "core/formats/profiles/gecko_markers.h"

#include "core/formats/profiles/gecko_table.h"
#include "core/formats/profiles/limits.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::profiles {
namespace {

constexpr std::int64_t NoMarkerEnd = std::numeric_limits<std::int64_t>::max();

/// Interval of a marker in ns.
struct MarkerInterval {
    std::int64_t begin = 0;
    std::int64_t end = NoMarkerEnd; ///< NoMarkerEnd if the end is missing.
    std::size_t row = 0; ///< Row in the table of markers.
};

/// Table of the markers of a thread.
class MarkerTable {
public:
    MarkerTable(const GeckoTable& table, const GeckoThread& thread)
        : m_thread(thread)
        , m_names(table.column("name"))
        , m_starts(table.column(table.has("startTime") ? "startTime" : "time"))
        , m_ends(table.column("endTime"))
        , m_phases(table.column("phase"))
        , m_categories(table.column("category"))
        , m_data(table.column("data"))
    {
    }

    std::size_t size() const { return m_names.size(); }
    /// Returns the phase: 0 for an instant, 1 for an interval, 2 for the begin and 3 for the end of an interval; a larger number if it is
    /// invalid. Markers of old profiles have no phases; they are instants.
    std::size_t phase(std::size_t row) const { return m_phases.empty() ? 0 : indexAt(m_phases, row).value_or(4); }
    std::optional<std::int64_t> begin(std::size_t row) const { return timeAt(m_starts, row); }
    std::optional<std::int64_t> end(std::size_t row) const { return timeAt(m_ends, row); }
    std::string_view name(std::size_t row) const { return textAt(m_thread.strings, m_names, row); }

    /// Returns the texts of a marker, valid until the next call.
    SliceTexts texts(std::size_t row)
    {
        const auto data = objectIn(row < m_data.size() ? m_data[row] : Element());
        m_arguments = data && data->size() > 0 ? simdjson::minify(*data) : std::string();
        return {name(row), textAt(m_thread.categories, m_categories, row), m_arguments, {}};
    }

private:
    std::optional<std::int64_t> timeAt(const std::vector<Element>& column, std::size_t row) const
    {
        constexpr double NsPerMs = 1e6;
        const auto number = row < column.size() ? numberIn(column[row]) : std::nullopt;
        const auto ns = number ? scaled(*number, NsPerMs) : std::nullopt;
        std::int64_t time = 0;
        return ns && !__builtin_add_overflow(m_thread.start, *ns, &time) ? std::optional(time) : std::nullopt;
    }

    static std::string_view textAt(std::span<const std::string_view> texts, const std::vector<Element>& column, std::size_t row)
    {
        const auto index = indexAt(column, row);
        return index && *index < texts.size() ? texts[*index] : std::string_view();
    }

    const GeckoThread& m_thread;
    std::vector<Element> m_names;
    std::vector<Element> m_starts;
    std::vector<Element> m_ends;
    std::vector<Element> m_phases;
    std::vector<Element> m_categories;
    std::vector<Element> m_data;
    std::string m_arguments;
};

} // namespace

Result<std::optional<std::int64_t>> GeckoMarkers::write(const Element& element, const GeckoThread& thread, const std::stop_token& stop)
{
    const auto report = [&](const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning) {
        m_recording.events.report(kind, 0, 0, what, severity);
    };
    MarkerTable markers(GeckoTable(element), thread);
    std::optional<std::int64_t> first;
    std::int64_t track = 0; // Track of the thread for intervals that do not nest; 0 before the first one.
    const auto declareTrack = [&](std::int64_t time) {
        if (track > 0)
            return track;
        TrackDescription description;
        description.track = track = ++m_tracks;
        description.context = thread.context;
        description.name = thread.context.tid >= 0 ? "Overlapping markers" : thread.context.name;
        m_writer.declareTrack(time, description);
        return track;
    };
    std::vector<MarkerInterval> intervals;
    std::unordered_map<std::string_view, std::vector<std::size_t>> begun; // Indices of the intervals without an end, by name.
    for (std::size_t row = 0; row < markers.size(); ++row) {
        if (row % StopStep == 0 && stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        const std::size_t phase = markers.phase(row);
        const auto begin = markers.begin(row);
        const auto end = markers.end(row);
        if (phase > 3 || (phase != 3 && !begin) || ((phase == 1 || phase == 3) && !end) || (phase == 1 && *end < *begin)) {
            report("bad-marker", "a marker has no valid phase or times; it is missing");
            continue;
        }
        const std::int64_t time = phase == 3 ? *end : *begin;
        first = std::min(first.value_or(time), time);
        if (phase == 3) {
            auto& open = begun[markers.name(row)];
            if (open.empty() || intervals[open.back()].begin > *end) {
                report("end-without-begin", "the end of a marker has no begin; the marker is missing");
                continue;
            }
            intervals[open.back()].end = *end;
            open.pop_back();
        } else if (phase > 0) {
            if (phase == 2)
                begun[markers.name(row)].push_back(intervals.size());
            intervals.push_back({*begin, phase == 1 ? *end : NoMarkerEnd, row});
        } else {
            TrackPlace place{thread.context};
            if (thread.context.tid < 0)
                place.track = declareTrack(*begin);
            m_writer.addInstant(*begin, place.track == 0 ? TrackScope::Thread : TrackScope::Track, place, markers.texts(row));
        }
    }

    std::ranges::stable_sort(
        intervals, [](const MarkerInterval& a, const MarkerInterval& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    std::vector<std::int64_t> open; // Ends of the open slices of the thread, outermost first.
    const auto endSlices = [&](std::int64_t time) {
        for (; !open.empty() && open.back() <= time && open.back() != NoMarkerEnd; open.pop_back())
            m_writer.endSlice(open.back(), {thread.context});
    };
    std::int64_t nest = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        if (i % StopStep == 0 && stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        const MarkerInterval& interval = intervals[i];
        if (interval.end == NoMarkerEnd)
            report("no-marker-end", "a marker has no end; it lasts until the end of the profile", Diagnostic::Severity::Info);
        endSlices(interval.begin);
        TrackPlace place{thread.context};
        const bool nests = thread.context.tid >= 0 && (open.empty() || interval.end <= open.back());
        if (!nests) {
            place.track = declareTrack(interval.begin);
            place.nest = ++nest;
        }
        m_writer.beginSlice(interval.begin, place, markers.texts(interval.row));
        if (nests && interval.end > interval.begin)
            open.push_back(interval.end);
        else if (interval.end != NoMarkerEnd)
            m_writer.endSlice(interval.end, place);
    }
    endSlices(NoMarkerEnd - 1);
    return first;
}

} // namespace helio::profiles
