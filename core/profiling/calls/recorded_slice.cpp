#include "core/profiling/calls/recorded_slice.h"

#include "core/query/events/events.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <optional>

namespace helio {
namespace {

std::string fieldText(const EventRow& event, std::string_view name)
{
    const auto found = std::ranges::find(event.fields, name, &NamedValue::name);
    return found != event.fields.end() ? displayText(found->value) : std::string();
}

/// True if the event belongs to the thread or track of `row`, the row that shows the slice.
bool isOfRow(const EventRow& event, const Row& row)
{
    constexpr std::string_view Track = "track:";
    if (row.id.starts_with(Track))
        return fieldText(event, "track") == row.id.substr(Track.size());
    return row.tid >= 0 && event.tid == row.tid && fieldText(event, "track").empty();
}

/// Returns the only event of a trace at the time `at` for which `isIt` returns true; nullopt if there are no or several such events.
template <typename IsIt>
std::optional<EventRow> onlyEventAt(EventTable& table, std::uint32_t trace, Timestamp at, const IsIt& isIt, const std::stop_token& stop)
{
    constexpr std::size_t MostAtOnce = 64;
    std::optional<EventRow> found;
    for (EventRow& event : table.rows(table.indexAt(at, stop), MostAtOnce, stop)) {
        if (event.time != at)
            break;
        if (event.trace != trace || !isIt(event))
            continue;
        if (found)
            return {};
        found = std::move(event);
    }
    return found;
}

void addFields(const EventRow& event, bool isAtEnd, std::vector<SliceField>& fields)
{
    for (const NamedValue& field : event.fields)
        if (field.name != "name" && field.name != "track" && field.name != "nest")
            if (std::string value = displayText(field.value); !value.empty() && value != "{}")
                fields.push_back({field.name, std::move(value), isAtEnd});
}

} // namespace

std::vector<SliceField> recordedSliceFields(const std::shared_ptr<const Timeline>& timeline, const CallFacts& slice, std::stop_token stop)
{
    EventTable table(timeline);
    const std::uint32_t trace = traceOf(*timeline, slice.call.store);
    const auto begin = onlyEventAt(
        table, trace, slice.call.range.begin,
        [&](const EventRow& event) {
            return (event.name == "span_begin" || event.name == "track_begin") && isOfRow(event, slice.thread)
                && fieldText(event, "name") == slice.called.label;
        },
        stop);
    std::vector<SliceField> fields;
    if (!begin)
        return fields;
    addFields(*begin, false, fields);
    const auto end = onlyEventAt(
        table, trace, slice.call.range.end,
        [&](const EventRow& event) { return (event.name == "span_end" || event.name == "track_end") && isOfRow(event, slice.thread); },
        stop);
    if (end && slice.end != CallEnd::StillOpen)
        addFields(*end, true, fields);
    return fields;
}

} // namespace helio
