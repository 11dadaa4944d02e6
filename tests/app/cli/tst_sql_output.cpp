#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const QString Sample = SOURCE_DIR "/resources/samples/workers";
const QString Query = "SELECT 1 AS a, NULL AS b, 'x \"y\"' AS c, 0.5 AS d UNION ALL SELECT 9007199254740993, 2, 'z', NULL";

} // namespace

class SqlOutputTest : public QObject {
    Q_OBJECT

private slots:
    void rowsAreWrittenInEachFormat()
    {
        QCOMPARE(heliograph({"sql", Sample, Query, "--format", "csv"}).out,
                 QByteArray("a,b,c,d\r\n1,,\"x \"\"y\"\"\",0.5\r\n9007199254740993,2,z,\r\n"));
        QCOMPARE(
            heliograph({"sql", Sample, Query, "--format", "json"}).out,
            QByteArray("{\"a\":1,\"b\":null,\"c\":\"x \\\"y\\\"\",\"d\":0.5}\n{\"a\":9007199254740993,\"b\":2,\"c\":\"z\",\"d\":null}\n"));
        QCOMPARE(heliograph({"sql", Sample, "SELECT 7 AS seven"}).out, QByteArray("seven\n    7\n"));
    }
    void countsEqualThoseOfOtherCommands()
    {
        const QByteArray events = heliograph({"events", Sample, "--count"}).out.trimmed();
        QCOMPARE(heliograph({"sql", Sample, "SELECT count(*) FROM event", "--format", "csv"}).lines().value(1), events);
        QHash<QByteArray, QByteArray> sums;
        for (const QByteArray& line : heliograph({"latency", Sample, "--of", "syscall", "--format", "csv"}).lines().mid(1))
            sums.insert("sys_" + csvCells(line)[0], csvCells(line)[2] + ',' + csvCells(line)[3]);
        QVERIFY(sums.size() > 5);
        const QString query =
            "SELECT slice.name, count(*), sum(dur) FROM slice JOIN track ON track.id = track_id WHERE type = 'syscall' GROUP BY 1";
        const auto lines = heliograph({"sql", Sample, query, "--format", "csv"}).lines().mid(1);
        QCOMPARE(lines.size(), sums.size());
        for (const QByteArray& line : lines)
            QCOMPARE(csvCells(line)[1] + ',' + csvCells(line)[2], sums.value(csvCells(line)[0]));
    }
    void statementsComeFromAFile()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("q.sql"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("CREATE VIEW v AS SELECT 3 AS n;\n-- a comment; with a semicolon\nSELECT n FROM v;\n");
        file.close();
        QCOMPARE(heliograph({"sql", Sample, "--query-file", file.fileName(), "--format", "csv"}).out, QByteArray("n\r\n3\r\n"));
    }
    void wrongCallsSayWhatIsWrong()
    {
        QCOMPARE(heliograph({"sql", Sample}).status, 2);
        QVERIFY(heliograph({"sql", Sample}).err.contains("a statement is missing"));
        const ProgramResult wrong = heliograph({"sql", Sample, "SELECT\nnone FROM thread"});
        QCOMPARE(wrong.status, 2);
        QCOMPARE(wrong.err, QByteArray("heliograph: line 2, column 1: no such column: none\n"));
        QVERIFY(heliograph({"sql", Sample, "--query-file", "/nowhere.sql"}).err.contains("cannot read /nowhere.sql"));
        QVERIFY(heliograph({"sql", Sample, "ATTACH '/tmp/x.db' AS x"}).err.contains("Not allowed"));
    }
    void promptReadsStatementsAndCommands()
    {
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(HELIOGRAPH_PROGRAM, {"sql", Sample, "--interactive", "--format", "csv"});
        process.write("SELECT 1\nAS one;\nSELEC;\n.tables\n.schema trace_bounds\n.what\n.quit\nSELECT 2;\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY(out.startsWith("one\r\n1\r\n"));
        QVERIFY(out.contains("\r\nthread_state,virtual\r\n"));
        QVERIFY(out.contains("\r\nstart_ts,INTEGER\r\n"));
        QVERIFY(out.contains(".explain SELECT"));
        QVERIFY(!out.contains("\r\n2\r\n"));
        QVERIFY(process.readAllStandardError().contains("syntax error"));
        QCOMPARE(process.exitCode(), 1); // A script sees that a statement failed.
    }
    void missingSamplesAreTold()
    {
        const ProgramResult none = heliograph({"sql", Sample, "SELECT count(*) AS n FROM perf_sample", "--format", "csv"});
        QCOMPARE(none.status, 0);
        QCOMPARE(none.out, QByteArray("n\r\n0\r\n"));
        QVERIFY2(none.err.startsWith("heliograph: the recording has no samples; ") && none.err.contains("perf record ")
                     && none.err.count('\n') == 1,
                 none.err.constData());
        QCOMPARE(heliograph({"sql", Sample, "SELECT count(*) FROM perf_sample", "--quiet"}).err, QByteArray());
        QCOMPARE(heliograph({"sql", Sample, "SELECT count(*) FROM thread"}).err, QByteArray());
        const QString recording = SOURCE_DIR "/tests/fixtures/perf/calls-part.data";
        const ProgramResult nameless = heliograph({"sql", recording, "SELECT name FROM stack_profile_frame LIMIT 0"});
        QVERIFY2(nameless.err.contains(" have no name; most frequent reason: "), nameless.err.constData());
        const ProgramResult counted = heliograph({"sql", recording, "SELECT count(*) FROM perf_sample"});
        QVERIFY2(!counted.err.contains(" have no name") && !counted.err.contains(" no samples"), counted.err.constData());
    }
};

HELIO_TEST(SqlOutputTest)
#include "tst_sql_output.moc"
