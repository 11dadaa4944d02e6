#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <QObject>
#include <QPoint>

#include <cstdint>
#include <optional>

namespace helio {

/// Mouse gestures on hosts in a panel or the overview: open the host's menu or its clock, drag its lane to shift its clock, or drag its
/// name onto the row of the virtual machine that it runs in. This class only emits signals for the gestures; HostDragController handles
/// them.
/// Threads: UI thread.
/// Ownership: owned by the axis.
class HostGestures : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Starts a drag of the lane of `host`, which the user pressed at time `at`. end() keeps the shift, cancel() (Escape) undoes it.
    void begin(std::uint32_t host, Timestamp at);
    /// Moves the dragged lane to time `at`. `reach` is the maximum distance for snapping to a known offset; 0 disables snapping.
    /// moveTo(), end() and cancel() do nothing while no lane is dragged.
    void moveTo(Timestamp at, Duration reach = {});
    void end();
    void cancel();
    bool isDragging() const { return m_grabbed.has_value(); }

    /// Starts a drag of the name of `host`. carryOver() reports the row under the pointer (invalid if none), drop() drops the name there,
    /// cancel() (Escape) ends the drag.
    void take(std::uint32_t host);
    void carryOver(TrackRef row);
    void drop();
    bool isCarrying() const { return m_carried.has_value(); }
    /// Row of the virtual machine on which the host's name is dropped if the user releases the button now; invalid if there is none. The
    /// receiver of carried() finds this row and calls setTarget().
    TrackRef target() const { return m_target; }
    void setTarget(TrackRef row);

    void askForMenu(std::uint32_t host, const QPoint& globalPos) { emit menuWanted(host, globalPos); }
    void askForClock(std::uint32_t host) { emit clockWanted(host); }

signals:
    void began(std::uint32_t host);
    /// Emitted while a lane is dragged. `later` is the shift since the press; `reach` is the maximum snapping distance.
    void moved(helio::Duration later, helio::Duration reach);
    /// Emitted at the end of a lane's drag. If `isKept` is false (cancelled), the slot restores the previous clock.
    void ended(bool isKept);
    void taken(std::uint32_t host);
    void carried(helio::TrackRef row);
    void dropped(helio::TrackRef row); ///< Emitted when the host's name is dropped; `row` is invalid if it was not dropped on a row.
    void targetChanged();
    void menuWanted(std::uint32_t host, const QPoint& globalPos);
    void clockWanted(std::uint32_t host);

private:
    void putDown(TrackRef row);

    std::optional<Timestamp> m_grabbed;
    std::optional<std::uint32_t> m_carried;
    TrackRef m_target;
};

} // namespace helio
