#include "widgets/timeline/graph/graph_panel.h"

#include <utility>

namespace helio {

GraphPanel::GraphPanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : TimePanel(axis, std::move(id), title, parent)
    , m_pinned(new TimeGraph(axis, this->id(), this))
    , m_graph(new TimeGraph(axis, this->id(), this))
{
    adoptBody();
    m_pinned->setAccessibleName(tr("%1, pinned rows").arg(title));
    m_pinned->hide();
    m_pinned->setPinned(true);
    connect(m_graph, &TimeGraph::contentHeightChanged, this, &TimePanel::heightChanged);
    connect(m_pinned, &TimeGraph::contentHeightChanged, this, [this] {
        place();
        emit heightChanged();
    });
    for (const TimeGraph* graph : {m_graph, m_pinned}) {
        connect(graph, &TimeGraph::contextMenuRequested, this, &TimePanel::contextMenuRequested);
        connect(graph, &TimeGraph::eventStepRequested, this, &TimePanel::eventStepRequested);
        connect(graph, &TimeGraph::shownTracesChanged, this, &TimePanel::shownTracesChanged);
    }
}

void GraphPanel::showBody(bool isShown)
{
    m_graph->setVisible(isShown);
    m_pinned->setVisible(isShown && m_pinned->rows().count() > 0);
}

void GraphPanel::setFocusState(const QString& legend)
{
    m_graph->setFocusState(legend);
    m_pinned->setFocusState(legend);
    header()->setFocusChip(legend);
}

int GraphPanel::heightOfWholeRows(int most) const
{
    const int above = headerHeight() + pinnedHeight();
    const int cut = m_graph->rows().at(most - above);
    return cut <= 0 ? most : above + m_graph->rows().top(cut);
}

int GraphPanel::emptyTextHeight() const { return m_graph->rows().count() == 0 ? m_graph->emptyTextHeight() : 0; }

void GraphPanel::setPinnedRows(std::vector<GraphRow> rows)
{
    m_pinned->setVisible(!isCollapsed() && !rows.empty());
    m_pinned->setRows(std::move(rows));
}

int GraphPanel::pinnedHeight() const
{
    constexpr int Line = 2;
    return m_pinned->rows().count() == 0 ? 0 : m_pinned->rows().height() + Line;
}

/// Places both graphs; the pinned rows get at most half of the height.
void GraphPanel::placeBody(const QRect& room)
{
    const int pinned = std::min(pinnedHeight(), room.height() / 2);
    m_pinned->setGeometry(0, room.top(), room.width(), std::max(0, pinned - 2));
    m_graph->setGeometry(0, room.top() + pinned, room.width(), room.height() - pinned);
}

} // namespace helio
