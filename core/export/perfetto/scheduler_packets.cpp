#include "core/export/perfetto/scheduler_packets.h"

#include <algorithm>
#include <limits>

namespace helio {
namespace {

// Field numbers of FtraceEventBundle, FtraceEvent and the messages of events (protos/perfetto/trace/ftrace).
enum Bundle : std::uint32_t { BundleCpu = 1, BundleEvent = 2, BundleLost = 3 };
enum FtraceEvent : std::uint32_t {
    EventTimestamp = 1,
    EventPid = 2,
    Print = 3,
    SchedSwitch = 4,
    SchedWakeup = 17,
    SchedWaking = 20,
    SchedWakeupNew = 114,
    TaskNewtask = 235,
    SchedProcessExit = 238,
    SchedProcessFork = 239,
    SchedProcessFree = 240,
};
enum PrintField : std::uint32_t { PrintBuffer = 2 };
enum SwitchField : std::uint32_t { PrevComm = 1, PrevPid, PrevPriority, PrevState, NextComm, NextPid, NextPriority };
/// Fields of sched_waking, sched_wakeup and sched_wakeup_new.
enum WakingField : std::uint32_t { WakingComm = 1, WakingPid, WakingPriority, WakingSuccess, WakingTarget };
enum ForkField : std::uint32_t { ParentComm = 1, ParentPid, ChildComm, ChildPid };
enum NewTaskField : std::uint32_t { NewPid = 1, NewComm, CloneFlags, OomScore };
/// Fields of sched_process_exit; sched_process_free has the first two.
enum ExitField : std::uint32_t { ExitComm = 1, ExitPid, ExitProcess };

constexpr std::size_t EventsInBundle = 512;
constexpr std::uint64_t CloneThread = 0x10000; ///< Flag CLONE_THREAD of clone(2): the new task is a thread of its creator's process.

} // namespace

std::int64_t prevStateOf(std::string_view state)
{
    constexpr std::pair<std::string_view, std::int64_t> Numbers[] = {{"R", 0},  {"S", 1},  {"D", 2},    {"T", 4},    {"t", 8},
                                                                     {"X", 16}, {"Z", 32}, {"P", 0x40}, {"I", 0x80}, {"R+", 0x100}};
    for (const auto& [text, number] : Numbers)
        if (state == text)
            return number;
    return 0x200;
}

SchedulerPackets::SchedulerPackets(const RecordingWalk& walk, PacketWriter& writer, std::vector<PacketSequence>& sequences)
    : m_walk(walk)
    , m_writer(writer)
    , m_sequences(sequences)
{
    for (const WalkedThread& thread : walk.threads()) {
        if (thread.start && !thread.isIdle())
            m_starts.emplace_back(*thread.start, static_cast<std::size_t>(thread.utid));
        if (thread.end && !thread.isIdle())
            m_ends.emplace_back(*thread.end, static_cast<std::size_t>(thread.utid));
    }
    std::ranges::sort(m_starts);
    std::ranges::sort(m_ends);
}

void SchedulerPackets::add(const WalkedRun& run)
{
    m_events.push_back({run.ts, Kind::Switch, m_runs.size()});
    m_runs.push_back(run);
    if (run.end)
        m_runEnds.emplace_back(*run.end, run.cpu);
}

void SchedulerPackets::add(const WalkedWakeup& wakeup)
{
    if (wakeup.cpu.cpu < 0 || wakeup.woken < 0) // An event needs a CPU and a thread.
        return;
    m_events.push_back({wakeup.ts, Kind::Wakeup, m_wakeups.size()});
    m_wakeups.push_back(wakeup);
}

void SchedulerPackets::add(const WalkedReadiness& readiness)
{
    m_events.push_back({readiness.ts, Kind::Readiness, m_readiness.size()});
    m_readiness.push_back(readiness);
}

void SchedulerPackets::add(const WalkedLoss& loss)
{
    m_events.push_back({loss.ts, Kind::LossBegin, m_losses.size()});
    m_losses.push_back(loss);
}

void SchedulerPackets::flush(std::int64_t end)
{
    for (; m_nextStart < m_starts.size() && m_starts[m_nextStart].first < end; ++m_nextStart)
        m_events.push_back({m_starts[m_nextStart].first, Kind::ThreadStart, m_starts[m_nextStart].second});
    for (; m_nextEnd < m_ends.size() && m_ends[m_nextEnd].first < end; ++m_nextEnd)
        m_events.push_back({m_ends[m_nextEnd].first, Kind::ThreadEnd, m_ends[m_nextEnd].second});
    writeUntil(end);
}

void SchedulerPackets::finish()
{
    writeUntil(std::numeric_limits<std::int64_t>::max());
    // A loss needs an event after it.
    for (auto& [id, cpu] : m_cpus)
        if (cpu.isAfterLoss && cpu.last < m_last) {
            writeRemark(cpu, m_last);
            closeBundle(cpu);
        }
}

/// Writes all events before `end` except for the begins and ends of threads, and those that are in m_events.
void SchedulerPackets::writeUntil(std::int64_t end)
{
    for (std::size_t i = 0; i < m_runEnds.size(); ++i)
        if (m_runEnds[i].first < end)
            m_events.push_back({m_runEnds[i].first, Kind::RunEnd, i});
    for (std::size_t i = 0; i < m_losses.size(); ++i)
        if (m_losses[i].end < end)
            m_events.push_back({m_losses[i].end, Kind::LossEnd, i});
    std::ranges::stable_sort(m_events, [](const Event& a, const Event& b) { return std::pair(a.ts, a.kind) < std::pair(b.ts, b.kind); });
    for (const Event& event : m_events)
        write(event);
    for (auto& [id, cpu] : m_cpus)
        closeBundle(cpu);
    m_events.clear();
    m_runs.clear();
    m_wakeups.clear();
    m_readiness.clear();
    std::erase_if(m_runEnds, [end](const auto& it) { return it.first < end; });
    std::erase_if(m_losses, [end](const WalkedLoss& loss) { return loss.end < end; });
}

void SchedulerPackets::write(const Event& event)
{
    switch (event.kind) {
    case Kind::Switch: writeSwitch(m_runs[event.index]); break;
    case Kind::RunEnd: endRun(m_runEnds[event.index].second, event.ts); break;
    case Kind::Wakeup: writeWakeup(m_wakeups[event.index]); break;
    case Kind::Readiness: writeReadiness(m_readiness[event.index]); break;
    case Kind::ThreadStart: writeStart(m_walk.threads()[event.index]); break;
    case Kind::ThreadEnd: writeEnd(m_walk.threads()[event.index]); break;
    case Kind::LossBegin:
    case Kind::LossEnd: {
        const WalkedLoss& loss = m_losses[event.index];
        for (auto& [id, cpu] : m_cpus) {
            if (id.host != loss.cpu.host || (loss.cpu.cpu >= 0 && id.cpu != loss.cpu.cpu))
                continue;
            const bool isMarked = cpu.isAfterLoss && cpu.count == 0;
            if (event.kind == Kind::LossEnd) {
                closeBundle(cpu);
                cpu.isAfterLoss = true;
            }
            if (event.kind == Kind::LossEnd || !isMarked)
                writeRemark(cpu, event.ts);
        }
        break;
    }
    }
}

SchedulerPackets::Cpu& SchedulerPackets::cpuAt(WalkedCpu id)
{
    const auto [found, isNew] = m_cpus.try_emplace(id);
    if (isNew) {
        found->second.id = id;
        found->second.current.utid = -1;
    }
    return found->second;
}

std::int32_t SchedulerPackets::tidOf(std::int64_t utid) const
{
    const auto index = static_cast<std::size_t>(utid);
    return utid >= 0 && index < m_walk.threads().size() ? m_walk.threads()[index].tid : -1;
}

std::string_view SchedulerPackets::nameOf(std::int64_t utid) const
{
    const auto index = static_cast<std::size_t>(utid);
    if (utid < 0 || index >= m_walk.threads().size())
        return {};
    const WalkedThread& thread = m_walk.threads()[index];
    return thread.isIdle() ? std::string_view("swapper") : std::string_view(thread.name);
}

template <typename Fields>
void SchedulerPackets::append(Cpu& cpu, std::int64_t ts, std::int32_t tid, std::uint32_t number, const Fields& fields)
{
    cpu.last = ts;
    m_last = std::max(m_last, ts);
    std::string content;
    protozero::pbf_writer event(content);
    event.add_uint64(EventTimestamp, static_cast<std::uint64_t>(ts));
    if (tid >= 0)
        event.add_uint32(EventPid, static_cast<std::uint32_t>(tid));
    {
        protozero::pbf_writer message(event, number);
        fields(message);
    }
    protozero::pbf_writer(cpu.events).add_message(BundleEvent, content);
    if (++cpu.count >= EventsInBundle)
        closeBundle(cpu);
}

void SchedulerPackets::closeBundle(Cpu& cpu)
{
    if (cpu.count == 0)
        return;
    m_writer.write(m_sequences[cpu.id.host], {}, [&](protozero::pbf_writer& packet) {
        std::string content;
        protozero::pbf_writer bundle(content);
        bundle.add_uint32(BundleCpu, static_cast<std::uint32_t>(cpu.id.cpu));
        if (cpu.isAfterLoss)
            bundle.add_bool(BundleLost, true);
        content += cpu.events;
        packet.add_message(perfetto_field::FtraceEvents, content);
    });
    cpu.events.clear();
    cpu.count = 0;
    cpu.isAfterLoss = false;
}

void SchedulerPackets::writeSwitch(const WalkedRun& run)
{
    Cpu& cpu = cpuAt(run.cpu);
    const bool isKnown = cpu.current.utid >= 0 && cpu.current.end == run.ts;
    const std::int32_t previous = isKnown ? tidOf(cpu.current.utid) : -1;
    append(cpu, run.ts, previous, SchedSwitch, [&](protozero::pbf_writer& message) {
        if (isKnown) {
            addText(message, PrevComm, nameOf(cpu.current.utid));
            message.add_int32(PrevPid, previous);
            if (cpu.current.priority)
                message.add_int32(PrevPriority, static_cast<std::int32_t>(*cpu.current.priority));
            message.add_int64(PrevState, prevStateOf(cpu.current.endState));
        }
        addText(message, NextComm, nameOf(run.utid));
        message.add_int32(NextPid, tidOf(run.utid));
        if (run.priority)
            message.add_int32(NextPriority, static_cast<std::int32_t>(*run.priority));
    });
    cpu.current = run;
}

/// Writes an event without a meaning and without a thread. It limits what is lost: only the time between two events can be lost.
void SchedulerPackets::writeRemark(Cpu& cpu, std::int64_t at)
{
    append(cpu, at, -1, Print,
           [](protozero::pbf_writer& message) { addText(message, PrintBuffer, "heliograph: events are missing here\n"); });
}

/// Ends the run that is known to end at `at`, if no other thread follows it. Viewers show the thread until the next context switch, so that
/// the idle thread follows; which thread ran is not known from `at` on, so that events are missing.
void SchedulerPackets::endRun(WalkedCpu id, std::int64_t at)
{
    Cpu& cpu = cpuAt(id);
    if (cpu.current.utid < 0 || cpu.current.end != at)
        return;
    const std::int64_t idle = RecordingWalk::idleThreadOf(id.host);
    if (cpu.current.utid == idle) {
        writeRemark(cpu, at);
    } else {
        WalkedRun next;
        next.ts = at;
        next.cpu = id;
        next.utid = idle;
        writeSwitch(next);
    }
    closeBundle(cpu);
    cpu.isAfterLoss = true;
    cpu.current.utid = -1;
}

void SchedulerPackets::writeWakeup(const WalkedWakeup& wakeup)
{
    Cpu& cpu = cpuAt(wakeup.cpu);
    const std::int64_t waker = wakeup.waker >= 0 ? wakeup.waker : cpu.current.utid;
    const WalkedThread& woken = m_walk.threads()[static_cast<std::size_t>(wakeup.woken)];
    const bool isNew = woken.start && *woken.start <= wakeup.ts && !m_lastWakeups.contains(wakeup.woken);
    append(cpu, wakeup.ts, tidOf(waker), isNew ? SchedWakeupNew : SchedWaking, [&](protozero::pbf_writer& message) {
        addText(message, WakingComm, nameOf(wakeup.woken));
        message.add_int32(WakingPid, tidOf(wakeup.woken));
        message.add_int32(WakingSuccess, 1);
    });
    m_lastWakeups[wakeup.woken] = wakeup;
}

/// Writes that a thread becomes ready at another time than its wake-up: it was woken before it had left its CPU, or it is new and its
/// creator is unknown.
void SchedulerPackets::writeReadiness(const WalkedReadiness& readiness)
{
    const auto woken = m_lastWakeups.find(readiness.utid);
    if (woken != m_lastWakeups.end() && woken->second.ts == readiness.ts)
        return;
    const WalkedThread& thread = m_walk.threads()[static_cast<std::size_t>(readiness.utid)];
    if (m_created.contains(readiness.utid) && thread.start == readiness.ts)
        return; // The creation says so.
    Cpu* place = woken != m_lastWakeups.end() ? &cpuAt(woken->second.cpu) : nullptr;
    for (auto& [id, cpu] : m_cpus) {
        if (cpu.current.utid == readiness.utid && cpu.current.end == readiness.ts)
            return; // The context switch at this time says so.
        if (!place && id.host == thread.host && cpu.current.utid >= 0)
            place = &cpu;
    }
    if (!place)
        return;
    const std::uint32_t event =
        thread.start && *thread.start <= readiness.ts && woken == m_lastWakeups.end() ? SchedWakeupNew : SchedWakeup;
    append(*place, readiness.ts, tidOf(place->current.utid), event, [&](protozero::pbf_writer& message) {
        addText(message, WakingComm, nameOf(readiness.utid));
        message.add_int32(WakingPid, thread.tid);
        message.add_int32(WakingSuccess, 1);
    });
}

/// Writes that a thread was created, if its creator is known and runs.
void SchedulerPackets::writeStart(const WalkedThread& thread)
{
    if (thread.upid < 0)
        return;
    const WalkedProcess& process = m_walk.processes()[static_cast<std::size_t>(thread.upid)];
    const std::int32_t creator = thread.isMain ? process.parentPid : thread.pid;
    for (auto& [id, cpu] : m_cpus) {
        if (id.host != thread.host || cpu.current.utid < 0)
            continue;
        // Any thread of the creating process may create a thread.
        const WalkedThread& running = m_walk.threads()[static_cast<std::size_t>(cpu.current.utid)];
        if (running.isIdle() || running.pid != creator)
            continue;
        m_created.insert(thread.utid);
        append(cpu, *thread.start, running.tid, SchedProcessFork, [&](protozero::pbf_writer& message) {
            addText(message, ParentComm, running.name);
            message.add_int32(ParentPid, running.tid);
            addText(message, ChildComm, thread.name);
            message.add_int32(ChildPid, thread.tid);
        });
        append(cpu, *thread.start, running.tid, TaskNewtask, [&](protozero::pbf_writer& message) {
            message.add_int32(NewPid, thread.tid);
            addText(message, NewComm, thread.name);
            message.add_uint64(CloneFlags, thread.isMain ? 0 : CloneThread);
        });
        return;
    }
}

/// Writes that a thread ended: as its exit if it runs, else as the release of what was left of it.
void SchedulerPackets::writeEnd(const WalkedThread& thread)
{
    Cpu* any = nullptr;
    for (auto& [id, cpu] : m_cpus) {
        if (id.host != thread.host || cpu.current.utid < 0)
            continue;
        any = &cpu;
        if (cpu.current.utid != thread.utid)
            continue;
        append(cpu, *thread.end, thread.tid, SchedProcessExit, [&](protozero::pbf_writer& message) {
            addText(message, ExitComm, thread.name);
            message.add_int32(ExitPid, thread.tid);
            if (thread.pid >= 0)
                message.add_int32(ExitProcess, thread.pid);
        });
        return;
    }
    if (any)
        append(*any, *thread.end, tidOf(any->current.utid), SchedProcessFree, [&](protozero::pbf_writer& message) {
            addText(message, ExitComm, thread.name);
            message.add_int32(ExitPid, thread.tid);
        });
}

} // namespace helio
