#pragma once

#include "widgets/timeline/graph/axis/host_gestures.h"
#include "widgets/timeline/panels/guest_menu.h"
#include "widgets/workspace/view_context.h"

class QMenu;

namespace helio {

class TimeAxis;

/// Handles the gestures of HostGestures: shifts a host's clock while its lane is dragged, opens the view of clocks, changes name, colour
/// and position of a host, and makes a host the guest of the virtual machine that its name is dropped on. All changes go through
/// ViewContext::clocks(), so they can be undone.
/// Threads: UI thread.
/// Ownership: the context and the axis outlive it.
class HostDragController : public QObject {
    Q_OBJECT

public:
    HostDragController(ViewContext& context, TimeAxis& axis, QObject* parent);

    /// Adds the menu items of a host: rename, colour, move up or down, and views of the host.
    void fillMenu(QMenu& menu, std::uint32_t host);
    /// Adds the actions for the row of a virtual machine. `guest` is the host that runs in it, which the actions' texts name.
    void fillMachineMenu(QMenu& menu, std::uint32_t guest);

private:
    void beginDrag(std::uint32_t host);
    void drag(Duration later, Duration reach);
    void endDrag(bool isKept);
    Duration snapped(Duration later, Duration reach) const;
    void beginCarry(std::uint32_t host);
    void carry(TrackRef row);
    void drop(TrackRef row);
    const GuestChoice* machineAt(TrackRef row) const;
    void showMenu(std::uint32_t host, const QPoint& at);
    void addViews(QMenu& menu, std::uint32_t host, const QString& clock);
    void addColors(QMenu& menu, std::uint32_t host);
    void rename(std::uint32_t host);
    void move(std::uint32_t host, int by);
    void setLook(std::uint32_t host, const HostStyle& look, const QString& what);
    QString nameOf(std::uint32_t host) const;

    ViewContext& m_context;
    std::uint32_t m_dragged = 0;
    std::shared_ptr<const Timeline> m_from; ///< Timeline when a lane's drag began; nullptr while no lane is dragged.
    ClockSettings m_before;
    std::uint32_t m_carried = 0;
    TrackRef m_over; ///< Row under the pointer while the user drags a host's name; invalid if none.
    std::shared_ptr<const Timeline> m_carriedIn; ///< Timeline when the drag of a host's name began; nullptr while no name is dragged.
    HostGestures& m_gestures;
};

} // namespace helio
