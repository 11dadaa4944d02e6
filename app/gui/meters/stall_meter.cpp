#include "app/gui/meters/stall_meter.h"

#include "widgets/paint/paint_cost.h"

#include <algorithm>
#include <cstdio>

namespace helio {

namespace {

constexpr int BeatMs = 5;

} // namespace

StallMeter::StallMeter(QObject* parent)
    : QObject(parent)
{
    m_beat.setTimerType(Qt::PreciseTimer);
    connect(&m_beat, &QTimer::timeout, this, [this] {
        const qint64 now = m_clock.nsecsElapsed();
        m_longest = std::max(m_longest, now - m_last);
        m_last = now;
        const qint64 computed = threadTime();
        m_longestComputed = std::max(m_longestComputed, computed - m_lastComputed);
        m_lastComputed = computed;
    });
    restart();
    m_beat.start(BeatMs);
}

StallMeter::~StallMeter()
{
    std::fprintf(stderr, "heliograph: longest event-loop gap %.1f ms, longest stretch computing %.1f ms\n", longestMs(),
                 double(m_longestComputed) / 1e6);
}

void StallMeter::restart()
{
    m_clock.start();
    m_last = 0;
    m_longest = 0;
    m_lastComputed = threadTime();
    m_longestComputed = 0;
}

} // namespace helio
