#include "core/profiling/calls/recorded_slice.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <utility>

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

/// Returns the only one of the events that belongs to a trace and for which `isIt` returns true; nullptr if there are none or several.
template <typename IsIt> const EventRow* onlyEvent(std::span<const EventRow> events, std::uint32_t trace, const IsIt& isIt)
{
    const EventRow* found = nullptr;
    for (const EventRow& event : events) {
        if (event.trace != trace || !isIt(event))
            continue;
        if (found)
            return nullptr;
        found = &event;
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

RecordedSliceReader::RecordedSliceReader(std::shared_ptr<const Timeline> timeline)
    : m_timeline(std::move(timeline))
    , m_begins(m_timeline)
    , m_ends(m_timeline)
{
}

std::vector<SliceField> RecordedSliceReader::fieldsOf(const CallFacts& slice, const std::stop_token& stop)
{
    const std::uint32_t trace = traceOf(*m_timeline, slice.call.store);
    const EventRow* const begin = onlyEvent(m_begins.eventsAt(slice.call.range.begin, stop), trace, [&](const EventRow& event) {
        return (event.name == "span_begin" || event.name == "track_begin") && isOfRow(event, slice.thread)
            && fieldText(event, "name") == slice.called.label;
    });
    std::vector<SliceField> fields;
    if (!begin)
        return fields;
    addFields(*begin, false, fields);
    if (slice.end == CallEnd::StillOpen)
        return fields;
    const EventRow* const end = onlyEvent(m_ends.eventsAt(slice.call.range.end, stop), trace, [&](const EventRow& event) {
        return (event.name == "span_end" || event.name == "track_end") && isOfRow(event, slice.thread);
    });
    if (end)
        addFields(*end, true, fields);
    return fields;
}

std::vector<SliceField> recordedSliceFields(const std::shared_ptr<const Timeline>& timeline, const CallFacts& slice, std::stop_token stop)
{
    return RecordedSliceReader(timeline).fieldsOf(slice, stop);
}

} // namespace helio
