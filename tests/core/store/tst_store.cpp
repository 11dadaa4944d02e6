// Contract that every implementation of Store must fulfil.

#include "tests/core/store/store_contract.h"
#include "tests/support/made_states.h"
#include "tests/support/model_store.h"
#include "tests/support/test_program.h"

using namespace helio;
using namespace helio::test;

Q_DECLARE_METATYPE(helio::test::Maker)

class TestStore : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    int m_files = 0;

    std::vector<Maker> makers()
    {
        const auto inFile = [this](HostTimestamp begin) { return fileBuilder(m_folder.filePath(QString::number(++m_files)), begin); };
        const auto unnamed = [](HostTimestamp begin) { return makeUnnamedStoreBuilder(begin); };
        return {{"model", makeModelStoreBuilder}, {"memory", makeMemoryStoreBuilder}, {"file", inFile}, {"unnamed", unnamed}};
    }
    void everyMaker()
    {
        QTest::addColumn<Maker>("maker");
        for (const Maker& maker : makers())
            QTest::newRow(maker.name.c_str()) << maker;
    }
    static std::unique_ptr<StoreBuilder> builder()
    {
        QFETCH(Maker, maker);
        return maker.make(at(0));
    }

private slots:
    void touchingIntervalsOfOneStateAreOne_data() { everyMaker(); }
    void touchingIntervalsOfOneStateAreOne();
    void anIntervalThatIsBegunAnewJoinsNothing_data() { everyMaker(); }
    void anIntervalThatIsBegunAnewJoinsNothing();
    void aStateOfNoLengthLeavesNoTrace_data() { everyMaker(); }
    void aStateOfNoLengthLeavesNoTrace();
    void aStateMayBeStoredLateWithinTheOpenInterval_data() { everyMaker(); }
    void aStateMayBeStoredLateWithinTheOpenInterval();
    void whatWasStoredFromAMomentOnCanBeTakenBack_data() { everyMaker(); }
    void whatWasStoredFromAMomentOnCanBeTakenBack();
    void moreStatesThanATrackCanHaveAreRefused_data() { everyMaker(); }
    void moreStatesThanATrackCanHaveAreRefused();
    void anEndedTrackHasAGapUntilItIsSetAgain_data() { everyMaker(); }
    void anEndedTrackHasAGapUntilItIsSetAgain();
    void aSnapshotCutsOpenIntervalsAndStaysAsItIs_data() { everyMaker(); }
    void aSnapshotCutsOpenIntervalsAndStaysAsItIs();
    void neighboursAreFoundFromAnyMoment_data() { everyMaker(); }
    void neighboursAreFoundFromAnyMoment();
    void totalsAreClippedToTheRange_data() { everyMaker(); }
    void totalsAreClippedToTheRange();
    void aTracksChildrenAreFound_data() { everyMaker(); }
    void aTracksChildrenAreFound();
    void shortIntervalsFoldAndLongOnesDoNot_data() { everyMaker(); }
    void shortIntervalsFoldAndLongOnesDoNot();
};

void TestStore::whatWasStoredFromAMomentOnCanBeTakenBack()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});

    b->set(at(10), t, State(1), 7);
    b->set(at(20), t, State(2));
    b->set(at(30), t, State(3));
    b->rollBack(at(20), t);
    b->set(at(25), t, State(4));
    const TrackId whole = b->addTrack({});
    b->set(at(10), whole, State(1));
    b->rollBack(at(0), whole);
    b->set(at(5), whole, State(2));
    const auto store = finished(*b, 0, 40);

    QCOMPARE(store->intervals(t, {at(0), at(40)}),
             (std::vector<HostInterval>{{{at(10), at(25)}, State(1), 7}, {{at(25), at(40)}, State(4), 0}}));
    QCOMPARE(store->intervals(whole, {at(0), at(40)}), (std::vector<HostInterval>{{{at(5), at(40)}, State(2), 0}}));
}

void TestStore::moreStatesThanATrackCanHaveAreRefused()
{
    const auto b = builder();
    const std::vector<std::string_view> states(33, "state");

    const auto most = b->stateSet(statesNamed("most", std::span(states).first(32)));
    const auto refused = b->stateSet(statesNamed("too many", states));

    QVERIFY(most);
    QVERIFY(!refused);
    QCOMPARE(refused.error().what, std::string("states \"too many\": 33, but a track has at most 32"));
    QVERIFY(*b->stateSet(statesNamed("most", std::span(states).first(32))) == *most);
}

void TestStore::touchingIntervalsOfOneStateAreOne()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});

    b->set(at(10), t, State(1), 7);
    b->set(at(20), t, State(1), 7);
    b->set(at(30), t, State(2));
    b->set(at(30), t, State(1), 7);
    b->set(at(40), t, State(1), 8);
    const auto store = finished(*b, 10, 50);

    QVERIFY(store->intervals(t, Always) == (std::vector{interval(10, 40, 1, 7), interval(40, 50, 1, 8)}));
    QVERIFY(store->tracks()[0].life == range(10, 50));
    QCOMPARE(store->tracks()[0].intervals, 2u);
}

void TestStore::anIntervalThatIsBegunAnewJoinsNothing()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});
    const TrackId many = b->addTrack({});

    b->beginInterval(at(10), t, State(1), 7);
    b->end(at(20), t);
    b->beginInterval(at(20), t, State(1), 7); // No gap remains: this interval begins where the track ended.
    b->beginInterval(at(30), t, State(1), 7);
    b->end(at(30), t); // This interval has no length and disappears.
    b->beginInterval(at(30), t, State(1), 7);
    b->beginInterval(at(40), t, State(2));
    b->beginInterval(at(40), t, State(1), 7); // This state replaces the state that began at the same time.
    b->end(at(50), t);
    b->set(at(60), t, State(1), 7);
    b->set(at(70), t, State(1), 7); // This call changes nothing: the interval from 60 continues.
    for (int i = 0; i < 5000; ++i)
        b->beginInterval(at(i), many, State(1), 7);
    const auto store = finished(*b, 0, 5000);

    QVERIFY(store->intervals(t, Always)
            == (std::vector{interval(10, 20, 1, 7), interval(20, 30, 1, 7), interval(30, 40, 1, 7), interval(40, 50, 1, 7),
                            interval(60, 5000, 1, 7)}));
    QCOMPARE(store->tracks()[0].intervals, 5u);
    QVERIFY(store->intervalAt(t, at(25)) == (std::vector{interval(20, 30, 1, 7)}));
    QVERIFY(store->nextInterval(t, at(20)) == (std::vector{interval(30, 40, 1, 7)}));
    QVERIFY(store->previousInterval(t, at(20)) == (std::vector{interval(10, 20, 1, 7)}));
    QCOMPARE(store->totals(t, range(0, 60)).front().count, 4u);
    HostSpans folded;
    store->spans(t, range(0, 64), Duration(64), folded);
    QCOMPARE(folded.spans.front().count, 4u);
    QCOMPARE(store->tracks()[1].intervals, 5000u);
    QCOMPARE(store->totals(many, range(100, 4000)).front().count, 3900u);
    QCOMPARE(store->totals(many, Always).front().count, 5000u);
    HostSpans all;
    store->spans(many, range(0, 4096), Duration(4096), all);
    QCOMPARE(all.spans.front().count, 4096u);
}

void TestStore::aStateOfNoLengthLeavesNoTrace()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});
    const TrackId never = b->addTrack({});

    b->set(at(10), t, State(1));
    b->set(at(20), t, State(2));
    b->set(at(20), t, State(3));
    b->set(at(50), t, State(4));
    b->set(at(50), never, State(1));
    const auto store = finished(*b, 10, 50);

    QVERIFY(store->intervals(t, Always) == (std::vector{interval(10, 20, 1), interval(20, 50, 3)}));
    QVERIFY(store->intervals(never, Always).empty());
    QCOMPARE(store->tracks()[1].intervals, 0u);
}

void TestStore::aStateMayBeStoredLateWithinTheOpenInterval()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});

    b->set(at(10), t, State(1));
    b->set(at(30), t, State(2));
    b->set(at(35), t, State(0)); // Begins the open interval at 35.
    b->set(at(20), t, State(5)); // The open interval began at 35. An earlier time, here 20, is replaced by 35.
    const auto store = finished(*b, 10, 50);

    QVERIFY(store->intervals(t, Always) == (std::vector{interval(10, 30, 1), interval(30, 35, 2), interval(35, 50, 5)}));
}

void TestStore::anEndedTrackHasAGapUntilItIsSetAgain()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});

    b->set(at(10), t, State(1));
    b->end(at(20), t);
    b->end(at(25), t);
    b->set(at(30), t, State(1));
    b->end(at(40), t);
    b->set(at(35), t, State(1)); // A time before the track's end counts as that end.
    const auto store = finished(*b, 10, 50);

    QVERIFY(store->intervals(t, Always) == (std::vector{interval(10, 20, 1), interval(30, 50, 1)}));
    QVERIFY(store->intervalAt(t, at(20)).empty());
    HostSpans spans;
    store->spans(t, range(0, 100), Duration(1), spans);
    QCOMPARE(spans.spans.size(), std::size_t(2));
    QVERIFY(spans.spans[0].range == range(10, 20));
}

void TestStore::aSnapshotCutsOpenIntervalsAndStaysAsItIs()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});

    b->set(at(10), t, State(1));
    b->set(at(20), t, State(2));
    const auto early = b->snapshot(at(25));
    b->set(at(30), t, State(3));
    const auto store = finished(*b, 10, 50);

    QVERIFY(!early->isComplete());
    QVERIFY(early->knownUntil() == at(25));
    QVERIFY(early->intervals(t, Always) == (std::vector{interval(10, 20, 1), interval(20, 25, 2)}));
    QVERIFY(early->tracks()[0].life == range(10, 25));
    QVERIFY(store->isComplete());
    QVERIFY(store->intervals(t, Always) == (std::vector{interval(10, 20, 1), interval(20, 30, 2), interval(30, 50, 3)}));
}

void TestStore::neighboursAreFoundFromAnyMoment()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});
    b->set(at(10), t, State(1));
    b->set(at(20), t, State(2));
    b->end(at(30), t);
    b->set(at(40), t, State(3));
    const auto store = finished(*b, 10, 50);
    const std::vector first{interval(10, 20, 1)};
    const std::vector second{interval(20, 30, 2)};
    const std::vector third{interval(40, 50, 3)};

    QVERIFY(store->nextInterval(t, at(0)) == first);
    QVERIFY(store->nextInterval(t, at(10)) == second);
    QVERIFY(store->nextInterval(t, at(20)) == third);
    QVERIFY(store->nextInterval(t, at(40)).empty());
    QVERIFY(store->previousInterval(t, at(19)).empty());
    QVERIFY(store->previousInterval(t, at(20)) == first);
    QVERIFY(store->previousInterval(t, at(35)) == second);
    QVERIFY(store->previousInterval(t, at(1000)) == third);
    QVERIFY(store->intervalAt(t, at(29)) == second);
    QVERIFY(store->intervalAt(t, at(9)).empty());
    QVERIFY(store->intervalAt(t, at(50)).empty());
}

void TestStore::totalsAreClippedToTheRange()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});
    b->set(at(10), t, State(1));
    b->set(at(20), t, State(2));
    b->set(at(30), t, State(1), 9);
    const auto store = finished(*b, 10, 50);

    const auto totals = store->totals(t, range(15, 40));

    QCOMPARE(totals.size(), std::size_t(2));
    QCOMPARE(int(totals[0].state), 1);
    QCOMPARE(totals[0].count, 2u);
    QVERIFY(totals[0].total == Duration(15));
    QVERIFY(totals[0].min == Duration(5));
    QVERIFY(totals[0].max == Duration(10));
    QVERIFY(totals[1].total == Duration(10));
}

void TestStore::aTracksChildrenAreFound()
{
    const auto b = builder();
    const auto add = [&](TrackId parent) {
        Track track;
        track.parent = parent;
        return b->addTrack(std::move(track));
    };
    const TrackId top = add(NoTrack);
    const TrackId other = add(NoTrack);
    const TrackId first = add(top);
    const TrackId ofOther = add(other);
    const TrackId second = add(top);
    const auto store = finished(*b, 0, 100);
    const auto childrenOf = [&](TrackId track) {
        const auto found = store->childrenOf(track);
        return std::vector<TrackId>(found.begin(), found.end());
    };

    QCOMPARE(childrenOf(top), (std::vector{first, second}));
    QCOMPARE(childrenOf(other), std::vector{ofOther});
    QVERIFY(childrenOf(second).empty());
    QVERIFY(childrenOf(NoTrack).empty());
    QVERIFY(childrenOf(TrackId{5}).empty());
}

void TestStore::shortIntervalsFoldAndLongOnesDoNot()
{
    const auto b = builder();
    const TrackId t = b->addTrack({});
    b->set(at(1000), t, State(1));
    b->set(at(2010), t, State(2));
    b->set(at(2030), t, State(3), 5);
    b->set(at(2070), t, State(1));
    const auto store = finished(*b, 1000, 4000);

    HostSpans out;
    store->spans(t, range(900, 2500), Duration(100), out);

    QCOMPARE(out.spans.size(), std::size_t(3));
    QVERIFY(out.spans[0].range == range(1000, 2010));
    QVERIFY(out.spans[1].range == range(2010, 2070));
    QCOMPARE(out.spans[1].count, 2u);
    QCOMPARE(int(out.spans[1].state), 3);
    QCOMPARE(out.spans[1].value, 5u);
    QVERIFY(out.spans[1].longest == Duration(40));
    QCOMPARE(out.spans[1].mask, (1u << 2) | (1u << 3));
    QCOMPARE(int(out.shares[out.spans[1].firstShare]), 85);
    QCOMPARE(int(out.shares[out.spans[1].firstShare + 1]), 170);
    QVERIFY(out.spans[2].range == range(2070, 2500));
    QVERIFY(out.spans[2].longest == Duration(1930));
}

HELIO_TEST(TestStore)
#include "tst_store.moc"
