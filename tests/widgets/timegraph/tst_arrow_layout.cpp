#include "widgets/timegraph/arrow_layout.h"

#include <QTest>

#include <algorithm>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr TrackRef Waker{0, TrackId(1)};
constexpr TrackRef Woken{0, TrackId(2)};

GraphRows twoRows()
{
    std::vector<GraphRow> rows(2);
    rows[0].ref = Waker;
    rows[1].ref = Woken;
    return {std::move(rows), Density::Normal};
}

Arrow wakeup(Duration at) { return {LinkKind::Wakeup, Waker, Woken, Timestamp(at), Timestamp(at), 0, {}}; }

ArrowPlace placeOf(int width, Duration window)
{
    ArrowPlace place;
    place.scale = TimeScale({Timestamp(0ns), Timestamp(window)}, width);
    place.height = 100;
    place.selectedRow = 1;
    return place;
}

} // namespace

class ArrowLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void linesBetweenTwoRowsKeepApart()
    {
        std::vector<Arrow> dense;
        for (int i = 0; i < 1000; ++i)
            dense.push_back(wakeup(Duration(i * 1us)));

        const ArrowLayout layout = layOutArrows(dense, twoRows(), placeOf(1000, 1ms));

        QVERIFY(layout.lines.size() > 100);
        for (std::size_t i = 1; i < layout.lines.size(); ++i)
            QVERIFY(layout.lines[i].to.x() - layout.lines[i - 1].to.x() >= LeastArrowGap);
    }

    void theFollowedLineIsDrawnHoweverCloseOthersAre()
    {
        const std::vector<Arrow> close{wakeup(500us), wakeup(501us), wakeup(502us)};
        ArrowPlace place = placeOf(1000, 1ms);
        place.followed = &close[1];

        const ArrowLayout layout = layOutArrows(close, twoRows(), place);

        QVERIFY(std::ranges::any_of(layout.lines, &ArrowLine::isFollowed));
    }

    void linesThatStandApartAreAllThere()
    {
        const std::vector<Arrow> apart{wakeup(100us), wakeup(120us), wakeup(300us)};

        QCOMPARE(layOutArrows(apart, twoRows(), placeOf(1000, 1ms)).lines.size(), std::size_t(3));
    }
};

QTEST_GUILESS_MAIN(ArrowLayoutTest)
#include "tst_arrow_layout.moc"
