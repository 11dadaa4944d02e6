// Input: a recording by perf without the events of idle threads. Property: the lateness of timer handlers equals times computed from the
// output of `perf script`.

#include "core/latency/pairs/timer_expiries.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/printed_events.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

using namespace helio;

namespace {

/// Late timer handler: time at which the timer was due and time at which it expired, in ns on the recording's clock, and number of the CPU.
using Late = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// Tracks the current thread of a CPU from the printed events.
class PrintedCpu {
public:
    /// Handles an event of thread `tid` (-1 if the thread had exited). If another thread was on the CPU, the switch was not recorded, and
    /// the time since the preceding event is marked as unknown.
    void addEvent(std::int64_t at, int tid, bool isSwitch)
    {
        const bool mayBeLeaving = !isSwitch && tid == m_left && at < m_switched + 10'000;
        if (m_on != tid && tid >= 0 && !mayBeLeaving) {
            m_unknown.emplace_back(m_last, at);
            m_on = tid;
        }
        m_last = at;
    }
    void change(std::int64_t at, int prev, int next)
    {
        addEvent(at, prev, true);
        m_left = prev;
        m_on = next;
        m_switched = at;
    }
    bool isKnown(std::int64_t begin, std::int64_t end) const
    {
        return std::ranges::none_of(m_unknown, [&](const auto& it) { return it.first < end && it.second > begin; });
    }

private:
    std::vector<std::pair<std::int64_t, std::int64_t>> m_unknown;
    int m_on = -1;
    int m_left = -1;
    std::int64_t m_last = 0;
    std::int64_t m_switched = 0;
};

struct Printed {
    std::multiset<Late> known;
    int unknown = 0; ///< Number of timer expiries that are not in `known`, because the timer may have been set again before it expired.
};

Printed printedBy(const QString& path)
{
    static const QRegularExpression change(R"(prev_pid=(\d+) .* next_pid=(\d+))");
    static const QRegularExpression timer(R"(hrtimer=(\S+) .*?(?:expires|now)=(\d+))");
    Printed printed;
    std::map<int, PrintedCpu> cpus;
    std::map<QString, std::pair<std::int64_t, std::int64_t>> set; // For each timer: its expiry time, and the time at which it was set.
    eachPrintedEvent(path, [&](const PrintedEvent& event) {
        PrintedCpu& cpu = cpus[event.cpu];
        if (event.name == "sched:sched_switch") {
            const auto threads = change.match(event.fields);
            return cpu.change(event.at, threads.captured(1).toInt(), threads.captured(2).toInt());
        }
        cpu.addEvent(event.at, event.tid, event.name != "timer:hrtimer_start");
        const auto its = timer.match(event.fields);
        if (event.name == "timer:hrtimer_start") {
            set[its.captured(1)] = {its.captured(2).toLongLong(), event.at};
        } else if (const auto start = set.extract(its.captured(1))) {
            const auto [expires, since] = start.mapped();
            const std::int64_t due = its.captured(2).toLongLong() < expires ? event.at : expires;
            if (cpu.isKnown(since, event.at))
                printed.known.emplace(due, event.at, event.cpu);
            else
                ++printed.unknown;
        }
    });
    return printed;
}

} // namespace

class PerfTimersTest : public QObject {
    Q_OBJECT

private slots:
    void whereACpuIsUnknownItsTimersMayHaveBeenSetAgain()
    {
        const test::OpenedExperiment opened({SOURCE_DIR "/tests/fixtures/perf/timers.data"});
        const Printed printed = printedBy(SOURCE_DIR "/tests/fixtures/perf/timers.calls.txt");
        const std::int64_t offset = opened.timeline->traces.front().trace->info().clock.offset;
        std::multiset<Late> found;
        forEachTimerExpiry(opened.timeline, {Timestamp::min(), Timestamp::max()}, [&](const TimerExpiry& it) {
            found.emplace(nanoseconds(it.range.begin) - offset, nanoseconds(it.range.end) - offset, it.cpu);
        });
        QVERIFY(printed.known.size() > 20 && printed.unknown > 10);
        QCOMPARE(found, printed.known);
    }
};

HELIO_TEST(PerfTimersTest)
#include "tst_perf_timers.moc"
