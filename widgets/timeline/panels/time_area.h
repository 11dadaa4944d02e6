#pragma once

#include "core/analysis/track_view.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/workspace/view_context.h"

#include <QJsonObject>
#include <QPointer>
#include <QWidget>

#include <set>
#include <string>
#include <vector>

class QMenu;

namespace helio {

class OverviewStrip;
class Ruler;
class TimeGraph;
class GraphPanel;
class HostDragController;
class StealEdges;
class TimePanel;
class TimePanels;
class TrackPanel;

/// Middle of the window: overview, ruler and one panel per view, on one time axis. The views are those that the analyses of the context's
/// timeline make rows for, except views that the user must ask for. Initially, there are panels for the basic
/// views.
/// The application makes its actions from the slots of this class, of the axis, and of graph().
class TimeArea : public QWidget {
    Q_OBJECT

public:
    explicit TimeArea(ViewContext& context, QWidget* parent = nullptr);
    ~TimeArea() override;

    TimeAxis& axis() { return m_axis; }
    Ruler* ruler() const { return m_ruler; }
    /// A child until the caller reparents it. Deleted with the area at the latest.
    OverviewStrip* overview() const;
    TimePanels* panels() const { return m_panels; }
    TimePanel* panel(std::string_view id) const;
    /// Returns the panel of a view of rows; nullptr if there is none, or if it shows curves.
    TrackPanel* rowsPanel(std::string_view id) const;
    /// Returns the panel of the view that counts rows of this role, e.g. threads or CPUs; nullptr if there is none.
    TrackPanel* rowsPanel(TrackRole role) const;
    /// Returns the panel that has the row; nullptr if none has.
    TrackPanel* panelOf(TrackRef row) const;
    /// Adds the actions about a row to a menu.
    void addRowActions(QMenu& menu, TrackRef row);
    /// Adds the actions about the panel that contextMenuRequested() last came from.
    void addPanelActions(QMenu& menu);

    /// Saves the user's changes to the panels: rows filtered, sorted, opened, pinned or hidden.
    QJsonObject save() const;
    void restore(const QJsonObject& kept);
    /// Adds or removes the panel of a view with all attributes that an analysis keeps (TrackView::isAttributeView), which is only shown on
    /// request.
    void setAsked(const std::string& view, bool isAsked);
    const std::set<std::string>& asked() const { return m_asked; }
    /// Returns the graph that commands about rows apply to: that of the panel with the focus, otherwise that of the panel with the selected
    /// row. nullptr if the panel with the focus has no rows, or if all panels are closed.
    TimeGraph* graph() const;
    /// Gives the keyboard focus to the current panel.
    void focusPanel();

public slots:
    /// Moves to the next or previous change of what is selected, in the current panel.
    void stepChange(bool forward);
    void togglePin(); ///< Pins or unpins the selected row.
    void toggleList();
    /// Goes from a thread to its CPU at the cursor, or from a CPU to its thread.
    void goToCounterpart();
    /// If set, the CPU of the selected thread, or the thread of the selected CPU, is highlighted and kept in view while the cursor moves.
    void setFollows(bool follows);

signals:
    void panelAdded(helio::TimePanel* panel);
    void panelRemoved(const std::string& id);
    /// Emitted on a right click in a panel. `row` is invalid if the click was on none.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Emitted on Ctrl+Left and Ctrl+Right with the focus in a panel.
    void eventStepRequested(bool forward);
    /// Emitted with the traces of the rows in view, over all panels.
    void shownTracesChanged(const std::vector<std::uint32_t>& traces);

private:
    void onTimelineChanged();
    void updatePanels(std::vector<TrackView> views);
    void showLink();
    void addPanel(TrackView view);
    void keepChoices(const TimePanel* panel);
    void updateEmptyTexts(const TrackView& view);
    void addMachineActions(QMenu& menu, TrackRef row);
    void reportShownTraces();
    void showFollowed();
    void rememberPanelOrder();

    ViewContext& m_context;
    TimeAxis m_axis;
    QPointer<OverviewStrip> m_overview;
    Ruler* m_ruler;
    TimePanels* m_panels;
    HostDragController* m_hosts;
    StealEdges* m_edges;
    std::vector<TrackView> m_views; ///< Views of the panels.
    std::vector<std::string> m_places; ///< Ids of the panels from top to bottom, including removed ones.
    std::set<std::string> m_asked;
    QJsonObject m_kept; ///< Restored choices, also for panels that do not exist yet.
    QPointer<TimePanel> m_asking; ///< Panel of the last right click; null if it was in none.
    bool m_follows = false;
};

} // namespace helio
