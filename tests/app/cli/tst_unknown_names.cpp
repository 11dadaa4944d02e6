// Input: options that name a thread, process or format that does not exist. Property: all commands print the same message.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class UnknownNamesTest : public QObject {
    Q_OBJECT

private slots:
    void areErrorsThatNameTheOption_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("states") << QStringList{"states", "--view", "control-flow"};
        QTest::newRow("summary") << QStringList{"states", "--view", "control-flow", "--summary"};
        QTest::newRow("stats") << QStringList{"stats", "--view", "control-flow"};
        QTest::newRow("tracks") << QStringList{"tracks", "--view", "control-flow"};
        QTest::newRow("latency") << QStringList{"latency", "--of", "syscall"};
        QTest::newRow("list") << QStringList{"latency", "--of", "wakeup", "--list"};
        QTest::newRow("locks") << QStringList{"locks"};
        QTest::newRow("links") << QStringList{"links", "--view", "control-flow"};
        QTest::newRow("events") << QStringList{"events"};
        QTest::newRow("count") << QStringList{"events", "--count"};
        QTest::newRow("types") << QStringList{"events", "--by-type"};
    }
    void areErrorsThatNameTheOption()
    {
        QFETCH(QStringList, command);
        command.insert(1, sampleTrace());

        const ProgramResult process = heliograph(command + QStringList{"--process", "nosuch"});
        QVERIFY2(process.err.contains("heliograph: --process nosuch: no process had this name"), process.err);
        QCOMPARE(process.status, 2);
        const ProgramResult thread = heliograph(command + QStringList{"--thread", "99999"});
        QVERIFY2(thread.err.contains("heliograph: --thread 99999: no such thread"), thread.err);
        QCOMPARE(thread.status, 2);
        const ProgramResult early =
            // The command reports no error, because the thread exists, although it has no data in this range.
            heliograph(command + QStringList{"--thread", "252", "--end", "+1ns"});
        QVERIFY2(!early.err.contains("--thread"), early.err);
        QCOMPARE(early.status, 0);
    }

    void anUnknownFormatIsAnErrorWithTheKnownOnes()
    {
        const ProgramResult unknown = heliograph({"info", sampleTrace(), "--input-format", "nosuch"});
        QVERIFY2(unknown.err.contains("--input-format: \"nosuch\" is not one of ") && unknown.err.contains("ftrace-text"), unknown.err);
        QCOMPARE(unknown.status, 2);
        const ProgramResult known = heliograph({"info", sampleTrace(), "--input-format", "ctf"});
        QCOMPARE(known.status, 0);
        const ProgramResult other = heliograph({"info", sampleTrace(), "--input-format", "perf.data"});
        QCOMPARE(other.status, 1);
    }
};

HELIO_TEST(UnknownNamesTest)
#include "tst_unknown_names.moc"
