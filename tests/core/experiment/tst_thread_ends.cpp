// Ends of threads. Input: stores of other traces of the host.

#include "core/experiment/host_threads.h"
#include "tests/core/experiment/two_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <initializer_list>
#include <tuple>

using namespace helio;

namespace {

constexpr State Runs{0};
constexpr State Exits{1};
constexpr State IsInterrupted{2};
constexpr State Ends{3}; ///< State after the thread's end.

/// A store of threads. thread() adds a thread with the times at which its states begin.
class Threads {
public:
    Threads()
        : m_builder(makeMemoryStoreBuilder(hostTime(0)))
    {
        m_states = *m_builder->stateSet(
            {"thread",
             {{"runs", StateCategory::OnCpu}, {"exits", StateCategory::OnCpuExit}, {"interrupted", StateCategory::OnCpuInterrupt}},
             {}});
    }
    Threads& thread(std::int32_t tid, std::initializer_list<std::pair<int, State>> states)
    {
        Track track;
        track.view = "control-flow";
        track.role = TrackRole::Thread;
        track.key = "tid:" + std::to_string(tid) + '#' + std::to_string(++m_count);
        track.tid = tid;
        track.states = m_states;
        const TrackId id = m_builder->addTrack(track);
        for (const auto& [at, state] : states)
            state == Ends ? m_builder->end(hostTime(at), id) : m_builder->set(hostTime(at), id, state);
        return *this;
    }
    std::shared_ptr<const Store> finish() { return test::finished(*m_builder); }

private:
    std::unique_ptr<StoreBuilder> m_builder;
    StateSetId m_states{};
    int m_count = 0;
};

Timeline timelineOf(std::shared_ptr<const Store> store, std::uint32_t hostOfStore = 0)
{
    return test::twoTraces(std::move(store), nullptr, hostOfStore);
}

QString text(const std::vector<ThreadEnd>& ends)
{
    QStringList all;
    for (const ThreadEnd& end : ends)
        all << QString("%1 at %2").arg(end.tid).arg(nanoseconds(end.at));
    return all.join(", ");
}

} // namespace

class ThreadEndsTest : public QObject {
    Q_OBJECT

private slots:
    void aThreadEndsWhereItBeginsToExit()
    {
        Threads threads;
        threads.thread(7, {{10, Runs}, {50, Exits}, {60, Ends}});
        threads.thread(3, {{10, Runs}, {20, IsInterrupted}, {30, Exits}, {40, IsInterrupted}, {45, Exits}, {48, Ends}});
        threads.thread(4, {{10, Runs}, {90, Ends}}); // The event with which thread 4 begins to exit is missing.
        threads.thread(5, {{10, Runs}});
        threads.thread(6, {{10, Runs}, {990, Exits}}); // Thread 6 begins to exit, but the trace ends before the thread does.
        threads.thread(3, {{500, Runs}, {600, Exits}, {610, Ends}});
        QCOMPARE(text(findThreadEnds(timelineOf(threads.finish()), 1)), "3 at 30, 3 at 600, 4 at 90, 6 at 990, 7 at 50");
    }

    void onlyTracesOfTheHostCount()
    {
        Threads threads;
        threads.thread(7, {{10, Runs}, {50, Exits}, {60, Ends}});
        const auto store = threads.finish();
        QCOMPARE(text(findThreadEnds(timelineOf(store, 1), 1)), "");
        QCOMPARE(text(findThreadEnds(timelineOf(store), 0)), "");
    }

    void timesAreThoseOfTheTracesClock()
    {
        Threads threads;
        threads.thread(7, {{10, Runs}, {50, Exits}, {60, Ends}});
        Timeline timeline = timelineOf(threads.finish());
        timeline.traces[0].clock = ClockTransform(Duration(1000));
        timeline.traces[1].clock = ClockTransform(Duration(300));
        QCOMPARE(text(findThreadEnds(timeline, 1)), "7 at 750");
    }

    void theNextEndOfATidIsMeant()
    {
        const std::vector<ThreadEnd> ends{{3, hostTime(30)}, {3, hostTime(600)}, {4, hostTime(90)}};
        QCOMPARE(endOf(ends, 3, hostTime(0)), hostTime(30));
        QCOMPARE(endOf(ends, 3, hostTime(30)), hostTime(30));
        QCOMPARE(endOf(ends, 3, hostTime(31)), hostTime(600));
        QCOMPARE(endOf(ends, 3, hostTime(601)), HostTimestamp::max());
        QCOMPARE(endOf(ends, 5, hostTime(0)), HostTimestamp::max());
    }
};

HELIO_TEST(ThreadEndsTest)
#include "tst_thread_ends.moc"
