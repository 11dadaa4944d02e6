#include "core/analyses/memory/resident_memory.h"

#include <algorithm>
#include <unordered_map>

namespace helio::memory {
namespace {

/// A type of pages. `All` is in the order of the kernel's numbers (include/linux/mm_types_task.h).
struct PageSort {
    const char* id;
    const char* title;
};
constexpr PageSort All[] = {
    {"file", "File pages"}, {"anonymous", "Anonymous memory"}, {"swap", "Swapped out"}, {"shared", "Shared memory"}};

bool isSizeChange(std::string_view name) { return name == "kmem:rss_stat" || name == "kmem_rss_stat" || name == "rss_stat"; }

} // namespace

bool ResidentMemory::hasSizes(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return isSizeChange(type->name); });
}

ResidentMemory::ResidentMemory(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
{
    for (const auto& type : trace.eventTypes()) {
        Fields& fields = m_fields.emplace_back();
        if (!isSizeChange(type->name))
            continue;
        const auto field = [&](const char* name) { return FieldRef(*type, Section::Payload, name); };
        fields = {field("mm_id"), field("curr"), field("member"), field("size"), ThreadFields(*type)};
    }
}

void ResidentMemory::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const Fields& fields = m_fields[static_cast<std::size_t>(record.type)];
        if (!fields.isKnown())
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, fields);
    }
}

void ResidentMemory::take(const EventView& event, const Fields& fields)
{
    const auto id = fields.space.integer(event);
    const auto size = fields.size.integer(event);
    const auto sort = static_cast<std::uint64_t>(fields.sort.integerOr(event, -1));
    if (!id || !size || sort >= Sorts)
        return;
    Space& space = spaceOf(*id);
    if (fields.isOwn.integerOr(event, 0) != 0)
        setOwner(space, fields.thread, event);
    if (!space.series[sort])
        addSeries(space, sort);
    if (space.series[sort])
        m_sink.counters().addInteger(*space.series[sort], event.time(), *size);
}

ResidentMemory::Space& ResidentMemory::spaceOf(std::int64_t id)
{
    const auto [found, isNew] = m_spaces.try_emplace(id);
    if (isNew) {
        Track row;
        row.kind = "process";
        row.key = "mm:" + std::to_string(id);
        row.label = "address space " + std::to_string(id);
        found->second.row = m_sink.addTrack(std::move(row));
    }
    return found->second;
}

void ResidentMemory::addSeries(Space& space, std::size_t sort)
{
    CounterSeries series{std::string(View), m_sink.track(space.row).key + '/' + All[sort].id, All[sort].title, "B"};
    series.track = space.row;
    if (const auto added = m_sink.counters().addSeries(series))
        space.series[sort] = *added;
}

/// Sets the event's thread as the owner of the address space.
void ResidentMemory::setOwner(Space& space, const ThreadFields& thread, const EventView& event)
{
    const std::int32_t pid = thread.pid(event) >= 0 ? thread.pid(event) : thread.tid(event);
    if (pid >= 0)
        space.pid = pid;
    if (const std::string_view name = thread.name(event); !name.empty() && name != space.name)
        space.name = name;
}

void ResidentMemory::finish(HostTimestamp)
{
    nameSpaces();
    std::vector<std::pair<std::int32_t, TrackId>> rows; // Rows of the address spaces with the PIDs of their processes.
    for (const auto& [id, space] : m_spaces)
        rows.emplace_back(space.pid, space.row);
    // Sort by the PID as an unsigned number, which puts unknown PIDs (-1) after all known PIDs.
    std::ranges::stable_sort(rows, {}, [](const auto& it) { return static_cast<std::uint32_t>(it.first); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        m_sink.track(rows[i].second).sortKey = static_cast<std::int32_t>(i);
}

/// Names each address space after the last known name of its process.
void ResidentMemory::nameSpaces()
{
    std::unordered_map<std::int32_t, std::string_view> names; // Last name of each thread, keyed by TID.
    for (const ProcessRecord& it : m_trace.processRecords()) {
        if (it.guest != NoGuest)
            continue;
        if (it.kind == ProcessRecord::Kind::Comm || it.kind == ProcessRecord::Kind::Exec)
            names[it.tid] = it.name;
        else if (it.kind == ProcessRecord::Kind::Fork)
            names[it.tid] = names[it.parentTid];
    }
    for (const auto& [id, space] : m_spaces) {
        if (space.pid < 0)
            continue;
        const std::string number = std::to_string(space.pid);
        const std::string name(space.name.empty() ? names[space.pid] : std::string_view(space.name));
        m_sink.track(space.row).label = name.empty() ? "PID " + number : name + " (" + number + ')';
        m_sink.track(space.row).pid = space.pid;
    }
}

namespace {

const TrackView MemoryViews[] = {{.id = std::string(View),
                                  .title = "Resident memory",
                                  .tip = "Memory of each process in RAM and in swap",
                                  .shape = TrackView::Shape::Curves,
                                  .beginsCollapsed = true,
                                  .order = 39,
                                  .one = "curve",
                                  .many = "curves",
                                  .data = RecordableData::ResidentMemory,
                                  .nothing = "No memory size events were recorded."}};

class MemoryAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "memory"; }
    int version() const override { return 1; }
    std::span<const TrackView> views() const override { return MemoryViews; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && ResidentMemory::hasSizes(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<ResidentMemory>(input.trace, sink);
    }
};

} // namespace
} // namespace helio::memory

namespace helio {

extern const BuiltinAnalysis memoryAnalysis{
    []() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<memory::MemoryAnalysis>(); }};

} // namespace helio
