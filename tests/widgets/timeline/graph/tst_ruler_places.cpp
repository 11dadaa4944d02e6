#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/ruler_scene.h"

#include <QPainter>
#include <QTest>

using namespace helio;

namespace {

constexpr int Label = 300;
constexpr int Width = 1300;

/// Makes a ruler that shows 1 s on 1000 pixels, so that a pixel is 1 ms.
RulerScene made()
{
    RulerScene scene;
    scene.size = QSize(Width, RulerHeight);
    scene.labelWidth = Label;
    scene.scale = TimeScale({timestamp(0), timestamp(1'000'000'000)}, Width - Label);
    scene.format.hasEpoch = false;
    return scene;
}

Timestamp atPixel(int x) { return timestamp(std::int64_t(x) * 1'000'000); }
TimeRange pixels(int from, int to) { return {atPixel(from), atPixel(to)}; }

bool isInView(const QRectF& rect) { return rect.left() >= Label && rect.right() <= Width; }

} // namespace

class RulerPlacesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Dark); }

    void thePillIsInTheMiddleOfALongRange()
    {
        RulerScene scene = made();
        scene.selection = pixels(200, 600);
        QVERIFY(std::abs(layOutRuler(scene, fonts()).pill.center().x() - (Label + 400)) <= 1);
    }

    void cursorAndPillNeverCoverEachOther_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::newRow("long") << 100 << 900;
        QTest::newRow("as long as the pill") << 400 << 520;
        QTest::newRow("short") << 500 << 510;
        QTest::newRow("one pixel") << 500 << 501;
        QTest::newRow("at the left edge") << 0 << 30;
        QTest::newRow("at the right edge") << 985 << 1000;
    }
    void cursorAndPillNeverCoverEachOther()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        RulerScene scene = made();
        scene.selection = pixels(from, to);
        for (int cursor = 0; cursor <= 1000; ++cursor) {
            scene.cursor = atPixel(cursor);
            const RulerLayout places = layOutRuler(scene, fonts());
            QVERIFY2(!places.pill.intersects(places.cursor), qPrintable(QString::number(cursor)));
            QVERIFY(isInView(places.pill));
            QVERIFY(isInView(places.cursor));
            QVERIFY(places.cursor.left() == Label + cursor || places.cursor.right() == Label + cursor);
        }
    }

    void theCursorsFlagStandsLeftOfABookmarkThatWasPutThere()
    {
        RulerScene scene = made();
        scene.cursor = atPixel(500);
        scene.bookmarks = {{pixels(500, 500), "1"}};
        const RulerLayout places = layOutRuler(scene, fonts());
        QCOMPARE(places.cursor.right(), double(Label + 500));
        QVERIFY(!places.cursor.intersects(places.bookmarks.front()));
    }

    void aBookmarksNameHasRoomBesideItsNotch()
    {
        const QFontMetricsF metrics(fonts().at(10.5, 500));
        for (const QString& name : {QStringLiteral("1"), QStringLiteral("12"), QStringLiteral("checkout")}) {
            const QRectF flag = flagRect(made(), {pixels(100, 100), name}, fonts());
            QVERIFY(flag.width() >= metrics.horizontalAdvance(name) + RulerLayout::Padding + RulerLayout::Notch + 2);
        }
    }

    void whatIsOutOfViewHasNoFlag()
    {
        RulerScene scene = made();
        scene.cursor = timestamp(-1);
        scene.selection = {timestamp(-20), timestamp(-10)};
        const RulerLayout places = layOutRuler(scene, fonts());
        QVERIFY(places.cursor.isEmpty());
        QVERIFY(places.pill.isEmpty());
    }

    /// Input: a tick 10 pixels left of the right edge. Property: its label, which would be cut, is not painted.
    void aLabelThatDoesNotFitIsNotPainted()
    {
        RulerScene scene = made();
        scene.size = QSize(Label + 910, RulerHeight);
        scene.scale = TimeScale({timestamp(0), atPixel(910)}, 910);
        QImage image(scene.size, QImage::Format_RGB32);
        image.fill(Qt::black);
        QPainter painter(&image);
        paintRuler(painter, scene, theme(), fonts());
        painter.end();
        const QColor ground = theme().color("surface.panel");
        const auto hasInk = [&](int from, int to) {
            for (int x = from; x < to; ++x)
                for (int y = 4; y < 19; ++y)
                    if (image.pixelColor(x, y) != ground)
                        return true;
            return false;
        };
        QVERIFY(hasInk(Label + 802, Label + 860)); // The label of the preceding tick is painted.
        QVERIFY(!hasInk(Label + 902, Label + 910));
    }
};

HELIO_TEST(RulerPlacesTest)
#include "tst_ruler_places.moc"
