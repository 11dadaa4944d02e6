#include "app/session_file.h"

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
    state.bookmarks = {{{timestamp(5), timestamp(5)}, "start"}, {{timestamp(7), timestamp(9)}, "slow \"part\""}};
    state.search = "name == \"sched_switch\"";
    state.filter = "cpu == 1";
    state.layout["right"] = 416;
    return state;
}

} // namespace

class SessionFileTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsSavedIsLoaded()
    {
        const QTemporaryDir folder;
        SessionState state = example();
        state.traces = {folder.filePath("traces/kernel"), "/elsewhere/ust"};
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
        QVERIFY(loaded->bookmarks == state.bookmarks);
        QCOMPARE(loaded->search, state.search);
        QCOMPARE(loaded->filter, state.filter);
        QCOMPARE(loaded->layout, state.layout);
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
        QVERIFY(!parseSession(json));
    }

    void wrongTypesAreTakenAsAbsent()
    {
        const auto state = parseSession("{\"heliograph\":1,\"traces\":[1,null,\"t\"],\"visible\":\"x\",\"selection\":[\"9\",\"3\"],"
                                        "\"bookmarks\":[3,{}],\"row\":[],\"layout\":7}");

        QVERIFY(state);
        QCOMPARE(state->traces, QStringList{"t"});
        QVERIFY(state->visible.isEmpty());
        QVERIFY(state->selection.isEmpty());
        QCOMPARE(state->bookmarks.size(), std::size_t(2));
        QCOMPARE(state->rowTrace, -1);
    }
};

QTEST_GUILESS_MAIN(SessionFileTest)
#include "tst_session_file.moc"
