#include "core/experiment/timeline_composer.h"
#include "core/timesync/clock_relation.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_relation.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;
using helio::test::FakeTrace;

Q_DECLARE_METATYPE(std::shared_ptr<const helio::Trace>)

namespace {

std::shared_ptr<const Trace> trace(std::string name, std::string domain, std::string clockId, std::int64_t clockOffset,
                                   std::string hostname = "web-1", std::int64_t begin = 100)
{
    TraceInfo info;
    info.name = name;
    info.path = "/traces/" + name;
    info.hostname = std::move(hostname);
    info.clock.uuid = std::move(clockId);
    info.clock.offset = clockOffset;
    info.environment.emplace_back("domain", std::move(domain));
    return std::make_shared<FakeTrace>(info, std::vector<std::string>{"tick"},
                                       std::vector<std::vector<helio::test::FakeEvent>>{{{begin}, {begin + 50}}});
}

} // namespace

/// Returns a recording without a boot ID, which tools other than LTTng do not record. Its first event is at time `begin` on its own clock.
std::shared_ptr<const Trace> recording(std::string name, std::string clock, bool isAbsolute, std::int64_t offset, std::string hostname,
                                       std::int64_t begin, std::string folder = "/traces/")
{
    TraceInfo info;
    info.name = name;
    info.path = folder + name;
    info.hostname = std::move(hostname);
    info.clock.name = std::move(clock);
    info.clock.offset = offset;
    info.clock.isAbsolute = isAbsolute;
    return std::make_shared<FakeTrace>(info, std::vector<std::string>{"tick"},
                                       std::vector<std::vector<helio::test::FakeEvent>>{{{begin}, {begin + 50}}});
}

/// Opens a recording whose packets are not known before finish(), as those of perf.data and CTF.
class LateOpening final : public TraceOpening {
public:
    explicit LateOpening(std::shared_ptr<const Trace> trace)
        : m_trace(std::move(trace))
    {
    }
    std::shared_ptr<const Trace> provisionalTrace() const override
    {
        return std::make_shared<FakeTrace>(m_trace->info(), std::vector<std::string>{"tick"},
                                           std::vector<std::vector<helio::test::FakeEvent>>{});
    }
    Result<std::shared_ptr<const Trace>> finish(const Publish&, std::stop_token) override { return m_trace; }

private:
    std::shared_ptr<const Trace> m_trace;
};

class TimelineComposerTest : public QObject {
    Q_OBJECT

private slots:
    void tracesOfOneClockShareAHostWhateverTheirNames()
    {
        const Timeline timeline = composeTimeline(
            {trace("k", "kernel", "boot-1", 0, "a"), trace("u", "ust", "boot-1", 0, "b"), trace("k2", "kernel", "boot-2", 0, "a")}, {});

        QCOMPARE(timeline.hosts.size(), std::size_t(2));
        QCOMPARE(timeline.traces[0].host, timeline.traces[1].host);
        QVERIFY(timeline.traces[0].host != timeline.traces[2].host);
    }

    /// Property: recordings that several tools made on one machine are shown on one time axis if their clocks are comparable.
    /// clockRelation() describes how each clock is related to the reference clock.
    void clocksOfOtherToolsAreRelatedByTheirNames_data()
    {
        QTest::addColumn<std::shared_ptr<const Trace>>("other");
        QTest::addColumn<qint64>("shift");
        QTest::addColumn<QString>("relation");
        const qint64 offset = 1'000'000'000'000;
        const QString unknown = "offset unknown: set it by hand";
        QTest::newRow("trace.dat -C mono") << recording("t", "mono", false, 0, "web-1", 120) << offset << "same clock as k";
        QTest::newRow("host not recorded") << recording("t", "mono", false, 0, "", 120) << offset << "same clock as k";
        QTest::newRow("another time") << recording("t", "mono", false, 0, "web-1", 900'000) << qint64(0) << unknown;
        QTest::newRow("another host") << recording("t", "mono", false, 0, "db-1", 120) << qint64(0) << unknown;
        QTest::newRow("another clock") << recording("t", "local", false, 0, "web-1", 120) << qint64(0) << unknown;
        QTest::newRow("perf -k mono") << recording("p", "monotonic", true, offset + 700, "web-1", 120 + offset + 700) << qint64(-700)
                                      << "same clock as k";
        QTest::newRow("perf, another boot") << recording("p", "monotonic", true, offset + 5'000'000'000, "web-1", offset) << qint64(0)
                                            << "wall clock; its difference to that of k is unknown";
        QTest::newRow("strace") << recording("s", "realtime", true, 0, "", offset + 120) << qint64(0) << "same wall clock as k";
        QTest::newRow("spans in JSON") << recording("j", "ts", false, 0, "", 120) << offset << "taken to be the same clock as k";
        QTest::newRow("spans of another time") << recording("j", "ts", false, 0, "", 900'000) << qint64(0) << unknown;
        QTest::newRow("strace elsewhere") << recording("s", "realtime", true, 0, "", offset + 120, "/elsewhere/x/") << qint64(0)
                                          << "wall clock; its difference to that of k is unknown";
    }
    void clocksOfOtherToolsAreRelatedByTheirNames()
    {
        QFETCH(std::shared_ptr<const Trace>, other);
        QFETCH(qint64, shift);
        QFETCH(QString, relation);
        const std::int64_t offset = 1'000'000'000'000;
        TraceInfo info;
        info.name = "k";
        info.path = "/traces/k";
        info.hostname = "web-1";
        info.clock = {"monotonic", "boot-1", {}, 1'000'000'000, offset, true};
        info.environment.emplace_back("domain", "kernel");
        const auto kernel = std::make_shared<FakeTrace>(info, std::vector<std::string>{"tick"},
                                                        std::vector<std::vector<helio::test::FakeEvent>>{{{offset + 100}, {offset + 150}}});

        const Timeline timeline = composeTimeline({kernel, other}, {});

        QCOMPARE(clockRelation(timeline, 0), std::string("the reference of the others"));
        QCOMPARE(QString::fromStdString(clockRelation(timeline, 1)), relation);
        QCOMPARE(nanoseconds(timeline.traces[1].clock(hostTime(120))), 120 + shift);
        QCOMPARE(clockRelation(composeTimeline({kernel}, {}), 0), std::string());
    }

    /// Property: spans in JSON are related to a text of ftrace with CLOCK_MONOTONIC, e.g. the one in the same file, although neither has
    /// wall-clock times.
    void spansAreRelatedToATextWithoutWallClock()
    {
        const auto spans = recording("trace.json", "ts", false, 0, "", 120);
        const auto relationTo = [&](std::int64_t begin) {
            const Timeline timeline =
                composeTimeline({spans, recording("systemTraceEvents", "mono", false, 0, "", begin, "/traces/trace.json/")}, {});
            return clockRelation(timeline, 0) + "; " + clockRelation(timeline, 1);
        };
        QCOMPARE(relationTo(150), std::string("taken to be the same clock as systemTraceEvents; the reference of trace.json"));
        QCOMPARE(relationTo(900'000), std::string("the reference of the others; offset unknown: set it by hand"));
    }

    /// Property: a relation that follows from overlapping times is found although the packets are found only after the clocks were first
    /// related; its message appears once.
    void clocksAreRelatedWhenThePacketsAreFound()
    {
        const std::int64_t offset = 1'000'000'000'000;
        std::vector<std::unique_ptr<TraceOpening>> openings;
        openings.push_back(std::make_unique<LateOpening>(recording("p", "monotonic", true, offset, "web-1", offset + 100)));
        openings.push_back(std::make_unique<LateOpening>(recording("t", "mono", false, 0, "web-1", 120)));
        const QTemporaryDir cache;
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        const auto experiment = Experiment::of(std::move(openings), options);
        experiment->start({});
        QVERIFY(experiment->wait({}));

        const auto timeline = experiment->timeline();
        QCOMPARE(clockRelation(*timeline, 1), std::string("same clock as p"));
        QCOMPARE(nanoseconds(timeline->traces[1].clock(hostTime(120))), offset + 120);
        const auto notes = std::ranges::count(timeline->diagnostics, std::string("clock-relation"), &Diagnostic::kind);
        QCOMPARE(notes, 1);
    }

    /// Property: times of different clocks of one host are not called comparable, and a message names both clocks; perf's clock and
    /// ftrace's clock "local" are the same.
    void differentClocksOfOneHostAreNamed()
    {
        const auto withClock = [](const char* name) {
            return composeTimeline({recording("p", "perf", false, 0, "web-1", 100), recording("t", name, false, 0, "web-1", 120)}, {});
        };
        const Timeline same = withClock("local");
        QCOMPARE(clockRelation(same, 1), std::string("same host as p"));
        QVERIFY(same.diagnostics.empty());
        const Timeline other = withClock("x86-tsc");
        QCOMPARE(clockRelation(other, 1), std::string("another clock than p, offset unknown: set it by hand"));
        QCOMPARE(other.diagnostics.back().what,
                 std::string("its clock (x86-tsc) is not related to the clock of p (perf); their times are not comparable"));
        ExperimentOptions options;
        options.offsets["t"] = Duration(5);
        const Timeline given =
            composeTimeline({recording("p", "perf", false, 0, "web-1", 100), recording("t", "boot", false, 0, "web-1", 120)}, options);
        QCOMPARE(clockRelation(given, 1), std::string("offset set by hand"));
        QVERIFY(given.diagnostics.empty());
    }

    /// Property: recordings without a hostname in one folder share the wall clock, for example two logs of strace; recordings elsewhere do
    /// not, and a message calls them recordings.
    void wallClocksOfUnknownHostsAreTheSameInOneFolder()
    {
        const auto log = [](const char* name, const char* clock, const char* folder) {
            return recording(name, clock, std::string_view(clock) == "realtime", 0, "", 100, folder);
        };
        const Timeline beside = composeTimeline({log("a", "realtime", "/traces/"), log("b", "realtime", "/traces/sub/")}, {});
        QCOMPARE(clockRelation(beside, 1), std::string("same wall clock as a"));
        QVERIFY(beside.hosts[0].isSynchronized && beside.hosts[1].isSynchronized);
        QVERIFY(!hasHostNames(beside));
        const Timeline apart = composeTimeline({log("a", "realtime", "/traces/"), log("b", "realtime", "/elsewhere/")}, {});
        QVERIFY(!apart.hosts[1].isSynchronized);
        QCOMPARE(apart.diagnostics.back().what,
                 std::string("the clocks of 2 recordings (a, b) are not synchronized; their times are not comparable"));
        const Timeline other = composeTimeline({log("a", "realtime", "/traces/"), log("b", "printed", "/traces/")}, {});
        QVERIFY(!other.hosts[1].isSynchronized);
    }

    /// Property: for times of day, without a date, a message says which offset puts them on the day of another recording. Another day, and
    /// a recording of several days, give no message.
    void aMissingDateIsTakenFromAnotherRecording()
    {
        const auto restore = qScopeGuard([before = qgetenv("TZ")] {
            qputenv("TZ", before);
            ::tzset();
        });
        constexpr std::int64_t Second = 1'000'000'000;
        const auto noteFor = [&](std::int64_t timeOfDay, std::int64_t wallClock) {
            const Timeline timeline = composeTimeline({recording("day", "time of day", false, 0, "", timeOfDay * Second),
                                                       recording("wall", "realtime", true, 0, "", wallClock * Second)},
                                                      {});
            const auto found = std::ranges::find(timeline.diagnostics, std::string("missing-date"), &Diagnostic::kind);
            return found == timeline.diagnostics.end() ? QString() : QString::fromStdString(found->what).section(' ', -1);
        };
        // `date -d @1732183201` is 2024-11-21 10:00:01 UTC, and 11:00:01 in Berlin; @1732147200 is midnight UTC.
        qputenv("TZ", "UTC");
        ::tzset();
        QCOMPARE(noteFor(36'001, 1'732'183'201), QString("day=1732147200000000000"));
        QCOMPARE(noteFor(36'003, 1'732'183'201), QString());
        QCOMPARE(noteFor(86'400 + 36'001, 1'732'183'201), QString("day=1732060800000000000")); // The recording began on the day before.
        qputenv("TZ", "Europe/Berlin");
        ::tzset();
        QCOMPARE(noteFor(39'601, 1'732'183'201), QString("day=1732143600000000000"));
        // Summer time began in the night, at 2 o'clock: 11:00:00 is 1711875600 (date -d "2024-03-31 11:00 CEST" +%s).
        QCOMPARE(noteFor(39'600, 1'711'875'600), QString("day=1711836000000000000"));
    }

    void withoutAClockIdTheHostnameIsTheHost()
    {
        const Timeline timeline =
            composeTimeline({trace("x", "kernel", "", 0, "a"), trace("y", "kernel", "", 0, "a"), trace("z", "kernel", "", 0, "b")}, {});

        QCOMPARE(timeline.hosts.size(), std::size_t(2));
    }

    void hostsOfOneNameHaveLabelsOfTheirOwn()
    {
        const Timeline timeline = composeTimeline({trace("k", "kernel", "boot-1", 0, "a"), trace("k2", "kernel", "boot-2", 0, "a"),
                                                   trace("k3", "kernel", "boot-3", 0, "a#2"), trace("k4", "kernel", "boot-4", 0, "a"),
                                                   trace("u", "ust", "boot-2", 0, "a")},
                                                  {});
        QStringList labels;
        for (const TimelineHost& host : timeline.hosts)
            labels << QString::fromStdString(host.label);
        QCOMPARE(labels, (QStringList{"a", "a#3", "a#2", "a#4"}));
        QCOMPARE(timeline.hosts[1].name, std::string("a"));
        QCOMPARE(timeline.traces[4].host, 1u);
    }

    void aUserTraceTakesTheKernelTracesOffset()
    {
        const Timeline timeline = composeTimeline({trace("u", "ust", "boot-1", 1'000'700), trace("k", "kernel", "boot-1", 1'000'000)}, {});

        QCOMPARE(timeline.traces[0].clock.offset(), Duration(-700));
        QCOMPARE(timeline.traces[1].clock.offset(), Duration(0));
        QCOMPARE(timeline.diagnostics.size(), std::size_t(1));
        QVERIFY(timeline.diagnostics[0].what.find("-700 ns") != std::string::npos);
    }

    void rawTimesStayRawWhenAsked()
    {
        ExperimentOptions options;
        options.synchronize = false;
        const Timeline timeline =
            composeTimeline({trace("u", "ust", "boot-1", 1'000'700), trace("k", "kernel", "boot-1", 1'000'000)}, options);

        QCOMPARE(timeline.traces[0].clock.offset(), Duration(0));
        QVERIFY(timeline.diagnostics.empty());
    }

    void aTraceThatNamesNoHostHasNone()
    {
        const Timeline timeline = composeTimeline({trace("a", "kernel", "1", 0, "")}, {});

        QCOMPARE(timeline.hosts.at(0).name, std::string());
        QCOMPARE(timeline.hosts.at(0).label, timeline.traces[0].trace->info().name);
    }

    void aGivenOffsetIsAddedToTheTraceItNames()
    {
        ExperimentOptions options;
        options.offsets["b"] = Duration(500);
        const Timeline timeline = composeTimeline({trace("a", "kernel", "1", 0), trace("b", "kernel", "2", 0)}, options);

        QCOMPARE(timeline.traces[0].clock.offset(), Duration(0));
        QCOMPARE(timeline.traces[1].clock.offset(), Duration(500));
    }

    void clocksThatNothingRelatesAreSaid()
    {
        const Timeline timeline = composeTimeline(
            {trace("a", "kernel", "1", 0, "client"), trace("u", "ust", "1", 0, "client"), trace("b", "kernel", "2", 0, "db")}, {});

        QCOMPARE(timeline.diagnostics.size(), std::size_t(1));
        QCOMPARE(timeline.diagnostics[0].kind, std::string("unsynchronized-clocks"));
        QCOMPARE(timeline.diagnostics[0].severity, Diagnostic::Severity::Warning);
        QVERIFY(timeline.diagnostics[0].what.starts_with("the clocks of 2 hosts (client, db) are not synchronized"));
        QVERIFY(timeline.hosts[0].isSynchronized); // The reference host is always synchronized.
        QVERIFY(!timeline.hosts[1].isSynchronized);
    }

    void aPersonsOffsetsRelateClocks()
    {
        ExperimentOptions options;
        options.offsets["b"] = Duration(500);
        const auto composed = [&](std::vector<std::shared_ptr<const Trace>> traces) { return composeTimeline(traces, options); };
        const Timeline two = composed({trace("a", "kernel", "1", 0, "client"), trace("b", "kernel", "2", 0, "db")});
        const Timeline three =
            composed({trace("a", "kernel", "1", 0, "client"), trace("b", "kernel", "2", 0, "db"), trace("c", "kernel", "3", 0, "web")});

        QVERIFY(two.diagnostics.empty());
        QVERIFY(two.hosts[0].isSynchronized && two.hosts[1].isSynchronized);
        QCOMPARE(three.diagnostics.size(), std::size_t(1));
        QVERIFY(three.hosts[0].isSynchronized && three.hosts[1].isSynchronized && !three.hosts[2].isSynchronized);
    }

    /// Input: three hosts of which two are related, and two pairs of related hosts. Property: times of different groups are not
    /// comparable.
    void hostsAreRelatedInGroups()
    {
        const auto kind = std::make_shared<helio::test::MadeRelation>(
            "two", Correlator::When::Opened, [](const Timeline& all, const CorrelatorRequest&, const std::stop_token&) {
                Correlation found;
                found.clocks.push_back({1, ClockTransform(Duration(3)), 0, {}});
                if (all.traces.size() > 3)
                    found.clocks.push_back({3, ClockTransform(Duration(4)), 2, {}});
                return found;
            });
        auto relations = std::make_shared<CorrelatorRegistry>();
        QVERIFY(relations->add(kind));
        ExperimentOptions options;
        options.relations = relations;
        const auto a = trace("a", "kernel", "1", 0, "a"), b = trace("b", "kernel", "2", 0, "b"), c = trace("c", "kernel", "3", 0, "c"),
                   d = trace("d", "kernel", "4", 0, "d");

        QVERIFY(composeTimeline({a, b}, options).diagnostics.empty());
        QVERIFY(
            composeTimeline({a, b, c}, options).diagnostics.at(0).what.starts_with("the clocks of 2 groups of hosts (a, b; c) are not"));
        QVERIFY(composeTimeline({a, b, c, d}, options)
                    .diagnostics.at(0)
                    .what.starts_with("the clocks of 2 groups of hosts (a, b; c, d) are not"));
        options.offsets["c"] = Duration(9);
        QVERIFY(composeTimeline({a, b, c}, options).diagnostics.empty());
    }

    void oneHostNeedsNoSynchronization()
    {
        QVERIFY(composeTimeline({trace("a", "kernel", "1", 0), trace("b", "ust", "1", 0)}, {}).diagnostics.empty());
    }

    void beforeIndexingTheRangeIsWhatThePacketsClaim()
    {
        const Timeline timeline = composeTimeline({trace("a", "kernel", "1", 0, "a", 100), trace("b", "kernel", "2", 0, "b", 400)}, {});

        QCOMPARE(timeline.range, (TimeRange{timestamp(100), timestamp(450)}));
    }
};

HELIO_TEST(TimelineComposerTest)
#include "tst_timeline_composer.moc"
