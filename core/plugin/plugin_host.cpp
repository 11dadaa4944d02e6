#include "core/plugin/plugin_host.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace {

using namespace helio;

/// Returns the text as a string view; an empty text for nullptr.
std::string_view textOf(const char* text) { return text ? std::string_view(text) : std::string_view(); }

template <typename List> bool isIn(const List& list, std::uint32_t number) { return number < list.size(); }

/// Returns the index of the last element of a list.
template <typename List> std::uint32_t lastOf(const List& list) { return static_cast<std::uint32_t>(list.size() - 1); }

/// Returns the track of a row; NoTrack if the row does not exist.
TrackId trackOf(const heliograph_output& output, std::uint32_t row) { return isIn(output.rows, row) ? output.rows[row].track : NoTrack; }

// Functions that a plug-in calls to read the trace and its events. A plug-in can look up at most MostFields fields.

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

/// Returns the field with this number; nullptr if no such field exists or if it belongs to another event type.
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

// Functions that a plug-in's analysis calls to report rows, states, links and warnings.

constexpr std::size_t MostMessages = 100;

/// Returns the style of a state of this category, as built-in analyses use it: full height on a CPU, half height if runnable or waiting, a
/// thin line at rest.
StateStyle styleOf(StateCategory meaning)
{
    StateStyle look;
    look.flags |= StateFlag::InHeader;
    if (isRunnable(meaning) || meaning == StateCategory::Waits)
        look.height = 8;
    if (meaning == StateCategory::Unknown) {
        look.height = 5;
        look.drawing = BarPattern::Hatched;
        look.order = RestingOrder;
    } else if (isAtRest(meaning)) {
        look.height = 1;
        look.drawing = BarPattern::Line;
        look.order = RestingOrder + 1;
    }
    return look;
}

std::uint32_t stateSet(heliograph_output* output, const char* id, const heliograph_state* states, std::uint32_t count)
{
    if (!states || count > MostStates)
        return HELIOGRAPH_NONE;
    StateSet set{std::string(textOf(id)), {}, output->title};
    for (const heliograph_state& state : std::span(states, count)) {
        StateKind kind{std::string(textOf(state.name)), StateCategory::None, {}};
        kind.meaning = state.meaning <= static_cast<std::uint32_t>(LastStateCategory) ? static_cast<StateCategory>(state.meaning)
                                                                                      : StateCategory::Unknown;
        kind.style = styleOf(kind.meaning);
        kind.style.color = textOf(state.color);
        kind.style.legend = textOf(state.legend);
        set.states.push_back(std::move(kind));
    }
    const auto made = output->sink.stateSet(set);
    if (!made)
        return HELIOGRAPH_NONE;
    // If the sink already has a set with this id, it keeps that set, and its number of states limits the states that the plug-in may
    // use.
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
    track.parent = trackOf(*output, row->parent);
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

void warn(heliograph_output* output, const char* kind, const char* what)
{
    const std::string word(textOf(kind));
    const auto known = std::ranges::find(output->diagnostics, word, &Diagnostic::kind);
    if (known != output->diagnostics.end())
        ++known->count;
    else if (output->diagnostics.size() < MostMessages)
        output->diagnostics.push_back({Diagnostic::Severity::Warning, word, {}, 0, 1, std::string(textOf(what))});
}

// Functions that a plug-in's analysis calls to report segments, counters and samples.

constexpr std::size_t MostSampleKinds = 255;

/// Returns the number by which the plug-in refers to a new kind or series; HELIOGRAPH_NONE if the store created no id. Increases
/// `count` so that it exceeds the number: later, numbers from the plug-in are valid if they are below `count`.
template <typename Id> std::uint32_t numberOf(const Result<Id>& made, std::uint32_t& count)
{
    if (!made)
        return HELIOGRAPH_NONE;
    const auto number = static_cast<std::uint32_t>(*made);
    count = std::max(count, number + 1);
    return number;
}

std::uint32_t segmentKind(heliograph_output* output, const heliograph_segment_kind* kind)
{
    if (!kind)
        return HELIOGRAPH_NONE;
    SegmentKind made;
    made.id = textOf(kind->id);
    made.title = textOf(kind->title);
    made.nameTitle = textOf(kind->name_title);
    made.valueTitle = textOf(kind->value_title);
    made.valueUnit = textOf(kind->value_unit);
    return numberOf(output->sink.segments().addKind(made), output->segmentKinds);
}

void segment(heliograph_output* output, const heliograph_segment* segment)
{
    if (!segment || segment->kind >= output->segmentKinds)
        return;
    HostSegment made;
    made.begin = hostTime(segment->begin);
    made.end = hostTime(segment->end);
    made.value = segment->value;
    made.name = output->sink.string(textOf(segment->name));
    made.track = trackOf(*output, segment->row);
    made.kind = SegmentKindId{static_cast<std::uint8_t>(segment->kind)};
    output->sink.segments().add(made);
}

std::uint32_t series(heliograph_output* output, const heliograph_series* series)
{
    if (!series)
        return HELIOGRAPH_NONE;
    CounterSeries made;
    made.view = textOf(series->view);
    made.id = textOf(series->id);
    made.title = textOf(series->title);
    made.unit = textOf(series->unit);
    made.kind = series->is_total ? CounterSeries::Kind::Accumulating : CounterSeries::Kind::Gauge;
    made.number = series->is_real ? CounterNumber::Real : CounterNumber::Integer;
    made.track = trackOf(*output, series->row);
    return numberOf(output->sink.counters().addSeries(made), output->series);
}

void point(heliograph_output* output, std::uint32_t series, std::int64_t time, std::int64_t value)
{
    if (series < output->series)
        output->sink.counters().addInteger(CounterSeriesId{series}, hostTime(time), value);
}

void realPoint(heliograph_output* output, std::uint32_t series, std::int64_t time, double value)
{
    if (series < output->series)
        output->sink.counters().addReal(CounterSeriesId{series}, hostTime(time), value);
}

std::uint32_t sampleKind(heliograph_output* output, const heliograph_sample_kind* kind)
{
    auto& kinds = output->samples.kinds;
    if (!kind || textOf(kind->name).empty())
        return HELIOGRAPH_NONE;
    const auto known = std::ranges::find(kinds, textOf(kind->name), &PluginSampleState::Kind::name);
    if (known != kinds.end())
        return static_cast<std::uint32_t>(known - kinds.begin());
    if (kinds.size() >= MostSampleKinds)
        return HELIOGRAPH_NONE;
    SampleKind made;
    made.name = textOf(kind->name);
    made.unit = kind->is_cpu_time ? "ns" : textOf(kind->unit);
    made.isTime = kind->is_cpu_time != 0;
    kinds.push_back({made.name, output->sink.samples().addKind(made)});
    return lastOf(kinds);
}

/// Converts a frame, which has a function name or an address in a file. Frames with a function name get a module of their own,
/// separate from the file's module for addresses, because the address of such a frame is only a number for the name.
StackFrame frameOf(heliograph_output& output, const heliograph_frame& frame)
{
    PluginSampleState& samples = output.samples;
    const bool isNamed = frame.function != nullptr;
    const bool isReturn = frame.is_return_address != 0;
    if (!isNamed && !frame.file)
        return {UnknownModule, isReturn, frame.address};
    const auto [module, isNewModule] = samples.modules.try_emplace({isNamed, std::string(textOf(frame.file))});
    if (isNewModule) {
        Module made;
        made.path = textOf(frame.file);
        made.kind = made.path.empty() ? Module::Kind::Unknown : Module::Kind::File;
        // Make the two modules of a file (for named functions, for addresses) differ; the sink would merge equal modules.
        made.isLoadRelative = isNamed;
        module->second = output.sink.modules().add(std::move(made));
    }
    if (!isNamed)
        return {module->second, isReturn, frame.address};
    const auto [place, isNew] = samples.places.try_emplace({module->second, std::string(textOf(frame.function))});
    if (isNew)
        place->second = output.sink.modules().addPlace(module->second, {textOf(frame.function), {}, false});
    return {module->second, false, place->second};
}

std::uint32_t frame(heliograph_output* output, const heliograph_frame* frame)
{
    if (!frame)
        return HELIOGRAPH_NONE;
    PluginSampleState& samples = output->samples;
    const StackId caller = samples.stackOf(frame->caller);
    const StackId made = output->sink.stacks().stack(caller, frameOf(*output, *frame));
    samples.lastStack = std::max(samples.lastStack, made);
    return made == NoStack ? HELIOGRAPH_NONE : static_cast<std::uint32_t>(made);
}

/// Returns the track that stands for all threads that had this tid. The row of a sample is determined when it is queried. Returns NoTrack
/// for tid 0, the idle thread.
TrackId threadOf(heliograph_output& output, std::int32_t tid, std::int32_t pid)
{
    if (tid <= 0)
        return NoTrack;
    PluginSampleState& samples = output.samples;
    const auto [thread, isNew] = samples.threads.try_emplace(tid);
    if (!isNew)
        return thread->second;
    if (!samples.threadStates) {
        const auto states = output.sink.stateSet({"heliograph-sampled-threads", {{"sampled"}}});
        if (!states)
            return thread->second = NoTrack;
        samples.threadStates = *states;
    }
    Track track;
    track.role = TrackRole::SampledThread;
    track.kind = "sampled-thread";
    track.key = "tid:" + std::to_string(tid);
    track.label = track.key;
    track.states = *samples.threadStates;
    track.pid = pid > 0 ? pid : -1;
    track.tid = tid;
    return thread->second = output.sink.addTrack(std::move(track));
}

void sample(heliograph_output* output, const heliograph_sample* sample)
{
    PluginSampleState& samples = output->samples;
    if (!sample || !isIn(samples.kinds, sample->kind))
        return;
    PluginSampleState::Kind& kind = samples.kinds[sample->kind];
    kind.last = std::max(kind.last, hostTime(sample->time));
    HostSample made;
    made.time = kind.last;
    made.weight = sample->weight;
    made.event = output->event;
    made.stack = samples.stackOf(sample->stack);
    made.thread = threadOf(*output, sample->tid, sample->pid);
    made.cpu = std::max(sample->cpu, -1);
    made.kind = kind.id;
    made.isIdle = sample->tid == 0;
    output->sink.samples().add(made);
}

} // namespace

const heliograph_host_v1& helio::pluginHost()
{
    static const heliograph_host_v1 host = [] {
        heliograph_host_v1 made{};
        made.size = sizeof made;
        made.type_count = typeCount;
        made.type_name = typeName;
        made.field = field;
        made.event_time = eventTime;
        made.event_type = eventType;
        made.event_cpu = eventCpu;
        made.event_integer = eventInteger;
        made.event_real = eventReal;
        made.event_text = eventText;
        made.state_set = stateSet;
        made.row = row;
        made.text = text;
        made.set = set;
        made.end = end;
        made.link_kind = linkKind;
        made.link = link;
        made.warn = warn;
        made.segment_kind = segmentKind;
        made.segment = segment;
        made.series = series;
        made.point = point;
        made.real_point = realPoint;
        made.sample_kind = sampleKind;
        made.frame = frame;
        made.sample = sample;
        return made;
    }();
    return host;
}
