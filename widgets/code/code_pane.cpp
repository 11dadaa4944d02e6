#include "widgets/code/code_pane.h"

#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int LineHeight = 18;
constexpr int TitleHeight = 20;
constexpr int ShareWidth = 48;
constexpr int BarWidth = 40;
constexpr int BarHeight = 8;
constexpr int JumpGutter = 24;
constexpr int JumpLane = 4;
constexpr int Gap = 8;
constexpr int InlineIndent = 12;

} // namespace

void assignJumpLanes(std::vector<CodeJump>& jumps, int lanes)
{
    std::ranges::stable_sort(jumps, {}, [](const CodeJump& jump) { return std::abs(jump.to - jump.from); });
    std::vector<std::vector<std::pair<int, int>>> taken(static_cast<std::size_t>(lanes));
    for (CodeJump& jump : jumps) {
        const auto [top, bottom] = std::minmax(jump.from, jump.to);
        const auto isFree = [top = top, bottom = bottom](const auto& lane) {
            return std::ranges::none_of(lane, [&](const auto& it) { return it.first <= bottom && top <= it.second; });
        };
        const auto free = std::ranges::find_if(taken, isFree);
        jump.lane = free == taken.end() ? lanes - 1 : int(free - taken.begin());
        taken[std::size_t(jump.lane)].emplace_back(top, bottom);
    }
}

/// Widget with the titles of the columns, above the viewport.
class CodePane::Titles : public QWidget {
public:
    explicit Titles(CodePane& pane)
        : QWidget(&pane)
        , m_pane(pane)
    {
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color("surface.header"));
        painter.setFont(fonts().at(10.5, 500));
        int left = 0;
        for (const CodeColumn& column : m_pane.m_columns) {
            painter.setPen(theme().color(column.role));
            drawTabular(painter, QRectF(left, 0, column.width - Gap, height()), Qt::AlignRight, column.title);
            left += column.width;
        }
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QPointF(m_pane.textLeft(), centredBaseline(painter.font(), rect())), m_pane.accessibleName());
    }

private:
    CodePane& m_pane;
};

CodePane::CodePane(const QString& name, QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    viewport()->setMouseTracking(true);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        updateBars();
        viewport()->update();
        if (m_titles)
            m_titles->update();
    });
}

void CodePane::setColumns(std::vector<CodeColumn> columns)
{
    m_columns = std::move(columns);
    if (!m_titles)
        m_titles = new Titles(*this);
    setViewportMargins(0, TitleHeight, 0, 0);
    updateBars();
}

int CodePane::heatLevel(double share, double hottest)
{
    if (share <= 0 || hottest <= 0)
        return 0;
    return std::clamp(int(std::ceil(std::sqrt(share / hottest) * 4)), 1, 4);
}

void CodePane::setRows(std::vector<CodeRow> rows, std::vector<CodeJump> jumps)
{
    m_rows = std::move(rows);
    m_jumps = std::move(jumps);
    assignJumpLanes(m_jumps, JumpGutter / JumpLane - 1);
    m_hottest = 0;
    m_lit = CodeRow::NoLink;
    m_hovered = m_current = -1;
    for (const CodeRow& row : m_rows)
        m_hottest = std::max(m_hottest, row.share);
    updateBars();
    viewport()->update();
}

void CodePane::updateBars()
{
    const QFont font = fonts().fixed();
    const QFontMetricsF metrics(font);
    const double letter = metrics.horizontalAdvance(QLatin1Char('0'));
    qsizetype longestLabel = 0;
    qsizetype longestText = 0;
    for (const CodeRow& row : m_rows) {
        longestLabel = std::max(longestLabel, row.isHeading ? 0 : row.label.size());
        longestText = std::max(longestText, row.text.size());
    }
    m_labelWidth = int(std::ceil(double(longestLabel) * letter));
    m_textWidth = int(std::ceil(double(longestText) * letter)) + InlineIndent;
    verticalScrollBar()->setRange(0, std::max(0, int(m_rows.size()) * LineHeight - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(LineHeight);
    horizontalScrollBar()->setRange(0, std::max(0, textLeft() + m_textWidth - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
}

int CodePane::gutter() const
{
    if (m_columns.empty())
        return ShareWidth + Gap + BarWidth + Gap;
    int width = 0;
    for (const CodeColumn& column : m_columns)
        width += column.width;
    return width;
}

int CodePane::textLeft() const { return gutter() + m_labelWidth + (m_jumps.empty() ? 0 : JumpGutter) + Gap; }

void CodePane::resizeEvent(QResizeEvent*)
{
    updateBars();
    if (m_titles)
        m_titles->setGeometry(0, 0, width(), TitleHeight);
}

void CodePane::setLitLink(int link)
{
    if (link != m_lit) {
        m_lit = link;
        viewport()->update();
    }
}

void CodePane::reveal(int row) { verticalScrollBar()->setValue(row * LineHeight - viewport()->height() / 2); }

int CodePane::rowAt(int y) const
{
    const int row = (y + verticalScrollBar()->value()) / LineHeight;
    return y >= 0 && row < int(m_rows.size()) ? row : -1;
}

void CodePane::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().color("surface.panel"));
    const int offset = verticalScrollBar()->value();
    const int first = offset / LineHeight;
    const int last = std::min(int(m_rows.size()) - 1, (offset + viewport()->height()) / LineHeight);
    for (int row = first; row <= last; ++row)
        paintRow(painter, row, row * LineHeight - offset);
    paintJumps(painter, first, last);
}

QColor CodePane::lineBackground(const Theme& theme, int heat, bool isLit)
{
    if (heat < 0)
        return theme.color(isLit ? "surface.hover" : "surface.panel");
    const QColor hot = theme.color(QStringLiteral("heat.%1").arg(heat));
    return isLit ? mixed(hot, theme.color("text.primary"), 0.1) : hot;
}

void CodePane::paintRow(QPainter& painter, int index, int y) const
{
    const CodeRow& row = m_rows[std::size_t(index)];
    const Theme& theme = helio::theme();
    const QRectF line(0, y, viewport()->width(), LineHeight);
    const int heat = heatLevel(row.share, m_hottest);
    const bool isLit = index == m_hovered || (row.link != CodeRow::NoLink && row.link == m_lit);
    const bool isOnHeat = !row.shareText.isEmpty();
    if (isLit || isOnHeat)
        painter.fillRect(line, lineBackground(theme, isOnHeat ? heat : -1, isLit));
    if (index == m_current)
        painter.fillRect(QRectF(0, y, 3, LineHeight), theme.color("accent.fill"));
    const double shift = -horizontalScrollBar()->value();
    const double left = textLeft() + shift;
    painter.setFont(fonts().fixed());
    painter.setPen(theme.color(row.isHeading ? "text.secondary" : "text.primary"));
    const double indent = row.isInlined ? InlineIndent : 0;
    const QRectF text(left + indent, y, std::max(0.0, line.width() - left - indent), LineHeight);
    painter.save();
    painter.setClipRect(QRectF(textLeft(), y, line.width(), LineHeight), Qt::IntersectClip);
    paintText(painter, row, QPointF(text.left(), centredBaseline(painter.font(), text)));
    if (row.isInlined)
        painter.fillRect(QRectF(left + 2, y, 2, LineHeight), theme.color("flame.inlined"));
    painter.restore();
    if (row.isHeading)
        return;
    const double labels = gutter();
    painter.setPen(theme.color(isOnHeat ? "text.primary" : "text.hint"));
    painter.drawText(
        QPointF(labels + m_labelWidth - QFontMetricsF(painter.font()).horizontalAdvance(row.label), centredBaseline(painter.font(), line)),
        row.label);
    if (row.shareText.isEmpty())
        return;
    painter.setFont(fonts().at(11));
    if (!m_columns.empty())
        return paintCells(painter, row, y);
    painter.setPen(theme.color("text.primary"));
    drawTabular(painter, QRectF(0, y, ShareWidth, LineHeight), Qt::AlignRight, row.shareText);
    const double bar = m_hottest > 0 ? row.share / m_hottest * BarWidth : 0;
    painter.fillRect(QRectF(ShareWidth + Gap, y + (LineHeight - BarHeight) / 2.0, std::max(1.0, bar), BarHeight),
                     theme.color("text.secondary"));
}

/// Paints the text without colours and then the coloured ranges over it, which is possible because all characters have the same width.
void CodePane::paintText(QPainter& painter, const CodeRow& row, QPointF baseline) const
{
    QString plain = row.text;
    for (const CodeToken& token : row.tokens)
        plain.replace(token.begin, token.length, QString(token.length, u' '));
    painter.drawText(baseline, plain);
    const QFontMetricsF metrics(painter.font());
    QPointF at = baseline;
    int measured = 0;
    for (const CodeToken& token : row.tokens) {
        at.rx() += metrics.horizontalAdvance(row.text.mid(measured, token.begin - measured));
        measured = token.begin;
        if (at.x() > viewport()->width())
            break;
        painter.setPen(theme().color(roleOf(token.word)));
        painter.drawText(at, row.text.mid(token.begin, token.length));
    }
}

void CodePane::paintCells(QPainter& painter, const CodeRow& row, int y) const
{
    double left = 0;
    for (std::size_t i = 0; i < m_columns.size() && i < row.cells.size(); ++i) {
        const CodeCell& cell = row.cells[i];
        const QRectF rect(left, y, m_columns[i].width - Gap, LineHeight);
        if (!cell.fill.isEmpty())
            painter.fillRect(rect.adjusted(Gap, 1, 4, -1), theme().color(cell.fill));
        painter.setPen(theme().color(!cell.fill.isEmpty() ? cell.fill + QStringLiteral(".ink")
                                                          : QString::fromLatin1(cell.isFaint ? "text.hint" : "text.primary")));
        drawTabular(painter, rect, Qt::AlignRight, cell.text);
        left += m_columns[i].width;
    }
}

void CodePane::paintJumps(QPainter& painter, int first, int last) const
{
    const double right = textLeft() - Gap + 4;
    const int offset = verticalScrollBar()->value();
    for (const CodeJump& jump : m_jumps) {
        const auto [top, bottom] = std::minmax(jump.from, jump.to);
        if (bottom < first || top > last)
            continue;
        const bool isLit = jump.from == m_hovered || jump.to == m_hovered || jump.from == m_current;
        painter.setPen(QPen(theme().color(isLit ? "text.primary" : "text.hint"), 1));
        const double x = std::round(right - 6 - jump.lane * JumpLane) + 0.5;
        const double from = jump.from * LineHeight - offset + LineHeight / 2 + 0.5;
        const double to = jump.to * LineHeight - offset + LineHeight / 2 + 0.5;
        painter.drawLine(QPointF(right, from), QPointF(x, from));
        painter.drawLine(QPointF(x, from), QPointF(x, to));
        painter.drawLine(QPointF(x, to), QPointF(right, to));
        painter.drawLine(QPointF(right, to), QPointF(right - 3, to - 3)); // Draws the head of the jump's arrow.
        painter.drawLine(QPointF(right, to), QPointF(right - 3, to + 3));
    }
}

QString CodePane::tipOf(int row) const
{
    if (row < 0)
        return {};
    const QString& text = m_rows[std::size_t(row)].text;
    const int begin = textLeft() - horizontalScrollBar()->value();
    const bool isCut = begin < textLeft() || begin + QFontMetricsF(fonts().fixed()).horizontalAdvance(text) > viewport()->width();
    return isCut ? QStringLiteral("<qt><code>%1</code></qt>").arg(text.trimmed().toHtmlEscaped()) : QString();
}

bool CodePane::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipOf(rowAt(help->pos().y())), this);
        return true;
    }
    if (event->type() == QEvent::Leave) {
        m_hovered = -1;
        viewport()->update();
        emit hovered(-1);
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void CodePane::mouseMoveEvent(QMouseEvent* event)
{
    const int row = rowAt(event->pos().y());
    if (row == m_hovered)
        return;
    m_hovered = row;
    viewport()->update();
    emit hovered(row);
}

void CodePane::mousePressEvent(QMouseEvent* event)
{
    if (const int row = rowAt(event->pos().y()); row >= 0 && event->button() == Qt::LeftButton)
        setCurrent(row);
}

void CodePane::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const int row = rowAt(event->pos().y()); row >= 0)
        emit opened(row);
}

void CodePane::setCurrent(int row)
{
    m_current = row;
    const int top = row * LineHeight - verticalScrollBar()->value();
    if (top < 0)
        verticalScrollBar()->setValue(row * LineHeight);
    else if (top + LineHeight > viewport()->height())
        verticalScrollBar()->setValue((row + 1) * LineHeight - viewport()->height());
    viewport()->update();
    const CodeRow& it = m_rows[std::size_t(row)];
    setAccessibleDescription(it.label + QLatin1Char(' ') + it.shareText + QLatin1Char(' ') + it.text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    emit chosen(row);
}

void CodePane::keyPressEvent(QKeyEvent* event)
{
    const int last = int(m_rows.size()) - 1;
    const int page = std::max(1, viewport()->height() / LineHeight - 1);
    const auto go = [&](int row) {
        if (last >= 0)
            setCurrent(std::clamp(row, 0, last));
    };
    switch (event->key()) {
    case Qt::Key_Up: return go(m_current - 1);
    case Qt::Key_Down: return go(m_current + 1);
    case Qt::Key_PageUp: return go(m_current - page);
    case Qt::Key_PageDown: return go(m_current + page);
    case Qt::Key_Home: return go(0);
    case Qt::Key_End: return go(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            emit opened(m_current);
        return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace helio
