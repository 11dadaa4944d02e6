// Computation of correlators' results: when traces are opened, when all traces are indexed, and on request.

#include "core/experiment/correlation_cache.h"
#include "core/experiment/experiment.h"
#include "core/query/related/related.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/views.h"
#include "tests/support/fake_trace.h"
#include "tests/support/gate.h"
#include "tests/support/made_analysis.h"
#include "tests/support/made_relation.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace helio;
using test::MadeRelation;
using When = Correlator::When;

namespace {

/// Returns a trace of its own host, with its own clock.
std::shared_ptr<const Trace> traceOf(std::string host)
{
    TraceInfo info;
    info.identity = info.name = info.hostname = host;
    info.path = "/traces/" + host;
    info.clock.uuid = host;
    return std::make_shared<test::FakeTrace>(info, std::vector<std::string>{"tick"},
                                             std::vector<std::vector<test::FakeEvent>>{{{10}, {20}, {30}}});
}

struct Opened {
    QTemporaryDir place;
    ExperimentOptions options;
    std::unique_ptr<Experiment> experiment;

    explicit Opened(const std::vector<std::shared_ptr<MadeRelation>>& kinds)
    {
        auto relations = std::make_shared<CorrelatorRegistry>();
        for (const auto& kind : kinds)
            if (!relations->add(kind))
                qFatal("not added");
        auto analyses = std::make_shared<Analyses>();
        if (!analyses->add(std::make_shared<test::MadeKind>()))
            qFatal("not added");
        options.relations = std::move(relations);
        options.analyses = std::move(analyses);
        options.storeDirectory = place.path().toStdString();
        options.jobs = 2;
    }

    std::shared_ptr<const Timeline> index()
    {
        std::vector<std::unique_ptr<TraceOpening>> openings;
        openings.push_back(makeFinishedOpening(traceOf("client")));
        openings.push_back(makeFinishedOpening(traceOf("server")));
        experiment = Experiment::of(std::move(openings), options);
        experiment->start([] {});
        if (!experiment->wait())
            qFatal("not indexed");
        return experiment->timeline();
    }
};

/// Returns the row that the synthetic analysis wrote for a trace.
TrackRef rowOf(const Timeline& timeline, std::uint32_t trace)
{
    for (const Row& row : rows(timeline, "made"))
        if (row.trace == trace && row.ref.isValid())
            return row.ref;
    return {};
}

/// A result with one packet, from the first trace's row to the second's.
Correlation onePacket(const Timeline& timeline)
{
    Correlation found;
    found.links = InterTraceLinks(test::packetKinds(),
                                  {{LinkKind::Packet, rowOf(timeline, 0), rowOf(timeline, 1), timestamp(12), timestamp(25), "seq 1"}});
    return found;
}

/// A result with one row for the second trace, whose state begins at `from`.
Correlation oneRow(std::int64_t from)
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track track;
    track.view = "paths";
    track.key = "path";
    track.label = "Path";
    track.states = *builder->stateSet({"path", {{"going"}}, {}});
    const TrackId id = builder->addTrack(std::move(track));
    builder->set(hostTime(from), id, State{});
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(100)};
    Correlation found;
    found.rows.push_back({1, *builder->finish(std::move(summary))});
    return found;
}

std::shared_ptr<MadeRelation> kindOf(std::string name, When when, MadeRelation::Find find)
{
    return std::make_shared<MadeRelation>(std::move(name), when, std::move(find));
}

QStringList kindsOf(const std::vector<Diagnostic>& diagnostics)
{
    QStringList kinds;
    for (const Diagnostic& it : diagnostics)
        kinds << QString::fromStdString(it.kind);
    return kinds;
}

} // namespace

class RelationsTest : public QObject {
    Q_OBJECT

private slots:
    void linksBetweenTracesAreArrowsOfBoth()
    {
        Opened opened({kindOf("packets", When::Indexed, [](const Timeline& all, const auto&, const auto&) { return onePacket(all); })});
        const auto timeline = opened.index();

        QCOMPARE(linkKindsInView(*timeline, "made").ids, (LinkIds{"packet"}.ids));
        const auto all = arrows(*timeline, {"packet"}, {timestamp(0), timestamp(100)});
        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(helio::kindOf(*timeline, all[0]).title), QString("Packet"));
        QCOMPARE(QString::fromStdString(all[0].detail), QString("seq 1"));
        QCOMPARE(traceOf(*timeline, all[0].from), 0u);
        QCOMPARE(traceOf(*timeline, all[0].to), 1u);
        QVERIFY(arrows(*timeline, {"packet"}, {timestamp(26), timestamp(100)}).empty());
        QVERIFY(nextArrow(*timeline, all[0].from, timestamp(0), LinkIds{"packet"}) == all);
        QVERIFY(nextArrow(*timeline, all[0].to, timestamp(24), LinkIds{"packet"}) == all);
        QVERIFY(nextArrow(*timeline, all[0].to, timestamp(25), LinkIds{"packet"}).empty());
        QVERIFY(previousArrow(*timeline, all[0].from, timestamp(13), LinkIds{"packet"}) == all);
        QVERIFY(previousArrow(*timeline, all[0].from, timestamp(13), LinkIds{"packet"}, {false, true}).empty());
        QVERIFY(nextArrow(*timeline, all[0].from, timestamp(0), LinkIds{"wakeup"}).empty());
        std::uint64_t total = 0;
        QCOMPARE(arrows(*timeline, {"packet"}, {timestamp(0), timestamp(100)}, 1, &total).size(), std::size_t(1));
        QCOMPARE(total, std::uint64_t(1));
    }

    void clocksItFindsAreTakenAndSynchronizeHosts()
    {
        const auto shift = [](const Timeline&, const auto&, const auto&) {
            Correlation found;
            found.clocks.push_back(
                {1, ClockTransform(Duration(1000)), 0, Diagnostic{Diagnostic::Severity::Info, "shifted", {}, 0, 1, "it is"}});
            return found;
        };
        Opened opened({kindOf("clocks", When::Indexed, shift)});
        const auto timeline = opened.index();
        QCOMPARE(timeline->traces[1].clock.offset(), Duration(1000));
        QVERIFY(timeline->hosts[0].isSynchronized && timeline->hosts[1].isSynchronized);
        QCOMPARE(kindsOf(timeline->diagnostics), QStringList{"shifted"});
        QCOMPARE(timeline->range, (TimeRange{timestamp(10), timestamp(1030)}));

        Opened raw({kindOf("clocks", When::Indexed, shift)});
        raw.options.synchronize = false;
        QCOMPARE(raw.index()->traces[1].clock.offset(), Duration(0));
        QCOMPARE(kindsOf(raw.experiment->timeline()->diagnostics), QStringList{"unsynchronized-clocks"});

        Opened given({kindOf("clocks", When::Indexed, shift)});
        given.options.offsets["server"] = Duration(7);
        QCOMPARE(given.index()->traces[1].clock.offset(), Duration(7));
    }

    /// Property: each correlator receives the results of the correlators before it.
    void correlatorsRunInOrder()
    {
        Duration seen{};
        Opened opened({kindOf("clocks", When::Indexed,
                              [](const Timeline&, const auto&, const auto&) {
                                  Correlation found;
                                  found.clocks.push_back({1, ClockTransform(Duration(5)), 0, {}});
                                  return found;
                              }),
                       kindOf("later", When::Indexed, [&](const Timeline& all, const auto&, const auto&) {
                           seen = all.traces[1].clock.offset();
                           return Correlation();
                       })});
        opened.index();
        QCOMPARE(seen, Duration(5));
    }

    void whatCannotBeFoundIsSaid()
    {
        Opened opened({kindOf("broken", When::Indexed, [](const Timeline&, const auto&, const auto&) -> Result<Correlation> {
            return Error{Error::Kind::Corrupt, "the keys contradict each other"};
        })});
        const auto timeline = opened.index();
        QVERIFY(timeline->isComplete);
        QVERIFY(kindsOf(timeline->diagnostics).contains("not-related"));
        const auto said = std::ranges::find(timeline->diagnostics, "not-related", &Diagnostic::kind);
        QCOMPARE(QString::fromStdString(said->what), QString("correlator \"broken\": the keys contradict each other"));
    }

    void thatWhichDoesNotApplyIsNotMade()
    {
        const auto kind = kindOf("none", When::Indexed, [](const Timeline&, const auto&, const auto&) { return Correlation(); });
        const auto asked = kindOf("asked", When::Asked, [](const Timeline&, const auto&, const auto&) { return Correlation(); });
        kind->applies = asked->applies = false;
        Opened opened({kind, asked});
        const auto timeline = opened.index();
        QCOMPARE(kind->made.load(), 0);
        QCOMPARE(int(related(*timeline, "asked").error().kind), int(Error::Kind::NotFound));
        QCOMPARE(int(related(*timeline, "nothing").error().kind), int(Error::Kind::NotFound));
    }

    void whatIsAskedForIsMadeOnceForEachQuestion()
    {
        const auto kind = kindOf("path", When::Asked, [](const Timeline&, const CorrelatorRequest& question, const auto&) {
            return oneRow(nanoseconds(question.range.begin));
        });
        kind->panels = {{.id = "paths", .title = "Paths"}};
        Opened opened({kind});
        const auto timeline = opened.index();
        QCOMPARE(kind->made.load(), 0);
        QCOMPARE(viewFacts(*timeline).back().rows, std::size_t(0));

        const CorrelatorRequest question{{}, {timestamp(15), timestamp(50)}};
        const auto with = related(*timeline, "path", question);
        QVERIFY(with);
        const auto found = rows(**with, "paths");
        QCOMPARE(found.back().trace, 1u);
        QCOMPARE(QString::fromStdString(found.back().label), QString("Path"));
        QCOMPARE(intervals(**with, found.back().ref, {timestamp(0), timestamp(100)}).front().range.begin, timestamp(15));
        QCOMPARE(QString::fromStdString(viewDescription(**with, "paths").title), QString("Paths"));
        QCOMPARE(viewFacts(**with).back().rows, std::size_t(1));

        QVERIFY(related(*timeline, "path", question));
        QCOMPARE(kind->made.load(), 1);
        QVERIFY(related(*timeline, "path", {{}, {timestamp(16), timestamp(50)}}));
        QCOMPARE(kind->made.load(), 2);
        Timeline moved = *timeline;
        moved.traces[0].clock = ClockTransform(Duration(1));
        QVERIFY(related(moved, "path", question));
        QCOMPARE(kind->made.load(), 3);
    }

    void rowsForWhoShowsThemAreMadeOnce()
    {
        const auto kind = kindOf("shown", When::Shown, [](const Timeline&, const auto&, const auto&) { return oneRow(15); });
        const auto broken = kindOf("broken", When::Shown, [](const Timeline&, const auto&, const auto&) -> Result<Correlation> {
            return Error{Error::Kind::Corrupt, "nothing fits"};
        });
        kind->panels = {{.id = "paths", .title = "Paths"}};
        Opened opened({kind, broken});
        const auto timeline = opened.index();
        QCOMPARE(kind->made.load(), 0);
        QVERIFY(QString::fromStdString(viewFacts(*timeline).back().missing).contains("render --view paths"));
        QCOMPARE(int(related(*timeline, "shown").error().kind), int(Error::Kind::NotFound));

        const auto with = withShownRows(*timeline);
        QVERIFY(with && *with);
        // The view has two rows: one for the host, and one that the correlator made.
        QCOMPARE(rows(**with, "paths").size(), std::size_t(2));
        QVERIFY(kindsOf((*with)->diagnostics).contains("not-related"));
        QVERIFY(withShownRows(*timeline));
        QCOMPARE(kind->made.load(), 1);
        std::stop_source stopped;
        stopped.request_stop();
        QCOMPARE(int(withShownRows(*timeline, stopped.get_token()).error().kind), int(Error::Kind::Cancelled));

        kind->applies = broken->applies = false;
        const auto none = withShownRows(*timeline);
        QVERIFY(none && !*none);
    }

    void itsRowsAreOnTheExperimentsTime()
    {
        const auto kind = kindOf("path", When::Asked, [](const Timeline&, const auto&, const auto&) { return oneRow(15); });
        Opened opened({kind});
        opened.options.offsets["server"] = Duration(1'000'000);
        const auto timeline = opened.index();
        const auto with = related(*timeline, "path");
        QVERIFY(with);
        QCOMPARE(rows(**with, "paths").back().life.begin, timestamp(15));
        QVERIFY(rows(**with, "made").back().life.begin >= timestamp(1'000'000));
    }

    void whoAsksTheSameWaitsForTheAnswer()
    {
        test::Gate gate;
        const auto kind = kindOf("slow", When::Asked, [&](const Timeline&, const auto&, const auto&) {
            gate.pass();
            return Correlation();
        });
        Opened opened({kind});
        const auto timeline = opened.index();
        std::thread first([&] { QVERIFY(related(*timeline, "slow")); });
        gate.waitUntilBlocked();
        std::thread second([&] { QVERIFY(related(*timeline, "slow")); });
        std::stop_source stop;
        std::thread third(
            [&] { QCOMPARE(int(related(*timeline, "slow", {}, stop.get_token()).error().kind), int(Error::Kind::Cancelled)); });
        stop.request_stop();
        third.join();
        gate.open();
        first.join();
        second.join();
        QCOMPARE(kind->made.load(), 1);
    }

    /// Property: if the request that computes a result is cancelled, another waiting request takes over the computation.
    void cancelledResultIsMadeByAWaitingRequest()
    {
        test::Gate gate;
        std::stop_source stop;
        const auto kind = kindOf("slow", When::Asked, [&](const Timeline&, const auto&, const std::stop_token& own) -> Result<Correlation> {
            gate.pass();
            if (own.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            return Correlation();
        });
        Opened opened({kind});
        const auto timeline = opened.index();
        std::thread first(
            [&] { QCOMPARE(int(related(*timeline, "slow", {}, stop.get_token()).error().kind), int(Error::Kind::Cancelled)); });
        gate.waitUntilBlocked();
        std::thread second([&] { QVERIFY(related(*timeline, "slow")); });
        stop.request_stop();
        gate.open();
        first.join();
        second.join();
        QCOMPARE(kind->made.load(), 2);
    }

    void aRegistryTakesAnIdOnce()
    {
        CorrelatorRegistry relations;
        const auto kind = kindOf("same", When::Asked, [](const Timeline&, const auto&, const auto&) { return Correlation(); });
        QVERIFY(relations.add(kind));
        QVERIFY(!relations.add(kind));
        QCOMPARE(relations.find("same"), std::optional<std::size_t>(0));
        QVERIFY(!relations.find("other"));
        QVERIFY(CorrelatorRegistry::builtin()->find("same-boot"));
    }
};

HELIO_TEST(RelationsTest)
#include "tst_relations.moc"
