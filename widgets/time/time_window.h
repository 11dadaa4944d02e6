#pragma once

#include "core/query/rows/rows.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// State that all views of a window share: visible range, cursor, selection, selected row, and the history of visited places.
///
/// Threads: UI thread. Signals fire only on change.
class TimeWindow : public QObject {
    Q_OBJECT

public:
    explicit TimeWindow(QObject* parent = nullptr);

    TimeRange full() const { return m_full; } ///< Range of the whole experiment, widened by setWidening().
    TimeRange visible() const { return m_visible; } ///< Never empty unless full() is.
    Timestamp cursor() const { return m_cursor; }
    TimeRange selection() const { return m_selection; } ///< Empty if nothing is selected.
    TrackRef row() const { return m_row; }
    std::optional<Timestamp> hovered() const { return m_hovered; }

    /// Range that statistics, events and latencies cover: the selection, or else the visible range.
    TimeRange focus() const { return m_selection.isEmpty() ? m_visible : m_selection; }

    void setFull(TimeRange range); ///< Keeps the visible range, unless it showed all of full(): then it goes on showing all.
    /// `widen` maps each range given to setFull(), the current one included, to full(): two windows side by side make room for both.
    void setWidening(std::function<TimeRange(TimeRange)> widen);
    TimeRange own() const { return m_own; } ///< Range as setFull() got it, before widening.
    /// While true, full() only grows, so that the cursor stays during a preview of clock changes. Afterwards full() is the latest range of
    /// setFull().
    void setGrowing(bool isGrowing);
    bool isGrowing() const { return m_isGrowing; }
    /// While true, the visible range stays whatever full() becomes, e.g. during a drag. Afterwards it shows all of full() if it showed all
    /// before.
    void setFrozen(bool isStill);
    /// Changes the clock of the axis: `moved` maps each time that is shown or in the history to the new clock. `full`: range of the
    /// experiment on the new clock.
    void changeClock(const std::function<Timestamp(Timestamp)>& moved, TimeRange full);
    void setVisible(TimeRange range); ///< Clips `range` to full() with a small margin, to at least 10 ns.
    void zoom(double factor, Timestamp around); ///< Factors below 1 zoom in.
    void pan(double share); ///< `share` of the visible duration; above 0 towards later times.
    void showAt(Timestamp at); ///< Makes `at` visible. If it was out of view, it is centred.
    void setCursor(Timestamp at);
    void setSelection(TimeRange range);
    void setRow(TrackRef row);
    void setHovered(std::optional<Timestamp> at);

    /// Target of a jump. Members that are not set leave the window's values.
    struct Target {
        std::optional<TrackRef> row{};
        std::optional<Timestamp> cursor{}; ///< Made visible, unless `visible` is set.
        std::optional<TimeRange> selection{};
        std::optional<TimeRange> visible{};
    };
    /// Adds the current place to the history and goes to the target. All moves at the user's command use jump() or step(), except for
    /// zooming, panning and clicks in the graph.
    void jump(const Target& target);
    /// Goes to a neighbour, e.g. the next event. The history keeps only the place where a run of steps began.
    void step(const Target& target);
    /// While it exists, all moves form one step, including jumps and other steps.
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
    /// Adds the current place to the history, before a drag that moves the window.
    void visit();
    bool canGoBack() const;
    bool canGoForward() const;
    void back();
    void forward();

    /// Scroll position of a panel, as the panel itself reports it; part of the history. 0 if the panel never reported one.
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
    void returned(); ///< A place of the history was restored: panels scroll to its positions.

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
    std::optional<TimeRange> m_still; ///< Set while the window is still: the visible range if it showed all of full(), else an empty range.
    TimeRange m_visible;
    Timestamp m_cursor;
    TimeRange m_selection;
    TrackRef m_row;
    std::map<std::string, int> m_scrolls; ///< Scroll positions by panel.
    std::optional<Timestamp> m_hovered;
    std::vector<Place> m_back;
    std::vector<Place> m_forward;
    bool m_isStepping = false; ///< True while a Step exists.
    std::optional<Place> m_stepped; ///< Place that the last step led to. The user may have scrolled since.
};

} // namespace helio
