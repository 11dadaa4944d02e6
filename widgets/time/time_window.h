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
/// Threads: UI thread. Signals are only emitted on change.
class TimeWindow : public QObject {
    Q_OBJECT

public:
    explicit TimeWindow(QObject* parent = nullptr);

    /// A place of the history.
    struct HistoryEntry {
        TimeRange visible;
        Timestamp cursor;
        TimeRange selection;
        TrackRef row;
        std::map<std::string, int> scrolls; ///< Scroll positions, by panel.
        bool operator==(const HistoryEntry&) const = default;
    };

    TimeRange full() const { return m_full; } ///< Range of the whole experiment, as widened by setWidening().
    TimeRange visible() const { return m_visible; } ///< Visible range; never empty unless full() is.
    Timestamp cursor() const { return m_cursor; }
    TimeRange selection() const { return m_selection; } ///< Selected range; empty if nothing is selected.
    TrackRef row() const { return m_row; }
    std::optional<Timestamp> hovered() const { return m_hovered; }

    /// Range that statistics, events and latencies cover: the selection, otherwise the visible range.
    TimeRange focus() const { return m_selection.isEmpty() ? m_visible : m_selection; }

    /// Sets the range of the whole experiment. The visible range is kept, unless it was the whole range, full(): it then becomes the new
    /// whole range.
    void setFull(TimeRange range);
    /// Sets a function that computes full() from the range passed to setFull(). It is applied at once to own(), and later to each new
    /// range. Two windows side by side use it to show a range that covers the traces of both windows.
    void setWidening(std::function<TimeRange(TimeRange)> widen);
    TimeRange own() const { return m_own; } ///< Range passed to setFull(), before widening.
    /// While true, full() only grows, so that the cursor is not clipped during a preview of clock changes. Afterwards, full() is the latest
    /// range of setFull().
    void setGrowing(bool isGrowing);
    bool isGrowing() const { return m_isGrowing; }
    /// While true, the visible range is kept when full() changes, e.g. during a drag. When set to false, the visible range becomes full()
    /// if it was full() when the freezing began.
    void setFrozen(bool isStill);
    /// Changes the clock of the axis: `moved` converts each shown time and each time in the history to the new clock. `full`: range of the
    /// experiment on the new clock.
    void changeClock(const std::function<Timestamp(Timestamp)>& moved, TimeRange full);
    void setVisible(TimeRange range); ///< Sets the visible range, limited to full() with a small margin, and to at least 10 ns.
    void zoom(double factor, Timestamp around); ///< Zooms around a time; factors below 1 zoom in.
    void pan(double share); ///< Pans by a fraction of the visible duration; above 0 towards later times.
    void showAt(Timestamp at); ///< Makes a time visible. If it was out of view, it is centred.
    void setCursor(Timestamp at);
    void setSelection(TimeRange range);
    void setRow(TrackRef row);
    void setHovered(std::optional<Timestamp> at);

    /// Target of a jump. Values that are not set are not changed by the jump.
    struct Target {
        std::optional<TrackRef> row{};
        std::optional<Timestamp> cursor{}; ///< Cursor to set; it is made visible, unless `visible` is set.
        std::optional<TimeRange> selection{};
        std::optional<TimeRange> visible{};
    };
    /// Goes to the target, and adds the place where it was to the history if that changed anything. All moves on the user's command use
    /// jump(), step() or Step, except for clicks in the graph.
    void jump(const Target& target);
    /// Kind of steps that form a series: to neighbours, e.g. the next event; zooming and panning in small steps, e.g. by the wheel; or a
    /// drag of the visible range.
    enum class Series { Neighbours, Zoom, Drag };
    /// Goes to the target. The history only gets the place where a series of steps began.
    void step(const Target& target, Series series = Series::Neighbours);
    /// Ends the series of steps: the next step begins another one. To be called when a drag begins.
    void endSeries() { m_stepped.reset(); }
    /// Scope in which all moves form one step, including jumps and other steps. Steps of one kind without other moves between them are a
    /// series. The history only gets the place where a series began. Steps that change nothing add no place.
    class Step {
    public:
        explicit Step(TimeWindow& window, Series series = Series::Neighbours);
        ~Step();
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        TimeWindow& m_window;
        const Series m_series;
        const bool m_isOutermost;
        const bool m_continues; ///< True if the step continues a series.
        const HistoryEntry m_start; ///< Place at which the step began.
    };
    bool canGoBack() const;
    bool canGoForward() const;
    void back();
    void forward();

    /// Stores the scroll position of a panel, as reported by the panel; it is part of the history. 0 if the panel never reported one.
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
    /// Emitted when back() or forward() restored a place of the history; panels then scroll to the scroll positions stored there.
    void returned();

private:
    void addToHistory(const HistoryEntry& place);
    HistoryEntry here() const { return {m_visible, m_cursor, m_selection, m_row, m_scrolls}; }
    void go(const HistoryEntry& place);
    void go(const Target& target);
    bool isWhereStepped(Series series) const;

    void takeFull(TimeRange range);
    bool showsAll() const;

    TimeRange m_full;
    TimeRange m_own;
    std::function<TimeRange(TimeRange)> m_widen;
    bool m_isGrowing = false;
    /// nullopt unless the visible range is frozen by setFrozen(true). Holds the visible range at the time of this call if it was all of
    /// full(); otherwise an empty range.
    std::optional<TimeRange> m_still;
    TimeRange m_visible;
    Timestamp m_cursor;
    TimeRange m_selection;
    TrackRef m_row;
    std::map<std::string, int> m_scrolls; ///< Scroll positions, by panel.
    std::optional<Timestamp> m_hovered;
    std::vector<HistoryEntry> m_back;
    std::vector<HistoryEntry> m_forward;
    bool m_isStepping = false; ///< True while a Step object exists.
    std::optional<HistoryEntry> m_stepped; ///< Place that the last step led to; the user may have scrolled since then.
    Series m_series = Series::Neighbours; ///< Kind of the last step.
};

} // namespace helio
