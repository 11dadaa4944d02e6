#include "core/analyses/calls/calls.h"

#include "core/event_model/segment_kinds.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace helio::calls {
namespace {

constexpr std::string_view View = "call-stack";
/// Values of RecordedFunction::source for slices from track events: MarkerSource for slices of threads, TrackSource for slices on tracks.
/// The function events of CalledFunctions have smaller values.
constexpr std::uint16_t MarkerSource = CalledFunctions::FirstOtherSource;
constexpr std::uint16_t TrackSource = MarkerSource + 1;

SegmentKindId addCallKind(StateSink& sink, const char* id, const char* title, const char* name)
{
    SegmentKind kind{id, title, name, "Self", "ns"};
    kind.hasFrames = true;
    kind.areCalls = true;
    return *sink.segments().addKind(kind);
}

SegmentKind cpuTimeKind()
{
    SegmentKind kind{std::string(CallCpuTimes), "CPU times of calls", "Function", "CPU time", "ns"};
    kind.hasFrames = true;
    return kind;
}

/// ThreadId::number of the thread without a known TID on CPU 0. The thread without a TID on CPU n has the number FirstOfCpus - n.
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
    , m_out{sink, *sink.stateSet(callStates()), addCallKind(sink, "call", "Calls", "Function")}
    , m_trackOut{sink, m_out.states}
    , m_decoder(trace)
    , m_running(trace, m_decoder.hasMarkers() ? RunningThreads::Needs::Names : RunningThreads::Needs::Nothing)
    , m_instants(sink)
    , m_flows(sink)
    , m_threadEnds(threadEnds)
    , m_pid(helio::processOf(trace.info()))
{
    if (m_decoder.hasTrackEvents())
        m_trackOut.calls = addCallKind(sink, "async", "Asynchronous slices", "Slice");
    for (const auto& type : trace.eventTypes()) {
        m_fields.emplace_back(*type);
        const bool isCall = m_functions.typeOf(EventTypeId{static_cast<std::uint32_t>(m_cpuTimes.size())}).source != 0;
        m_cpuTimes.push_back(isCall ? FieldRef(*type, Section::Payload, "cpu_ns") : FieldRef());
        if (m_cpuTimes.back().isValid() && !m_out.cpuTimes)
            m_out.cpuTimes = *sink.segments().addKind(cpuTimeKind());
    }
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
        const bool isCall = m_functions.typeOf(record.type).source != 0;
        if (!isCall && !m_decoder.isTrackEvent(record.type) && !m_running.isSwitch(record.type))
            continue;
        event.record = &record;
        event.type = &types[record.type];
        if (isCall)
            take(event);
        else if (m_running.isSwitch(record.type))
            m_running.take(event);
        else
            takeTrackEvent(event);
    }
}

void Calls::take(const EventView& event)
{
    const EventTypeId type = event.record->type;
    Thread& thread = currentThread(event);
    const CallType& call = m_functions.typeOf(type);
    const std::int64_t cpuTime = m_cpuTimes[static_cast<std::size_t>(type)].integerOr(event, -1);
    if (call.isEntry)
        return enter(thread, m_functions.functionOf(event, thread.process), cpuTime);
    const bool hasKey = m_functions.hasFunction(type);
    thread.stack->leave(thread.now, call.source, hasKey, hasKey ? m_functions.functionOf(event, thread.process).key : 0, cpuTime);
}

void Calls::enter(Thread& thread, const RecordedFunction& function, std::int64_t cpuTime)
{
    if (!std::exchange(thread.isListed, true))
        m_mayCall.push_back(&thread);
    if (thread.life.isOtherProgram(function.program)) {
        thread.stack->truncate(thread.now);
        thread.life.setProgram(function.program);
    }
    thread.stack->enter(thread.now, function, cpuTime);
    bindWaiting(thread.waiting, {thread.stack->innermostRow(), thread.now});
}

void Calls::takeTrackEvent(const EventView& view)
{
    using enum TrackEvent::Kind;
    TrackEvent event;
    if (!m_decoder.decode(view, event))
        return;
    switch (event.kind) {
    case SliceBegin:
    case SliceEnd: return takeSlice(view, event);
    case Instant: return takeInstant(view, event);
    case FlowBegin:
    case FlowStep:
    case FlowEnd: return takeFlow(view, event);
    case TrackInfo:
    case ProcessInfo:
    case ThreadInfo: return takeDescription(view, event);
    default: return;
    }
}

void Calls::takeSlice(const EventView& view, const TrackEvent& event)
{
    const bool isBegin = event.kind == TrackEvent::Kind::SliceBegin;
    if (event.scope == TrackScope::Thread) {
        Thread& thread = currentThread(view, event.pid);
        if (isBegin)
            enter(thread, m_functions.functionNamed(event.name, MarkerSource));
        else
            thread.stack->leave(thread.now, MarkerSource, false, 0);
        return;
    }
    AppTrack& track = withRow(trackOf(view, event));
    if (!track.slices)
        track.slices = std::make_unique<SliceTrack>(track.row, track.key, m_trackOut);
    if (!isBegin) {
        const bool hasKey = !event.name.empty() && !event.isMarker;
        return track.slices->end(view.time(), event.nest, hasKey, hasKey ? m_functions.functionNamed(event.name, TrackSource).key : 0);
    }
    track.slices->begin(view.time(), event.nest, m_functions.functionNamed(event.name, TrackSource));
    bindWaiting(track.waiting, {track.slices->innermostRow(event.nest), view.time()});
}

void Calls::takeInstant(const EventView& view, const TrackEvent& event)
{
    TrackId owner = NoTrack;
    FlowPlace* last = nullptr;
    if (event.scope == TrackScope::Track) {
        AppTrack& track = withRow(trackOf(view, event));
        owner = track.row;
        last = &track.lastInstant;
    } else if (event.scope == TrackScope::Thread) {
        Thread& thread = currentThread(view, event.pid);
        owner = thread.row;
        last = &thread.lastInstant;
    } else if (const ProcessId process = processIn(view, event); event.scope == TrackScope::Process && process.pid >= 0) {
        owner = processOf(process).row;
    }
    const TrackId row = m_instants.add(view.time(), owner, event.name);
    if (last)
        *last = {row, view.time()};
}

void Calls::takeFlow(const EventView& view, const TrackEvent& event)
{
    using enum TrackEvent::Kind;
    const FlowRole role = event.kind == FlowBegin ? FlowRole::Begin : event.kind == FlowStep ? FlowRole::Step : FlowRole::End;
    const FlowIdentity flow = m_flows.identify(event.category, event.name, event.id);
    AppTrack* const track = event.track != 0 ? &withRow(trackOf(view, event)) : nullptr;
    Thread* const thread = track ? nullptr : &currentThread(view);
    if (event.bindsToNext) {
        (track ? track->waiting : thread->waiting).emplace_back(flow, role);
        return;
    }
    const FlowPlace& instant = track ? track->lastInstant : thread->lastInstant;
    const TrackId row = !track ? thread->stack->innermostRow() : track->slices ? track->slices->innermostRow(event.nest) : track->row;
    const bool isInSlice = row != (track ? track->row : thread->row);
    const bool isOfInstant = instant.row != NoTrack && instant.at == view.time() && !isInSlice;
    m_flows.add(flow, role, isOfInstant ? instant : FlowPlace{row, view.time()});
}

void Calls::bindWaiting(WaitingFlows& waiting, const FlowPlace& place)
{
    for (const auto& [flow, role] : waiting)
        m_flows.add(flow, role, place);
    waiting.clear();
}

void Calls::takeDescription(const EventView& view, const TrackEvent& event)
{
    const ProcessId process = processIn(view, event);
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(view.record->type)];
    if (event.kind == TrackEvent::Kind::TrackInfo) {
        AppTrack& track = trackOf(view, event);
        track.name = event.name;
        track.parent = event.parent != event.track ? event.parent : 0;
        track.order = event.order;
        track.process = process;
        track.thread = fields.tid(view) >= 0 ? threadOf(view, -1).row : NoTrack;
    } else if (event.kind == TrackEvent::Kind::ProcessInfo && process.pid >= 0) {
        Process& it = processOf(process);
        it.isDeclared = it.isDeclared || !event.name.empty();
        it.order = event.order;
        Track& row = m_sink.track(it.row);
        if (!event.name.empty())
            row.label = event.name;
        if (!event.labels.empty())
            row.label += " (" + std::string(event.labels) + ')';
    } else if (event.kind == TrackEvent::Kind::ThreadInfo && fields.tid(view) >= 0) {
        m_threadOrders[static_cast<std::uint32_t>(threadOf(view, -1).row)] = event.order;
    }
}

/// Returns the process to which a track event belongs; ProcessId::pid is -1 if the process is unknown.
ProcessId Calls::processIn(const EventView& view, const TrackEvent& event) const
{
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(view.record->type)];
    const std::int32_t pid = fields.pid(view);
    return {0, event.isMarker && event.pid > 0 ? event.pid : pid >= 0 ? pid : m_pid};
}

/// Returns the application track that a track event belongs to; adds the track if this is its first event.
Calls::AppTrack& Calls::trackOf(const EventView& view, const TrackEvent& event)
{
    if (event.isMarker) {
        const auto [found, isNew] = m_markerTracks.try_emplace({event.pid, std::string(event.trackName)});
        if (isNew) {
            found->second.key = "track:" + std::to_string(event.pid) + '/' + std::string(event.trackName);
            found->second.name = event.trackName;
            found->second.process = processIn(view, event);
        }
        return found->second;
    }
    const auto [found, isNew] = m_tracks.try_emplace(event.track);
    if (isNew) {
        found->second.key = "track:" + std::to_string(event.track);
        found->second.process = processIn(view, event);
    }
    return found->second;
}

Calls::AppTrack& Calls::withRow(AppTrack& track)
{
    if (track.row != NoTrack)
        return track;
    Track row;
    row.view = View;
    row.role = TrackRole::Group;
    row.kind = "track";
    row.key = track.key;
    row.states = m_out.states;
    row.pid = track.process.pid;
    track.row = m_sink.addTrack(std::move(row));
    return track;
}

/// Names the rows of application tracks and sets their parent rows and sort keys. Called at the end of the trace, when all descriptions of
/// tracks are known.
void Calls::placeTracks()
{
    std::vector<AppTrack*> all;
    for (auto& [number, track] : m_tracks)
        if (track.row != NoTrack)
            all.push_back(&track);
    for (auto& [name, track] : m_markerTracks)
        all.push_back(&track);
    for (std::size_t i = 0; i < all.size(); ++i) // A parent track without slices or instants of its own gets a row, too.
        if (const auto parent = m_tracks.find(all[i]->parent); all[i]->parent != 0 && parent != m_tracks.end())
            if (parent->second.row == NoTrack)
                all.push_back(&withRow(parent->second));
    // Descriptions of tracks may contradict each other, so that a track would be its own ancestor: the parent of such a track is ignored.
    const auto hasCycle = [&](const AppTrack& track) {
        const AppTrack* above = &track;
        for (std::size_t steps = 0; above->parent != 0; ++steps) {
            const auto parent = m_tracks.find(above->parent);
            if (parent == m_tracks.end())
                return false;
            above = &parent->second;
            if (above == &track || steps > 1000)
                return true;
        }
        return false;
    };
    for (AppTrack* const track : all)
        if (hasCycle(*track))
            track->parent = 0;
    std::ranges::sort(all, [](const AppTrack* a, const AppTrack* b) {
        return a->order != b->order ? a->order < b->order : a->name != b->name ? a->name < b->name : a->key < b->key;
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        AppTrack& track = *all[i];
        const auto parent = m_tracks.find(track.parent);
        TrackId above = track.parent != 0 && parent != m_tracks.end() ? parent->second.row : track.thread;
        // Rows of tracks are placed below the rows of threads and processes, and below the depth rows of a thread's call stack.
        constexpr std::int32_t BelowThreads = 2'000'000'000;
        constexpr std::size_t MostKeys = 100'000'000;
        if (above == NoTrack && track.process.pid >= 0)
            above = processOf(track.process).row;
        Track& row = m_sink.track(track.row);
        row.parent = above;
        row.label = track.name.empty() ? track.key : track.name;
        row.sortKey = BelowThreads + static_cast<std::int32_t>(std::min(i, MostKeys));
    }
}

/// Sorts the rows of processes and of threads by recorded sort keys (process_info, thread_info). Does nothing if no sort keys were
/// recorded.
void Calls::sortRows()
{
    const auto isUnsorted = [](const auto& it) { return !it.second.order || *it.second.order == 0; };
    if (!std::ranges::all_of(m_processes, isUnsorted)) {
        std::vector<std::tuple<std::int64_t, std::int32_t, TrackId>> processes;
        for (const auto& [id, process] : m_processes)
            processes.emplace_back(process.order.value_or(0), id.pid, process.row);
        std::ranges::sort(processes);
        for (std::size_t i = 0; i < processes.size(); ++i)
            m_sink.track(std::get<2>(processes[i])).sortKey = static_cast<std::int32_t>(i);
    }
    if (std::ranges::all_of(m_threadOrders, [](const auto& it) { return it.second == 0; }))
        return;
    std::vector<std::tuple<std::int64_t, std::int32_t, TrackId>> threads;
    for (const auto& [id, thread] : m_threads) {
        const auto order = m_threadOrders.find(static_cast<std::uint32_t>(thread.row));
        threads.emplace_back(order != m_threadOrders.end() ? order->second : 0, m_sink.track(thread.row).sortKey, thread.row);
    }
    std::ranges::sort(threads);
    for (std::size_t i = 0; i < threads.size(); ++i)
        m_sink.track(std::get<2>(threads[i])).sortKey = static_cast<std::int32_t>(i);
}

/// Returns the thread that caused an event, and advances Thread::now to the event's time. `markerPid`: PID in the text of an atrace marker;
/// -1 if the event is no marker or its text has no PID.
Calls::Thread& Calls::currentThread(const EventView& event, std::int32_t markerPid)
{
    Thread* const known = m_known->find(event);
    const bool goesOn = known && (known->cpu < 0 || known->cpu == event.cpu()) && !known->life.hasEnded(event.time())
        && !known->life.isOtherProgram(event.time());
    Thread& thread = goesOn ? *known : threadOf(event, markerPid);
    thread.now = std::max(thread.now, event.time());
    return thread;
}

/// Returns the thread that the event's fields name, and updates the thread's name and process from the event.
Calls::Thread& Calls::threadOf(const EventView& event, std::int32_t markerPid)
{
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    ThreadId id = fields.idOf(event);
    const std::int32_t cpu = fields.hasThread() && fields.tid(event) < 0 ? event.cpu() : -1;
    if (cpu >= 0)
        id.number = FirstOfCpus - cpu;
    Thread* const last = m_last.find(event.stream, id);
    Thread& thread = last ? *last : m_threads[id];
    if (!last)
        m_last.set(event.stream, id, thread);
    const std::int32_t recorded = fields.pid(event);
    // Use the PID in the text of an atrace marker only if no other source tells the process: it may be a number in another PID namespace.
    const std::int32_t pid = recorded >= 0 ? recorded : m_pid >= 0 ? m_pid : thread.row == NoTrack ? markerPid : -1;
    if (thread.row == NoTrack || (thread.process.pid != pid && pid >= 0) || thread.life.hasEnded(event.time()))
        beginThread(thread, id, pid, event.time());
    if (cpu >= 0 && std::exchange(thread.cpu, cpu) < 0 && fields.isOfIdleThread(event))
        setName(thread, "swapper/" + std::to_string(cpu));
    if (thread.life.isOtherProgram(event.time())) {
        truncate(thread, thread.life.end());
        thread.life.setProgram(event.time());
    }
    std::string_view name = fields.name(event);
    RunningThread running;
    if (name.empty() && m_decoder.hasMarkers() && event.cpu() >= 0) {
        running = m_running.on(event.cpu());
        name = running.tid == id.number ? std::string_view(running.name) : std::string_view();
    }
    if (!name.empty() && name != thread.name)
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
    const ProcessId process{m_decoder.hasStoredEvents() ? 0 : pidNamespace, pid};
    if (pid >= 0)
        row.parent = processOf(process).row;
    const CallerLife life(m_frames.files(), m_threadEnds, id, process, at);
    thread = {m_sink.addTrack(std::move(row)), process, life, at, {}, nullptr, -1, thread.isListed, {}, {}};
    thread.stack = std::make_unique<CallStack>(thread.row, std::move(key), m_out);
    if (const auto known = m_recordedNames.find(number); pidNamespace == 0 && known != m_recordedNames.end())
        setName(thread, known->second);
}

Calls::Process& Calls::processOf(const ProcessId& process)
{
    const auto [it, isNew] = m_processes.try_emplace(process);
    if (isNew) {
        Track row;
        row.view = View;
        row.role = TrackRole::Group;
        row.kind = "process";
        row.key = "pid:" + std::to_string(process.pid) + namespaceSuffix(process.pidNamespace);
        row.label = "pid " + std::to_string(process.pid);
        row.states = m_out.states;
        row.pid = process.pid;
        row.sortKey = process.pid;
        it->second.row = m_sink.addTrack(std::move(row));
    }
    return it->second;
}

/// Sets the label of a thread's row. The process's row gets the same label if the thread is the main thread and the process has no recorded
/// name (Process::isDeclared).
void Calls::setName(Thread& thread, std::string_view name)
{
    thread.name = name;
    Track& row = m_sink.track(thread.row);
    row.label = thread.name;
    if (row.parent == NoTrack || row.tid != row.pid)
        return;
    if (const Process& process = processOf(thread.process); !process.isDeclared)
        m_sink.track(process.row).label = thread.name;
}

void Calls::truncateAll(HostTimestamp at)
{
    for (Thread* const thread : m_mayCall) {
        truncate(*thread, at);
        thread->isListed = false;
    }
    m_mayCall.clear();
    closeTracks(at, CallEnding::Truncated);
}

void Calls::closeTracks(HostTimestamp at, CallEnding ending)
{
    for (auto& [number, track] : m_tracks)
        if (track.slices)
            track.slices->closeAll(at, ending);
    for (auto& [name, track] : m_markerTracks)
        if (track.slices)
            track.slices->closeAll(at, ending);
}

void Calls::finish(HostTimestamp at)
{
    for (auto& [id, thread] : m_threads)
        thread.life.end() < at ? truncate(thread, at) : thread.stack->finish(std::max(at, thread.now));
    closeTracks(at, CallEnding::Open);
    placeTracks();
    sortRows();
}

std::vector<Diagnostic> Calls::diagnostics()
{
    std::vector<Diagnostic> all;
    const auto add = [&](std::uint64_t count, const char* code, const char* what) {
        if (count > 0)
            all.push_back({Diagnostic::Severity::Info, code, {}, 0, count, what});
    };
    UnmatchedCalls misses = m_out.misses;
    misses.orphans += m_trackOut.misses.orphans;
    misses.truncated += m_trackOut.misses.truncated;
    misses.tooDeep += m_trackOut.misses.tooDeep;
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
    add(m_flows.unstarted(), "unstarted-flows", "the end of a flow has no beginning; no arrow leads to it");
    add(m_flows.forgotten(), "many-flows", "more than 4,000,000 flows were begun; arrows of further ones are missing");
    return all;
}

namespace {

const TrackView CallViews[] = {{.id = std::string(View),
                                .title = "Call stacks",
                                .tip = "Functions and slices of each thread and track over time, from events of programs",
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
    int version() const override { return 10; }
    bool usesThreadEnds() const override { return true; }
    std::span<const std::string_view> uses() const override { return Mapped; }
    std::span<const TrackView> views() const override { return CallViews; }
    bool appliesTo(const Trace& trace) const override
    {
        return trace.info().hasTimes && (CalledFunctions::hasFunctionEntries(trace) || TrackEventDecoder(trace).hasTrackEvents());
    }
    std::vector<MissingEvents> missing(const Trace& trace) const override
    {
        if (trace.info().text("domain") != "ust" || CalledFunctions::hasFunctionEntries(trace))
            return {};
        return {{std::string(View),
                 {"lttng_ust_cyg_profile:func_entry", "lttng_ust_cyg_profile_fast:func_entry"},
                 missingEntries(trace).empty() ? "threads have no calls" : "threads have no calls: only function exits were recorded",
                 recordingCommand(RecordableData::FunctionCalls, tracerOf(trace.info())),
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
