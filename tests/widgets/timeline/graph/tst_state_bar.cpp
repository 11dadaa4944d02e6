// Property: bars of states in tables look like those of the rows.

#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/paint/state_bar.h"
#include "widgets/timeline/graph/lanes/lane_raster.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace helio;

namespace {

constexpr QRgb Ground = 0xff102030;

/// Paints a bar of the state with the row's painter, `width` x `height` pixels.
QImage inARow(const StateAppearance& look, int width, int height, int scale)
{
    QImage image(width * scale, height * scale, QImage::Format_RGB32);
    image.fill(Ground);
    const Raster raster{reinterpret_cast<QRgb*>(image.bits()), image.width(), image.height(), int(image.bytesPerLine() / 4), scale};
    const LaneLayout lane{{{0, image.width(), 0, 1, true, false, false}}, {{0, 0, std::int16_t(image.height())}}, {}};
    paintLane(raster, lane, LanePalette::make({look}, QColor(Ground)), {image.height(), 0, 0});
    return image;
}

QImage inATable(const StateAppearance& look, int width, int height, int scale)
{
    QImage image(width * scale, height * scale, QImage::Format_RGB32);
    image.fill(Ground);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintStateBar(painter, QRect(0, 0, width, height), look);
    return image;
}

/// Returns the largest difference of a colour channel between two pictures, 0 to 255. Rounded tints cause small differences.
int difference(const QImage& a, const QImage& b)
{
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            most = std::max({most, std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
        }
    return most;
}

} // namespace

class StateBarTest : public QObject {
    Q_OBJECT

private slots:
    void aBarInATableIsHatchedAsInTheRow_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<int>("scale");
        for (const char* state : {"failed-syscall", "unknown", "running-user", "blocked"})
            for (const int scale : {1, 2})
                QTest::addRow("%s at %d", state, scale) << state << scale;
    }
    void aBarInATableIsHatchedAsInTheRow()
    {
        QFETCH(const QString, state);
        QFETCH(const int, scale);
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const StateAppearance look = Theme::make(kind).lookOf(test::threadState(state.toStdString()));
            QCOMPARE(look.drawing == BarPattern::Hatched, state == "failed-syscall" || state == "unknown");

            const QImage row = inARow(look, 37, 9, scale);

            QCOMPARE(row.pixelColor(0, 0), look.color);
            QCOMPARE_LE(difference(row, inATable(look, 37, 9, scale)), 1);
        }
    }

    /// Property: the bar of a throttled state is a horizontal line of two pixels above vertical lines that are two pixels wide. It is solid
    /// if it is narrow or shares its column with other states.
    void aThrottledBarIsAFence()
    {
        const StateAppearance look = Theme::make(Theme::Kind::Dark).lookOf(test::threadState("throttled"));
        const auto columns = [&](int width, bool isPure) {
            QImage image(width, 8, QImage::Format_RGB32);
            image.fill(Ground);
            const Raster raster{reinterpret_cast<QRgb*>(image.bits()), width, 8, int(image.bytesPerLine() / 4), 1};
            paintLane(raster, {{{0, width, 0, 1, isPure, true, false}}, {{0, 0, 8}}, {}}, LanePalette::make({look}, QColor(Ground)),
                      {8, 0, 0});
            QString full;
            for (const int y : {0, 1, 2, 7})
                for (int x = 0; x < width; ++x)
                    full += image.pixelColor(x, y) == look.color ? '#' : image.pixelColor(x, y) == QColor(Ground) ? ' ' : '.';
            return full;
        };
        QCOMPARE(columns(7, true), QString("#######") + "#######" + "##..##." + "##..##.");
        QCOMPARE(columns(3, true), QString("############"));
        QCOMPARE(columns(7, false), QString("#######").repeated(4));
    }

    /// Property: a low column of a rare state has its full colour instead of a hatch, because so few pixels of a hatch would hardly be
    /// visible.
    void aLowColumnOfARareStateIsInFullColour()
    {
        StateKind kind = test::threadState("failed-syscall");
        for (const bool isRare : {false, true}) {
            if (isRare)
                kind.style.flags |= StateFlag::AlwaysVisible;
            const StateAppearance look = Theme::make(Theme::Kind::Dark).lookOf(kind);
            int full = 0;
            for (std::int32_t x = 0; x < 5; ++x) {
                QImage image(5, 13, QImage::Format_RGB32);
                image.fill(Ground);
                const Raster raster{reinterpret_cast<QRgb*>(image.bits()), 5, 13, int(image.bytesPerLine() / 4), 1};
                paintLane(raster, {{{x, 1, 0, 1, false, false, false}}, {{0, 0, 2}}, {}}, LanePalette::make({look}, QColor(Ground)),
                          {13, 0, 0});
                full += image.pixelColor(x, 12) == look.color && image.pixelColor(x, 11) == look.color;
            }
            QCOMPARE(full, isRare ? 5 : 1);
        }
    }
};

HELIO_TEST(StateBarTest)
#include "tst_state_bar.moc"
