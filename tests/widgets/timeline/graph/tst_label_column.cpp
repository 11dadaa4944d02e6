// Numbers and meters beside the rows, tested by their pixels.

#include "tests/support/test_program.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/graph_scene.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace helio;

namespace {

constexpr TrackRef Only{StoreIndex{0}, TrackId(1)};
constexpr int Wide = 300;
constexpr int NumberRight = 12;

QImage painted(BusyShare share)
{
    GraphRow row;
    row.ref = Only;
    const GraphRows rows({row}, Density::Normal);
    const Shares shares{{Only, share}};
    GraphScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.rows = &rows;
    scene.shares = &shares;
    scene.size = {Wide, rows.height()};
    scene.labelWidth = Wide;
    QImage image(scene.size, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    paintLabelColumn(painter, scene);
    return image;
}

} // namespace

class LabelColumnTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: the bar that shows a row's share ends before the number, even if the number is wide, e.g. "≥100 %".
    void aMeterEndsBeforeItsNumber_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<bool>("isLowerBound");
        QTest::addColumn<QString>("text");
        QTest::newRow("4.6") << 0.046 << false << "4.6 %";
        QTest::newRow("100") << 1.0 << false << "100 %";
        QTest::newRow("at least 99") << 0.9996 << true << QChar(0x2265) + QStringLiteral("99 %");
        QTest::newRow("at least 100") << 1.0 << true << QChar(0x2265) + QStringLiteral("100 %");
    }
    void aMeterEndsBeforeItsNumber()
    {
        QFETCH(double, share);
        QFETCH(bool, isLowerBound);
        QFETCH(QString, text);
        const QImage image = painted(BusyShare(share, isLowerBound));
        const QColor ground = theme().color("surface.panel");
        const auto isGround = [&](int x) {
            // Skips the last line of pixels, because it contains the line between two rows.
            for (int y = 0; y < image.height() - 1; ++y)
                if (image.pixelColor(x, y) != ground)
                    return false;
            return true;
        };
        const int left = int(Wide - NumberRight - std::ceil(tabularWidth(fonts().small(), text)));
        for (int x = left - 3; x < left; ++x)
            QVERIFY(isGround(x));
        int drawn = 0;
        for (int x = Wide - 82; x < left; ++x)
            drawn += !isGround(x);
        QVERIFY(drawn >= 20 && drawn <= 34);
        for (int x = Wide - NumberRight; x < Wide; ++x)
            QVERIFY(isGround(x));
    }
};

HELIO_TEST(LabelColumnTest)
#include "tst_label_column.moc"
