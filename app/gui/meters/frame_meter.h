#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QWidget;

namespace helio {

/// Measures frames: from the first input event that the window was handed to the painted window that follows. An input after which the
/// window came to rest unpainted, until the next input, changed nothing. Made where HELIOGRAPH_FRAMES names a file, which gets one line
/// of JSON when it goes (see write()).
///
/// A frame is called after the input that caused it: "pan", "zoom", "scroll", "select", "resize", "hover", "type", "click". Times are on
/// the wall, so that what else the machine does counts; "computed" is this thread's own part, and of that "update" painting and handing
/// over the window, "graphs" the time panels, "bars" their bars alone. "settled" is how long (on the wall) until a painted window showed
/// all that was asked for: until then the last picture is shown stretched.
class FrameMeter : public QObject {
    Q_OBJECT

public:
    /// `isSettled`: whether all that is shown is known.
    FrameMeter(QString path, std::function<bool()> isSettled, QObject* parent = nullptr);
    ~FrameMeter() override;

    /// The application calls them before and after it handles each event.
    void before(QObject* receiver, const QEvent& event);
    void after(QObject* receiver, QEvent::Type type);

private:
    struct Samples {
        std::vector<double> frame; ///< ms, all of them.
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
    QTimer m_rest; ///< Runs until all that the input caused is handled.
    std::map<std::string, Samples> m_kinds;
    const char* m_kind = nullptr; ///< Of the input that waits for its frame.
    qint64 m_begin = 0;
    qint64 m_computedAtBegin = 0;
    const char* m_unsettledKind = nullptr;
    qint64 m_unsettledSince = 0;
    int m_updates = 0; ///< Nested.
    qint64 m_updateBegin = 0;
    bool m_isLeftDown = false;
    bool m_isPanButtonDown = false;
};

/// An application whose events may be measured.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;
    void setMeter(FrameMeter* meter) { m_meter = meter; }
    bool notify(QObject* receiver, QEvent* event) override;

private:
    FrameMeter* m_meter = nullptr;
};

} // namespace helio
