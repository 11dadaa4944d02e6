// Property: texts from the pixel cache look like texts that are drawn directly.

#include "tests/support/test_program.h"
#include "widgets/paint/text.h"

#include <QFontDatabase>
#include <QImage>
#include <QTest>

using namespace helio;

namespace {

QImage drawn(const QColor& ground, const QColor& ink, qreal x, const std::function<void(QPainter&, QPointF)>& draw)
{
    QImage image(220, 40, QImage::Format_RGB32);
    image.fill(ground);
    QPainter painter(&image);
    QFont font;
    font.setPixelSize(13);
    painter.setFont(font);
    painter.setPen(ink);
    draw(painter, {x, 25});
    return image;
}

/// Returns the largest difference of a colour channel between two images, 0 to 255.
int difference(const QImage& a, const QImage& b)
{
    int most = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            most = std::max({most, std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
        }
    }
    return most;
}

} // namespace

class TextTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: names of two locks, which differ in the last digits of their addresses. Property: elided names differ too.
    void namesOfLocksDifferWhereTheyAreElided()
    {
        const QFont font;
        const QString one = "0x55da941a2c40 futex of work (260)", other = "0x55da941a2c80 futex of work (260)";
        QCOMPARE(elidedName(font, one, cachedTextWidth(font, one) + 1), one);
        const qreal room = cachedTextWidth(font, one) * 0.7;
        QVERIFY2(elidedName(font, one, room).startsWith(QString(u'\u2026') + "1a2c40"), qPrintable(elidedName(font, one, room)));
        QVERIFY(elidedName(font, one, room) != elidedName(font, other, room));
        QVERIFY(cachedTextWidth(font, elidedName(font, one, room)) <= room + 1);
        const QString plain(60, u'm');
        QCOMPARE(elidedName(font, plain, 100), cachedElidedText(font, plain, Qt::ElideMiddle, 100));
    }

    // Input: a text of 50 million characters. Shaping the complete text would take seconds, and painting it would need gigabytes of pixels.
    // Property: only a part is measured and drawn.
    void ofAHugeTextAPartIsMeasuredAndDrawn()
    {
        const QString huge = QString(50'000'000, u'm') + u'z';
        QCOMPARE(drawablePart(QString(2000, u'm')), QString(2000, u'm'));
        QCOMPARE(drawablePart(huge), QString(2000, u'm') + u'\u2026');
        QCOMPARE(drawablePart(huge, Qt::ElideMiddle), QString(1000, u'm') + u'\u2026' + QString(999, u'm') + u'z');
        QCOMPARE(drawablePart(huge, Qt::ElideLeft), u'\u2026' + QString(1999, u'm') + u'z');
        const QString pairs = QString(1999, u'm') + QString::fromUcs4(U"\U0001F600") + QString(1000, u'm');
        QCOMPARE(drawablePart(pairs), QString(1999, u'm') + u'\u2026'); // No surrogate pair is split.

        const QFont font;
        QCOMPARE(cachedTextWidth(font, huge), cachedTextWidth(font, drawablePart(huge)));
        QCOMPARE(tabularWidth(font, huge + u'1'), tabularWidth(font, drawablePart(huge)));
        QVERIFY(cachedElidedText(font, huge, Qt::ElideRight, 100).endsWith(u'\u2026'));
        QVERIFY(cachedElidedText(font, huge, Qt::ElideMiddle, 100).endsWith(u'z'));
        QVERIFY(elidedLabel(font, huge, 100).size() < 100);
        for (const auto draw : {drawCachedText, drawPixelCachedText, drawTabularAt}) {
            const QImage picture = drawn(Qt::white, Qt::black, 3, [&](QPainter& painter, QPointF at) { draw(painter, at, huge); });
            QVERIFY(difference(picture, drawn(Qt::white, Qt::black, 3, [](QPainter&, QPointF) {})) > 100);
        }
    }

    void keptTextsLookLikeDrawnOnes_data()
    {
        QTest::addColumn<QColor>("ground");
        QTest::addColumn<QColor>("ink");
        QTest::newRow("black on white") << QColor(Qt::white) << QColor(Qt::black);
        QTest::newRow("grey on white") << QColor(250, 251, 253) << QColor(74, 85, 104);
        QTest::newRow("on a selected line") << QColor(220, 230, 241) << QColor(30, 36, 44);
        QTest::newRow("white on black") << QColor(24, 26, 30) << QColor(232, 236, 242);
        QTest::newRow("grey on dark") << QColor(33, 37, 43) << QColor(160, 168, 180);
    }
    void keptTextsLookLikeDrawnOnes()
    {
        QFETCH(QColor, ground);
        QFETCH(QColor, ink);
        const QString text = QStringLiteral("fjq sched_switch 12:34 Wjg");
        for (const qreal x : {20.0, 20.25, 20.5, 20.8}) {
            const QImage expected = drawn(ground, ink, x, [&](QPainter& p, QPointF at) { drawCachedText(p, at, text); });
            QVERIFY(difference(expected, drawn(ground, ink, x, [](QPainter&, QPointF) {})) > 60);
            for (int time = 0; time < 3; ++time)
                QVERIFY(difference(expected, drawn(ground, ink, x, [&](QPainter& p, QPointF at) { drawPixelCachedText(p, at, text); }))
                        <= 8);
        }
    }

    void aMovedPainterPutsKeptTextsWhereItPutsOthers()
    {
        const QString text = QStringLiteral("Wjg");
        const auto at = [&](bool isStill, qreal scale) {
            return drawn(Qt::white, Qt::black, 4, [=](QPainter& p, QPointF place) {
                p.translate(30.5, 3);
                p.scale(scale, scale);
                isStill ? drawPixelCachedText(p, place / scale, text) : drawCachedText(p, place / scale, text);
            });
        };
        QVERIFY(difference(at(true, 1), at(false, 1)) <= 3);
        QCOMPARE(at(true, 1.5), at(false, 1.5)); // At a scale of 1.5, texts are drawn without the cache.
    }
};

HELIO_TEST(TextTest)
#include "tst_text.moc"
