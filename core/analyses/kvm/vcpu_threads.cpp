#include "core/analyses/kvm/vcpu_threads.h"

#include "core/analysis/track_view.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <string_view>

namespace helio::kvm {
namespace {

/// Upper limit for vCPU numbers. Larger values are something else: some tracers record a pointer instead.
constexpr std::int64_t MostVcpus = 4096;

FieldRef fieldOf(const EventType& type, std::string_view name) { return FieldRef(type, Section::Payload, name); }

} // namespace

void VcpuThreads::VcpuNumbers::add(std::int64_t vcpu)
{
    if (vcpu < 0 || vcpu >= MostVcpus)
        isUnique = false;
    isUnique = isUnique && (number < 0 || number == vcpu);
    number = vcpu;
}

VcpuThreads::TypeUse VcpuThreads::useOf(const EventType& type)
{
    const std::string_view name = kvmName(type.name);
    if (name == "kvm_exit" || name == "kvm_x86_exit")
        return {Role::Exit, fieldOf(type, "exit_reason"), fieldOf(type, "isa"), fieldOf(type, "vcpu_id")};
    if (name == "kvm_entry" || name == "kvm_x86_entry")
        return {Role::Entry, {}, {}, fieldOf(type, "vcpu_id")};
    return {};
}

bool hasExits(const Trace& trace)
{
    bool any = false;
    std::uint32_t number = 0;
    for (const auto& type : trace.eventTypes()) {
        const EventTypeId id{number++};
        const std::string_view name = kvmName(type->name);
        if (name != "kvm_exit" && name != "kvm_x86_exit" && name != "kvm_entry" && name != "kvm_x86_entry")
            continue;
        if (isSampled(trace, id))
            // Samples of entries or exits are not enough: between two samples, the vCPU may have entered its guest and left it again.
            return false;
        any = true;
    }
    return any;
}

VcpuThreads::VcpuThreads(const Trace& trace, const Store& kernel, StateSink& sink)
    : m_trace(trace)
    , m_kernel(kernel)
    , m_sink(sink)
    , m_states(*sink.stateSet(vcpuModes()))
    , m_counts(kernel, sink)
    , m_waits(trace, sink)
{
    SegmentKind exits;
    exits.id = VcpuExits;
    exits.title = "VM exits";
    exits.nameTitle = "Reason";
    m_exits = *sink.segments().addKind(exits);
    for (const auto& type : trace.eventTypes()) {
        TypeUse& use = m_uses.emplace_back(useOf(*type));
        if (m_waits.takes(static_cast<std::uint32_t>(m_uses.size() - 1)))
            use.role = Role::Wait;
        m_fields.emplace_back(*type);
    }
}

void VcpuThreads::begin(HostTimestamp at)
{
    m_begin = at;
    m_counts.begin(at);
    m_waits.begin(at);
}

void VcpuThreads::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const TypeUse& use = m_uses[static_cast<std::size_t>(record.type)];
        if (use.role == Role::None)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, use);
    }
}

void VcpuThreads::take(const EventView& event, const TypeUse& use)
{
    Thread* const thread = threadOf(event, use);
    if (!thread)
        return;
    if (use.role == Role::Wait)
        return m_waits.take(event, thread->row);
    if (use.vcpu.isValid())
        (use.role == Role::Exit ? thread->exitNumbers : thread->entryNumbers).add(use.vcpu.integerOr(event, -1));
    if (thread->modePendingSince)
        set(*thread->modePendingSince, *thread, use.role == Role::Exit ? VcpuMode::Guest : VcpuMode::Hypervisor);
    thread->modePendingSince.reset();
    use.role == Role::Exit ? exit(event, use, *thread) : entry(event, *thread);
    thread->cpu = event.cpu();
    thread->last = event.time();
}

/// Returns the thread of the event; nullptr if unknown.
VcpuThreads::Thread* VcpuThreads::threadOf(const EventView& event, const TypeUse&)
{
    TrackId row = NoTrack;
    if (event.cpu() >= 0) {
        row = m_cpus.try_emplace(event.cpu(), m_kernel, event.cpu()).first->second.at(event.time());
    }
    if (const std::int32_t tid = m_fields[static_cast<std::size_t>(event.record->type)].tid(event); row == NoTrack && tid > 0)
        for (const TrackId it : m_kernel.tracksOf(TrackRole::Thread, tid))
            if (row == NoTrack || m_kernel.tracks()[static_cast<std::size_t>(it)].life.begin <= event.time())
                row = it;
    return row == NoTrack ? nullptr : &threadOf(row);
}

VcpuThreads::Thread& VcpuThreads::threadOf(TrackId kernelRow)
{
    const auto [found, isNew] = m_threads.try_emplace(static_cast<std::uint32_t>(kernelRow));
    Thread& thread = found->second;
    if (!isNew)
        return thread;
    const Track& of = m_kernel.tracks()[static_cast<std::size_t>(kernelRow)];
    Track row;
    row.kind = VcpuThreadKind;
    row.key = of.key;
    row.states = m_states;
    row.valueKind = ValueKind::Text;
    row.pid = of.pid;
    row.tid = of.tid;
    thread.process = of.pid >= 0 ? of.pid : of.tid;
    thread.row = m_sink.addTrack(std::move(row));
    thread.modePendingSince = thread.last = std::max(m_begin, of.life.begin);
    return thread;
}

void VcpuThreads::exit(const EventView& event, const TypeUse& use, Thread& thread)
{
    endExit(event.time(), thread);
    const Isa isa = use.isa.integerOr(event, 1) == 2 ? Isa::Amd : Isa::Intel;
    const std::int64_t reason = use.reason.integerOr(event, -1);
    const auto [known, isNew] = m_reasons.try_emplace({isa, reason});
    if (isNew) {
        known->second.words = use.reason.isValid() ? exitText(isa, reason) : std::string();
        known->second.id = m_sink.string(known->second.words);
    }
    thread.exit = event.time();
    thread.reason = known->second.id;
    m_counts.count(event.time(), thread.process, thread.reason, known->second.words);
    set(event.time(), thread, VcpuMode::Hypervisor, thread.reason);
}

void VcpuThreads::entry(const EventView& event, Thread& thread)
{
    endExit(event.time(), thread);
    m_waits.onEntry(event.time(), thread.row);
    set(event.time(), thread, VcpuMode::Guest);
}

void VcpuThreads::endExit(HostTimestamp at, Thread& thread)
{
    if (thread.exit)
        m_sink.segments().add({*thread.exit, at, 0, thread.reason, thread.row, m_exits});
    thread.exit.reset();
}

void VcpuThreads::set(HostTimestamp at, Thread& thread, VcpuMode mode, StringId reason)
{
    m_sink.set(std::max(at, thread.last), thread.row, static_cast<State>(mode), static_cast<std::uint32_t>(reason));
}

/// Marks the thread's mode as unknown from time `at` on.
void VcpuThreads::lose(HostTimestamp at, Thread& thread)
{
    at = std::max(at, thread.last);
    endExit(at, thread);
    m_waits.forget(thread.row);
    set(at, thread, VcpuMode::Unknown);
}

void VcpuThreads::onLossBegin(const Loss& loss)
{
    for (auto& [row, thread] : m_threads)
        if (mayAffect(loss, thread))
            lose(loss.range.begin, thread);
}

void VcpuThreads::onLoss(const Loss& loss)
{
    for (auto& [row, thread] : m_threads)
        if (mayAffect(loss, thread) && thread.last <= loss.range.begin) {
            lose(loss.range.begin, thread);
            thread.modePendingSince = loss.range.end;
        }
}

/// Writes the exits of vCPUs that have not entered the guest again. These exits end at `at`, the end of the trace.
void VcpuThreads::finish(HostTimestamp at)
{
    for (auto& [row, thread] : m_threads) {
        endExit(at, thread);
        Track& track = m_sink.track(thread.row);
        const bool isOfExits = thread.exitNumbers.isReliable();
        if (isOfExits || thread.entryNumbers.isReliable()) {
            track.cpu = static_cast<std::int32_t>((isOfExits ? thread.exitNumbers : thread.entryNumbers).number);
            track.label = isOfExits ? "kvm_exit" : "kvm_entry";
        }
    }
}

} // namespace helio::kvm

namespace helio {
namespace {

const TrackView Views[] = {{.id = std::string(kvm::ExitsView),
                            .title = "VM exits",
                            .tip = "VM exits of each virtual machine, by reason",
                            .shape = TrackView::Shape::Curves,
                            .beginsCollapsed = true,
                            .order = 15,
                            .one = "reason",
                            .many = "reasons",
                            .data = RecordableData::VmExits,
                            .nothing = "No VM exits were recorded. Only the host of virtual machines has them."}};

class KvmAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "kvm"; }
    int version() const override { return 6; }
    std::span<const std::string_view> needs() const override { return Needs; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Trace& trace) const override { return kvm::hasExits(trace); }
    std::vector<MissingEvents> missing(const Trace& trace) const override { return kvm::missingOfWaits(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<kvm::VcpuThreads>(input.trace, *input.needed[0], sink);
    }

private:
    static constexpr std::string_view Needs[] = {"kernel"};
};

} // namespace

extern const BuiltinAnalysis kvmAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<KvmAnalysis>(); }};

} // namespace helio
