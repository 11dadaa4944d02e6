#include "widgets/paint/text.h"

#include <QFontMetricsF>
#include <QHash>
#include <QStaticText>

#include <cmath>
#include <list>

namespace helio {

namespace {

constexpr qsizetype MostTexts = 4000; ///< Of a font; then all are forgotten. Some 500 bytes each.
constexpr std::size_t MostFonts = 24;

/// What is known of a font: its figures and texts drawn before.
class KnownFont {
public:
    explicit KnownFont(const QFont& font)
        : m_font(font)
        , m_metrics(font)
        , m_cell(m_metrics.horizontalAdvance(QLatin1Char('0')))
    {
        for (char c = '0'; c <= '9'; ++c) {
            m_digits[c - '0'] = m_metrics.horizontalAdvance(QLatin1Char(c));
            m_areTabular = m_areTabular && std::abs(m_digits[c - '0'] - m_digits[0]) < 0.01;
            m_cell = std::max(m_cell, m_digits[c - '0']);
        }
    }

    const QFont& font() const { return m_font; }
    const QFontMetricsF& metrics() const { return m_metrics; }
    bool areTabular() const { return m_areTabular; }
    qreal cell() const { return m_cell; }
    qreal digit(QChar c) const { return m_digits[c.unicode() - '0']; }

    qreal width(const QString& text) { return known(text).width; }

    void draw(QPainter& painter, QPointF baseline, const QString& text)
    {
        painter.drawStaticText(baseline - QPointF(0, m_metrics.ascent()), known(text).shaped);
    }

    QString elided(const QString& text, Qt::TextElideMode mode, qreal room)
    {
        if (width(text) <= room)
            return text;
        const auto key = std::pair(text, int(room));
        if (const auto it = m_elided.constFind(key); it != m_elided.constEnd())
            return *it;
        if (m_elided.size() > MostTexts)
            m_elided.clear();
        return *m_elided.insert(key, m_metrics.elidedText(text, mode, std::floor(room)));
    }

private:
    struct Text {
        qreal width = 0;
        QStaticText shaped;
    };

    const Text& known(const QString& text)
    {
        if (const auto it = m_texts.constFind(text); it != m_texts.constEnd())
            return *it;
        if (m_texts.size() > MostTexts)
            m_texts.clear();
        Text made{m_metrics.horizontalAdvance(text), QStaticText(text)};
        made.shaped.setTextFormat(Qt::PlainText);
        made.shaped.setPerformanceHint(QStaticText::AggressiveCaching);
        return *m_texts.insert(text, made);
    }

    QFont m_font;
    QFontMetricsF m_metrics;
    qreal m_cell;
    qreal m_digits[10]{};
    bool m_areTabular = true;
    QHash<QString, Text> m_texts;
    QHash<std::pair<QString, int>, QString> m_elided;
};

/// The one used last stands first: there are few.
KnownFont& knownFont(const QFont& font)
{
    static thread_local std::list<KnownFont> known;
    const auto it = std::find_if(known.begin(), known.end(), [&](const KnownFont& k) { return k.font() == font; });
    if (it != known.end()) {
        known.splice(known.begin(), known, it);
        return known.front();
    }
    known.emplace_front(font);
    if (known.size() > MostFonts)
        known.pop_back();
    return known.front();
}

bool isDigit(QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); }

bool hasDigits(const QString& text) { return std::any_of(text.begin(), text.end(), isDigit); }

/// Walks the text in runs: digits one by one, what is between them together. Returns the width.
template <typename Draw> qreal walk(KnownFont& font, const QString& text, const Draw& draw)
{
    qreal x = 0;
    qsizetype from = 0;
    const auto flush = [&](qsizetype to) {
        if (to <= from)
            return;
        const QString run = text.mid(from, to - from);
        draw(x, run);
        x += font.width(run);
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!isDigit(text[i]))
            continue;
        flush(i);
        from = i + 1;
        draw(x + (font.cell() - font.digit(text[i])) / 2, QString(text[i]));
        x += font.cell();
    }
    flush(text.size());
    return x;
}

} // namespace

void drawKnownText(QPainter& painter, QPointF baseline, const QString& text) { knownFont(painter.font()).draw(painter, baseline, text); }

qreal knownWidth(const QFont& font, const QString& text) { return knownFont(font).width(text); }

QString knownElided(const QFont& font, const QString& text, Qt::TextElideMode mode, qreal width)
{
    return knownFont(font).elided(text, mode, width);
}

qreal tabularWidth(const QFont& font, const QString& text)
{
    KnownFont& known = knownFont(font);
    if (!hasDigits(text))
        return known.width(text);
    if (known.areTabular())
        return known.metrics().horizontalAdvance(text);
    return walk(known, text, [](qreal, const QString&) {});
}

void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text)
{
    KnownFont& known = knownFont(painter.font());
    if (!hasDigits(text))
        return known.draw(painter, baseline, text);
    if (known.areTabular())
        return painter.drawText(baseline, text);
    walk(known, text, [&](qreal x, const QString& run) { known.draw(painter, baseline + QPointF(x, 0), run); });
}

qreal centredBaseline(const QFont& font, const QRectF& rect)
{
    return std::round(rect.center().y() + knownFont(font).metrics().capHeight() / 2);
}

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
    KnownFont& known = knownFont(font);
    if (known.width(text) <= width)
        return text;
    const QString elided = known.elided(text, Qt::ElideRight, width);
    return elided.size() >= 3 ? elided : QString();
}

} // namespace helio
