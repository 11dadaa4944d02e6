#include "core/latency/pairs/begin_order.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

using namespace helio;

namespace {

struct Item {
    TimeRange range;
    int number = 0;
};

} // namespace

class BeginOrderTest : public QObject {
    Q_OBJECT

private slots:
    void theOrderDoesNotDependOnHowManyAreKept_data()
    {
        QTest::addColumn<int>("most");
        QTest::addColumn<int>("scans");
        QTest::newRow("all") << 1000 << 1;
        QTest::newRow("just all") << 500 << 1;
        QTest::newRow("a part") << 70 << 8;
        QTest::newRow("one") << 1 << 500;
    }
    void theOrderDoesNotDependOnHowManyAreKept()
    {
        QFETCH(int, most);
        QFETCH(int, scans);
        std::vector<Item> items; // Items with many equal beginnings.
        for (int i = 0; i < 500; ++i)
            items.push_back({{timestamp(i * 7919 % 97), timestamp(1000 + i)}, i});
        std::vector<int> expected(500);
        for (int i = 0; i < 500; ++i)
            expected[std::size_t(i)] = i;
        std::ranges::stable_sort(expected, {}, [&](int i) { return items[std::size_t(i)].range.begin; });
        int scanned = 0;
        std::vector<int> taken;
        const auto scan = [&](const std::function<void(const Item&)>& take) {
            ++scanned;
            std::ranges::for_each(items, take);
        };
        forEachByBegin<Item>(
            scan, [&](const Item& it) { taken.push_back(it.number); }, {}, std::size_t(most));
        QCOMPARE(taken, expected);
        QCOMPARE(scanned, scans);
    }

    void itEndsOnceStopIsRequested()
    {
        std::stop_source stop;
        int taken = 0;
        const auto scan = [](const std::function<void(const Item&)>& take) {
            for (int i = 0; i < 100; ++i)
                take({{timestamp(i), timestamp(i)}, i});
        };
        forEachByBegin<Item>(
            scan,
            [&](const Item&) {
                if (++taken == 5)
                    stop.request_stop();
            },
            stop.get_token(), 10);
        QCOMPARE(taken, 5);
    }
};

HELIO_TEST(BeginOrderTest)
#include "tst_begin_order.moc"
