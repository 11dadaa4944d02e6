// `index --summary`: every number of a line equals what info, findings and latency print for the same trace; failures have lines, too; and
// several processes append to one file.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

using namespace helio;

namespace {

QList<QJsonObject> summariesIn(const QString& path)
{
    QFile file(path);
    QList<QJsonObject> summaries;
    if (file.open(QIODevice::ReadOnly))
        for (const QByteArray& line : file.readAll().split('\n'))
            if (!line.isEmpty())
                summaries << QJsonDocument::fromJson(line).object();
    return summaries;
}

QList<QJsonObject> summariesOf(const QStringList& traces)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath("a.jsonl");
    heliograph(QStringList{"index", "--quiet", "--summary", file} + traces);
    return summariesIn(file);
}

QJsonObject documentOf(const QStringList& arguments) { return QJsonDocument::fromJson(heliograph(arguments).out).object(); }

QByteArray text(const QJsonValue& value)
{
    return value.isNull() || value.isUndefined() ? QByteArray()
        : value.isString()                       ? value.toString().toUtf8()
                                                 : QByteArray::number(value.toInteger());
}

/// Returns the percentile of durations by nearest rank.
qint64 percentileOf(std::vector<qint64>& lengths, std::size_t percent)
{
    std::ranges::sort(lengths);
    return lengths[(lengths.size() * percent + 99) / 100 - 1];
}

} // namespace

class IndexSummaryTest : public QObject {
    Q_OBJECT

private slots:
    void numbersEqualThoseOfOtherCommands_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("sample") << sampleTrace();
        for (const char* fixture :
             {"kernel-small", "lossy-small", "ust-callstack", "host-guest-small", "containers-small", "perf/calls-part.data"})
            QTest::newRow(fixture) << QStringLiteral(SOURCE_DIR "/tests/fixtures/") + fixture;
        for (const auto& [collection, below] :
             {std::pair("lttng-kernel", "plain"), std::pair("disks", "disks"), std::pair("two-hosts", "web"),
              std::pair("host-guest", "host"), std::pair("solo-vs-parallel-perf", "data/parallel4-sched.data"),
              std::pair("mpi-imbalance", "mpi-imbalance"), std::pair("heap", "heap")})
            QTest::newRow(collection) << QStringLiteral("real:") + collection + ':' + below;
    }
    void numbersEqualThoseOfOtherCommands()
    {
        QFETCH(QString, path);
        if (path.startsWith("real:")) {
            const QString collection = path.section(':', 1, 1), below = path.section(':', 2);
            path = realTrace(collection, below);
            if (path.isEmpty())
                QSKIP(qPrintable(missingTrace(collection, below)));
        }
        const QList<QJsonObject> summaries = summariesOf({path});
        QVERIFY(!summaries.isEmpty());
        for (const QJsonObject& summary : summaries) {
            QVERIFY2(!summary.contains("error"), qPrintable(summary["error"].toString()));
            checkFacts(summary);
            checkFindings(summary);
            checkLatencies(summary);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void theBusyShareIsThatOfTheStates()
    {
        const QJsonObject summary = summariesOf({sampleTrace()})[0];
        double busy = 0;
        QSet<QByteArray> cpus;
        for (const CsvRow& row : csvRows(heliograph({"stats", sampleTrace(), "--view", "resources", "--format", "csv"}))) {
            if (row["row"].count('/') > 0 || !row["row"].startsWith("cpu:"))
                continue;
            cpus << row["row"];
            if (row["state"] != "idle" && row["state"] != "unknown")
                busy += row["total_ns"].toDouble();
        }
        QCOMPARE(cpus.size(), 4);
        const double whole = double(summary["end_ns"].toInteger() - summary["begin_ns"].toInteger()) * double(cpus.size());
        QVERIFY(busy > 0);
        QVERIFY(std::abs(summary["cpu_busy_share"].toDouble() - busy / whole) < 1e-6);
    }

    void eachTraceHasALine()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("all.jsonl");
        const QString wrong = test::writeFile(folder.filePath("wrong.data"),
                                              "\x7f"
                                              "ELF, not a recording");
        const QString none = folder.filePath("none");
        const ProgramResult run = heliograph({"index", SOURCE_DIR "/tests/fixtures/two-hosts-small", wrong, none, "--summary", file,
                                              "--quiet", "--tag", "workload=a=b", "--tag", "run=7", "--nice", "19", "--jobs", "1"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(("heliograph: " + none + ": no such file or folder\n").toUtf8()), run.err.constData());
        QVERIFY2(run.err.contains(("heliograph: " + wrong + ": it is an ELF program").toUtf8()), run.err.constData());
        QVERIFY2(run.err.contains("heliograph: 2 of 4 recordings could not be read completely; "), run.err.constData());
        const QList<QJsonObject> summaries = summariesIn(file);
        QCOMPARE(summaries.size(), 4);
        QSet<QString> hosts;
        for (int i = 0; i < 2; ++i) {
            hosts << summaries[i]["host"].toString();
            QVERIFY(!summaries[i]["identity"].toString().isEmpty());
            QVERIFY(QFileInfo(summaries[i]["path"].toString()).isAbsolute() && QFileInfo::exists(summaries[i]["path"].toString()));
            QCOMPARE(summaries[i]["tags"].toObject(), (QJsonObject{{"workload", "a=b"}, {"run", "7"}}));
        }
        QCOMPARE(hosts.size(), 2);
        QVERIFY(summaries[2]["error"].toString().startsWith("it is an ELF program"));
        QCOMPARE(summaries[3]["error"].toString(), QString("no such file or folder"));
        QCOMPARE(summaries[3]["path"].toString(), none);
        QVERIFY(!summaries[3].contains("identity"));
    }

    void aSecondRunAppendsTheSameIdentities()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("all.jsonl");
        for (int i = 0; i < 2; ++i)
            QCOMPARE(heliograph({"index", sampleTrace(), "--summary", file, "--quiet"}).status, 0);
        QList<QJsonObject> summaries = summariesIn(file);
        QCOMPARE(summaries.size(), 2);
        QVERIFY(summaries[0]["indexed_ns"].toInteger() < summaries[1]["indexed_ns"].toInteger());
        for (QJsonObject& summary : summaries)
            summary.remove("indexed_ns");
        QCOMPARE(summaries[0], summaries[1]);
    }

    void processesAppendToOneFile()
    {
        constexpr int Processes = 4;
        const QTemporaryDir folder, home;
        const QString file = folder.filePath("all.jsonl");
        auto environment = plainEnvironment();
        environment.insert("XDG_CACHE_HOME", home.path());
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < Processes; ++i) {
            processes.push_back(std::make_unique<QProcess>());
            processes.back()->setProcessEnvironment(environment);
            processes.back()->start(HELIOGRAPH_PROGRAM,
                                    {"index", sampleTrace(), SOURCE_DIR "/tests/fixtures/kernel-small", "--summary", file, "--quiet"});
        }
        for (const auto& process : processes) {
            QVERIFY(process->waitForFinished(120'000));
            QCOMPARE(process->exitCode(), 0);
        }
        const QList<QJsonObject> summaries = summariesIn(file);
        QCOMPARE(summaries.size(), 2 * Processes);
        QVERIFY(std::ranges::none_of(summaries, [](const QJsonObject& it) { return it["identity"].toString().isEmpty(); }));
    }

    void tracesInArchivesCanBeOpenedByTheirPaths()
    {
        const QTemporaryDir folder;
        const QString archive = folder.filePath("traces.tar");
        QCOMPARE(runTool("tar", {"-C", SOURCE_DIR "/tests/fixtures", "-cf", archive, "two-hosts-small"}, plainEnvironment()).status, 0);
        const QList<QJsonObject> summaries = summariesOf({archive});
        QCOMPARE(summaries.size(), 2);
        for (const QJsonObject& summary : summaries) {
            QVERIFY(summary["path"].toString().startsWith(archive + '/'));
            checkFacts(summary);
        }
    }

    void wrongUsageIsExplained()
    {
        const auto errorOf = [](const QStringList& arguments) {
            const ProgramResult run = heliograph(QStringList{"index", sampleTrace()} + arguments);
            return run.status == 2 ? run.err.left(run.err.indexOf('\n')) : QByteArray("accepted");
        };
        QCOMPARE(errorOf({"--tag", "a=b"}), QByteArray("heliograph: --tag: only valid with --summary"));
        QCOMPARE(errorOf({"--summary", "x", "--tag", "=b"}), QByteArray("heliograph: --tag: \"=b\" is not NAME=VALUE"));
        QCOMPARE(errorOf({"--nice", "20"}), QByteArray("heliograph: --nice: 20 is not from 0 to 19"));
        QCOMPARE(errorOf({"--nice", "-1"}), QByteArray("heliograph: --nice: -1 is not from 0 to 19"));
        const ProgramResult unwritable = heliograph({"index", sampleTrace(), "--summary", "/no/such/folder/a.jsonl", "--quiet"});
        QCOMPARE(unwritable.status, 1);
        QCOMPARE(unwritable.err, QByteArray("heliograph: /no/such/folder/a.jsonl: cannot open: No such file or directory\n"));
    }

private:
    static void checkFacts(const QJsonObject& summary)
    {
        const QJsonObject document = documentOf({"info", summary["path"].toString(), "--json", "--quiet"});
        const QJsonArray traces = document["traces"].toArray();
        QCOMPARE(summary["traces"].toInteger(), traces.size());
        const QJsonObject info = traces[0].toObject();
        for (const char* member : {"path", "uuid", "host", "format", "reader"})
            QCOMPARE(summary[QLatin1String(member)].toString(), info[QLatin1String(member)].toString());
        for (const char* member : {"begin_ns", "end_ns"})
            QCOMPARE(summary[QLatin1String(member)], document[QLatin1String(member)]);
        for (const char* member : {"events", "lost_events", "lost_packets", "gaps", "streams", "cpus", "bytes"}) {
            qint64 sum = 0;
            for (const auto& trace : traces)
                sum += trace.toObject()[QLatin1String(member)].toInteger();
            QVERIFY2(summary[QLatin1String(member)].toInteger() == sum, member);
        }
        const QJsonObject environment = info["env"].toObject();
        const QString release = environment["kernel_release"].toString();
        QCOMPARE(summary["kernel"].toString(), release.isEmpty() ? environment["release"].toString() : release);
    }

    static void checkFindings(const QJsonObject& summary)
    {
        const QJsonObject document = documentOf({"findings", summary["path"].toString(), "--json", "--quiet"});
        const QJsonArray expected = document["findings"].toArray(), found = summary["findings"].toArray();
        QCOMPARE(found.size(), expected.size());
        for (qsizetype i = 0; i < found.size(); ++i)
            for (const char* member :
                 {"finder", "text", "detail", "explained_ns", "share", "begin_ns", "end_ns", "host", "occurrences", "check"}) {
                const QJsonValue wanted = expected[i].toObject()[QLatin1String(member)];
                QCOMPARE(found[i].toObject()[QLatin1String(member)], wanted.isNull() ? QJsonValue("") : wanted);
            }
        const QJsonArray notes = document["quality"].toArray(), quality = summary["quality"].toArray();
        QCOMPARE(quality.size(), notes.size());
        for (qsizetype i = 0; i < notes.size(); ++i)
            for (const char* member : {"text", "problem"})
                QCOMPARE(quality[i].toObject()[QLatin1String(member)], notes[i].toObject()[QLatin1String(member)]);
    }

    static void checkLatencies(const QJsonObject& summary)
    {
        const QString path = summary["path"].toString();
        QHash<QString, QList<QJsonObject>> byKind;
        for (const auto& it : summary["latencies"].toArray())
            byKind[it.toObject()["kind"].toString()] << it.toObject();
        for (const char* kind : {"wakeup", "syscall", "block"}) {
            QHash<QByteArray, CsvRow> rows;
            qint64 count = 0, total = 0;
            for (const CsvRow& row : csvRows(heliograph({"latency", path, "--of", kind, "--format", "csv", "--quiet"}))) {
                rows.insert(row["name"], row);
                count += row["count"].toLongLong();
                total += row["total_ns"].toLongLong();
            }
            const QList<QJsonObject> digests = byKind.value(kind);
            QVERIFY2(rows.isEmpty() == digests.isEmpty(), kind);
            if (rows.isEmpty())
                continue;
            std::vector<qint64> lengths;
            for (const CsvRow& row : csvRows(heliograph({"latency", path, "--of", kind, "--list", "--format", "csv", "--quiet"})))
                lengths.push_back(row["duration_ns"].toLongLong());
            const QJsonObject all = digests.first();
            QCOMPARE(all["name"].toString(), QString());
            QCOMPARE(all["count"].toInteger(), count);
            QCOMPARE(all["total_ns"].toInteger(), total);
            QCOMPARE(qsizetype(lengths.size()), count);
            QCOMPARE(all["min_ns"].toInteger(), std::ranges::min(lengths));
            QCOMPARE(all["max_ns"].toInteger(), std::ranges::max(lengths));
            for (const auto& [member, percent] : {std::pair("p50_ns", 50), std::pair("p90_ns", 90), std::pair("p99_ns", 99)})
                QCOMPARE(all[QLatin1String(member)].toInteger(), percentileOf(lengths, std::size_t(percent)));
            QCOMPARE(digests.size() > 1, QByteArray(kind) != "wakeup" && (rows.size() > 1 || !rows.contains("")));
            for (const QJsonObject& digest : digests.mid(1)) {
                const CsvRow row = rows.value(digest["name"].toString().toUtf8());
                for (const char* member : {"count", "total_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns"})
                    QCOMPARE(text(digest[QLatin1String(member)]), row[member]);
            }
        }
    }
};

HELIO_TEST(IndexSummaryTest)
#include "tst_index_summary.moc"
