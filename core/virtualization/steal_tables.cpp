#include "core/virtualization/steal_tables.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/virtualization/steal_breakdown.h"

#include <algorithm>

namespace helio {
namespace {

class Losses {
public:
    Losses(const Timeline& timeline, const std::vector<VirtualMachine>& all)
        : m_timeline(timeline)
        , m_machines(all)
    {
        for (const VirtualMachine& it : all) {
            m_found.matrix.losers.push_back(it.name);
            m_found.matrix.cells.emplace_back();
        }
    }

    void add(const CulpritSum& sum)
    {
        const VcpuBinding& vcpu = m_machines[sum.machine].vcpus[sum.vcpu];
        const TrackRef shown = findMirrorRow(m_timeline, vcpu.thread);
        const LongestLoss longest{shown.isValid() ? shown : vcpu.thread, sum.mostAt, sum.most};
        m_found.culprits.push_back({vcpuTitle(m_machines[sum.machine], vcpu), occupantText(m_machines, sum.occupant),
                                    std::string(shownWordOf(sum.occupant.kind)), sum.count, sum.total, longest});
        StealMatrix::Cell& cell = cellOf(sum.machine, culpritName(sum.occupant));
        cell.count += sum.count;
        cell.total = sumOf(cell.total, sum.total);
        if (longest.length > cell.longest.length)
            cell.longest = longest;
    }

    void add(const StealSum& sum)
    {
        const Track* track = trackOf(m_timeline, sum.thread);
        const TrackRef shown = findMirrorRow(m_timeline, sum.thread);
        m_found.threads.push_back({m_machines[sum.machine].name, track ? threadText(*track) : sum.comm, sum.during, sum.count, sum.total,
                                   LongestLoss{shown.isValid() ? shown : sum.thread, sum.mostAt, sum.most}});
    }

    StealTables take()
    {
        const auto byTotal = [](auto& lines) {
            std::ranges::stable_sort(lines, [](const auto& a, const auto& b) { return a.total > b.total; });
        };
        byTotal(m_found.culprits);
        byTotal(m_found.threads);
        for (auto& cells : m_found.matrix.cells)
            cells.resize(m_found.matrix.culprits.size());
        return std::move(m_found);
    }

private:
    /// Returns the column of the steal matrix (StealTables::matrix) that counts the occupant: the name of its virtual machine for a
    /// vCPU, else the kind of the occupant.
    std::string culpritName(const CpuOccupant& it) const
    {
        return it.machine >= 0 ? m_machines[static_cast<std::size_t>(it.machine)].name : std::string(shownWordOf(it.kind));
    }

    StealMatrix::Cell& cellOf(std::uint32_t machine, const std::string& culprit)
    {
        StealMatrix& matrix = m_found.matrix;
        auto found = std::ranges::find(matrix.culprits, culprit);
        if (found == matrix.culprits.end())
            found = matrix.culprits.insert(found, culprit);
        const auto column = static_cast<std::size_t>(found - matrix.culprits.begin());
        auto& cells = matrix.cells[machine];
        cells.resize(std::max(cells.size(), column + 1));
        return cells[column];
    }

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    StealTables m_found;
};

/// True if the scheduling of vCPUs is recorded: the thread of at least one vCPU has running time on its host.
bool hasSchedulingStates(const Timeline& timeline, const std::vector<VirtualMachine>& all)
{
    for (const VirtualMachine& machine : all)
        for (const VcpuBinding& vcpu : machine.vcpus)
            if (vcpu.thread.isValid() && busyTime(timeline, vcpu.thread, {Timestamp::min(), Timestamp::max()}).busy > Duration())
                return true;
    return false;
}

/// Returns the sentence "Record there: COMMAND" with the command that records `data`. "There" is the host or guest that the sentence before
/// names.
std::string adviseThere(const Timeline& timeline, RecordableData data)
{
    return " Record there: " + adviseRecording(data, &timeline).command;
}

bool hasHost(const std::vector<VirtualMachine>& all)
{
    return std::ranges::any_of(all, [](const VirtualMachine& it) { return it.hostTrace != NoTraceIndex; });
}

/// True if at least one vCPU is recorded both in the guest (track of the threads on the vCPU) and on the host (track of the vCPU's thread).
bool isSeenFromBothSides(const VirtualMachine& machine)
{
    return std::ranges::any_of(machine.vcpus, [](const VcpuBinding& it) { return it.thread.isValid() && it.guestThreads.isValid(); });
}

} // namespace

std::string missingPreemptionReason(const Timeline& timeline, const std::vector<VirtualMachine>& all)
{
    if (hasSchedulingStates(timeline, all))
        return {};
    return std::string(hasHost(all) ? "vCPU preemption is unknown: the host's trace has no context switches of vCPU threads."
                                    : "vCPU preemption is unknown: no trace of the host is open.")
        + adviseThere(timeline, RecordableData::VcpuScheduling);
}

std::string missingStealTimeReason(const Timeline& timeline, const std::vector<VirtualMachine>& all)
{
    if (std::string why = missingPreemptionReason(timeline, all); !why.empty() || std::ranges::any_of(all, isSeenFromBothSides))
        return why;
    const bool hasGuest = std::ranges::any_of(all, [](const VirtualMachine& it) { return it.guestTrace != NoTraceIndex; });
    return hasGuest
        ? "Steal time of guest threads is unknown: the guest's clock cannot be related to its host's, or it is "
          "unknown which host thread runs which vCPU."
        : "Steal time of guest threads is unknown: no trace of a guest is open." + adviseThere(timeline, RecordableData::GuestScheduling);
}

std::string missingExitsReason(const Timeline& timeline, const std::vector<VirtualMachine>& all)
{
    if (std::ranges::any_of(all, [](const VirtualMachine& it) {
            return std::ranges::any_of(it.vcpus, [](const VcpuBinding& vcpu) { return vcpu.modes.isValid(); });
        }))
        return {};
    return std::string(hasHost(all) ? "VM exits are unknown: the host's trace has no kvm events."
                                    : "VM exits are unknown: no trace of the host is open.")
        + adviseThere(timeline, RecordableData::VmExits);
}

std::string missingInterruptsReason(const Timeline& timeline, const std::vector<VirtualMachine>& all)
{
    if (findSegmentKind(timeline, VcpuInterrupts))
        return {};
    return std::string(hasHost(all) ? "Interrupts into guests are unknown: the host's trace has none."
                                    : "Interrupts into guests are unknown: no trace of the host is open.")
        + adviseThere(timeline, RecordableData::ExitsAndInterrupts);
}

StealTables computeStealTables(const Timeline& timeline, TimeRange window, std::stop_token stop)
{
    if (window.isEmpty() || !hasVirtualMachines(timeline))
        return {};
    const auto all = findVirtualMachines(timeline);
    Losses losses(timeline, all);
    for (const CulpritSum& it : culpritsOf(timeline, all, window, stop))
        losses.add(it);
    for (const StealSum& it : computeStealSums(timeline, all, window, stop))
        losses.add(it);
    StealTables found = losses.take();
    if (found.isEmpty())
        found.missing = missingPreemptionReason(timeline, all);
    return stop.stop_requested() ? StealTables() : found;
}

} // namespace helio
