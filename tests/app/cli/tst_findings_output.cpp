// The command "findings": the known causes of recordings come first, and the document has the members of its contract.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace helio;

namespace {

QJsonObject findingsOf(const QStringList& arguments)
{
    const ProgramResult run = heliograph(QStringList{"findings", "--json", "--quiet"} + arguments);
    return run.status == 0 ? QJsonDocument::fromJson(run.out).object() : QJsonObject();
}

} // namespace

class FindingsOutputTest : public QObject {
    Q_OBJECT

private slots:
    void knownCausesComeFirst_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QStringList>("traces");
        QTest::addColumn<QString>("finder");
        QTest::addColumn<QString>("words"); // In the finding's text or detail.
        const auto add = [](const char* name, const char* collection, const QStringList& traces, const char* finder, const char* words) {
            test::addRow(name, QString(collection), traces, QString(finder), QString::fromUtf8(words));
        };
        add("quota", "disks", {"disks"}, "throttling", "diskload (200) was throttled 41 times, every 250 ms: probable CPU quota");
        add("period", "disks", {"disks"}, "periodic-stalls", "Calls of pread64 end every 250.08 ms (99 % of 71 in phase)");
        add("fsync", "lttng-kernel", {"plain"}, "slow-storage", "fsync took up to 117 ms");
        add("tail", "lttng-kernel", {"plain"}, "scheduling-tail", "worker-3 (264), 39.7 ms behind mixwork (260)");
        add("hog", "host-guest", {"host", "guestA", "guestB"}, "steal", "of it to vCPU 0 of guestB: hog (177)");
        add("late rank", "mpi-imbalance", {"mpi-imbalance"}, "late-rank", "MPI rank 3 is last at 6 of 12 barriers");
        add("leak", "heap", {"heap"}, "memory", "98\u2009804 bytes in 29 blocks never freed");
        add("single thread", "two-hosts", {"client", "web", "db"}, "network", "for responses of python3 (199) on db");
    }
    void knownCausesComeFirst()
    {
        QFETCH(QString, collection);
        QFETCH(QStringList, traces);
        QFETCH(QString, finder);
        QFETCH(QString, words);
        QStringList paths;
        for (const QString& trace : traces) {
            const QString path = realTrace(collection, trace);
            if (path.isEmpty())
                QSKIP(qPrintable(missingTrace(collection, trace)));
            paths << path;
        }
        const QJsonArray findings = findingsOf(paths)["findings"].toArray();
        QStringList first;
        bool isFound = false;
        for (qsizetype i = 0; i < std::min<qsizetype>(3, findings.size()); ++i) {
            const QJsonObject it = findings[i].toObject();
            const QString said = it["text"].toString() + u'\n' + it["detail"].toString();
            first << it["finder"].toString() + ": " + said;
            isFound = isFound || (it["finder"].toString() == finder && said.contains(words));
        }
        QVERIFY2(isFound, qPrintable(first.join(u'\n')));
    }

    void quietRecordingsHaveNone_data()
    {
        QTest::addColumn<QString>("trace");
        for (const char* trace : {"login", "workers"})
            test::addRow(trace, QString(trace));
    }
    void quietRecordingsHaveNone()
    {
        QFETCH(QString, trace);
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", trace);
        const QJsonObject document = findingsOf({path});
        QVERIFY(document.contains("findings"));
        QCOMPARE(document["findings"].toArray().size(), 0);
        QCOMPARE(document["finders"]["run"].toInt(), document["finders"]["without"].toInt());
        QVERIFY(heliograph({"findings", path}).out.startsWith("Nothing stands out. "));
    }

    /// The shares are those of perf report (35.48 %, 29.12 %).
    void hotFunctionsAreFoundWithTheirSymbols()
    {
        HELIO_REQUIRE_TRACE(folder, "solo-vs-parallel-perf", "");
        const QJsonArray findings =
            findingsOf({folder + "/data/solo.data", "--symbols", folder + "/bin", "--kallsyms", folder + "/text/kallsyms.txt"})["findings"]
                .toArray();
        QStringList texts;
        for (const auto& it : findings)
            texts << it.toObject()["text"].toString();
        QCOMPARE(texts, (QStringList{"Page faults took 35 % of the CPU time", "gradient_ (matinit) took 29 % of the CPU time"}));
    }

    void sharedCpusAreFound()
    {
        HELIO_REQUIRE_TRACE(folder, "solo-vs-parallel-perf", "");
        const QJsonObject first = findingsOf({folder + "/data/parallel4-sched.data"})["findings"][0].toObject();
        QCOMPARE(first["finder"].toString(), QString("cpu-saturation"));
        QVERIFY2(first["text"].toString().startsWith("Both CPUs were 99 % busy for 2.96 s; "), qPrintable(first["text"].toString()));
    }

    /// The first barrier lasts from 13.5395 s to 13.5580 s: when the range begins, three ranks are in it, or none.
    void barriersKeepTheirNumbersInARange_data()
    {
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("words");
        test::addRow("in a barrier", QString("11:38:13.545"), QString("MPI rank 3 is last at 6 of 12 barriers"));
        test::addRow("after a barrier", QString("11:38:13.565"), QString("MPI rank 3 is last at 5 of 11 barriers"));
    }
    void barriersKeepTheirNumbersInARange()
    {
        HELIO_REQUIRE_TRACE(path, "mpi-imbalance", "mpi-imbalance");
        QFETCH(QString, begin);
        QFETCH(QString, words);
        QStringList texts;
        for (const auto& it : findingsOf({path, "--begin", begin})["findings"].toArray())
            texts << it.toObject()["text"].toString();
        QVERIFY2(std::ranges::any_of(texts, [&](const QString& text) { return text.startsWith(words); }), qPrintable(texts.join(u'\n')));
    }

    void documentsFollowTheContract()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "plain");
        const QJsonObject document = findingsOf({path});
        const QJsonArray findings = document["findings"].toArray();
        QVERIFY(!findings.isEmpty());
        qint64 least = std::numeric_limits<qint64>::max();
        for (const auto& value : findings) {
            const QJsonObject it = value.toObject();
            for (const char* member :
                 {"finder", "text", "explained_ns", "share", "begin_ns", "end_ns", "host", "rows", "evidence", "check", "actions"})
                QVERIFY2(it.contains(QLatin1String(member)), member);
            const qint64 explained = it["explained_ns"].toInteger();
            QVERIFY2(explained <= least, "the most time explained comes first");
            least = explained;
            QVERIFY(it["begin_ns"].toInteger() < it["end_ns"].toInteger());
            const QJsonArray evidence = it["evidence"].toArray();
            QVERIFY(!evidence.isEmpty());
            QVERIFY(evidence.size() <= it["occurrences"].toInteger());
            for (const auto& entry : evidence) {
                const QJsonObject one = entry.toObject();
                QVERIFY(one["time_ns"].toInteger() >= it["begin_ns"].toInteger());
                QVERIFY(one["time_ns"].toInteger() < it["end_ns"].toInteger());
                QVERIFY(one["duration_ns"].toInteger() > 0);
            }
        }
    }

    /// The times of a finding are those of the command with the same facts.
    void numbersEqualThoseOfOtherCommands()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "plain");
        QMap<QString, QJsonObject> byFinder;
        for (const auto& it : findingsOf({path})["findings"].toArray())
            byFinder.insert(it.toObject()["finder"].toString(), it.toObject());
        QList<qint64> waits; // Long waits for a CPU.
        for (const QByteArray& line : heliograph({"latency", path, "--of", "wakeup", "--list", "--format", "csv"}).lines().mid(1))
            if (const qint64 length = csvCells(line)[2].toLongLong(); length > 10'000'000)
                waits << length;
        const QJsonObject tail = byFinder["scheduling-tail"];
        QVERIFY2(tail["text"].toString().startsWith(QString::number(waits.size()) + " of "), qPrintable(tail["text"].toString()));
        QList<qint64> evidence;
        for (const auto& it : tail["evidence"].toArray())
            evidence << it.toObject()["duration_ns"].toInteger();
        std::ranges::sort(waits);
        std::ranges::sort(evidence);
        QCOMPARE(evidence, waits);
        qint64 longest = 0;
        for (const QByteArray& line : heliograph({"latency", path, "--of", "syscall", "--list", "--format", "csv"}).lines().mid(1))
            if (const auto cells = csvCells(line); cells[4] == "fsync")
                longest = std::max(longest, cells[2].toLongLong());
        qint64 found = 0;
        for (const auto& it : byFinder["slow-storage"]["evidence"].toArray())
            found = std::max(found, it.toObject()["duration_ns"].toInteger());
        QCOMPARE(found, longest);
    }

    /// The first change is the conclusion of the command compare.
    void changesBeginWithTheConclusionOfCompare()
    {
        HELIO_REQUIRE_TRACE(plain, "lttng-kernel", "plain");
        HELIO_REQUIRE_TRACE(ctx, "lttng-kernel", "ctx");
        const QJsonObject document = findingsOf({plain, "--against", ctx});
        const QJsonArray changes = document["changes"].toArray();
        QVERIFY(changes.size() > 1);
        const QJsonObject first = changes[0].toObject()["finding"].toObject();
        QCOMPARE(changes[0].toObject()["change"].toString(), QString("new"));
        QCOMPARE(first["finder"].toString(), QString("slower-program"));
        QCOMPARE(document["findings"][0].toObject()["finder"].toString(), QString("slower-program"));
        const ProgramResult compared = heliograph({"compare", "--a", ctx, "--b", plain, "--format", "json", "--quiet"});
        const QJsonObject why = QJsonDocument::fromJson(compared.out).object();
        QCOMPARE(first["explained_ns"].toInteger(), why["difference_ns"].toInteger());
        const QString conclusion = why["conclusion"].toString();
        QVERIFY2(!conclusion.isEmpty() && first["text"].toString().endsWith(conclusion.chopped(1)), qPrintable(first["text"].toString()));
        for (const auto& it : changes)
            QVERIFY(it.toObject()["share_before"].toDouble() != it.toObject()["share_after"].toDouble());
        QVERIFY(heliograph({"findings", plain, "--against", ctx}).out.startsWith(" 1. new: mixwork takes "));
        QVERIFY(heliograph({"findings", plain, "--against", plain}).out.startsWith("Nothing changed. "));
    }

    void selectionsLimitFindings()
    {
        HELIO_REQUIRE_TRACE(path, "disks", "disks");
        for (const auto& it : findingsOf({path, "--process", "watch"})["findings"].toArray()) {
            const QString finder = it.toObject()["finder"].toString();
            QVERIFY2(finder != "throttling" && finder != "cpu-saturation", qPrintable(finder));
        }
        const QJsonObject document = findingsOf({path, "--begin", "+1s", "--end", "+3s"});
        const QJsonObject first = document["findings"][0].toObject();
        QCOMPARE(first["finder"].toString(), QString("throttling"));
        QVERIFY(first["explained_ns"].toInteger() <= 2'000'000'000);
    }
};

HELIO_TEST(FindingsOutputTest)
#include "tst_findings_output.moc"
