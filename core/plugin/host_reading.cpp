// Functions by which a plug-in reads the trace and its events.

#include "core/plugin/host_functions.h"

#include <algorithm>
#include <cstring>

namespace {

using namespace helio;

constexpr std::size_t MostFields = 1 << 20;

std::uint32_t typeCount(const heliograph_trace* trace) { return static_cast<std::uint32_t>(trace->trace.eventTypes().size()); }

const char* typeName(const heliograph_trace* trace, std::uint32_t type)
{
    return type < typeCount(trace) ? trace->trace.eventTypes()[EventTypeId{type}].name.c_str() : nullptr;
}

std::uint32_t field(heliograph_trace* trace, std::uint32_t type, const char* name)
{
    if (type >= typeCount(trace) || trace->fields.size() >= MostFields)
        return HELIOGRAPH_NONE;
    FieldRef ref = FieldRef::find(trace->trace.eventTypes()[EventTypeId{type}], textOf(name));
    if (!ref.isValid())
        return HELIOGRAPH_NONE;
    trace->fields.push_back({type, ref});
    return lastOf(trace->fields);
}

std::int64_t eventTime(const heliograph_event* event) { return nanoseconds(event->event.time()); }
std::uint32_t eventType(const heliograph_event* event) { return static_cast<std::uint32_t>(event->event.record->type); }
std::int32_t eventCpu(const heliograph_event* event) { return event->event.cpu(); }

/// Returns nullptr if there is no field with that number, or if it belongs to another event type.
const FieldRef* fieldOf(const heliograph_event* event, std::uint32_t number)
{
    const auto& fields = event->trace.fields;
    return isIn(fields, number) && fields[number].type == eventType(event) ? &fields[number].ref : nullptr;
}

int eventInteger(const heliograph_event* event, std::uint32_t number, std::int64_t* value)
{
    const FieldRef* ref = fieldOf(event, number);
    const auto found = ref ? ref->integer(event->event) : std::nullopt;
    if (found && value)
        *value = *found;
    return found ? 1 : 0;
}

int eventReal(const heliograph_event* event, std::uint32_t number, double* value)
{
    const FieldRef* ref = fieldOf(event, number);
    const auto found = ref ? ref->number(event->event) : std::nullopt;
    if (found && value)
        *value = *found;
    return found ? 1 : 0;
}

std::uint32_t eventText(const heliograph_event* event, std::uint32_t number, char* text, std::uint32_t room)
{
    const FieldRef* ref = fieldOf(event, number);
    const std::string_view found = ref ? ref->text(event->event) : std::string_view();
    if (text && room > 0) {
        const std::size_t size = std::min<std::size_t>(found.size(), room - 1);
        std::memcpy(text, found.data(), size);
        text[size] = 0;
    }
    return static_cast<std::uint32_t>(found.size());
}

} // namespace

void helio::setReadingFunctions(heliograph_host_v1& host)
{
    host.type_count = typeCount;
    host.type_name = typeName;
    host.field = field;
    host.event_time = eventTime;
    host.event_type = eventType;
    host.event_cpu = eventCpu;
    host.event_integer = eventInteger;
    host.event_real = eventReal;
    host.event_text = eventText;
}
