#pragma once

#include "core/profiling/calls/call_facts.h"

#include <QWidget>

#include <optional>

namespace helio {

/// The card "What this call consisted of": the time by state of the calling thread during the call, as lines and one bar; on the same scale
/// a bar of the function's median call. Hidden if states were not recorded.
/// Threads: UI thread.
class CallTimeCard : public QWidget {
    Q_OBJECT

public:
    explicit CallTimeCard(QWidget* parent = nullptr);

    void setTime(const CallTime& time);
    /// Sets the median call; empty while it is not known.
    void setTypical(std::optional<CallTime> typical);

    /// Part of a call: a line and a section of the bar.
    struct Part {
        std::optional<StateKind> state; ///< Empty if the thread's state was not recorded.
        Duration total{};
    };
    /// Returns the parts of a call; they add up to its duration.
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
