#include "app/cli/command.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/table_options.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/virtualization/guest_problems.h"
#include "core/virtualization/interrupts.h"
#include "core/virtualization/machine_tables.h"
#include "core/virtualization/steal_tables.h"

#include <algorithm>

namespace helio {
namespace {

struct VmOptions {
    TableOptions table{"vm"};
    bool vcpus = false;
    bool culprits = false;
    bool steal = false;
    bool exits = false;
    bool interrupts = false;

    void addTo(OptionList& options)
    {
        table.addTo(options, nullptr);
        options.flag("--vcpus", vcpus, "Print which host thread is which vCPU, and the evidence (default)");
        options.flag("--culprits", culprits, "Print the threads that ran while a vCPU was preempted");
        options.flag("--steal", steal, "Print the time guest threads lost to vCPU preemption, by system call");
        options.flag("--exits", exits, "Print VM exits by reason, with their durations");
        options.flag("--interrupts", interrupts, "Print the latency from interrupt injection to the guest's handler or entry");
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read()
    {
        const Status done = table.read([this] { return checkKinds(); });
        return done ? checkSelection() : done;
    }

private:
    Status checkKinds() const
    {
        if (vcpus + culprits + steal + exits + interrupts > 1)
            return Error{Error::Kind::Usage, "vm: use only one of --vcpus, --culprits, --steal, --exits and --interrupts"};
        return Done{};
    }
    /// Checks the options for selections that the tables of `vm` do not support. Requires: table.read() succeeded.
    /// Errors: Usage.
    Status checkSelection() const
    {
        const SelectionOptions& selection = table.selection;
        if (selection.cpu || !selection.process.empty())
            return makeUsageError(selection.cpu ? "--cpu" : "--process",
                                  "vm has rows of virtual machines; select them with --row, or their host or guest with --host");
        if (!table.reading.experiment.synchronize && (selection.begin || selection.end))
            return makeUsageError("--no-sync", "cannot be combined with --begin or --end, which are times of the common clock");
        return Done{};
    }
};

/// Prints one of the tables about virtual machines.
class Machines {
public:
    /// Creates the printer. If `isRaw`, prints times as recorded in the traces, without clock corrections.
    Machines(const VmOptions& options, const OpenedExperiment& opened, bool isRaw)
        : m_options(options)
        , m_isRaw(isRaw)
        , m_timeline(*opened.timeline)
        , m_window(opened.window)
        , m_all(findVirtualMachines(m_timeline))
    {
    }

    bool isEmpty() const { return m_all.empty(); }

    void complainOfGuests() const
    {
        for (const GuestProblem& problem : guestProblems(m_timeline, m_all, haltChecks(m_timeline, m_all)))
            warn(problem.what);
    }

    std::vector<std::string> columns() const
    {
        if (m_options.culprits)
            return {"vm", "vcpu", "culprit", "kind", "count", "total_ns", "max_ns", "max_at_ns"};
        if (m_options.steal)
            return {"vm", "tid", "comm", "during", "count", "stolen_ns", "max_ns", "max_at_ns"};
        if (m_options.exits)
            return {"vm", "vcpu", "reason", "count", "total_ns", "p50_ns", "p99_ns", "max_ns"};
        if (m_options.interrupts)
            return {"vm",       "vcpu",   "interrupt", "until",  "handler",   "count",
                    "total_ns", "p50_ns", "p99_ns",    "max_ns", "max_at_ns", "error_ns"};
        return {"vm", "guest_trace", "vcpu", "host", "host_tid", "method"};
    }

    void fill(TableWriter& table)
    {
        if (m_options.culprits)
            fillCulprits(table);
        else if (m_options.steal)
            fillSteal(table);
        else if (m_options.exits)
            fillExits(table);
        else if (m_options.interrupts)
            fillInterrupts(table);
        else
            fillVcpus(table);
    }

    /// Returns the reason why no row was printed although there are virtual machines; empty if rows were printed.
    std::string explainEmptyTable() const
    {
        if (m_isFilled || isEmpty())
            return {};
        if (!m_window.overlaps(m_timeline.range))
            return "--begin, --end: nothing was recorded in this range";
        const SelectionOptions& selection = m_options.table.selection;
        if (std::ranges::none_of(m_all, [&](const VirtualMachine& it) { return isOfHost(it); }))
            return selection.host + " is not a virtual machine and runs none";
        const bool isAsked = !selection.row.empty() || selection.thread;
        if (isAsked && !isAnyOf([&](const std::string& row, std::int32_t tid) { return isChosen(row, tid); }))
            return explainEmptySelection();
        if (const std::string why = explainUnknownFacts(); !why.empty())
            return why;
        return m_options.exits     ? "no exits were recorded for them in this range"
            : m_options.interrupts ? "no interrupt was injected into them in this range"
                                   : "no vCPU was preempted in this range";
    }

private:
    /// Returns the reason why the content of the requested table is unknown for all virtual machines; empty if it is known for any machine.
    std::string explainUnknownFacts() const
    {
        return m_options.exits     ? missingExitsReason(m_timeline, m_all)
            : m_options.interrupts ? missingInterruptsReason(m_timeline, m_all)
            : m_options.steal      ? missingStealTimeReason(m_timeline, m_all)
            : m_options.culprits   ? missingPreemptionReason(m_timeline, m_all)
                                   : std::string();
    }
    /// Returns an error message that says why no row of the table matches the selection. Requires: --row or --thread is given, and no row
    /// matches.
    std::string explainEmptySelection() const
    {
        const SelectionOptions& selection = m_options.table.selection;
        const std::string thread = selection.thread ? "--thread " + std::to_string(*selection.thread) : std::string();
        if (!isAnyOf([&](const std::string& row, std::int32_t) { return isRow(row); }))
            return "--row " + selection.row + ": no virtual machine has such a row; available: " + names()
                + " and the rows of guest threads";
        if (!isAnyOf([&](const std::string&, std::int32_t tid) { return isThread(tid); }))
            return thread + ": no thread of a virtual machine has this TID";
        return "--row " + selection.row + ", " + thread + ": the row is not that thread's";
    }
    std::string names() const
    {
        std::string all;
        for (const VirtualMachine& it : m_all)
            for (const VcpuBinding& vcpu : it.vcpus)
                all += (all.empty() ? "" : ", ") + rowIdOf(it, vcpu);
        return all;
    }
    /// True if isIt(id, tid) is true for at least one row that the requested table can have: a vCPU, or with --steal a thread of a guest.
    /// `id`: id of the row. `tid`: TID of the vCPU's thread on the host, or TID of the guest's thread.
    template <typename IsIt> bool isAnyOf(const IsIt& isIt) const { return m_options.steal ? isAnyThread(isIt) : isAnyVcpu(isIt); }
    template <typename IsIt> bool isAnyVcpu(const IsIt& isIt) const
    {
        for (const VirtualMachine& machine : m_all)
            for (const VcpuBinding& vcpu : machine.vcpus)
                if (isIt(rowIdOf(machine, vcpu), vcpu.hostTid))
                    return true;
        return false;
    }
    template <typename IsIt> bool isAnyThread(const IsIt& isIt) const
    {
        for (const Row& row : threads(m_timeline))
            for (const VirtualMachine& it : m_all)
                if (it.guestTrace == row.trace && isIt(threadId(it, row.tid), row.tid))
                    return true;
        return false;
    }
    static std::string threadId(const VirtualMachine& machine, std::int32_t tid)
    {
        return rowIdOf(machine) + "/tid:" + std::to_string(tid);
    }
    void print(TableWriter& table, std::initializer_list<Cell> cells)
    {
        m_isFilled = true;
        table.row(cells);
    }
    bool isChosen(const std::string& row, std::int32_t tid) const { return isRow(row) && isThread(tid); }
    bool isRow(const std::string& row) const
    {
        const std::string& asked = m_options.table.selection.row;
        return asked.empty() || matchesGlob(asked, row);
    }
    bool isThread(std::int32_t tid) const { return m_options.table.selection.thread.value_or(tid) == tid; }
    bool isChosen(std::uint32_t machine, const VcpuBinding& vcpu) const
    {
        return isOfHost(m_all[machine]) && isChosen(rowIdOf(m_all[machine], vcpu), vcpu.hostTid);
    }
    /// True if the machine runs on the selected host or is that host.
    bool isOfHost(const VirtualMachine& machine) const
    {
        const std::string& asked = m_options.table.selection.host;
        const auto is = [&](std::uint32_t trace) {
            return trace != NoTraceIndex && m_timeline.hosts[m_timeline.traces[trace].host].label == asked;
        };
        return asked.empty() || is(machine.hostTrace) || is(machine.guestTrace);
    }

    void fillVcpus(TableWriter& table)
    {
        for (std::uint32_t machine = 0; machine < m_all.size(); ++machine) {
            const VirtualMachine& of = m_all[machine];
            const auto host = of.hostTrace == NoTraceIndex ? std::string() : m_timeline.hosts[m_timeline.traces[of.hostTrace].host].label;
            for (const VcpuBinding& it : of.vcpus)
                if (isChosen(machine, it))
                    print(table,
                          {of.name, of.guestTrace == NoTraceIndex ? Cell() : Cell::integer(of.guestTrace), Cell::id(it.vcpu),
                           host.empty() ? Cell() : Cell(host), Cell::id(it.hostTid), it.method});
        }
    }

    void fillCulprits(TableWriter& table)
    {
        for (const CulpritSum& it : culpritsOf(m_timeline, m_all, m_window))
            if (const VcpuBinding& vcpu = m_all[it.machine].vcpus[it.vcpu]; isChosen(it.machine, vcpu))
                print(table,
                      {m_all[it.machine].name, Cell::id(vcpu.vcpu), it.occupant.name, wordOf(it.occupant.kind), Cell::count(it.count),
                       it.total, it.most, asShown(m_all[it.machine].hostTrace, it.mostAt)});
    }

    void fillSteal(TableWriter& table)
    {
        for (const StealSum& it : computeStealSums(m_timeline, m_all, m_window))
            if (isOfHost(m_all[it.machine]) && isChosen(threadId(m_all[it.machine], it.tid), it.tid))
                print(table,
                      {m_all[it.machine].name, Cell::id(it.tid), it.comm, it.during, Cell::count(it.count), it.total, it.most,
                       asShown(m_all[it.machine].guestTrace, it.mostAt)});
    }

    void fillExits(TableWriter& table)
    {
        for (const ExitStats& it : computeExitStats(m_timeline, m_all, m_window))
            if (const VcpuBinding& vcpu = m_all[it.machine].vcpus[it.vcpu]; isChosen(it.machine, vcpu))
                print(
                    table,
                    {m_all[it.machine].name, Cell::id(vcpu.vcpu), it.reason, Cell::count(it.count), it.total, it.median, it.p99, it.most});
    }

    void fillInterrupts(TableWriter& table)
    {
        for (const InterruptStats& it : computeInterruptStats(m_timeline, m_all, m_window))
            if (const VcpuBinding& vcpu = m_all[it.machine].vcpus[it.vcpu]; isChosen(it.machine, vcpu))
                print(table,
                      {m_all[it.machine].name, Cell::id(vcpu.vcpu), it.number, it.handler.empty() ? "entry" : "handler", it.handler,
                       Cell::count(it.count), it.total, it.median, it.p99, it.most, asShown(m_all[it.machine].hostTrace, it.mostAt),
                       it.error && *it.error != Duration::max() ? Cell(*it.error) : Cell()});
    }

    /// Returns the time to print; with isRaw, the time that the trace recorded.
    Timestamp asShown(std::uint32_t trace, Timestamp at) const
    {
        if (!m_isRaw || trace == NoTraceIndex)
            return at;
        const TimelineTrace& t = m_timeline.traces[trace];
        HostTimestamp own = t.clock.inverse(at);
        if (t.clock(own) < at) // Round up, because ClockTransform::inverse() may be 1 ns too small.
            own += Duration(1);
        return timestamp(nanoseconds(own)) + t.given.value_or(Duration{});
    }

    const VmOptions& m_options;
    const bool m_isRaw;
    const Timeline& m_timeline;
    const TimeRange m_window;
    const std::vector<VirtualMachine> m_all;
    bool m_isFilled = false;
};

int run(const VmOptions& options)
{
    // Align the clocks even if raw times are printed: only aligned clocks show which guest ran on a CPU.
    ReadingOptions reading = options.table.reading;
    reading.experiment.synchronize = true;
    const auto opened = openExperiment(options.table.traces, reading, options.table.selection, {});
    if (!opened)
        return failWith(opened.error());
    Machines machines(options, *opened, !options.table.reading.experiment.synchronize);
    Output output;
    {
        TableWriter table(output, options.table.format.output, machines.columns(), TimeStyle(hasEpoch(*opened->timeline)));
        machines.fill(table);
    }
    output.flush();
    if (machines.isEmpty() && !options.table.reading.isQuiet)
        warn("no virtual machine found; record its host with: "
             + adviseRecording(RecordableData::VcpuScheduling, opened->timeline.get()).command);
    if (const std::string why = machines.explainEmptyTable(); !why.empty() && !options.table.reading.isQuiet)
        warn(why);
    if (!options.table.reading.isQuiet)
        machines.complainOfGuests();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command vmCommand;
const Command vmCommand{77, "vm", "Print vCPUs of virtual machines, culprits of steal time, VM exits", callOf<VmOptions, run>,
                        R"(heliograph vm HOST GUEST --culprits
heliograph vm HOST GUEST --exits --format csv
)"};

} // namespace helio
