// Commands on several hosts: clocks in the output of info, and unknown host names.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QStringList webFirst() { return {SOURCE_DIR "/tests/fixtures/two-hosts-small/web", SOURCE_DIR "/tests/fixtures/two-hosts-small/db"}; }

QJsonObject infoOf(int trace, const QStringList& more)
{
    const QByteArray text = heliograph(QStringList{"info", "--json", "--quiet"} + webFirst() + more).out;
    return QJsonDocument::fromJson(text).object()["traces"].toArray()[trace].toObject();
}

QString written(const QTemporaryDir& folder, const QByteArray& text)
{
    const QString name = folder.filePath("clocks.json");
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? name : QString();
}

} // namespace

class HostOptionsTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: if the clocks drift, info prints the clock correction in the middle of the trace, which lies between the corrections at
    /// the beginning and at the end.
    void infoSaysTheShiftInTheMiddleOfTheTrace()
    {
        const QJsonObject aligned = infoOf(1, {}), raw = infoOf(1, {"--no-sync"});
        const qint64 shift = aligned["clock"].toObject()["correction_ns"].toInteger();
        const qint64 atBegin = aligned["begin_ns"].toInteger() - raw["begin_ns"].toInteger();
        const qint64 atEnd = aligned["end_ns"].toInteger() - raw["end_ns"].toInteger();
        QVERIFY(atBegin != atEnd);
        QVERIFY2(std::abs(2 * shift - atBegin - atEnd) <= 4, qPrintable(QString::number(shift)));
        QCOMPARE(raw["clock"].toObject()["correction_ns"].toInteger(), 0);
        const QByteArray text = heliograph(QStringList{"info", "--quiet"} + webFirst()).out;
        QVERIFY2(text.contains("shifted by " + QByteArray::number(shift) + " ns in the middle of the trace"), text.constData());
    }

    void anOffsetIsTheSameEverywhere()
    {
        const QStringList offset{"--no-sync", "--offset", webFirst()[0] + "/kernel=5ms"};
        const QByteArray text = heliograph(QStringList{"info", "--quiet"} + webFirst() + offset).out;
        QVERIFY2(text.contains("shifted by 5000000 ns\n"), text.constData());
    }

    /// Input: two hosts with programs of the same names. Property: with --by hosts, each host has its own sums.
    void whatIsOnAHostIsSummedUpByItself()
    {
        const QStringList wakeups{"latency", "--of", "wakeup", "--format", "csv"};
        const auto ofHost = [&](const char* host) { return csvRows(heliograph(wakeups + webFirst() + QStringList{"--host", host})); };
        QMap<QByteArray, CsvRow> expected;
        QMap<QByteArray, qint64> together;
        for (const char* host : {"web", "db"})
            for (CsvRow row : ofHost(host)) {
                const QByteArray name = row["name"];
                together[name] += row["count"].toLongLong();
                row["name"] += " on " + QByteArray(host);
                expected[row["name"]] = row;
            }
        // Some names are on both hosts, so there are more lines by host than lines with names merged across hosts.
        QVERIFY(expected.size() > together.size());

        const ProgramResult byHosts = heliograph(wakeups + webFirst() + QStringList{"--by", "hosts"});
        const auto rows = csvRows(byHosts);
        QCOMPARE(rows.size(), expected.size());
        for (const CsvRow& row : rows)
            QCOMPARE(row, expected[row["name"]]);
        QVERIFY(!byHosts.err.contains("--by hosts"));

        const ProgramResult mixed = heliograph(wakeups + webFirst());
        for (const CsvRow& row : csvRows(mixed))
            QCOMPARE(row["count"].toLongLong(), together[row["name"]]);
        QVERIFY2(mixed.err.contains("names are merged across hosts; use --by hosts"), mixed.err.constData());
        QVERIFY(heliograph(wakeups + webFirst() + QStringList{"--quiet"}).err.isEmpty());
        QVERIFY(!heliograph(wakeups + QStringList{webFirst()[0]}).err.contains("--by hosts"));
    }

    /// Property: percentiles of packet transits are printed with their error bound.
    void howSurePacketsAreIsSaidBesideTheirSums()
    {
        const QStringList packets = QStringList{"latency", "--of", "packet", "--format", "csv"} + webFirst();
        qint64 most = 0;
        static const QRegularExpression error("error_ns=(\\d+)");
        for (const CsvRow& row : csvRows(heliograph(packets + QStringList{"--list"})))
            most = std::max(most, error.match(QString::fromLatin1(row["fields"])).captured(1).toLongLong());
        QVERIFY(most > 0);
        const ProgramResult sums = heliograph(packets);
        const QByteArray words = "cross-host times are accurate to ±" + QByteArray::number(most) + " ns";
        QVERIFY2(sums.err.contains(words), sums.err.constData());
        QVERIFY(heliograph(packets + QStringList{"--no-sync"}).err.contains("accuracy of some cross-host times is unknown"));
    }

    /// Property: latency and connections print equal counts of packets, or say what their count excludes.
    void packetPartsAreCountedOrMentioned()
    {
        const auto matched = [](const QStringList& traces) {
            qint64 sum = 0;
            for (const CsvRow& row : csvRows(heliograph(QStringList{"connections", "--format", "csv", "--quiet"} + traces)))
                sum += row["from_matched"].toLongLong() + row["to_matched"].toLongLong();
            return sum;
        };
        const ProgramResult whole = heliograph(QStringList{"latency", "--of", "packet", "--format", "csv"} + webFirst());
        const ProgramResult parts =
            heliograph(QStringList{"latency", "--of", "packet-part", "--list", "--format", "csv", "--quiet"} + webFirst());
        qint64 sum = 0;
        for (const CsvRow& row : csvRows(whole))
            sum += row["count"].toLongLong();
        const QByteArray words = " parts of packets that were split or merged on the way are of the kind packet-part";
        if (parts.status == 0)
            QVERIFY2(whole.err.contains(QByteArray::number(csvRows(parts).size()) + words), whole.err.constData());
        else
            QVERIFY(!whole.err.contains(words));
        QCOMPARE(whole.err.contains(words), matched(webFirst()) > sum);
    }

    void aHostOfAClocksFileThatIsNotOpenIsNamed()
    {
        const QTemporaryDir folder;
        const QByteArray line = "{\"reference\": \"web\", \"hosts\": [{\"host\": \"%1\", \"at_ns\": 1000, \"is_ns\": 2000}]}";
        const QString unknown = written(folder, QByteArray(line).replace("%1", "dbx"));
        const ProgramResult wrong = heliograph(QStringList{"sync", "--sync", unknown} + webFirst());
        QCOMPARE(wrong.status, 0); // The command accepts the file, because a clock file may contain more hosts than are open.
        QVERIFY2(wrong.err.contains("--sync: no host is named \"dbx\", so it is ignored; available: web, db"), wrong.err.constData());
        const QString guest = written(folder, R"({"guests": [{"guest": "vmx", "host": "web", "process": 1}]})");
        QVERIFY(heliograph(QStringList{"sync", "--sync", guest} + webFirst()).err.contains("no host is named \"vmx\", so it is ignored"));
        const QString known = written(folder, QByteArray(line).replace("%1", "db"));
        QCOMPARE(heliograph(QStringList{"sync", "--quiet", "--sync", known} + webFirst()).status, 0);
    }
};

HELIO_TEST(HostOptionsTest)
#include "tst_host_options.moc"
