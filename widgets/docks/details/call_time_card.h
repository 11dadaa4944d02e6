#pragma once

#include "core/profiling/calls/call_facts.h"

#include <QWidget>

#include <optional>

namespace helio {

/// Card "What this call consisted of": the time of the calling thread by state during the call, as lines and one bar. A second bar on the
/// same scale shows the function's median call. Hidden if states were not recorded.
/// Threads: UI thread.
class CallTimeCard : public QWidget {
    Q_OBJECT

public:
    explicit CallTimeCard(QWidget* parent = nullptr);

    void setTime(const CallTime& time);
    /// Sets the times of the median call; nullopt until they are computed.
    void setTypical(std::optional<CallTime> typical);

    /// Time of a call in one state: a line of the card and a section of the bar.
    struct Part {
        std::optional<StateKind> state; ///< State of the thread; nullopt if it was not recorded.
        Duration total{};
    };
    /// Returns the breakdown of a call; the durations sum up to that of the call.
    static std::vector<Part> partsOf(const CallTime& time);

private:
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    void paintBar(QPainter& painter, const QRect& rect, const std::vector<Part>& parts) const;
    void paintLine(QPainter& painter, const QRect& line, const Part& part) const;
    void paintTypical(QPainter& painter, int top, int width) const;
    QRect lineRect(std::size_t index) const;

    CallTime m_time;
    std::vector<Part> m_parts;
    std::optional<CallTime> m_typical;
};

} // namespace helio
