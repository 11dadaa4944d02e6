#include "core/virtualization/bindings.h"

#include "core/correlation/row_note.h"
#include "core/experiment/host_alignment.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/vcpu_threads.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace helio {
namespace {

using machines::VcpuThread;

/// The threads of one process, or a single thread whose process is unknown.
struct Process {
    std::uint32_t trace = 0;
    std::int32_t pid = -1;
    std::vector<VcpuThread> threads;

    /// Returns the PID of the process, or the TID of the thread if the PID is unknown: the number that GuestOverride::process stores.
    std::int32_t number() const { return pid >= 0 ? pid : threads.front().tid; }
};

using Given = std::map<std::uint32_t, GuestOverride>; ///< Settings of the user for guests, keyed by the guest's index into Timeline::hosts.

Given givenOf(const Timeline& timeline)
{
    Given given;
    for (const auto& [name, guest] : timeline.clockSettings.guests)
        if (const auto host = findHostByName(timeline, name))
            given[*host] = guest;
    return given;
}

std::vector<Process> processesOf(const Timeline& timeline, std::vector<VcpuThread> threads)
{
    std::map<std::tuple<std::uint32_t, std::int32_t, std::int32_t>, Process> found;
    for (VcpuThread& it : threads) {
        const std::uint32_t trace = traceOf(timeline, it.thread.store);
        const std::int32_t pid = trackOf(timeline, it.thread)->pid;
        Process& process = found[{trace, pid, pid < 0 ? it.tid : -1}];
        process.trace = trace;
        process.pid = pid;
        process.threads.push_back(std::move(it));
    }
    std::vector<Process> all;
    for (auto& [key, process] : found)
        all.push_back(std::move(process));
    return all;
}

bool hasCpus(const Timeline& timeline, std::uint32_t trace)
{
    bool has = false;
    forEachStoreOf(timeline, trace, [&](StoreIndex, const Store& store) {
        has = has || std::ranges::any_of(store.tracks(), [](const Track& it) { return it.role == TrackRole::Cpu && !it.view.empty(); });
    });
    return has;
}

/// Returns a trace of the host with tracks of CPUs, else its first trace; NoTraceIndex if the host has no traces.
std::uint32_t traceWithCpus(const Timeline& timeline, std::uint32_t host)
{
    std::uint32_t first = NoTraceIndex;
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace) {
        if (timeline.traces[trace].host != host)
            continue;
        if (hasCpus(timeline, trace))
            return trace;
        first = std::min(first, trace);
    }
    return first;
}

/// True if `seen` is evidence for the process to which the user bound the guest.
bool fits(const Timeline& timeline, const GuestEvidence& seen, const GuestOverride& given)
{
    return findHostByName(timeline, given.host) == timeline.traces[seen.hostTrace].host
        && machines::processOfThread(timeline, seen.hostTrace, seen.hostTid) == given.process;
}

/// Adds evidence for the threads that the user bound to vCPUs. Ignores threads that do not belong to the virtual machine's process.
void addGiven(const Timeline& timeline, const Given& given, std::vector<GuestEvidence>& all)
{
    for (const auto& [guest, it] : given)
        if (const auto host = findHostByName(timeline, it.host); host && host != guest)
            for (const auto& [cpu, tid] : it.vcpus)
                if (const GuestEvidence seen{traceWithCpus(timeline, guest), traceWithCpus(timeline, *host), tid, -1, 1, false};
                    seen.guestTrace != NoTraceIndex && seen.hostTrace != NoTraceIndex && fits(timeline, seen, it))
                    all.push_back(seen);
}

/// Adds evidence from RecordingSession::guests: threads that a host's recording names as vCPUs of a guest whose trace is open.
void addRecorded(const Timeline& timeline, std::vector<GuestEvidence>& all)
{
    constexpr std::uint64_t MoreThanMessages = std::uint64_t{1} << 32;
    for (std::uint32_t host = 0; host < timeline.traces.size(); ++host)
        for (const RecordedGuest& guest : timeline.traces[host].trace->info().session.guests)
            for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
                if (timeline.traces[trace].trace->info().session.id == guest.id)
                    for (const auto& [cpu, tid] : guest.vcpus)
                        all.push_back({trace, host, tid, cpu, MoreThanMessages, true});
}

std::vector<GuestEvidence> evidenceOf(const Timeline& timeline, const Given& given)
{
    std::vector<GuestEvidence> all;
    addRecorded(timeline, all);
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages)
            std::ranges::move(collectGuestEvidence(*relation->messages), std::back_inserter(all));
    std::erase_if(all, [&](const GuestEvidence& it) {
        const std::uint32_t guest = timeline.traces[it.guestTrace].host;
        const auto said = given.find(guest);
        return it.hostTid <= 0 || guest == timeline.traces[it.hostTrace].host || (said != given.end() && !fits(timeline, it, said->second));
    });
    addGiven(timeline, given, all);
    return all;
}

/// Returns the track with the given role for CPU `number` of a guest; not valid if the guest's trace has no such track.
TrackRef cpuTrack(const Timeline& timeline, std::uint32_t trace, TrackRole role, std::int32_t number)
{
    TrackRef found;
    if (trace != NoTraceIndex)
        forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
            if (const auto rows = store.tracksOf(role, number); !found.isValid() && !rows.empty())
                found = {index, rows.front()};
        });
    return found;
}

std::vector<std::int32_t> cpuNumbers(const Timeline& timeline, std::uint32_t trace)
{
    std::set<std::int32_t> numbers;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::Cpu, [&](TrackRef, const Track& track) { numbers.insert(track.cpu); });
    });
    return {numbers.begin(), numbers.end()};
}

/// Determines the virtual machines and their bindings from the evidence.
class Binding {
public:
    explicit Binding(const Timeline& timeline)
        : m_timeline(timeline)
        , m_given(givenOf(timeline))
        , m_evidence(evidenceOf(timeline, m_given))
        , m_processes(processesOf(timeline, machines::findVcpuThreads(timeline, m_evidence)))
    {
    }

    std::vector<VirtualMachine> take()
    {
        for (const Process& process : m_processes)
            add(process);
        addGuestsAlone();
        for (VirtualMachine& it : m_machines)
            nameIt(it);
        orderByNesting();
        return std::move(m_machines);
    }

private:
    bool isOf(const GuestEvidence& seen, const Process& process) const
    {
        return seen.hostTrace == process.trace
            && std::ranges::any_of(process.threads, [&](const VcpuThread& it) { return it.tid == seen.hostTid; });
    }

    /// Returns the guest that the user bound to the process; nullptr if there is none.
    const Given::value_type* givenFor(const Process& process) const
    {
        const std::uint32_t host = m_timeline.traces[process.trace].host;
        for (const auto& it : m_given)
            if (it.second.process == process.number() && it.first != host && findHostByName(m_timeline, it.second.host) == host)
                return &it;
        return nullptr;
    }

    /// Returns the trace of the guest with the most evidence for running in this process. Guests with at least as much evidence for another
    /// process do not count. NoTraceIndex if there is no guest.
    std::uint32_t guestSeenIn(const Process& process) const
    {
        std::map<std::uint32_t, std::uint64_t> here, most;
        for (const GuestEvidence& seen : m_evidence)
            for (const Process& it : m_processes)
                if (isOf(seen, it) && !m_given.contains(m_timeline.traces[seen.guestTrace].host)) {
                    std::uint64_t& sum = most[seen.guestTrace];
                    if (&it == &process)
                        here[seen.guestTrace] += seen.times;
                    else
                        sum = std::max(sum, seen.times);
                }
        std::uint32_t best = NoTraceIndex;
        for (const auto& [trace, times] : here)
            if (times > most[trace] && (best == NoTraceIndex || times > here[best]))
                best = trace;
        return best;
    }

    void add(const Process& process)
    {
        VirtualMachine machine;
        machine.hostTrace = process.trace;
        machine.pid = process.pid;
        const auto* given = givenFor(process);
        if (given)
            machine.guestTrace = traceWithCpus(m_timeline, given->first);
        else if (const std::uint32_t guest = guestSeenIn(process); guest != NoTraceIndex)
            machine.guestTrace = traceWithCpus(m_timeline, m_timeline.traces[guest].host);
        if (machine.guestTrace != NoTraceIndex)
            m_bound.insert(m_timeline.traces[machine.guestTrace].host);
        std::vector<VcpuThread> threads = process.threads;
        if (given)
            numberAsGiven(m_timeline, threads, given->second);
        machines::numberVcpus(threads);
        machine.isGiven = given;
        const bool isRecorded =
            std::ranges::any_of(m_evidence, [&](const GuestEvidence& seen) { return seen.isRecorded && isOf(seen, process); });
        machine.method = given                   ? RowNote::ByHand
            : machine.guestTrace == NoTraceIndex ? ""
            : isRecorded                         ? machines::Recording
                                                 : "hypercalls";
        const std::string known = machine.method.empty() ? "" : machine.method + ", ";
        for (const VcpuThread& it : threads)
            addVcpu(machine,
                    {it.number, it.tid, it.thread, it.modes, {}, {}, it.method == RowNote::ByHand ? it.method : known + it.method});
        std::ranges::sort(machine.vcpus, {}, &VcpuBinding::vcpu);
        m_machines.push_back(std::move(machine));
    }

    /// Applies the vCPU numbers that the user set to the threads with the TIDs that the user set. A thread that had such a vCPU number by
    /// other evidence loses the number. If several threads had the TID, applies the number to the thread with the longest lifetime.
    static void numberAsGiven(const Timeline& timeline, std::vector<VcpuThread>& threads, const GuestOverride& given)
    {
        for (const auto& [vcpu, tid] : given.vcpus) {
            VcpuThread* longest = nullptr;
            for (VcpuThread& it : threads)
                if (it.tid == tid && (!longest || lengthOf(timeline, it) > lengthOf(timeline, *longest)))
                    longest = &it;
            if (!longest)
                continue;
            for (VcpuThread& it : threads)
                if (it.number == vcpu && it.method != RowNote::ByHand)
                    it.number = -1;
            longest->number = vcpu;
            longest->method = RowNote::ByHand;
        }
    }

    static Duration lengthOf(const Timeline& timeline, const VcpuThread& thread)
    {
        const HostRange life = trackOf(timeline, thread.thread)->life;
        return life.end - life.begin;
    }

    /// True if the clocks of host and guest are related, so that their times can be shown on one axis.
    bool areOnOneAxis(const VirtualMachine& machine) const
    {
        return machine.hostTrace == NoTraceIndex
            || areComparable(m_timeline, m_timeline.traces[machine.hostTrace].host, m_timeline.traces[machine.guestTrace].host);
    }

    void addVcpu(VirtualMachine& machine, VcpuBinding vcpu)
    {
        if (machine.guestTrace == NoTraceIndex || !areOnOneAxis(machine)) {
            machine.vcpus.push_back(std::move(vcpu));
            return;
        }
        vcpu.guestCpu = cpuTrack(m_timeline, machine.guestTrace, TrackRole::Cpu, vcpu.vcpu);
        vcpu.guestThreads = cpuTrack(m_timeline, machine.guestTrace, TrackRole::CpuThread, vcpu.vcpu);
        machine.vcpus.push_back(std::move(vcpu));
    }

    /// Adds a virtual machine for each guest that is known only from its own trace, because its host is not in the timeline.
    void addGuestsAlone()
    {
        for (const auto& relation : m_timeline.relations)
            for (const std::uint32_t trace :
                 relation && relation->messages ? guestTraces(*relation->messages) : std::vector<std::uint32_t>()) {
                if (!m_bound.insert(m_timeline.traces[trace].host).second)
                    continue;
                VirtualMachine machine;
                machine.guestTrace = traceWithCpus(m_timeline, m_timeline.traces[trace].host);
                machine.method = "guest trace";
                for (const std::int32_t cpu : cpuNumbers(m_timeline, machine.guestTrace))
                    addVcpu(machine, {cpu, -1, {}, {}, {}, {}, "guest trace"});
                m_machines.push_back(std::move(machine));
            }
    }

    void nameIt(VirtualMachine& machine)
    {
        machine.name = machine.guestTrace != NoTraceIndex ? m_timeline.hosts[m_timeline.traces[machine.guestTrace].host].label
                                                          : processName(m_timeline, machine);
        const int count = ++m_names[machine.name];
        if (count > 1)
            machine.name += '#' + std::to_string(count);
    }

    void orderByNesting()
    {
        const auto hostOf = [&](std::uint32_t trace) { return m_timeline.traces[trace].host; };
        const auto outerOf = [&](const VirtualMachine& it) {
            for (std::size_t i = 0; i < m_machines.size(); ++i)
                if (const VirtualMachine& other = m_machines[i]; &other != &it && it.hostTrace != NoTraceIndex
                    && other.guestTrace != NoTraceIndex && hostOf(other.guestTrace) == hostOf(it.hostTrace))
                    return static_cast<std::int32_t>(i);
            return std::int32_t(-1);
        };
        const auto depthOf = [&](const VirtualMachine& it) {
            std::size_t depth = 0;
            for (std::int32_t outer = outerOf(it); outer >= 0 && depth <= m_machines.size();
                 outer = outerOf(m_machines[std::size_t(outer)]))
                ++depth;
            return depth;
        };
        std::vector<std::pair<std::size_t, std::size_t>> order; ///< Nesting depth and index of each machine.
        for (std::size_t i = 0; i < m_machines.size(); ++i)
            order.emplace_back(depthOf(m_machines[i]), i);
        std::ranges::sort(order);
        std::vector<VirtualMachine> sorted;
        for (const auto& [depth, place] : order)
            sorted.push_back(m_machines[place]);
        m_machines = std::move(sorted);
        for (std::size_t i = 0; i < m_machines.size(); ++i) // Clear the outer machine of machines whose nesting forms a cycle.
            if (const std::int32_t outer = outerOf(m_machines[i]); outer < static_cast<std::int32_t>(i))
                m_machines[i].outer = outer;
    }

    const Timeline& m_timeline;
    const Given m_given;
    std::vector<GuestEvidence> m_evidence;
    std::vector<Process> m_processes;
    std::vector<VirtualMachine> m_machines;
    std::set<std::uint32_t> m_bound; ///< Indexes of hosts that are already bound as the guest of a machine.
    std::map<std::string, int> m_names;
};

const std::string& nameOfHost(const Timeline& timeline, const VirtualMachine& machine)
{
    return timeline.hosts[timeline.traces[machine.hostTrace].host].id;
}

ClockSettings with(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, GuestOverride given)
{
    choice = withoutGuestOverride(timeline, std::move(choice), guest);
    std::erase_if(choice.guests, [&](const auto& it) {
        return !given.host.empty() && it.second.process == given.process
            && findHostByName(timeline, it.second.host) == findHostByName(timeline, given.host);
    });
    choice.guests[timeline.hosts[guest].id] = std::move(given);
    return choice;
}

/// Returns the user's setting for the guest if it binds the guest to this machine; else a new setting that binds the guest to this machine.
GuestOverride givenIn(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest, const VirtualMachine& machine)
{
    const GuestOverride fresh{nameOfHost(timeline, machine), processOf(machine)};
    const GuestOverride* given = givenGuest(timeline, choice, guest);
    return given && given->host == fresh.host && given->process == fresh.process ? *given : fresh;
}

} // namespace

std::vector<VirtualMachine> findVirtualMachines(const Timeline& timeline) { return Binding(timeline).take(); }

std::vector<std::int32_t> guestCpus(const Timeline& timeline, const VirtualMachine& machine)
{
    return cpuNumbers(timeline, machine.guestTrace);
}

std::int32_t processOf(const VirtualMachine& machine) { return machine.pid >= 0 ? machine.pid : machine.vcpus.front().hostTid; }

std::string processName(const Timeline& timeline, const VirtualMachine& machine)
{
    const std::int32_t number = processOf(machine);
    std::string comm;
    forEachStoreOf(timeline, machine.hostTrace, [&](StoreIndex, const Store& store) {
        for (const TrackId it : store.tracksOf(TrackRole::Thread, number))
            if (const Track& track = store.tracks()[static_cast<std::size_t>(it)]; comm.empty() && !track.view.empty())
                comm = track.label;
    });
    return (comm.empty() ? "process" : comm) + '-' + std::to_string(number);
}

bool hasVirtualMachines(const Timeline& timeline)
{
    bool has = std::ranges::any_of(timeline.clockSettings.guests, [&](const auto& it) {
        return findHostByName(timeline, it.first) && findHostByName(timeline, it.second.host);
    });
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        has = has || std::ranges::any_of(store.tracks(), machines::isVcpuEvidence);
    });
    for (const auto& relation : timeline.relations)
        has = has || (relation && relation->messages && !guestTraces(*relation->messages).empty());
    std::vector<GuestEvidence> recorded;
    addRecorded(timeline, recorded);
    return has || !recorded.empty();
}

std::string rowIdOf(const VirtualMachine& machine)
{
    std::string id = "vm:";
    for (const char c : machine.name)
        (id += c == '/' ? "\\" : "") += c;
    return id;
}

std::string rowIdOf(const VirtualMachine& machine, const VcpuBinding& vcpu)
{
    return rowIdOf(machine) + "/vcpu:" + std::to_string(vcpu.vcpu);
}

const GuestOverride* givenGuest(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest)
{
    return findOverride(timeline.hosts[guest], choice.guests);
}

ClockSettings withGuest(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine)
{
    GuestOverride given = givenIn(timeline, choice, guest, machine);
    return with(timeline, std::move(choice), guest, std::move(given));
}

ClockSettings withVcpu(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine,
                       std::int32_t vcpu, std::int32_t tid)
{
    GuestOverride given = givenIn(timeline, choice, guest, machine);
    std::erase_if(given.vcpus, [&](const auto& it) { return it.second == tid; });
    given.vcpus[vcpu] = tid;
    return with(timeline, std::move(choice), guest, std::move(given));
}

ClockSettings withoutVirtualMachine(const Timeline& timeline, ClockSettings choice, std::uint32_t guest)
{
    return with(timeline, std::move(choice), guest, {});
}

ClockSettings withoutGuestOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t guest)
{
    choice.guests.erase(timeline.hosts[guest].id);
    choice.guests.erase(timeline.hosts[guest].label);
    return choice;
}

} // namespace helio
