#include "core/analyses/event_threads/event_threads.h"

#include "core/event_model/event_ticks.h"

#include <algorithm>

namespace helio {
namespace {

const StateSet States{
    "events",
    {{"unknown", StateCategory::Unknown, {"thread.idle-kthread", "Not recorded", "not recorded", 1, BarPattern::Line, 100, 0, 0}}}};
const StateSet TickStates{
    "event", {{"event", StateCategory::None, {"mark.bookmark", "Event", "events", 16, BarPattern::Plain, 0, 0, StateFlag::InHeader}}}};

} // namespace

bool EventThreads::hasThreads(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) {
        const ThreadFields fields(*type);
        return fields.hasThread() || fields.hasProcess();
    });
}

EventThreads::EventThreads(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_states(*sink.stateSet(States))
    , m_tickStates(*sink.stateSet(TickStates))
{
    for (const auto& type : trace.eventTypes())
        m_fields.emplace_back(*type);
    m_known.emplace(m_fields);
    m_pid = processOf(trace.info());
}

void EventThreads::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    const EventTypes& types = m_trace.eventTypes();
    for (const EventRecord& record : run.records) {
        event.record = &record;
        event.type = &types[record.type];
        Thread* thread = m_known->find(event);
        if (!thread)
            thread = threadOf(event);
        if (thread)
            tick(*thread, record);
    }
}

/// Returns the thread that the event's fields identify, and updates the thread's name and process from the event; nullptr if the fields
/// identify no thread.
EventThreads::Thread* EventThreads::threadOf(const EventView& event)
{
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    const std::int32_t tid = fields.tid(event);
    const std::int32_t pid = fields.pid(event);
    if (tid < 0 && pid < 0)
        return nullptr;
    const bool isOfProcess = tid < 0; // True if the event identifies only the process, not the thread.
    const Id id{fields.pidNamespace(event), isOfProcess, isOfProcess ? pid : tid};
    Thread* const last = m_last.find(event.stream, id);
    Thread& thread = last ? *last : threadOf(id);
    if (!last)
        m_last.set(event.stream, id, thread);
    if (thread.pid < 0 && (pid > 0 || m_pid > 0)) {
        thread.pid = pid > 0 ? pid : m_pid;
        m_sink.track(thread.row).pid = thread.pid;
    }
    if (const std::string_view name = fields.name(event); name != thread.name)
        setName(event.time(), thread, name);
    m_known->set(event, thread);
    return &thread;
}

void EventThreads::tick(Thread& thread, const EventRecord& event)
{
    const HostTimestamp from = std::max(event.time, thread.tickEnd);
    thread.tickEnd = from + Duration(1);
    // Adjoining ticks need different values, because the store merges adjoining intervals with equal state and value.
    m_sink.set(from, thread.ticks, State{}, tickValue(event.cpu, from));
    m_sink.end(thread.tickEnd, thread.ticks);
}

EventThreads::Thread& EventThreads::threadOf(Id id)
{
    const auto [found, isNew] = m_threads.try_emplace(id);
    Thread& thread = found->second;
    if (!isNew)
        return thread;
    Track row;
    row.view = "control-flow";
    row.kind = "thread";
    row.role = TrackRole::Thread;
    row.key = (id.isProcess ? "pid:" : "tid:") + std::to_string(id.number);
    if (id.pidNamespace != 0)
        row.key += "@" + std::to_string(id.pidNamespace);
    row.label = row.key;
    row.states = m_states;
    row.tid = id.isProcess ? -1 : id.number;
    row.sortKey = id.number;
    thread.row = m_sink.addTrack(std::move(row));
    m_sink.set(m_begin, thread.row, State{});
    Track ticks;
    ticks.kind = "events";
    ticks.role = TrackRole::Events;
    ticks.parent = thread.row;
    ticks.states = m_tickStates;
    thread.ticks = m_sink.addTrack(std::move(ticks));
    setName(m_begin, thread, m_trace.info().text("procname"));
    return thread;
}

void EventThreads::setName(HostTimestamp at, Thread& thread, std::string_view name)
{
    if (name.empty() || name == thread.name)
        return;
    if (thread.names == NoTrack) {
        Track names;
        names.kind = "name";
        names.role = TrackRole::Name;
        names.key = "name";
        names.parent = thread.row;
        names.valueKind = ValueKind::Text;
        thread.names = m_sink.addTrack(std::move(names));
        at = m_begin; // Use the first recorded name of the thread also for the time before it was recorded.
    }
    thread.name = name;
    m_sink.track(thread.row).label = thread.name;
    m_sink.set(at, thread.names, State{}, static_cast<std::uint32_t>(m_sink.string(name)));
}

void EventThreads::finish(HostTimestamp)
{
    for (auto& [id, thread] : m_threads) {
        if (id.isProcess || thread.pid < 0 || thread.pid == id.number)
            continue;
        const auto leader = m_threads.find({id.pidNamespace, false, thread.pid});
        const bool isLeader = leader != m_threads.end() && (leader->second.pid < 0 || leader->second.pid == thread.pid);
        // Set the parent only if the main thread (`leader`) belongs to no other process. Otherwise contexts that contradict each other
        // could make two rows each other's parent.
        if (isLeader)
            m_sink.track(thread.row).parent = leader->second.row;
    }
}

namespace {

const TrackView ThreadViews[] = {{.id = "control-flow"}};
// Ids of the analyses that replace the analysis of event threads. The kernel analysis has scheduler events, and its rows have the same
// keys.
constexpr std::string_view KnowingMore[] = {"kernel"};

class EventThreadsAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "event-threads"; }
    int version() const override { return 4; }
    std::span<const std::string_view> yieldsTo() const override { return KnowingMore; }
    std::span<const TrackView> views() const override { return ThreadViews; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && EventThreads::hasThreads(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<EventThreads>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis eventThreadsAnalysis{
    []() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<EventThreadsAnalysis>(); }};

} // namespace helio
