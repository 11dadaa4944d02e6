#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QPoint>

#include <cstdint>
#include <optional>

namespace helio {

/// What a person does to a host where a panel or the overview shows it: asks for its menu or its clock, drags its lane to shift its clock.
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

    void askForMenu(std::uint32_t host, const QPoint& globalPos) { emit menuWanted(host, globalPos); }
    void askForClock(std::uint32_t host) { emit clockWanted(host); }

signals:
    void began(std::uint32_t host);
    void moved(helio::Duration later, helio::Duration reach); ///< From where it was taken.
    void ended(bool isKept); ///< False: all is to be as before.
    void menuWanted(std::uint32_t host, const QPoint& globalPos);
    void clockWanted(std::uint32_t host);

private:
    std::optional<Timestamp> m_grabbed;
};

} // namespace helio
