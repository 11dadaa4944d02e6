#include "core/export/chrome/chrome_events.h"

#include "core/base/json.h"

#include <algorithm>
#include <cstdio>

namespace helio {
namespace {

/// Returns a time or a duration in us with all its ns, as a JSON number.
std::string microseconds(std::int64_t ns)
{
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(ns / 1'000), static_cast<long long>(ns % 1'000));
    return text;
}

void writeTime(JsonWriter& json, std::string_view name, std::int64_t ns) { json.key(name).written(microseconds(ns)); }

void writeValue(JsonWriter& json, const sql::Value& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        json.value(*integer);
    else if (const auto* real = std::get_if<double>(&value))
        json.value(*real);
    else if (const auto* text = std::get_if<std::string>(&value))
        json.value(*text);
    else
        json.null();
}

/// Returns the categories that a slice was recorded with; `otherwise` if there are none.
std::string categoryOf(const std::vector<WalkedArgument>& arguments, const std::string& otherwise)
{
    for (const WalkedArgument& argument : arguments)
        if (const auto* text = std::get_if<std::string>(&argument.value); text && argument.key == "cat")
            return *text;
    return otherwise;
}

void writeArguments(JsonWriter& json, const std::vector<WalkedArgument>& arguments)
{
    if (arguments.empty())
        return;
    json.key("args");
    json.beginObject();
    for (const WalkedArgument& argument : arguments)
        if (argument.key != "cat") {
            json.key(argument.key);
            argument.isJson ? json.written(std::get<std::string>(argument.value)) : writeValue(json, argument.value);
        }
    json.endObject();
}

/// Returns the PID of a thread's process for an event, which needs one; 0 if it is unknown.
std::int32_t pidOf(const WalkedThread& thread) { return std::max(0, thread.pid); }

/// Returns the thread that a track belongs to; nullptr if there is none.
const WalkedThread* threadOf(const RecordingWalk& walk, const WalkedTrack& track)
{
    return track.utid >= 0 ? &walk.threads()[static_cast<std::size_t>(track.utid)] : nullptr;
}

/// Returns the PID of the process that a track or its thread belongs to; 0 if there is none.
std::int32_t pidOf(const RecordingWalk& walk, const WalkedTrack& track)
{
    if (const WalkedThread* const thread = threadOf(walk, track))
        return pidOf(*thread);
    return track.upid >= 0 ? std::max(0, walk.processes()[static_cast<std::size_t>(track.upid)].pid) : 0;
}

} // namespace

/// Writes an event. `members` writes its members after phase and name.
template <typename Members> void ChromeEvents::write(char phase, std::string_view name, const Members& members)
{
    m_event.clear();
    m_event += m_isBegun ? ",\n" : "\n";
    m_isBegun = true;
    JsonWriter json(m_event);
    json.beginObject();
    json.key("ph").value(std::string_view(&phase, 1));
    json.key("name").value(name);
    members(json);
    json.endObject();
    m_file.write(m_event);
}

void ChromeEvents::writeThings()
{
    for (const WalkedProcess& process : m_walk.processes())
        if (m_walk.selected().hasHost(process.host) && process.pid > 0 && !process.name.empty())
            write('M', "process_name", [&](JsonWriter& json) {
                json.key("pid").value(process.pid);
                json.key("args");
                json.beginObject();
                json.key("name").value(process.name);
                json.endObject();
            });
    for (const WalkedThread& thread : m_walk.threads())
        if (thread.isSelected && !thread.isIdle() && !thread.name.empty())
            write('M', "thread_name", [&](JsonWriter& json) {
                json.key("pid").value(pidOf(thread));
                json.key("tid").value(thread.tid);
                json.key("args");
                json.beginObject();
                json.key("name").value(thread.name);
                json.endObject();
            });
}

ChromeEvents::Operations& ChromeEvents::operationsAt(std::map<std::size_t, Operations>& map, std::size_t index, std::int32_t pid,
                                                     const std::string& category)
{
    const auto [found, isNew] = map.try_emplace(index);
    if (isNew) {
        found->second.pid = pid;
        found->second.category = category;
        found->second.id = ++m_lastId;
    }
    return found->second;
}

void ChromeEvents::writeOperation(char phase, const Operations& operations, std::size_t lane, std::string_view name, std::int64_t ts,
                                  const std::vector<WalkedArgument>& arguments)
{
    write(phase, name, [&](JsonWriter& json) {
        json.key("cat").value(operations.category);
        json.key("pid").value(operations.pid);
        json.key("tid").value(operations.pid);
        writeTime(json, "ts", ts);
        json.key("id").value(std::to_string(operations.id) + '.' + std::to_string(lane));
        writeArguments(json, arguments);
    });
}

void ChromeEvents::addOperation(Operations& operations, std::int64_t ts, std::optional<std::int64_t> end, std::int64_t depth,
                                const std::string& name, const std::vector<WalkedArgument>& arguments)
{
    const std::size_t lane =
        operations.lanes.add(ts, end, depth, [&](std::size_t at, std::int64_t time) { closeOperation(operations, at, time); });
    writeOperation('b', operations, lane, name, ts, arguments);
    operations.names.resize(std::max(operations.names.size(), lane + 1));
    operations.names[lane].push_back(name);
}

void ChromeEvents::closeOperation(Operations& operations, std::size_t lane, std::int64_t time)
{
    writeOperation('e', operations, lane, operations.names[lane].back(), time, {});
    operations.names[lane].pop_back();
}

void ChromeEvents::slice(const WalkedSlice& slice)
{
    const WalkedTrack& track = m_walk.tracks()[slice.track];
    const WalkedThread* const thread = threadOf(m_walk, track);
    if (!thread) {
        const std::string category = track.cpu >= 0 ? track.name + " CPU " + std::to_string(track.cpu) : track.name;
        return addOperation(operationsAt(m_tracks, slice.track, pidOf(m_walk, track), category), slice.ts, slice.end, slice.depth,
                            slice.name, slice.arguments);
    }
    // Slices of all tracks of a thread share its stack, from which one that does not nest is taken out.
    if (!m_threads[track.utid].fits(slice.ts, slice.end, slice.depth))
        return addOperation(operationsAt(m_tracks, slice.track, pidOf(*thread), track.name), slice.ts, slice.end, slice.depth, slice.name,
                            slice.arguments);
    m_threads[track.utid].add(slice.ts, slice.end, slice.depth, [](std::size_t, std::int64_t) {});
    write(slice.end ? 'X' : 'B', slice.name, [&](JsonWriter& json) {
        json.key("cat").value(categoryOf(slice.arguments, track.name));
        json.key("pid").value(pidOf(*thread));
        json.key("tid").value(thread->tid);
        writeTime(json, "ts", slice.ts);
        if (slice.end)
            writeTime(json, "dur", *slice.end - slice.ts);
        writeArguments(json, slice.arguments);
    });
    writeFlows(slice, *thread);
}

void ChromeEvents::writeFlow(char phase, std::uint64_t id, const WalkedThread& thread, std::int64_t ts)
{
    write(phase, "flow", [&](JsonWriter& json) {
        json.key("cat").value("flow");
        json.key("id").value(id);
        json.key("pid").value(pidOf(thread));
        json.key("tid").value(thread.tid);
        writeTime(json, "ts", ts);
        if (phase == 'f')
            json.key("bp").value("e");
    });
}

/// Writes the flows of a slice just after it, so that they belong to it and not to a slice in it. A flow that enters a slice which begins
/// before the slice that the flow leaves is written when both are known, with the time at which it enters: no flow ends before it begins.
void ChromeEvents::writeFlows(const WalkedSlice& slice, const WalkedThread& thread)
{
    for (const std::uint64_t id : slice.flowsOut) {
        writeFlow('s', id, thread, slice.ts);
        if (const auto entered = m_enteredFlows.find(id); entered != m_enteredFlows.end()) {
            const WalkedThread& target = m_walk.threads()[static_cast<std::size_t>(entered->second)];
            writeFlow('f', id, target, std::max(slice.ts, m_walk.arrivalOf(id)));
            m_enteredFlows.erase(entered);
        } else {
            m_leftFlows.insert(id);
        }
    }
    for (const std::uint64_t id : slice.flowsIn)
        if (m_leftFlows.erase(id) > 0)
            writeFlow('f', id, thread, slice.ts);
        else
            m_enteredFlows.emplace(id, thread.utid);
}

void ChromeEvents::point(const WalkedPoint& point)
{
    const WalkedTrack& track = m_walk.tracks()[point.track];
    const WalkedThread* const thread = threadOf(m_walk, track);
    std::string name = track.name;
    if (thread) // Counters belong to processes, so that those of threads need names of their own.
        name += ' ' + thread->name + " (" + std::to_string(thread->tid) + ')';
    else if (track.cpu >= 0)
        name += " CPU " + std::to_string(track.cpu);
    write('C', name, [&](JsonWriter& json) {
        json.key("pid").value(pidOf(m_walk, track));
        writeTime(json, "ts", point.ts);
        json.key("args");
        json.beginObject();
        json.key(track.unit.empty() ? std::string_view("value") : std::string_view(track.unit)).value(point.value);
        json.endObject();
    });
}

void ChromeEvents::state(const WalkedState& state)
{
    const Row& row = m_walk.rows()[state.row];
    std::vector<WalkedArgument> arguments;
    if (!state.detail.empty())
        arguments.push_back({"detail", state.detail});
    addOperation(operationsAt(m_rows, state.row, std::max(0, row.pid), row.label), state.ts, state.end, 0, state.name, arguments);
}

void ChromeEvents::closeBefore(std::int64_t end)
{
    for (auto* const map : {&m_tracks, &m_rows})
        for (auto& [index, operations] : *map)
            operations.lanes.closeBefore(end,
                                         [this, &at = operations](std::size_t lane, std::int64_t time) { closeOperation(at, lane, time); });
}

bool ChromeEvents::partEnded(std::int64_t end)
{
    closeBefore(end);
    return m_file.isWritable();
}

} // namespace helio
