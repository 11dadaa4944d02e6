#include "widgets/fleet/host_grid.h"

#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace helio {

using fleet::HostLatency;

namespace {

constexpr double WidestCell = 18; ///< Width of a cell with its gap, in pixels, if there is room.
constexpr double NarrowestCell = 1;
constexpr int Edge = 2; ///< Space around the cells in pixels, for the outline of the selected one.
constexpr double GapFrom = 4; ///< Cells from this width on have a gap.

} // namespace

struct HostGrid::Cells {
    double width; ///< Width and height of a cell with its gap.
    double height;
    std::size_t rows;

    double gap() const { return width >= GapFrom ? 1 : 0; }
    QRectF at(std::size_t i) const
    {
        return {Edge + double(i / rows) * width, Edge + double(i % rows) * height, width - gap(), height - gap()};
    }
};

HostGrid::HostGrid(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(120, 60);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Worst by host"));
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void HostGrid::setHosts(std::vector<HostLatency> hosts)
{
    m_hosts = std::move(hosts);
    update();
}

void HostGrid::setSelected(const QString& host)
{
    m_selected = host;
    const auto index = selectedIndex();
    setAccessibleDescription(index ? tipOf(m_hosts[*index]) : QString());
    update();
}

HostGrid::Cells HostGrid::cells() const
{
    // The largest cells with which all hosts have room: fewer rows fit exactly, so the width is made smaller until they do.
    for (double width = WidestCell; width > NarrowestCell; width -= 0.1) {
        const double height = width * 0.95;
        const auto rows = std::size_t(std::max(1.0, std::floor((this->height() - 2 * Edge) / height)));
        const auto columns = std::size_t(std::max(1.0, std::floor((this->width() - 2 * Edge) / width)));
        if (rows * columns >= m_hosts.size())
            return {width, height, rows};
    }
    return {NarrowestCell, NarrowestCell, std::size_t(std::max(1, height() - 2 * Edge))};
}

void HostGrid::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Cells it = cells();
    painter.setRenderHint(QPainter::Antialiasing, it.width >= GapFrom);
    std::array<QColor, HostLatency::MostHeat + 1> colors{theme().color("line.faint")};
    for (int i = 1; i <= HostLatency::MostHeat; ++i)
        colors[std::size_t(i)] = theme().color(QStringLiteral("heat.%1").arg(i));
    for (std::size_t i = 0; i < m_hosts.size(); ++i) {
        const QRectF cell = it.at(i);
        if (cell.left() > width())
            break;
        painter.fillRect(cell, colors[std::size_t(m_hosts[i].heat)]);
        if (!m_hosts[i].most && it.width >= GapFrom)
            paintHatch(painter, cell, theme().color("mark.lost"), 3, 1);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (const auto index = selectedIndex()) {
        painter.setPen(QPen(theme().color("select.outline"), 1.6));
        painter.drawRect(it.at(*index).adjusted(-1, -1, 1, 1));
    }
    if (hasFocus())
        paintFocusRing(painter, rect(), 0);
}

std::optional<std::size_t> HostGrid::selectedIndex() const
{
    const auto found = std::ranges::find(m_hosts, m_selected.toStdString(), &HostLatency::name);
    return m_selected.isEmpty() || found == m_hosts.end() ? std::nullopt : std::optional(std::size_t(found - m_hosts.begin()));
}

std::optional<std::size_t> HostGrid::hostAt(const QPoint& at) const
{
    const Cells it = cells();
    const int column = int(std::floor((at.x() - Edge) / it.width));
    const int row = int(std::floor((at.y() - Edge) / it.height));
    if (column < 0 || row < 0 || std::size_t(row) >= it.rows)
        return {};
    const std::size_t index = std::size_t(column) * it.rows + std::size_t(row);
    return index < m_hosts.size() ? std::optional(index) : std::nullopt;
}

QRectF HostGrid::cellOf(const QString& host) const
{
    const auto found = std::ranges::find(m_hosts, host.toStdString(), &HostLatency::name);
    const QRectF cell = found == m_hosts.end() ? QRectF() : cells().at(std::size_t(found - m_hosts.begin()));
    return cell.right() <= width() ? cell : QRectF();
}

void HostGrid::mousePressEvent(QMouseEvent* event)
{
    if (const auto index = hostAt(event->pos()); index && event->button() == Qt::LeftButton)
        emit chosen(text(m_hosts[*index].name));
}

void HostGrid::keyPressEvent(QKeyEvent* event)
{
    const auto rows = std::int64_t(cells().rows);
    std::int64_t step = 0;
    switch (event->key()) {
    case Qt::Key_Up: step = -1; break;
    case Qt::Key_Down: step = 1; break;
    case Qt::Key_Left: step = -rows; break;
    case Qt::Key_Right: step = rows; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto index = selectedIndex())
            emit chosen(text(m_hosts[*index].name));
        return;
    default: return QWidget::keyPressEvent(event);
    }
    if (m_hosts.empty())
        return;
    const auto index = selectedIndex();
    const auto last = std::int64_t(m_hosts.size()) - 1;
    setSelected(text(m_hosts[index ? std::size_t(std::clamp<std::int64_t>(std::int64_t(*index) + step, 0, last)) : 0].name));
}

QString HostGrid::tipOf(const HostLatency& host) const
{
    const QString worst =
        host.most ? (host.isLowerBound ? QStringLiteral("\u2265 ") : QString()) + durationText(*host.most) : tr("unknown");
    return host.traces == 1 ? tr("%1: worst %2, 1 trace").arg(text(host.name), worst)
                            : tr("%1: worst %2, %3 traces").arg(text(host.name), worst, countText(qint64(host.traces)));
}

bool HostGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const auto index = hostAt(help->pos());
    const QString tip = index ? tipOf(m_hosts[*index]).toHtmlEscaped() : QString(); // The name may contain tags.
    QToolTip::showText(help->globalPos(), index ? tip + QStringLiteral("<br>") + tr("Click: list the traces of this host") : tip, this);
    return true;
}

} // namespace helio
