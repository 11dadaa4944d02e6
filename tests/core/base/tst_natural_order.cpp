#include "core/base/natural_order.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace helio;

class NaturalOrderTest : public QObject {
    Q_OBJECT

private slots:
    void namesComeAsPeopleOrderThem()
    {
        const std::vector<std::string> ordered{
            "-12",  "-3",    "0",    "2",   "007",   "07",         "7",      "10",       "",      "9999999999999999999999",
            "A2",   "a2b",   "a10b", "cpu", "cpu 2", "cpu 2 idle", "cpu 10", "cpu 010x", "cpu-1", "eth0",
            "eth1", "eth10", "z"};
        std::vector<std::string> mixed = ordered;
        for (std::size_t i = 0; i < mixed.size(); ++i)
            std::swap(mixed[i], mixed[(i * 7919 + 3) % mixed.size()]);
        std::ranges::sort(mixed, NaturalOrder());
        QCOMPARE(mixed, ordered);
    }

    /// Checks on all combinations of three texts that the order is total and transitive.
    void itIsAnOrder()
    {
        const std::vector<std::string> all{
            "", "0", "00", "1", "01", "-1", "-01", "1a", "01a", "a", "a0", "a00", "a1", "a01b", "a1b", "99999999999999999999", "\xff"};
        const NaturalOrder before;
        for (const auto& a : all)
            for (const auto& b : all) {
                QCOMPARE(int(before(a, b)) + int(before(b, a)), a == b ? 0 : 1);
                for (const auto& c : all)
                    QVERIFY(!(before(a, b) && before(b, c)) || before(a, c));
            }
    }
};

HELIO_TEST(NaturalOrderTest)

#include "tst_natural_order.moc"
