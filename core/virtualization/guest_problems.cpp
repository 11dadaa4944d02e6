#include "core/virtualization/guest_problems.h"

#include "core/event_model/vcpu_modes.h"
#include "core/experiment/host_alignment.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/host_clocks.h"
#include "core/timesync/link_times.h"
#include "core/virtualization/row_cursor.h"
#include "core/virtualization/vcpu_threads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace helio {
namespace {

constexpr std::uint64_t FewestHalts = 3;
/// The binding of a guest's CPU to a vCPU is contradicted if the CPU ran too long while the vCPU was halted: more than
/// 1/ContradictionDivisor of the smaller of two times, the time in which the vCPU was halted and the time in which the CPU ran.
constexpr std::int64_t ContradictionDivisor = 10;

/// Compares the halts of one vCPU with the states of the guest's CPU. Reads both rows in time order.
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

    /// Returns the range shortened at both ends by the clocks' error bound; empty if nothing remains. An unknown error bound counts as 0.
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
        m_interval = m_interval.end == range.begin && !m_interval.isEmpty() ? TimeRange{m_interval.begin, range.end} : range;
        if (m_interval.duration() > m_found.most) {
            m_found.most = m_interval.duration();
            m_found.mostAt = m_interval.begin;
        }
    }

    const Timeline& m_timeline;
    const std::uint32_t m_host;
    const std::uint32_t m_guest;
    machines::RowCursor m_modes;
    machines::RowCursor m_cpu;
    TimeRange m_interval{};
    BindingCheck& m_found;
};

/// A process of a host: index of the host, and process number.
using Place = std::pair<std::uint32_t, std::int32_t>;

/// Number of hypercalls that are evidence for a binding.
struct Times {
    std::uint64_t times = 0;
    std::string words() const { return std::to_string(times) + (times == 1 ? " hypercall" : " hypercalls"); }
    std::string says() const { return words() + (times == 1 ? " says" : " say"); }
};

class Problems {
public:
    Problems(const Timeline& timeline, const std::vector<VirtualMachine>& all)
        : m_timeline(timeline)
        , m_machines(all)
    {
        for (const auto& relation : timeline.relations)
            if (relation && relation->messages)
                std::ranges::copy_if(collectGuestEvidence(*relation->messages), std::back_inserter(m_seen), [&](const GuestEvidence& it) {
                    return it.hostTid > 0 && hostOf(it.guestTrace) != hostOf(it.hostTrace);
                });
    }

    std::vector<GuestProblem> take()
    {
        for (const auto& [name, given] : m_timeline.clockSettings.guests)
            if (const auto guest = findHostByName(m_timeline, name))
                judge(*guest, given);
        for (std::uint32_t host = 0; host < m_timeline.hosts.size(); ++host)
            if (!findOverride(m_timeline.hosts[host], m_timeline.clockSettings.guests))
                addDisplacedGuest(host);
        return std::move(m_found);
    }

private:
    std::uint32_t hostOf(std::uint32_t trace) const { return m_timeline.traces[trace].host; }
    const std::string& labelOf(std::uint32_t host) const { return m_timeline.hosts[host].label; }
    std::string textOf(const Place& place) const { return "process " + std::to_string(place.second) + " of " + labelOf(place.first); }

    void add(std::uint32_t guest, const std::string& what) { m_found.push_back({guest, labelOf(guest) + ": " + what}); }

    const VirtualMachine* machineOf(std::uint32_t guest) const
    {
        const auto found = std::ranges::find_if(m_machines, [&](const VirtualMachine& it) {
            return it.guestTrace != NoTraceIndex && it.hostTrace != NoTraceIndex && hostOf(it.guestTrace) == guest;
        });
        return found == m_machines.end() ? nullptr : &*found;
    }
    const VirtualMachine* machineIn(const Place& place) const
    {
        const auto found = std::ranges::find_if(m_machines, [&](const VirtualMachine& it) {
            return it.hostTrace != NoTraceIndex && hostOf(it.hostTrace) == place.first && processOf(it) == place.second;
        });
        return found == m_machines.end() ? nullptr : &*found;
    }

    /// Returns the process that received most hypercalls of the guest, with the number of these hypercalls; nullopt if there are no
    /// hypercalls.
    std::optional<std::pair<Place, Times>> seenIn(std::uint32_t guest) const
    {
        std::map<Place, Times> sums;
        for (const GuestEvidence& it : m_seen) {
            const std::int32_t process = machines::processOfThread(m_timeline, it.hostTrace, it.hostTid);
            if (hostOf(it.guestTrace) == guest && process >= 0)
                sums[{hostOf(it.hostTrace), process}].times += it.times;
        }
        const auto most = std::ranges::max_element(sums, {}, [](const auto& it) { return it.second.times; });
        return most == sums.end() ? std::nullopt : std::optional(*most);
    }

    void judge(std::uint32_t guest, const GuestOverride& given)
    {
        const auto seen = seenIn(guest);
        if (given.host.empty()) {
            if (seen)
                add(guest, "set by hand not to be a guest; " + seen->second.says() + " that it runs in " + textOf(seen->first));
            return;
        }
        const VirtualMachine* machine = machineOf(guest);
        if (!machine)
            return add(guest, whyNone(given));
        const Place place{hostOf(machine->hostTrace), processOf(*machine)};
        if (seen && seen->first != place)
            add(guest, "set by hand to run in " + textOf(place) + "; " + seen->second.says() + " that it runs in " + textOf(seen->first));
        for (const auto& [vcpu, tid] : given.vcpus)
            judge(guest, *machine, vcpu, tid);
    }

    /// Adds the problems of the user's binding of the guest's CPU `vcpu` to the thread `tid`.
    void judge(std::uint32_t guest, const VirtualMachine& machine, std::int32_t vcpu, std::int32_t tid)
    {
        const std::string what = "its CPU " + std::to_string(vcpu) + " is set by hand to thread " + std::to_string(tid);
        if (const auto cpus = guestCpus(m_timeline, machine); !cpus.empty() && std::ranges::find(cpus, vcpu) == cpus.end())
            add(guest, what + ", but its trace has no such CPU");
        if (std::ranges::none_of(machine.vcpus, [&](const VcpuBinding& it) { return it.hostTid == tid; }))
            return add(guest, what + ", which is not a thread of " + textOf({hostOf(machine.hostTrace), processOf(machine)}));
        std::map<std::int32_t, Times> others;
        for (const GuestEvidence& it : m_seen)
            if (hostOf(it.guestTrace) == guest && it.hostTrace == machine.hostTrace && it.guestCpu == vcpu && it.hostTid != tid
                && machines::processOfThread(m_timeline, it.hostTrace, it.hostTid) == processOf(machine))
                others[it.hostTid].times += it.times;
        const auto most = std::ranges::max_element(others, {}, [](const auto& it) { return it.second.times; });
        if (most != others.end())
            add(guest, what + "; " + most->second.words() + " of that CPU came from thread " + std::to_string(most->first));
    }

    /// Returns why no virtual machine matches the user's setting, as a clause for the user.
    std::string whyNone(const GuestOverride& given) const
    {
        const auto host = findHostByName(m_timeline, given.host);
        if (!host)
            return "set by hand to run on " + given.host + ", which is not open";
        const std::string where = "set by hand to run in " + textOf({*host, given.process}) + ", ";
        const VirtualMachine* other = machineIn({*host, given.process});
        return where
            + (other && other->guestTrace != NoTraceIndex ? "which belongs to " + other->name : "which has no thread known to run a vCPU");
    }

    /// Adds a problem for a guest that the user has not bound to a virtual machine, if the user has bound another guest to this guest's
    /// virtual machine.
    void addDisplacedGuest(std::uint32_t guest)
    {
        const auto seen = seenIn(guest);
        const VirtualMachine* machine = seen ? machineIn(seen->first) : nullptr;
        if (machine && machine->isGiven && machine->guestTrace != NoTraceIndex && hostOf(machine->guestTrace) != guest)
            add(guest,
                "no virtual machine: " + seen->second.says() + " that it runs in " + textOf(seen->first)
                    + ", which is set by hand to belong to " + labelOf(hostOf(machine->guestTrace)));
    }

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    std::vector<GuestEvidence> m_seen;
    std::vector<GuestProblem> m_found;
};

} // namespace

bool BindingCheck::contradicts() const { return halts >= FewestHalts && ranHalted * ContradictionDivisor > std::min(halted, ran); }

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
    return "ran for " + roughText(check.ran) + " on its CPU " + std::to_string(vcpu.vcpu) + ", " + roughText(check.ranHalted)
        + " of it during halts of thread " + std::to_string(vcpu.hostTid);
}

std::vector<GuestProblem> guestProblems(const Timeline& timeline, const std::vector<VirtualMachine>& all,
                                        const std::vector<BindingCheck>& halts)
{
    auto found = timeline.clockSettings.guests.empty() ? std::vector<GuestProblem>() : Problems(timeline, all).take();
    for (const BindingCheck& it : halts)
        if (it.contradicts()) {
            const std::uint32_t guest = timeline.traces[all[it.machine].guestTrace].host;
            found.push_back({guest,
                             timeline.hosts[guest].label + ": " + wordsOf(it, all)
                                 + ", which is impossible: another thread runs that CPU, or the clock is wrong"});
        }
    return found;
}

} // namespace helio
