#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace helio {

/// Measures how long the event loop leaves a 5 ms heartbeat waiting. Made where HELIOGRAPH_STALLS is set; prints the longest gap to
/// standard error when it goes: "heliograph: longest event-loop gap 12.3 ms, longest stretch computing 8.1 ms". The first also counts the
/// time that other programs had the processor; the second is this thread's own.
class StallMeter : public QObject {
    Q_OBJECT

public:
    explicit StallMeter(QObject* parent = nullptr);
    ~StallMeter() override;

    double longestMs() const { return double(m_longest) / 1e6; }
    /// Forgets what was so far: the program's own start is no stall of its window.
    void restart();

private:
    QTimer m_beat;
    QElapsedTimer m_clock;
    qint64 m_last = 0;
    qint64 m_longest = 0;
    qint64 m_lastComputed = 0;
    qint64 m_longestComputed = 0;
};

} // namespace helio
