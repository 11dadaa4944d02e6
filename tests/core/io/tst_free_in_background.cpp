// freeInBackground(): large objects are freed on a thread of their own, small objects on the calling thread, each object exactly once.

#include "core/io/free_in_background.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <future>
#include <memory>

using namespace helio;

class FreeInBackgroundTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsSmallIsFreedAtOnce()
    {
        int times = 0;
        freeInBackground(BackgroundFreeBytes - 1, [&] { ++times; });
        QCOMPARE(times, 1);
    }

    void whatIsLargeIsFreedInAThreadThatNobodyWaitsFor()
    {
        const auto mayFree = std::make_shared<std::promise<void>>();
        const auto freed = std::make_shared<std::promise<std::thread::id>>();
        freeInBackground(BackgroundFreeBytes, [mayFree, freed] {
            mayFree->get_future().wait();
            freed->set_value(std::this_thread::get_id());
        }); // freeInBackground() returns although the object is not freed yet.
        mayFree->set_value();
        QVERIFY(freed->get_future().get() != std::this_thread::get_id());
    }
};

HELIO_TEST(FreeInBackgroundTest)
#include "tst_free_in_background.moc"
