#pragma once

#include "core/profiling/calls/call_facts.h"

#include <QWidget>

#include <optional>

namespace helio {

/// The card "What this call consisted of": how long its thread was in which state meanwhile, line by line and in one bar, and on the same
/// scale a bar of the function's median call. Hidden where nobody recorded states. UI thread.
class CallTimeCard : public QWidget {
    Q_OBJECT

public:
    explicit CallTimeCard(QWidget* parent = nullptr);

    void setTime(const CallTime& time);
    /// None: it is not known yet.
    void setTypical(std::optional<CallTime> typical);

    /// A part of a call, for a line and a piece of the bar.
    struct Part {
        std::optional<StateKind> state; ///< None: nobody recorded what the thread did.
        Duration total{};
    };
    /// They add up to the call.
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
