#include "widgets/timegraph/time_panel.h"

#include <utility>

namespace helio {

TimePanel::TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_id(std::move(id))
    , m_header(new PanelHeader(axis, title, this))
    , m_graph(new TimeGraph(axis, m_id, this))
{
    setObjectName(QString::fromStdString(m_id));
    m_graph->setAccessibleName(title);
    connect(m_header, &PanelHeader::toggled, this, [this] { setCollapsed(!isCollapsed()); });
    connect(m_header, &PanelHeader::chipClicked, this, [this](const QString& text) {
        const QString focus = m_graph->focusState() == text ? QString() : text;
        m_graph->setFocusState(focus);
        m_header->setFocusChip(focus);
    });
    connect(m_graph, &TimeGraph::contentHeightChanged, this, &TimePanel::heightChanged);
}

void TimePanel::setCollapsed(bool isCollapsed)
{
    m_header->setCollapsed(isCollapsed);
    m_graph->setVisible(!isCollapsed);
    emit heightChanged();
}

int TimePanel::naturalHeight() const { return PanelHeader::Height + (isCollapsed() ? 0 : m_graph->rows().height()); }

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

void TimePanel::resizeEvent(QResizeEvent*)
{
    m_header->setGeometry(0, 0, width(), PanelHeader::Height);
    m_graph->setGeometry(0, PanelHeader::Height, width(), std::max(0, height() - PanelHeader::Height));
}

} // namespace helio
