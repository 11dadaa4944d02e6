#include "core/analyses/sampling/sampling.h"

#include "core/event_model/kernel_version.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace helio::sampling {
namespace {

/// TID of kthreadd, the parent of all kernel threads.
constexpr std::int32_t KernelThreadDaemon = 2;

/// Returns the unit of the samples' weights (SampleKind::unit).
std::string unitOf(const SampleEvent& event)
{
    return event.divisor > 1 ? "1/" + std::to_string(event.divisor) : event.isTime ? "ns" : event.unit;
}

SampleKind::Origin originOf(const SampleEvent& event)
{
    return event.isCounted ? SampleKind::Origin::Counted : event.isSummed ? SampleKind::Origin::Summed : SampleKind::Origin::Event;
}

} // namespace

Sampling::Sampling(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_reader(*trace.samples())
    , m_sink(sink.samples())
    , m_tracks(sink)
    , m_chains(trace, sink.stacks())
    , m_prevStateDecoder(kernelRelease(trace.info()))
    , m_offCpu(sink.samples(), m_prevStateDecoder, trace.info().part.threads.empty())
    , m_lockWaits(sink.samples())
    , m_kinds(trace.eventTypes().size())
    , m_records(trace.processRecords())
    , m_kernelThreads{KernelThreadDaemon}
{
    addKinds();
}

void Sampling::addKinds()
{
    std::map<std::string_view, SampleKindId> ids;
    for (const SampleEvent& event : m_reader.events()) {
        if (static_cast<std::size_t>(event.type) >= m_kinds.size())
            continue;
        Kind& kind = m_kinds[static_cast<std::size_t>(event.type)];
        const auto [known, isNew] = ids.emplace(event.name, SampleKindId{});
        if (isNew) // Event types with the same name share one kind, which the first of these types adds.
            known->second = m_sink.addKind({event.name, unitOf(event), originOf(event), event.isTime, event.spacing});
        kind.id = known->second;
        kind.isKnown = true;
        kind.hasUserState = event.hasUserState;
        kind.hasTicks = !isTracepoint(event.name);
        const EventType& type = m_trace.eventTypes()[event.type];
        if (event.isSampled || !m_trace.info().part.hasAllCpus)
            continue;
        kind.switches = SwitchFields::of(type);
        kind.wakes = WakeFields::of(type);
        kind.contentions = ContentionFields::of(type);
    }
    const auto events = m_reader.events();
    auto time = std::ranges::find_if(events, [](const SampleEvent& event) { return event.isTime && !event.isCounted; });
    if (time == events.end())
        time = std::ranges::find_if(events, [](const SampleEvent& event) { return event.spacing > Duration(0); });
    // Choose the same event type as cpuTimeKind() in core/query/rows. If the two choices differed, views would show different CPU times.
    for (Kind& kind : m_kinds)
        kind.measuresTime = time == events.end() || (ids.contains(time->name) && kind.id == ids.at(time->name));
}

void Sampling::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        for (; !m_records.empty() && m_records.front().time <= record.time; m_records = m_records.subspan(1))
            take(m_records.front());
        const std::uint64_t number = m_events++;
        const auto type = static_cast<std::size_t>(record.type);
        if (type >= m_kinds.size() || !m_kinds[type].isKnown)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, m_kinds[type], number);
    }
}

void Sampling::take(const ProcessRecord& record)
{
    m_chains.take(record);
    if (record.guest != NoGuest)
        return;
    if (record.kind == ProcessRecord::Kind::Fork && record.parentTid == KernelThreadDaemon)
        m_kernelThreads.insert(record.tid);
    else if (record.kind == ProcessRecord::Kind::Fork || record.kind == ProcessRecord::Kind::Exec)
        m_kernelThreads.erase(record.tid);
}

void Sampling::take(const EventView& event, const Kind& kind, std::uint64_t number)
{
    SampleView view;
    if (!m_reader.read(event, view))
        return;
    SampledTrack* const thread = view.tid == 0 ? nullptr
        : !view.command.empty()                ? &m_tracks.thread(view.tid, view.pid, view.command)
        : view.tid > 0                         ? &m_tracks.thread(view.tid, view.pid)
                                               : nullptr;
    HostSample sample;
    sample.time = event.time();
    sample.weight = view.period;
    sample.event = number;
    sample.stack = m_chains.stackOf(view);
    sample.thread = thread ? thread->track : NoTrack;
    sample.cpu = event.cpu() >= 0 ? event.cpu() : view.cpu;
    sample.kind = kind.id;
    sample.mode = view.mode;
    sample.isUnwound = !kind.hasUserState || view.user.registers.empty();
    sample.isCut = isCut(view);
    sample.isIdle = view.tid == 0;
    m_sink.add(sample);
    if (kind.hasTicks)
        addTicks(sample, thread, kind.measuresTime ? ticksOf(sample.mode) : EventTicks);
    if (kind.switches)
        m_offCpu.onSwitch(sample, *kind.switches, event, m_kernelThreads.contains(view.tid));
    if (kind.wakes)
        m_offCpu.onWake(sample, kind.wakes->tid.integerOr(event, -1));
    if (kind.contentions)
        m_lockWaits.take(sample, view.tid, *kind.contentions, event);
}

void Sampling::addTicks(const HostSample& sample, SampledTrack* thread, std::size_t ticks)
{
    if (thread)
        m_tracks.addTick(sample.time, *thread, ticks);
    if (SampledTrack* const cpu = sample.isIdle ? nullptr : m_tracks.cpu(sample.cpu))
        m_tracks.addTick(sample.time, *cpu, ticks);
}

} // namespace helio::sampling

namespace helio {
namespace {

/// The sampling analysis. It adds no rows with states: samples are shown on the rows that other analyses add for the same threads and CPUs.
class SamplingAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "sampling"; }
    int version() const override { return 4; }
    std::span<const TrackView> views() const override { return {}; }
    bool appliesTo(const Trace& trace) const override { return trace.samples() != nullptr; }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<sampling::Sampling>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis samplingAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<SamplingAnalysis>(); }};

} // namespace helio
