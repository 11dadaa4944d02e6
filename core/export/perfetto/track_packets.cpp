#include "core/export/perfetto/track_packets.h"

#include <set>

namespace helio {
namespace {

// Field numbers (protos/perfetto/trace/track_event and protos/perfetto/trace/ps).
enum EventField : std::uint32_t {
    EventCategory = 3,
    EventAnnotation = 4,
    EventKind = 9,
    EventNameNumber = 10,
    EventTrack = 11,
    EventCategoryText = 22,
    EventName = 23,
    EventRealValue = 44,
    EventFlow = 47,
    EventFlowEnd = 48,
};
enum EventTypes : std::uint32_t { SliceBegin = 1, SliceEnd, Instant, Counter };
enum AnnotationField : std::uint32_t {
    AnnotationNameNumber = 1,
    AnnotationInteger = 4,
    AnnotationReal = 5,
    AnnotationText = 6,
    AnnotationJson = 9,
    AnnotationName = 10,
};
enum DescriptorField : std::uint32_t {
    TrackUuid = 1,
    TrackName = 2,
    TrackProcess = 3,
    TrackThread = 4,
    TrackParent = 5,
    TrackCounter = 8,
};
enum ProcessField : std::uint32_t { ProcessPid = 1, ProcessName = 6 };
enum ThreadField : std::uint32_t { ThreadPid = 1, ThreadTid = 2, ThreadName = 5 };
enum CounterField : std::uint32_t { CounterUnitName = 6 };
enum TreeField : std::uint32_t { TreeProcess = 1, TreeThread = 2 };
enum TreeProcessField : std::uint32_t { TreePid = 1, TreeParent = 2, TreeCommand = 3 };
enum TreeThreadField : std::uint32_t { TreeTid = 1, TreeName = 2, TreeThreadPid = 3 };

} // namespace

TrackPackets::TrackPackets(const RecordingWalk& walk, PacketWriter& writer, std::vector<PacketSequence>& sequences)
    : m_walk(walk)
    , m_writer(writer)
    , m_sequences(sequences)
    , m_texts(sequences.size())
{
}

void TrackPackets::writeThings()
{
    for (std::uint32_t host = 0; host < m_sequences.size(); ++host)
        if (m_walk.selected().hasHost(host))
            writeProcessTree(host);
    for (const WalkedThread& thread : m_walk.threads())
        if (thread.isSelected && !thread.isIdle() && thread.pid >= 0)
            trackOfThread(thread.utid);
}

/// Writes which thread belongs to which process. Threads whose TID was used before are left out: their creation tells the process. So are
/// the threads of processes whose main thread is not recorded: readers would add one. Their tracks tell the process.
void TrackPackets::writeProcessTree(std::uint32_t host)
{
    std::set<std::int32_t> withMain;
    for (const WalkedThread& thread : m_walk.threads())
        if (thread.host == host && thread.tid == thread.pid)
            withMain.insert(thread.pid);
    std::set<std::int32_t> knownThreads;
    std::set<std::int32_t> knownProcesses;
    std::string tree;
    protozero::pbf_writer out(tree);
    for (const WalkedProcess& process : m_walk.processes()) {
        if (process.host != host || process.pid <= 0 || !withMain.contains(process.pid) || !knownProcesses.insert(process.pid).second)
            continue;
        protozero::pbf_writer message(out, TreeProcess);
        message.add_int32(TreePid, process.pid);
        if (process.parentPid >= 0)
            message.add_int32(TreeParent, process.parentPid);
        if (!process.name.empty())
            addText(message, TreeCommand, process.name);
    }
    for (const WalkedThread& thread : m_walk.threads()) {
        if (thread.host != host || thread.isIdle() || thread.pid <= 0 || !withMain.contains(thread.pid)
            || !knownThreads.insert(thread.tid).second)
            continue;
        protozero::pbf_writer message(out, TreeThread);
        message.add_int32(TreeTid, thread.tid);
        if (!thread.name.empty())
            addText(message, TreeName, thread.name);
        message.add_int32(TreeThreadPid, thread.pid);
    }
    if (!tree.empty())
        m_writer.write(m_sequences[host], m_walk.begin(),
                       [&](protozero::pbf_writer& packet) { packet.add_message(perfetto_field::ProcessTree, tree); });
}

/// Returns the uuid of a process's track, and describes the track when it is asked for the first time; 0 if the PID is unknown.
std::uint64_t TrackPackets::trackOfProcess(std::int64_t upid)
{
    const WalkedProcess& process = m_walk.processes()[static_cast<std::size_t>(upid)];
    if (process.pid <= 0)
        return 0;
    const auto [found, isNew] = m_processTracks.try_emplace(upid, m_nextUuid);
    if (!isNew)
        return found->second;
    const std::uint64_t uuid = m_nextUuid++;
    m_writer.write(m_sequences[process.host], {}, [&](protozero::pbf_writer& packet) {
        protozero::pbf_writer track(packet, perfetto_field::TrackDescriptor);
        track.add_uint64(TrackUuid, uuid);
        protozero::pbf_writer message(track, TrackProcess);
        message.add_int32(ProcessPid, process.pid);
        if (!process.name.empty())
            addText(message, ProcessName, process.name);
    });
    return uuid;
}

/// Returns the uuid of a thread's track, and describes the track when it is asked for the first time. A thread whose process is unknown
/// gets a track with its name and number.
std::uint64_t TrackPackets::trackOfThread(std::int64_t utid)
{
    if (const auto known = m_threadTracks.find(utid); known != m_threadTracks.end())
        return known->second;
    const WalkedThread& thread = m_walk.threads()[static_cast<std::size_t>(utid)];
    if (thread.pid > 0)
        trackOfProcess(thread.upid);
    const std::uint64_t uuid = m_nextUuid++;
    m_threadTracks.emplace(utid, uuid);
    m_writer.write(m_sequences[thread.host], {}, [&](protozero::pbf_writer& packet) {
        protozero::pbf_writer track(packet, perfetto_field::TrackDescriptor);
        track.add_uint64(TrackUuid, uuid);
        if (thread.pid <= 0) {
            addText(track, TrackName, thread.name + " (" + std::to_string(thread.tid) + ')');
            return;
        }
        protozero::pbf_writer message(track, TrackThread);
        message.add_int32(ThreadPid, thread.pid);
        message.add_int32(ThreadTid, thread.tid);
        if (!thread.name.empty())
            addText(message, ThreadName, thread.name);
    });
    return uuid;
}

/// Returns the uuid of the track of the thread or process that a track belongs to; 0 if there is none.
std::uint64_t TrackPackets::parentOf(const WalkedTrack& track)
{
    return track.utid >= 0 ? trackOfThread(track.utid) : track.upid >= 0 ? trackOfProcess(track.upid) : 0;
}

TrackPackets::Place& TrackPackets::placeOfTrack(std::size_t track)
{
    const auto [found, isNew] = m_places.try_emplace(track);
    if (isNew) {
        const WalkedTrack& described = m_walk.tracks()[track];
        Place& place = found->second;
        place.host = described.host;
        place.name = described.name;
        place.parent = parentOf(described);
        if (described.utid < 0 && described.cpu >= 0)
            place.name += " CPU " + std::to_string(described.cpu);
    }
    return found->second;
}

TrackPackets::Place& TrackPackets::placeOfRow(std::size_t row)
{
    const auto [found, isNew] = m_places.try_emplace(row);
    if (isNew) {
        const Row& described = m_walk.rows()[row];
        found->second.host = described.host;
        found->second.name = described.label;
    }
    return found->second;
}

/// Returns the uuid of a lane, and describes the lane's track when it is asked for the first time.
std::uint64_t TrackPackets::laneOf(Place& place, std::size_t lane)
{
    while (place.lanes.size() <= lane) {
        const std::uint64_t uuid = m_nextUuid++;
        m_writer.write(m_sequences[place.host], {}, [&](protozero::pbf_writer& packet) {
            protozero::pbf_writer track(packet, perfetto_field::TrackDescriptor);
            track.add_uint64(TrackUuid, uuid);
            addText(track, TrackName, place.name);
            if (place.parent != 0)
                track.add_uint64(TrackParent, place.parent);
        });
        place.lanes.push_back(uuid);
        place.flowsAtEnds.emplace_back();
    }
    return place.lanes[lane];
}

/// Writes a track event. `fields` appends the event's own fields to a message, and definitions to an InternedData message.
template <typename Fields>
void TrackPackets::writeEvent(std::uint32_t host, std::int64_t time, std::uint64_t track, std::uint32_t type, const Fields& fields)
{
    std::string interned;
    std::string content;
    protozero::pbf_writer event(content);
    event.add_uint32(EventKind, type);
    event.add_uint64(EventTrack, track);
    fields(event, content, interned);
    m_writer.write(
        m_sequences[host], time, [&](protozero::pbf_writer& packet) { packet.add_message(perfetto_field::TrackEvent, content); }, interned);
}

void TrackPackets::appendName(std::uint32_t host, protozero::pbf_writer& event, const std::string& name, std::string& interned)
{
    if (name.empty())
        return;
    if (const auto number = m_texts[host].names.numberOf(name, interned))
        event.add_uint64(EventNameNumber, *number);
    else
        addText(event, EventName, name);
}

void TrackPackets::appendArgument(std::uint32_t host, std::string& event, const WalkedArgument& argument, std::string& interned)
{
    protozero::pbf_writer out(event);
    // The reader of Chrome's and Perfetto's formats keeps the categories of a slice under this key.
    if (const auto* categories = std::get_if<std::string>(&argument.value); categories && argument.key == "cat") {
        if (const auto number = m_texts[host].categories.numberOf(*categories, interned))
            out.add_uint64(EventCategory, *number);
        else
            addText(out, EventCategoryText, *categories);
        return;
    }
    protozero::pbf_writer annotation(out, EventAnnotation);
    if (const auto number = m_texts[host].annotations.numberOf(argument.key, interned))
        annotation.add_uint64(AnnotationNameNumber, *number);
    else
        addText(annotation, AnnotationName, argument.key);
    if (argument.isJson)
        addText(annotation, AnnotationJson, std::get<std::string>(argument.value));
    else if (const auto* integer = std::get_if<std::int64_t>(&argument.value))
        annotation.add_int64(AnnotationInteger, *integer);
    else if (const auto* real = std::get_if<double>(&argument.value))
        annotation.add_double(AnnotationReal, *real);
    else if (const auto* text = std::get_if<std::string>(&argument.value))
        addText(annotation, AnnotationText, *text);
}

void TrackPackets::writeEnd(Place& place, std::size_t lane, std::int64_t time)
{
    writeEvent(place.host, time, laneOf(place, lane), SliceEnd, [&](protozero::pbf_writer& event, std::string&, std::string&) {
        for (const std::uint64_t flow : place.flowsAtEnds[lane].back())
            event.add_fixed64(EventFlowEnd, flow);
    });
    place.flowsAtEnds[lane].pop_back();
}

/// Puts a slice in a lane, and returns the lane's uuid. Flows that enter the slice, but begin later than it does, end where the slice ends:
/// readers connect the events of a flow in the order of time.
std::uint64_t TrackPackets::open(Place& place, std::int64_t ts, std::optional<std::int64_t> end, std::int64_t depth,
                                 std::vector<std::uint64_t> flowsAtEnd)
{
    const std::size_t lane = place.open.add(ts, end, depth, [&](std::size_t at, std::int64_t time) { writeEnd(place, at, time); });
    const std::uint64_t track = laneOf(place, lane);
    place.flowsAtEnds[lane].push_back(std::move(flowsAtEnd));
    return track;
}

void TrackPackets::add(const WalkedSlice& slice)
{
    m_leftFlows.insert(slice.flowsOut.begin(), slice.flowsOut.end());
    std::vector<std::uint64_t> flowsAtBegin;
    std::vector<std::uint64_t> flowsAtEnd;
    for (const std::uint64_t flow : slice.flowsIn)
        (m_leftFlows.erase(flow) > 0 ? flowsAtBegin : flowsAtEnd).push_back(flow);
    Place& place = placeOfTrack(slice.track);
    const std::uint64_t track = open(place, slice.ts, slice.end, slice.depth, std::move(flowsAtEnd));
    writeEvent(place.host, slice.ts, track, SliceBegin, [&](protozero::pbf_writer& event, std::string& content, std::string& interned) {
        appendName(place.host, event, slice.name, interned);
        for (const WalkedArgument& argument : slice.arguments)
            appendArgument(place.host, content, argument, interned);
        for (const std::uint64_t flow : slice.flowsOut)
            event.add_fixed64(EventFlow, flow);
        for (const std::uint64_t flow : flowsAtBegin)
            event.add_fixed64(EventFlowEnd, flow);
    });
}

void TrackPackets::add(const WalkedState& state)
{
    Place& place = placeOfRow(state.row);
    const std::uint64_t track = open(place, state.ts, state.end, 0, {});
    writeEvent(place.host, state.ts, track, SliceBegin, [&](protozero::pbf_writer& event, std::string& content, std::string& interned) {
        appendName(place.host, event, state.name, interned);
        if (!state.detail.empty())
            appendArgument(place.host, content, {"detail", state.detail}, interned);
    });
}

void TrackPackets::add(const WalkedPoint& point)
{
    const WalkedTrack& counter = m_walk.tracks()[point.track];
    const auto [found, isNew] = m_counters.try_emplace(point.track, m_nextUuid);
    if (isNew) {
        const std::uint64_t parent = parentOf(counter);
        const std::uint64_t uuid = found->second = m_nextUuid++;
        m_writer.write(m_sequences[counter.host], {}, [&](protozero::pbf_writer& packet) {
            protozero::pbf_writer track(packet, perfetto_field::TrackDescriptor);
            track.add_uint64(TrackUuid, uuid);
            addText(track, TrackName, counter.cpu >= 0 ? counter.name + " CPU " + std::to_string(counter.cpu) : counter.name);
            if (parent != 0)
                track.add_uint64(TrackParent, parent);
            std::string described; // An empty message, too, says that the track is a counter.
            if (!counter.unit.empty())
                protozero::pbf_writer(described).add_string(CounterUnitName, counter.unit);
            track.add_message(TrackCounter, described);
        });
    }
    writeEvent(counter.host, point.ts, m_counters[point.track], Counter,
               [&](protozero::pbf_writer& event, std::string&, std::string&) { event.add_double(EventRealValue, point.value); });
}

void TrackPackets::flush(std::int64_t end)
{
    for (auto& [index, place] : m_places)
        place.open.closeBefore(end, [&, &at = place](std::size_t lane, std::int64_t time) { writeEnd(at, lane, time); });
}

} // namespace helio
