// Output of heliograph compare for programs with several threads. Property: the first thread's wait for other threads is never the
// reported cause.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace helio;

namespace {

/// Returns perf script text of process 10, with samples of 10 ms each: one of the first thread, then `workers` samples of each of two
/// other threads.
QByteArray samples(int workers)
{
    QByteArray text;
    const auto add = [&](const char* thread, int at, const char* frames) {
        text += QByteArray("prog ") + thread + " [000] 1." + QByteArray::number(1000 + 10 * at).mid(1) + "000: 10000000 cpu-clock: \n"
            + frames + '\n';
    };
    add("10/10", 0, "\t55d1 join+0x10 (/bin/prog)\n\t55d2 main+0x20 (/bin/prog)\n");
    for (int i = 0; i < workers; ++i) {
        add("10/11", 1 + 2 * i, "\t66d1 compare+0x10 (/bin/prog)\n\t66d2 work+0x20 (/bin/prog)\n");
        add("10/12", 2 + 2 * i, "\t66d1 compare+0x10 (/bin/prog)\n\t66d2 work+0x20 (/bin/prog)\n");
    }
    return text;
}

/// Returns perf script text of process 10, in which the first thread waits while the second thread runs for `ms`. With `wakes`, the text
/// has the wake-up of the first thread by the second.
QByteArray switches(int ms, bool wakes)
{
    const auto time = [](int at) { return "1." + QByteArray::number(1000 + at).mid(1) + "000000"; };
    const auto switchTo = [&](int at, const char* from, int fromTid, const char* state, const char* to, int toTid) {
        return QByteArray("%1 %2 [000] ").replace("%1", from).replace("%2", "10/" + QByteArray::number(fromTid)) + time(at)
            + ": sched:sched_switch: prev_comm=" + from + " prev_pid=" + QByteArray::number(fromTid) + " prev_prio=120 prev_state=" + state
            + " ==> next_comm=" + to + " next_pid=" + QByteArray::number(toTid) + " next_prio=120\n";
    };
    QByteArray text = switchTo(0, "prog", 10, "S", "worker", 11);
    if (wakes)
        text += "worker 10/11 [000] " + time(ms) + ": sched:sched_wakeup: comm=prog pid=10 prio=120 target_cpu=000\n";
    text += switchTo(ms, "worker", 11, "S", "prog", 10);
    return text + switchTo(ms + 5, "prog", 10, "S", "swapper/0", 0);
}

QJsonObject compared(const QString& a, const QString& b, const QStringList& more = {})
{
    const ProgramResult answer = heliograph(QStringList{"compare", "--quiet", "--json", "--process", "prog", "--a", a, "--b", b} + more);
    return QJsonDocument::fromJson(answer.out).object();
}

qint64 sumOf(const QJsonObject& breakdown, const char* column)
{
    qint64 sum = 0;
    for (const QJsonValue& row : breakdown["rows"].toArray())
        if (row["state"] != QLatin1String("sum"))
            sum += row[QLatin1String(column)].toInteger();
    return sum;
}

} // namespace

class CompareThreadsTest : public QObject {
    Q_OBJECT

private slots:
    void withSamplesAloneTheCpuTimeOfAllThreadsIsCompared()
    {
        QTemporaryDir folder;
        const QString a = test::writeFile(folder.path() + "/" + "a.txt", samples(12)),
                      b = test::writeFile(folder.path() + "/" + "b.txt", samples(30));
        const QJsonObject breakdown = compared(a, b);
        QCOMPARE(breakdown["rows_of"].toString(), "cpu-time");
        QCOMPARE(breakdown["cpu_a_ns"].toInteger(), 25 * 10'000'000);
        QCOMPARE(breakdown["cpu_b_ns"].toInteger(), 61 * 10'000'000);
        QCOMPARE(sumOf(breakdown, "a_ns"), 25 * 10'000'000);
        QCOMPARE(sumOf(breakdown, "b_ns"), 61 * 10'000'000);
        // Wall time of process 10 in text B, from its first sample to its last sample, in ns.
        QCOMPARE(breakdown["wall_b_ns"].toInteger(), 600'000'000);
        const QString said = breakdown["conclusion"].toString();
        QVERIFY2(said.startsWith("In B, 3 threads used 2.44 times the CPU time of A (+360\u00a0ms): +360\u00a0ms in compare."),
                 qPrintable(said));
        QVERIFY2(said.contains("Wait causes were not recorded: record scheduler events."), qPrintable(said));
    }

    void theRootOfTheDifferentialFlameGraphIsTheCpuTimeOfTheHeadline()
    {
        QTemporaryDir folder;
        const QString a = test::writeFile(folder.path() + "/" + "a.txt", samples(12)),
                      b = test::writeFile(folder.path() + "/" + "b.txt", samples(30));
        QXmlStreamReader reader(heliograph({"compare", "--quiet", "--process", "prog", "--format", "svg", "--a", a, "--b", b}).out);
        QString root, title;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.attributes().value("data-d") == QLatin1String("0")) {
                title = reader.attributes().value("data-n").toString();
                root = reader.attributes().value("data-s").toString();
            }
        QCOMPARE(title, "prog, CPU time of all threads per process");
        QCOMPARE(root.simplified(), QStringLiteral("\u00d72.44 +360\u00a0ms").simplified());
    }

    void withStatesTheCriticalPathIsExplained()
    {
        QTemporaryDir folder;
        const QString a = test::writeFile(folder.path() + "/" + "a.txt", switches(100, true)),
                      b = test::writeFile(folder.path() + "/" + "b.txt", switches(400, true));
        const QJsonObject breakdown = compared(a, b);
        QCOMPARE(breakdown["rows_of"].toString(), "critical-path");
        QCOMPARE(sumOf(breakdown, "b_ns"), breakdown["wall_b_ns"].toInteger());
        const QJsonValue first = breakdown["rows"].toArray().first();
        QCOMPARE(first["state"].toString(), "running"); // This is running time of the second thread, for which the first thread waits.
        QCOMPARE(first["difference_ns"].toInteger(), 300'000'000);
        for (const QJsonValue& row : breakdown["rows"].toArray())
            QVERIFY(row["state"] != QLatin1String("sleeping"));
        QVERIFY2(breakdown["conclusion"].toString().startsWith("In B, the critical path took 300\u00a0ms more CPU time"),
                 qPrintable(breakdown["conclusion"].toString()));
        // Sum of the running times that the command critical-path prints for side B. The breakdown must have the same sum.
        qint64 running = 0;
        for (const CsvRow& row : csvRows(heliograph({"critical-path", b, "--thread", "10", "--summary", "--format", "csv", "--quiet"})))
            running += row["kind"] == "running" ? row["total_ns"].toLongLong() : 0;
        qint64 ours = 0;
        for (const QJsonValue& row : breakdown["rows"].toArray())
            ours += row["state"] == QLatin1String("running") ? row["b_ns"].toInteger() : 0;
        QCOMPARE(ours, running);
    }

    void withoutWakeUpsTheFirstThreadsWaitIsNoReason()
    {
        QTemporaryDir folder;
        const QString a = test::writeFile(folder.path() + "/" + "a.txt", switches(100, false)),
                      b = test::writeFile(folder.path() + "/" + "b.txt", switches(400, false));
        const QJsonObject breakdown = compared(a, b);
        QCOMPARE(breakdown["rows_of"].toString(), "cpu-time");
        QCOMPARE(breakdown["cpu_b_ns"].toInteger(), 405'000'000);
        QCOMPARE(sumOf(breakdown, "b_ns"), 405'000'000);
        QVERIFY2(breakdown["conclusion"].toString().contains("wake-ups"), qPrintable(breakdown["conclusion"].toString()));
    }

    void aRecordingOfOneThreadIsExplainedByItsStates()
    {
        QTemporaryDir folder;
        QByteArray text = switches(100, true);
        text.replace("10/11", "11/11"); // Move the second thread to another process: PID 11 instead of 10.
        const QString a = test::writeFile(folder.path() + "/" + "a.txt", text);
        text = switches(400, true).replace("10/11", "11/11");
        const QString b = test::writeFile(folder.path() + "/" + "b.txt", text);
        const QJsonObject breakdown = compared(a, b);
        QCOMPARE(breakdown["rows_of"].toString(), "wall-time");
        QCOMPARE(breakdown["rows"].toArray().first()["state"].toString(), "sleeping");
    }

    void theSumsAreThoseOfPerfScript()
    {
        const QString recording = SOURCE_DIR "/tests/fixtures/perf/fp.data";
        QFile script(QString(recording).replace(".data", ".script.txt"));
        QVERIFY(script.open(QIODevice::ReadOnly));
        qint64 sum = 0;
        static const QRegularExpression period("(\\d+) cpu-clock");
        for (auto it = period.globalMatch(QString::fromUtf8(script.readAll())); it.hasNext();)
            sum += it.next().captured(1).toLongLong();
        const ProgramResult answer = heliograph({"compare", "--quiet", "--json", "--process", "demo", "--a", recording, "--b", recording});
        const QJsonObject breakdown = QJsonDocument::fromJson(answer.out).object();
        QCOMPARE(breakdown["rows_of"].toString(), "cpu-time");
        QVERIFY(sum > 0);
        QCOMPARE(breakdown["cpu_a_ns"].toInteger(), sum);
        QCOMPARE(sumOf(breakdown, "b_ns"), sum);
        QCOMPARE(breakdown["conclusion"].toString().section(QLatin1Char('.'), 0, 0), "Both sides take equally long");
    }
};

HELIO_TEST(CompareThreadsTest)
#include "tst_compare_threads.moc"
