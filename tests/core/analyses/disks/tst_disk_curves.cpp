// Counter series of disks: bytes moved, requests in the queues, busy time of the driver.

#include "tests/core/analyses/disks/disk_script.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace helio;
using namespace helio::test;

namespace {

/// Points of a series as text: "10=0 10=0 20=4096".
QString points(const Store& store, std::string_view id)
{
    QStringList all;
    const auto series = store.counters().series();
    for (std::size_t i = 0; i < series.size(); ++i)
        if (series[i].id == id)
            store.counters().visit(CounterSeriesId(std::uint32_t(i)), {HostTimestamp::min(), HostTimestamp::max()},
                                   [&](std::span<const CounterPoint> some) {
                                       for (const CounterPoint& it : some)
                                           all << QString("%1=%2").arg(nanoseconds(it.time)).arg(it.value.number(series[i].number));
                                   });
    return all.join(' ');
}

} // namespace

class DiskCurvesTest : public QObject {
    Q_OBJECT

private slots:
    void bytesGoEvenlyFromIssueToCompletion()
    {
        DiskScript s;
        s.issue(10, Vdb, 8, 8, Read).complete(30, Vdb, 8, 8, Read);
        s.issue(40, Vdb, 16, 2, Write).complete(50, Vdb, 16, 2, Write);
        s.issue(60, Vdb, 0, 0, Flush).complete(62, Vdb, NoPlace, 0, Flush); // A flush moves no bytes.
        s.runDisks(100);
        QCOMPARE(points(s.store(), "disk:254,16/read"), "10=0 10=0 30=4096 100=4096");
        QCOMPARE(points(s.store(), "disk:254,16/written"), "10=0 40=0 50=1024 100=1024");
        QVERIFY(s.store().counters().series().size() == 4); // There is no series of waiting requests, because no request waited.
    }

    /// Input: 8 sectors read from 10 to 30, 16 from 20 to 40, and 4 at 25. Property: a request's bytes are spread evenly over its
    /// duration and overlapping requests add up.
    void bytesOfRequestsAtOneTimeAddUp()
    {
        DiskScript s;
        s.issue(10, Vdb, 8, 8, Read).issue(20, Vdb, 100, 16, Read).issue(25, Vdb, 200, 4, Read).complete(25, Vdb, 200, 4, Read);
        s.complete(30, Vdb, 8, 8, Read).complete(40, Vdb, 100, 16, Read);
        s.runDisks(50);
        QCOMPARE(points(s.store(), "disk:254,16/read"), "10=0 10=0 20=2048 25=7168 30=10240 40=14336 50=14336");
    }

    void whatIsNeverCompletedMovesNothing()
    {
        DiskScript s;
        s.issue(10, Vdb, 8, 8, Read).issue(20, Vdb, 100, 16, Read).complete(30, Vdb, 8, 8, Read);
        s.runDisks(50);
        QCOMPARE(points(s.store(), "disk:254,16/read"), "10=0 10=0 30=4096 50=4096");
        QCOMPARE(points(s.store(), "disk:254,16/driver"), "10=0 10=1 20=2 30=1");
        QCOMPARE(points(s.store(), "disk:254,16/busy"), "10=0 10=0 50=4e-08 50=4e-08");
    }

    void queuesAreAsLong()
    {
        DiskScript s;
        s.insert(10, Vdb, 8, 8, Read).insert(12, Vdb, 100, 8, Write).issue(20, Vdb, 8, 8, Read).issue(25, Vdb, 100, 8, Write);
        s.complete(30, Vdb, 8, 8, Read).complete(45, Vdb, 100, 8, Write);
        s.issue(60, Vdb, 8, 8, Read).complete(80, Vdb, 8, 8, Read);
        s.runDisks(100);
        QCOMPARE(points(s.store(), "disk:254,16/waiting"), "10=0 10=1 12=2 20=1 25=0");
        QCOMPARE(points(s.store(), "disk:254,16/driver"), "10=0 20=1 25=2 30=1 45=0 60=1 80=0");
        QCOMPARE(points(s.store(), "disk:254,16/busy"), "10=0 20=0 45=2.5e-08 60=2.5e-08 80=4.5e-08 100=4.5e-08");
    }

    /// Property: requests in progress while events are lost are not counted.
    void lossesEndWhatIsKnown()
    {
        DiskScript s;
        s.issue(10, Vdb, 8, 8, Read).issue(11, Vdb, 100, 8, Read).complete(15, Vdb, 8, 8, Read);
        s.loss(3, 20, 40);
        s.complete(50, Vdb, 100, 8, Read);
        s.issue(60, Vdb, 8, 8, Read).complete(62, Vdb, 8, 8, Read);
        s.runDisks(70);
        QCOMPARE(points(s.store(), "disk:254,16/driver"), "10=0 10=1 11=2 15=1 20=0 60=1 62=0");
        QCOMPARE(points(s.store(), "disk:254,16/read"), "10=0 10=0 15=4096 60=4096 62=8192 70=8192");
    }

    /// Input: a disk that is never idle. Property: the sum of its bytes is correct, although points are written only now and then.
    void aDiskThatIsNeverIdle()
    {
        constexpr int Requests = 10'000;
        DiskScript s;
        s.issue(1, Vdb, 1'000'000, 8, Read);
        for (int i = 0; i < Requests; ++i)
            s.issue(10 + 10 * i, Vdb, 8 * i, 8, Write).complete(15 + 10 * i, Vdb, 8 * i, 8, Write);
        s.complete(200'000, Vdb, 1'000'000, 8, Read);
        s.runDisks(200'001);
        const QString written = points(s.store(), "disk:254,16/written");
        QVERIFY(written.endsWith(QString(" 200001=%1").arg(double(Requests) * 4096)));
        QVERIFY(written.startsWith("1=0 10=0 15=4096 20=4096 25=8192 "));
        QCOMPARE(points(s.store(), "disk:254,16/read"), "1=0 1=0 200000=4096 200001=4096");
    }

    /// Property: at the end of a recording, the read and written bytes of each disk equal those of the completions that libbabeltrace2
    /// reads, and the disk's queues are empty.
    void bytesAreThoseOfTheEvents()
    {
        HELIO_REQUIRE_TRACE(path, "disks", "disks");
        std::map<std::string, std::int64_t> expected, found;
        std::vector<std::filesystem::path> folders;
        for (const QString& folder : ctfFolders(path))
            folders.push_back(folder.toStdString());
        BabeltraceOracle oracle(folders);
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
            if (kind != BabeltraceOracle::Kind::Event || QString(oracle.name()) != "block_rq_complete")
                continue;
            std::map<QString, qint64> fields;
            for (const QString& line : QString::fromStdString(oracle.payloadText()).split(' ', Qt::SkipEmptyParts))
                fields[line.section('=', 0, 0)] = line.section('=', 1).toLongLong();
            if (const qint64 rwbs = fields["rwbs"], disk = fields["dev"]; (rwbs & 5) != 0)
                expected["disk:" + std::to_string(disk >> 20) + ',' + std::to_string(disk & 0xfffff)
                         + ((rwbs & 1) != 0 ? "/written" : "/read")] += fields["nr_sector"] * 512;
        }
        std::erase_if(expected, [](const auto& it) { return it.second == 0; });
        const AnalysisKind& kind = analysisOf("disks");
        for (const TraceFormat* format : builtinTraceFormats())
            for (const TraceSource& source : format->find(path.toStdString())) {
                const auto trace = format->open(source);
                if (!trace || !kind.appliesTo(**trace))
                    continue;
                const auto store = indexed(**trace, {&kind})->stores.front();
                const CounterSet& counters = store->counters();
                for (std::uint32_t i = 0; i < counters.series().size(); ++i)
                    if (const CounterSeries& it = counters.series()[i]; it.unit == "B")
                        found[it.id] += counters.valueAt(CounterSeriesId(i), store->summary().range.end)->value.integer();
            }
        std::erase_if(found, [](const auto& it) { return it.second == 0; });
        QVERIFY(expected.size() >= 11);
        QCOMPARE(found, expected);
    }
};

HELIO_TEST(DiskCurvesTest)

#include "tst_disk_curves.moc"
