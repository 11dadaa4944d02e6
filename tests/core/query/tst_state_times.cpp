// Property: the durations of a row's states equal sums over its intervals.

#include "core/query/rows/state_times.h"
#include "tests/support/dice.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using namespace helio;

namespace {

using Times = std::map<std::pair<State, std::uint32_t>, Duration>;

constexpr int Stays = 3000;
constexpr int Apart = 10; ///< Distance between the beginnings of two intervals, in ns.

/// Makes a thread whose state and value change every 10 ns; each tenth interval is a gap.
Timeline made()
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track track;
    track.kind = "thread";
    track.role = TrackRole::Thread;
    track.key = "tid:7";
    track.tid = 7;
    track.valueKind = ValueKind::Number;
    track.states = *builder->stateSet(test::statesNamed("thread", {"unknown", "running-user", "blocked"}));
    const TrackId thread = builder->addTrack(track);
    Dice dice(1);
    for (int i = 0; i < Stays; ++i) {
        if (i % 10 == 9)
            builder->end(hostTime(i * Apart), thread);
        else
            builder->set(hostTime(i * Apart), thread, dice.below(2) ? State{1} : State{2}, static_cast<std::uint32_t>(dice.below(8)));
    }
    builder->end(hostTime(Stays * Apart), thread);
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(Stays * Apart)};
    Timeline timeline;
    addTrace(timeline, {*builder->finish(summary)});
    return timeline;
}

Times addedUp(const std::vector<Interval>& all, TimeRange range)
{
    Times times;
    for (const Interval& it : all)
        if (it.range.overlaps(range))
            times[{it.state, it.value}] += it.range.clippedTo(range).duration();
    return times;
}

Times visited(const StateTimes& states, TimeRange range)
{
    Times times;
    states.visit(range, [&](State state, std::uint32_t value, Duration time) {
        if (time != Duration::zero())
            times[{state, value}] += time;
    });
    return times;
}

} // namespace

class StateTimesTest : public QObject {
    Q_OBJECT

private slots:
    void anyRangeHasWhatItsIntervalsAddUpTo()
    {
        const Timeline timeline = made();
        const TrackRef row{StoreIndex{0}, TrackId{0}};
        const auto all = intervals(timeline, row, {Timestamp::min(), Timestamp::max()});
        QVERIFY(all.size() > 2000);
        const StateTimes states(timeline, row);
        for (int begin = -5; begin < Stays * Apart + 20; begin += 97)
            for (const int length : {1, 7, 10, 25, 1000, 2560, 2561, 5120, 9999, 20'000, 29'990, 40'000}) {
                const TimeRange range{timestamp(begin), timestamp(begin + length)};
                QVERIFY2(visited(states, range) == addedUp(all, range), qPrintable(QString("%1 %2").arg(begin).arg(length)));
            }
    }

    void aLongRangeIsNotWalkedStayByStay()
    {
        const Timeline timeline = made();
        const StateTimes states(timeline, {StoreIndex{0}, TrackId{0}});
        int parts = 0;
        states.visit({timestamp(3), timestamp(Stays * Apart)}, [&](State, std::uint32_t, Duration) { ++parts; });
        QVERIFY2(parts < 1000, qPrintable(QString::number(parts)));
    }

    void ofNoRowAndOfNoTimeThereIsNothing()
    {
        const Timeline timeline = made();
        const TrackRef row{StoreIndex{0}, TrackId{0}};
        QVERIFY(visited(StateTimes(timeline, {}), {timestamp(0), timestamp(100)}).empty());
        QVERIFY(visited(StateTimes(timeline, row), {timestamp(55), timestamp(55)}).empty());
        QVERIFY(visited(StateTimes(timeline, row), {timestamp(92), timestamp(98)}).empty());
    }
};

HELIO_TEST(StateTimesTest)
#include "tst_state_times.moc"
