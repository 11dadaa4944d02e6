#include "core/formats/perfetto/track_event_reader.h"

#include "core/formats/perfetto/event_arguments.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace helio::perfetto {
namespace {

// Values of the protobuf enum TrackEvent.Type.
constexpr std::uint32_t SliceBegin = 1;
constexpr std::uint32_t SliceEnd = 2;
constexpr std::uint32_t Instant = 3;
constexpr std::uint32_t Counter = 4;
constexpr std::uint32_t TrackState = 5;

constexpr std::int64_t Microsecond = 1000;

std::int64_t wrappingProduct(std::int64_t a, std::int64_t b)
{
    // The product overflows only in damaged files.
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t wrappingSum(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Returns true if the events with this phase letter of Chrome's JSON format belong to asynchronous operations.
bool isOperation(char phase) { return std::string_view("bneSTpF").find(phase) != std::string_view::npos; }

/// Appends the values of a repeated field of 64-bit numbers to `numbers`. The field may be packed.
void addFixed(const WireField& field, std::vector<std::uint64_t>& numbers)
{
    if (!field.isBytes()) {
        numbers.push_back(field.value);
        return;
    }
    for (std::size_t at = 0; at + 8 <= field.bytes.size(); at += 8) {
        std::uint64_t number = 0;
        for (int i = 7; i >= 0; --i)
            number = number << 8 | static_cast<unsigned char>(field.bytes[at + static_cast<std::size_t>(i)]);
        numbers.push_back(number);
    }
}

void addNumbers(const WireField& field, std::vector<std::uint64_t>& numbers)
{
    forEachNumber(field, [&](std::uint64_t number) { numbers.push_back(number); });
}

} // namespace

void TrackEventReader::prepare(std::string_view message, std::string_view trackEventDefaults)
{
    std::optional<std::uint64_t> track;
    bool isReal = false;
    const auto addAll = [&](const WireField& field) { forEachNumber(field, [&](std::uint64_t it) { m_realCounters.insert(it); }); };
    const auto takeDefaults = [&] {
        forEachField(trackEventDefaults, [&](const WireField& field) {
            if (field.number == 45)
                addAll(field);
            else if (field.number == 11 && !track)
                track = field.value;
        });
    };
    bool hasRealValues = false;
    forEachField(message, [&](const WireField& field) {
        switch (field.number) {
        case 6: m_hasComplete = m_hasComplete || legacyFrom(field.bytes).phase == 'X'; break;
        case 11: track = field.value; break;
        case 44: isReal = true; break;
        case 45: addAll(field); break;
        case 46: hasRealValues = true; break;
        default: break;
        }
    });
    if (isReal || hasRealValues)
        takeDefaults();
    if (isReal && track)
        m_realCounters.insert(*track);
}

std::optional<std::int64_t> TrackEventReader::ownTime(std::string_view message, PacketSequence& sequence)
{
    std::optional<std::int64_t> time;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1 && !field.isBytes())
            time = sequence.eventTime = wrappingSum(sequence.eventTime, wrappingProduct(field.integer(), Microsecond));
        else if (field.number == 16 && !field.isBytes())
            time = wrappingProduct(field.integer(), Microsecond);
    });
    return time;
}

TrackEventReader::LegacyEvent TrackEventReader::legacyFrom(std::string_view message)
{
    LegacyEvent legacy;
    forEachField(message, [&](const WireField& field) {
        switch (field.number) {
        case 1: legacy.name = field.value; break;
        case 2: legacy.phase = static_cast<char>(field.value); break;
        case 3: legacy.duration = field.integer(); break;
        case 6:
        case 11: legacy.id = std::to_string(field.value); break;
        case 7: legacy.scope = field.bytes; break;
        case 8: legacy.bindId = field.value; break;
        case 10:
            legacy.id = std::to_string(field.value);
            legacy.isLocalId = true;
            break;
        case 12: legacy.bindsToEnclosing = field.value != 0; break;
        case 13: legacy.flowDirection = field.uint32(); break;
        case 14: legacy.instantScope = field.uint32(); break;
        case 18: legacy.pid = field.int32(); break;
        case 19: legacy.tid = field.int32(); break;
        default: break;
        }
    });
    return legacy;
}

TrackEventReader::Event TrackEventReader::eventFrom(std::string_view message, const PacketSequence& sequence)
{
    Event event;
    const auto addCategory = [&](std::string_view text) { (event.categories += event.categories.empty() ? "" : ",") += text; };
    const auto interned = [&](std::uint32_t table, std::uint64_t number) {
        const auto text = sequence.findText(table, number);
        if (!text)
            m_log.warn("unknown-names", 0, "track events refer to names that the trace does not contain; they are shown as \"?\"");
        return text.value_or("?");
    };
    event.isSound = forEachField(message, [&](const WireField& field) {
        switch (field.number) {
        case 3: forEachNumber(field, [&](std::uint64_t number) { addCategory(interned(interned::EventCategories, number)); }); break;
        case 6: event.legacy = legacyFrom(field.bytes); break;
        case 9: event.type = field.uint32(); break;
        case 10: event.name = interned(interned::EventNames, field.value); break;
        case 11: event.track = field.value; break;
        case 12: forEachNumber(field, [&](std::uint64_t it) { event.counterValues.push_back(static_cast<std::int64_t>(it)); }); break;
        case 22: addCategory(field.bytes); break;
        case 23: event.name = field.bytes; break;
        case 30: event.integer = field.integer(); break;
        case 31: addNumbers(field, event.counterTracks); break;
        case 36: addNumbers(field, event.flows); break;
        case 42: addNumbers(field, event.endingFlows); break;
        case 44: event.real = field.real(); break;
        case 45: addNumbers(field, event.realCounterTracks); break;
        case 46: {
            std::vector<std::uint64_t> bits;
            addFixed(field, bits);
            for (const std::uint64_t it : bits)
                event.realCounterValues.push_back(std::bit_cast<double>(it));
            break;
        }
        case 47: addFixed(field, event.flows); break;
        case 48: addFixed(field, event.endingFlows); break;
        default: break;
        }
    });
    if (event.legacy && event.legacy->name && event.name.empty())
        event.name = interned(interned::EventNames, *event.legacy->name);
    std::vector<std::uint64_t> tracks;
    std::vector<std::uint64_t> realTracks;
    forEachField(sequence.trackEventDefaults(), [&](const WireField& field) {
        if (field.number == 11 && !event.track)
            event.track = field.value;
        else if (field.number == 31)
            addNumbers(field, tracks);
        else if (field.number == 45)
            addNumbers(field, realTracks);
    });
    if (event.counterTracks.empty())
        event.counterTracks = std::move(tracks);
    if (event.realCounterTracks.empty())
        event.realCounterTracks = std::move(realTracks);
    return event;
}

void TrackEventReader::take(std::string_view message, PacketSequence& sequence, std::int64_t time, std::uint64_t offset)
{
    const Event event = eventFrom(message, sequence);
    if (!event.isSound)
        m_log.warn("damaged-packet", offset, "a packet is damaged; its content behind the damage is missing");
    addCounters(event, sequence, time);
    if (event.type == Counter)
        return addCounter(event.track.value_or(0), event.name, event.integer, event.real.value_or(0), sequence, time);
    const LegacyEvent* const legacy = event.legacy ? &*event.legacy : nullptr;
    TrackPosition position;
    if (legacy && (legacy->pid > 0 || legacy->tid > 0))
        position = m_tree.ofThread(legacy->pid, legacy->tid, time);
    else if (!event.track && sequence.tid > 0)
        position = m_tree.ofThread(sequence.pid, sequence.tid, time);
    // takeOperation() finds the tracks of asynchronous operations.
    else if (event.track || event.type != 0 || !legacy || !isOperation(legacy->phase))
        position = m_tree.find(event.track.value_or(0), event.name, time);
    m_arguments.clear();
    if (!appendArguments(m_arguments, message, sequence))
        m_log.add(Diagnostic::Severity::Info, "unread-arguments", offset, "track events have arguments of types that are not read");
    if (event.type == 0 && legacy)
        return takeLegacy(event, position, message, sequence, time);
    const SliceTexts texts{event.name, event.categories, m_arguments, {}};
    switch (event.type) {
    case SliceBegin:
        noteSlice(position.place, time, true);
        m_writer.beginSlice(time, position.place, texts);
        addFlows(event, position, time);
        break;
    case SliceEnd:
        noteSlice(position.place, time, false);
        addFlows(event, position, time);
        m_writer.endSlice(time, position.place, m_arguments);
        break;
    case Instant:
        m_writer.addInstant(time, position.scope, position.place, texts);
        addFlows(event, position, time);
        break;
    case TrackState: takeState(event, position, time); break;
    default: m_log.warn("unknown-track-event", offset, "track events have an unknown type; they are missing");
    }
}

void TrackEventReader::addCounters(const Event& event, PacketSequence& sequence, std::int64_t time)
{
    for (std::size_t i = 0; i < std::min(event.counterTracks.size(), event.counterValues.size()); ++i)
        addCounter(event.counterTracks[i], {}, event.counterValues[i], 0, sequence, time);
    for (std::size_t i = 0; i < std::min(event.realCounterTracks.size(), event.realCounterValues.size()); ++i)
        addCounter(event.realCounterTracks[i], {}, {}, event.realCounterValues[i], sequence, time);
}

void TrackEventReader::addCounter(std::uint64_t track, std::string_view name, std::optional<std::int64_t> integer, double real,
                                  PacketSequence& sequence, std::int64_t time)
{
    const TrackPosition& position = m_tree.find(track, name, time);
    const CounterFacts facts = position.counter.value_or(CounterFacts{name, {}});
    TrackCounter counter;
    counter.name = facts.name.empty() ? std::string_view("counter") : sequence.texts().take(facts.name);
    counter.unit = sequence.texts().take(facts.unit);
    counter.isReal = !integer || m_realCounters.contains(track);
    if (integer) {
        if (facts.isIncremental) {
            std::int64_t& last = sequence.counterValues[track];
            last = wrappingSum(last, *integer);
            integer = last;
        }
        counter.integer = wrappingProduct(*integer, facts.multiplier);
        counter.real = static_cast<double>(counter.integer);
    } else {
        counter.real = real * static_cast<double>(facts.multiplier);
    }
    m_writer.addCounter(time, position.scope, position.place, counter);
}

/// Returns the flow points of an event: those of its flow ids, and that of its bind_id, the second form of flows in Chrome's JSON format.
std::vector<SliceFlow> TrackEventReader::flowsOf(const Event& event)
{
    std::vector<SliceFlow> flows;
    for (const std::uint64_t id : event.flows)
        flows.push_back({FlowPhase::Step, std::to_string(id)});
    for (const std::uint64_t id : event.endingFlows)
        flows.push_back({FlowPhase::End, std::to_string(id)});
    constexpr std::uint32_t Into = 1;
    constexpr std::uint32_t OutOf = 2;
    if (event.legacy && event.legacy->bindId && event.legacy->flowDirection != 0) {
        const std::uint32_t direction = event.legacy->flowDirection;
        const FlowPhase phase = direction == OutOf ? FlowPhase::Begin : direction == Into ? FlowPhase::End : FlowPhase::Step;
        flows.push_back({phase, "bind " + std::to_string(*event.legacy->bindId)});
    }
    return flows;
}

void TrackEventReader::addFlows(const Event& event, const TrackPosition& position, std::int64_t time)
{
    for (const SliceFlow& flow : flowsOf(event))
        m_writer.addFlow(time, position.place, {flow.phase, {}, {}, flow.id, false});
}

/// Takes a new state of a track: a slice that lasts until the track's next state. A state without a name only ends the previous one.
void TrackEventReader::takeState(const Event& event, const TrackPosition& position, std::int64_t time)
{
    const std::uint64_t track = event.track.value_or(0);
    if (m_tracksInState.erase(track) > 0) {
        noteSlice(position.place, time, false);
        m_writer.endSlice(time, position.place, {});
    }
    if (event.name.empty())
        return;
    m_tracksInState.insert(track);
    noteSlice(position.place, time, true);
    m_writer.beginSlice(time, position.place, {event.name, event.categories, m_arguments, {}});
    addFlows(event, position, time);
}

/// Takes a complete event of the old form (phase X).
void TrackEventReader::takeComplete(const Event& event, const TrackPlace& place, std::int64_t time)
{
    constexpr std::int64_t Longest = std::numeric_limits<std::int64_t>::max() / Microsecond;
    const std::int64_t duration = event.legacy->duration.value_or(-1);
    const bool isPossible = duration >= 0 && duration <= Longest;
    if (!isPossible)
        m_log.warn("no-duration", 0, "complete events have no duration, or an impossible one; they are shown without duration");
    const std::int64_t end = isPossible ? sumOf(Duration(time), Duration(duration * Microsecond)).count() : time;
    m_complete.add(place, CompleteSlices::Slice{time, end, event.name, event.categories, m_arguments, flowsOf(event)});
}

void TrackEventReader::takeLegacy(const Event& event, const TrackPosition& position, std::string_view message, PacketSequence& sequence,
                                  std::int64_t time)
{
    const LegacyEvent& legacy = *event.legacy;
    const SliceTexts texts{event.name, event.categories, m_arguments, {}};
    switch (legacy.phase) {
    case 'B':
        noteSlice(position.place, time, true);
        m_writer.beginSlice(time, position.place, texts);
        addFlows(event, position, time);
        break;
    case 'X': takeComplete(event, position.place, time); break;
    case 'E':
        noteSlice(position.place, time, false);
        addFlows(event, position, time);
        m_writer.endSlice(time, position.place, m_arguments);
        break;
    case 'i':
    case 'I':
    case 'R': {
        constexpr TrackScope Scopes[] = {TrackScope::Thread, TrackScope::Global, TrackScope::Process, TrackScope::Thread};
        const bool isOfThread = position.scope == TrackScope::Thread && legacy.instantScope < std::size(Scopes);
        m_writer.addInstant(time, isOfThread ? Scopes[legacy.instantScope] : position.scope, position.place, texts);
        addFlows(event, position, time);
        break;
    }
    case 'C': takeLegacyCounter(event, position, message, sequence, time); break;
    case 's':
    case 't':
    case 'f': {
        FlowPoint point;
        point.phase = legacy.phase == 's' ? FlowPhase::Begin : legacy.phase == 't' ? FlowPhase::Step : FlowPhase::End;
        point.bindsToNext = legacy.phase == 'f' && !legacy.bindsToEnclosing;
        if (m_hasComplete && !point.bindsToNext) {
            m_complete.add(position.place, CompleteSlices::Point{time, event.categories, event.name, {point.phase, legacy.id}});
            break;
        }
        point.category = event.categories;
        point.name = event.name;
        point.id = legacy.id;
        m_writer.addFlow(time, position.place, point);
        break;
    }
    default:
        if (isOperation(legacy.phase))
            takeOperation(event, position, time);
        else
            m_log.warn("unknown-phase", 0, "track events of the old form have a phase that is not read; they are missing");
    }
}

/// Takes an event of an asynchronous operation. Category and ID identify the operation; in the older form (phases S, T, p and F), the name
/// does so, too.
void TrackEventReader::takeOperation(const Event& event, const TrackPosition& position, std::int64_t time)
{
    const LegacyEvent& legacy = *event.legacy;
    const bool isNestable = legacy.phase == 'b' || legacy.phase == 'n' || legacy.phase == 'e';
    const std::int32_t pid = position.place.context.pid;
    std::string key(1, isNestable ? 'n' : 's');
    if (legacy.isLocalId)
        key += std::to_string(pid);
    for (const std::string_view part :
         {std::string_view(event.categories), legacy.scope, std::string_view(legacy.id), isNestable ? std::string_view() : event.name})
        (key += '\0') += part;
    const auto [found, isNew] = m_operations.try_emplace(key);
    if (isNew)
        found->second = {m_tree.operationTrack(pid, event.name, time), static_cast<std::int64_t>(m_operations.size())};
    const TrackPlace place{position.place.context, found->second.track, found->second.nest};
    const SliceTexts texts{event.name, event.categories, m_arguments, legacy.id};
    if (legacy.phase == 'b' || legacy.phase == 'S')
        m_writer.beginSlice(time, place, texts);
    else if (legacy.phase == 'e' || legacy.phase == 'F')
        m_writer.endSlice(time, place, m_arguments, event.name);
    else
        m_writer.addInstant(time, TrackScope::Track, place, texts);
}

/// Takes a counter event of the old form (LegacyEvent). Each debug annotation with a number is the value of one series of the counter.
void TrackEventReader::takeLegacyCounter(const Event& event, const TrackPosition& position, std::string_view message,
                                         const PacketSequence& sequence, std::int64_t time)
{
    TrackPlace place = position.place;
    place.track = 0;
    place.nest = 0;
    const TrackScope scope = place.context.pid > 0 ? TrackScope::Process : TrackScope::Global;
    forEachNumericAnnotation(message, sequence, [&](std::string_view series, bool isReal, std::int64_t integer, double real) {
        TrackCounter counter;
        counter.name = event.name;
        counter.series = series;
        counter.isReal = true; // Integers are stored as decimals, too, because one counter may have values of both types.
        counter.real = isReal ? real : static_cast<double>(integer);
        m_writer.addCounter(time, scope, place, counter);
    });
}

} // namespace helio::perfetto
