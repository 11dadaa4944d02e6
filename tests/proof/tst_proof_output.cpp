// Property: an analysis whose whole code is in tests/proof/pulse appears in every table of the command line. The expected values are
// computed from the events.

#include "tests/app/cli/program.h"
#include "tests/proof/pulse/pulse.h"
#include "tests/support/test_program.h"

#include <QImage>
#include <QMap>
#include <QSet>
#include <QTest>

using namespace helio;

namespace {

ProgramResult proof(const QStringList& arguments)
{
    static QTemporaryDir cache;
    auto environment = plainEnvironment();
    environment.insert("XDG_CACHE_HOME", cache.path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    return runTool(PROOF_PROGRAM, arguments, environment);
}

QList<CsvRow> table(const QString& command, const QStringList& more = {})
{
    const ProgramResult answer = proof(QStringList{command, sampleTrace(), "--format", "csv", "--quiet"} + more);
    if (answer.status != 0)
        qWarning("%s", answer.err.constData());
    return csvRows(answer);
}

struct Burst {
    qint64 first = 0, last = 0, events = 0;
};

/// Expected contents of the store, computed from the events of each CPU.
struct Expected {
    QMap<int, QList<Burst>> bursts;
    QMap<int, QList<qint64>> events;
    qint64 begin = 0, end = 0;
    int passes = 0;

    Expected()
    {
        int before = -1;
        for (const CsvRow& event : table("events")) {
            const qint64 at = event["time_ns"].toLongLong();
            const int cpu = event["cpu"].toInt();
            begin = begin == 0 ? at : begin;
            end = at;
            events[cpu] << at;
            QList<Burst>& own = bursts[cpu];
            if (own.isEmpty() || at - own.last().last >= Pulse::Beat.count())
                own << Burst{at, at, 0};
            own.last().last = at;
            ++own.last().events;
            passes += before >= 0 && before != cpu;
            before = cpu;
        }
    }
};

const Expected& expected()
{
    static const Expected made;
    return made;
}

} // namespace

class ProofOutputTest : public QObject {
    Q_OBJECT

private slots:
    void itsViewsAreListed()
    {
        QStringList found;
        for (const CsvRow& view : table("views"))
            if (view["analysis"] == "pulse")
                found << view["id"] + ' ' + view["title"] + ' ' + view["kind"] + ' ' + view["rows"];
        const auto cpus = int(expected().events.size());
        QVERIFY(cpus > 1);
        QCOMPARE(found,
                 (QStringList{QString("pulse Pulse states %1").arg(cpus), QString("pulse-rate Pulse rate counters %1").arg(cpus + 1)}));
    }

    void itsRowsAreTracks()
    {
        QStringList found, wanted;
        for (const CsvRow& row : table("tracks", {"--view", "pulse"}))
            found << row["id"] + ' ' + row["kind"] + ' ' + row["label"] + ' ' + row["cpu"];
        for (const int cpu : expected().events.keys())
            wanted << QString("cpu:%1 pulse Heart %1 %1").arg(cpu);
        QCOMPARE(found, wanted);
    }

    void itsStatesAreThoseOfTheEvents()
    {
        QStringList found, wanted;
        for (const CsvRow& state : table("states", {"--view", "pulse", "--filter", "state == \"beating\""}))
            found << state["row"] + ' ' + state["begin_ns"] + ' ' + state["end_ns"];
        for (auto cpu = expected().bursts.begin(); cpu != expected().bursts.end(); ++cpu)
            for (const Burst& burst : cpu.value())
                if (const qint64 end = std::min(burst.last + Pulse::Beat.count(), expected().end); end > burst.first)
                    wanted << QString("cpu:%1 %2 %3").arg(cpu.key()).arg(burst.first).arg(end);
        QVERIFY(wanted.size() > 20);
        QCOMPARE(found, wanted);
    }

    void itsStatesAddUp()
    {
        QMap<QByteArray, qint64> total;
        for (const CsvRow& state : table("states", {"--view", "pulse"}))
            total[state["row"] + ' ' + state["state"]] += state["end_ns"].toLongLong() - state["begin_ns"].toLongLong();
        QMap<QByteArray, qint64> found;
        for (const CsvRow& sum : table("stats", {"--view", "pulse"}))
            found[sum["row"] + ' ' + sum["state"]] = sum["total_ns"].toLongLong();
        QVERIFY(total.size() >= 2 * expected().events.size());
        QCOMPARE(found, total);
    }

    void itsLinksAreArrows()
    {
        const auto links = table("links", {"--view", "pulse"});
        QCOMPARE(int(links.size()), expected().passes / Pulse::PassEvery);
        QVERIFY(!links.isEmpty());
        for (const CsvRow& link : links) {
            QCOMPARE(link["kind"], QByteArray("pulse-pass"));
            const int from = link["from_row"].mid(4).toInt(), to = link["to_row"].mid(4).toInt();
            QVERIFY(from != to);
            QVERIFY(expected().events[from].contains(link["from_ns"].toLongLong()));
            QVERIFY(expected().events[to].contains(link["to_ns"].toLongLong()));
        }
        QVERIFY(table("links", {"--view", "resources", "--filter", "name == \"nothing\""}).isEmpty());
    }

    void itsSegmentsHaveLatencies()
    {
        QMap<QByteArray, qint64> count, total, most;
        QStringList wanted;
        for (auto cpu = expected().bursts.begin(); cpu != expected().bursts.end(); ++cpu)
            for (const Burst& burst : cpu.value()) {
                const QByteArray name = burst.events > 10 ? "long" : "short";
                ++count[name];
                total[name] += burst.last - burst.first;
                most[name] = std::max(most[name], burst.last - burst.first);
                wanted << QString("%1 %2 cpu:%3 Events=%4").arg(burst.first).arg(burst.last).arg(cpu.key()).arg(burst.events);
            }
        for (const CsvRow& line : table("latency", {"--of", "pulse-burst"})) {
            QCOMPARE(line["count"].toLongLong(), count.take(line["name"]));
            QCOMPARE(line["total_ns"].toLongLong(), total[line["name"]]);
            QCOMPARE(line["max_ns"].toLongLong(), most[line["name"]]);
        }
        QVERIFY(count.isEmpty());
        QStringList found;
        for (const CsvRow& line : table("latency", {"--of", "pulse-burst", "--list"}))
            found << line["begin_ns"] + ' ' + line["end_ns"] + ' ' + line["row"] + ' ' + line["fields"];
        wanted.sort();
        found.sort();
        QCOMPARE(found, wanted);
        QVERIFY(!table("latency", {"--of", "state:beating"}).isEmpty());
    }

    void itsCountersCount()
    {
        QMap<QByteArray, QList<qint64>> times;
        QMap<QByteArray, qint64> last;
        for (const CsvRow& point : table("counters", {"--view", "pulse-rate"})) {
            times[point["series"]] << point["time_ns"].toLongLong();
            last[point["series"]] = point["value"].toLongLong();
        }
        for (auto cpu = expected().events.begin(); cpu != expected().events.end(); ++cpu) {
            const QByteArray series = "cpu:" + QByteArray::number(cpu.key()) + "/events";
            QCOMPARE(times[series], cpu.value());
            QCOMPARE(last[series], qint64(cpu.value().size()));
        }
        QCOMPARE(last["known"], qint64(expected().events.size()));
    }

    void itsViewsArePictures_data()
    {
        QTest::addColumn<QString>("view");
        QTest::newRow("rows") << "pulse";
        QTest::newRow("curves") << "pulse-rate";
    }
    void itsViewsArePictures()
    {
        QFETCH(QString, view);
        const QTemporaryDir folder;
        const QString file = folder.filePath("picture.png");
        const ProgramResult answer = proof({"render", sampleTrace(), "--view", view, "-o", file, "--size", "1000x300", "--theme", "dark"});
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QImage picture(file);
        QCOMPARE(picture.width(), 1000);
        QSet<QRgb> colors;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 320; x < picture.width(); ++x)
                colors.insert(picture.pixel(x, y));
        QVERIFY(colors.size() > 8);
        QCOMPARE(colors.contains(qRgb(0x12, 0xe5, 0xa7)), view == "pulse"); // qRgb(0x12, 0xe5, 0xa7) is the colour of the state "beating".
    }
};

HELIO_TEST(ProofOutputTest)
#include "tst_proof_output.moc"
