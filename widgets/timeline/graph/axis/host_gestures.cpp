#include "widgets/timeline/graph/axis/host_gestures.h"

#include <utility>

namespace helio {

void HostGestures::begin(std::uint32_t host, Timestamp at)
{
    m_grabbed = at;
    emit began(host);
}

void HostGestures::moveTo(Timestamp at, Duration reach)
{
    if (m_grabbed)
        emit moved(at - *m_grabbed, reach);
}

void HostGestures::end()
{
    if (!m_grabbed)
        return;
    m_grabbed.reset();
    emit ended(true);
}

void HostGestures::take(std::uint32_t host)
{
    m_carried = host;
    emit taken(host);
}

void HostGestures::carryOver(TrackRef row)
{
    if (m_carried)
        emit carried(row);
}

void HostGestures::setTarget(TrackRef row)
{
    if (std::exchange(m_target, row) != row)
        emit targetChanged();
}

void HostGestures::drop()
{
    if (m_carried)
        putDown(m_target);
}

void HostGestures::putDown(TrackRef row)
{
    m_carried.reset();
    setTarget({});
    emit dropped(row);
}

void HostGestures::cancel()
{
    if (m_carried)
        return putDown({});
    if (!m_grabbed)
        return;
    m_grabbed.reset();
    emit ended(false);
}

} // namespace helio
