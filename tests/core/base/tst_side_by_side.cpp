#include "core/base/parallel_for.h"
#include "tests/support/no_threads.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <new>
#include <thread>
#include <vector>

using namespace helio;

class SideBySideTest : public QObject {
    Q_OBJECT

private slots:
    void everyCallIsMade()
    {
        std::atomic<unsigned> made = 0;
        parallelFor(8, [&](std::size_t i) { made |= 1U << i; });
        QCOMPARE(made.load(), 0xffU);
    }

    void withoutThreadsOnlyTheFirstCallIsMadeAndThatHere()
    {
        const test::ThreadLimit limit(0);
        std::vector<std::size_t> made;
        std::thread::id where;
        parallelFor(8, [&](std::size_t i) {
            made.push_back(i);
            where = std::this_thread::get_id();
        });
        QCOMPARE(made, std::vector<std::size_t>{0});
        QVERIFY(where == std::this_thread::get_id());
    }

    void anExceptionOfAnyThreadReachesTheCallerOnceAllCallsReturned_data()
    {
        QTest::addColumn<int>("thrower");
        for (const int thrower : {0, 1, 3})
            QTest::addRow("%d", thrower) << thrower;
    }
    void anExceptionOfAnyThreadReachesTheCallerOnceAllCallsReturned()
    {
        QFETCH(int, thrower);
        std::atomic<int> returned = 0;
        const auto work = [&](std::size_t i) {
            if (int(i) == thrower)
                throw std::bad_alloc();
            ++returned;
        };
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, parallelFor(4, work));
        QCOMPARE(returned.load(), 3);
    }
};

HELIO_TEST(SideBySideTest)
#include "tst_side_by_side.moc"
