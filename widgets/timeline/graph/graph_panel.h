#pragma once

#include "widgets/timeline/graph/state_steps.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panel.h"

namespace helio {

/// Time panel with a time graph as its body, and a second time graph above it for the pinned rows.
class GraphPanel : public TimePanel {
    Q_OBJECT

public:
    GraphPanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent = nullptr);

    TimeGraph* graph() const { return m_graph; }
    /// Time graph of the pinned rows, which stay in view while other rows scroll. Hidden without pinned rows.
    TimeGraph* pinnedGraph() const { return m_pinned; }
    void setPinnedRows(std::vector<GraphRow> rows);

    QWidget* body() const override { return m_graph; }
    int heightOfWholeRows(int most) const override;
    int emptyTextHeight() const override;
    void setFocusState(const QString& legend) override;
    QString focusState() const override { return m_graph->focusState(); }
    bool hasRows() const override { return true; }
    bool showsSelectedRow() const override { return m_graph->selectedRow() >= 0; }
    void setRelatedRow(TrackRef row) override { m_graph->setRelatedRow(row); }
    std::vector<std::uint32_t> shownTraces() const override { return m_graph->shownTraces(); }
    void stepChange(bool forward) override { stepState(axis(), forward); }

protected:
    int bodyHeight() const override { return pinnedHeight() + m_graph->rows().height(); }
    void showBody(bool isShown) override;
    void placeBody(const QRect& room) override;

private:
    int pinnedHeight() const; ///< Height of the pinned rows with the separating line, in pixels; 0 without pinned rows.

    TimeGraph* m_pinned;
    TimeGraph* m_graph;
};

} // namespace helio
