#pragma once

#include "core/query/rows/rows.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// What every view of a window shares: the visible stretch of time, the cursor, the selected range, the selected row, and the places
/// visited.
///
/// UI thread only. Signals fire only on change.
class TimeWindow : public QObject {
    Q_OBJECT

public:
    explicit TimeWindow(QObject* parent = nullptr);

    TimeRange full() const { return m_full; } ///< The whole experiment.
    TimeRange visible() const { return m_visible; } ///< Never empty once full() is not.
    Timestamp cursor() const { return m_cursor; }
    TimeRange selection() const { return m_selection; } ///< Empty: none.
    TrackRef row() const { return m_row; }
    std::optional<Timestamp> hovered() const { return m_hovered; }

    /// The stretch that statistics, events and latencies speak of: the selection, or else what is visible.
    TimeRange focus() const { return m_selection.isEmpty() ? m_visible : m_selection; }

    void setFull(TimeRange range); ///< Keeps the visible window, unless it showed all: then it goes on showing all.
    /// What setFull() is given goes through it from now on, at once too: two windows beside each other have room for both.
    void setWidening(std::function<TimeRange(TimeRange)> widen);
    TimeRange own() const { return m_own; } ///< As setFull() was given it.
    /// While it is previewed where clocks are, full() only grows: the cursor stays. Then it is what setFull() was given last.
    void setGrowing(bool isGrowing);
    bool isGrowing() const { return m_isGrowing; }
    /// While something is dragged over it, the visible window stays whatever full() becomes. Then it goes on showing all where it did.
    void setStill(bool isStill);
    /// The axis is another clock's: all that is shown and remembered is where `moved` has its times, of the whole experiment `full`.
    void goAlong(const std::function<Timestamp(Timestamp)>& moved, TimeRange full);
    void setVisible(TimeRange range); ///< Clipped to full() (with a small margin); at least 10 ns long.
    void zoom(double factor, Timestamp around); ///< Below 1: in.
    void pan(double share); ///< Of the visible duration; positive: later.
    void showAt(Timestamp at); ///< Pans so that `at` is in view, centred if it was not.
    void setCursor(Timestamp at);
    void setSelection(TimeRange range);
    void setRow(TrackRef row);
    void setHovered(std::optional<Timestamp> at);

    /// Target of a jump. Members that are not set leave the window's values.
    struct Target {
        std::optional<TrackRef> row{};
        std::optional<Timestamp> cursor{}; ///< Comes into view, unless `visible` is set.
        std::optional<TimeRange> selection{};
        std::optional<TimeRange> visible{};
    };
    /// Remembers the present place and goes to another one. Whatever moves the window at the user's command does so through jump() or
    /// step(), but for zooming, panning and clicks in the graph.
    void jump(const Target& target);
    /// A jump to a neighbour: of a run of steps only the place where it began is remembered.
    void step(const Target& target);
    /// All moves during its life are one step, jumps and other steps too.
    class Step {
    public:
        explicit Step(TimeWindow& window);
        ~Step();
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        TimeWindow& m_window;
        const bool m_isOutermost;
    };
    /// Remembers the present place: a drag begins that will move the window.
    void visit();
    bool canGoBack() const;
    bool canGoForward() const;
    void back();
    void forward();

    /// How far a panel is scrolled, as the panel itself reports it; a part of places visited. 0 where it never did.
    void setScroll(const std::string& panel, int y) { m_scrolls[panel] = y; }
    int scrollOf(const std::string& panel) const;

signals:
    void fullChanged();
    void visibleChanged();
    void cursorChanged();
    void selectionChanged();
    void rowChanged();
    void hoveredChanged();
    void historyChanged();
    void returned(); ///< To a place visited: panels scroll as they were.

private:
    struct Place {
        TimeRange visible;
        Timestamp cursor;
        TimeRange selection;
        TrackRef row;
        std::map<std::string, int> scrolls;
        bool operator==(const Place&) const = default;
    };
    Place here() const { return {m_visible, m_cursor, m_selection, m_row, m_scrolls}; }
    void go(const Place& place);
    void go(const Target& target);
    bool isWhereStepped() const;

    void takeFull(TimeRange range);
    bool showsAll() const;

    TimeRange m_full;
    TimeRange m_own;
    std::function<TimeRange(TimeRange)> m_widen;
    bool m_isGrowing = false;
    std::optional<TimeRange> m_still; ///< What is visible and showed all, while it is still; empty: it did not show all.
    TimeRange m_visible;
    Timestamp m_cursor;
    TimeRange m_selection;
    TrackRef m_row;
    std::map<std::string, int> m_scrolls; ///< By panel.
    std::optional<Timestamp> m_hovered;
    std::vector<Place> m_back;
    std::vector<Place> m_forward;
    bool m_isStepping = false; ///< A Step is alive.
    std::optional<Place> m_stepped; ///< Place that the last step led to. The user may have scrolled it since.
};

} // namespace helio
