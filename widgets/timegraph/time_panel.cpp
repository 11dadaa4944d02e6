#include "widgets/timegraph/time_panel.h"

#include "widgets/theme/themes.h"

#include <QPainter>

#include <utility>

namespace helio {

TimePanel::TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_id(std::move(id))
    , m_name(title)
    , m_header(new PanelHeader(axis, title, this))
    , m_pinned(new TimeGraph(axis, m_id, this))
    , m_graph(new TimeGraph(axis, m_id, this))
{
    setObjectName(QString::fromStdString(m_id));
    m_graph->setAccessibleName(title);
    m_pinned->setAccessibleName(tr("%1, pinned rows").arg(title));
    m_pinned->hide();
    connect(m_header, &PanelHeader::toggled, this, [this] { setCollapsed(!isCollapsed()); });
    connect(m_header, &PanelHeader::filterDone, m_graph, qOverload<>(&QWidget::setFocus));
    connect(m_header, &PanelHeader::chipClicked, this, [this](const QString& text) {
        setFocusState(m_graph->focusState() == text ? QString() : text);
    });
    connect(m_graph, &TimeGraph::contentHeightChanged, this, &TimePanel::heightChanged);
    connect(m_pinned, &TimeGraph::contentHeightChanged, this, [this] {
        place();
        emit heightChanged();
    });
}

void TimePanel::setCollapsed(bool isCollapsed)
{
    m_header->setCollapsed(isCollapsed);
    m_graph->setVisible(!isCollapsed);
    m_pinned->setVisible(!isCollapsed && m_pinned->rows().count() > 0);
    emit heightChanged();
}

void TimePanel::setFocusState(const QString& legend)
{
    m_graph->setFocusState(legend);
    m_pinned->setFocusState(legend);
    m_header->setFocusChip(legend);
}

int TimePanel::naturalHeight() const { return headerHeight() + (isCollapsed() ? 0 : pinnedHeight() + m_graph->rows().height()); }

int TimePanel::heightOfWholeRows(int most) const
{
    const int above = headerHeight() + pinnedHeight();
    const int cut = m_graph->rows().at(most - above);
    return cut <= 0 ? most : above + m_graph->rows().top(cut);
}

PanelHeader* TimePanel::giveHeader(QWidget* above)
{
    m_header->setParent(above);
    place();
    emit heightChanged();
    return m_header;
}

void TimePanel::setPinnedRows(std::vector<GraphRow> rows)
{
    m_pinned->setVisible(!isCollapsed() && !rows.empty());
    m_pinned->setRows(std::move(rows));
}

int TimePanel::pinnedHeight() const
{
    constexpr int Line = 2;
    return m_pinned->rows().count() == 0 ? 0 : m_pinned->rows().height() + Line;
}

void TimePanel::setWantedHeight(std::optional<int> height)
{
    m_wantedHeight = height;
    emit heightChanged();
}

void TimePanel::setVacant(bool isVacant)
{
    if (std::exchange(m_isVacant, isVacant) != isVacant)
        emit heightChanged();
}

void TimePanel::resizeEvent(QResizeEvent*) { place(); }

/// Pinned rows leave half of the room to the others.
void TimePanel::place()
{
    const int top = headerHeight();
    if (top > 0)
        m_header->setGeometry(0, 0, width(), top);
    const int room = std::max(0, height() - top);
    const int pinned = std::min(pinnedHeight(), room / 2);
    m_pinned->setGeometry(0, top, width(), std::max(0, pinned - 2));
    m_graph->setGeometry(0, top + pinned, width(), room - pinned);
    update();
}

/// The line below pinned rows.
void TimePanel::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), theme().color("line.strong")); }

} // namespace helio
