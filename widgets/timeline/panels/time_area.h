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

/// Middle of the window: overview, ruler and one panel per view, on one time axis. There is a panel for each view that an analysis of the
/// timeline has rows for, except views that are only shown on request. Initially, there are panels for the basic views. The application
/// makes its actions from the slots of this class, of the axis, and of graph().
class TimeArea : public QWidget {
    Q_OBJECT

public:
    explicit TimeArea(ViewContext& context, QWidget* parent = nullptr);
    ~TimeArea() override;

    TimeAxis& axis() { return m_axis; }
    Ruler* ruler() const { return m_ruler; }
    /// Overview strip; a child until the caller reparents it, deleted with the time area at the latest.
    OverviewStrip* overview() const;
    TimePanels* panels() const { return m_panels; }
    TimePanel* panel(std::string_view id) const;
    /// Returns the panel with the rows of a view; nullptr if there is none, or if the panel shows curves.
    TrackPanel* rowsPanel(std::string_view id) const;
    /// Returns the panel of the view whose rows have this role, e.g. threads or CPUs; nullptr if none.
    TrackPanel* rowsPanel(TrackRole role) const;
    /// Returns the panel that contains the row; nullptr if none.
    TrackPanel* panelOf(TrackRef row) const;
    /// Adds menu items that act on `row`, for example "Copy name". Items for a virtual machine come first if `row` is its row or the row of
    /// a vCPU.
    void addRowActions(QMenu& menu, TrackRef row);
    /// Adds the menu items of the panel that last emitted contextMenuRequested().
    void addPanelActions(QMenu& menu);

    /// Saves the user's changes to the panels: rows filtered, sorted, opened, pinned or hidden.
    QJsonObject save() const;
    void restore(const QJsonObject& kept);
    /// Adds or removes the panel of a view that shows all attributes of an analysis (TrackView::isAttributeView), which is only shown on
    /// request.
    void setAsked(const std::string& view, bool isAsked);
    const std::set<std::string>& asked() const { return m_asked; }
    /// Returns the graph that commands about rows apply to: the graph of the panel with the focus, otherwise of the panel with the selected
    /// row. nullptr if the focused panel has no rows, or if all panels are closed.
    TimeGraph* graph() const;
    /// Sets the keyboard focus to the current panel.
    void focusPanel();

public slots:
    /// Moves the cursor to the next or previous change of the selected row or series, in the current panel.
    void stepChange(bool forward);
    void togglePin(); ///< Pins or unpins the selected row.
    void toggleList();
    /// Selects the CPU that the selected thread runs on at the cursor; if a CPU is selected, the thread that runs on it.
    void goToCounterpart();
    /// Sets whether the counterpart of the selected row is highlighted and kept in view while the cursor moves: the CPU of a thread, or the
    /// thread on a CPU.
    void setFollows(bool follows);

signals:
    void panelAdded(helio::TimePanel* panel);
    void panelRemoved(const std::string& id);
    /// Emitted on a right click in a panel. `row` is invalid if no row was clicked.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Emitted on Ctrl+Left and Ctrl+Right while a panel has the focus.
    void eventStepRequested(bool forward);
    /// Emitted when the traces whose rows are in view changed. `traces`: indexes of these traces, over all panels.
    void shownTracesChanged(const std::vector<std::uint32_t>& traces);

private:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void fitWindow();
    void onTimelineChanged();
    void updatePanels(std::vector<TrackView> views);
    void showLink();
    void addPanel(TrackView view);
    void connectPanel(TimePanel* panel);
    void updateResultPanels();
    void keepChoices(const TimePanel* panel);
    void updateEmptyTexts(const TrackView& view);
    void addMachineActions(QMenu& menu, TrackRef row);
    void reportShownTraces();
    void showFollowed();
    void rememberPanelOrder();
    void recordPanels();
    void recordRowFilters();
    void recordChoices(TimePanel* panel);
    void applyChoices(const QString& panel, const QJsonObject& choices);

    ViewContext& m_context;
    TimeAxis m_axis;
    QPointer<OverviewStrip> m_overview;
    Ruler* m_ruler;
    TimePanels* m_panels;
    HostDragController* m_hosts;
    StealEdges* m_edges;
    std::vector<TrackView> m_views; ///< Views for which there are panels.
    /// Ids of the panels from top to bottom. Keeps the ids of removed panels, so that they return to their positions.
    std::vector<std::string> m_places;
    std::set<std::string> m_asked;
    QJsonObject m_kept; ///< Restored choices by panel, also for panels that do not exist yet.
    QPointer<TimePanel> m_asking; ///< Panel of the last right click; null if it was outside of panels.
    bool m_follows = false;
};

} // namespace helio
