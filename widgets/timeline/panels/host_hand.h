#pragma once

#include "widgets/timeline/graph/axis/host_gestures.h"
#include "widgets/timeline/panels/guest_choices.h"
#include "widgets/workspace/view_context.h"

class QMenu;

namespace helio {

class TimeAxis;

/// Does what a person wants of a host: shifts its clock while its lane is dragged, shows it in the view of clocks, and changes its name,
/// its colour and its place; makes it the guest of the machine that its name is dropped on. All of it goes through ViewContext::clocks(),
/// so it can be undone. The context and the axis outlive it. UI thread.
class HostHand : public QObject {
    Q_OBJECT

public:
    HostHand(ViewContext& context, TimeAxis& axis, QObject* parent);

    /// The lines of a host's menu.
    void fillMenu(QMenu& menu, std::uint32_t host);
    /// Those that make sense at the row of a virtual machine, whose guest the host is; they name it.
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
    void setLook(std::uint32_t host, const HostLook& look, const QString& what);
    QString nameOf(std::uint32_t host) const;

    ViewContext& m_context;
    std::uint32_t m_dragged = 0;
    std::shared_ptr<const Timeline> m_from; ///< Where the lane was taken; null while none is dragged.
    ClockChoice m_before;
    std::uint32_t m_carried = 0;
    TrackRef m_over; ///< Where the name is carried.
    std::shared_ptr<const Timeline> m_carriedIn; ///< Null while none is carried.
    HostGestures& m_gestures;
};

} // namespace helio
