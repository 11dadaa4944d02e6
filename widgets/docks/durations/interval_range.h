#pragma once

#include "widgets/workspace/view_context.h"

#include <QObject>

namespace helio {

class Pill;

/// Time range of the shown durations: the selection; without one, the whole recording or the visible range, whichever the user chose. A
/// selection made by going to an interval does not count; the selection before it stays in effect.
/// Threads: UI thread.
class IntervalRange : public QObject {
    Q_OBJECT

public:
    explicit IntervalRange(ViewContext& context);

    /// Button that shows and changes the range. Ownership: the caller's.
    Pill* pill() const { return m_pill; }

    static TimeRange whole() { return {Timestamp::min(), Timestamp::max()}; }
    TimeRange now() const; ///< whole() if the range is the whole recording.
    void aboutToGoTo(TimeRange piece); ///< Must be called before an interval is selected by going to it.

    bool usesVisibleRange() const { return m_usesVisibleRange; }
    void setUsesVisibleRange(bool usesVisibleRange);

signals:
    void selected(); ///< The range in effect changed through the selection or the user's choice.
    void moved(); ///< The visible range changed, and it is the range in effect.

private:
    TimeRange selection() const; ///< The selection in effect; empty if none.
    void show();

    ViewContext& m_context;
    Pill* m_pill;
    bool m_usesVisibleRange = false;
    TimeRange m_visitedInterval; ///< Interval that the user went to last.
    TimeRange m_from; ///< Selection at the last call of aboutToGoTo().
    TimeRange m_before; ///< Selection in effect before the user went to m_visitedInterval.
};

} // namespace helio
