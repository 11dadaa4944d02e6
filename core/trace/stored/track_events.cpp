#include "core/trace/stored/track_events.h"

#include <algorithm>
#include <iterator>

namespace helio {
namespace {

constexpr char HasProcess = 1; // Bit flag in NewEvent::variant: the stream context has a vpid.
constexpr char HasThread = 2;
constexpr char IsSample = 4;
constexpr char ShowsPeriod = 16; // Perfetto's reader uses the bit 8 for its own events.

char variantOf(const TrackContext& context)
{
    return static_cast<char>((context.pid >= 0 ? HasProcess : 0) | (context.tid >= 0 ? HasThread : 0));
}

/// Appends the bytes of the stream context to a head.
void appendContext(const TrackContext& context, std::vector<std::byte>& head)
{
    appendNumber(context.pid, head);
    appendNumber(context.tid, head);
    appendNumber(context.pidNamespace, head);
    appendText(context.name, TrackNameSize, head);
}

} // namespace

std::string_view wordOf(TrackScope scope)
{
    constexpr std::string_view Words[] = {"thread", "process", "global", "cpu", "track"};
    return Words[static_cast<std::size_t>(scope)];
}

EventType makeTrackEventType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasProcess = (event.variant & HasProcess) != 0;
    const bool hasThread = (event.variant & HasThread) != 0;
    type.streamContext = makeStoredStruct({{hasProcess ? "vpid" : "", makeStoredInteger(32, true), !hasProcess},
                                           {hasThread ? "vtid" : "", makeStoredInteger(32, true), !hasThread},
                                           {"pid_ns", makeStoredInteger(32, false), true},
                                           {"procname", makeStoredText(TrackNameSize), true}});
    std::vector<Member> members;
    if ((event.variant & IsSample) != 0)
        members = makeSampleMembers((event.variant & ShowsPeriod) != 0);
    std::ranges::move(makeStoredMembers(fields), std::back_inserter(members));
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

SampleEvent* addTrackSample(StoredRecording& recording, std::int64_t time, const TrackContext& context, std::string_view name,
                            const StoredSample& sample, bool showsPeriod, std::span<const StoredField> fields)
{
    std::vector<std::byte> head;
    appendContext(context, head);
    const auto variant = static_cast<char>(variantOf(context) | IsSample | (showsPeriod ? ShowsPeriod : 0));
    return recording.addSample({name, variant, time, context.cpu, head, {}}, sample, fields);
}

bool TrackEventWriter::store(std::int64_t time, const TrackContext& context, std::string_view name, std::string_view text)
{
    m_head.clear();
    appendContext(context, m_head);
    if (m_events.add({name, variantOf(context), time, context.cpu, m_head, text}, m_fields) != StoredEvents::NoType)
        return true;
    m_events.report("many-types", 0, 0, "too many kinds of events; events of further kinds are missing");
    return false;
}

void TrackEventWriter::addPlace(const TrackPlace& place)
{
    add("track", place.track);
    add("nest", place.nest);
}

void TrackEventWriter::declareProcess(std::int64_t time, const TrackContext& context, std::string_view name, std::string_view labels,
                                      std::int32_t order)
{
    begin();
    add("name", name);
    add("labels", labels);
    add("order", order);
    store(time, context, "process_info");
}

void TrackEventWriter::declareThread(std::int64_t time, const TrackContext& context, std::int32_t order)
{
    begin();
    add("name", context.name);
    add("order", order);
    store(time, context, "thread_info");
}

void TrackEventWriter::declareTrack(std::int64_t time, const TrackDescription& track)
{
    begin();
    add("track", track.track);
    add("parent", track.parent);
    add("name", track.name);
    add("order", track.order);
    store(time, track.context, "track_info");
}

void TrackEventWriter::beginSlice(std::int64_t time, const TrackPlace& place, const SliceTexts& texts, std::optional<std::int64_t> cpuTime)
{
    begin();
    const bool isOfTrack = place.track != 0;
    if (isOfTrack)
        addPlace(place);
    add("name", texts.name);
    add("cat", texts.category);
    add("args", texts.arguments);
    if (isOfTrack && !texts.id.empty())
        add("id", texts.id);
    if (cpuTime)
        add("cpu_ns", *cpuTime);
    store(time, place.context, isOfTrack ? "track_begin" : "span_begin");
}

void TrackEventWriter::endSlice(std::int64_t time, const TrackPlace& place, std::string_view arguments, std::string_view name,
                                std::optional<std::int64_t> cpuTime)
{
    begin();
    const bool isOfTrack = place.track != 0;
    if (isOfTrack)
        addPlace(place);
    if (!name.empty())
        add("name", name);
    if (!arguments.empty())
        add("args", arguments);
    if (cpuTime)
        add("cpu_ns", *cpuTime);
    store(time, place.context, isOfTrack ? "track_end" : "span_end");
}

void TrackEventWriter::addInstant(std::int64_t time, TrackScope scope, const TrackPlace& place, const SliceTexts& texts)
{
    begin();
    add("scope", wordOf(scope));
    addPlace(place);
    add("name", texts.name);
    add("cat", texts.category);
    add("args", texts.arguments);
    if (!texts.id.empty())
        add("id", texts.id);
    store(time, place.context, "instant");
}

void TrackEventWriter::addCounter(std::int64_t time, TrackScope scope, const TrackPlace& place, const TrackCounter& counter)
{
    begin();
    add("scope", wordOf(scope));
    add("track", place.track);
    add("name", counter.name);
    add("series", counter.series);
    add("unit", counter.unit);
    if (counter.isReal) {
        StoredField& value = m_fields.emplace_back(StoredField{"value", {}});
        value.kind = StoredField::Kind::Real;
        value.real = counter.real;
    } else {
        add("value", counter.integer);
    }
    store(time, place.context, "counter");
}

void TrackEventWriter::addFlow(std::int64_t time, const TrackPlace& place, const FlowPoint& point)
{
    begin();
    addPlace(place);
    add("cat", point.category);
    add("name", point.name);
    add("id", point.id);
    add("binding", point.bindsToNext ? "next" : "enclosing");
    constexpr std::string_view Names[] = {"flow_begin", "flow_step", "flow_end"};
    store(time, place.context, Names[static_cast<std::size_t>(point.phase)]);
}

bool TrackEventWriter::addOther(std::int64_t time, const TrackContext& context, std::string_view name, std::span<const StoredField> fields,
                                std::string_view text)
{
    m_fields.assign(fields.begin(), fields.end());
    return store(time, context, name, text);
}

} // namespace helio
