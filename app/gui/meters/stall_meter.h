#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace helio {

/// Measures how late the event loop serves a 5 ms heartbeat. Created if HELIOGRAPH_STALLS is set; the destructor prints the longest gap to
/// standard error: "heliograph: longest event-loop gap 12.3 ms, longest stretch computing 8.1 ms". The first figure includes time that
/// other programs used the CPU; the second is the CPU time of the UI thread.
class StallMeter : public QObject {
    Q_OBJECT

public:
    explicit StallMeter(QObject* parent = nullptr);
    ~StallMeter() override;

    double longestMs() const { return double(m_longest) / 1e6; }
    /// Discards the measurements so far, for example of the program's start.
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
