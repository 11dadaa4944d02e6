#include "core/formats/stack_text/text_recording.h"

#include <algorithm>
#include <cstring>

namespace helio::stacktext {
namespace {

constexpr std::size_t MostTypes = 4096;
constexpr std::size_t MostShapes = 3072; // Maximum number of types with separate fields; later types have one text field.
constexpr std::size_t WriteStep = std::size_t{1} << 20;
constexpr std::uint32_t NoType = ~0u;

template <typename Number> void put(Number number, std::vector<std::byte>& out)
{
    const auto bytes = std::as_bytes(std::span(&number, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

/// True for events whose periods are in ns. The name may have modifiers, for example "cpu-clock:ppp".
bool isClock(std::string_view name)
{
    name = name.substr(0, name.find(':'));
    return name == "cpu-clock" || name == "task-clock";
}

} // namespace

TextRecording::TextRecording(std::string file)
    : m_file(std::move(file))
{
}

void TextRecording::report(const char* kind, std::uint64_t line, std::uint64_t offset, const std::string& what,
                           Diagnostic::Severity severity, std::uint64_t count)
{
    const auto same = std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return d.kind == kind; });
    if (same != diagnostics.end())
        same->count += count;
    else
        diagnostics.push_back({severity, kind, m_file, offset, count, "line " + std::to_string(line) + ": " + what});
}

/// Returns the type of an event, which is shared by events with the same name and fields. Returns NoType if there would be more than `most`
/// types.
std::uint32_t TextRecording::typeOf(const ParsedTextEvent& event, const std::vector<TextField>& fields, std::size_t most)
{
    m_key = event.name;
    m_key += event.hasPeriod ? "\x1fp" : "\x1f";
    for (const TextField& field : fields)
        ((m_key += '\x1f') += field.isNumber ? 'n' : 't') += field.name;
    if (const auto found = m_typeIndex.find(m_key); found != m_typeIndex.end())
        return found->second;
    if (types.size() >= most)
        return NoType;
    const EventTypeId id = types.add(makeTextType(event.name, fields, m_hasPids, event.hasPeriod));
    samples.push_back({id, std::string(event.name), event.hasPeriod && isClock(event.name), false, event.isCounted, 0, divisor});
    m_typeIndex.emplace(m_key, static_cast<std::uint32_t>(id));
    return static_cast<std::uint32_t>(id);
}

std::uint32_t TextRecording::indexOf(std::string_view command)
{
    if (command.empty())
        return 0;
    if (commands[m_lastCommand] == command)
        return m_lastCommand;
    const std::uint64_t hash = std::hash<std::string_view>()(command);
    m_lastCommand = m_commandIndex.findOrAdd(hash, [&](std::uint32_t i) { return commands[i + 1] == command; }) + 1;
    if (m_lastCommand == commands.size())
        commands.emplace_back(command);
    return m_lastCommand;
}

bool TextRecording::add(const ParsedTextEvent& event, const std::vector<TextField>& all)
{
    std::uint32_t type = typeOf(event, all, MostShapes);
    const bool isPlain = type == NoType;
    const std::vector<TextField> one(isPlain ? 1 : 0, TextField{"text", event.text});
    const std::vector<TextField>& fields = isPlain ? one : all;
    if (isPlain)
        type = typeOf(event, fields, MostTypes);
    if (type == NoType)
        return false;
    if (!m_room)
        return true;
    events.push_back({event.time, m_written + m_pending.size(), type, event.cpu});
    put(event.pid, m_pending);
    put(event.tid, m_pending);
    put(event.period, m_pending);
    put(event.stack, m_pending);
    put(indexOf(event.command), m_pending);
    for (const TextField& field : fields) {
        if (field.isNumber) {
            put(field.number, m_pending);
            continue;
        }
        const auto text = std::as_bytes(std::span(field.text));
        m_pending.insert(m_pending.end(), text.begin(), text.end());
        m_pending.push_back(std::byte{0});
    }
    if (event.isCounted)
        samples[type].counted += event.period;
    if (m_pending.size() < WriteStep)
        return true;
    m_written += m_pending.size();
    m_room = storedEvents.append(m_pending);
    m_pending.clear();
    return true;
}

void TextRecording::dropUnstoredEvents()
{
    const auto kept = storedEvents.bytes();
    std::erase_if(events, [&](const TextEvent& event) { return event.offset >= kept.size(); });
    for (SampleEvent& it : samples)
        it.counted = 0;
    for (const TextEvent& event : events) {
        std::uint64_t period = 0;
        std::memcpy(&period, kept.data() + event.offset + 8, sizeof(period));
        samples[event.type].counted += samples[event.type].isCounted ? period : 0;
    }
    diagnostics.push_back({Diagnostic::Severity::Error, "no-room", m_file, 0, 1,
                           "no room in temporary files: " + m_room.error().what + "; the rest is missing"});
}

void TextRecording::finish()
{
    if (m_room)
        m_room = storedEvents.append(m_pending);
    m_pending = {};
    if (!m_room)
        dropUnstoredEvents();
    const auto earlier = [](const TextEvent& a, const TextEvent& b) { return a.time < b.time; };
    if (!std::is_sorted(events.begin(), events.end(), earlier))
        std::stable_sort(events.begin(), events.end(), earlier);
    std::stable_sort(records.begin(), records.end(), [](const ProcessRecord& a, const ProcessRecord& b) { return a.time < b.time; });
}

} // namespace helio::stacktext
