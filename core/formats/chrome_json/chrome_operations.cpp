#include "core/formats/chrome_json/chrome_operations.h"

namespace helio::chromejson {
namespace {

bool isObject(char phase) { return phase == 'N' || phase == 'O' || phase == 'D'; }
bool isBegin(char phase) { return phase == 'b' || phase == 'S' || phase == 'N'; }
bool isEnd(char phase) { return phase == 'e' || phase == 'F' || phase == 'D'; }

} // namespace

/// Returns a key that identifies the asynchronous operation or object to which an event belongs. The key contains the category, the scope
/// and the id; for the older phases S, T, p, F and for objects also the name; for local ids and for objects also the process, because these
/// ids are unique only within a process. The key is stored in m_key.
const std::string& ChromeOperations::keyOf(std::uint32_t thread, const ChromeEvent& event)
{
    const bool isNestable = event.phase == 'b' || event.phase == 'n' || event.phase == 'e';
    m_key.assign(1, isNestable ? 'n' : isObject(event.phase) ? 'o' : 's');
    if (event.isLocalId || isObject(event.phase))
        m_key += std::to_string(m_threads.thread(thread).process);
    for (const std::string_view part : {event.category, event.idScope, event.id, isNestable ? std::string_view() : event.name})
        (m_key += '\0') += part;
    return m_key;
}

std::int64_t ChromeOperations::trackOf(std::int64_t time, std::uint32_t thread, std::string_view name, bool isOfObjects)
{
    TrackContext context;
    context.pid = m_threads.processOfThread(thread).pid;
    std::string label = isOfObjects ? "Objects: " + std::string(name) : std::string(name);
    if (m_tracks.size() >= MostTracks && !m_tracks.contains({context.pid, label}))
        label = "(further tracks)";
    const auto [found, isNew] = m_tracks.try_emplace({context.pid, label}, static_cast<std::int64_t>(m_tracks.size()) + 1);
    if (isNew) {
        TrackDescription track;
        track.track = found->second;
        track.context = context;
        track.name = label;
        m_writer.declareTrack(time, track);
    }
    return found->second;
}

void ChromeOperations::take(std::int64_t time, std::uint32_t thread, const ChromeEvent& event, std::string_view step)
{
    const auto [found, isNew] = m_open.try_emplace(keyOf(thread, event));
    Open& operation = found->second;
    if (isNew)
        operation = {trackOf(time, thread, event.name, isObject(event.phase)), ++m_nests, 0};
    const TrackPlace place{m_threads.contextOf(thread), operation.track, operation.nest};
    m_name = event.name;
    if (isObject(event.phase))
        (m_name += ' ') += event.id;
    SliceTexts texts{m_name, event.category, event.arguments, event.id};
    if (isBegin(event.phase)) {
        ++operation.depth;
        m_writer.beginSlice(time, place, texts);
    } else if (isEnd(event.phase)) {
        operation.depth -= operation.depth > 0 ? 1 : 0;
        m_writer.endSlice(time, place, event.arguments, m_name);
    } else {
        if (event.phase == 'O')
            texts.name = "snapshot";
        else if (!step.empty())
            texts.name = step;
        m_writer.addInstant(time, TrackScope::Track, place, texts);
    }
    if (operation.depth == 0)
        m_open.erase(found);
}

} // namespace helio::chromejson
