#include "core/analyses/heap/heap.h"

#include "core/event_model/segment_kinds.h"

#include <algorithm>
#include <utility>

namespace helio::heap {
namespace {

constexpr std::string_view View = "heap";
// Id of a separate view for numbers of blocks, because they need another scale than bytes.
constexpr std::string_view BlocksView = "heap-blocks";

} // namespace

void CallerStack::enter(const RecordedFunction& function)
{
    if (m_calls.enter(function.source, function.key))
        m_callers.push_back({function.frame, NoStack});
}

void CallerStack::leave(std::uint16_t source, bool hasKey, std::uint64_t key)
{
    m_callers.resize(m_callers.size() - m_calls.leave(source, hasKey, key).closed);
}

void CallerStack::clear()
{
    m_calls.clear();
    m_callers.clear();
}

StackId CallerStack::stack(StackSink& stacks)
{
    std::size_t known = m_callers.size();
    while (known > 0 && m_callers[known - 1].stack == NoStack)
        --known;
    StackId stack = known > 0 ? m_callers[known - 1].stack : NoStack;
    for (; known < m_callers.size(); ++known)
        stack = m_callers[known].stack = stacks.stack(stack, m_callers[known].frame);
    return stack;
}

bool Heap::hasHeap(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return isHeapEvent(type->name) && HeapEvent(*type).isKnown(); });
}

Heap::Heap(const Trace& trace, std::shared_ptr<const Store> mapped, std::span<const ThreadEnd> threadEnds, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_frames(std::move(mapped), sink)
    , m_functions(trace, m_frames, sink)
    , m_blocks(kindOf(AllocatedBlocks, "Memory blocks", "Size", "B"))
    , m_frees(kindOf(FreedBlocks, "Frees", "Size", "B"))
    , m_threadEnds(threadEnds)
    , m_pid(helio::processOf(trace.info()))
{
    for (const auto& type : trace.eventTypes())
        m_fields.push_back({HeapEvent(*type), ThreadFields(*type)});
}

SegmentKindId Heap::kindOf(std::string_view id, const char* title, const char* valueTitle, const char* unit)
{
    SegmentKind kind{std::string(id), title, "Function", valueTitle, unit};
    kind.hasFrames = true;
    return *m_sink.segments().addKind(kind);
}

bool Heap::takes(EventTypeId type) const
{
    return m_functions.typeOf(type).source != 0 || m_fields[static_cast<std::size_t>(type)].heap.isKnown();
}

void Heap::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const Fields& fields = m_fields[static_cast<std::size_t>(record.type)];
        const bool isCall = m_functions.typeOf(record.type).source != 0;
        if (!isCall && !fields.heap.isKnown())
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        if (isCall)
            takeCall(event);
        else
            takeChange(event, fields);
    }
}

void Heap::takeCall(const EventView& event)
{
    const EventTypeId type = event.record->type;
    const CallType& call = m_functions.typeOf(type);
    Thread& thread = threadOf(event, m_fields[static_cast<std::size_t>(type)].thread);
    if (call.isEntry && !std::exchange(thread.isListed, true))
        m_mayCall.push_back(&thread);
    if (call.isEntry) {
        const RecordedFunction function = m_functions.functionOf(event, thread.of);
        if (thread.life.isOtherProgram(function.program)) {
            thread.callers.clear();
            thread.life.setProgram(function.program);
        }
        return thread.callers.enter(function);
    }
    const bool hasKey = m_functions.hasFunction(type);
    thread.callers.leave(call.source, hasKey, hasKey ? m_functions.functionOf(event, thread.of).key : 0);
}

void Heap::takeChange(const EventView& event, const Fields& fields)
{
    const HeapChange change = fields.heap.changeOf(event);
    if (change.freed == 0 && change.allocated == 0)
        return;
    Thread& thread = threadOf(event, fields.thread);
    if (!thread.process)
        thread.process = &processOf(event, fields.thread, thread.of);
    StackId stack = thread.callers.stack(m_sink.stacks());
    if (const auto ip = fields.heap.calledFrom(event))
        stack = m_sink.stacks().stack(stack, m_frames.at(thread.of, *ip, event.time(), true).frame);
    if (change.freed != 0)
        free(event.time(), thread, change.freed, stack);
    if (change.allocated != 0)
        allocate(event.time(), thread, change, stack);
    count(event.time(), *thread.process);
}

void Heap::free(HostTimestamp at, const Thread& thread, std::uint64_t address, StackId stack)
{
    const auto add = [&](SegmentKindId kind, std::uint64_t value) {
        m_sink.segments().add({at, at, static_cast<std::int64_t>(value), StringId(stack), thread.track, kind});
    };
    Block block;
    switch (thread.process->blocks.free(address, block)) {
    case HeapBlocks::FreeResult::Block: close(block, at, m_blocks); return add(m_frees, block.bytes);
    case HeapBlocks::FreeResult::Again:
        ++m_inconsistencies.doubleFrees;
        return add(kindOf(DoubleFrees, "Double frees", "Address", ""), address);
    case HeapBlocks::FreeResult::Unknown:
        ++m_inconsistencies.unknownFrees;
        return add(kindOf(UnknownFrees, "Frees of unknown blocks", "Address", ""), address);
    }
}

void Heap::allocate(HostTimestamp at, const Thread& thread, const HeapChange& change, StackId stack)
{
    Block old;
    switch (thread.process->blocks.allocate(change.allocated, {at, change.bytes, stack, thread.track}, old)) {
    case HeapBlocks::AllocateResult::Nothing: return;
    case HeapBlocks::AllocateResult::TooMany: ++m_inconsistencies.beyondLimit; return;
    case HeapBlocks::AllocateResult::Block: ++m_inconsistencies.unseenFrees; return close(old, at, m_blocks);
    }
}

void Heap::close(const Block& block, HostTimestamp at, SegmentKindId kind)
{
    m_sink.segments().add(
        {block.since, std::max(block.since, at), static_cast<std::int64_t>(block.bytes), StringId(block.stack), block.thread, kind});
}

void Heap::count(HostTimestamp at, const Process& process)
{
    if (process.bytesSeries)
        m_sink.counters().addInteger(*process.bytesSeries, at, process.blocks.bytes());
    if (process.blocksSeries)
        m_sink.counters().addInteger(*process.blocksSeries, at, static_cast<std::int64_t>(process.blocks.count()));
}

/// Returns the record of the thread that made an event. Begins a new record if the TID is new, or if it now belongs to another thread or
/// process.
Heap::Thread& Heap::threadOf(const EventView& event, const ThreadFields& fields)
{
    const std::int32_t recorded = fields.pid(event);
    const std::int32_t pid = recorded >= 0 ? recorded : m_pid;
    const ThreadId id = fields.idOf(event);
    Thread& thread = m_threads[id];
    if (thread.track == NoTrack || (thread.of.pid != pid && pid >= 0) || thread.life.hasEnded(event.time()))
        beginThread(thread, event, fields, id, pid);
    if (thread.life.isOtherProgram(event.time())) {
        thread.callers.clear();
        thread.life.setProgram(event.time());
    }
    return thread;
}

void Heap::beginThread(Thread& thread, const EventView& event, const ThreadFields& fields, ThreadId id, std::int32_t pid)
{
    Track track;
    track.kind = "thread";
    track.key = id.number >= 0 ? "heap:" + std::to_string(id.number) : "heap:stream-" + std::to_string(-1 - id.number);
    track.key += namespaceSuffix(id.pidNamespace);
    track.label = std::string(fields.name(event));
    track.pid = pid;
    track.tid = id.number >= 0 ? static_cast<std::int32_t>(id.number) : -1;
    const bool isListed = thread.isListed;
    thread = {};
    thread.track = m_sink.addTrack(std::move(track));
    thread.of = {id.pidNamespace, pid};
    thread.life = CallerLife(m_frames.files(), m_threadEnds, id, thread.of, event.time());
    thread.isListed = isListed;
}

Heap::Process& Heap::processOf(const EventView& event, const ThreadFields& fields, const ProcessId& id)
{
    const auto [it, isNew] = m_processes.try_emplace(id);
    if (!isNew)
        return it->second;
    const std::string number = (id.pid >= 0 ? std::to_string(id.pid) : "unknown") + namespaceSuffix(id.pidNamespace);
    const std::string name(fields.name(event));
    const std::string ofWhom = " of " + (name.empty() ? number : name + " (" + number + ")");
    const auto addSeries = [&](std::string_view view, const char* series, const char* title, const char* unit) {
        const auto added = m_sink.counters().addSeries({std::string(view), "pid:" + number + '/' + series, title + ofWhom, unit});
        return added ? std::optional(*added) : std::nullopt;
    };
    it->second.bytesSeries = addSeries(View, "heap-bytes", "Memory in use", "B");
    it->second.blocksSeries = addSeries(BlocksView, "heap-blocks", "Blocks in use", "");
    return it->second;
}

void Heap::forgetCallers()
{
    for (Thread* const thread : m_mayCall) {
        thread->callers.clear();
        thread->isListed = false;
    }
    m_mayCall.clear();
}

void Heap::onLoss(const Loss&)
{
    forgetCallers();
    ++m_inconsistencies.losses;
}

void Heap::finish(HostTimestamp at)
{
    for (const auto& [id, process] : m_processes)
        for (const Block& block : process.blocks.inUse()) {
            close(block, at, m_blocks);
            close(block, at, kindOf(UnfreedBlocks, "Leaked blocks", "Size", "B"));
        }
}

std::vector<Diagnostic> Heap::diagnostics()
{
    using Severity = Diagnostic::Severity;
    std::vector<Diagnostic> all;
    const auto add = [&](Severity severity, std::uint64_t count, const char* kind, const char* what) {
        if (count > 0)
            all.push_back({severity, kind, {}, 0, count, what});
    };
    add(Severity::Warning, m_inconsistencies.doubleFrees, "double-frees", "a memory block was freed twice");
    add(Severity::Warning, m_inconsistencies.unknownFrees, "unknown-frees",
        "a block was freed whose allocation was not recorded: it was never allocated, was allocated before "
        "the recording, or the event was lost");
    add(Severity::Info, m_inconsistencies.unseenFrees, "unseen-frees",
        "a memory block has no recorded free before its address was reused: it counts as in use until then");
    add(Severity::Warning, m_inconsistencies.losses, "uncertain-heap",
        "events were lost: memory in use is uncertain from there on, and blocks that seem leaked may have been freed");
    add(Severity::Warning, m_inconsistencies.beyondLimit, "many-blocks", "a memory block is ignored: its process had more than 16,777,216");
    return all;
}

namespace {

const TrackView HeapViews[] = {{.id = std::string(View),
                                .title = "Heap",
                                .tip = "Memory allocated and not yet freed, by process",
                                .shape = TrackView::Shape::Curves,
                                .order = 40,
                                .one = "curve",
                                .many = "curves",
                                .nothing = "No allocation events were recorded."},
                               {.id = std::string(BlocksView),
                                .title = "Heap blocks",
                                .tip = "Memory blocks allocated and not yet freed, by process",
                                .shape = TrackView::Shape::Curves,
                                .beginsCollapsed = true,
                                .order = 41,
                                .one = "curve",
                                .many = "curves",
                                .nothing = "No allocation events were recorded."}};
constexpr std::string_view Mapped[] = {MappingsAnalysis};

class HeapKind final : public AnalysisKind {
public:
    std::string_view id() const override { return "heap"; }
    int version() const override { return 5; }
    bool usesThreadEnds() const override { return true; }
    std::span<const std::string_view> uses() const override { return Mapped; }
    std::span<const TrackView> views() const override { return HeapViews; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && Heap::hasHeap(trace); }
    std::vector<MissingEvents> missing(const Trace& trace) const override
    {
        if (trace.info().text("domain") != "ust" || Heap::hasHeap(trace))
            return {};
        return {{std::string(View),
                 {"lttng_ust_libc:malloc", "lttng_ust_libc:free"},
                 "memory use is unknown",
                 recordingCommand(RecordableData::HeapBlocks, tracerOf(trace.info())),
                 true}};
    }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<Heap>(input.trace, input.needed.empty() ? nullptr : input.needed.front(), input.threadEnds, sink);
    }
};

} // namespace

} // namespace helio::heap
namespace helio {
extern const BuiltinAnalysis heapAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<heap::HeapKind>(); }};
} // namespace helio
