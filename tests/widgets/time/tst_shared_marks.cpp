#include "tests/support/test_program.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/search_hits.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

TimeRange at(std::int64_t ns) { return {timestamp(ns), timestamp(ns)}; }

} // namespace

class SharedMarksTest : public QObject {
    Q_OBJECT

private slots:
    void bookmarksStandInTimeOrderAndAreNumbered()
    {
        Bookmarks marks;

        marks.add(at(50));
        marks.add(at(10));
        marks.add(at(30), "slow");

        QCOMPARE(marks.all().size(), std::size_t(3));
        QCOMPARE(marks.all()[0].name, QString("2"));
        QCOMPARE(marks.all()[1].name, QString("slow"));
        QCOMPARE(marks.all()[2].name, QString("1"));
    }

    void aSecondBookmarkOnTheSamePlaceNamesTheFirst()
    {
        Bookmarks marks;
        QSignalSpy changed(&marks, &Bookmarks::changed);
        marks.add(at(50));

        marks.add(at(50));
        marks.add(at(50), "here");

        QCOMPARE(marks.all().size(), std::size_t(1));
        QCOMPARE(marks.all()[0].name, QString("here"));
        QCOMPARE(changed.size(), 2);
    }

    void theNextHitIsBesideTheCurrentOneOrTheCursor()
    {
        SearchHits hits;
        hits.begin("x");
        hits.append({{1, timestamp(10), 0}, {2, timestamp(20), 0}, {3, timestamp(20), 0}, {9, timestamp(30), 0}}, 1);

        QCOMPARE(hits.next(timestamp(0), true), std::optional<std::size_t>(0));
        QCOMPARE(hits.next(timestamp(15), true), std::optional<std::size_t>(1));
        QCOMPARE(hits.next(timestamp(15), false), std::optional<std::size_t>(0));
        hits.setCurrent(1);
        QCOMPARE(hits.next(timestamp(20), true), std::optional<std::size_t>(2)); // A second hit at the same time is not skipped.
        hits.setCurrent(3);
        QVERIFY(!hits.next(timestamp(30), true));
        QVERIFY(!hits.next(timestamp(10), false));
    }

    void withinARangeTheNextHitIsOneThatBeginsThere()
    {
        SearchHits hits;
        hits.begin("x");
        hits.append({{1, timestamp(10), 0}, {2, timestamp(20), 0}, {3, timestamp(30), 0}, {4, timestamp(40), 0}}, 1);
        const TimeRange range{timestamp(20), timestamp(40)};
        const auto hit = [](std::size_t number) { return std::optional(number); };
        // A forward step from a time before the range finds the first hit of the range, which here is at the range's beginning.
        QCOMPARE(hits.next(timestamp(0), true, range), hit(1));
        QCOMPARE(hits.next(timestamp(20), true, range), hit(2));
        // There is no further hit in the range, because the range excludes its end.
        QCOMPARE(hits.next(timestamp(30), true, range), std::nullopt);
        // A backward step from a time after the range finds the last hit of the range.
        QCOMPARE(hits.next(timestamp(99), false, range), hit(2));
        QCOMPARE(hits.next(timestamp(99), true, range), std::nullopt);
        QCOMPARE(hits.next(timestamp(20), false, range), std::nullopt);
    }

    void whatCannotBeSearchedForLeavesTheOldHits()
    {
        SearchHits hits;
        hits.begin("x");
        hits.append({{1, timestamp(10), 0}}, 0.5);
        hits.setCurrent(0);

        hits.fail("column 5: expected a value");

        QCOMPARE(hits.text(), "x");
        QCOMPARE(hits.hits().size(), 1u);
        // After a failed search, isComplete() is true because the search has ended, and isCut() is true because hits may be missing.
        QVERIFY(hits.isComplete() && hits.isCut());
        QCOMPARE(hits.problem(), QString("column 5: expected a value"));
    }

    void theOldHitsStayUntilTheNewSearchHasSome()
    {
        SearchHits hits;
        hits.begin("x");
        hits.append({{1, timestamp(10), 0}}, 1);
        hits.setCurrent(0);
        int others = 0;
        connect(&hits, &SearchHits::begun, this, [&] { ++others; });

        hits.await("y");

        QCOMPARE(hits.text(), "x");
        QCOMPARE(hits.awaited(), "y");
        QCOMPARE(hits.hits().size(), 1u);
        QVERIFY(!hits.isComplete());
        hits.begin("y");
        QCOMPARE(others, 1);
        QVERIFY(hits.hits().empty() && !hits.current() && hits.awaited().isEmpty());
    }
};

HELIO_TEST(SharedMarksTest)
#include "tst_shared_marks.moc"
