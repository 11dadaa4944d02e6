#include "core/export/chrome/chrome_events.h"

#include "core/base/json.h"

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
    const WalkedThread* const thread = track.utid >= 0 ? &m_walk.threads()[static_cast<std::size_t>(track.utid)] : nullptr;
    if (!thread) {
        const std::string category = track.cpu >= 0 ? track.name + " CPU " + std::to_string(track.cpu) : track.name;
        return addOperation(operationsAt(m_tracks, slice.track, 0, category), slice.ts, slice.end, slice.depth, slice.name,
                            slice.arguments);
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

void ChromeEvents::writeFlows(const WalkedSlice& slice, const WalkedThread& thread)
{
    const auto writeFlow = [&](char phase, std::uint64_t id) {
        write(phase, "flow", [&](JsonWriter& json) {
            json.key("cat").value("flow");
            json.key("id").value(id);
            json.key("pid").value(pidOf(thread));
            json.key("tid").value(thread.tid);
            writeTime(json, "ts", slice.ts);
            if (phase == 'f')
                json.key("bp").value("e");
        });
    };
    for (const std::uint64_t id : slice.flowsOut)
        writeFlow('s', id);
    for (const std::uint64_t id : slice.flowsIn)
        writeFlow('f', id);
}

void ChromeEvents::point(const WalkedPoint& point)
{
    const WalkedTrack& track = m_walk.tracks()[point.track];
    const WalkedThread* const thread = track.utid >= 0 ? &m_walk.threads()[static_cast<std::size_t>(track.utid)] : nullptr;
    std::string name = track.name;
    if (thread) // Counters belong to processes, so that those of threads need names of their own.
        name += ' ' + thread->name + " (" + std::to_string(thread->tid) + ')';
    else if (track.cpu >= 0)
        name += " CPU " + std::to_string(track.cpu);
    write('C', name, [&](JsonWriter& json) {
        json.key("pid").value(thread ? pidOf(*thread) : 0);
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
