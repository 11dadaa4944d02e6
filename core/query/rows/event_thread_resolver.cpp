#include "core/query/rows/event_thread_resolver.h"

#include "core/query/rows/timeline_access.h"

#include <limits>

namespace helio {
namespace {

// Limit of CPU numbers; higher numbers in a store are ignored, because the file may be corrupt.
constexpr std::int32_t MaximumCpu = 1 << 16;

} // namespace

EventThreadResolver::EventThreadResolver(const Timeline& timeline, std::uint32_t trace)
    : m_timeline(timeline)
    , m_trace(trace)
{
    const TimelineTrace& t = timeline.traces[trace];
    for (const auto& type : t.trace->eventTypes()) {
        Handles handles{contextField(*type, {"tid", "vtid", "perf_tid"}), contextField(*type, {"pid", "vpid", "perf_pid"}),
                        contextField(*type, {"procname"})};
        const bool isSwitch = type->name == "sched_switch" || type->name == "sched:sched_switch";
        if (!handles.name.isValid() && isSwitch)
            handles.name = FieldRef(*type, Section::Payload, "prev_comm");
        if (!handles.tid.isValid() && isSwitch) {
            handles.tid = FieldRef(*type, Section::Payload, "prev_tid");
            if (!handles.tid.isValid())
                handles.tid = FieldRef(*type, Section::Payload, "prev_pid");
        }
        m_handles.push_back(std::move(handles));
    }
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::CpuThread, [&](TrackRef row, const Track& track) {
            if (track.cpu < 0 || track.cpu >= MaximumCpu)
                return;
            if (m_cpus.size() <= std::size_t(track.cpu))
                m_cpus.resize(std::size_t(track.cpu) + 1);
            m_cpus[std::size_t(track.cpu)] = row;
        });
    });
    m_current.resize(m_cpus.size());
}

const Track* EventThreadResolver::current(const EventView& event) const
{
    const auto cpu = std::size_t(event.cpu());
    if (event.cpu() < 0 || cpu >= m_cpus.size() || !m_cpus[cpu].isValid())
        return nullptr;
    // Use the cache entry of the CPU if it is valid. Usually it is, because consecutive events on a CPU often have the same thread.
    Current& last = m_current[cpu];
    if (!last.range.contains(event.time())) {
        last = {};
        const Store& store = *storeOf(m_timeline, m_cpus[cpu]);
        auto found = store.intervalAt(m_cpus[cpu].track, event.time());
        // An event at the very end of the trace is in no interval, because the end of an interval is exclusive. Use the last interval if it
        // ends at the event's time.
        const bool isAtEnd = found.empty();
        if (isAtEnd)
            found = store.previousInterval(m_cpus[cpu].track, event.time());
        if (found.empty() || (isAtEnd && found.front().range.end != event.time()))
            return nullptr;
        last.range = isAtEnd ? HostRange{event.time(), event.time() + Duration(1)} : found.front().range;
        if (isOnCpu(meaningOf(m_timeline, m_cpus[cpu], found.front().state)))
            last.thread = trackOf(m_timeline, {m_cpus[cpu].store, TrackId{found.front().value}});
    }
    return last.thread;
}

std::optional<std::int64_t> EventThreadResolver::tid(const EventView& event) const
{
    const FieldRef& field = m_handles[static_cast<std::size_t>(event.record->type)].tid;
    if (field.isValid())
        return field.integer(event);
    const Track* thread = current(event);
    return thread && thread->tid >= 0 ? std::optional<std::int64_t>(thread->tid) : std::nullopt;
}

std::optional<std::int64_t> EventThreadResolver::pid(const EventView& event) const
{
    const FieldRef& field = m_handles[static_cast<std::size_t>(event.record->type)].pid;
    if (field.isValid())
        return field.integer(event);
    const Track* thread = current(event);
    return thread && thread->pid >= 0 ? std::optional<std::int64_t>(thread->pid) : std::nullopt;
}

std::string_view EventThreadResolver::name(const EventView& event) const
{
    const Handles& handles = m_handles[static_cast<std::size_t>(event.record->type)];
    if (handles.name.isValid())
        return handles.name.text(event);
    const auto tid = handles.tid.isValid() ? handles.tid.integer(event) : std::nullopt;
    const Track* const thread = handles.tid.isValid() ? (tid ? withTid(*tid, event.time()) : nullptr) : current(event);
    return thread ? std::string_view(thread->label) : std::string_view();
}

const Track* EventThreadResolver::withTid(std::int64_t tid, HostTimestamp at) const
{
    const Track* found = nullptr;
    if (tid > 0 && tid <= std::numeric_limits<std::int32_t>::max())
        forEachStoreOf(m_timeline, m_trace, [&](StoreIndex, const Store& store) {
            for (const TrackId id : store.tracksOf(TrackRole::Thread, static_cast<std::int32_t>(tid)))
                if (const Track& track = store.tracks()[static_cast<std::size_t>(id)]; track.life.begin <= at && at <= track.life.end)
                    found = &track;
        });
    return found;
}

} // namespace helio
