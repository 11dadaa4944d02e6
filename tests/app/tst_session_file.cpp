#include "app/gui/common/session_file.h"
#include "app/gui/compare_window/comparison_file.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

SessionState example()
{
    SessionState state;
    state.visible = {timestamp(1'700'000'000'123'456'789), timestamp(1'700'000'001'123'456'791)};
    state.selection = {timestamp(1'700'000'000'500'000'001), timestamp(1'700'000'000'500'000'003)};
    state.cursor = timestamp(1'700'000'000'777'777'777);
    state.rowTrace = 1;
    state.rowView = "control-flow";
    state.rowId = "tid:42";
    state.path = NamedPathRequest{1, "control-flow", "tid:7", {timestamp(1'700'000'000'500'000'001), timestamp(1'700'000'000'500'000'003)}};
    state.isPathLit = false;
    state.showsOnlyPath = false;
    state.bookmarks = {{{timestamp(5), timestamp(5)}, "start"}, {{timestamp(7), timestamp(9)}, "slow \"part\""}};
    state.search = "name == \"sched_switch\"";
    state.filter = "cpu == 1";
    state.layout["right"] = 416;
    state.looks = {{{"db-uuid", {"Datenbank 1", 7}}, {"web-uuid", {"", 3}}}, {"web-uuid", "db-uuid"}};
    state.clocks =
        ClockSettings{"web", {{"db", {ClockLine{hostTime(5), timestamp(1'700'000'000'123'456'789), 3}, Duration(7)}}, {"raw", {}}}};
    return state;
}

QString written(const QTemporaryDir& folder, const QByteArray& json)
{
    QFile file(folder.filePath("given.heliograph"));
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size())
        qFatal("cannot write");
    return file.fileName();
}

} // namespace

class SessionFileTest : public QObject {
    Q_OBJECT

private slots:
    void looksThatMakeNoSenseAreLeftOut()
    {
        const QTemporaryDir folder;
        const auto loaded = loadSession(written(
            folder, R"({"heliograph": 1, "traces": ["t"], "hosts": {"looks": [{"host": "a", "name": 5, "color": 99}, {"name": "nobody"}, 7,
                        {"host": "b", "name": " two  words ", "color": -3}], "order": [1, "b", null, ""]}})"));
        QVERIFY(loaded);
        HostStyles expected;
        expected.hosts["b"] = {"two words", -1};
        expected.order = {"b"};
        QVERIFY(loaded->looks == expected);
    }

    void whatIsSavedIsLoaded()
    {
        const QTemporaryDir folder;
        SessionState state = example();
        state.traces = {folder.filePath("traces/kernel"), "/elsewhere/ust", "ssh://db1/~/traces//web"};
        state.symbols.directories = {folder.filePath("bin").toStdString(), "/elsewhere/bin"};
        state.symbols.guestKallsyms = folder.filePath("guest.txt").toStdString();
        state.symbols.kallsyms = folder.filePath("kallsyms.txt").toStdString();
        // The setting is not read back, because only the user can enable debuginfod, not a session file.
        state.symbols.usesDebuginfod = true;
        const QString path = folder.filePath("a.heliograph");

        QVERIFY(saveSession(state, path));
        const auto loaded = loadSession(path);

        QVERIFY(loaded);
        QCOMPARE(loaded->traces, state.traces);
        QVERIFY(loaded->visible == state.visible);
        QVERIFY(loaded->selection == state.selection);
        QVERIFY(loaded->cursor == state.cursor);
        QCOMPARE(loaded->rowTrace, 1);
        QCOMPARE(loaded->rowView, state.rowView);
        QCOMPARE(loaded->rowId, state.rowId);
        QVERIFY(loaded->path == state.path);
        QVERIFY(loaded->symbols.directories == state.symbols.directories);
        QVERIFY(loaded->symbols.guestKallsyms == state.symbols.guestKallsyms);
        QVERIFY(loaded->symbols.kallsyms == state.symbols.kallsyms);
        QVERIFY(loaded->symbols.sysroot.empty() && !loaded->symbols.usesDebuginfod);
        QVERIFY(!loaded->isPathLit);
        QVERIFY(!loaded->showsOnlyPath);
        QVERIFY(loaded->bookmarks == state.bookmarks);
        QCOMPARE(loaded->search, state.search);
        QCOMPARE(loaded->filter, state.filter);
        QCOMPARE(loaded->layout, state.layout);
        QVERIFY(loaded->clocks == state.clocks);
        QVERIFY(loaded->looks == state.looks);
    }

    void tracesBesideTheFileMoveWithIt()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("old/sub"));
        SessionState state;
        state.traces = {folder.filePath("old/trace")};
        QVERIFY(saveSession(state, folder.filePath("old/s.heliograph")));

        QVERIFY(QDir().rename(folder.filePath("old"), folder.filePath("new")));
        const auto loaded = loadSession(folder.filePath("new/s.heliograph"));

        QVERIFY(loaded);
        QCOMPARE(loaded->traces, QStringList{folder.filePath("new/trace")});
    }

    void whatIsNoSessionIsRefused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("CTF");
        QTest::newRow("no version") << QByteArray("{}");
        QTest::newRow("newer") << QByteArray("{\"heliograph\": 2}");
        QTest::newRow("array") << QByteArray("[1]");
    }
    void whatIsNoSessionIsRefused()
    {
        QFETCH(QByteArray, json);
        const QTemporaryDir folder;
        QVERIFY(!loadSession(written(folder, json)));
        QVERIFY(!loadComparison(written(folder, json)));
    }

    void aComparisonThatIsSavedIsLoaded()
    {
        const QTemporaryDir folder;
        Comparison comparison = comparisonOf({folder.filePath("solo.data")}, {"/elsewhere/parallel.data", "/elsewhere/more"});
        comparison.a.visible = {timestamp(-5), timestamp(1'700'000'000'123'456'789)};
        comparison.b.bookmarks = {{{timestamp(5), timestamp(5)}, "start"}};
        comparison.b.clocks = example().clocks;
        comparison.program = "solver";
        comparison.alignBy = AlignmentControl::By::Function;
        comparison.function = "initprm_";
        comparison.zero = {timestamp(1'700'000'000'123'456'789), timestamp(3)};
        comparison.isLinked = false;
        comparison.isBeside = true;
        comparison.layout["differences"] = "source";
        const QString path = folder.filePath("c.heliograph");

        QVERIFY(saveComparison(comparison, path));
        const auto loaded = loadComparison(path);

        QVERIFY(loaded);
        QCOMPARE(loaded->a.traces, comparison.a.traces);
        QCOMPARE(loaded->b.traces, comparison.b.traces);
        QVERIFY(loaded->b.clocks == comparison.b.clocks);
        QVERIFY(!loaded->a.clocks);
        QVERIFY(loaded->a.visible == comparison.a.visible);
        QVERIFY(loaded->b.bookmarks == comparison.b.bookmarks);
        QCOMPARE(loaded->program, comparison.program);
        QVERIFY(!loaded->comparesThreads);
        QCOMPARE(loaded->alignBy, comparison.alignBy);
        QCOMPARE(loaded->function, comparison.function);
        QVERIFY(loaded->zero == comparison.zero);
        QVERIFY(!loaded->isLinked);
        QVERIFY(loaded->isBeside);
        QCOMPARE(loaded->layout, comparison.layout);
    }

    void aPlainSessionIsNoComparison()
    {
        const QTemporaryDir folder;
        SessionState state = example();
        state.traces = {"/t"};
        const QString path = folder.filePath("a.heliograph");
        QVERIFY(saveSession(state, path));
        QCOMPARE(loadComparison(path).error().kind, Error::Kind::NotFound);
        QVERIFY(!loadComparison(written(folder, "{\"heliograph\":1,\"compare\":{\"a\":{\"traces\":[\"t\"]},\"b\":7}}")));
    }

    void twoRangesOfOneExperimentAreComparedFromTheirBegins()
    {
        SessionState a = example();
        a.traces = {"/t"};
        SessionState b = a;
        QVERIFY(!comparePositions(a, b)); // No comparison is made of two equal positions.
        a.selection = {timestamp(1000), timestamp(1400)};
        b.selection = {timestamp(5000), timestamp(5200)};

        const auto ranges = comparePositions(a, b);

        QVERIFY(ranges);
        QVERIFY(!ranges->isLinked);
        QVERIFY(!ranges->comparesThreads);
        QVERIFY((ranges->zero == Alignment{timestamp(1000), timestamp(5000)}));
        QVERIFY((ranges->a.visible == TimeRange{timestamp(980), timestamp(1420)}));
        QVERIFY((ranges->b.visible == TimeRange{timestamp(4980), timestamp(5420)}));

        b.selection = a.selection;
        b.rowId = "tid:43";
        // No comparison of ranges is possible: two different rows are compared only if both are rows of threads.
        QVERIFY(!comparePositions(a, b));
        a.rowRole = b.rowRole = TrackRole::Thread;
        const auto threads = comparePositions(a, b);
        QVERIFY(threads && threads->comparesThreads && threads->isLinked);
        QCOMPARE(threads->alignBy, AlignmentControl::By::Subject);
    }

    void twoCallsAreComparedAsTheirThreads()
    {
        SessionState a = example();
        a.traces = {"/t"};
        a.isRowOfCalls = true;
        a.selection = {timestamp(1000), timestamp(1400)};
        SessionState b = a;
        QVERIFY(!comparePositions(a, b)); // No comparison is made if both positions select the same call.
        b.selection = {timestamp(5000), timestamp(5200)};
        const auto calls = comparePositions(a, b); // Positions A and B now select two different calls of one thread, in the same row.
        QVERIFY(calls && calls->comparesThreads && !calls->isLinked);
        b.isRowOfCalls = false;
        b.rowRole = TrackRole::Thread;
        b.rowId = "tid:43";
        const auto withThread = comparePositions(a, b);
        QVERIFY(withThread && withThread->comparesThreads);
    }

    void timesOutOfAllReasonAreHeldWhereSumsOfThemEnd()
    {
        const QTemporaryDir folder;
        const auto state = loadSession(
            written(folder, "{\"heliograph\":1,\"traces\":[\"t\"],\"visible\":[\"-9223372036854775808\",\"9223372036854775807\"]}"));
        QVERIFY(state);
        QVERIFY(state->visible.duration() > Duration(0));
        QVERIFY(state->visible.end + state->visible.duration() > state->visible.end);
    }

    void wrongTypesAreTakenAsAbsent()
    {
        const QTemporaryDir folder;
        const auto state = loadSession(written(folder,
                                               "{\"heliograph\":1,\"traces\":[1,null,\"t\"],\"visible\":\"x\",\"selection\":[\"9\",\"3\"],"
                                               "\"bookmarks\":[3,{}],\"row\":[],\"layout\":7}"));

        QVERIFY(state);
        QCOMPARE(state->traces, QStringList{folder.filePath("t")});
        QVERIFY(state->visible.isEmpty());
        QVERIFY(state->selection.isEmpty());
        QCOMPARE(state->bookmarks.size(), std::size_t(2));
        QCOMPARE(state->rowTrace, -1);
    }
};

HELIO_TEST(SessionFileTest)
#include "tst_session_file.moc"
