#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <QObject>
#include <QPoint>

#include <cstdint>
#include <optional>

namespace helio {

/// Gestures of the user on a host in a panel or the overview: the user opens its menu or its clock, drags its lane to shift its clock, or
/// drags its name onto the row of the virtual machine that it shall be the guest of. This class only reports the gestures by signals;
/// HostDragController acts on them.
/// Threads: UI thread.
/// Ownership: owned by the axis.
class HostGestures : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Begins to drag the lane of `host`, grabbed at time `at`. end() drops it, cancel() (Escape) undoes the drag.
    void begin(std::uint32_t host, Timestamp at);
    /// Moves the dragged lane to time `at`, snapping to edges at most `reach` away; a `reach` of 0 disables snapping. moveTo(), end() and
    /// cancel() do nothing while no lane is dragged.
    void moveTo(Timestamp at, Duration reach = {});
    void end();
    void cancel();
    bool isDragging() const { return m_grabbed.has_value(); }

    /// Begins to drag the name of `host`. carryOver() reports the row under the pointer (invalid: none), drop() drops the name, cancel()
    /// (Escape) ends the drag.
    void take(std::uint32_t host);
    void carryOver(TrackRef row);
    void drop();
    bool isCarrying() const { return m_carried.has_value(); }
    /// Row that the carried name would be dropped on; invalid if none. A slot of carried() that knows the virtual machines sets it.
    TrackRef target() const { return m_target; }
    void setTarget(TrackRef row);

    void askForMenu(std::uint32_t host, const QPoint& globalPos) { emit menuWanted(host, globalPos); }
    void askForClock(std::uint32_t host) { emit clockWanted(host); }

signals:
    void began(std::uint32_t host);
    void moved(helio::Duration later, helio::Duration reach); ///< Distance in time from where the lane was grabbed.
    void ended(bool isKept); ///< False if the drag was cancelled: the slot restores the previous clock.
    void taken(std::uint32_t host);
    void carried(helio::TrackRef row);
    void dropped(helio::TrackRef row); ///< Invalid if the name was not dropped on a row.
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
