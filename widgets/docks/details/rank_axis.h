#pragma once

#include "core/profiling/calls/function_calls.h"

#include <QWidget>

#include <optional>

namespace helio {

/// Axis with the duration of a call among all calls of its function: a line from the shortest to the longest call on a logarithmic scale,
/// with the interquartile range, the median and the 99th percentile.
/// Threads: UI thread.
class RankAxis : public QWidget {
    Q_OBJECT

public:
    explicit RankAxis(QWidget* parent = nullptr);

    void setRank(CallRank rank, Duration own);

    /// Returns the x of a duration in pixels from the left end of a line `width` pixels long.
    static int placeOf(Duration length, const DurationDistribution& lengths, int width);

private:
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override { return {200, 34}; }

    CallRank m_rank;
    Duration m_own{};
};

/// Returns the rank of a call as text, e.g. "number 21 of 2 010, slowest first, percentile 99", "slowest of 30" or "the only call of this
/// function".
QString rankText(const CallRank& rank, Duration own);

} // namespace helio
