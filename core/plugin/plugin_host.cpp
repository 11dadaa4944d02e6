#include "core/plugin/plugin_host.h"

#include <algorithm>
#include <cstring>

namespace {

using namespace helio;

constexpr std::size_t MostFields = 1 << 20;
constexpr std::size_t MostMessages = 100;

std::string_view textOf(const char* text) { return text ? std::string_view(text) : std::string_view(); }

template <typename List> bool isIn(const List& list, std::uint32_t number) { return number < list.size(); }

/// The number of what was just added to the list.
template <typename List> std::uint32_t lastOf(const List& list) { return static_cast<std::uint32_t>(list.size() - 1); }

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

/// Null: there is none of that number, or it is another type's.
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

std::uint32_t stateSet(heliograph_output* output, const char* id, const heliograph_state* states, std::uint32_t count)
{
    if (!states || count > MostStates)
        return HELIOGRAPH_NONE;
    StateSet set{std::string(textOf(id)), {}, {}};
    for (const heliograph_state& state : std::span(states, count)) {
        StateKind kind{std::string(textOf(state.name)), Meaning::None, {}};
        kind.meaning = state.meaning <= static_cast<std::uint32_t>(LastMeaning) ? static_cast<Meaning>(state.meaning) : Meaning::Unknown;
        kind.style.color = textOf(state.color);
        kind.style.legend = textOf(state.legend);
        kind.style.flags |= StateFlag::InHeader;
        set.states.push_back(std::move(kind));
    }
    const auto made = output->sink.stateSet(set);
    if (!made)
        return HELIOGRAPH_NONE;
    // A set of that id that was there before is the one that counts.
    const auto known = std::ranges::find(output->sets, *made);
    if (known != output->sets.end())
        count = output->statesOfSet[static_cast<std::size_t>(known - output->sets.begin())];
    output->sets.push_back(*made);
    output->statesOfSet.push_back(count);
    return lastOf(output->sets);
}

ValueKind valueKindOf(std::uint32_t value)
{
    return value == HELIOGRAPH_TEXT ? ValueKind::Text : value == HELIOGRAPH_NUMBER ? ValueKind::Number : ValueKind::None;
}

std::uint32_t row(heliograph_output* output, const heliograph_row* row)
{
    if (!row || !isIn(output->sets, row->state_set))
        return HELIOGRAPH_NONE;
    Track track;
    track.view = textOf(row->view);
    track.key = textOf(row->key);
    track.label = textOf(row->label);
    track.kind = "row";
    track.parent = isIn(output->rows, row->parent) ? output->rows[row->parent].track : NoTrack;
    track.states = output->sets[row->state_set];
    track.valueKind = valueKindOf(row->value);
    track.pid = row->pid;
    track.tid = row->tid;
    track.cpu = row->cpu;
    track.sortKey = row->order;
    output->rows.push_back({output->sink.addTrack(std::move(track)), output->statesOfSet[row->state_set]});
    return lastOf(output->rows);
}

std::uint32_t text(heliograph_output* output, const char* text) { return static_cast<std::uint32_t>(output->sink.string(textOf(text))); }

void set(heliograph_output* output, std::int64_t time, std::uint32_t row, std::uint32_t state, std::uint32_t value)
{
    if (isIn(output->rows, row) && state < output->rows[row].states)
        output->sink.set(hostTime(time), output->rows[row].track, State{static_cast<std::uint8_t>(state)}, value);
}

void end(heliograph_output* output, std::int64_t time, std::uint32_t row)
{
    if (isIn(output->rows, row))
        output->sink.end(hostTime(time), output->rows[row].track);
}

std::uint32_t linkKind(heliograph_output* output, const char* id, const char* title, const char* color)
{
    LinkKindInfo info;
    info.id = textOf(id);
    info.title = textOf(title);
    info.color = textOf(color);
    const auto made = output->sink.linkKind(info);
    if (!made)
        return HELIOGRAPH_NONE;
    output->linkKinds.push_back(*made);
    return lastOf(output->linkKinds);
}

void link(heliograph_output* output, std::uint32_t kind, std::uint32_t from, std::int64_t fromTime, std::uint32_t to, std::int64_t toTime)
{
    if (!isIn(output->linkKinds, kind) || !isIn(output->rows, from) || !isIn(output->rows, to))
        return;
    Link link;
    link.kind = output->linkKinds[kind];
    link.from = output->rows[from].track;
    link.to = output->rows[to].track;
    link.fromTime = hostTime(fromTime);
    link.toTime = hostTime(toTime);
    output->sink.link(link);
}

std::uint32_t segmentKind(heliograph_output* output, const char* id, const char* title, const char* nameTitle)
{
    const auto made =
        output->sink.segments().addKind({std::string(textOf(id)), std::string(textOf(title)), std::string(textOf(nameTitle))});
    if (!made)
        return HELIOGRAPH_NONE;
    output->segmentKinds.push_back(*made);
    return lastOf(output->segmentKinds);
}

void segment(heliograph_output* output, std::uint32_t kind, std::int64_t begin, std::int64_t end, const char* name, std::uint32_t row)
{
    if (!isIn(output->segmentKinds, kind))
        return;
    HostSegment segment;
    segment.begin = hostTime(begin);
    segment.end = hostTime(end);
    segment.name = output->sink.string(textOf(name));
    segment.track = isIn(output->rows, row) ? output->rows[row].track : NoTrack;
    segment.kind = output->segmentKinds[kind];
    output->sink.segments().add(segment);
}

void warn(heliograph_output* output, const char* kind, const char* what)
{
    const std::string word(textOf(kind));
    const auto known = std::ranges::find(output->diagnostics, word, &Diagnostic::kind);
    if (known != output->diagnostics.end())
        ++known->count;
    else if (output->diagnostics.size() < MostMessages)
        output->diagnostics.push_back({Diagnostic::Severity::Warning, word, {}, 0, 1, std::string(textOf(what))});
}

} // namespace

namespace helio {

const heliograph_host_v1& pluginHost()
{
    static constexpr heliograph_host_v1 Host{sizeof(heliograph_host_v1),
                                             typeCount,
                                             typeName,
                                             field,
                                             eventTime,
                                             eventType,
                                             eventCpu,
                                             eventInteger,
                                             eventText,
                                             stateSet,
                                             row,
                                             text,
                                             set,
                                             end,
                                             linkKind,
                                             link,
                                             segmentKind,
                                             segment,
                                             warn};
    return Host;
}

} // namespace helio
