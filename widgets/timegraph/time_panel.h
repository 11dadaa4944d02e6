#pragma once

#include "widgets/timegraph/axis/time_axis.h"
#include "widgets/timegraph/panel_header.h"
#include "widgets/timegraph/time_graph.h"

#include <QWidget>

#include <optional>
#include <string>

namespace helio {

/// A header and a time graph: one of the panels stacked under the ruler. Views derive from it and fill its rows.
class TimePanel : public QWidget {
    Q_OBJECT

public:
    /// `id` is also the name of the query's view.
    TimePanel(TimeAxis& axis, std::string id, const QString& title, QWidget* parent = nullptr);

    const std::string& id() const { return m_id; }
    const QString& name() const { return m_name; } ///< As a person knows it: "Control flow".
    PanelHeader* header() const { return m_header; }
    TimeGraph* graph() const { return m_graph; }
    /// The rows that stay in view whatever is scrolled, above the others. Hidden while there are none.
    TimeGraph* pinnedGraph() const { return m_pinned; }
    void setPinnedRows(std::vector<GraphRow> rows);
    TimeAxis& axis() const { return m_axis; }

    bool isCollapsed() const { return m_header->isCollapsed(); }
    void setCollapsed(bool isCollapsed);
    /// Only this state of the legend in full colour; empty: all.
    void setFocusState(const QString& legend);
    /// Header and all rows.
    int naturalHeight() const;
    /// As many whole rows as fit into a height, header included; at least one.
    int heightOfWholeRows(int most) const;
    /// 0 where the panel stands under a header that several share.
    int headerHeight() const { return m_header->parentWidget() == this ? int(PanelHeader::Height) : 0; }
    /// Gives its header to `above`, which places it. Requires: not given yet.
    PanelHeader* giveHeader(QWidget* above);
    /// As set by dragging; none: it follows its rows.
    std::optional<int> wantedHeight() const { return m_wantedHeight; }
    void setWantedHeight(std::optional<int> height);
    /// Its place among the panels, from the top, until a person moves it.
    int order() const { return m_order; }
    void setOrder(int order) { m_order = order; }
    /// As its view has it.
    int ownOrder() const { return m_ownOrder; }
    void setOwnOrder(int order) { m_ownOrder = m_order = order; }
    /// The recording has nothing for it: it gives its place to those that show something.
    bool isVacant() const { return m_isVacant; }
    void setVacant(bool isVacant);

signals:
    void heightChanged();
    void moveRequested(int by); ///< So many panels down; up where it is negative.

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
    int pinnedHeight() const; ///< With the line below; 0 without pinned rows.

    TimeAxis& m_axis;
    std::string m_id;
    QString m_name;
    PanelHeader* m_header;
    TimeGraph* m_pinned;
    TimeGraph* m_graph;
    std::optional<int> m_wantedHeight;
    bool m_isVacant = false;
    int m_order = 100;
    int m_ownOrder = 100;
};

} // namespace helio
