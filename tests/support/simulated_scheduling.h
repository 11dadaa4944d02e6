#pragma once

#include "tests/support/dice.h"
#include "tests/support/made_scheduling.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <tuple>
#include <vector>

namespace helio::test {

/// Simulates a fair scheduler: a queue of runnable threads that all CPUs share. Threads run and sleep for random times.
struct Simulation {
    static constexpr qint64 Ms = 1'000'000;

    quint64 seed = 1;
    int cpus = 4;
    int threads = 12;
    double runMs = 2; ///< Mean time that a thread runs.
    double sleepMs = 20; ///< Mean time that a thread sleeps.
    qint64 length = 2'000 * Ms;
    /// Thread 101 loses its place in the queue once, and then waits this long for a CPU; 0 for no such wait.
    qint64 longWait = 0;

    std::vector<MadeSchedulingEvent> events() const
    {
        using Event = MadeSchedulingEvent;
        Dice dice(seed);
        const auto random = [&](double mean) {
            return std::max<qint64>(1'000, qint64(-std::log((double(dice.below(1'000'000)) + 1) / 1'000'001.0) * mean * double(Ms)));
        };
        struct Happening {
            qint64 time = 0;
            int tid = 0; ///< Thread that wakes up, or whose run ends.
            int cpu = -1; ///< CPU on which the run ends; -1 for a wake-up.
            bool operator>(const Happening& other) const { return std::tie(time, tid) > std::tie(other.time, other.tid); }
        };
        std::priority_queue<Happening, std::vector<Happening>, std::greater<>> next;
        std::deque<int> queue;
        std::vector<int> running(std::size_t(cpus), 0);
        const qint64 begin = 1'700'000'000'000'000'000;
        std::vector<Event> made;
        qint64 heldUntil = 0;
        for (int cpu = 0; cpu < cpus; ++cpu)
            made.push_back({begin, cpu, Event::Probe, 0, 0, 0, 0, 0});
        for (int i = 0; i < threads; ++i)
            next.push({begin + random(sleepMs), 101 + i});
        const auto dispatch = [&](qint64 now) {
            for (int cpu = 0; cpu < cpus; ++cpu) {
                const auto it = std::ranges::find_if(queue, [&](int tid) { return tid != 101 || now >= heldUntil; });
                if (running[std::size_t(cpu)] != 0 || it == queue.end())
                    continue;
                const int tid = *it;
                queue.erase(it);
                running[std::size_t(cpu)] = tid;
                const qint64 start = now + 5'000 + qint64(dice.below(60'000)); // A CPU needs some us to leave its idle state.
                made.push_back({start, cpu, Event::Switch, 0, 0, tid, 0, 0});
                next.push({start + random(runMs), tid, cpu});
            }
        };
        while (next.top().time < begin + length) {
            const Happening it = next.top();
            next.pop();
            if (it.cpu < 0) {
                if (it.tid == 101 && longWait > 0 && heldUntil == 0 && it.time > begin + length / 2) {
                    heldUntil = it.time + longWait;
                    next.push({heldUntil, 0});
                }
                if (it.tid != 0) {
                    made.push_back({it.time, int(dice.below(quint64(cpus))), Event::Wakeup, it.tid, 0, 0, 0, 0});
                    queue.push_back(it.tid);
                }
            } else {
                running[std::size_t(it.cpu)] = 0;
                made.push_back({it.time, it.cpu, Event::Switch, it.tid, 1, 0, 0, 0});
                next.push({it.time + random(sleepMs), it.tid});
            }
            dispatch(it.time);
        }
        std::ranges::stable_sort(made, {}, &Event::time);
        return made;
    }
};

} // namespace helio::test
