#include "tests/bench/make_trace_machine.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace helio::bench {
namespace {

// Values of prev_state in sched_switch since Linux 4.14.
enum Left : std::int64_t { Runnable = 0, Sleeping = 1, Blocked = 2, Dead = 16, IdleKthread = 128, Preempted = 256 };

constexpr std::int32_t Priority = 20;
/// Maximum number of threads in a run queue. If the queue of the waker's CPU is full, no thread is woken.
constexpr std::size_t LongestQueue = 6;

constexpr std::array Names{"web", "database", "cache", "compile", "encode", "backup", "shell", "logger"};
constexpr std::array Devices{"nvme0q1", "eth0-rx", "eth0-tx", "usb1"};
constexpr std::int32_t FirstIrq = 40;

Comm commOf(const char* name, std::uint32_t number, bool isKernel)
{
    Comm comm{};
    std::snprintf(comm.data(), comm.size(), isKernel ? "k%s/%u" : "%s-%u", name, number);
    return comm;
}

Comm idleComm(std::uint32_t cpu)
{
    Comm comm{};
    std::snprintf(comm.data(), comm.size(), "swapper/%u", cpu);
    return comm;
}

} // namespace

MadeMachine::MadeMachine(const MadeTrace& made, std::vector<StreamWriter>& streams)
    : m_made(made)
    , m_streams(streams)
    , m_discarded("/dev/null", {}, 0)
    , m_numbers(made.seed)
    , m_left(made.events)
    , m_cpus(made.cpus)
{
    makeThreads();
}

std::int32_t MadeMachine::addThread(const char* name, std::uint32_t number, std::int32_t pid, std::int32_t parent, bool isKernel)
{
    Thread thread;
    thread.comm = commOf(name, number, isKernel);
    thread.tid = m_nextTid++;
    thread.pid = pid == 0 ? thread.tid : pid;
    thread.parent = parent;
    thread.isKernel = isKernel;
    thread.cpu = m_numbers.below(m_made.cpus);
    m_threads.push_back(thread);
    return std::int32_t(m_threads.size()) - 1;
}

/// Makes the initial threads. One process in seven is a kernel thread; the others have from one
/// thread to as many as the options allow.
void MadeMachine::makeThreads()
{
    std::uint32_t process = 0;
    while (m_threads.size() < m_made.threads) {
        if (m_numbers.chance(150)) {
            addThread("worker", std::uint32_t(m_threads.size()), 0, 2, true);
            continue;
        }
        const char* name = Names[m_numbers.below(Names.size())];
        const std::int32_t leader = m_threads[std::size_t(addThread(name, process++, 0, 1, false))].tid;
        for (std::uint32_t left = m_numbers.below(m_made.threadsPerProcess); left > 0 && m_threads.size() < m_made.threads; --left)
            addThread(name, std::uint32_t(m_threads.size()), leader, 1, false);
    }
    for (std::size_t i = 0; i < m_threads.size(); ++i)
        m_sleepers.push_back(std::int32_t(i));
}

StreamWriter& MadeMachine::record(std::uint32_t cpu, MadeEvent id)
{
    if (isDone())
        return m_discarded.event(id, 0);
    --m_left;
    Cpu& it = m_cpus[cpu];
    it.time += 1 + m_numbers.below(m_made.gap / 4 + 1);
    return m_streams[cpu].event(id, it.time);
}

void MadeMachine::dumpStates()
{
    for (const Thread& thread : m_threads) {
        if (isDone())
            return;
        StreamWriter& out = record(0, MadeEvent::Statedump).add(thread.tid).add(thread.pid).add(thread.parent).add(thread.comm);
        out.add(std::int32_t(thread.isKernel)).add(5).add(0).add(5).add(thread.cpu);
    }
    record(0, MadeEvent::StatedumpEnd);
}

void MadeMachine::run()
{
    dumpStates();
    const std::uint64_t begin = m_cpus[0].time;
    for (std::uint32_t cpu = 0; cpu < m_made.cpus; ++cpu) {
        m_cpus[cpu].time = begin;
        schedule(cpu, begin + m_numbers.below(m_made.gap * 4));
    }
    while (!isDone()) {
        const auto [at, cpu] = m_schedule.top();
        m_schedule.pop();
        Cpu& it = m_cpus[cpu];
        if (it.next != at)
            continue; // Skip an outdated entry of the schedule: meanwhile, the CPU got an earlier time for its next action.
        it.time = std::max(it.time, at);
        step(cpu);
        schedule(cpu, it.time + m_numbers.below(m_made.gap * (it.current == NoThread ? 16 : 3) / 2 + 1) + 1);
    }
}

void MadeMachine::schedule(std::uint32_t cpu, std::uint64_t at)
{
    m_cpus[cpu].next = at;
    m_schedule.emplace(at, cpu);
}

void MadeMachine::step(std::uint32_t cpu)
{
    const std::int32_t current = m_cpus[cpu].current;
    if (current == NoThread)
        idle(cpu);
    else if (m_numbers.chance(20))
        timer(cpu);
    else if (m_numbers.chance(15))
        interrupt(cpu);
    else if (m_threads[std::size_t(current)].isKernel)
        inKernelThread(cpu);
    else if (m_threads[std::size_t(current)].syscall >= 0)
        inSyscall(cpu);
    else
        inUser(cpu);
}

void MadeMachine::idle(std::uint32_t cpu)
{
    if (m_cpus[cpu].queue.empty())
        interrupt(cpu);
    if (!m_cpus[cpu].queue.empty())
        leave(cpu, Runnable);
}

void MadeMachine::inKernelThread(std::uint32_t cpu)
{
    if (m_numbers.chance(300))
        wake(cpu);
    else
        leave(cpu, IdleKthread);
}

void MadeMachine::inUser(std::uint32_t cpu)
{
    Thread& thread = m_threads[std::size_t(m_cpus[cpu].current)];
    if (m_threads.size() < m_made.threads + m_made.threads / 10 + 2 && m_numbers.chance(2))
        return fork(cpu);
    if (thread.isForked && m_numbers.chance(20))
        return m_numbers.chance(600) ? exec(cpu) : exit(cpu);
    thread.syscall = std::int32_t(m_numbers.below(madeSyscalls.size()));
    const auto entry = MadeEvent(int(MadeEvent::FirstSyscall) + 2 * thread.syscall);
    record(cpu, entry).add(std::int32_t(m_numbers.below(64))).add(std::uint64_t(m_numbers.below(65'536)));
}

void MadeMachine::inSyscall(std::uint32_t cpu)
{
    if (m_numbers.chance(170))
        return leave(cpu, m_numbers.chance(150) ? Blocked : Sleeping);
    if (m_numbers.chance(120))
        return wake(cpu);
    Thread& thread = m_threads[std::size_t(m_cpus[cpu].current)];
    const auto exit = MadeEvent(int(MadeEvent::FirstSyscall) + 2 * thread.syscall + 1);
    record(cpu, exit).add(std::int64_t(m_numbers.below(4096)));
    thread.syscall = -1;
}

void MadeMachine::interrupt(std::uint32_t cpu)
{
    const std::uint32_t device = m_numbers.below(Devices.size());
    const std::int32_t irq = FirstIrq + std::int32_t(device);
    record(cpu, MadeEvent::IrqEntry).add(irq).add(std::string_view(Devices[device]));
    wake(cpu);
    record(cpu, MadeEvent::IrqExit).add(irq).add(1);
}

void MadeMachine::timer(std::uint32_t cpu)
{
    constexpr std::uint32_t Vector = 1;
    record(cpu, MadeEvent::SoftirqRaise).add(Vector);
    record(cpu, MadeEvent::SoftirqEntry).add(Vector);
    record(cpu, MadeEvent::SoftirqExit).add(Vector);
    if (!m_cpus[cpu].queue.empty())
        leave(cpu, Preempted);
}

/// Picks the older of two random sleeping threads, so that a few threads do most of the work, like on real systems.
std::int32_t MadeMachine::takeSleeper()
{
    if (m_sleepers.empty())
        return NoThread;
    std::uint32_t at = m_numbers.below(m_sleepers.size());
    const std::uint32_t other = m_numbers.below(m_sleepers.size());
    if (m_sleepers[other] < m_sleepers[at])
        at = other;
    const std::int32_t thread = m_sleepers[at];
    m_sleepers[at] = m_sleepers.back();
    m_sleepers.pop_back();
    return thread;
}

std::uint32_t MadeMachine::placeFor(const Thread& thread, std::uint32_t waker)
{
    if (m_cpus[thread.cpu].queue.size() < LongestQueue / 2 && !m_numbers.chance(100))
        return thread.cpu;
    const std::uint32_t other = m_numbers.below(m_made.cpus);
    return m_cpus[other].queue.size() < m_cpus[waker].queue.size() ? other : waker;
}

void MadeMachine::wake(std::uint32_t cpu)
{
    if (m_cpus[cpu].queue.size() >= LongestQueue)
        return;
    const std::int32_t woken = takeSleeper();
    if (woken == NoThread)
        return;
    Thread& thread = m_threads[std::size_t(woken)];
    const std::uint32_t target = placeFor(thread, cpu);
    record(cpu, MadeEvent::Waking).add(thread.comm).add(thread.tid).add(Priority).add(std::int32_t(thread.cpu));
    if (target != thread.cpu)
        record(cpu, MadeEvent::Migrate)
            .add(thread.comm)
            .add(thread.tid)
            .add(Priority)
            .add(std::int32_t(thread.cpu))
            .add(std::int32_t(target));
    record(cpu, MadeEvent::Wakeup).add(thread.comm).add(thread.tid).add(Priority).add(std::int32_t(target));
    enqueue(target, woken, m_cpus[cpu].time);
}

void MadeMachine::enqueue(std::uint32_t cpu, std::int32_t thread, std::uint64_t at)
{
    m_threads[std::size_t(thread)].cpu = cpu;
    Cpu& it = m_cpus[cpu];
    it.queue.push_back({thread, at});
    const std::uint64_t soon = std::max(it.time, at) + m_made.gap;
    if (it.current == NoThread && soon < it.next)
        schedule(cpu, soon);
}

/// Switches the current thread out and the first thread of the run queue in; the idle task if the queue is empty.
void MadeMachine::leave(std::uint32_t cpu, std::int64_t state)
{
    Cpu& it = m_cpus[cpu];
    const std::int32_t prev = std::exchange(it.current, NoThread);
    if (!it.queue.empty()) {
        it.time = std::max(it.time, it.queue.front().since); // A thread cannot run before its wake-up.
        it.current = it.queue.front().thread;
        it.queue.pop_front();
    }
    const auto comm = [&](std::int32_t thread) { return thread == NoThread ? idleComm(cpu) : m_threads[std::size_t(thread)].comm; };
    const auto tid = [&](std::int32_t thread) { return thread == NoThread ? 0 : m_threads[std::size_t(thread)].tid; };
    StreamWriter& out = record(cpu, MadeEvent::Switch).add(comm(prev)).add(tid(prev)).add(Priority).add(state);
    out.add(comm(it.current)).add(tid(it.current)).add(Priority);
    if (prev == NoThread)
        return;
    if (state == Preempted)
        it.queue.push_back({prev, it.time});
    else if (state != Dead)
        m_sleepers.push_back(prev);
}

void MadeMachine::fork(std::uint32_t cpu)
{
    const Thread parent = m_threads[std::size_t(m_cpus[cpu].current)];
    const std::int32_t index = addThread("child", std::uint32_t(m_nextTid), 0, parent.tid, false);
    Thread& child = m_threads[std::size_t(index)];
    child.isForked = true;
    record(cpu, MadeEvent::Fork).add(parent.comm).add(parent.tid).add(parent.pid).add(child.comm).add(child.tid).add(child.pid);
    record(cpu, MadeEvent::WakeupNew).add(child.comm).add(child.tid).add(Priority).add(std::int32_t(cpu));
    enqueue(cpu, index, m_cpus[cpu].time);
}

void MadeMachine::exec(std::uint32_t cpu)
{
    Thread& thread = m_threads[std::size_t(m_cpus[cpu].current)];
    thread.comm = commOf("program", std::uint32_t(thread.tid), false);
    record(cpu, MadeEvent::Exec).add(std::string_view(thread.comm.data())).add(thread.tid).add(thread.tid);
}

void MadeMachine::exit(std::uint32_t cpu)
{
    const Thread gone = m_threads[std::size_t(m_cpus[cpu].current)];
    record(cpu, MadeEvent::Exit).add(gone.comm).add(gone.tid).add(Priority);
    leave(cpu, Dead);
    record(cpu, MadeEvent::Free).add(gone.comm).add(gone.tid).add(Priority);
}

} // namespace helio::bench
