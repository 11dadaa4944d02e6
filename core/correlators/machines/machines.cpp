#include "core/analysis/track_view.h"
#include "core/correlation/correlator.h"
#include "core/correlation/row_note.h"
#include "core/correlators/machines/culprit_links.h"
#include "core/correlators/machines/guest_threads.h"
#include "core/correlators/machines/host_cpus.h"
#include "core/correlators/machines/vcpu_row.h"
#include "core/experiment/timeline.h"
#include "core/virtualization/guest_problems.h"
#include "core/virtualization/steal_tables.h"

#include <algorithm>

namespace helio {
namespace {

using namespace machine_rows;

constexpr std::string_view Id = "machines";
constexpr std::string_view View = "vm";

Error stopped() { return {Error::Kind::Cancelled, "computing the virtual machines was cancelled"}; }

const TrackView Views[] = {{.id = std::string(View),
                            .title = "Virtual machines",
                            .tip = "Virtual CPUs as seen by guest and host, and what took their CPU",
                            .order = 14,
                            .one = "vCPU",
                            .many = "vCPUs",
                            .share = "CPU %",
                            .number = "TID",
                            .canHideIdleRows = true,
                            .data = RecordableData::VcpuScheduling,
                            .nothing =
                                "No virtual machine found. The host's events show virtual machines of KVM; Xen and other hypervisors "
                                "are not supported."}};

/// Writes the rows of all virtual machines into one store. Rows of nested virtual machines are below the outer machine's row.
class Rows {
public:
    Rows(const Timeline& timeline, StateSink& sink, const std::stop_token& stop)
        : m_timeline(timeline)
        , m_machines(findVirtualMachines(timeline))
        , m_absences(timeline, m_machines, {Timestamp::min(), Timestamp::max()}, stop)
        , m_threads(timeline, m_machines, m_absences, sink)
        , m_sink(sink)
        , m_states(*sink.stateSet(vcpuStates()))
        , m_stop(stop)
    {
    }

    void write()
    {
        for (std::uint32_t machine = 0; machine < m_machines.size() && !m_stop.stop_requested(); ++machine) {
            const TrackId row = addMachine(machine);
            for (std::uint32_t vcpu = 0; vcpu < m_machines[machine].vcpus.size() && !m_stop.stop_requested(); ++vcpu)
                addVcpu(machine, vcpu, row);
            m_threads.write(machine, row, View, m_stop);
        }
        HostCpus(m_timeline, m_machines, m_sink).write(m_stop);
    }

    InterTraceLinks links() { return culpritLinks(m_timeline, m_machines, m_absences, m_vcpuRows, View, m_stop); }

    const std::vector<VirtualMachine>& machines() const { return m_machines; }
    /// Returns the index of the trace under which the views show the rows of all virtual machines: the trace of the first machine's
    /// host, else of its guest. Returns nullopt if there are no virtual machines.
    std::optional<std::uint32_t> trace() const
    {
        if (m_machines.empty())
            return {};
        const VirtualMachine& first = m_machines.front();
        return first.hostTrace != NoTraceIndex ? first.hostTrace : first.guestTrace;
    }

private:
    TrackId addMachine(std::uint32_t machine)
    {
        const VirtualMachine& of = m_machines[machine];
        Track row;
        row.view = View;
        row.role = TrackRole::Group;
        row.kind = "vm";
        row.key = rowIdOf(of);
        row.label = of.name;
        row.parent = of.outer >= 0 ? m_rows[static_cast<std::size_t>(of.outer)] : NoTrack;
        row.states = m_states;
        row.pid = of.pid;
        // A large sort key places the row of a nested virtual machine after all other child rows of the outer machine's row.
        row.sortKey = INT32_MAX / 2 + static_cast<std::int32_t>(machine);
        const TrackId id = m_rows.emplace_back(m_sink.addTrack(std::move(row)));
        m_sink.addTrack(noteTrack(noteOn(of), id, rowIdOf(of)));
        return id;
    }

    /// Returns the note on a virtual machine's row. The row's PID and TIDs belong to the host's trace, or to the guest's trace if the host
    /// was not traced.
    static RowNote noteOn(const VirtualMachine& of)
    {
        const bool hasHost = of.hostTrace != NoTraceIndex;
        const bool hasGuest = of.guestTrace != NoTraceIndex;
        return {hasHost ? of.hostTrace : of.guestTrace,
                hasGuest ? static_cast<std::int32_t>(of.guestTrace) : -1,
                {},
                RowNote::Source::Same,
                of.name,
                of.method};
    }

    void addVcpu(std::uint32_t machine, std::uint32_t vcpu, TrackId parent)
    {
        const VirtualMachine& of = m_machines[machine];
        const VcpuBinding& it = of.vcpus[vcpu];
        Track row;
        row.view = View;
        row.kind = "vcpu";
        row.key = rowIdOf(of, it);
        row.label = "vCPU " + std::to_string(it.vcpu);
        row.parent = parent;
        row.states = m_states;
        row.valueKind = ValueKind::Text;
        row.pid = of.pid;
        row.tid = it.hostTid;
        row.cpu = it.vcpu;
        row.sortKey = it.vcpu;
        const TrackId id = m_sink.addTrack(std::move(row));
        RowNote note = noteOn(of);
        note.source = it.thread.isValid() ? it.thread : it.guestCpu;
        note.title = vcpuTitle(of, it);
        note.known = it.method;
        m_sink.addTrack(noteTrack(note, id, rowIdOf(of, it)));
        if (const auto place = m_timeline.correlatorRegistry->find(Id); place && it.thread.isValid())
            m_vcpuRows[it.thread] = {rowsOf(m_timeline, *trace(), *place), id};
        VcpuRow(m_timeline, it, it.guestCpu.isValid(), m_absences, m_absences.of(machine, vcpu), id, m_sink).write(m_stop);
        if (it.thread.isValid() && it.guestCpu.isValid())
            m_threads.writeCpu(machine, vcpu, id, m_stop);
    }

    const Timeline& m_timeline;
    const std::vector<VirtualMachine> m_machines;
    VcpuWaitFinder m_absences;
    GuestThreads m_threads;
    StateSink& m_sink;
    StateSetId m_states;
    const std::stop_token& m_stop;
    std::vector<TrackId> m_rows; ///< Rows of the virtual machines, indexed by virtual machine.
    VcpuRows m_vcpuRows;
};

/// Shows virtual machines: the states of vCPUs, computed from host and guest traces together, and the guests' steal time.
class Machines final : public Correlator {
public:
    std::string_view id() const override { return Id; }
    When when() const override { return When::Shown; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Timeline& timeline) const override { return hasVirtualMachines(timeline); }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token stop) const override
    {
        const auto builder = makeUnnamedStoreBuilder(onAxis(timeline.range.begin), stop);
        Rows rows(timeline, *builder, stop);
        rows.write();
        if (stop.stop_requested())
            return stopped();
        Correlation found;
        const auto halts = haltChecks(timeline, rows.machines(), stop);
        for (const GuestProblem& problem :
             // Each problem gets a Diagnostic::kind of its own, because all diagnostics of one kind have one message.
             guestProblems(timeline, rows.machines(), halts))
            found.diagnostics.push_back({Diagnostic::Severity::Warning,
                                         "guest-" + std::to_string(found.diagnostics.size() + 1),
                                         {},
                                         0,
                                         1,
                                         "virtual machine " + problem.what});
        if (const std::string why = missingPreemptionReason(timeline, rows.machines()); !why.empty() && !rows.machines().empty())
            found.diagnostics.push_back({Diagnostic::Severity::Info, "preemption-unknown", {}, 0, 1, why});
        if (!rows.trace())
            return found;
        StoreSummary summary;
        summary.range = {onAxis(timeline.range.begin), onAxis(timeline.range.end)};
        auto store = builder->finish(std::move(summary));
        if (!store)
            return store.error();
        found.links = rows.links();
        found.rows.push_back({*rows.trace(), std::move(*store), true});
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator machinesRelation{[]() -> std::shared_ptr<const Correlator> { return std::make_shared<Machines>(); }};

} // namespace helio
