#include "core/query/machines/bindings.h"

#include "core/query/machines/vcpu_threads.h"
#include "core/query/rows/composed.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace helio {
namespace {

using machines::VcpuThread;

/// The threads of one process, or one thread whose process is not known.
struct Process {
    std::uint32_t trace = 0;
    std::int32_t pid = -1;
    std::vector<VcpuThread> threads;
};

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

std::vector<GuestSeen> evidenceOf(const Timeline& timeline)
{
    std::vector<GuestSeen> all;
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages)
            std::ranges::move(guestsSeen(*relation->messages), std::back_inserter(all));
    std::erase_if(all, [&](const GuestSeen& it) {
        return it.hostTid <= 0 || timeline.traces[it.guestTrace].host == timeline.traces[it.hostTrace].host;
    });
    return all;
}

/// The rows of what a guest believes that a CPU of its did. Not valid: its trace does not say.
TrackRef cpuTrack(const Timeline& timeline, std::uint32_t trace, TrackRole role, std::int32_t number)
{
    TrackRef found;
    if (trace != NoTraceHere)
        eachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
            if (const auto rows = store.tracksOf(role, number); !found.isValid() && !rows.empty())
                found = {index, rows.front()};
        });
    return found;
}

/// The trace of a host that says what its CPUs did, best the one that was asked for. None: no trace says it.
std::uint32_t traceWithCpus(const Timeline& timeline, std::uint32_t wanted)
{
    const auto hasCpus = [&](std::uint32_t trace) {
        bool has = false;
        eachStoreOf(timeline, trace, [&](StoreIndex, const Store& store) {
            has = has || std::ranges::any_of(store.tracks(), [](const Track& it) { return it.role == TrackRole::Cpu && !it.view.empty(); });
        });
        return has;
    };
    if (hasCpus(wanted))
        return wanted;
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
        if (timeline.traces[trace].host == timeline.traces[wanted].host && hasCpus(trace))
            return trace;
    return wanted;
}

std::vector<std::int32_t> cpuNumbers(const Timeline& timeline, std::uint32_t trace)
{
    std::set<std::int32_t> numbers;
    eachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        eachTrack(index, store, TrackRole::Cpu, [&](TrackRef, const Track& track) { numbers.insert(track.cpu); });
    });
    return {numbers.begin(), numbers.end()};
}

/// Puts together what is known.
class Binding {
public:
    explicit Binding(const Timeline& timeline)
        : m_timeline(timeline)
        , m_evidence(evidenceOf(timeline))
        , m_processes(processesOf(timeline, machines::vcpuThreadsOf(timeline, m_evidence)))
    {
    }

    std::vector<Machine> take()
    {
        for (const Process& process : m_processes)
            add(process);
        addGuestsAlone();
        for (Machine& it : m_machines)
            nameIt(it);
        orderByNesting();
        return std::move(m_machines);
    }

private:
    bool isOf(const GuestSeen& seen, const Process& process) const
    {
        return seen.hostTrace == process.trace
            && std::ranges::any_of(process.threads, [&](const VcpuThread& it) { return it.tid == seen.hostTid; });
    }

    /// The guest that was seen in a process most often, unless it was seen in another one more often.
    std::uint32_t guestOf(const Process& process) const
    {
        std::map<std::uint32_t, std::uint64_t> here, most;
        for (const GuestSeen& seen : m_evidence)
            for (const Process& it : m_processes)
                if (isOf(seen, it)) {
                    std::uint64_t& sum = most[seen.guestTrace];
                    if (&it == &process)
                        here[seen.guestTrace] += seen.times;
                    else
                        sum = std::max(sum, seen.times);
                }
        std::uint32_t best = NoTraceHere;
        for (const auto& [trace, times] : here)
            if (times > most[trace] && (best == NoTraceHere || times > here[best]))
                best = trace;
        return best;
    }

    void add(const Process& process)
    {
        Machine machine;
        machine.hostTrace = process.trace;
        machine.pid = process.pid;
        if (const std::uint32_t guest = guestOf(process); guest != NoTraceHere)
            machine.guestTrace = traceWithCpus(m_timeline, guest);
        if (machine.guestTrace != NoTraceHere)
            m_bound.insert(m_timeline.traces[machine.guestTrace].host);
        std::vector<VcpuThread> threads = process.threads;
        machines::numberVcpus(threads);
        for (const VcpuThread& it : threads) {
            const std::string method = (machine.guestTrace != NoTraceHere ? "hypercalls, " : "") + it.method;
            addVcpu(machine, {it.number, it.tid, it.thread, it.modes, {}, {}, method});
        }
        std::ranges::sort(machine.vcpus, {}, &VcpuBinding::vcpu);
        m_machines.push_back(std::move(machine));
    }

    /// Times of the two can be laid over each other.
    bool areOnOneAxis(const Machine& machine) const
    {
        const auto isOnIt = [&](std::uint32_t trace) { return m_timeline.hosts[m_timeline.traces[trace].host].isSynchronized; };
        return machine.hostTrace == NoTraceHere || (isOnIt(machine.hostTrace) && isOnIt(machine.guestTrace));
    }

    void addVcpu(Machine& machine, VcpuBinding vcpu)
    {
        if (machine.guestTrace == NoTraceHere || !areOnOneAxis(machine)) {
            machine.vcpus.push_back(std::move(vcpu));
            return;
        }
        vcpu.guestCpu = cpuTrack(m_timeline, machine.guestTrace, TrackRole::Cpu, vcpu.vcpu);
        vcpu.guestThreads = cpuTrack(m_timeline, machine.guestTrace, TrackRole::CpuThread, vcpu.vcpu);
        machine.vcpus.push_back(std::move(vcpu));
    }

    /// Those that say so themselves, and whose host is not here.
    void addGuestsAlone()
    {
        for (const auto& relation : m_timeline.relations)
            for (const std::uint32_t trace :
                 relation && relation->messages ? guestTraces(*relation->messages) : std::vector<std::uint32_t>()) {
                if (!m_bound.insert(m_timeline.traces[trace].host).second)
                    continue;
                Machine machine;
                machine.guestTrace = traceWithCpus(m_timeline, trace);
                for (const std::int32_t cpu : cpuNumbers(m_timeline, machine.guestTrace))
                    addVcpu(machine, {cpu, -1, {}, {}, {}, {}, "guest trace"});
                m_machines.push_back(std::move(machine));
            }
    }

    void nameIt(Machine& machine)
    {
        machine.name =
            machine.guestTrace != NoTraceHere ? m_timeline.hosts[m_timeline.traces[machine.guestTrace].host].label : processName(machine);
        const int count = ++m_names[machine.name];
        if (count > 1)
            machine.name += '#' + std::to_string(count);
    }

    std::string processName(const Machine& machine) const
    {
        const std::int32_t number = machine.pid >= 0 ? machine.pid : machine.vcpus.front().hostTid;
        std::string comm;
        eachStoreOf(m_timeline, machine.hostTrace, [&](StoreIndex, const Store& store) {
            for (const TrackId it : store.tracksOf(TrackRole::Thread, number))
                if (const Track& track = store.tracks()[static_cast<std::size_t>(it)]; comm.empty() && !track.view.empty())
                    comm = track.label;
        });
        return (comm.empty() ? "process" : comm) + '-' + std::to_string(number);
    }

    void orderByNesting()
    {
        const auto hostOf = [&](std::uint32_t trace) { return m_timeline.traces[trace].host; };
        const auto outerOf = [&](const Machine& it) {
            for (std::size_t i = 0; i < m_machines.size(); ++i)
                if (const Machine& other = m_machines[i]; &other != &it && it.hostTrace != NoTraceHere && other.guestTrace != NoTraceHere
                    && hostOf(other.guestTrace) == hostOf(it.hostTrace))
                    return static_cast<std::int32_t>(i);
            return std::int32_t(-1);
        };
        const auto depthOf = [&](const Machine& it) {
            std::size_t depth = 0;
            for (std::int32_t outer = outerOf(it); outer >= 0 && depth <= m_machines.size();
                 outer = outerOf(m_machines[std::size_t(outer)]))
                ++depth;
            return depth;
        };
        std::vector<std::pair<std::size_t, std::size_t>> order; ///< By depth, as they came.
        for (std::size_t i = 0; i < m_machines.size(); ++i)
            order.emplace_back(depthOf(m_machines[i]), i);
        std::ranges::sort(order);
        std::vector<Machine> sorted;
        for (const auto& [depth, place] : order)
            sorted.push_back(m_machines[place]);
        m_machines = std::move(sorted);
        for (std::size_t i = 0; i < m_machines.size(); ++i) // In a circle there is no outer one.
            if (const std::int32_t outer = outerOf(m_machines[i]); outer < static_cast<std::int32_t>(i))
                m_machines[i].outer = outer;
    }

    const Timeline& m_timeline;
    std::vector<GuestSeen> m_evidence;
    std::vector<Process> m_processes;
    std::vector<Machine> m_machines;
    std::set<std::uint32_t> m_bound; ///< Hosts that are a machine's guest.
    std::map<std::string, int> m_names;
};

} // namespace

std::vector<Machine> machinesOf(const Timeline& timeline) { return Binding(timeline).take(); }

bool hasMachines(const Timeline& timeline)
{
    bool has = false;
    eachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        has = has || std::ranges::any_of(store.tracks(), machines::saysVcpu);
    });
    for (const auto& relation : timeline.relations)
        has = has || (relation && relation->messages && !guestTraces(*relation->messages).empty());
    return has;
}

std::string rowIdOf(const Machine& machine)
{
    std::string id = "vm:";
    for (const char c : machine.name)
        (id += c == '/' ? "\\" : "") += c;
    return id;
}

std::string rowIdOf(const Machine& machine, const VcpuBinding& vcpu) { return rowIdOf(machine) + "/vcpu:" + std::to_string(vcpu.vcpu); }

} // namespace helio
