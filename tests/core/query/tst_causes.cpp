#include "core/experiment/timeline.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using test::KernelScript;

namespace {

constexpr int S = 1; // Task state TASK_INTERRUPTIBLE.
const LinkIds Shown{"wakeup", "packet"};

/// A script as a timeline, with access to its rows by key.
class Made {
public:
    explicit Made(KernelScript& script)
    {
        script.run(1000);
        addTrace(m_timeline, {script.sharedStore()});
        m_timeline.range = {timestamp(0), timestamp(1000)};
    }

    const Timeline& timeline() const { return m_timeline; }

    TrackRef row(const std::string& key) const
    {
        const auto tracks = singleStore(m_timeline).tracks();
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].key == key && !tracks[i].view.empty())
                return {StoreIndex{}, TrackId(i)};
        return {};
    }

    QString key(TrackRef ref) const
    {
        const auto row = ref.isValid() ? rowOf(m_timeline, ref) : std::nullopt;
        return row ? QString::fromStdString(row->id) : QString();
    }

    StateCause at(const std::string& key, std::int64_t time) const
    {
        const auto found = intervalAt(m_timeline, row(key), timestamp(time));
        return found.empty() ? StateCause() : findStateCause(m_timeline, row(key), found.front());
    }

    /// Follows an arrow and returns it as text: "tid:5 > tid:7 at 10"; empty if there is none.
    QString follow(const std::string& key, std::int64_t time, bool isForward, const LinkIds& kinds = Shown) const
    {
        const auto found = findArrowToFollow(m_timeline, row(key), timestamp(time), isForward, kinds);
        return found.empty()
            ? QString()
            : QStringLiteral("%1 > %2 at %3").arg(this->key(found[0].from), this->key(found[0].to)).arg(nanoseconds(found[0].toTime));
    }

private:
    Timeline m_timeline;
};

} // namespace

class CausesTest : public QObject {
    Q_OBJECT

private slots:
    void aWaitIsEndedByWhoWokeTheThread()
    {
        KernelScript s;
        s.sw(0, 1, 0, 0, 7)
            .sw(20, 1, 7, S, 0)
            .sw(30, 2, 0, 0, 5)
            .waking(100, 2, 7, 1)
            .wakeup(105, 2, 7, 3)
            .sw(120, 3, 0, 0, 7)
            .sw(200, 3, 7, S, 0);
        const Made made(s);

        for (const int moment : {50, 110}) { // The thread sleeps at 50 and waits for a CPU at 110.
            const StateCause cause = made.at("tid:7", moment);
            QVERIFY(cause.waking);
            QCOMPARE(made.key(cause.waking->from), QString("tid:5"));
            QVERIFY(isOfThread(made.timeline(), *cause.waking));
            QCOMPARE(cause.waking->cpu, 2u);
            QCOMPARE(cause.waking->targetCpu, 1);
            QCOMPARE(cause.waking->ranOn, 3);
            QCOMPARE(cause.waking->fromTime, timestamp(100));
            QVERIFY(!cause.isFirstWakeup);
        }
        QCOMPARE(made.at("tid:7", 50).cpu, 1);
        QCOMPARE(made.at("tid:7", 110).nextCpu, 3);
        QCOMPARE(made.at("tid:7", 150).cpu, 3);
        QCOMPARE(made.at("tid:7", 150).priority, 20);
        QVERIFY(!made.at("tid:7", 300).waking); // The thread is not woken again after 300.
    }

    void whatWokeInAnInterruptIsNotTheThreadItInterrupted()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 7, S, 0).irq(100, 0, "entry", 27).waking(101, 0, 7, 1).irq(102, 0, "exit", 27).sw(200, 1, 0, 0, 7);
        s.sw(300, 1, 7, S, 0).sw(310, 0, 5, S, 0).irq(400, 0, "entry", 27).waking(401, 0, 7, 1).irq(402, 0, "exit", 27);
        const Made made(s);
        const auto busy = made.at("tid:7", 50).waking;
        const auto idle = made.at("tid:7", 350).waking;

        QVERIFY(busy && idle);
        QVERIFY(!isOfThread(made.timeline(), *busy));
        QCOMPARE(made.key(busy->from), QString("cpu:0"));
        QCOMPARE(busy->detail, std::string("eth0"));
        QCOMPARE(made.key(threadOn(made.timeline(), 0, 0, busy->fromTime)), QString("tid:5"));
        QVERIFY(!isIdle(made.timeline(), 0, 0, busy->fromTime));
        QVERIFY(isIdle(made.timeline(), 0, 0, idle->fromTime));
        QVERIFY(!threadOn(made.timeline(), 0, 0, idle->fromTime).isValid());
    }

    void aNewThreadIsCreatedByWhoWokeItFirst()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).fork(100, 0, 5, 9, 9).wake("sched_wakeup_new", 110, 0, 9, 1).sw(150, 1, 0, 0, 9).sw(200, 1, 9, S, 0);
        s.waking(300, 0, 9, 1).sw(320, 1, 0, 0, 9);
        const Made made(s);

        QVERIFY(made.at("tid:9", 105).isFirstWakeup);
        QCOMPARE(made.key(made.at("tid:9", 105).waking->from), QString("tid:5"));
        QCOMPARE(made.at("tid:9", 105).waking->ranOn, 1);
        QVERIFY(made.at("tid:9", 310).waking && !made.at("tid:9", 310).isFirstWakeup);
    }

    void aPreemptedThreadKnowsWhoGotItsCpu()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(0, 1, 0, 0, 6).sw(100, 0, 7, 0, 5).sw(200, 1, 6, S, 7).sw(300, 1, 7, S, 0);
        const Made made(s);
        const StateCause cause = made.at("tid:7", 150);

        QCOMPARE(cause.cpu, 0);
        QCOMPARE(made.key(cause.successor), QString("tid:5"));
        QCOMPARE(cause.nextCpu, 1);
        QVERIFY(!cause.waking);
    }

    void whoWokeAThreadThatWasAboutToSleepIsFound()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 7).call(90, 1, "read").waking(100, 0, 7, 1).sw(101, 1, 7, S, 0).wakeup(110, 0, 7, 2);
        s.sw(120, 2, 0, 0, 7);
        const Made made(s);

        for (const int moment : {105, 115}) {
            QVERIFY(made.at("tid:7", moment).waking);
            QCOMPARE(made.at("tid:7", moment).waking->fromTime, timestamp(100));
        }
    }

    void aWakeUpOfLongAgoEndsNoWait()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 7).sw(10, 1, 7, S, 0).waking(50, 0, 7, 1).sw(60, 1, 0, 0, 7).sw(100, 1, 7, S, 0);
        s.sw(200, 1, 0, 0, 7); // A switch-in without a recorded wake-up.
        const Made made(s);

        QVERIFY(made.at("tid:7", 20).waking);
        QVERIFY(!made.at("tid:7", 150).waking);
    }

    void followingGoesAlongTheArrowsThatAreShownAndBack()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 7, S, 0).sw(0, 2, 8, S, 0).waking(100, 0, 7, 1).sw(120, 1, 0, 0, 7).waking(150, 1, 8, 2);
        // These switches add links of the kind "sched". follow() uses such links only if the kind is given.
        s.sw(160, 2, 0, 0, 8).sw(170, 2, 8, S, 9).sw(180, 2, 9, S, 8);
        const Made made(s);

        QCOMPARE(made.follow("tid:5", 0, true), QString("tid:5 > tid:7 at 100"));
        QCOMPARE(made.follow("tid:7", 100, true), QString("tid:7 > tid:8 at 150"));
        QCOMPARE(made.follow("tid:8", 150, false), QString("tid:7 > tid:8 at 150"));
        QCOMPARE(made.follow("tid:7", 150, false), QString("tid:5 > tid:7 at 100"));
        QCOMPARE(made.follow("tid:5", 100, true), QString("tid:5 > tid:7 at 100"));
        QCOMPARE(made.follow("tid:8", 200, false), QString("tid:7 > tid:8 at 150"));
        QCOMPARE(made.follow("tid:8", 200, false, {"wakeup", "sched"}), QString("tid:9 > tid:8 at 180"));
        QCOMPARE(made.follow("tid:8", 200, true), QString());
    }

    void fromInsideAWaitOneStepLeadsToWhoEndedIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 7).waking(10, 1, 8, 2).sw(20, 1, 7, S, 0).waking(100, 0, 7, 1).sw(120, 1, 0, 0, 7);
        const Made made(s);

        QCOMPARE(made.follow("tid:7", 50, false), QString("tid:5 > tid:7 at 100"));
        QCOMPARE(made.follow("tid:7", 50, true), QString("tid:5 > tid:7 at 100"));
        QCOMPARE(made.follow("tid:7", 15, false), QString("tid:7 > tid:8 at 10"));
    }

    void aThreadOfATidIsThatLivesRow()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).fork(100, 0, 5, 9, 9).sw(150, 1, 0, 0, 9).sw(200, 1, 9, 32, 0).fork(300, 0, 5, 9, 9).sw(350, 1, 0, 0, 9);
        const Made made(s);

        QCOMPARE(made.key(threadRow(made.timeline(), 0, 9, timestamp(160))), QString("tid:9"));
        QCOMPARE(made.key(threadRow(made.timeline(), 0, 9, timestamp(360))), QString("tid:9#2"));
        QVERIFY(!threadRow(made.timeline(), 0, 9, timestamp(250)).isValid());
        QVERIFY(!threadRow(made.timeline(), 0, 0, timestamp(360)).isValid());
        QVERIFY(!threadRow(made.timeline(), 7, 9, timestamp(360)).isValid());
    }
};

HELIO_TEST(CausesTest)
#include "tst_causes.moc"
