#include "core/event_model/thread_name_tracker.h"

#include <limits>

namespace helio {
namespace {

std::int32_t numberIn(const FieldRef& field, const EventView& event)
{
    const std::int64_t number = field.integerOr(event, -1);
    return number > 0 && number <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(number) : -1;
}

} // namespace

ThreadNameTracker::ThreadNameTracker(const Trace& trace)
    : m_types(trace, [](const EventType& type, EventTypeId) { return typeOf(type); })
    , m_records(trace.processRecords())
    , m_haveAllNames(!m_records.empty())
{
}

/// Returns the fields for events of the type; nullopt if the events are not about threads. The field "pid" of ftrace and perf is a tid, so
/// their events give no process.
std::optional<ThreadNameTracker::Type> ThreadNameTracker::typeOf(const EventType& type)
{
    std::string_view name = type.name;
    if (name.starts_with("sched:"))
        name.remove_prefix(6);
    const auto field = [&](std::initializer_list<std::string_view> names) { return payloadField(type, names); };
    if (name == "lttng_statedump_process_state")
        return Type{field({"tid"}), field({"pid"}), field({"name"})};
    if (name == "sched_process_fork")
        return Type{field({"child_tid", "child_pid"}), field({"child_tid"}).isValid() ? field({"child_pid"}) : FieldRef(),
                    field({"child_comm"})};
    if (name == "sched_process_exec")
        return Type{field({"tid", "pid"}), {}, field({"filename"}), true};
    return {};
}

void ThreadNameTracker::take(const EventView& event)
{
    const Type& type = m_types[event.record->type];
    const std::int32_t tid = numberIn(type.tid, event);
    std::string_view name = type.name.isValid() ? type.name.text(event) : std::string_view();
    if (type.isPath)
        // Keep the text after the last slash. Without a slash, rfind() returns npos, and npos + 1 is 0.
        name.remove_prefix(name.rfind('/') + 1);
    if (tid > 0)
        put(tid, numberIn(type.pid, event), name);
}

void ThreadNameTracker::takeRecords(HostTimestamp until)
{
    using Kind = ProcessRecord::Kind;
    for (; !m_records.empty() && m_records.front().time <= until; m_records = m_records.subspan(1)) {
        const ProcessRecord& it = m_records.front();
        if (it.guest != NoGuest)
            continue;
        if (it.kind == Kind::Comm || it.kind == Kind::Exec)
            put(it.tid, it.pid, it.name);
        else if (it.kind == Kind::Fork)
            put(it.tid, it.pid, std::string(nameOf(it.parentTid)));
    }
}

void ThreadNameTracker::put(std::int32_t tid, std::int32_t pid, std::string_view name)
{
    // Maximum length of a name in bytes: TASK_COMM_LEN minus the terminating 0. The kernel also shortens names from paths to this length.
    constexpr std::size_t Longest = 15;
    Thread& thread = m_threads[tid];
    if (pid >= 0)
        thread.pid = pid;
    if (!name.empty())
        thread.name = name.substr(0, Longest);
}

std::int32_t ThreadNameTracker::processOf(std::int32_t tid) const
{
    const auto found = m_threads.find(tid);
    return found == m_threads.end() ? -1 : found->second.pid;
}

std::string_view ThreadNameTracker::nameOf(std::int32_t tid) const
{
    const auto found = m_threads.find(tid);
    return found == m_threads.end() ? std::string_view() : found->second.name;
}

} // namespace helio
