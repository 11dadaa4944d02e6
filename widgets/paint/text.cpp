#include "widgets/paint/text.h"

#include <QFontMetricsF>
#include <QHash>

#include <cmath>

namespace helio {

namespace {

struct Figures {
    qreal cell = 0;
    bool areTabular = true;
};

Figures figuresOf(const QFont& font)
{
    static QHash<QString, Figures> known; // UI thread and the renderer, one at a time
    const QString key = font.key();
    if (const auto it = known.constFind(key); it != known.constEnd())
        return *it;
    const QFontMetricsF metrics(font);
    Figures figures{metrics.horizontalAdvance(QLatin1Char('0')), true};
    for (char c = '1'; c <= '9'; ++c) {
        const qreal width = metrics.horizontalAdvance(QLatin1Char(c));
        figures.areTabular = figures.areTabular && std::abs(width - figures.cell) < 0.01;
        figures.cell = std::max(figures.cell, width);
    }
    known.insert(key, figures);
    return figures;
}

bool hasDigits(const QString& text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); });
}

/// Walks the text in runs: digits one by one, what is between them together. Returns the width.
template <typename Draw> qreal walk(const QFontMetricsF& metrics, qreal cell, const QString& text, const Draw& draw)
{
    qreal x = 0;
    qsizetype from = 0;
    const auto flush = [&](qsizetype to) {
        if (to <= from)
            return;
        const QString run = text.mid(from, to - from);
        draw(x, run);
        x += metrics.horizontalAdvance(run);
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] < QLatin1Char('0') || text[i] > QLatin1Char('9'))
            continue;
        flush(i);
        from = i + 1;
        draw(x + (cell - metrics.horizontalAdvance(text[i])) / 2, QString(text[i]));
        x += cell;
    }
    flush(text.size());
    return x;
}

} // namespace

qreal tabularWidth(const QFont& font, const QString& text)
{
    const QFontMetricsF metrics(font);
    const Figures figures = figuresOf(font);
    if (figures.areTabular || !hasDigits(text))
        return metrics.horizontalAdvance(text);
    return walk(metrics, figures.cell, text, [](qreal, const QString&) {});
}

void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text)
{
    const Figures figures = figuresOf(painter.font());
    if (figures.areTabular || !hasDigits(text)) {
        painter.drawText(baseline, text);
        return;
    }
    walk(QFontMetricsF(painter.font()), figures.cell, text,
         [&](qreal x, const QString& run) { painter.drawText(baseline + QPointF(x, 0), run); });
}

qreal centredBaseline(const QFont& font, const QRectF& rect) { return std::round(rect.center().y() + QFontMetricsF(font).capHeight() / 2); }

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment flags, const QString& text)
{
    const qreal width = tabularWidth(painter.font(), text);
    qreal x = rect.left();
    if (flags & Qt::AlignRight)
        x = rect.right() - width;
    else if (flags & Qt::AlignHCenter)
        x = rect.center().x() - width / 2;
    drawTabularAt(painter, {x, centredBaseline(painter.font(), rect)}, text);
}

QString elidedLabel(const QFontMetricsF& metrics, const QString& text, qreal width)
{
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    const QString elided = metrics.elidedText(text, Qt::ElideRight, width);
    return elided.size() >= 3 ? elided : QString();
}

} // namespace helio
