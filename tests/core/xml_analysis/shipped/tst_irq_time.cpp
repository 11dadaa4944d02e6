#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

class IrqTimeTest : public QObject {
    Q_OBJECT

private slots:
    void anExitEndsWhatBeganOnItsLineAndItsCpu()
    {
        KernelScript s;
        s.irq(10, 0, "entry", 32, "disk").irq(12, 1, "entry", 32, "disk").irq(14, 0, "entry", 33, "net").irq(16, 0, "exit", 33);
        s.irq(18, 0, "exit", 34).irq(20, 0, "exit", 32).irq(25, 1, "exit", 32);
        const DeclaredRun run(shippedText("irq-time"), s);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.segments(), "disk 10-20 irq=32;cpu=0;ret=1\ndisk 12-25 irq=32;cpu=1;ret=1\nnet 14-16 irq=33;cpu=0;ret=1\n");
        QCOMPARE(run.view("irq-time-rows"),
                 "CPUs\nCPUs/0 \"CPU 0\"\nCPUs/0/IRQs/32 \"disk\": string disk 10-20\n"
                 "CPUs/0/IRQs/33 \"net\": string net 14-16\n"
                 "CPUs/1 \"CPU 1\"\nCPUs/1/IRQs/32 \"disk\": string disk 12-25\n");
    }

    void aLostExitLeavesNothingBehind()
    {
        KernelScript s;
        s.irq(10, 0, "entry", 32).irq(30, 0, "entry", 32).irq(35, 0, "exit", 32).irq(40, 0, "entry", 32).irq(44, 0, "exit", 32);
        const DeclaredRun run(shippedText("irq-time"), s);
        QCOMPARE(run.segments(), "eth0 30-35 irq=32;cpu=0;ret=1\neth0 40-44 irq=32;cpu=0;ret=1\n");
    }

    // Expected values were counted in the traces' text by another program.
    void recordedHandlersAreThose_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const char* const kernel = "lttng-kernel";
        test::addRow("plain", kernel, "plain", "", "144, 213362147 ns, at most 20719822");
        test::addRow("a disk's", kernel, "plain", "virtio0-requests", "45, 197811129 ns, at most 20719822");
        test::addRow("a queue's", kernel, "plain", "virtio2-req.0", "30, 1940156 ns, at most 245407");
        test::addRow("ctx", kernel, "ctx", "", "133, 203197266 ns, at most 20805609");
        test::addRow("mpi", "mpi-imbalance", "mpi-imbalance/kernel", "", "1088, 461366139 ns, at most 11729104");
        test::addRow("disks", "disks", "disks", "", "3808, 532628910 ns, at most 10225254");
        test::addRow("with losses", kernel, "lossy", "", "46, 80566486 ns, at most 13550374");
    }
    void recordedHandlersAreThose()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(QString, name);
        QFETCH(QString, expected);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto store = shippedStore("irq-time", path);
        QVERIFY(store);
        const std::string wanted = name.toStdString();
        QCOMPARE(described(sumOf(segmentsOf(*store), [&](const PatternSegment& it) { return wanted.empty() || it.name == wanted; })),
                 expected);
    }
};

HELIO_TEST(IrqTimeTest)

#include "tst_irq_time.moc"
