#include "widgets/docks/details/wait_card.h"

#include "core/timesync/link_times.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/controls/copy_text.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int WaitPadding = 12;
constexpr int WaitEdge = 3;
constexpr int WaitLineGap = 4; ///< Vertical distance of lines in pixels.
constexpr int WaitBarHeight = 8;
constexpr int WaitSwatch = 9;
constexpr int WaitTextLeft = 18; ///< Distance in pixels from the left edge of a line's colour swatch to the left edge of its text.
constexpr int WaitColumnGap = 12;

QTextOption wrapping()
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    return option;
}

/// Count of the lines that a text needs, and their height.
struct Wrapped {
    int lines = 0;
    int height = 0;
};

Wrapped wrapped(const QFont& font, const QString& text, int width)
{
    QTextLayout layout(text, font);
    layout.setTextOption(wrapping());
    layout.beginLayout();
    Wrapped all;
    qreal height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++all.lines) {
        line.setLineWidth(std::max(1, width));
        height += line.height();
    }
    layout.endLayout();
    all.height = int(std::ceil(height));
    return all;
}

/// Returns the error bound of a step's times relative to the host of the first step, e.g. "±18 µs"; empty if the step is on that host.
QString errorWords(const WaitStep& step)
{
    return step.error == Duration::zero() ? QString()
        : step.error == UnknownError      ? WaitCard::tr("±?")
                                          : WaitCard::tr("±%1").arg(durationText(step.error));
}

StateAppearance lookOf(PathKind kind) { return theme().lookOf(stateOf(kind)); }

} // namespace

WaitCard::WaitCard(ViewContext& context, QWidget* parent)
    : LineCard(parent)
    , m_context(context)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        m_arranged.width = -1; // Arrange the lines again, because the theme's fonts may differ.
        makeLines();
    });
}

void WaitCard::setWait(std::shared_ptr<const Timeline> timeline, TrackRef thread, std::shared_ptr<const Why> why)
{
    m_timeline = std::move(timeline);
    m_thread = thread;
    m_why = why && !why->conclusion.empty() ? std::move(why) : nullptr;
    makeLines();
}

void WaitCard::makeLines()
{
    m_arranged.width = -1;
    m_lines.clear();
    m_subtitle.clear();
    m_note.clear();
    m_whole = {};
    if (!m_why)
        return linesChanged(tr("Why it waited"));
    const std::vector<WaitPart>& parts = m_why->parts;
    const bool isOneThread = std::ranges::all_of(parts, [&](const WaitPart& it) { return it.row == parts.front().row; });
    if (isOneThread && !parts.empty() && parts.front().row != m_thread)
        m_subtitle = tr("Time of %1 by step").arg(text(threadWords(*m_timeline, parts.front().row)));
    for (const WaitPart& part : parts) {
        m_whole += part.total;
        const QString kind = lookOf(part.kind).legend, what = text(part.what);
        QString words = kind.isEmpty() || what.isEmpty() ? kind + what : tr("%1, %2").arg(kind, what);
        if (isOneThread && !words.isEmpty())
            words[0] = words[0].toUpper();
        else
            words = tr("%1: %2").arg(text(threadWords(*m_timeline, part.row)), words);
        m_lines.push_back({part.kind, words, part.row, part.longest.begin, part.total});
    }
    if (m_lines.size() > MostParts) {
        Line rest{PathKind::Unknown, tr("and %1 more").arg(countText(qint64(m_lines.size() - MostParts + 1))), {}, {}, {}};
        for (std::size_t i = MostParts - 1; i < m_lines.size(); ++i)
            rest.total += m_lines[i].total;
        m_lines.resize(MostParts - 1);
        m_lines.push_back(rest);
    }
    const auto least = std::ranges::max_element(m_why->steps, {}, &WaitStep::error);
    if (least != m_why->steps.end() && !errorWords(*least).isEmpty())
        m_note = tr("Times of other hosts: %1").arg(errorWords(*least));
    linesChanged(tr("Why it waited, %1").arg(text(m_why->conclusion)));
}

QString WaitCard::shareOf(Duration part) const
{
    return tr("%1 %").arg(m_whole.count() > 0 ? 100.0 * double(part.count()) / double(m_whole.count()) : 0.0, 0, 'f', 1);
}

QString WaitCard::words(std::size_t index) const
{
    const Line& line = m_lines[index];
    return tr("%1, %2, %3").arg(line.text, shareOf(line.total), durationText(line.total));
}

const WaitCard::Arrangement& WaitCard::arranged(int width) const
{
    Arrangement& it = m_arranged;
    if (it.width == width)
        return it;
    it = {};
    it.width = width;
    if (!m_why)
        return it;
    const int left = WaitEdge + WaitPadding, room = std::max(1, width - left - WaitPadding);
    int y = 10 + QFontMetrics(fonts().at(11.5, 600)).height() + 4;
    it.conclusion = text(m_why->conclusion);
    constexpr int MostConclusionLines = 2;
    for (const std::string& shorter : m_why->shorterConclusions)
        if (wrapped(fonts().title(), it.conclusion, room).lines > MostConclusionLines)
            it.conclusion = text(shorter);
    it.conclusionRect = {left, y, room, wrapped(fonts().title(), it.conclusion, room).height};
    y = it.conclusionRect.bottom() + 1 + 6;
    if (!m_subtitle.isEmpty()) {
        it.subtitle = {left, y, room, wrapped(fonts().small(), m_subtitle, room).height};
        y = it.subtitle.bottom() + 1 + 4;
    }
    const QFont detail = fonts().detail(), strong = fonts().at(11.5, 600);
    it.timeWidth = int(std::ceil(tabularWidth(strong, durationText(m_whole))));
    for (const Line& line : m_lines)
        it.timeWidth = std::max(it.timeWidth, int(std::ceil(tabularWidth(strong, durationText(line.total)))));
    it.shareWidth = int(std::ceil(tabularWidth(strong, shareOf(m_whole)))) + WaitColumnGap;
    const int wordsRoom = room - WaitTextLeft - it.timeWidth - WaitColumnGap;
    const bool needsSharesRoom =
        std::ranges::any_of(m_lines, [&](const Line& line) { return wrapped(detail, line.text, wordsRoom - it.shareWidth).lines > 1; });
    if (needsSharesRoom)
        it.shareWidth = 0;
    for (const Line& line : m_lines) {
        it.lines.emplace_back(left, y, room, wrapped(detail, line.text, wordsRoom - it.shareWidth).height + WaitLineGap);
        y = it.lines.back().bottom() + 1;
    }
    it.total = {left, y + 4, room, QFontMetrics(strong).height() + WaitLineGap};
    it.bar = {left, it.total.bottom() + 1 + 5, room, WaitBarHeight};
    y = it.bar.bottom() + 1;
    if (!m_note.isEmpty()) {
        it.note = {left, y + 6, room, wrapped(fonts().small(), m_note, room).height};
        y = it.note.bottom() + 1;
    }
    it.height = y + WaitPadding;
    return it;
}

QRect WaitCard::lineRect(std::size_t index) const { return arranged(width()).lines[index]; }

void WaitCard::follow(std::size_t index)
{
    const Line line = m_lines[index]; // Copied, because the receiver may replace the lines.
    emit chosen(line.row, line.at);
}

void WaitCard::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy text"), this, [this] { helio::copyText(copyText()); });
    menu->popup(event->globalPos());
}

QString WaitCard::copyText() const
{
    if (!m_why)
        return {};
    QString all = text(m_why->conclusion) + '\n';
    for (const WaitStep& step : m_why->steps)
        all += QString(2 * step.depth, ' ')
            + tr("%1  %2  %3\n")
                  .arg(timeText(step.range.begin, m_context.timeFormat()) + (errorWords(step).isEmpty() ? "" : ' ' + errorWords(step)),
                       durationText(step.range.duration()), text(step.words));
    return all;
}

void WaitCard::paintEvent(QPaintEvent*)
{
    if (!m_why)
        return;
    QPainter painter(this);
    const Arrangement& it = arranged(width());
    paintGround(painter, {});
    QPainterPath ground;
    ground.addRoundedRect(QRectF(rect()), 5, 5);
    painter.save();
    painter.setClipPath(ground);
    painter.fillRect(0, 0, WaitEdge, height(), lookOf(m_why->main.kind).color);
    painter.restore();
    const QFont titleFont = fonts().at(11.5, 600);
    painter.setFont(titleFont);
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(QRect(it.conclusionRect.left(), 10, it.conclusionRect.width(), QFontMetrics(titleFont).height()), Qt::AlignVCenter,
                     tr("Why it waited"));
    painter.setFont(fonts().title());
    painter.setPen(theme().color("text.primary"));
    painter.drawText(QRectF(it.conclusionRect), it.conclusion, wrapping());
    painter.setFont(fonts().small());
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(QRectF(it.subtitle), m_subtitle, wrapping());
    painter.drawText(QRectF(it.note), m_note, wrapping());
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        paintLine(painter, m_lines[i], it.lines[i], false);
    painter.fillRect(it.total.left(), it.total.top() - 3, it.total.width(), 1, theme().color("line.subtle"));
    paintLine(painter, {PathKind::Unknown, tr("Total"), {}, {}, m_whole}, it.total, true);
    Duration before{};
    const auto x = [&](Duration at) {
        return it.bar.left() + int(std::lround(double(at.count()) / double(std::max<qint64>(1, m_whole.count())) * it.bar.width()));
    };
    for (const Line& line : m_lines) {
        const QRect part(x(before), it.bar.top(), x(before + line.total) - x(before), it.bar.height());
        before += line.total;
        painter.fillRect(part, lookOf(line.kind).color);
        if (part.width() > 2 && before < m_whole) // Adjacent parts may have the same colour, so a line separates them.
            painter.fillRect(part.right(), part.top(), 1, part.height(), theme().color("surface.timeline"));
    }
    paintFocus(painter);
}

void WaitCard::paintLine(QPainter& painter, const Line& line, const QRect& rect, bool isBold) const
{
    const Arrangement& it = arranged(width());
    const QFont strong = fonts().at(11.5, 600), detail = fonts().detail();
    const int high = QFontMetrics(detail).height();
    const QRect first(rect.left(), rect.top() + WaitLineGap / 2, rect.width(), high);
    if (!isBold && line.row.isValid())
        paintSwatch(painter, QRectF(first.left(), first.center().y() - WaitSwatch / 2, WaitSwatch, WaitSwatch), lookOf(line.kind));
    const int wordsRoom = rect.width() - WaitTextLeft - it.timeWidth - WaitColumnGap - it.shareWidth;
    painter.setFont(isBold ? strong : detail);
    painter.setPen(theme().color("text.primary"));
    painter.drawText(QRectF(first.left() + WaitTextLeft, first.top(), wordsRoom, rect.height()), line.text, wrapping());
    painter.setFont(strong);
    drawTabular(painter, QRectF(first), Qt::AlignRight, durationText(line.total));
    if (it.shareWidth == 0)
        return;
    painter.setFont(isBold ? strong : detail);
    painter.setPen(theme().color(isBold ? "text.primary" : "text.secondary"));
    drawTabular(painter, QRectF(first).adjusted(0, 0, -it.timeWidth - WaitColumnGap, 0), Qt::AlignRight, shareOf(line.total));
}

} // namespace helio
