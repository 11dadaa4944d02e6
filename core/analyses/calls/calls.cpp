#include "core/analyses/calls/calls.h"

#include <algorithm>
#include <utility>

namespace helio::calls {
namespace {

constexpr std::string_view View = "call-stack";

/// ThreadId::number of the thread without a TID on CPU 0; smaller numbers are those of the CPUs after it.
constexpr std::int64_t FirstOfCpus = -(std::int64_t{1} << 40);

std::string howToRecord(const Trace& trace, const MissingEntries& entries)
{
    const std::string command = recordEventsCommand(std::vector{entries.entry}, tracerOf(trace.info()));
    return trace.info().text("domain") == "ust" && !command.empty() ? "; " + command + " records them" : "";
}

} // namespace

Calls::Calls(const Trace& trace, std::shared_ptr<const Store> mapped, std::span<const ThreadEnd> threadEnds, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_frames(std::move(mapped), sink)
    , m_functions(trace, m_frames, sink)
    , m_out{sink, *sink.stateSet(callStates()), {}, 0, {}}
    , m_threadEnds(threadEnds)
    , m_pid(helio::processOf(trace.info()))
{
    SegmentKind kind{"call", "Calls", "Function", "Self", "ns"};
    kind.hasFrames = true;
    kind.areCalls = true;
    m_out.calls = *sink.segments().addKind(kind);
    for (const auto& type : trace.eventTypes())
        m_fields.emplace_back(*type);
    m_known.emplace(m_fields);
    for (const ProcessRecord& record : trace.processRecords())
        if (record.kind == ProcessRecord::Kind::Comm && record.tid > 0)
            m_recordedNames.try_emplace(record.tid, record.name);
}

void Calls::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    const EventTypes& types = m_trace.eventTypes();
    for (const EventRecord& record : run.records) {
        if (m_functions.typeOf(record.type).source == 0)
            continue;
        event.record = &record;
        event.type = &types[record.type];
        take(event);
    }
}

void Calls::take(const EventView& event)
{
    const EventTypeId type = event.record->type;
    Thread* const known = m_known->find(event);
    const bool goesOn = known && (known->cpu < 0 || known->cpu == event.cpu()) && !known->life.hasEnded(event.time())
        && !known->life.isOtherProgram(event.time());
    Thread& thread = goesOn ? *known : threadOf(event);
    thread.now = std::max(thread.now, event.time());
    const CallType& call = m_functions.typeOf(type);
    if (call.isEntry && !std::exchange(thread.isListed, true))
        m_mayCall.push_back(&thread);
    if (call.isEntry) {
        const RecordedFunction function = m_functions.functionOf(event, thread.process);
        if (thread.life.isOtherProgram(function.program)) {
            thread.stack->truncate(thread.now);
            thread.life.setProgram(function.program);
        }
        return thread.stack->enter(thread.now, function);
    }
    const bool hasKey = m_functions.hasFunction(type);
    thread.stack->leave(thread.now, call.source, hasKey, hasKey ? m_functions.functionOf(event, thread.process).key : 0);
}

/// Returns the thread that the event's fields name, and updates the thread's name and process from the event.
Calls::Thread& Calls::threadOf(const EventView& event)
{
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    const std::int32_t recorded = fields.pid(event);
    const std::int32_t pid = recorded >= 0 ? recorded : m_pid;
    ThreadId id = fields.idOf(event);
    const std::int32_t cpu = fields.hasThread() && fields.tid(event) < 0 ? event.cpu() : -1;
    if (cpu >= 0)
        id.number = FirstOfCpus - cpu;
    Thread* const last = m_last.find(event.stream, id);
    Thread& thread = last ? *last : m_threads[id];
    if (!last)
        m_last.set(event.stream, id, thread);
    if (thread.row == NoTrack || (thread.process.pid != pid && pid >= 0) || thread.life.hasEnded(event.time()))
        beginThread(thread, id, pid, event.time());
    if (cpu >= 0 && std::exchange(thread.cpu, cpu) < 0 && fields.isOfIdleThread(event))
        setName(thread, "swapper/" + std::to_string(cpu));
    if (thread.life.isOtherProgram(event.time())) {
        truncate(thread, thread.life.end());
        thread.life.setProgram(event.time());
    }
    if (const std::string_view name = fields.name(event); !name.empty() && name != thread.name)
        setName(thread, name);
    m_known->set(event, thread);
    return thread;
}

/// Truncates the open calls at time `at`, or at the end of the thread or of its program if that is earlier.
void Calls::truncate(Thread& thread, HostTimestamp at)
{
    thread.now = std::max(thread.now, std::min(at, thread.life.end()));
    thread.stack->truncate(thread.now);
}

/// Begins a new thread, even if another thread or process used the TID before.
void Calls::beginThread(Thread& thread, ThreadId id, std::int32_t pid, HostTimestamp at)
{
    if (thread.stack)
        truncate(thread, at);
    const auto [pidNamespace, number] = id;
    const std::string label = number >= 0 ? std::to_string(number)
        : number > FirstOfCpus            ? "stream " + std::to_string(-1 - number)
                                          : "CPU " + std::to_string(FirstOfCpus - number);
    std::string key = number >= 0 ? "calls:" + label
        : number > FirstOfCpus    ? "calls:stream-" + std::to_string(-1 - number)
                                  : "calls:cpu-" + std::to_string(FirstOfCpus - number);
    key += namespaceSuffix(pidNamespace);
    if (const int life = ++m_lives[key]; life > 1)
        key += '#' + std::to_string(life);
    Track row;
    row.view = View;
    row.role = TrackRole::Group;
    row.kind = "thread";
    row.key = key;
    row.label = label;
    row.states = m_out.states;
    row.pid = pid;
    row.tid = number >= 0 ? static_cast<std::int32_t>(number) : -1;
    row.sortKey = row.tid == pid ? -1 : row.tid;
    if (pid >= 0)
        row.parent = processOf(pid, pidNamespace).row;
    const ProcessId process{pidNamespace, pid};
    const CallerLife life(m_frames.files(), m_threadEnds, id, process, at);
    thread = {m_sink.addTrack(std::move(row)), process, life, at, {}, nullptr, -1, thread.isListed};
    thread.stack = std::make_unique<CallStack>(thread.row, std::move(key), m_out);
    if (const auto known = m_recordedNames.find(number); known != m_recordedNames.end())
        setName(thread, known->second);
}

Calls::Process& Calls::processOf(std::int32_t pid, std::uint32_t pidNamespace)
{
    const auto [it, isNew] = m_processes.try_emplace({pidNamespace, pid});
    if (isNew) {
        Track row;
        row.view = View;
        row.role = TrackRole::Group;
        row.kind = "process";
        row.key = "pid:" + std::to_string(pid) + namespaceSuffix(pidNamespace);
        row.label = row.key;
        row.states = m_out.states;
        row.pid = pid;
        row.sortKey = pid;
        it->second.row = m_sink.addTrack(std::move(row));
    }
    return it->second;
}

/// Sets the name of a thread, and of its process if the thread is the main thread, or if the main thread's name is not known yet.
void Calls::setName(Thread& thread, std::string_view name)
{
    thread.name = name;
    Track& row = m_sink.track(thread.row);
    row.label = thread.name;
    const TrackId process = row.parent;
    const bool isLeader = row.tid == row.pid;
    if (process == NoTrack)
        return;
    if (Track& of = m_sink.track(process); isLeader || of.label == of.key)
        of.label = thread.name;
}

void Calls::truncateAll(HostTimestamp at)
{
    for (Thread* const thread : m_mayCall) {
        truncate(*thread, at);
        thread->isListed = false;
    }
    m_mayCall.clear();
}

void Calls::finish(HostTimestamp at)
{
    for (auto& [id, thread] : m_threads)
        thread.life.end() < at ? truncate(thread, at) : thread.stack->finish(std::max(at, thread.now));
}

std::vector<Diagnostic> Calls::diagnostics()
{
    std::vector<Diagnostic> all;
    const auto add = [&](std::uint64_t count, const char* code, const char* what) {
        if (count > 0)
            all.push_back({Diagnostic::Severity::Info, code, {}, 0, count, what});
    };
    const UnmatchedCalls& misses = m_out.misses;
    for (const MissingEntries& it : missingEntries(m_trace))
        all.push_back({Diagnostic::Severity::Info,
                       "missing-entries",
                       {},
                       0,
                       1,
                       "Entries were not recorded: " + it.exit + " is ignored" + howToRecord(m_trace, it)});
    add(misses.orphans, "orphan-exits", "a function exit without a recorded entry is ignored");
    add(misses.truncated, "truncated-calls",
        "a call has no recorded exit: it ends where events were lost, a caller returned or its thread ended");
    add(misses.tooDeep, "deep-calls", "a call is nested deeper than 1,000,000 and is ignored");
    return all;
}

namespace {

const TrackView CallViews[] = {{.id = std::string(View),
                                .title = "Call stacks",
                                .tip = "Functions of each thread over time, from function entry and exit events",
                                .areCalls = true,
                                .order = 15,
                                .one = "thread",
                                .many = "threads",
                                .share = "CPU %",
                                .number = "TID",
                                .data = RecordableData::FunctionCalls,
                                .nothing = "No function entry or exit events were recorded."}};
constexpr std::string_view Mapped[] = {MappingsAnalysis};

class CallsKind final : public AnalysisKind {
public:
    std::string_view id() const override { return "calls"; }
    int version() const override { return 7; }
    bool usesThreadEnds() const override { return true; }
    std::span<const std::string_view> uses() const override { return Mapped; }
    std::span<const TrackView> views() const override { return CallViews; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && CalledFunctions::hasFunctionEntries(trace); }
    std::vector<MissingEvents> missing(const Trace& trace) const override
    {
        if (trace.info().text("domain") != "ust" || CalledFunctions::hasFunctionEntries(trace))
            return {};
        return {{std::string(View),
                 {"lttng_ust_cyg_profile:func_entry", "lttng_ust_cyg_profile_fast:func_entry"},
                 missingEntries(trace).empty() ? "threads have no calls" : "threads have no calls: only function exits were recorded",
                 recordCommand(RecordableData::FunctionCalls, tracerOf(trace.info())),
                 true}};
    }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<Calls>(input.trace, input.needed.empty() ? nullptr : input.needed.front(), input.threadEnds, sink);
    }
};

} // namespace
} // namespace helio::calls

namespace helio {

extern const BuiltinAnalysis callsAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<calls::CallsKind>(); }};

} // namespace helio
