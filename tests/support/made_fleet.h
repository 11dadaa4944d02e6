#pragma once

#include "tests/support/made_scheduling.h"

namespace helio::test {

/// A small kernel trace of a host in a fleet: two seconds of four workers on two CPUs. Workers 101 and 102 are a process, and so are 103
/// and 104.
struct MadeFleetTrace {
    enum class Cause {
        None, ///< Workers wake up every 10 ms, run for a while, and sleep.
        Quota, ///< Worker 101 runs for 20 ms of every 100 ms, and is then throttled, although CPUs are idle.
        Hog, ///< Thread 900 occupies CPU 1 for 45 ms of every 100 ms, so that a worker that is woken there waits.
    };
    QString host;
    quint64 number = 0; ///< Number of the trace in the fleet; traces of different numbers have different contents.
    Cause cause = Cause::None;
    bool isNoisy = false; ///< True if a worker of a healthy host is throttled three times for 12 ms: a small finding.
};

namespace made_fleet {

constexpr qint64 Us = 1'000;
constexpr qint64 Ms = 1'000 * Us;
constexpr qint64 Length = 2'000 * Ms;
constexpr int Hog = 900;

/// Scheduling of a CPU, event by event.
class Cpu {
public:
    Cpu(std::vector<MadeSchedulingEvent>& events, int number)
        : m_events(events)
        , m_number(number)
    {
    }

    void wake(qint64 time, int tid) { m_events.push_back({time, m_number, MadeSchedulingEvent::Wakeup, tid}); }
    /// Switches to a thread; 0 for none. `isRunnable`: true if the thread that ran before could go on.
    void run(qint64 time, int tid, bool isRunnable = false)
    {
        m_events.push_back({time, m_number, MadeSchedulingEvent::Switch, m_current, isRunnable || m_current == 0 ? 0 : 1, tid});
        m_current = tid;
    }

private:
    std::vector<MadeSchedulingEvent>& m_events;
    int m_number;
    int m_current = 0;
};

} // namespace made_fleet

/// Returns the events of the trace, in time order.
inline std::vector<MadeSchedulingEvent> eventsOf(const MadeFleetTrace& trace)
{
    using namespace made_fleet;
    using Cause = MadeFleetTrace::Cause;
    Dice dice(trace.number + 1);
    std::vector<MadeSchedulingEvent> events;
    const qint64 begin = 1'700'000'000'000 * Ms + qint64(trace.number) * 60'000 * Ms; // A trace a minute.
    const auto some = [&](qint64 least, qint64 most) { return least + qint64(dice.below(quint64(most - least))); };
    Cpu first(events, 0), second(events, 1);
    const auto addProcess = [&](int tid, int pid) { events.push_back({begin - Ms, 0, MadeSchedulingEvent::Process, tid, pid}); };
    for (const int tid : {101, 102, 103, 104})
        addProcess(tid, tid <= 102 ? 101 : 103);
    addProcess(Hog, Hog);
    events.push_back({begin - Ms, 0, MadeSchedulingEvent::ProcessesEnd});
    // CPU 0: workers 101 and 102.
    for (qint64 period = 0; period < Length / (100 * Ms); ++period) {
        const qint64 at = begin + period * 100 * Ms;
        if (trace.cause == Cause::Quota) {
            first.run(at + some(10 * Us, 50 * Us), 101);
            first.run(at + 20 * Ms + some(0, Ms), 0, true);
            continue;
        }
        for (qint64 turn = 0; turn < 10; ++turn) {
            const int tid = turn % 2 == 0 ? 101 : 102;
            const qint64 woken = at + turn * 10 * Ms + some(0, Ms);
            const qint64 on = woken + some(10 * Us, 60 * Us);
            first.wake(woken, tid);
            first.run(on, tid);
            if (trace.isNoisy && turn == 4 && period % 7 == 3) { // Runnable for 12 ms beside idle CPUs.
                first.run(on + Ms, 0, true);
                first.run(on + 13 * Ms, tid);
                ++turn;
                first.run(on + 14 * Ms, 0);
            } else {
                first.run(on + some(Ms, 4 * Ms), 0);
            }
        }
    }
    // CPU 1: workers 103 and 104, and the hog.
    for (qint64 turn = 0; turn < Length / (10 * Ms); ++turn) {
        const qint64 at = begin + turn * 10 * Ms, woken = at + some(0, Ms), on = woken + some(10 * Us, 60 * Us);
        int tid = turn % 2 == 0 ? 103 : 104;
        if (trace.cause == Cause::Hog && turn % 10 >= 5) {
            if (turn % 10 > 5)
                continue;
            tid = turn % 20 < 10 ? 103 : 104;
            second.run(at, Hog);
            second.wake(woken, tid);
            second.run(at + 45 * Ms, tid);
            second.run(at + 46 * Ms, 0);
            continue;
        }
        second.wake(woken, tid);
        second.run(on, tid);
        second.run(on + some(Ms, 3 * Ms), 0);
    }
    std::ranges::stable_sort(events, {}, &MadeSchedulingEvent::time);
    return events;
}

/// Writes the trace into a folder. Returns false if it cannot be written.
inline bool writeFleetTrace(const QString& folder, const MadeFleetTrace& trace)
{
    return writeScheduling(folder, eventsOf(trace), false, {trace.host.toUtf8(), trace.number});
}

} // namespace helio::test
