#include "core/query/machines/machine_losses.h"

#include "core/query/machines/taken_by.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/statistics.h"

#include <algorithm>

namespace helio {
namespace {

class Losses {
public:
    Losses(const Timeline& timeline, const std::vector<Machine>& all)
        : m_timeline(timeline)
        , m_machines(all)
    {
        for (const Machine& it : all) {
            m_found.matrix.losers.push_back(it.name);
            m_found.matrix.cells.emplace_back();
        }
    }

    void add(const CulpritSum& sum)
    {
        const VcpuBinding& vcpu = m_machines[sum.machine].vcpus[sum.vcpu];
        const TrackRef shown = rowShowing(m_timeline, vcpu.thread);
        const LossPlace longest{shown.isValid() ? shown : vcpu.thread, sum.mostAt, sum.most};
        m_found.culprits.push_back({vcpuTitle(m_machines[sum.machine], vcpu), takerWords(m_machines, sum.taker),
                                    std::string(shownWordOf(sum.taker.kind)), sum.count, sum.total, longest});
        LossMatrix::Cell& cell = cellOf(sum.machine, takerName(sum.taker));
        cell.count += sum.count;
        cell.total = sumOf(cell.total, sum.total);
        if (longest.length > cell.longest.length)
            cell.longest = longest;
    }

    void add(const StolenSum& sum)
    {
        const Track* track = trackOf(m_timeline, sum.thread);
        const TrackRef shown = rowShowing(m_timeline, sum.thread);
        m_found.threads.push_back({m_machines[sum.machine].name, track ? threadText(*track) : sum.comm, sum.during, sum.count, sum.total,
                                   LossPlace{shown.isValid() ? shown : sum.thread, sum.mostAt, sum.most}});
    }

    MachineLosses take()
    {
        const auto byTotal = [](auto& lines) {
            std::ranges::stable_sort(lines, [](const auto& a, const auto& b) { return a.total > b.total; });
        };
        byTotal(m_found.culprits);
        byTotal(m_found.threads);
        for (auto& cells : m_found.matrix.cells)
            cells.resize(m_found.matrix.takers.size());
        return std::move(m_found);
    }

private:
    /// Machines by their names, the others by what they are.
    std::string takerName(const Taker& it) const
    {
        return it.machine >= 0 ? m_machines[static_cast<std::size_t>(it.machine)].name : std::string(shownWordOf(it.kind));
    }

    LossMatrix::Cell& cellOf(std::uint32_t machine, const std::string& taker)
    {
        LossMatrix& matrix = m_found.matrix;
        auto found = std::ranges::find(matrix.takers, taker);
        if (found == matrix.takers.end())
            found = matrix.takers.insert(found, taker);
        const auto column = static_cast<std::size_t>(found - matrix.takers.begin());
        auto& cells = matrix.cells[machine];
        cells.resize(std::max(cells.size(), column + 1));
        return cells[column];
    }

    const Timeline& m_timeline;
    const std::vector<Machine>& m_machines;
    MachineLosses m_found;
};

/// Whether a trace says when one of the vCPUs had a CPU of its host.
bool isAnyScheduled(const Timeline& timeline, const std::vector<Machine>& all)
{
    for (const Machine& machine : all)
        for (const VcpuBinding& vcpu : machine.vcpus)
            if (vcpu.thread.isValid() && busyTime(timeline, vcpu.thread, {Timestamp::min(), Timestamp::max()}).busy > Duration())
                return true;
    return false;
}

std::string whatIsMissing(const Timeline& timeline, const std::vector<Machine>& all)
{
    if (isAnyScheduled(timeline, all))
        return {};
    const bool hasHost = std::ranges::any_of(all, [](const Machine& it) { return it.hostTrace != NoTraceHere; });
    return std::string(hasHost ? "Whether vCPUs were preempted is not known: the host's trace has no switches of their threads."
                               : "Whether vCPUs were preempted is not known: there is no trace of their host.")
        + " Record there: lttng enable-event -k sched_switch,sched_waking,kvm_x86_entry,kvm_x86_exit";
}

} // namespace

MachineLosses machineLosses(const Timeline& timeline, TimeRange window, std::stop_token stop)
{
    if (window.isEmpty() || !hasMachines(timeline))
        return {};
    const auto all = machinesOf(timeline);
    Losses losses(timeline, all);
    for (const CulpritSum& it : culpritsOf(timeline, all, window, stop))
        losses.add(it);
    for (const StolenSum& it : stolenSums(timeline, all, window, stop))
        losses.add(it);
    MachineLosses found = losses.take();
    if (found.isEmpty())
        found.missing = whatIsMissing(timeline, all);
    return stop.stop_requested() ? MachineLosses() : found;
}

} // namespace helio
