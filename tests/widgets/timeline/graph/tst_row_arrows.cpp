#include "core/query/rows/rows.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/arrows/row_arrows.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return timestamp(ns); }

struct Asking {
    Asking()
    {
        request.timeline = MadeTimeline::make(5);
        request.links = linkKindsInView(*request.timeline, "control-flow");
        request.window = {at(0), at(4000)};
        for (const Row& row : rows(*request.timeline, "control-flow"))
            tracks.push_back(row.ref);
    }
    /// Arrows that the request returns, sorted by time.
    std::vector<Arrow> ask()
    {
        QSignalSpy came(&arrows, &RowArrows::came);
        arrows.request(request);
        [&] { QTRY_COMPARE(came.count(), 1); }();
        auto found = arrows.arrows();
        std::ranges::sort(found, {}, [](const Arrow& it) { return std::pair(it.fromTime, it.to.track); });
        return found;
    }
    /// Expected arrows: those of the window that touch the row.
    std::vector<Arrow> touching(TrackRef row)
    {
        auto all = helio::arrows(*request.timeline, request.links, request.window);
        std::erase_if(all, [&](const Arrow& it) { return it.from != row && it.to != row; });
        std::ranges::sort(all, {}, [](const Arrow& it) { return std::pair(it.fromTime, it.to.track); });
        return all;
    }

    RowArrowsRequest request;
    std::vector<TrackRef> tracks;
    RowArrows arrows;
};

} // namespace

class RowArrowsTest : public QObject {
    Q_OBJECT

private slots:
    void allOfARowComeWhereTheyCanBeDistinguished()
    {
        Asking s;
        s.request.rows = {TrackRef(), s.tracks[2]};
        QCOMPARE(s.ask().size(), std::size_t(20)); // Two arrows every 400 ns: the thread is woken and wakes another one.
        QCOMPARE(s.ask(), s.touching(s.tracks[2]));
    }

    void oneStandsForThoseOfItsStep()
    {
        Asking s;
        s.request.rows = {s.tracks[2]};
        s.request.step = Duration(900);
        const auto found = s.ask();
        QCOMPARE(found.size(), std::size_t(5)); // One arrow for each step of 900 ns in the range of 4000 ns.
        for (std::size_t i = 0; i < found.size(); ++i)
            QCOMPARE((found[i].toTime - s.request.window.begin) / s.request.step, std::int64_t(i));
    }

    void thoseOfTheStateComeOneByOne()
    {
        Asking s;
        s.request.rows = {s.tracks[2], TrackRef()};
        s.request.step = Duration(5000);
        s.request.state = {at(900), at(2100)};
        s.request.most = 100;
        auto wanted = s.touching(s.tracks[2]);
        std::erase_if(wanted, [&](const Arrow& it) { return it.toTime < s.request.state.begin || it.toTime > s.request.state.end; });
        QVERIFY(wanted.size() > 4);
        const auto found = s.ask();
        for (const Arrow& arrow : wanted)
            QVERIFY(std::ranges::find(found, arrow) != found.end());
        QVERIFY(found.size() <= wanted.size() + 1); // The limit may be exceeded by one arrow.
    }

    void noneAreLeftWhereNoneAreToBeShown()
    {
        Asking s;
        s.request.rows = {s.tracks[2]};
        QVERIFY(!s.ask().empty());
        QSignalSpy came(&s.arrows, &RowArrows::came);
        s.arrows.request(s.request);
        s.arrows.clear();
        QVERIFY(s.arrows.arrows().empty());
        QTest::qWait(50);
        QCOMPARE(came.count(), 0);
    }
};

HELIO_TEST(RowArrowsTest)
#include "tst_row_arrows.moc"
