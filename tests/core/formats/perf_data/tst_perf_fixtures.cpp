#include "core/trace/merged_events.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QString fixture(const QString& name) { return SOURCE_DIR "/tests/fixtures/perf/" + name; }

} // namespace

/// Property: events of small recordings in many formats equal perf script's output.
class PerfFixturesTest : public QObject {
    Q_OBJECT

private slots:
    void samplesAreWhatPerfScriptPrints_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"fp", "dwarf", "compressed", "events", "group", "pipe", "sched", "sched-g", "strings"})
            QTest::newRow(name) << name;
    }
    void samplesAreWhatPerfScriptPrints()
    {
        QFETCH(QString, name);
        std::string error;
        const auto trace = openPerfData(fixture(name + ".data").toStdString(), &error);
        QVERIFY2(trace, error.c_str());
        QVERIFY(std::ranges::all_of(trace->diagnostics(), [](const Diagnostic& d) { return d.kind == "recorded-in-part"; }));

        const auto ours = readSamples(*trace);

        const auto printed = readPerfScript(fixture(name + ".script.txt"));
        QVERIFY(!printed.empty());
        QCOMPARE(ours.size(), printed.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            QCOMPARE(ours[i].comm, printed[i].comm);
            QCOMPARE(ours[i].pid, printed[i].pid);
            QCOMPARE(ours[i].tid, printed[i].tid);
            QCOMPARE(ours[i].time - trace->info().clock.offset, printed[i].time);
            QCOMPARE(ours[i].event, printed[i].event);
            QCOMPARE(ours[i].period, printed[i].period);
            if (name.startsWith("sched") || name == "strings")
                QCOMPARE(ours[i].cpu, printed[i].cpu);
            if (!printed[i].ips.empty())
                QVERIFY(ours[i].ips == printed[i].ips);
        }
    }

    void stringsElsewhereInTheRecordAreRead()
    {
        const auto trace = openPerfData(fixture("strings.data").toStdString());
        QVERIFY(trace);
        const auto samples = readSamples(*trace);
        const auto field = [](const PrintedSample& sample, std::string_view name) {
            for (const auto& [key, value] : sample.fields)
                if (key == name)
                    return value;
            return std::string("none");
        };
        QCOMPARE(field(samples.at(0), "filename"), "./demo");
        QCOMPARE(field(samples.at(0), "pid"), field(samples.at(0), "old_pid"));
        QCOMPARE(field(samples.at(1), "flags"), "524288");
    }

    void switchesComeWithTheSamples()
    {
        const auto trace = openPerfData(fixture("events.data").toStdString());
        QVERIFY(trace);
        MergedEvents events(*trace);
        int switches = 0;
        HostTimestamp last = HostTimestamp::min();
        while (events.next()) {
            QVERIFY(events.event().time() >= last);
            last = events.event().time();
            switches += events.event().type->name.starts_with("PERF_RECORD_SWITCH");
        }
        QCOMPARE(switches, 30);
    }

    void readingFromTheMiddleGivesTheRest()
    {
        const auto trace = openPerfData(fixture("sched-g.data").toStdString());
        QVERIFY(trace);
        MergedEvents all(*trace);
        for (int i = 0; i < 10; ++i)
            QVERIFY(all.next());
        const auto positions = all.positions();
        MergedEvents rest(*trace, positions);
        QVERIFY(rest.next());
        do {
            QCOMPARE(rest.event().record->headerBit, all.event().record->headerBit);
            QCOMPARE(rest.next(), all.next());
        } while (all.event().record && rest.event().record);
    }

    void theIdentityIsOfTheContent()
    {
        const auto identity = [](const char* name) { return openPerfData(fixture(name).toStdString())->info().identity; };
        QCOMPARE(identity("fp.data"), identity("fp.data"));
        QVERIFY(identity("fp.data") != identity("dwarf.data"));
    }
};

HELIO_TEST(PerfFixturesTest)
#include "tst_perf_fixtures.moc"
