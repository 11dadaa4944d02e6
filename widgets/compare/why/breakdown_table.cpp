#include "widgets/compare/why/breakdown_table.h"

#include "core/compare/difference_text.h"
#include "widgets/compare/side_style.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int RowHeight = 22;
constexpr int Most = 12; ///< Maximum number of lines; further causes are summed up in the last line.
constexpr int Left = 14;
constexpr int WideFrom = 560; ///< Table width in pixels above which bars are shown. About 140 pixels remain for the cause.
constexpr int BarHeight = 6;

QString signOf(Duration d)
{
    return d > Duration::zero() ? QStringLiteral("+") : d < Duration::zero() ? QString(QChar(0x2212)) : QString();
}

/// Returns the title above the shares of the difference. With bars, there is room for a longer title.
QString partTitle(bool hasBars) { return hasBars ? BreakdownTable::tr("% of difference") : BreakdownTable::tr("Share"); }

} // namespace

ColumnUnit::ColumnUnit(Duration largest)
{
    constexpr std::pair<std::int64_t, const char*> Units[] = {{1, "ns"}, {1'000, "\u00b5s"}, {1'000'000, "ms"}, {1'000'000'000, "s"}};
    constexpr std::int64_t Most = 100'000; ///< Upper limit for numbers in the column's unit, so that they have at most five digits.
    const auto* fitting = std::ranges::find_if(Units, [&](const auto& unit) { return largest.count() / unit.first < Most; });
    const auto& [length, name] = fitting == std::end(Units) ? Units[3] : *fitting;
    m_length = length;
    m_name = QString::fromUtf8(name);
    m_isTenths = length > 1 && largest.count() / length < 1000;
}

QString ColumnUnit::number(Duration d) const
{
    const std::int64_t parts = m_isTenths ? 10 : 1;
    const std::int64_t step = m_length / parts;
    const std::int64_t steps = (std::abs(d.count()) + step / 2) / step;
    const auto text = [&](std::int64_t n) { return countText(n / parts) + (m_isTenths ? QStringLiteral(".%1").arg(n % 10) : QString()); };
    return steps == 0 && d.count() != 0 ? QStringLiteral("<") + text(1) : text(steps);
}

QString ColumnUnit::difference(Duration d) const
{
    const QString text = number(d);
    // "<" is replaced by "≈ 0", because a sign before "<" could be read as part of the limit.
    return text.startsWith(u'<') ? QStringLiteral("\u2248\u20090") : signOf(d) + text;
}

/// Right edges of the columns; `bar` is the right edge of the bars. A column is as wide as its widest text, and the cause column gets the
/// remaining width.
struct BreakdownTable::Columns {
    int cause, a, b, difference, ratio, bar, part;

    explicit Columns(const BreakdownTable& table)
        : part(table.width() - Left)
    {
        constexpr int Gap = 12;
        constexpr int BarWidth = 46;
        const Breakdown& breakdown = table.m_breakdown;
        const auto widest = [&](const QString& title, const QString& total, const auto& textOf) {
            const QFont strong = fonts().at(11.5, 600);
            qreal width = std::max(tabularWidth(fonts().at(10.5, 500), title), tabularWidth(strong, total));
            for (const BreakdownLine& line : table.m_shown)
                width = std::max(width, tabularWidth(strong, textOf(line)));
            return int(std::ceil(width));
        };
        const ColumnUnit& unit = table.m_unit;
        const Duration whole = breakdown.b - breakdown.a;
        const bool hasBars = table.width() > WideFrom;
        bar = part - Gap - widest(hasBars ? QString() : partTitle(false), {}, [&](const BreakdownLine& line) {
                  return hasMeaningfulShares(breakdown) ? partText(double(line.difference().count()) / double(whole.count())) : QString();
              });
        ratio = bar - (hasBars ? BarWidth + Gap : 0);
        difference = ratio - Gap
            - widest(tr("Ratio"), ratioText(breakdown.a, breakdown.b), [](const BreakdownLine& line) { return ratioText(line.a, line.b); });
        b = difference - Gap - widest(tr("B \u2212 A"), unit.difference(whole), [&](const BreakdownLine& line) {
                return unit.difference(line.difference());
            });
        a = b - Gap - widest(tr("B"), unit.text(breakdown.b), [&](const BreakdownLine& line) { return unit.text(line.b); });
        cause = a - Gap - widest(tr("A"), unit.text(breakdown.a), [&](const BreakdownLine& line) { return unit.text(line.a); });
    }
};

QString causeText(const BreakdownLine& line)
{
    const QString state = theme().lookOf(line.state).legend;
    const QString detail = QString::fromStdString(line.detail);
    if (line.state.meaning == StateCategory::OffCpu && !detail.isEmpty())
        return detail; // The detail replaces the name of the state, which only says that the kind of wait was not recorded.
    return detail.isEmpty() ? state : QStringLiteral("%1  %2").arg(state, detail);
}

QString ratioText(Duration a, Duration b) { return QString::fromStdString(ratioText(double(a.count()), double(b.count()))); }

bool hasMeaningfulShares(const Breakdown& breakdown)
{
    return std::abs((breakdown.b - breakdown.a).count()) >= std::max(breakdown.a, breakdown.b).count() / 100 && breakdown.a != breakdown.b;
}

BreakdownTable::BreakdownTable(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Where the time went"));
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void BreakdownTable::setBreakdown(Breakdown breakdown)
{
    m_breakdown = std::move(breakdown);
    const std::size_t all = m_breakdown.lines.size();
    m_others = all > Most ? all - (Most - 1) : 0;
    m_shown.assign(m_breakdown.lines.begin(), m_breakdown.lines.end() - static_cast<std::ptrdiff_t>(m_others));
    if (m_others) {
        BreakdownLine rest;
        for (std::size_t i = all - m_others; i < all; ++i) {
            rest.a += m_breakdown.lines[i].a;
            rest.b += m_breakdown.lines[i].b;
        }
        m_shown.push_back(rest);
    }
    m_hovered = -1;
    if (m_isApplied)
        choose(-1);
    // The first line, which has the largest difference, is highlighted without being selected by the user.
    m_chosen = m_shown.empty() ? -1 : 0;
    m_unit = ColumnUnit(std::max(m_breakdown.a, m_breakdown.b));
    updateGeometry();
    update();
}

QString BreakdownTable::text() const
{
    QString text = tr("state\tdetail\tA\tB\tB - A\n");
    const auto add = [&](const QString& state, const QString& detail, Duration a, Duration b) {
        text += QStringLiteral("%1\t%2\t%3\t%4\t%5\n").arg(state, detail, durationText(a), durationText(b), durationText(b - a));
    };
    for (const BreakdownLine& line : m_breakdown.lines)
        // States have the same names as in the painted table: their names in legends.
        add(theme().lookOf(line.state).legend, QString::fromStdString(line.detail), line.a, line.b);
    add(tr("sum"), {}, m_breakdown.a, m_breakdown.b);
    return text;
}

int BreakdownTable::causeWidth() const { return Columns(*this).cause - Left - 18; }

QSize BreakdownTable::sizeHint() const { return {380, RowHeight * (int(m_shown.size()) + 2) + 8}; }

QRect BreakdownTable::rowRect(int row) const { return {0, RowHeight * (row + 1), width(), RowHeight}; }

int BreakdownTable::rowAt(const QPoint& at) const
{
    const int row = at.y() / RowHeight - 1;
    return at.y() >= RowHeight && row < int(m_shown.size()) ? row : -1;
}

void BreakdownTable::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_shown.empty())
        return;
    const Columns columns(*this);
    painter.setFont(fonts().at(10.5, 500));
    const auto title = [&](int left, int right, const QString& text, const QString& role) {
        painter.setPen(theme().color(role));
        painter.drawText(QRect(left, 0, right - left, RowHeight), Qt::AlignVCenter | Qt::AlignRight, text);
    };
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(QRect(Left, 0, columns.cause, RowHeight), Qt::AlignVCenter,
                     isCpuTime(m_breakdown.basis) ? tr("CPU time") : tr("Where the time went"));
    title(columns.cause, columns.a, tr("A"), "compare.a.text");
    title(columns.a, columns.b, tr("B"), "compare.b.text");
    title(columns.b, columns.difference, tr("B \u2212 A"), "text.secondary");
    title(columns.difference, columns.ratio, tr("Ratio"), "text.secondary");
    title(columns.ratio, columns.part, partTitle(width() > WideFrom), "text.secondary");
    for (int row = 0; row < int(m_shown.size()); ++row)
        paintRow(painter, columns, row);
    paintTotals(painter, columns);
}

void BreakdownTable::paintRow(QPainter& painter, const Columns& columns, int row) const
{
    const BreakdownLine& line = m_shown[std::size_t(row)];
    const QRect rect = rowRect(row);
    const bool isRest = m_others && row + 1 == int(m_shown.size());
    if (row == m_chosen || row == m_hovered)
        painter.fillRect(rect, theme().color(row == m_chosen ? "surface.selected" : "surface.hover"));
    if (row == m_chosen)
        painter.fillRect(QRect(0, rect.top(), 3, rect.height()), theme().color("accent.fill"));
    painter.fillRect(QRect(Left, rect.bottom(), width() - 2 * Left, 1), theme().color("line.faint"));
    if (!isRest)
        paintSwatch(painter, QRectF(Left, rect.center().y() - 5, 10, 10), theme().lookOf(line.state));
    const auto number = [&](int left, int right, const QString& text, const char* role, int weight = 400) {
        painter.setFont(fonts().at(11.5, weight));
        painter.setPen(theme().color(role));
        drawTabular(painter, QRectF(left, rect.top(), right - left, rect.height()), Qt::AlignRight, text);
    };
    painter.setFont(fonts().at(11.5));
    painter.setPen(theme().color(isRest ? "text.secondary" : "text.primary"));
    const QRect name(Left + 18, rect.top(), columns.cause - Left - 18, rect.height());
    const QString text = !isRest ? causeText(line) : m_others == 1 ? tr("1 other") : tr("%1 others").arg(m_others);
    painter.drawText(name, Qt::AlignVCenter, painter.fontMetrics().elidedText(text, Qt::ElideRight, name.width()));
    number(columns.cause, columns.a, m_unit.text(line.a), "text.secondary");
    number(columns.a, columns.b, m_unit.text(line.b), "text.secondary");
    number(columns.b, columns.difference, m_unit.difference(line.difference()), "text.primary", 600);
    number(columns.difference, columns.ratio, ratioText(line.a, line.b), "text.secondary");
    const Duration whole = m_breakdown.b - m_breakdown.a;
    if (!hasMeaningfulShares(m_breakdown))
        return;
    const double part = double(line.difference().count()) / double(whole.count());
    number(columns.bar, columns.part, partText(part), "text.secondary");
    const QRect track(columns.ratio + 12, rect.center().y() - BarHeight / 2, columns.bar - columns.ratio - 12, BarHeight);
    if (track.width() <= 10)
        return;
    painter.fillRect(track, theme().color("line.faint"));
    const int length = int(std::round(std::min(1.0, std::abs(part)) * track.width()));
    painter.fillRect(QRect(track.topLeft(), QSize(length, BarHeight)),
                     theme().color(sideRole(line.difference() > Duration::zero() ? Side::B : Side::A)));
}

void BreakdownTable::paintTotals(QPainter& painter, const Columns& columns) const
{
    const QRect rect = rowRect(int(m_shown.size())).adjusted(0, 4, 0, 4);
    painter.fillRect(QRect(Left, rect.top() - 2, width() - 2 * Left, 1), theme().color("line.strong"));
    painter.setFont(fonts().at(11.5, 600));
    const auto number = [&](int left, int right, const QString& text) {
        drawTabular(painter, QRectF(left, rect.top(), right - left, rect.height()), Qt::AlignRight, text);
    };
    painter.setPen(theme().color("text.primary"));
    painter.drawText(QRect(Left + 18, rect.top(), columns.cause, rect.height()), Qt::AlignVCenter, tr("Total"));
    const Duration whole = m_breakdown.b - m_breakdown.a;
    number(columns.cause, columns.a, m_unit.text(m_breakdown.a));
    number(columns.a, columns.b, m_unit.text(m_breakdown.b));
    number(columns.b, columns.difference, m_unit.difference(whole));
    number(columns.difference, columns.ratio, ratioText(m_breakdown.a, m_breakdown.b));
    Duration a{}, b{};
    for (const BreakdownLine& line : m_shown) {
        a += line.a;
        b += line.b;
    }
    if (a != m_breakdown.a || b != m_breakdown.b)
        return;
    painter.setFont(fonts().at(11));
    painter.setPen(theme().color("severity.good"));
    constexpr int Gap = 8;
    const QString mark = QStringLiteral("\u2713");
    const QString words = tr("\u2713 adds up");
    number(columns.ratio, columns.part, tabularWidth(painter.font(), words) + Gap <= columns.part - columns.ratio ? words : mark);
}

QString BreakdownTable::partText(double part)
{
    const QString sign = part < 0 ? QString(QChar(0x2212)) : QString();
    const QString text = QString::number(std::abs(part) * 100, 'f', 1);
    return (text == "0.0" && part != 0 ? QStringLiteral("<0.1") : sign + text) + QStringLiteral(" %");
}

void BreakdownTable::choose(int row)
{
    const bool isLine = row >= 0 && row < int(m_shown.size());
    m_chosen = isLine ? row : -1;
    m_isApplied = isLine;
    update();
    const bool isRest = isLine && m_others && row + 1 == int(m_shown.size());
    emit stateChosen(isLine && !isRest ? theme().lookOf(m_shown[std::size_t(row)].state).legend : QString());
}

/// Selects the clicked line. A click on the selected line, or outside of the lines, clears the selection.
void BreakdownTable::mousePressEvent(QMouseEvent* event)
{
    const int row = rowAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && (row >= 0 || m_chosen >= 0))
        choose(m_isApplied && row == m_chosen ? -1 : row);
}

void BreakdownTable::mouseMoveEvent(QMouseEvent* event)
{
    if (const int row = rowAt(event->position().toPoint()); row != m_hovered) {
        m_hovered = row;
        update();
    }
}

void BreakdownTable::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void BreakdownTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Down)
        choose(std::min(m_chosen + 1, int(m_shown.size()) - 1));
    else if (event->key() == Qt::Key_Up)
        choose(std::max(0, m_chosen - 1));
    else
        QWidget::keyPressEvent(event);
}

bool BreakdownTable::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = rowAt(help->pos());
    if (row < 0)
        QToolTip::hideText();
    else if (m_others && row + 1 == int(m_shown.size()))
        QToolTip::showText(help->globalPos(), tr("All lines with smaller differences"), this);
    else
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("%1 %2").arg(theme().lookOf(m_shown[std::size_t(row)].state).words,
                                                       QString::fromStdString(m_shown[std::size_t(row)].detail)),
                           this);
    return true;
}

} // namespace helio
