#include "core/analyses/calls/calls.h"

#include "core/analyses/calls/call_states.h"

#include <algorithm>

namespace helio::calls {
namespace {

constexpr std::string_view View = "call-stack";
constexpr std::size_t MostKnownFrames = std::size_t(1) << 20; ///< 32 MiB.

std::string withNamespace(std::string key, std::uint32_t pidNamespace)
{
    return pidNamespace == 0 ? key : key + '@' + std::to_string(pidNamespace);
}

} // namespace

bool Calls::hasCalls(const Trace& trace)
{
    return std::ranges::any_of(callTypesOf(trace), [](const CallType& type) { return type.isEntry; });
}

Calls::Calls(const Trace& trace, std::shared_ptr<const Store> mapped, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_mappedStore(std::move(mapped))
    , m_mapped(m_mappedStore ? MappedFiles(*m_mappedStore) : MappedFiles())
    , m_modules(m_mapped.modules().size())
    , m_out{sink, *sink.stateSet(callStates()), {}, 0, {}}
    , m_pid(helio::processOf(trace.info()))
{
    SegmentKind kind{"call", "Calls", "Function", "Self", "ns"};
    kind.areCalls = true;
    m_out.calls = *sink.segments().addKind(kind);
    const std::vector<CallType> types = callTypesOf(trace);
    for (const auto& type : trace.eventTypes()) {
        Fields& fields = m_fields.emplace_back();
        fields.type = types[static_cast<std::size_t>(type->id)];
        fields.thread = ThreadFields(*type);
        if (!fields.type.events)
            continue;
        fields.function = FieldRef(*type, Section::Payload, fields.type.events->function);
        if (!fields.type.events->file.empty())
            fields.file = FieldRef(*type, Section::Payload, fields.type.events->file);
        if (!fields.type.events->line.empty())
            fields.line = FieldRef(*type, Section::Payload, fields.type.events->line);
    }
}

void Calls::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const Fields& fields = m_fields[static_cast<std::size_t>(record.type)];
        if (fields.type.source == 0)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, fields);
    }
}

void Calls::take(const EventView& event, const Fields& fields)
{
    Thread& thread = threadOf(event, fields.thread);
    if (const std::string_view name = fields.thread.name(event); name != thread.name)
        setName(thread, name);
    if (fields.type.isEntry)
        return thread.stack->enter(event.time(), functionOf(event, fields, thread.pid));
    const bool hasKey = fields.function.isValid();
    thread.stack->leave(event.time(), fields.type.source, hasKey, hasKey ? functionOf(event, fields, thread.pid).key : 0);
}

Calls::Thread& Calls::threadOf(const EventView& event, const ThreadFields& fields)
{
    const std::int32_t tid = fields.tid(event);
    const std::int32_t recorded = fields.pid(event);
    const std::int32_t pid = recorded >= 0 ? recorded : m_pid;
    const ThreadId id{fields.pidNamespace(event), tid >= 0 ? std::int64_t(tid) : -1 - std::int64_t(event.stream)};
    Thread& thread = m_threads[id];
    if (thread.row == NoTrack || (thread.pid != pid && pid >= 0))
        beginThread(thread, id, pid, event.time());
    return thread;
}

/// Also of a TID that another process has now.
void Calls::beginThread(Thread& thread, ThreadId id, std::int32_t pid, HostTimestamp at)
{
    if (thread.stack)
        thread.stack->truncate(at);
    const auto [pidNamespace, number] = id;
    std::string key = number >= 0 ? "calls:" + std::to_string(number) : "calls:stream-" + std::to_string(-1 - number);
    key = withNamespace(std::move(key), pidNamespace);
    if (const int life = ++m_lives[key]; life > 1)
        key += '#' + std::to_string(life);
    Track row;
    row.view = View;
    row.role = TrackRole::Group;
    row.kind = "thread";
    row.key = key;
    row.label = number >= 0 ? std::to_string(number) : "stream " + std::to_string(-1 - number);
    row.states = m_out.states;
    row.pid = pid;
    row.tid = number >= 0 ? static_cast<std::int32_t>(number) : -1;
    row.sortKey = row.tid == pid ? -1 : row.tid;
    if (pid >= 0)
        row.parent = processOf(pid, pidNamespace).row;
    thread = {m_sink.addTrack(std::move(row)), pid, {}, nullptr};
    thread.stack = std::make_unique<CallStack>(thread.row, std::move(key), m_out);
}

Calls::Process& Calls::processOf(std::int32_t pid, std::uint32_t pidNamespace)
{
    const auto [it, isNew] = m_processes.try_emplace({pidNamespace, pid});
    if (isNew) {
        Track row;
        row.view = View;
        row.role = TrackRole::Group;
        row.kind = "process";
        row.key = withNamespace("pid:" + std::to_string(pid), pidNamespace);
        row.label = row.key;
        row.states = m_out.states;
        row.pid = pid;
        row.sortKey = pid;
        it->second.row = m_sink.addTrack(std::move(row));
    }
    return it->second;
}

/// A process is called as its leader is, else as any of its threads.
void Calls::setName(Thread& thread, std::string_view name)
{
    thread.name = name;
    if (name.empty())
        return;
    Track& row = m_sink.track(thread.row);
    row.label = thread.name;
    const TrackId process = row.parent;
    const bool isLeader = row.tid == row.pid;
    if (process == NoTrack)
        return;
    if (Track& of = m_sink.track(process); isLeader || of.label == of.key)
        of.label = thread.name;
}

Function Calls::functionOf(const EventView& event, const Fields& fields, std::int32_t pid)
{
    Function function;
    function.source = fields.type.source;
    if (fields.function.isText()) {
        function.key = placeOf(event, fields, function.frame);
    } else {
        function.key = static_cast<std::uint64_t>(fields.function.integerOr(event, 0));
        if (fields.type.isEntry)
            function.frame = frameAt(pid, function.key, event.time());
    }
    return function;
}

StackFrame Calls::frameAt(std::int32_t pid, std::uint64_t address, HostTimestamp at)
{
    const std::uint64_t hash = mixed(address, static_cast<std::uint32_t>(pid));
    const auto isIt = [&](std::uint32_t i) { return m_frames[i].address == address && m_frames[i].pid == pid; };
    if (const auto known = m_byAddress.find(hash, isIt))
        return m_frames[*known].frame;
    const MappedFiles::Place place = m_mapped.find(pid, address, at);
    const StackFrame frame = frameOf(place);
    if (place.isForEver && m_frames.size() < MostKnownFrames) {
        m_byAddress.findOrAdd(hash, isIt);
        m_frames.push_back({pid, address, frame});
    }
    return frame;
}

StackFrame Calls::frameOf(const MappedFiles::Place& place)
{
    if (place.module == UnknownModule)
        return {UnknownModule, false, place.address};
    ModuleId& own = m_modules[static_cast<std::size_t>(place.module)];
    if (own == UnknownModule)
        own = m_sink.modules().add(m_mapped.modules()[static_cast<std::size_t>(place.module)]);
    return {own, false, place.address};
}

/// The number of a function's name, which its exit has, too; sets the frame of an entry.
std::uint64_t Calls::placeOf(const EventView& event, const Fields& fields, StackFrame& frame)
{
    std::string name(fields.function.text(event));
    const std::uint64_t key = m_keys.try_emplace(name, m_keys.size()).first->second;
    if (!fields.type.isEntry)
        return key;
    std::string file(fields.file.isValid() ? fields.file.text(event) : std::string_view());
    const auto [module, isNewFile] = m_sourceFiles.try_emplace(file);
    if (isNewFile) {
        Module source;
        source.kind = Module::Kind::File;
        source.path = file;
        module->second = m_sink.modules().add(std::move(source));
    }
    const std::int64_t line = std::clamp<std::int64_t>(fields.line.isValid() ? fields.line.integerOr(event, 0) : 0, 0, UINT32_MAX);
    const auto [place, isNew] = m_places.try_emplace({static_cast<std::uint32_t>(module->second), name, line});
    if (isNew)
        place->second = m_sink.modules().addPlace(module->second, {name, {}, false, file, static_cast<std::uint32_t>(line)});
    frame = {module->second, false, place->second};
    return key;
}

void Calls::truncateAll(HostTimestamp at)
{
    for (auto& [id, thread] : m_threads)
        thread.stack->truncate(at);
}

void Calls::finish(HostTimestamp at)
{
    for (auto& [id, thread] : m_threads)
        thread.stack->finish(at);
}

std::vector<Diagnostic> Calls::diagnostics()
{
    std::vector<Diagnostic> all;
    const auto add = [&](std::uint64_t count, const char* code, const char* what) {
        if (count > 0)
            all.push_back({Diagnostic::Severity::Info, code, {}, 0, count, std::to_string(count) + what});
    };
    const CallMisses& misses = m_out.misses;
    add(misses.orphans, "orphan-exits", " exits of functions whose entry was not recorded are left out");
    add(misses.truncated, "truncated-calls", " calls have no exit of their own: they end where events were lost or a caller was left");
    add(misses.tooDeep, "deep-calls", " calls are nested deeper than 1,000,000 and are left out");
    return all;
}

namespace {

const TrackView CallViews[] = {{.id = std::string(View),
                                .title = "Call stacks",
                                .tip = "Which functions each thread was in, from events of their entries and exits",
                                .areCalls = true,
                                .order = 5,
                                .one = "thread",
                                .many = "threads",
                                .number = "TID",
                                .nothing = "No events were recorded that say which functions were entered and left."}};
constexpr std::string_view Mapped[] = {MappingsAnalysis};

class CallsKind final : public AnalysisKind {
public:
    std::string_view id() const override { return "calls"; }
    int version() const override { return 1; }
    std::span<const std::string_view> uses() const override { return Mapped; }
    std::span<const TrackView> views() const override { return CallViews; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && Calls::hasCalls(trace); }
    std::vector<Requirement> missing(const Trace& trace) const override
    {
        if (trace.info().text("domain") != "ust" || Calls::hasCalls(trace))
            return {};
        return {
            {std::string(View),
             {"lttng_ust_cyg_profile:func_entry", "lttng_ust_cyg_profile_fast:func_entry"},
             "threads have no calls",
             "lttng enable-event -u 'lttng_ust_cyg_profile*,lttng_ust_statedump:*,lttng_ust_dl:*,lttng_ust_lib:*'; lttng add-context -u -t "
             "vpid -t vtid -t procname; then run a program that gcc -finstrument-functions compiled, with "
             "LD_PRELOAD=liblttng-ust-cyg-profile-fast.so:liblttng-ust-dl.so",
             true}};
    }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<Calls>(input.trace, input.needed.empty() ? nullptr : input.needed.front(), sink);
    }
};

} // namespace
} // namespace helio::calls

namespace helio {

extern const BuiltinAnalysis callsAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<calls::CallsKind>(); }};

} // namespace helio
