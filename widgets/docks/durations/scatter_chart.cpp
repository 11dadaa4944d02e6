#include "widgets/docks/durations/scatter_chart.h"

#include "widgets/docks/durations/duration_chart.h"
#include "widgets/theme/themes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double LeastDot = 3; ///< Minimum height of a dot in pixels, so that a single longest interval is visible.
constexpr double LeastDense = 2;
constexpr double ClickReach = 4; ///< Maximum distance in pixels between a click and the cells that it selects.
constexpr double DragReach = 3; ///< Minimum distance in pixels that makes a press a drag.
constexpr double LeastOpacity = 0.22; ///< Opacity of a cell with very few intervals.
constexpr double TimeLabelRoom = 104;
constexpr double LeastLengthRoom = 58; ///< Minimum width in pixels of the labels at the left.
constexpr double LengthGap = 6; ///< Gap in pixels between duration labels and the area.

} // namespace

ScatterChart::ScatterChart(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(206, 90);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Themes::instance(), &Themes::changed, this, &ScatterChart::redraw);
    redraw();
}

void ScatterChart::setGrid(std::shared_ptr<const DensityGrid> grid)
{
    const bool isOther = !grid || !m_grid || !(grid->scale == m_grid->scale);
    m_grid = std::move(grid);
    redraw();
    if (!isOther)
        return;
    m_pressed.reset(); // The position of the press is in columns and rows of the previous scale, so the drag is cancelled.
    m_dragged.reset();
    select({});
}

void ScatterChart::setShape(Shape shape)
{
    m_shape = shape;
    redraw();
}

void ScatterChart::setLogarithmicCounts(bool areLogarithmic)
{
    m_areCountsLogarithmic = areLogarithmic;
    redraw();
}

void ScatterChart::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    update();
}

void ScatterChart::setNames(const QStringList& names) { m_names = names; }

void ScatterChart::redraw()
{
    m_lengths.clear();
    if (m_grid)
        m_lengths = roundDurations(m_grid->scale.least, m_grid->scale.most, m_grid->scale.isLogarithmic);
    m_lengthRoom = std::max(LeastLengthRoom, widestDurationText(m_lengths) + LengthGap + 2);
    m_picture = {};
    update();
}

QRectF ScatterChart::area() const { return QRectF(rect()).adjusted(m_lengthRoom, 8, -10, -22); }

QRectF ScatterChart::cellRect(std::uint32_t column, std::uint32_t row) const
{
    const QRectF all = area();
    const double wide = all.width() / m_grid->scale.columns;
    const double high = all.height() / m_grid->scale.rows;
    return {all.left() + column * wide, all.bottom() - (row + 1) * high, wide, high};
}

QPointF ScatterChart::toCells(QPointF at) const
{
    const QRectF all = area();
    const DensityGridScale& scale = m_grid->scale;
    return {std::clamp((at.x() - all.left()) / all.width(), 0.0, 1.0) * scale.columns,
            std::clamp((all.bottom() - at.y()) / all.height(), 0.0, 1.0) * scale.rows};
}

std::optional<ScatterChart::Area> ScatterChart::selected() const
{
    if (!m_selected || !m_grid)
        return {};
    // The upper end of a selection is excluded, except in the last column or row, where the end of the scale must be included.
    const DensityGridScale& scale = m_grid->scale;
    const auto endOf = [](auto value, bool isLast) { return isLast ? value + Duration(1) : value; };
    return Area{{scale.timeAt(m_selected->left()), endOf(scale.timeAt(m_selected->right()), m_selected->right() >= scale.columns)},
                m_selected->top() <= 0 ? std::min(Duration{}, scale.least) : scale.lengthAt(m_selected->top()),
                endOf(scale.lengthAt(m_selected->bottom()), m_selected->bottom() >= scale.rows)};
}

/// Rounds a rectangle to whole cells, because positions within a cell are unknown.
QRectF ScatterChart::roundToCells(const QRectF& cells) const
{
    const DensityGridScale& scale = m_grid->scale;
    const QPointF begin(std::min(std::floor(cells.left()), scale.columns - 1.0), std::min(std::floor(cells.top()), scale.rows - 1.0));
    return {begin, QPointF(std::max(begin.x() + 1, std::ceil(cells.right())), std::max(begin.y() + 1, std::ceil(cells.bottom())))};
}

void ScatterChart::select(std::optional<QRectF> cells)
{
    if (cells)
        cells = roundToCells(*cells);
    if (cells == m_selected)
        return;
    m_selected = cells;
    update();
    emit selectedChanged();
}

void ScatterChart::dismiss()
{
    select({});
    emit dismissed();
}

QColor ScatterChart::colorOf(std::uint32_t name, std::size_t names)
{
    return theme().color(name < names ? QStringLiteral("cat.%1").arg(name, 2, 10, QLatin1Char('0')) : QStringLiteral("text.hint"));
}

QColor ScatterChart::cellColor(const DensityGrid::Cell& cell) const
{
    if (m_shape == Shape::Scatter)
        return m_names.isEmpty() ? theme().color("mark.bookmark") : colorOf(cell.name, std::size_t(m_names.size()));
    const double share =
        m_areCountsLogarithmic ? std::log2(1.0 + cell.count) / std::log2(1.0 + m_grid->most) : double(cell.count) / double(m_grid->most);
    QColor color = theme().color("mark.bookmark");
    color.setAlphaF(float(LeastOpacity + (1 - LeastOpacity) * share));
    return color;
}

/// Paints each cell that has intervals, centred at its position: as a dot in a scatter chart, as a rectangle in a density chart. Small
/// cells are enlarged, so that they remain visible.
void ScatterChart::paintCells(QPainter& painter) const
{
    const DensityGridScale& scale = m_grid->scale;
    for (std::uint32_t row = 0; row < scale.rows; ++row)
        for (std::uint32_t column = 0; column < scale.columns; ++column)
            if (const DensityGrid::Cell& cell = m_grid->at(column, row); cell.count > 0) {
                const QRectF place = cellRect(column, row);
                const bool isDot = m_shape == Shape::Scatter;
                const double wide = isDot ? LeastDot : std::max(LeastDense, place.width());
                const double high = isDot ? LeastDot : std::max(LeastDense, place.height());
                painter.fillRect(QRectF(place.center().x() - wide / 2, place.center().y() - high / 2, wide, high), cellColor(cell));
            }
}

void ScatterChart::paintLengths(QPainter& painter) const
{
    const QRectF all = area();
    double last = all.bottom() + 20;
    for (const std::int64_t length : m_lengths) {
        const double y = std::round(all.bottom() - m_grid->scale.rowAt(Duration(length)) / m_grid->scale.rows * all.height());
        if (last - y < 18)
            continue;
        last = y;
        painter.fillRect(QRectF(all.left(), y, all.width(), 1), theme().color("line.subtle"));
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QRectF(0, y - 8, all.left() - LengthGap, 16), Qt::AlignRight | Qt::AlignVCenter, roundDurationText(length));
    }
}

void ScatterChart::paintTimes(QPainter& painter) const
{
    const QRectF all = area();
    const TimeScale scale(m_grid->scale.range, all.width());
    if (!scale.isValid())
        return;
    const Ticks ticks = ticksFor(scale, m_format, TimeLabelRoom);
    for (const Tick& it : ticks.ticks) {
        const double x = std::round(all.left() + scale.xAt(it.at));
        if (!it.isMajor || x < all.left() || x > all.right())
            continue;
        painter.fillRect(QRectF(x, all.top(), 1, all.height()), theme().color("line.subtle"));
        painter.fillRect(QRectF(x, all.bottom(), 1, 4), theme().color("line.strong"));
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QRectF(std::clamp(x - 50, 0.0, width() - 100.0), all.bottom() + 5, 100, 16), Qt::AlignHCenter | Qt::AlignTop,
                         ticks.step < std::chrono::seconds(1) ? it.label : timeText(it.at, m_format, 0));
    }
}

void ScatterChart::paintAxes(QPainter& painter) const
{
    paintLengths(painter);
    paintTimes(painter);
    const QRectF all = area();
    painter.fillRect(QRectF(all.left(), all.bottom(), all.width(), 1), theme().color("line.strong"));
}

void ScatterChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
    if (!m_grid || m_grid->count == 0)
        return;
    painter.setFont(fonts().small());
    paintAxes(painter);
    const QSize needed = size() * devicePixelRatioF();
    if (m_picture.size() != needed) {
        m_picture = QPixmap(needed);
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        m_picture.fill(Qt::transparent);
        QPainter cells(&m_picture);
        paintCells(cells);
    }
    painter.drawPixmap(0, 0, m_picture);
    if (const auto& cells = m_dragged ? m_dragged : m_selected)
        paintSelected(painter, *cells);
}

void ScatterChart::paintSelected(QPainter& painter, const QRectF& cells) const
{
    const QRectF first = cellRect(std::uint32_t(cells.left()), std::uint32_t(cells.top()));
    const QRectF last = cellRect(std::uint32_t(cells.right()) - 1, std::uint32_t(cells.bottom()) - 1);
    const QRectF place = first.united(last);
    QColor ground = theme().color("select.outline");
    ground.setAlphaF(0.12F);
    painter.fillRect(place, ground);
    painter.setPen(theme().color("select.outline"));
    painter.drawRect(place.toAlignedRect().adjusted(0, 0, -1, -1));
    painter.fillRect(QRectF(place.left(), area().bottom() + 1, place.width(), 2), theme().color("accent.line"));
}

void ScatterChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_grid)
        return;
    m_pressed = event->position();
    m_pressedCells = toCells(*m_pressed);
    m_dragged.reset();
}

void ScatterChart::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed || !m_grid)
        return;
    if (!m_dragged && (event->position() - *m_pressed).manhattanLength() <= DragReach)
        return;
    m_dragged = roundToCells(QRectF(m_pressedCells, toCells(event->position())).normalized());
    update();
}

void ScatterChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed || !m_grid)
        return;
    const QPointF reach(ClickReach, ClickReach);
    const QPointF pressed = *std::exchange(m_pressed, std::nullopt);
    if (const auto dragged = std::exchange(m_dragged, std::nullopt))
        select(dragged);
    else if (area().adjusted(-ClickReach, -ClickReach, ClickReach, ClickReach).contains(pressed))
        select(QRectF(toCells(pressed - reach), toCells(pressed + reach)).normalized());
    else
        dismiss();
    update();
}

/// Arrow keys move the selection to the left or right by its own width. Without a selection, Right selects the first tenth of the chart's
/// width, Left the last tenth. Escape clears the selection.
void ScatterChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_selected)
        return dismiss();
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || !m_grid)
        return QWidget::keyPressEvent(event);
    const double columns = m_grid->scale.columns;
    if (!m_selected)
        return select(QRectF(step > 0 ? 0 : columns * 0.9, 0, columns / 10, m_grid->scale.rows));
    const double left = m_selected->left() + step * m_selected->width();
    if (left >= 0 && left + m_selected->width() <= columns)
        select(QRectF(QPointF(left, m_selected->top()), m_selected->size()));
}

/// Returns a tooltip for the intervals in the cells near `at`.
QString ScatterChart::tipAt(QPointF at) const
{
    const QPointF reach(ClickReach, ClickReach);
    const QRectF cells = QRectF(toCells(at - reach), toCells(at + reach)).normalized();
    std::uint64_t count = 0;
    QStringList names;
    for (auto row = std::uint32_t(cells.top()); row < std::min<std::uint32_t>(m_grid->scale.rows, std::uint32_t(std::ceil(cells.bottom())));
         ++row)
        for (auto column = std::uint32_t(cells.left());
             column < std::min<std::uint32_t>(m_grid->scale.columns, std::uint32_t(std::ceil(cells.right()))); ++column) {
            const DensityGrid::Cell& cell = m_grid->at(column, row);
            count += cell.count;
            if (const QString name =
                    cell.count > 0 ? m_names.value(qsizetype(cell.name), m_names.isEmpty() ? QString() : tr("others")) : QString();
                !name.isEmpty() && !names.contains(name))
                names << name;
        }
    if (count == 0)
        return {};
    const DensityGridScale& scale = m_grid->scale;
    return tr("%1 to %2 long: %3")
               .arg(durationText(scale.lengthAt(cells.top())), durationText(scale.lengthAt(cells.bottom())),
                    count == 1 ? tr("1 time") : tr("%1 times").arg(countText(qint64(count))))
        + (names.isEmpty() ? QString() : QStringLiteral("\n") + names.join(QStringLiteral(", ")));
}

bool ScatterChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = m_grid && area().contains(help->pos()) ? tipAt(help->pos()) : QString();
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace helio
