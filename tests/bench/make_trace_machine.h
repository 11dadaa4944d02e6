#pragma once

#include "tests/bench/make_trace_stream.h"

#include <queue>

#include <cstdint>
#include <deque>
#include <vector>

namespace helio::bench {

/// Options of a synthetic trace.
struct MadeTrace {
    std::uint32_t threads = 200; ///< Number of threads when the trace begins; up to a tenth more are forked.
    std::uint32_t cpus = 4;
    std::uint64_t events = 1'000'000; ///< Exact number of events, including those of the state dump.
    std::uint64_t seed = 1;
    std::uint32_t gap = 2'000; ///< Typical time between two events of a CPU, in ns.
    std::uint32_t threadsPerProcess = 16; ///< Maximum number of threads of a process; from 1 on.
};

/// Random numbers (splitmix64) that are equal on all platforms, unlike the standard library's distributions.
class MadeNumbers {
public:
    explicit MadeNumbers(std::uint64_t seed)
        : m_state(seed)
    {
    }
    std::uint64_t next()
    {
        std::uint64_t z = m_state += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::size_t limit) { return std::uint32_t((next() >> 32) * std::uint64_t(limit) >> 32); }
    bool chance(std::uint32_t perMille) { return below(1000) < perMille; }

private:
    std::uint64_t m_state;
};

/// A simulated computer that records its events like a kernel tracer: CPUs with run queues, threads that make system calls, sleep, wake
/// each other, are preempted, fork and exit.
/// Cost: memory grows with threads and CPUs, not with events.
class MadeMachine {
public:
    MadeMachine(const MadeTrace& made, std::vector<StreamWriter>& streams);

    /// Simulates the computer until the requested number of events is recorded.
    void run();

private:
    static constexpr std::int32_t NoThread = -1; ///< Value of Cpu::current while the CPU is idle.

    struct Thread {
        Comm comm{};
        std::int32_t tid = 0;
        std::int32_t pid = 0;
        std::int32_t parent = 0;
        std::uint32_t cpu = 0; ///< CPU on which the thread ran last.
        std::int32_t syscall = -1; ///< Index of the current system call in madeSyscalls; -1 outside system calls.
        bool isKernel = false;
        bool isForked = false; ///< True if the thread was forked during the trace; only such threads exit.
    };
    struct Waiting {
        std::int32_t thread;
        std::uint64_t since;
    };
    struct Cpu {
        std::uint64_t time = 0; ///< Time of the CPU's latest event in ns.
        std::uint64_t next = 0; ///< Time of the CPU's next action in ns.
        std::int32_t current = NoThread;
        std::deque<Waiting> queue;
    };

    void makeThreads();
    std::int32_t addThread(const char* name, std::uint32_t number, std::int32_t pid, std::int32_t parent, bool isKernel);
    void dumpStates();
    void step(std::uint32_t cpu);
    void idle(std::uint32_t cpu);
    void inKernelThread(std::uint32_t cpu);
    void inUser(std::uint32_t cpu);
    void inSyscall(std::uint32_t cpu);
    void interrupt(std::uint32_t cpu);
    void timer(std::uint32_t cpu);
    void wake(std::uint32_t cpu);
    void fork(std::uint32_t cpu);
    void exec(std::uint32_t cpu);
    void exit(std::uint32_t cpu);
    void leave(std::uint32_t cpu, std::int64_t state);
    void enqueue(std::uint32_t cpu, std::int32_t thread, std::uint64_t at);
    void schedule(std::uint32_t cpu, std::uint64_t at);
    std::int32_t takeSleeper();
    std::uint32_t placeFor(const Thread& thread, std::uint32_t waker);

    /// Begins the next event of a CPU, a little after the CPU's latest event. Requires: isDone() is false.
    StreamWriter& record(std::uint32_t cpu, MadeEvent id);
    bool isDone() const { return m_left == 0; }

    MadeTrace m_made;
    std::vector<StreamWriter>& m_streams;
    StreamWriter m_discarded; ///< Discards the events of an action that exceed the requested number.
    MadeNumbers m_numbers;
    std::uint64_t m_left;
    std::vector<Thread> m_threads;
    std::vector<std::int32_t> m_sleepers;
    std::vector<Cpu> m_cpus;
    std::int32_t m_nextTid = 1000;
    using ScheduledCpu = std::pair<std::uint64_t, std::uint32_t>; ///< Time of a CPU's next action, and the CPU.
    std::priority_queue<ScheduledCpu, std::vector<ScheduledCpu>, std::greater<>> m_schedule;
};

} // namespace helio::bench
