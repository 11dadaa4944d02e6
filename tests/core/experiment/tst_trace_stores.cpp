#include "core/experiment/experiment.h"
#include "core/experiment/trace_stores.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_analysis.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using test::MadeKind;

namespace {

/// Three analyses: the first two are independent, the third needs the second.
struct Kinds {
    std::shared_ptr<MadeKind> first = made("first");
    std::shared_ptr<MadeKind> second = made("second");
    std::shared_ptr<MadeKind> third = made("third");

    Kinds() { third->needed = {"second"}; }

    std::shared_ptr<const Analyses> registry() const
    {
        auto analyses = std::make_shared<Analyses>();
        for (const auto& kind : {first, second, third})
            if (!analyses->add(kind))
                qFatal("not added");
        return analyses;
    }

    QString timesMade() const { return QString("%1 %2 %3").arg(first->made).arg(second->made).arg(third->made); }

private:
    static std::shared_ptr<MadeKind> made(const char* id)
    {
        auto kind = std::make_shared<MadeKind>();
        kind->name = id;
        return kind;
    }
};

std::shared_ptr<test::FakeTrace> traceOf(std::string identity = "recording")
{
    TraceInfo info;
    info.identity = std::move(identity);
    info.name = "made";
    info.bytes = 30;
    return std::make_shared<test::FakeTrace>(info, std::vector<std::string>{"tick"},
                                             std::vector<std::vector<test::FakeEvent>>{{{10}, {20}, {30}}});
}

struct Made {
    TraceStores::Snapshot picture;
    TraceStores::Snapshot first; ///< State of the stores after the first read of the trace.
    bool wasBuilt = false;
    bool isGood = false;
    bool hasFullProgress = false; ///< True if exactly the planned passes were made, and each was read to its end.
    std::uint64_t passes = 0; ///< Number of planned passes.
};

/// Indexes a trace and builds all its stores, as an experiment does.
Made make(const QTemporaryDir& place, const std::shared_ptr<const Analyses>& analyses, bool rebuild = false, std::size_t cores = 1,
          bool changes = false)
{
    const auto trace = traceOf();
    if (changes)
        trace->change();
    TraceStores::Options options;
    options.cores = cores;
    options.directory = place.path().toStdString();
    options.rebuild = rebuild;
    TraceStores stores(trace, analyses, options);
    TraceProgress progress;
    stores.plan(progress);
    Made made;
    const auto take = [&](const TraceStores::Snapshot& picture) { made.picture = picture; };
    made.isGood = bool(stores.index(progress, take, false));
    made.first = made.picture;
    const std::uint64_t planned = progress.bytesTotal();
    made.isGood = made.isGood && stores.derive(progress, take, false);
    made.hasFullProgress = planned > 0 && progress.bytesTotal() == planned && progress.bytesDone() == planned;
    made.passes = trace->info().bytes > 0 ? planned / trace->info().bytes : 0;
    made.wasBuilt = stores.wasBuilt();
    return made;
}

int filesIn(const QTemporaryDir& place) { return int(QDir(place.path()).entryList(QDir::Files).size()); }

std::shared_ptr<const Timeline> opened(const QTemporaryDir& place, const std::shared_ptr<const Analyses>& analyses)
{
    std::vector<std::unique_ptr<TraceOpening>> openings;
    openings.push_back(makeFinishedOpening(traceOf("first")));
    openings.push_back(makeFinishedOpening(traceOf("second")));
    ExperimentOptions options;
    options.storeDirectory = place.path().toStdString();
    options.analyses = analyses;
    options.jobs = 2;
    const auto experiment = Experiment::of(std::move(openings), options);
    experiment->start([] {});
    if (!experiment->wait())
        qFatal("not indexed");
    return experiment->timeline();
}

} // namespace

class TraceStoresTest : public QObject {
    Q_OBJECT

private slots:
    void eachAnalysisHasAFileAndSoHaveTheFacts()
    {
        const QTemporaryDir place;
        const Kinds kinds;
        const Made made = make(place, kinds.registry());
        QVERIFY(made.isGood && made.wasBuilt);
        QCOMPARE(filesIn(place), 4);
        QCOMPARE(made.picture.facts->summary().events, std::uint64_t(3));
        QVERIFY(!made.picture.facts->density().empty());
        for (const auto& store : made.picture.stores) {
            QVERIFY(store && store->isComplete());
            QCOMPARE(store->tracks().size(), std::size_t(1));
            QVERIFY(store->density().empty());
        }
    }

    /// Property: the progress counts all passes over the trace, whose number is known before the first one: two if one analysis needs
    /// another; a third one with spare cores, which run two passes at the same time. Stores that exist count as read.
    void progressCountsAllPasses()
    {
        const QTemporaryDir place, other;
        for (int i = 0; i < 2; ++i) {
            const Made made = make(place, Kinds().registry());
            QVERIFY(made.isGood && made.hasFullProgress);
            QCOMPARE(made.passes, std::uint64_t(2));
        }
        const Made made = make(other, Kinds().registry(), false, 2);
        QVERIFY(made.isGood && made.hasFullProgress);
        QCOMPARE(made.passes, std::uint64_t(3));
    }

    void aSecondTimeNothingIsRead()
    {
        const QTemporaryDir place;
        QVERIFY(make(place, Kinds().registry()).isGood);
        const Kinds kinds;
        const Made made = make(place, kinds.registry());
        QVERIFY(made.isGood && !made.wasBuilt);
        QCOMPARE(kinds.timesMade(), QString("0 0 0"));
        QVERIFY(made.picture.facts && made.picture.stores[2]);
    }

    void aTraceThatChangesWhileItIsReadLeavesNoFiles()
    {
        const QTemporaryDir place;
        const Made made = make(place, Kinds().registry(), false, 1, true);
        QVERIFY(made.isGood && made.picture.stores[2]);
        QCOMPARE(made.picture.facts->summary().events, std::uint64_t(3));
        QCOMPARE(filesIn(place), 0);
        QVERIFY(make(place, Kinds().registry()).wasBuilt);
    }

    void onlyWhatIsOfAnotherVersionIsBuiltAgain()
    {
        const QTemporaryDir place;
        QVERIFY(make(place, Kinds().registry()).isGood);
        const Kinds kinds;
        kinds.first->number = 2;
        QVERIFY(make(place, kinds.registry()).wasBuilt);
        QCOMPARE(kinds.timesMade(), QString("1 0 0"));
        QCOMPARE(filesIn(place), 5); // 5 files are the limit of the cache, so the oldest store was deleted.
    }

    void whatNeedsANewVersionIsBuiltAgainToo()
    {
        const QTemporaryDir place;
        QVERIFY(make(place, Kinds().registry()).isGood);
        const Kinds kinds;
        kinds.second->number = 2;
        QVERIFY(make(place, kinds.registry()).isGood);
        QCOMPARE(kinds.timesMade(), QString("0 1 1"));
    }

    void aNewAnalysisLeavesTheOthersStoresAlone()
    {
        const QTemporaryDir place;
        QVERIFY(make(place, Kinds().registry()).isGood);
        const Kinds kinds;
        auto more = std::make_shared<Analyses>(*kinds.registry());
        auto fourth = std::make_shared<MadeKind>();
        fourth->name = "fourth";
        QVERIFY(more->add(fourth));
        QVERIFY(make(place, more).isGood);
        QCOMPARE(kinds.timesMade(), QString("0 0 0"));
        QCOMPARE(fourth->made, 1);
    }

    void whatDoesNotApplyCostsNothing()
    {
        const QTemporaryDir place;
        const Kinds kinds;
        kinds.second->applies = false;
        const Made made = make(place, kinds.registry());
        QVERIFY(made.isGood);
        // Only the first analysis runs: the third needs the second, which does not apply.
        QCOMPARE(kinds.timesMade(), QString("1 0 0"));
        QVERIFY(made.picture.stores[0] && !made.picture.stores[1] && !made.picture.stores[2]);
        QCOMPARE(filesIn(place), 2);
    }

    void aDependantGetsWholeStoresOfWhatItNeeds()
    {
        const QTemporaryDir place;
        const Kinds kinds;
        kinds.third->needed = {"second", "first"};
        QVERIFY(make(place, kinds.registry()).isGood);
        QCOMPARE(kinds.third->tracksOfNeeded, (std::vector<std::size_t>{1, 1}));
    }

    void withCoresToSpareWhatNobodyWaitsForIsReadBesideWhatWaited()
    {
        for (const std::size_t cores : {1, 2}) {
            const QTemporaryDir place;
            const Kinds kinds;
            const Made made = make(place, kinds.registry(), false, cores);
            QVERIFY(made.isGood);
            QCOMPARE(bool(made.first.stores[0]), cores == 1);
            QVERIFY(made.first.facts && made.first.stores[1] && !made.first.stores[2]);
            QVERIFY(made.picture.facts && made.picture.stores[1]);
            for (const std::size_t later : {0, 2})
                QVERIFY(made.picture.stores[later] && made.picture.stores[later]->isComplete());
            QCOMPARE(kinds.timesMade(), QString("1 1 1"));
            QCOMPARE(filesIn(place), 4);

            const Made again = make(place, kinds.registry(), false, cores);
            QVERIFY(again.isGood && !again.wasBuilt && again.picture.stores[0] && again.picture.stores[2]);
        }
    }

    /// Property: an analysis finishes before the analyses that use it. If it does not apply to the trace, they receive no store at its
    /// position in the list.
    void whatAnAnalysisUsesIsFinishedBeforeOrNotThere()
    {
        for (const bool applies : {true, false}) {
            const QTemporaryDir place;
            const Kinds kinds;
            kinds.third->needed = {"first"};
            kinds.third->used = {"second"};
            kinds.second->applies = applies;
            const Made made = make(place, kinds.registry());
            QVERIFY(made.isGood && made.picture.stores[2]);
            QCOMPARE(kinds.third->tracksOfNeeded, (std::vector<std::size_t>{1, applies ? std::size_t(1) : MadeKind::NoStore}));
        }
    }

    void allIsBuiltAgainOnDemand()
    {
        const QTemporaryDir place;
        QVERIFY(make(place, Kinds().registry()).isGood);
        const Kinds kinds;
        QVERIFY(make(place, kinds.registry(), true).wasBuilt);
        QCOMPARE(kinds.timesMade(), QString("1 1 1"));
    }

    void allStoresAreOnTheTimelineInOrder()
    {
        const QTemporaryDir place;
        const Kinds kinds;
        const auto timeline = opened(place, kinds.registry());
        QVERIFY(timeline->isComplete);
        QCOMPARE(timeline->stores.size(), 2 * (3 + CorrelatorRegistry::builtin()->all().size()));
        QStringList keys;
        forEachStore(*timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
            keys << QString("%1: %2").arg(traceOf(*timeline, TrackRef{index, TrackId{}})).arg(store.tracks().front().key.c_str());
        });
        QCOMPARE(keys,
                 (QStringList{"0: events of first", "0: events of second", "0: events of third", "1: events of first",
                              "1: events of second", "1: events of third"}));
    }

    void theRowsOfOneViewAreThoseOfAllItsAnalyses()
    {
        const QTemporaryDir place;
        const Kinds kinds;
        const auto timeline = opened(place, kinds.registry());
        Timeline alone = *timeline; // Removes the views of correlators, so that only those of analyses remain.
        alone.correlatorRegistry = std::make_shared<const CorrelatorRegistry>();
        QCOMPARE(viewsOf(alone), std::vector<std::string>{"made"});
        const auto all = rows(*timeline, "made");
        QCOMPARE(std::ranges::count_if(all, [](const Row& row) { return row.ref.isValid(); }), 6);
        for (const Row& row : all)
            if (row.ref.isValid())
                QCOMPARE(row.trace, traceOf(*timeline, row.ref));
    }

    void whatAnAnalysisReportsIsAMessage()
    {
        const QTemporaryDir place;
        const Kinds kinds;
        kinds.third->reported = {{Diagnostic::Severity::Warning, "odd", "made", 0, 1, "the ticks are odd"}};
        for (int i = 0; i < 2; ++i) { // The first round checks stores that were just built, the second round checks reopened stores.
            const auto timeline = opened(place, kinds.registry());
            const auto all = messages(*timeline);
            const auto found = std::ranges::find(all, "odd", &Message::kind);
            QVERIFY(found != all.end());
            QVERIFY2(found->text.find("ticks are odd") != std::string::npos, found->text.c_str());
        }
    }
};

HELIO_TEST(TraceStoresTest)
#include "tst_trace_stores.moc"
