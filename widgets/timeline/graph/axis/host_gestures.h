#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <QObject>
#include <QPoint>

#include <cstdint>
#include <optional>

namespace helio {

/// What a person does to a host where a panel or the overview shows it: asks for its menu or its clock, drags its lane to shift its clock,
/// drags its name onto the row of what it is to belong to.
/// They report it here; who knows the experiment does it. Owned by the axis. UI thread.
class HostGestures : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// A lane is taken at a time, dragged to others, and let go; Escape cancels.
    void begin(std::uint32_t host, Timestamp at);
    /// Snaps to what is no further than `reach`; 0: it does not snap. Nothing while no lane is dragged, as the next.
    void moveTo(Timestamp at, Duration reach = {});
    void end();
    void cancel();
    bool isDragging() const { return m_grabbed.has_value(); }

    /// A name is taken, carried over rows (not valid: over none), and let go; Escape cancels.
    void take(std::uint32_t host);
    void carryOver(TrackRef row);
    void drop();
    bool isCarrying() const { return m_carried.has_value(); }
    /// The row that it would be dropped on; whoever knows whether that makes sense sets it. Not valid: none.
    TrackRef target() const { return m_target; }
    void setTarget(TrackRef row);

    void askForMenu(std::uint32_t host, const QPoint& globalPos) { emit menuWanted(host, globalPos); }
    void askForClock(std::uint32_t host) { emit clockWanted(host); }

signals:
    void began(std::uint32_t host);
    void moved(helio::Duration later, helio::Duration reach); ///< From where it was taken.
    void ended(bool isKept); ///< False: all is to be as before.
    void taken(std::uint32_t host);
    void carried(helio::TrackRef row);
    void dropped(helio::TrackRef row); ///< Not valid: on nothing.
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
