#include "core/sql/model/slice_layout.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using helio::sql::SliceLayout;

class SliceLayoutTest : public QObject {
    Q_OBJECT
private slots:
    void groupsTakeTheSmallestFreeDepth()
    {
        SliceLayout layout;
        QCOMPARE(layout.place(timestamp(0), timestamp(100), 2), 0u);
        QCOMPARE(layout.place(timestamp(10), timestamp(30), 1), 2u);
        QCOMPARE(layout.place(timestamp(20), timestamp(90), 3), 3u);
        QCOMPARE(layout.place(timestamp(30), timestamp(50), 2), 6u); // One level is free at depth 2: too few.
        QCOMPARE(layout.place(timestamp(40), timestamp(60), 1), 2u);
        QCOMPARE(layout.place(timestamp(100), std::nullopt, 4), 0u); // All others have ended.
        QCOMPARE(layout.place(timestamp(500), timestamp(500), 1), 4u);
        QCOMPARE(layout.place(timestamp(500), timestamp(501), 1), 4u); // A group without length takes no place.
    }
    void manyOpenGroupsAreStackedWithoutASearch()
    {
        SliceLayout layout;
        for (std::uint32_t i = 0; i < 100'000; ++i)
            QCOMPARE(layout.place(timestamp(i), std::nullopt, 1), i);
    }
};

HELIO_TEST(SliceLayoutTest)
#include "tst_slice_layout.moc"
