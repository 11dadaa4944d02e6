#include "widgets/paint/text.h"

#include <QColor>
#include <QFontMetricsF>
#include <QHash>
#include <QImage>
#include <QPaintEngine>
#include <QStaticText>

#include <algorithm>
#include <cmath>
#include <list>

namespace helio {

namespace {

/// Maximum number of cached texts per font; when it is reached, all are dropped. A text takes about 500 bytes.
constexpr qsizetype MostTexts = 4000;
/// Maximum number of letters of the cached texts per font, about 50 bytes each. MostTexts alone would not limit the memory, because some
/// texts are as long as a screen is wide.
constexpr qsizetype MostLettersOfTexts = 100'000;
constexpr qsizetype MostLetters = 2000; ///< Maximum number of letters of a text that are drawn.
constexpr std::size_t MostFonts = 24;
/// Maximum size of the cached pixels per font, in bytes; when it is reached, all are dropped.
constexpr qsizetype MostStillBytes = 6 << 20;

bool isDigit(QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); }

bool hasDigits(const QString& text) { return std::any_of(text.begin(), text.end(), isDigit); }

/// Extracts the ink of a text drawn in `color` on `ground`. Glyphs are blended in linear light, and would be too bold on a transparent
/// background, so they are drawn on a background similar to the final one.
QImage withoutGround(const QImage& picture, const QColor& color, const QColor& ground)
{
    QImage ink(picture.size(), QImage::Format_ARGB32_Premultiplied);
    const QRgb from = ground.rgb(), to = color.rgb();
    const int differences[] = {qRed(to) - qRed(from), qGreen(to) - qGreen(from), qBlue(to) - qBlue(from)};
    const auto* const most = std::max_element(differences, differences + 3, [](int a, int b) { return std::abs(a) < std::abs(b); });
    const int shift = 16 - 8 * int(most - differences); // Bit shift of the channel in which background and colour differ most.
    for (int y = 0; y < picture.height(); ++y) {
        const auto* const line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        auto* const out = reinterpret_cast<QRgb*>(ink.scanLine(y));
        for (int x = 0; x < picture.width(); ++x) {
            const int share = int(line[x] >> shift & 255) - int(from >> shift & 255);
            const int alpha = std::clamp((share * 255 + *most / 2) / *most, 0, 255);
            out[x] = qPremultiply(qRgba(qRed(to), qGreen(to), qBlue(to), alpha));
        }
    }
    return ink;
}

/// Cache for a font: widths of its digits, and texts that were drawn.
class FontCache {
public:
    explicit FontCache(const QFont& font)
        : m_font(font)
        , m_metrics(font)
        , m_capHeight(m_metrics.capHeight())
        , m_cell(m_metrics.horizontalAdvance(QLatin1Char('0')))
    {
        for (char c = '0'; c <= '9'; ++c) {
            m_digits[c - '0'] = m_metrics.horizontalAdvance(QLatin1Char(c));
            m_areTabular = m_areTabular && std::abs(m_digits[c - '0'] - m_digits[0]) < 0.01;
            m_cell = std::max(m_cell, m_digits[c - '0']);
        }
    }

    const QFont& font() const { return m_font; }
    qreal capHeight() const { return m_capHeight; }
    qreal width(const QString& text) { return known(text).width; }

    qreal tabularWidth(const QString& text)
    {
        if (!hasDigits(text))
            return width(text);
        return m_areTabular ? m_metrics.horizontalAdvance(text) : walk(text, [](qreal, const QString&) {});
    }

    void drawTabular(QPainter& painter, QPointF baseline, const QString& text)
    {
        if (!hasDigits(text))
            return draw(painter, baseline, text);
        if (m_areTabular)
            return painter.drawText(baseline, text);
        walk(text, [&](qreal x, const QString& run) { draw(painter, baseline + QPointF(x, 0), run); });
    }

    void draw(QPainter& painter, QPointF baseline, const QString& text)
    {
        painter.drawStaticText(baseline - QPointF(0, m_metrics.ascent()), known(text).shaped);
    }

    void drawStill(QPainter& painter, QPointF baseline, const QString& text, bool isTabular)
    {
        const QTransform& transform = painter.deviceTransform();
        const QPointF at = transform.map(baseline);
        const bool isOnPixels = painter.paintEngine()->type() == QPaintEngine::Raster && transform.type() <= QTransform::TxTranslate
            && at.y() == std::floor(at.y()) && painter.pen().color().alpha() == 255;
        if (!isOnPixels)
            return isTabular ? drawTabular(painter, baseline, text) : draw(painter, baseline, text);
        const qreal left = std::floor(at.x());
        const Still& still = stillOf({text, painter.pen().color().rgba(), int((at.x() - left) * 64), isTabular}, painter);
        painter.drawImage(QPointF(left - transform.dx(), at.y() - transform.dy()) - still.baseline, still.pixels);
    }

    QString elided(const QString& text, Qt::TextElideMode mode, qreal room)
    {
        if (width(text) <= room)
            return text;
        const auto key = std::pair(text, int(room));
        if (const auto it = m_elided.constFind(key); it != m_elided.constEnd())
            return *it;
        if (isTooMuch(m_elided.size(), m_elidedLetters += text.size())) {
            m_elided.clear();
            m_elidedLetters = text.size();
        }
        return *m_elided.insert(key, m_metrics.elidedText(text, mode, std::floor(room)));
    }

private:
    struct Text {
        qreal width = 0;
        QStaticText shaped;
    };

    /// Cached pixels of a text.
    struct Still {
        QImage pixels;
        QPointF baseline; ///< Position of the baseline in `pixels`; both coordinates are whole numbers.
    };
    struct StillKey {
        QString text;
        QRgb color = 0;
        /// Offset of the text to the right of a whole pixel, in 1/64 pixel, which is the resolution at which glyphs are placed.
        int phase = 0;
        bool isTabular = false;

        bool operator==(const StillKey&) const = default;
        friend size_t qHash(const StillKey& key, size_t seed = 0)
        {
            return qHashMulti(seed, key.text, key.color, key.phase, key.isTabular);
        }
    };

    /// Returns the pixels of a text; the first call makes them. Each text is drawn from pixels from the start: otherwise, a partly
    /// repainted text would show both glyphs and pixels, which look different.
    const Still& stillOf(const StillKey& key, const QPainter& painter)
    {
        if (const auto it = m_still.constFind(key); it != m_still.constEnd())
            return *it;
        if (m_stillBytes > MostStillBytes) {
            m_still.clear();
            m_stillBytes = 0;
        }
        Still made = makeStill(key, painter);
        m_stillBytes += made.pixels.sizeInBytes();
        return *m_still.insert(key, std::move(made));
    }

    Still makeStill(const StillKey& key, const QPainter& painter)
    {
        const qreal width = key.isTabular ? tabularWidth(key.text) : known(key.text).width;
        const QRectF ink = m_metrics.boundingRect(key.text) | QRectF(0, -m_metrics.ascent(), width, m_metrics.height());
        const QRect room = ink.toAlignedRect().adjusted(-2, -2, 3, 2); // Margin for antialiasing, and for texts that begin between pixels.
        const QColor color = QColor::fromRgba(key.color);
        const QColor ground = qGray(key.color) < 128 ? QColor(Qt::white) : QColor(24, 26, 30);
        Still still{QImage(room.size(), QImage::Format_RGB32), -room.topLeft()};
        still.pixels.fill(ground);
        QPainter own(&still.pixels);
        own.setRenderHints(painter.renderHints());
        own.setFont(m_font);
        own.setPen(color);
        const QPointF begin = still.baseline + QPointF(key.phase / 64.0, 0);
        key.isTabular ? drawTabular(own, begin, key.text) : draw(own, begin, key.text);
        own.end();
        still.pixels = withoutGround(still.pixels, color, ground);
        return still;
    }

    /// Iterates over a text in runs: each digit alone, and the text between digits as a whole. Returns the width.
    template <typename Draw> qreal walk(const QString& text, const Draw& draw)
    {
        qreal x = 0;
        qsizetype from = 0;
        const auto flush = [&](qsizetype to) {
            if (to <= from)
                return;
            const QString run = text.mid(from, to - from);
            draw(x, run);
            x += width(run);
        };
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (!isDigit(text[i]))
                continue;
            flush(i);
            from = i + 1;
            draw(x + (m_cell - m_digits[text[i].unicode() - '0']) / 2, QString(text[i]));
            x += m_cell;
        }
        flush(text.size());
        return x;
    }

    const Text& known(const QString& text)
    {
        if (const auto it = m_texts.constFind(text); it != m_texts.constEnd())
            return *it;
        if (isTooMuch(m_texts.size(), m_letters += text.size())) {
            m_texts.clear();
            m_letters = text.size();
        }
        Text made{m_metrics.horizontalAdvance(text), QStaticText(text)};
        made.shaped.setTextFormat(Qt::PlainText);
        made.shaped.setPerformanceHint(QStaticText::AggressiveCaching);
        return *m_texts.insert(text, made);
    }

    static bool isTooMuch(qsizetype texts, qsizetype letters) { return texts > MostTexts || letters > MostLettersOfTexts; }

    QFont m_font;
    QFontMetricsF m_metrics;
    qreal m_capHeight; ///< Height of capitals; cached, because querying it opens the font's file.
    qreal m_cell;
    qreal m_digits[10]{};
    bool m_areTabular = true;
    QHash<QString, Text> m_texts;
    qsizetype m_letters = 0; ///< Sum of the lengths of the texts in m_texts, in characters; limits the size of the cache.
    QHash<std::pair<QString, int>, QString> m_elided;
    qsizetype m_elidedLetters = 0;
    QHash<StillKey, Still> m_still;
    qsizetype m_stillBytes = 0;
};

/// Returns the cache of a font. The caches are in a short list, the most recently used first.
FontCache& fontCacheFor(const QFont& font)
{
    static thread_local std::list<FontCache> known;
    const auto it = std::find_if(known.begin(), known.end(), [&](const FontCache& k) { return k.font() == font; });
    if (it != known.end()) {
        known.splice(known.begin(), known, it);
        return known.front();
    }
    known.emplace_front(font);
    if (known.size() > MostFonts)
        known.pop_back();
    return known.front();
}

constexpr int Margin = 3; ///< Margin of a cell in the Fusion style, in pixels.

} // namespace

QString drawablePart(const QString& text, Qt::TextElideMode mode)
{
    if (text.size() <= MostLetters)
        return text;
    const qsizetype behind = mode == Qt::ElideLeft ? MostLetters : mode == Qt::ElideMiddle ? MostLetters / 2 : 0;
    qsizetype before = MostLetters - behind, from = text.size() - behind;
    before -= before > 0 && text[before - 1].isHighSurrogate() ? 1 : 0; // A surrogate pair must not be split.
    from += from < text.size() && text[from].isLowSurrogate() ? 1 : 0;
    return text.left(before) + QChar(0x2026) + text.mid(from);
}

void drawCachedText(QPainter& painter, QPointF baseline, const QString& text)
{
    fontCacheFor(painter.font()).draw(painter, baseline, drawablePart(text));
}

void drawPixelCachedText(QPainter& painter, QPointF baseline, const QString& text)
{
    fontCacheFor(painter.font()).drawStill(painter, baseline, drawablePart(text), false);
}

qreal cachedTextWidth(const QFont& font, const QString& text) { return fontCacheFor(font).width(drawablePart(text)); }

QString cachedElidedText(const QFont& font, const QString& text, Qt::TextElideMode mode, qreal width)
{
    return fontCacheFor(font).elided(drawablePart(text, mode), mode, width);
}

QString elidedName(const QFont& font, const QString& name, qreal width)
{
    constexpr qsizetype Kept = 6; // Number of digits that are kept of an address.
    const auto isHex = [](QChar it) { return (it >= u'0' && it <= u'9') || (it >= u'a' && it <= u'f'); };
    const qsizetype digits =
        name.startsWith(QLatin1String("0x")) ? std::find_if_not(name.begin() + 2, name.end(), isHex) - (name.begin() + 2) : 0;
    if (digits <= Kept || cachedTextWidth(font, name) <= width)
        return cachedElidedText(font, name, Qt::ElideMiddle, width);
    const QString address = QChar(0x2026) + name.mid(2 + digits - Kept, Kept);
    const qreal left = width - cachedTextWidth(font, address);
    return left > 0 ? address + cachedElidedText(font, name.mid(2 + digits), Qt::ElideMiddle, left)
                    : cachedElidedText(font, address, Qt::ElideLeft, width);
}

qreal tabularWidth(const QFont& font, const QString& text) { return fontCacheFor(font).tabularWidth(drawablePart(text)); }

void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text)
{
    fontCacheFor(painter.font()).drawStill(painter, baseline, drawablePart(text), true);
}

qreal centredBaseline(const QFont& font, const QRectF& rect) { return std::round(rect.center().y() + fontCacheFor(font).capHeight() / 2); }

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment flags, const QString& text)
{
    qreal x = rect.left();
    if (flags & Qt::AlignRight)
        x = rect.right() - tabularWidth(painter.font(), text);
    else if (flags & Qt::AlignHCenter)
        x = rect.center().x() - tabularWidth(painter.font(), text) / 2;
    drawTabularAt(painter, {x, centredBaseline(painter.font(), rect)}, text);
}

QString elidedLabel(const QFont& font, const QString& text, qreal width)
{
    FontCache& known = fontCacheFor(font);
    const QString part = drawablePart(text);
    if (known.width(part) <= width)
        return part;
    const QString elided = known.elided(part, Qt::ElideRight, width);
    return elided.size() >= 3 ? elided : QString();
}

int cellWidth(const QString& text, const QFont& font) { return int(std::ceil(cachedTextWidth(font, text))) + 2 * Margin + 1; }

void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& index, const QFont& font, Qt::TextElideMode elision)
{
    QString text = index.data(Qt::DisplayRole).toString();
    const QRect room = rect.adjusted(Margin, 0, -Margin, 0);
    if (text.isEmpty() || room.isEmpty())
        return;
    text.replace(QLatin1Char('\n'), QChar(QChar::Space));
    const QString shown =
        elision == Qt::ElideMiddle ? elidedName(font, text, room.width()) : cachedElidedText(font, text, elision, room.width());
    const int alignment = index.data(Qt::TextAlignmentRole).toInt();
    const qreal x = alignment & Qt::AlignRight ? room.right() + 1 - cachedTextWidth(font, shown) : room.left();
    painter.setFont(font);
    painter.setPen(index.data(Qt::ForegroundRole).value<QColor>());
    drawPixelCachedText(painter, {x, centredBaseline(font, room)}, shown);
}

} // namespace helio
