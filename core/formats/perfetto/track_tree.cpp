#include "core/formats/perfetto/track_tree.h"

#include "core/formats/perfetto/wire.h"

namespace helio::perfetto {
namespace {

constexpr int MostParents = 64; ///< Largest number of ancestors of a track; in damaged files, a track may be its own ancestor.
constexpr std::uint32_t ExplicitOrder = 3; ///< Value EXPLICIT of the protobuf enum TrackDescriptor.ChildTracksOrdering.
constexpr std::uint32_t ChronologicalOrder = 2;

// Values of the protobuf enum TrackDescriptor.SiblingMergeBehavior.
constexpr std::uint32_t MergeNone = 2;
constexpr std::uint32_t MergeByKey = 3;

bool isNumber(std::int32_t id) { return id > 0; }

} // namespace

CounterFacts TrackTree::counterFrom(std::string_view descriptor)
{
    CounterFacts counter;
    constexpr std::string_view Builtin[] = {{}, "thread_time", "thread_instruction_count"};
    constexpr std::string_view Units[] = {{}, "ns", {}, "B"};
    forEachField(descriptor, [&](const WireField& field) {
        switch (field.number) {
        case 1:
            if (field.value < std::size(Builtin))
                counter.name = Builtin[field.value];
            if (field.value == 1)
                counter.unit = "ns";
            break;
        case 3:
            if (field.value < std::size(Units))
                counter.unit = Units[field.value];
            break;
        case 4: counter.multiplier = field.value == 0 ? 1 : field.integer(); break;
        case 5: counter.isIncremental = field.value != 0; break;
        case 6: counter.unit = field.bytes; break;
        default: break;
        }
    });
    return counter;
}

void TrackTree::describeProcess(std::string_view descriptor)
{
    std::int32_t pid = -1;
    std::string_view name;
    std::string_view program;
    std::string labels;
    std::optional<std::int32_t> order;
    forEachField(descriptor, [&](const WireField& field) {
        switch (field.number) {
        case 1: pid = field.int32(); break;
        case 2:
            if (program.empty())
                program = field.bytes.substr(field.bytes.rfind('/') + 1);
            break;
        case 3: order = field.int32(); break;
        case 6: name = field.bytes; break;
        case 8: (labels += labels.empty() ? "" : ", ") += field.bytes; break;
        default: break;
        }
    });
    if (!isNumber(pid))
        return;
    Process& process = m_processes[pid];
    if (name.empty())
        name = program;
    if (!name.empty())
        process.name = name;
    if (!labels.empty())
        process.labels = labels;
    process.order = order.value_or(process.order);
}

void TrackTree::describeThread(std::string_view descriptor)
{
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string_view name;
    std::optional<std::int32_t> order;
    forEachField(descriptor, [&](const WireField& field) {
        switch (field.number) {
        case 1: pid = field.int32(); break;
        case 2: tid = field.int32(); break;
        case 3: order = field.int32(); break;
        case 5: name = field.bytes; break;
        default: break;
        }
    });
    if (!isNumber(tid))
        return;
    Thread& thread = m_threads[{tid, pid}];
    if (!name.empty())
        thread.name = name;
    thread.order = order.value_or(thread.order);
}

void TrackTree::describe(std::string_view descriptor)
{
    std::uint64_t id = 0;
    Description track;
    std::string_view process;
    std::string_view thread;
    forEachField(descriptor, [&](const WireField& field) {
        switch (field.number) {
        case 1: id = field.value; break;
        case 2:
        case 10: track.name = field.bytes; break;
        case 13:
            if (track.name.empty())
                track.name = field.bytes;
            break;
        case 3: process = field.bytes; break;
        case 4: thread = field.bytes; break;
        case 5: track.parent = field.value; break;
        case 8: track.counter = counterFrom(field.bytes); break;
        case 11: track.childOrdering = field.uint32(); break;
        case 12: track.rank = field.int32(); break;
        case 15: track.merging = field.uint32(); break;
        case 16: track.mergeKey = field.bytes; break;
        case 17: track.mergeKey = std::to_string(field.value); break;
        default: break;
        }
    });
    const auto numberIn = [](std::string_view message, std::uint32_t number) {
        std::int32_t found = -1;
        forEachField(message, [&](const WireField& field) {
            if (field.number == number)
                found = field.int32();
        });
        return found;
    };
    if (!thread.empty()) {
        describeThread(thread);
        track.pid = numberIn(thread, 1);
        track.tid = numberIn(thread, 2);
        track.isThread = isNumber(track.tid) && !track.counter;
        if (track.isThread && m_threads[{track.tid, track.pid}].name.empty())
            m_threads[{track.tid, track.pid}].name = track.name;
    } else if (!process.empty()) {
        describeProcess(process);
        track.pid = numberIn(process, 1);
        track.isProcess = isNumber(track.pid) && !track.counter;
    }
    if (track.counter && !track.name.empty())
        track.counter->name = track.name;
    Description& known = m_tracks[id];
    if (track.name.empty())
        track.name = known.name;
    known = std::move(track);
}

TrackContext TrackTree::ofProcess(std::int32_t pid, std::int64_t time)
{
    TrackContext context;
    if (!isNumber(pid))
        return context;
    context.pid = pid;
    Process& process = m_processes[pid];
    if (!process.isDeclared) {
        process.isDeclared = true;
        m_writer.declareProcess(time, context, process.name, process.labels, process.order);
    }
    return context;
}

TrackPosition TrackTree::ofThread(std::int32_t pid, std::int32_t tid, std::int64_t time)
{
    TrackPosition position;
    position.scope = TrackScope::Thread;
    TrackContext& context = position.place.context;
    context = ofProcess(pid, time);
    if (!isNumber(tid)) {
        position.scope = TrackScope::Process;
        return position;
    }
    context.tid = tid;
    Thread& thread = m_threads[{tid, pid}];
    // Threads of different processes with the same thread ID ran one after the other, or in different containers.
    if (thread.pidNamespace == 0) {
        const std::uint32_t used = m_tidUses[tid]++;
        thread.pidNamespace = used == 0 ? TrackContext::HostNamespace : used;
    }
    context.pidNamespace = thread.pidNamespace;
    context.name = thread.name;
    if (!thread.isDeclared) {
        thread.isDeclared = true;
        m_writer.declareThread(time, context, thread.order);
    }
    return position;
}

/// Returns the number of the row with the key `key`. If no row has this key yet, declares a new row as `track` describes it.
std::int64_t TrackTree::numberOf(const std::string& key, const TrackDescription& track, std::int64_t time)
{
    const auto [found, isNew] = m_numbers.try_emplace(key, static_cast<std::int64_t>(m_numbers.size()) + 1);
    if (isNew) {
        TrackDescription declared = track;
        declared.track = found->second;
        m_writer.declareTrack(time, declared);
    }
    return found->second;
}

std::int64_t TrackTree::operationTrack(std::int32_t pid, std::string_view name, std::int64_t time)
{
    TrackDescription track;
    track.context = ofProcess(pid, time);
    track.name = name;
    return numberOf("operation " + std::to_string(pid) + ' ' + std::string(name), track, time);
}

std::int64_t TrackTree::overlapTrack(const TrackContext& context, std::int64_t time)
{
    TrackDescription track;
    track.context = context;
    track.name = "Overlapping";
    const std::string key = std::to_string(context.pid) + ' ' + std::to_string(context.tid) + ' ' + std::to_string(context.pidNamespace);
    return numberOf("overlap " + key, track, time);
}

TrackTree::Parent TrackTree::parentOf(const Description& description, std::int64_t time, int level)
{
    Parent parent;
    if (description.parent == 0 || level >= MostParents)
        return parent;
    const auto found = m_tracks.find(description.parent);
    if (found == m_tracks.end())
        return parent;
    if (found->second.isThread)
        parent.context = ofThread(found->second.pid, found->second.tid, time).place.context;
    else if (found->second.isProcess)
        parent.context = ofProcess(found->second.pid, time);
    else {
        const TrackPosition position = locate(description.parent, {}, time, level + 1);
        parent.track = position.place.track;
        parent.context = position.place.context;
    }
    return parent;
}

TrackPosition TrackTree::locate(std::uint64_t id, std::string_view name, std::int64_t time, int level)
{
    TrackPosition position;
    const auto found = m_tracks.find(id);
    if (found == m_tracks.end()) {
        TrackDescription track;
        const std::string label = id == 0 ? "Events without a track" : "Track " + std::to_string(id);
        track.name = label;
        position.place.track = numberOf("id " + std::to_string(id), track, time);
        return position;
    }
    const Description& description = found->second;
    if (description.isThread)
        return ofThread(description.pid, description.tid, time);
    const Parent parent = parentOf(description, time, level);
    TrackPlace& place = position.place;
    place.context = parent.context;
    if (description.counter) {
        position.counter = description.counter;
        if (position.counter->name.empty())
            position.counter->name = name;
        place.track = parent.track;
        if (parent.track != 0)
            position.scope = TrackScope::Track;
        else if (parent.context.tid > 0)
            position.scope = TrackScope::Thread;
        else
            position.scope = parent.context.pid > 0 ? TrackScope::Process : TrackScope::Global;
        return position;
    }
    TrackDescription track;
    track.parent = parent.track;
    track.context = parent.context;
    track.name = description.name.empty() ? name : description.name;
    std::string key = std::to_string(parent.track) + ' ' + std::to_string(parent.context.pid) + ' ' + std::to_string(parent.context.tid)
        + ' ' + std::to_string(parent.context.pidNamespace) + ' ';
    if (description.isProcess) {
        place.context = track.context = ofProcess(description.pid, time);
        track.parent = 0;
        position.scope = TrackScope::Process;
        if (track.name.empty() || description.name.empty())
            track.name = "Process";
        key = "process " + std::to_string(description.pid) + ' ';
    }
    if (track.name.empty())
        track.name = "Track";
    if (description.merging == MergeNone)
        key += "id " + std::to_string(id);
    else if (description.merging == MergeByKey)
        key += "key " + description.mergeKey;
    else
        key += track.name;
    const auto above = m_tracks.find(description.parent);
    const std::uint32_t ordering = above == m_tracks.end() ? 0 : above->second.childOrdering;
    if (ordering == ExplicitOrder)
        track.order = description.rank;
    else if (ordering == ChronologicalOrder)
        track.order = static_cast<std::int32_t>(m_numbers.size());
    place.track = numberOf(key, track, time);
    return position;
}

const TrackPosition& TrackTree::find(std::uint64_t id, std::string_view name, std::int64_t time)
{
    const auto known = m_positions.find(id);
    if (known != m_positions.end())
        return known->second;
    TrackPosition position = locate(id, name, time, 0);
    if (position.place.track != 0 && !position.counter)
        position.place.nest = addNest();
    return m_positions.emplace(id, position).first->second;
}

} // namespace helio::perfetto
