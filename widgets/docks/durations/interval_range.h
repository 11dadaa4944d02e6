#pragma once

#include "widgets/workspace/view_context.h"

#include <QObject>

namespace helio {

class Pill;

/// Time range for which durations are shown: the user's selection; without a selection, the whole recording or the visible range, as the
/// user chose. If the user goes to an interval, the selection of this interval is ignored, and the selection before stays effective.
/// Threads: UI thread.
class IntervalRange : public QObject {
    Q_OBJECT

public:
    explicit IntervalRange(ViewContext& context);

    /// Button that shows and changes the range.
    /// Ownership: passes to the caller.
    Pill* pill() const { return m_pill; }

    static TimeRange whole() { return {Timestamp::min(), Timestamp::max()}; }
    TimeRange now() const; ///< Current range; whole() for the whole recording.
    /// Announces that the user goes to an interval, which selects its range `interval`. Must be called before the selection changes;
    /// otherwise `interval` would be regarded as a range that the user selected.
    void aboutToGoTo(TimeRange interval);

    bool usesVisibleRange() const { return m_usesVisibleRange; }
    void setUsesVisibleRange(bool usesVisibleRange);

signals:
    void selected(); ///< Emitted when the selection or the user's choice changed the range.
    void moved(); ///< Emitted when now() changed because the visible range changed.

private:
    /// Range that the user selected; empty if none. A selection that only results from going to an interval is ignored.
    TimeRange selection() const;
    void show();

    ViewContext& m_context;
    Pill* m_pill;
    bool m_usesVisibleRange = false;
    TimeRange m_visitedInterval; ///< Interval that the user went to last.
    TimeRange m_selectionAtGoTo; ///< Selection at the time of the last aboutToGoTo() call.
    TimeRange m_selectionBefore; ///< Result of selection() before the user went to m_visitedInterval.
};

} // namespace helio
