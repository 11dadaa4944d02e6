#include "core/virtualization/binding_check.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/host_clocks.h"
#include "core/timesync/link_times.h"
#include "core/virtualization/row_cursor.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::uint64_t FewestHalts = 3;
constexpr std::int64_t LeastPart = 10; ///< At least one part in this many must contradict.

/// Checks the halts of one vCPU. Both rows are read in the order of time.
class HaltsOf {
public:
    HaltsOf(const Timeline& timeline, const VirtualMachine& machine, const VcpuBinding& vcpu, BindingCheck& found)
        : m_timeline(timeline)
        , m_host(timeline.traces[machine.hostTrace].host)
        , m_guest(timeline.traces[machine.guestTrace].host)
        , m_modes(timeline, vcpu.modes)
        , m_cpu(timeline, vcpu.guestCpu)
        , m_found(found)
    {
    }

    void check(const std::stop_token& stop)
    {
        const TimeRange both = m_cpu.life().clippedTo(m_modes.life());
        m_cpu.each(both, [&](const Interval& it) {
            if (runs(it))
                m_found.ran += it.range.duration();
        });
        m_modes.each(both, [&](const Interval& it) {
            if (!stop.stop_requested() && isHalt(it))
                take(sure(it.range));
        });
    }

private:
    bool runs(const Interval& it) const { return isOnCpu(meaningOf(m_timeline, m_cpu.row(), it.state)); }
    bool isHalt(const Interval& it) const
    {
        return static_cast<VcpuMode>(it.state) == VcpuMode::Hypervisor && isHaltReason(valueText(m_timeline, m_modes.row(), it.value));
    }

    /// Returns the range without the error bound at both ends; empty if nothing remains. A clock that the user set counts as exact.
    TimeRange sure(TimeRange range) const
    {
        const Duration error = errorBetween(m_timeline, m_host, m_guest, range.begin);
        const Duration off = error == UnknownError ? Duration{} : error;
        return 2 * off >= range.duration() ? TimeRange{} : TimeRange{range.begin + off, range.end - off};
    }

    void take(TimeRange halt)
    {
        if (halt.isEmpty())
            return;
        ++m_found.halts;
        m_found.halted += halt.duration();
        m_cpu.each(halt, [&](const Interval& it) {
            if (runs(it))
                add(it.range);
        });
    }

    void add(TimeRange range)
    {
        m_found.ranHalted += range.duration();
        m_stretch = m_stretch.end == range.begin && !m_stretch.isEmpty() ? TimeRange{m_stretch.begin, range.end} : range;
        if (m_stretch.duration() > m_found.most) {
            m_found.most = m_stretch.duration();
            m_found.mostAt = m_stretch.begin;
        }
    }

    const Timeline& m_timeline;
    const std::uint32_t m_host;
    const std::uint32_t m_guest;
    machines::RowCursor m_modes;
    machines::RowCursor m_cpu;
    TimeRange m_stretch{};
    BindingCheck& m_found;
};

} // namespace

bool BindingCheck::contradicts() const { return halts >= FewestHalts && ranHalted * LeastPart > std::min(halted, ran); }

std::vector<BindingCheck> haltChecks(const Timeline& timeline, const std::vector<VirtualMachine>& all, std::stop_token stop)
{
    std::vector<BindingCheck> found;
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size() && !stop.stop_requested(); ++vcpu) {
            const VcpuBinding& it = all[machine].vcpus[vcpu];
            if (!it.modes.isValid() || !it.guestCpu.isValid())
                continue;
            BindingCheck check{machine, vcpu};
            HaltsOf(timeline, all[machine], it, check).check(stop);
            if (check.halts > 0)
                found.push_back(check);
        }
    return found;
}

std::string wordsOf(const BindingCheck& check, const std::vector<VirtualMachine>& all)
{
    const VcpuBinding& vcpu = all[check.machine].vcpus[check.vcpu];
    return "of " + roughText(check.ran) + " that it ran on its CPU " + std::to_string(vcpu.vcpu) + ", " + roughText(check.ranHalted)
        + " lie in halts of thread " + std::to_string(vcpu.hostTid);
}

} // namespace helio
