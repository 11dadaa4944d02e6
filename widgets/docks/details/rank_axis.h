#pragma once

#include "core/profiling/calls/function_calls.h"

#include <QWidget>

#include <optional>

namespace helio {

/// Where a call stands among all calls of its function: a line from the shortest to the longest on a logarithmic scale, with the middle
/// half, the median and the 99th percentile. UI thread.
class RankAxis : public QWidget {
    Q_OBJECT

public:
    explicit RankAxis(QWidget* parent = nullptr);

    void setRank(CallRank rank, Duration own);

    /// Pixels from the left end of a line that is so wide.
    static int placeOf(Duration length, const DurationSpread& lengths, int width);

private:
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const override { return {200, 34}; }

    CallRank m_rank;
    Duration m_own{};
};

/// "number 21 of 2 010, slowest first, percentile 99"; "slowest of 30"; "the only call of this function".
QString rankText(const CallRank& rank, Duration own);

} // namespace helio
