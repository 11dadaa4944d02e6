// CpuTopology: distances between CPUs.

#include "core/trace/cpu_topology.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class CpuTopologyTest : public QObject {
    Q_OBJECT

private slots:
    void theNearestThatTwoShareDecides()
    {
        CpuTopology machine;
        const auto add = [&](CpuLocation it) { *machine.place(it.cpu) = it; };
        // Columns: cpu core l2 l3 package node
        add({0, 0, 0, 0, 0, 0});
        add({1, 0, 0, 0, 0, 0});
        add({2, 1, 0, 0, 0, 0});
        add({3, 2, 1, 0, 0, 0});
        add({4, 3, 2, 1, 0, 0});
        add({5, 4, 3, 2, 0, 1});
        add({6, 5, 4, 3, 1, 2});
        add({8, -1, -1, -1, 0, -1});
        add({9, -1, -1, -1, -1, 2});
        const auto from0 = [&](int to) { return machine.distance(0, to); };
        QCOMPARE(from0(0), CpuDistance::SameCpu);
        QCOMPARE(from0(1), CpuDistance::SameCore);
        QCOMPARE(from0(2), CpuDistance::SameL2);
        QCOMPARE(from0(3), CpuDistance::SameL3);
        QCOMPARE(from0(4), CpuDistance::SamePackage);
        QCOMPARE(from0(5), CpuDistance::OtherNode);
        QCOMPARE(from0(6), CpuDistance::OtherPackage);
        QCOMPARE(from0(7), CpuDistance::Unknown); // The topology has no entry for CPU 7.
        QCOMPARE(from0(8), CpuDistance::SamePackage);
        QCOMPARE(from0(9), CpuDistance::OtherNode);
        QCOMPARE(machine.distance(8, 9), CpuDistance::Unknown);
        QCOMPARE(machine.distance(8, 8), CpuDistance::SameCpu);
        for (const int odd : {-1, 10, 1'000'000'000})
            QCOMPARE(from0(odd), CpuDistance::Unknown);
        for (int a = -1; a < 11; ++a)
            for (int b = -1; b < 11; ++b)
                QCOMPARE(machine.distance(a, b), machine.distance(b, a));
    }

    void noMachineHasMoreThanSomeCpus()
    {
        CpuTopology machine;
        QVERIFY(!machine.place(-1) && !machine.place(CpuTopology::MostCpus) && machine.isEmpty());
        QVERIFY(machine.place(CpuTopology::MostCpus - 1));
        QCOMPARE(machine.cpus.size(), std::size_t(CpuTopology::MostCpus));
    }
};

HELIO_TEST(CpuTopologyTest)
#include "tst_cpu_topology.moc"
