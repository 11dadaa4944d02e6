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
class HostHand;
class TakenEdges;
class TimePanel;
class TimePanels;
class TrackPanel;

/// The middle of the window: overview, ruler and a panel for each view that the analyses of the context's timeline make rows for, on one
/// time axis, but for those that are only there for who asks. At first, those of the built-in ones.
///
/// The application makes its actions of the slots, of the axis's, and of those of graph().
class TimeArea : public QWidget {
    Q_OBJECT

public:
    explicit TimeArea(ViewContext& context, QWidget* parent = nullptr);
    ~TimeArea() override;

    TimeAxis& axis() { return m_axis; }
    Ruler* ruler() const { return m_ruler; }
    /// Its child until it is put elsewhere; goes with the area, or before it.
    OverviewStrip* overview() const;
    TimePanels* panels() const { return m_panels; }
    TimePanel* panel(std::string_view id) const;
    /// That of rows; null where there is none, or it shows something else.
    TrackPanel* rowsPanel(std::string_view id) const;
    /// The panel of the threads, of the CPUs; null where there is none.
    TrackPanel* rowsPanel(TrackRole role) const;
    /// The panel that has the row; null where none has.
    TrackPanel* panelOf(TrackRef row) const;
    /// Lines for a menu about a row.
    void addRowActions(QMenu& menu, TrackRef row);
    /// The same about the panel that contextMenuRequested() last came from.
    void addPanelActions(QMenu& menu);

    /// What a person did to the panels: heights, rows filtered, sorted, pinned...
    QJsonObject save() const;
    void restore(const QJsonObject& kept);
    /// A view of all that an analysis keeps (TrackView::areAttributes) has a panel only while it is asked for.
    void setAsked(const std::string& view, bool isAsked);
    const std::set<std::string>& asked() const { return m_asked; }
    /// Of the rows that commands about rows are for: those of the panel that has the focus, else of the one that shows the selected row;
    /// null where the panel that has the focus has none, or all are closed.
    TimeGraph* graph() const;
    /// Gives the keys to the panel that has them, or would.
    void focusPanel();

public slots:
    /// To the next change of what is selected, or to the one before, in the panel that keys go to.
    void stepChange(bool forward);
    void togglePin(); ///< Of the selected row.
    void toggleList();
    /// From a thread to the CPU it has at the cursor, from a CPU to its thread.
    void goToCounterpart();
    /// While the cursor moves, the CPU of the selected thread, or the thread of the selected CPU, is lit and kept in view.
    void setFollows(bool follows);

signals:
    void panelAdded(helio::TimePanel* panel);
    void panelRemoved(const std::string& id);
    /// Right click in a panel: where, on which row (not valid: on none), at what time.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Ctrl+Left, Ctrl+Right with the focus in a panel.
    void eventStepRequested(bool forward);
    /// The traces of the rows in view, over all panels.
    void shownTracesChanged(const std::vector<std::uint32_t>& traces);

private:
    void onTimelineChanged();
    void updatePanels(std::vector<TrackView> views);
    void showLink();
    void addPanel(TrackView view);
    void keepChoices(const TimePanel* panel);
    void updateNothing(const TrackView& view);
    void addMachineActions(QMenu& menu, TrackRef row);
    void reportShownTraces();
    void showFollowed();
    void notePlaces();

    ViewContext& m_context;
    TimeAxis m_axis;
    QPointer<OverviewStrip> m_overview;
    Ruler* m_ruler;
    TimePanels* m_panels;
    HostHand* m_hosts;
    TakenEdges* m_edges;
    std::vector<TrackView> m_views; ///< One a panel.
    std::vector<std::string> m_places; ///< The panels' ids from above to below, also of those that went.
    std::set<std::string> m_asked;
    QJsonObject m_kept; ///< What was restored, also for panels that are not there yet.
    QPointer<TimePanel> m_asking; ///< Where the last right click was. Null: in none.
    bool m_follows = false;
};

} // namespace helio
