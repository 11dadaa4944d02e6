#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QWidget;

namespace helio {

/// Measures frames: the time from the first input event that the window received to the moment at which the window is painted. An input
/// without effect is not measured: the window becomes idle or receives another input, but is not repainted.
///
/// The program creates a meter if the environment variable HELIOGRAPH_FRAMES names a file. The destructor writes one line of JSON to the
/// file (see write()).
///
/// Each frame is named after its input: "pan", "zoom", "scroll", "select", "resize", "hover", "type" or "click". The line has statistics of
/// these times, in ms, for each name:
/// - "frame": wall-clock time of the frame, with the work of other programs.
/// - "settled": wall-clock time until a painted window shows everything that the input requested; until then the window shows the previous
/// picture, stretched.
/// - "computed": CPU time of the UI thread.
/// - "update": part of "computed" in which the window is painted and presented.
/// - "graphs", "bars": parts of "update" for the time panels, and for the bars of the time panels.
class FrameMeter : public QObject {
    Q_OBJECT

public:
    /// Creates a meter that writes to the file `path`. `isSettled` returns true if the window shows all requested data.
    FrameMeter(QString path, std::function<bool()> isSettled, QObject* parent = nullptr);
    ~FrameMeter() override;

    /// The application calls before() before it handles an event, and after() afterwards.
    void before(QObject* receiver, const QEvent& event);
    void after(QObject* receiver, QEvent::Type type);

private:
    struct Samples {
        std::vector<double> frame; ///< Times of all frames in ms.
        std::vector<double> computed;
        std::vector<double> update;
        std::vector<double> graphs;
        std::vector<double> bars;
        std::vector<double> settled;
    };

    void input(const char* kind);
    const char* kindOf(const QEvent& event);
    void frameEnded();
    void write() const;

    QString m_path;
    std::function<bool()> m_isSettled;
    QElapsedTimer m_clock;
    QTimer m_forget;
    QTimer m_rest; ///< Timer that runs until all consequences of the input are handled.
    std::map<std::string, Samples> m_kinds;
    const char* m_kind = nullptr; ///< Kind of the latest user input whose frame is not painted yet, e.g. "zoom"; nullptr if none.
    qint64 m_begin = 0;
    qint64 m_computedAtBegin = 0;
    const char* m_unsettledKind = nullptr;
    qint64 m_unsettledSince = 0;
    int m_updates = 0; ///< Nesting depth of update events.
    qint64 m_updateBegin = 0;
    bool m_isLeftDown = false;
    bool m_isPanButtonDown = false;
};

/// Application that passes its events to a FrameMeter.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;
    void setMeter(FrameMeter* meter) { m_meter = meter; }
    /// Errors: if memory runs out while an event is handled, the window says so and goes on.
    bool notify(QObject* receiver, QEvent* event) override;

private:
    bool notifyMetered(QObject* receiver, QEvent* event);

    FrameMeter* m_meter = nullptr;
};

/// Measures delays of the event loop with a 5 ms heartbeat. Created if HELIOGRAPH_STALLS is set; the destructor prints the longest gap to
/// standard error: "heliograph: longest event-loop gap 12.3 ms, longest computation 8.1 ms". The first figure includes time in which other
/// programs used the CPU; the second figure is CPU time of the UI thread.
class StallMeter : public QObject {
    Q_OBJECT

public:
    explicit StallMeter(QObject* parent = nullptr);
    ~StallMeter() override;

    double longestMs() const { return double(m_longest) / 1e6; }
    /// Discards all previous measurements, for example those during the program's start.
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
