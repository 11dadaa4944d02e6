#include "widgets/timegraph/axis/host_gestures.h"

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

void HostGestures::cancel()
{
    if (!m_grabbed)
        return;
    m_grabbed.reset();
    emit ended(false);
}

} // namespace helio
