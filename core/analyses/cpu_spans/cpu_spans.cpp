#include "core/analyses/cpu_spans/cpu_spans.h"

#include "core/event_model/ipc_states.h"

#include <algorithm>
#include <array>

namespace helio::cpuspans {
namespace {

constexpr std::string_view WaitView = "wait-reasons";
constexpr std::int64_t IdleEvent = 0x10000;
constexpr std::int64_t IdleExitEvent = 0x20000;

struct Reason {
    std::string_view name;
    std::string_view color;
};
/// Wait reasons of KUtrace, in the order of the states. KUtrace records a reason as a letter; letters without a defined meaning share the
/// last state, "other".
constexpr std::array Reasons{
    Reason{"cpu", "thread.wait-cpu"}, Reason{"disk", "#c2255c"},           Reason{"lock", "#e8590c"},
    Reason{"memory", "#7048e8"},      Reason{"network", "#1971c2"},        Reason{"pipe", "#2f9e44"},
    Reason{"rcu", "#0c8599"},         Reason{"task", "#9c36b5"},           Reason{"scheduler", "#a07a00"},
    Reason{"time", "#7b8794"},        Reason{"unknown", "thread.unknown"}, Reason{"other", "thread.unknown"},
};

const StateSet& reasonStates()
{
    static const StateSet set = [] {
        StateSet all{"wait-reason", {}, "Wait reasons"};
        for (const Reason& reason : Reasons) {
            const bool isRunnable = reason.name == "cpu";
            StateStyle style;
            style.color = reason.color;
            style.words = isRunnable ? "Runnable" : "Waits: " + std::string(reason.name);
            style.height = isRunnable ? 8 : 12;
            style.flags = StateFlag::Labelled | StateFlag::InHeader;
            style.valueTitle = "Name";
            all.states.push_back({std::string(reason.name), isRunnable ? StateCategory::WaitsForCpu : StateCategory::Waits, style});
        }
        return all;
    }();
    return set;
}

std::optional<SpanType> typeOf(const EventType& type)
{
    constexpr std::string_view Rpcs[] = {"kutrace:rpc_request", "kutrace:rpc_response", "kutrace:rpc_middle"};
    Role role = Role::None;
    if (type.name == "kutrace:span")
        role = Role::Span;
    else if (type.name == "kutrace:wait")
        role = Role::Wait;
    else if (std::ranges::find(Rpcs, type.name) != std::end(Rpcs))
        role = Role::Rpc;
    else
        return {};
    return SpanType{role,
                    payloadField(type, {"name"}),
                    payloadField(type, {"event"}),
                    payloadField(type, {"duration"}),
                    payloadField(type, {"arg"}),
                    payloadField(type, {"rpc"}),
                    payloadField(type, {"ipc"}),
                    payloadField(type, {"reason"}),
                    contextField(type, {"tid"})};
}

/// Returns `name` without the suffix ".NUMBER", where NUMBER is `number`: "bash" for "bash.8292" and 8292. Returns other names unchanged.
std::string_view withoutNumber(std::string_view name, std::int64_t number)
{
    const std::string end = '.' + std::to_string(number);
    return name.ends_with(end) ? name.substr(0, name.size() - end.size()) : name;
}

/// Returns `begin` + `duration`; the largest time if the sum overflows.
HostTimestamp endOf(HostTimestamp begin, Duration duration) { return HostTimestamp(sumOf(begin.time_since_epoch(), duration)); }

/// Returns the number of an RPC, which is in the lowest 16 bits of the recorded value. The higher bits contain the length of the RPC's
/// message.
std::int64_t rpcNumber(std::int64_t field) { return field & 0xffff; }

} // namespace

CpuSpans::CpuSpans(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_types(trace, [](const EventType& type, EventTypeId) { return typeOf(type); })
    , m_states(*sink.stateSet(ipcStates()))
    , m_reasons(*sink.stateSet(reasonStates()))
{
}

void CpuSpans::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const SpanType& type = m_types[record.type];
        if (type.role == Role::None)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        switch (type.role) {
        case Role::Span: takeSpan(event, type); break;
        case Role::Wait: takeWait(event, type); break;
        case Role::Rpc: takeRpc(event, type); break;
        case Role::None: break;
        }
    }
}

void CpuSpans::takeSpan(const EventView& event, const SpanType& type)
{
    const std::int64_t tid = type.tid.integerOr(event, -1);
    const Duration duration(type.duration.integerOr(event, 0));
    const std::int64_t number = type.event.integerOr(event, 0);
    if (event.cpu() < 0 || duration <= Duration::zero())
        return;
    const HostTimestamp begin = event.time();
    const HostTimestamp end = endOf(begin, duration);
    const std::int64_t code = type.ipc.integerOr(event, -1);
    State state = code < 0 ? IpcUnmeasured : State(std::min<std::int64_t>(code, IpcCodes - 1));
    std::string_view name = type.name.text(event);
    std::string method;
    if (number == IdleExitEvent)
        state = IpcDeepIdle;
    else if (number == IdleEvent)
        state = type.arg.integerOr(event, 0) == 0 ? IpcIdle : IpcDeepIdle;
    else if (number > IdleEvent) {
        name = withoutNumber(name, tid);
        method = "user ";
    }
    method += name;
    const auto value = static_cast<std::uint32_t>(m_sink.string(method));
    if (Cpu& cpu = cpuOf(event.cpu()); begin >= cpu.end) {
        m_sink.beginInterval(begin, cpu.row, state, value);
        m_sink.end(end, cpu.row);
        cpu.end = end;
    }
    if (tid <= 0)
        return;
    Thread& thread = threadOf(tid);
    if (begin < thread.end)
        return;
    if (number > IdleEvent)
        setName(thread, name);
    m_sink.beginInterval(begin, thread.row, state, value);
    m_sink.end(end, thread.row);
    thread.end = end;
    setRpc(begin, tid, thread, rpcNumber(type.rpc.integerOr(event, 0)));
}

void CpuSpans::takeWait(const EventView& event, const SpanType& type)
{
    const std::int64_t tid = type.tid.integerOr(event, -1);
    const Duration duration(type.duration.integerOr(event, 0));
    if (tid <= 0 || duration <= Duration::zero())
        return;
    Thread& thread = threadOf(tid);
    if (thread.waits == NoTrack) {
        Track row;
        row.view = WaitView;
        row.kind = "thread";
        row.key = "tid:" + std::to_string(tid);
        row.label = thread.name.empty() ? row.key : thread.name;
        row.states = m_reasons;
        row.valueKind = ValueKind::Text;
        row.tid = static_cast<std::int32_t>(tid);
        row.sortKey = row.tid;
        thread.waits = m_sink.addTrack(std::move(row));
    }
    const auto value = static_cast<std::uint32_t>(m_sink.string(type.name.text(event)));
    if (thread.waitEnd < event.time() && thread.waitEnd != HostTimestamp::min())
        m_sink.end(thread.waitEnd, thread.waits);
    m_sink.beginInterval(event.time(), thread.waits, reasonState(type.reason.text(event)), value);
    thread.waitEnd = endOf(event.time(), duration);
}

void CpuSpans::takeRpc(const EventView& event, const SpanType& type)
{
    const std::int64_t tid = type.tid.integerOr(event, -1);
    const std::int64_t rpc = rpcNumber(type.arg.integerOr(event, 0));
    if (rpc != 0) {
        // The name of the event is "METHOD.N", where N is the whole value of the field "arg" or only the RPC number in it.
        const std::string_view name = type.name.text(event);
        const std::string_view method = withoutNumber(withoutNumber(name, type.arg.integerOr(event, 0)), rpc);
        if (!method.empty())
            m_methods[rpc] = method;
    }
    if (tid > 0)
        setRpc(event.time(), tid, threadOf(tid), rpc);
}

CpuSpans::Cpu& CpuSpans::cpuOf(std::int32_t number)
{
    const auto [it, isNew] = m_cpus.try_emplace(number);
    if (isNew) {
        Track row;
        row.view = IpcView;
        row.kind = "cpu";
        row.key = "cpu:" + std::to_string(number);
        row.label = "CPU " + std::to_string(number);
        row.states = m_states;
        row.valueKind = ValueKind::Text;
        row.cpu = number;
        row.sortKey = number - INT32_MAX; // Rows of CPUs are sorted before the rows of threads, whose sort keys are their TIDs.
        it->second.row = m_sink.addTrack(std::move(row));
    }
    return it->second;
}

CpuSpans::Thread& CpuSpans::threadOf(std::int64_t tid)
{
    const auto [it, isNew] = m_threads.try_emplace(tid);
    if (isNew) {
        Track row;
        row.view = IpcView;
        row.kind = "thread";
        row.key = "tid:" + std::to_string(tid);
        row.label = row.key;
        row.states = m_states;
        row.valueKind = ValueKind::Text;
        row.tid = static_cast<std::int32_t>(tid);
        row.sortKey = row.tid;
        it->second.row = m_sink.addTrack(std::move(row));
    }
    return it->second;
}

void CpuSpans::setName(Thread& thread, std::string_view name)
{
    if (thread.name == name)
        return;
    thread.name = name;
    m_sink.track(thread.row).label = thread.name;
    if (thread.waits != NoTrack)
        m_sink.track(thread.waits).label = thread.name;
}

/// Sets `rpc`, the number of the RPC that a thread works on from `at` on; 0 if the thread works on no RPC from then on.
void CpuSpans::setRpc(HostTimestamp at, std::int64_t tid, Thread& thread, std::int64_t rpc)
{
    if (thread.rpc == rpc)
        return;
    if (thread.rpcs == NoTrack) {
        Track attribute;
        attribute.kind = IpcRpcTrack;
        attribute.key = "tid:" + std::to_string(tid) + "/rpc";
        attribute.parent = thread.row;
        attribute.valueKind = ValueKind::Text;
        attribute.states = m_states;
        thread.rpcs = m_sink.addTrack(std::move(attribute));
        m_rpcKind = *m_sink.segments().addKind({"rpc", "Remote procedure calls", "Method", "RPC"});
    }
    const auto nameOf = [&](std::int64_t number) {
        const auto known = m_methods.find(number);
        return m_sink.string(known == m_methods.end() ? "unnamed" : std::string_view(known->second));
    };
    if (thread.rpc != 0)
        m_sink.segments().add({thread.rpcSince, at, thread.rpc, nameOf(thread.rpc), thread.row, m_rpcKind});
    if (rpc != 0)
        m_sink.beginInterval(at, thread.rpcs, State{}, static_cast<std::uint32_t>(nameOf(rpc)));
    else
        m_sink.end(at, thread.rpcs);
    thread.rpc = rpc;
    thread.rpcSince = at;
}

State CpuSpans::reasonState(std::string_view reason)
{
    const auto& states = reasonStates().states;
    const auto known = std::ranges::find(states, reason, &StateKind::name);
    return State(known != states.end() ? known - states.begin() : static_cast<std::ptrdiff_t>(states.size()) - 1);
}

void CpuSpans::finish(HostTimestamp at)
{
    for (auto& [tid, thread] : m_threads) {
        if (thread.waits != NoTrack)
            m_sink.end(std::min(thread.waitEnd, at), thread.waits);
        m_unfinishedRpcs += thread.rpc != 0;
    }
}

std::vector<Diagnostic> CpuSpans::diagnostics()
{
    if (m_unfinishedRpcs == 0)
        return {};
    return {{Diagnostic::Severity::Info,
             "unfinished-rpcs",
             {},
             0,
             m_unfinishedRpcs,
             "a thread works on a remote procedure call at the end of the recording; the call is not listed"}};
}

namespace {

const TrackView SpanViews[] = {
    {.id = std::string(IpcView),
     .title = "Instructions per cycle",
     .tip = "Instructions per cycle of each span of CPUs and threads",
     .order = 25,
     .one = "row",
     .many = "rows",
     .nothing = "No spans of CPUs were recorded. KUtrace records them."},
    {.id = std::string(WaitView),
     .title = "Wait reasons",
     .tip = "Reasons of waits as KUtrace infers them from wake-ups",
     .beginsCollapsed = true,
     .order = 26,
     .one = "thread",
     .many = "threads",
     .number = "TID",
     .nothing = "No waits with reasons were recorded. KUtrace records them."},
};

class CpuSpansKind final : public AnalysisKind {
public:
    std::string_view id() const override { return "cpu-spans"; }
    int version() const override { return 1; }
    std::span<const TrackView> views() const override { return SpanViews; }
    bool appliesTo(const Trace& trace) const override
    {
        return std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return type->name == "kutrace:span"; });
    }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<CpuSpans>(input.trace, sink);
    }
};

} // namespace
} // namespace helio::cpuspans

namespace helio {

extern const BuiltinAnalysis cpuSpansAnalysis{
    []() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<cpuspans::CpuSpansKind>(); }};

} // namespace helio
