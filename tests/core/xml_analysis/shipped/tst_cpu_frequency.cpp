// CPU frequencies in synthetic traces: no recorded trace is available, because virtual machines report no frequencies.

#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

KernelScript& frequency(KernelScript& script, std::int64_t time, int by, int cpu, std::int64_t kilohertz)
{
    return script.event(time, by, "power_cpu_frequency", {{"state", kilohertz}, {"cpu_id", cpu}});
}

} // namespace

class CpuFrequencyTest : public QObject {
    Q_OBJECT

private slots:
    void aCpuHasItsFrequencysBandAndIsBusyOrIdle()
    {
        KernelScript s;
        s.sw(5, 0, 7, 0, 8); // The frequency of the CPU is still unknown.
        frequency(s, 10, 0, 1, 800'000); // One CPU may set the frequency of another CPU.
        s.sw(20, 1, 0, 0, 5);
        frequency(s, 25, 1, 1, 1'000'000); // The frequency stays in the band from 0.8 to 1.2 GHz, so that no new state begins.
        s.sw(30, 1, 5, 1, 0);
        frequency(s, 40, 1, 1, 4'200'000);
        s.sw(50, 1, 0, 0, 6).sw(60, 1, 6, 0, 7);
        const DeclaredRun run(shippedText("cpu-frequency"), s, {}, 70);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.view("cpu-frequency-rows"),
                 "CPUs\n"
                 "CPUs/1 \"CPU 1\": 0.8 to 1.2 GHz 10-40, 4.0 GHz and more 40-70\n"
                 "CPUs/1/Use: busy 20-30, idle 30-50, busy 50-70\n");
        QCOMPARE(run.curves(), "cpu-frequency-kilohertz/CPUs/1 (CPU 1): 10=800000 25=1000000 40=4200000\n");
    }

    // On virtual machines the event type exists, but events are never recorded. The empty panels name the event to record, and where it is
    // available.
    void withoutFrequenciesItSaysWhatToRecord()
    {
        const auto kind = kindOf(shippedText("cpu-frequency"));
        QVERIFY(kind);
        int said = 0;
        for (const TrackView& view : kind->views())
            said += view.events == std::vector<std::string>{"power_cpu_frequency", "sched_switch"} ? 1 : 0;
        QCOMPARE(said, 2);
    }

    void eachBandBeginsWhereItSays_data()
    {
        QTest::addColumn<qlonglong>("kilohertz");
        QTest::addColumn<QString>("band");
        QTest::newRow("slow") << 799'999ll << "below 0.8 GHz";
        QTest::newRow("0.8") << 800'000ll << "0.8 to 1.2 GHz";
        QTest::newRow("below 1.2") << 1'199'999ll << "0.8 to 1.2 GHz";
        QTest::newRow("1.2") << 1'200'000ll << "1.2 to 1.6 GHz";
        QTest::newRow("1.6") << 1'600'000ll << "1.6 to 2.0 GHz";
        QTest::newRow("2.0") << 2'000'000ll << "2.0 to 2.5 GHz";
        QTest::newRow("2.5") << 2'500'000ll << "2.5 to 3.0 GHz";
        QTest::newRow("3.0") << 3'000'000ll << "3.0 to 4.0 GHz";
        QTest::newRow("4.0") << 4'000'000ll << "4.0 GHz and more";
        QTest::newRow("fast") << 5'700'000ll << "4.0 GHz and more";
    }
    void eachBandBeginsWhereItSays()
    {
        QFETCH(qlonglong, kilohertz);
        QFETCH(QString, band);
        KernelScript s;
        frequency(s, 10, 0, 0, kilohertz);
        const DeclaredRun run(shippedText("cpu-frequency"), s, {}, 20);
        QCOMPARE(QString::fromStdString(run.view("cpu-frequency-rows")), "CPUs\nCPUs/0 \"CPU 0\": " + band + " 10-20\n");
    }

    void withoutAFrequencyThereAreNoRows()
    {
        KernelScript s;
        s.sw(10, 0, 0, 0, 5).sw(20, 0, 5, 1, 0);
        const DeclaredRun run(shippedText("cpu-frequency"), s);
        QCOMPARE(run.view("cpu-frequency-rows"), "");
    }
};

HELIO_TEST(CpuFrequencyTest)

#include "tst_cpu_frequency.moc"
